//! What programs become as flat code: the shape of each statement, which values are not computed again, the listing.

use crate::programs::{
    Maker, assign, call, collatz, continue_, evaluate, if_, return_, stmt, store, sum_of_even, while_,
};
use simt_core::ScalarType;
use simt_core::code::{Inst, Marker, Markers, Pc};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{Block, Builtin, ExprId, ParamId, Program, StmtKind, VarId};

/// The code's instructions, one a line, without the blanks that align them.
#[track_caller]
fn check(program: &Program, markers: Markers, expected: &str) {
    let code = program.clone().validate().unwrap_or_else(|error| panic!("{error}\n{program}")).code(markers);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let pcs = (0..code.insts.len() as u32).map(Pc);
    let found: Vec<_> = pcs.map(|pc| squeezed(&format!("{pc} {}", code.instruction(pc)))).collect();
    let expected: Vec<_> = expected.lines().filter(|line| !line.trim().is_empty()).map(squeezed).collect();
    assert_eq!(found, expected, "\n{code}");
}

#[test]
fn collatz_in_each_family_of_markers() {
    check(
        &collatz(),
        Markers::PostDominators,
        "
        @0 ge.usize %3, global_id(), start.len()
        @1 bra.not %3, @3
        @2 exit
        @3 ld.u32 %n, start[global_id()]
        @4 mov.u32 %count, 0
        @5 ne.u32 %4, %n, 1
        @6 brk.not %4, @15, meet @15
        @7 rem.u32 %6, %n, 2
        @8 eq.u32 %5, %6, 0
        @9 bra.not %5, @12, meet @13
        @10 div.u32 %n, %n, 2
        @11 join @13
        @12 mad.u32 %n, 3, %n, 1
        @13 add.u32 %count, %count, 1
        @14 jmp @5
        @15 st.u32 steps[global_id()], %count
        @16 exit
        ",
    );
    check(
        &collatz(),
        Markers::Tokens,
        "
        @0 ge.usize %3, global_id(), start.len()
        @1 ssy @5
        @2 bra.not %3, @4
        @3 exit
        @4 sync
        @5 ld.u32 %n, start[global_id()]
        @6 mov.u32 %count, 0
        @7 prebrk @20
        @8 ne.u32 %4, %n, 1
        @9 brk.not %4, @20
        @10 rem.u32 %6, %n, 2
        @11 eq.u32 %5, %6, 0
        @12 ssy @18
        @13 bra.not %5, @16
        @14 div.u32 %n, %n, 2
        @15 join @17
        @16 mad.u32 %n, 3, %n, 1
        @17 sync
        @18 add.u32 %count, %count, 1
        @19 jmp @8
        @20 st.u32 steps[global_id()], %count
        @21 exit
        ",
    );
}

#[test]
fn a_continue_goes_to_the_step_and_a_break_behind_the_loop() {
    check(
        &sum_of_even(),
        Markers::None,
        "
        @0 mov.u32 %k, 0
        @1 mov.u32 %sum, 0
        @2 lt.u32 %2, %k, n
        @3 brk.not %2, @14
        @4 and.u32 %4, %k, 1
        @5 ne.u32 %3, %4, 0
        @6 bra.not %3, @8
        @7 cont @12
        @8 eq.u32 %5, %k, 100
        @9 bra.not %5, @11
        @10 brk @14
        @11 add.u32 %sum, %sum, %k
        @12 add.u32 %k, %k, 1
        @13 jmp @2
        @14 st.u32 out[lane_id()], %sum
        @15 exit
        ",
    );
}

/// `x: &[u32], out: &mut [u32]`, and two mutable variables.
struct Small {
    m: Maker,
    x: ParamId,
    out: ParamId,
    a: VarId,
    b: VarId,
}

impl Small {
    fn new() -> Self {
        let mut m = Maker::new("small");
        let (x, out) = (m.slice("x", ScalarType::U32), m.slice_mut("out", ScalarType::U32));
        let (a, b) = (m.variable("a", ScalarType::U32), m.variable("b", ScalarType::U32));
        Self { m, x, out, a, b }
    }

    /// `a * 3`
    fn product(&mut self) -> ExprId {
        let (a, three) = (self.m.get(self.a), self.m.constant(3u32));
        self.m.binary(a, BinaryOp::Mul, three)
    }

