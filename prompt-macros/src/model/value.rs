//! What texts may name, what a name prints, and how.

use super::{
    form::{Base, Operand, Read},
    kind::Kind,
    uses::Asked,
};
use crate::input::{
    Body, Field, FieldRole,
    named::Named,
    value::{Switch, Words, ungrouped},
    var::VarKeys,
};
use proc_macro2::Span;
use prompt_syntax::info::{Cut, ValueTreatment};
use std::collections::BTreeMap;
use syn::{Expr, Ident, Member, Type, ext::IdentExt, spanned::Spanned};

impl Operand {
    /// A base, as it stands.
    pub(crate) fn new(base: Base, span: Span) -> Self {
        Self {
            base,
            path: Vec::new(),
            reads: vec![Read::Plain],
            span,
        }
    }

    /// An expression of the user.
    pub(crate) fn expression(expr: &Expr) -> Self {
        let expr = borrowable(expr);
        let span = expr.span();
        Self::new(Base::Expression(Box::new(expr)), span)
    }

    /// A field.
    pub(crate) fn field(field: &Field) -> Self {
        Self::new(Base::Field(field.member.clone()), field.span)
    }

    /// The item of the list of a section, or a field of it.
    pub(crate) fn item(of: u16, path: Vec<Member>, span: Span) -> Self {
        let alias = "item".to_owned();
        Self {
            reads: vec![Read::Plain; path.len() + 1],
            path,
            ..Self::new(Base::LoopItem { of, alias }, span)
        }
    }

    /// What an entry of the table stands for, which that knows.
    pub(crate) fn entry() -> Self {
        Self::new(Base::Entry, Span::call_site())
    }

    /// Reads what is in it where conditions say that these beginnings of its path are there; whether the whole is read so,
    /// which is done if `whole` says that it may be an `Option`. A type that may be one under another name is taken for one
    /// only where a condition asks just that.
    pub(crate) fn ask(&mut self, asked: &Asked, whole: bool) -> bool {
        let end = self.path.len();
        for (count, read) in self.reads.iter_mut().enumerate() {
            let may_be_option = match *read {
                _ if count == end => whole && asked.is_named(count),
                Read::Certain | Read::Asked => false,
                Read::Maybe | Read::Unasked => asked.has(count),
                Read::Plain => asked.is_named(count),
            };
            if may_be_option {
                *read = Read::Asked;
            }
        }
        whole && asked.is_named(end)
    }
}

/// The expression as the operand of `&` or of a field: in parentheses where it binds more loosely. The invisible
/// delimiters of a `macro_rules!` fragment do not count.
pub(crate) fn borrowable(expr: &Expr) -> Expr {
    let expr = ungrouped(expr);
    let tight = matches!(
        expr,
        Expr::Array(_)
            | Expr::Block(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Tuple(_)
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

/// Whether a switch is on.
pub(crate) fn on(switch: Option<Switch>) -> bool {
    switch.is_some_and(|switch| switch.on)
}

/// Something that texts may name: a field, or an entry of `vars`.
#[derive(Clone)]
pub(crate) struct Known<'a> {
    pub(crate) name: String,
    pub(crate) operand: Operand,
    pub(crate) keys: &'a VarKeys,
    pub(crate) kind: Kind,
    pub(crate) ty: Option<&'a Type>,
    pub(crate) description: Option<String>,
    pub(crate) span: Span,
    pub(crate) is_var: bool,
}

/// What the texts of a node may name, in declaration order.
pub(crate) struct Names<'a> {
    list: Vec<Known<'a>>,
    indices: BTreeMap<String, usize>,
}

impl<'a> Names<'a> {
    /// The fields and `vars` of a struct or variant. An entry with the name of a field stands for it.
    pub(crate) fn of(body: &'a Body) -> Self {
        let fields = body.fields.iter().filter_map(Known::field);
        let mut list: Vec<Known<'a>> = fields.collect();
        let vars = body
            .container
            .vars
            .iter()
            .map(|named| Known::var(named, &list))
            .collect::<Vec<_>>();
        list.extend(vars);
        let names = list.iter().enumerate();
        let indices = names.map(|(index, known)| (known.name.clone(), index));
        let indices = indices.collect();
        Self { list, indices }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Known<'a>> {
        self.list.iter()
    }

    /// What a name stands for.
    pub(crate) fn get(&self, name: &str) -> Option<&Known<'a>> {
        self.list.get(*self.indices.get(name)?)
    }
}

