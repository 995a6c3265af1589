//! Random kernels.
//!
//! They end: every loop counts down a budget of its own. They are race-free: a thread writes only the elements of its own
//! number, and reads other threads' numbers only in slices that nobody writes. They diverge a lot: conditions depend on the
//! thread, on what it read and on what it computed.

use super::arrays::value;
use super::{Arrays, Random};
use simt_core::ops::{BinaryOp, CompareOp, UnaryOp, is_castable};
use simt_core::program::{Block, Builtin, Expr, ExprId, ExprNode, ParamId, Program, Stmt, StmtKind, VarId, Variable};
use simt_core::{Constant, ScalarType, Source, Span};

/// Whether a random kernel may do what faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults {
    /// Indices are reduced to the slice's length, and divisors are never zero.
    Never,
    /// Now and then an index or a divisor is whatever comes out.
    Sometimes,
}

/// A random kernel over [`Arrays`], the same for the same seed.
pub fn random_program(seed: u64, faults: Faults) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        faults,
        program: Program {
            name: format!("random_{seed}").into(),
            source: Source::default(),
            params: Arrays::params(),
            ..Program::default()
        },
        scope: Vec::new(),
        loops: 0,
        size: 40,
    };
    let mut body = Vec::new();
    // Every thread beyond the slices turns back, as in every kernel.
    let id = generator.builtin(Builtin::GlobalId);
    let len = generator.node(Expr::Len(ParamId(1)), ScalarType::Usize);
    let beyond = generator.compare(CompareOp::Ge, id, len);
    body.push(generator.stmt(StmtKind::If {
        cond: beyond,
        then: vec![generator.stmt(StmtKind::Return)],
        otherwise: Vec::new(),
    }));
    generator.declare(&mut body, ScalarType::U32);
    generator.declare(&mut body, ScalarType::F32);
    generator.block(&mut body, 0);
    generator.store(&mut body, ScalarType::U32);
    generator.program.body = body;
    generator.program
}

struct Generator {
    random: Random,
    faults: Faults,
    program: Program,
    /// Variables that may be read here.
    scope: Vec<VarId>,
    /// Loops around the current place.
    loops: usize,
    /// How many more statements there may be.
    size: usize,
}

/// Deepest nesting of statements.
const DEPTH: usize = 5;

