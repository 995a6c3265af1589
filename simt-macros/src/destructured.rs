//! Parameters that are patterns: `fn f((a, b): (u32, u32))` is `fn f(p: (u32, u32)) { let (a, b) = p; .. }`, and
//! `fn f(&(a, b): &(u32, u32))` has `let (a, b) = *p;`. `_` gets a name.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Pat, PatReference, Type, parse_quote_spanned};

const PREFIX: &str = "__parameter_";

/// Whether a parameter's name is one that stands in place of a pattern.
pub(crate) fn is_own(name: &Ident) -> bool {
    name.to_string().starts_with(PREFIX)
}

/// Puts a name in place of each such pattern, and the pattern into the first statements.
pub(crate) fn named(function: &mut ItemFn) {
    let mut statements = Vec::new();
    for (number, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        let is_pattern = match (&*typed.pat, &*typed.ty) {
            (Pat::Wild(_) | Pat::Tuple(_) | Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Slice(_), _) => true,
            (Pat::Reference(pattern), Type::Reference(ty)) => {
                pattern.mutability.is_none() && !matches!(&*ty.elem, Type::Slice(_))
            }
            _ => false,
        };
        if !is_pattern {
            continue;
        }
        let span = typed.pat.span();
        let name = Ident::new(&format!("{PREFIX}{}", number + 1), span);
        let pattern = std::mem::replace(&mut *typed.pat, parse_quote_spanned!(span=> #name));
        statements.push(match pattern {
            Pat::Wild(_) => continue,
            Pat::Reference(PatReference { pat: pattern, .. }) => {
                parse_quote_spanned!(span=> let #pattern = *#name;)
            }
            pattern => parse_quote_spanned!(span=> let #pattern = #name;),
        });
    }
    function.block.stmts.splice(0..0, statements);
}
