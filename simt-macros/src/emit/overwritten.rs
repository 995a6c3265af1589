//! Values that are assigned and never read: what rustc's lint of assignments says, of a variable within one block.
//!
//! A builder's call assigns nothing to a name. So plain Rust that nothing calls, with the same flaw at the user's tokens, stands
//! beside it.

use super::bare;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::{Block, Expr, Local, LocalInit, Pat, Stmt};

/// What stands next behind a statement of a block, of a name.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A read, or what may be one.
    Read,
    /// Another assignment, before which nothing goes elsewhere.
    Assignment,
}

/// Flaws like those of the assignments in a block that nothing reads.
///
/// Only what is plain is reported: an assignment in front of another one of the same block, or as the last thing that the block
/// says of a variable of its own, with no jump behind it.
pub(super) fn overwritten(block: &Block) -> TokenStream {
    let assigned: HashSet<String> =
        block.stmts.iter().filter_map(assignment).map(|(name, _)| name.to_string()).collect();
    if assigned.is_empty() {
        return TokenStream::new();
    }
    let mut declared: HashMap<String, usize> = HashMap::new();
    for (name, _) in block.stmts.iter().filter_map(declaration) {
        *declared.entry(name.to_string()).or_default() += 1;
    }
    let mut behind = Behind { next: HashMap::new(), jumps: false, read: HashSet::new() };
    let mut unread = Vec::new();
    for statement in block.stmts.iter().rev() {
        let (assignment, declaration) = (assignment(statement), declaration(statement));
        let own = assignment.or(declaration).filter(|(name, _)| assigned.contains(&name.to_string()));
        let Some((name, value)) = own else {
            behind.statement(statement.to_token_stream(), &assigned);
            continue;
        };
        let text = name.to_string();
        let is_unread = match behind.next.get(&text) {
            Some(next) => *next == Next::Assignment,
            None => assignment.is_some() && !behind.jumps && declared.get(&text) == Some(&1),
        };
        if is_unread && declared.get(&text).is_none_or(|count| *count == 1) && !text.starts_with('_') {
            unread.push((name, assignment.is_some()));
        }
        // A declaration hides what the name has been.
        behind.next.insert(text, if assignment.is_some() { Next::Assignment } else { Next::Read });
        behind.statement(value.to_token_stream(), &assigned);
    }
    // One that is never read at all is an unused variable.
    let flaws = unread.iter().rev().filter(|(name, _)| behind.read.contains(&name.to_string())).map(|(name, later)| {
        let read = quote_spanned!(name.span()=> ::core::convert::identity(#name););
        let unread = quote_spanned!(name.span()=> #name = (););
        let (first, second) = if *later { (read, unread) } else { (unread, read) };
        quote_spanned!(name.span()=> const _: fn() = || { let mut #name = (); #first #second };)
    });
    quote!(#(#flaws)*)
}

/// What is known of the statements behind one.
struct Behind {
    next: HashMap<String, Next>,
    /// Whether one goes elsewhere, where any name may be read.
    jumps: bool,
    /// What is read anywhere.
    read: HashSet<String>,
}

impl Behind {
    fn statement(&mut self, tokens: TokenStream, assigned: &HashSet<String>) {
        let mut words = HashSet::new();
        words_of(tokens, &mut words);
        if words.iter().any(|word| matches!(&**word, "return" | "break" | "continue" | "?" | "!")) {
            self.next.clear();
            self.jumps = true;
        }
        for word in words.into_iter().filter(|word| assigned.contains(word)) {
            self.next.insert(word.clone(), Next::Read);
            self.read.insert(word);
        }
    }
}

/// `x = value;`
fn assignment(statement: &Stmt) -> Option<(&Ident, &Expr)> {
    match statement {
        Stmt::Expr(Expr::Assign(assign), _) => match bare(&assign.left) {
            Expr::Path(path) => Some((path.path.get_ident()?, &assign.right)),
            _ => None,
        },
        _ => None,
    }
}

/// `let mut x = value;`
fn declaration(statement: &Stmt) -> Option<(&Ident, &Expr)> {
    let Stmt::Local(Local { pat, init: Some(LocalInit { expr, diverge: None, .. }), .. }) = statement else {
        return None;
    };
    let pattern = match pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some((&name.ident, expr)),
        _ => None,
    }
}

/// The words of some code, and `!` for a macro, which may be anything.
fn words_of(tokens: TokenStream, words: &mut HashSet<String>) {
    let mut is_macro = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(words.insert(word.to_string())),
            TokenTree::Group(group) => {
                if is_macro {
                    words.insert("!".to_owned());
                }
                words_of(group.stream(), words);
                is_macro = false;
                continue;
            }
            TokenTree::Punct(mark) => {
                is_macro = mark.as_char() == '!';
                if mark.as_char() == '?' {
                    words.insert("?".to_owned());
                }
                continue;
            }
            TokenTree::Literal(_) => {}
        }
        is_macro = false;
    }
}
