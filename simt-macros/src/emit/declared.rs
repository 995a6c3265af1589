//! The names that a function declares, and what they stand for as far as the text tells.

use super::adapters::Names;
use super::known::Known;
use super::{adapters, bare, sequence};
use crate::item::{Kernel, Param, ParamKind};
use crate::methods::SELF;
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, ExprLit, Item, Lit, Local, Pat, PatIdent, Type};

/// What a name is declared as.
pub(super) enum Declared<'a> {
    Scalar,
    Memory,
    /// The value of an expression.
    Value(&'a Expr),
    /// Memory that is made of these.
    Made(Vec<&'a Expr>),
    /// An element of the memory of a name.
    Element(&'a Ident),
    /// What a closure makes of a name: memory if that is.
    Mapped(&'a Ident),
    /// A subslice of the memory of a name.
    Subslice(&'a Ident),
    /// Memory of arrays of scalars: how many indices choose one.
    Rows(usize),
    /// Memory of elements that are no scalars for certain.
    OtherMemory,
    Iterator,
    Other,
}

/// The names that a block declares, in order.
pub(super) fn names<'a>(known: &Known, block: &'a Block) -> Vec<(&'a Ident, Declared<'a>)> {
    let mut search = Declarations { known, all: Vec::new() };
    search.visit_block(block);
    search.all
}

/// The names that a `let` of a block gives to iterators.
pub(super) fn iterators(kernel: &Kernel<'_>) -> BTreeSet<String> {
    struct Search(BTreeSet<String>);
    impl Names for Search {
        fn names_iterator(&self, name: &Ident) -> bool {
            self.0.contains(&name.to_string())
        }

        fn names_memory(&self, _: &Expr) -> bool {
            false
        }
    }
    impl<'a> Visit<'a> for Search {
        fn visit_local(&mut self, local: &'a Local) {
            visit::visit_local(self, local);
            let Some(init) = &local.init else { return };
            if let Pat::Ident(PatIdent { ident, .. }) = &local.pat
                && adapters::is_value(&init.expr, self)
            {
                self.0.insert(ident.to_string());
            }
        }
    }
    let passed = kernel.params.iter().filter(|param| matches!(param.kind, ParamKind::Iterator(_)));
    let mut search = Search(passed.map(|param| param.name.to_string()).collect());
    search.visit_block(&kernel.function.block);
    search.0
}

/// The names of a user's structs that are no iterators for certain, as those change when they are asked: values, and memory.
#[derive(Default)]
pub(super) struct Structs {
    values: BTreeSet<String>,
    memories: BTreeSet<String>,
    /// Whether a method's `self` is one.
    receiver: bool,
}

impl Structs {
    /// Those of a function's parameters, and of what a `let` without `mut` makes of them. A name is one only if all that it
    /// stands for are.
    pub(super) fn of(kernel: &Kernel<'_>, declared: &[(&Ident, Declared<'_>)]) -> Self {
        let is_receiver = |param: &Param<'_>| param.name == SELF && kernel.is_struct(param.kind.element());
        let mut found = Self { receiver: kernel.params.iter().any(is_receiver), ..Self::default() };
        for param in kernel.params.iter().filter(|param| !param.mutable && kernel.is_struct(param.kind.element())) {
            match param.kind {
                ParamKind::Scalar(_) | ParamKind::Ref(_) => found.values.insert(param.name.to_string()),
                ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) => {
                    found.memories.insert(param.name.to_string())
                }
                _ => false,
            };
        }
        let changed = changed(&kernel.function.block);
        let mut others = BTreeSet::new();
        for (name, declared) in declared {
            match declared {
                Declared::Value(value) if found.has(value) && !changed.contains(&name.to_string()) => {
                    found.values.insert(name.to_string());
                }
                _ => _ = others.insert(name.to_string()),
            }
        }
        found.values.retain(|name| !others.contains(name));
        found.memories.retain(|name| !others.contains(name));
        found
    }

    /// Whether an expression is a value of one for certain.
    pub(super) fn has(&self, expr: &Expr) -> bool {
        let is_in = |names: &BTreeSet<String>, expr: &Expr| match bare(expr) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| names.contains(&name.to_string())),
            _ => false,
        };
        match bare(expr) {
            Expr::Index(index) => super::memory::range_of(index).is_none() && is_in(&self.memories, &index.expr),
            name => is_in(&self.values, name),
        }
    }
    /// Whether an expression is a method's `self` that is one, or what its own `map` makes of that. Of other names, a type's
    /// name may stand for an array or an option, that of an `impl` does not.
    pub(super) fn has_receiver(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(path) => self.receiver && path.path.is_ident(SELF),
            Expr::MethodCall(call) => call.method == "map" && call.args.len() == 1 && self.has_receiver(&call.receiver),
            _ => false,
        }
    }
}

