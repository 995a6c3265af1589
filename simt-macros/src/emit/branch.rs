//! `if`, as a statement and as a value.

use super::Emitter;
use crate::paths;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprIf, Type};

/// Whether the arms of an `if` have values.
#[derive(Clone, Copy, PartialEq)]
enum Arms {
    Statements,
    Values,
}

impl Emitter<'_> {
    pub(super) fn if_statement(&mut self, if_: &ExprIf) -> TokenStream {
        self.if_(if_, Arms::Statements)
    }

    /// `{ let slot = ..; if .. { slot = a } else { slot = b }; slot }`, of the type if it is known.
    pub(super) fn if_value(&mut self, if_: &ExprIf, ty: Option<&Type>) -> TokenStream {
        let span = if_.if_token.span;
        let (k, slot) = (self.builder.at(span), paths::slot(span));
        let arms = self.if_(if_, Arms::Values);
        let turbofish = ty.map(|ty| quote!(::<#ty>));
        quote_spanned!(span=> { let #slot = #k.slot #turbofish (); #arms #slot })
    }

    fn if_(&mut self, if_: &ExprIf, arms: Arms) -> TokenStream {
        let span = if_.if_token.span;
        let cond = self.value(&if_.cond);
        let (token, header) = (&if_.if_token, &if_.cond);
        let begin = self.call(quote!(#token #header), "begin_if", span, &cond);
        let then = self.arm(&if_.then_branch, arms);
        let otherwise = match &if_.else_branch {
            Some((_, otherwise)) => match super::bare(otherwise) {
                Expr::If(chained) => self.if_(chained, arms),
                Expr::Block(block) => self.arm(&block.block, arms),
                other => self.unsupported(other),
            },
            None if arms == Arms::Values => {
                self.report.error_at(span, "an `if` whose value is used needs an `else`");
                TokenStream::new()
            }
            None => TokenStream::new(),
        };
        let k = self.builder.at(span);
        quote_spanned!(span=> #begin; #then #k.begin_else(); #otherwise #k.end_if();)
    }

    fn arm(&mut self, block: &Block, arms: Arms) -> TokenStream {
        match arms {
            Arms::Statements => self.block(block),
            Arms::Values => self.block_with_value(block, Self::give, TokenStream::new()),
        }
    }

    /// Makes the value of an arm the `if`'s.
    fn give(&mut self, value: &Expr) -> TokenStream {
        match super::bare(value) {
            Expr::If(nested) => self.if_(nested, Arms::Values),
            Expr::Block(nested) if nested.label.is_none() => self.arm(&nested.block, Arms::Values),
            _ => {
                let tokens = self.value(value);
                let place = self.spans.place(value);
                let slot = paths::slot(Span::call_site());
                let give = self.call_at(&place, "give", place.extent.first, &quote!(#slot, #tokens));
                quote!(#give;)
            }
        }
    }

    /// A block as a value.
    pub(super) fn block_value(&mut self, block: &Block) -> TokenStream {
        let span = block.brace_token.span.close();
        let private = paths::private(span);
        self.block_with_value(block, Self::value, quote_spanned!(span=> #private::Never))
    }

    pub(super) fn unsupported(&mut self, expr: &Expr) -> TokenStream {
        let (tokens, message) = crate::unsupported::expression(expr);
        self.report.error(tokens, message);
        quote!(())
    }
}
