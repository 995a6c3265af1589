//! What the names of types say of parameters. rustc decides what a type is.

use crate::item::bare;
use syn::Type;

/// Whether a slice can have elements of the type: a name, or an array of such.
pub(crate) fn is_element(ty: &Type) -> bool {
    match bare(ty) {
        Type::Path(_) | Type::Macro(_) => true,
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Array(array) => is_element(&array.elem),
        _ => false,
    }
}

/// Whether a reference to the type is one to a value.
pub(crate) fn is_value(ty: &Type) -> bool {
    match bare(ty) {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        ty @ (Type::Path(_) | Type::Macro(_)) => !is_atomic(ty),
        _ => false,
    }
}

/// Whether a type has the name of an atomic. For messages only: rustc decides what a type is.
pub(crate) fn is_atomic(ty: &Type) -> bool {
    const NAMES: &str =
        "AtomicU32 AtomicI32 AtomicU64 AtomicI64 AtomicUsize AtomicIsize AtomicBool AtomicF32 AtomicF64";
    match bare(ty) {
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| NAMES.split(' ').any(|name| last.ident == name))
        }
        _ => false,
    }
}
