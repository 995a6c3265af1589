//! What is a mistake wherever it stands in a kernel's body.
//!
//! Attributes with the same meaning on the emitted `let` as on the user's are passed on, `#[shared]` belongs to the kernel
//! language, others would be lost. A `let` may have a type that no kernel has, and an index two numbers: of these, rustc would
//! say more than once that they are not what the builder wants.

use super::array::is_shared;
use crate::report::Report;
use crate::unsupported;
use syn::visit::{self, Visit};
use syn::{Arm, Attribute, Block, ExprBlock, Item, Local, Pat, Type};

/// Reports what no kernel's body may have.
pub(super) fn check(body: &Block, report: &mut Report) {
    Search { report }.visit_block(body);
}

/// Whether a `let`, a statement or an arm may have the attribute.
pub(crate) fn is_passed_on(attribute: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "forbid", "cfg", "doc"].iter().any(|name| attribute.path().is_ident(name))
}

struct Search<'r> {
    report: &'r mut Report,
}

impl Search<'_> {
    /// The type of a `let`.
    fn check_type(&mut self, ty: &Type) {
        let of_functions = matches!(ty, Type::Array(array) if matches!(&*array.elem, Type::FnPtr(_)));
        if of_functions || matches!(ty, Type::FnPtr(_)) {
            let message = "a function that is chosen at run time is one of a table, which stands outside of the kernel: write \
                           `#[device] const OPS: [fn(f32) -> f32; 2] = [f, g];`, and `OPS[i](x)`";
            self.report.error(ty, message);
        } else if let Some(message) = unsupported::ty(ty) {
            self.report.error(ty, message);
        }
    }
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_local(&mut self, local: &'a Local) {
        for attribute in local.attrs.iter().filter(|attribute| !is_passed_on(attribute) && !is_shared(attribute)) {
            self.visit_attribute(attribute);
        }
        if let Pat::Type(typed) = &local.pat {
            self.check_type(&typed.ty);
        }
        self.visit_pat(&local.pat);
        if let Some(init) = &local.init {
            visit::visit_local_init(self, init);
        }
    }

    fn visit_arm(&mut self, arm: &'a Arm) {
        arm.attrs
            .iter()
            .filter(|attribute| !is_passed_on(attribute))
            .for_each(|attribute| self.visit_attribute(attribute));
        self.visit_pat(&arm.pat);
        self.visit_expr(&arm.body);
    }

    fn visit_expr_block(&mut self, block: &'a ExprBlock) {
        if crate::attributed::of_statement(block).is_none() {
            return visit::visit_expr_block(self, block);
        }
        self.visit_block(&block.block);
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        self.report.error(attribute, "this attribute is not supported in a kernel's body");
    }

    // Items are Rust's own; the kinds of items that a kernel does not have are reported as a whole.
    fn visit_item(&mut self, _: &'a Item) {}
}
