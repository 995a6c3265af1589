//! Parameters that are closures: `f: impl Fn(u32) -> u32`, `f: F` where `F: Fn(u32) -> u32`, and references to such.
//!
//! Which closure it is, is known when the program is built: so the three traits are one, and references to them are no others.

use crate::item::bare;
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{
    FnArg, GenericArgument, GenericParam, ItemFn, ParenthesizedGenericArguments, PathArguments, ReturnType, Type,
    TypeParamBound, WherePredicate, parse_quote,
};

/// The arguments and the result of a type that is a closure's.
pub(crate) fn of_type(ty: &Type) -> Option<&ParenthesizedGenericArguments> {
    match bare(ty) {
        Type::ImplTrait(ty) => ty.bounds.iter().find_map(of_bound),
        Type::TraitObject(ty) => ty.bounds.iter().find_map(of_bound),
        Type::Reference(reference) => of_type(&reference.elem),
        _ => None,
    }
}

/// Whether a type is that of a closure or an iterator, which the function is made for.
pub(crate) fn is_passed(ty: &Type) -> bool {
    of_type(bare(ty)).is_some() || items_of(ty).is_some()
}

/// The type of an iterator's items, where a type is `impl Iterator<Item = T>`, or `&mut` of it: that of their values.
pub(crate) fn items_of(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::ImplTrait(ty) => ty.bounds.iter().find_map(items_of_bound),
        Type::Reference(reference) if reference.mutability.is_some() => items_of(&reference.elem),
        _ => None,
    }
}

fn items_of_bound(bound: &TypeParamBound) -> Option<&Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    if last.ident != "Iterator" && last.ident != "IntoIterator" {
        return None;
    }
    let item = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
        _ => None,
    })?;
    value(item)
}

fn of_bound(bound: &TypeParamBound) -> Option<&ParenthesizedGenericArguments> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let is_closures = ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name);
    match &last.arguments {
        PathArguments::Parenthesized(arguments) if is_closures => Some(arguments),
        _ => None,
    }
}

/// Puts the bound of a type parameter that is a closure's in its place: `f: F` is `f: impl Fn(u32) -> u32`.
pub(crate) fn unnamed(function: &mut ItemFn) {
    let generics = &mut function.sig.generics;
    let mut closures: Vec<(Ident, TypeParamBound)> = Vec::new();
    for param in generics.params.iter().filter_map(type_parameter) {
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let elsewhere = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_named(&predicate.bounded_ty, &param.ident) => Some(&predicate.bounds),
            _ => None,
        });
        let mut bounds = param.bounds.iter().chain(elsewhere.flatten());
        if let Some(bound) = bounds.find(|bound| of_bound(bound).is_some() || items_of_bound(bound).is_some()) {
            closures.push((param.ident.clone(), bound.clone()));
        }
    }
    if closures.is_empty() {
        return;
    }
    let is_closure = |name: &Ident| closures.iter().any(|(known, _)| known == name);
    let params = std::mem::take(&mut generics.params).into_iter();
    generics.params =
        params.filter(|param| !type_parameter(param).is_some_and(|param| is_closure(&param.ident))).collect();
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        let is_others = |predicate: &WherePredicate| match predicate {
            WherePredicate::Type(predicate) => !closures.iter().any(|(name, _)| is_named(&predicate.bounded_ty, name)),
            _ => true,
        };
        clause.predicates = predicates.filter(is_others).collect();
        if clause.predicates.is_empty() {
            generics.where_clause = None;
        }
    }
    for input in &mut function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let behind = match bare(&typed.ty) {
            Type::Reference(reference) => &reference.elem,
            _ => &typed.ty,
        };
        if let Some((_, bound)) = closures.iter().find(|(name, _)| is_named(behind, name)) {
            *typed.ty = parse_quote!(impl #bound);
        }
    }
}

