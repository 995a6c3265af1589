//! Random accesses of blocks beside a model that keeps all of them and the clocks of all threads of the grid.

use crate::config::RaceCheck;
use crate::memory::races::{Found, Races, clocks};
use proptest::prelude::*;
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::AtomicOrder::{self, AcqRel, Acquire, Relaxed, Release};
use simt_core::program::FenceScope;
use std::collections::BTreeMap;

const WIDTH: usize = 4;
const WARPS: usize = 2;
const THREADS: usize = WIDTH * WARPS;

/// What a thread of a block does, or all of its warp or block.
#[derive(Clone, Debug)]
enum Op {
    Access {
        element: usize,
        /// The value that it writes, if it does.
        value: Option<u64>,
        /// Lanes that do so from the thread's on, each to the next element.
        lanes: usize,
    },
    Atomic {
        element: usize,
        order: AtomicOrder,
        reads: bool,
        writes: bool,
    },
    Fence(FenceScope),
    Meet(u64),
    Sync,
    GridSync,
}

fn op() -> impl Strategy<Value = Op> {
    let order = prop_oneof![Just(Relaxed), Just(Acquire), Just(Release), Just(AcqRel)];
    let value = prop_oneof![Just(None), Just(Some(1)), Just(Some(2))];
    let scope = prop_oneof![2 => Just(FenceScope::Device), 1 => Just(FenceScope::Block)];
    let kinds = prop_oneof![2 => Just((true, true)), 1 => Just((true, false)), 1 => Just((false, true))];
    prop_oneof![
        6 => (0..6usize, value, 1..6usize).prop_map(|(element, value, lanes)| Op::Access { element, value, lanes }),
        6 => (0..2usize, order, kinds).prop_map(|(element, order, (reads, writes))| Op::Atomic { element, order, reads, writes }),
        3 => scope.prop_map(Op::Fence),
        1 => any::<u64>().prop_map(Op::Meet),
        3 => Just(Op::Sync),
        1 => Just(Op::GridSync),
    ]
}

/// For each thread of the grid, how many of its releases are known.
type Known = Vec<u32>;

/// An access: thread of the grid, its time, instruction, the value that it writes.
type Access = (usize, u32, Pc, Option<u64>);

struct Model {
    known: Vec<Known>,
    next: Vec<u32>,
    /// By element, what has been released to all, and to threads of a block.
    released: BTreeMap<(usize, Option<usize>), Known>,
    /// By thread, what it knew at its last fence, for all and for its block; and what it has found that counts behind the next one.
    fenced: Vec<[Option<Known>; 2]>,
    found: Vec<[Known; 2]>,
    accesses: BTreeMap<usize, Vec<Access>>,
}

fn join(known: &mut Known, other: &Known) {
    known.iter_mut().zip(other).for_each(|(known, &other)| *known = other.max(*known));
}

impl Model {
    fn new(blocks: usize) -> Self {
        let nothing = || vec![0; blocks * THREADS];
        let all = || 0..blocks * THREADS;
        Self {
            known: all().map(|_| nothing()).collect(),
            next: all().map(|_| 1).collect(),
            released: BTreeMap::new(),
            fenced: all().map(|_| [None, None]).collect(),
            found: all().map(|_| [nothing(), nothing()]).collect(),
            accesses: BTreeMap::new(),
        }
    }

    fn release(&mut self, thread: usize) -> Known {
        let mut known = self.known[thread].clone();
        known[thread] = self.next[thread];
        self.next[thread] += 1;
        known
    }

    fn meet(&mut self, threads: &[usize]) {
        let mut all = vec![0; self.next.len()];
        for &thread in threads {
            let known = self.release(thread);
            join(&mut all, &known);
        }
        threads.iter().for_each(|&thread| self.known[thread] = all.clone());
    }

    fn fence(&mut self, thread: usize, scope: FenceScope) {
        // All, and the block.
        for (place, counts) in [scope == FenceScope::Device, true].into_iter().enumerate() {
            if counts {
                let found = std::mem::take(&mut self.found[thread][place]);
                join(&mut self.known[thread], &found);
                self.found[thread][place] = vec![0; self.next.len()];
            }
        }
        let known = self.release(thread);
        if scope == FenceScope::Device {
            self.fenced[thread][0] = Some(known.clone());
        }
        self.fenced[thread][1] = Some(known);
    }

    fn atomic(&mut self, thread: usize, element: usize, order: AtomicOrder, reads: bool, writes: bool) {
        let places = [(element, None), (element, Some(thread / THREADS))];
        for (at, place) in places.iter().enumerate().filter(|_| reads) {
            if let Some(there) = self.released.get(place) {
                let acquires = matches!(order, Acquire | AcqRel);
                join(if acquires { &mut self.known[thread] } else { &mut self.found[thread][at] }, there);
            }
        }
        if writes && !reads {
            // What threads of other blocks have released to their own is overwritten.
            self.released
                .retain(|&(at, block), _| at != element || block.is_none_or(|block| block == thread / THREADS));
        }
        let given = (writes && matches!(order, Release | AcqRel)).then(|| self.release(thread));
        for (at, place) in places.into_iter().enumerate().filter(|_| writes) {
            match (given.clone().or_else(|| self.fenced[thread][at].clone()), self.released.get_mut(&place)) {
                (Some(given), Some(there)) if reads => join(there, &given),
                (None, Some(_)) if reads => {}
                (Some(given), _) => drop(self.released.insert(place, given)),
                (None, _) => drop(self.released.remove(&place)),
            }
        }
    }

