//! The lanes agree with the meaning of each numeric method on each of its types, bit for bit, at every warp width, whether
//! all lanes are active or some.

use simt_core::ops::{Args, ArithmeticFault, NumericOp, canonical, evaluate_cast, evaluate_numeric};
use simt_core::program::{
    Builtin, Expr, ExprId, ExprNode, LoadAccess, ParamId, Program, Stmt, StmtKind, StoreAccess, VarId, Variable,
};
use simt_core::{Constant, Scalar, ScalarType, Span};
use simt_runtime::{FaultKind, Gpu, Grid, Ipdom, Kernel, LaunchError};
use simt_testing::{Arrays, Random};

/// Threads, and sets of operands: no multiple of a warp.
const THREADS: usize = 77;

/// Slices of zeros, with an input for each operand of each thread.
fn zeros() -> Arrays {
    let mut arrays = Arrays::random(&mut Random::new(0), 0, 0);
    macro_rules! resize {
        ($($input:ident $output:ident),*) => {$(
            arrays.$input.resize(3 * THREADS, Default::default());
            arrays.$output.resize(THREADS, Default::default());
        )*};
    }
    resize!(in_u8 out_u8, in_u16 out_u16, in_u32 out_u32, in_u64 out_u64, in_i8 out_i8, in_i16 out_i16, in_i32 out_i32);
    resize!(in_i64 out_i64, in_f32 out_f32, in_f64 out_f64, in_bool out_bool, in_usize out_usize, in_isize out_isize);
    resize!(in_f16 out_f16, in_bf16 out_bf16);
    arrays
}

/// Makes an element of the input of a type something else.
fn set(arrays: &mut Arrays, index: usize, value: Constant) {
    fn try_in<T: Scalar>(input: &mut [T], index: usize, value: Constant) {
        if T::TYPE == value.ty {
            input[index] = T::from_bits64(value.bits);
        }
    }
    macro_rules! each {
        ($($input:ident)*) => { $(try_in(&mut arrays.$input, index, value);)* };
    }
    each!(in_u8 in_u16 in_u32 in_u64 in_i8 in_i16 in_i32 in_i64 in_f32 in_f64 in_bool in_usize in_isize);
    each!(in_f16 in_bf16);
}

fn input(ty: ScalarType) -> ParamId {
    ParamId(Arrays::TYPES.iter().position(|&t| t == ty).map_or(0, |at| at as u32 * 2))
}

fn output(ty: ScalarType) -> ParamId {
    ParamId(input(ty).0 + 1)
}

/// `r = zero; if in_bool[i] { r = op(in[i], in[i + n], in[i + 2n]) } out[i] = r;`
fn program(op: NumericOp, ty: ScalarType) -> Program {
    let mut program = Program { name: op.name().into(), params: Arrays::params(), ..Program::default() };
    let mut node = |expr, ty| {
        program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(program.exprs.len() as u32 - 1)
    };
    let load = |node: &mut dyn FnMut(Expr, ScalarType) -> ExprId, ty, number: usize| {
        let id = node(Expr::Builtin(Builtin::GlobalId), ScalarType::Usize);
        let offset = node(Expr::Const(Constant::of(number * THREADS)), ScalarType::Usize);
        let op = simt_core::ops::BinaryOp::Add;
        let index = node(Expr::Binary { op, left: id, right: offset }, ScalarType::Usize);
        node(Expr::Load { slice: input(ty).into(), index, access: LoadAccess::Plain }, ty)
    };
    let result = op.result().of(ty);
    let zero = node(Expr::Const(Constant { ty: result, bits: 0 }), result);
    let cond = load(&mut node, ScalarType::Bool, 0);
    let mut args = op.args().iter().enumerate().map(|(number, slot)| load(&mut node, slot.of(ty), number));
    let args: Args<ExprId> = match (args.next(), args.next(), args.next()) {
        (Some(a), None, None) => [a].into(),
        (Some(a), Some(b), None) => [a, b].into(),
        (Some(a), Some(b), Some(c)) => [a, b, c].into(),
        other => panic!("{other:?}"),
    };
    let value = node(Expr::Numeric { op, args }, result);
    let index = node(Expr::Builtin(Builtin::GlobalId), ScalarType::Usize);
    let read = node(Expr::Var(VarId(0)), result);
    program.variables.push(Variable { name: Some("r".into()), ty: result, mutable: true });
    let stmt = |kind| Stmt { kind, span: Span::default() };
    let then = vec![stmt(StmtKind::Assign { var: VarId(0), value })];
    let slice = output(result).into();
    program.body = vec![
        stmt(StmtKind::Assign { var: VarId(0), value: zero }),
        stmt(StmtKind::If { cond, then, otherwise: Vec::new() }),
        stmt(StmtKind::Store { slice, index, value: read, access: StoreAccess::Plain }),
    ];
    program
}

