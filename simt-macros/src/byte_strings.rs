//! Byte strings where an array is meant: `*b"ab"` is `[b'a', b'b']`, and so is the pattern `b"ab"`.

use crate::emit::bare;
use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, ExprUnary, ItemFn, Lit, LitByte, LitByteStr, Pat, UnOp, parse_quote_spanned};

/// Writes out the bytes of such strings.
pub(crate) fn spelled(function: &mut ItemFn) {
    Spell.visit_block_mut(&mut function.block);
}

/// Writes out the bytes of a pattern that is an argument of a macro.
pub(crate) fn spelled_pattern(pattern: &mut Pat) {
    Spell.visit_pat_mut(pattern);
}

struct Spell;

impl VisitMut for Spell {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr: inner, .. }) = expr
            && let Expr::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) = bare(inner)
        {
            let (span, bytes) = bytes(text);
            *expr = parse_quote_spanned!(span=> [#(#bytes),*]);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) = pattern {
            let (span, bytes) = bytes(text);
            *pattern = parse_quote_spanned!(span=> [#(#bytes),*]);
            return;
        }
        visit_mut::visit_pat_mut(self, pattern);
    }
}

fn bytes(text: &LitByteStr) -> (Span, impl Iterator<Item = LitByte>) {
    let span = text.span();
    (span, text.value().into_iter().map(move |byte| LitByte::new(byte, span)))
}
