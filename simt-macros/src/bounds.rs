//! Type parameters of device functions that have only bounds of `std`, as `T: Copy`, or none: what a kernel's values have is
//! added.

use crate::paths;
use proc_macro2::{Ident, Span};
use syn::{GenericParam, Signature, Type, TypeParamBound, WherePredicate, parse_quote};

/// Adds them. A bound of the user's own trait brings its own, and so do those of the prelude.
pub(crate) fn complete(signature: &mut Signature) {
    let private = paths::private(Span::call_site());
    let mut found = Vec::new();
    for param in &signature.generics.params {
        let GenericParam::Type(param) = param else { continue };
        let predicates = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let elsewhere = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, &param.ident) => Some(&predicate.bounds),
            _ => None,
        });
        let all: Option<Vec<Operators>> = param.bounds.iter().chain(elsewhere.flatten()).map(of_std).collect();
        if let Some(all) = all {
            let most = all.into_iter().fold(Operators::None, |most, next| if next > most { next } else { most });
            found.push((param.ident.clone(), most));
        }
    }
    for (name, operators) in found {
        let bound: TypeParamBound = match operators {
            Operators::None => parse_quote!(#private::KernelData),
            Operators::Num => parse_quote!(#private::Num),
            Operators::Signed => parse_quote!(#private::Signed),
            Operators::Int => parse_quote!(#private::Int),
        };
        let mut params = signature.generics.type_params_mut();
        if let Some(param) = params.find(|param| param.ident == name) {
            param.bounds.push(bound);
        }
    }
}

/// The numbers that have the operators of some bounds, the fewest last.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Operators {
    None,
    Num,
    Signed,
    Int,
}

/// The operators that a bound of `std` says; none of a bound that is not one of those which say no more.
fn of_std(bound: &TypeParamBound) -> Option<Operators> {
    let names = [
        (Operators::None, "Copy Clone Debug Default PartialEq PartialOrd Eq Ord Send Sync Sized Unpin From Into"),
        (Operators::Num, "Add Sub Mul Div Rem AddAssign SubAssign MulAssign DivAssign RemAssign"),
        (Operators::Signed, "Neg"),
        (Operators::Int, "BitAnd BitOr BitXor BitAndAssign BitOrAssign BitXorAssign Not Shl Shr"),
    ];
    let bound = match bound {
        TypeParamBound::Trait(bound) => bound,
        TypeParamBound::Lifetime(_) => return Some(Operators::None),
        _ => return None,
    };
    let last = bound.path.segments.last()?;
    names.into_iter().find(|(_, names)| names.split(' ').any(|name| last.ident == name)).map(|(operators, _)| operators)
}

fn is_it(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}
