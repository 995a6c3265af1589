//! The parameters of a `#[device] trait`, for what its functions become outside of it; and names for types that have none.

use crate::emit;
use crate::traits::IMPLEMENTOR;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, ItemImpl, ItemTrait, parse_quote};

/// What the functions of a trait have from around them: its parameters, and the type that has it.
pub(crate) struct Around {
    pub(crate) generics: Generics,
    /// The parameters as arguments.
    pub(crate) arguments: Vec<TokenStream>,
}

impl Around {
    pub(crate) fn of(item: &ItemTrait) -> Self {
        let implementor = Ident::new(IMPLEMENTOR, Span::call_site());
        let renamed = renamed(item.generics.where_clause.to_token_stream(), "Self", IMPLEMENTOR);
        let mut generics = item.generics.clone();
        generics.where_clause = syn::parse2(renamed).ok();
        for param in &mut generics.params {
            match param {
                GenericParam::Type(param) => param.default = None,
                GenericParam::Const(param) => param.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        let arguments: Vec<TokenStream> = generics.params.iter().filter_map(argument).collect();
        let of_trait = &item.ident;
        generics.params.insert(0, parse_quote!(#implementor: #of_trait<#(#arguments),*>));
        Self { generics, arguments }
    }

    /// The parameters without bounds.
    pub(crate) fn declared(item: &ItemTrait) -> (Vec<TokenStream>, Vec<&Ident>) {
        let params = &item.generics.params;
        (
            params.iter().filter_map(declaration).collect(),
            item.generics.type_params().map(|param| &param.ident).collect(),
        )
    }
}

/// A parameter without bounds.
pub(crate) fn declaration(param: &GenericParam) -> Option<TokenStream> {
    match param {
        GenericParam::Const(param) => {
            let (name, ty) = (&param.ident, &param.ty);
            Some(quote!(const #name: #ty))
        }
        param => argument(param),
    }
}

/// A parameter as an argument.
pub(crate) fn argument(param: &GenericParam) -> Option<TokenStream> {
    match param {
        GenericParam::Type(param) => Some(param.ident.to_token_stream()),
        GenericParam::Const(param) => Some(param.ident.to_token_stream()),
        GenericParam::Lifetime(_) => None,
    }
}

/// Names a type that has no name, so that the functions of its `impl` can be written down.
pub(crate) fn named(item: &mut ItemImpl) -> TokenStream {
    let ty = item.self_ty.clone();
    let is_said = |param: &&GenericParam| {
        argument(param).is_some_and(|name| emit::mentions(ty.to_token_stream(), &name.to_string()))
    };
    let params: Vec<&GenericParam> = item.generics.params.iter().filter(is_said).collect();
    let declared = params.iter().filter_map(|param| declaration(param));
    let given: Vec<TokenStream> = params.iter().filter_map(|param| argument(param)).collect();
    let name = Ident::new(IMPLEMENTOR, Span::call_site());
    let alias = quote!(type #name<#(#declared),*> = #ty;);
    *item.self_ty = parse_quote!(#name<#(#given),*>);
    alias
}

/// The tokens with another name in place of one.
pub(crate) fn renamed(tokens: TokenStream, from: &str, to: &str) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(word) if word == from => TokenTree::Ident(Ident::new(to, word.span())),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed(group.stream(), from, to));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        })
        .collect()
}
