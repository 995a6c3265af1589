//! The only file that spells paths of the `simt` crate and names that the expansion adds.

use crate::extent::first_token;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::cell::RefCell;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ItemFn, Path, Token};

thread_local! {
    /// The path to the crate, as the user's attribute has it, while an item is expanded.
    static CRATE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Expands an item with the crate at another path than `::simt`.
pub(crate) fn with_crate<T>(path: Option<&Path>, expand: impl FnOnce() -> T) -> T {
    let path = path.map(|path| path.to_token_stream().to_string());
    let outer = CRATE.replace(path);
    let expanded = expand();
    CRATE.set(outer);
    expanded
}

/// `crate = path`, the argument of an attribute.
pub(crate) fn crate_argument(arguments: &TokenStream) -> syn::Result<Path> {
    path_of_crate.parse2(arguments.clone())
}

fn path_of_crate(input: ParseStream<'_>) -> syn::Result<Path> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    input.call(Path::parse_mod_style)
}

/// The arguments of `#[kernel]`.
#[derive(Default)]
pub(crate) struct Arguments {
    /// `crate = path`
    pub(crate) simt: Option<Path>,
    /// `launch_bounds(256)`
    pub(crate) launch_bounds: Option<Expr>,
}

impl Arguments {
    /// `crate = path, launch_bounds(256)`, in any order
    pub(crate) fn parse(arguments: &TokenStream) -> syn::Result<Self> {
        let all = |input: ParseStream<'_>| {
            let mut all = Self::default();
            while !input.is_empty() {
                if input.peek(Token![crate]) && all.simt.is_none() {
                    all.simt = Some(path_of_crate(input)?);
                } else {
                    let name: Ident = input.parse()?;
                    let content;
                    syn::parenthesized!(content in input);
                    if name != "launch_bounds" || all.launch_bounds.is_some() {
                        return Err(syn::Error::new(name.span(), "another argument"));
                    }
                    all.launch_bounds = Some(content.parse()?);
                    content.parse::<Option<Token![,]>>()?;
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(all)
        };
        all.parse2(arguments.clone())
    }
}

/// The path of the crate, with the span of a user's token.
pub(crate) fn simt(span: Span) -> TokenStream {
    other_crate(span).unwrap_or_else(|| quote_spanned!(span=> ::simt))
}

/// The path of the crate where it has another name, with the span of a user's token.
pub(crate) fn other_crate(span: Span) -> Option<TokenStream> {
    let other: Option<TokenStream> = CRATE.with_borrow(|path| path.as_ref().and_then(|path| path.parse().ok()));
    let at = |mut token: proc_macro2::TokenTree| {
        token.set_span(span);
        token
    };
    other.map(|path| path.into_iter().map(at).collect())
}

/// The module of the functions that expansions call, with the span of a user's token.
pub(crate) fn private(span: Span) -> TokenStream {
    let simt = simt(span);
    quote_spanned!(span=> #simt::__private)
}

/// The builder, a local variable of the expansion.
///
/// Its hygiene is that of the kernel's `fn`, not `mixed_site`: the builder is the first token of the code for a user's
/// expression, and rustc underlines the whole of it only if its first and last token are of one kind. The name is reserved
/// instead.
#[derive(Clone, Copy)]
pub(crate) struct Builder {
    hygiene: Span,
}

impl Builder {
    pub(crate) fn of(function: &ItemFn) -> Self {
        Self { hygiene: function.sig.fn_token.span }
    }

    /// The builder's name, with the span of a user's token.
    pub(crate) fn at(self, span: Span) -> Ident {
        Ident::new("__simt_builder", span.resolved_at(self.hygiene))
    }

    /// `builder.method::<ty>(at, arguments)`
    pub(crate) fn call(self, call: Call<'_>, at: &Literal, arguments: &TokenStream) -> TokenStream {
        let Call { method, first, symbol, last, ty } = call;
        let (builder, method) = (self.at(first), Ident::new(method, symbol));
        let turbofish = ty.map(|ty| quote_spanned!(symbol=> ::<#ty>));
        // Where the builder has the span of the first argument, rustc cannot tell which of the two is wrong.
        let here = first_token(arguments.clone())
            .filter(|token| token.start() == first.start())
            .map(|_| quote_spanned!(symbol=> .here()));
        let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#at, #arguments));
        arguments.set_span(last);
        quote_spanned!(symbol=> #builder #here.#method #turbofish #arguments)
    }
}

/// A call of the builder, and the places in the user's code that its tokens have.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    pub(crate) first: Span,
    pub(crate) symbol: Span,
    pub(crate) last: Span,
    pub(crate) ty: Option<&'a TokenStream>,
}

/// A struct of which a field is named.
pub(crate) fn part(span: Span) -> Ident {
    Ident::new("__part", Span::mixed_site().located_at(span))
}

/// A new array, until it has its values.
pub(crate) fn array(span: Span) -> Ident {
    Ident::new("__array", Span::mixed_site().located_at(span))
}

/// The left value of an `assert_eq!`.
pub(crate) fn left(span: Span) -> Ident {
    Ident::new("__left", Span::mixed_site().located_at(span))
}

/// The right value of an `assert_eq!`.
pub(crate) fn right(span: Span) -> Ident {
    Ident::new("__right", Span::mixed_site().located_at(span))
}

/// The place for the value of an `if`.
pub(crate) fn slot(span: Span) -> Ident {
    Ident::new("__slot", Span::mixed_site().located_at(span))
}

/// A name that the macro makes, which the user's code cannot see.
pub(crate) fn own(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site().located_at(span))
}

/// The name of an item or a method that the macro makes.
pub(crate) fn item(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__{name}"), span)
}

/// The place for the result of a device function.
pub(crate) fn result(span: Span) -> Ident {
    own("result", span)
}

/// The counter of a `for` whose body has a variable of its own.
pub(crate) fn counter(span: Span) -> Ident {
    Ident::new("__counter", Span::mixed_site().located_at(span))
}
