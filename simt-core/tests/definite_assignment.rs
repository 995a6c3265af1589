//! The rule that variables are assigned before they are read, against all paths through random programs.

mod programs;

use programs::{Maker, assign, evaluate, if_, stmt, while_};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use simt_core::ScalarType;
use simt_core::program::{Block, Expr, ParamId, Program, StmtKind, VarId};
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
    Break,
    Continue,
    Return,
}

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    let leaf = prop_oneof![
        4 => (0u32..3).prop_map(Shape::Assign),
        2 => (0u32..3).prop_map(Shape::Read),
        2 => Just(Shape::Break),
        2 => Just(Shape::Continue),
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
    prop::collection::vec(shape, 0..6).prop_map(|shapes| place_exits(&shapes, false))
}

/// Turns a break or continue that has no loop to leave into nothing.
fn place_exits(shapes: &[Shape], in_body: bool) -> Vec<Shape> {
    let place = |shape: &Shape| match shape {
        Shape::Break | Shape::Continue if !in_body => Shape::Skip,
        Shape::If(then, otherwise) => Shape::If(place_exits(then, in_body), place_exits(otherwise, in_body)),
        Shape::Loop { endless, reads, body, step } => Shape::Loop {
            endless: *endless,
            reads: *reads,
            body: place_exits(body, true),
            step: place_exits(step, false),
        },
        Shape::Skip | Shape::Assign(_) | Shape::Read(_) | Shape::Break | Shape::Continue | Shape::Return => {
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
            Shape::Break => stmt(StmtKind::Break),
            Shape::Continue => stmt(StmtKind::Continue),
            Shape::Return => stmt(StmtKind::Return),
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
    breaks: States,
    continues: States,
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
                Shape::Break => {
                    self.breaks.extend(states);
                    States::new()
                }
                Shape::Continue => {
                    self.continues.extend(states);
                    States::new()
                }
                Shape::Return => States::new(),
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
            ends.extend(std::mem::take(&mut inside.continues));
            let again = inside.follow(step, ends);
            self.wrong |= inside.wrong;
            if again.is_subset(&heads) {
                let mut after = inside.breaks;
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
    use Shape::{Assign, Break, If, Read};
    check(&[while_unknown(vec![Assign(0)], vec![]), Read(0)], UNASSIGNED);
    check(&[while_true(vec![Assign(0), Break]), Read(0)], Ok(()));
    check(&[while_true(vec![If(vec![Break], vec![]), Assign(0)]), Read(0)], UNASSIGNED);
    check(&[while_true(vec![Assign(0)]), Read(1)], Ok(()));
}

#[test]
fn a_step_runs_after_the_body_and_after_continue() {
    use Shape::{Assign, Continue, If, Read};
    check(&[while_unknown(vec![Assign(0)], vec![Read(0)])], Ok(()));
    check(&[while_unknown(vec![If(vec![Continue], vec![]), Assign(0)], vec![Read(0)])], UNASSIGNED);
    check(&[while_unknown(vec![Assign(0), If(vec![Continue], vec![])], vec![Read(0)])], Ok(()));
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
