//! `move` closures: they have what their variables are where the closure stands, and not what they become.

use super::closure::Is;
use super::{Emitter, passed};
use crate::targets;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAssign, ExprBinary, ExprCall, ExprClosure, ExprMethodCall, ExprReference, PatIdent};

impl Emitter<'_> {
    /// Copies of the variables that a `move` closure captures and that may change.
    pub(super) fn captured(&mut self, closure: &ExprClosure) -> TokenStream {
        let Some(token) = &closure.capture else { return TokenStream::new() };
        let captured = self.changing(closure);
        captured
            .into_iter()
            .map(|name| {
                let copy = self.call(
                    Expr::Closure(closure.clone()),
                    "captured",
                    token.span,
                    &quote_spanned!(name.span()=> #name),
                );
                quote_spanned!(name.span()=> let #name = #copy;)
            })
            .collect()
    }

    /// Refuses a `move` closure that changes its copies, where it is called in a loop that does not keep them.
    pub(super) fn refuse_changes(&mut self, closure: &ExprClosure) {
        let Some(token) = &closure.capture else { return };
        if let Some(name) = self.changing(closure).into_iter().find(|name| changes(&closure.body, name)) {
            let message = format!("this closure changes a copy of `{name}`: remove `move`, or write `let` before it");
            self.report.error(token, message);
        }
    }

    /// The variables in a closure that may change.
    fn changing(&self, closure: &ExprClosure) -> Vec<Ident> {
        let mut names: Vec<Ident> = self
            .kernel
            .mutables()
            .into_iter()
            .filter(|name| {
                let is_variable =
                    !matches!(self.meaning(name), Some(Is::Iterator | Is::Closure { .. } | Is::Reference { .. }));
                is_variable && !binds(closure, name) && passed::mentions(&closure.body, name)
            })
            .collect();
        names.dedup();
        names
    }
}

/// Whether a closure has a name of its own.
fn binds(closure: &ExprClosure, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
            self.found |= pattern.ident == *self.name;
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_expr_closure(closure);
    search.found
}

/// Whether an expression assigns to what a name refers to: `*v = ..`, `*v += ..`, `std::mem::swap(v, ..)`;
/// and, of its `parts`, `v.x = ..` and `v[i] = ..`.
pub(super) fn changes_behind(expr: &Expr, name: &Ident, parts: bool) -> bool {
    let mut search = Behind { name, parts, found: false };
    search.visit_expr(expr);
    search.found
}

/// Whether a block assigns to what a name refers to, or to a part of it.
pub(super) fn block_changes_behind(block: &Block, name: &Ident) -> bool {
    let mut search = Behind { name, parts: true, found: false };
    search.visit_block(block);
    search.found
}

struct Behind<'n> {
    name: &'n Ident,
    parts: bool,
    found: bool,
}
impl Behind<'_> {
    fn assigned(&mut self, place: &Expr) {
        if let Some(parts) = targets::parts(place) {
            return parts.into_iter().for_each(|part| self.assigned(part));
        }
        match super::bare(place) {
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.behind(&unary.expr),
            Expr::Field(field) if self.parts => self.behind(&field.base),
            Expr::Index(index) if self.parts => self.behind(&index.expr),
            _ => {}
        }
    }

    fn behind(&mut self, expr: &Expr) {
        self.found |= matches!(super::bare(expr), Expr::Path(path) if path.path.is_ident(self.name));
        self.assigned(expr);
    }
}
impl<'a> Visit<'a> for Behind<'_> {
    fn visit_expr_assign(&mut self, assign: &'a ExprAssign) {
        self.assigned(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        if super::assign::is_compound(&binary.op) {
            self.assigned(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if super::exchange::function(call).is_some() {
            call.args.iter().take(2).for_each(|argument| self.behind(argument));
        }
        visit::visit_expr_call(self, call);
    }
}

/// Whether a method is called on a name, or it is an argument: what is behind it may change.
pub(super) fn passes_on(expr: &Expr, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Search<'_> {
        fn given(&mut self, expr: &'a Expr) {
            let inner = match super::bare(expr) {
                Expr::Reference(reference) => &reference.expr,
                _ => expr,
            };
            let base = match super::bare(inner) {
                Expr::Field(field) => super::fields::whole_chain(field).0,
                other => other,
            };
            self.found |= matches!(super::bare(base), Expr::Path(path) if path.path.is_ident(self.name));
        }
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
            self.given(&call.receiver);
            call.args.iter().for_each(|argument| self.given(argument));
            visit::visit_expr_method_call(self, call);
        }

        fn visit_expr_call(&mut self, call: &'a ExprCall) {
            call.args.iter().for_each(|argument| self.given(argument));
            visit::visit_expr_call(self, call);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_expr(expr);
    search.found
}

/// Whether an expression assigns to a name.
fn changes(expr: &Expr, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_expr_assign(&mut self, assign: &'a ExprAssign) {
            self.found |= passed::mentions(&assign.left, self.name);
            visit::visit_expr_assign(self, assign);
        }

        fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
            self.found |= super::assign::is_compound(&binary.op) && passed::mentions(&binary.left, self.name);
            visit::visit_expr_binary(self, binary);
        }

        fn visit_expr_reference(&mut self, reference: &'a ExprReference) {
            self.found |= reference.mutability.is_some() && passed::mentions(&reference.expr, self.name);
            visit::visit_expr_reference(self, reference);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_expr(expr);
    search.found
}
