//! Random programs: garbage, and valid programs with one thing changed.

use super::{collatz, stmt, sum_of_even};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use simt_core::ops::{BinaryOp, CompareOp, UnaryOp};
use simt_core::program::{
    Block, Builtin, Expr, ExprId, ExprNode, Param, ParamId, ParamKind, Program, Stmt, StmtKind, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Span};

/// Numbers that mostly exist in the small programs here.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0u32..6, 10 => 0u32..30, 1 => Just(u32::MAX)]
}

fn ty() -> impl Strategy<Value = ScalarType> {
    prop_oneof![4 => select(&[ScalarType::U32, ScalarType::Usize, ScalarType::Bool]), 1 => select(ScalarType::ALL)]
}

fn expr_id() -> impl Strategy<Value = ExprId> {
    number().prop_map(ExprId)
}

fn constant() -> impl Strategy<Value = Constant> {
    (ty(), prop_oneof![0u64..3, any::<u64>()]).prop_map(|(ty, bits)| Constant { ty, bits })
}

fn expr() -> impl Strategy<Value = Expr> {
    prop_oneof![
        constant().prop_map(Expr::Const),
        number().prop_map(|var| Expr::Var(VarId(var))),
        number().prop_map(|param| Expr::Param(ParamId(param))),
        select(Builtin::ALL).prop_map(Expr::Builtin),
        number().prop_map(|param| Expr::Len(ParamId(param))),
        (number(), expr_id()).prop_map(|(slice, index)| Expr::Load { slice: ParamId(slice), index }),
        (select(UnaryOp::ALL), expr_id()).prop_map(|(op, value)| Expr::Unary { op, value }),
        (select(BinaryOp::ALL), expr_id(), expr_id()).prop_map(|(op, left, right)| Expr::Binary { op, left, right }),
        (select(CompareOp::ALL), expr_id(), expr_id()).prop_map(|(op, left, right)| Expr::Compare { op, left, right }),
        expr_id().prop_map(|value| Expr::Cast { value }),
    ]
}

fn leaf() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        Just(StmtKind::Skip),
        (number(), expr_id()).prop_map(|(var, value)| StmtKind::Assign { var: VarId(var), value }),
        (number(), expr_id(), expr_id()).prop_map(|(slice, index, value)| StmtKind::Store {
            slice: ParamId(slice),
            index,
            value
        }),
        expr_id().prop_map(|value| StmtKind::Evaluate { value }),
        Just(StmtKind::Break),
        Just(StmtKind::Continue),
        Just(StmtKind::Return),
    ]
    .prop_map(stmt)
}

fn statement() -> impl Strategy<Value = Stmt> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (expr_id(), block(), block()).prop_map(|(cond, then, otherwise)| StmtKind::If { cond, then, otherwise }),
            (expr_id(), block(), block()).prop_map(|(cond, body, step)| StmtKind::While { cond, body, step }),
        ]
        .prop_map(stmt)
    })
}

fn param() -> impl Strategy<Value = ParamKind> {
    prop_oneof![
        ty().prop_map(ParamKind::Scalar),
        (ty(), any::<bool>()).prop_map(|(element, writable)| ParamKind::Slice { element, writable }),
    ]
}

fn variable() -> impl Strategy<Value = Variable> {
    (select(&[None, Some("x"), Some("p"), Some("_1")]), ty(), any::<bool>()).prop_map(|(name, ty, mutable)| Variable {
        name: name.map(Into::into),
        ty,
        mutable,
    })
}

/// Any program at all. Next to none is valid.
pub(crate) fn any_program() -> impl Strategy<Value = Program> {
    let node = (expr(), ty()).prop_map(|(expr, ty)| ExprNode { expr, ty, span: Span::default() });
    (
        prop::collection::vec(param(), 0..4),
        prop::collection::vec(variable(), 0..5),
        prop::collection::vec(node, 0..30),
        prop::collection::vec(statement(), 0..5),
    )
        .prop_map(|(params, variables, exprs, body)| Program {
            name: "garbage".into(),
            params: params.into_iter().map(|kind| Param { name: "p".into(), kind, span: Span::default() }).collect(),
            variables,
            exprs,
            body,
            ..Program::default()
        })
}

/// One thing to change in a program; the index says where.
#[derive(Clone, Debug)]
enum Change {
    Expr(Index, Expr),
    Type(Index, ScalarType),
    Variable(Index, Variable),
    Param(Index, ParamKind),
    ReplaceStatement(Index, Stmt),
    RemoveStatement(Index),
    RepeatStatement(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), expr()).prop_map(|(at, expr)| Change::Expr(at, expr)),
        (any::<Index>(), ty()).prop_map(|(at, ty)| Change::Type(at, ty)),
        (any::<Index>(), variable()).prop_map(|(at, variable)| Change::Variable(at, variable)),
        (any::<Index>(), param()).prop_map(|(at, kind)| Change::Param(at, kind)),
        (any::<Index>(), statement()).prop_map(|(at, stmt)| Change::ReplaceStatement(at, stmt)),
        any::<Index>().prop_map(Change::RemoveStatement),
        any::<Index>().prop_map(Change::RepeatStatement),
    ]
}

/// A valid program with one thing changed. Some are still valid.
pub(crate) fn nearly_valid_program() -> impl Strategy<Value = Program> {
    (select(vec![collatz(), sum_of_even()]), change()).prop_map(|(mut program, change)| {
        match change {
            Change::Expr(at, expr) => at.get_mut(&mut program.exprs).expr = expr,
            Change::Type(at, ty) => at.get_mut(&mut program.exprs).ty = ty,
            Change::Variable(at, variable) => *at.get_mut(&mut program.variables) = variable,
            Change::Param(at, kind) => at.get_mut(&mut program.params).kind = kind,
            Change::ReplaceStatement(at, stmt) => edit(&mut program.body, at, |old| vec![stmt.clone(), old]),
            Change::RemoveStatement(at) => edit(&mut program.body, at, |_| vec![]),
            Change::RepeatStatement(at) => edit(&mut program.body, at, |old| vec![old.clone(), old]),
        }
        program
    })
}

/// Puts something else in the place of one statement, which may be an inner one.
fn edit(block: &mut Block, at: Index, by: impl Fn(Stmt) -> Vec<Stmt>) {
    fn count(block: &[Stmt]) -> usize {
        block.iter().map(|stmt| 1 + stmt.kind.blocks().map(|block| count(block)).sum::<usize>()).sum()
    }
    fn walk(block: &mut Block, remaining: &mut usize, by: &impl Fn(Stmt) -> Vec<Stmt>) -> bool {
        for place in 0..block.len() {
            if *remaining == 0 {
                let old = block.remove(place);
                block.splice(place..place, by(old));
                return true;
            }
            *remaining -= 1;
            let done = match &mut block[place].kind {
                StmtKind::If { then, otherwise, .. } => walk(then, remaining, by) || walk(otherwise, remaining, by),
                StmtKind::While { body, step, .. } => walk(body, remaining, by) || walk(step, remaining, by),
                StmtKind::Skip
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return => false,
            };
            if done {
                return true;
            }
        }
        false
    }
    let mut remaining = at.index(count(block));
    assert!(walk(block, &mut remaining, &by), "the index is one of the program's statements");
}