    /// `a < n`
    fn below(&mut self, n: u32) -> ExprId {
        let (a, n) = (self.m.get(self.a), self.m.constant(n));
        self.m.compare(a, CompareOp::Lt, n)
    }

    /// `a = n;`
    fn set(&mut self, n: u32) -> simt_core::program::Stmt {
        let n = self.m.constant(n);
        assign(self.a, n)
    }

    /// `a = x[0];`
    fn load(&mut self) -> simt_core::program::Stmt {
        let zero = self.m.constant(0usize);
        let value = self.m.load(self.x, zero, ScalarType::U32);
        assign(self.a, value)
    }

    /// `out[0] = a * 3;`
    fn store(&mut self) -> simt_core::program::Stmt {
        let (zero, product) = (self.m.constant(0usize), self.product());
        store(self.out, zero, product)
    }

    #[track_caller]
    fn check(self, body: Block, expected: &str) {
        check(&self.m.finish(body), Markers::None, expected);
    }
}

#[test]
fn a_value_at_hand_is_not_computed_again() {
    let mut s = Small::new();
    let body = vec![s.load(), s.store(), s.store()];
    s.check(body, "@0 ld.u32 %a, x[0]\n@1 mul.u32 %2, %a, 3\n@2 st.u32 out[0], %2\n@3 st.u32 out[0], %2\n@4 exit");
}

#[test]
fn a_value_whose_operand_was_assigned_is_computed_again() {
    let mut s = Small::new();
    let body = vec![s.load(), s.store(), s.set(7), s.store()];
    let expected = "@0 ld.u32 %a, x[0]\n@1 mul.u32 %2, %a, 3\n@2 st.u32 out[0], %2\n@3 mov.u32 %a, 7
        @4 mul.u32 %3, %a, 3\n@5 st.u32 out[0], %3\n@6 exit";
    s.check(body, expected);
}

#[test]
fn a_value_whose_register_was_assigned_is_computed_again() {
    let mut s = Small::new();
    let (product, again) = (s.product(), s.product());
    let (seven, zero) = (s.m.constant(7u32), s.m.constant(0usize));
    let body = vec![s.load(), assign(s.b, product), assign(s.b, seven), store(s.out, zero, again)];
    let expected = "@0 ld.u32 %a, x[0]\n@1 mul.u32 %b, %a, 3\n@2 mov.u32 %b, 7\n@3 mul.u32 %2, %a, 3
        @4 st.u32 out[0], %2\n@5 exit";
    s.check(body, expected);
}

#[test]
fn a_load_is_always_made_anew() {
    let mut s = Small::new();
    let body = vec![s.load(), s.load()];
    s.check(body, "@0 ld.u32 %a, x[0]\n@1 ld.u32 %a, x[0]\n@2 exit");
}

#[test]
fn a_value_of_one_arm_is_not_at_hand_behind_it() {
    let mut s = Small::new();
    let cond = s.below(5);
    let (then, otherwise) = (vec![s.store()], vec![s.store()]);
    let body = vec![s.load(), if_(cond, then, otherwise), s.store()];
    let expected = "@0 ld.u32 %a, x[0]\n@1 lt.u32 %2, %a, 5\n@2 bra.not %2, @6
        @3 mul.u32 %3, %a, 3\n@4 st.u32 out[0], %3\n@5 join @8
        @6 mul.u32 %4, %a, 3\n@7 st.u32 out[0], %4
        @8 mul.u32 %5, %a, 3\n@9 st.u32 out[0], %5\n@10 exit";
    s.check(body, expected);
}

#[test]
fn a_value_from_before_a_loop_is_stale_where_the_loop_assigns_its_operand() {
    let mut s = Small::new();
    let cond = s.below(5);
    let inner = vec![s.store(), s.set(9)];
    let body = vec![s.load(), s.store(), while_(cond, inner, vec![]), s.store()];
    let expected = "@0 ld.u32 %a, x[0]\n@1 mul.u32 %2, %a, 3\n@2 st.u32 out[0], %2
        @3 lt.u32 %3, %a, 5\n@4 brk.not %3, @9
        @5 mul.u32 %4, %a, 3\n@6 st.u32 out[0], %4\n@7 mov.u32 %a, 9\n@8 jmp @3
        @9 mul.u32 %5, %a, 3\n@10 st.u32 out[0], %5\n@11 exit";
    s.check(body, expected);
}

