//! Random accesses and barriers, beside a model that forgets nothing, groups nothing and postpones nothing.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Lanes are drawn by number of 64, of which a warp has fewer.
const LANES: usize = 64;

/// What a warp does.
#[derive(Clone, Debug)]
enum Op {
    /// Lanes access elements one after the other if `step` is 1, or the same one. The values differ by lane if `differ`.
    Access {
        lanes: Range<usize>,
        element: usize,
        step: usize,
        write: bool,
        value: Option<u64>,
        differ: bool,
    },
    Meet(u64),
    /// The block's barrier 0 waits for all of its warps, the others for two.
    Arrive {
        barrier: u32,
        waits: bool,
        without_first: bool,
    },
    /// An operation that reads and writes.
    Atomic {
        lane: usize,
        element: usize,
        order: AtomicOrder,
    },
    Fence(usize),
    /// Lanes access, one behind the other, as many bytes each by address.
    At {
        lanes: Range<usize>,
        first: u64,
        bytes: usize,
        strength: Strength,
        write: bool,
        value: u64,
    },
}

fn op() -> impl Strategy<Value = Op> {
    use AtomicOrder::{AcqRel, Acquire, Relaxed, Release};
    let lanes = (0..LANES, prop_oneof![1..5usize, Just(LANES)]).prop_map(|(first, count)| first..first + count);
    let value = prop_oneof![3 => (0..2u64).prop_map(Some), 1 => Just(None)];
    let elements = prop_oneof![3 => 0..6usize, 1 => 26..36usize];
    let access = (lanes, elements, 0..2usize, any::<bool>(), value, proptest::bool::weighted(0.2));
    let arrival = (0..3u32, proptest::bool::weighted(0.8), proptest::bool::weighted(0.1));
    let order = prop_oneof![Just(AcqRel), Just(Acquire), Just(Relaxed), Just(Release)];
    let strength = prop_oneof![4 => Just(Strength::Plain), 1 => Just(Strength::Volatile), 1 => Just(Strength::Atomic),
        1 => Just(Strength::AtomicOfBlock)];
    let bytes = prop_oneof![4 => Just(4usize), 1 => Just(1), 1 => Just(2), 1 => Just(8)];
    // Few bits, in few bytes.
    let value = (0..3u64, 0..3u64).prop_map(|(low, high)| low | high << 8 | high << 33);
    let few =
        (0..LANES, prop_oneof![3 => Just(1usize), 1 => 2..6usize]).prop_map(|(first, count)| first..first + count);
    let at = (few, 0..6u64, bytes, strength, any::<bool>(), value);
    let at = at.prop_map(|(lanes, first, bytes, strength, write, value)| Op::At {
        lanes,
        first: first * bytes as u64,
        bytes,
        strength,
        write,
        value,
    });
    prop_oneof![
        5 => at,
        8 => access.prop_map(|(lanes, element, step, write, value, differ)| {
            Op::Access { lanes, element, step, write, value, differ }
        }),
        2 => (1..u64::MAX).prop_map(Op::Meet),
        1 => Just(Op::Meet(u64::MAX)),
        4 => arrival.prop_map(|(barrier, waits, without_first)| Op::Arrive { barrier, waits, without_first }),
        1 => (0..LANES, 0..2usize, order).prop_map(|(lane, element, order)| Op::Atomic { lane, element, order }),
        1 => (0..LANES).prop_map(Op::Fence),
    ]
}

/// An access: thread, time, issue, instruction, whether it writes, and the value.
type Known = (u32, u32, u64, Pc, bool, Option<u64>);

/// What is known of a barrier: the joint knowledge, how many warps have come, and which wait.
type Barrier = (Vec<u32>, usize, Vec<usize>);

struct Model {
    /// Lanes of a warp.
    width: usize,
    known: Vec<Vec<u32>>,
    fenced: Vec<Vec<u32>>,
    found: Vec<Vec<u32>>,
    next: Vec<u32>,
    arrived: Vec<u32>,
    barriers: BTreeMap<u32, Barrier>,
    released: BTreeMap<usize, Vec<u32>>,
    /// The last access of each thread to each element, by whether it writes.
    accesses: BTreeMap<(usize, bool, u32), Known>,
    /// By address the same of each byte, apart by strength and by whether accesses are of words.
    bytes: Vec<ByteAccess>,
}