    /// The accesses that one races with; it is noted if there are none.
    fn access(&mut self, element: usize, now: Access) -> Vec<Access> {
        let (known, before) = (&self.known, self.accesses.entry(element).or_default());
        let (thread, .., value) = now;
        let races = |&&(other, then, _, wrote): &&Access| {
            let is_before = other == thread || known[thread][other] >= then;
            !is_before && (value.is_some() || wrote.is_some()) && (value.is_none() || value != wrote)
        };
        let racing: Vec<_> = before.iter().filter(races).copied().collect();
        if racing.is_empty() {
            before.push(now);
        }
        racing
    }
}

/// Does something in both, by a thread of a block of so many threads; returns the race that is found, and the accesses that race.
fn act(
    blocks: &mut [Box<Races>],
    model: &mut Model,
    (block, thread): (usize, usize),
    op: &Op,
    pc: Pc,
) -> (Option<Found>, Vec<(usize, Access)>) {
    let (races, warp, lane) = (&mut blocks[block], thread / WIDTH, thread % WIDTH);
    let of_grid = |thread: usize| block * THREADS + thread;
    let all = LaneMask::first(WIDTH);
    races.select_warp(warp);
    match *op {
        Op::Access { element, value, lanes } => {
            races.issue(false);
            let lanes = lane..WIDTH.min(lane + lanes);
            let values = value.map(|value| vec![value; lanes.len()]);
            races.access_all((0, element), lanes.clone(), pc, value.is_some(), values.as_deref());
            let racing = lanes.flat_map(|at| {
                let now = of_grid(warp * WIDTH + at);
                let element = element + at - lane;
                let racing = model.access(element, (now, model.next[now], pc, value));
                racing.into_iter().map(move |access| (element, access))
            });
            return (races.found(), racing.collect());
        }
        Op::Atomic { element, order, reads, writes } => {
            races.issue(false);
            races.atomic((1, element), lane, order, reads, writes);
            model.atomic(of_grid(thread), element, order, reads, writes);
        }
        Op::Fence(scope) => {
            races.issue(false);
            races.fence(lane, scope);
            model.fence(of_grid(thread), scope);
        }
        Op::Meet(lanes) => {
            let lanes = LaneMask(lanes) & all;
            races.meet(lanes);
            model.meet(&lanes.lanes().map(|lane| of_grid(warp * WIDTH + lane)).collect::<Vec<_>>());
        }
        Op::Sync => {
            (0..WARPS).for_each(|warp| races.arrive(warp, all, (0, true), warp == 0, true));
            model.meet(&(0..THREADS).map(of_grid).collect::<Vec<_>>());
        }
        Op::GridSync => {
            for races in &mut *blocks {
                (0..WARPS).for_each(|warp| races.arrive(warp, all, (clocks::GRID, true), warp == 0, true));
            }
            model.meet(&(0..blocks.len() * THREADS).collect::<Vec<_>>());
        }
    }
    (None, Vec::new())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn races_of_blocks_are_those_of_the_model(
        count in 2..5usize,
        alone in any::<bool>(),
        ops in proptest::collection::vec((0..4usize, 0..THREADS, op()), 1..80),
    ) {
        let first = Races::new(RaceCheck::Grid, WIDTH, THREADS).expect("it looks");
        let mut blocks: Vec<_> = (1..count).map(|_| first.of_another_block()).collect();
        blocks.insert(0, first);
        blocks.iter_mut().enumerate().for_each(|(number, races)| races.begin_block(number));
        let mut model = Model::new(count);
        for (number, (block, thread, op)) in ops.iter().enumerate() {
            let block = block % count;
            // Where nothing orders blocks, all races are found.
            if alone && matches!(op, Op::Atomic { .. } | Op::GridSync) {
                continue;
            }
            let (found, racing) = act(&mut blocks, &mut model, (block, *thread), op, Pc(number as u32));
            match found {
                Some(found) => {
                    let of = found.other_block.unwrap_or(block);
                    let told = (of * THREADS + found.earlier.thread as usize, found.earlier.pc);
                    prop_assert!(racing.iter().any(|&(_, (thread, _, pc, _))| (thread, pc) == told), "{found:?} {racing:?}");
                    return Ok(());
                }
                // A race with an access that is not kept may be missed.
                None if racing.is_empty() => {}
                None => {
                    // Of two blocks the last read and the last write of each are.
                    let is_kept = |&(element, (thread, _, pc, wrote)): &(usize, Access)| {
                        let is_later = |&&(other, _, at, value): &&Access| {
                            other / THREADS == thread / THREADS && at.0 >= pc.0 && value.is_some() == wrote.is_some()
                        };
                        let known = model.accesses[&element].iter().filter(is_later).count();
                        count == 2 && thread / THREADS != block && known == 1
                    };
                    // Of each thread of a block its last write is.
                    let is_of_two = |(_, (thread, ..)): &(usize, Access)| thread / THREADS != block;
                    prop_assert!(!racing.iter().any(|access| is_kept(access) || alone && is_of_two(access)), "{racing:?}");
                    return Ok(());
                }
            }
        }
    }
}
