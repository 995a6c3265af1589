//! Blocks and their statements.

use super::watched::{is_later, name_of, typed};
use super::{Is, Mirror, perhaps};
use crate::item::{Param, ParamKind};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{Block, Expr, Local, Pat, PatIdent, Stmt, Type};

impl Mirror {
    pub(super) fn param(&mut self, param: &Param<'_>) -> TokenStream {
        let name = param.name;
        match param.kind {
            ParamKind::Scalar(ty) if self.is_owned(ty) => {
                let declared = quote_spanned!(name.span()=> let mut #name: #ty = __any(); #name = __any(););
                self.bind(name, Some(Is::Owned));
                declared
            }
            ParamKind::Scalar(_) | ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) => {
                self.number(name)
            }
            ParamKind::Ref(_)
            | ParamKind::RefMut(_)
            | ParamKind::Atomic(_)
            | ParamKind::Iterator(_)
            | ParamKind::Closure(..) => {
                self.bind(name, None);
                TokenStream::new()
            }
        }
    }

    fn is_owned(&self, ty: &Type) -> bool {
        name_of(ty).is_some_and(|name| self.watched.owned.contains(&name))
    }

    /// A name that has a value: a number if it is borrowed.
    fn number(&mut self, name: &Ident) -> TokenStream {
        if !self.watched.borrowed.contains(&name.to_string()) {
            self.bind(name, None);
            return TokenStream::new();
        }
        self.bind(name, Some(Is::Number));
        // Assigned, so that it may be `mut`.
        quote_spanned!(name.span()=> let mut #name = 0_u8; #name = 0_u8;)
    }

    /// The statements of a block without a value.
    pub(super) fn block_of(&mut self, block: &Block) -> TokenStream {
        self.block_in(block, false)
    }

    /// The statements of a block, of whose value `moved` says whether it goes elsewhere.
    pub(super) fn block_in(&mut self, block: &Block, moved: bool) -> TokenStream {
        let known = self.scope.len();
        let mut all = TokenStream::new();
        for (number, statement) in block.stmts.iter().enumerate() {
            let is_last = number + 1 == block.stmts.len();
            all.extend(self.statement(statement, moved && is_last));
            // What stands behind a jump is not reached, as rustc says itself.
            if matches!(statement, Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _)) {
                break;
            }
        }
        self.scope.truncate(known);
        all
    }

    fn statement(&mut self, statement: &Stmt, moved: bool) -> TokenStream {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(_) => TokenStream::new(),
            Stmt::Expr(expr, None) if moved => self.taken(expr),
            Stmt::Expr(expr, _) => self.run(expr),
            Stmt::Macro(statement) => self.macro_call(&statement.mac),
        }
    }

    fn local(&mut self, local: &Local) -> TokenStream {
        let (pattern, ty) = typed(&local.pat);
        let Some(init) = &local.init else {
            return if is_later(local) { self.later(pattern) } else { self.bound(pattern, true) };
        };
        let wanted = super::places::inner(&init.expr);
        if let (Pat::Ident(PatIdent { by_ref: None, subpat: None, mutability, ident, .. }), None) =
            (pattern, &init.diverge)
        {
            if let (Expr::Reference(reference), None) = (wanted, mutability) {
                let indices = self.indices(&reference.expr);
                if let Some((value, mutable)) = self.reference(reference) {
                    self.bind(ident, Some(Is::Reference { mutable }));
                    return quote_spanned!(ident.span()=> #indices let #ident = #value;);
                }
            }
            if let Expr::Path(path) = wanted
                && let Some(from) = path.path.get_ident()
                && self.is(from) == Some(Is::Owned)
            {
                self.bind(ident, Some(Is::Owned));
                return quote_spanned!(ident.span()=> let mut #ident = #from; #ident = __any(););
            }
            let owner = match (wanted, ty) {
                (_, Some(ty)) => self.is_owned(ty).then(|| quote!(#ty)),
                (Expr::Struct(literal), None) => {
                    let name = literal.path.get_ident().filter(|name| self.watched.owned.contains(&name.to_string()));
                    name.map(|name| quote!(#name))
                }
                _ => None,
            };
            if let Some(owner) = owner {
                let value = self.taken(&init.expr);
                self.bind(ident, Some(Is::Owned));
                return quote_spanned!(ident.span()=> #value let mut #ident: #owner = __any(); #ident = __any(););
            }
        }
        let value = match (pattern, wanted) {
            (Pat::Ident(PatIdent { by_ref: None, .. }) | Pat::Tuple(_), _) => self.taken(&init.expr),
            // What a pattern moves, only its type tells.
            (_, Expr::Path(_)) => self.run(&init.expr),
            _ => self.taken(&init.expr),
        };
        let otherwise = init.diverge.as_ref().map(|(_, otherwise)| {
            let otherwise = self.run(otherwise);
            perhaps(&otherwise)
        });
        let bound = self.bound(pattern, true);
        quote!(#value #otherwise #bound)
    }

    /// `let x;`
    fn later(&mut self, pattern: &Pat) -> TokenStream {
        match pattern {
            Pat::Paren(paren) => self.later(&paren.pat),
            Pat::Tuple(tuple) => tuple.elems.iter().map(|part| self.later(part)).collect(),
            Pat::Ident(PatIdent { mutability, ident, .. }) => {
                self.bind(ident, Some(Is::Number));
                // Assigned where nothing follows, so that it may be `mut`.
                let changed = mutability.map(
                    |_| quote_spanned!(ident.span()=> let false = __any::<bool>() else { #ident = 0_u8; #ident = 0_u8; return; };),
                );
                quote_spanned!(ident.span()=> let #mutability #ident: u8; #changed)
            }
            _ => TokenStream::new(),
        }
    }

    /// The names that a pattern binds. `declared`: those that are borrowed have a number.
    pub(super) fn bound(&mut self, pattern: &Pat, declared: bool) -> TokenStream {
        struct Names<'a>(Vec<&'a Ident>);
        impl<'a> Visit<'a> for Names<'a> {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.0.push(&pattern.ident);
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        let mut all = TokenStream::new();
        for name in names.0 {
            // Of a constant in a pattern there is none.
            if declared && !name.to_string().starts_with(char::is_uppercase) {
                all.extend(self.number(name));
            } else {
                self.bind(name, None);
            }
        }
        all
    }
}
