//! Parts of memory as the language has them and a program does not: subslices, references to elements, tables, and loops over
//! all of these.

use super::super::arrays::value;
use super::{Arrays, Faults, Generator, Loop};
use simt_core::ops::{Args, BinaryOp, CompareOp, NumericOp};
use simt_core::program::{
    ArrayId, ArraySpace, Block, Expr, ExprId, Memory, Param, ParamId, ParamKind, Stmt, StmtKind, VarId,
};
use simt_core::{ScalarType, Span};

/// A subslice: its first element and its length are variables that do not change.
#[derive(Clone, Copy)]
pub(super) struct Part {
    memory: Memory,
    first: VarId,
    len: VarId,
}

/// Most elements that a loop visits.
const VISITED: u64 = 4;

impl Generator {
    /// Up to two tables that the kernel brings along.
    pub(super) fn tables(&mut self) {
        for number in 0..self.random.below(3) {
            let element = self.any_type();
            let length = 1 + self.random.below(12) as u32;
            let bits = (0..length).map(|_| value(&mut self.random, element)).collect();
            let name = format!("T{number}").into();
            let kind = ParamKind::Constant { element };
            self.program.params.push(Param { name, kind, row: 1, table: Some(bits), span: Span::default() });
        }
    }

    /// Constant memory with elements of a type: a slice that is passed, or a table.
    pub(super) fn constant_of(&mut self, ty: ScalarType) -> Option<ParamId> {
        let params = self.program.params.iter().zip(0..);
        let constants = params.filter(|(param, _)| param.kind == ParamKind::Constant { element: ty });
        let constants: Vec<ParamId> = constants.map(|(_, number)| ParamId(number)).collect();
        (!constants.is_empty()).then(|| *self.random.pick(&constants))
    }

    /// A variable with the value, which stays as it is.
    pub(super) fn pinned(&mut self, block: &mut Block, ty: ScalarType, value: ExprId) -> VarId {
        let var = self.variable(ty, false);
        self.assign(block, var, value);
        var
    }

