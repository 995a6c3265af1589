//! `return` and `?` in a closure: they leave the closure's body, which is then a labelled block.

use super::assign::is_compound;
use super::{Emitter, bare};
use proc_macro2::Span;
use std::borrow::Cow;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprBlock, ExprBreak, ExprClosure, Item, Label, Lifetime, Stmt, Token};

/// The label of a closure's body.
pub(super) const LABEL: &str = "__return";

impl Emitter<'_> {
    /// Whether an expression stands in a closure that `?` leaves.
    pub(super) fn is_in_returning(&self) -> bool {
        self.targets.iter().any(|target| target.has_label(LABEL))
    }
}

/// The label of the closure's body around `?`.
pub(super) fn label_at(span: Span) -> Lifetime {
    Lifetime::new(&format!("'{LABEL}"), span)
}

/// The closure, with a labelled block for its body if a `return` or a `?` stands in it.
pub(super) fn settled(closure: &ExprClosure) -> Cow<'_, ExprClosure> {
    labelled(closure).map_or(Cow::Borrowed(closure), |(closure, _)| Cow::Owned(closure))
}

/// The closure with a labelled block for its body, and whether it gives a value, if a `return` or a `?` stands in it.
pub(super) fn labelled(closure: &ExprClosure) -> Option<(ExprClosure, bool)> {
    let mut closure = closure.clone();
    let mut returns = Returns { found: false, has_value: false };
    returns.visit_expr_mut(&mut closure.body);
    if !returns.found {
        return None;
    }
    let body = bare(&closure.body);
    let block = match body {
        Expr::Block(ExprBlock { label: None, block, .. }) => block.clone(),
        other => super::block_of(other),
    };
    let span = block.brace_token.span.open();
    let label = Label { name: label_at(span), colon_token: Token![:](span) };
    *closure.body = Expr::Block(ExprBlock { attrs: Vec::new(), label: Some(label), block });
    Some((closure, returns.has_value))
}

/// Whether a closure's body has the value `()` for certain: an assignment, a loop, or a block that ends in a statement.
pub(super) fn has_no_value(body: &Expr) -> bool {
    match bare(body) {
        Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) => true,
        Expr::Binary(binary) => is_compound(&binary.op),
        Expr::If(if_) => if_.else_branch.is_none(),
        Expr::Block(ExprBlock { label: None, block, .. }) => match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => has_no_value(last),
            Some(Stmt::Expr(last, Some(_))) => {
                has_no_value(last) || matches!(bare(last), Expr::MethodCall(_) | Expr::Call(_))
            }
            Some(Stmt::Local(_)) | None => true,
            Some(Stmt::Item(_) | Stmt::Macro(_)) => false,
        },
        _ => false,
    }
}

/// Puts a `break` in place of each `return`, but those of closures in it.
struct Returns {
    found: bool,
    has_value: bool,
}

impl VisitMut for Returns {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Try(_) = expr {
            (self.found, self.has_value) = (true, true);
        }
        if let Expr::Return(return_) = expr {
            let span = return_.return_token.span;
            self.found = true;
            self.has_value |= return_.expr.is_some();
            *expr = Expr::Break(ExprBreak {
                attrs: Vec::new(),
                break_token: Token![break](span),
                label: Some(label_at(span)),
                expr: return_.expr.take(),
            });
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
}
