//! Shared pieces of the test programs.
