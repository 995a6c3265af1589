//! Which rule takes the tokens of a call, and what its names stand for.

use super::definition::{Part, Times};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::Pat;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;

/// What a name of a rule stands for.
#[derive(Clone)]
pub(super) enum Bound {
    Tokens(TokenStream),
    /// Of a repetition, one each time.
    Each(Vec<Self>),
}

/// What the names of a rule stand for.
pub(super) type Bindings = BTreeMap<String, Bound>;

/// What the names stand for, if the rule takes the tokens.
pub(super) fn matched(parts: &[Part], tokens: TokenStream) -> Option<Bindings> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut bindings = Bindings::new();
    let rest = prefix(parts, &tokens, &mut bindings)?;
    rest.is_empty().then_some(bindings)
}

/// What is left of the tokens behind those that the parts take.
fn prefix<'t>(parts: &[Part], tokens: &'t [TokenTree], bindings: &mut Bindings) -> Option<&'t [TokenTree]> {
    let mut rest = tokens;
    for part in parts {
        rest = match part {
            Part::Token(expected) => match rest {
                [token, behind @ ..] if is_same(expected, token) => behind,
                _ => return None,
            },
            Part::Group(delimiter, parts, _) => match rest {
                [TokenTree::Group(group), behind @ ..] if group.delimiter() == *delimiter => {
                    bindings.extend(matched(parts, group.stream())?);
                    behind
                }
                _ => return None,
            },
            Part::Name(name, kind) => {
                let (tokens, behind) = fragment(kind.as_ref()?, rest)?;
                bindings.insert(name.to_string(), Bound::Tokens(tokens));
                behind
            }
            Part::Repeated { parts, separator, times, .. } => {
                repeated(parts, separator.as_ref(), *times, rest, bindings)?
            }
        };
    }
    Some(rest)
}

fn repeated<'t>(
    parts: &[Part],
    separator: Option<&TokenTree>,
    times: Times,
    tokens: &'t [TokenTree],
    bindings: &mut Bindings,
) -> Option<&'t [TokenTree]> {
    let mut each: BTreeMap<String, Vec<Bound>> = BTreeMap::new();
    names(parts, &mut |name| {
        each.insert(name.to_string(), Vec::new());
    });
    let (mut rest, mut count) = (tokens, 0);
    loop {
        let next = match (separator, rest) {
            (Some(separator), [first, behind @ ..]) if count > 0 => match is_same(separator, first) {
                true => behind,
                false => break,
            },
            (Some(_), []) if count > 0 => break,
            _ => rest,
        };
        let mut once = Bindings::new();
        match prefix(parts, next, &mut once) {
            // What takes nothing would do so without end.
            Some(behind) if behind.len() < next.len() => {
                for (name, bound) in once {
                    each.entry(name).or_default().push(bound);
                }
                (rest, count) = (behind, count + 1);
            }
            _ => break,
        }
        if times == Times::AtMostOnce {
            break;
        }
    }
    if times == Times::AtLeastOnce && count == 0 {
        return None;
    }
    bindings.extend(each.into_iter().map(|(name, each)| (name, Bound::Each(each))));
    Some(rest)
}

/// Shows the names in a part of a matcher.
fn names(parts: &[Part], show: &mut impl FnMut(&Ident)) {
    for part in parts {
        match part {
            Part::Name(name, _) => show(name),
            Part::Group(_, parts, _) | Part::Repeated { parts, .. } => names(parts, &mut *show),
            Part::Token(_) => {}
        }
    }
}

fn is_same(expected: &TokenTree, token: &TokenTree) -> bool {
    match (expected, token) {
        (TokenTree::Ident(a), TokenTree::Ident(b)) => super::hygiene::is_same(a, b),
        (TokenTree::Punct(a), TokenTree::Punct(b)) => a.as_char() == b.as_char(),
        (TokenTree::Literal(a), TokenTree::Literal(b)) => a.to_string() == b.to_string(),
        _ => false,
    }
}

/// The tokens of a fragment at the beginning of these, and those behind.
fn fragment<'t>(kind: &Ident, tokens: &'t [TokenTree]) -> Option<(TokenStream, &'t [TokenTree])> {
    let first = tokens.first();
    let one = |is_it: bool| is_it.then(|| (first.into_iter().cloned().collect(), &tokens[1..]));
    match kind.to_string().as_str() {
        "tt" => one(first.is_some()),
        "ident" => one(matches!(first, Some(TokenTree::Ident(_)))),
        "lifetime" => match tokens {
            [tick, name @ TokenTree::Ident(_), behind @ ..] if super::is(tick, '\'') => {
                Some(([tick, name].into_iter().cloned().collect(), behind))
            }
            _ => None,
        },
        "expr" | "expr_2021" => {
            let (tokens, rest) = parsed(tokens, |input| input.parse::<syn::Expr>())?;
            let span = tokens.span();
            Some((super::grouped(tokens, span).into(), rest))
        }
        "ty" => parsed(tokens, |input| input.parse::<syn::Type>()),
        "path" => parsed(tokens, |input| input.parse::<syn::Path>()),
        "literal" => parsed(tokens, |input| {
            input.parse::<Option<syn::Token![-]>>()?;
            input.parse::<syn::Lit>()
        }),
        "pat" => parsed(tokens, Pat::parse_multi_with_leading_vert),
        "pat_param" => parsed(tokens, Pat::parse_single),
        "block" => parsed(tokens, |input| input.parse::<syn::Block>()),
        "stmt" => parsed(tokens, statement),
        "vis" => parsed(tokens, |input| input.parse::<syn::Visibility>()),
        _ => None,
    }
}

/// Reads a statement without the semicolon that ends it, which is not the fragment's.
fn statement(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::Token![let]) {
        input.parse::<syn::Token![let]>()?;
        Pat::parse_single(input)?;
        if input.parse::<Option<syn::Token![:]>>()?.is_some() {
            input.parse::<syn::Type>()?;
        }
        if input.parse::<Option<syn::Token![=]>>()?.is_some() {
            input.parse::<syn::Expr>()?;
            if input.parse::<Option<syn::Token![else]>>()?.is_some() {
                input.parse::<syn::Block>()?;
            }
        }
        return Ok(());
    }
    if input.fork().parse::<syn::Expr>().is_ok() {
        return input.parse::<syn::Expr>().map(drop);
    }
    input.parse::<syn::Item>().map(drop)
}

/// The tokens that a parser takes, and those behind.
fn parsed<T>(
    tokens: &[TokenTree],
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> Option<(TokenStream, &[TokenTree])> {
    let parser = |input: ParseStream<'_>| {
        parse(input)?;
        input.parse::<TokenStream>()
    };
    let left = parser.parse2(tokens.iter().cloned().collect()).ok()?.into_iter().count();
    let (taken, rest) = tokens.split_at(tokens.len().checked_sub(left)?);
    Some((taken.iter().cloned().collect(), rest))
}
