//! The numbers that a thread can ask for.

use super::call::called;
use super::{Emitter, bare};
use crate::extent::Piece;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprField, Member};

/// Functions that give one number, and the builder's name of it.
const NUMBERS: [(&str, &str); 4] =
    [("global_id", "GlobalId"), ("lane_id", "LaneId"), ("warp_id", "WarpId"), ("warp_width", "WarpWidth")];

/// Functions that give three.
const TRIPLES: [(&str, &str); 4] =
    [("thread_idx", "ThreadIdx"), ("block_idx", "BlockIdx"), ("block_dim", "BlockDim"), ("grid_dim", "GridDim")];

/// Functions that give the number along each axis, as a tuple, and the builder's methods for them.
const ALONG: [(&str, &str); 2] = [("global_id_2d", "global_id_2d"), ("global_id_3d", "global_id_3d")];

/// Whether a function of this name gives numbers of the thread.
pub(super) fn is_number(name: &Ident) -> bool {
    find(&NUMBERS, name).or_else(|| find(&TRIPLES, name)).is_some() || is_tuple(name)
}

/// Whether what a function of this name gives is a tuple.
pub(super) fn is_tuple(name: &Ident) -> bool {
    find(&ALONG, name).is_some()
}

impl Emitter<'_> {
    /// `global_id()`
    pub(super) fn number(&mut self, call: &ExprCall, name: &Ident) -> TokenStream {
        if let Some(method) = find(&ALONG, name) {
            self.no_arguments(call);
            return self.call(call, method, name.span(), &TokenStream::new());
        }
        let Some(builtin) = find(&NUMBERS, name) else {
            self.report.error(call, format_args!("`{name}()` has three numbers: write `{name}().x`, `.y` or `.z`"));
            return quote!(());
        };
        self.no_arguments(call);
        self.builtin(call, builtin, name.span())
    }

    /// `thread_idx().x`, `global_id_2d().x`
    pub(super) fn field(&mut self, field: &ExprField) -> TokenStream {
        let triple = match bare(&field.base) {
            Expr::Call(call) if called(call).is_some_and(is_tuple) => return self.along_axis(field, call),
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

    /// `global_id_2d().x`
    fn along_axis(&mut self, field: &ExprField, call: &ExprCall) -> TokenStream {
        self.no_arguments(call);
        let is_2d = called(call).is_some_and(|name| name == "global_id_2d");
        let axis = match &field.member {
            Member::Named(axis) if axis == "x" => 0_usize,
            Member::Named(axis) if axis == "y" => 1,
            Member::Named(axis) if axis == "z" && !is_2d => 2,
            member => {
                let fields = if is_2d { "`.x` and `.y`" } else { "`.x`, `.y` and `.z`" };
                self.report.error(member, format_args!("it has the fields {fields}"));
                return quote!(());
            }
        };
        self.call(field, "global_id_along", call.func.span(), &quote!(#axis))
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
