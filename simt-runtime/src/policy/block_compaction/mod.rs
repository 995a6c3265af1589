//! Thread block compaction: W. W. L. Fung and T. M. Aamodt, *Thread Block Compaction for Efficient SIMT Control Flow*,
//! HPCA 2011, sections 3 and 4.
//!
//! One stack for the block. Its entries are those of [`Ipdom`](super::Ipdom), with threads of all warps in place of one
//! warp's lanes: (reconvergence pc, next pc, threads). The threads of the top entry issue as warps that are packed anew when
//! the entry is made: each SIMD lane's threads, by the number of their warps, go one to the first warp, one to the second,
//! and so on. At a branch the warps wait for each other; when all have come the two sides become entries.

mod entry;

use super::{CoreBranch, CorePolicy, CoreSplit, CoreStart, Figure, Policy, PolicyVisitor, Tally, WarpPart};
use entry::{Entry, Packed, Sides, Spare, Threads, add, add_all, is_none};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

/// A stack of post-dominators for the whole block; at a divergence and at a reconvergence its threads are packed into warps
/// anew.
///
/// * **Mechanism.** The threads of a block that take the same side of a branch issue together, each in its home lane. At the
///   immediate post-dominator all sides have come, and the warps are those of the program again.
/// * **Source.** W. W. L. Fung and T. M. Aamodt, *Thread Block Compaction for Efficient SIMT Control Flow*, HPCA 2011.
/// * **State.** A stack for each block: an entry is two addresses and a bit for each thread of the block; a priority encoder
///   for each SIMD lane that packs warps.
/// * **Fairness.** None across the sides of a branch, as with [`Ipdom`](crate::Ipdom), and warps wait for each other at every
///   branch besides: threads of one warp that spin keep those of other warps from running that come to the same loop.
/// * **Use it** for kernels whose warps diverge alike and meet again soon; regular code keeps its warps, and its accesses stay
///   coalesced.
/// * **What it cannot do.** It does not pack threads of one home lane together, nor threads of different branches. With a
///   clock, waiting at branches costs time.
/// * **Here** warps wait for each other at calls, too; the paper has none. When nobody else can run, because all others wait
///   at a barrier, a warp of the program that has come to a reconvergence point goes on alone: under other policies it would
///   not have waited.
///
/// ```
/// use simt::prelude::*;
///
/// /// In each warp one of eight threads has work to do.
/// #[kernel]
/// fn sparse(x: &mut [u32]) {
///     let i = global_id();
///     if lane_id() / 4 == warp_id() {
///         for k in 0..100 {
///             x[i] = x[i] * 3 + k;
///         }
///     }
/// }
///
/// let mut x = [1; 256];
/// let report = Gpu::<BlockCompaction>::default().launch(Grid::new(1, 256), sparse(&mut x))?;
/// assert!(report.simd_efficiency() > 0.9);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlockCompaction {
    /// The top last.
    stack: Vec<Entry>,
    spare: Spare,
    /// The entry and the warp in it that issue.
    current: Option<(usize, usize)>,
    /// Most entries.
    depth: Tally<usize>,
}

impl BlockCompaction {
    /// A new entry, whose threads are packed into warps. Gives its number.
    fn push(&mut self, parent: Option<u32>, reconvergence: Option<Pc>, pc: Pc, threads: &[LaneMask]) -> u32 {
        let number = self.stack.iter().map(|entry| entry.number + 1).max().unwrap_or(0);
        let mut entry = self.spare.entry(number, parent, reconvergence);
        entry.pack(pc, threads, &mut self.spare);
        if let Some(parent) = self.stack.iter_mut().find(|entry| Some(entry.number) == parent) {
            parent.children += 1;
        }
        self.stack.push(entry);
        self.depth.0 = self.depth.0.max(self.stack.len());
        number
    }

