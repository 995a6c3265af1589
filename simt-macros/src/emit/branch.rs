//! `if` and blocks, as statements and as values.

use super::carried::as_slice;
use super::links::links;
use super::matching::Condition;
use super::{Emitter, scope};
use crate::lifetimes::is_ref_atomic;
use crate::paths;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprIf, ExprMethodCall, Stmt, Type, parse_quote};

/// The use of the arms' values.
#[derive(Clone)]
pub(super) enum Arms {
    /// The arms have no values.
    Statements,
    /// A method of the builder takes them, with the slot they go to.
    Values {
        /// `give` or `give_result`
        method: &'static str,
        /// The slot.
        slot: Ident,
    },
}

impl Emitter<'_> {
    pub(super) fn if_statement(&mut self, if_: &ExprIf) -> TokenStream {
        self.if_(if_, &Arms::Statements)
    }

    /// An expression as a value, of the type if it is known: rustc then finds a mistake in the arm that has it.
    pub(super) fn typed_value(&mut self, expr: &Expr, ty: Option<&Type>) -> TokenStream {
        match super::bare(expr) {
            Expr::If(_) | Expr::Match(_) => self.slot_value(expr, ty),
            Expr::Loop(loop_) => self.loop_value(loop_, ty),
            Expr::Block(block) if block.label.is_some() => self.labelled_value(block, ty),
            Expr::Block(block) => match &block.block.stmts[..] {
                // Braces around one operand would be an argument's, and a lint says that it needs none.
                [Stmt::Expr(value, None)] => self.typed_value(value, ty),
                _ => self.block_value(&block.block, ty),
            },
            // What type a sum has decides how it is made.
            Expr::MethodCall(call)
                if (call.method == "sum" || call.method == "product")
                    && call.turbofish.is_none()
                    && ty.is_some_and(|ty| !self.known.is_scalar_type(ty))
                    && super::ends::is_end(call, self) =>
            {
                let call = ExprMethodCall { turbofish: Some(parse_quote!(::<#ty>)), ..call.clone() };
                self.value(&Expr::MethodCall(call))
            }
            _ => self.value(expr),
        }
    }

    /// `{ let slot = ..; if .. { slot = a } else { slot = b }; slot }`
    pub(super) fn slot_value(&mut self, expr: &Expr, ty: Option<&Type>) -> TokenStream {
        let span = crate::extent::Extent::of(expr).first;
        let (k, slot) = (self.builder.at(span), paths::slot(span));
        let arms = self.give(expr, &Arms::Values { method: "give", slot: slot.clone() });
        let turbofish = ty.map(|ty| quote!(::<#ty>));
        quote_spanned!(span=> { let #slot = #k.slot #turbofish (); #arms #slot })
    }

    /// An `if` and the `else if`s that hang on it. A loop, because generated chains can be long.
    pub(super) fn if_(&mut self, if_: &ExprIf, arms: &Arms) -> TokenStream {
        let (mut if_, mut chain, mut ends) = (if_, TokenStream::new(), Vec::new());
        loop {
            let span = if_.if_token.span;
            if let Some(next) = self.if_next(if_, arms) {
                chain.extend(next);
                chain.extend(ends.into_iter().rev());
                return chain;
            }
            if let Some(links) = links(&if_.cond) {
                chain.extend(self.linked_if(if_, &links, arms));
                chain.extend(ends.into_iter().rev());
                return chain;
            }
            let place = self.spans.place((&if_.if_token, &if_.cond));
            let known = self.closures.len();
            let Condition { declared, holds, bound } = self.condition(&if_.cond);
            let begin = self.call_at(&place, "begin_if", span, &holds);
            let then = self.arm(&if_.then_branch, arms);
            self.closures.truncate(known);
            let k = self.builder.at(span);
            // What the condition declares is not seen by the `else`.
            let then = if declared.is_empty() {
                quote_spanned!(span=> #begin; #then)
            } else {
                let then = scope(span, quote!(#bound #then));
                scope(span, quote_spanned!(span=> #declared #begin; #then))
            };
            let begun = quote_spanned!(span=> #then #k.begin_else(););
            let end = quote_spanned!(span=> #k.end_if(););
            let otherwise = match (&if_.else_branch, arms) {
                (Some((_, otherwise)), _) => match super::bare(otherwise) {
                    Expr::If(chained) => {
                        chain.extend(begun);
                        ends.push(end);
                        if_ = chained;
                        continue;
                    }
                    Expr::Block(block) => self.arm(&block.block, arms),
                    other => self.unsupported(other),
                },
                (None, Arms::Values { .. }) => {
                    self.report.error_at(span, "an `if` whose value is used needs an `else`");
                    TokenStream::new()
                }
                (None, Arms::Statements) => TokenStream::new(),
            };
            chain.extend(quote!(#begun #otherwise #end));
            chain.extend(ends.into_iter().rev());
            return chain;
        }
    }

    pub(super) fn arm(&mut self, block: &Block, arms: &Arms) -> TokenStream {
        match arms {
            Arms::Statements => self.block(block),
            Arms::Values { method, slot } => self.giving_block(block, method, slot),
        }
    }

    /// A block whose value goes to a slot.
    pub(super) fn giving_block(&mut self, block: &Block, method: &'static str, slot: &Ident) -> TokenStream {
        let arms = Arms::Values { method, slot: slot.clone() };
        self.block_with_value(block, |emitter, value| emitter.give(value, &arms), TokenStream::new())
    }

    /// Makes the value of an arm that of the whole.
    pub(super) fn give(&mut self, value: &Expr, arms: &Arms) -> TokenStream {
        let Arms::Values { method, slot } = arms else {
            return self.expression_statement(value, false);
        };
        if let Some(written) = self.written_item(value, true) {
            return self.give(&written, arms);
        }
        match super::bare(value) {
            Expr::If(nested) => self.if_(nested, arms),
            Expr::Match(nested) => self.match_(nested, arms),
            Expr::Block(nested) if nested.label.is_none() => self.arm(&nested.block, arms),
            _ => {
                // Of the function's own result the type is known.
                let is_call = matches!(super::bare(value), Expr::MethodCall(_));
                let ty = self.kernel.result.filter(|_| is_call && *method == "give_result");
                let tokens = match *method {
                    "give_result" | "give_slice" => self.result_value(value, ty),
                    _ => self.typed_value(value, ty),
                };
                let place = self.spans.place(value);
                let give = self.call_at(&place, method, place.extent.first, &quote!(#slot, #tokens));
                quote!(#give;)
            }
        }
    }

    /// What a function gives: of a reference to an atomic, that, and not what it refers to.
    pub(super) fn result_value(&mut self, value: &Expr, ty: Option<&Type>) -> TokenStream {
        match super::bare(value) {
            Expr::Reference(reference) if self.kernel.result.is_some_and(is_ref_atomic) => {
                self.place_referred_to(reference).unwrap_or_else(|| quote!(()))
            }
            _ if self.kernel.returns_slice()
                && let Some(slice) = as_slice(value) =>
            {
                self.typed_value(&slice, ty)
            }
            _ => self.typed_value(value, ty),
        }
    }

    /// A block as a value.
    pub(super) fn block_value(&mut self, block: &Block, ty: Option<&Type>) -> TokenStream {
        let span = block.brace_token.span.close();
        let private = paths::private(span);
        let use_value = |emitter: &mut Self, value: &Expr| emitter.typed_value(value, ty);
        self.block_with_value(block, use_value, quote_spanned!(span=> #private::Never))
    }

    /// The body of a device function that has a result.
    pub(super) fn result(&mut self, block: &Block) -> TokenStream {
        if self.kernel.given_items().is_some() {
            return self.iterator_body(block);
        }
        let slot = paths::result(block.brace_token.span.open());
        let method = if self.kernel.returns_slice() { "give_slice" } else { "give_result" };
        self.giving_block(block, method, &slot)
    }

    pub(super) fn unsupported(&mut self, expr: &Expr) -> TokenStream {
        let (tokens, message) = crate::unsupported::expression(expr);
        self.report.error(tokens, message);
        quote!(())
    }
}
