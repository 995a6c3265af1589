//! What threads do together, with results worked out by hand.

use super::{ReferenceFault, Refusal, reference, reference_in_warps};
use crate::{Arrays, Random};
use simt_core::build::{Builder, Builtin, Let, SliceMut};
use simt_core::program::{Program, Validated};
use simt_runtime::Grid;

/// `fn k(in_u8: &[u8], out_u8: &mut [u8])`, whose parameters are the first two of every random kernel.
fn kernel(write: impl FnOnce(&Builder, SliceMut<u8>, Let<usize>)) -> Validated<Program> {
    let k = Builder::new("k", "k.rs", 1, "", "");
    let _ = k.slice::<u8>(0, "in_u8");
    let out = k.slice_mut::<u8>(0, "out_u8");
    let i = k.bind(0, "i", k.builtin(0, Builtin::GlobalId));
    write(&k, out, i);
    k.finish().validate().unwrap_or_else(|error| panic!("{error}"))
}

/// For six threads, with 200 in each element of the results.
fn arrays() -> Arrays {
    let mut arrays = Arrays::random(&mut Random::new(1), 6, 1);
    arrays.out_u8.fill(200);
    arrays
}

/// The results of six threads of one block.
fn in_warps(program: &Validated<Program>, width: usize) -> Result<Vec<u64>, ReferenceFault> {
    reference_in_warps(program, Grid::new(1, 6), &arrays(), width).map(|mut outcome| outcome.memory.remove(1))
}

fn refused(thread: usize, kind: Refusal) -> Result<Vec<u64>, ReferenceFault> {
    Err(ReferenceFault { thread, kind })
}

/// Thread 5 returns: its warp votes without it, and so does the block.
#[test]
fn votes_are_of_the_threads_that_have_not_returned() {
    let program = kernel(|k, out, i| {
        k.begin_if(0, k.eq(0, i, 5));
        k.return_(0);
        k.begin_else();
        k.end_if();
        let votes = k.bind(0, "votes", k.ballot(0, k.eq(0, k.rem(0, i, 2), 0)));
        let count = k.bind(0, "count", k.sync_threads_count(0, k.lt(0, i, 3)));
        let (votes, count) = (k.cast::<u8, u64>(0, votes), k.cast::<u8, u32>(0, count));
        k.store(0, out, k.add(0, k.mul(0, votes, 10), count), i);
    });
    // Lanes 0 and 2; of the second warp lane 0. Three threads have a number below 3.
    assert_eq!(in_warps(&program, 4), Ok(vec![53, 53, 53, 53, 13, 200]));
    // In one warp lanes 0, 2 and 4.
    assert_eq!(in_warps(&program, 8), Ok(vec![213, 213, 213, 213, 213, 200]));
    let alone = reference(&program, Grid::new(1, 6), &arrays()).map(|outcome| outcome.memory);
    assert_eq!(alone, Err(ReferenceFault { thread: 0, kind: Refusal::Waits }), "how wide warps are is not said");
}

/// Lanes that have parted, each half with its own mask, at two places.
#[test]
fn masks_name_those_that_come() {
    let program = kernel(|k, out, i| {
        let odd = k.bind(0, "odd", k.eq(0, k.rem(0, i, 2), 1));
        let id = k.bind(0, "id", k.cast::<u8, usize>(0, i));
        k.begin_if(0, odd);
        // 0b1010
        k.store(0, out, k.shuffle_xor_mask(0, 10, id, 2), i);
        k.begin_else();
        k.store(0, out, k.shuffle_down_mask(0, 5, id, 2), i);
        k.end_if();
    });
    // Lane 2 has no lane two above it, nor has lane 1 of the second warp one beside it: its warp has two.
    assert_eq!(in_warps(&program, 4), refused(4, Refusal::FromAbsent));
    let full = reference_in_warps(&program, Grid::new(1, 4), &arrays(), 4).map(|mut outcome| outcome.memory.remove(1));
    assert_eq!(full, Ok(vec![2, 3, 2, 1, 200, 200]));
}

#[test]
fn what_a_thread_does_wrong_together_with_others_is_told() {
    let not_named = kernel(|k, _, _| {
        k.bind(0, "any", k.any_mask(0, 0b1101, true));
    });
    assert_eq!(in_warps(&not_named, 4), refused(1, Refusal::NotNamed));
    let absent = kernel(|k, _, _| {
        k.bind(0, "v", k.shuffle(0, 7u8, 3));
    });
    assert_eq!(in_warps(&absent, 4), refused(4, Refusal::FromAbsent));
    let open = kernel(|k, _, _| {
        k.bind(0, "mask", k.active_mask(0));
    });
    assert_eq!(in_warps(&open, 4), refused(0, Refusal::Open));
    // Threads of one warp at two barriers; those of two warps may be.
    let program = kernel(|k, out, i| {
        k.begin_if(0, k.lt(0, i, 4));
        k.sync_threads(0);
        k.begin_else();
        k.sync_threads(0);
        k.end_if();
        k.store(0, out, 1, i);
    });
    assert_eq!(in_warps(&program, 4), Ok(vec![1; 6]));
    assert_eq!(in_warps(&program, 8), refused(0, Refusal::Waits));
}

/// `out[i] = i; sync; x = out[(i + 3) % 6]; sync; out[i] = x;` in two blocks of three threads, of which the second one comes
/// later.
#[test]
fn a_barrier_of_the_grid_waits_for_all_blocks() {
    let exchange = |sync: fn(&Builder)| {
        let program = kernel(|k, out, i| {
            k.begin_if(0, k.ge(0, i, 3));
            k.sync_threads(0);
            k.sync_threads(0);
            k.begin_else();
            k.end_if();
            k.store(0, out, k.cast::<u8, usize>(0, i), i);
            sync(k);
            let other = k.rem(0, k.add(0, i, 3), 6);
            let x = k.bind(0, "x", k.load(0, out, other));
            sync(k);
            k.store(0, out, x, i);
        });
        let outcome = reference(&program, Grid::new(2, 3), &arrays()).unwrap_or_else(|fault| panic!("{fault:?}"));
        outcome.memory[1].clone()
    };
    assert_eq!(exchange(|k| k.sync_grid(0)), [3, 4, 5, 0, 1, 2]);
    // The first block does not wait for the second one, which has not written.
    assert_eq!(exchange(|k| k.sync_threads(0))[..3], [200; 3]);
}
