//! The values that attribute keys take. Each knows how to read itself and what to say when it cannot.

use crate::diagnostic::{Diagnostic, quoted_alternatives};
use proc_macro2::Span;
use prompt_syntax::Code;
use std::fmt::Display;
use syn::{
    Expr, ExprLit, ExprUnary, Lit, LitStr, Member, Meta, MetaList, Path, UnOp, WherePredicate,
    ext::IdentExt, punctuated::Punctuated, spanned::Spanned,
};

/// What the entry of a key says, or what is wrong with it.
pub(crate) trait Value: Sized {
    fn read(item: &Meta) -> Result<Self>;
}

type Result<T> = std::result::Result<T, Diagnostic>;

/// `key = "text"`: a text or template.
#[derive(Clone)]
pub(crate) struct Words(pub(crate) LitStr);

impl Words {
    /// The text, with LF line ends.
    pub(crate) fn value(&self) -> String {
        with_line_feeds(self.0.value())
    }

    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }
}

/// A text with LF line ends.
pub(crate) fn with_line_feeds(text: String) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    }
}

impl Value for Words {
    fn read(item: &Meta) -> Result<Self> {
        match literal(item) {
            Some(Lit::Str(text)) => Ok(Self(text)),
            _ => Err(wrong(
                item,
                "takes a string literal",
                format_args!("write `{} = \"..\"`", name(item)),
            )),
        }
    }
}

/// `key = expression`.
#[derive(Clone)]
pub(crate) struct Expression(pub(crate) Expr);

impl Value for Expression {
    fn read(item: &Meta) -> Result<Self> {
        let help = format!(
            "write `{} = self.field`, or any other expression",
            name(item)
        );
        expression(item)
            .cloned()
            .map(Self)
            .ok_or_else(|| wrong(item, "takes a Rust expression", help))
    }
}

/// `key`, `key = true`, `key = false`.
#[derive(Clone, Copy)]
pub(crate) struct Switch {
    /// Whether it is on.
    pub(crate) on: bool,
    /// Where it stands.
    pub(crate) span: Span,
}

impl Value for Switch {
    fn read(item: &Meta) -> Result<Self> {
        let span = item.path().span();
        match (item, literal(item)) {
            (Meta::Path(_), _) => Ok(Self { on: true, span }),
            (_, Some(Lit::Bool(value))) => Ok(Self {
                on: value.value,
                span,
            }),
            _ => {
                let help = format!("write `{0}`, `{0} = true` or `{0} = false`", name(item));
                Err(wrong(item, "is on or off", help))
            }
        }
    }
}

/// `level = 3`: a heading level.
#[derive(Clone, Copy)]
pub(crate) struct Level(pub(crate) u8);

impl Value for Level {
    fn read(item: &Meta) -> Result<Self> {
        let level = number(item)
            .filter(|level| (1..=6).contains(level))
            .and_then(|level| u8::try_from(level).ok());
        level
            .map(Self)
            .ok_or_else(|| wrong(item, "takes a heading level", "write a number from 1 to 6"))
    }
}

/// `gap = 0`: blank lines.
#[derive(Clone, Copy)]
pub(crate) struct Gap(pub(crate) u8);

impl Value for Gap {
    fn read(item: &Meta) -> Result<Self> {
        let lines = number(item).and_then(|lines| u8::try_from(lines).ok());
        let wrong = || wrong(item, "takes a number of blank lines", "write 0, 1 or 2");
        lines
            .filter(|lines| *lines <= 2)
            .map(Self)
            .ok_or_else(wrong)
    }
}

/// `indent = 2`: columns.
#[derive(Clone, Copy)]
pub(crate) struct Columns(pub(crate) u8);

impl Value for Columns {
    fn read(item: &Meta) -> Result<Self> {
        let columns = number(item).and_then(|columns| u8::try_from(columns).ok());
        let wrong = || wrong(item, "takes a number", "write a number from 0 to 255");
        columns.map(Self).ok_or_else(wrong)
    }
}

/// `hang`, `hang = 4`: where continuation lines stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hang {
    /// Where the value puts them.
    Off,
    /// In the column of the first line.
    First,
    /// In this column.
    Column(u16),
}

impl Value for Hang {
    fn read(item: &Meta) -> Result<Self> {
        let column = number(item).and_then(|column| u16::try_from(column).ok());
        match (item, literal(item), column) {
            (Meta::Path(_), ..) => Ok(Self::First),
            (_, Some(Lit::Bool(on)), _) => Ok(if on.value { Self::First } else { Self::Off }),
            (_, _, Some(column)) => Ok(Self::Column(column)),
            _ => Err(wrong(
                item,
                "takes a column, or no value",
                "write `hang` for the column of the first line, or `hang = 4`",
            )),
        }
    }
}

/// `cache`, `cache = 3600`: seconds, 0 for the provider's default.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) u32);

