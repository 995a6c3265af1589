//! Random programs: garbage, and valid programs with one thing changed.

use super::device::every_statement;
use super::{collatz, stmt, sum_of_even};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use simt_core::ops::{AtomicOp, BinaryOp, CompareOp, UnaryOp};
use simt_core::program::{
    Align, Array, ArrayId, ArraySpace, AtomicOrder, BarrierOp, Block, Builtin, CollectiveOp, Expr, ExprId, ExprNode,
    FenceScope, Form, Function, FunctionId, LoadAccess, Memory, Message, MessageId, Param, ParamId, ParamKind, Piece,
    Program, Stmt, StmtKind, StoreAccess, Style, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Source, Span};

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
        number().prop_map(|param| Expr::Len(ParamId(param).into())),
        (memory(), expr_id(), select(LoadAccess::ALL)).prop_map(|(slice, index, access)| Expr::Load {
            slice,
            index,
            access
        }),
        (select(UnaryOp::ALL), expr_id()).prop_map(|(op, value)| Expr::Unary { op, value }),
        (select(BinaryOp::ALL), expr_id(), expr_id()).prop_map(|(op, left, right)| Expr::Binary { op, left, right }),
        (select(CompareOp::ALL), expr_id(), expr_id()).prop_map(|(op, left, right)| Expr::Compare { op, left, right }),
        expr_id().prop_map(|value| Expr::Cast { value }),
    ]
}

fn memory() -> impl Strategy<Value = Memory> {
    prop_oneof![
        number().prop_map(|param| Memory::Param(ParamId(param))),
        number().prop_map(|array| Memory::Array(ArrayId(array)))
    ]
}

fn var() -> impl Strategy<Value = VarId> {
    number().prop_map(VarId)
}

fn exprs() -> impl Strategy<Value = Vec<ExprId>> {
    prop::collection::vec(expr_id(), 0..3)
}

fn leaf() -> impl Strategy<Value = Stmt> {
    let plain = prop_oneof![
        Just(StmtKind::Skip),
        (number(), expr_id()).prop_map(|(var, value)| StmtKind::Assign { var: VarId(var), value }),
        (memory(), expr_id(), expr_id(), select(StoreAccess::ALL))
            .prop_map(|(slice, index, value, access)| StmtKind::Store { slice, index, value, access }),
        expr_id().prop_map(|value| StmtKind::Evaluate { value }),
        number().prop_map(|out| StmtKind::Break { out: out % 4 }),
        number().prop_map(|out| StmtKind::Continue { out: out % 4 }),
        Just(StmtKind::Return),
    ];
    prop_oneof![2 => plain, 1 => device()].prop_map(stmt)
}

/// Statements of calls, of several threads, and of messages.
fn device() -> impl Strategy<Value = StmtKind> {
    let place = (select(AtomicOp::ALL), memory(), expr_id());
    let collective = (select(CollectiveOp::ALL), of(expr_id()), exprs(), of(var()));
    let barrier = (select(BarrierOp::ALL), of(expr_id()), of(expr_id()), of(expr_id()), of(var()));
    let message = (number(), exprs(), any::<bool>());
    prop_oneof![
        (number(), exprs(), of(var())).prop_map(|(function, args, result)| StmtKind::Call {
            function: FunctionId(function % 3),
            args,
            result
        }),
        (place, exprs(), of(var()), select(AtomicOrder::ALL)).prop_map(
            |((op, target, index), operands, result, order)| StmtKind::Atomic {
                op,
                target,
                index,
                operands,
                result,
                order
            }
        ),
        collective.prop_map(|(op, mask, args, result)| StmtKind::Collective { op, mask, args, result }),
        barrier.prop_map(|(op, index, threads, value, result)| StmtKind::Barrier { op, index, threads, value, result }),
        select(FenceScope::ALL).prop_map(|scope| StmtKind::Fence { scope }),
        message.prop_map(|(message, args, ends)| {
            let message = MessageId(message % 3);
            if ends { StmtKind::Panic { message, args } } else { StmtKind::Print { message, args } }
        }),
    ]
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
        ty().prop_map(|element| ParamKind::Constant { element }),
        ty().prop_map(|element| ParamKind::Atomic { element }),
    ]
}

fn variable() -> impl Strategy<Value = Variable> {
    (select(&[None, Some("x"), Some("p"), Some("_1")]), ty(), any::<bool>()).prop_map(|(name, ty, mutable)| Variable {
        name: name.map(Into::into),
        ty,
        mutable,
    })
}

fn array() -> impl Strategy<Value = Array> {
    let (space, function) = (select(&[ArraySpace::Shared, ArraySpace::Local]), of((0u32..3).prop_map(FunctionId)));
    let flags = any::<[bool; 3]>();
    (ty(), 0u32..5, space, flags, function).prop_map(|(element, length, space, [atomic, dynamic, unset], function)| {
        Array { atomic, dynamic, unset, function, ..Array::new("p", element, length, space) }
    })
}

