//! Each check against a policy that breaks it, and no check against those that do not.

mod core;
mod guard;
mod listings;
mod mutants;
mod planted;

use planted::{Bug, List, Stack};
use simt_core::code::{Code, Inst, JumpKind, Marker, Pc};
use simt_core::program::FunctionId;
use simt_runtime::{
    Argument, Check, Checks, FailedCheck, Gpu, Grid, Kernel, LaunchError, Policy, TokenStack, call, for_each_policy,
};

/// Both arms of an `if`, for the lanes 0 and 1 and the others.
const ARMS: &str = "kernel arms(x: &mut [u32])
    .reg u32 %t, %v, bool %p
    cvt.u32.usize %t, global_id()
    lt.u32 %p, %t, 2
    ssy JOIN
    @%p bra THEN
    mov.u32 %v, 1
    bra SYNC
    THEN: mov.u32 %v, 2
    SYNC: sync
    JOIN: add.u32 %v, %v, 10
    st.u32 x[global_id()], %v
    exit";

/// The same, with a condition that holds for all.
fn uniform() -> String {
    ARMS.replace("lt.u32 %p, %t, 2", "lt.u32 %p, %t, 100")
}

/// Two paths that never meet.
const PATHS: &str = "kernel paths(x: &mut [u32])
    .reg u32 %t, bool %p
    cvt.u32.usize %t, global_id()
    lt.u32 %p, %t, 2
    @%p bra OTHER
    st.u32 x[global_id()], 1
    exit
    OTHER: st.u32 x[global_id()], 2
    exit";

/// Lane i leaves a loop in iteration i, from an `if`; then all meet.
const LOOP: &str = "kernel staggered(x: &mut [u32])
    .reg u32 %t, %i, bool %p
    cvt.u32.usize %t, global_id()
    mov.u32 %i, 0
    prebrk DONE
    HEAD: eq.u32 %p, %i, %t
    ssy NEXT
    @%p bra LEAVE
    sync
    NEXT: add.u32 %i, %i, 1
    bra HEAD
    LEAVE: brk DONE
    DONE: st.u32 x[global_id()], %i
    exit";

/// Lane 0 leaves both loops, the others the inner one first.
const NESTED: &str = "kernel nested(x: &mut [u32])
    .reg u32 %t, %i, bool %p
    cvt.u32.usize %t, global_id()
    mov.u32 %i, 0
    prebrk OUT
    OUTER: prebrk IN
    INNER: eq.u32 %p, %t, 0
    @%p bra ALL
    brk IN
    ALL: brk OUT
    IN: add.u32 %i, %i, 1
    brk OUT
    OUT: st.u32 x[global_id()], %i
    exit";

/// A function.
const CALL: &str = "kernel calls(x: &mut [u32])
    .markers tokens
    preret BACK
    call f
    BACK: st.u32 x[global_id()], 7
    exit
    func f
    .reg u32 %v
    mov.u32 %v, 1
    ret";

/// The lanes 0 and 1 end inside of an `if`, before the others.
const EXITS: &str = "kernel exits(x: &mut [u32])
    .reg u32 %t, bool %p
    cvt.u32.usize %t, global_id()
    lt.u32 %p, %t, 2
    ssy JOIN
    @%p bra END
    st.u32 x[global_id()], 5
    sync
    JOIN: exit
    END: exit";

/// All end while there is a token.
const ALL_EXIT: &str = "kernel all(x: &mut [u32])
    ssy JOIN
    exit
    JOIN: exit";

fn launch<P: Policy>(text: &str, threads: usize, checks: Checks) -> Result<Vec<u32>, LaunchError> {
    let code = Code::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = Kernel::from_code(code);
    let mut x = vec![0; threads];
    let gpu = Gpu::<P>::default().with_warp_width(4).with_step_limit(1 << 16).with_checks(checks);
    gpu.launch(Grid::new(1, threads), call(&kernel, vec![Argument::slice_mut(&mut x)]))?;
    Ok(x)
}

/// That the policy breaks this check, whether or not there are others; and that a launch without it does not say so.
#[track_caller]
fn breaks<P: Policy>(check: Check, text: &str, threads: usize) -> FailedCheck {
    let failed = |checks: Checks| match launch::<P>(text, threads, checks) {
        Err(LaunchError::Check(failed)) => Some(*failed),
        _ => None,
    };
    let found = failed(Checks::all()).unwrap_or_else(|| panic!("{check} should fail, and nothing did"));
    assert_eq!(found.check, check, "{}", found.found);
    let alone = failed(Checks::none().with(check)).unwrap_or_else(|| panic!("{check} should fail alone"));
    assert_eq!((alone.check, alone.found, alone.pc), (check, found.found.clone(), found.pc));
    assert!(failed(Checks::all().without(check)).is_none_or(|other| other.check != check));
    assert!(failed(Checks::none()).is_none());
    found
}

