//! From the kernel's syntax to calls of the builder, one call for each piece of the user's code.
//!
//! | file | what it emits |
//! |---|---|
//! | `block` | blocks and their statements, `let` |
//! | `value` | expressions that have a value |
//! | `branch` | `if` |
//! | `repeat` | loops and jumps |
//! | `assign` | assignments |
//! | `attributes` | which attributes a body may have |
//! | `number` | calls, methods and fields: the numbers that a thread can ask for |
//! | `order` | where an operand must be held because a later one may emit statements |
//!
//! Invariant: the calls are made in the order in which Rust evaluates the expressions.

mod assign;
mod attributes;
mod block;
mod branch;
mod number;
mod order;
mod repeat;
mod value;

use crate::item::{Kernel, ParamKind};
use crate::paths::{Builder, Call};
use crate::report::Report;
use crate::spans::{Extent, Place, SpanTable};
use crate::text::{self, Text};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use repeat::Surrounding;
use syn::Expr;
use syn::ext::IdentExt;

/// What the macro makes of a kernel.
pub(crate) struct Body {
    pub(crate) text: Text,
    pub(crate) spans: SpanTable,
    /// Statements of Rust that build the program.
    pub(crate) statements: TokenStream,
}

/// Emits the calls that build a kernel's program. What they are does not matter if there is a mistake.
pub(crate) fn body(kernel: &Kernel<'_>, report: &mut Report) -> Body {
    attributes::check(&kernel.function.block, report);
    let builder = Builder::of(kernel.function);
    let mut emitter = Emitter { report, builder, spans: SpanTable::default(), surrounding: Vec::new() };
    let mut statements = emitter.params(kernel);
    statements.extend(emitter.statements(&kernel.function.block));
    Body { text: text::of(kernel.function), spans: emitter.spans, statements }
}

struct Emitter<'r> {
    report: &'r mut Report,
    builder: Builder,
    spans: SpanTable,
    /// What a `break` stands in, innermost last.
    surrounding: Vec<Surrounding>,
}

impl Emitter<'_> {
    fn params(&mut self, kernel: &Kernel<'_>) -> TokenStream {
        let declared = kernel.params.iter().map(|param| {
            let (method, ty) = match param.kind {
                ParamKind::Scalar(ty) => ("scalar", ty),
                ParamKind::Slice(element) => ("slice", element),
                ParamKind::SliceMut(element) => ("slice_mut", element),
            };
            let (name, title) = (param.name, title(param.name));
            let place = self.spans.place(param.tokens);
            let declared = self.call_typed(&place, method, name.span(), &quote!(#ty), &quote!(#title));
            let declaration = quote_spanned!(name.span()=> let #name = #declared;);
            if !param.mutable {
                return declaration;
            }
            let copy = self.call_at(&place, "bind_mut", name.span(), &quote!(#title, #name));
            quote_spanned!(name.span()=> #declaration let #name = #copy;)
        });
        declared.collect()
    }

    /// The call of a builder's method that stands for `tokens`, of which `symbol` shows what is done.
    fn call(&mut self, tokens: impl ToTokens, method: &str, symbol: Span, arguments: &TokenStream) -> TokenStream {
        let place = self.spans.place(tokens);
        self.call_at(&place, method, symbol, arguments)
    }

    /// `k.method(at, arguments)`. Its first token has the place of the user's first one and its last that of the last, so
    /// that rustc underlines the user's whole expression; where rustc points at the method, it points at `symbol`.
    fn call_at(&self, place: &Place, method: &str, symbol: Span, arguments: &TokenStream) -> TokenStream {
        let Extent { first, last } = place.extent;
        self.builder.call(Call { method, first, symbol, last, ty: None }, &place.at, arguments)
    }

    /// `k.method::<ty>(at, arguments)`
    fn call_typed(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        ty: &TokenStream,
        arguments: &TokenStream,
    ) -> TokenStream {
        let Extent { first, last } = place.extent;
        self.builder.call(Call { method, first, symbol, last, ty: Some(ty) }, &place.at, arguments)
    }
}

/// A name as a reader knows it.
fn title(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The expression without parentheses and the invisible groups of macros.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        _ => expr,
    }
}

/// A group in braces that has the place of the user's block.
fn braces(block: &syn::Block, content: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Brace, content);
    group.set_span(block.brace_token.span.open());
    group.into_token_stream()
}
