//! What an assignment assigns to, where that is a pattern.

use crate::emit::bare;
use syn::Expr;

/// The parts of a target that takes a tuple, an array or a struct apart.
pub(crate) fn parts(target: &Expr) -> Option<Vec<&Expr>> {
    match bare(target) {
        Expr::Tuple(tuple) => Some(tuple.elems.iter().collect()),
        Expr::Array(array) if !array.elems.is_empty() => Some(array.elems.iter().collect()),
        Expr::Call(call) if is_type(&call.func) => Some(call.args.iter().collect()),
        Expr::Struct(whole) if whole.rest.is_none() => Some(whole.fields.iter().map(|field| &field.expr).collect()),
        _ => None,
    }
}

/// `..`, which stands for parts that are not assigned.
pub(crate) fn is_rest(target: &Expr) -> bool {
    matches!(target, Expr::Range(range) if range.start.is_none() && range.end.is_none())
}

/// Whether a path may be that of a tuple struct, and is none of a function.
fn is_type(expr: &Expr) -> bool {
    let Expr::Path(path) = expr else { return false };
    path.path.segments.last().is_some_and(|name| name.ident.to_string().starts_with(char::is_uppercase))
}
