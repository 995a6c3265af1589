//! Lifetimes in signatures.

use syn::{FnArg, GenericParam, Generics, PatType, Signature, Type, WherePredicate};

/// Takes away lifetimes: a kernel's slices live as long as its launch, whatever the function calls that.
pub(crate) fn elide(signature: &mut Signature) {
    let Generics { params, where_clause, .. } = &mut signature.generics;
    *params = std::mem::take(params).into_iter().filter(|param| !matches!(param, GenericParam::Lifetime(_))).collect();
    let predicates = where_clause.iter_mut().map(|clause| &mut clause.predicates);
    predicates.for_each(|predicates| {
        let others = std::mem::take(predicates).into_iter();
        *predicates = others.filter(|predicate| !matches!(predicate, WherePredicate::Lifetime(_))).collect();
    });
    for input in &mut signature.inputs {
        if let FnArg::Typed(PatType { ty, .. }) = input
            && let Type::Reference(reference) = &mut **ty
        {
            reference.lifetime = None;
        }
    }
}
