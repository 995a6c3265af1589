//! Loops, and the jumps out of them.

use super::{Emitter, title};
use crate::paths;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprBreak, ExprContinue, ExprForLoop, ExprLoop, ExprRange, ExprReturn, ExprWhile, RangeLimits};

/// What a `break` or `continue` stands in.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Surrounding {
    /// A loop's body, which they leave.
    Body,
    /// The condition of a `while`, which they cannot.
    Condition,
}

const NO_LABELS: &str = "labels are not supported in a kernel: set a `bool` and test it in the outer loop";

impl Emitter<'_> {
    pub(super) fn while_loop(&mut self, while_: &ExprWhile) -> TokenStream {
        self.no_label(while_.label.as_ref());
        let span = while_.while_token.span;
        let cond = self.within(Surrounding::Condition, |emitter| emitter.value(&while_.cond));
        let (token, header) = (&while_.while_token, &while_.cond);
        let begin = self.call(quote!(#token #header), "while_", span, &cond);
        let body = self.within(Surrounding::Body, |emitter| emitter.block(&while_.body));
        let k = self.builder.at(span);
        quote_spanned!(span=> #k.begin_while(); #begin; #body #k.end_loop();)
    }

    pub(super) fn endless_loop(&mut self, loop_: &ExprLoop) -> TokenStream {
        self.no_label(loop_.label.as_ref());
        let span = loop_.loop_token.span;
        let begin = self.call(loop_.loop_token, "begin_loop", span, &TokenStream::new());
        let body = self.within(Surrounding::Body, |emitter| emitter.block(&loop_.body));
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; #body #k.end_loop();)
    }

    pub(super) fn for_loop(&mut self, for_: &ExprForLoop) -> TokenStream {
        self.no_label(for_.label.as_ref());
        let name = self.pattern(&for_.pat);
        let range = self.range(&for_.expr);
        let body = self.within(Surrounding::Body, |emitter| emitter.statements(&for_.body));
        let Some((method, bounds)) = range else { return TokenStream::new() };

        let span = for_.for_token.span;
        let (token, pattern, in_token, header) = (&for_.for_token, &for_.pat, &for_.in_token, &for_.expr);
        let place = self.spans.place(quote!(#token #pattern #in_token #header));
        let option = quote!(::core::option::Option);
        let declared = match name {
            None => {
                let begin = self.call_at(&place, method, span, &quote!(#option::None, #bounds));
                quote!(#begin;)
            }
            Some(name) if name.mutability.is_none() => {
                let (name, title) = (&name.ident, title(&name.ident));
                let begin = self.call_at(&place, method, span, &quote!(#option::Some(#title), #bounds));
                quote_spanned!(name.span()=> let #name = #begin;)
            }
            Some(name) => {
                let (counter, name, title) = (paths::counter(name.ident.span()), &name.ident, title(&name.ident));
                let begin = self.call_at(&place, method, span, &quote!(#option::None, #bounds));
                let copy = self.call(name, "bind_mut", name.span(), &quote!(#title, #counter));
                quote_spanned!(name.span()=> let #counter = #begin; let #name = #copy;)
            }
        };
        let k = self.builder.at(span);
        super::braces(&for_.body, quote!(#declared #body #k.end_loop();))
    }

    /// The builder's method for a range, and the bounds as its arguments.
    fn range(&mut self, range: &Expr) -> Option<(&'static str, TokenStream)> {
        let Expr::Range(ExprRange { start: Some(start), limits, end: Some(end), .. }) = super::bare(range) else {
            let message =
                "a kernel's `for` counts through a range: write `for i in a..b` or `for i in a..=b`, or `while`";
            self.report.error(range, message);
            return None;
        };
        let (from, to) = (self.value_before(start, end), self.value(end));
        let method = match limits {
            RangeLimits::HalfOpen(_) => "for_in",
            RangeLimits::Closed(_) => "for_in_inclusive",
        };
        Some((method, quote!(#from, #to)))
    }

    pub(super) fn break_(&mut self, break_: &ExprBreak) -> TokenStream {
        if let Some(label) = &break_.label {
            self.report.error(label, NO_LABELS);
        }
        if let Some(value) = &break_.expr {
            self.report
                .error(value, "`break` with a value is not supported in a kernel: assign to a variable before `break`");
        }
        self.jump(break_, "break", "break_", break_.break_token.span)
    }

    pub(super) fn continue_(&mut self, continue_: &ExprContinue) -> TokenStream {
        if let Some(label) = &continue_.label {
            self.report.error(label, NO_LABELS);
        }
        self.jump(continue_, "continue", "continue_", continue_.continue_token.span)
    }

    fn jump(&mut self, tokens: impl ToTokens, name: &str, method: &str, span: Span) -> TokenStream {
        match self.surrounding.last() {
            Some(Surrounding::Body) => {}
            Some(Surrounding::Condition) => {
                self.report
                    .error_at(span, format_args!("`{name}` in the condition of a `while`: move it into the body"));
            }
            None => self.report.error_at(span, format_args!("`{name}` outside of a loop: a thread ends with `return`")),
        }
        self.call(tokens, method, span, &TokenStream::new())
    }

    pub(super) fn return_(&mut self, return_: &ExprReturn) -> TokenStream {
        if let Some(value) = &return_.expr {
            self.report.error(value, "a kernel returns nothing: store results in a `&mut [T]` parameter");
        }
        self.call(return_, "return_", return_.return_token.span, &TokenStream::new())
    }

    pub(super) fn no_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.report.error(label, NO_LABELS);
        }
    }

    fn within<T>(&mut self, surrounding: Surrounding, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.surrounding.push(surrounding);
        let result = emit(self);
        self.surrounding.pop();
        result
    }
}
