//! What threads do together: barriers, votes, shuffles.
//!
//! Under some policies lanes that have parted meet later than under others, so these stand only where the language says what
//! comes of them whatever the policy: all threads that have not returned come there, because no condition around differs
//! between them; or those do that a mask names, which the lanes themselves have voted on. Threads that have returned have no
//! value to give, so that no lane shuffles from one but where threads may fault.

use super::{Arrays, Construct, Generator, Scope};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{
    ArrayId, BarrierOp, Block, Builtin, CollectiveOp, Expr, ExprId, Function, FunctionId, ParamId, StmtKind, VarId,
};
use simt_core::{ScalarType, Source};

/// The threads that are at a place together, but for those that have returned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Warp,
    Block,
    Grid,
}

/// What threads do things together with. The end of a thread orders nothing: what it has written last must have been followed
/// by a barrier at which it was. So these elements are written only where all threads that have not returned meet next.
#[derive(Clone, Default)]
pub(super) struct Meeting {
    /// A function that all threads call which have not returned.
    pub(super) function: Option<FunctionId>,
    /// Arrays in which the threads of a block pass values.
    pub(super) of_block: Vec<ArrayId>,
    /// Those in which the lanes of a warp do.
    pub(super) of_warp: Vec<ArrayId>,
    /// The type of the slice in which those of the grid do.
    pub(super) slice: Option<usize>,
}

/// How deep conditions and loops nest that are the same for all.
const UNIFORM: usize = 2;

impl Generator {
    /// Something that threads do together, where those of a level are.
    pub(super) fn together(&mut self, block: &mut Block, level: Level) {
        let forms = [(Construct::Warp, Level::Warp), (Construct::Block, Level::Block), (Construct::Grid, Level::Grid)];
        let forms: Vec<Construct> =
            forms.into_iter().filter(|&(form, of)| self.has(form) && of <= level).map(|(form, _)| form).collect();
        if forms.is_empty() {
            return self.declare(block, ScalarType::U32);
        }
        if self.uniform < UNIFORM && self.random.once_in(4) {
            self.uniform += 1;
            self.in_uniform(block, level);
            self.uniform -= 1;
            return;
        }
        match *self.random.pick(&forms) {
            Construct::Warp => self.of_warp(block),
            Construct::Block => self.of_block(block),
            _ => self.of_grid(block),
        }
    }

    /// Whether threads do anything together.
    pub(super) fn meets(&self) -> bool {
        self.constructs.iter().any(|construct| construct.meets())
    }

