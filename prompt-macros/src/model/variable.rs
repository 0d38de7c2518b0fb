//! What a variable prints, and how.

use super::{kind::Kind, text::Texts};
use crate::{
    diagnostic::{Diagnostic, Errors},
    input::{Field, docs::Source, field::VarKeys, value::Words},
};
use proc_macro2::Span;
use prompt_syntax::Code;
use syn::{Expr, Ident, Member, Path, Type, spanned::Spanned};

/// A variable of a node: an entry of its table, and an arm that writes it.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// What stands between the braces.
    pub(crate) source: String,
    /// The list section whose items it is about; 0 for none, else its index plus one.
    pub(crate) scope: usize,
    /// The field's documentation.
    pub(crate) description: Option<String>,
    /// Not guarded.
    pub(crate) raw: bool,
    /// Defused.
    pub(crate) untrusted: bool,
    /// Indented like its first line.
    pub(crate) hang: bool,
    /// What is printed.
    pub(crate) operand: Operand,
    /// How.
    pub(crate) print: Print,
    /// The kind of a field that is printed without more ado.
    pub(crate) bare: Option<Kind>,
    /// The type of the field.
    pub(crate) ty: Option<Type>,
    /// The field, or the expression.
    pub(crate) span: Span,
}

/// Something that can be borrowed.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// A field of the node, or a field of that.
    Field {
        member: Member,
        path: Vec<Member>,
        span: Span,
    },
    /// An expression of the user, or a field of what it gives.
    Expression(Box<Expr>, Vec<Member>),
    /// The item of a list, or a field of it.
    Item(Vec<Member>, Span),
    /// The number of the item.
    Index,
}

/// How something is printed.
#[derive(Clone, Debug)]
pub(crate) enum Print {
    /// `Display`.
    Display,
    /// `Display` and others, with a format spec; the span of the text that has it.
    Spec(String, Span),
    /// JSON.
    Json { pretty: bool },
    /// What a function returns.
    With(Path),
    /// One of two texts.
    Choice { yes: String, no: String },
    /// A present value between two texts, or another text.
    Option {
        before: String,
        after: String,
        default: String,
        inner: Box<Print>,
    },
    /// Another text for an empty list.
    Default { default: String, inner: Box<Print> },
    /// Item by item.
    List {
        join: String,
        last: String,
        empty: String,
        item: Vec<Piece>,
    },
    /// Something about the item that the output asks for.
    Item(Vec<Piece>),
    /// The value of an attribute.
    Attribute,
}

/// A piece of an item template.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// As it stands.
    Literal(String),
    /// Something printed.
    Value(Operand, Print),
}

impl Operand {
    /// An expression of the user.
    pub(crate) fn expression(expr: &Expr, path: Vec<Member>) -> Self {
        Self::Expression(Box::new(borrowable(expr)), path)
    }

    /// A field.
    pub(crate) fn field(field: &Field) -> Self {
        Self::Field {
            member: field.member.clone(),
            path: Vec::new(),
            span: field.span,
        }
    }
}

