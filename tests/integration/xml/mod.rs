//! Tags: printed, guarded, validated, linted.

mod cases;
mod guard;
mod guard_policies;
mod guard_properties;
mod guard_templates;
mod lint;
mod validate;
