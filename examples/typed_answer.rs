//! A support desk whose answers are a Rust type: the form in the prompt, replies as models send them, and what becomes of
//! each. The model is a script here; a program sends the body and reads what comes back.
//!
//! `cargo run --example typed_answer`

use prompt_agent::answer::{Answer, AnswerFormat, AnswerMode, Read};
use prompt_agent::testing::Script;
use prompt_agent::wire::{Provider, RequestOptions, StopReason};
use prompt_core::{History, Message, PromptNode};
use prompt_examples::arguments::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use std::error::Error;

/// You answer the letters of a ferry line. Weigh the case, then answer in this form:
///
/// {form}
#[derive(PromptNode)]
struct Desk {
    form: AnswerFormat,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Resolution {
    /// Two sentences, before you decide.
    reasoning: String,
    category: Category,
    /// Euros.
    #[schemars(range(min = 0, max = 500))]
    refund: Option<f64>,
    /// What the passenger reads.
    reply: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    Delay,
    LostLuggage,
    /// Nothing that can be settled by letter.
    Other,
}

/// What the model says: an answer that does not fit, one that is cut off, and one that fits.
fn script() -> Script {
    Script::new()
        .says("Let me see.\n\n```json\n{\"reasoning\": \"Two hours late.\", \"category\": \"late\", \"refund\": 900}\n```")
        .says(
            "{\"reasoning\": \"Two hours late. The fare was forty euros.\", \"category\": \"delay\", \"refund\": 40, \"reply\": \"Dear pas",
        )
        .and_stops(StopReason::Length)
        .says("Here it is:\n```json\n{\n  reasoning: 'Two hours late. The fare was forty euros.',\n  \"category\": \"Delay\", // not luggage\n  \"refund\": \"40\",\n  \"reply\": \"We are sorry, and refund the fare.\",\n}\n```")
}

fn main() -> Result<(), Box<dyn Error>> {
    if let Request::Help = Request::from_env(0, &[])? {
        println!("usage: typed_answer\n\nReads three replies of a model as one Rust type.");
        return Ok(());
    }
    // The form stands in the prompt; `AnswerMode::Provider` would say it in the request.
    let mut answer = Answer::<Resolution>::new().mode(AnswerMode::Prompt);
    let desk = Desk {
        form: answer.format(),
    };
    let provider = Provider::OpenAiChat;
    let options = RequestOptions::new("a-model").answer(&answer);
    let mut history = History::default();
    history.extend(desk.prompt().render()?.messages());
    history.push(Message::user(
        "My ferry was two hours late. I paid 40 euros.",
    ));
    println!("{}\n", desk.prompt().text()?);

    let mut script = script();
    let resolution = loop {
        let body = provider.request(&history.view().messages(), &[], &options)?;
        let reply = provider.reply(&script.reply(provider, &body))?;
        history.push(reply.message.clone());
        match answer.read(&reply)? {
            Read::Accepted(accepted) => {
                let repairs: Vec<String> =
                    accepted.repairs().iter().map(ToString::to_string).collect();
                println!("accepted; {}\n", repairs.join(", "));
                break accepted.into_value();
            }
            Read::Again(message) | Read::CutOff(message) => {
                println!("{}\n", message.text());
                history.push(message);
            }
        }
    };
    let Resolution {
        reasoning,
        category,
        refund,
        reply,
    } = resolution;
    println!("{category:?}, {refund:?} euros\n{reasoning}\n-> {reply}\n");
    println!(
        "{} messages in the log, {} in the next request",
        history.log().len(),
        history.view().len()
    );
    Ok(())
}