/// One test for each check, under a stack of tokens into which a bug is planted.
macro_rules! stacks {
    ($($name:ident: $check:ident, $bug:ident, $text:expr, $threads:literal;)*) => {$(
        #[test]
        fn $name() {
            breaks::<Stack<{ Bug::$bug.number() }>>(Check::$check, $text.as_ref(), $threads);
        }
    )*};
}

stacks! {
    i1_a_taken_path_that_runs_elsewhere: I1, TakenGoesOn, ARMS, 4;
    i2_a_div_token_of_another_address: I2, OtherGoesToTarget, ARMS, 4;
    i3_a_path_without_a_div_token: I3, OtherIsForgotten, PATHS, 4;
    i2_a_path_without_a_div_token_that_has_another: I2, OtherIsForgotten, ARMS, 4;
    i4_an_exit_that_pops_nothing: I4, ExitStops, EXITS, 4;
    i5_a_sync_token_without_a_lane_that_runs: I5, LaneMissesSync, ARMS, 4;
    i6_a_sync_token_without_a_lane_that_waits: I6, OtherLeavesSync, ARMS, 4;
    i7_a_lane_that_breaks_and_runs_on: I7, BreakGoesOn, LOOP, 4;
    i8_a_div_token_of_no_lane: I8, OtherMayBeEmpty, uniform(), 4;
    s1_a_break_without_its_token: S1, BreakIgnored, LOOP, 4;
    s2_a_return_without_a_call_token: S2, CallPops, CALL, 4;
    s3_a_sync_without_a_token: S3, SyncIgnored, uniform(), 4;
    s4_a_sync_token_of_another_address_below_a_div_token: S4, SyncElsewhere, ARMS, 4;
    s4_no_sync_token_below_a_div_token: S4, SyncIgnored, ARMS, 4;
    s5_a_sync_token_of_another_address: S5, SyncElsewhere, uniform(), 4;
    s6_a_call_without_its_token: S6, CallIgnored, CALL, 4;
    t1_lanes_that_ended_without_the_state_exit: T1, ExitForgotten, EXITS, 4;
    t2_a_state_that_is_taken_back_by_nothing: T2, SyncClears, LOOP, 4;
    t3_two_tokens_in_one_step: T3, BreakTwice, LOOP, 4;
    t4_a_lane_without_a_thread: T4, NoThread, ARMS, 3;
    t5_a_div_token_with_the_lanes_that_run: T5, OtherIsEverybody, ARMS, 4;
    t6_a_token_that_is_left: T6, ExitKeeps, ALL_EXIT, 4;
    t7_a_state_that_is_taken_back_from_what_does_not_run: T7, BreakClears, NESTED, 4;
}

/// What is checked of any policy, under one that shows no tokens.
macro_rules! lists {
    ($($name:ident: $check:ident, $bug:ident, $threads:literal;)*) => {$(
        #[test]
        fn $name() {
            breaks::<List<{ Bug::$bug.number() }>>(Check::$check, ARMS, $threads);
        }
    )*};
}

lists! {
    i1_without_tokens: I1, TakenGoesOn, 4;
    i2_without_tokens: I2, OtherGoesToTarget, 4;
    i3_without_tokens: I3, OtherIsForgotten, 4;
    i4_without_tokens: I4, ExitStops, 4;
    i4_without_lanes: I4, NobodyRuns, 4;
    i7_without_tokens: I7, OtherIsEverybody, 4;
    t1_without_tokens: T1, ExitForgotten, 4;
    t4_without_tokens: T4, NoThread, 3;
    t6_without_tokens: T6, ExitKeeps, 4;
}

/// Code that is not program address consistent cannot be run, because validation refuses it.
#[test]
fn p_addresses_of_other_functions() {
    type Change = fn(&mut Code, Pc);
    let text = "kernel k(x: &mut [u32])
        .markers tokens
        .reg u32 %v, bool %p
        mov.u32 %v, 1
        eq.u32 %p, %v, 1
        ssy JOIN
        @%p bra SYNC
        SYNC: sync
        JOIN: preret BACK
        call f
        BACK: brx %v, [END, END]
        END: exit
        func f
        ret";
    let code = Code::parse(text).unwrap_or_else(|error| panic!("{error}")).into_inner();
    assert!(code.check_addresses().is_ok());
    let function = code.functions[0].entry;
    let changes: [(u32, Change); 5] = [
        (2, |code, to| code.insts[2] = Inst::Marker(Marker::PushSync(to))),
        (3, |code, to| code.insts[3] = Inst::Jump { target: to, kind: JumpKind::Plain }),
        (5, |code, to| code.insts[5] = Inst::Marker(Marker::PushCall(to))),
        (6, |code, _| code.insts[6] = Inst::Call { function: FunctionId(0), target: Pc(0) }),
        (7, |code, to| code.tables[0][1] = to),
    ];
    for (at, change) in changes {
        let mut code = code.clone();
        change(&mut code, function);
        assert_eq!(code.check_addresses().expect_err("refused").pc(), Some(Pc(at)));
        assert!(code.validate().is_err());
    }
}

