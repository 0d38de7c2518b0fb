//! Laws of the assembly, for random texts.

use prompt_core::Assembler;
use prompt_core::Content;
use prompt_core::Message;
use prompt_core::PromptTask;
use prompt_core::assembly::AdapterContext;
use prompt_core::assembly::AdapterInstruction;
use prompt_core::assembly::Assembled;
use prompt_core::assembly::Capabilities;
use prompt_core::assembly::PromptConfig;
use prompt_core::assembly::Registry;
use prompt_core::assembly::TaskText;
use prompt_core::assembly::TextSource;
use prompt_core::message::CachePoint;
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, PromptTask)]
enum Task {
    Grade,
}

/// Texts of which many are empty, and many end or begin like the separator.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("\n\n".into()),
        "[a-zäπ🍞\n ]{0,12}"
    ]
}

fn instruction() -> impl Strategy<Value = AdapterInstruction> {
    (text(), text()).prop_map(|(system, user)| AdapterInstruction { system, user })
}

#[derive(Clone, Debug)]
struct Call {
    system: String,
    user: String,
    added: Vec<AdapterInstruction>,
    instructions: Option<String>,
    system_prompt: bool,
    cached: bool,
}

fn call() -> impl Strategy<Value = Call> {
    let added = prop::collection::vec(instruction(), 0..4);
    (
        text(),
        text(),
        added,
        prop::option::of(text()),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(system, user, added, instructions, system_prompt, cached)| Call {
                system,
                user,
                added,
                instructions,
                system_prompt,
                cached,
            },
        )
}

impl Call {
    fn task_text(&self) -> TaskText {
        let text = TaskText::from(&self.system);
        if self.cached {
            text.cached(CachePoint::default())
        } else {
            text
        }
    }

