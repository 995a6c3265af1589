//! The place of the function: a kernel is a type, too, and no `impl` can have one among its functions without the help of
//! `#[device]` above it.
//!
//! A macro is not told what is around its item, and rustc's error would be about the `enum` that the kernel becomes. So the
//! file is parsed once more, only for the message: where there is no file, or the item comes from another macro, rustc's
//! error stands.

use crate::item::Kind;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fs;
use syn::ItemFn;

/// The problem with the place of the function, if it can be determined.
pub(crate) fn mistake(kind: Kind, function: &ItemFn) -> Option<String> {
    let span = function.sig.fn_token.span;
    // On the left margin stand a file's own items.
    if span.start().column == 0 {
        return None;
    }
    let file = fs::read_to_string(span.local_file()?).ok()?;
    let (name, attribute) = (kind.name(), kind.attribute());
    let block = block_around(file.parse().ok()?, attribute, &function.sig.ident.to_string())?;
    if kind == Kind::Device && block == "an `impl`" {
        return Some("of a struct's functions, `#[device]` stands above the `impl`".to_owned());
    }
    if block == "an `impl`" {
        return Some("of a kernel in an `impl`, `#[device]` stands above the `impl`, too".to_owned());
    }
    Some(format!(
        "a {name} cannot stand in {block}: `#[{attribute}]` makes a type of its name; write it outside, with what it needs \
         as parameters"
    ))
}

/// The `impl` or `trait` in which the functions of a name stand that have the attribute, if all of them do: tokens that are
/// read within a macro have no places by which to tell one from another.
fn block_around(file: TokenStream, attribute: &str, name: &str) -> Option<&'static str> {
    let mut search = Search { attribute, name, blocks: Vec::new() };
    search.walk(file, None);
    search.blocks.into_iter().reduce(Option::and).flatten()
}

struct Search<'n> {
    attribute: &'n str,
    name: &'n str,
    /// The block around each function that was found.
    blocks: Vec<Option<&'static str>>,
}

impl Search<'_> {
    fn walk(&mut self, tokens: TokenStream, around: Option<&'static str>) {
        // The first of these words in an item tells which it is.
        let words = [("impl", Some("an `impl`")), ("trait", Some("a `trait`")), ("fn", None), ("mod", None)];
        let (mut item, mut has_attribute, mut is_function) = (None, false, false);
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if is_function && has_attribute && word == self.name {
                        self.blocks.push(around);
                    }
                    is_function = word == "fn";
                    let known = words.iter().find(|(name, _)| word == name).map(|&(_, block)| block);
                    item = item.or(known);
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => (item, has_attribute) = (None, false),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.walk(group.stream(), item.flatten());
                    (item, has_attribute) = (None, false);
                }
                TokenTree::Group(group) => {
                    let is_attribute = |token| matches!(token, TokenTree::Ident(word) if word == self.attribute);
                    has_attribute |=
                        group.delimiter() == Delimiter::Bracket && group.stream().into_iter().any(is_attribute);
                    self.walk(group.stream(), around);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, expected: Option<&'static str>) {
        let file = file.replace('$', "#[simt::kernel] pub fn here(x: &[u32]) {}");
        assert_eq!(block_around(file.parse().expect("tokens"), "kernel", "here"), expected, "{file}");
    }

    #[test]
    fn the_innermost_block_is_found() {
        let (in_impl, in_trait) = (Some("an `impl`"), Some("a `trait`"));
        check("fn a() {} impl X { fn b() {} $ }", in_impl);
        check("unsafe impl<T> X for Y<T> where T: Z { const A: u32 = { 3 }; $ }", in_impl);
        check("pub trait X { $ }", in_trait);
        check("impl X { fn b() -> impl Y { $ } }", None);
        check("mod a { $ } impl X {}", None);
        check("fn a() -> impl X { loop {} } mod b { $ }", None);
        check("impl X {} tests! { $ }", None);
        check("mod a { impl X { $ } }", in_impl);
        check("$", None);
    }

    #[test]
    fn only_what_must_be_it_counts() {
        check("mod a { $ } impl X { $ }", None);
        check("mod a { made_by_a_macro!(here); } impl X { fn here() {} #[device] fn here() {} }", None);
        check("mod a { $ } impl X { fn here() {} }", None);
        check("impl X { fn here() {} $ }", Some("an `impl`"));
    }
}
