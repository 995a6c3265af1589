//! The items that are emitted beside the mistakes, so that code which uses the kernel gets no further errors.

use crate::item::{Kernel, Kind};
use crate::paths;
use crate::report::Report;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{FnArg, ItemFn, Type, parse_quote};

/// The mistakes, and the item as it was if it is a Rust item.
pub(crate) fn instead_of(report: Report, item: TokenStream) -> TokenStream {
    let errors = report.into_tokens();
    let item = syn::parse2::<syn::Item>(item).ok();
    quote!(#errors #item)
}

/// The mistakes, and what can be without a struct that no kernel can have.
pub(crate) fn without_struct(mut report: Report, kind: Kind, item: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut signature) => {
            crate::unnamed::named(&mut signature);
            crate::lifetimes::elide(kind, &mut signature.sig);
            crate::closures::unnamed(&mut signature);
            if kind == Kind::Device {
                crate::bounds::complete(&mut signature.sig.generics);
            }
            crate::destructured::named(&mut signature);
            let kernel = Kernel::of(kind, &signature, &mut report);
            function(report, &kernel)
        }
        Err(_) => instead_of(report, item),
    }
}

/// The mistakes of a function in an `impl`, and a function there with the same parameters.
pub(crate) fn associated(report: Report, kind: Kind, function: &ItemFn) -> TokenStream {
    let (errors, visibility, mut signature) = (report.into_tokens(), &function.vis, function.sig.clone());
    for input in &mut signature.inputs {
        match input {
            FnArg::Typed(typed) => typed.attrs.clear(),
            FnArg::Receiver(receiver) => receiver.attrs.clear(),
        }
    }
    if kind == Kind::Kernel {
        let simt = paths::simt(Span::call_site());
        signature.output = parse_quote!(-> #simt::KernelCall<'static>);
    }
    quote! {
        #errors
        #[allow(nonstandard_style, unused, warnings, reason = "stands for a kernel that does not compile")]
        #visibility #signature {
            loop {}
        }
    }
}

/// The mistakes, and a function with the kernel's parameters.
pub(crate) fn function(report: Report, kernel: &Kernel<'_>) -> TokenStream {
    let (errors, function) = (report.into_tokens(), kernel.function);
    // A method stands among an `impl`'s functions, where no type can be.
    if function.sig.receiver().is_some() {
        return errors;
    }
    if kernel.kind == Kind::Device {
        let device = crate::device::without_body(kernel);
        return quote!(#errors #device);
    }
    let simt = paths::simt(Span::call_site());
    let (visibility, name, generics) = (&function.vis, &function.sig.ident, &function.sig.generics);
    let (program, _, program_clause) = generics.split_for_impl();
    let mut generics = generics.clone();
    generics.params.insert(0, syn::parse_quote!('simt));
    let (parameters, _, clause) = generics.split_for_impl();
    let types = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(parameter(&typed.ty)),
        FnArg::Receiver(_) => None,
    });
    quote! {
        #errors
        #[doc(hidden)]
        #[allow(nonstandard_style, unused, warnings, reason = "stands for a kernel that does not compile")]
        #visibility fn #name #parameters(#(#types),*) -> #simt::KernelCall<'simt> #clause {
            loop {}
        }
        #[doc(hidden)]
        #[allow(nonstandard_style, unused, warnings, reason = "stands for a kernel that does not compile")]
        #visibility enum #name {}
        #[allow(nonstandard_style, unused, warnings, reason = "stands for a kernel that does not compile")]
        impl #name {
            #[doc(hidden)]
            #visibility fn program #program() -> &'static #simt::Program #program_clause {
                loop {}
            }
        }
    }
}

fn parameter(ty: &Type) -> TokenStream {
    match ty {
        Type::Reference(reference) if reference.lifetime.is_none() => {
            let (mutability, element) = (&reference.mutability, &reference.elem);
            quote!(_: &'simt #mutability #element)
        }
        Type::Infer(_) => quote!(_: ()),
        // One that has no size.
        Type::Slice(_) | Type::TraitObject(_) => quote!(_: &'simt #ty),
        ty => quote!(_: #ty),
    }
}