    /// A function in which threads do something together: all that have not returned call it.
    pub(super) fn meeting_function(&mut self) {
        if !self.meets() || self.random.once_in(3) {
            return;
        }
        let (ty, id) = (self.any_type(), FunctionId(self.program.functions.len() as u32));
        let (param, result) = (self.variable(ty, false), self.variable(ty, true));
        let (name, source) = ("meeting".into(), Source::default());
        let (params, body) = (vec![param], Vec::new());
        self.program.functions.push(Function { name, source, params, result: Some(result), body });
        self.function = Some(id);
        self.scope = Scope { variables: vec![param], arrays: self.block_arrays.clone(), ..Scope::default() };
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            self.together(&mut body, Level::Grid);
        }
        let value = self.expr(ty, 2);
        self.assign(&mut body, result, value);
        self.program.functions[id.0 as usize].body = body;
        (self.function, self.scope) = (None, Scope::default());
        self.meeting.function = Some(id);
    }

    /// A loop or an `if` in which all threads of a level are together, or a call of a function.
    fn in_uniform(&mut self, block: &mut Block, level: Level) {
        match (self.random.below(5), self.meeting.function) {
            (0, Some(function)) if level == Level::Grid && self.function.is_none() => {
                let &Function { ref params, result: Some(result), .. } = self.program.function(function) else {
                    return;
                };
                let (param, ty) = (params[0], self.program.variable(result).ty);
                let args = vec![self.varied(self.program.variable(param).ty)];
                let result = self.variable(ty, false);
                block.push(self.stmt(StmtKind::Call { function, args, result: Some(result) }));
                self.scope.variables.push(result);
            }
            (0..=2, _) => self.uniform_loop(block, level),
            (choice, _) => {
                let (cond, level) = self.uniform_condition(block, level, choice == 3);
                let then = self.uniform_block(level);
                let otherwise = if self.random.once_in(2) { self.uniform_block(level) } else { Vec::new() };
                block.push(self.stmt(StmtKind::If { cond, then, otherwise }));
            }
        }
    }

    /// `i = 0; while (i < n) { S } step { i = i + 1; }`
    fn uniform_loop(&mut self, block: &mut Block, level: Level) {
        let ty = ScalarType::U32;
        let at = self.variable(ty, true);
        let start = self.constant(ty, 0);
        self.assign(block, at, start);
        let (left, right) = (self.get(at), self.uniform_number(4));
        let cond = self.compare(CompareOp::Lt, left, right);
        let body = self.uniform_block(level);
        let (left, one) = (self.get(at), self.constant(ty, 1));
        let value = self.operation(BinaryOp::Add, left, one);
        let step = vec![self.stmt(StmtKind::Assign { var: at, value })];
        block.push(self.stmt(StmtKind::While { cond, body, step }));
    }

    /// A number below a bound, the same for all threads of the grid.
    fn uniform_number(&mut self, bound: u64) -> ExprId {
        let ty = ScalarType::U32;
        if self.random.once_in(2) {
            let bits = self.random.below(bound as usize) as u64;
            return self.constant(ty, bits);
        }
        let (scale, bound) = (self.node(Expr::Param(Arrays::SCALE), ty), self.constant(ty, bound));
        self.operation(BinaryOp::Rem, scale, bound)
    }

    /// A condition that is the same for all threads of a level, maybe a lower one: a vote's result, if it may be.
    fn uniform_condition(&mut self, block: &mut Block, level: Level, voted: bool) -> (ExprId, Level) {
        if voted && self.has(Construct::Block) && level >= Level::Block {
            let op = *self.random.pick(&[BarrierOp::And, BarrierOp::Or]);
            let result = self.reduction(block, op);
            return (self.get(result), Level::Block);
        }
        if voted && self.has(Construct::Warp) {
            let op = *self.random.pick(&[CollectiveOp::Any, CollectiveOp::All, CollectiveOp::Uniform]);
            let args = vec![self.varied(ScalarType::Bool)];
            let result = self.collective(block, op, None, args, ScalarType::Bool);
            return (self.get(result), Level::Warp);
        }
        let (left, right) = (self.uniform_number(5), self.constant(ScalarType::U32, 2));
        (self.compare(CompareOp::Lt, left, right), level)
    }

    fn uniform_block(&mut self, level: Level) -> Block {
        self.scoped(|this| {
            let mut block = Vec::new();
            for _ in 0..1 + this.random.below(2) {
                this.together(&mut block, level);
                // In a function, a thread that leaves leaves the others behind.
                if this.function.is_none() && this.size > 0 {
                    this.size -= 1;
                    this.statement(&mut block, 1);
                }
            }
            block
        })
    }

    pub(super) fn barrier(&mut self, block: &mut Block, op: BarrierOp) {
        block.push(self.stmt(StmtKind::Barrier { op, index: None, threads: None, value: None, result: None }));
    }

    /// A barrier that reduces a value of each thread.
    fn reduction(&mut self, block: &mut Block, op: BarrierOp) -> VarId {
        let ty = if op == BarrierOp::Count { ScalarType::U32 } else { ScalarType::Bool };
        let (value, result) = (Some(self.varied(ScalarType::Bool)), self.variable(ty, true));
        let (index, threads) = (None, None);
        block.push(self.stmt(StmtKind::Barrier { op, index, threads, value, result: Some(result) }));
        result
    }

    fn of_block(&mut self, block: &mut Block) {
        match self.random.below(5) {
            0 => self.barrier(block, BarrierOp::Sync),
            1..=2 => {
                let op = *self.random.pick(&[BarrierOp::And, BarrierOp::Or, BarrierOp::Count]);
                let result = self.reduction(block, op);
                self.met(block, result);
            }
            _ => {
                let (any, threads) = (self.varied(ScalarType::Usize), self.threads_of_block());
                let other = self.operation(BinaryOp::Rem, any, threads);
                let tiles = self.meeting.of_block.clone();
                self.exchange(block, &tiles, other, |this, block| this.barrier(block, BarrierOp::Sync));
            }
        }
    }

    /// `out[own] = v; sync_grid(); w = out[e]; sync_grid();`
    fn of_grid(&mut self, block: &mut Block) {
        let Some(number) = self.meeting.slice.filter(|_| !self.random.once_in(3)) else {
            return self.barrier(block, BarrierOp::Grid);
        };
        let (ty, slice) = (Arrays::TYPES[number], ParamId(number as u32 * 2 + 1));
        let (index, value) = (self.builtin(Builtin::GlobalId), self.varied(ty));
        let any = self.varied(ScalarType::Usize);
        let other = self.pinned(block, ScalarType::Usize, any);
        let store = self.stored(slice, index, value);
        block.push(store);
        self.barrier(block, BarrierOp::Grid);
        let (other, len) = (self.get(other), self.node(Expr::Len(slice.into()), ScalarType::Usize));
        let index = self.operation(BinaryOp::Rem, other, len);
        let (value, var) = (self.loaded(slice, index, ty), self.variable(ty, true));
        self.assign(block, var, value);
        self.barrier(block, BarrierOp::Grid);
        self.met(block, var);
    }

    /// `tile[own] = v; sync; w = tile[other]; sync;` of one of these arrays
    pub(super) fn exchange(
        &mut self,
        block: &mut Block,
        tiles: &[ArrayId],
        other: ExprId,
        sync: impl Fn(&mut Self, &mut Block),
    ) {
        let tile = *self.random.pick(tiles);
        let (ty, row) = (self.program.array(tile).element, self.program.array(tile).row);
        let part = self.random.below(row as usize) as u32;
        let (index, value) = (self.place_in_rows(row, part), self.varied(ty));
        let other = self.pinned(block, ScalarType::Usize, other);
        let store = self.stored(tile, index, value);
        block.push(store);
        sync(self, block);
        let other = self.get(other);
        let index = self.in_rows(other, row, part);
        let (value, var) = (self.loaded(tile, index, ty), self.variable(ty, true));
        self.assign(block, var, value);
        sync(self, block);
        self.met(block, var);
    }

    /// How many threads a block has; it has two dimensions.
    pub(super) fn threads_of_block(&mut self) -> ExprId {
        let (x, y) = (self.builtin(Builtin::BlockDimX), self.builtin(Builtin::BlockDimY));
        self.operation(BinaryOp::Mul, x, y)
    }
}
