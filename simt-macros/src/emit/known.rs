//! What the macro knows of types: which names and expressions are scalars for certain.
//!
//! Operators on scalars are calls of the builder's own methods; where an operand may be of a user's type, rustc chooses (see
//! `operator`). So a kernel without structs costs rustc no choice, and its errors point at the operand that is wrong. What is
//! not known here may still be a scalar.

use super::{bare, collective, iterate, lazy, number, numeric, options, own, sequence, shared};
use crate::item::{Kernel, ParamKind};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprForLoop, ExprIf, ExprLit, GenericParam, Generics, Ident, Item, Lit, Local, Member, Pat,
    PatIdent, Path, Stmt, Type, TypeParam, TypeParamBound, UnOp, WherePredicate,
};

/// The longest chain of operators that is looked through: the time for a chain is in proportion to its length.
const LONG: usize = 64;

/// The names of a function that mean only this, wherever they are declared.
#[derive(Default)]
pub(super) struct Known {
    scalars: BTreeSet<String>,
    /// Memory of scalars.
    memories: BTreeSet<String>,
    /// Memory of other elements.
    others: BTreeSet<String>,
    /// Type parameters: their bounds are those of scalars.
    types: BTreeSet<String>,
}

/// What a name is declared as.
enum Declared<'a> {
    Scalar,
    Memory,
    /// The value of an expression.
    Value(&'a Expr),
    /// Memory that is made of these.
    Made(Vec<&'a Expr>),
    /// An element of the memory of a name.
    Element(&'a Ident),
    /// A subslice of the memory of a name.
    Subslice(&'a Ident),
    /// Memory of elements that are no scalars for certain.
    OtherMemory,
    Other,
}

impl Known {
    pub(super) fn of(kernel: &Kernel<'_>) -> Self {
        let mut known = Self::default();
        for parameter in &kernel.function.sig.generics.params {
            match parameter {
                GenericParam::Type(ty) if is_of_scalars(ty, &kernel.function.sig.generics) => {
                    known.types.insert(ty.ident.to_string())
                }
                GenericParam::Const(constant) => known.scalars.insert(constant.ident.to_string()),
                GenericParam::Type(_) | GenericParam::Lifetime(_) => false,
            };
        }
        let mut search = Declarations { known: &known, all: Vec::new() };
        for param in &kernel.params {
            let is_scalar = known.is_scalar_type(param.kind.element());
            let declared = match param.kind {
                ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) if is_scalar => Declared::Memory,
                ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) => Declared::OtherMemory,
                ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_) if is_scalar => Declared::Scalar,
                _ => Declared::Other,
            };
            search.all.push((param.name, declared));
        }
        search.visit_block(&kernel.function.block);
        let all = search.all;

        // A name is known only if all that it stands for are; so one that is not may make others unknown.
        for (name, _) in &all {
            known.scalars.insert(name.to_string());
            known.memories.insert(name.to_string());
            known.others.insert(name.to_string());
        }
        loop {
            let before = known.scalars.len() + known.memories.len() + known.others.len();
            for (name, declared) in &all {
                let name = name.to_string();
                if known.scalars.contains(&name) && !known.declares_scalar(declared) {
                    known.scalars.remove(&name);
                }
                if known.memories.contains(&name) && !known.declares_memory(declared) {
                    known.memories.remove(&name);
                }
                let is_memory = match declared {
                    Declared::OtherMemory | Declared::Memory | Declared::Made(_) => true,
                    Declared::Subslice(memory) => known.others.contains(&memory.to_string()),
                    _ => false,
                };
                if !is_memory {
                    known.others.remove(&name);
                }
            }
            if known.scalars.len() + known.memories.len() + known.others.len() == before {
                return known;
            }
        }
    }

    fn declares_scalar(&self, declared: &Declared<'_>) -> bool {
        match declared {
            Declared::Scalar => true,
            Declared::Value(value) => self.is_scalar(value),
            Declared::Element(memory) => self.memories.contains(&memory.to_string()),
            Declared::Memory | Declared::OtherMemory | Declared::Made(_) | Declared::Subslice(_) | Declared::Other => {
                false
            }
        }
    }

    fn declares_memory(&self, declared: &Declared<'_>) -> bool {
        match declared {
            Declared::Memory => true,
            Declared::Made(elements) => elements.iter().all(|element| self.is_scalar(element)),
            Declared::Subslice(memory) => self.memories.contains(&memory.to_string()),
            _ => false,
        }
    }

    fn is_scalar_type(&self, ty: &Type) -> bool {
        match ty {
            Type::Path(path) if path.qself.is_none() => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                numeric::is_scalar(&name) || self.types.contains(&name)
            }),
            Type::Paren(inner) => self.is_scalar_type(&inner.elem),
            Type::Group(inner) => self.is_scalar_type(&inner.elem),
            _ => false,
        }
    }

    /// Whether an expression is the name of memory for certain.
    pub(super) fn is_memory(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        path.path.get_ident().is_some_and(|name| self.others.contains(&name.to_string()))
    }

    /// Whether an expression is the name of memory for certain, of scalars or others.
    pub(super) fn is_named_memory(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let known = |name: &Ident| self.memories.contains(&name.to_string()) || self.others.contains(&name.to_string());
        path.path.get_ident().is_some_and(known)
    }

    /// Whether the value of an expression is a scalar, or never there, for certain.
    pub(super) fn is_scalar(&self, expr: &Expr) -> bool {
        let mut expr = bare(expr);
        for _ in 0..LONG {
            match expr {
                Expr::Binary(binary) => match binary.op {
                    BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::Rem(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
                    | BinOp::Shl(_)
                    | BinOp::Shr(_) => {}
                    _ => return true,
                },
                _ => return self.is_one(expr),
            }
            let Expr::Binary(binary) = expr else { return false };
            if !self.is_scalar(&binary.right) {
                return false;
            }
            expr = bare(&binary.left);
        }
        false
    }

    fn is_one(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(ExprLit { lit, .. }) => matches!(lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_) | Lit::Byte(_)),
            Expr::Path(path) => path.qself.is_none() && self.is_named(&path.path),
            Expr::Unary(unary) => {
                matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_) | UnOp::Deref(_)) && self.is_scalar(&unary.expr)
            }
            Expr::Cast(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
            Expr::Index(index) if super::memory::range_of(index).is_some() => false,
            Expr::Index(index) => match bare(&index.expr) {
                Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.memories.contains(&name.to_string())),
                // Fields and elements that are arrays have scalars.
                Expr::Field(_) | Expr::Index(_) => true,
                _ => false,
            },
            Expr::MethodCall(call) if iterate::is_end(call) => iterate::ends_in_scalar(call),
            Expr::MethodCall(call) => {
                !own::is_own(call)
                    && !options::is_method(call)
                    && !lazy::is_method(call)
                    && !call.method.to_string().starts_with("compare_exchange")
                    && !numeric::emits(&call.method.to_string())
                    && (self.is_never_own(call) || shared::gives_scalar(call))
            }
            Expr::Call(call) => {
                let name = super::call::called(call);
                name.is_some_and(|name| {
                    let shuffles_none =
                        |found| collective::shuffled(call, found).is_none_or(|value| self.is_scalar(value));
                    number::is_number(name) || collective::find(name).is_some_and(shuffles_none)
                }) || numeric::function_emits(call).is_some_and(|emits| !emits) && !numeric::is_default(call)
            }
            // `thread_idx().x`
            Expr::Field(field) => {
                matches!(field.member, Member::Named(_))
                    && matches!(bare(&field.base), Expr::Call(call) if super::call::called(call).is_some_and(number::is_number))
            }
            Expr::Block(block) => block.label.is_none() && self.is_block(&block.block),
            Expr::If(ExprIf { then_branch, else_branch: Some((_, otherwise)), .. }) => {
                self.is_block(then_branch) && self.is_scalar(otherwise)
            }
            Expr::Match(match_) => match_.arms.iter().all(|arm| self.is_scalar(&arm.body)),
            _ => false,
        }
    }

    /// Whether a method is that of a number or of memory for certain. Of a long chain not all is looked at.
    fn is_never_own(&self, call: &syn::ExprMethodCall) -> bool {
        let mut first = call;
        for _ in 0..LONG {
            match bare(&first.receiver) {
                Expr::MethodCall(inner) if !own::is_own(inner) && !iterate::is_end(inner) => first = inner,
                _ => return !self.may_be_own(first),
            }
        }
        true
    }

    fn is_block(&self, block: &Block) -> bool {
        match block.stmts.last() {
            Some(Stmt::Expr(value, None)) => self.is_scalar(value),
            Some(statement) => super::jump::always_jumps(statement),
            None => false,
        }
    }

    fn is_named(&self, path: &Path) -> bool {
        if let Some(name) = path.get_ident() {
            return self.scalars.contains(&name.to_string());
        }
        let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
        numeric::is_scalar(&first) || self.types.contains(&first) || matches!(&*first, "std" | "core")
    }
}

