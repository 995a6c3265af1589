//! Calls of closures by their names: `f(a)`, `f(&mut x[i])`, `f(&x[1..])`.

use super::{Emitter, bare};
use crate::closures::Passes;
use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

impl Emitter<'_> {
    /// `f(a, b)`, if `f` is a closure: the arguments are evaluated in their order, then the body.
    pub(super) fn closure_call(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let name = super::call::called(call)?;
        let (passes, _) = self.closure_named(name)?;
        let parameters = passes.len();
        if parameters != call.args.len() {
            let (found, s) = (call.args.len(), if parameters == 1 { "" } else { "s" });
            self.report.error(call, format_args!("this closure has {parameters} parameter{s}, not {found}"));
            return Some(quote!(()));
        }
        let (mut arguments, mut lent, mut returned) = (Vec::new(), TokenStream::new(), TokenStream::new());
        let lends = passes.contains(&Passes::Place);
        for (argument, &passes) in call.args.iter().zip(passes.iter()) {
            match passes {
                Passes::Value | Passes::Slice { .. } => {
                    let given = match passes {
                        Passes::Slice { mutable } => self.slice_argument(argument, mutable),
                        _ => self.value_argument(argument),
                    };
                    if !lends {
                        arguments.push(given);
                        continue;
                    }
                    // Before what stands behind it.
                    let name = self.fresh("given", argument.span());
                    lent.extend(quote_spanned!(argument.span()=> let #name = #given;));
                    arguments.push(quote!(#name));
                }
                Passes::Place => {
                    let (place, span) = (self.spans.place(argument), argument.span());
                    let [variable, back] = ["variable", "back"].map(|name| self.fresh(name, span));
                    let given = self.device_arguments(&std::iter::once(argument.clone()).collect());
                    let k = self.builder.at(span);
                    lent.extend(quote_spanned!(span=> let (#variable, #back) = #k.variable_lent(#(#given)*);));
                    let put = self.call_at(&place, "put_back", span, &quote!(#back));
                    returned.extend(quote_spanned!(span=> #put;));
                    arguments.push(quote!(#variable));
                }
            }
        }
        let calls = self.call(call, "calls", name.span(), &TokenStream::new());
        let mut group =
            Group::new(Delimiter::Parenthesis, quote!(::core::option::Option::Some((#(#arguments,)*)), #calls));
        group.set_span(call.paren_token.span.join());
        let called = quote_spanned!(name.span()=> #name #group);
        if lent.is_empty() {
            return Some(called);
        }
        let result = self.fresh("result", name.span());
        Some(quote_spanned!(name.span()=> { #lent let #result = #called; #returned #result }))
    }

    fn value_argument(&mut self, argument: &Expr) -> TokenStream {
        // A closure sees no difference between a value and a reference to it.
        let value = match bare(argument) {
            Expr::Reference(reference) if reference.mutability.is_none() => &reference.expr,
            _ => argument,
        };
        let (place, value) = (self.spans.place(argument), self.value(value));
        self.call_at(&place, "keep", place.extent.first, &value)
    }

    fn slice_argument(&mut self, argument: &Expr, mutable: bool) -> TokenStream {
        let memory = match bare(argument) {
            Expr::Reference(reference) => &reference.expr,
            other => other,
        };
        let Some(memory) = self.memory(memory) else { return quote!(()) };
        let (span, method) = (argument.span(), if mutable { "subslice_mut" } else { "subslice" });
        let k = self.builder.at(span);
        self.call(argument, method, span, &quote_spanned!(span=> #memory, #k.ends()))
    }
}