#[test]
fn what_stands_behind_a_continue_is_not_at_hand_in_the_step() {
    let mut s = Small::new();
    let (cond, skip) = (s.below(5), s.below(2));
    let inner = vec![if_(skip, vec![continue_(0)], vec![]), s.store()];
    let step = vec![s.store(), s.set(9)];
    let body = vec![s.load(), while_(cond, inner, step)];
    let expected = "@0 ld.u32 %a, x[0]\n@1 lt.u32 %2, %a, 5\n@2 brk.not %2, @12
        @3 lt.u32 %3, %a, 2\n@4 bra.not %3, @6\n@5 cont @8
        @6 mul.u32 %4, %a, 3\n@7 st.u32 out[0], %4
        @8 mul.u32 %5, %a, 3\n@9 st.u32 out[0], %5\n@10 mov.u32 %a, 9\n@11 jmp @1\n@12 exit";
    s.check(body, expected);
}

#[test]
fn an_immutable_variable_costs_no_move() {
    let mut m = Maker::new("aliases");
    let out = m.slice_mut("out", ScalarType::Usize);
    let (i, j, k) =
        (m.immutable("i", ScalarType::Usize), m.immutable("j", ScalarType::Usize), m.variable("k", ScalarType::Usize));
    let (id, i_once, j_once, j_again, k_once) = (m.builtin(Builtin::GlobalId), m.get(i), m.get(j), m.get(j), m.get(k));
    let l = m.immutable("l", ScalarType::Usize);
    let l_once = m.get(l);
    // `l` keeps the value that `k` had.
    let body =
        vec![assign(i, id), assign(j, i_once), assign(k, j_once), assign(l, k_once), store(out, j_again, l_once)];
    check(
        &m.finish(body),
        Markers::None,
        "@0 mov.usize %k, global_id()\n@1 mov.usize %l, %k\n@2 st.usize out[global_id()], %l\n@3 exit",
    );
}

#[test]
fn code_that_no_thread_reaches_is_not_emitted() {
    for &markers in Markers::ALL {
        let mut s = Small::new();
        let body = vec![s.load(), stmt(StmtKind::Return), s.store()];
        check(&s.m.finish(body), markers, "@0 ld.u32 %a, x[0]\n@1 exit");

        let mut s = Small::new();
        let (yes, no) = (s.m.constant(true), s.m.constant(false));
        let (then, otherwise, never) = (vec![s.load()], vec![s.store()], vec![s.store()]);
        let body = vec![s.set(7), if_(yes, then, otherwise), while_(no, never, vec![])];
        check(&s.m.finish(body), markers, "@0 mov.u32 %a, 7\n@1 ld.u32 %a, x[0]\n@2 exit");
    }
    // Behind an `if` that both arms leave, whichever the family.
    let program = || {
        let mut s = Small::new();
        let cond = s.below(5);
        let leave = || vec![stmt(StmtKind::Return)];
        let body = vec![s.load(), if_(cond, leave(), leave()), s.store()];
        s.m.finish(body)
    };
    let loads = "@0 ld.u32 %a, x[0]\n@1 lt.u32 %2, %a, 5\n";
    check(&program(), Markers::None, &format!("{loads}@2 bra.not %2, @4\n@3 exit\n@4 exit"));
    let tokens = "@2 ssy @7\n@3 bra.not %2, @5\n@4 exit\n@5 exit\n@6 sync\n@7 exit";
    check(&program(), Markers::Tokens, &format!("{loads}{tokens}"));
}

#[test]
fn a_loop_that_is_never_left_ends_the_code() {
    let mut s = Small::new();
    let forever = s.m.constant(true);
    let inner = vec![s.load()];
    let body = vec![while_(forever, inner, vec![]), s.store()];
    s.check(body, "@0 ld.u32 %a, x[0]\n@1 jmp @0");
}

#[test]
fn an_expression_is_evaluated_for_its_faults() {
    let mut s = Small::new();
    let zero = s.m.constant(0usize);
    let value = s.m.load(s.x, zero, ScalarType::U32);
    s.check(vec![evaluate(value)], "@0 ld.u32 %2, x[0]\n@1 exit");
}

