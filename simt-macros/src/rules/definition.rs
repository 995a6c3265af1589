//! A macro's rules, as data.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::Error;

/// The rules of a macro, in order.
pub(super) struct Definition {
    pub(super) rules: Vec<Rule>,
}

/// `(matcher) => { body }`
pub(super) struct Rule {
    pub(super) matcher: Vec<Part>,
    pub(super) body: Vec<Part>,
}

/// A piece of a rule, on either side.
pub(super) enum Part {
    Token(TokenTree),
    /// Tokens in delimiters.
    Group(Delimiter, Vec<Self>, Span),
    /// `$name` or `$name:kind`.
    Name(Ident, Option<Ident>),
    /// `$( .. ) separator *`
    Repeated {
        parts: Vec<Self>,
        separator: Option<TokenTree>,
        times: Times,
        span: Span,
    },
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Times {
    Any,
    AtLeastOnce,
    AtMostOnce,
}

impl Definition {
    pub(super) fn of(rules: &Group) -> syn::Result<Self> {
        let tokens: Vec<TokenTree> = rules.stream().into_iter().collect();
        let mut definition = Self { rules: Vec::new() };
        let mut rest = &tokens[..];
        while let [first, others @ ..] = rest {
            let [TokenTree::Group(matcher), equals, arrow, TokenTree::Group(body), behind @ ..] = rest else {
                return Err(Error::new(first.span(), "a rule is `(tokens) => { tokens };`"));
            };
            if !super::is(equals, '=') || !super::is(arrow, '>') {
                return Err(Error::new(others[0].span(), "a rule is `(tokens) => { tokens };`"));
            }
            definition.rules.push(Rule { matcher: parts(matcher.stream())?, body: parts(body.stream())? });
            rest = match behind {
                [next, behind @ ..] if super::is(next, ';') => behind,
                behind => behind,
            };
        }
        Ok(definition)
    }
}

fn parts(tokens: TokenStream) -> syn::Result<Vec<Part>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut result = Vec::new();
    let mut rest = &tokens[..];
    while let [first, others @ ..] = rest {
        rest = others;
        if !super::is(first, '$') {
            result.push(match first {
                TokenTree::Group(group) => Part::Group(group.delimiter(), parts(group.stream())?, group.span()),
                token => Part::Token(token.clone()),
            });
            continue;
        }
        match others {
            [TokenTree::Ident(name), colon, TokenTree::Ident(kind), behind @ ..] if super::is(colon, ':') => {
                result.push(Part::Name(name.clone(), Some(kind.clone())));
                rest = behind;
            }
            [TokenTree::Ident(name), behind @ ..] => {
                result.push(Part::Name(name.clone(), None));
                rest = behind;
            }
            [TokenTree::Group(group), behind @ ..] if group.delimiter() == Delimiter::Parenthesis => {
                let times = |token: Option<&TokenTree>| match token {
                    Some(TokenTree::Punct(punct)) => match punct.as_char() {
                        '*' => Some(Times::Any),
                        '+' => Some(Times::AtLeastOnce),
                        '?' => Some(Times::AtMostOnce),
                        _ => None,
                    },
                    _ => None,
                };
                let (separator, times, used) = match (times(behind.first()), times(behind.get(1))) {
                    // A sign that says how often it comes may itself stand between.
                    (_, Some(second)) if times(behind.first()).is_none() => (behind.first().cloned(), second, 2),
                    (Some(first), _) => (None, first, 1),
                    _ => return Err(Error::new(group.span_close(), "`*`, `+` or `?` says how often it comes")),
                };
                rest = &behind[used..];
                let parts = parts(group.stream())?;
                result.push(Part::Repeated { parts, separator, times, span: group.span() });
            }
            _ => return Err(Error::new(first.span(), "a name or a group follows `$`")),
        }
    }
    Ok(result)
}
