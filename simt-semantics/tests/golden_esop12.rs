//! The runs that ESOP'12 prints, in its operational semantics: Habermaier and Knapp, *On the Correctness of the SIMT
//! Execution Model of GPUs*, technical report 2012-01 of the University of Augsburg.

mod esop12;
#[path = "../../simt-core/tests/programs/mod.rs"]
mod programs;

use esop12::{Kernel, program_1};
use simt_semantics::{Coverage, Esop12, LaneOrder, Memory, Place, Progress, Setting, Simulation, Warp, WarpRules};

/// Example 2 (section 3.3): rule, then instruction stack, active mask and disable mask after it. The paper's W, the rest of
/// the stack, is `call{1111} return; call{1111}`. The paper writes `b[tid] += i` and `--i`.
const EXAMPLE_2: [(&str, &str); 11] = [
    ("", "while (i > 0) ..; return; W, 1111, 0000"),
    ("while", "if (j > 2 * i) ..; i = i - 1; while′ (i > 0) ..; brk{1111} return; W, 0111, 0000"),
    (
        "if",
        "break; div{0001} b[lane_id()] = b[lane_id()] + i; sync{0111} i = i - 1; while′ (i > 0) ..; brk{1111} return; W, \
         0110, 0000",
    ),
    (
        "break",
        "div{0001} b[lane_id()] = b[lane_id()] + i; sync{0111} i = i - 1; while′ (i > 0) ..; brk{1111} return; W, \
         0000, 0bb0",
    ),
    (
        "token",
        "b[lane_id()] = b[lane_id()] + i; sync{0111} i = i - 1; while′ (i > 0) ..; brk{1111} return; W, 0001, 0bb0",
    ),
    ("assign", "sync{0111} i = i - 1; while′ (i > 0) ..; brk{1111} return; W, 0001, 0bb0"),
    ("token", "i = i - 1; while′ (i > 0) ..; brk{1111} return; W, 0001, 0bb0"),
    ("assign", "while′ (i > 0) ..; brk{1111} return; W, 0001, 0bb0"),
    ("while′", "if (j > 2 * i) ..; i = i - 1; while′ (i > 0) ..; brk{1111} return; W, 0000, 0bb0"),
    ("inact", "brk{1111} return; W, 0000, 0bb0"),
    ("token", "return; W, 1111, 0000"),
];

#[test]
fn golden_esop12_g2() {
    let Kernel { program, arguments } = program_1();
    let setting = Setting::new(&program, Place::alone(4)).expect("it has rules for all statements");
    let mut warp = Warp::initial(&setting, Memory::initial(&setting, arguments).expect("the arguments fit"));
    // main calls func, which initialises i and j.
    for rule in ["call", "assign", "assign"] {
        let step = Esop12.step(&setting, &mut warp, &mut LaneOrder).expect("no fault").expect("not the end");
        assert_eq!(step.rule.name(), rule);
    }
    for (number, (rule, configuration)) in EXAMPLE_2.into_iter().enumerate() {
        if number > 0 {
            let step = Esop12.step(&setting, &mut warp, &mut LaneOrder).expect("no fault").expect("not the end");
            assert_eq!(step.rule.name(), rule, "transition {number}");
        }
        let expected = configuration.replacen('W', "call{1111} return; call{1111}", 1);
        assert_eq!(warp.show(&setting), expected, "transition {number}");
    }
    let end = warp.run(&setting, &Esop12, &mut LaneOrder, 10, &mut Coverage::default());
    assert_eq!(end, simt_semantics::End::Finished);
    assert_eq!(warp.show(&setting), ", 1111, 0000");
    // Section 2.3: only thread 3 added to its element.
    assert_eq!(warp.memory.slices, [[0, 1, 1, 1], [0, 1, 1, 4]]);
}

/// Lemma 1 (section 3.3) at every configuration of Program 1, and the theorem beside it, for all inputs of small numbers.
#[test]
fn golden_esop12_g4() {
    let Kernel { program, .. } = program_1();
    let setting = Setting::new(&program, Place::alone(4)).expect("it has rules for all statements");
    for number in 0..4u64.pow(5) {
        let digit = |place: u32| number / 4u64.pow(place) % 4;
        let arguments = vec![vec![digit(0), digit(1), digit(2), 1], vec![digit(3), digit(4), 3, 7]];
        let memory = Memory::initial(&setting, arguments).expect("the arguments fit");
        let mut simulation = Simulation::new(&setting, &Esop12, memory).unwrap_or_else(|wrong| panic!("{wrong}"));
        let end = simulation.run(&mut LaneOrder, 500).unwrap_or_else(|wrong| panic!("{number}: {wrong}"));
        assert_eq!(end, Some(Progress::Finished), "input {number}");
    }
}
