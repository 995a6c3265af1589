//! The stack of the figure, and what the figure has not: collectives, calls, orders.

use super::*;
use crate::policy::{FallThroughFirst, LargerFirst, SmallerFirst, gathered};

const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "end"];

fn pc(name: &str) -> Pc {
    Pc(NAMES.iter().position(|&other| other == name).expect("a block of the figure") as u32)
}

fn mask(digits: &str) -> LaneMask {
    let lanes = digits.chars().enumerate().filter(|&(_, digit)| digit == '1');
    lanes.map(|(lane, _)| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane)
}

/// The entries (reconvergence pc, next pc, mask), the top last.
fn stack<O: PathOrder>(policy: &Ipdom<O>) -> String {
    let entry = |entry: StackEntry| {
        let reconvergence = entry.reconvergence.map_or("-", |pc| NAMES[pc.index()]);
        format!("({reconvergence},{},{})", NAMES[entry.next.index()], entry.mask.digits(4))
    };
    policy.entries().map(entry).collect::<Vec<_>>().join(" ")
}

fn branch(taken: &str, target: &str, next: &str, meet: &str) -> Branch {
    Branch { taken: mask(taken), target: pc(target), next: pc(next), meet: Some(pc(meet)), leaves: false }
}

/// The stack of TACO'09 Fig. 4, whose blocks are the addresses here. Taken are the paths that it runs first.
#[test]
fn the_stack_is_that_of_the_papers_figure() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.branch(branch("1110", "B", "F", "G"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,B,1110)");
    policy.branch(branch("1000", "C", "D", "E"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110) (E,C,1000)");
    policy.advance(pc("E"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110)");
    policy.advance(pc("E"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110)");
    policy.advance(pc("G"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001)");
    policy.advance(pc("G"));
    assert_eq!(stack(&policy), "(-,G,1111)");
    policy.exit();
    assert_eq!(policy.current(), None);
}

#[test]
fn a_path_that_begins_where_it_ends_is_no_entry() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.branch(branch("1110", "G", "F", "G"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001)");
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.branch(branch("1110", "B", "G", "G"));
    assert_eq!(stack(&policy), "(-,G,1111) (G,B,1110)");
}
/// Lanes 0 and 1 return early, but the others run first, and come to a collective that waits for them.
#[test]
fn lanes_that_wait_let_those_run_that_do_not_wait_for_them() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.branch(Branch { meet: None, ..branch("0011", "B", "F", "end") });
    policy.branch(branch("0010", "C", "D", "E"));
    assert_eq!(stack(&policy), "(-,F,1100) (-,E,0011) (E,D,0001) (E,C,0010)");
    assert!(policy.park());
    assert_eq!(stack(&policy), "(-,F,1100) (-,E,0011) (E,C,0010) (E,D,0001)");
    policy.advance(pc("E"));
    // Lane 3 waits at E for lane 2.
    assert_eq!(stack(&policy), "(-,E,0011) (E,C,0010) (-,F,1100)");
    policy.exit();
    assert_eq!(policy.current(), None);
    policy.wake(mask("0010"), pc("E"));
    assert_eq!(stack(&policy), "(-,E,0011)");
    assert!(!policy.park(), "no other lane can run");
    assert_eq!(policy.current(), Some(WarpSplit { pc: pc("E"), mask: mask("0011") }));
}

/// A function that calls itself from A and goes on at B, where the outer activation waits too: neither is the other's end.
#[test]
fn an_address_in_another_activation_is_no_reconvergence_point() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.call(pc("A"), pc("B"));
    policy.branch(branch("1100", "A", "C", "F"));
    assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,A,1100)");
    policy.call(pc("A"), pc("B"));
    assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,B,1100) (-,A,1100)");
    policy.ret(mask("1100"), pc("B"), pc("G"));
    assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,B,1100)");
    policy.advance(pc("F"));
    policy.ret(mask("0011"), pc("B"), pc("G"));
    assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111)");
    policy.ret(mask("1111"), pc("B"), pc("G"));
    assert_eq!(stack(&policy), "(-,B,1111)");
}

#[test]
fn lanes_that_end_in_a_function_do_not_return() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.call(pc("C"), pc("B"));
    policy.branch(branch("1000", "D", "E", "F"));
    policy.exit();
    policy.ret(mask("0111"), pc("B"), pc("G"));
    assert_eq!(policy.current(), Some(WarpSplit { pc: pc("F"), mask: mask("0111") }));
}

/// Fig. 4 with the other path of each branch first.
#[test]
fn the_order_says_which_path_is_on_top() {
    fn top<O: PathOrder>(taken: &str) -> String {
        let mut policy = Ipdom::<O>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
        policy.branch(branch(taken, "B", "F", "G"));
        stack(&policy)
    }
    let (taken, rest) = ("(-,G,1111) (G,F,0001) (G,B,1110)", "(-,G,1111) (G,B,1110) (G,F,0001)");
    assert_eq!(top::<TakenFirst>("1110"), taken);
    assert_eq!(top::<FallThroughFirst>("1110"), rest);
    assert_eq!(top::<SmallerFirst>("1110"), rest);
    assert_eq!(top::<LargerFirst>("1110"), taken);
    assert_eq!(top::<SmallerFirst>("1000"), "(-,G,1111) (G,F,0111) (G,B,1000)");
    assert_eq!(top::<LargerFirst>("1000"), "(-,G,1111) (G,B,1000) (G,F,0111)");
    assert_eq!(top::<SmallerFirst>("1100"), "(-,G,1111) (G,F,0011) (G,B,1100)", "of as many, the taken one");
}

#[test]
fn the_figures_tell_entries_that_wait_from_paths_that_have_not_begun() {
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    let figures = |policy: &Ipdom| gathered(|tell| policy.figures(tell));
    assert_eq!(figures(&policy), [1, 0]);
    policy.branch(branch("1110", "B", "F", "G"));
    policy.branch(branch("1000", "C", "D", "E"));
    assert_eq!(figures(&policy), [5, 2]);
    policy.advance(pc("E"));
    policy.branch(branch("0100", "A", "B", "C"));
    assert_eq!(figures(&policy), [6, 2], "D has begun, and its rest is pending with F");
}

#[test]
fn another_warp_finds_the_stack_as_a_new_one_and_is_counted_with_the_first() {
    let figures = |policy: &Ipdom| gathered(|tell| policy.figures(tell));
    let again = Ipdom::AGAIN.expect("the stack can begin again");
    let second = WarpSplit { pc: pc("A"), mask: mask("0110") };
    let mut policy = <Ipdom>::start(WarpSplit { pc: pc("A"), mask: mask("1111") }.into());
    policy.branch(branch("1110", "B", "F", "end"));
    policy.exit();
    policy.exit();
    policy.exit();
    assert_eq!(policy.current(), None);
    again(&mut policy, second);
    assert_eq!((&policy, figures(&policy)), (&Ipdom::start(second.into()), vec![3, 1]));
    // Lanes that call end without a return.
    policy.call(pc("C"), pc("B"));
    policy.branch(branch("0100", "D", "E", "F"));
    policy.exit();
    policy.exit();
    assert_eq!(policy.current(), None);
    again(&mut policy, second);
    assert_eq!((&policy, figures(&policy)), (&Ipdom::start(second.into()), vec![4, 1]));
}
