//! Which names of a function are worth watching.

use crate::item::{Kernel, ParamKind, bare};
use crate::rules::hygiene::unmarked;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fs;
use syn::visit::{self, Visit};
use syn::{Expr, ExprField, ExprReference, Local, Pat, PatIdent, Type};

/// What is to be watched.
#[derive(Default)]
pub(super) struct Watched {
    /// Names of variables to which a `let` has a reference.
    pub(super) borrowed: BTreeSet<String>,
    /// Names of structs and enums without `Copy`, which this function has by value.
    pub(super) owned: BTreeSet<String>,
}

impl Watched {
    /// What is to be watched in a function, if anything is.
    pub(super) fn of(kernel: &Kernel<'_>) -> Option<Self> {
        let mut search = Search::default();
        search.visit_block(&kernel.function.block);
        let Search { has_later, borrowed, with_fields, mut types, has_mark, .. } = search;
        if has_mark {
            return None;
        }
        for param in &kernel.params {
            if let ParamKind::Scalar(ty) = param.kind
                && let Some(name) = name_of(ty)
            {
                types.insert(name);
            }
        }
        let borrowed = borrowed.difference(&with_fields).cloned().collect();
        let watched = Self { borrowed, owned: without_copy(kernel, types) };
        (has_later || !watched.borrowed.is_empty() || !watched.owned.is_empty()).then_some(watched)
    }
}

/// A type's name, if it is one word that may be that of a struct.
pub(super) fn name_of(ty: &Type) -> Option<String> {
    let Type::Path(path) = bare(ty) else { return None };
    let name = path.path.get_ident()?.to_string();
    (path.qself.is_none() && name != "Self" && name.starts_with(char::is_uppercase)).then_some(name)
}

/// Those of the names that the file has as structs or enums that may lack `Copy`, without parameters. rustc knows whether the
/// type that the name means here has it.
fn without_copy(kernel: &Kernel<'_>, names: BTreeSet<String>) -> BTreeSet<String> {
    if names.is_empty() {
        return names;
    }
    let Some(file) = kernel.function.sig.fn_token.span.local_file() else { return BTreeSet::new() };
    let Ok(text) = fs::read_to_string(file) else { return BTreeSet::new() };
    names.into_iter().filter(|name| lacks_copy(&text, name)).collect()
}

/// Whether text defines one struct or enum of the name, without parameters and without `Copy`.
fn lacks_copy(text: &str, name: &str) -> bool {
    let mut definitions = text.match_indices(name).filter_map(|(place, _)| {
        let behind = &text[place + name.len()..];
        if behind.starts_with(|next: char| next.is_alphanumeric() || next == '_' || next == '<') {
            return None;
        }
        let before = text[..place].trim_end();
        before.strip_suffix("struct").or_else(|| before.strip_suffix("enum"))
    });
    let (Some(before), None) = (definitions.next(), definitions.next()) else { return false };
    let attributes = &before[before.rfind(['}', ';']).unwrap_or(0)..];
    attributes.contains("KernelData") && !attributes.contains("Copy") && !text.contains(&format!("Copy for {name}"))
}

#[derive(Default)]
struct Search {
    has_later: bool,
    borrowed: BTreeSet<String>,
    /// Names whose fields are named somewhere: two fields are two places, which one number cannot stand for.
    with_fields: BTreeSet<String>,
    types: BTreeSet<String>,
    /// Whether a macro of the body has bound names.
    has_mark: bool,
}

impl<'a> Visit<'a> for Search {
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_local(&mut self, local: &'a Local) {
        visit::visit_local(self, local);
        let (pattern, ty) = typed(&local.pat);
        self.types.extend(ty.and_then(name_of));
        match &local.init {
            None => self.has_later |= is_later(local),
            Some(init) => {
                if let (Pat::Ident(PatIdent { mutability: None, .. }), Expr::Reference(reference)) =
                    (pattern, super::places::inner(&init.expr))
                {
                    self.borrowed.extend(borrowed(reference));
                }
                if let Expr::Struct(literal) = super::places::inner(&init.expr) {
                    self.types.extend(literal.path.get_ident().map(ToString::to_string));
                }
            }
        }
    }

    fn visit_expr_field(&mut self, field: &'a ExprField) {
        visit::visit_expr_field(self, field);
        let mut base = super::places::inner(&field.base);
        loop {
            base = super::places::inner(match base {
                Expr::Field(inner) => &inner.base,
                Expr::Index(inner) => &inner.expr,
                Expr::Unary(inner) => &inner.expr,
                Expr::Path(path) => {
                    self.with_fields.extend(path.path.get_ident().map(ToString::to_string));
                    return;
                }
                _ => return,
            });
        }
    }

    fn visit_ident(&mut self, name: &'a Ident) {
        let name = name.to_string();
        self.has_mark |= unmarked(&name) != name;
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        // What is written there counts, too: as tokens, because each macro has its own syntax.
        let words = fields_in(call.tokens.to_token_stream());
        self.with_fields.extend(words);
        visit::visit_macro(self, call);
    }
}

/// The names in front of a `.` and a field.
fn fields_in(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = None;
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => found.extend(fields_in(group.stream())),
            proc_macro2::TokenTree::Ident(name) => {
                before = Some(name.to_string());
                continue;
            }
            proc_macro2::TokenTree::Punct(dot) if dot.as_char() == '.' => found.extend(before.take()),
            _ => {}
        }
        before = None;
    }
    found
}

/// The name of the variable that `&mut x[i]` borrows.
fn borrowed(reference: &ExprReference) -> Option<String> {
    super::places::root(&reference.expr).map(ToString::to_string)
}

/// A pattern and its type.
pub(super) fn typed(pattern: &Pat) -> (&Pat, Option<&Type>) {
    match pattern {
        Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
        Pat::Paren(paren) => typed(&paren.pat),
        pattern => (pattern, None),
    }
}

/// Whether a `let` without a value declares variables that are assigned later: memory has what it holds at once.
pub(super) fn is_later(local: &Local) -> bool {
    local.init.is_none() && local.attrs.is_empty() && !matches!(typed(&local.pat).1.map(bare), Some(Type::Array(_)))
}
