//! The only file that spells paths of the `simt` crate and names that the expansion adds.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ItemFn;

/// The module of what expansions call, at a place of the user's.
pub(crate) fn private(span: Span) -> TokenStream {
    quote_spanned!(span=> ::simt::__private)
}

/// The builder, a local variable of the expansion.
///
/// Its hygiene is that of the kernel's `fn`, not `mixed_site`: the builder is the first token of what stands for a user's
/// expression, and rustc underlines the whole of it only if its first and last token are of one kind. The name is
/// reserved instead.
#[derive(Clone, Copy)]
pub(crate) struct Builder {
    hygiene: Span,
}

impl Builder {
    pub(crate) fn of(function: &ItemFn) -> Self {
        Self { hygiene: function.sig.fn_token.span }
    }

    /// The builder's name at a place of the user's.
    pub(crate) fn at(self, span: Span) -> Ident {
        Ident::new("__simt_builder", span.resolved_at(self.hygiene))
    }
}

/// The place for the value of an `if`.
pub(crate) fn slot(span: Span) -> Ident {
    Ident::new("__slot", Span::mixed_site().located_at(span))
}

/// The counter of a `for` whose body has a variable of its own.
pub(crate) fn counter(span: Span) -> Ident {
    Ident::new("__counter", Span::mixed_site().located_at(span))
}
