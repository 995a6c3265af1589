//! Random programs that are all control flow: short, with many exits, calls and loops, over four shared elements that all
//! threads read and write.

use simt_core::ops::{AtomicOp, BinaryOp, CompareOp};
use simt_core::program::{
    AtomicOrder, BarrierOp, Block, Builtin, CollectiveOp, Expr, ExprId, ExprNode, Function, FunctionId, LoadAccess,
    Param, ParamId, ParamKind, Program, Stmt, StmtKind, StoreAccess, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Source, Span};
use simt_testing::Random;

/// Elements of each slice.
pub(crate) const SHARED: usize = 4;

/// How many statements there are at most in the kernel and in a function.
pub(crate) type Sizes = (usize, usize);

/// `fn k(x: &mut [u32], n: &[AtomicU32])` with two functions that call each other and themselves.
pub(crate) fn control_program(seed: u64, (kernel, function): Sizes) -> Program {
    let param =
        |name: &'static str, kind| Param { name: name.into(), kind, row: 1, table: None, span: Span::default() };
    let element = ScalarType::U32;
    let params =
        vec![param("x", ParamKind::Slice { element, writable: true }), param("n", ParamKind::Atomic { element })];
    let program = Program { name: format!("control_{seed}").into(), params, ..Program::default() };
    let (random, grid) = (Random::new(seed), Random::new(seed ^ 0x6121d));
    let mut maker = Maker { random, grid, program, vars: [VarId(0); 3], result: None, loops: Vec::new(), size: 0 };
    let functions: Vec<[VarId; 3]> = (0..2).map(|_| maker.variables()).collect();
    for (number, vars) in functions.iter().enumerate() {
        // The first parameter says how deep it may still call; the result is a variable like others, or one for itself.
        let own = if maker.random.once_in(2) { maker.variable(ScalarType::U32) } else { vars[2] };
        let (params, result) = (vars[..2].to_vec(), Some(own));
        let name = format!("f{number}").into();
        maker.program.functions.push(Function { name, source: Source::default(), params, result, body: Vec::new() });
    }
    for (number, vars) in functions.into_iter().enumerate() {
        (maker.vars, maker.size) = (vars, function);
        maker.result = maker.program.functions[number].result;
        let mut body = vec![maker.assign(vars[2], |maker| maker.get(vars[1]))];
        maker.block(&mut body, 0, Some(vars[0]));
        maker.result(&mut body);
        maker.program.functions[number].body = body;
    }
    maker.result = None;
    maker.vars = maker.variables();
    maker.size = kernel;
    let mut body = Vec::new();
    for var in maker.vars {
        body.push(maker.assign(var, |maker| maker.node(Expr::Builtin(Builtin::LaneId))));
    }
    while maker.size > 0 {
        maker.block(&mut body, 0, None);
    }
    maker.program.body = body;
    maker.program
}

struct Maker {
    random: Random,
    /// Which barriers of the block are of the grid, drawn apart: programs are else what they were before there was one.
    grid: Random,
    program: Program,
    /// The variables of the function that is written.
    vars: [VarId; 3],
    /// The variable that holds its result when it returns.
    result: Option<VarId>,
    /// The loops around: whether a `continue` may name them.
    loops: Vec<bool>,
    /// How many more statements there may be.
    size: usize,
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

impl Maker {
    /// A node, whose type follows from its kind; a builtin is cast.
    fn node(&mut self, expr: Expr) -> ExprId {
        let ty = match expr {
            Expr::Compare { .. } => ScalarType::Bool,
            Expr::Builtin(_) => ScalarType::Usize,
            Expr::Const(constant) => constant.ty,
            Expr::Var(var) => self.program.variable(var).ty,
            _ => ScalarType::U32,
        };
        self.program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        let id = ExprId(self.program.exprs.len() as u32 - 1);
        if matches!(expr, Expr::Builtin(_)) { self.node(Expr::Cast { value: id }) } else { id }
    }

    fn constant(&mut self, bits: u64) -> ExprId {
        self.node(Expr::Const(Constant { ty: ScalarType::U32, bits }))
    }

    fn get(&mut self, var: VarId) -> ExprId {
        self.node(Expr::Var(var))
    }

    fn variable(&mut self, ty: ScalarType) -> VarId {
        let number = self.program.variables.len();
        let name = Some(format!("v{number}").into());
        self.program.variables.push(Variable { name, ty, mutable: true });
        VarId(number as u32)
    }

    fn variables(&mut self) -> [VarId; 3] {
        [(); 3].map(|()| self.variable(ScalarType::U32))
    }