/// Whether a type parameter has a bound that only scalars have.
fn is_of_scalars(param: &TypeParam, generics: &Generics) -> bool {
    const BOUNDS: [&str; 7] = ["Scalar", "Num", "Int", "Float", "Signed", "Bits", "Element"];
    let is_it = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| BOUNDS.iter().any(|name| last.ident == name))
        }
        _ => false,
    };
    let of_it = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident(&param.ident));
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let mut in_clauses = clauses.filter_map(|predicate| match predicate {
        WherePredicate::Type(of_type) if of_it(&of_type.bounded_ty) => Some(&of_type.bounds),
        _ => None,
    });
    param.bounds.iter().any(is_it) || in_clauses.any(|bounds| bounds.iter().any(is_it))
}

struct Declarations<'k, 'a> {
    known: &'k Known,
    all: Vec<(&'a Ident, Declared<'a>)>,
}

impl<'a> Declarations<'_, 'a> {
    fn typed(&self, ty: &Type) -> Declared<'a> {
        match ty {
            Type::Array(array) if self.known.is_scalar_type(&array.elem) => Declared::Memory,
            Type::Array(_) => Declared::OtherMemory,
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
            (Pat::Ident(PatIdent { ident, subpat: None, .. }), value) => {
                let declared = match value {
                    Expr::Array(array) => Declared::Made(array.elems.iter().collect()),
                    Expr::Repeat(repeat) => Declared::Made(vec![&*repeat.expr]),
                    Expr::Reference(reference) => referred(&reference.expr),
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