    /// The current warp, taken out of its entry, and the entry's place.
    fn take(&mut self) -> Option<(usize, Packed)> {
        let (entry, warp) = self.current.take()?;
        Some((entry, self.stack[entry].warps.remove(warp)))
    }

    /// The topmost warp that can run issues next.
    fn choose(&mut self) {
        let runnable = |place: usize| Some((place, self.stack[place].runnable()?));
        self.current = (0..self.stack.len()).rev().find_map(runnable);
    }

    /// A warp of an entry has come to its end or to its branch: what becomes of the entry.
    fn settle(&mut self, place: usize) {
        let entry = &mut self.stack[place];
        if entry.warps.is_empty() && entry.children == 0 {
            match entry.sides.take() {
                Some(sides) => {
                    self.part(place, &sides);
                    self.spare.give(sides);
                }
                None => self.end(place),
            }
        }
        self.choose();
    }

    /// All warps of an entry have come to its branch.
    fn part(&mut self, place: usize, sides: &Sides) {
        let Sides { next, meet, calls, ref taken, ref rest } = *sides;
        if !calls {
            match &taken[..] {
                [] => return self.proceed(place, next, rest),
                [(target, threads)] if is_none(rest) => return self.proceed(place, *target, threads),
                _ => {}
            }
        }
        let entry = &mut self.stack[place];
        let (number, parent, reconvergence) = (entry.number, entry.parent, entry.reconvergence);
        let ends = if calls { None } else { meet.or(reconvergence) };
        // The entry waits where its sides meet; where one below waits already, it makes room for them.
        let waits = calls || (meet.is_some() && meet != reconvergence);
        if waits {
            entry.next = if calls { next } else { meet.unwrap_or(next) };
            sides.all().for_each(|threads| add_all(&mut entry.threads, threads));
        }
        let above = if waits { Some(number) } else { parent };
        // What is pushed last runs first: the side that was taken.
        let sides = [(next, rest)].into_iter().chain(taken.iter().rev().map(|(pc, threads)| (*pc, threads)));
        for (pc, threads) in sides {
            if !is_none(threads) && Some(pc) != ends {
                self.push(above, ends, pc, threads);
            }
        }
        if !waits {
            self.end(place);
        } else if self.stack[place].children == 0 {
            self.resume(place);
        }
    }

    /// Threads of an entry go on together.
    fn proceed(&mut self, place: usize, pc: Pc, threads: &[LaneMask]) {
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(pc) {
            return self.end(place);
        }
        entry.pack(pc, threads, &mut self.spare);
    }

    /// An entry has ended: all its threads are where it ends, or have exited or returned.
    fn end(&mut self, place: usize) {
        let parent = self.stack[place].parent;
        self.drop(place);
        let Some(below) = self.stack.iter().position(|entry| Some(entry.number) == parent) else { return };
        if self.stack[below].children == 0 {
            self.resume(below);
        }
    }

    fn drop(&mut self, place: usize) {
        let entry = self.stack.remove(place);
        let parent = entry.parent;
        if let Some(parent) = self.stack.iter_mut().find(|entry| Some(entry.number) == parent) {
            parent.children -= 1;
        }
        self.spare.end(entry);
    }

    /// Nobody is left that an entry waits for.
    fn resume(&mut self, place: usize) {
        let Entry { next, threads, .. } = &mut self.stack[place];
        let (next, threads) = (*next, std::mem::replace(threads, self.spare.threads.take()));
        if is_none(&threads) {
            self.end(place);
        } else {
            self.proceed(place, next, &threads);
        }
        self.spare.threads.give(threads);
    }

