//! `macro_rules!` in a body, which stand for what they expand to there.
//!
//! An attribute's macro sees calls of other macros as tokens, and rustc would expand them too late. But those that the body
//! itself defines are all there: so they are expanded here, before anything else.
//!
//! | file | what it holds |
//! |---|---|
//! | `definition` | a macro's rules, as data |
//! | `matching` | which rule takes the tokens of a call, and what its names stand for |
//! | `transcribe` | what a rule writes |
//! | `hygiene` | names that a macro binds, which the code around it does not see |

mod definition;
pub(crate) mod hygiene;
mod matching;
mod transcribe;

use definition::Definition;
use matching::Bindings;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// How deep calls may expand to calls, as rustc has it.
const DEPTH: usize = 128;
/// How many tokens calls may expand to, in all.
const TOKENS: usize = 100_000;

/// The item with its own macros expanded, if it defines any.
pub(crate) fn expanded(item: TokenStream) -> syn::Result<TokenStream> {
    if !defines(item.clone()) {
        return Ok(item);
    }
    let mut expander = Expander { definitions: Vec::new(), expansions: 0, tokens: 0 };
    let tokens = expander.tokens(item, 0)?;
    Ok(hygiene::resolved(tokens))
}

/// Whether a `macro_rules!` stands in a block of the tokens.
fn defines(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "macro_rules",
        TokenTree::Group(group) => defines(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

struct Expander {
    /// Those in scope, by their names.
    definitions: Vec<(Ident, Definition)>,
    /// How many calls were expanded: each has a number.
    expansions: usize,
    tokens: usize,
}

impl Expander {
    /// The tokens with all calls expanded. A definition holds to the end of its block.
    fn tokens(&mut self, tokens: TokenStream, depth: usize) -> syn::Result<TokenStream> {
        let known = self.definitions.len();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut result = TokenStream::new();
        let (mut at, mut begins) = (0, true);
        while at < tokens.len() {
            if let Some((name, definition, next)) = definition(&tokens[at..])? {
                self.definitions.push((name, definition));
                at += next;
                begins = true;
                continue;
            }
            if let Some((number, input)) = self.called(&tokens[at..]) {
                let expanded = self.expand(number, input, &tokens[at], depth)?;
                at += 3;
                let is_statement = begins
                    && (input.delimiter() == Delimiter::Brace || tokens.get(at).is_none_or(|next| is(next, ';')));
                match is_statement {
                    true => {
                        let ended = ends_statement(&expanded);
                        result.extend(expanded);
                        if ended && tokens.get(at).is_some_and(|next| is(next, ';')) {
                            at += 1;
                        }
                    }
                    false => {
                        // In front of a statement, a block in brackets that no one sees would be a statement of its own.
                        let delimiter = match begins && begins_with_block(&expanded) {
                            true => Delimiter::Parenthesis,
                            false => Delimiter::None,
                        };
                        let mut group = Group::new(delimiter, expanded);
                        group.set_span(input.span());
                        result.extend([TokenTree::Group(group)]);
                    }
                }
                begins = is_statement;
                continue;
            }
            let token = match &tokens[at] {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream(), depth)?);
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                token => token.clone(),
            };
            begins =
                is(&token, ';') || matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            result.extend([token]);
            at += 1;
        }
        self.definitions.truncate(known);
        Ok(result)
    }

    /// The macro that is called here, and what it is called with.
    fn called<'t>(&self, tokens: &'t [TokenTree]) -> Option<(usize, &'t Group)> {
        let [TokenTree::Ident(name), mark, TokenTree::Group(input), ..] = tokens else { return None };
        if !is(mark, '!') {
            return None;
        }
        let number = self.definitions.iter().rposition(|(known, _)| hygiene::is_same(known, name))?;
        Some((number, input))
    }

    fn expand(&mut self, number: usize, input: &Group, call: &TokenTree, depth: usize) -> syn::Result<TokenStream> {
        let name = self.definitions[number].0.clone();
        if depth == DEPTH {
            return Err(Error::new(call.span(), format!("`{name}!` expands to itself without end")));
        }
        // Calls among its arguments are expanded where they come to stand.
        let found = self.definitions[number].1.rules.iter().find_map(|rule| {
            let bindings: Option<Bindings> = matching::matched(&rule.matcher, input.stream());
            bindings.map(|bindings| (rule, bindings))
        });
        let Some((rule, bindings)) = found else {
            return Err(Error::new_spanned(
                quote::quote!(#call #input),
                format!("no rule of `{name}!` takes these tokens"),
            ));
        };
        self.expansions += 1;
        let written = transcribe::written(&rule.body, &bindings, self.expansions)?;
        self.tokens += count(written.clone());
        if self.tokens > TOKENS {
            return Err(Error::new(call.span(), format!("`{name}!` expands to more than {TOKENS} tokens")));
        }
        self.tokens(written, depth + 1)
    }
}

/// A definition that begins here: its name, its rules, and how many tokens it has.
fn definition(tokens: &[TokenTree]) -> syn::Result<Option<(Ident, Definition, usize)>> {
    let [TokenTree::Ident(word), mark, TokenTree::Ident(name), TokenTree::Group(rules), ..] = tokens else {
        return Ok(None);
    };
    if word != "macro_rules" || !is(mark, '!') {
        return Ok(None);
    }
    let with_semicolon = rules.delimiter() != Delimiter::Brace && tokens.get(4).is_some_and(|next| is(next, ';'));
    Ok(Some((name.clone(), Definition::of(rules)?, if with_semicolon { 5 } else { 4 })))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Whether the last of the tokens ends a statement, or there are none.
fn ends_statement(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().last().is_none_or(|last| is(&last, ';'))
}

fn begins_with_block(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

fn count(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => 1 + count(group.stream()),
            _ => 1,
        })
        .sum()
}

/// The tokens of an expression in parentheses that no one sees.
fn grouped(tokens: impl ToTokens, span: Span) -> TokenTree {
    let mut group = Group::new(Delimiter::None, tokens.into_token_stream());
    group.set_span(span);
    TokenTree::Group(group)
}
