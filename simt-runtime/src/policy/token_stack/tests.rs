//! The stacks of the paper's tables, and of the rules that it has not.

use super::*;
use crate::policy::{FallThroughFirst, PolicyConfig, gathered};

fn mask(digits: &str) -> LaneMask {
    let lanes = digits.chars().enumerate().filter(|&(_, digit)| digit == '1');
    lanes.map(|(lane, _)| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane)
}

/// A row of Table 1: the next line, the active and the disable mask, and the stack, top on the left.
fn row<O: PathOrder>(policy: &TokenStack<O>) -> String {
    let state = |lane| match policy.disabled(lane) {
        Some(DisableState::Break) => 'b',
        Some(DisableState::Continue) => 'c',
        Some(DisableState::Return) => 'r',
        Some(DisableState::Exit) => 'x',
        None => '0',
    };
    let disabled: String = (0..4).map(state).collect();
    let mut row = format!("{} {} {disabled}", policy.pc.0, policy.active.digits(4));
    for token in policy.tokens().iter().rev() {
        let name = match token.kind {
            TokenKind::Div => "div",
            TokenKind::Sync => "sync",
            TokenKind::Break => "brk",
            TokenKind::Continue => "cont",
            TokenKind::Call => "call",
        };
        row += &format!(" ({name},{},{})", token.mask.digits(4), token.pc.0);
    }
    row
}

/// Table 1 of ESOP'12, whose addresses are the line numbers of Program 1. The call token at the bottom is implicit.
#[test]
fn the_stack_is_that_of_table_1() {
    let branch = |taken, target, next, leaves| Branch {
        taken: mask(taken),
        target: Pc(target),
        next: Pc(next),
        meet: None,
        leaves,
    };
    let mut policy = <TokenStack>::start(WarpSplit { pc: Pc(3), mask: mask("1111") }.into());
    policy.advance(Pc(4));
    assert_eq!(row(&policy), "4 1111 0000");
    // while (i > 0): thread 0 leaves.
    policy.marker(Marker::PushBreak(Pc(11)), Pc(4));
    policy.branch(branch("1000", 11, 5, true));
    assert_eq!(row(&policy), "5 0111 0000 (brk,1111,11)");
    // if (j > 2 * i): it does for thread 3. The else path runs first.
    policy.marker(Marker::PushSync(Pc(9)), Pc(5));
    policy.branch(branch("0110", 8, 6, false));
    assert_eq!(row(&policy), "8 0110 0000 (div,0001,6) (sync,0111,9) (brk,1111,11)");
    policy.jump(JumpKind::Break, Pc(11));
    assert_eq!(row(&policy), "6 0001 0bb0 (sync,0111,9) (brk,1111,11)");
    policy.marker(Marker::Pop, Pc(9));
    assert_eq!(row(&policy), "9 0001 0bb0 (brk,1111,11)");
    policy.jump(JumpKind::Plain, Pc(4));
    assert_eq!(row(&policy), "4 0001 0bb0 (brk,1111,11)");
    policy.branch(branch("0001", 11, 5, true));
    assert_eq!(row(&policy), "11 1111 0000");
    policy.exit();
    assert_eq!(policy.current(), None);
}

/// The rule of `continue` that the paper has not: its token awakes those that continued, and not those that broke.
#[test]
fn a_cont_token_awakes_only_those_that_continued() {
    let mut policy = <TokenStack>::start(WarpSplit { pc: Pc(0), mask: mask("1111") }.into());
    policy.marker(Marker::PushBreak(Pc(9)), Pc(1));
    policy.marker(Marker::PushContinue(Pc(5)), Pc(2));
    let branch =
        |taken, target| Branch { taken: mask(taken), target: Pc(target), next: Pc(3), meet: None, leaves: false };
    policy.marker(Marker::PushSync(Pc(4)), Pc(2));
    policy.branch(branch("1000", 7));
    policy.jump(JumpKind::Break, Pc(9));
    policy.branch(branch("0110", 8));
    policy.jump(JumpKind::Continue, Pc(5));
    assert_eq!(row(&policy), "3 0001 bcc0 (sync,1111,4) (cont,1111,5) (brk,1111,9)");
    policy.marker(Marker::Pop, Pc(4));
    assert_eq!(row(&policy), "4 0001 bcc0 (cont,1111,5) (brk,1111,9)");
    policy.marker(Marker::Pop, Pc(5));
    assert_eq!(row(&policy), "5 0111 b000 (brk,1111,9)");
    policy.branch(Branch { taken: mask("0111"), target: Pc(9), next: Pc(6), meet: None, leaves: true });
    assert_eq!(row(&policy), "9 1111 0000");
}

