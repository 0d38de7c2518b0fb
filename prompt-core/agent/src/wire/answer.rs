//! The typed answer of a request. In come the tools and options of a caller, out go those that a format writes, and the
//! schema for the provider's structured output; `typed` reads the reply as an answer. Every format writes its request in it.

use super::WireError;
use super::options::{RequestOptions, ToolChoice};
use super::tools::check_names;
use prompt_core::tool::ToolSpec;
use serde_json::Value;

/// The body of a request: `write` makes it of the tools and options, and what the caller added by hand is put in. The names of
/// the tools are checked. An answer that is forced is the call of a tool among them: one that must be called if there are no
/// others.
pub(super) fn request(
    format: &'static str,
    tools: &[ToolSpec],
    options: &RequestOptions,
    write: impl FnOnce(&[ToolSpec], &RequestOptions) -> Result<Value, WireError>,
) -> Result<Value, WireError> {
    let forced = options.answer.as_ref().filter(|output| output.forced);
    let Some(output) = forced else {
        check_names(tools)?;
        return Ok(options.finish(write(tools, options)?));
    };
    let answer = output.strict(format)?;
    let tool_choice = match &options.tool_choice {
        None | Some(ToolChoice::Auto) if tools.is_empty() => {
            Some(ToolChoice::Tool(answer.name().to_owned()))
        }
        Some(ToolChoice::Auto) => Some(ToolChoice::Required),
        choice => choice.clone(),
    };
    let tools = [tools, std::slice::from_ref(answer)].concat();
    check_names(&tools)?;
    let options = RequestOptions {
        tool_choice,
        answer: None,
        ..options.clone()
    };
    Ok(options.finish(write(&tools, &options)?))
}

#[cfg(feature = "answer")]
mod typed {
    use super::super::{Delta, Reply, StopReason, options::Output};
    use super::RequestOptions;
    use crate::answer::{
        ANSWER_TOOL, Accepted, Answer, AnswerError, AnswerMode, Ending, Partial, Read, Shown,
    };
    use crate::conversation::Conversation;
    use prompt_core::tool::ToolSpec;
    use schemars::JsonSchema;
    use serde::de::DeserializeOwned;

    impl RequestOptions {
        /// Asks for a typed answer as its [`AnswerMode`] says: by the provider's structured output, by a tool that must be
        /// called, or, with [`AnswerMode::Prompt`], not at all. A type that strict mode cannot say is an error when the
        /// request is written.
        #[must_use]
        pub fn answer<T>(mut self, answer: &Answer<T>) -> Self {
            let (mode, strict, schema) = answer.asked();
            let asked = match (mode, strict) {
                (AnswerMode::Prompt, _) => None,
                (_, Ok(tool)) => Some((tool.clone(), None)),
                // Servers without a strict mode take it as it is.
                (_, Err(fault)) => {
                    let loose = ToolSpec::loose(ANSWER_TOOL, "", schema.clone());
                    let tool = loose.or_else(|_| ToolSpec::closed(ANSWER_TOOL, ""));
                    tool.ok().map(|tool| (tool, Some(fault.to_owned())))
                }
            };
            let forced = mode == AnswerMode::Tool;
            self.answer = asked.map(|(tool, fault)| Output {
                tool,
                fault,
                forced,
            });
            self
        }
    }

    impl Conversation {
        /// The model has replied, and its answer is to be of this type: [pushes](Self::push) the reply, and gives the answer
        /// if it fits. Else it is asked for again, or calls of the model come first. The conversation counts the tries.
        ///
        /// ```
        /// # #[cfg(feature = "openai")] {
        /// use prompt_agent::answer::Answer;
        /// use prompt_agent::wire::Provider;
        /// use prompt_agent::Conversation;
        ///
        /// let answer = Answer::<Vec<u8>>::new();
        /// let reply = |text: &str| {
        ///     let message = serde_json::json!({ "role": "assistant", "content": text });
        ///     Provider::OpenAiChat.reply(&serde_json::json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }))
        /// };
        /// let mut conversation = Conversation::default();
        /// conversation.begin("Which berths are free?");
        /// assert!(conversation.read(&answer, reply("Some.")?)?.is_none());
        /// assert!(conversation.tries() == 1 && !conversation.is_answered());
        /// let accepted = conversation.read(&answer, reply("[2, 5]")?)?;
        /// assert_eq!(accepted.map(|accepted| accepted.into_value()), Some(vec![2, 5]));
        /// # }
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        /// Those of [`Answer::read`], but that calls come first; the conversation is as it was then.
        pub fn read<T: DeserializeOwned + JsonSchema>(
            &mut self,
            answer: &Answer<T>,
            reply: Reply,
        ) -> Result<Option<Accepted<T>>, AnswerError> {
            let read = match answer.clone().tried(self.tries()).read(&reply) {
                Err(AnswerError::PendingCalls { .. }) => None,
                read => Some(read?),
            };
            self.push(reply);
            match read {
                Some(Read::Accepted(accepted)) => {
                    if let Some(results) = accepted.results() {
                        self.push(results.clone());
                    }
                    return Ok(Some(accepted));
                }
                Some(Read::Again(why) | Read::CutOff(why)) => self.retry_with(why),
                None => {}
            }
            Ok(None)
        }
    }

    impl Partial {
        /// What a delta of the stream changes for a person, if anything: text of the answer, or, with [`AnswerMode::Tool`],
        /// arguments of the call that is the answer. Values are shown as the model writes them; [`settle`](Self::settle) shows
        /// the one that was accepted. What a closing tag of reasoning makes a draft is [withdrawn](Shown::Withdrawn).
        ///
        /// ```
        /// use prompt_agent::answer::{Partial, Shown};
        /// use prompt_agent::wire::Delta;
        /// use serde_json::json;
        ///
        /// let mut partial = Partial::new();
        /// let mut show = |text: &str| partial.show(&Delta::Text(text.into()));
        /// assert_eq!(show("Here it is: "), None);
        /// assert_eq!(show("{\"reply\": \"It"), Some(Shown::Value(json!({ "reply": "It" }))));
        /// assert_eq!(show(" is\", \"refund\": 1"), Some(Shown::Value(json!({ "reply": "It is" }))));
        /// ```
        pub fn show(&mut self, delta: &Delta) -> Option<Shown> {
            match delta {
                Delta::Text(text) if self.call().is_none() => self.grow(text),
                Delta::Call { index, name, .. } if self.may_be_call() && name == ANSWER_TOOL => {
                    self.begin(Some(*index));
                    None
                }
                Delta::Arguments { index, text } if self.call() == Some(*index) => self.grow(text),
                _ => None,
            }
        }
    }

    impl<T: DeserializeOwned + JsonSchema> Answer<T> {
        /// Reads a reply.
        ///
        /// # Errors
        ///
        /// Those of [`read_message`](Self::read_message); [`AnswerError::Filtered`] and [`AnswerError::Paused`] for a
        /// reply that ended so.
        pub fn read(&mut self, reply: &Reply) -> Result<Read<T>, AnswerError> {
            let ending = match &reply.stop {
                StopReason::End | StopReason::ToolCalls => Ending::Own,
                StopReason::Length => Ending::Length,
                StopReason::Filtered => {
                    let text = reply.message.text();
                    return Err(AnswerError::Filtered { text });
                }
                StopReason::Paused => return Err(AnswerError::Paused),
                StopReason::Other(_) => Ending::Unknown,
            };
            self.read_message(&reply.message, ending)
        }
    }
}
