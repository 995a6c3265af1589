//! What is uniform, kernel by kernel, and where lanes meet, against the definition.

use super::*;
use proptest::prelude::*;

fn parsed(text: &str) -> Code {
    Code::parse(text).unwrap_or_else(|error| panic!("{error}")).into_inner()
}

/// Which branches of a kernel are divergent, in the order of their addresses.
fn branches(lines: &str) -> Vec<bool> {
    let text = format!(
        "kernel k(x: &mut [u32], a: &[AtomicU32], n: u32)
        .reg u32 %v, %k, usize %i, bool %p, u64 %m
        {lines}
            st.u32 x[0], 1
            exit"
    );
    let code = parsed(&text);
    let graph = FlowGraph::new(&code);
    let divergence = Divergence::new(&code, &graph);
    let is_branch = |&block: &usize| graph.successors[block].len() > 1;
    (0..graph.successors.len()).filter(is_branch).map(|block| divergence.branches[block]).collect()
}

/// Whether a branch on `%p` is divergent, and one on `%v` that was just computed.
#[track_caller]
fn check(lines: &str, expected: &[bool]) {
    assert_eq!(branches(lines), expected, "{lines}");
}

const ARMS: &str = "@%p bra L\nst.u32 x[1], 1\nL: st.u32 x[2], 1\n";

#[test]
fn operations() {
    let one = |line: &str, divergent| check(&format!("{line}\ngt.u32 %p, %v, 3\n{ARMS}"), &[divergent]);
    one("mov.u32 %v, n", false);
    one("cvt.u32.usize %v, block_idx().x", false);
    one("cvt.u32.usize %v, global_id()", true);
    one("cvt.u32.usize %v, warp_id()", true);
    one("ld.u32 %v, x[0]", false);
    one("ld.u32.volatile %v, x[block_dim().y]", false);
    one("ld.u32 %v, x[lane_id()]", true);
    one("atom.u32.load.relaxed %v, a[0]", false);
    one("atom.u32.fetch_add.relaxed %v, a[0], 1", true);
    one("cvt.u32.usize %v, lane_id()\nshuffle.u32 %v, %v, 0", false);
    one("cvt.u32.usize %v, lane_id()\nshuffle.u32 %v, %v, %v", true);
    one("cvt.u32.usize %v, lane_id()\nshuffle_xor.u32 %v, %v, 1", true);
    check(&format!("gt.usize %p, lane_id(), 3\nany %p, %p\n{ARMS}"), &[false]);
    check(&format!("gt.usize %p, lane_id(), 3\nbar.or %p, %p\n{ARMS}"), &[true]);
}

#[test]
fn values_that_depend_on_the_way() {
    let merge = |cond: &str| format!("{cond}\nmov.u32 %v, 1\n@%p bra J\nmov.u32 %v, n\nJ: gt.u32 %p, %v, 3\n{ARMS}");
    check(&merge("gt.u32 %p, n, 3"), &[false, false]);
    check(&merge("gt.usize %p, lane_id(), 3"), &[true, true]);
    // In the arm itself, all lanes have the one value.
    let arm = "gt.usize %p, lane_id(), 3
        @%p bra J
        mov.u32 %v, n
        gt.u32 %p, %v, 3
        @%p bra J
        st.u32 x[1], 1
        J: ";
    check(arm, &[true, false]);
}

#[test]
fn values_that_leave_a_loop() {
    let counted = |bound: &str| {
        format!(
            "ld.u32 %v, x[{bound}]
            mov.u32 %k, 0
            H: ge.u32 %p, %k, %v
            @%p bra X
            add.u32 %k, %k, 1
            jmp H
            X: gt.u32 %p, %k, n
            {ARMS}"
        )
    };
    check(&counted("0"), &[false, false]);
    check(&counted("global_id()"), &[true, true]);
    // Threads in the loop need not be in the same iteration.
    let inside = "ld.u32 %v, x[global_id()]
        mov.u32 %k, 0
        H: ge.u32 %p, %k, %v
        @%p bra X
        eq.u32 %p, %k, n
        @%p bra S
        st.u32 x[1], 1
        S: add.u32 %k, %k, 1
        jmp H
        X: ";
    check(inside, &[true, true]);
}