    /// The current warp waits at its branch for the others of its entry.
    fn wait(&mut self, branch: CoreBranch<'_>, calls: bool) {
        let Some((place, warp)) = self.take() else { return };
        let CoreBranch { taken, target, next, meet, .. } = branch;
        let entry = &mut self.stack[place];
        let sides = entry.sides.get_or_insert_with(|| Sides {
            next,
            meet,
            calls,
            taken: self.spare.taken.take(),
            rest: self.spare.threads.take(),
        });
        for (part, &taken) in warp.parts.iter().zip(taken) {
            let rest = part.lanes - taken;
            if !taken.is_empty() {
                let place = sides.taken.iter().position(|(known, _)| *known == target).unwrap_or_else(|| {
                    sides.taken.push((target, self.spare.threads.take()));
                    sides.taken.len() - 1
                });
                add(&mut sides.taken[place].1, WarpPart { lanes: taken, ..*part });
            }
            if !rest.is_empty() {
                add(&mut sides.rest, WarpPart { lanes: rest, ..*part });
            }
        }
        self.spare.parts.give(warp.parts);
        self.settle(place);
    }

    /// Threads of an entry that have waited go on; `warp` is where their warp stood.
    fn go_on(&mut self, place: usize, warp: usize, part: WarpPart, pc: Pc) {
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(pc) {
            return self.settle(place);
        }
        // Those that have waited together go on together.
        match entry.warps.iter_mut().find(|packed| !packed.parked && packed.pc == pc && packed.has_room_for(part)) {
            Some(packed) => packed.join(part),
            None => {
                let mut parts = self.spare.parts.take();
                parts.push(part);
                entry.warps.insert(warp, Packed { pc, parts, parked: false });
            }
        }
    }
}

impl CorePolicy for BlockCompaction {
    const NAME: &'static str = "BlockCompaction";
    const MARKERS: Markers = Markers::PostDominators;

    fn start(start: CoreStart<'_>) -> Self {
        let mut policy = Self { stack: Vec::new(), spare: Spare::default(), current: None, depth: Tally(0) };
        policy.push(None, None, start.pc, start.warps);
        policy.choose();
        policy
    }