impl<'a> Known<'a> {
    fn field(field: &'a Field) -> Option<Self> {
        let FieldRole::Variable(keys) = &field.role else {
            return None;
        };
        Some(Self {
            name: field.name.clone()?,
            operand: Operand::field(field),
            keys,
            kind: Kind::of(&field.ty),
            ty: Some(&field.ty),
            description: field.docs.text(),
            span: field.span,
            is_var: false,
        })
    }

    /// An entry of `vars`. One that is a field has that field's kind, and one of its name its documentation.
    fn var(named: &'a Named, fields: &[Self]) -> Self {
        let operand = match &named.expr {
            Some(expr) => Operand::expression(expr),
            None => Operand::entry(),
        };
        let field = named.expr.as_ref().and_then(|expr| field_of_self(expr));
        let field = field.and_then(|name| fields.iter().find(|known| *name == known.name));
        let name = named.name.unraw().to_string();
        let hidden = fields.iter().find(|known| known.name == name);
        Self {
            name,
            operand,
            keys: &named.keys,
            kind: field.map_or(Kind::Other, |field| field.kind),
            ty: field.and_then(|field| field.ty),
            description: hidden.and_then(|field| field.description.clone()),
            span: named.name.span(),
            is_var: true,
        }
    }

    /// Whether its order changes from run to run.
    pub(crate) fn is_hashed(&self) -> bool {
        self.ty.map(Kind::of_list) == Some(Kind::Hashed)
    }

    /// How it is treated.
    pub(crate) fn treatment(&self) -> ValueTreatment {
        let keys = self.keys;
        ValueTreatment {
            raw: on(keys.raw),
            untrusted: on(keys.untrusted),
            hang: keys.hang.map(|hang| hang.0).unwrap_or_default(),
        }
    }

    /// What is left of what it prints.
    pub(crate) fn cut(&self) -> Cut {
        let keys = self.keys;
        Cut {
            trim: on(keys.trim),
            max: keys.max.map(|max| max.0),
            more: keys
                .more
                .as_ref()
                .map_or_else(Default::default, |more| more.value().into()),
        }
    }

    /// The templates that say how it prints.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &'a Words> {
        let keys = self.keys;
        let all = [&keys.default, &keys.some, &keys.yes, &keys.no, &keys.item];
        all.into_iter().flatten()
    }
}

/// `name` of `self.name` and `&self.name`.
fn field_of_self(expr: &Expr) -> Option<&Ident> {
    match ungrouped(expr) {
        Expr::Reference(reference) => field_of_self(&reference.expr),
        Expr::Field(field) => match (&*field.base, &field.member) {
            (Expr::Path(base), Member::Named(name)) if base.path.is_ident("self") => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The fields of a path in a text: `item.name`, `item.0`.
pub(crate) fn members(path: &[String], span: Span) -> Vec<Member> {
    path.iter().filter_map(|name| member(name, span)).collect()
}

fn member(name: &str, span: Span) -> Option<Member> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        let index = name.parse().ok()?;
        return Some(Member::Unnamed(syn::Index { index, span }));
    }
    let mut ident = ident(name)?;
    // A place in generated code: the compiler must not offer to replace the whole literal by a better name.
    ident.set_span(Span::call_site().located_at(span));
    Some(Member::Named(ident))
}

/// A name of a text, as Rust writes it.
pub(crate) fn ident(name: &str) -> Option<Ident> {
    let raw = |_| syn::parse_str(&format!("r#{name}"));
    syn::parse_str(name).or_else(raw).ok()
}