impl Value for Seconds {
    fn read(item: &Meta) -> Result<Self> {
        if matches!(item, Meta::Path(_)) {
            return Ok(Self(0));
        }
        let seconds = number(item)
            .filter(|seconds| *seconds > 0)
            .and_then(|seconds| u32::try_from(seconds).ok());
        let help = "write `cache`, or `cache = 3600`";
        seconds
            .map(Self)
            .ok_or_else(|| wrong(item, "takes a number of seconds, or no value", help))
    }
}

/// `priority`.
#[derive(Clone)]
pub(crate) enum Priority {
    /// `"required"`.
    Required,
    /// A literal number.
    Level(i32),
    /// Anything that is computed.
    Computed(Box<Expr>),
}

impl Value for Priority {
    fn read(item: &Meta) -> Result<Self> {
        let help = "write a number, `\"required\"`, or an expression that gives an `i32`";
        let wrong = || wrong(item, "takes a priority", help);
        if let Some(level) = number(item) {
            return i32::try_from(level).map(Self::Level).map_err(|_| wrong());
        }
        match (literal(item), expression(item)) {
            (Some(Lit::Str(text)), _) if text.value() == "required" => Ok(Self::Required),
            (None, Some(expr)) => Ok(Self::Computed(Box::new(expr.clone()))),
            _ => Err(wrong()),
        }
    }
}

/// `visibility`.
#[derive(Clone)]
pub(crate) enum Visibility {
    /// `"full"`.
    Full,
    /// `"summary"`, and where the key stands.
    Summary(Span),
    /// Anything that is computed.
    Computed(Box<Expr>),
}

impl Value for Visibility {
    fn read(item: &Meta) -> Result<Self> {
        let summary = Self::Summary(item.path().span());
        match (literal(item), expression(item)) {
            (None, Some(expr)) => Ok(Self::Computed(Box::new(expr.clone()))),
            _ => choice(item, &[("full", Self::Full), ("summary", summary)]),
        }
    }
}

/// `role`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
}

impl Value for Role {
    fn read(item: &Meta) -> Result<Self> {
        choice(
            item,
            &[
                ("system", Self::System),
                ("user", Self::User),
                ("assistant", Self::Assistant),
            ],
        )
    }
}

/// `guard`: what happens to tags in values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guarding {
    Escaped,
    Cdata,
    Strict,
}

impl Value for Guarding {
    fn read(item: &Meta) -> Result<Self> {
        choice(
            item,
            &[
                ("escaped", Self::Escaped),
                ("cdata", Self::Cdata),
                ("strict", Self::Strict),
            ],
        )
    }
}

/// `numbering`, `numbering = "decimal"`, `numbering = "none"`.
#[derive(Clone, Copy)]
pub(crate) struct Numbering(pub(crate) bool);

impl Value for Numbering {
    fn read(item: &Meta) -> Result<Self> {
        match item {
            Meta::Path(_) => Ok(Self(true)),
            _ => choice(item, &[("decimal", Self(true)), ("none", Self(false))]),
        }
    }
}

/// `json`, `json = "pretty"`, `json = 4`.
#[derive(Clone, Copy)]
pub(crate) enum Json {
    /// On one line.
    Compact,
    /// Indented by two columns.
    Pretty,
    /// Indented by this many columns.
    Indented(u8),
}

impl Value for Json {
    fn read(item: &Meta) -> Result<Self> {
        match (item, number(item)) {
            (Meta::Path(_), _) => Ok(Self::Compact),
            (_, Some(columns)) => u8::try_from(columns).map(Self::Indented).map_err(|_| {
                let help = "write a number of columns from 0 to 255, or \"pretty\"";
                wrong(item, "takes an indentation", help)
            }),
            _ => choice(item, &[("pretty", Self::Pretty)]),
        }
    }
}

/// `bound = "T: Display"`: the `where` clause instead of the one that is inferred.
#[derive(Clone)]
pub(crate) struct Bound(pub(crate) Vec<WherePredicate>);

impl Value for Bound {
    fn read(item: &Meta) -> Result<Self> {
        let text = Words::read(item)?;
        let parser = Punctuated::<WherePredicate, syn::Token![,]>::parse_terminated;
        let bounds = text.0.parse_with(parser);
        bounds
            .map(|bounds| Self(bounds.into_iter().collect()))
            .map_err(|_| {
                let help = "write `bound = \"T: Display, U: PromptNode\"`";
                wrong(item, "takes the bounds of a `where` clause", help)
            })
    }
}

/// `with = path`, `crate = path`.
#[derive(Clone)]
pub(crate) struct PathValue(pub(crate) Path);

impl Value for PathValue {
    fn read(item: &Meta) -> Result<Self> {
        match expression(item) {
            Some(Expr::Path(path)) if path.qself.is_none() => Ok(Self(path.path.clone())),
            _ => Err(wrong(
                item,
                "takes a path",
                format_args!("write `{} = module::name`, without quotes", name(item)),
            )),
        }
    }
}

