//! Type parameters of functions and of `#[device] impl` that have only bounds of `std`, as `T: Copy`, or none: what a
//! kernel's values have is added.

use crate::item::Kernel;
use crate::paths;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::{GenericArgument, GenericParam, Generics, PathArguments, Type, TypeParamBound, WherePredicate, parse_quote};

/// Whether the result of a function is of a type parameter that is a number.
pub(crate) fn is_number(kernel: &Kernel<'_>) -> bool {
    let Some(Type::Path(result)) = kernel.result.map(crate::item::bare) else { return false };
    let Some(name) = result.path.get_ident() else { return false };
    let generics = &kernel.function.sig.generics;
    let of_params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) if param.ident == *name => Some(&param.bounds),
        _ => None,
    });
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_clause = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, name) => Some(&predicate.bounds),
        _ => None,
    });
    let is_of_numbers = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|name| {
            ["Num", "Int", "Float", "Signed", "Bits", "Scalar"].iter().any(|number| name.ident == number)
        }),
        _ => false,
    };
    of_params.chain(of_clause).flatten().any(is_of_numbers)
}

/// Adds them. A bound of the user's own trait brings its own, and so do those of the prelude.
pub(crate) fn complete(generics: &mut Generics) {
    let private = paths::private(Span::call_site());
    let (mut found, mut converted, mut defaults, mut overloaded) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for param in &generics.params {
        let GenericParam::Type(param) = param else { continue };
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let elsewhere = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, &param.ident) => Some(&predicate.bounds),
            _ => None,
        });
        let bounds: Vec<&TypeParamBound> = param.bounds.iter().chain(elsewhere.flatten()).collect();
        converted.extend(bounds.iter().filter_map(|bound| conversion(&param.ident, bound)));
        if bounds.iter().any(|bound| is_default(bound)) {
            defaults.push(param.ident.clone());
        }
        let all: Option<Vec<Operators>> = bounds.iter().map(|bound| of_std(bound)).collect();
        if let Some(all) = all {
            let told: Option<Vec<TypeParamBound>> = bounds
                .iter()
                .filter(|bound| of_std(bound) != Some(Operators::None))
                .map(|bound| operator_of_kernels(bound))
                .collect();
            // A type of the user's may have these.
            if let Some(told) = told.filter(|told| !told.is_empty()) {
                converted.extend(bounds.iter().filter_map(|bound| conversion_from(&param.ident, bound)));
                found.push((param.ident.clone(), Operators::None));
                overloaded.extend(told.into_iter().map(|bound| (param.ident.clone(), bound)));
                continue;
            }
            let most = all.into_iter().fold(Operators::None, |most, next| if next > most { next } else { most });
            if most == Operators::None {
                converted.extend(bounds.iter().filter_map(|bound| conversion_from(&param.ident, bound)));
            }
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
        add(generics, &name, bound);
    }
    for (name, bound) in overloaded {
        add(generics, &name, bound);
    }
    // `T::default()` is a value of the host's that a kernel has.
    for name in defaults {
        let bound = parse_quote!(#private::IntoValue<#name>);
        add(generics, &name, bound);
    }
    if !converted.is_empty() {
        generics.make_where_clause().predicates.extend(converted);
    }
}

/// What kernels have in place of `Add<R, Output = T>`; of no other bound.
pub(crate) fn operator_of_kernels(bound: &TypeParamBound) -> Option<TypeParamBound> {
    let TypeParamBound::Trait(written) = bound else { return None };
    let last = written.path.segments.last()?;
    if !matches!(of_std(bound), Some(Operators::Num | Operators::Signed | Operators::Int))
        || last.ident.to_string().ends_with("Assign")
    {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let of = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(quote!(#ty,)),
        _ => None,
    });
    let output = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(ty) if ty.ident == "Output" => Some(&ty.ty),
        _ => None,
    })?;
    let (private, name) = (paths::private(Span::call_site()), Ident::new(&last.ident.to_string(), Span::call_site()));
    Some(parse_quote!(#private::overloaded::#name<#of OperatorOutput = #output>))
}

/// Adds a bound where the user has written bounds, so that no lint reports two styles.
fn add(generics: &mut Generics, name: &Ident, bound: TypeParamBound) {
    let mut predicates = generics.where_clause.iter_mut().flat_map(|clause| &mut clause.predicates);
    let written = predicates.find_map(|predicate| match predicate {
        WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, name) => Some(&mut predicate.bounds),
        _ => None,
    });
    if let Some(bounds) = written {
        bounds.push(bound);
    } else if let Some(param) = generics.type_params_mut().find(|param| param.ident == *name) {
        param.bounds.push(bound);
    }
}

