//! The analysis of schedule dependence is sound: a program that it certifies ends under all policies or under none.

use simt_core::ops::{AtomicOp, BinaryOp, CompareOp};
use simt_core::program::{
    AtomicOrder, Block, Builtin, Expr, ExprId, ExprNode, LoadAccess, Memory, Param, ParamId, ParamKind, Program, Stmt,
    StmtKind, StoreAccess, VarId, Variable,
};
use simt_core::{Constant, ScalarType, Span};
use simt_runtime::{Argument, Gpu, Grid, Kernel, LaunchError, Policy, call, for_each_policy};
use simt_testing::Random;
use std::sync::atomic::AtomicU32;
use std::thread::{available_parallelism, scope};

/// Elements of each slice; all values are taken modulo it.
const ELEMENTS: u64 = 4;
const VARIABLES: usize = 4;

/// Programs whose loops wait for what other threads write, count, or both.
struct Maker<'r> {
    program: Program,
    random: &'r mut Random,
    /// Counters that a loop around uses.
    loops: u32,
}

impl Maker<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn node(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        self.program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn word(&mut self, expr: Expr) -> ExprId {
        self.node(expr, ScalarType::U32)
    }

    fn constant(&mut self, value: u64) -> ExprId {
        self.word(Expr::Const(Constant { ty: ScalarType::U32, bits: value }))
    }

    /// A number below [`ELEMENTS`].
    fn value(&mut self) -> ExprId {
        let value = match self.below(8) {
            0 | 1 => {
                let number = self.below(ELEMENTS as usize) as u64;
                return self.constant(number);
            }
            2 => {
                let value = self.node(Expr::Builtin(Builtin::GlobalId), ScalarType::Usize);
                self.word(Expr::Cast { value })
            }
            3 => {
                let (slice, index) = (self.slice(), self.index());
                return self.word(Expr::Load { slice, index, access: LoadAccess::Plain });
            }
            4 => {
                let (left, right) = (self.variable(), self.variable());
                self.word(Expr::Binary { op: BinaryOp::Add, left, right })
            }
            _ => self.variable(),
        };
        let right = self.constant(ELEMENTS - 1);
        self.word(Expr::Binary { op: BinaryOp::And, left: value, right })
    }

    fn variable(&mut self) -> ExprId {
        let var = self.any();
        self.word(Expr::Var(var))
    }

    fn any(&mut self) -> VarId {
        VarId(self.below(VARIABLES) as u32)
    }

    /// One that threads may write, or one that they may not.
    fn slice(&mut self) -> Memory {
        ParamId(1 + self.below(2) as u32).into()
    }

    fn index(&mut self) -> ExprId {
        let index = self.below(ELEMENTS as usize) as u64;
        self.node(Expr::Const(Constant { ty: ScalarType::Usize, bits: index }), ScalarType::Usize)
    }

    fn condition(&mut self) -> ExprId {
        let op = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Ge][self.below(4)];
        let (left, right) = (self.value(), self.value());
        self.node(Expr::Compare { op, left, right }, ScalarType::Bool)
    }

    fn block(&mut self, depth: usize) -> Block {
        (0..1 + self.below(3)).map(|_| Stmt { kind: self.stmt(depth), span: Span::default() }).collect()
    }

    fn stmt(&mut self, depth: usize) -> StmtKind {
        match self.below(if depth > 0 { 12 } else { 8 }) {
            0 | 1 => StmtKind::Assign { var: self.any(), value: self.value() },
            2 => StmtKind::Store {
                slice: ParamId(1).into(),
                index: self.index(),
                value: self.value(),
                access: StoreAccess::Plain,
            },
            3..=5 => {
                let op = [AtomicOp::Load, AtomicOp::Store, AtomicOp::Swap, AtomicOp::Or][self.below(4)];
                let (index, operand) = (self.index(), self.value());
                let operands = if op == AtomicOp::Load { Vec::new() } else { vec![operand] };
                let result = (op != AtomicOp::Store).then(|| self.any());
                StmtKind::Atomic { op, target: ParamId(0).into(), index, operands, result, order: AtomicOrder::Relaxed }
            }
            6 if self.loops > 0 => StmtKind::Break { out: self.below(self.loops as usize) as u32 },
            7 if self.loops > 0 => StmtKind::Continue { out: self.below(self.loops as usize) as u32 },
            6 | 7 => StmtKind::Skip,
            8 | 9 => {
                StmtKind::If { cond: self.condition(), then: self.block(depth - 1), otherwise: self.block(depth - 1) }
            }
            10 if self.below(2) == 0 => self.wait(),
            10 => {
                self.loops += 1;
                let loop_ = StmtKind::While { cond: self.condition(), body: self.block(depth - 1), step: Vec::new() };
                self.loops -= 1;
                loop_
            }
            _ => self.counted(depth),
        }
    }

    /// Waits until a flag has a value.
    fn wait(&mut self) -> StmtKind {
        let (flag, awaited) = (self.any(), self.value());
        let left = self.word(Expr::Var(flag));
        let cond = self.node(Expr::Compare { op: CompareOp::Ne, left, right: awaited }, ScalarType::Bool);
        let load = StmtKind::Atomic {
            op: AtomicOp::Load,
            target: ParamId(0).into(),
            index: self.index(),
            operands: Vec::new(),
            result: Some(flag),
            order: AtomicOrder::Acquire,
        };
        StmtKind::While { cond, body: vec![Stmt { kind: load, span: Span::default() }], step: Vec::new() }
    }

    /// `for i in 0..bound`, whose bound may be any value.
    fn counted(&mut self, depth: usize) -> StmtKind {
        let variable = |name: &'static str| Variable { name: Some(name.into()), ty: ScalarType::U32, mutable: true };
        self.program.variables.extend([variable("i"), variable("n")]);
        let bound = VarId(self.program.variables.len() as u32 - 1);
        let counter = VarId(bound.0 - 1);
        let (zero, limit) = (self.constant(0), self.value());
        let (left, right) = (self.word(Expr::Var(counter)), self.word(Expr::Var(bound)));
        let cond = self.node(Expr::Compare { op: CompareOp::Lt, left, right }, ScalarType::Bool);
        let one = self.constant(1);
        let left = self.word(Expr::Var(counter));
        let more = self.word(Expr::Binary { op: BinaryOp::Add, left, right: one });
        self.loops += 1;
        let body = self.block(depth - 1);
        self.loops -= 1;
        let assign = |var, value| Stmt { kind: StmtKind::Assign { var, value }, span: Span::default() };
        let loop_ = StmtKind::While { cond, body, step: vec![assign(counter, more)] };
        let always = self.node(Expr::Const(Constant { ty: ScalarType::Bool, bits: 1 }), ScalarType::Bool);
        let then = vec![assign(counter, zero), assign(bound, limit), Stmt { kind: loop_, span: Span::default() }];
        StmtKind::If { cond: always, then, otherwise: Vec::new() }
    }
}

