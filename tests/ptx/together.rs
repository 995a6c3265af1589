//! What lanes and threads of PTX do together, under every policy.

use crate::written::kernel;
use crate::{LENGTH, launched};
use simt::{Gpu, Grid};

/// What each of some threads of one block makes of its number.
#[track_caller]
fn check(threads: u32, body: &str, expected: impl Fn(u32) -> u32) {
    let kernel = kernel(".shared .b32 cell;", &format!("st.shared.u32 [cell], 0; bar.sync 0; {body}"));
    let start: Vec<i32> = (0..LENGTH as i32).collect();
    simt::for_each_policy!(P => {
        let (left, _) = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, threads), std::slice::from_ref(&start), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        for i in 0..threads {
            assert_eq!(left[0][i as usize] as u32, expected(i), "thread {i}");
        }
    });
}

#[test]
fn lanes_with_one_value_find_each_other() {
    check(64, "rem.u32 %r4, %r1, 5; match.any.sync.b32 %r3, %r4, -1;", |i| {
        (0..32).filter(|j| (i / 32 * 32 + j) % 5 == i % 5).map(|j| 1 << j).sum()
    });
    check(
        32,
        "mov.b64 %rd4, {%r1, 7}; and.b64 %rd4, %rd4, 0xFFFFFFFF00000001; match.any.sync.b64 %r3, %rd4, -1;",
        |i| 0x5555_5555 << (i & 1),
    );
    // Those above the sixteenth have one value, those below have others.
    check(
        32,
        "setp.lt.u32 %p1, %r1, 16; selp.u32 %r4, %r1, 7, %p1; selp.b32 %r5, 0xFFFF, 0xFFFF0000, %p1;
        match.all.sync.b32 %r3|%p2, %r4, %r5; @!%p2 mov.u32 %r3, 1;",
        |i| if i < 16 { 1 } else { 0xffff_0000 },
    );
}

#[test]
fn numbers_of_lanes_are_reduced() {
    check(64, "redux.sync.add.u32 %r3, %r1, -1;", |i| if i < 32 { 496 } else { 496 + 32 * 32 });
    check(32, "sub.s32 %r4, %r1, 20; redux.sync.min.s32 %r3, %r4, -1;", |_| -20i32 as u32);
    check(32, "sub.s32 %r4, %r1, 20; redux.sync.max.u32 %r3, %r4, -1;", |_| u32::MAX);
    check(32, "or.b32 %r4, %r1, 64; redux.sync.and.b32 %r3, %r4, -1;", |_| 64);
    check(32, "redux.sync.or.b32 %r3, %r1, -1;", |_| 31);
    // Of a half of the lanes each.
    check(
        32,
        "setp.lt.u32 %p1, %r1, 16; selp.b32 %r5, 0xFFFF, 0xFFFF0000, %p1; redux.sync.xor.b32 %r3, %r1, %r5;",
        |_| 0,
    );
    let floats = "cvt.rn.f32.u32 %f1, %r1; sub.f32 %f1, %f1, 0f40600000;
        setp.eq.u32 %p1, %r1, 30; @%p1 mov.b32 %f1, 0f7FC00000;";
    let bits = f32::to_bits;
    check(32, &format!("{floats} redux.sync.min.f32 %f2, %f1, -1; mov.b32 %r3, %f2;"), |_| bits(-3.5));
    check(32, &format!("{floats} redux.sync.max.f32 %f2, %f1, -1; mov.b32 %r3, %f2;"), |_| bits(27.5));
    check(32, &format!("{floats} redux.sync.min.abs.f32 %f2, %f1, -1; mov.b32 %r3, %f2;"), |_| bits(0.5));
    check(
        32,
        &format!(
            "{floats} redux.sync.max.NaN.f32 %f2, %f1, -1; testp.notanumber.f32 %p2, %f2; selp.u32 %r3, 1, 0, %p2;"
        ),
        |_| 1,
    );
}

#[test]
fn lanes_that_are_guarded_off_keep_their_results() {
    check(
        32,
        "setp.lt.u32 %p1, %r1, 16; setp.gt.u32 %p2, %r1, 3; mov.u32 %r3, 7;
        @%p1 vote.sync.ballot.b32 %r3, %p2, 0xFFFF;
        @!%p1 match.any.sync.b32 %r3, %r3, 0xFFFF0000;
        @!%p1 redux.sync.add.u32 %r4, %r1, 0xFFFF0000;
        @!%p1 add.u32 %r3, %r3, %r4;
        @!%p2 vote.sync.ballot.b32 %r3, %p1, 0xF;",
        |i| match i {
            0..4 => 0xf,
            4..16 => 0xfff0,
            _ => 0xffff_0000 + 376,
        },
    );
}

