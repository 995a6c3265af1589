//! A limit on how deep a kernel's text may nest.
//!
//! The parsers of nested text, and the code that walks it, are recursive: rustc and syn need some ten kilobytes of stack a
//! level. Text that nests too deep for their stacks would crash rustc, so this check comes first, on tokens only and without
//! recursion.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree, token_stream::IntoIter};

/// How many levels of braces, brackets and parentheses a body may have, and how many operators may follow each other.
///
/// **Assumed:** far above what users write. rustc's own limit of recursion is the same.
pub(crate) const LIMIT: usize = 128;

/// The mistake, and its help.
pub(crate) fn message() -> String {
    format!(
        "this nests more than {LIMIT} levels deep: move the inner part to a `#[device]` function, or give it a name by `let`"
    )
}

/// The first token of an item that nests too deep.
pub(crate) fn too_deep(item: &TokenStream) -> Option<Span> {
    let mut around: Vec<(IntoIter, usize)> = Vec::new();
    let (mut tokens, mut operators) = (item.clone().into_iter(), 0);
    loop {
        let Some(token) = tokens.next() else {
            (tokens, operators) = around.pop()?;
            continue;
        };
        operators = if is_operator(&token) { operators + 1 } else { 0 };
        if operators > LIMIT {
            return Some(token.span());
        }
        if let TokenTree::Group(group) = token {
            // The body itself is no level.
            if around.len() > LIMIT {
                return Some(group.span_open());
            }
            around.push((std::mem::replace(&mut tokens, group.stream().into_iter()), 0));
            operators = 0;
        }
    }
}

/// Whether the token may be one of a row of prefixes.
fn is_operator(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => "!-*&|".contains(punct.as_char()),
        TokenTree::Ident(name) => name == "return" || name == "break",
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// The item with an empty body.
pub(crate) fn without_body(item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut()
        && body.delimiter() == Delimiter::Brace
    {
        let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
        empty.set_span(body.span());
        *body = empty;
    }
    tokens.into_iter().collect()
}
