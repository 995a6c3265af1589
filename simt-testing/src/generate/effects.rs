//! Statements that write memory, print, or end the launch.

use super::{Arrays, Construct, Faults, Generator};
use simt_core::ScalarType;
use simt_core::ops::{AtomicOp, BinaryOp};
use simt_core::program::{
    Array, ArrayId, ArraySpace, AtomicOrder, Block, Builtin, ExprId, FenceScope, Memory, Message, MessageId, ParamId,
    Piece, Stmt, StmtKind, StoreAccess, Style, VarId,
};

/// Elements of a shared array: as many as the largest block has threads.
pub(super) const BLOCK: u32 = 90;

/// Elements of an array for results: at most three, and the elements of two fields.
const RESULTS: u32 = 9;

/// Atomics of which the first is summed up, with their type.
pub(super) const SUMS: (ParamId, ScalarType) = Arrays::ATOMICS[1];

/// The ways to change an atomic whose order does not matter, among themselves; each has elements of its own.
const COMMUTATIVE: [&[AtomicOp]; 6] = [
    &[AtomicOp::Add, AtomicOp::Sub],
    &[AtomicOp::Min],
    &[AtomicOp::Max],
    &[AtomicOp::And],
    &[AtomicOp::Or],
    &[AtomicOp::Xor],
];

impl Generator {
    /// A store to the thread's own element.
    pub(super) fn store(&mut self, block: &mut Block, ty: ScalarType) {
        let Some(slice) = self.results_of(ty) else { return self.declare(block, ty) };
        let index = self.builtin(Builtin::GlobalId);
        let value = self.expr(ty, 3);
        let store = self.stored(slice, index, value);
        block.push(store);
    }

    /// Stores of the variables, so that it shows what was computed: of each type the last.
    pub(super) fn show_variables(&mut self, block: &mut Block) {
        for &ty in Arrays::TYPES {
            let last = self.scope.variables.iter().rev().find(|var| self.program.variable(**var).ty == ty);
            if let (Some(&last), Some(slice)) = (last, self.results_of(ty)) {
                let (index, value) = (self.builtin(Builtin::GlobalId), self.get(last));
                let store = self.stored(slice, index, value);
                block.push(store);
            }
        }
    }

    /// The slice for results of a type; none for that in which threads pass values to each other.
    pub(super) fn results_of(&self, ty: ScalarType) -> Option<ParamId> {
        let number = Arrays::TYPES.iter().position(|&known| known == ty)?;
        (self.meeting.slice != Some(number)).then(|| ParamId(number as u32 * 2 + 1))
    }

    pub(super) fn stored(&mut self, slice: impl Into<Memory>, index: ExprId, value: ExprId) -> Stmt {
        let access = if self.random.once_in(3) { *self.random.pick(StoreAccess::ALL) } else { StoreAccess::Plain };
        self.stmt(StmtKind::Store { slice: slice.into(), index, value, access })
    }

    pub(super) fn array(&mut self, element: ScalarType, length: u32, space: ArraySpace, atomic: bool) -> ArrayId {
        let (name, function) = (format!("a{}", self.program.arrays.len()), self.function);
        self.program.arrays.push(Array { atomic, function, ..Array::new(name, element, length, space) });
        ArrayId(self.program.arrays.len() as u32 - 1)
    }

    pub(super) fn local_array(&mut self) -> ArrayId {
        let (ty, length) = (self.any_type(), 1 + self.random.below(6) as u32);
        let id = self.array(ty, length, ArraySpace::Local, false);
        self.program.arrays[id.0 as usize].unset = self.has(Construct::Unset) && self.random.once_in(2);
        id
    }

    /// An array for results of a type.
    pub(super) fn results_array(&mut self, ty: ScalarType) -> ArrayId {
        self.array(ty, RESULTS, ArraySpace::Local, false)
    }