#[test]
fn an_empty_program_ends() {
    for &markers in Markers::ALL {
        check(&Program::default(), markers, "@0 exit");
    }
}

#[test]
fn a_branch_whose_paths_end_apart_has_no_meeting_point() {
    let code = collatz().validate().expect("valid").code(Markers::PostDominators);
    let branches: Vec<_> = (0..code.insts.len()).filter(|&pc| matches!(code.insts[pc], Inst::Branch { .. })).collect();
    let meets: Vec<_> = branches.iter().map(|&pc| code.reconvergence[pc].map(|meet| meet.0)).collect();
    assert_eq!((branches, meets), (vec![1, 6, 9], vec![None, Some(15), Some(13)]));
}

#[test]
fn the_listing_says_which_lanes_are_active_in_each_block() {
    let masks = |program: Program, markers| -> Vec<String> {
        let listing = program.validate().expect("valid").code(markers).to_string();
        listing.lines().filter_map(|line| Some(line.split_once("; ")?.1.to_string())).collect()
    };
    assert_eq!(
        masks(collatz(), Markers::PostDominators),
        [
            "Θ0 = all threads",
            "Θ1 = Θ0 where %3",
            "Θ2 = Θ0 where !%3",
            "Θ3 = Θ2 + Θ7",
            "Θ4 = Θ3 where %4",
            "Θ5 = Θ4 where %5",
            "Θ6 = Θ4 where !%5",
            "Θ7 = Θ4, those that did not exit",
            "Θ8 = Θ3, those that did not exit",
        ]
    );
    // The entry is a loop's head; and a `sync` that no thread reaches.
    let mut s = Small::new();
    let (forever, cond) = (s.m.constant(true), s.below(5));
    let leave = || vec![stmt(StmtKind::Return)];
    let inner = vec![s.load(), if_(cond, leave(), vec![])];
    let program = s.m.finish(vec![while_(forever, inner, vec![])]);
    assert_eq!(masks(program, Markers::None)[0], "Θ0 = all threads + Θ2");
    let mut s = Small::new();
    let cond = s.below(5);
    let program = {
        let body = vec![s.load(), if_(cond, leave(), leave())];
        s.m.finish(body)
    };
    assert_eq!(masks(program, Markers::Tokens)[4], "Θ4 = no thread");
}

/// A function from which lanes return one after the other has a `bssy` and a `bsync` around its call; behind a panic, where no
/// lane comes, neither. (Without a `bsync` the `bssy` would name the code's first instruction.)
#[test]
fn a_call_behind_a_panic_has_no_barrier() {
    let barriers = |panics: bool| {
        let m = &mut Maker::new("k");
        let out = m.slice_mut("out", ScalarType::U32);
        let n = m.variable("n", ScalarType::U32);
        let f = m.function("f", vec![n], None);
        let (value, zero) = (m.get(n), m.constant(0u32));
        let none = m.compare(value, CompareOp::Eq, zero);
        let (index, value) = (m.builtin(Builtin::LaneId), m.get(n));
        m.body(f, vec![if_(none, vec![return_()], vec![]), store(out, index, value)]);
        let panic = stmt(StmtKind::Panic { message: m.message(vec![]), args: vec![] });
        let lane = m.builtin(Builtin::LaneId);
        let made = call(f, vec![m.cast(lane, ScalarType::U32)], None);
        let program = std::mem::take(m).finish(if panics { vec![panic, made] } else { vec![made] });
        let program = program.validate().unwrap_or_else(|error| panic!("{error}"));
        [Markers::HanoiBarriers, Markers::PtxasBarriers].map(|family| {
            let insts = program.code(family).insts;
            let count = |is: fn(&Inst) -> bool| insts.iter().filter(|inst| is(inst)).count();
            let set = count(|inst| matches!(inst, Inst::Marker(Marker::BarrierSet { .. })));
            (set, count(|inst| matches!(inst, Inst::Marker(Marker::BarrierSync(_)))))
        })
    };
    assert_eq!(barriers(false), [(1, 1); 2]);
    assert_eq!(barriers(true), [(0, 0); 2]);
}
