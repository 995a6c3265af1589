//! The items that a device function becomes.
//!
//! ```text
//! #[device] fn f<T: Num>(n: T, x: &[T]) -> T
//! fn f(CalledByKernel) -> f                       begins a call: Builder::function takes it
//! f::__call::<T>(self, n, x) -> Value<T>          takes the arguments, so that rustc counts and checks them
//! fn __simt_body::<T>(&Builder, Let<T>, SliceRef<T>)   builds the function
//! ```
//!
//! No constant and no unit struct: a variable could not have the name of either.

use crate::emit::Body;
use crate::item::{Kernel, Param, ParamKind};
use crate::output::lint_levels;
use crate::paths;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute};

/// The type that stands for the function, and the code that builds it.
pub(crate) fn device(kernel: &Kernel<'_>, body: &Body) -> TokenStream {
    let (call, build) = parts(kernel, body, &kernel.function.sig.ident.unraw().to_string());
    items(kernel, &call, &build)
}

/// What makes a call of the arguments, and what builds the function.
pub(crate) fn parts(kernel: &Kernel<'_>, body: &Body, title: &str) -> (TokenStream, TokenStream) {
    let function = kernel.function;
    let Body { text, spans, statements } = body;
    let (file, first_line, source) = (&text.file, text.first_line, &text.text);
    let private = paths::private(Span::call_site());
    let k = paths::Builder::of(function).at(Span::call_site());
    let result = paths::result(Span::call_site());
    let result_type = result_type(kernel);
    let build = paths::item("simt_body", Span::call_site());
    let (parameters, generics, clause) = function.sig.generics.split_for_impl();
    let turbofish = generics.as_turbofish();
    let lints: Vec<_> = function.attrs.iter().filter_map(lint_levels).collect();
    let memory: Vec<_> = kernel.params.iter().filter_map(handle).collect();
    let slices = kernel.params.iter().filter(|param| handle(param).is_some()).map(|param| param.name);

    let [call, builder, given] = ["call", "builder", "given"].map(|name| paths::own(name, Span::call_site()));
    let call = quote! {
        #call.emit::<#result_type, _>(
            #build #turbofish,
            &#private::Definition { name: #title, file: #file, first_line: #first_line, text: #source, spans: #spans },
            move |#builder, #given| #build #turbofish(#builder, #given #(, #slices)*),
        )
    };
    let build = quote! {
        #(#lints)*
        fn #build #parameters(
            #k: &#private::Builder,
            #result: #private::Let<#result_type>
            #(, #memory)*
        ) #clause {
            #statements
        }
    };
    (call, build)
}

/// The type alone, for a function with mistakes: kernels that call it get no errors that follow from them.
pub(crate) fn without_body(kernel: &Kernel<'_>) -> TokenStream {
    items(kernel, &quote!(loop {}), &TokenStream::new())
}

/// The items. `call` makes a call of the arguments, `build` is the code that builds the function.
fn items(kernel: &Kernel<'_>, call: &TokenStream, build: &TokenStream) -> TokenStream {
    let function = kernel.function;
    let private = paths::private(Span::call_site());
    let visibility = &function.vis;
    let name = &function.sig.ident;
    let mut hidden = name.clone();
    hidden.set_span(Span::call_site());
    let fn_token = &function.sig.fn_token;
    let attributes = function.attrs.iter().filter(|attribute| is_kept(attribute));
    let method = paths::item("call", Span::mixed_site().located_at(name.span()));
    let (parameters, _, clause) = function.sig.generics.split_for_impl();
    let result_type = result_type(kernel);
    let accepted = kernel.params.iter().map(accepted);
    let passed = kernel.params.iter().map(passed);
    let mutability = (!kernel.params.is_empty()).then(|| quote!(mut));
    let arguments = paths::own("call", Span::call_site());
    quote! {
        #(#attributes)*
        #visibility #fn_token #name(call: #private::CalledByKernel<'_>) -> #hidden<'_> {
            #hidden { call }
        }

        // Named like the function, as a kernel's program is: paths and imports find both.
        #[doc(hidden)]
        #[derive(::core::fmt::Debug)]
        #visibility struct #hidden<'k> {
            call: #private::CalledByKernel<'k>,
        }

        const _: () = {
            impl #hidden<'_> {
                #[doc(hidden)]
                pub fn #method #parameters(self #(, #accepted)*) -> #private::Value<#result_type> #clause {
                    let #mutability #arguments = self.call;
                    #(#passed)*
                    #call
                }
            }

            #build
        };
    }
}

