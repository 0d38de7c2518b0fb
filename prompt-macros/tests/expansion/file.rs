#[prompt(file = "tests/expansion/unknown_variable.md")]
struct Reviewer {
    language: String,
}
