//! What rustc's lints say of a kernel's own text: code that is never reached, and a `mut` that is not needed.
//!
//! The calls that a body becomes are all reached, and none of them assigns a name. So plain Rust that nothing calls, with the
//! same flaw at the user's tokens, stands beside them: rustc reports it as the user's lint levels have it.

use super::jump::always_jumps;
use super::{Emitter, bare};
use crate::extent::first_token;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{
    Attribute, Block, Expr, ExprAssign, ExprBinary, ExprCall, ExprClosure, ExprForLoop, ExprLet, ExprMatch,
    ExprMethodCall, ExprReference, Macro, PatIdent, Stmt,
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
        if name.to_string().starts_with('_')
            || self.changed.get_or_init(|| changed_in(&self.kernel.function.block)).contains(&name.to_string())
        {
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

/// The names of which something in a block may change what they stand for: of several of one name, any.
///
/// PERF: collected in one walk, because a walk for each `mut` would take a time that grows with the square of the text.
fn changed_in(block: &Block) -> BTreeSet<String> {
    let mut changed = Changed { depth: 0, names: BTreeSet::new() };
    changed.visit_block(block);
    changed.names
}

struct Changed {
    /// Of how many places the walk is within that may be changed.
    depth: usize,
    names: BTreeSet<String>,
}

impl Changed {
    fn place(&mut self, place: &Expr) {
        self.depth += 1;
        self.visit_expr(place);
        self.depth -= 1;
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => drop(self.names.insert(word.to_string())),
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

/// What is gone over, called, matched, lent or captured may change behind that.
impl<'a> Visit<'a> for Changed {
    fn visit_ident(&mut self, name: &'a Ident) {
        if self.depth > 0 {
            self.names.insert(name.to_string());
        }
    }

    fn visit_expr_assign(&mut self, assign: &'a ExprAssign) {
        self.place(&assign.left);
        self.visit_expr(&assign.right);
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        if super::assign::is_compound(&binary.op) {
            self.place(&binary.left);
        } else {
            self.visit_expr(&binary.left);
        }
        self.visit_expr(&binary.right);
    }

    fn visit_expr_reference(&mut self, reference: &'a ExprReference) {
        match reference.mutability {
            Some(_) => self.place(&reference.expr),
            None => self.visit_expr(&reference.expr),
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.place(&call.receiver);
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        self.place(&call.func);
        for argument in &call.args {
            // Of a name that is passed, a `&mut` may have been forgotten.
            match bare(argument) {
                name @ Expr::Path(_) => self.place(name),
                other => self.visit_expr(other),
            }
        }
    }

    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        self.place(&closure.body);
    }

    fn visit_expr_for_loop(&mut self, of: &'a ExprForLoop) {
        self.place(&of.expr);
        self.visit_block(&of.body);
    }

    fn visit_expr_match(&mut self, of: &'a ExprMatch) {
        self.place(&of.expr);
        of.arms.iter().for_each(|arm| self.visit_arm(arm));
    }

    fn visit_expr_let(&mut self, of: &'a ExprLet) {
        self.place(&of.expr);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.tokens(call.tokens.clone());
    }
}
