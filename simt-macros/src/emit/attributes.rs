//! Attributes in a kernel's body: those with the same meaning on the emitted `let` as on the user's are passed on,
//! `#[shared]` belongs to the kernel language, others are mistakes, because they would be lost.

use super::array::is_shared;
use crate::report::Report;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Item, Local};

/// Reports the attributes that cannot be passed on.
pub(super) fn check(body: &Block, report: &mut Report) {
    Search { report }.visit_block(body);
}

/// Whether a `let` may have the attribute.
fn is_passed_on(attribute: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "forbid", "cfg", "doc"].iter().any(|name| attribute.path().is_ident(name))
}

struct Search<'r> {
    report: &'r mut Report,
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_local(&mut self, local: &'a Local) {
        for attribute in local.attrs.iter().filter(|attribute| !is_passed_on(attribute) && !is_shared(attribute)) {
            self.visit_attribute(attribute);
        }
        self.visit_pat(&local.pat);
        if let Some(init) = &local.init {
            visit::visit_local_init(self, init);
        }
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        self.report.error(attribute, "this attribute is not supported in a kernel's body");
    }

    // Items are Rust's own; the kinds of items that a kernel does not have are reported as a whole.
    fn visit_item(&mut self, _: &'a Item) {}
}
