//! `#[device] impl` of traits of `std` that are no operators: `From`, `TryFrom`, `Iterator`,
//! `Default`, and those that compare.
//!
//! The host has them as they are written. Of `Iterator` kernels have the function, as one of the type's own: they call it by
//! its name, `it.next()`, and so those that compare, which are operators, too. A conversion is by its two types, as an operator is.

use crate::answers::Answers;
use crate::device;
use crate::emit;
use crate::field_types;
use crate::hosted;
use crate::item::{Kernel, Kind};
use crate::methods;
use crate::paths;
use crate::report::Report;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, ImplItem, ItemImpl, Path, PathArguments, PathSegment, Type};

/// The implementation, if it is of one of these traits.
pub(crate) fn expand(path: &Path, item: &ItemImpl, report: &mut Report) -> Option<TokenStream> {
    let last = path.segments.last()?;
    match last.ident.to_string().as_str() {
        // A constant of the host's, and one that has no functions.
        "Default" | "Eq" => Some(item.to_token_stream()),
        "Iterator" => Some(as_own(item, report)),
        name @ ("PartialEq" | "PartialOrd" | "Ord") => Some(compared(item, last, name, report)),
        name @ ("Sum" | "Product") => {
            let device = total(item, name == "Product", report);
            let host = hosted::hosted(item.clone());
            Some(quote!(#host #device))
        }
        name @ ("From" | "TryFrom") => {
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let Some(GenericArgument::Type(from)) = arguments.args.first() else { return None };
            let device = conversion(item, from, name == "TryFrom", report);
            let host = hosted::hosted(item.clone());
            Some(quote!(#host #device))
        }
        _ => None,
    }
}

/// Its functions as those of the type, and what the host has.
fn as_own(item: &ItemImpl, report: &mut Report) -> TokenStream {
    let device = own(item, report);
    let host = hosted::hosted(item.clone());
    let iterator = iterator(item, &types(item));
    quote!(#host #device #iterator)
}

/// Its functions as those of the type.
fn own(item: &ItemImpl, report: &mut Report) -> TokenStream {
    let types = types(item);
    let mut own = item.clone();
    own.trait_ = None;
    own.items.retain(|item| matches!(item, ImplItem::Fn(_)));
    let own = match syn::parse2::<ItemImpl>(without_types(own.into_token_stream(), &types)) {
        Ok(own) => own,
        Err(error) => {
            report.add(error);
            return TokenStream::new();
        }
    };
    methods::of_device(&own, report)
}

/// What makes the type one that a `for` goes over, and that chains begin with.
fn iterator(item: &ItemImpl, types: &[(String, Type)]) -> Option<TokenStream> {
    let next = methods::only(item).filter(|function| function.sig.ident == "next")?;
    let (_, items) = types.iter().find(|(name, _)| name == "Item")?;
    let (item, items) = (&methods::without_lifetimes(item), &field_types::as_value(items));
    let (private, name) = (paths::private(Span::call_site()), methods::method_name(&next.sig.ident));
    let (parameters, _, clause) = item.generics.split_for_impl();
    let (ty, rest) = (&item.self_ty, Ident::new("__rest", Span::call_site()));
    Some(quote! {
        impl #parameters #private::iterators::OwnIterator for #ty #clause {
            type Item = #items;

            fn advance(call: #private::OnlyKernelsCallThis<'_>) -> #private::Value<::core::option::Option<#items>> {
                #private::iterators::begun_method(call, |of: &Self| of.#name()).#rest()
            }
        }
    })
}

/// `==`, or `<` and the like, which are a function of the type's own.
fn compared(item: &ItemImpl, last: &PathSegment, name: &str, report: &mut Report) -> TokenStream {
    if let PathArguments::AngleBracketed(arguments) = &last.arguments {
        report.error(arguments, "kernels compare values of one type: write a method in `#[device] impl` for others");
        return item.to_token_stream();
    }
    let private = paths::private(Span::call_site());
    let ordering = quote!(::core::cmp::Ordering);
    let (comparison, method, result, function, answers) = match name {
        "PartialEq" => (
            quote!(OwnEq),
            quote!(equal),
            quote!(bool),
            quote!(eq_with_device_above_its_impl),
            Answers::new("eq", "answers_equality"),
        ),
        "Ord" => (
            quote!(OwnTotalOrder),
            quote!(compared),
            ordering,
            quote!(cmp_with_device_above_its_impl),
            Answers::new("cmp", "answers_total_order"),
        ),
        _ => (
            quote!(OwnOrder),
            quote!(compared),
            quote!(::core::option::Option<#ordering>),
            quote!(partial_cmp_with_device_above_its_impl),
            Answers::new("partial_cmp", "answers_partial_order"),
        ),
    };
    let device = own(item, report);
    let mut host = hosted::left(item.clone());
    answers.put_into(&mut host);
    let host = hosted::written(&host);
    let (parameters, _, clause) = item.generics.split_for_impl();
    let ty = &item.self_ty;
    quote! {
        #host
        #device

        const _: () = {
            impl #parameters #private::#comparison<#ty> for #private::Types #clause {
                fn #method(
                    call: #private::OnlyKernelsCallThis<'_>,
                    left: #private::ValueRef<#ty>,
                    right: #private::ValueRef<#ty>,
                ) -> #private::Value<#result> {
                    <#ty>::#function(call).__call(left, right)
                }
            }
        };
    }
}

/// The types of an `impl`, by their names.
pub(crate) fn types(item: &ItemImpl) -> Vec<(String, Type)> {
    let types = item.items.iter().filter_map(|item| match item {
        ImplItem::Type(ty) => Some((ty.ident.to_string(), ty.ty.clone())),
        _ => None,
    });
    types.collect()
}

/// The tokens with the types in place of `Self::Item` and the like.
pub(crate) fn without_types(tokens: TokenStream, types: &[(String, Type)]) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut result, mut at) = (TokenStream::new(), 0);
    while at < tokens.len() {
        if let [TokenTree::Ident(word), TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(name), ..] =
            &tokens[at..]
            && word == "Self"
            && (a.as_char(), b.as_char()) == (':', ':')
            && let Some((_, ty)) = types.iter().find(|(known, _)| name == known)
        {
            ty.to_tokens(&mut result);
            at += 4;
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_types(group.stream(), types));
                inner.set_span(group.span());
                result.extend([TokenTree::Group(inner)]);
            }
            token => result.extend([token.clone()]),
        }
        at += 1;
    }
    result
}

