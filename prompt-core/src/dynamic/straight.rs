//! Trees that were built at run time, printed in one go: see [`Flow`].

use super::{
    course::{Below, Course, Step, uses},
    node::{DynamicNode, Embeds},
    spec::When,
    value::Value,
};
use crate::node::{Extent, Failed, Flow, Flowed, Flows, Listed, NodeInfo, SectionInfo, Text};
use std::borrow::Cow;

/// How a node with these sections is printed, if it can be.
pub(super) fn course(
    info: &NodeInfo,
    embeds: &[Embeds],
    sections: &[DynamicNode],
) -> Option<Course> {
    let below = |(embeds, child): (&Embeds, &DynamicNode)| match embeds {
        Embeds::Own => child.built.course.as_ref()?.below(),
        Embeds::Value(embedded) => match child.value_of(embedded)? {
            Value::Map(_) => None,
            Value::List(_) if embedded.list.item.is_some() => None,
            Value::List(_) => Some(Below::TEXTS),
            _ => Some(Below::TEXT),
        },
        Embeds::Typed(_) => None,
    };
    Course::of(info, embeds.iter().zip(sections).map(below))
}

impl Flows for DynamicNode {
    fn extent(&self, is_moved: bool) -> Option<Extent> {
        let course = self.built.course.as_ref()?;
        if is_moved {
            Some(course.below()?.extent)
        } else {
            Some(course.extent)
        }
    }

    fn flow_into<'f>(&'f self, out: &mut Flow<'f>) -> Flowed {
        let info = &self.built.info;
        let Some(course) = &self.built.course else {
            return Ok(());
        };
        own(self, course, out)?;
        if self.sections.is_empty() {
            return Ok(());
        }
        let (declared, heading) = (out.built(info), &info.container.heading);
        out.headings(
            heading.level.unwrap_or(info.text.end),
            heading.tight,
            heading.gap,
        );
        for (index, child) in (0..).zip(self.sections.iter()) {
            if child.spec.when != When::Always(true) {
                out.depends();
                if !self.shows(child) {
                    continue;
                }
            }
            self.flow_section(course, child, Listed { declared, index }, out)?;
        }
        Ok(())
    }
}

impl DynamicNode {
    /// Prints a section that is there, if it is not empty.
    fn flow_section<'f>(
        &'f self,
        course: &'f Course,
        child: &'f Self,
        listed: Listed,
        out: &mut Flow<'f>,
    ) -> Flowed {
        let (built, at) = (&self.built, listed.index as usize);
        let (Some(section), Some(step)) = (built.info.sections.get(at), course.sections.get(at))
        else {
            return Ok(());
        };
        let part = Part {
            section,
            step,
            listed,
        };
        if let Some(Embeds::Value(embedded)) = built.embeds.get(at) {
            out.depends();
            let value = child.value_of(embedded).unwrap_or(&Value::Null);
            return flow_value(value, part, out);
        }
        part.print(out, |out| match &child.built.course {
            Some(course) if child.sections.is_empty() => own(child, course, out),
            _ => child.flow_into(out),
        })
    }
}

/// A section that is there.
struct Part<'f> {
    section: &'f SectionInfo,
    step: &'f Step,
    listed: Listed,
}

impl<'f> Part<'f> {
    #[inline]
    fn print(self, out: &mut Flow<'f>, print: impl FnOnce(&mut Flow<'f>) -> Flowed) -> Flowed {
        let (listed, child) = (self.listed, self.step.child);
        let intro = &self.section.intro.literal;
        match &self.step.head {
            Some(head) if !intro.is_empty() => out.usual(&head.get(), listed, child, |out| {
                out.introduction(intro, child);
                print(out)
            }),
            Some(head) if child.speaks => out.usual(&head.get(), listed, child, print),
            _ => out.section(self.section, listed, child, print),
        }
    }
}

/// Prints a section that embeds a value, if that is not empty.
fn flow_value<'f>(value: &Value, part: Part<'f>, out: &mut Flow<'f>) -> Flowed {
    let is_blank = |text: &Cow<'_, str>| text.trim().is_empty();
    if let Value::List(items) = value {
        let texts: Vec<_> = items.iter().map(Value::text).collect();
        if texts.iter().all(is_blank) {
            return Ok(());
        }
        return part.print(out, |out| {
            out.bullets(&texts);
            Ok(())
        });
    }
    let text = value.text();
    if is_blank(&text) {
        return Ok(());
    }
    part.print(out, |out| {
        out.block(&text);
        Ok(())
    })
}

/// Prints the own text of a node.
#[inline]
fn own<'f>(node: &'f DynamicNode, course: &Course, out: &mut Flow<'f>) -> Flowed {
    let text = &node.built.info.text;
    match course.first {
        Some(first) => values(node, first, text, out),
        None if text.literal.is_empty() => Ok(()),
        None => out.words(&text.literal),
    }
}

/// The same, where values stand in it, the first of them there.
fn values<'f>(node: &'f DynamicNode, first: usize, text: &'f Text, out: &mut Flow<'f>) -> Flowed {
    let out = out.plain(first);
    let mut pieces = out.text(node, &text.literal, uses(text).count());
    for (at, variable) in uses(text) {
        pieces = pieces.put(at, variable);
    }
    match pieces.end() {
        Ok(_) => Ok(()),
        Err(variable) => Err(Failed::new(&node.built.info, variable)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::dynamic::{DynamicNode, DynamicNodeBuilder};
    use crate::prompt::PromptNode;
    use crate::visibility::Visibility;

    /// Whether a tree with this section is printed in one go.
    fn is_straight(section: DynamicNodeBuilder) -> bool {
        let root = DynamicNode::builder("root")
            .body("For {name}.")
            .section(section);
        let node = root.build_with(std::collections::BTreeMap::from([("name", "Ada")]));
        let node = node.unwrap();
        let flows = node.embedded().straight;
        flows.is_some_and(|flows| flows.extent(false).is_some())
    }

    fn section(body: &str) -> DynamicNodeBuilder {
        DynamicNode::builder("section").body(body)
    }

    #[test]
    fn trees_of_words_values_and_headings_are_printed_in_one_go() {
        assert!(is_straight(section("")));
        assert!(is_straight(
            section("Words for {name}.\n\n- items").tight().gap(2)
        ));
        assert!(is_straight(section("Over it:").value("name")));
        assert!(is_straight(
            section("Words.")
                .title("A title")
                .when_value("name")
                .section(section("More."))
        ));
        assert!(is_straight(
            section("Words.").summary("Short.").priority(3).cache(300)
        ));
    }

    #[test]
    fn others_are_not() {
        assert!(!is_straight(section("{name} first")));
        assert!(!is_straight(section("## Heading")));
        assert!(!is_straight(section("{?name}Words.{/name}")));
        assert!(!is_straight(section("Words.").title("{name}")));
        assert!(!is_straight(section("Words.").tag("tag")));
        assert!(!is_straight(
            section("Words.")
                .summary("Short.")
                .visibility(Visibility::Summary)
        ));
        assert!(!is_straight(section("Words.").empty("None.").value("name")));
        let deep = (0..80).fold(section("Words."), |node, _| section("Words.").section(node));
        assert!(!is_straight(deep));
    }
}
