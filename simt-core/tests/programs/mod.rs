//! Programs for the tests of validation, printing and evaluation: a way to write them by hand, two of them, garbage.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod device;
pub(crate) mod garbage;
pub(crate) mod thread;
pub(crate) mod verdict;

use simt_core::ops::{BinaryOp, CompareOp, UnaryOp};
use simt_core::program::{
    Array, ArrayId, ArraySpace, Block, Builtin, Expr, ExprId, ExprNode, Function, FunctionId, LoadAccess, Memory,
    Message, MessageId, Param, ParamId, ParamKind, Piece, Program, Stmt, StmtKind, StoreAccess, VarId, Variable,
};
use simt_core::{Constant, Scalar, ScalarType, Source, Span};

/// Writes a program by hand, right or wrong. Expression *i* stands on line *i* + 1.
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) program: Program,
}

impl Maker {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { program: Program { name: name.into(), ..Program::default() } }
    }

    pub(crate) fn finish(mut self, body: Block) -> Program {
        self.program.body = body;
        self.program
    }

    fn param(&mut self, name: &'static str, kind: ParamKind) -> ParamId {
        self.program.params.push(Param { name: name.into(), kind, row: 1, table: None, span: Span::default() });
        ParamId(self.program.params.len() as u32 - 1)
    }

    pub(crate) fn scalar(&mut self, name: &'static str, ty: ScalarType) -> ParamId {
        self.param(name, ParamKind::Scalar(ty))
    }

    /// `name: &[element]`
    pub(crate) fn slice(&mut self, name: &'static str, element: ScalarType) -> ParamId {
        self.param(name, ParamKind::Slice { element, writable: false })
    }

    /// `name: &mut [element]`
    pub(crate) fn slice_mut(&mut self, name: &'static str, element: ScalarType) -> ParamId {
        self.param(name, ParamKind::Slice { element, writable: true })
    }

    /// `#[constant] name: &[element]`
    pub(crate) fn constants(&mut self, name: &'static str, element: ScalarType) -> ParamId {
        self.param(name, ParamKind::Constant { element })
    }

    /// `name: &[AtomicU32]` or the like
    pub(crate) fn atomics(&mut self, name: &'static str, element: ScalarType) -> ParamId {
        self.param(name, ParamKind::Atomic { element })
    }

    /// A shared array of 4 elements, of the kernel.
    pub(crate) fn shared(&mut self, name: &'static str, element: ScalarType) -> ArrayId {
        self.array(name, element, ArraySpace::Shared, None)
    }

    /// An array of 4 elements.
    pub(crate) fn array(
        &mut self,
        name: &'static str,
        element: ScalarType,
        space: ArraySpace,
        function: Option<FunctionId>,
    ) -> ArrayId {
        self.program.arrays.push(Array { function, ..Array::new(name.to_string(), element, 4, space) });
        ArrayId(self.program.arrays.len() as u32 - 1)
    }

    /// A function, without statements at first.
    pub(crate) fn function(&mut self, name: &'static str, params: Vec<VarId>, result: Option<VarId>) -> FunctionId {
        let function = Function { name: name.into(), source: Source::default(), params, result, body: vec![] };
        self.program.functions.push(function);
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    /// Sets the statements of a function.
    pub(crate) fn body(&mut self, function: FunctionId, body: Block) {
        self.program.functions[function.0 as usize].body = body;
    }

    pub(crate) fn message(&mut self, pieces: Vec<Piece>) -> MessageId {
        self.program.messages.push(Message { pieces });
        MessageId(self.program.messages.len() as u32 - 1)
    }

    /// A mutable variable, without a name if it is empty.
    pub(crate) fn variable(&mut self, name: &'static str, ty: ScalarType) -> VarId {
        let name = (!name.is_empty()).then(|| name.into());
        self.program.variables.push(Variable { name, ty, mutable: true });
        VarId(self.program.variables.len() as u32 - 1)
    }

    pub(crate) fn immutable(&mut self, name: &'static str, ty: ScalarType) -> VarId {
        let var = self.variable(name, ty);
        self.program.variables[var.0 as usize].mutable = false;
        var
    }

    pub(crate) fn node(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        let number = self.program.exprs.len() as u32;
        self.program.exprs.push(ExprNode { expr, ty, span: Span::new(number + 1, 1, number + 1, 2) });
        ExprId(number)
    }

    fn ty(&self, id: ExprId) -> ScalarType {
        self.program.expr(id).ty
    }

    pub(crate) fn constant<T: Scalar>(&mut self, value: T) -> ExprId {
        self.node(Expr::Const(Constant::of(value)), T::TYPE)
    }

    pub(crate) fn get(&mut self, var: VarId) -> ExprId {
        let ty = self.program.variable(var).ty;
        self.node(Expr::Var(var), ty)
    }

    pub(crate) fn builtin(&mut self, builtin: Builtin) -> ExprId {
        self.node(Expr::Builtin(builtin), ScalarType::Usize)
    }

    pub(crate) fn len(&mut self, slice: ParamId) -> ExprId {
        self.node(Expr::Len(slice.into()), ScalarType::Usize)
    }

    pub(crate) fn load(&mut self, slice: impl Into<Memory>, index: ExprId, ty: ScalarType) -> ExprId {
        self.node(Expr::Load { slice: slice.into(), index, access: LoadAccess::Plain }, ty)
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, value: ExprId) -> ExprId {
        self.node(Expr::Unary { op, value }, self.ty(value))
    }

    pub(crate) fn binary(&mut self, left: ExprId, op: BinaryOp, right: ExprId) -> ExprId {
        self.node(Expr::Binary { op, left, right }, self.ty(left))
    }

    pub(crate) fn compare(&mut self, left: ExprId, op: CompareOp, right: ExprId) -> ExprId {
        self.node(Expr::Compare { op, left, right }, ScalarType::Bool)
    }

    pub(crate) fn cast(&mut self, value: ExprId, ty: ScalarType) -> ExprId {
        self.node(Expr::Cast { value }, ty)
    }
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

pub(crate) fn assign(var: VarId, value: ExprId) -> Stmt {
    stmt(StmtKind::Assign { var, value })
}

pub(crate) fn store(slice: impl Into<Memory>, index: ExprId, value: ExprId) -> Stmt {
    stmt(StmtKind::Store { slice: slice.into(), index, value, access: StoreAccess::Plain })
}

pub(crate) fn call(function: FunctionId, args: Vec<ExprId>, result: Option<VarId>) -> Stmt {
    stmt(StmtKind::Call { function, args, result })
}

/// `break` or, with the label of an outer loop, so many loops further out.
pub(crate) fn break_(out: u32) -> Stmt {
    stmt(StmtKind::Break { out })
}

pub(crate) fn continue_(out: u32) -> Stmt {
    stmt(StmtKind::Continue { out })
}

pub(crate) fn return_() -> Stmt {
    stmt(StmtKind::Return)
}

pub(crate) fn evaluate(value: ExprId) -> Stmt {
    stmt(StmtKind::Evaluate { value })
}

pub(crate) fn if_(cond: ExprId, then: Block, otherwise: Block) -> Stmt {
    stmt(StmtKind::If { cond, then, otherwise })
}

pub(crate) fn while_(cond: ExprId, body: Block, step: Block) -> Stmt {
    stmt(StmtKind::While { cond, body, step })
}

/// How often Collatz's function is applied until it gives 1, for each number of a slice.
pub(crate) fn collatz() -> Program {
    let m = &mut Maker::new("collatz");
    let (start, steps) = (m.slice("start", ScalarType::U32), m.slice_mut("steps", ScalarType::U32));
    let i = m.immutable("i", ScalarType::Usize);
    let (n, count) = (m.variable("n", ScalarType::U32), m.variable("count", ScalarType::U32));
    let id = m.builtin(Builtin::GlobalId);
    let (index, len) = (m.get(i), m.len(start));
    let outside = m.compare(index, CompareOp::Ge, len);
    let index = m.get(i);
    let first = m.load(start, index, ScalarType::U32);
    let zero = m.constant(0u32);
    let (value, one) = (m.get(n), m.constant(1u32));
    let unfinished = m.compare(value, CompareOp::Ne, one);
    let (value, two, zero_again) = (m.get(n), m.constant(2u32), m.constant(0u32));
    let rest = m.binary(value, BinaryOp::Rem, two);
    let even = m.compare(rest, CompareOp::Eq, zero_again);
    let (value, two) = (m.get(n), m.constant(2u32));
    let half = m.binary(value, BinaryOp::Div, two);
    let (three, value, one) = (m.constant(3u32), m.get(n), m.constant(1u32));
    let triple = m.binary(three, BinaryOp::Mul, value);
    let more = m.binary(triple, BinaryOp::Add, one);
    let (value, one) = (m.get(count), m.constant(1u32));
    let counted = m.binary(value, BinaryOp::Add, one);
    let (index, result) = (m.get(i), m.get(count));
    let body = vec![if_(even, vec![assign(n, half)], vec![assign(n, more)]), assign(count, counted)];
    let body = vec![
        assign(i, id),
        if_(outside, vec![return_()], vec![]),
        assign(n, first),
        assign(count, zero),
        while_(unfinished, body, vec![]),
        store(steps, index, result),
    ];
    std::mem::take(m).finish(body)
}

/// A `for` loop over `0..n` that skips odd numbers, and leaves at 100.
pub(crate) fn sum_of_even() -> Program {
    let m = &mut Maker::new("sum_of_even");
    let (n, out) = (m.scalar("n", ScalarType::U32), m.slice_mut("out", ScalarType::U32));
    let (k, sum) = (m.variable("k", ScalarType::U32), m.variable("sum", ScalarType::U32));
    let (zero, zero_again) = (m.constant(0u32), m.constant(0u32));
    let (value, end) = (m.get(k), m.node(Expr::Param(n), ScalarType::U32));
    let inside = m.compare(value, CompareOp::Lt, end);
    let (value, one) = (m.get(k), m.constant(1u32));
    let bit = m.binary(value, BinaryOp::And, one);
    let none = m.constant(0u32);
    let odd = m.compare(bit, CompareOp::Ne, none);
    let (value, hundred) = (m.get(k), m.constant(100u32));
    let last = m.compare(value, CompareOp::Eq, hundred);
    let (value, addend) = (m.get(sum), m.get(k));
    let added = m.binary(value, BinaryOp::Add, addend);
    let (value, one) = (m.get(k), m.constant(1u32));
    let next = m.binary(value, BinaryOp::Add, one);
    let (index, result) = (m.builtin(Builtin::LaneId), m.get(sum));
    let body = vec![if_(odd, vec![continue_(0)], vec![if_(last, vec![break_(0)], vec![])]), assign(sum, added)];
    let body = vec![
        assign(k, zero),
        assign(sum, zero_again),
        while_(inside, body, vec![assign(k, next)]),
        store(out, index, result),
    ];
    std::mem::take(m).finish(body)
}
