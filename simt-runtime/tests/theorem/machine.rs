//! The machine with the paper's stack, [`TokenStack`], against the literal semantics: on programs with races, where results
//! depend on which thread runs when, the two must agree to the bit.

use super::cases::{Case, cases, many_cases};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{
    Expr, ExprId, ExprNode, Function, FunctionId, Param, ParamId, ParamKind, Program, Stmt, StmtKind, StoreAccess,
    VarId, Variable,
};
use simt_core::{Constant, ScalarType, Source, Span};
use simt_runtime::{
    Argument, Gpu, Grid, Kernel, LaunchError, Policy, TokenStack, call as call_kernel, for_each_policy,
};
use simt_semantics::{Coverage, End, Esop12, FaultKind, LaneOrder, Memory, Place, SeededOrder, Setting, Warp};
use simt_testing::Random;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a launch of a case of two slices leaves in them.
pub(crate) fn launch<P: Policy>(gpu: &Gpu<P>, threads: usize, case: &Case) -> Result<Vec<Vec<u64>>, LaunchError> {
    let mut x: Vec<u32> = case.arguments[0].iter().map(|&bits| bits as u32).collect();
    let n: Vec<AtomicU32> = case.arguments[1].iter().map(|&bits| AtomicU32::new(bits as u32)).collect();
    let kernel = Kernel::from_program((*case.program).clone());
    let arguments = vec![Argument::slice_mut(&mut x), Argument::atomic(&n)];
    gpu.launch(Grid::new(1, threads), call_kernel(&kernel, arguments))?;
    let n = n.iter().map(|element| element.load(Ordering::Relaxed).into()).collect();
    Ok(vec![x.iter().map(|&value| value.into()).collect(), n])
}

#[test]
fn the_token_stack_gives_the_results_of_the_literal_semantics_on_programs_with_races() {
    let (mut finished, mut faulted, mut raced) = (0, 0, 0);
    for seed in 0..cases() / 5 {
        let case = Case::control(seed);
        let mut random = Random::new(seed);
        let width = *random.pick(&[4, 8]);
        let threads = 1 + random.below(width);
        let place = Place { warp_width: width as u32, ..Place::alone(threads as u32) };
        let setting = Setting::new(&case.program, place).expect("it has rules for all statements");
        let memory = Memory::initial(&setting, case.arguments.clone()).expect("the arguments fit");
        let mut warp = Warp::initial(&setting, memory.clone());
        let end = warp.run(&setting, &Esop12, &mut LaneOrder, super::FUEL, &mut Coverage::default());
        let mut other = Warp::initial(&setting, memory);
        let _ = other.run(&setting, &Esop12, &mut SeededOrder::new(seed), super::FUEL, &mut Coverage::default());
        raced += u64::from(other.memory.slices != warp.memory.slices);

        let launched = launch(&Gpu::<TokenStack>::default().with_warp_width(width), threads, &case);
        match (end, launched) {
            (End::Finished, Ok(results)) => {
                assert_eq!(results, warp.memory.slices, "seed {seed}, {threads} threads\n{}", *case.program);
                finished += 1;
            }
            // The machine can let those run first that are missing.
            (End::Fault(fault), _) if matches!(fault.kind, FaultKind::Missing(_)) => {}
            (End::Fault(_), Err(_)) => faulted += 1,
            (end, launched) => panic!("seed {seed}: {end:?}, but {launched:?}\n{}", *case.program),
        }
    }
    if !many_cases() {
        return;
    }
    assert!(raced > finished / 4, "the order of writes shows in {raced} of {finished}");
    assert!(finished > 10 * faulted && faulted > 0, "{finished} finished, {faulted} faulted");
}

/// `fn f(n: u32) -> r: u32 { r = n; if (n > 0) { f(n - 1); } }`: the result is another activation's, too, meanwhile.
#[test]
fn a_result_is_kept_while_its_function_calls_itself() {
    let ty = ScalarType::U32;
    let mut program = Program::default();
    let mut node = |expr, ty| {
        program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(program.exprs.len() as u32 - 1)
    };
    let [n, r, got] = [0, 1, 2].map(VarId);
    let argument = node(Expr::Var(n), ty);
    let (left, right) = (node(Expr::Var(n), ty), node(Expr::Const(Constant::of(0u32)), ty));
    let positive = node(Expr::Compare { op: CompareOp::Gt, left, right }, ScalarType::Bool);
    let (left, right) = (node(Expr::Var(n), ty), node(Expr::Const(Constant::of(1u32)), ty));
    let less = node(Expr::Binary { op: BinaryOp::Sub, left, right }, ty);
    let three = node(Expr::Const(Constant::of(3u32)), ty);
    let (index, value) = (node(Expr::Const(Constant::of(0usize)), ScalarType::Usize), node(Expr::Var(got), ty));

    let stmt = |kind| Stmt { kind, span: Span::default() };
    let call = |args, result| stmt(StmtKind::Call { function: FunctionId(0), args, result });
    let again = StmtKind::If { cond: positive, then: vec![call(vec![less], None)], otherwise: vec![] };
    let body = vec![stmt(StmtKind::Assign { var: r, value: argument }), stmt(again)];
    let source = Source::default();
    program.functions = vec![Function { name: "f".into(), source, params: vec![n], result: Some(r), body }];
    program.variables = ["n", "r", "got"].map(|name| Variable { name: Some(name.into()), ty, mutable: true }).to_vec();
    let kind = ParamKind::Slice { element: ty, writable: true };
    program.params = vec![Param { name: "x".into(), kind, row: 1, table: None, span: Span::default() }];
    let store = StmtKind::Store { slice: ParamId(0).into(), index, value, access: StoreAccess::Plain };
    program.body = vec![call(vec![three], Some(got)), stmt(store)];

    let kernel = Kernel::from_program(program);
    for_each_policy!(P => {
        let mut x = vec![0u32];
        let gpu = Gpu::<P>::default();
        let launched = gpu.launch(Grid::new(1, 4), call_kernel(&kernel, vec![Argument::slice_mut(&mut x)]));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(x, [3]);
    });
}
