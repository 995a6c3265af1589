//! Where convergence barriers are put, compared with NVIDIA's assembler.
//!
//! Each kernel is the twin of a CUDA kernel of the same name, with its control flow; `facts` has what ptxas 13.5 made of that
//! for sm_75 (Turing). What the CUDA kernels do between branches, so that the compiler does not predicate it, is a volatile
//! store here. Rules, not kernels, place the barriers: see `simt_core::code::barriers`.

/// The skeletons of kernels of this crate.
macro_rules! kernels {
    ($($name:ident)*) => {
        [$((
            stringify!($name),
            crate::skeleton::Skeleton::of(&$name::program().code(simt::core::code::Markers::PtxasBarriers)),
        )),*]
    };
}

mod facts;
mod generated;
mod kernels;
mod runs;
mod skeleton;

use kernels::skeletons;
use skeleton::Verdict;

/// Points on which ptxas was found to do otherwise, each with the reason.
const DISAGREEMENTS: &[(&str, &str)] = &[
    (
        "k24_prog2",
        "the loop's exit is the join of the `if` itself: at it, where ptxas has a block between with a jump alone",
    ),
    ("k24_prog2_shared", "as k24_prog2"),
    (
        "y25_alu_in_divif",
        "ptxas lets the loop's exit be the join of the `if`, and predicates what stands behind the loop",
    ),
];

#[test]
fn barriers_stand_where_ptxas_puts_them() {
    let (mut points, mut wrong) = (0, Vec::new());
    let skeletons = skeletons();
    for &(name, branches, breaks, yields) in facts::FACTS {
        let found = skeletons.iter().find(|(other, _)| *other == name);
        let (_, skeleton) = found.unwrap_or_else(|| panic!("{name} has no twin"));
        let expected: Vec<Option<Verdict>> = branches.split_whitespace().map(Verdict::read).collect();
        assert_eq!(skeleton.branches.len(), expected.len(), "{name} has other branches\n{}", skeleton.text);
        for (number, (ours, theirs)) in skeleton.branches.iter().zip(expected).enumerate() {
            let Some(theirs) = theirs else { continue };
            points += 1;
            if *ours != theirs {
                wrong.push((name, format!("{name}: branch {number} is {ours:?}, not {theirs:?}\n{}", skeleton.text)));
            }
        }
        points += 1;
        if skeleton.breaks != breaks {
            wrong.push((name, format!("{name}: {} breaks, not {breaks}\n{}", skeleton.breaks, skeleton.text)));
        }
        let expected: Vec<&str> = yields.split_whitespace().collect();
        assert_eq!(skeleton.yields.len(), expected.len(), "{name} has other loops\n{}", skeleton.text);
        for (number, (ours, theirs)) in skeleton.yields.iter().zip(expected).enumerate() {
            points += usize::from(theirs != "-");
            if theirs != "-" && *ours != (theirs == "yield") {
                wrong.push((name, format!("{name}: yield in loop {number}: {ours}\n{}", skeleton.text)));
            }
        }
    }
    for (name, what) in &wrong {
        assert!(DISAGREEMENTS.iter().any(|(known, _)| known == name), "{what}");
    }
    for (name, reason) in DISAGREEMENTS {
        assert!(wrong.iter().any(|(other, _)| other == name), "{name} agrees now: {reason}");
    }
    assert_eq!(skeletons.len(), facts::FACTS.len(), "a twin without facts");
    assert!(points > 150 && wrong.len() * 10 <= points, "{} of {points} points differ", wrong.len());
}