fn type_parameter(param: &GenericParam) -> Option<&syn::TypeParam> {
    match param {
        GenericParam::Type(param) => Some(param),
        GenericParam::Const(_) | GenericParam::Lifetime(_) => None,
    }
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(bare(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

/// What the parameter is in the function that builds: a closure of the host's.
pub(crate) fn handle(arguments: &ParenthesizedGenericArguments) -> TokenStream {
    let private = paths::private(Span::call_site());
    let inputs = arguments.inputs.iter().map(|input| Takes::of(&input.ty).map(|takes| takes.handle(Span::call_site())));
    let result = match &arguments.output {
        ReturnType::Type(_, ty) => quote!(#ty),
        ReturnType::Default => quote!(()),
    };
    quote! {
        impl ::core::ops::Fn(
            ::core::option::Option<(#(#inputs,)*)>,
            &#private::Builder
        ) -> #private::Let<#result> + ::core::marker::Copy + 'static
    }
}

/// Whether a call of it has a value.
pub(crate) fn has_value(arguments: &ParenthesizedGenericArguments) -> bool {
    match &arguments.output {
        ReturnType::Type(_, ty) => !matches!(bare(ty), Type::Tuple(tuple) if tuple.elems.is_empty()),
        ReturnType::Default => false,
    }
}

/// The type of a parameter or the result of a closure that is none of a value.
pub(crate) fn refused(arguments: &ParenthesizedGenericArguments) -> Option<&Type> {
    let result = match &arguments.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let parameter = arguments.inputs.iter().map(|input| &input.ty).find(|ty| Takes::of(ty).is_none());
    parameter.or_else(|| result.filter(|ty| value(ty).is_none() || matches!(bare(ty), Type::Reference(_))))
}

/// What a closure's parameter is.
#[derive(Clone, Copy)]
pub(crate) enum Takes<'a> {
    /// A value, or a reference to one, which nothing can tell apart.
    Value(&'a Type),
    /// A `&mut` to a variable.
    Place(&'a Type),
    /// `&[T]`, `&mut [T]`, and references to arrays, as slices.
    Slice { element: &'a Type, mutable: bool },
}

impl<'a> Takes<'a> {
    pub(crate) fn of(ty: &'a Type) -> Option<Self> {
        if let Some(value) = value(ty) {
            return Some(Self::Value(value));
        }
        let Type::Reference(reference) = bare(ty) else { return None };
        let mutable = reference.mutability.is_some();
        match bare(&reference.elem) {
            Type::Slice(slice) => Some(Self::Slice { element: &slice.elem, mutable }),
            Type::Array(array) => Some(Self::Slice { element: &array.elem, mutable }),
            Type::Path(_) | Type::Tuple(_) | Type::Macro(_) if mutable => Some(Self::Place(&reference.elem)),
            _ => None,
        }
    }

    /// The type of what the closure of the host's gets.
    pub(crate) fn handle(self, span: Span) -> TokenStream {
        let private = paths::private(span);
        match self {
            Self::Value(ty) => quote!(#private::Let<#ty>),
            Self::Place(ty) => quote!(#private::Mutable<#ty>),
            Self::Slice { element, mutable } => {
                let handle = Ident::new(if mutable { "SliceMut" } else { "Slice" }, span);
                quote!(<#element as #private::MemoryElement>::#handle)
            }
        }
    }

    /// What the caller makes of an argument.
    pub(crate) fn passes(self) -> Passes {
        match self {
            Self::Value(_) => Passes::Value,
            Self::Place(_) => Passes::Place,
            Self::Slice { mutable, .. } => Passes::Slice { mutable },
        }
    }
}

/// What a caller passes to a closure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passes {
    Value,
    Place,
    Slice { mutable: bool },
}

/// The type of the value that a closure's parameter has, or a reference to it.
pub(crate) fn value(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::Path(_) | Type::Tuple(_) | Type::Array(_) | Type::Macro(_) => Some(ty),
        Type::Reference(reference) if reference.mutability.is_none() => match bare(&reference.elem) {
            Type::Path(_) | Type::Tuple(_) | Type::Macro(_) => Some(&reference.elem),
            _ => None,
        },
        _ => None,
    }
}
