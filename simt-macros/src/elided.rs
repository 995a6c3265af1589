//! Lifetimes that a signature leaves out: `&mut Bits` of `struct Bits<'a>`.
//!
//! A macro is not told what a type has for parameters, and where a function takes any argument that fits a type, rustc needs
//! the lifetime. So the file is looked at, where the struct mostly stands; otherwise rustc says that a lifetime is missing.

use std::fs;
use syn::visit_mut::{self, VisitMut};
use syn::{Signature, TypePath, parse_quote_spanned};

/// Writes them.
pub(crate) fn written(signature: &mut Signature) {
    let span = signature.fn_token.span;
    let mut names = Names { text: None, read: || fs::read_to_string(span.local_file()?).ok() };
    signature.inputs.iter_mut().for_each(|input| names.visit_fn_arg_mut(input));
    names.visit_return_type_mut(&mut signature.output);
}

struct Names<R> {
    /// The file, once it is needed.
    text: Option<String>,
    read: R,
}

impl<R: Fn() -> Option<String>> VisitMut for Names<R> {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) else { return };
        let title = name.to_string();
        if !title.starts_with(char::is_uppercase) || ["Self", "Option", "Result", "Ordering"].contains(&&*title) {
            return;
        }
        let text = self.text.get_or_insert_with(|| (self.read)().unwrap_or_default());
        let number = lifetimes_of(text, &title);
        if number > 0 {
            let (span, name) = (name.span(), name.clone());
            let lifetimes = (0..number).map(|_| syn::Lifetime::new("'_", span));
            path.path = parse_quote_spanned!(span=> #name<#(#lifetimes),*>);
        }
    }
}

/// How many lifetimes a struct or an enum of the name has, if the text defines one, and it has no other parameters.
fn lifetimes_of(text: &str, name: &str) -> usize {
    let mut definitions = ["struct", "enum"].into_iter().flat_map(|word| {
        let start = format!("{word} {name}<'");
        text.match_indices(&start).map(|(place, start)| place + start.len() - 1).collect::<Vec<_>>()
    });
    let (Some(place), None) = (definitions.next(), definitions.next()) else { return 0 };
    let Some((parameters, _)) = text[place..].split_once('>') else { return 0 };
    let parameters = || parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty());
    if parameters().all(|parameter| parameter.starts_with('\'')) { parameters().count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::lifetimes_of;

    #[test]
    fn a_definition_has_lifetimes() {
        let text =
            "struct One<'a> { } enum Two<'a, 'b: 'a> {} struct Mixed<'a, T>(&'a [T]); struct None; struct Oneself<'a>;";
        assert_eq!(["One", "Two", "Mixed", "None", "Other"].map(|name| lifetimes_of(text, name)), [1, 2, 0, 0, 0]);
    }
}
