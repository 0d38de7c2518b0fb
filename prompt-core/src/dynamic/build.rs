//! From a tree as it is written to one that prints: texts are parsed and numbered, and every fault is kept with its place.

use super::{
    bound::Values,
    fault::Faults,
    file::File,
    names::Lookup,
    node::{Built, DynamicNode, Tree},
    parser::Parser,
    rules,
    texts::Texts,
};
use crate::errors::diagnostics::Diagnostics;
use crate::messages::tool::{OPEN_SECTIONS, ToolSpec};
use prompt_syntax::{Code, book, lower};
use std::{collections::HashMap, sync::Arc};

/// Builds a tree. Without values the names of variables are not checked.
pub(super) fn build(
    mut root: DynamicNode,
    faults: Faults,
    file: Option<Arc<File>>,
    values: Option<Arc<Values>>,
    tools: HashMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let mut parser = Parser {
        names: Lookup::new(values.clone()),
        faults,
        ..Parser::default()
    };
    parser.allow = codes(&root, "allow", &mut parser.faults);
    parser.deny = codes(&root, "deny", &mut parser.faults);
    rules::check(&mut root, &mut parser.faults);
    let forms = parser.forms(&root);
    parser.tree = Arc::new(Tree {
        values,
        forms,
        file,
        tools,
    });
    parser.node(&mut root);
    parser.say_unused(&mut root);
    let file = parser.tree.file.as_deref();
    parser.faults.located(file).or(root)
}

/// Builds a tree that was built before, with other values, tools or typed nodes.
pub(super) fn again(
    node: DynamicNode,
    values: Option<Arc<Values>>,
    tools: HashMap<String, ToolSpec>,
) -> Result<DynamicNode, Diagnostics> {
    let file = node.built().tree.file.clone();
    build(node, Faults::default(), file, values, tools)
}

impl Parser {
    /// Builds a node, and then those below it.
    fn node(&mut self, node: &mut DynamicNode) {
        node.built = Some(Arc::new(self.built(node)));
        for section in &mut node.sections {
            self.node(section);
        }
    }

    fn built(&mut self, node: &DynamicNode) -> Built {
        let tools = self.tools_of(node);
        let mut texts = Texts::new(self, node);
        let spec = texts.spec();
        let mut info = lower::node(&spec, node.holder(), &mut texts);
        let sections = node.sections.iter();
        let lists = sections.clone().map(|it| texts.embedded(it)).collect();
        let whens = sections.map(|it| texts.decision(it)).collect();
        let sources = texts.finish(&mut info);
        if node.is_root() {
            info.container.has_tools = !tools.is_empty();
            info.container.allow = self.allow.clone().into();
        }
        let mut hints = std::mem::take(&mut self.hints);
        for hint in &mut hints {
            // Of a text of the node's own, or of one of its sections.
            let key = hint.section.rsplit('.').next().unwrap_or_default();
            let is_own = hint.section == node.path;
            hint.section = if is_own {
                "".into()
            } else {
                key.to_owned().into()
            };
        }
        info.hints = hints.into();
        Built {
            info,
            sources,
            lists,
            whens,
            tools,
            tree: Arc::clone(&self.tree),
        }
    }

    fn tools_of(&mut self, node: &DynamicNode) -> Vec<ToolSpec> {
        let mut tools = Vec::new();
        for given in node.keys.list("tools") {
            let (Some(name), spot) = (given.text(), node.spot("tools").at(given.span)) else {
                continue;
            };
            if name == OPEN_SECTIONS {
                let message = format!("a tool is named `{OPEN_SECTIONS}`, which is reserved");
                let (code, help) = (Code::ReservedToolName, "choose another name");
                self.faults.add(spot, code, message, help);
            } else if !self.offered.insert(name.to_owned()) {
                let message = format!("the tool `{name}` stands twice");
                let (code, help) = (Code::DuplicateTool, "keep one of the two");
                self.faults.add(spot, code, message, help);
            }
            let known = self.tree.tools.get(name).cloned();
            match known.map_or_else(|| ToolSpec::closed(name, ""), Ok) {
                Ok(tool) => tools.push(tool),
                Err(error) => {
                    let code = Code::InvalidValue;
                    self.faults.add(spot, code, error.to_string(), "");
                }
            }
        }
        tools
    }
}

/// The rules that a key of the root names.
fn codes(node: &DynamicNode, part: &'static str, faults: &mut Faults) -> Vec<Code> {
    let mut codes = Vec::new();
    for given in node.keys.list(part) {
        let Some(name) = given.text() else { continue };
        let is_meant = |code: Code| match part {
            "allow" => code.can_allow(),
            _ => code.is_lint() || code.can_deny(),
        };
        match book::rule(part, name, is_meant) {
            Ok(code) => codes.push(code),
            Err(problem) => faults.report(node.spot(part).at(given.span), problem),
        }
    }
    codes
}
