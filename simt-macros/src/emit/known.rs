//! What the macro knows of types: which names and expressions are scalars for certain.
//!
//! Operators on scalars are calls of the builder's own methods; where an operand may be of a user's type, rustc chooses (see
//! `operator`). So a kernel without structs costs rustc no choice, and its errors point at the operand that is wrong. What is
//! not known here may still be a scalar.

use super::declared::{self, Declared, Structs};
use super::{adapters, bare, collective, ends, lazy, number, numeric, options, own, shared};
use crate::item::{Kernel, ParamKind};
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    BinOp, Block, Expr, ExprCall, ExprIf, ExprLit, GenericParam, Generics, Ident, Lit, Member, Path, Stmt, Type,
    TypeParam, TypeParamBound, UnOp, WherePredicate,
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
    /// Memory of arrays of scalars, and how many indices choose one; 0 if a name is declared as others, too.
    rows: BTreeMap<String, usize>,
    /// Names that are values or memory, wherever they are declared: no functions.
    variables: BTreeSet<String>,
    /// Names that are iterators somewhere.
    iterators: BTreeSet<String>,
    /// What is a user's struct, and no iterator.
    structs: Structs,
    /// Type parameters: their bounds are those of scalars.
    types: BTreeSet<String>,
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
        let mut all = Vec::new();
        for param in &kernel.params {
            let is_scalar = known.is_scalar_type(param.kind.element());
            let rows = known.rows_of(param.kind.element());
            let declared = match param.kind {
                // A variable that refers to memory.
                _ if param.mutable && !is_scalar => Declared::Other,
                ParamKind::Slice(_) | ParamKind::SliceMut(_) if param.mutable => Declared::Other,
                ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) if is_scalar => Declared::Memory,
                ParamKind::Slice(_) | ParamKind::SliceMut(_) | ParamKind::Constant(_) => {
                    rows.map_or(Declared::OtherMemory, |rows| Declared::Rows(rows + 1))
                }
                ParamKind::Scalar(_) | ParamKind::Ref(_) | ParamKind::RefMut(_) if is_scalar => Declared::Scalar,
                _ => Declared::Other,
            };
            all.push((param.name, declared));
        }
        known.iterators = declared::iterators(kernel);
        let inner = declared::names(&known, &kernel.function.block);
        known.structs = Structs::of(kernel, &inner);
        all.extend(inner);

        let is_callable = |declared: &Declared<'_>| match declared {
            Declared::Value(value) => matches!(bare(value), Expr::Closure(_) | Expr::Path(_) | Expr::If(_)),
            _ => false,
        };
        known.variables = all.iter().map(|(name, _)| name.to_string()).collect();
        for (name, _) in all.iter().filter(|(_, declared)| is_callable(declared)) {
            known.variables.remove(&name.to_string());
        }
        for param in kernel.params.iter().filter(|param| matches!(param.kind, ParamKind::Closure(..))) {
            known.variables.remove(&param.name.to_string());
        }

        // A name is known only if all that it stands for are; so one that is not may make others unknown.
        for (name, _) in &all {
            known.scalars.insert(name.to_string());
            known.memories.insert(name.to_string());
            known.others.insert(name.to_string());
        }
        for (name, declared) in &all {
            let rows = match declared {
                Declared::Rows(rows) => *rows,
                _ => 0,
            };
            known
                .rows
                .entry(name.to_string())
                .and_modify(|known| *known *= usize::from(*known == rows))
                .or_insert(rows);
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
                    Declared::OtherMemory | Declared::Rows(_) | Declared::Memory | Declared::Made(_) => true,
                    Declared::Subslice(memory) | Declared::Mapped(memory) => known.others.contains(&memory.to_string()),
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
            Declared::Memory
            | Declared::Rows(_)
            | Declared::OtherMemory
            | Declared::Made(_)
            | Declared::Subslice(_)
            | Declared::Mapped(_)
            | Declared::Iterator
            | Declared::Other => false,
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

    pub(super) fn may_be_iterator(&self, name: &Ident) -> bool {
        self.iterators.contains(&name.to_string())
    }

    /// Whether an expression is a user's struct that is no iterator, for certain.
    pub(super) fn is_struct(&self, expr: &Expr) -> bool {
        self.structs.has(expr)
    }

    /// Whether an expression is a method's `self` of a user's struct.
    pub(super) fn is_receiver(&self, expr: &Expr) -> bool {
        self.structs.has_receiver(expr)
    }

    /// Whether an expression is the name of a variable for certain, and of no closure.
    pub(super) fn is_variable(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        path.path.get_ident().is_some_and(|name| self.variables.contains(&name.to_string()))
    }

    /// Whether an expression is the name of a function for certain: no name that the function declares, and no constant's.
    pub(super) fn is_function(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let is_declared = path.path.get_ident().is_some_and(|name| self.rows.contains_key(&name.to_string()));
        let is_functions = |name: &Ident| name.to_string().trim_start_matches('_').starts_with(char::is_lowercase);
        !is_declared && path.path.segments.last().is_some_and(|last| is_functions(&last.ident))
    }

    pub(super) fn is_scalar_type(&self, ty: &Type) -> bool {
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

    /// How many indices choose a scalar of an array's type.
    pub(super) fn rows_of(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Array(array) => Some(1 + self.rows_of(&array.elem).unwrap_or(0))
                .filter(|_| self.is_scalar_type(&array.elem) || self.rows_of(&array.elem).is_some()),
            Type::Paren(inner) => self.rows_of(&inner.elem),
            Type::Group(inner) => self.rows_of(&inner.elem),
            _ => None,
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
                inner @ Expr::Index(_) => self.is_scalar_of_rows(inner, 2),
                _ => false,
            },
            Expr::MethodCall(call) if ends::is_end(call, self) => super::totals::ends_in_scalar(call, self),
            Expr::MethodCall(call) if adapters::is_value(expr, self) || is_next(call) => false,
            Expr::MethodCall(call) if super::ranges::is_clone(call) => self.is_scalar(&call.receiver),
            Expr::MethodCall(call) => {
                !own::is_own(call)
                    && !options::is_method(call, self)
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
                    number::is_single(name) || collective::find(name).is_some_and(shuffles_none)
                }) || self.function_emits(call).is_some_and(|emits| !emits) && !numeric::is_default(call)
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

    /// Whether a call may emit statements, of a number's function, also that of a type parameter.
    fn function_emits(&self, call: &ExprCall) -> Option<bool> {
        match bare(&call.func) {
            Expr::Path(path) if self.is_named(&path.path) => numeric::of_numbers_emits(call),
            _ => numeric::function_emits(call),
        }
    }

    /// Whether so many indices choose a scalar, one of which is the expression's.
    fn is_scalar_of_rows(&self, expr: &Expr, indices: usize) -> bool {
        let Expr::Index(index) = bare(expr) else { return false };
        match bare(&index.expr) {
            _ if super::memory::range_of(index).is_some() => false,
            Expr::Path(path) => {
                let rows = path.path.get_ident().and_then(|name| self.rows.get(&name.to_string()));
                rows.is_some_and(|rows| *rows == indices)
            }
            inner => self.is_scalar_of_rows(inner, indices + 1),
        }
    }

    /// Whether a method is that of a number or of memory for certain. Of a long chain not all is looked at.
    fn is_never_own(&self, call: &syn::ExprMethodCall) -> bool {
        let mut first = call;
        for _ in 0..LONG {
            match bare(&first.receiver) {
                Expr::MethodCall(inner) if !own::is_own(inner) && !ends::is_end(inner, self) => first = inner,
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

/// Whether a method asks an iterator for an item, as far as its name tells.
fn is_next(call: &syn::ExprMethodCall) -> bool {
    ["next", "next_back", "peek", "next_if", "next_if_eq"].iter().any(|name| call.method == name)
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