impl Generator {
    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::default() }
    }

    fn node(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        self.program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn builtin(&mut self, builtin: Builtin) -> ExprId {
        self.node(Expr::Builtin(builtin), ScalarType::Usize)
    }

    fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId) -> ExprId {
        self.node(Expr::Compare { op, left, right }, ScalarType::Bool)
    }

    fn constant(&mut self, ty: ScalarType, bits: u64) -> ExprId {
        self.node(Expr::Const(Constant { ty, bits }), ty)
    }

    fn variable(&mut self, ty: ScalarType, mutable: bool) -> VarId {
        let number = self.program.variables.len();
        self.program.variables.push(Variable { name: Some(format!("v{number}").into()), ty, mutable });
        VarId(number as u32)
    }

    fn assign(&self, block: &mut Block, var: VarId, value: ExprId) {
        block.push(self.stmt(StmtKind::Assign { var, value }));
    }

    fn declare(&mut self, block: &mut Block, ty: ScalarType) {
        let value = self.expr(ty, 3);
        let mutable = !self.random.once_in(3);
        let var = self.variable(ty, mutable);
        self.assign(block, var, value);
        self.scope.push(var);
    }

    fn store(&mut self, block: &mut Block, ty: ScalarType) {
        let number = Arrays::TYPES.iter().position(|&t| t == ty).unwrap_or(0);
        let slice = ParamId(number as u32 * 2 + 1);
        let index = self.builtin(Builtin::GlobalId);
        let value = self.expr(ty, 3);
        block.push(self.stmt(StmtKind::Store { slice, index, value }));
    }

    fn block(&mut self, block: &mut Block, depth: usize) {
        let scope = self.scope.len();
        for _ in 0..1 + self.random.below(4) {
            if self.size == 0 {
                break;
            }
            self.size -= 1;
            self.statement(block, depth);
        }
        self.scope.truncate(scope);
    }

    fn inner(&mut self, depth: usize) -> Block {
        let mut block = Vec::new();
        self.block(&mut block, depth + 1);
        block
    }

    fn any_type(&mut self) -> ScalarType {
        *self.random.pick(Arrays::TYPES)
    }

    fn statement(&mut self, block: &mut Block, depth: usize) {
        let ty = self.any_type();
        match self.random.below(if depth < DEPTH { 16 } else { 8 }) {
            0..=1 => self.declare(block, ty),
            2..=4 => match self.mutable_variable() {
                Some(var) => {
                    let value = self.expr(self.program.variable(var).ty, 4);
                    self.assign(block, var, value);
                }
                None => self.declare(block, ty),
            },
            5..=6 => self.store(block, ty),
            7 => {
                let kind = match self.random.below(6) {
                    0 if depth > 0 => StmtKind::Return,
                    1..=2 if self.loops > 0 => StmtKind::Break,
                    3..=4 if self.loops > 0 => StmtKind::Continue,
                    5 => StmtKind::Evaluate { value: self.expr(ty, 2) },
                    _ => StmtKind::Skip,
                };
                block.push(self.stmt(kind));
            }
            8..=12 => {
                let cond = self.expr(ScalarType::Bool, 3);
                let then = self.inner(depth);
                let otherwise = if self.random.once_in(2) { self.inner(depth) } else { Vec::new() };
                block.push(self.stmt(StmtKind::If { cond, then, otherwise }));
            }
            _ => self.repeat(block, depth),
        }
    }

    /// `while (budget > 0 & e) { S } step { budget = budget - 1; }`, where the budget depends on the thread.
    fn repeat(&mut self, block: &mut Block, depth: usize) {
        let ty = ScalarType::U32;
        let budget = self.variable(ty, true);
        let start = self.expr(ty, 2);
        let four = self.constant(ty, 4);
        let start = self.node(Expr::Binary { op: BinaryOp::Rem, left: start, right: four }, ty);
        self.assign(block, budget, start);
        let left = self.node(Expr::Var(budget), ty);
        let zero = self.constant(ty, 0);
        let mut cond = self.compare(CompareOp::Gt, left, zero);
        if self.random.once_in(2) {
            let right = self.expr(ScalarType::Bool, 2);
            cond = self.node(Expr::Binary { op: BinaryOp::And, left: cond, right }, ScalarType::Bool);
        }
        self.loops += 1;
        let body = self.inner(depth);
        self.loops -= 1;
        let left = self.node(Expr::Var(budget), ty);
        let one = self.constant(ty, 1);
        let value = self.node(Expr::Binary { op: BinaryOp::Sub, left, right: one }, ty);
        let step = vec![self.stmt(StmtKind::Assign { var: budget, value })];
        block.push(self.stmt(StmtKind::While { cond, body, step }));
    }

    fn mutable_variable(&mut self) -> Option<VarId> {
        let mutable: Vec<VarId> =
            self.scope.iter().copied().filter(|&var| self.program.variable(var).mutable).collect();
        (!mutable.is_empty()).then(|| *self.random.pick(&mutable))
    }

    fn leaf(&mut self, ty: ScalarType) -> ExprId {
        let of_type: Vec<VarId> =
            self.scope.iter().copied().filter(|&var| self.program.variable(var).ty == ty).collect();
        let params = Arrays::params().len() as u32;
        match (ty, self.random.below(5)) {
            (ScalarType::Usize, 0..=1) => {
                let builtin = *self.random.pick(Builtin::ALL);
                // What these are depends on the warp width, and so would the results.
                let builtin = match builtin {
                    Builtin::LaneId | Builtin::WarpId => Builtin::GlobalId,
                    other => other,
                };
                self.builtin(builtin)
            }
            (ScalarType::Usize, 2) => {
                let slice = ParamId(self.random.below(Arrays::TYPES.len() * 2) as u32);
                self.node(Expr::Len(slice), ty)
            }
            (ScalarType::U32, 0) => self.node(Expr::Param(ParamId(params - 2)), ty),
            (ScalarType::F32, 0) => self.node(Expr::Param(ParamId(params - 1)), ty),
            (_, choice) if choice > 0 && choice < 4 && !of_type.is_empty() => {
                let var = *self.random.pick(&of_type);
                self.node(Expr::Var(var), ty)
            }
            _ => {
                let bits = value(&mut self.random, ty);
                self.constant(ty, bits)
            }
        }
    }

    fn load(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let number = Arrays::TYPES.iter().position(|&t| t == ty).unwrap_or(0) as u32;
        if self.random.once_in(3) {
            let index = self.builtin(Builtin::GlobalId);
            return self.node(Expr::Load { slice: ParamId(number * 2 + 1), index }, ty);
        }
        let slice = ParamId(number * 2);
        let mut index = self.expr(ScalarType::Usize, depth);
        if self.faults == Faults::Never || !self.random.once_in(40) {
            let len = self.node(Expr::Len(slice), ScalarType::Usize);
            index = self.node(Expr::Binary { op: BinaryOp::Rem, left: index, right: len }, ScalarType::Usize);
        }
        self.node(Expr::Load { slice, index }, ty)
    }

    fn expr(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        if depth == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.random.below(10) {
            0..=1 => self.leaf(ty),
            2 => self.load(ty, depth),
            3 => {
                let op = *self.random.pick(UnaryOp::ALL);
                let value = self.expr(ty, depth);
                if op.accepts(ty) { self.node(Expr::Unary { op, value }, ty) } else { value }
            }
            4 => {
                let from = self.any_type();
                if !is_castable(from, ty) {
                    return self.leaf(ty);
                }
                let value = self.expr(from, depth);
                self.node(Expr::Cast { value }, ty)
            }
            _ if ty == ScalarType::Bool && !self.random.once_in(3) => {
                let of = self.any_type();
                let (left, right) = (self.expr(of, depth), self.expr(of, depth));
                let op = *self.random.pick(CompareOp::ALL);
                self.compare(op, left, right)
            }
            _ => self.binary(ty, depth),
        }
    }

    fn binary(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let accepted: Vec<BinaryOp> = BinaryOp::ALL.iter().copied().filter(|op| op.accepts(ty)).collect();
        let op = *self.random.pick(&accepted);
        let left = self.expr(ty, depth);
        let right = if op.is_shift() {
            self.expr(ScalarType::U32, depth)
        } else if op.can_fault(ty) && (self.faults == Faults::Never || !self.random.once_in(20)) {
            if self.random.once_in(3) {
                // Powers of two are carried out in another way.
                let exponent = self.random.below(ty.bits() as usize - 1);
                self.constant(ty, 1 << exponent)
            } else {
                let divisor = self.expr(ty, depth);
                let one = self.constant(ty, 1);
                self.node(Expr::Binary { op: BinaryOp::Or, left: divisor, right: one }, ty)
            }
        } else {
            self.expr(ty, depth)
        };
        self.node(Expr::Binary { op, left, right }, ty)
    }
}
