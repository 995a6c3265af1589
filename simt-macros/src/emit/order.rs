//! Order of evaluation: which operands must be held.
//!
//! The builder evaluates an expression where its statement stands, so of `x + { x = 5; x }` the left `x` would be read
//! too late. Whether an expression may emit statements is seen from its syntax.

use super::Emitter;
use super::known::Known;
use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

impl Emitter<'_> {
    /// The value of `expr`, evaluated before that of `later`.
    pub(super) fn value_before(&mut self, expr: &Expr, later: &Expr) -> TokenStream {
        if self.known.may_emit_statements(later) { self.held(expr) } else { self.value(expr) }
    }

    /// The value of `expr`, evaluated here.
    pub(super) fn held(&mut self, expr: &Expr) -> TokenStream {
        let value = self.value(expr);
        if super::operator::is_literal(expr) || matches!(super::bare(expr), Expr::Lit(_)) {
            return value;
        }
        let place = self.spans.place(expr);
        self.call_at(&place, "hold", place.extent.first, &value)
    }
}

impl Known {
    /// Whether building the expression may emit statements.
    pub(super) fn may_emit_statements(&self, expr: &Expr) -> bool {
        let mut search = Search { known: self, found: false };
        search.visit_expr(expr);
        search.found
    }
}

struct Search<'k> {
    known: &'k Known,
    found: bool,
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Lit(_) | Expr::Path(_) => {}
            Expr::Index(index) if super::subscript::is_own(index) => self.found = true,
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => self.found = true,
            Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Cast(_)
            | Expr::Index(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Tuple(_)
            | Expr::Field(_) => visit::visit_expr(self, expr),
            Expr::MethodCall(call) if !super::method::emits(call, self.known) => visit::visit_expr(self, expr),
            Expr::Call(call) if !super::call::emits(call) => visit::visit_expr(self, expr),
            _ => self.found = true,
        }
    }
}
