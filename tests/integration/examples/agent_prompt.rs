//! The prompt of the `agent_prompt` example, to the byte, for four command lines.

use prompt_core::PromptNode;
use prompt_examples::agent_prompt::{Agent, sample_project};

fn agent(args: &str) -> Agent {
    Agent::from_args(
        args.split_whitespace().map(str::to_owned),
        &[sample_project()],
    )
    .unwrap()
}

#[track_caller]
fn same(args: &str, expected: &str) {
    let text = agent(args).prompt().render().unwrap().into_string();
    assert_eq!(text + "\n", expected, "for `{args}`");
}

#[test]
fn linux_without_git() {
    same(
        "--os linux --no-git src/",
        include_str!("../../fixtures/agent_prompt/linux_no_git.md"),
    );
}

#[test]
fn macos_without_files() {
    same(
        "--os macos",
        include_str!("../../fixtures/agent_prompt/macos.md"),
    );
}

#[test]
fn windows_that_plans() {
    same(
        "--os windows --plan Cargo.toml NOTES.md",
        include_str!("../../fixtures/agent_prompt/windows_plan.md"),
    );
}

#[test]
fn linux_by_default() {
    same(
        "src/main.rs",
        include_str!("../../fixtures/agent_prompt/linux_git.md"),
    );
}

#[test]
fn the_tools_it_lists_are_the_tools_it_offers() {
    for args in ["", "--plan"] {
        let rendered = agent(args).prompt().render().unwrap();
        assert!(!rendered.tools().is_empty());
        for tool in rendered.tools() {
            assert!(rendered.as_str().contains(&format!(
                "- `{}`: {}",
                tool.name(),
                tool.description()
            )));
        }
    }
}

#[test]
fn arguments_that_mean_nothing() {
    for (args, words) in [
        (vec!["--os", "beos"], "unknown system `beos`"),
        (vec!["--os"], "unknown system ``"),
        (vec!["--gti"], "unknown option --gti"),
        (vec!["no/such/path"], "no/such/path: no such file or folder"),
    ] {
        let args = args.into_iter().map(str::to_owned);
        let error = Agent::from_args(args, &[sample_project()])
            .err()
            .expect("an error")
            .to_string();
        assert!(
            error.starts_with(words) && error.contains("usage: "),
            "{error}"
        );
    }
}
