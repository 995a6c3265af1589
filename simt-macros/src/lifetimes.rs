//! Lifetimes and references in signatures.
//!
//! What a kernel's references refer to lives as long as its launch, whatever a function calls that. A `&T` is the value that
//! it refers to, which cannot change while the reference is there.

use crate::item::{Kind, bare, is_atomic};
use crate::paths;
use proc_macro2::Span;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, Ident, ItemImpl, Lifetime, PatType, PathArguments, ReturnType,
    Signature, Type, TypeParamBound, TypeReference, WherePredicate,
};

/// Takes away lifetimes, and writes references as the builder knows them.
pub(crate) fn elide(kind: Kind, signature: &mut Signature) {
    crate::elided::written(signature);
    without_lifetimes(&mut signature.generics);
    for input in &mut signature.inputs {
        let FnArg::Typed(PatType { ty, .. }) = input else { continue };
        parameter(kind, ty);
    }
    if let ReturnType::Type(_, ty) = &mut signature.output {
        carried(ty);
    }
}

/// A reference that is a parameter stays one.
fn parameter(kind: Kind, ty: &mut Type) {
    match ty {
        Type::Reference(reference) => {
            reference.lifetime = None;
            // The host passes what is written: of references to references there are none.
            if kind == Kind::Device || !matches!(bare(&reference.elem), Type::Reference(_)) {
                carried(&mut reference.elem);
            }
        }
        Type::Group(group) => parameter(kind, &mut group.elem),
        Type::Paren(paren) => parameter(kind, &mut paren.elem),
        Type::ImplTrait(_) => {}
        other => carried(other),
    }
}

/// Whether a type is one of references, by a lifetime among its parameters.
pub(crate) fn has_lifetime(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().any(|argument| matches!(argument, GenericArgument::Lifetime(_)))
        }
        _ => false,
    })
}

/// Takes away the lifetimes among parameters.
pub(crate) fn without_lifetimes(generics: &mut Generics) {
    let Generics { params, where_clause, .. } = generics;
    *params = std::mem::take(params).into_iter().filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
    for param in params.iter_mut() {
        if let GenericParam::Type(param) = param {
            let bounds = std::mem::take(&mut param.bounds).into_iter();
            param.bounds = bounds.filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_))).collect();
        }
    }
    let predicates = where_clause.iter_mut().map(|clause| &mut clause.predicates);
    predicates.for_each(|predicates| {
        let others = std::mem::take(predicates).into_iter();
        *predicates = others.filter(|predicate| !matches!(predicate, WherePredicate::Lifetime(_))).collect();
    });
}

/// The implementation of a trait, whose references live as long as there are any: kernels have no others.
pub(crate) fn of_unending(mut item: ItemImpl) -> ItemImpl {
    struct Unending(Vec<Ident>);
    impl VisitMut for Unending {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if self.0.contains(&lifetime.ident) {
                *lifetime = Lifetime::new("'static", lifetime.span());
            }
        }
    }
    if item.generics.lifetimes().next().is_none() && !has_lifetime(&item.self_ty) {
        return item;
    }
    let mut lifetimes: Vec<_> = item.generics.lifetimes().map(|param| param.lifetime.ident.clone()).collect();
    item.items.iter_mut().for_each(|item| Unending(lifetimes.clone()).visit_impl_item_mut(item));
    lifetimes.push(Ident::new("_", Span::call_site()));
    Unending(lifetimes).visit_type_mut(&mut item.self_ty);
    without_lifetimes(&mut item.generics);
    item
}

/// Writes a type as that of a value: `&'a [T]` as `&'static [T]`, `&T` as `T`.
pub(crate) fn carried(ty: &mut Type) {
    Carried.visit_type_mut(ty);
}

/// Whether the type of a value is that of a reference to an atomic.
pub(crate) fn is_ref_atomic(ty: &Type) -> bool {
    matches!(ty, Type::Verbatim(tokens) if crate::emit::mentions(tokens.clone(), "RefAtomic"))
}

struct Carried;

impl VisitMut for Carried {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        // Memory has no references in it.
        if matches!(ty, Type::Slice(_)) {
            return;
        }
        let Type::Reference(TypeReference { and_token, mutability, elem, lifetime, .. }) = ty else {
            return visit_mut::visit_type_mut(self, ty);
        };
        self.visit_type_mut(elem);
        if matches!(**elem, Type::Slice(_)) {
            *lifetime = Some(unending());
            return;
        }
        let behind = (**elem).clone();
        let private = paths::private(and_token.span.resolved_at(Span::call_site()));
        *ty = match mutability {
            Some(_) => Type::Verbatim(quote!(#private::RefMut<#behind>)),
            None if is_atomic(&behind) => Type::Verbatim(quote!(#private::RefAtomic<#behind>)),
            None => behind,
        };
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime { ident: Ident::new("static", lifetime.ident.span()), ..unending() };
    }
}

fn unending() -> Lifetime {
    Lifetime::new("'static", Span::call_site())
}
