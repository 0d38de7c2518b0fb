//! Texts in derived types, all of which have the same fields: what the oracle says of a text holds for its type, too.

/// Gives a `TEXTS` of texts, each with a function that makes the derived type with that text.
#[macro_export]
macro_rules! typed_texts {
    ($($name:ident $text:literal)*) => {
        /// Each text, and the type that has it.
        pub const TEXTS: &[(&str, $crate::typed::Make)] = &[$(($text, |data| Box::new($name {
            a: data.a,
            b: data.b,
            v: &data.v,
            w: &data.w,
            o: data.o.as_deref(),
            l: &data.l,
            m: &data.m,
            fs: &data.fs,
            ship: &data.ship,
            t: &data.t,
            x: &data.x,
            j: &data.j,
            k: &data.k,
            d: data.d.as_deref(),
            s: data.s.as_deref(),
            y: data.y,
            h: &data.h,
        }))),*];

        $(
            #[derive(::prompt_core::PromptNode)]
            #[prompt(template = $text, allow(skipped_level, heading_above_top, setext_heading, unclosed_fence))]
            #[allow(dead_code)]
            struct $name<'d> {
                a: bool,
                b: bool,
                v: &'d str,
                w: &'d str,
                o: ::core::option::Option<&'d str>,
                l: &'d [::std::string::String],
                m: &'d [::std::string::String],
                fs: &'d [$crate::fuzz::Shelf],
                ship: &'d $crate::fuzz::Shelf,
                #[var(trim)]
                t: &'d str,
                #[var(max = 3, more = "..")]
                x: &'d str,
                #[var(join = ", ", last = " and ", some = "({})", default = "none")]
                j: &'d [::std::string::String],
                #[var(item = "- {item}{?a} ({index}){/a}", join = "\n")]
                k: &'d [::std::string::String],
                #[var(default = "{w}..")]
                d: ::core::option::Option<&'d str>,
                #[var(some = "[{}]{?b}!{/b}")]
                s: ::core::option::Option<&'d str>,
                #[var(yes = "on {v}", no = "")]
                y: bool,
                #[var(hang)]
                h: &'d str,
            }
        )*
    };
}

use crate::fuzz::{self, Data, Source};
use prompt_core::{PromptNode, Style};

/// Makes a type from the values.
pub type Make = for<'d> fn(&'d Data) -> Box<dyn PromptNode + 'd>;

/// Compares what types print with what the oracle says and with what the same texts print at run time, each with so many
/// sets of values.
///
/// # Errors
///
/// All that differ.
pub fn check(texts: &[(&str, Make)], sets: u64) -> Result<(), String> {
    let mut failures = Vec::new();
    for (index, (text, make)) in texts.iter().enumerate() {
        for set in 0..sets {
            let seed = index as u64 * sets + set + 1;
            let data = fuzz::data(&mut Source::new(&fuzz::bytes_of(seed)));
            if let Err(fact) = check_text(text, *make, &data) {
                failures.push(fact);
                break;
            }
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    let count = failures.len();
    failures.sort_by_key(String::len);
    failures.truncate(5);
    Err(format!(
        "{count} of {} differ, the shortest:\n{}",
        texts.len(),
        failures.join("\n\n")
    ))
}

fn check_text(text: &str, make: Make, data: &Data) -> Result<(), String> {
    let values = serde_json::to_value(data).expect("data is JSON");
    let node = make(data);
    let derived = |style: Style, level: u8| -> Result<String, String> {
        let prompt = || node.prompt().style(style).base_level(level);
        let rendered = prompt().render().map_err(|error| error.to_string())?;
        let printed = prompt().text().map_err(|error| error.to_string())?;
        if rendered.as_str() == printed {
            Ok(printed)
        } else {
            Err(format!("{printed:?} and {rendered:?}"))
        }
    };
    fuzz::compare(text, data, &values, derived)?;
    let loaded = fuzz::node(text, data)?;
    let at_run_time = loaded
        .prompt()
        .style(Style::Xml)
        .base_level(2)
        .text()
        .map_err(|error| error.to_string())?;
    let of_type = node
        .prompt()
        .style(Style::Xml)
        .base_level(2)
        .text()
        .map_err(|error| error.to_string())?;
    if at_run_time == of_type {
        Ok(())
    } else {
        Err(format!(
            "{text}\n--- of {data:?}\nas a type   {of_type:?}\nat run time {at_run_time:?}"
        ))
    }
}

/// A module of types, whose texts are these.
pub fn module(texts: &[String]) -> String {
    let lines = texts
        .iter()
        .enumerate()
        .map(|(index, text)| format!("    T{index} {text:?}\n"));
    format!(
        "prompt_tests::typed_texts! {{\n{}}}\n",
        lines.collect::<String>()
    )
}