    /// `if (cond) { panic!(..) }`
    fn panic_if(&mut self, cond: ExprId) -> Stmt {
        let (message, args) = self.message();
        let then = vec![self.stmt(StmtKind::Panic { message, args })];
        self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() })
    }

    /// `let part = &x[a..];` of what is only read, or `&part[a..]`, or one of both that ends earlier.
    pub(super) fn subslice(&mut self, block: &mut Block) {
        let of = if self.scope.parts.is_empty() || self.random.once_in(2) {
            None
        } else {
            Some(*self.random.pick(&self.scope.parts))
        };
        let (memory, len) = match of {
            Some(part) => (part.memory, self.get(part.len)),
            None => {
                let ty = self.any_type();
                let number = Arrays::TYPES.iter().position(|&t| t == ty).unwrap_or(0) as u32;
                let param = self.constant_of(ty).unwrap_or(ParamId(number * 2));
                (param.into(), self.node(Expr::Len(param.into()), ScalarType::Usize))
            }
        };
        let usize = ScalarType::Usize;
        let len = self.pinned(block, usize, len);
        let mut from = self.expr(usize, 2);
        if self.faults == Faults::Never || !self.random.once_in(8) {
            let len = self.get(len);
            from = self.operation(BinaryOp::Rem, from, len);
        }
        let from = self.pinned(block, usize, from);
        let (left, right) = (self.get(from), self.get(len));
        let beyond = self.compare(CompareOp::Gt, left, right);
        let check = self.panic_if(beyond);
        block.push(check);
        let (left, right) = (self.get(len), self.get(from));
        let mut rest = self.operation(BinaryOp::Sub, left, right);
        if self.random.once_in(3) {
            let some = 1 + self.random.below(5) as u64;
            let some = self.constant(usize, some);
            rest = self.node(Expr::Numeric { op: NumericOp::Min, args: Args::from([rest, some]) }, usize);
        }
        let rest = self.pinned(block, usize, rest);
        let mut first = self.get(from);
        if let Some(part) = of {
            let base = self.get(part.first);
            first = self.operation(BinaryOp::Add, base, first);
        }
        let first = self.pinned(block, usize, first);
        self.scope.parts.push(Part { memory, first, len: rest });
    }

    /// A subslice with elements of the type.
    pub(super) fn part_of(&mut self, ty: ScalarType) -> Option<Part> {
        let parts = self.scope.parts.iter().copied();
        let parts: Vec<Part> = parts.filter(|part| self.program.element(part.memory) == Some(ty)).collect();
        (!parts.is_empty()).then(|| *self.random.pick(&parts))
    }

    /// An element of a subslice.
    pub(super) fn part_element(&mut self, part: Part, ty: ScalarType, depth: usize) -> ExprId {
        let (index, len) = (self.expr(ScalarType::Usize, depth), self.get(part.len));
        let index = self.operation(BinaryOp::Rem, index, len);
        self.element_at(part.memory, Some(part.first), index, ty)
    }

    fn element_at(&mut self, memory: Memory, first: Option<VarId>, index: ExprId, ty: ScalarType) -> ExprId {
        let index = match first {
            Some(first) => {
                let first = self.get(first);
                self.operation(BinaryOp::Add, first, index)
            }
            None => index,
        };
        self.loaded(memory, index, ty)
    }

    /// A local array that may be used.
    pub(super) fn local_array_of_scope(&mut self) -> Option<ArrayId> {
        let arrays = self.scope.arrays.iter().copied();
        let local: Vec<ArrayId> = arrays.filter(|&id| self.program.array(id).space == ArraySpace::Local).collect();
        (!local.is_empty()).then(|| *self.random.pick(&local))
    }

    /// `{ let r = &mut a[i]; S }`: the index is evaluated once; S works on a copy now and then, which goes back behind it, as
    /// that of a call does.
    pub(super) fn reference(&mut self, block: &mut Block, depth: usize) {
        let Some(array) = self.local_array_of_scope() else { return self.declare(block, ScalarType::U32) };
        let ty = self.program.array(array).element;
        let index = self.index_of(array);
        let at = self.pinned(block, ScalarType::Usize, index);
        let index = self.get(at);
        let value = self.loaded(array, index, ty);
        let element = self.variable(ty, true);
        self.assign(block, element, value);
        self.scope.variables.push(element);
        self.block(block, depth + 1);
        let (index, value) = (self.get(at), self.get(element));
        let store = self.stored(array, index, value);
        block.push(store);
    }

    /// `for v in x { S }` over a local array or a subslice: `i = 0; while (i < len) { v = x[i]; S } step { i = i + 1; }`. Some
    /// write the element, some leave early, some add it to a sum.
    pub(super) fn for_each(&mut self, block: &mut Block, depth: usize) {
        if self.loops.contains(&Loop::Counted) {
            return self.subslice(block);
        }
        let usize = ScalarType::Usize;
        let parts = self.scope.parts.clone();
        let array = self.local_array_of_scope().filter(|_| parts.is_empty() || self.random.once_in(2));
        let (memory, first, len) = match array {
            Some(array) => (array.into(), None, self.constant(usize, self.program.array(array).length.into())),
            None if parts.is_empty() => return self.subslice(block),
            None => {
                let part = *self.random.pick(&parts);
                let (len, most) = (self.get(part.len), self.constant(usize, VISITED));
                let len = self.node(Expr::Numeric { op: NumericOp::Min, args: Args::from([len, most]) }, usize);
                let len = self.pinned(block, usize, len);
                (part.memory, Some(part.first), self.get(len))
            }
        };
        let Some(ty) = self.program.element(memory) else { return };
        let sum = self.variable(ty, true);
        let start = self.expr(ty, 1);
        self.assign(block, sum, start);
        let at = self.variable(usize, true);
        let zero = self.constant(usize, 0);
        self.assign(block, at, zero);
        let left = self.get(at);
        let cond = self.compare(CompareOp::Lt, left, len);

        let variables = self.scope.variables.len();
        let (index, mut body) = (self.get(at), Vec::new());
        let value = self.element_at(memory, first, index, ty);
        let item = self.pinned(&mut body, ty, value);
        self.scope.variables.extend([item, sum]);
        self.loops.push(Loop::Counted);
        match self.random.below(4) {
            // `.any(|v| ..)`
            0 => {
                let found = self.expr(ScalarType::Bool, 2);
                let then = vec![self.stmt(StmtKind::Break { out: 0 })];
                body.push(self.stmt(StmtKind::If { cond: found, then, otherwise: Vec::new() }));
            }
            // `.filter(|v| ..)`
            1 => {
                let kept = self.expr(ScalarType::Bool, 2);
                let then = vec![self.stmt(StmtKind::Continue { out: 0 })];
                body.push(self.stmt(StmtKind::If { cond: kept, then, otherwise: Vec::new() }));
            }
            _ => self.block(&mut body, depth + 1),
        }
        // `.fold(a, |a, v| ..)`
        let value = self.expr(ty, 2);
        self.assign(&mut body, sum, value);
        if let Memory::Array(array) = memory
            && self.random.once_in(2)
        {
            let (index, value) = (self.get(at), self.expr(ty, 2));
            let store = self.stored(array, index, value);
            body.push(store);
        }
        self.loops.pop();
        self.scope.variables.truncate(variables);
        self.scope.variables.push(sum);
        let (left, one) = (self.get(at), self.constant(usize, 1));
        let next = self.operation(BinaryOp::Add, left, one);
        let step = vec![self.stmt(StmtKind::Assign { var: at, value: next })];
        block.push(self.stmt(StmtKind::While { cond, body, step }));
    }
}
