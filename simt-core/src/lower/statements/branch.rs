//! Lowers `if`.
//!
//! Three shapes: a branch; an indirect branch, where a chain of `if`s compares one integer with constants close to each
//! other; and selects, where the launch asks for it and both arms are short and without effects, as compilers do it
//! (if-conversion).

use super::{
    BinaryOp, Expr, ExprId, Inst, Label, Lowering, Marker, Operand, ScalarType, Span, Stmt, StmtKind, TableId,
};
use crate::code::{JumpKind, Reg};
use crate::ops::CompareOp;
use crate::program::{Program, VarId};
use crate::scalar::Constant;

/// Fewest values that make an indirect branch worth it. **Assumed:** what compilers do, roughly.
const FEWEST_CASES: usize = 4;
/// How many entries a table may have for each value.
const SPARSE: u64 = 4;
/// Most assignments in an arm that becomes selects. **Assumed:** NVIDIA's compiler predicates arms of about this size.
const SHORT_ARM: usize = 4;
/// Most operations in an arm that becomes selects.
const SHORT_EXPRESSIONS: usize = 8;

/// One `if` of a chain whose join is still to come.
struct Pending {
    join: Label,
    behind: Label,
    before: crate::lower::available::Available,
    span: Span,
}

/// A chain of `if`s on one integer.
struct Switch<'s> {
    value: ExprId,
    /// For each arm the values that lead to it.
    arms: Vec<(Vec<u32>, &'s [Stmt])>,
    otherwise: &'s [Stmt],
    least: u32,
    entries: u32,
}

impl Lowering<'_> {
    /// An `if` with the `else if`s that hang on it. A loop, because generated chains can be long.
    pub(super) fn if_(&mut self, cond: ExprId, then: &[Stmt], otherwise: &[Stmt], span: Span) {
        let (mut cond, mut then, mut otherwise, mut span) = (cond, then, otherwise, span);
        let mut pending = Vec::new();
        loop {
            if let Some(constant) = self.constant(cond) {
                self.block(if constant { then } else { otherwise });
                break;
            }
            if let Some(switch) = switch(self.program, cond, then, otherwise) {
                self.switch(&switch, span);
                break;
            }
            if self.options.if_conversion && self.is_short(then) && self.is_short(otherwise) {
                self.select(cond, then, otherwise, span);
                break;
            }
            let cond_span = self.program.expr(cond).span;
            let operand = self.values.operand(cond);
            let (join, behind) = (self.label(), self.label());
            if self.tokens {
                self.emit(Inst::Marker(Marker::PushSync(behind)), cond_span);
            }
            let before = self.values.available();
            // An empty arm needs no address of its own: its threads go straight to the join.
            let (when, first, second) =
                if then.is_empty() { (true, otherwise, then) } else { (false, then, otherwise) };
            let other = if second.is_empty() { join } else { self.label() };
            self.emit(Inst::Branch { cond: operand, when, target: other, leaves: false }, cond_span);
            self.block(first);
            pending.push(Pending { join, behind, before, span });
            if second.is_empty() {
                break;
            }
            if self.reachable {
                self.jump(join, JumpKind::Join, span);
            }
            if let Some(last) = pending.last() {
                self.values.restore(last.before);
            }
            self.bind(other);
            match second {
                [Stmt { kind: StmtKind::If { cond: c, then: t, otherwise: o }, span: s }] => {
                    (cond, then, otherwise, span) = (*c, t, o, *s);
                }
                _ => {
                    self.block(second);
                    break;
                }
            }
        }
        while let Some(Pending { join, behind, before, span }) = pending.pop() {
            self.values.restore(before);
            self.meet(join, behind, span);
        }
    }

    /// Where the arms meet.
    fn meet(&mut self, join: Label, behind: Label, span: Span) {
        if self.tokens {
            self.bind_marked(join);
            self.emit(Inst::Marker(Marker::Pop), span);
            self.bind_marked(behind);
        } else {
            self.bind_if_used(join);
        }
    }

    fn switch(&mut self, switch: &Switch<'_>, span: Span) {
        let cond_span = self.program.expr(switch.value).span;
        let value = self.values.operand(switch.value);
        let from = self.program.expr(switch.value).ty;
        let word = if from == ScalarType::U32 {
            value
        } else {
            let dst = self.values.temporary(ScalarType::U32);
            self.emit(Inst::Cast { from, to: ScalarType::U32, dst, src: value }, cond_span);
            dst.into()
        };
        let index = if switch.least == 0 {
            word
        } else {
            let dst = self.values.temporary(ScalarType::U32);
            let least = Operand::Const(Constant::of(switch.least));
            let sub = Inst::Binary { op: BinaryOp::Sub, ty: ScalarType::U32, dst, left: word, right: least };
            self.emit(sub, cond_span);
            dst.into()
        };
        let (join, behind) = (self.label(), self.label());
        if self.tokens {
            self.emit(Inst::Marker(Marker::PushSync(behind)), cond_span);
        }
        let before = self.values.available();
        let arms: Vec<Label> = switch.arms.iter().map(|(_, body)| self.arm(body, join)).collect();
        let otherwise = self.arm(switch.otherwise, join);
        let mut table = vec![otherwise; switch.entries as usize + 1];
        // Of two arms for one value the first counts.
        for ((values, _), &label) in switch.arms.iter().zip(&arms).rev() {
            for value in values {
                table[value.wrapping_sub(switch.least) as usize] = label;
            }
        }
        table.iter().for_each(|label| self.used[label.index()] = true);
        self.tables.push(table);
        let table = TableId(self.tables.len() as u32 - 1);
        self.emit(Inst::Indirect { index, table }, cond_span);
        self.reachable = false;
        let bodies = switch.arms.iter().map(|(_, body)| *body).chain([switch.otherwise]);
        for (body, label) in bodies.zip(arms.into_iter().chain([otherwise])) {
            if label == join || !self.used[label.index()] {
                continue;
            }
            if self.reachable {
                self.jump(join, JumpKind::Join, span);
            }
            self.values.restore(before);
            self.bind(label);
            self.block(body);
        }
        self.values.restore(before);
        self.meet(join, behind, span);
    }

    /// Where an arm begins: an empty one at the join.
    fn arm(&mut self, body: &[Stmt], join: Label) -> Label {
        if body.is_empty() { join } else { self.label() }
    }

    /// Whether an arm can be computed by threads that are not in it.
    fn is_short(&self, arm: &[Stmt]) -> bool {
        let mut operations = 0;
        arm.len() <= SHORT_ARM
            && arm.iter().all(|stmt| match stmt.kind {
                StmtKind::Assign { value, .. } => {
                    operations += self.operations(value);
                    !self.program.can_fault(value) && operations <= SHORT_EXPRESSIONS
                }
                StmtKind::Skip => true,
                _ => false,
            })
    }

    fn operations(&self, id: ExprId) -> usize {
        let children: Vec<_> = self.program.expr(id).expr.children().collect();
        usize::from(!children.is_empty()) + children.into_iter().map(|child| self.operations(child)).sum::<usize>()
    }

    /// Both arms are computed beside each other, then each variable gets its value from one of them.
    fn select(&mut self, cond: ExprId, then: &[Stmt], otherwise: &[Stmt], span: Span) {
        let cond = self.values.operand(cond);
        let mut assigned: Vec<VarId> = Vec::new();
        for var in then.iter().chain(otherwise).filter_map(|stmt| stmt.kind.assigned()) {
            if !assigned.contains(&var) {
                assigned.push(var);
            }
        }
        let then = self.values.aside(then, &assigned);
        let otherwise = self.values.aside(otherwise, &assigned);
        for ((var, then), otherwise) in assigned.into_iter().zip(then).zip(otherwise) {
            let (dst, variable) = (self.values.register(var), self.program.variable(var));
            let ty = variable.ty;
            let here = Operand::Reg(dst);
            if !variable.mutable && (then == here || otherwise == here) {
                // A name of one arm, which is not used behind the `if`.
            } else if then != otherwise {
                self.emit(Inst::Select { ty, dst, cond, then, otherwise }, span);
            } else if then != here {
                self.emit(Inst::Move { ty, dst, src: then }, span);
            }
        }
    }
}

