//! Parentheses in place of groups without a mark, as a macro's `$v:expr` makes them: the compiler drops those that it finds in
//! what a macro has made, so that `2 * $v` of `a + 1` would be `2 * a + 1`.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, token};

/// Puts them into what is emitted as it is written: the functions that the host has.
pub(crate) struct Grouped;

impl VisitMut for Grouped {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Group(group) = expr else { return };
        let inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
        *expr = match inner {
            inner @ (Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Paren(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Index(_)) => inner,
            inner => Expr::Paren(ExprParen {
                attrs: std::mem::take(&mut group.attrs),
                paren_token: token::Paren(group.group_token.span),
                expr: Box::new(inner),
            }),
        };
    }
}
