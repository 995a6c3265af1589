//! `#[device] const OPS: [fn(f32, f32) -> f32; 3] = [add, sub, mul];`: tables of device functions.
//!
//! A table is a device function of its name, which has the index in front of the other parameters and calls the function of
//! that number by a `match`. A kernel calls it by `OPS[i](a, b)`. For the host there is no table, as it cannot call device
//! functions.

use crate::device;
use crate::emit;
use crate::item::{self, Kernel, Kind};
use crate::report::Report;
use crate::text;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ItemConst, ReturnType, Type, TypeFnPtr};

/// The functions' type, and the length, if a constant is a table of functions.
pub(crate) fn functions(ty: &Type) -> Option<(&TypeFnPtr, Option<&Expr>)> {
    let (element, length) = match ty {
        Type::Array(array) => (&*array.elem, Some(&array.len)),
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => (&*slice.elem, None),
            inner => return functions(inner),
        },
        Type::Paren(inner) => return functions(&inner.elem),
        Type::Group(inner) => return functions(&inner.elem),
        _ => return None,
    };
    match element {
        Type::FnPtr(function) => Some((function, length)),
        _ => None,
    }
}

/// The device function that calls those of the table, or the mistakes.
pub(crate) fn expand(mut report: Report, table: &ItemConst) -> TokenStream {
    let Some((pointer, length)) = functions(&table.ty) else { return TokenStream::new() };
    let paths = entries(&table.expr, &mut report);
    let span = table.expr.span();
    let count = paths.len();
    let checked = length.map(|length| {
        let found = quote_spanned!(span=> [(); #count]);
        quote!(const _: [(); #length] = #found;)
    });
    let function = match item::parse(Kind::Device, function(table, pointer, &paths)) {
        Ok(function) => function,
        Err(_) => {
            report.error(&table.ty, "a table of functions has a type such as `[fn(f32) -> f32; 3]`");
            return report.into_tokens();
        }
    };
    let kernel = Kernel::of(Kind::Device, &function, &mut report);
    // Those that are wrong have no body, which would be wrong, too.
    let mut body = if report.is_empty() { emit::body(&kernel, &mut report) } else { emit::Body::default() };
    if !report.is_empty() {
        let errors = report.into_tokens();
        let device = device::without_body(&kernel);
        return quote!(#errors #device);
    }
    let written = ItemConst { attrs: Vec::new(), ..table.clone() };
    body.text = text::of_item(written.to_token_stream(), span);
    let device = device::device(&kernel, &body);
    quote!(#device #checked)
}

/// The functions that a table names.
fn entries<'a>(value: &'a Expr, report: &mut Report) -> Vec<&'a Expr> {
    let elements = match value {
        Expr::Array(array) => &array.elems,
        Expr::Reference(reference) => return entries(&reference.expr, report),
        Expr::Paren(paren) => return entries(&paren.expr, report),
        Expr::Group(group) => return entries(&group.expr, report),
        other => {
            report.error(other, "a table of functions has their names: write `[add, sub]`");
            return Vec::new();
        }
    };
    if let Some(other) = elements.iter().find(|element| !matches!(element, Expr::Path(_))) {
        report.error(other, "a table has the names of `#[device]` functions");
    }
    if elements.is_empty() {
        report.error(value, "a table of functions has at least one");
    }
    elements.iter().collect()
}

/// `fn OPS(index: usize, a: A, ..) -> R { match index { 0 => add(a, ..), .. } }`
fn function(table: &ItemConst, pointer: &TypeFnPtr, paths: &[&Expr]) -> TokenStream {
    let ItemConst { attrs, vis, ident, .. } = table;
    let (span, count) = (table.expr.span(), paths.len());
    // Where an entry is wrong, rustc points at the arguments that it gets.
    let name = |text: &str, at: Span| Ident::new(text, at.resolved_at(table.const_token.span));
    let index = name("__index", span);
    let arguments = |at: Span| (0..pointer.inputs.len()).map(move |number| name(&format!("__argument_{number}"), at));
    let names = arguments(span);
    let types = pointer.inputs.iter().map(|input| &input.ty);
    let message = format!("index {{}} is out of bounds of `{ident}`, whose length is {count}");
    let has_result = matches!(&pointer.output, ReturnType::Type(_, ty) if !matches!(&**ty, Type::Tuple(unit) if unit.elems.is_empty()));
    let output = has_result.then_some(&pointer.output);
    let arms = paths.iter().enumerate().map(|(number, path)| {
        let (number, at) = (Literal::usize_unsuffixed(number), path.span());
        let given = arguments(at);
        let call = quote_spanned!(at=> #path(#(#given),*));
        let call = if has_result { call } else { quote_spanned!(at=> { #call; }) };
        quote_spanned!(at=> #number => #call,)
    });
    let lookup = quote_spanned!(span=> match #index { #(#arms)* _ => panic!(#message, #index), });
    let fn_token = quote_spanned!(table.const_token.span=> fn);
    quote! {
        #(#attrs)*
        #[allow(non_snake_case)]
        #vis #fn_token #ident(#index: usize #(, #names: #types)*) #output { #lookup }
    }
}
