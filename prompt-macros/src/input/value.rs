//! The values that attribute keys take, as `darling` reads them. What is said of a value that is none of them stands in the
//! book of keys: here only the place of the mistake is found.

use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use prompt_syntax::{info, lower::with_line_feeds};
use syn::{
    Expr, ExprLit, ExprUnary, Lit, LitInt, LitStr, Member, Meta, MetaList, Path, UnOp,
    spanned::Spanned,
};

/// `key = "text"`: a text or template.
#[derive(Clone, FromMeta)]
pub(crate) struct Words(pub(crate) LitStr);

impl Words {
    /// The text, with LF line ends.
    pub(crate) fn value(&self) -> String {
        with_line_feeds(&self.0.value())
    }

    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }

    /// As the user wrote it, or made from something that stands there.
    pub(crate) fn made(text: &str, span: Span) -> Self {
        Self(LitStr::new(text, span))
    }
}

impl PartialEq for Words {
    /// Equal texts, however they are written.
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

/// `key = expression`.
#[derive(Clone)]
pub(crate) struct Expression(pub(crate) Expr);

impl FromMeta for Expression {
    fn from_expr(expr: &Expr) -> Result<Self> {
        Ok(Self(ungrouped(expr).clone()))
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

impl FromMeta for Switch {
    fn from_meta(item: &Meta) -> Result<Self> {
        let span = item.path().span();
        let on = match item {
            Meta::Path(_) => true,
            Meta::NameValue(pair) => match literal(&pair.value) {
                Some(Lit::Bool(on)) => on.value,
                _ => return Err(Error::unexpected_expr_type(&pair.value)),
            },
            Meta::List(list) => return Err(Error::unsupported_format("list").with_span(&list.path)),
        };
        Ok(Self { on, span })
    }
}

/// A literal number between these.
#[derive(Clone, Copy)]
pub(crate) struct Number<T, const LEAST: i64, const MOST: i64>(pub(crate) T);

/// `level = 3`: a heading level.
pub(crate) type Level = Number<u8, 1, 6>;
/// `gap = 0`: blank lines.
pub(crate) type Gap = Number<u8, 0, 9>;
/// `indent = 2`: columns.
pub(crate) type Columns = Number<u8, 0, 255>;
/// `max = 300`: characters.
pub(crate) type Characters = Number<usize, 1, 65_535>;

impl<T: TryFrom<i64>, const LEAST: i64, const MOST: i64> FromMeta for Number<T, LEAST, MOST> {
    fn from_expr(expr: &Expr) -> Result<Self> {
        let value =
            digits(expr).and_then(|(digits, sign)| Some(sign * digits.base10_parse::<i64>().ok()?));
        let value = value.filter(|value| (LEAST..=MOST).contains(value));
        let value = value.and_then(|value| value.try_into().ok());
        let wrong = || Error::custom("out of range").with_span(expr);
        value.map(Self).ok_or_else(wrong)
    }
}

/// `hang`, `hang = 4`: where continuation lines stand.
#[derive(Clone, Copy)]
pub(crate) struct Hang(pub(crate) info::Hang);

impl FromMeta for Hang {
    fn from_word() -> Result<Self> {
        Ok(Self(info::Hang::First))
    }

    fn from_expr(expr: &Expr) -> Result<Self> {
        match literal(expr) {
            Some(Lit::Bool(on)) if on.value => Self::from_word(),
            Some(Lit::Bool(_)) => Ok(Self(info::Hang::None)),
            _ => Number::<_, 0, 65_535>::from_expr(expr)
                .map(|column| Self(info::Hang::Column(column.0))),
        }
    }
}

/// `cache`, `cache = 3600`: seconds, 0 for the provider's default.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) u32);

impl FromMeta for Seconds {
    fn from_word() -> Result<Self> {
        Ok(Self(0))
    }

    fn from_expr(expr: &Expr) -> Result<Self> {
        Number::<_, 1, 4_294_967_295>::from_expr(expr).map(|seconds| Self(seconds.0))
    }
}

/// `priority`.
#[derive(Clone)]
pub(crate) enum Priority {
    /// `"required"`, or a literal number.
    Known(info::Priority),
    /// Anything that is computed.
    Computed(Box<Expr>),
}

impl FromMeta for Priority {
    fn from_expr(expr: &Expr) -> Result<Self> {
        match (digits(expr), literal(expr)) {
            (Some(_), _) => Number::<_, -2_147_483_648, 2_147_483_647>::from_expr(expr)
                .map(|level| Self::Known(info::Priority::Level(level.0))),
            (None, Some(Lit::Str(text))) if text.value() == "required" => {
                Ok(Self::Known(info::Priority::Required))
            }
            (None, Some(other)) => Err(Error::unexpected_lit_type(other)),
            (None, None) => Ok(Self::Computed(Box::new(ungrouped(expr).clone()))),
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

impl FromMeta for Visibility {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::NameValue(pair) = item
            && literal(&pair.value).is_none()
        {
            return Ok(Self::Computed(Box::new(ungrouped(&pair.value).clone())));
        }
        match Shown::from_meta(item)? {
            Shown::Full => Ok(Self::Full),
            Shown::Summary => Ok(Self::Summary(item.path().span())),
        }
    }
}

/// The words of [`Visibility`].
#[derive(FromMeta)]
enum Shown {
    Full,
    Summary,
}

/// `role`.
#[derive(Clone, Copy, Debug, FromMeta)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
}

/// `guard`: what happens to tags in values.
#[derive(Clone, Copy, Debug, FromMeta)]
pub(crate) enum Guarding {
    Escaped,
    Strict,
}

/// `numbering`, `numbering = "decimal"`, `numbering = "none"`.
#[derive(Clone, Copy)]
pub(crate) struct Numbering(pub(crate) bool);

impl FromMeta for Numbering {
    fn from_word() -> Result<Self> {
        Ok(Self(true))
    }

    fn from_string(word: &str) -> Result<Self> {
        match word {
            "decimal" => Ok(Self(true)),
            "none" => Ok(Self(false)),
            _ => Err(Error::unknown_value(word)),
        }
    }
}

/// `json`, `json = "pretty"`, `json = 4`: on one line, or indented by so many columns.
#[derive(Clone, Copy)]
pub(crate) struct Json(pub(crate) Option<u8>);

impl FromMeta for Json {
    fn from_word() -> Result<Self> {
        Ok(Self(None))
    }

    fn from_expr(expr: &Expr) -> Result<Self> {
        match literal(expr) {
            Some(Lit::Str(word)) if word.value() == "pretty" => Ok(Self(Some(2))),
            _ => Columns::from_expr(expr).map(|columns| Self(Some(columns.0))),
        }
    }
}

/// `with = path`, `crate = path`.
#[derive(Clone)]
pub(crate) struct PathValue(pub(crate) Path);

impl FromMeta for PathValue {
    fn from_expr(expr: &Expr) -> Result<Self> {
        match ungrouped(expr) {
            Expr::Path(path) if path.qself.is_none() => Ok(Self(path.path.clone())),
            other => Err(Error::unexpected_expr_type(other)),
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

impl FromMeta for ItemField {
    fn from_expr(expr: &Expr) -> Result<Self> {
        let expr = ungrouped(expr);
        let mut path = Vec::new();
        collect_members(expr, &mut path).ok_or_else(|| Error::unexpected_expr_type(expr))?;
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
pub(crate) struct List(pub(crate) MetaList);

impl FromMeta for List {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::List(list) => Ok(Self(list.clone())),
            Meta::NameValue(pair) => Err(Error::unsupported_format("value").with_span(&pair.value)),
            Meta::Path(path) => Err(Error::unsupported_format("word").with_span(path)),
        }
    }
}

/// `categories = ["..", ..]`: several texts.
#[derive(Clone)]
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl FromMeta for Texts {
    fn from_expr(expr: &Expr) -> Result<Self> {
        match ungrouped(expr) {
            Expr::Array(array) => {
                let texts = array.elems.iter().map(LitStr::from_expr);
                texts.collect::<Result<_>>().map(Self)
            }
            other => Err(Error::unexpected_expr_type(other)),
        }
    }
}

/// The expression inside the invisible delimiters that `macro_rules!` puts around a fragment.
pub(crate) fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        expr => expr,
    }
}

/// The literal that an expression is.
pub(super) fn literal(expr: &Expr) -> Option<&Lit> {
    match ungrouped(expr) {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    }
}

/// The digits of a literal number, and whether it is negative.
fn digits(expr: &Expr) -> Option<(&LitInt, i64)> {
    match ungrouped(expr) {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => digits(expr).map(|(digits, sign)| (digits, -sign)),
        expr => match literal(expr)? {
            Lit::Int(digits) => Some((digits, 1)),
            _ => None,
        },
    }
}
