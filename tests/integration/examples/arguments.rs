//! What an example does not understand it refuses, before it does anything.

use prompt_examples::arguments::Request;
use std::ffi::OsString;

fn read(line: &str, words: usize) -> Result<Request, String> {
    let given = line.split_whitespace().map(OsString::from);
    Request::read_with_flags(given, words, &["--out", "--set"], &["--quick"])
}

#[test]
fn what_is_understood_is_there_in_order() {
    let Ok(Request::Run(given)) = read("a --set x=1 b --quick --set y=2 --out f", 2) else {
        panic!("refused")
    };
    assert_eq!(given.words, ["a", "b"]);
    assert_eq!(given.option("--out").unwrap(), "f");
    assert_eq!(given.option("--set").unwrap(), "y=2");
    assert_eq!(given.all("--set").collect::<Vec<_>>(), ["x=1", "y=2"]);
    assert!(given.has("--quick") && !given.has("--out"));
}

#[test]
fn anything_else_is_named() {
    for (line, words, fact) in [
        ("a b", 1, "`b` is not understood; see --help"),
        ("--nope", 1, "`--nope` is not understood; see --help"),
        ("-x", 1, "`-x` is not understood; see --help"),
        ("a --out", 1, "`--out` needs a value; see --help"),
        ("--qu", 1, "`--qu` is not understood; see --help"),
    ] {
        assert_eq!(read(line, words).unwrap_err(), fact);
    }
}

#[test]
fn help_comes_before_everything_that_follows_it() {
    for line in ["--help", "-h", "a --help --nope", "--quick -h b c d"] {
        assert!(matches!(read(line, 1), Ok(Request::Help)), "{line}");
    }
}