/// A random value: the ends of the type, its special values, small numbers, and any bits.
fn random_value(random: &mut Random, ty: ScalarType) -> Constant {
    let sign = 1u64 << (ty.bits() - 1);
    let all = sign | (sign - 1);
    let bits = match (ty, random.below(4)) {
        (ScalarType::F32, 0) => {
            let special = [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, 1e-42];
            u64::from(random.pick(&special).to_bits())
        }
        (ScalarType::F64, 0) => {
            let special = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, 1e-310];
            random.pick(&special).to_bits()
        }
        (ScalarType::F32, 1..=2) => u64::from(((random.below(4000) as f32 - 2000.0) / 32.0).to_bits()),
        (ScalarType::F64, 1..=2) => ((random.below(4000) as f64 - 2000.0) / 32.0).to_bits(),
        (ScalarType::F16 | ScalarType::Bf16, 1..=2) => {
            let value = (random.below(4000) as f32 - 2000.0) / 32.0;
            evaluate_cast(Constant::of(value), ty).bits
        }
        (_, 0) => *random.pick(&[0, 1, all, sign, sign - 1, sign + 1]),
        (_, 1) => random.below(40) as u64,
        _ => random.bits(),
    };
    Constant { ty, bits: bits & all }
}

fn rows() -> impl Iterator<Item = (NumericOp, ScalarType)> {
    let types = |&op| Arrays::TYPES.iter().map(move |&ty| (op, ty));
    // Where there are no slices of 16-bit floats, `from_bits` of them has nowhere to go.
    let has_slice = |ty: ScalarType| Arrays::TYPES.contains(&ty);
    NumericOp::ALL.iter().flat_map(types).filter(move |(op, ty)| op.accepts(*ty) && has_slice(op.result().of(*ty)))
}

fn random_args(random: &mut Random, op: NumericOp, ty: ScalarType) -> Vec<Constant> {
    op.args().iter().map(|slot| random_value(random, slot.of(ty))).collect()
}

fn evaluate(op: NumericOp, args: &[Constant]) -> Result<Constant, ArithmeticFault> {
    let args = match *args {
        [a] => [a].into(),
        [a, b] => [a, b].into(),
        [a, b, c] => [a, b, c].into(),
        _ => panic!("{args:?}"),
    };
    evaluate_numeric(op, args)
}

#[test]
fn lanes_agree_with_the_meaning() {
    let mut random = Random::new(7);
    for (op, ty) in (0..8).flat_map(|_| rows()) {
        let kernel = Kernel::from_program(program(op, ty));
        let mut before = zeros();
        let mut expected = Vec::new();
        for thread in 0..THREADS {
            // All lanes of the first warps, and some of the later ones.
            let active = thread < THREADS / 2 || random.once_in(2);
            set(&mut before, thread, Constant::of(active));
            let (args, value) = loop {
                let args = random_args(&mut random, op, ty);
                if let Ok(value) = evaluate(op, &args) {
                    break (args, value);
                }
            };
            for (number, &arg) in args.iter().enumerate() {
                set(&mut before, number * THREADS + thread, arg);
            }
            expected.push((args, if active { canonical(value).bits } else { 0 }));
        }
        for width in [4, 8, 16, 32, 64] {
            let mut arrays = before.clone();
            let gpu = Gpu::<Ipdom>::default().with_warp_width(width);
            let launched = gpu.launch(Grid::new(1, THREADS), arrays.call(&kernel));
            assert!(launched.is_ok(), "{op:?} {ty}: {launched:?}");
            let found = &arrays.to_bits()[output(op.result().of(ty)).0 as usize];
            for (thread, (args, bits)) in expected.iter().enumerate() {
                assert_eq!(found[thread], *bits, "{op:?} {ty} {args:?} in thread {thread} of warps of {width}");
            }
        }
    }
}

#[test]
fn what_has_no_result_is_a_fault() {
    let mut random = Random::new(8);
    for (op, ty) in rows().filter(|(op, ty)| op.fault(*ty).is_some()) {
        let kernel = Kernel::from_program(program(op, ty));
        let mut arrays = zeros();
        let mut faults = Vec::new();
        for thread in 0..THREADS {
            set(&mut arrays, thread, Constant::of(true));
            let args = loop {
                let args = random_args(&mut random, op, ty);
                // At the latest, this one.
                if thread != THREADS / 2 || evaluate(op, &args).is_err() {
                    break args;
                }
            };
            faults.push(evaluate(op, &args).is_err());
            for (number, &arg) in args.iter().enumerate() {
                set(&mut arrays, number * THREADS + thread, arg);
            }
        }
        let first = faults.iter().position(|&fault| fault);
        let result = Gpu::<Ipdom>::default().launch(Grid::new(1, THREADS), arrays.call(&kernel));
        let Err(LaunchError::Fault(fault)) = result else { panic!("{op:?} {ty}: {result:?}") };
        assert_eq!(Some(fault.thread.global_id), first, "{op:?} {ty}");
        let fits = match (op.fault(ty), &fault.kind) {
            (Some(ArithmeticFault::DivisionByZero), FaultKind::DivisionByZero { .. })
            | (Some(ArithmeticFault::RemainderByZero), FaultKind::RemainderByZero { .. }) => true,
            (Some(ArithmeticFault::Overflow), FaultKind::Overflow { ty: of, .. }) => *of == ty,
            // Of those that overflow some divide.
            (Some(ArithmeticFault::Overflow), FaultKind::DivisionByZero { .. } | FaultKind::RemainderByZero { .. }) => {
                op.fault_on(&[Constant { ty, bits: 1 }, Constant { ty, bits: 0 }]) != Some(ArithmeticFault::Overflow)
            }
            (Some(fault), FaultKind::NoResult { reason, method, .. }) => *reason == fault && *method == op.name(),
            _ => false,
        };
        assert!(fits, "{op:?} {ty}: {:?}", fault.kind);
    }
}
