//! `==` of slices: `a[i..] == b[..]`, `pattern == &text[i..i + m]`.

use super::value::behind;
use super::{Emitter, bare, memory};
use crate::item::ParamKind;
use crate::spans::Place;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprLit, ExprUnary, Lit, UnOp};

impl Emitter<'_> {
    /// `==` and `!=`, if one of the two is a slice for certain.
    pub(super) fn compared_slices(&mut self, binary: &ExprBinary, place: &Place) -> Option<TokenStream> {
        let unequal = match binary.op {
            BinOp::Eq(_) => false,
            BinOp::Ne(_) => true,
            _ => return None,
        };
        let (left, right) = (behind(&binary.left), behind(&binary.right));
        if !self.is_slice_for_certain(left) && !self.is_slice_for_certain(right) {
            return None;
        }
        let [a, b] = [self.fresh("left", left.span()), self.fresh("right", right.span())];
        let (Some(first), Some(second)) = (self.memory(left), self.memory(right)) else { return Some(quote!(())) };
        let symbol = binary.op.to_token_stream().span();
        let equal = self.call_at(place, "equal_slices", symbol, &quote!(#a, #b, #unequal));
        Some(quote!({ let #a = #first; let #b = #second; #equal }))
    }

    /// Whether an expression is a part of memory, or the name of a parameter that is a slice.
    pub(super) fn is_slice_for_certain(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Index(index) => memory::range_of(index).is_some(),
            Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. }) => true,
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => self.is_slice_for_certain(expr),
            Expr::Path(path) => {
                let is_it = |param: &crate::item::Param<'_>| {
                    let is_slice =
                        matches!(param.kind, ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_));
                    is_slice && param.array().is_none() && path.path.is_ident(param.name)
                };
                self.kernel.params.iter().any(is_it) && self.known.is_named_memory(bare(expr))
            }
            _ => false,
        }
    }
}
