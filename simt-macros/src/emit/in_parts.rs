//! Tuples of memory that a `let` takes apart: a `let` for each part.

use super::block::is_of_names;
use super::memory::range_of;
use super::{bare, mentions};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Local, LocalInit, Pat, PatType, Token, Type};

/// `let (a, b) = ([0; 4], &x[1..]);` as a `let` for each part, where one is memory: of a tuple, parts are values.
pub(super) fn in_parts(local: &Local) -> Option<Vec<Local>> {
    let (pattern, ty) = match &local.pat {
        Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
        pattern => (pattern, None),
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let (Pat::Tuple(names), Expr::Tuple(values)) = (pattern, bare(&init.expr)) else { return None };
    let types: Vec<Option<&Type>> = match ty {
        None => vec![None; names.elems.len()],
        Some(Type::Tuple(types)) => types.elems.iter().map(Some).collect(),
        Some(_) => return None,
    };
    let fits = names.elems.len() == values.elems.len() && names.elems.len() == types.len();
    if !fits || !values.elems.iter().any(is_memory) || !names.elems.iter().all(is_of_names) {
        return None;
    }
    // Each name is known behind all values.
    let hides = |pattern: &Pat| names_of(pattern).iter().any(|name| mentions(quote!(#values), name));
    if names.elems.iter().any(hides) {
        return None;
    }
    let part = |((pattern, value), ty): ((&Pat, &Expr), Option<&Type>)| {
        let pat = match ty {
            Some(ty) => Pat::Type(PatType {
                attrs: Vec::new(),
                pat: Box::new(pattern.clone()),
                colon_token: Token![:](pattern.span()),
                ty: Box::new(ty.clone()),
            }),
            None => pattern.clone(),
        };
        Local { pat, init: Some(LocalInit { expr: Box::new(value.clone()), ..init.clone() }), ..local.clone() }
    };
    Some(names.elems.iter().zip(&values.elems).zip(types).map(part).collect())
}

/// The names in a pattern of names.
fn names_of(pattern: &Pat) -> Vec<String> {
    match pattern {
        Pat::Ident(name) => vec![name.ident.to_string()],
        Pat::Tuple(tuple) => tuple.elems.iter().flat_map(names_of).collect(),
        Pat::Paren(paren) => names_of(&paren.pat),
        _ => Vec::new(),
    }
}

/// Whether a value is memory where it has a name: an array that is written here, or a part of a slice.
fn is_memory(value: &Expr) -> bool {
    match bare(value) {
        Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Reference(reference) if reference.mutability.is_none() => {
            matches!(bare(&reference.expr), Expr::Index(index) if range_of(index).is_some())
        }
        _ => false,
    }
}