/// The names that are declared with `mut`.
fn changed(block: &Block) -> BTreeSet<String> {
    struct Search(BTreeSet<String>);
    impl<'a> Visit<'a> for Search {
        fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
            if pattern.mutability.is_some() {
                self.0.insert(pattern.ident.to_string());
            }
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut search = Search(BTreeSet::new());
    search.visit_block(block);
    search.0
}

struct Declarations<'k, 'a> {
    known: &'k Known,
    all: Vec<(&'a Ident, Declared<'a>)>,
}

impl<'a> Declarations<'_, 'a> {
    fn typed(&self, ty: &Type) -> Declared<'a> {
        match ty {
            Type::Array(array) if self.known.is_scalar_type(&array.elem) => Declared::Memory,
            Type::Array(_) => self.known.rows_of(ty).map_or(Declared::OtherMemory, Declared::Rows),
            ty if self.known.is_scalar_type(ty) => Declared::Scalar,
            _ => Declared::Other,
        }
    }

    fn declare(&mut self, pattern: &'a Pat, value: &'a Expr) {
        match (pattern, bare(value)) {
            (Pat::Paren(paren), _) => self.declare(&paren.pat, value),
            (Pat::Tuple(tuple), Expr::Tuple(values)) if tuple.elems.len() == values.elems.len() => {
                tuple.elems.iter().zip(&values.elems).for_each(|(pattern, value)| self.declare(pattern, value));
            }
            (Pat::Ident(PatIdent { ident, subpat: None, mutability, .. }), value) => {
                let declared = match value {
                    // A variable that refers to memory.
                    Expr::Reference(_) if mutability.is_some() => Declared::Other,
                    value if adapters::is_value(value, self.known) => Declared::Iterator,
                    value if let Some(rows @ 2..) = rows_made(value) => Declared::Rows(rows),
                    Expr::Array(array) => Declared::Made(array.elems.iter().collect()),
                    Expr::Repeat(repeat) => Declared::Made(vec![&*repeat.expr]),
                    Expr::Reference(reference) => referred(&reference.expr),
                    Expr::Call(call) if super::made::is_from_fn(call) => Declared::OtherMemory,
                    Expr::MethodCall(call) if call.method == "map" => match bare(&call.receiver) {
                        Expr::Array(_) | Expr::Repeat(_) => Declared::OtherMemory,
                        Expr::Path(path) => path.path.get_ident().map_or(Declared::Other, Declared::Mapped),
                        _ => Declared::Value(value),
                    },
                    value => Declared::Value(value),
                };
                self.all.push((ident, declared));
            }
            (other, _) => self.visit_pat(other),
        }
    }
}

impl<'a> Visit<'a> for Declarations<'_, 'a> {
    fn visit_item(&mut self, _: &'a Item) {}

    /// A name that nothing else here knows.
    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        self.all.push((&pattern.ident, Declared::Other));
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_pat_type(&mut self, typed: &'a syn::PatType) {
        match &*typed.pat {
            Pat::Ident(PatIdent { ident, subpat: None, .. }) => self.all.push((ident, self.typed(&typed.ty))),
            pattern => self.visit_pat(pattern),
        }
    }

    fn visit_local(&mut self, local: &'a Local) {
        match (&local.pat, &local.init) {
            (pattern @ (Pat::Ident(_) | Pat::Tuple(_) | Pat::Paren(_)), Some(init)) => {
                self.declare(pattern, &init.expr);
            }
            // An array that a block gives is a variable, and no memory.
            (Pat::Type(typed), Some(init))
                if matches!(*typed.ty, Type::Array(_))
                    && matches!(bare(&init.expr), Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Loop(_)) =>
            {
                self.visit_pat(&typed.pat);
            }
            (pattern, _) => self.visit_pat(pattern),
        }
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
    }

    fn visit_expr_for_loop(&mut self, for_: &'a ExprForLoop) {
        let name = match &*for_.pat {
            Pat::Ident(PatIdent { ident, subpat: None, .. }) => Some(ident),
            Pat::Reference(reference) => match &*reference.pat {
                Pat::Ident(PatIdent { ident, subpat: None, .. }) => Some(ident),
                _ => None,
            },
            _ => None,
        };
        match (name, counted(&for_.expr)) {
            (Some(name), Some(declared)) => self.all.push((name, declared)),
            _ => self.visit_pat(&for_.pat),
        }
        self.visit_expr(&for_.expr);
        self.visit_block(&for_.body);
    }
}

/// How many indices choose a number of an array of arrays of literals.
fn rows_made(value: &Expr) -> Option<usize> {
    let element = match bare(value) {
        Expr::Array(array) => array.elems.first()?,
        Expr::Repeat(repeat) => &*repeat.expr,
        _ => return None,
    };
    match bare(element) {
        Expr::Lit(_) => Some(1),
        element => rows_made(element).map(|rows| rows + 1),
    }
    .filter(|_| !matches!(bare(element), Expr::Lit(ExprLit { lit: Lit::Str(_) | Lit::ByteStr(_), .. })))
}

/// What a reference refers to, which has a name.
fn referred(expr: &Expr) -> Declared<'_> {
    match bare(expr) {
        Expr::Array(array) => Declared::Made(array.elems.iter().collect()),
        Expr::Repeat(repeat) => Declared::Made(vec![&*repeat.expr]),
        Expr::Index(index) if super::memory::range_of(index).is_some() => {
            within(&index.expr).map_or(Declared::Other, Declared::Subslice)
        }
        value => Declared::Value(value),
    }
}

/// The name of the memory that a subslice is of.
fn within(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Index(index) if super::memory::range_of(index).is_some() => within(&index.expr),
        _ => None,
    }
}

/// What a `for` counts through or goes over.
fn counted(expr: &Expr) -> Option<Declared<'_>> {
    match bare(expr) {
        Expr::Range(_) => Some(Declared::Scalar),
        Expr::Path(path) => path.path.get_ident().map(Declared::Element),
        Expr::Index(index) if super::memory::range_of(index).is_some() => within(&index.expr).map(Declared::Element),
        Expr::Reference(reference) => counted(&reference.expr),
        Expr::MethodCall(call) if sequence::PIECES.iter().any(|name| call.method == name) => {
            within(&call.receiver).map(Declared::Subslice)
        }
        Expr::MethodCall(call) => {
            let passes = ["iter", "iter_mut", "rev", "step_by", "skip", "take", "copied"];
            passes.iter().any(|name| call.method == name).then(|| counted(&call.receiver)).flatten()
        }
        _ => None,
    }
}
