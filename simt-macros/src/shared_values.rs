//! `#[shared] let mut base: u32;`: one value of the block's, which is an array of one. Its name means the element,
//! `base[0]`.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, ItemFn, Local, Macro, Pat, PatIdent, Stmt, Type, parse_quote_spanned};

/// Puts an array in place of each such variable, and its element in place of each use.
pub(crate) fn as_arrays(function: &mut ItemFn) {
    if super::emit::mentions(function.block.to_token_stream(), "shared") {
        Values { names: Vec::new() }.visit_block_mut(&mut function.block);
    }
}

struct Values {
    /// The names in scope, innermost last, and whether each is one shared value.
    names: Vec<(String, bool)>,
}

impl Values {
    fn has(&self, name: &str) -> bool {
        self.names.iter().rev().find(|(known, _)| known == name).is_some_and(|&(_, is_value)| is_value)
    }

    /// The names of a pattern hide others.
    fn bind(&mut self, pattern: &mut Pat) {
        struct Bound<'n>(&'n mut Vec<(String, bool)>);
        impl VisitMut for Bound<'_> {
            fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
                self.0.push((pattern.ident.to_string(), false));
                visit_mut::visit_pat_ident_mut(self, pattern);
            }

            fn visit_expr_mut(&mut self, _: &mut Expr) {}
        }
        Bound(&mut self.names).visit_pat_mut(pattern);
    }

    fn scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.names.len();
        visit(self);
        self.names.truncate(outside);
    }

    /// The variable as an array, if it is one shared value. `rest` is what stands behind it.
    fn declare(&mut self, local: &mut Local, rest: &[Stmt]) -> bool {
        if !local.attrs.iter().any(|attribute| attribute.path().is_ident("shared")) {
            return false;
        }
        let Pat::Type(typed) = &mut local.pat else { return false };
        let Pat::Ident(PatIdent { ident, .. }) = &*typed.pat else { return false };
        let is_one = match &*typed.ty {
            // Rust's own name of a type may be an array's.
            Type::Path(_) => !rest.iter().any(|statement| is_indexed(statement.to_token_stream(), ident)),
            Type::Tuple(tuple) => !tuple.elems.is_empty(),
            _ => false,
        };
        if is_one {
            let (ty, span) = (&typed.ty, ident.span());
            *typed.ty = parse_quote_spanned!(span=> [#ty; 1]);
            self.names.push((ident.to_string(), true));
        }
        is_one
    }

    /// What a macro is given, of which nothing but tokens is known.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let punct = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
            Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
            _ => None,
        };
        let mut result = TokenStream::new();
        for (number, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(name) if self.has(&name.to_string()) => {
                    let before = |back: usize| punct(number.checked_sub(back));
                    let is_field = before(1) == Some('.') && before(2) != Some('.');
                    // `P { base: 1 }`, `base = value` before the text's name for it.
                    let is_named = match punct(Some(number + 1)) {
                        Some(':') => true,
                        Some('=') => !matches!(punct(Some(number + 2)), Some('=')),
                        _ => false,
                    };
                    if is_field || is_named {
                        name.to_tokens(&mut result);
                    } else {
                        result.extend(element(name));
                    }
                }
                TokenTree::Group(group) => {
                    let mut inner = proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    result.extend([TokenTree::Group(inner)]);
                }
                token => token.to_tokens(&mut result),
            }
        }
        result
    }

    /// The values that a text names, `{base}`, as arguments behind it.
    fn captured(&self, tokens: &TokenStream) -> TokenStream {
        let mut result = TokenStream::new();
        let mut found: Vec<String> = Vec::new();
        for token in tokens.clone() {
            let TokenTree::Literal(literal) = token else { continue };
            for name in in_braces(&literal) {
                if self.has(&name) && !found.contains(&name) {
                    let span = literal.span();
                    let (name_as, element) = (Ident::new(&name, span), element(&Ident::new(&name, span)));
                    result.extend(quote_spanned!(span=> , #name_as = #element));
                    found.push(name);
                }
            }
        }
        result
    }
}

impl VisitMut for Values {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope(|values| {
            for number in 0..block.stmts.len() {
                let (before, rest) = block.stmts.split_at_mut(number + 1);
                let Some(statement) = before.last_mut() else { continue };
                match statement {
                    Stmt::Local(local) => {
                        if values.declare(local, rest) {
                            continue;
                        }
                        if let Some(init) = &mut local.init {
                            values.visit_local_init_mut(init);
                        }
                        values.bind(&mut local.pat);
                    }
                    statement => values.visit_stmt_mut(statement),
                }
            }
        });
    }

    /// An item does not see variables.
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if self.names.iter().any(|&(_, is_value)| is_value) {
            let captured = self.captured(&call.tokens);
            call.tokens = self.tokens(std::mem::take(&mut call.tokens));
            // Behind a last comma there is none more.
            let ends = call.tokens.clone().into_iter().last();
            let skipped = usize::from(matches!(ends, Some(TokenTree::Punct(punct)) if punct.as_char() == ','));
            call.tokens.extend(captured.into_iter().skip(skipped));
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|name| path.qself.is_none() && self.has(&name.to_string()));
                if let Some(name) = name {
                    *expr = element_of(name);
                }
            }
            Expr::If(if_) => {
                self.scope(|values| {
                    values.visit_expr_mut(&mut if_.cond);
                    values.visit_block_mut(&mut if_.then_branch);
                });
                if let Some((_, otherwise)) = &mut if_.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::Let(let_) => {
                self.visit_expr_mut(&mut let_.expr);
                self.bind(&mut let_.pat);
            }
            Expr::ForLoop(for_) => {
                self.visit_expr_mut(&mut for_.expr);
                self.scope(|values| {
                    values.bind(&mut for_.pat);
                    values.visit_block_mut(&mut for_.body);
                });
            }
            Expr::Struct(literal) => {
                for field in &mut literal.fields {
                    let name = match &field.expr {
                        Expr::Path(path) if field.colon_token.is_none() => path.path.get_ident(),
                        _ => None,
                    };
                    if let Some(span) = name.filter(|name| self.has(&name.to_string())).map(Ident::span) {
                        field.colon_token = Some(syn::Token![:](span));
                    }
                }
                visit_mut::visit_expr_struct_mut(self, literal);
            }
            Expr::While(_) => self.scope(|values| visit_mut::visit_expr_mut(values, expr)),
            Expr::Closure(closure) => self.scope(|values| {
                closure.inputs.iter_mut().for_each(|input| values.bind(input));
                values.visit_expr_mut(&mut closure.body);
            }),
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scope(|values| {
            values.bind(&mut arm.pat);
            visit_mut::visit_arm_mut(values, arm);
        });
    }
}

