//! The numbers that a thread can ask for.

use super::call::called;
use super::{Emitter, bare};
use crate::extent::Piece;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprCall, ExprField, Member};

/// Functions that give one number, and the builder's name of it.
const NUMBERS: [(&str, &str); 3] = [("global_id", "GlobalId"), ("lane_id", "LaneId"), ("warp_id", "WarpId")];

/// Functions that give three.
const TRIPLES: [(&str, &str); 4] =
    [("thread_idx", "ThreadIdx"), ("block_idx", "BlockIdx"), ("block_dim", "BlockDim"), ("grid_dim", "GridDim")];

/// Whether a function of this name gives one number of the thread.
pub(super) fn is_single(name: &Ident) -> bool {
    find(&NUMBERS, name).is_some()
}

/// Whether a function of this name gives numbers of the thread.
pub(super) fn is_number(name: &Ident) -> bool {
    find(&NUMBERS, name).or_else(|| find(&TRIPLES, name)).is_some()
}

impl Emitter<'_> {
    /// `global_id()`
    pub(super) fn number(&mut self, call: &ExprCall, name: &Ident) -> TokenStream {
        self.no_arguments(call);
        let Some(builtin) = find(&NUMBERS, name) else { return self.triple(call, name) };
        self.builtin(call, builtin, name.span())
    }

    /// `thread_idx()`
    fn triple(&mut self, call: &ExprCall, name: &Ident) -> TokenStream {
        let span = name.span();
        let (private, simt) = (paths::private(span), paths::simt(span));
        let triple = find(&TRIPLES, name).unwrap_or_default();
        let builtins = ["X", "Y", "Z"].map(|axis| Ident::new(&format!("{triple}{axis}"), span));
        let place = self.spans.place(call);
        let builtins = quote_spanned!(span=> [#(#private::Builtin::#builtins),*]);
        self.call_typed(&place, "builtins", span, &quote_spanned!(span=> #simt::Dim3, 3), &builtins)
    }

    /// `thread_idx().x`
    pub(super) fn field(&mut self, field: &ExprField) -> TokenStream {
        let triple = match bare(&field.base) {
            Expr::Call(call) => called(call).and_then(|name| Some((call, name, find(&TRIPLES, name)?))),
            _ => None,
        };
        let Some((call, name, triple)) = triple else { return self.named_field(field) };
        self.no_arguments(call);
        match &field.member {
            Member::Named(axis) if axis == "x" || axis == "y" || axis == "z" => {
                self.builtin(field, &format!("{triple}{}", axis.to_string().to_uppercase()), name.span())
            }
            member => {
                self.report.error(member, format_args!("`{name}()` has the fields `.x`, `.y` and `.z`"));
                quote!(())
            }
        }
    }

    fn builtin(&mut self, tokens: impl Piece, builtin: &str, span: Span) -> TokenStream {
        let (private, builtin) = (paths::private(span), Ident::new(builtin, span));
        self.call(tokens, "builtin", span, &quote_spanned!(span=> #private::Builtin::#builtin))
    }

    fn no_arguments(&mut self, call: &ExprCall) {
        if !call.args.is_empty() {
            self.report.error(&call.args, "this function has no arguments");
        }
    }
}

fn find(table: &[(&str, &'static str)], name: &Ident) -> Option<&'static str> {
    table.iter().find(|(function, _)| name == function).map(|&(_, builtin)| builtin)
}
