//! What the host has of a `#[device] impl`: all of its functions, as they are written or in name only.
//!
//! Kernels may have what the host has not: device functions, what only the machine has, operators of a `T: Num`. A function of
//! which the text tells that it may need such a thing has, on the host, a body that panics. So what calls it compiles there.

use crate::bounds;
use crate::only_kernels::{self, Why};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, FnArg, GenericArgument, Generics, ImplItem, ImplItemFn, ItemImpl, Lifetime, PathArguments,
    ReceiverKind, ReturnType, Signature, Type, TypeParamBound, TypeReference, parse_quote,
};

/// The implementation for the host.
pub(crate) fn hosted(item: ItemImpl) -> TokenStream {
    written(&left(item))
}

/// The tokens of what [`left`] gives.
pub(crate) fn written(item: &ItemImpl) -> TokenStream {
    if item.items.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(
            clippy::needless_pass_by_ref_mut,
            dead_code,
            unused_mut,
            unused_variables,
            reason = "kernels call the functions that are made of these; some bodies are left out for the host"
        )]
        #item
    }
}

/// As [`hosted`], to which more may be added.
pub(crate) fn left(mut item: ItemImpl) -> ItemImpl {
    let known = only_kernels::of_impl(&item);
    let title = title_of(&item.self_ty);
    let (is_of_trait, is_generic) = (item.trait_.is_some(), only_kernels::is_generic(&item.generics));
    let why = |function: &ImplItemFn| known.iter().find(|(name, _)| *name == function.sig.ident).map(|(_, why)| why);
    let around = (!is_of_trait).then_some(&item.generics);
    for function in item.items.iter_mut().filter_map(as_function_mut) {
        let is_generic = is_generic || only_kernels::is_generic(&function.sig.generics);
        match why(function) {
            Some(why) => in_name_only(&title, why, function, around),
            None if is_of_trait || !is_generic => {}
            None if stands(&function.sig) => {
                // What it calls may ask for what kernels' values have.
                bounds::complete(&mut function.sig.generics);
                function.attrs.extend(attributes(lints()));
                if !function.attrs.iter().any(is_doc) {
                    function.attrs.push(parse_quote!(#[doc = ""]));
                }
            }
            None => in_name_only(&title, &Why::Generic, function, around),
        }
    }
    item
}

fn as_function_mut(item: &mut ImplItem) -> Option<&mut ImplItemFn> {
    match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    }
}

/// What a type is called in messages.
pub(crate) fn title_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        ty => ty.to_token_stream().to_string().replace(['{', '}'], ""),
    }
}

/// A body that panics, and says why.
pub(crate) fn stub(title: &str, signature: &Signature, why: &Why) -> Block {
    let message = format!("`{title}::{}` runs in kernels only: {why}", signature.ident);
    if matches!(&signature.output, ReturnType::Type(_, ty) if gives_iterator(ty)) {
        // `!` is no iterator.
        return parse_quote!({
            fn none<T>() -> ::core::iter::Empty<T> {
                ::core::panic!(#message)
            }
            none()
        });
    }
    parse_quote!({ ::core::panic!(#message) })
}

/// `impl Iterator<Item = T>`
fn gives_iterator(ty: &Type) -> bool {
    let is_it = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Iterator"));
    matches!(ty, Type::ImplTrait(of) if of.bounds.iter().any(is_it))
}

/// The function with a body that panics. One of a trait is the user's but for that; for others, `around` are the generics of
/// the `impl`.
fn in_name_only(title: &str, why: &Why, function: &mut ImplItemFn, around: Option<&Generics>) {
    function.block = stub(title, &function.sig, why);
    function.attrs.retain(|attribute| !attribute.path().is_ident("expect"));
    let Some(around) = around else { return };
    bounds::complete(&mut function.sig.generics);
    // Whether they are dropped, a `const` function may not depend on.
    let generics = [around, &function.sig.generics];
    if generics.iter().any(|of| of.type_params().any(|param| !bounds::is_copied(of, &param.ident))) {
        function.sig.constness = None;
    }
    for input in &mut function.sig.inputs {
        let (FnArg::Typed(syn::PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        attrs.retain(|attribute| attribute.path().is_ident("cfg"));
    }
    if !stands(&function.sig) {
        let lifetime = Lifetime::new("'__of_host", Span::call_site());
        function.sig.generics.params.insert(0, parse_quote!(#lifetime));
        Named(lifetime).visit_return_type_mut(&mut function.sig.output);
    }
    function.attrs.extend(attributes(lints()));
    function.attrs.extend(attributes(quote!(#[doc = ""] #[doc = "On the host it panics: only kernels run it."])));
}

fn attributes(tokens: TokenStream) -> Vec<Attribute> {
    Attribute::parse_outer.parse2(tokens).unwrap_or_default()
}

/// No lint speaks of what the host has for kernels' sake.
fn lints() -> TokenStream {
    quote! {
        #[allow(
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            clippy::unwrap_used,
            nonstandard_style,
            private_bounds,
            private_interfaces,
            rust_2018_idioms,
            unused,
            unused_results,
            reason = "the host has it, as another function may call it"
        )]
    }
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// Puts a lifetime in place of those that are left out.
struct Named(Lifetime);

impl VisitMut for Named {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        reference.lifetime.get_or_insert_with(|| self.0.clone());
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if is_left_out(lifetime) {
            *lifetime = self.0.clone();
        }
    }
}

/// Whether rustc knows of a reference that is returned how long it lives, which kernels need not know.
fn stands(signature: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &signature.output else { return true };
    if elided(ty) == 0 {
        return true;
    }
    let (mut of_self, mut others, mut unknown) = (false, 0, false);
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => of_self = matches!(receiver.kind, ReceiverKind::Reference(..)),
            FnArg::Typed(typed) => {
                others += elided(&typed.ty);
                // A lifetime that is named is one, too, and `Csr` may have one.
                unknown |= elided(&typed.ty) == 0;
            }
        }
    }
    of_self || others == 1 || others == 0 && unknown
}

/// How many lifetimes of references a type leaves out.
fn elided(ty: &Type) -> usize {
    match ty {
        Type::Reference(reference) => {
            usize::from(reference.lifetime.as_ref().is_none_or(is_left_out)) + elided(&reference.elem)
        }
        Type::Path(path) => {
            let arguments = path.path.segments.iter().flat_map(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
                _ => Vec::new(),
            });
            arguments
                .map(|argument| match argument {
                    GenericArgument::Type(ty) => elided(ty),
                    GenericArgument::Lifetime(lifetime) => usize::from(is_left_out(lifetime)),
                    _ => 0,
                })
                .sum()
        }
        Type::Tuple(tuple) => tuple.elems.iter().map(elided).sum(),
        Type::Array(array) => elided(&array.elem),
        Type::Slice(slice) => elided(&slice.elem),
        Type::Paren(paren) => elided(&paren.elem),
        Type::Group(group) => elided(&group.elem),
        _ => 0,
    }
}

fn is_left_out(lifetime: &Lifetime) -> bool {
    lifetime.ident == "_"
}
