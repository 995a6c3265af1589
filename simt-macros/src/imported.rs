//! Functions of `std::iter` that a `use` has brought in: `once(v)` is `std::iter::once(v)`.
//!
//! A macro is not told what a name means. So the file is looked at for the `use`, which mostly stands there; without one, the
//! name is that of a `#[device]` function.

use crate::defined;
use crate::emit::bare;
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprPath, ItemFn, parse_quote_spanned};

const FUNCTIONS: [&str; 7] = ["from_fn", "once", "repeat", "repeat_n", "repeat_with", "successors", "zip"];

/// Writes the paths of such functions.
pub(crate) fn spelled(function: &mut ItemFn) {
    Spell.visit_block_mut(&mut function.block);
}

struct Spell;

impl VisitMut for Spell {
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return };
        let Some(name) = path.get_ident().filter(|name| FUNCTIONS.iter().any(|function| name == function)) else {
            return;
        };
        if defined::read(name, |text| is_imported(text, name)) == Some(true) {
            let span = name.span();
            *call.func = parse_quote_spanned!(span=> ::std::iter::#name);
        }
    }
}

/// Whether a text has a `use` of the name from `std::iter`.
fn is_imported(text: &str, name: &Ident) -> bool {
    text.split("use ").skip(1).any(|behind| {
        let path = behind.split_once(';').map_or("", |(path, _)| path).trim_start_matches("::");
        let names = ["std::iter::", "core::iter::"].iter().find_map(|module| path.strip_prefix(module));
        let mut words = names.unwrap_or_default().split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| name == word)
    })
}

#[cfg(test)]
mod tests {
    use super::is_imported;
    use proc_macro2::{Ident, Span};

    #[test]
    fn a_use_is_found() {
        let text = "use simt::prelude::*;\nuse std::iter::{self, once,\n    successors};\nuse other::repeat;\nuse std::iter::zip;";
        let found = ["once", "successors", "zip", "repeat", "from_fn"]
            .map(|name| is_imported(text, &Ident::new(name, Span::call_site())));
        assert_eq!(found, [true, true, true, false, false]);
    }
}
