//! A statement in front of each jump that leaves a body, and behind the body: what goes back to memory goes there on each way.

use super::mentions;
use proc_macro2::Span;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprBreak, ExprClosure, ExprReturn, ExprTry, Ident, Item, Label, Macro, Stmt, parse_quote_spanned};

/// Puts the statement in front of the jumps. False if there is a jump in front of which none can stand: `?`, or one that a macro
/// has.
pub(super) fn before_jumps(body: &mut Expr, store: &Stmt, value: &Ident) -> bool {
    let mut jumps = Jumps { store, value, loops: 0, labels: Vec::new(), all: true };
    jumps.visit_expr_mut(body);
    jumps.all
}

struct Jumps<'s> {
    store: &'s Stmt,
    /// What the value of a jump is called until it is stored.
    value: &'s Ident,
    /// How many loops of the body are around.
    loops: usize,
    /// The labels of loops and blocks of the body.
    labels: Vec<Ident>,
    all: bool,
}

impl Jumps<'_> {
    fn inside(&mut self, label: Option<&Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        let known = self.labels.len();
        self.labels.extend(label.map(|label| label.name.ident.clone()));
        self.loops += usize::from(is_loop);
        visit(self);
        self.loops -= usize::from(is_loop);
        self.labels.truncate(known);
    }

    /// Whether a jump stays in the body.
    fn stays(&self, label: Option<&syn::Lifetime>) -> bool {
        label.map_or(self.loops > 0, |label| self.labels.contains(&label.ident))
    }
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match &mut *expr {
            Expr::Loop(loop_) => {
                let label = loop_.label.clone();
                self.inside(label.as_ref(), true, |jumps| jumps.visit_block_mut(&mut loop_.body));
            }
            Expr::While(while_) => {
                let label = while_.label.clone();
                self.inside(label.as_ref(), true, |jumps| visit_mut::visit_expr_while_mut(jumps, while_));
            }
            Expr::ForLoop(for_) => {
                self.visit_expr_mut(&mut for_.expr);
                let label = for_.label.clone();
                self.inside(label.as_ref(), true, |jumps| jumps.visit_block_mut(&mut for_.body));
            }
            Expr::Block(block) => {
                let label = block.label.clone();
                self.inside(label.as_ref(), false, |jumps| jumps.visit_block_mut(&mut block.block));
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
        let (value, span) = match &mut *expr {
            Expr::Break(ExprBreak { label, expr: value, break_token, .. }) if !self.stays(label.as_ref()) => {
                (value.take(), break_token.span)
            }
            Expr::Continue(jump) if !self.stays(jump.label.as_ref()) => (None, jump.continue_token.span),
            Expr::Return(ExprReturn { expr: value, return_token, .. }) => (value.take(), return_token.span),
            _ => return,
        };
        // A block that the user did not write: lints know it by that.
        let (store, span) = (self.store, span.resolved_at(Span::mixed_site()));
        let Some(value) = value else {
            *expr = parse_quote_spanned!(span=> { #store #expr; });
            return;
        };
        let name = self.value;
        let given = Some(parse_quote_spanned!(span=> #name));
        match &mut *expr {
            Expr::Break(jump) => jump.expr = given,
            Expr::Return(jump) => jump.expr = given,
            _ => {}
        }
        *expr = parse_quote_spanned!(span=> { let #name = #value; #store #expr; });
    }

    // They are left by jumps of their own.
    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_expr_try_mut(&mut self, _: &mut ExprTry) {
        self.all = false;
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let tokens = call.to_token_stream();
        self.all &= !["return", "break", "continue"].iter().any(|word| mentions(tokens.clone(), word));
    }
}
