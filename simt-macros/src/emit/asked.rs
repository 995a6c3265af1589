//! `while let Some(p) = it.next()`, `if let Some(p) = it.next()` and `let Some(p) = it.next() else { .. }`, where `p` matches every
//! item: the item has no need to be an option's, so that it may be a place or a subslice.
//!
//! ```text
//! while let Some(p) = it.next() { S }           loop { p = next, or break; S }
//! if let Some(p) = it.next() { S } else { T }   'a: { 'b: { p = next, or break 'b; S break 'a; } T }
//! let Some(p) = it.next() else { T };           'a: { 'b: { p = next, or break 'b; break 'a; } T }
//! ```

use super::adapters::is_value;
use super::branch::Arms;
use super::jump::{Target, TargetKind};
use super::{Emitter, bare, scope, title};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprIf, ExprMethodCall, ExprWhile, Pat, PatIdent, parse_quote};

impl Emitter<'_> {
    /// The pattern `p` and the call of `Some(p) = it.next()`.
    fn asked<'a>(&self, condition: &'a Expr) -> Option<(&'a Pat, &'a ExprMethodCall)> {
        let Expr::Let(let_) = bare(condition) else { return None };
        self.asked_by(&let_.pat, &let_.expr)
    }

    fn asked_by<'a>(&self, pattern: &'a Pat, value: &'a Expr) -> Option<(&'a Pat, &'a ExprMethodCall)> {
        let Expr::MethodCall(call) = bare(value) else { return None };
        let Pat::TupleStruct(some) = pattern else { return None };
        let is_next = call.method == "next" && call.args.is_empty() && is_value(&call.receiver, self);
        let inner = some.elems.first().filter(|inner| some.elems.len() == 1 && is_item_pattern(inner))?;
        (is_next && some.path.is_ident("Some")).then_some((inner, call))
    }

    /// The next item and the names of a pattern for it; where there is none, leaves the innermost loop.
    fn next_named(&mut self, pattern: &Pat, call: &ExprMethodCall) -> TokenStream {
        let nothing: Block = parse_quote!({});
        let (span, item) = (call.method.span(), self.fresh("item", call.method.span()));
        let iterator = self.iterator(&call.receiver, &nothing).unwrap_or_else(|| quote!(()));
        let next = self.call(call, "next_or_leave", span, &quote!(#iterator, 0));
        self.forget_closures(pattern);
        let names = self.item_pattern(pattern, &item);
        quote_spanned!(span=> let #item = #next; #names)
    }

    pub(super) fn while_next(&mut self, while_: &ExprWhile) -> Option<TokenStream> {
        let (pattern, call) = self.asked(&while_.cond)?;
        let (span, label) = (while_.while_token.span, while_.label.as_ref());
        let known = self.closures.len();
        let begin = self.call((&while_.while_token, &while_.cond), "begin_loop", span, &TokenStream::new());
        let condition = Target::new(TargetKind::Condition, label, None);
        let next = self.within(condition, |emitter| emitter.next_named(pattern, call));
        let target = Target::new(TargetKind::Counted, label, None);
        let body = self.within(target, |emitter| emitter.block(&while_.body));
        self.closures.truncate(known);
        let k = self.builder.at(span);
        Some(scope(span, quote_spanned!(span=> #begin; #next #body #k.end_loop();)))
    }

    pub(super) fn if_next(&mut self, if_: &ExprIf, arms: &Arms) -> Option<TokenStream> {
        let (pattern, call) = self.asked(&if_.cond)?;
        let span = if_.if_token.span;
        if if_.else_branch.is_none() && matches!(arms, Arms::Values { .. }) {
            self.report.error_at(span, "an `if` whose value is used needs an `else`");
        }
        let (begin, leave) = self.around_next(span, call);
        let links = || Target::new(TargetKind::Links, None, None);
        let tokens = self.within(links(), |emitter| {
            let known = emitter.closures.len();
            let then = emitter.within(links(), |emitter| {
                let next = emitter.next_named(pattern, call);
                let then = emitter.arm(&if_.then_branch, arms);
                quote!(#next #then)
            });
            emitter.closures.truncate(known);
            let otherwise = match if_.else_branch.as_ref().map(|(_, otherwise)| bare(otherwise)) {
                Some(Expr::If(chained)) => emitter.if_(chained, arms),
                Some(Expr::Block(block)) => emitter.arm(&block.block, arms),
                Some(other) => emitter.unsupported(other),
                None => TokenStream::new(),
            };
            let (k, then) = (emitter.builder.at(span), scope(span, quote!(#then #leave)));
            quote_spanned!(span=> #begin #begin #then #k.end_block(); #otherwise #k.end_block();)
        });
        Some(tokens)
    }

    /// `let Some(p) = it.next() else { .. };`
    pub(super) fn let_next(&mut self, pattern: &Pat, value: &Expr, otherwise: &Block) -> Option<TokenStream> {
        let (pattern, call) = self.asked_by(pattern, value)?;
        let span = call.method.span();
        let (begin, leave) = self.around_next(span, call);
        let links = || Target::new(TargetKind::Links, None, None);
        let block = self.within(links(), |emitter| emitter.block(otherwise));
        let next = self.within(links(), |emitter| emitter.next_named(pattern, call));
        let k = self.builder.at(span);
        Some(quote_spanned!(span=> #begin #begin #next #leave #k.end_block(); #block #k.end_block();))
    }

    /// What begins a block, and what leaves the outer of two.
    fn around_next(&mut self, span: Span, call: &ExprMethodCall) -> (TokenStream, TokenStream) {
        let begin = self.call(call, "begin_block", span, &TokenStream::new());
        let leave = self.call(call, "break_", span, &quote!(1));
        (quote_spanned!(span=> #begin;), quote_spanned!(span=> #leave;))
    }
}

/// Whether a pattern is of names only, with or without a `&` before them.
fn is_item_pattern(pattern: &Pat) -> bool {
    match pattern {
        Pat::Reference(reference) => reference.mutability.is_none() && is_item_pattern(&reference.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_item_pattern),
        Pat::Paren(paren) => is_item_pattern(&paren.pat),
        // A constant has capitals.
        Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => !title(ident).starts_with(char::is_uppercase),
        Pat::Wild(_) => true,
        _ => false,
    }
}
