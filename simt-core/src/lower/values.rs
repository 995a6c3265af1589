//! Program to code: expressions, with local value numbering.
//!
//! The operations of an expression become one instruction each, into a temporary or, for the root of an assignment,
//! straight into the variable. Three things that every compiler does are done here too, because a listing without them
//! would mislead about the cost of a kernel:
//!
//! * an operation whose value is still at hand in a register is not computed again. "At hand" means computed on the way
//!   from the entry (in this block, or in one that every path to it passes) and not overwritten since. Loads are always
//!   made anew: another thread may have written.
//! * an integer product that is only added to becomes one multiply-add.
//! * `let x = e;` needs no move where `e` already is a constant, a parameter, a special register or an immutable variable.
//!
//! Each register has a version that grows whenever something may have written it. A value is remembered under its
//! operation and its operands' versions, so a stale one is simply never found.

use super::available::{AtHand, Available};
use crate::code::{Inst, Operand, Reg, Register, RegisterRole};
use crate::ops::{BinaryOp, CompareOp, NumericOp, UnaryOp};
use crate::program::{Expr, ExprId, ExprNode, FunctionId, Program, Stmt, StmtKind, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// An operation on operands of given versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    op: OpKey,
    ty: ScalarType,
    left: (Operand, u32),
    right: Option<(Operand, u32)>,
    addend: Option<(Operand, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OpKey {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CompareOp),
    Cast(ScalarType),
    Numeric(NumericOp),
    MulAdd,
}

/// The instructions emitted so far and what their registers hold.
pub(super) struct Values<'p> {
    program: &'p Program,
    insts: Vec<Inst>,
    spans: Vec<Span>,
    registers: Vec<Register>,
    versions: Vec<u32>,
    /// Whether the register keeps its value while its variable is in scope.
    stable: Vec<bool>,
    /// What a variable stands for, when that is not its own register.
    aliases: Vec<Option<Operand>>,
    at_hand: AtHand<Key, (Reg, u32)>,
    /// The function whose body is being lowered.
    function: Option<FunctionId>,
}

impl<'p> Values<'p> {
    /// `kept` says of each function whether a call keeps its result.
    pub(super) fn new(program: &'p Program, kept: &[bool]) -> Self {
        let owners = owners(program);
        let registers: Vec<_> = program
            .variables
            .iter()
            .zip(owners)
            .map(|(v, owner)| Register {
                name: Some(v.name.clone().unwrap_or_default()),
                ty: v.ty,
                written_once: !v.mutable && owner.is_none_or(|(_, use_)| use_ == Use::Body),
                untyped: false,
                zeroed: false,
                function: owner.map(|(function, _)| function),
                role: if owner.is_some_and(|(function, use_)| use_ == Use::Result && !kept[function.0 as usize]) {
                    RegisterRole::Passing
                } else {
                    RegisterRole::Frame
                },
            })
            .collect();
        Self {
            program,
            insts: Vec::new(),
            spans: Vec::new(),
            versions: vec![0; registers.len()],
            stable: program.variables.iter().map(|variable| !variable.mutable).collect(),
            aliases: vec![None; registers.len()],
            registers,
            at_hand: AtHand::default(),
            function: None,
        }
    }

    /// The body of a function begins: nothing is at hand.
    pub(super) fn begin_function(&mut self, function: Option<FunctionId>) {
        self.function = function;
        self.forget_all();
    }

    /// Nothing is at hand any more.
    pub(super) fn forget_all(&mut self) {
        self.at_hand.forget_all();
    }

    /// The register of a variable.
    pub(super) fn register(&self, var: VarId) -> Reg {
        Reg(var.0)
    }

    /// A register that passes an argument to a function.
    pub(super) fn passing(&mut self, ty: ScalarType, function: FunctionId) -> Reg {
        let register = Register {
            name: None,
            ty,
            written_once: false,
            untyped: false,
            zeroed: false,
            function: Some(function),
            role: RegisterRole::Passing,
        };
        self.push(register, false)
    }

    /// What variables would be behind a list of assignments, computed without assigning them.
    pub(super) fn aside(&mut self, block: &[Stmt], variables: &[VarId]) -> Vec<Operand> {
        let before: Vec<_> = variables.iter().map(|var| self.aliases[var.0 as usize]).collect();
        for stmt in block {
            if let StmtKind::Assign { var, value } = stmt.kind {
                let mut operand = self.operand(value);
                // A variable that is assigned afterwards would not have this value any more.
                if let Operand::Reg(reg) = operand
                    && variables.contains(&VarId(reg.0))
                {
                    let node = self.program.expr(value);
                    let dst = self.temporary(node.ty);
                    self.emit(Inst::Move { ty: node.ty, dst, src: operand }, node.span);
                    operand = Operand::Reg(dst);
                }
                self.aliases[var.0 as usize] = Some(operand);
            }
        }
        let value = |var: &VarId| self.aliases[var.0 as usize].unwrap_or(Operand::Reg(Reg(var.0)));
        let values = variables.iter().map(value).collect();
        for (var, before) in variables.iter().zip(before) {
            self.aliases[var.0 as usize] = before;
        }
        values
    }