    fn run<R>(&self, use_assembler: impl FnOnce(&Assembler<'_, Task>) -> R) -> R {
        let registry = self
            .added
            .iter()
            .cloned()
            .fold(Registry::builder(), |builder, added| {
                builder.register("api", Task::Grade, move |_: &AdapterContext| {
                    Ok(added.clone())
                })
            });
        let registry = registry.build();
        let config = match &self.instructions {
            Some(text) => PromptConfig::new().task(&Task::Grade, text),
            None => PromptConfig::new(),
        };
        let capabilities = Capabilities::default().system_prompt(self.system_prompt);
        let assembler = Assembler::new(Task::Grade, "api").capabilities(capabilities);
        use_assembler(&assembler.registry(&registry).config(&config))
    }

    fn assemble(&self) -> Assembled {
        self.run(|assembler| assembler.assemble(self.task_text(), &self.user).unwrap())
    }

    fn assemble_text(&self) -> (String, String) {
        self.run(|assembler| assembler.assemble_text(&self.system, &self.user).unwrap())
    }
}

/// The rule in one line, by itself.
fn append(base: &str, extra: &str) -> String {
    [base, extra]
        .iter()
        .filter(|text| !text.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join("\n\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn append_law(call in call()) {
        let system = call.added.iter().fold(call.system.clone(), |base, added| append(&base, &added.system));
        let system = append(&system, call.instructions.as_deref().unwrap_or_default());
        let user = call.added.iter().fold(call.user.clone(), |base, added| append(&base, &added.user));
        prop_assert_eq!(call.assemble_text(), (system, user));
    }

    #[test]
    fn messages_hold_the_two_texts(call in call()) {
        let (system, user) = call.assemble_text();
        let messages = call.assemble().into_messages();
        let cache = call.cached.then(CachePoint::default);
        let cached = |message: Message| Message { cache, ..message };
        let expected = match (call.system_prompt, system.is_empty(), call.cached) {
            (_, true, _) => vec![Message::user(user)],
            (true, false, _) => vec![cached(Message::system(system)), Message::user(user)],
            (false, false, false) => vec![Message::user(format!("{system}\n\n{user}"))],
            (false, false, true) if user.is_empty() => vec![cached(Message::user(format!("{system}\n\n")))],
            (false, false, true) => vec![cached(Message::user(format!("{system}\n\n"))), Message::user(user)],
        };
        prop_assert_eq!(messages, expected);
    }

    #[test]
    fn ranges_partition_every_text(call in call()) {
        let assembled = call.assemble();
        for (index, message) in assembled.messages().iter().enumerate() {
            let mut end = 0;
            for piece in assembled.provenance().iter().filter(|piece| piece.message == index) {
                prop_assert_eq!(piece.range.start, end);
                prop_assert!(piece.range.end > end);
                prop_assert_eq!(assembled.text_of(piece), &message.text()[piece.range.clone()]);
                end = piece.range.end;
            }
            prop_assert_eq!(end, message.content[0].as_text().unwrap().len());
        }
    }

    #[test]
    fn every_source_is_found_again_in_order(call in call()) {
        let assembled = call.assemble();
        let said = |texts: Vec<&str>| texts.into_iter().filter(|text| !text.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let found = |source| assembled.written_by(source).map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(found(TextSource::Task), said(vec![&call.system, &call.user]));
        prop_assert_eq!(found(TextSource::User), said(vec![call.instructions.as_deref().unwrap_or_default()]));
        for (index, added) in call.added.iter().enumerate() {
            prop_assert_eq!(found(TextSource::Adapter(index)), said(vec![&added.system, &added.user]));
        }
        prop_assert!(assembled.written_by(TextSource::Separator).all(|text| text == "\n\n"));
        // Within the system text and within the user text: task, adapters as registered, user.
        let (mut switches, mut last) = (0, None);
        for piece in assembled.provenance().iter().filter(|piece| piece.source != TextSource::Separator) {
            switches += usize::from(last.is_some_and(|last| piece.source <= last));
            last = Some(piece.source);
        }
        prop_assert!(switches <= 1, "{:?}", assembled.provenance());
    }

    #[test]
    fn messages_of_a_prompt_stay(before in 0_usize..3, after in 0_usize..4, call in call()) {
        prop_assume!(!call.system.is_empty());
        let block = |index: usize| Message::system(format!("block {index}")).cached(CachePoint { ttl: Some(60) });
        let example = |index: usize| Message::assistant(format!("example {index}"));
        let mut prompt: Vec<Message> = (0..before).map(block).collect();
        prompt.push(Message::system(call.system.clone()));
        prompt.extend((0..after).map(example));
        let call = Call { system_prompt: true, ..call };
        let assembled = call.run(|assembler| assembler.assemble(prompt, &call.user).unwrap());
        let (system, user) = call.assemble_text();
        let mut expected: Vec<Message> = (0..before).map(block).collect();
        expected.push(Message::system(system));
        expected.extend((0..after).map(example));
        expected.push(Message::user(user));
        prop_assert_eq!(assembled.messages(), expected);
        let total: usize = assembled.provenance().iter().map(|piece| piece.range.len()).sum();
        let texts = assembled.messages().iter().flat_map(|message| &message.content).filter_map(Content::as_text);
        prop_assert_eq!(total, texts.map(str::len).sum::<usize>());
    }

    #[test]
    fn a_config_survives_json_and_toml(text in proptest::option::of(any::<String>())) {
        let config = text.iter().fold(PromptConfig::<Task>::new(), |config, text| config.task(&Task::Grade, text));
        let json = serde_json::to_string(&config).unwrap();
        prop_assert_eq!(PromptConfig::from_json(&json).unwrap(), config.clone());
        prop_assert_eq!(PromptConfig::from_toml(&toml::to_string(&config).unwrap()).unwrap(), config);
    }

    #[test]
    fn no_config_and_no_name_panics(text in any::<String>()) {
        let _ = PromptConfig::<Task>::from_json(&text);
        let _ = PromptConfig::<Task>::from_toml(&text);
        let _ = text.parse::<Task>().map_err(|error| error.to_string());
        let _ = PromptConfig::<Task>::new().entry(&text, "x");
    }
}
