//! Names of `global_id_2d()`, a tuple, of which `id.x` is `id.0`.

use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprField, FnArg, Index, ItemFn, Local, Member, Pat, PatIdent};

/// Puts numbers in place of the names of axes.
pub(crate) fn numbered(function: &mut ItemFn) {
    if !["global_id_2d", "global_id_3d"]
        .iter()
        .any(|name| crate::emit::mentions(function.block.to_token_stream(), name))
    {
        return;
    }
    let mut names = Names::default();
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            names.visit_pat(&typed.pat);
        }
    }
    names.visit_block(&function.block);
    Number(names).visit_block_mut(&mut function.block);
}

/// The names that are declared, and how many axes each of them has, wherever it is.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    fn add(&mut self, name: &Ident, axes: usize) {
        self.0.entry(name.to_string()).and_modify(|known| *known = (*known).min(axes)).or_insert(axes);
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_pat_ident(&mut self, name: &'a PatIdent) {
        self.add(&name.ident, 0);
        visit::visit_pat_ident(self, name);
    }

    fn visit_local(&mut self, local: &'a Local) {
        let axes = local.init.as_ref().filter(|init| init.diverge.is_none()).map_or(0, |init| axes(&init.expr));
        match &local.pat {
            Pat::Ident(PatIdent { ident, subpat: None, .. }) => self.add(ident, axes),
            pattern => self.visit_pat(pattern),
        }
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
    }
}

/// How many a call gives.
fn axes(expr: &Expr) -> usize {
    let Expr::Call(call) = expr else { return 0 };
    let Expr::Path(path) = &*call.func else { return 0 };
    match path.path.segments.last() {
        Some(last) if last.ident == "global_id_2d" => 2,
        Some(last) if last.ident == "global_id_3d" => 3,
        _ => 0,
    }
}

struct Number(Names);

impl VisitMut for Number {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_field_mut(&mut self, field: &mut ExprField) {
        visit_mut::visit_expr_field_mut(self, field);
        let (Expr::Path(base), Member::Named(axis)) = (&*field.base, &field.member) else { return };
        let axes = base.path.get_ident().and_then(|name| self.0.0.get(&name.to_string())).copied().unwrap_or(0);
        if let Some(index) = ["x", "y", "z"].iter().take(axes).position(|name| axis == name) {
            field.member = Member::Unnamed(Index { index: index as u32, span: axis.span() });
        }
    }
}