    #[inline(always)]
    fn current(&self) -> Option<CoreSplit<'_>> {
        let (entry, warp) = self.current?;
        let Packed { pc, parts, .. } = &self.stack[entry].warps[warp];
        Some(CoreSplit { pc: *pc, parts })
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        let is_free = |&(entry, warp): &(usize, usize)| self.stack[entry].warps[warp].is_free(free);
        let of_entry = |place: usize| Some((place, self.stack[place].free(free)?));
        let found = self.current.filter(is_free).or_else(|| (0..self.stack.len()).rev().find_map(of_entry));
        self.current = found.or(self.current);
        found.is_some()
    }

    fn advance(&mut self, next: Pc) {
        let Some((place, warp)) = self.current else { return };
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(next) {
            let ended = entry.warps.remove(warp);
            self.spare.parts.give(ended.parts);
            self.settle(place);
        } else {
            entry.warps[warp].pc = next;
        }
    }

    fn branch(&mut self, branch: CoreBranch<'_>) {
        self.wait(branch, false);
    }

    fn exit(&mut self) {
        let Some((place, warp)) = self.take() else { return };
        for part in &warp.parts {
            for entry in &mut self.stack {
                if let Some(lanes) = entry.threads.get_mut(part.warp) {
                    *lanes = *lanes - part.lanes;
                }
            }
        }
        self.spare.parts.give(warp.parts);
        self.settle(place);
    }

    fn call(&mut self, target: Pc, back: Pc) {
        let mut taken = self.spare.threads.take();
        taken.extend(self.current().iter().flat_map(|split| split.parts).map(|part| part.lanes));
        self.wait(CoreBranch { taken: &taken, target, next: back, meet: None, leaves: false }, true);
        self.spare.threads.give(taken);
    }

    /// All threads of an entry were called by one call: they return together, when the last of them has come.
    fn ret(&mut self, _returning: &[LaneMask], _back: Pc, _at: Pc) {
        if let Some((place, warp)) = self.take() {
            self.spare.parts.give(warp.parts);
            self.settle(place);
        }
    }

    fn park(&mut self) {
        if let Some((entry, warp)) = self.current.take() {
            self.stack[entry].warps[warp].parked = true;
            self.choose();
        }
    }

    fn wake(&mut self, part: WarpPart, next: Pc) {
        let mut place = 0;
        while place < self.stack.len() {
            let entry = &mut self.stack[place];
            let Some(warp) = entry.warps.iter().position(|packed| packed.parked && packed.has_some_of(part)) else {
                place += 1;
                continue;
            };
            let mut woken = WarpPart { lanes: LaneMask::EMPTY, ..part };
            let packed = &mut entry.warps[warp];
            for known in packed.parts.iter_mut().filter(|known| known.warp == part.warp) {
                woken.lanes |= known.lanes & part.lanes;
                known.lanes = known.lanes - part.lanes;
            }
            packed.parts.retain(|part| !part.lanes.is_empty());
            if packed.parts.is_empty() {
                let emptied = entry.warps.remove(warp);
                self.spare.parts.give(emptied.parts);
            }
            self.go_on(place, warp, woken, next);
            // The entry may have ended: what was below has moved.
            self.choose();
            place = 0;
        }
        self.choose();
    }

    /// A warp of the program all of whose threads wait where they meet others goes on alone.
    fn release(&mut self) -> bool {
        let mut busy = Threads::new();
        for entry in &self.stack {
            entry.warps.iter().flat_map(|packed| &packed.parts).for_each(|&part| add(&mut busy, part));
            entry.sides.iter().flat_map(Sides::all).for_each(|threads| add_all(&mut busy, threads));
        }
        for place in (0..self.stack.len()).rev() {
            let entry = &mut self.stack[place];
            let waits = |(warp, lanes): &(usize, &mut LaneMask)| {
                !lanes.is_empty() && busy.get(*warp).is_none_or(|busy| busy.is_empty())
            };
            let Some((warp, lanes)) = entry.threads.iter_mut().enumerate().find(waits) else { continue };
            let lanes = std::mem::replace(lanes, LaneMask::EMPTY);
            let (next, parent, reconvergence) = (entry.next, entry.parent, entry.reconvergence);
            let mut alone = Threads::new();
            add(&mut alone, WarpPart { warp, lanes });
            let runs: &[LaneMask] = if reconvergence == Some(next) { &[] } else { &alone };
            let number = self.push(parent, reconvergence, next, runs);
            let pushed = self.stack.iter().position(|entry| entry.number == number);
            pushed.into_iter().for_each(|place| self.settle(place));
            return true;
        }
        false
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        let current = self.current().into_iter();
        let mut splits: Vec<_> =
            current.flat_map(|split| split.parts.iter().map(move |&part| (split.pc, part))).collect();
        let mut seen = Threads::new();
        splits.iter().for_each(|&(_, part)| add(&mut seen, part));
        let mut list = |pc: Pc, part: WarpPart| {
            let lanes = part.lanes - seen.get(part.warp).copied().unwrap_or(LaneMask::EMPTY);
            if !lanes.is_empty() {
                add(&mut seen, part);
                splits.push((pc, WarpPart { lanes, ..part }));
            }
        };
        for entry in self.stack.iter().rev() {
            for warp in &entry.warps {
                warp.parts.iter().for_each(|&part| list(warp.pc, part));
            }
            if let Some(Sides { next, taken, rest, .. }) = &entry.sides {
                let taken = taken.iter().map(|(target, threads)| (*target, threads));
                for (pc, threads) in taken.chain([(*next, rest)]) {
                    threads.iter().enumerate().for_each(|(warp, &lanes)| list(pc, WarpPart { warp, lanes }));
                }
            }
            entry.threads.iter().enumerate().for_each(|(warp, &lanes)| list(entry.next, WarpPart { warp, lanes }));
        }
        splits
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("stack entries of the block, most", self.depth.0 as u64));
    }
}

impl Policy for BlockCompaction {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.core::<Self>()
    }
}

#[cfg(test)]
mod tests;
