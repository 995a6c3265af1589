//! Names that a macro binds, which the code around it does not see.
//!
//! Each name that a rule writes itself gets a mark of its expansion. Then those that a pattern binds keep it, so that no other
//! name is the same; all others lose it again, and mean what stands around the definition.

use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{FieldPat, FieldValue, Item, Member, PatIdent};

const MARK: &str = "_of_macro_";

/// The name with the mark of an expansion. Names that begin with a capital are no variables, and keywords no names.
pub(super) fn marked(name: &Ident, expansion: usize) -> Ident {
    let text = name.to_string();
    let is_variable = text.starts_with(|first: char| first.is_lowercase() || first == '_') && text != "_";
    let is_word = text == "macro_rules" || text.starts_with("r#") || syn::parse_str::<Ident>(&text).is_err();
    if !is_variable || is_word || text.contains(MARK) {
        return name.clone();
    }
    Ident::new(&format!("{text}{MARK}{expansion}"), name.span())
}

/// A text with the mark behind the names in braces, as `println!` has them.
pub(super) fn marked_text(literal: &Literal, expansion: usize) -> Literal {
    let text = literal.to_string();
    if !text.starts_with('"') || !text.contains('{') {
        return literal.clone();
    }
    let mut result = String::new();
    let mut rest = text.as_str();
    while let Some(brace) = rest.find('{') {
        let (before, behind) = rest.split_at(brace + 1);
        result.push_str(before);
        let length = behind.find(|next: char| !(next.is_alphanumeric() || next == '_')).unwrap_or(behind.len());
        let (name, others) = behind.split_at(length);
        result.push_str(name);
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        if is_name && others.starts_with(['}', ':']) && !before.ends_with("{{") {
            result.push_str(&format!("{MARK}{expansion}"));
        }
        rest = others;
    }
    result.push_str(rest);
    let parsed: Result<Literal, _> = result.parse();
    parsed.map_or_else(
        |_| literal.clone(),
        |mut marked| {
            marked.set_span(literal.span());
            marked
        },
    )
}

/// The name as the user wrote it.
pub(crate) fn unmarked(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

/// Whether two names are the same without marks.
pub(super) fn is_same(a: &Ident, b: &Ident) -> bool {
    unmarked(&a.to_string()) == unmarked(&b.to_string())
}

/// The item with the marks of those names only that patterns bind.
pub(super) fn resolved(tokens: TokenStream) -> TokenStream {
    let Ok(mut item) = syn::parse2::<Item>(tokens.clone()) else { return without(tokens, &BTreeSet::new()) };
    let mut bound = Bound(BTreeSet::new());
    bound.visit_item(&item);
    Shorthands(&bound.0).visit_item_mut(&mut item);
    without(quote::ToTokens::into_token_stream(item), &bound.0)
}

/// The marked names that patterns bind.
struct Bound(BTreeSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        let name = pattern.ident.to_string();
        if name.contains(MARK) {
            self.0.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }
}

/// Writes `P { x }` as `P { x: x }` where the variable keeps its mark, which the field has not.
struct Shorthands<'b>(&'b BTreeSet<String>);

impl Shorthands<'_> {
    fn name(&self, member: &mut Member, colon: &mut Option<syn::Token![:]>) {
        if let (Member::Named(name), None) = (&mut *member, &colon)
            && self.0.contains(&name.to_string())
        {
            *colon = Some(syn::Token![:](name.span()));
            *name = Ident::new(unmarked(&name.to_string()), name.span());
        }
    }
}

impl VisitMut for Shorthands<'_> {
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        self.name(&mut field.member, &mut field.colon_token);
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        self.name(&mut field.member, &mut field.colon_token);
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_member_mut(&mut self, member: &mut Member) {
        if let Member::Named(name) = member {
            *name = Ident::new(unmarked(&name.to_string()), name.span());
        }
    }
}

/// The tokens without the marks of other names.
fn without(tokens: TokenStream, bound: &BTreeSet<String>) -> TokenStream {
    // How many dots are in front: behind one stands a field or a method.
    let mut dots = 0;
    tokens
        .into_iter()
        .map(|token| {
            let is_member = dots == 1;
            dots = if super::is(&token, '.') { dots + 1 } else { 0 };
            (token, is_member)
        })
        .map(|(token, is_member)| match token {
            TokenTree::Ident(name) => {
                let text = name.to_string();
                match text.contains(MARK) && (is_member || !bound.contains(&text)) {
                    true => TokenTree::Ident(Ident::new(unmarked(&text), name.span())),
                    false => TokenTree::Ident(name),
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without(group.stream(), bound));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            TokenTree::Literal(literal) => TokenTree::Literal(text_without(literal, bound)),
            token @ TokenTree::Punct(_) => token,
        })
        .collect()
}

fn text_without(literal: Literal, bound: &BTreeSet<String>) -> Literal {
    let text = literal.to_string();
    if !text.contains(MARK) {
        return literal;
    }
    let mut result = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(MARK) {
        let name = rest[..at].rfind('{').map_or(0, |brace| brace + 1);
        let digits = rest[at + MARK.len()..].find(|next: char| !next.is_ascii_digit()).unwrap_or(0);
        let end = at + MARK.len() + digits;
        result.push_str(&rest[..at]);
        if bound.contains(&rest[name..end]) {
            result.push_str(&rest[at..end]);
        }
        rest = &rest[end..];
    }
    result.push_str(rest);
    let parsed: Result<Literal, _> = result.parse();
    parsed.map_or(literal.clone(), |mut resolved| {
        resolved.set_span(literal.span());
        resolved
    })
}