#[test]
fn without_a_bug_all_checks_hold() {
    const NONE: usize = Bug::None.number();
    let all = Checks::all();
    for (text, result) in [
        (ARMS, [12, 12, 11, 11]),
        (LOOP, [0, 1, 2, 3]),
        (PATHS, [2, 2, 1, 1]),
        (NESTED, [0, 1, 1, 1]),
        (CALL, [7; 4]),
        (EXITS, [0, 0, 5, 5]),
        (ALL_EXIT, [0; 4]),
    ] {
        let error = |error: LaunchError| panic!("{error}");
        assert_eq!(launch::<Stack<NONE>>(text, 4, all).unwrap_or_else(error), result);
        assert_eq!(launch::<List<NONE>>(text, 4, all).unwrap_or_else(error), result);
        assert_eq!(launch::<Stack<NONE>>(text, 3, all).unwrap_or_else(error), result[..3]);
        for_each_policy!(P => assert_eq!(launch::<P>(text, 4, all).unwrap_or_else(error), result));
    }
}

/// Paths that end at a `sync` each, one of which stands right before the address where all lead; div tokens one above the
/// other; and the token of a loop instead of a branch.
#[test]
fn a_sync_that_leads_elsewhere_keeps_the_checks() {
    let text = "kernel elsewhere(x: &mut [u32])
        .reg u32 %t, %v, bool %p, %q
        cvt.u32.usize %t, global_id()
        eq.u32 %p, %t, 0
        eq.u32 %q, %t, 1
        ssy JOIN
        @%p bra A
        @%q bra B
        mov.u32 %v, 3
        sync
        B: mov.u32 %v, 2
        sync
        A: mov.u32 %v, 1
        sync
        JOIN: ballot %p
        st.u32 x[global_id()], %v
        exit";
    for text in [text.into(), text.replace("ssy", "prebrk")] {
        for_each_policy!(P => {
            let result = launch::<P>(&text, 4, Checks::all()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(result, [1, 2, 3, 3]);
        });
    }
}

/// Lane 0 waits in a function for lane 3; meanwhile lane 1 comes to a `sync`, and lane 2 is left in a div token above those of
/// lane 0.
#[test]
fn overtaken_tokens_are_in_no_order() {
    let text = "kernel overtaken(x: &mut [u32])
        .markers tokens
        .reg u32 %t, u64 %m, bool %p
        cvt.u32.usize %t, global_id()
        lt.u32 %p, %t, 2
        ssy JOIN
        @%p bra LOW
        eq.u32 %p, %t, 3
        ssy HIGH
        @%p bra THREE
        sync
        THREE: preret BACK3
        call f
        BACK3: sync
        HIGH: sync
        LOW: eq.u32 %p, %t, 0
        ssy MET
        @%p bra ZERO
        sync
        ZERO: preret BACK0
        call f
        BACK0: sync
        MET: sync
        JOIN: ballot %m, true
        cvt.u32.u64 %t, %m
        st.u32 x[global_id()], %t
        exit
        func f
        .reg u64 %named, %all
        mov.u64 %named, 9
        ballot.mask %all, %named, true
        ret";
    let result = launch::<TokenStack>(text, 4, Checks::all()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result, [15; 4]);
}

#[test]
fn a_failed_check_says_what_is_wrong_and_where() {
    let failed = breaks::<Stack<{ Bug::OtherGoesToTarget.number() }>>(Check::I2, ARMS, 4);
    assert_eq!((failed.thread.map(|thread| thread.lane), failed.thread_pc), (Some(2), Some(Pc(4))));
    assert_eq!((failed.pc, failed.executed.digits(4)), (Pc(3), "1111".to_string()));
    assert_eq!((failed.splits.len(), failed.tokens.len()), (2, 2));
    let error = LaunchError::Check(Box::new(failed));
    assert_eq!((error.kernel(), error.line()), ("arms", Some(6)));
    let expected = "check I2 failed under Stack: lane 2 waits to go on at @6, but is at @4";
    assert!(error.to_string().contains(expected), "{error}");
    for part in [
        "executed at @3 by the lanes 1111",
        "CUDA report, 6.4, inactive consistency",
        "global_id() 2, lane 2 of warp 0, alone at @4",
        "lanes by the policy: 1100 at @6, 0011 at @6",
        "tokens, top first: (Div, 0011, @6), (Sync, 1111, @8)",
        "a bug in the policy or, in code that was written by hand, in its markers",
    ] {
        assert!(error.to_string().contains(part), "no {part:?} in\n{error}");
    }
}

#[test]
fn every_check_has_a_row() {
    assert_eq!(Check::ALL.len(), 8 + 6 + 1 + 7);
    for check in Check::ALL {
        assert!(check.statement().ends_with('.') && check.section().contains('.') && !check.policies().is_empty());
    }
    assert_eq!(launch::<TokenStack>(ARMS, 4, Checks::none()).expect("runs"), [12, 12, 11, 11]);
}
