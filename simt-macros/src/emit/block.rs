//! Blocks, statements and `let`.

use super::branch::Arms;
use super::in_parts::in_parts;
use super::jump::{always_jumps, block_always_jumps};
use super::matching::Condition;
use super::overwritten::overwritten;
use super::{Emitter, braces, title};
use crate::item::Kind;
use crate::spans::Place;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::token::Else;
use syn::{Block, Expr, ExprBlock, Local, LocalInit, Pat, PatIdent, Stmt, Type};

impl Emitter<'_> {
    /// A block without a value, in braces.
    pub(super) fn block(&mut self, block: &Block) -> TokenStream {
        let statements = self.statements(block);
        braces(block, statements)
    }

    /// The statements of a block without a value.
    pub(super) fn statements(&mut self, block: &Block) -> TokenStream {
        let known = self.closures.len();
        let mut statements = self.unreachable(block);
        statements.extend(overwritten(block));
        let (before, rest) = self.up_to_rest(block, block.stmts.len());
        statements.extend(before);
        self.rests += usize::from(rest.is_some());
        statements.extend(rest.as_ref().map(|rest| self.expression_statement(rest, true)));
        self.rests -= usize::from(rest.is_some());
        self.closures.truncate(known);
        statements
    }

    /// A block whose value is wanted, in braces; `use_value` gets the expression that is its value.
    ///
    /// A block that ends in a jump has no value to use.
    pub(super) fn block_with_value(
        &mut self,
        block: &Block,
        use_value: impl FnOnce(&mut Self, &Expr) -> TokenStream,
        no_value: TokenStream,
    ) -> TokenStream {
        let (last, others) = match block.stmts.split_last() {
            Some((Stmt::Expr(value, None), others)) => (Some(value), others),
            _ => (None, &block.stmts[..]),
        };
        let known = self.closures.len();
        let mut statements = self.unreachable(block);
        statements.extend(overwritten(block));
        let (before, rest) = self.up_to_rest(block, others.len());
        statements.extend(before);
        self.rests += usize::from(rest.is_some());
        if let (Some(rest), None) = (&rest, last) {
            statements.extend(self.expression_statement(rest, true));
        }
        match last {
            Some(value) => statements.extend(use_value(self, rest.as_ref().unwrap_or(value))),
            None if others.last().is_some_and(always_jumps) => statements.extend(no_value),
            None => self.report.error_at(
                block.brace_token.span.close(),
                "this block has no value: end it with an expression without `;`",
            ),
        }
        self.rests -= usize::from(rest.is_some());
        self.closures.truncate(known);
        braces(block, statements)
    }

    /// The first statements of a block, up to one with which all that is behind it becomes an `if let`.
    fn up_to_rest(&mut self, block: &Block, count: usize) -> (TokenStream, Option<Expr>) {
        let mut statements = TokenStream::new();
        for (number, statement) in block.stmts.iter().enumerate().take(count) {
            let rest = self.rest_behind(&block.stmts[number..]);
            if rest.is_some() {
                return (statements, rest);
            }
            statements.extend(self.statement(statement));
        }
        (statements, None)
    }

    fn statement(&mut self, statement: &Stmt) -> TokenStream {
        match statement {
            Stmt::Local(local) if let Some(parts) = in_parts(local) => {
                parts.into_iter().map(|part| self.statement(&Stmt::Local(part))).collect()
            }
            Stmt::Local(local) => {
                match self.closure(local).or_else(|| self.iterator_local(local)).or_else(|| self.borrow(local)) {
                    Some(named) => named,
                    None => {
                        let known = self.closures.len();
                        let declared = self.local(local);
                        // What a pattern's names are, which hide others.
                        let bound = self.closures.split_off(known);
                        self.forget_closures(&local.pat);
                        self.closures.extend(bound);
                        self.name_referring(local);
                        self.name_range(local);
                        declared
                    }
                }
            }
            Stmt::Item(item) => self.item_statement(item),
            Stmt::Expr(expr, semicolon) => self.expression_statement(expr, semicolon.is_some()),
            Stmt::Macro(statement) => self.macro_statement(&statement.mac),
        }
    }

    /// An expression as a statement. Without a `;` it must be one that has no value.
    pub(super) fn expression_statement(&mut self, expr: &Expr, semicolon: bool) -> TokenStream {
        if let Some(statement) = self.call_statement(expr) {
            return statement;
        }
        if let Some(written) = self.written_item(expr, false) {
            return self.expression_statement(&written, true);
        }
        match expr {
            // A `;` alone.
            Expr::Verbatim(none) if none.is_empty() => TokenStream::new(),
            Expr::Paren(paren) => self.expression_statement(&paren.expr, semicolon),
            Expr::Group(group) => self.expression_statement(&group.expr, semicolon),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Binary(binary) if super::assign::is_compound(&binary.op) => self.compound_assign(binary),
            Expr::If(if_) => self.if_statement(if_),
            Expr::Match(match_) => self.match_(match_, &Arms::Statements),
            Expr::While(while_) => self.while_loop(while_),
            Expr::Loop(loop_) => self.endless_loop(loop_),
            Expr::ForLoop(for_) => self.for_loop(for_),
            Expr::Block(block) if let Some(attributes) = crate::attributed::of_statement(block) => {
                let statement = self.block(&block.block);
                quote!(#(#attributes)* #statement;)
            }
            Expr::Block(block) => self.labelled_block(block),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => TokenStream::new(),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                let jump = self.value(expr);
                quote!(#jump;)
            }
            _ => self.value_statement(expr, semicolon),
        }
    }

    /// A value that nothing uses.
    fn value_statement(&mut self, expr: &Expr, semicolon: bool) -> TokenStream {
        let mistakes = self.report.len();
        self.dropped = semicolon
            && match expr {
                Expr::Call(call) => super::call::is_device(call),
                Expr::MethodCall(_) => true,
                _ => false,
            };
        let value = self.value(expr);
        self.dropped = false;
        let unused = if semicolon { self.unused_value(expr) } else { TokenStream::new() };
        if let (Expr::Call(call), false) = (expr, semicolon)
            && super::call::is_device(call)
        {
            // Only rustc knows whether the function returns a value.
            let call = self.call(expr, "nothing", call.func.span(), &value);
            return quote!(#call;);
        }
        if let (Expr::Try(try_), false) = (expr, semicolon)
            && self.report.len() == mistakes
        {
            let call = self.call(expr, "nothing", try_.question_token.span, &value);
            return quote!(#call;);
        }
        if let (Expr::MethodCall(call), false) = (expr, semicolon)
            && (super::own::is_own(call) || self.known.may_be_own(call))
            && self.report.len() == mistakes
        {
            let call = self.call(expr, "nothing", call.method.span(), &value);
            return quote!(#call;);
        }
        if !semicolon && self.report.len() == mistakes && !self.kernel.has_refused_result.get() {
            let message = match self.kernel.kind {
                Kind::Kernel => {
                    "this value is not used: assign it, store it in a `&mut [T]` parameter, or end it with `;`"
                }
                Kind::Device => {
                    "this value is not used: assign it, end it with `;`, or return it: a function's result has its type \
                     behind the parameters, `-> T`"
                }
            };
            self.report.error(expr, message);
            self.kernel.has_refused_result.set(true);
        }
        let place = self.spans.place(expr);
        let call = self.call_at(&place, "evaluate", place.extent.first, &value);
        quote!(#unused #call;)
    }

    fn local(&mut self, local: &Local) -> TokenStream {
        if let Some(array) = self.array(local) {
            return array;
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(crate::field_types::as_value(&typed.ty))),
            pattern => (pattern, None),
        };
        let ty = ty.as_ref();
        let Some(LocalInit { expr, diverge, .. }) = &local.init else {
            return self.assigned_later(local, pattern, ty);
        };
        if let Some((token, otherwise)) = diverge {
            return self.let_else(local, expr, *token, otherwise);
        }
        if let Pat::Type(typed) = &local.pat
            && matches!(crate::item::bare(&typed.ty), Type::Reference(reference) if reference.mutability.is_some())
            && super::call::is_converted(expr)
        {
            let message = "in a kernel, this is an array with the values of the slice's elements, and not these: write a part of the \
                           slice, `let a = &mut x[..4];`";
            self.report.error(&typed.ty, message);
        }
        if !matches!(pattern, Pat::Ident(_) | Pat::Wild(_)) && ty.is_none() && self.is_behind(expr, pattern) {
            let (subject, kept, matched) = self.subject_of(expr, &[pattern]);
            let names = self.destructured_by(pattern, &subject, &matched);
            return quote_spanned!(local.let_token.span=> #kept #names);
        }
        if !is_of_names(pattern) {
            return self.let_pattern(local, pattern, ty, expr);
        }
        let (value, begun) = self.value_to_name(expr, ty);
        let place = self.spans.place(local);
        let attributes = &local.attrs;
        if let Pat::Tuple(tuple) = pattern {
            return self.let_tuple(&place, attributes, tuple, ty, &value);
        }
        let name = self.pattern_name(pattern);
        let Some(name @ PatIdent { ident, mutability, .. }) = name else {
            let call = self.declare(&place, "evaluate", local.let_token.span, ty, &value);
            return quote!(#call;);
        };
        let (title, flaw) = (title(ident), self.unneeded_mut(attributes, name));
        if self.may_be_array(expr) {
            let method = Ident::new(if mutability.is_some() { "named_mut" } else { "named" }, ident.span());
            let nameable = match begun {
                Some(begun) => self.nameable_result(&begun, &place, ident.span()),
                None => self.declare(&place, "nameable", ident.span(), ty, &value),
            };
            return quote_spanned!(ident.span()=> #flaw #(#attributes)* let #ident = #nameable.#method(#title););
        }
        let method = if mutability.is_some() { "bind_mut" } else { "bind" };
        let call = self.declare(&place, method, ident.span(), ty, &quote!(#title, #value));
        quote_spanned!(ident.span()=> #flaw #(#attributes)* let #ident = #call;)
    }

    /// Whether a value may be an array, which gets an array of the thread's for its name. Of a block or the like rustc does not
    /// know the type yet.
    pub(super) fn may_be_array(&self, value: &Expr) -> bool {
        let is_known = match super::bare(value) {
            Expr::Call(call) => super::numeric::comparing(call).is_none(),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Try(_) => true,
            Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
            _ => false,
        };
        is_known && !self.known.is_scalar(value)
    }

    /// `let pattern = value else { .. };`: an `if` that does nothing where the pattern matches.
    fn let_else(&mut self, local: &Local, value: &Expr, token: Else, otherwise: &Expr) -> TokenStream {
        if let Pat::Type(typed) = &local.pat {
            self.report.error(&typed.ty, "in a kernel, the pattern of a `let else` has no type: remove it");
            return TokenStream::new();
        }
        let Expr::Block(ExprBlock { block: otherwise, .. }) = otherwise else { return self.unsupported(otherwise) };
        if !block_always_jumps(otherwise) {
            let message =
                "this block must not go on behind the `let`: end it with `return`, `break`, `continue` or `panic!`";
            self.report.error_at(otherwise.brace_token.span.close(), message);
        }
        if let Some(next) = self.let_next(&local.pat, value, otherwise) {
            return next;
        }
        let place = self.spans.place(local);
        let Condition { declared, holds, bound } = self.pattern_condition(&local.pat, value, local.let_token.span);
        let begin = self.call_at(&place, "begin_if", token.span, &holds);
        let block = self.block(otherwise);
        let k = self.builder.at(token.span);
        quote_spanned!(token.span=> #declared #begin; #k.begin_else(); #block #k.end_if(); #bound)
    }

    /// `let P { x, .. } = value;`: rustc checks that the pattern always matches.
    fn let_pattern(&mut self, local: &Local, pattern: &Pat, ty: Option<&Type>, value: &Expr) -> TokenStream {
        let span = local.let_token.span;
        if let (None, Some((subject, kept))) = (ty, self.array_subject(value, &[pattern])) {
            let names = self.destructured(pattern, &subject);
            return quote_spanned!(span=> #kept #names);
        }
        let (place, matched) = (self.spans.place(value), self.matched(value));
        let value = self.typed_value(value, ty);
        let subject = self.fresh("value", place.extent.first);
        let kept = self.declare(&place, "keep", place.extent.first, ty, &value);
        let names = self.matched_as(matched, |emitter| emitter.destructured(pattern, &subject));
        quote_spanned!(span=> let #subject = #kept; #names)
    }

    /// The name in a pattern; `None` for `_`, and for a pattern without a name.
    pub(super) fn pattern_name<'a>(&mut self, pattern: &'a Pat) -> Option<&'a PatIdent> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => return Some(name),
            Pat::Wild(_) => {}
            Pat::Paren(paren) => return self.pattern_name(&paren.pat),
            other => {
                self.report.error(
                    other,
                    "this pattern is not supported here: write a name, `x` or `mut x`, or a tuple of names",
                );
            }
        }
        None
    }

    /// A declaration's call, with the type if the user wrote it.
    pub(super) fn declare(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        ty: Option<&Type>,
        arguments: &TokenStream,
    ) -> TokenStream {
        match ty {
            Some(ty) => self.call_typed(place, method, symbol, &quote!(#ty), arguments),
            None => self.call_at(place, method, symbol, arguments),
        }
    }
}

/// Whether a pattern is a name, or a tuple of names: a declaration for each, and nothing to check.
pub(super) fn is_of_names(pattern: &Pat) -> bool {
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_of_names),
        Pat::Paren(paren) => is_of_names(&paren.pat),
        Pat::Ident(name) => name.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    }
}
