//! Collects mistakes, so that one compilation shows them all.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt;

/// The mistakes of one expansion, in the order in which they were found.
#[derive(Default)]
#[must_use]
pub(crate) struct Report {
    errors: Option<syn::Error>,
}

impl Report {
    /// A mistake, at the span of some tokens.
    pub(crate) fn error(&mut self, tokens: impl ToTokens, message: impl fmt::Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake at one token.
    pub(crate) fn error_at(&mut self, span: Span, message: impl fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_none()
    }

    /// How many mistakes there are so far.
    pub(crate) fn len(&self) -> usize {
        self.errors.iter().flatten().count()
    }

    pub(crate) fn into_tokens(self) -> TokenStream {
        self.errors.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}
