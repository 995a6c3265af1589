//! The items that a kernel becomes.

use crate::emit::Body;
use crate::item::{Kernel, Param, ParamKind};
use crate::paths;
use crate::spans::Extent;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Meta};

/// The function that binds the arguments, and the type of the same name that has the program.
pub(crate) fn kernel(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let name = &kernel.function.sig.ident;
    let private = paths::private(Span::call_site());
    let arguments = kernel.params.iter().map(argument);
    let call = quote!(#private::call(#name::__kernel(), ::std::vec![#(#arguments),*]));
    let function = function(kernel, &call);
    let program = program(kernel, body);
    quote!(#function #program)
}

/// The user's function, with another body.
fn function(kernel: &Kernel<'_>, body: &TokenStream) -> TokenStream {
    let function = kernel.function;
    let attributes =
        function.attrs.iter().map(|attribute| lint_levels(attribute).unwrap_or_else(|| attribute.to_token_stream()));
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let params = kernel.params.iter().map(|param| {
        let (name, ty) = (param.name, &param.tokens.ty);
        match param.kind {
            ParamKind::Scalar(_) => quote!(#name: #ty),
            ParamKind::Slice(element) => quote_spanned!(param.name.span()=> #name: &'simt [#element]),
            ParamKind::SliceMut(element) => quote_spanned!(param.name.span()=> #name: &'simt mut [#element]),
        }
    });
    let fn_token = &function.sig.fn_token;
    quote! {
        #(#attributes)*
        #visibility #fn_token #name<'simt>(#(#params),*) -> ::simt::KernelCall<'simt> {
            #body
        }
    }
}

fn argument(param: &Param<'_>) -> TokenStream {
    let (ParamKind::Scalar(ty) | ParamKind::Slice(ty) | ParamKind::SliceMut(ty)) = param.kind;
    // Where the type is wrong, rustc points at the argument: make that the place of the type.
    let mut name = param.name.clone();
    name.set_span(name.span().located_at(Extent::of(ty).first));
    let private = paths::private(name.span());
    let constructor = match param.kind {
        ParamKind::Scalar(_) => "scalar",
        ParamKind::Slice(_) => "slice",
        ParamKind::SliceMut(_) => "slice_mut",
    };
    let constructor = Ident::new(constructor, name.span());
    quote_spanned!(name.span()=> #private::Argument::#constructor(#name))
}

fn program(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let function = kernel.function;
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let lints = function.attrs.iter().filter_map(lint_levels);
    let private = paths::private(Span::call_site());
    let k = paths::Builder::of(function).at(Span::call_site());
    let Body { text, spans, statements } = body;
    let (file, first_line, source) = (&text.file, text.first_line, &text.text);
    let title = name.unraw().to_string();
    // Named like the function, so that a path finds both; as the macro's own, so that no lint is about this name.
    let hidden = name_of_the_macro(name);
    quote! {
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility enum #hidden {}

        #(#lints)*
        impl #hidden {
            /// The program of the kernel.
            #visibility fn program() -> &'static ::simt::Program {
                Self::__kernel().program()
            }

            fn __kernel() -> &'static #private::Kernel {
                // A use, so that no lint is about a kernel whose program nobody asks for.
                const _: fn() -> &'static ::simt::Program = #name::program;
                static KERNEL: #private::Kernel = #private::Kernel::new(#name::__build);
                &KERNEL
            }

            fn __build() -> #private::Program {
                let #k = #private::Builder::new(#title, #file, #first_line, #source, #spans);
                #statements
                #k.finish()
            }
        }
    }
}

/// The name with the place of the attribute.
fn name_of_the_macro(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::call_site());
    name
}

/// An attribute that sets lint levels, which holds for the function and for the code that its body becomes.
///
/// An `expect` becomes an `allow`: of two, one would not be fulfilled.
fn lint_levels(attribute: &Attribute) -> Option<TokenStream> {
    let level = attribute.path().get_ident()?;
    match level.to_string().as_str() {
        "allow" | "warn" | "deny" | "forbid" => Some(attribute.to_token_stream()),
        "expect" => {
            let Meta::List(list) = &attribute.meta else { return None };
            let (allow, lints) = (Ident::new("allow", level.span()), &list.tokens);
            Some(quote!(#[#allow(#lints)]))
        }
        _ => None,
    }
}