    pub(super) fn len(&self) -> usize {
        self.insts.len()
    }

    pub(super) fn insts(&self) -> &[Inst] {
        &self.insts
    }

    pub(super) fn emit(&mut self, inst: Inst, span: Span) {
        if let Some(dst) = inst.destination() {
            self.versions[dst.0 as usize] += 1;
        }
        self.insts.push(inst);
        self.spans.push(span);
    }

    pub(super) fn finish(self) -> (Vec<Inst>, Vec<Span>, Vec<Register>) {
        (self.insts, self.spans, self.registers)
    }

    /// What is at hand now, to be restored where paths meet.
    pub(super) fn available(&self) -> Available {
        self.at_hand.now()
    }

    /// Brings back what was at hand then.
    pub(super) fn restore(&mut self, then: Available) {
        self.at_hand.restore(then);
    }

    /// Something may have written the variable.
    pub(super) fn forget(&mut self, var: VarId) {
        self.versions[var.0 as usize] += 1;
    }

    /// `var = value;`
    pub(super) fn assign(&mut self, var: VarId, value: ExprId) {
        let dst = Reg(var.0);
        let mutable = self.program.variable(var).mutable;
        let node = *self.program.expr(value);
        let found = match self.leaf(node) {
            Some(operand) => Some(operand),
            None => self.compute(node, dst),
        };
        let Some(operand) = found else { return };
        if !mutable && self.is_stable(operand) {
            self.aliases[var.0 as usize] = Some(operand);
        } else {
            self.emit(Inst::Move { ty: node.ty, dst, src: operand }, node.span);
        }
    }

    /// The operand that holds an expression's value, computing it if need be.
    pub(super) fn operand(&mut self, id: ExprId) -> Operand {
        let node = *self.program.expr(id);
        if let Some(operand) = self.leaf(node) {
            return operand;
        }
        let dst = self.temporary(node.ty);
        let found = self.compute(node, dst);
        if found.is_some() {
            self.drop_temporary(dst);
        }
        found.unwrap_or(Operand::Reg(dst))
    }