/// What kernels call in place of `S::sum(items)`. One of references that only copies them is that of values.
fn total(item: &ItemImpl, is_product: bool, report: &mut Report) -> Option<TokenStream> {
    let item = &methods::without_lifetimes(item);
    let owner = methods::owner(item, report)?;
    let written = methods::only(item)?;
    let text = written.block.to_token_stream().to_string().replace(' ', "");
    let copies = [".copied()", ".cloned()"].iter().any(|copied| text.contains(copied));
    if copies && (text.ends_with(".sum()}") || text.ends_with(".product()}")) {
        return None;
    }
    let (function, _) = methods::function(item, &owner, written, report)?;
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    let mut body = emit::body(&kernel, report);
    if report.len() > before {
        return None;
    }
    body.text = methods::text(written);
    let [param] = &kernel.params[..] else { return None };
    let (call, build) = device::parts(&kernel, &body, &methods::title(&owner, &written.sig.ident));
    let private = paths::private(Span::call_site());
    let (parameters, _, clause) = item.generics.split_for_impl();
    let (ty, name, items, passed) = (&item.self_ty, param.name, param.kind.element(), device::passed(param));
    let arguments = paths::own("call", Span::call_site());
    Some(quote! {
        const _: () = {
            impl #parameters #private::iterators::DeviceTotal<#ty, #items, #is_product> for #private::Types #clause {
                fn call(
                    mut #arguments: #private::OnlyKernelsCallThis<'_>,
                    #name: impl #private::iterators::IteratorArgument<#items>,
                ) -> #private::Value<#ty> {
                    #passed
                    #call
                }
            }

            #build
        };
    })
}

/// What kernels call in place of `B::from(a)`, or of `B::try_from(a)`.
fn conversion(item: &ItemImpl, from: &Type, may_fail: bool, report: &mut Report) -> Option<TokenStream> {
    let owner = methods::owner(item, report)?;
    let types = types(item);
    let written = &syn::parse2(without_types(methods::only(item)?.to_token_stream(), &types)).ok()?;
    let (function, _) = methods::function(item, &owner, written, report)?;
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    let mut body = emit::body(&kernel, report);
    if report.len() > before {
        return None;
    }
    body.text = methods::text(written);
    let [param] = &kernel.params[..] else { return None };
    let (call, build) = device::parts(&kernel, &body, &methods::title(&owner, &written.sig.ident));
    let private = paths::private(Span::call_site());
    let (parameters, _, clause) = item.generics.split_for_impl();
    let (ty, name, passed) = (&item.self_ty, param.name, device::passed(param));
    let arguments = paths::own("call", Span::call_site());
    let of = types.iter().find(|(name, _)| name == "Error").map(|(_, error)| error);
    let (conversion, method, result) = match may_fail {
        true => (quote!(DeviceTryFrom), quote!(tried), quote!(::core::result::Result<Self, Self::Error>)),
        false => (quote!(DeviceFrom), quote!(converted), quote!(Self)),
    };
    let error = may_fail.then(|| quote!(type Error = #of;));
    Some(quote! {
        const _: () = {
            impl #parameters #private::#conversion<#from> for #ty #clause {
                #error

                fn #method(
                    mut #arguments: #private::OnlyKernelsCallThis<'_>,
                    #name: #private::Value<#from>
                ) -> #private::Value<#result> {
                    #passed
                    #call
                }
            }

            #build
        };
    })
}
