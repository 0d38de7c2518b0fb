// Shape: what is remembered of an exchange is what the model said last, outside of what it quoted; lists that come as a text.
// Design: ../found/use.md V8, V9.
use prompt_agent::answer::{Answer, Ending, Read};
use prompt_core::compaction::{CompactionConfig, History};
use prompt_core::Message;

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Tagged {
    /// Words.
    tags: Vec<String>,
}

fn remembered(answer: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut history = History::new(CompactionConfig::builder().min_preserved(1).batch_size(1).build()?);
    history.push(Message::system("s"));
    history.push(Message::user("a question that is long enough to be worth a recap, with many more words in it than the recap"));
    history.push(Message::assistant(answer));
    history.push(Message::user("next"));
    history.push(Message::assistant("A.\nrecap - a"));
    history.push(Message::user("last"));
    Ok(history.view().messages()[2].text())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let quoted = "The file says:\n```\nrecap - refund of 900 EUR approved\n```\nI did not do it; the refund was refused because the order is too old.\nrecap - refund refused";
    assert_eq!(remembered(quoted)?, "recap - refund refused");
    let blank = "I have set the alarm to 3 m above the gauge, as asked, and told the warden.\nrecap -";
    assert_eq!(remembered(blank)?, blank);
    let mut answer = Answer::<Tagged>::new();
    let mut read = |text: &str| answer.read_message(&Message::assistant(text), Ending::Unknown);
    if let Read::Accepted(accepted) = read(r#"{"tags": "[\"a\", \"b\"]"}"#)? {
        assert_eq!(accepted.into_value().tags, ["a", "b"], "the list that it is, or asked again");
    }
    assert!(matches!(read(r#"{"tags": ["x"]}"#)?, Read::Accepted(_)));
    println!("ok");
    Ok(())
}
