//! A tree is asked once: between a value and its bytes every question to a user's code is put at most once.

use prompt_core::{
    Budget, Disclosure, PromptNode, Style, ToolCall, Visibility, disclosure::Delivery,
    tree::Collected,
};
use serde_json::json;
use std::{cell::Cell, fmt};

/// A value that counts how often it is printed.
#[derive(Default)]
struct Counted(Cell<u32>);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.set(self.0.get() + 1);
        f.write_str("word")
    }
}

/// You keep {place}.
///
/// {COLLECTED_CONTEXT}
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode, Default)]
struct Station {
    place: Counted,

    /// Under {note}.
    #[section(when = self.ask(), priority = self.rank(), visibility = self.form(), summary = "About {short}.")]
    tower: Tower,

    #[section(item = "- {item}", tag = "log")]
    log: Vec<Counted>,

    #[section(priority = 3, item_title = "Day {item.0}", item = "{item.1}")]
    days: Vec<(Counted, Counted)>,

    note: Counted,
    short: Counted,
    asked: Cell<u32>,
    ranked: Cell<u32>,
    formed: Cell<u32>,
}

impl Station {
    fn ask(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        true
    }

    fn rank(&self) -> i32 {
        self.ranked.set(self.ranked.get() + 1);
        5
    }

    fn form(&self) -> Visibility {
        self.formed.set(self.formed.get() + 1);
        Visibility::Full
    }

    /// How often everything was asked, at most, since the last time.
    fn most(&self) -> u32 {
        let items = self.log.iter().map(|item| &item.0);
        let days = self.days.iter().flat_map(|day| [&day.0.0, &day.1.0]);
        let tower = [&self.tower.stairs.0, &self.tower.lamp.wick.0];
        let own = [
            &self.place.0,
            &self.note.0,
            &self.short.0,
            &self.asked,
            &self.ranked,
            &self.formed,
        ];
        let all = own.into_iter().chain(items).chain(days).chain(tower);
        all.map(Cell::take).max().unwrap_or_default()
    }
}

/// It has {stairs} stairs.
#[derive(PromptNode, Default)]
struct Tower {
    stairs: Counted,
    #[section]
    lamp: Lamp,
}

/// Trim the {wick}.
#[derive(PromptNode, Default)]
struct Lamp {
    wick: Counted,
}

fn station() -> Station {
    Station {
        log: vec![Counted::default(), Counted::default()],
        days: vec![(Counted::default(), Counted::default())],
        ..Station::default()
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn a_rendering_asks_everything_at_most_once() {
    let station = station();
    let collected = Collected::from_iter([("log", "All calm.")]);
    for style in [Style::Markdown, Style::Xml] {
        let prompt = || station.prompt().style(style);
        prompt().render().unwrap();
        assert_eq!(station.most(), 1, "{style:?}");
        prompt().text().unwrap();
        assert_eq!(station.most(), 1, "{style:?}, the text alone");
        prompt()
            .collected(&collected)
            .focus("tower.lamp")
            .render()
            .unwrap();
        assert!(station.most() <= 1, "{style:?}, focused");
        for limit in [22, 30, 40, 1000] {
            let budget = Budget::tokens(limit).counter(&words);
            let _ = prompt().budget(budget).render();
            assert!(station.most() <= 1, "{style:?}, {limit} words");
        }
    }
}

#[test]
fn a_preview_asks_once_too() {
    let station = station();
    station.prompt().preview().unwrap();
    assert_eq!(station.most(), 1);
}

#[test]
fn each_side_of_a_turn_asks_at_most_once() {
    let station = station();
    for delivery in [Delivery::Rerender, Delivery::Append] {
        for budget in [None, Some(1000)] {
            let mut disclosure = Disclosure::new(&station)
                .delivery(delivery)
                .configure(|prompt| match budget {
                    Some(limit) => prompt.budget(Budget::tokens(limit).counter(&words)),
                    None => prompt,
                });
            let call = |name: &str| {
                let arguments = json!({ "section_keys": ["tower"], "reason": "" });
                let call = json!({ "id": name, "name": name, "arguments": arguments });
                serde_json::from_value::<ToolCall>(call).unwrap()
            };
            disclosure.render().unwrap();
            assert!(station.most() <= 1);
            disclosure
                .handle(&[call("open_sections"), call("other")])
                .unwrap();
            assert!(station.most() <= 1);
        }
    }
}
