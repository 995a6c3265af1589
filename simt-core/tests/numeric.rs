//! Numeric methods on their way through this crate: builder, validation, print, evaluation, code.

use crate::programs::verdict::{accepts_expr, rejects_expr};
use simt_core::build::{Builder, Let, Value};
use simt_core::code::{Code, Inst, Markers};
use simt_core::ops::{Args, NumericOp};
use simt_core::program::{Expr, Program};
use simt_core::{Constant, ScalarType};

#[test]
fn a_method_has_the_operands_of_its_row() {
    let of = |op, args: Args<_>, ty| (Expr::Numeric { op, args }, ty);
    accepts_expr(|m| {
        let (a, b) = (m.constant(1.5f32), m.constant(2i32));
        let (expr, ty) = of(NumericOp::Powi, [a, b].into(), ScalarType::F32);
        m.node(expr, ty)
    });
    accepts_expr(|m| {
        let a = m.constant(3isize);
        let (expr, ty) = of(NumericOp::UnsignedAbs, [a].into(), ScalarType::Usize);
        m.node(expr, ty)
    });
    rejects_expr("`min` takes 2 operands", |m| {
        let a = m.constant(1.5f32);
        let (expr, ty) = of(NumericOp::Min, [a].into(), ScalarType::F32);
        m.node(expr, ty)
    });
    rejects_expr("`sqrt` in `1.sqrt()` is not defined on u32", |m| {
        let a = m.constant(1u32);
        let (expr, ty) = of(NumericOp::Sqrt, [a].into(), ScalarType::U32);
        m.node(expr, ty)
    });
    rejects_expr("operand `2` is of type u64, not u32", |m| {
        let (a, b) = (m.constant(1u64), m.constant(2u64));
        let (expr, ty) = of(NumericOp::RotateLeft, [a, b].into(), ScalarType::U64);
        m.node(expr, ty)
    });
    rejects_expr("expression `1.abs_diff(2)` is of type i8, not u8", |m| {
        let (a, b) = (m.constant(1i8), m.constant(2i8));
        let (expr, ty) = of(NumericOp::AbsDiff, [a, b].into(), ScalarType::I8);
        m.node(expr, ty)
    });
}

/// A kernel with a slice `x` of floats, a slice `n` of integers, and their first elements.
fn kernel(emit: impl FnOnce(&Builder, Let<f32>, Let<i32>)) -> Program {
    let k = Builder::new("numbers", "numbers.rs", 1, "", "");
    let (x, n) = (k.slice_mut::<f32>(0, "x"), k.slice_mut::<i32>(0, "n"));
    let (a, b) = (k.bind(0, "a", k.load(0, x, 0)), k.bind(0, "b", k.load(0, n, 0)));
    emit(&k, a, b);
    k.finish()
}

/// The statements that `emit` adds, printed.
fn printed(emit: impl FnOnce(&Builder, Let<f32>, Let<i32>)) -> Vec<String> {
    let text = kernel(emit).to_string();
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with("b =")).skip(1);
    lines.take_while(|line| *line != "}").map(ToString::to_string).collect()
}

fn code(program: Program) -> Code {
    let program = program.validate().expect("the builder's programs are valid");
    program.code(Markers::None)
}

