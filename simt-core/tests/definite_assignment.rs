//! The rule that variables are assigned before they are read, against all paths through random programs.

use crate::programs::{Maker, assign, break_, continue_, evaluate, if_, return_, stmt, while_};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use simt_core::program::{Block, Expr, Function, ParamId, Program, StmtKind, VarId};
use simt_core::{ScalarType, Source};
use std::collections::BTreeSet;

/// The control flow of a program, with three variables of which only assigning and reading is of interest.
#[derive(Clone, Debug)]
enum Shape {
    Skip,
    Assign(u32),
    Read(u32),
    If(Vec<Shape>, Vec<Shape>),
    /// An endless loop, or one whose condition may hold or not; the condition may read a variable.
    Loop {
        endless: bool,
        reads: Option<u32>,
        body: Vec<Shape>,
        step: Vec<Shape>,
    },
    /// So many loops further out than the innermost.
    Break(u32),
    Continue(u32),
    Return,
}

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    let leaf = prop_oneof![
        4 => (0u32..3).prop_map(Shape::Assign),
        2 => (0u32..3).prop_map(Shape::Read),
        2 => (0u32..3).prop_map(Shape::Break),
        2 => (0u32..3).prop_map(Shape::Continue),
        1 => Just(Shape::Return),
    ];
    let shape = leaf.prop_recursive(4, 40, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4);
        let condition = prop_oneof![
            2 => Just((true, None)),
            3 => Just((false, None)),
            1 => (0u32..3).prop_map(|var| (false, Some(var))),
        ];
        prop_oneof![
            (block(), block()).prop_map(|(then, otherwise)| Shape::If(then, otherwise)),
            (condition, block(), block()).prop_map(|((endless, reads), body, step)| Shape::Loop {
                endless,
                reads,
                body,
                step
            }),
        ]
    });
    prop::collection::vec(shape, 0..6).prop_map(|shapes| place_exits(&shapes, 0))
}

/// Turns a break or continue that has no loop to leave into nothing.
fn place_exits(shapes: &[Shape], loops: u32) -> Vec<Shape> {
    let place = |shape: &Shape| match shape {
        Shape::Break(out) | Shape::Continue(out) if *out >= loops => Shape::Skip,
        Shape::If(then, otherwise) => Shape::If(place_exits(then, loops), place_exits(otherwise, loops)),
        Shape::Loop { endless, reads, body, step } => Shape::Loop {
            endless: *endless,
            reads: *reads,
            body: place_exits(body, loops + 1),
            step: place_exits(step, 0),
        },
        Shape::Skip | Shape::Assign(_) | Shape::Read(_) | Shape::Break(_) | Shape::Continue(_) | Shape::Return => {
            shape.clone()
        }
    };
    shapes.iter().map(place).collect()
}

fn block(m: &mut Maker, shapes: &[Shape]) -> Block {
    let unknown = |m: &mut Maker| m.node(Expr::Param(ParamId(0)), ScalarType::Bool);
    let mut statements = Vec::new();
    for shape in shapes {
        statements.push(match shape {
            Shape::Skip => stmt(StmtKind::Skip),
            Shape::Assign(var) => assign(VarId(*var), m.constant(true)),
            Shape::Read(var) => evaluate(m.get(VarId(*var))),
            Shape::If(then, otherwise) => if_(unknown(m), block(m, then), block(m, otherwise)),
            Shape::Loop { endless, reads, body, step } => {
                let cond = match (endless, reads) {
                    (true, _) => m.constant(true),
                    (false, Some(var)) => m.get(VarId(*var)),
                    (false, None) => unknown(m),
                };
                while_(cond, block(m, body), block(m, step))
            }
            Shape::Break(out) => break_(*out),
            Shape::Continue(out) => continue_(*out),
            Shape::Return => return_(),
        });
    }
    statements
}

fn program(shapes: &[Shape]) -> Program {
    let mut m = Maker::new("k");
    m.scalar("unknown", ScalarType::Bool);
    for name in ["x", "y", "z"] {
        m.variable(name, ScalarType::Bool);
    }
    let body = block(&mut m, shapes);
    m.finish(body)
}

/// The sets of variables (as bits) with which some path arrives at a point: every path, not what they have in common.
type States = BTreeSet<u32>;

#[derive(Default)]
struct Paths {
    /// By how many loops further out than the innermost, the states that leave it.
    breaks: [States; 8],
    continues: [States; 8],
    /// The states in which it returns.
    returns: States,
    /// Whether some path reads what it has not assigned.
    wrong: bool,
}

impl Paths {
    fn read(&mut self, var: u32, states: &States) {
        self.wrong |= states.iter().any(|state| state >> var & 1 == 0);
    }

    fn follow(&mut self, shapes: &[Shape], mut states: States) -> States {
        for shape in shapes {
            states = match shape {
                Shape::Skip => states,
                Shape::Assign(var) => states.iter().map(|state| state | 1 << var).collect(),
                Shape::Read(var) => {
                    self.read(*var, &states);
                    states
                }
                Shape::If(then, otherwise) => {
                    let mut after = self.follow(then, states.clone());
                    after.extend(self.follow(otherwise, states));
                    after
                }
                Shape::Loop { endless, reads, body, step } => self.follow_loop(*endless, *reads, body, step, states),
                Shape::Break(out) => {
                    self.breaks[*out as usize].extend(states);
                    States::new()
                }
                Shape::Continue(out) => {
                    self.continues[*out as usize].extend(states);
                    States::new()
                }
                Shape::Return => {
                    self.returns.extend(states);
                    States::new()
                }
            };
        }
        states
    }

