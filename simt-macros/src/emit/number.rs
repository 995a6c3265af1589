//! Calls, fields and methods: the numbers that a thread can ask for.

use super::{Emitter, bare};
use crate::paths;
use crate::unsupported;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprField, ExprMethodCall, Member};

/// Functions that give one number, and the builder's name of it.
const NUMBERS: [(&str, &str); 3] = [("global_id", "GlobalId"), ("lane_id", "LaneId"), ("warp_id", "WarpId")];

/// Functions that give three.
const TRIPLES: [(&str, &str); 4] =
    [("thread_idx", "ThreadIdx"), ("block_idx", "BlockIdx"), ("block_dim", "BlockDim"), ("grid_dim", "GridDim")];

impl Emitter<'_> {
    /// `global_id()`
    pub(super) fn number(&mut self, call: &ExprCall) -> TokenStream {
        let Some(name) = called(call) else {
            self.report.error(&call.func, unsupported::function(None));
            return quote!(());
        };
        if find(&TRIPLES, name).is_some() {
            self.report.error(call, format_args!("`{name}()` has three numbers: write `{name}().x`, `.y` or `.z`"));
            return quote!(());
        }
        let Some(builtin) = find(&NUMBERS, name) else {
            self.report.error(&call.func, unsupported::function(Some(&name.to_string())));
            return quote!(());
        };
        self.no_arguments(call);
        self.builtin(call, builtin, name.span())
    }

    /// `thread_idx().x`
    pub(super) fn field(&mut self, field: &ExprField) -> TokenStream {
        let triple = match bare(&field.base) {
            Expr::Call(call) => called(call).and_then(|name| Some((call, name, find(&TRIPLES, name)?))),
            _ => None,
        };
        let Some((call, name, triple)) = triple else {
            self.report.error(&field.member, "a kernel's values have no fields: pass a struct's fields one by one");
            return quote!(());
        };
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

    /// `x.len()`
    pub(super) fn method(&mut self, method: &ExprMethodCall) -> TokenStream {
        if method.method != "len" {
            self.report.error(&method.method, unsupported::method(&method.method.to_string()));
            return quote!(());
        }
        if let Some(turbofish) = &method.turbofish {
            self.report.error(turbofish, "`len` has no type arguments");
        }
        if !method.args.is_empty() {
            self.report.error(&method.args, "`len` has no arguments");
        }
        let slice = self.slice(&method.receiver).cloned();
        let place = self.spans.place(method);
        self.call_at(&place, "len", method.method.span(), &quote!(#slice))
    }

    fn builtin(&mut self, tokens: impl ToTokens, builtin: &str, span: Span) -> TokenStream {
        let (private, builtin) = (paths::private(span), Ident::new(builtin, span));
        self.call(tokens, "builtin", span, &quote_spanned!(span=> #private::Builtin::#builtin))
    }

    fn no_arguments(&mut self, call: &ExprCall) {
        if !call.args.is_empty() {
            self.report.error(&call.args, "this function has no arguments");
        }
    }
}

/// The name of a function that is called by its name.
fn called(call: &ExprCall) -> Option<&Ident> {
    match bare(&call.func) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

fn find(table: &[(&str, &'static str)], name: &Ident) -> Option<&'static str> {
    table.iter().find(|(function, _)| name == function).map(|&(_, builtin)| builtin)
}