/// `item_key = name`: a field of the item, or a field of that.
#[derive(Clone)]
pub(crate) struct ItemField {
    /// The names, outermost first.
    pub(crate) path: Vec<Member>,
    /// Where it stands.
    pub(crate) span: Span,
}

impl Value for ItemField {
    fn read(item: &Meta) -> Result<Self> {
        let wrong = || {
            wrong(
                item,
                "takes the name of a field of the item",
                "write `item_key = name`, without quotes",
            )
        };
        let expr = expression(item).ok_or_else(wrong)?;
        let mut path = Vec::new();
        collect_members(expr, &mut path).ok_or_else(wrong)?;
        Ok(Self {
            path,
            span: expr.span(),
        })
    }
}

fn collect_members(expr: &Expr, path: &mut Vec<Member>) -> Option<()> {
    match expr {
        Expr::Path(name) => path.push(Member::Named(name.path.get_ident()?.clone())),
        Expr::Lit(ExprLit {
            lit: Lit::Int(index),
            ..
        }) => {
            let index = syn::Index {
                index: index.base10_parse().ok()?,
                span: index.span(),
            };
            path.push(Member::Unnamed(index));
        }
        Expr::Field(field) => {
            collect_members(&field.base, path)?;
            path.push(field.member.clone());
        }
        _ => return None,
    }
    Some(())
}

/// `vars(..)`, `attr(..)`, `allow(..)`, `deny(..)`: a list whose entries are looked at by themselves.
#[derive(Clone)]
pub(crate) struct Entries(pub(crate) MetaList);

impl Value for Entries {
    fn read(item: &Meta) -> Result<Self> {
        if let Meta::List(list) = item {
            return Ok(Self(list.clone()));
        }
        let help = format!("write `{}(..)`", name(item));
        Err(wrong(item, "takes a list in parentheses", help))
    }
}

/// `categories = ["..", ..]`: several texts.
#[derive(Clone)]
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl Value for Texts {
    fn read(item: &Meta) -> Result<Self> {
        let wrong = |item| {
            let help = format!("write `{} = [\"..\", \"..\"]`", name(item));
            wrong(item, "takes a list of texts", help)
        };
        let Some(Expr::Array(array)) = expression(item) else {
            return Err(wrong(item));
        };
        let text = |expr: &Expr| match ungrouped(expr) {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Ok(text.clone()),
            other => Err(error(other.span(), "this is no text", "put it in quotes")),
        };
        array
            .elems
            .iter()
            .map(text)
            .collect::<Result<_>>()
            .map(Self)
    }
}

/// One of a few words.
fn choice<T: Clone>(item: &Meta, words: &[(&str, T)]) -> Result<T> {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let allowed = quoted_alternatives(&names);
    let Some(Lit::Str(text)) = literal(item) else {
        return Err(wrong(
            item,
            "has a value that it cannot have",
            format_args!("write {allowed}"),
        ));
    };
    let value = text.value();
    if let Some((_, chosen)) = words.iter().find(|(word, _)| *word == value) {
        return Ok(chosen.clone());
    }
    let help = match prompt_syntax::nearest(&value, names.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"? It can be {allowed}"),
        None => format!("it can be {allowed}"),
    };
    Err(error(
        text.span(),
        format_args!("`{}` cannot be \"{value}\"", name(item)),
        help,
    ))
}

fn expression(item: &Meta) -> Option<&Expr> {
    let Meta::NameValue(pair) = item else {
        return None;
    };
    Some(ungrouped(&pair.value))
}

/// The expression inside the invisible delimiters that `macro_rules!` puts around a fragment.
pub(crate) fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        expr => expr,
    }
}

fn literal(item: &Meta) -> Option<Lit> {
    match expression(item)? {
        Expr::Lit(literal) => Some(literal.lit.clone()),
        _ => None,
    }
}

/// A literal number, negative ones too.
fn number(item: &Meta) -> Option<i64> {
    let (sign, expr) = match expression(item)? {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => (-1, &**expr),
        expr => (1, expr),
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Int(digits),
        ..
    }) = expr
    else {
        return None;
    };
    digits
        .base10_parse::<i64>()
        .ok()
        .map(|number| sign * number)
}

/// The key as written.
fn name(item: &Meta) -> String {
    item.path()
        .segments
        .last()
        .map(|segment| segment.ident.unraw().to_string())
        .unwrap_or_default()
}

/// The value is wrong; without a value the key is.
fn wrong(item: &Meta, takes: &str, help: impl Display) -> Diagnostic {
    let span = expression(item).map_or_else(|| item.path().span(), Spanned::span);
    error(span, format_args!("`{}` {takes}", name(item)), help)
}

fn error(span: Span, fact: impl Display, help: impl Display) -> Diagnostic {
    Diagnostic::new(Code::InvalidValue, span, fact, help)
}
