//! Calls of methods: lengths, atomics, loads and stores that say how, and those of numbers.

use super::{Emitter, atomic, bare, numeric};
use crate::unsupported;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, Token};

impl Emitter<'_> {
    /// `x.f(a)` as a value.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> TokenStream {
        if let Some(tokens) = self.method_statement(call) {
            let name = &call.method;
            self.report.error(call, format_args!("`.{name}()` has no value: write it as a statement of its own"));
            return tokens;
        }
        match call.method.to_string().as_str() {
            name @ ("len" | "is_empty") => self.length(call, name),
            name @ ("is_ok" | "is_err") => self.exchanged(call, name),
            name => {
                if let Some(tokens) = self
                    .atomic(call, name)
                    .or_else(|| self.cached_load(call, name))
                    .or_else(|| self.numeric_method(call, name))
                {
                    return tokens;
                }
                self.report.error(&call.method, unsupported::method(name));
                quote!(())
            }
        }
    }

    /// `x.f(a);` if it is a method that has no value.
    pub(super) fn method_statement(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let name = call.method.to_string();
        self.atomic_store(call, &name).or_else(|| self.cached_store(call, &name))
    }

    /// `x.len()`, `x.is_empty()`
    fn length(&mut self, call: &ExprMethodCall, name: &str) -> TokenStream {
        self.expect_arguments(&call.method, name, &call.args, &[]);
        self.no_turbofish(call);
        let slice = self.memory(&call.receiver).cloned();
        self.call(call, name, call.method.span(), &quote!(#slice))
    }

    /// What has elements: a name, of which rustc knows whether it is a slice or an array.
    pub(super) fn memory<'a>(&mut self, memory: &'a Expr) -> Option<&'a Expr> {
        match bare(memory) {
            name @ Expr::Path(_) => Some(name),
            other => {
                self.report.error(other, "a slice or an array has a name: write it here");
                None
            }
        }
    }

    /// Reports arguments that are too many or too few.
    pub(super) fn expect_arguments(
        &mut self,
        function: impl ToTokens,
        name: &str,
        args: &Punctuated<Expr, Token![,]>,
        parameters: &[&str],
    ) -> bool {
        let number = parameters.len();
        if args.len() == number {
            return true;
        }
        let arguments = if number == 1 { "argument" } else { "arguments" };
        let parameters = parameters.join(", ");
        let message = match number {
            0 => format!("`{name}` has no arguments"),
            _ => format!("`{name}` has {number} {arguments}: write `{name}({parameters})`"),
        };
        if number == 0 {
            self.report.error(args, message);
        } else {
            self.report.error(function, message);
        }
        false
    }

    /// Reports type arguments of a method that has none.
    pub(super) fn no_turbofish(&mut self, call: &ExprMethodCall) {
        if let Some(turbofish) = &call.turbofish {
            self.report.error(turbofish, format_args!("`{}` has no type arguments", call.method));
        }
    }
}

/// Whether building the call may emit statements, apart from its receiver and arguments.
pub(super) fn emits(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    atomic::is_operation(&name) || numeric::emits(&name)
}
