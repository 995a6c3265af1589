//! Which names a body binds more than once.

use super::referring::gives_places;
use super::sequence::{is_of_items, is_sequence};
use super::{bare, mentions};
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, ExprLet, ExprMatch, Local, Pat, PatIdent};

/// Whether a pattern in the block binds the name, but as that of a reference.
pub(super) fn binds(block: &Block, name: &Ident) -> bool {
    struct Search<'n> {
        name: &'n Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
            self.found |= pattern.ident == *self.name;
            visit::visit_pat_ident(self, pattern);
        }

        // Such a name is known for what it is.
        fn visit_local(&mut self, local: &'a Local) {
            match (&local.pat, &local.init) {
                (Pat::Ident(_), Some(init)) if matches!(bare(&init.expr), Expr::Reference(_)) => {
                    self.visit_expr(&init.expr);
                }
                (_, Some(init)) if gives_places(&init.expr) => self.visit_expr(&init.expr),
                _ => visit::visit_local(self, local),
            }
        }

        fn visit_expr_let(&mut self, let_: &'a ExprLet) {
            if gives_places(&let_.expr) {
                self.visit_expr(&let_.expr);
            } else {
                visit::visit_expr_let(self, let_);
            }
        }

        fn visit_expr_match(&mut self, match_: &'a ExprMatch) {
            self.visit_expr(&match_.expr);
            for arm in &match_.arms {
                if gives_places(&match_.expr) {
                    self.visit_expr(&arm.body);
                } else {
                    self.visit_arm(arm);
                }
            }
        }

        fn visit_expr_for_loop(&mut self, for_: &'a ExprForLoop) {
            self.visit_expr(&for_.expr);
            if !(is_sequence(&for_.expr) && is_of_items(&for_.pat)) {
                self.visit_pat(&for_.pat);
            }
            self.visit_block(&for_.body);
        }

        // What a macro binds, as `matches!` does, is not seen.
        fn visit_macro(&mut self, call: &'a syn::Macro) {
            let is_pattern = call.path.segments.last().is_some_and(|last| last.ident == "matches");
            self.found |= is_pattern && mentions(call.tokens.clone(), &self.name.to_string());
        }
    }
    let mut search = Search { name, found: false };
    search.visit_block(block);
    search.found
}
