//! Items in a body: constants, types, and functions, which are device functions.

use super::Emitter;
use crate::function_tables;
use crate::paths;
use crate::unsupported;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, Item, ItemConst, ItemFn, StaticMutability, parse_quote};

impl Emitter<'_> {
    /// An item, which is Rust's own, but for functions: those that a kernel sees are called by it.
    pub(super) fn item_statement(&mut self, item: &Item) -> TokenStream {
        match item {
            // A table of device functions is one of the kernel's own.
            Item::Const(table) if function_tables::functions(&table.ty).is_some() => {
                of_device(item, &table.attrs, table.const_token.span)
            }
            Item::Const(constant) => self.constant(constant),
            // Expanded by then.
            Item::Use(_) | Item::Type(_) | Item::Struct(_) | Item::Enum(_) | Item::Mod(_) => item.to_token_stream(),
            Item::Static(item) if !matches!(item.mutability, StaticMutability::Mut(_)) => item.to_token_stream(),
            Item::Fn(function) => of_device(item, &function.attrs, function.sig.fn_token.span),
            Item::Impl(implementation) => of_device(item, &implementation.attrs, implementation.impl_token.span),
            Item::Trait(definition) => of_device(item, &definition.attrs, definition.trait_token.span),
            item => {
                let (tokens, message) = unsupported::item(item);
                self.report.error(tokens, message);
                TokenStream::new()
            }
        }
    }
}

impl Emitter<'_> {
    /// A constant; one that is made by a `const fn` of the body has that function, as the host calls it, beside it.
    fn constant(&self, constant: &ItemConst) -> TokenStream {
        let mut functions = ConstFunctions(Vec::new());
        functions.visit_block(&self.kernel.function.block);
        let mut calls = Calls { of: &functions.0, found: false };
        calls.visit_item_const(constant);
        if !calls.found {
            return constant.to_token_stream();
        }
        let (mut constant, functions) = (constant.clone(), &functions.0);
        let value = &constant.expr;
        constant.expr = parse_quote!({
            #(#[allow(dead_code, reason = "another constant's")] #functions)*
            #value
        });
        constant.to_token_stream()
    }
}

/// The `const fn`s of a body.
struct ConstFunctions<'a>(Vec<&'a ItemFn>);

impl<'a> Visit<'a> for ConstFunctions<'a> {
    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        if function.sig.constness.is_some() {
            self.0.push(function);
        }
    }
}

/// Whether some of them are called.
struct Calls<'a> {
    of: &'a [&'a ItemFn],
    found: bool,
}

impl<'a> Visit<'a> for Calls<'_> {
    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if let Expr::Path(path) = &*call.func {
            self.found |= self.of.iter().any(|function| path.path.is_ident(&function.sig.ident));
        }
        visit::visit_expr_call(self, call);
    }
}

/// The item with `#[device]`, if it has not.
fn of_device(item: &Item, attributes: &[Attribute], span: Span) -> TokenStream {
    let has = |attribute: &Attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "device");
    if attributes.iter().any(has) {
        return item.to_token_stream();
    }
    let span = Span::call_site().located_at(if span.start().line > 0 { span } else { item.span() });
    let simt = paths::simt(span);
    let path = paths::other_crate(span).map(|path| quote_spanned!(span=> (crate = #path)));
    quote_spanned!(span=> #[#simt::device #path] #item)
}
