//! Ranges that have a name, as indices: `&x[r]` is `&x[r.start..r.end]`.

use crate::item::bare;
use proc_macro2::Ident;
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprIndex, FnArg, ItemFn, Local, Pat, PatIdent, RangeLimits, Type, parse_quote_spanned};

/// Writes out the ends of such ranges.
pub(crate) fn spelled(function: &mut ItemFn) {
    let mut names = Names::default();
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            names.declare(&typed.pat, is_range_type(&typed.ty));
        }
    }
    names.visit_block(&function.block);
    Spell(names).visit_block_mut(&mut function.block);
}

/// The names that are declared, and whether each of them is a range wherever it is.
#[derive(Default)]
struct Names(BTreeMap<String, bool>);

impl Names {
    fn declare(&mut self, pattern: &Pat, is_range: bool) {
        match pattern {
            Pat::Ident(PatIdent { ident, subpat: None, .. }) => self.add(ident, is_range),
            Pat::Type(typed) => self.declare(&typed.pat, is_range_type(&typed.ty)),
            other => self.visit_pat(other),
        }
    }

    fn add(&mut self, name: &Ident, is_range: bool) {
        self.0.entry(name.to_string()).and_modify(|known| *known &= is_range).or_insert(is_range);
    }

    fn is_range(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_range(&paren.expr),
            Expr::Range(range) => {
                matches!(range.limits, RangeLimits::HalfOpen(_)) && range.start.is_some() && range.end.is_some()
            }
            other => self.named(other).is_some(),
        }
    }

    /// The name of a range, or of one that is copied.
    fn named<'a>(&self, expr: &'a Expr) -> Option<&'a Ident> {
        match expr {
            Expr::Paren(paren) => self.named(&paren.expr),
            Expr::Path(path) => path.path.get_ident().filter(|name| self.0.get(&name.to_string()) == Some(&true)),
            Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => self.named(&call.receiver),
            _ => None,
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_pat_ident(&mut self, name: &'a PatIdent) {
        self.add(&name.ident, false);
        visit::visit_pat_ident(self, name);
    }

    fn visit_local(&mut self, local: &'a Local) {
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
        let is_range = local.init.as_ref().is_some_and(|init| init.diverge.is_none() && self.is_range(&init.expr));
        match (&local.pat, local.init.as_ref().map(|init| &*init.expr)) {
            (Pat::Tuple(parts), Some(Expr::Tuple(values))) if parts.elems.len() == values.elems.len() => {
                for (part, value) in parts.elems.iter().zip(&values.elems) {
                    self.declare(part, self.is_range(value));
                }
            }
            (pattern, _) => self.declare(pattern, is_range),
        }
    }
}

struct Spell(Names);

impl VisitMut for Spell {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_index_mut(&mut self, index: &mut ExprIndex) {
        visit_mut::visit_expr_index_mut(self, index);
        if let Some(name) = self.0.named(&index.index) {
            let (span, name) = (index.index.span(), name.clone());
            *index.index = parse_quote_spanned!(span=> #name.start..#name.end);
        }
    }
}

/// `Range<T>`, by its name.
fn is_range_type(ty: &Type) -> bool {
    let Type::Path(path) = bare(ty) else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Range" && !last.arguments.is_none())
}
