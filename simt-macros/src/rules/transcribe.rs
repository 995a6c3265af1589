//! What a rule writes.

use super::definition::Part;
use super::hygiene;
use super::matching::{Bindings, Bound};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::Error;

/// The tokens of a rule's right side; `expansion` marks the names that it writes itself.
pub(super) fn written(parts: &[Part], bindings: &Bindings, expansion: usize) -> syn::Result<TokenStream> {
    let mut result = TokenStream::new();
    for part in parts {
        match part {
            Part::Token(TokenTree::Ident(name)) => result.extend([TokenTree::Ident(hygiene::marked(name, expansion))]),
            Part::Token(TokenTree::Literal(literal)) => {
                result.extend([TokenTree::Literal(hygiene::marked_text(literal, expansion))]);
            }
            Part::Token(token) => result.extend([token.clone()]),
            Part::Group(delimiter, parts, span) => {
                let mut group = Group::new(*delimiter, written(parts, bindings, expansion)?);
                group.set_span(*span);
                result.extend([TokenTree::Group(group)]);
            }
            Part::Name(name, kind) => match bindings.get(&name.to_string()) {
                Some(Bound::Tokens(tokens)) => result.extend(tokens.clone()),
                Some(Bound::Each(_)) => {
                    let message = format!("`${name}` stands for several: write it in `$( .. )*`");
                    return Err(Error::new(name.span(), message));
                }
                None if name == "crate" => {
                    return Err(Error::new(
                        name.span(),
                        "`$crate` is not supported in a kernel's macro: write `crate`",
                    ));
                }
                None => {
                    let what = if kind.is_some() { "a nested macro's name" } else { "no name of this rule" };
                    return Err(Error::new(name.span(), format!("`${name}` is {what}")));
                }
            },
            Part::Repeated { parts, separator, span, .. } => {
                let times = times(parts, bindings, *span)?;
                for number in 0..times {
                    if number > 0 {
                        result.extend(separator.clone());
                    }
                    let once = bindings.iter().map(|(name, bound)| {
                        let bound = match bound {
                            Bound::Each(each) if is_named(parts, name) => each.get(number).unwrap_or(bound),
                            bound => bound,
                        };
                        (name.clone(), bound.clone())
                    });
                    result.extend(written(parts, &once.collect(), expansion)?);
                }
            }
        }
    }
    Ok(result)
}

/// How often a repetition is written: as often as what its names stand for came.
fn times(parts: &[Part], bindings: &Bindings, span: Span) -> syn::Result<usize> {
    let mut lengths = bindings.iter().filter(|(name, _)| is_named(parts, name)).filter_map(|(_, bound)| match bound {
        Bound::Each(each) => Some(each.len()),
        Bound::Tokens(_) => None,
    });
    match lengths.next() {
        Some(first) if lengths.all(|other| other == first) => Ok(first),
        Some(_) => Err(Error::new(span, "the names in this came a different number of times")),
        None => Err(Error::new(span, "no name in this stands for several")),
    }
}

fn is_named(parts: &[Part], name: &str) -> bool {
    parts.iter().any(|part| match part {
        Part::Name(known, _) => known == name,
        Part::Group(_, parts, _) | Part::Repeated { parts, .. } => is_named(parts, name),
        Part::Token(_) => false,
    })
}
