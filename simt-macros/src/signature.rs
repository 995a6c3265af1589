//! The signature of a kernel or device function: what it may not say, and its result.

use crate::closures;
use crate::item::{Kind, Param, ParamKind, bare};
use crate::report::Report;
use syn::{ReturnType, Safety, Signature, Type};

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
        (Kind::Device, ty)
            if let Some(message) = crate::unsupported::ty(ty).filter(|_| !matches!(ty, Type::Reference(_))) =>
        {
            report.error(ty, message);
            Some(ty)
        }
        (Kind::Device, Type::ImplTrait(_)) if closures::items_of(ty).is_some() => Some(ty),
        (Kind::Device, Type::ImplTrait(_)) => {
            report.error(ty, "a device function returns a value, whose type has a name: a closure is passed to a function that takes \
                 one, `f: impl Fn(u32) -> u32`; of an iterator, `impl Iterator<Item = u32>` says what its items are");
            Some(ty)
        }
        (
            Kind::Device,
            Type::Path(_) | Type::Tuple(_) | Type::Array(_) | Type::Macro(_) | Type::Reference(_) | Type::Verbatim(_),
        ) => Some(ty),
        (Kind::Device, _) => {
            report.error(
                ty,
                "a device function returns a value, or a reference to memory: write its type, as `f32` or `&[f32]`",
            );
            Some(ty)
        }
    }
}

/// Reports what a function takes that gives an iterator, and may not: its body is no activation, which has an end.
pub(crate) fn check_given(result: Option<&Type>, params: &[Param<'_>], report: &mut Report) {
    if result.and_then(closures::items_of).is_none() {
        return;
    }
    for param in params.iter().filter(|param| matches!(param.kind, ParamKind::RefMut(_))) {
        let message = "an iterator that a function gives changes no variable of the caller's: take a copy, or a slice, `&mut [T]`; or \
                       write a struct with `#[device] impl Iterator`";
        report.error(param.tokens, message);
    }
}