    /// A copy of a local array, in a new one or over another, or only in variables, as a pattern has it: all elements are read
    /// before the first one is written.
    pub(super) fn copy(&mut self, block: &mut Block, of: ArrayId) {
        let (ty, length) = (self.program.array(of).element, self.program.array(of).length);
        let values: Vec<VarId> = (0..length).map(|_| self.variable(ty, false)).collect();
        for (element, &var) in values.iter().enumerate() {
            let index = self.constant(ScalarType::Usize, element as u64);
            let value = self.loaded(of, index, ty);
            self.assign(block, var, value);
        }
        let arrays = self.scope.arrays.iter().copied();
        let same = |&id: &ArrayId| {
            let array = self.program.array(id);
            array.space == ArraySpace::Local && array.element == ty && array.length == length
        };
        let others: Vec<ArrayId> = arrays.filter(same).collect();
        match self.random.below(3) {
            0 => self.scope.variables.extend(values),
            choice => {
                let into = if choice == 1 {
                    *self.random.pick(&others)
                } else {
                    self.array(ty, length, ArraySpace::Local, false)
                };
                for (element, var) in values.into_iter().enumerate() {
                    let (index, value) = (self.constant(ScalarType::Usize, element as u64), self.get(var));
                    let store = self.stored(into, index, value);
                    block.push(store);
                }
                if choice == 2 {
                    self.scope.arrays.push(into);
                }
            }
        }
    }

    /// Writes all elements of a local array, which from then on may be used.
    pub(super) fn fill(&mut self, block: &mut Block, id: ArrayId) {
        let (ty, length) = (self.program.array(id).element, self.program.array(id).length);
        for element in 0..length {
            let (index, value) = (self.constant(ScalarType::Usize, element.into()), self.expr(ty, 1));
            let store = self.stored(id, index, value);
            block.push(store);
        }
        self.scope.arrays.push(id);
    }

    /// Declares a shared array of values and one of atomics, of which each thread uses its own element.
    pub(super) fn shared_arrays(&mut self, block: &mut Block) {
        if self.random.once_in(2) {
            return;
        }
        let ty = self.any_type();
        let values = self.array(ty, BLOCK, ArraySpace::Shared, false);
        let (index, value) = (self.place_in_block(), self.expr(ty, 2));
        let store = self.stored(values, index, value);
        block.push(store);
        let (_, ty) = *self.random.pick(&Arrays::ATOMICS);
        let atomics = self.array(ty, BLOCK, ArraySpace::Shared, true);
        let (index, value) = (self.place_in_block(), self.expr(ty, 2));
        block.push(self.stmt(StmtKind::Atomic {
            op: AtomicOp::Store,
            target: atomics.into(),
            index,
            operands: vec![value],
            result: None,
            order: AtomicOrder::Relaxed,
        }));
        self.scope.arrays.extend([values, atomics]);
    }

    /// The thread's number in its block, which has two dimensions.
    pub(super) fn place_in_block(&mut self) -> ExprId {
        let (y, width) = (self.builtin(Builtin::ThreadIdxY), self.builtin(Builtin::BlockDimX));
        let (rows, x) = (self.operation(BinaryOp::Mul, y, width), self.builtin(Builtin::ThreadIdxX));
        self.operation(BinaryOp::Add, rows, x)
    }

    /// Writes an element of an array that the thread may write, or declares an array of its own.
    pub(super) fn use_array(&mut self, block: &mut Block) {
        if self.scope.arrays.is_empty() || self.random.once_in(3) {
            let array = self.local_array();
            return self.fill(block, array);
        }
        let id = *self.random.pick(&self.scope.arrays);
        let (element, atomic) = (self.program.array(id).element, self.program.array(id).atomic);
        let index = self.index_of(id);
        if !atomic {
            let value = self.expr(element, 3);
            let store = self.stored(id, index, value);
            return block.push(store);
        }
        let all = AtomicOp::ALL.iter().copied().filter(|op| op.is_of_std());
        let ops: Vec<AtomicOp> = all.filter(|&op| simt_core::ops::has_atomic(op, element)).collect();
        let op = *self.random.pick(&ops);
        let operands = (0..op.operands()).map(|_| self.expr(element, 2)).collect();
        let result = (op != AtomicOp::Store).then(|| self.variable(element, false));
        let order = AtomicOrder::Relaxed;
        block.push(self.stmt(StmtKind::Atomic { op, target: id.into(), index, operands, result, order }));
        self.scope.variables.extend(result);
    }

