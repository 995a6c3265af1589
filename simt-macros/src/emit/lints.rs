//! What rustc's lints say of a kernel's own text: code that is never reached, and a `mut` that is not needed.
//!
//! The calls that a body becomes are all reached, and none of them assigns a name. So plain Rust that nothing calls, with the
//! same flaw at the user's tokens, stands beside them: rustc reports it as the user's lint levels have it.

use super::jump::always_jumps;
use super::{Emitter, bare, mentions};
use crate::extent::first_token;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprAssign, ExprBinary, ExprClosure, ExprMethodCall, ExprReference, Macro, PatIdent, Stmt,
};

impl Emitter<'_> {
    /// A flaw like that of a block with statements behind one that always jumps.
    pub(super) fn unreachable(&self, block: &Block) -> TokenStream {
        let mut pairs = block.stmts.iter().zip(block.stmts.iter().skip(1));
        let Some((jump, next)) = pairs.find(|(jump, _)| is_jump(jump)).filter(|(_, next)| !is_item(next)) else {
            return TokenStream::new();
        };
        let at = |statement: &Stmt| first_token(statement.to_token_stream()).unwrap_or_else(Span::call_site);
        let (jump, next) =
            (quote_spanned!(at(jump)=> return;), quote_spanned!(at(next)=> ::core::convert::identity(());));
        quote!(const _: fn() = || { #jump #next };)
    }

    /// A flaw like that of `let mut name` where nothing changes what is named.
    pub(super) fn unneeded_mut(&self, attributes: &[Attribute], pattern: &PatIdent) -> TokenStream {
        let (Some(token), name) = (&pattern.mutability, &pattern.ident) else { return TokenStream::new() };
        if name.to_string().starts_with('_') || may_change(&self.kernel.function.block, name) {
            return TokenStream::new();
        }
        quote!(const _: fn() = || { #(#attributes)* let #token #name = (); ::core::convert::identity(#name) };)
    }
}

/// Whether a statement is a jump that stands alone.
fn is_jump(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _)) && always_jumps(statement)
}

fn is_item(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Item(_))
}

/// Whether something in a block may change what a name stands for: of several of one name, any.
fn may_change(block: &Block, name: &Ident) -> bool {
    let mut search = Search { name: name.to_string(), found: false };
    search.visit_block(block);
    search.found
}

struct Search {
    name: String,
    found: bool,
}

impl Search {
    fn place(&mut self, place: &Expr) {
        self.found |= mentions(place.to_token_stream(), &self.name);
    }
}

impl<'a> Visit<'a> for Search {
    fn visit_expr_assign(&mut self, assign: &'a ExprAssign) {
        self.place(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        if super::assign::is_compound(&binary.op) {
            self.place(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'a ExprReference) {
        if reference.mutability.is_some() {
            self.place(&reference.expr);
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.place(&call.receiver);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        self.place(&closure.body);
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        // What is gone over, called, matched, lent or given a name may change behind that.
        match bare(expr) {
            Expr::ForLoop(of) => self.place(&of.expr),
            // Of a name that is passed, a `&mut` may have been forgotten.
            Expr::Call(of) => {
                self.place(&of.func);
                of.args
                    .iter()
                    .filter(|argument| matches!(bare(argument), Expr::Path(_)))
                    .for_each(|name| self.place(name));
            }
            Expr::Match(of) => self.place(&of.expr),
            Expr::Let(of) => self.place(&of.expr),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.found |= mentions(call.tokens.clone(), &self.name);
    }
}