/// An access of one byte.
#[derive(Clone, Copy, PartialEq)]
struct ByteAccess {
    byte: u64,
    strength: Strength,
    words: bool,
    access: Known,
}

fn join(known: &mut [u32], other: &[u32]) {
    known.iter_mut().zip(other).for_each(|(known, &other)| *known = other.max(*known));
}

impl Model {
    fn new(width: usize, threads: usize) -> Self {
        let nothing = vec![vec![0; threads]; threads];
        Self {
            width,
            known: nothing.clone(),
            fenced: nothing.clone(),
            found: nothing,
            next: vec![1; threads],
            arrived: vec![0; threads],
            barriers: BTreeMap::new(),
            released: BTreeMap::new(),
            accesses: BTreeMap::new(),
            bytes: Vec::new(),
        }
    }

    /// The threads of a warp.
    fn warp(&self, warp: usize) -> Range<usize> {
        warp * self.width..self.next.len().min((warp + 1) * self.width)
    }

    fn bring(&mut self, threads: &[usize]) -> Vec<u32> {
        let mut all = vec![0; self.next.len()];
        threads.iter().for_each(|&thread| join(&mut all, &self.known[thread]));
        for &thread in threads {
            all[thread] = self.next[thread];
            self.next[thread] += 1;
        }
        all
    }

    fn meet(&mut self, threads: &[usize]) {
        let all = self.bring(threads);
        threads.iter().for_each(|&thread| self.known[thread].clone_from(&all));
    }

    fn arrive(&mut self, warp: usize, threads: &[usize], barrier: u32, waits: bool) {
        let warps = self.next.len().div_ceil(self.width);
        let brought = if waits {
            self.bring(threads)
        } else {
            let mut all = vec![0; self.next.len()];
            for &thread in threads {
                join(&mut all, &self.known[thread]);
                join(&mut all, &self.fenced[thread]);
                self.arrived[thread] = self.next[thread];
                self.next[thread] += 1;
            }
            all
        };
        let (known, came, waiting) =
            self.barriers.entry(barrier).or_insert_with(|| (vec![0; brought.len()], 0, Vec::new()));
        join(known, &brought);
        *came += 1;
        if waits {
            waiting.push(warp);
        }
        if *came == if barrier == 0 { warps } else { warps.min(2) } {
            let (all, _, waiting) = self.barriers.remove(&barrier).unwrap_or_default();
            for warp in waiting {
                self.warp(warp).for_each(|thread| self.known[thread].clone_from(&all));
            }
        }
    }

    fn waits(&self, warp: usize) -> bool {
        self.barriers.values().any(|(_, _, waiting)| waiting.contains(&warp))
    }

    /// Returns the access that races with this one, and whether its thread has arrived since.
    fn access(&mut self, element: usize, now: Known) -> Option<(Known, bool)> {
        let (thread, .., write, value) = now;
        let known = &self.known[thread as usize];
        let of = |write| self.accesses.range((element, write, 0)..=(element, write, u32::MAX)).map(|(_, known)| *known);
        let races = |earlier: &Known| earlier.0 != thread && known[earlier.0 as usize] < earlier.1;
        let writes = of(true).filter(|earlier| !write || earlier.5 != value).find(races);
        let earlier = writes.or_else(|| of(false).filter(|_| write).find(races));
        if earlier.is_none() {
            self.accesses.insert((element, write, thread), now);
        }
        earlier.map(|earlier| (earlier, self.arrived[earlier.0 as usize] >= earlier.1))
    }