    /// An index of an array's element that the thread may access.
    pub(super) fn index_of(&mut self, id: ArrayId) -> ExprId {
        let (length, space) = (self.program.array(id).length, self.program.array(id).space);
        if space == ArraySpace::Shared {
            let row = self.program.array(id).row;
            let part = if row > 1 { self.random.below(row as usize) as u32 } else { 0 };
            return self.place_in_rows(row, part);
        }
        self.index_below(length)
    }

    /// An index below a length.
    pub(super) fn index_below(&mut self, length: u32) -> ExprId {
        let index = self.expr(ScalarType::Usize, 1);
        if self.faults == Faults::Sometimes && self.random.once_in(20) {
            return index;
        }
        let length = self.constant(ScalarType::Usize, length.into());
        self.operation(BinaryOp::Rem, index, length)
    }

    /// An atomic operation that other threads do too, a fence, a line, or a panic.
    pub(super) fn effect(&mut self, block: &mut Block) {
        match self.random.below(6) {
            0 => {
                let scope = *self.random.pick(FenceScope::ALL);
                block.push(self.stmt(StmtKind::Fence { scope }));
            }
            1 if self.loops.len() < 2 => {
                let (message, args) = self.message();
                block.push(self.stmt(StmtKind::Print { message, args }));
            }
            2 if self.faults == Faults::Sometimes && self.random.once_in(3) => {
                // The panic, as an assertion.
                let cond = self.expr(ScalarType::Bool, 2);
                let (message, args) = self.message();
                let otherwise = vec![self.stmt(StmtKind::Panic { message, args })];
                block.push(self.stmt(StmtKind::If { cond, then: Vec::new(), otherwise }));
            }
            _ => self.atomic(block),
        }
    }

    pub(super) fn message(&mut self) -> (MessageId, Vec<ExprId>) {
        let count = self.random.below(3);
        let mut pieces = vec![Piece::Text("values:".into())];
        let mut args = Vec::new();
        for arg in 0..count as u32 {
            let ty = self.any_type();
            args.push(self.expr(ty, 2));
            let style = Style { width: self.random.below(6) as u16, ..Style::default() };
            pieces.extend([Piece::Text(" ".into()), Piece::Value { arg, style }]);
        }
        self.program.messages.push(Message { pieces });
        (MessageId(self.program.messages.len() as u32 - 1), args)
    }

    fn atomic(&mut self, block: &mut Block) {
        let (target, ty) = *self.random.pick(&Arrays::ATOMICS);
        let ways = COMMUTATIVE.len();
        // Of the flags there is no sum, and no least.
        let way = if ty == ScalarType::Bool { 3 + self.random.below(3) } else { self.random.below(ways) };
        let op = *self.random.pick(COMMUTATIVE[way]);
        let (any, groups) = (self.expr(ScalarType::Usize, 2), self.groups());
        let group = self.operation(BinaryOp::Rem, any, groups);
        let per = self.constant(ScalarType::Usize, ways as u64);
        let (first, way) = (self.operation(BinaryOp::Mul, group, per), self.constant(ScalarType::Usize, way as u64));
        let index = self.operation(BinaryOp::Add, first, way);
        let operands = vec![self.expr(ty, 3)];
        let order = *self.random.pick(AtomicOrder::ALL);
        let target = target.into();
        block.push(self.stmt(StmtKind::Atomic { op, target, index, operands, result: None, order }));
    }

    /// How many elements there are for each way; now and then there are said to be too many.
    fn groups(&mut self) -> ExprId {
        let wrong = self.faults == Faults::Sometimes && self.random.once_in(8);
        let groups = Arrays::ATOMICS_LEN / COMMUTATIVE.len() + usize::from(wrong);
        self.constant(ScalarType::Usize, groups as u64)
    }
}