fn result_type(kernel: &Kernel<'_>) -> TokenStream {
    kernel.result.map_or_else(|| quote!(()), ToTokens::to_token_stream)
}

/// A parameter of the method that takes the arguments.
pub(crate) fn accepted(param: &Param<'_>) -> TokenStream {
    let (name, ty) = (param.name, element(param));
    let here = Span::mixed_site().located_at(ty.span());
    let private = paths::private(here);
    let bound = match param.kind {
        ParamKind::Scalar(_) => quote_spanned!(here=> IntoValue),
        ParamKind::Ref(_) => quote_spanned!(here=> RefArgument),
        ParamKind::RefMut(_) => quote_spanned!(here=> RefMutArgument),
        ParamKind::Atomic(_) => quote_spanned!(here=> AtomicArgument),
        ParamKind::Slice(_) | ParamKind::Constant(_) => quote_spanned!(here=> SliceArgument),
        ParamKind::SliceMut(_) => quote_spanned!(here=> SliceMutArgument),
    };
    quote_spanned!(here=> #name: impl #private::#bound<#ty>)
}

/// The method's use of an argument.
pub(crate) fn passed(param: &Param<'_>) -> TokenStream {
    let (name, ty) = (param.name, element(param));
    let call = paths::own("call", Span::call_site());
    if let Some((length, mutable)) = param.array() {
        let method = proc_macro2::Ident::new(if mutable { "array_mut" } else { "array" }, Span::call_site());
        return quote!(let #name = #call.#method::<#ty, { #length }>(#name););
    }
    match param.kind {
        ParamKind::Scalar(_) => quote!(#call.value::<#ty>(#name);),
        ParamKind::Ref(_) => quote!(#call.reference::<#ty>(#name);),
        ParamKind::RefMut(_) => quote!(#call.reference_mut::<#ty>(#name);),
        ParamKind::Atomic(_) => quote!(let #name = #call.atomic_reference::<#ty>(#name);),
        ParamKind::Slice(_) | ParamKind::Constant(_) => quote!(let #name = #call.slice::<#ty>(#name);),
        ParamKind::SliceMut(_) => quote!(let #name = #call.slice_mut::<#ty>(#name);),
    }
}

/// A parameter of the function that builds: memory of the caller's.
pub(crate) fn handle(param: &Param<'_>) -> Option<TokenStream> {
    let private = paths::private(Span::call_site());
    let (name, ty) = (param.name, element(param));
    if let Some((length, mutable)) = param.array() {
        let handle = proc_macro2::Ident::new(if mutable { "ArrayMut" } else { "Array" }, Span::call_site());
        return Some(quote!(#name: <#ty as #private::MemoryElement>::#handle<{ #length }>));
    }
    match param.kind {
        ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_) => None,
        ParamKind::Atomic(_) => Some(quote!(#name: #private::AtomicSlice<#ty>)),
        ParamKind::Slice(_) | ParamKind::Constant(_) => Some(quote!(#name: <#ty as #private::MemoryElement>::Slice)),
        ParamKind::SliceMut(_) => Some(quote!(#name: <#ty as #private::MemoryElement>::SliceMut)),
    }
}

fn element<'a>(param: &Param<'a>) -> &'a syn::Type {
    param.kind.element()
}

/// Whether an attribute of the function means something on the one that begins a call.
fn is_kept(attribute: &Attribute) -> bool {
    let names = ["doc", "cfg", "deprecated", "must_use", "inline", "allow", "warn", "deny", "forbid"];
    matches!(attribute.style, AttrStyle::Outer) && names.iter().any(|name| attribute.path().is_ident(name))
}