    /// Returns the accesses that race with one of so many bytes from an address on, with the byte of each.
    fn access_at(&mut self, first: u64, bytes: u64, strength: Strength, now: Known) -> Vec<(u64, Known)> {
        use Strength::{Plain, Volatile};
        let (thread, _, issue, _, write, value) = now;
        let (words, mut racing) = (bytes >= 4, Vec::new());
        let part = |byte: u64| value.map(|value| value >> (8 * (byte - first)) & 0xff);
        for byte in first..first + bytes {
            for old in self.bytes.iter().filter(|old| old.byte == byte) {
                let (other, then, when, _, wrote, held) = old.access;
                let ordered = other == thread || self.known[thread as usize][other as usize] >= then;
                let apart = other as usize / self.width != thread as usize / self.width;
                let races = match (strength, old.strength) {
                    (Plain, _) | (_, Plain) => true,
                    (Volatile, Volatile) => !apart,
                    _ => false,
                };
                let is_atomic = strength.is_atomic() || old.strength.is_atomic();
                let same = wrote && write && held == part(byte) && !is_atomic;
                let own = |own: &&ByteAccess| {
                    let of_it = if old.words { own.byte / 4 == byte / 4 } else { own.byte == byte };
                    let sees = own.strength.is_atomic() || own.strength == Volatile && !own.access.4;
                    of_it && sees && own.access.0 == thread
                };
                let seen = self.bytes.iter().filter(own).map(|own| (own.access.2, thread)).max();
                let seen = wrote && old.strength != Plain && seen.is_some_and(|seen| (when, other) <= seen);
                if races && (wrote || write) && !ordered && !same && !seen {
                    racing.push((byte, old.access));
                }
            }
        }
        if racing.is_empty() {
            for byte in first..first + bytes {
                let place = |old: &ByteAccess| (old.byte, old.strength, old.words, old.access.0, old.access.4);
                let new =
                    ByteAccess { byte, strength, words, access: (thread, now.1, issue, now.3, write, part(byte)) };
                self.bytes.retain(|old| place(old) != place(&new));
                self.bytes.push(new);
            }
        }
        racing
    }

    fn atomic(&mut self, thread: usize, element: usize, order: AtomicOrder) {
        use AtomicOrder::{AcqRel, Acquire, Release};
        let there = self.released.get(&element).cloned().unwrap_or(vec![0; self.next.len()]);
        let hears = if matches!(order, Acquire | AcqRel) { &mut self.known } else { &mut self.found };
        join(&mut hears[thread], &there);
        let releases = matches!(order, Release | AcqRel);
        let given = if releases { self.bring(&[thread]) } else { self.fenced[thread].clone() };
        join(self.released.entry(element).or_insert(there), &given);
    }

    fn fence(&mut self, thread: usize) {
        join(&mut self.known[thread], &self.found[thread]);
        self.found[thread].fill(0);
        self.fenced[thread] = self.bring(&[thread]);
    }
}

/// What is to be the same: the element, both accesses, whether they are of one issue, and whether the earlier thread has arrived.
type Race = (usize, [(u32, Pc, bool, Option<u64>); 2], bool, bool);

fn seen(Found { index, now, earlier, arrived, .. }: Found) -> Race {
    let event = |event: Event| (event.thread, event.pc, event.write, event.value);
    (index, [event(now), event(earlier)], now.issue == earlier.issue, arrived)
}