/// The expression as the operand of `&`: in parentheses where it binds more loosely.
pub(crate) fn borrowable(expr: &Expr) -> Expr {
    let tight = matches!(
        expr,
        Expr::Array(_)
            | Expr::Block(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Group(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Reference(_)
            | Expr::Tuple(_)
            | Expr::Unary(_)
    );
    if tight {
        return expr.clone();
    }
    let paren = syn::token::Paren(Span::call_site().located_at(expr.span()));
    Expr::Paren(syn::ExprParen {
        attrs: Vec::new(),
        paren_token: paren,
        expr: Box::new(expr.clone()),
    })
}

/// How a field prints: what its `#[var(..)]` says, with the spec of the text that prints it.
pub(crate) fn print(
    field: &Field,
    keys: &VarKeys,
    spec: Option<Print>,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Print {
    if let Some(path) = &keys.with {
        return Print::With(path.0.clone());
    }
    let plain = spec.unwrap_or(Print::Display);
    if keys.item.is_some() || keys.join.is_some() || keys.last.is_some() {
        return list(ListKeys::of(keys), (plain, field.span), texts, errors);
    }
    if keys.yes.is_some() || keys.no.is_some() {
        return Print::Choice {
            yes: words(keys.yes.as_ref()),
            no: words(keys.no.as_ref()),
        };
    }
    let inner = match (keys.json, keys.debug) {
        (Some(json), _) => Print::Json {
            pretty: json.pretty,
        },
        (None, Some(debug)) if debug.on => Print::Spec("?".to_owned(), debug.span),
        _ => plain,
    };
    let default = words(keys.default.as_ref());
    let inner = Box::new(inner);
    match (&keys.some, &keys.default, Kind::of(&field.ty)) {
        (None, None, _) => *inner,
        (None, Some(_), Kind::List { .. }) => Print::Default { default, inner },
        (some, _, _) => {
            let (before, after) = some
                .as_ref()
                .map_or_else(Default::default, |some| around(some, errors));
            Print::Option {
                before,
                after,
                default,
                inner,
            }
        }
    }
}

/// The keys that lists share, as variables and as sections.
#[derive(Clone, Copy)]
pub(crate) struct ListKeys<'a> {
    pub(crate) item: Option<&'a Words>,
    pub(crate) join: Option<&'a Words>,
    pub(crate) last: Option<&'a Words>,
    pub(crate) empty: Option<&'a Words>,
}

impl<'a> ListKeys<'a> {
    fn of(keys: &'a VarKeys) -> Self {
        Self {
            item: keys.item.as_ref(),
            join: keys.join.as_ref(),
            last: keys.last.as_ref(),
            empty: keys.default.as_ref(),
        }
    }
}

/// A list: items as their template says, or plain.
pub(crate) fn list(
    keys: ListKeys<'_>,
    (plain, span): (Print, Span),
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Print {
    let item = match keys.item {
        Some(template) => texts.item(&Source::verbatim(&template.0), errors),
        None => vec![Piece::Value(Operand::Item(Vec::new(), span), plain)],
    };
    let join = keys.join.map_or_else(|| "\n".to_owned(), Words::value);
    let last = keys.last.map_or_else(|| join.clone(), Words::value);
    Print::List {
        join,
        last,
        empty: words(keys.empty),
        item,
    }
}

fn words(words: Option<&Words>) -> String {
    words.map(Words::value).unwrap_or_default()
}

/// What stands before and after the `{}` of `some`.
fn around(some: &Words, errors: &mut Errors) -> (String, String) {
    let text = some.value();
    let parts: Vec<&str> = text.split("{}").collect();
    if let [before, after] = parts.as_slice() {
        return ((*before).to_owned(), (*after).to_owned());
    }
    let fact = "`some` shows the value once, as `{}`";
    let help = "write `some = \" in the {} register\"`; for a text that does not show it, use a line guard `{?name}`";
    errors.push(Diagnostic::new(Code::InvalidValue, some.span(), fact, help).into());
    Default::default()
}

/// The fields of a path in a text: `item.name`, `item.0`.
pub(crate) fn members(path: &[String], span: Span) -> Option<Vec<Member>> {
    path.iter().map(|name| member(name, span)).collect()
}

fn member(name: &str, span: Span) -> Option<Member> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        let index = name.parse().ok()?;
        return Some(Member::Unnamed(syn::Index { index, span }));
    }
    let raw = || syn::parse_str::<Ident>(&format!("r#{name}"));
    let mut ident = syn::parse_str::<Ident>(name).or_else(|_| raw()).ok()?;
    // A place in generated code: the compiler must not offer to replace the whole literal by a better name.
    ident.set_span(Span::call_site().located_at(span));
    Some(Member::Named(ident))
}