/// nvcc writes the `return` of some threads as a jump to the end, where the paths of the branch meet.
#[test]
fn threads_that_have_jumped_to_the_end_are_not_waited_for() {
    // 20 of 64 threads go on, and of those the odd ones come to the end from somewhere else.
    check(
        64,
        "mov.u32 %r3, 7; st.global.u32 [%rd2], %r3; setp.ge.u32 %p1, %r1, 20; @%p1 bra END;
        atom.shared.add.u32 %r4, [cell], %r1; bar.sync 0; ld.shared.u32 %r3, [cell]; st.global.u32 [%rd2], %r3;
        and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 1; @%p2 bra NEAR;
        activemask.b32 %r5; vote.sync.ballot.b32 %r5, %p1, 0x55555; bar.sync 0;
        add.u32 %r3, %r3, %r5; st.global.u32 [%rd2], %r3; bra END;
        NEAR: bra.uni END;
        END: ret;
        BEHIND: mov.u32 %r3, 0;",
        |i| if i < 20 { 190 } else { 7 },
    );
    // Each lane leaves the loop in another turn; there are fewer in each.
    check(
        32,
        "mov.u32 %r3, 0; TURN: vote.sync.any.pred %p2, 1, -1; add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;
        setp.le.u32 %p1, %r3, %r1; @%p1 bra TURN;
        ret; BEHIND: mov.u32 %r3, 0;",
        |i| i + 1,
    );
}

/// The error of 64 threads, of which those from a number on have `%p1`, under a stack.
#[track_caller]
fn error(from: u32, body: &str, check: simt::RaceCheck) -> String {
    let body = format!("mov.u32 %r3, 7; setp.ge.u32 %p1, %r1, {from}; {body}");
    let kernel = kernel(".shared .b32 cell;", &body);
    let start: Vec<i32> = (0..LENGTH as i32).collect();
    let gpu = Gpu::<simt::policy::Ipdom>::default().with_race_check(check);
    launched(&gpu, &kernel, Grid::new(1, 64), std::slice::from_ref(&start), &[]).unwrap_err().to_string()
}

/// A count waits for as many, whichever have returned.
#[test]
fn a_barrier_with_a_count_waits_for_as_many() {
    let body = "@%p1 bra END; bar.sync 0, 64; END: ret; BEHIND: mov.u32 %r3, 0;";
    let error = error(32, body, simt::RaceCheck::Off);
    assert!(error.contains("32 of 64 threads have come to barrier 0"), "{error}");
    assert!(error.contains("as many threads as `bar.sync` is given must come to the barrier"), "{error}");
}

/// Errors of PTX say what stands there, and what its masks can name.
#[test]
fn errors_have_the_words_of_ptx() {
    let error = |body: &str| error(20, body, simt::RaceCheck::Off);
    let barrier = error("@%p1 bra END; bar.sync 0; END: mov.u32 %r3, 8;");
    assert!(barrier.contains("threads wait at `bar.sync` for others that never come"), "{barrier}");
    assert!(barrier.contains("must come to `bar.sync` together: move it out"), "{barrier}");
    let vote = error("@%p1 bra END; vote.sync.ballot.b32 %r5, %p1, -1; END: mov.u32 %r3, 8;");
    assert!(vote.contains("threads wait at `vote.sync` for others") && vote.contains("(`activemask`)"), "{vote}");
    let warp = error("@%p1 bra END; bar.warp.sync 0x1FFFFF; END: mov.u32 %r3, 8;");
    assert!(
        warp.contains("threads wait at `bar.warp.sync`") && warp.contains("`vote.sync.ballot` of the condition"),
        "{warp}"
    );
}