#[test]
fn methods_print_as_in_rust() {
    let lines = printed(|k, a, b| {
        k.bind(0, "lo", k.min::<f32>(0, k.add::<f32>(0, a, 1.0), k.abs::<f32>(0, a)));
        k.bind(0, "c", k.clamp::<i32>(0, k.neg::<i32>(0, b), 0, 7));
        k.bind(0, "d", k.mul_add::<f32>(0, a, 2.0, k.sub::<f32>(0, a, 3.0)));
        k.bind(0, "e", k.from_bits::<f32>(0, k.bit_xor::<u32>(0, k.to_bits::<f32>(0, a), 1)));
        k.bind(0, "f", k.count_ones::<i32>(0, b));
        k.bind(0, "g", k.is_some::<i32>(0, k.checked_add::<i32>(0, b, 1)));
    });
    let expected = [
        "lo = (a + 1.0).min(a.abs());",
        "c = (-b).clamp(0, 7);",
        "d = a.mul_add(2.0, a - 3.0);",
        "e = f32::from_bits(a.to_bits() ^ 1);",
        "f = b.count_ones();",
        "g = !b.overflowing_add(1).1;",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn constants_are_folded_unless_they_fault() {
    let lines = printed(|k, _, _| {
        k.bind(0, "p", k.sqrt::<f64>(0, 2.25));
        k.bind(0, "q", k.pow::<u8>(0, 3, 2));
        k.bind(0, "r", k.is_none::<u8>(0, k.checked_mul::<u8>(0, 16, 16)));
        k.bind(0, "s", k.unwrap_or::<Option<u8>>(0, k.checked_sub::<u8>(0, 3, 2), 9));
        k.bind(0, "t", k.ilog2::<u32>(0, 0));
        k.bind(0, "u", k.wrapping_neg::<u32>(0, 1));
        k.bind(0, "v", k.convert::<u64, u8>(0, 7u8));
    });
    let joined = lines.join(" ");
    for part in ["p = 1.5;", "q = 9;", "r = true;", "s = 1;", "t = 0.ilog2();", "u = 4294967295;", "v = 7;"] {
        assert!(joined.contains(part), "{part} in {joined}");
    }
}

#[test]
fn a_method_is_one_instruction_and_is_not_done_twice() {
    let code = code(kernel(|k, a, b| {
        k.bind(0, "s", k.sqrt::<f32>(0, a));
        k.bind(0, "t", k.add::<f32>(0, k.sqrt::<f32>(0, a), k.powi::<f32>(0, a, b)));
        k.bind(0, "u", k.mul_add::<f32>(0, a, a, 1.0));
        k.bind(0, "v", k.mul_add::<f32>(0, a, a, 2.0));
        k.bind(0, "w", k.mul_add::<f32>(0, a, a, 1.0));
    }));
    let listing = code.to_string();
    let methods = code.insts.iter().filter(|inst| matches!(inst, Inst::Numeric { .. })).count();
    assert_eq!(methods, 4, "{listing}");
    for part in ["sqrt.f32   %s, %a", "powi.f32   %", "mul_add.f32 %u, %a, %a, 1.0"] {
        assert!(listing.contains(part), "{part} in\n{listing}");
    }
}

#[test]
fn what_can_fault_is_known() {
    let can_fault = |emit: &dyn Fn(&Builder, Let<i32>) -> Value<i32>| {
        let program = kernel(|k, _, b| {
            k.bind(0, "c", emit(k, b));
        });
        let last = program.exprs.iter().rposition(|node| matches!(node.expr, Expr::Numeric { .. }));
        last.is_some_and(|last| program.can_fault(simt_core::program::ExprId(last as u32)))
    };
    assert!(can_fault(&|k, b| k.rem_euclid::<i32>(0, b, b)));
    assert!(!can_fault(&|k, b| k.rem_euclid::<i32>(0, b, 7)));
    assert!(!can_fault(&|k, b| k.clamp::<i32>(0, b, -1, 1)));
    assert!(can_fault(&|k, b| k.clamp::<i32>(0, b, b, 1)));
    assert!(can_fault(&|k, b| k.isqrt::<i32>(0, b)));
    assert!(!can_fault(&|k, b| k.pow::<i32>(0, b, 3)));
}

#[test]
fn canonical_constants_are_values() {
    let nan = k_constant(|k| k.to_bits::<f32>(0, f32::from_bits(0xffc0_1234)));
    assert_eq!(nan, Some(Constant::of(0x7fc0_0000u32)));
}

/// The constant that an expression folds to.
fn k_constant(emit: impl FnOnce(&Builder) -> Value<u32>) -> Option<Constant> {
    let program = kernel(|k, _, _| {
        k.bind(0, "c", emit(k));
    });
    program.exprs.iter().rev().find_map(|node| match node.expr {
        Expr::Const(constant) => Some(constant),
        _ => None,
    })
}
