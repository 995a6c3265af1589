//! Loops that change an array which is a field of a variable: `for v in p.a.iter_mut() { .. }`.
//!
//! The array is memory while the loop runs, and goes back to the variable behind it. So nothing may leave the loop but by its end
//! or a `break` of its own.

use super::{Emitter, bare, scope, sequence::PIECES};
use crate::emit::function::text;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprField, ExprForLoop, Label, Lifetime};

impl Emitter<'_> {
    /// A `for` over such an array, if it is one.
    pub(super) fn loop_over_field(&mut self, for_: &ExprForLoop) -> Option<TokenStream> {
        let field = self.changed_field(&for_.expr)?.clone();
        if leaves(&for_.body, for_.label.as_ref()) {
            return None;
        }
        Some(self.with_spilled(&field, |emitter| emitter.for_loop(for_)))
    }

    /// The field that an iterator changes, if it is not memory yet.
    pub(super) fn changed_field<'a>(&self, iterator: &'a Expr) -> Option<&'a ExprField> {
        let expr = bare(iterator);
        let changed = match expr {
            Expr::MethodCall(call) => {
                let changes = call.method == "iter_mut"
                    || PIECES.iter().any(|name| call.method == name && name.ends_with("_mut"));
                if !changes {
                    let other = call.args.first().filter(|_| call.method == "zip");
                    let found = self.changed_field(&call.receiver);
                    return found.or_else(|| other.and_then(|other| self.changed_field(other)));
                }
                &call.receiver
            }
            Expr::Reference(reference) if reference.mutability.is_some() => &reference.expr,
            _ => return None,
        };
        let field = self.array_of_variable(changed)?;
        let name = text(&Expr::Field(field.clone()));
        (!self.spilled.iter().any(|(known, _)| *known == name)).then_some(field)
    }

    /// What is emitted while the field is memory, as a value.
    pub(super) fn with_spilled(
        &mut self,
        field: &ExprField,
        emit: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let Some((variable, path)) = self.array_field(field) else { return emit(self) };
        let span = field.member.span();
        let [spilled, done] = ["spilled", "done"].map(|name| self.fresh(name, span));
        let k = self.builder.at(span);
        let spill = self.call(field, "spill_place", span, &quote_spanned!(span=> #variable, #path));
        let restore = self.call(field, "restore", span, &quote_spanned!(span=> #spilled));
        let name = text(&Expr::Field(field.clone()));
        self.spilled.push((name, quote_spanned!(span=> #k.spilled_array(#spilled))));
        let tokens = emit(self);
        self.spilled.pop();
        scope(span, quote_spanned!(span=> let #spilled = #spill; let #done = { #tokens }; #restore; #done))
    }
}

/// Whether something in a loop's body leaves more than the loop.
fn leaves(body: &Block, own: Option<&Label>) -> bool {
    struct Search<'a> {
        known: Vec<&'a Lifetime>,
        found: bool,
    }
    impl<'a> Search<'a> {
        fn jump(&mut self, label: Option<&'a Lifetime>) {
            self.found |= label.is_some_and(|label| !self.known.contains(&label));
        }
    }
    impl<'a> Visit<'a> for Search<'a> {
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.found = true;
        }

        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.found = true;
        }

        fn visit_label(&mut self, label: &'a Label) {
            self.known.push(&label.name);
        }

        fn visit_expr_break(&mut self, jump: &'a syn::ExprBreak) {
            self.jump(jump.label.as_ref());
            visit::visit_expr_break(self, jump);
        }

        fn visit_expr_continue(&mut self, jump: &'a syn::ExprContinue) {
            self.jump(jump.label.as_ref());
        }

        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut search = Search { known: own.iter().map(|label| &label.name).collect(), found: false };
    search.visit_block(body);
    search.found
}