#[test]
fn functions_know_neither_arguments_nor_what_calls_give() {
    let text = "kernel k(x: &mut [u32], n: u32)
        .reg bool %p
            mov.u32 %f.v, n
            call f
            gt.u32 %p, %f.v, 3
            @%p bra L
            st.u32 x[1], 1
        L:  exit
        func f
        .reg passing u32 %v, bool %q
            gt.u32 %q, %v, 3
            @%q bra M
            add.u32 %v, %v, 1
        M:  ret";
    let code = parsed(text);
    let graph = FlowGraph::new(&code);
    let divergent = Divergence::new(&code, &graph).branches;
    assert_eq!(divergent.iter().filter(|&&divergent| divergent).count(), 2);
}

/// Lines that go to each other, `later` ones only if it says so.
fn jumps(len: usize, later: bool) -> impl Strategy<Value = Code> {
    let line = move |at: usize| {
        let from = if later { at + 1 } else { 0 };
        (0..3u8, from..len.max(from + 1), from..len.max(from + 1))
    };
    (0..len - 1).map(line).collect::<Vec<_>>().prop_map(move |lines| {
        let mut text = "kernel k(p: bool, n: u32)\n".to_string();
        for (at, (kind, first, second)) in lines.into_iter().enumerate() {
            let jump = match kind {
                0 => format!("jmp L{first}"),
                1 => format!("bra p, L{first}"),
                _ => format!("brx n, [L{first}, L{second}]"),
            };
            text.push_str(&format!("L{at}: {jump}\n"));
        }
        text.push_str(&format!("L{}: exit", len - 1));
        parsed(&text)
    })
}

/// Whether two paths lead from a block to another that have no other block in common.
fn parted_paths(graph: &FlowGraph, at: usize, join: usize) -> bool {
    fn paths(graph: &FlowGraph, from: usize, to: usize) -> Vec<Vec<usize>> {
        if from == to {
            return vec![vec![to]];
        }
        let onward = graph.successors[from].iter().flat_map(|&next| paths(graph, next, to));
        onward.map(|path| [vec![from], path].concat()).collect()
    }
    let ways: Vec<Vec<usize>> = graph.successors[at].iter().flat_map(|&next| paths(graph, next, join)).collect();
    let apart = |left: &[usize], right: &[usize]| {
        left[0] != right[0] && left[..left.len() - 1].iter().all(|block| !right.contains(block))
    };
    ways.iter().any(|left| ways.iter().any(|right| apart(left, right)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn lanes_meet_where_two_parted_paths_do(code in (3usize..9).prop_flat_map(|len| jumps(len, true))) {
        let graph = FlowGraph::new(&code);
        for &at in &graph.order {
            let found = joins(&graph, at);
            for &block in &graph.order {
                let expected = graph.successors[at].len() > 1 && parted_paths(&graph, at, block);
                prop_assert_eq!(found[block], expected, "from {} to {}\n{}", at, block, code);
            }
        }
    }

    #[test]
    fn a_block_dominates_what_is_not_reached_without_it(code in (2usize..10).prop_flat_map(|len| jumps(len, false))) {
        let graph = FlowGraph::new(&code);
        for &above in &graph.order {
            let without = graph.reachable([0].into_iter().filter(|&entry| entry != above), |block| block == above);
            for &block in &graph.order {
                let expected = block == above || !without[block];
                prop_assert_eq!(graph.dominates(above, block), expected, "{} over {}\n{}", above, block, code);
            }
        }
        for l in &graph.loops {
            let inside = |&block: &usize| l.contains[block];
            let all = graph.order.iter().copied().filter(inside).all(|block| graph.dominates(l.header, block));
            prop_assert!(all && l.latches.iter().all(|&latch| graph.successors[latch].contains(&l.header)));
        }
    }
}