    fn leaf(&self, node: ExprNode) -> Option<Operand> {
        match node.expr {
            Expr::Const(constant) => Some(Operand::Const(constant)),
            Expr::Param(param) => Some(Operand::Param(param)),
            Expr::Len(memory) => Some(Operand::Len(memory)),
            Expr::Builtin(builtin) => Some(Operand::Builtin(builtin)),
            Expr::Var(var) => Some(self.aliases[var.0 as usize].unwrap_or(Operand::Reg(Reg(var.0)))),
            Expr::Load { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Cast { .. }
            | Expr::Numeric { .. } => None,
        }
    }

    /// Whether an operand keeps its value for as long as an immutable variable lives.
    fn is_stable(&self, operand: Operand) -> bool {
        match operand {
            Operand::Reg(reg) => self.stable[reg.0 as usize],
            Operand::Const(_)
            | Operand::Param(_)
            | Operand::Len(_)
            | Operand::Builtin(_)
            | Operand::Symbol(_)
            | Operand::ParamAddress(_) => true,
        }
    }

    /// Emits the operation into `dst`, or says where its value is at hand.
    fn compute(&mut self, node: ExprNode, dst: Reg) -> Option<Operand> {
        let ty = node.ty;
        let (key, inst) = match node.expr {
            Expr::Load { slice, index, access } => {
                let index = self.operand(index);
                self.emit(Inst::Load { ty, dst, slice, index, access }, node.span);
                return None;
            }
            Expr::Unary { op, value } => {
                let src = self.operand(value);
                (self.key(OpKey::Unary(op), ty, src, None), Inst::Unary { op, ty, dst, src })
            }
            Expr::Binary { op: BinaryOp::Add, left, right } if ty.is_int() && self.product(left, right).is_some() => {
                let (product, addend) = self.product(left, right).unwrap_or((left, right));
                let (left, right) = self.factors(product);
                // Operands in the order they are written: the leftmost fault is the one that is found.
                let (left, right, addend) = if product < addend {
                    (self.operand(left), self.operand(right), self.operand(addend))
                } else {
                    let addend = self.operand(addend);
                    (self.operand(left), self.operand(right), addend)
                };
                let mut key = self.key(OpKey::MulAdd, ty, left, Some(right));
                key.addend = self.key(OpKey::MulAdd, ty, addend, None).left.into();
                (key, Inst::MulAdd { ty, dst, left, right, addend })
            }
            Expr::Binary { op, left, right } => {
                let (left, right) = (self.operand(left), self.operand(right));
                (self.key(OpKey::Binary(op), ty, left, Some(right)), Inst::Binary { op, ty, dst, left, right })
            }
            Expr::Compare { op, left, right } => {
                let ty = self.program.expr(left).ty;
                let (left, right) = (self.operand(left), self.operand(right));
                (self.key(OpKey::Compare(op), ty, left, Some(right)), Inst::Compare { op, ty, dst, left, right })
            }
            Expr::Cast { value } => {
                let from = self.program.expr(value).ty;
                let src = self.operand(value);
                (self.key(OpKey::Cast(ty), from, src, None), Inst::Cast { from, to: ty, dst, src })
            }
            Expr::Numeric { op, args } => {
                let ty = self.program.expr(args.as_slice()[0]).ty;
                let args = args.map(|arg| self.operand(arg));
                let [_, second, third] = args.to_options();
                let mut key = self.key(OpKey::Numeric(op), ty, args.as_slice()[0], second);
                key.addend = third.map(|third| self.key(OpKey::Numeric(op), ty, third, None).left);
                (key, Inst::Numeric { op, ty, dst, args })
            }
            Expr::Const(_) | Expr::Var(_) | Expr::Param(_) | Expr::Builtin(_) | Expr::Len(_) => {
                unreachable!("leaves are operands")
            }
        };
        if let Some(&(reg, version)) = self.at_hand.get(&key)
            && self.versions[reg.0 as usize] == version
        {
            return Some(Operand::Reg(reg));
        }
        self.emit(inst, node.span);
        let version = self.versions[dst.0 as usize];
        self.at_hand.insert(key, (dst, version));
        None
    }

    /// Of two summands, the one that is a product, and the other.
    fn product(&self, left: ExprId, right: ExprId) -> Option<(ExprId, ExprId)> {
        let is_product = |id| matches!(self.program.expr(id).expr, Expr::Binary { op: BinaryOp::Mul, .. });
        match (is_product(left), is_product(right)) {
            (true, _) => Some((left, right)),
            (false, true) => Some((right, left)),
            (false, false) => None,
        }
    }

    fn factors(&self, product: ExprId) -> (ExprId, ExprId) {
        match self.program.expr(product).expr {
            Expr::Binary { left, right, .. } => (left, right),
            _ => unreachable!("a product has two factors"),
        }
    }

    fn key(&self, op: OpKey, ty: ScalarType, left: Operand, right: Option<Operand>) -> Key {
        let version = |operand: Operand| match operand {
            Operand::Reg(reg) => (operand, self.versions[reg.0 as usize]),
            Operand::Const(_)
            | Operand::Param(_)
            | Operand::Len(_)
            | Operand::Builtin(_)
            | Operand::Symbol(_)
            | Operand::ParamAddress(_) => (operand, 0),
        };
        Key { op, ty, left: version(left), right: right.map(version), addend: None }
    }

    pub(super) fn temporary(&mut self, ty: ScalarType) -> Reg {
        let function = self.function;
        let role = RegisterRole::Frame;
        self.push(Register { name: None, ty, written_once: true, untyped: false, zeroed: false, function, role }, true)
    }

    fn push(&mut self, register: Register, stable: bool) -> Reg {
        self.registers.push(register);
        self.versions.push(0);
        self.stable.push(stable);
        self.aliases.push(None);
        Reg(self.registers.len() as u32 - 1)
    }

    /// Takes back a temporary that turned out not to be needed, if nothing came after it.
    fn drop_temporary(&mut self, reg: Reg) {
        if reg.0 as usize + 1 == self.registers.len() {
            self.registers.pop();
            self.versions.pop();
            self.stable.pop();
            self.aliases.pop();
        }
    }
}

/// What a function's variable is.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Param,
    Result,
    Body,
}

/// By variable, the function that has it; none for the kernel's.
fn owners(program: &Program) -> Vec<Option<(FunctionId, Use)>> {
    let mut owners = vec![None; program.variables.len()];
    for (function, id) in program.functions.iter().zip(0..) {
        let id = FunctionId(id);
        let mut pending = vec![&function.body];
        while let Some(block) = pending.pop() {
            for stmt in block {
                if let Some(var) = stmt.kind.assigned() {
                    owners[var.0 as usize] = Some((id, Use::Body));
                }
                pending.extend(stmt.kind.blocks());
            }
        }
        function.params.iter().for_each(|var| owners[var.0 as usize] = Some((id, Use::Param)));
        function.result.iter().for_each(|var| owners[var.0 as usize] = Some((id, Use::Result)));
    }
    owners
}