/// Does something in both; returns the races that end it.
fn act(races: &mut Races, model: &mut Model, warp: usize, op: &Op, pc: Pc) -> [Option<Race>; 2] {
    races.select_warp(warp);
    let there = model.warp(warp);
    let thread = |lane| there.start + lane % there.len();
    let threads = |lanes: LaneMask| lanes.lanes().map(|lane| there.start + lane).collect::<Vec<_>>();
    match *op {
        Op::Access { ref lanes, element, step, write, value, differ } => {
            races.issue(false);
            let start = lanes.start % there.len();
            let lanes = start..there.len().min(start + lanes.len());
            let value_of = |lane: usize| value.map(|value| value + if differ && write { lane as u64 } else { 0 });
            let values: Option<Vec<u64>> = lanes.clone().map(value_of).collect();
            let all = lanes.clone();
            match (step, write) {
                (1, _) => races.access_all((0, element), all, pc, write, values.as_deref()),
                (_, false) => races.read((0, element), all, pc, value),
                _ => all.clone().find(|&lane| !races.access((0, element), lane, pc, write, value_of(lane))),
            };
            let expected = lanes.clone().find_map(|lane| {
                let (now, index) = (thread(lane), element + step * (lane - lanes.start));
                let now = (now as u32, model.next[now], races.issues, pc, write, value_of(lane));
                let (earlier, arrived) = model.access(index, now)?;
                let event = |(thread, _, _, pc, write, value): Known| (thread, pc, write, value);
                Some((index, [event(now), event(earlier)], now.2 == earlier.2, arrived))
            });
            return [races.found().map(seen), expected];
        }
        Op::At { ref lanes, first, bytes, strength, write, value } => {
            races.issue(false);
            let start = lanes.start % there.len();
            let lanes = start..there.len().min(start + lanes.len());
            let address = |lane: usize| first + ((lane - start) * bytes) as u64;
            let slot = if strength == Strength::Plain && bytes == 4 { races.plain_words() } else { None };
            let word = value & u64::MAX >> (64 - 8 * bytes);
            match slot {
                Some(slot) => {
                    let values = vec![word; lanes.len()];
                    races.access_all((slot, first as usize / 4), lanes.clone(), pc, write, Some(&values));
                }
                None => {
                    let then = |lane: usize| (lane, races.now(lane));
                    let all: Vec<_> = lanes.clone().map(then).collect();
                    all.into_iter().find(|&(lane, then)| {
                        !races.access_at((address(lane), bytes), (lane, then), pc, write, Some(word), strength)
                    });
                }
            }
            let expected = lanes.clone().find_map(|lane| {
                let now = (thread(lane) as u32, model.next[thread(lane)], races.issues, pc, write, Some(word));
                let racing = model.access_at(address(lane), bytes as u64, strength, now);
                (!racing.is_empty()).then_some((thread(lane) as u32, racing))
            });
            let found = races.found();
            // Several may race with it: one of them is told.
            let told = found.as_ref().zip(expected.as_ref()).is_some_and(|(found, (thread, racing))| {
                found.now.thread == *thread
                    && racing.iter().any(|(byte, (other, _, _, pc, wrote, _))| {
                        let earlier = (found.earlier.thread, found.earlier.pc, found.earlier.write);
                        (found.index as u64, earlier) == (*byte, (*other, *pc, *wrote))
                    })
            });
            let race = |is: bool| is.then_some((0, [(0, pc, write, None); 2], false, false));
            return [race(found.is_some()), race(expected.is_some() && (told || found.is_none()))];
        }
        Op::Meet(lanes) => {
            let lanes = LaneMask(lanes) & LaneMask::first(there.len());
            races.meet(lanes);
            model.meet(&threads(lanes));
        }
        Op::Arrive { barrier, waits, without_first } => {
            let lanes = LaneMask::first(there.len()) - LaneMask(u64::from(without_first));
            let first = !model.barriers.contains_key(&barrier);
            races.arrive(warp, lanes, (barrier, false), first, waits);
            model.arrive(warp, &threads(lanes), barrier, waits);
        }
        Op::Atomic { lane, element, order } => {
            races.issue(false);
            races.atomic((0, element), lane % there.len(), order, true, true);
            model.atomic(thread(lane), element, order);
        }
        Op::Fence(lane) => {
            races.issue(false);
            races.fence(lane % there.len(), FenceScope::Block);
            model.fence(thread(lane));
        }
    }
    [None, None]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn races_are_those_of_the_model(
        width in prop_oneof![4 => Just(4usize), 1 => Just(32), 1 => Just(64)],
        warps in 1..4usize,
        missing in prop_oneof![2 => Just(0usize), 1 => 1..3usize],
        ops in proptest::collection::vec((0..3usize, op()), 1..60),
    ) {
        let threads = warps * width - missing;
        let mut races = Races::of_block(true, width, threads, None);
        let mut model = Model::new(width, threads);
        for (number, (warp, op)) in ops.iter().enumerate() {
            let warp = warp % warps;
            if model.waits(warp) {
                continue;
            }
            let [found, expected] = act(&mut races, &mut model, warp, op, Pc(number as u32));
            prop_assert_eq!(&found, &expected);
            if found.is_some() {
                // The next block.
                races.begin_block(0);
                model = Model::new(width, threads);
            }
        }
    }
}
