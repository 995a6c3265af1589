//! The signature of a kernel or device function: what it may not say, and its result.

use crate::item::{Kind, bare};
use crate::report::Report;
use syn::{GenericParam, ReturnType, Safety, Signature, Type};

/// Reports what a signature may not say.
pub(crate) fn check(kind: Kind, signature: &Signature, report: &mut Report) {
    let name = kind.name();
    if let Some(token) = signature.constness.as_ref().filter(|_| kind == Kind::Kernel) {
        report.error(token, format_args!("a {name} cannot be `const`: it runs on the simulated device"));
    }
    if let Some(token) = &signature.asyncness {
        report.error(token, format_args!("a {name} cannot be `async`: its threads have nothing to await"));
    }
    match &signature.safety {
        Safety::Unsafe(token) => {
            report.error(token, format_args!("a {name} cannot be `unsafe`: every access is checked"));
        }
        Safety::Safe(token) => report.error(token, format_args!("a {name} is always safe: remove `safe`")),
        Safety::Default => {}
    }
    if let Some(abi) = &signature.abi {
        report.error(abi, format_args!("a {name} cannot be `extern`: it runs on the simulated device"));
    }
    for param in &signature.generics.params {
        match param {
            GenericParam::Type(param) if param.bounds.is_empty() && signature.generics.where_clause.is_none() => {
                let ident = &param.ident;
                report.error(
                    param,
                    format_args!("a {name}'s type parameter needs a bound: `{ident}: Scalar`, `Num`, `Int` or `Float`"),
                );
            }
            GenericParam::Type(_) | GenericParam::Const(_) | GenericParam::Lifetime(_) => {}
        }
    }
    if let Some(variadic) = &signature.variadic {
        report.error(variadic, format_args!("a {name} has a fixed number of parameters"));
    }
}

/// The type of the result, if there is one.
pub(crate) fn result<'a>(kind: Kind, signature: &'a Signature, report: &mut Report) -> Option<&'a Type> {
    let ReturnType::Type(arrow, ty) = &signature.output else { return None };
    match (kind, bare(ty)) {
        (_, Type::Tuple(tuple)) if tuple.elems.is_empty() => None,
        (Kind::Kernel, _) => {
            let tokens = quote::quote!(#arrow #ty);
            report.error(tokens, "a kernel returns nothing: pass a `&mut [T]` for the results");
            None
        }
        (Kind::Device, Type::Path(_) | Type::Tuple(_) | Type::Array(_) | Type::Macro(_)) => Some(ty),
        (Kind::Device, _) => {
            report.error(ty, "a device function returns a value, not a reference: return the bounds of a slice, or pass a `&mut [T]` for many \
                 results");
            Some(ty)
        }
    }
}