    /// Runs the loop again and again until no new state arrives at its head.
    fn follow_loop(
        &mut self,
        endless: bool,
        reads: Option<u32>,
        body: &[Shape],
        step: &[Shape],
        mut heads: States,
    ) -> States {
        loop {
            reads.into_iter().for_each(|var| self.read(var, &heads));
            let mut inside = Self::default();
            let mut ends = inside.follow(body, heads.clone());
            ends.extend(std::mem::take(&mut inside.continues[0]));
            let again = inside.follow(step, ends);
            self.wrong |= inside.wrong;
            self.returns.append(&mut inside.returns);
            for out in 1..inside.breaks.len() {
                self.breaks[out - 1].append(&mut inside.breaks[out]);
                self.continues[out - 1].append(&mut inside.continues[out]);
            }
            if again.is_subset(&heads) {
                let mut after = std::mem::take(&mut inside.breaks[0]);
                after.extend(if endless { States::new() } else { heads });
                return after;
            }
            heads.extend(again);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn validation_agrees_with_all_paths(shapes in shapes()) {
        let mut paths = Paths::default();
        paths.follow(&shapes, States::from([0]));
        let program = program(&shapes);
        let text = program.to_string();
        prop_assert_eq!(program.validate().is_err(), paths.wrong, "{}", text);
    }

    /// In a function whose parameter is `x`, and whose result is `z`.
    #[test]
    fn a_function_has_its_result_wherever_it_returns(shapes in shapes()) {
        let mut paths = Paths::default();
        let end = paths.follow(&shapes, States::from([1]));
        paths.returns.extend(end);
        paths.read(2, &paths.returns.clone());
        let program = in_function(program(&shapes));
        let text = program.to_string();
        prop_assert_eq!(program.validate().is_err(), paths.wrong, "{}", text);
    }
}

/// The program as a function that no kernel calls.
fn in_function(mut program: Program) -> Program {
    let body = std::mem::take(&mut program.body);
    let (name, source) = ("f".into(), Source::default());
    let function = Function { name, source, params: vec![VarId(0)], result: Some(VarId(2)), body };
    Program { functions: vec![function], ..program }
}

#[track_caller]
fn check(shapes: &[Shape], expected: Result<(), &str>) {
    let result = program(shapes).validate().map(drop).map_err(|error| error.message());
    assert_eq!(result, expected.map_err(str::to_string));
}

const UNASSIGNED: Result<(), &str> = Err("variable `x` may be read before it is assigned");

fn while_unknown(body: Vec<Shape>, step: Vec<Shape>) -> Shape {
    Shape::Loop { endless: false, reads: None, body, step }
}

fn while_true(body: Vec<Shape>) -> Shape {
    Shape::Loop { endless: true, reads: None, body, step: vec![] }
}

const LEAVE: Shape = Shape::Break(0);

#[test]
fn a_labelled_exit_takes_along_what_is_assigned() {
    use Shape::{Assign, Continue, If, Read};
    let twice = |body| while_true(vec![while_true(body)]);
    check(&[twice(vec![Assign(0), Shape::Break(1)]), Read(0)], Ok(()));
    check(&[twice(vec![If(vec![Shape::Break(1)], vec![]), Assign(0)]), Read(0)], UNASSIGNED);
    let outer = |step| while_unknown(vec![while_true(vec![If(vec![Continue(1)], vec![]), Assign(0), LEAVE])], step);
    check(&[outer(vec![])], Ok(()));
    check(&[outer(vec![Read(0)])], UNASSIGNED);
}

#[test]
fn both_arms_must_assign() {
    use Shape::{Assign, If, Read, Return};
    check(&[Read(0)], UNASSIGNED);
    check(&[Assign(0), Read(0)], Ok(()));
    check(&[If(vec![Assign(0)], vec![]), Read(0)], UNASSIGNED);
    check(&[If(vec![Assign(0)], vec![Assign(0)]), Read(0)], Ok(()));
    check(&[If(vec![Assign(0)], vec![Return]), Read(0)], Ok(()));
    check(&[Return, Read(0)], Ok(()));
}

#[test]
fn a_loop_may_run_zero_times() {
    use Shape::{Assign, If, Read};
    check(&[while_unknown(vec![Assign(0)], vec![]), Read(0)], UNASSIGNED);
    check(&[while_true(vec![Assign(0), LEAVE]), Read(0)], Ok(()));
    check(&[while_true(vec![If(vec![LEAVE], vec![]), Assign(0)]), Read(0)], UNASSIGNED);
    check(&[while_true(vec![Assign(0)]), Read(1)], Ok(()));
}

#[test]
fn a_step_runs_after_the_body_and_after_continue() {
    use Shape::{Assign, If, Read};
    check(&[while_unknown(vec![Assign(0)], vec![Read(0)])], Ok(()));
    check(&[while_unknown(vec![If(vec![Shape::Continue(0)], vec![]), Assign(0)], vec![Read(0)])], UNASSIGNED);
    check(&[while_unknown(vec![Assign(0), If(vec![Shape::Continue(0)], vec![])], vec![Read(0)])], Ok(()));
    check(&[while_unknown(vec![Read(0)], vec![Assign(0)])], UNASSIGNED);
}

#[test]
fn the_generator_makes_both_kinds() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let valid = |shapes: Vec<Shape>| program(&shapes).validate().is_ok();
    let made = (0..500).filter_map(|_| shapes().new_tree(&mut runner).ok());
    let count = made.filter(|tree| valid(tree.current())).count();
    assert!((50..450).contains(&count), "{count} of 500 are valid");
}
