//! Assignments to patterns other than tuples of targets: `[a, b] = pair;`, `P { x, .. } = p;`, `(n, ..) = t;`
//!
//! As in Rust such an assignment is a `let` of new names, and then an assignment of each.

use super::{Emitter, bare};
use crate::targets::{is_rest, parts};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprAssign, ExprCall, ExprStruct, parse_quote_spanned};

impl Emitter<'_> {
    /// The same as a block, if the target is such a pattern.
    pub(super) fn taken_apart(&mut self, assign: &ExprAssign) -> Option<Block> {
        if !is_taken_apart(&assign.left) {
            return None;
        }
        let mut names = Vec::new();
        let pattern = self.pattern_of(&assign.left, &mut names);
        let (right, attributes, equals) = (&assign.right, &assign.attrs, assign.eq_token);
        let assigned = names.iter().map(|(target, name)| quote_spanned!(target.span()=> #target #equals #name;));
        let span = assign.left.span();
        Some(parse_quote_spanned!(span=> { #(#attributes)* let #pattern #equals #right; #(#assigned)* }))
    }

    /// The pattern that a target stands for, with new names, and which part of the target each is for.
    fn pattern_of<'a>(&mut self, target: &'a Expr, names: &mut Vec<(&'a Expr, Ident)>) -> TokenStream {
        let (target, span) = (bare(target), target.span());
        let Some(parts) = parts(target) else {
            if is_rest(target) || matches!(target, Expr::Infer(_)) {
                return target.to_token_stream();
            }
            let mut name = self.fresh("part", span);
            // Where a mistake is shown.
            name.set_span(span);
            names.push((target, name.clone()));
            return name.into_token_stream();
        };
        let patterns: Vec<_> = parts.into_iter().map(|part| self.pattern_of(part, names)).collect();
        match target {
            Expr::Array(_) => quote_spanned!(span=> [#(#patterns,)*]),
            Expr::Call(ExprCall { func, .. }) => quote_spanned!(span=> #func(#(#patterns,)*)),
            Expr::Struct(ExprStruct { path, fields, dot2_token, .. }) => {
                let members = fields.iter().map(|field| &field.member);
                quote_spanned!(span=> #path { #(#members: #patterns,)* #dot2_token })
            }
            _ => quote_spanned!(span=> (#(#patterns,)*)),
        }
    }
}

/// Whether a target is a pattern that [`Emitter::assign_tuple`] does not take apart.
fn is_taken_apart(target: &Expr) -> bool {
    let is_tuple = matches!(bare(target), Expr::Tuple(_));
    parts(target).is_some_and(|parts| !is_tuple || parts.iter().any(|part| is_rest(part) || is_taken_apart(part)))
}