/// Atomics of scope `.cta` are none for the threads of two blocks, and order nothing between them.
#[test]
fn atomics_of_a_block_race_with_those_of_another() {
    let gpu = Gpu::<simt::policy::Ipdom>::default().with_race_check(simt::RaceCheck::Grid);
    let start: Vec<i32> = (0..LENGTH as i32).collect();
    let launch = |body: &str, blocks: usize| {
        let kernel = kernel("", body);
        launched(&gpu, &kernel, Grid::new(blocks, 32), std::slice::from_ref(&start), &[])
            .map_err(|error| error.to_string())
    };
    for (scope, is_race) in
        [("", false), (".relaxed.gpu", false), (".relaxed.sys", false), (".relaxed.cta", true), (".acq_rel.cta", true)]
    {
        let body = format!("atom{scope}.global.add.u32 %r3, [%rd1+4096], 1; ret;");
        launch(&body, 1).unwrap_or_else(|error| panic!("{scope}: {error}"));
        let two = launch(&body, 2).map(drop);
        assert_eq!(two.is_err(), is_race, "{scope}: {two:?}");
        if let Err(error) = two {
            assert!(error.contains("is changed by atomics of threads of two blocks, which nothing orders"), "{error}");
            assert!(error.contains("of scope `.cta` one is an atomic for its block only"), "{error}");
        }
    }
}

/// A fence at the end is something to do, whether the launch looks for races or not.
#[test]
fn threads_that_have_a_fence_before_them_are_waited_for() {
    for check in [simt::RaceCheck::Off, simt::RaceCheck::Everywhere] {
        let body = "@%p1 bra END; bar.sync 0; END: membar.gl; ret; BEHIND: mov.u32 %r3, 0;";
        let error = error(20, body, check);
        assert!(error.contains("error[simt::deadlock]"), "{error}");
    }
}

#[test]
fn one_lane_is_elected() {
    check(
        32,
        "setp.lt.u32 %p1, %r1, 20; selp.b32 %r5, 0xFFFFF, 0xFFF00000, %p1;
        elect.sync %r3|%p2, %r5; @%p2 add.u32 %r3, %r3, 100;",
        |i| match i {
            0 => 100,
            20 => 120,
            i => i / 20 * 20,
        },
    );
}

#[test]
fn counters_begin_again_at_their_limit() {
    // Each thread has another old value: 0 to 6 and again.
    check(64, "atom.shared.inc.u32 %r4, [cell], 6; bar.sync 0; ld.shared.u32 %r3, [cell];", |_| 64 % 7);
    check(64, "red.shared.dec.u32 [cell], 4; bar.sync 0; ld.shared.u32 %r3, [cell];", |_| 4 - 63 % 5);
}

#[test]
fn short_atomics() {
    // One of each pair of threads wins the lower half; the upper half keeps what it has.
    check(
        32,
        "mov.b16 %h1, 0; mov.b16 %h2, 9; atom.shared.cas.b16 %h3, [cell], %h1, %h2;
        bar.sync 0; ld.shared.u32 %r3, [cell];",
        |_| 9,
    );
    // 32 times 1 and 0.5.
    check(
        32,
        "mov.b32 %r4, 0x3C003800; atom.shared.add.noftz.f16x2 %r5, [cell], %r4;
        bar.sync 0; ld.shared.u32 %r3, [cell];",
        |_| 0x5000_4c00,
    );
    check(
        32,
        "mov.b16 %h1, 0x3F80; red.shared.add.noftz.bf16 [cell], %h1; bar.sync 0; ld.shared.u32 %r3, [cell];",
        |_| 0x4200,
    );
    check(
        32,
        "mov.b16 %h1, 5; st.relaxed.cta.shared.b16 [cell], %h1; bar.sync 0; ld.relaxed.cta.shared.u16 %r3, [cell];",
        |_| 5,
    );
}

#[test]
fn barriers_have_numbers_counts_and_results() {
    check(
        128,
        "setp.lt.u32 %p1, %r1, 50;
        bar.red.popc.u32 %r3, 1, %p1;
        bar.red.and.pred %p2, 2, 128, %p1; @%p2 add.u32 %r3, %r3, 1000;
        barrier.red.or.pred %p3, 3, !%p1; @%p3 add.u32 %r3, %r3, 2000;",
        |_| 2050,
    );
    // The first warp only arrives, the second waits for both.
    check(
        64,
        "setp.lt.u32 %p1, %r1, 32; mov.u32 %r3, 7;
        @%p1 bra FIRST;
        bar.sync 4, 64; ld.shared.u32 %r3, [cell]; bra END;
        FIRST: st.shared.u32 [cell], 11; bar.arrive 4, 64;
        END:",
        |i| if i < 32 { 7 } else { 11 },
    );
}