/// Lanes that leave the outer loop from the inner one wait for the outer loop's token.
#[test]
fn a_labelled_break_waits_for_its_own_loop() {
    let mut policy = <TokenStack>::start(WarpSplit { pc: Pc(0), mask: mask("1111") }.into());
    policy.marker(Marker::PushBreak(Pc(20)), Pc(1));
    policy.marker(Marker::PushBreak(Pc(10)), Pc(2));
    let branch = Branch { taken: mask("0111"), target: Pc(4), next: Pc(3), meet: None, leaves: false };
    policy.branch(branch);
    policy.jump(JumpKind::Break, Pc(10));
    assert_eq!(row(&policy), "3 1000 0bbb (brk,1111,10) (brk,1111,20)");
    policy.jump(JumpKind::Break, Pc(20));
    assert_eq!(row(&policy), "10 0111 b000 (brk,1111,20)");
    assert_eq!(policy.splits().len(), 2);
    policy.jump(JumpKind::Break, Pc(20));
    assert_eq!(row(&policy), "20 1111 0000");
}

/// Lane 0 returns early, lanes 2 and 3 break, but lane 1 runs first, and comes to a collective that waits for them.
#[test]
fn lanes_that_wait_let_those_run_that_do_not_wait_for_them() {
    let mut policy = <TokenStack>::start(WarpSplit { pc: Pc(0), mask: mask("1111") }.into());
    let branch = |taken, target, next| Branch {
        taken: mask(taken),
        target: Pc(target),
        next: Pc(next),
        meet: None,
        leaves: false,
    };
    policy.branch(branch("0111", 2, 1));
    policy.marker(Marker::PushBreak(Pc(9)), Pc(3));
    policy.branch(branch("0100", 4, 5));
    assert_eq!(row(&policy), "4 0100 0000 (div,0011,5) (brk,0111,9) (div,1000,1)");
    assert!(policy.park());
    assert_eq!(row(&policy), "5 0011 0000 (div,0100,4) (brk,0111,9) (div,1000,1)");
    policy.jump(JumpKind::Break, Pc(9));
    assert_eq!(row(&policy), "1 1000 00bb (div,0100,4) (brk,0111,9)");
    policy.exit();
    assert_eq!(policy.current(), None);
    policy.wake(mask("0100"), Pc(6));
    assert_eq!(row(&policy), "6 0100 x0bb (brk,0111,9)");
    assert!(!policy.park(), "no other lane can run");
    assert_eq!(row(&policy), "6 0100 x0bb (brk,0111,9)");
    policy.jump(JumpKind::Break, Pc(9));
    assert_eq!(row(&policy), "9 0111 x000");
}

/// Rules call and return: those that return early wait for the call token, those that ended do not come back.
#[test]
fn a_call_token_awakes_those_that_returned() {
    let mut policy = <TokenStack>::start(WarpSplit { pc: Pc(0), mask: mask("1111") }.into());
    policy.marker(Marker::PushCall(Pc(2)), Pc(1));
    policy.call(Pc(10), Pc(2));
    let branch =
        |taken, target| Branch { taken: mask(taken), target: Pc(target), next: Pc(11), meet: None, leaves: false };
    policy.branch(branch("1000", 15));
    policy.ret(mask("1000"), Pc(2), Pc(15));
    assert_eq!(row(&policy), "11 0111 r000 (call,1111,2)");
    policy.branch(branch("0100", 16));
    policy.exit();
    policy.ret(mask("0011"), Pc(2), Pc(17));
    assert_eq!(policy.current(), Some(WarpSplit { pc: Pc(2), mask: mask("1011") }));
}

/// As Table 1, but thread 3 runs its then path before the others run their else path.
#[test]
fn the_then_path_can_be_first() {
    let mut policy = TokenStack::<FallThroughFirst>::start(WarpSplit { pc: Pc(5), mask: mask("0111") }.into());
    policy.marker(Marker::PushSync(Pc(9)), Pc(5));
    policy.branch(Branch { taken: mask("0110"), target: Pc(8), next: Pc(6), meet: None, leaves: false });
    assert_eq!(row(&policy), "6 0001 0000 (div,0110,8) (sync,0111,9)");
    policy.marker(Marker::Pop, Pc(9));
    assert_eq!(row(&policy), "8 0110 0000 (sync,0111,9)");
    policy.marker(Marker::Pop, Pc(9));
    assert_eq!(row(&policy), "9 0111 0000");
}

/// Three tokens on a machine that holds two: the oldest goes to memory, and comes back when it is popped.
#[test]
fn what_the_machine_cannot_hold_is_spilled() {
    let config = PolicyConfig { token_entries: 2, ..PolicyConfig::FUNCTIONAL };
    let split = WarpSplit { pc: Pc(0), mask: mask("1111") };
    let mut policy = <TokenStack>::start(WarpStart { split, block: 0, warp: 0, config: &config });
    let counts = |policy: &TokenStack| gathered(|tell| policy.figures(tell));
    for depth in 1..=3 {
        policy.marker(Marker::PushSync(Pc(9)), Pc(depth));
    }
    assert_eq!(counts(&policy), [3, 1, 0]);
    policy.marker(Marker::Pop, Pc(9));
    policy.marker(Marker::PushSync(Pc(9)), Pc(1));
    assert_eq!(counts(&policy), [3, 1, 0], "there was room");
    for _ in 0..3 {
        policy.marker(Marker::Pop, Pc(9));
    }
    assert_eq!(counts(&policy), [3, 1, 1]);
}
