//! A structured program as one of the while-language.

use super::{Condition, Node, Structured, Value};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{
    Block, Builtin, CollectiveOp, Expr, ExprId, ExprNode, Function, FunctionId, Memory, Param, ParamId, ParamKind,
    Program, Stmt, StmtKind, StoreAccess, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Source, Span};

struct Emitter {
    program: Program,
}

/// The variables that statements of a body use.
#[derive(Clone, Copy)]
struct Scope {
    /// The next element to store to.
    next: VarId,
    /// The variable that counts the innermost loop.
    iteration: VarId,
}

/// The program; each thread has so many elements.
pub(super) fn program(structured: &Structured, elements: usize) -> Program {
    let masks = ParamKind::Slice { element: ScalarType::U64, writable: true };
    let params = vec![Param { name: "masks".into(), kind: masks, row: 1, table: None, span: Span::default() }];
    let mut emitter = Emitter { program: Program { name: "structured".into(), params, ..Program::default() } };
    let mut scopes = Vec::new();
    for number in 1..structured.bodies.len() {
        let params = vec![emitter.variable(ScalarType::Usize), emitter.variable(ScalarType::U32)];
        let result = emitter.variable(ScalarType::Usize);
        scopes.push((params[0], Scope { next: result, iteration: params[1] }));
        emitter.program.functions.push(Function {
            name: format!("f{number}").into(),
            source: Source::default(),
            params,
            result: Some(result),
            body: Vec::new(),
        });
    }
    for (number, (given, scope)) in scopes.into_iter().enumerate() {
        let mut body = Vec::new();
        let value = emitter.get(given);
        assign(&mut body, scope.next, value);
        emitter.nodes(&mut body, &structured.bodies[number + 1], scope);
        emitter.program.functions[number].body = body;
    }
    let scope = Scope { next: emitter.variable(ScalarType::Usize), iteration: emitter.variable(ScalarType::U32) };
    let mut body = Vec::new();
    let (id, elements) = (emitter.builtin(Builtin::GlobalId), emitter.constant(ScalarType::Usize, elements as u64));
    let first = emitter.binary(BinaryOp::Mul, id, elements);
    assign(&mut body, scope.next, first);
    let zero = emitter.constant(ScalarType::U32, 0);
    assign(&mut body, scope.iteration, zero);
    emitter.nodes(&mut body, &structured.bodies[0], scope);
    emitter.program.body = body;
    emitter.program
}

fn push(block: &mut Block, kind: StmtKind) {
    block.push(Stmt { kind, span: Span::default() });
}

fn assign(block: &mut Block, var: VarId, value: ExprId) {
    push(block, StmtKind::Assign { var, value });
}

impl Emitter {
    fn node(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        self.program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn constant(&mut self, ty: ScalarType, bits: u64) -> ExprId {
        self.node(Expr::Const(Constant { ty, bits }), ty)
    }

    fn builtin(&mut self, builtin: Builtin) -> ExprId {
        self.node(Expr::Builtin(builtin), ScalarType::Usize)
    }

    fn get(&mut self, var: VarId) -> ExprId {
        let ty = self.program.variable(var).ty;
        self.node(Expr::Var(var), ty)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let ty = self.program.expr(left).ty;
        self.node(Expr::Binary { op, left, right }, ty)
    }

    fn less(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.node(Expr::Compare { op: CompareOp::Lt, left, right }, ScalarType::Bool)
    }

    fn variable(&mut self, ty: ScalarType) -> VarId {
        let number = self.program.variables.len();
        self.program.variables.push(Variable { name: Some(format!("v{number}").into()), ty, mutable: true });
        VarId(number as u32)
    }

    /// `var = var + 1;`
    fn increment(&mut self, block: &mut Block, var: VarId) {
        let value = self.get(var);
        let one = self.constant(self.program.variable(var).ty, 1);
        let value = self.binary(BinaryOp::Add, value, one);
        assign(block, var, value);
    }

    fn value(&mut self, value: Value, scope: Scope) -> ExprId {
        let ty = ScalarType::U32;
        let lane = self.builtin(Builtin::LaneId);
        let lane = self.node(Expr::Cast { value: lane }, ty);
        let factor = self.constant(ty, value.lane.into());
        let of_lane = self.binary(BinaryOp::Mul, lane, factor);
        let (iteration, factor) = (self.get(scope.iteration), self.constant(ty, value.iteration.into()));
        let of_iteration = self.binary(BinaryOp::Mul, iteration, factor);
        let sum = self.binary(BinaryOp::Add, of_lane, of_iteration);
        let plus = self.constant(ty, value.plus.into());
        let sum = self.binary(BinaryOp::Add, sum, plus);
        let below = self.constant(ty, value.below.into());
        self.binary(BinaryOp::Rem, sum, below)
    }

    fn condition(&mut self, condition: Condition, scope: Scope) -> ExprId {
        let value = self.value(condition.value, scope);
        let less = self.constant(ScalarType::U32, condition.less.into());
        self.less(value, less)
    }

    fn nodes(&mut self, block: &mut Block, nodes: &[Node], scope: Scope) {
        nodes.iter().for_each(|node| self.statement(block, node, scope));
    }

    fn statement(&mut self, block: &mut Block, node: &Node, scope: Scope) {
        match node {
            Node::Point(_) => {
                let mask = self.variable(ScalarType::U64);
                let op = CollectiveOp::ActiveMask;
                push(block, StmtKind::Collective { op, mask: None, args: Vec::new(), result: Some(mask) });
                let (index, value) = (self.get(scope.next), self.get(mask));
                let slice = Memory::Param(ParamId(0));
                push(block, StmtKind::Store { slice, index, value, access: StoreAccess::Plain });
                self.increment(block, scope.next);
            }
            Node::If { cond, then, otherwise } => {
                let cond = self.condition(*cond, scope);
                let (mut then_block, mut else_block) = (Vec::new(), Vec::new());
                self.nodes(&mut then_block, then, scope);
                self.nodes(&mut else_block, otherwise, scope);
                push(block, StmtKind::If { cond, then: then_block, otherwise: else_block });
            }
            Node::Loop { trips, body } => {
                let trips = self.value(*trips, scope);
                let (end, iteration) = (self.variable(ScalarType::U32), self.variable(ScalarType::U32));
                assign(block, end, trips);
                let zero = self.constant(ScalarType::U32, 0);
                assign(block, iteration, zero);
                let (left, right) = (self.get(iteration), self.get(end));
                let cond = self.less(left, right);
                let (mut inner, mut step) = (Vec::new(), Vec::new());
                self.nodes(&mut inner, body, Scope { iteration, ..scope });
                self.increment(&mut step, iteration);
                push(block, StmtKind::While { cond, body: inner, step });
            }
            Node::Labelled(body) => {
                let cond = self.constant(ScalarType::Bool, 1);
                let mut inner = Vec::new();
                self.nodes(&mut inner, body, scope);
                push(&mut inner, StmtKind::Break { out: 0 });
                push(block, StmtKind::While { cond, body: inner, step: Vec::new() });
            }
            Node::Break(out) => push(block, StmtKind::Break { out: *out as u32 }),
            Node::Continue(out) => push(block, StmtKind::Continue { out: *out as u32 }),
            Node::Return => push(block, StmtKind::Return),
            Node::Call { function, .. } => {
                let args = vec![self.get(scope.next), self.get(scope.iteration)];
                let function = FunctionId(*function as u32 - 1);
                push(block, StmtKind::Call { function, args, result: Some(scope.next) });
            }
        }
    }
}