/// Whether a type parameter has a bound that is neither of `std` nor one of the language's, by its name.
pub(crate) fn has_bounds_of_users(generics: &Generics, name: &Ident) -> bool {
    const OURS: &str =
        "Scalar Num Int Float Signed Bits Atomic AtomicNum AtomicBits KernelData HostData IntoValue DeviceFrom";
    of_param(generics, name).any(|bound| match bound {
        TypeParamBound::Trait(written) => {
            let last = written.path.segments.last();
            of_std(bound).is_none() && last.is_none_or(|last| !OURS.split(' ').any(|our| last.ident == our))
        }
        _ => false,
    })
}

/// Whether all bounds of type parameters are those of `std`, but for what [`complete`] has added: the host has their operators.
pub(crate) fn has_bounds_of_std(generics: &Generics) -> bool {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_predicates = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => Some(&predicate.bounds),
        _ => None,
    });
    let added = paths::private(Span::call_site()).to_string();
    let is_added = |bound: &TypeParamBound| bound.to_token_stream().to_string().starts_with(&added);
    let bounds = generics.type_params().map(|param| &param.bounds).chain(of_predicates).flatten();
    bounds.into_iter().all(|bound| is_added(bound) || of_std(bound).is_some())
}

/// Whether a type parameter has the bound `Default`, by its name.
pub(crate) fn has_default(generics: &Generics, name: &Ident) -> bool {
    of_param(generics, name).any(is_default)
}

/// The bounds of a type parameter, wherever they stand.
fn of_param<'a>(generics: &'a Generics, name: &'a Ident) -> impl Iterator<Item = &'a TypeParamBound> {
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let elsewhere = clauses.filter_map(move |predicate| match predicate {
        WherePredicate::Type(predicate) if is_it(&predicate.bounded_ty, name) => Some(&predicate.bounds),
        _ => None,
    });
    let declared = generics.type_params().filter(move |param| param.ident == *name).map(|param| &param.bounds);
    declared.chain(elsewhere).flatten()
}

/// Whether the host knows of a type parameter all that kernels know: values that are copied, and operators with their results.
/// Of one that is a number, kernels have more of them; that `x.into()` is an `f32` they find out where rustc does not.
pub(crate) fn is_plain(generics: &Generics, name: &Ident) -> bool {
    let added = paths::private(Span::call_site()).to_string();
    let mut copied = false;
    let known = of_param(generics, name).all(|bound| {
        copied |= is_named(bound, "Copy");
        if bound.to_token_stream().to_string().starts_with(&added) {
            return !["Num", "Signed", "Int"].iter().any(|number| is_named(bound, number));
        }
        of_std(bound).is_some() && !is_named(bound, "Into")
    });
    known && copied
}

/// Whether a type parameter's values are copied, so that none is dropped.
pub(crate) fn is_copied(generics: &Generics, name: &Ident) -> bool {
    of_param(generics, name).any(|bound| is_named(bound, "Copy"))
}

fn is_named(bound: &TypeParamBound, name: &str) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == name))
}

pub(crate) fn is_default(bound: &TypeParamBound) -> bool {
    is_named(bound, "Default")
}

/// What kernels have in place of `T: Into<U>`.
fn conversion(name: &Ident, bound: &TypeParamBound) -> Option<WherePredicate> {
    let (private, into) = (paths::private(Span::call_site()), argument_of(bound, "Into")?);
    Some(parse_quote!(#into: #private::DeviceFrom<#name>))
}

/// What they have in place of `T: From<U>`, if `T` need not be a number.
fn conversion_from(name: &Ident, bound: &TypeParamBound) -> Option<WherePredicate> {
    let (private, from) = (paths::private(Span::call_site()), argument_of(bound, "From")?);
    Some(parse_quote!(#name: #private::DeviceFrom<#from>))
}

/// The type that a bound by a trait has as its argument.
fn argument_of<'a>(bound: &'a TypeParamBound, name: &str) -> Option<&'a Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Whether a type parameter is made of others by what [`complete`] has added.
pub(crate) fn is_converted(generics: &Generics, name: &Ident) -> bool {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    predicates.into_iter().any(|predicate| match predicate {
        WherePredicate::Type(predicate) => {
            is_it(&predicate.bounded_ty, name)
                && predicate.bounds.iter().any(|bound| argument_of(bound, "DeviceFrom").is_some())
        }
        _ => false,
    })
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
