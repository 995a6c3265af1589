//! Which types the fields of a kernel's struct have.

use crate::report::Report;
use syn::Type;

/// The type of a field as that of a value: references live as long as the launch.
pub(crate) fn as_value(ty: &Type) -> Type {
    let mut ty = ty.clone();
    crate::lifetimes::carried(&mut ty);
    ty
}

/// Reports a type that no field has.
pub(crate) fn check_field(ty: &Type, report: &mut Report) {
    if is_no_data(ty) {
        let known = crate::unsupported::ty(ty).filter(|_| !matches!(ty, Type::Reference(_)));
        report.error(ty, known.unwrap_or_else(|| FIELD.to_owned()));
    }
}

const FIELD: &str =
    "cannot be a field of a kernel's struct: it has scalars, arrays, tuples, options, and structs with `KernelData`";

/// Whether a type can be seen to be none that kernels have. rustc finds the others, but reports each once per trait.
pub(crate) fn is_no_data(ty: &Type) -> bool {
    match ty {
        Type::Path(_) => crate::unsupported::ty(ty).is_some(),
        Type::Array(array) => is_no_data(&array.elem),
        Type::Tuple(tuple) => {
            tuple.elems.is_empty()
                || crate::unsupported::parts(tuple.elems.len()).is_some()
                || tuple.elems.iter().any(is_no_data)
        }
        Type::Paren(inner) => is_no_data(&inner.elem),
        Type::Group(inner) => is_no_data(&inner.elem),
        Type::Macro(_) | Type::Infer(_) | Type::Verbatim(_) => false,
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => is_no_data(&slice.elem),
            behind => is_no_data(behind),
        },
        _ => true,
    }
}