/// `base[0]`, in the place of the name.
fn element_of(name: &Ident) -> Expr {
    let zero = Literal::usize_unsuffixed(0);
    parse_quote_spanned!(name.span()=> #name[#zero])
}

fn element(name: &Ident) -> TokenStream {
    element_of(name).into_token_stream()
}

/// The names in the braces of a text.
fn in_braces(literal: &Literal) -> Vec<String> {
    let text = literal.to_string();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let holes = text.split('{').skip(1).filter(|_| text.starts_with(['"', 'r']));
    holes.map(|hole| hole.split(|c| !is_name(c)).next().unwrap_or_default().to_owned()).collect()
}

/// Whether code uses a name as an array: `name[i]`, `name.len()`.
fn is_indexed(tokens: TokenStream, name: &Ident) -> bool {
    const OF_ARRAYS: &str =
        "len iter iter_mut fill swap first last get chunks windows reverse sort copy_from_slice contains";
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(number, token)| match (token, &tokens[number + 1..]) {
        (TokenTree::Ident(word), [TokenTree::Group(group), ..]) if word == name => {
            group.delimiter() == proc_macro2::Delimiter::Bracket
        }
        (TokenTree::Ident(word), [TokenTree::Punct(_), TokenTree::Ident(method), TokenTree::Group(_), ..])
            if word == name =>
        {
            OF_ARRAYS.split(' ').any(|known| method == known)
        }
        (TokenTree::Group(group), _) => is_indexed(group.stream(), name),
        _ => false,
    })
}
