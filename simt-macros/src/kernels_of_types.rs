//! Kernels in a `#[device] impl`: each stands beside it, and the type has a function that binds the arguments.

use crate::methods;
use crate::output;
use crate::paths;
use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, FnArg, ImplItem, ImplItemFn, ItemImpl, Lifetime, Pat, Path, Type, parse_quote};

/// What the name of such a kernel begins with.
const PREFIX: &str = "__kernel_of_";

/// The name that the user knows.
pub(crate) fn title(name: &str) -> String {
    name.strip_prefix(PREFIX).map_or_else(|| name.to_owned(), |name| name.replacen("__", "::", 1))
}

/// Takes the kernels out of an `impl`, and puts the functions in place of them.
pub(crate) fn taken(item: &mut ItemImpl, report: &mut Report) -> TokenStream {
    let mut kernels = TokenStream::new();
    let has =
        item.items.iter().any(|item| matches!(item, ImplItem::Fn(function) if kernel_attribute(function).is_some()));
    if !has {
        return kernels;
    }
    let Some(owner) = methods::owner(item, report) else { return kernels };
    let is_generic = !item.generics.params.is_empty();
    for associated in &mut item.items {
        let ImplItem::Fn(function) = associated else { continue };
        let Some(attribute) = kernel_attribute(function).cloned() else { continue };
        if is_generic || item.trait_.is_some() {
            report.error(&function.sig.ident, "a kernel stands in the `impl` of a type without parameters, or outside");
        } else if let Some(receiver) = function.sig.receiver() {
            report.error(receiver, "the host launches a kernel of no value: write a parameter, `p: P` or `p: &[P]`");
        } else {
            kernels.extend(beside(&owner, function, &attribute));
            let bound = bound(&owner, function);
            *associated = bound;
            continue;
        }
        function.attrs.retain(|attribute| !is_kernel(attribute));
        function.attrs.push(parse_quote!(#[allow(unused_variables, reason = "the kernel has mistakes")]));
        function.block = parse_quote!({ ::core::panic!("the kernel has mistakes") });
    }
    kernels
}

fn is_kernel(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "kernel")
}

fn kernel_attribute(function: &ImplItemFn) -> Option<&Attribute> {
    function.attrs.iter().find(|attribute| is_kernel(attribute))
}

fn name(owner: &Path, function: &ImplItemFn) -> Ident {
    let ty = owner.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let name = syn::ext::IdentExt::unraw(&function.sig.ident);
    format_ident!("{PREFIX}{ty}__{name}", span = function.sig.ident.span())
}

/// The kernel, beside the `impl`.
fn beside(owner: &Path, function: &ImplItemFn, attribute: &Attribute) -> TokenStream {
    let mut kernel = function.clone();
    kernel.sig.ident = name(owner, function);
    kernel.vis = syn::Visibility::Inherited;
    kernel.attrs.retain(|other| !is_kernel(other));
    let tokens = methods::replaced(owner, kernel.into_token_stream());
    quote! {
        #attribute
        #[allow(non_snake_case, reason = "the name is the type's and the kernel's")]
        #tokens
    }
}

/// The function of the type, which binds the arguments.
fn bound(owner: &Path, function: &ImplItemFn) -> ImplItem {
    let mut sig = function.sig.clone();
    let simt = paths::simt(Span::call_site());
    let mut names = Vec::new();
    for (number, input) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        typed.attrs.clear();
        let name = match &*typed.pat {
            Pat::Ident(name) => name.ident.clone(),
            _ => format_ident!("__parameter_{}", number + 1),
        };
        *typed.pat = parse_quote!(#name);
        if let Type::Reference(reference) = &mut *typed.ty {
            reference.lifetime = Some(Lifetime::new("'simt", Span::call_site()));
        }
        names.push(name);
    }
    let mut generics = sig.generics.clone();
    let lifetimes = generics.params.iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    generics.params = lifetimes.cloned().collect();
    let arguments = generics.clone();
    let (_, turbofish, _) = arguments.split_for_impl();
    let turbofish = (!arguments.params.is_empty()).then(|| turbofish.as_turbofish().into_token_stream());
    generics.params.insert(0, parse_quote!('simt));
    sig.generics = generics;
    sig.output = parse_quote!(-> #simt::KernelCall<'simt>);
    let (kernel, vis) = (name(owner, function), &function.vis);
    let attributes = function.attrs.iter().filter(|attribute| !is_kernel(attribute));
    let attributes =
        attributes.map(|attribute| output::lint_levels(attribute).unwrap_or_else(|| attribute.to_token_stream()));
    ImplItem::Verbatim(quote!(#(#attributes)* #vis #sig { #kernel #turbofish (#(#names),*) }))
}