/// The chain as an indirect branch, if that is worth it.
fn switch<'s>(program: &Program, cond: ExprId, then: &'s [Stmt], otherwise: &'s [Stmt]) -> Option<Switch<'s>> {
    let mut values = Vec::new();
    let value = tested(program, cond, None, &mut values)?;
    let mut arms = vec![(values, then)];
    let mut rest = otherwise;
    while let [Stmt { kind: StmtKind::If { cond, then, otherwise }, .. }] = rest {
        let mut values = Vec::new();
        if tested(program, *cond, Some(value), &mut values).is_none() {
            break;
        }
        arms.push((values, then));
        rest = otherwise;
    }
    let ty = program.expr(value).ty;
    let order = |&bits: &u32| if ty.is_signed_int() { i64::from(bits as i32) } else { i64::from(bits) };
    let all = || arms.iter().flat_map(|(values, _)| values);
    let (count, least, greatest) = (all().count(), *all().min_by_key(|v| order(v))?, *all().max_by_key(|v| order(v))?);
    let entries = (order(&greatest) - order(&least)) as u64 + 1;
    let worth = count >= FEWEST_CASES && arms.len() > 2 && entries <= SPARSE * count as u64;
    worth.then_some(Switch { value, arms, otherwise: rest, least, entries: entries as u32 })
}

/// The variable or parameter that a condition compares with constants and nothing else, and the constants.
fn tested(program: &Program, cond: ExprId, known: Option<ExprId>, values: &mut Vec<u32>) -> Option<ExprId> {
    match program.expr(cond).expr {
        Expr::Compare { op: CompareOp::Eq, left, right } => {
            let (value, constant) = match (program.expr(left).expr, program.expr(right).expr) {
                (_, Expr::Const(constant)) => (left, constant),
                (Expr::Const(constant), _) => (right, constant),
                _ => return None,
            };
            let node = program.expr(value);
            let is_name = matches!(node.expr, Expr::Var(_) | Expr::Param(_));
            let same = known.is_none_or(|known| program.expr(known).expr == node.expr);
            if !is_name || !same || !node.ty.is_int() || node.ty.bits() > 32 {
                return None;
            }
            values.push(crate::ops::evaluate_cast(constant, ScalarType::U32).bits as u32);
            Some(value)
        }
        Expr::Binary { op: BinaryOp::Or, left, right } => {
            let value = tested(program, left, known, values)?;
            tested(program, right, Some(value), values)?;
            Some(value)
        }
        _ => None,
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Self::Reg(reg)
    }
}