fn program(random: &mut Random) -> Program {
    let param =
        |name: &'static str, kind| Param { name: name.into(), kind, row: 1, table: None, span: Span::default() };
    let element = ScalarType::U32;
    let params = vec![
        param("flags", ParamKind::Atomic { element }),
        param("data", ParamKind::Slice { element, writable: true }),
        param("table", ParamKind::Slice { element, writable: false }),
    ];
    let variable = |_| Variable { name: None, ty: element, mutable: true };
    let variables = (0..VARIABLES).map(variable).collect();
    let mut maker = Maker {
        program: Program { name: "waiting".into(), params, variables, ..Program::default() },
        random,
        loops: 0,
    };
    let mut body: Block = (0..VARIABLES as u32)
        .map(|var| Stmt { kind: StmtKind::Assign { var: VarId(var), value: maker.constant(0) }, span: Span::default() })
        .collect();
    for _ in 0..3 {
        body.extend(maker.block(3));
    }
    Program { body, ..maker.program }
}

/// Whether a launch ends under a policy.
fn ends<P: Policy>(kernel: &Kernel, width: usize) -> bool {
    let (flags, mut data, table) = ([const { AtomicU32::new(0) }; 4], [0; 4], [3, 0, 2, 1u32]);
    let arguments = vec![Argument::atomic(&flags), Argument::slice_mut(&mut data), Argument::slice(&table)];
    // All policies are launched here: no launch need try the others.
    let gpu = Gpu::<P>::default().with_warp_width(width).with_step_limit(10_000).with_ends_under_limit(0);
    match gpu.launch(Grid::new(1, 6), call(kernel, arguments)) {
        Ok(_) => true,
        Err(LaunchError::StepLimit(_) | LaunchError::Livelock(_)) => false,
        Err(error) => panic!("{error}\n{}", kernel.program()),
    }
}

/// What programs of some seeds have shown.
#[derive(Clone, Copy, Default)]
struct Shown {
    certified: u64,
    /// Certified, with loops that end.
    with_loops: u64,
    /// Not certified, and they do end under some policies only.
    dependent: u64,
}

fn shown(seeds: impl Iterator<Item = u64>) -> Shown {
    let mut shown = Shown::default();
    for seed in seeds {
        let program = program(&mut Random::new(seed));
        let dependences = program.schedule_dependences();
        let text = program.to_string();
        let kernel = Kernel::from_program(program);
        assert!(kernel.validated().is_ok(), "{:?}\n{text}", kernel.validated().err());
        let mut outcomes = Vec::new();
        for_each_policy!(P => outcomes.extend([4, 8].map(|width| ends::<P>(&kernel, width))));
        let agree = outcomes.iter().all(|&ends| ends == outcomes[0]);
        if dependences.is_empty() {
            assert!(agree, "seed {seed}: {outcomes:?}\n{text}");
            shown.certified += 1;
            shown.with_loops += u64::from(text.contains("while") && outcomes[0]);
        } else {
            shown.dependent += u64::from(!agree);
        }
    }
    shown
}

/// `SIMT_CASES` sets how many programs are tried. It is the longest test of its program: each core takes some of them.
#[test]
fn what_is_certified_ends_under_all_policies_or_under_none() {
    let cases = std::env::var("SIMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000);
    let cores = available_parallelism().map_or(1, |cores| cores.get());
    let parts: Vec<Shown> = scope(|scope| {
        let start = |core: usize| scope.spawn(move || shown((core as u64..cases).step_by(cores)));
        let parts: Vec<_> = (0..cores).map(start).collect();
        parts.into_iter().map(|part| part.join().expect("it has said why")).collect()
    });
    let sum = |of: fn(&Shown) -> u64| parts.iter().map(of).sum::<u64>();
    let (certified, with_loops, dependent) = (sum(|s| s.certified), sum(|s| s.with_loops), sum(|s| s.dependent));
    assert!(
        certified > cases / 20 && with_loops > 0 && dependent > 0,
        "of {cases}: {certified} certified, {with_loops} of them with loops that end; {dependent} that depend on the policy"
    );
}
