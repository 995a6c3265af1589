//! Tuples of memory and of places that a `let` takes apart: a `let` for each part.

use super::{bare, mentions};
use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    Expr, Local, LocalInit, Pat, PatIdent, PatSlice, PatTuple, PatTupleStruct, PatType, Token, Type, parse_quote,
};

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
    if !fits || !values.elems.iter().any(may_be_memory) || !names.elems.iter().all(is_taken_apart) {
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
    let mut parts: Vec<Local> = names.elems.iter().zip(&values.elems).zip(types).map(part).collect();
    // A name is known behind all values: one that a later value has, for what stood there before, comes last.
    let mut last = Vec::new();
    for (number, (part, pattern)) in parts.iter_mut().zip(&names.elems).enumerate() {
        let later: Vec<&Expr> = values.elems.iter().skip(number + 1).collect();
        if names_of(pattern).iter().any(|name| mentions(quote!(#(#later),*), name)) {
            let meanwhile = Ident::new(&format!("__part_{number}"), pattern.span());
            let pat = std::mem::replace(&mut part.pat, parse_quote!(#meanwhile));
            let init = Some(LocalInit { expr: parse_quote!(#meanwhile), ..init.clone() });
            last.push(Local { pat, init, ..local.clone() });
        }
    }
    parts.append(&mut last);
    Some(parts)
}

/// Whether a `let` for each part does what the one for all does: patterns of names, also of arrays and structs.
fn is_taken_apart(pattern: &Pat) -> bool {
    match pattern {
        Pat::Tuple(PatTuple { elems, .. })
        | Pat::TupleStruct(PatTupleStruct { elems, .. })
        | Pat::Slice(PatSlice { elems, .. }) => elems.iter().all(is_taken_apart),
        Pat::Struct(of) => of.fields.iter().all(|field| is_taken_apart(&field.pat)),
        Pat::Paren(paren) => is_taken_apart(&paren.pat),
        Pat::Ident(name) => name.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    }
}

/// The names that a pattern binds.
pub(super) fn names_of(pattern: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> Visit<'a> for Names {
        fn visit_pat_ident(&mut self, name: &'a PatIdent) {
            self.0.push(name.ident.to_string());
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pattern);
    names.0
}

/// Whether a value may be memory or a place where it has a name: an array that is written here, a reference.
fn may_be_memory(value: &Expr) -> bool {
    matches!(bare(value), Expr::Array(_) | Expr::Repeat(_) | Expr::Reference(_))
}
