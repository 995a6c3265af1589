//! Where the function stands: a kernel is a type, too, and no `impl` can have one among its functions.
//!
//! A macro is not told what is around its item, and rustc would speak of the `enum` that the kernel becomes. So the file is
//! read once more, for the sake of the message alone: where there is none, or the item comes from another macro, rustc has
//! the say.

use crate::item::Kind;
use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use std::fs;
use syn::ItemFn;

/// What is wrong with the place of the function, if it can be seen.
pub(crate) fn mistake(kind: Kind, function: &ItemFn) -> Option<String> {
    let span = function.sig.fn_token.span;
    let place = span.start();
    // On the left margin stand a file's own items.
    if place.column == 0 {
        return None;
    }
    let file = fs::read_to_string(span.local_file()?).ok()?;
    let block = block_around(file.parse().ok()?, place)??;
    let (name, attribute) = (kind.name(), kind.attribute());
    Some(format!(
        "a {name} cannot stand in {block}: `#[{attribute}]` makes a type of its name; write it outside, with what it needs \
         as parameters"
    ))
}

/// What the innermost block around a place is the block of, if there is a block: an `impl` or `trait`, or anything else.
fn block_around(tokens: TokenStream, place: LineColumn) -> Option<Option<&'static str>> {
    let mut item = None;
    for token in tokens {
        match token {
            // The first of these words in an item tells which it is.
            TokenTree::Ident(word) if item.is_none() => {
                let words = [("impl", Some("an `impl`")), ("trait", Some("a `trait`")), ("fn", None), ("mod", None)];
                item = words.into_iter().find(|(name, _)| word == name).map(|(_, block)| block);
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => item = None,
            TokenTree::Group(group) => {
                let is_block = group.delimiter() == Delimiter::Brace;
                if group.span_open().start() < place && place < group.span_close().end() {
                    return block_around(group.stream(), place).or_else(|| is_block.then(|| item.flatten()));
                }
                if is_block {
                    item = None;
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is around the `$` of a file.
    #[track_caller]
    fn check(file: &str, expected: Option<&'static str>) {
        let before = &file[..file.find('$').expect("a place")];
        let line = before.lines().count();
        let place = LineColumn { line, column: before.lines().next_back().map_or(0, str::len) };
        let tokens = file.replace('$', "here").parse().expect("tokens");
        assert_eq!(block_around(tokens, place).flatten(), expected, "{file}");
    }

    #[test]
    fn the_innermost_block_is_found() {
        let (in_impl, in_trait) = (Some("an `impl`"), Some("a `trait`"));
        check("fn a() {}\nimpl X {\n fn b() {}\n $ }", in_impl);
        check("unsafe impl<T> X for Y<T> where T: Z { const A: u32 = { 3 }; $ }", in_impl);
        check("pub trait X { $ }", in_trait);
        check("impl X { fn b() -> impl Y { $ } }", None);
        check("mod a { $ } impl X {}", None);
        check("fn a() -> impl X { loop {} } mod b { $ }", None);
        check("impl X {} tests! { $ }", None);
        check("mod a { impl X {\n  $\n } }", in_impl);
        check("$", None);
    }
}
