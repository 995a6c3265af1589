//! Loops, and labelled blocks.

use super::jump::{Target, TargetKind, is_left};
use super::links::links;
use super::matching::Condition;
use super::sequence::is_sequence;
use super::{Emitter, braces, scope, title};
use crate::paths;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{ExprBlock, ExprForLoop, ExprLoop, ExprWhile, Type};

impl Emitter<'_> {
    pub(super) fn while_loop(&mut self, while_: &ExprWhile) -> TokenStream {
        if let Some(next) = self.while_next(while_) {
            return next;
        }
        if let Some(links) = links(&while_.cond) {
            return self.linked_while(while_, &links);
        }
        let (span, label) = (while_.while_token.span, while_.label.as_ref());
        let (token, header) = (&while_.while_token, &while_.cond);
        let place = self.spans.place((token, header));
        let (condition, known) = (Target::new(TargetKind::Condition, label, None), self.closures.len());
        let Condition { declared, holds, bound } = self.within(condition, |emitter| emitter.condition(&while_.cond));
        let begin = self.call_at(&place, "while_", span, &holds);
        let target = Target::new(TargetKind::Counted, label, None);
        let body = self.within(target, |emitter| emitter.block(&while_.body));
        self.closures.truncate(known);
        let k = self.builder.at(span);
        if declared.is_empty() {
            return quote_spanned!(span=> #k.begin_while(); #begin; #body #k.end_loop(););
        }
        let body = scope(span, quote!(#bound #body));
        scope(span, quote_spanned!(span=> #k.begin_while(); #declared #begin; #body #k.end_loop();))
    }

    pub(super) fn endless_loop(&mut self, loop_: &ExprLoop) -> TokenStream {
        self.loop_with(loop_, None)
    }

    /// `loop` as a value: `{ let slot = ..; loop { .. slot = value; break; } slot }`, of the type if it is known.
    pub(super) fn loop_value(&mut self, loop_: &ExprLoop, ty: Option<&Type>) -> TokenStream {
        let span = loop_.loop_token.span;
        if !is_left(&loop_.body, loop_.label.as_ref(), true) {
            let (statements, private) = (self.loop_with(loop_, None), paths::private(span));
            return scope(span, quote_spanned!(span=> #statements #private::Never));
        }
        let slot = self.fresh("loop", span);
        let statements = self.loop_with(loop_, Some(slot.clone()));
        let (k, turbofish) = (self.builder.at(span), ty.map(|ty| quote!(::<#ty>)));
        quote_spanned!(span=> { let #slot = #k.slot #turbofish (); #statements #slot })
    }

    fn loop_with(&mut self, loop_: &ExprLoop, slot: Option<proc_macro2::Ident>) -> TokenStream {
        let span = loop_.loop_token.span;
        let begin = self.call(loop_.loop_token, "begin_loop", span, &TokenStream::new());
        let target = Target::new(TargetKind::Loop, loop_.label.as_ref(), slot);
        let body = self.within(target, |emitter| emitter.block(&loop_.body));
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; #body #k.end_loop();)
    }

    /// `'a: { .. }` as a statement.
    pub(super) fn labelled_block(&mut self, block: &ExprBlock) -> TokenStream {
        let label = block.label.as_ref();
        if label.is_none() {
            return self.block(&block.block);
        }
        if !is_left(&block.block, label, false) {
            let target = Target::new(TargetKind::Unused, label, None);
            return self.within(target, |emitter| emitter.block(&block.block));
        }
        let span = block.block.brace_token.span.open();
        let begin = self.call(label, "begin_block", span, &TokenStream::new());
        let target = Target::new(TargetKind::Block, label, None);
        let body = self.within(target, |emitter| emitter.block(&block.block));
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; #body #k.end_block();)
    }

    /// `'a: { .. }` as a value.
    pub(super) fn labelled_value(&mut self, block: &ExprBlock, ty: Option<&Type>) -> TokenStream {
        let label = block.label.as_ref();
        if !is_left(&block.block, label, false) {
            let target = Target::new(TargetKind::Unused, label, None);
            return self.within(target, |emitter| emitter.block_value(&block.block, ty));
        }
        let span = block.block.brace_token.span.open();
        let slot = self.fresh("block", span);
        let begin = self.call(label, "begin_block", span, &TokenStream::new());
        let target = Target::new(TargetKind::Block, label, Some(slot.clone()));
        let body = self.within(target, |emitter| emitter.giving_block(&block.block, "give", &slot));
        let (k, turbofish) = (self.builder.at(span), ty.map(|ty| quote!(::<#ty>)));
        quote_spanned!(span=> { let #slot = #k.slot #turbofish (); #begin; #body #k.end_block(); #slot })
    }

    pub(super) fn for_loop(&mut self, for_: &ExprForLoop) -> TokenStream {
        if let Some(tokens) = self.loop_over_field(for_) {
            return tokens;
        }
        if let Some(staged) = self.staged_loop(for_) {
            return staged;
        }
        if is_sequence(&for_.expr) || self.is_stepped(&for_.expr) {
            let target = Target::new(TargetKind::Counted, for_.label.as_ref(), None);
            return self.for_each(for_, |emitter| emitter.within(target, |emitter| emitter.block(&for_.body)));
        }
        let range = self.range(&for_.expr);
        // An iterator that is no range may yield patterns that a counter does not have.
        let name = range.as_ref().and_then(|_| self.pattern_name(&for_.pat));
        let target = Target::new(TargetKind::Counted, for_.label.as_ref(), None);
        let body = self.within(target, |emitter| emitter.statements(&for_.body));
        let Some(range) = range else { return TokenStream::new() };
        let (method, bounds) = (range.method, range.arguments);

        let span = for_.for_token.span;
        let place = self.spans.place((&for_.for_token, &for_.expr));
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
        braces(&for_.body, quote!(#declared #body #k.end_loop();))
    }
}
