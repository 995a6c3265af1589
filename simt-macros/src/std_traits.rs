//! `#[device] impl` of traits of `std` that are no operators: `From`, `Iterator` and `Default`.
//!
//! The host has them as they are written. Of `Iterator` kernels have the function, as one of the type's own: they call it by
//! its name, `it.next()`. A conversion is by its two types, as an operator is.

use crate::device;
use crate::emit;
use crate::hosted;
use crate::item::{Kernel, Kind};
use crate::methods;
use crate::paths;
use crate::report::Report;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, ImplItem, ItemImpl, Path, PathArguments, Type};

/// The implementation, if it is of one of these traits.
pub(crate) fn expand(path: &Path, item: &ItemImpl, report: &mut Report) -> Option<TokenStream> {
    let last = path.segments.last()?;
    match last.ident.to_string().as_str() {
        // A constant of the host's.
        "Default" => Some(item.to_token_stream()),
        "Iterator" => Some(as_own(item, report)),
        "From" => {
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let Some(GenericArgument::Type(from)) = arguments.args.first() else { return None };
            let device = conversion(item, from, report);
            let host = hosted::hosted(item.clone());
            Some(quote!(#host #device))
        }
        _ => None,
    }
}

/// Its functions as those of the type, and what the host has.
fn as_own(item: &ItemImpl, report: &mut Report) -> TokenStream {
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
    let device = methods::of_device(&own, report);
    let host = hosted::hosted(item.clone());
    quote!(#host #device)
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

/// What kernels call in place of `B::from(a)`.
fn conversion(item: &ItemImpl, from: &Type, report: &mut Report) -> Option<TokenStream> {
    let owner = methods::owner(item, report)?;
    let written = methods::only(item)?;
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
    Some(quote! {
        const _: () = {
            impl #parameters #private::DeviceFrom<#from> for #ty #clause {
                fn converted(
                    mut #arguments: #private::CalledByKernel<'_>,
                    #name: #private::Value<#from>
                ) -> #private::Value<Self> {
                    #passed
                    #call
                }
            }

            #build
        };
    })
}