fn function() -> impl Strategy<Value = Function> {
    let params = prop::collection::vec(var(), 0..3);
    (params, of(var()), prop::collection::vec(statement(), 0..4)).prop_map(|(params, result, body)| Function {
        name: "garbage".into(),
        source: Source::default(),
        params,
        result,
        body,
    })
}

fn message() -> impl Strategy<Value = Message> {
    let form = select(&[Form::Display, Form::Debug, Form::LowerHex, Form::LowerExp]);
    let style = (0u16..20, of(0u16..9), form, of(select(&[Align::Left, Align::Right])), any::<bool>());
    let piece = prop_oneof![
        ".*".prop_map(|text| Piece::Text(text.into())),
        (0u32..4, style).prop_map(|(arg, (width, precision, form, align, zeros))| {
            let (plus, alternate) = (zeros, !zeros);
            Piece::Value { arg, style: Style { width, precision, zeros, plus, alternate, form, align } }
        }),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| Message { pieces })
}

/// Any program at all. Next to none is valid.
pub(crate) fn any_program() -> impl Strategy<Value = Program> {
    let node = (expr(), ty()).prop_map(|(expr, ty)| ExprNode { expr, ty, span: Span::default() });
    (
        prop::collection::vec(param(), 0..4),
        prop::collection::vec(variable(), 0..5),
        prop::collection::vec(node, 0..30),
        prop::collection::vec(statement(), 0..5),
        prop::collection::vec(function(), 0..3),
        prop::collection::vec(array(), 0..3),
        prop::collection::vec(message(), 0..3),
    )
        .prop_map(|(params, variables, exprs, body, functions, arrays, messages)| Program {
            name: "garbage".into(),
            params: params
                .into_iter()
                .map(|kind| Param { name: "p".into(), kind, row: 1, table: None, span: Span::default() })
                .collect(),
            variables,
            exprs,
            body,
            functions,
            arrays,
            messages,
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
    Array(Index, Array),
    Message(Index, Message),
    Head(Index, Vec<VarId>, Option<VarId>),
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
        (any::<Index>(), array()).prop_map(|(at, array)| Change::Array(at, array)),
        (any::<Index>(), message()).prop_map(|(at, message)| Change::Message(at, message)),
        (any::<Index>(), prop::collection::vec(var(), 0..3), of(var()))
            .prop_map(|(at, params, result)| Change::Head(at, params, result)),
        (any::<Index>(), statement()).prop_map(|(at, stmt)| Change::ReplaceStatement(at, stmt)),
        any::<Index>().prop_map(Change::RemoveStatement),
        any::<Index>().prop_map(Change::RepeatStatement),
    ]
}

/// A valid program with one thing changed. Some are still valid.
pub(crate) fn nearly_valid_program() -> impl Strategy<Value = Program> {
    (select(vec![collatz(), sum_of_even(), every_statement()]), change()).prop_map(|(mut program, change)| {
        match change {
            Change::Expr(at, expr) => at.get_mut(&mut program.exprs).expr = expr,
            Change::Type(at, ty) => at.get_mut(&mut program.exprs).ty = ty,
            Change::Variable(at, variable) => *at.get_mut(&mut program.variables) = variable,
            Change::Param(at, kind) => at.get_mut(&mut program.params).kind = kind,
            Change::Array(at, array) if !program.arrays.is_empty() => *at.get_mut(&mut program.arrays) = array,
            Change::Message(at, message) if !program.messages.is_empty() => {
                *at.get_mut(&mut program.messages) = message;
            }
            Change::Head(at, params, result) if !program.functions.is_empty() => {
                let function = at.get_mut(&mut program.functions);
                (function.params, function.result) = (params, result);
            }
            Change::Array(..) | Change::Message(..) | Change::Head(..) => {}
            Change::ReplaceStatement(at, stmt) => edit(&mut program, at, |old| vec![stmt.clone(), old]),
            Change::RemoveStatement(at) => edit(&mut program, at, |_| vec![]),
            Change::RepeatStatement(at) => edit(&mut program, at, |old| vec![old.clone(), old]),
        }
        program
    })
}

/// Puts something else in the place of one statement, which may be an inner one or a function's.
fn edit(program: &mut Program, at: Index, by: impl Fn(Stmt) -> Vec<Stmt>) {
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
                _ => false,
            };
            if done {
                return true;
            }
        }
        false
    }
    let mut remaining = at.index(program.bodies().map(|(_, body)| count(body)).sum());
    let functions = program.functions.iter_mut().map(|function| &mut function.body);
    let mut bodies = std::iter::once(&mut program.body).chain(functions);
    assert!(bodies.any(|body| walk(body, &mut remaining, &by)), "the index is one of the program's statements");
}