    fn assign(&mut self, var: VarId, value: impl FnOnce(&mut Self) -> ExprId) -> Stmt {
        stmt(StmtKind::Assign { var, value: value(self) })
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.node(Expr::Binary { op, left, right })
    }

    fn index(&mut self) -> ExprId {
        let bits = self.random.below(SHARED) as u64;
        self.node(Expr::Const(Constant { ty: ScalarType::Usize, bits }))
    }

    fn expr(&mut self, depth: usize) -> ExprId {
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.node(Expr::Builtin(Builtin::LaneId)),
            1 => {
                let bits = self.random.below(4) as u64;
                self.constant(bits)
            }
            2 => {
                let var = *self.random.pick(&self.vars.clone());
                self.get(var)
            }
            3 => {
                let index = self.index();
                self.node(Expr::Load { slice: ParamId(0).into(), index, access: LoadAccess::Plain })
            }
            _ => {
                let op = *self.random.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Sub, BinaryOp::Mul]);
                let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
                self.binary(op, left, right)
            }
        }
    }

    /// `e % 2 < 1`, `e % 3 < 1` or `e % 3 < 2`
    fn cond(&mut self) -> ExprId {
        let (modulus, bound) = *self.random.pick(&[(2, 1), (3, 1), (3, 2)]);
        let (value, modulus) = (self.expr(2), self.constant(modulus));
        let left = self.binary(BinaryOp::Rem, value, modulus);
        let right = self.constant(bound);
        self.node(Expr::Compare { op: CompareOp::Lt, left, right })
    }

    /// `depth` statements are around; `calls` holds how deep the function may still call.
    fn block(&mut self, block: &mut Block, depth: usize, calls: Option<VarId>) {
        for _ in 0..1 + self.random.below(3) {
            let Some(rest) = self.size.checked_sub(1) else { return };
            self.size = rest;
            self.stmt(block, depth, calls);
        }
    }

    fn inner(&mut self, depth: usize, calls: Option<VarId>) -> Block {
        let mut block = Vec::new();
        self.block(&mut block, depth + 1, calls);
        block
    }

    fn stmt(&mut self, block: &mut Block, depth: usize, calls: Option<VarId>) {
        let loops = self.loops.len();
        let kind = match self.random.below(if depth < 4 { 20 } else { 11 }) {
            0 => StmtKind::Skip,
            1..=2 => {
                // Not the first one, which says how deep a function may call.
                let var = *self.random.pick(&self.vars[1..]);
                StmtKind::Assign { var, value: self.expr(2) }
            }
            3..=4 => {
                let (index, value) = (self.index(), self.expr(2));
                StmtKind::Store { slice: ParamId(0).into(), index, value, access: StoreAccess::Plain }
            }
            5 => {
                let op = *self.random.pick(&[AtomicOp::Add, AtomicOp::Swap, AtomicOp::Max]);
                let (index, operands) = (self.index(), vec![self.expr(1)]);
                let (target, result) = (ParamId(1).into(), Some(self.vars[1]));
                StmtKind::Atomic { op, target, index, operands, result, order: AtomicOrder::Relaxed }
            }
            6 if depth > 0 => {
                self.result(block);
                StmtKind::Return
            }
            7..=8 if loops > 0 => StmtKind::Break { out: self.random.below(loops) as u32 },
            9..=10 if loops > 0 => {
                let out = self.random.below(loops);
                let may_continue = self.loops[loops - 1 - out];
                if may_continue { StmtKind::Continue { out: out as u32 } } else { StmtKind::Break { out: out as u32 } }
            }
            11 if !self.random.once_in(3) => return self.collective(block, depth),
            11..=12 => return self.call(block, calls),
            13..=16 => {
                let cond = self.cond();
                let (then, otherwise) = (self.inner(depth, calls), self.inner(depth, calls));
                StmtKind::If { cond, then, otherwise }
            }
            17 => {
                let cond = self.node(Expr::Const(Constant::of(true)));
                self.loops.push(false);
                let mut body = self.inner(depth, calls);
                self.loops.pop();
                body.push(stmt(StmtKind::Break { out: 0 }));
                StmtKind::While { cond, body, step: Vec::new() }
            }
            18..=19 => return self.repeat(block, depth, calls),
            _ => StmtKind::Evaluate { value: self.expr(1) },
        };
        block.push(stmt(kind));
    }

    /// Sets the function's result, where it returns.
    fn result(&mut self, block: &mut Block) {
        if let Some(result) = self.result.filter(|result| *result != self.vars[2]) {
            let var = self.vars[2];
            block.push(self.assign(result, |maker| maker.get(var)));
        }
    }

    /// `budget = e % 4; while (budget > 0) { if (e) break; S } step { budget = budget - 1; }`
    fn repeat(&mut self, block: &mut Block, depth: usize, calls: Option<VarId>) {
        let budget = self.variable(ScalarType::U32);
        let (value, four) = (self.expr(1), self.constant(4));
        let start = self.binary(BinaryOp::Rem, value, four);
        block.push(self.assign(budget, |_| start));
        let (left, right) = (self.get(budget), self.constant(0));
        let cond = self.node(Expr::Compare { op: CompareOp::Gt, left, right });
        self.loops.push(true);
        let body = self.inner(depth, calls);
        self.loops.pop();
        let (value, one) = (self.get(budget), self.constant(1));
        let less = self.binary(BinaryOp::Sub, value, one);
        let step = vec![self.assign(budget, |_| less)];
        block.push(stmt(StmtKind::While { cond, body, step }));
    }

    /// A barrier of the block or the grid, whose only warp this is.
    fn barrier(&mut self, block: &mut Block) {
        let mut op = *self.random.pick(&[BarrierOp::Sync, BarrierOp::And, BarrierOp::Or, BarrierOp::Count]);
        if op == BarrierOp::Sync && self.grid.once_in(2) {
            op = BarrierOp::Grid;
        }
        let value = (!matches!(op, BarrierOp::Sync | BarrierOp::Grid)).then(|| self.cond());
        let ty = if op == BarrierOp::Count { ScalarType::U32 } else { ScalarType::Bool };
        let result = value.map(|_| self.variable(ty));
        block.push(stmt(StmtKind::Barrier { op, index: None, threads: None, value, result }));
        if let Some(var) = result {
            let value = self.get(var);
            let value = if ty == ScalarType::U32 { value } else { self.node(Expr::Cast { value }) };
            block.push(self.assign(self.vars[1], |_| value));
        }
    }

    /// `m = active_mask(); x = op_mask(m, ..);`, or, where all threads are likely to come, without a mask.
    fn collective(&mut self, block: &mut Block, depth: usize) {
        if depth == 0 && self.random.once_in(3) {
            return self.barrier(block);
        }
        let mask = if depth == 0 || self.random.once_in(12) {
            None
        } else {
            let var = self.variable(ScalarType::U64);
            let (op, result) = (CollectiveOp::ActiveMask, Some(var));
            block.push(stmt(StmtKind::Collective { op, mask: None, args: Vec::new(), result }));
            Some(self.get(var))
        };
        // Matches and reductions are in the programs with constructs: seeds keep their programs.
        let votes = CollectiveOp::ALL.iter().copied();
        let votes = votes.filter(|&op| op != CollectiveOp::ActiveMask && op.is_typed() == op.is_shuffle());
        let op = *self.random.pick(&votes.collect::<Vec<_>>());
        let args = match op.operands() {
            0 => Vec::new(),
            1 => vec![self.cond()],
            _ => {
                // Mostly from a thread that is surely there: oneself.
                let from = self.random.below(8).saturating_sub(5) as u64;
                let own = self.node(Expr::Builtin(Builtin::LaneId));
                let from = if op == CollectiveOp::Shuffle { own } else { self.constant(from) };
                vec![self.expr(1), from]
            }
        };
        let ty = match op {
            CollectiveOp::SyncWarp => return block.push(stmt(StmtKind::Collective { op, mask, args, result: None })),
            op => op.result(ScalarType::U32).unwrap_or(ScalarType::Bool),
        };
        let var = self.variable(ty);
        block.push(stmt(StmtKind::Collective { op, mask, args, result: Some(var) }));
        let value = self.get(var);
        let value = if ty == ScalarType::U32 { value } else { self.node(Expr::Cast { value }) };
        block.push(self.assign(self.vars[1], |_| value));
    }

    /// A call; in a function `if (calls > 0) x = f(calls - 1, e);`, at a few places.
    fn call(&mut self, block: &mut Block, calls: Option<VarId>) {
        let function = FunctionId(self.random.below(2) as u32);
        let result = (!self.random.once_in(3)).then(|| self.vars[2]);
        let Some(calls) = calls else {
            let args = vec![self.constant(2), self.expr(2)];
            return block.push(stmt(StmtKind::Call { function, args, result }));
        };
        if self.loops.len() > 1 {
            return;
        }
        let (left, right) = (self.get(calls), self.constant(0));
        let cond = self.node(Expr::Compare { op: CompareOp::Gt, left, right });
        let (value, one) = (self.get(calls), self.constant(1));
        let args = vec![self.binary(BinaryOp::Sub, value, one), self.expr(2)];
        let then = vec![stmt(StmtKind::Call { function, args, result })];
        block.push(stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
    }
}
