//! Maximal reconvergence: the active lanes at each point of random structured programs, under every policy.

use simt_runtime::{Policy, for_each_policy};
use simt_testing::{Masks, Reconvergence, Structured};

const PROGRAMS: u64 = 300;

fn measure<P: Policy>() -> Reconvergence {
    let mut all = Reconvergence::default();
    for seed in 0..PROGRAMS {
        let structured = Structured::random(seed);
        let width = [4, 8, 16, 32, 64][seed as usize % 5];
        all += structured.measure::<P>(width).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    all
}

/// What a policy promises of the masks: everywhere, or but for points behind exits.
#[derive(PartialEq)]
enum Promise {
    Everywhere,
    PlainPoints,
}

/// The policies that promise something, which includes that no lane is active too many; the others are measured.
const PROMISES: [(&str, Promise); 3] =
    [("TokenStack", Promise::Everywhere), ("Ipdom", Promise::PlainPoints), ("BlockCompaction", Promise::PlainPoints)];

#[test]
fn masks_are_those_of_structured_control_flow_where_a_policy_promises_it() {
    let mut promised = 0;
    for_each_policy!(P => {
        let Reconvergence { plain, behind_exits } = measure::<P>();
        eprintln!("{:20} plain: {plain}; behind exits: {behind_exits}", P::name());
        assert!(plain.exact + plain.short + plain.beyond > 0);
        if let Some((_, promise)) = PROMISES.iter().find(|(name, _)| *name == P::name()) {
            promised += 1;
            let exact = |masks: Masks| Masks { short: 0, beyond: 0, ..masks };
            assert_eq!(plain, exact(plain), "{} at plain points", P::name());
            // Threads that did not part together never meet before the others.
            assert_eq!(behind_exits.beyond, 0, "{}", P::name());
            if *promise == Promise::Everywhere {
                assert_eq!(behind_exits, exact(behind_exits), "{} behind exits", P::name());
            } else {
                assert!(behind_exits.short > 0, "{} would promise too little", P::name());
            }
        }
    });
    assert_eq!(promised, PROMISES.len());
}
