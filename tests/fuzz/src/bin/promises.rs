#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| prompt_fuzz::keep("promises", bytes));
