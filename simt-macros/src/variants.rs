//! Variants with fields by their names alone: `Text { at }` of `enum State`, behind `use State::*;` or `use State::{Text, Colon};`.
//! (Of those without, rustc finds the value.)
//!
//! A macro is not told what a name means. So the first level of the body and the modules around it are looked at for the `use`; a
//! `*` has the variants that the file declares, and in a body, of an enum of another file, all names that nothing else brings in.

use crate::defined;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, ItemFn, ItemUse, Macro, Pat, Path, Stmt, UseTree, parse_quote, parse_quote_spanned};

/// Writes the enum before them.
pub(crate) fn spelled(function: &mut ItemFn) {
    let mut imports = Imports { of: Vec::new(), others: Vec::new(), is_read: false };
    for statement in &function.block.stmts {
        if let Stmt::Item(Item::Use(item)) = statement {
            imports.add(&TokenStream::new(), &item.tree, true);
        }
    }
    let mut spell = Spell { imports, written: BTreeSet::new() };
    spell.visit_block_mut(&mut function.block);
    spell.used(&mut function.block);
}

/// What a `use` of variants says.
struct Import {
    /// The enum, as it is written there.
    of: TokenStream,
    variants: Variants,
}

enum Variants {
    /// The name here, and the variant's.
    One(String, Ident),
    All {
        /// Whether the `use` stands in the function.
        inside: bool,
    },
}

/// What the body and the file say.
struct Imports {
    of: Vec<Import>,
    /// Names that are imported from elsewhere.
    others: Vec<String>,
    /// Whether the file has been looked at.
    is_read: bool,
}

impl Imports {
    fn add(&mut self, before: &TokenStream, tree: &UseTree, inside: bool) {
        let is_of_type = before.clone().into_iter().last().is_some_and(|last| is_type(&last.to_string()));
        let variants = match tree {
            UseTree::Path(path) => {
                let (name, colons) = (&path.ident, (!before.is_empty()).then(|| quote!(::)));
                return self.add(&quote!(#before #colons #name), &path.tree, inside);
            }
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.add(before, tree, inside)),
            UseTree::Name(name) => Variants::One(name.ident.to_string(), name.ident.clone()),
            UseTree::Rename(rename) => Variants::One(rename.rename.to_string(), rename.ident.clone()),
            UseTree::Glob(_) => Variants::All { inside },
        };
        match (is_of_type, variants) {
            (true, variants) => self.of.push(Import { of: before.clone(), variants }),
            (false, Variants::One(name, _)) => self.others.push(name),
            (false, Variants::All { .. }) => {}
        }
    }

    /// The path of the variant that a name stands for.
    fn path(&mut self, name: &Ident, fields: Fields) -> Option<Path> {
        if !is_type(&name.to_string()) || matches!(name.to_string().as_str(), "Some" | "None" | "Ok" | "Err" | "Self") {
            return None;
        }
        if !std::mem::replace(&mut self.is_read, true) {
            for item in defined::uses(name) {
                self.add(&TokenStream::new(), &item.tree, false);
            }
        }
        // A struct of the name hides what a `*` brings in, and so does an import by its name.
        let is_other = defined::has_struct(name, fields == Fields::Numbered) || self.others.contains(&name.to_string());
        self.of.iter().find_map(|import| {
            let (of, span) = (&import.of, name.span());
            let variant = match &import.variants {
                Variants::One(known, variant) => Some(variant.clone()).filter(|_| name == known),
                Variants::All { inside } => {
                    let ty = Ident::new(&of.clone().into_iter().last()?.to_string(), span);
                    let known = defined::variants(&ty);
                    let is_one = known.map_or(*inside && ty != "Ordering", |known| known.contains(&name.to_string()));
                    (is_one && !is_other).then(|| name.clone())
                }
            }?;
            let variant = Ident::new(&variant.to_string(), span);
            // No lint says that it need not be written.
            let here = Span::mixed_site().located_at(span);
            let of: TokenStream = of.clone().into_iter().map(|token| at(token, here)).collect();
            Some(parse_quote_spanned!(span=> #of::#variant))
        })
    }
}

/// `Text(at)` or `Text { at }`. A struct with named fields hides a variant of its own kind only.
#[derive(Clone, Copy, PartialEq)]
enum Fields {
    Numbered,
    Named,
}

struct Spell {
    imports: Imports,
    /// The names that have been spelled out.
    written: BTreeSet<Ident>,
}

impl Spell {
    fn path(&mut self, path: &Path, fields: Fields) -> Option<Path> {
        let name = path.get_ident()?;
        let spelled = self.imports.path(name, fields)?;
        // Of a struct of the name, too, one would have to say which is meant.
        if !defined::has_struct(name, false) {
            self.written.insert(name.clone());
        }
        Some(spelled)
    }

    fn spell(&mut self, path: &mut Path, fields: Fields) {
        if let Some(spelled) = self.path(path, fields) {
            *path = spelled;
        }
    }

    /// The names within the patterns and values of a macro.
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |number: Option<usize>, point: char| {
            let token = number.and_then(|number| tokens.get(number));
            matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == point)
        };
        let fields = |number: usize| {
            let is_within =
                is(number.checked_sub(1), '.') || is(number.checked_sub(1), ':') && is(number.checked_sub(2), ':');
            let Some(TokenTree::Group(group)) = tokens.get(number + 1).filter(|_| !is_within) else { return None };
            match group.delimiter() {
                Delimiter::Parenthesis => Some(Fields::Numbered),
                Delimiter::Brace => Some(Fields::Named),
                _ => None,
            }
        };
        let spelled = tokens.iter().enumerate().map(|(number, token)| match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                inner.set_span(group.span());
                inner.into_token_stream()
            }
            TokenTree::Ident(name)
                if let Some(fields) = fields(number)
                    && let Some(path) = self.path(&name.clone().into(), fields) =>
            {
                path.into_token_stream()
            }
            other => other.into_token_stream(),
        });
        spelled.collect()
    }

    /// Says to rustc that what has been imported is used.
    fn used(self, block: &mut Block) {
        let uses = self.written.iter().map(|name| {
            let own = Ident::new(&format!("__variant_{name}"), name.span());
            let item = quote_spanned!(name.span()=> #[allow(unused_imports, reason = "the enum's name is written")] use #name as #own;);
            let item: ItemUse = parse_quote!(#item);
            Stmt::Item(Item::Use(item))
        });
        block.stmts.splice(0..0, uses.collect::<Vec<_>>());
    }
}

impl VisitMut for Spell {
    // An item in a body is translated by itself.
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        visit_mut::visit_pat_mut(self, pattern);
        match pattern {
            Pat::TupleStruct(tuple) if tuple.qself.is_none() => self.spell(&mut tuple.path, Fields::Numbered),
            Pat::Struct(of) if of.qself.is_none() => self.spell(&mut of.path, Fields::Named),
            _ => {}
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Call(call) => {
                if let Expr::Path(path) = &mut *call.func
                    && path.qself.is_none()
                {
                    self.spell(&mut path.path, Fields::Numbered);
                }
            }
            Expr::Struct(literal) if literal.qself.is_none() => self.spell(&mut literal.path, Fields::Named),
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        const OF_STD: &str = "matches assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne dbg";
        if OF_STD.split(' ').any(|known| known == name) {
            mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
        }
    }
}

fn at(mut token: TokenTree, span: Span) -> TokenTree {
    token.set_span(span);
    token
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
