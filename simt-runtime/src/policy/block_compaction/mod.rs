//! Thread block compaction: W. W. L. Fung and T. M. Aamodt, *Thread Block Compaction for Efficient SIMT Control Flow*,
//! HPCA 2011, sections 3 and 4.
//!
//! One stack for the block. Its entries are those of [`Ipdom`](super::Ipdom), with threads of all warps in place of one
//! warp's lanes: (reconvergence pc, next pc, threads). The threads of the top entry issue as warps that are packed anew when
//! the entry is made: each SIMD lane's threads, by the number of their warps, go one to the first warp, one to the second,
//! and so on. At a branch the warps wait for each other; when all have come the two sides become entries.

mod entry;
mod let_go;

use super::{
    BlockBranch, BlockChecking, BlockPolicy, BlockSplit, BlockStart, BlockTiming, Ends, Figure, Policy, PolicyVisitor,
    Tally, ThreadMask, WarpPart,
};
use entry::{Entry, Packed, Sides, Spare};
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
/// * **Here** warps wait for each other at calls, too; the paper has none. When no other warp can run, because all others
///   wait at a barrier, a warp of the program that has come to a reconvergence point goes on alone: under other policies it
///   would not have waited.
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
    /// The entries, the top last.
    stack: Vec<Entry>,
    spare: Spare,
    /// The entry and the warp in it that issue.
    current: Option<(usize, usize)>,
    /// The most entries at a time.
    depth: Tally<usize>,
}

impl BlockCompaction {
    /// Adds an entry, whose threads are packed into warps. Returns its number.
    fn push(&mut self, parent: Option<u32>, reconvergence: Option<Pc>, pc: Pc, threads: &ThreadMask) -> u32 {
        let number = self.stack.iter().map(|entry| entry.number + 1).max().unwrap_or(0);
        let mut entry = self.spare.entry(number, parent, reconvergence);
        entry.pack(pc, threads);
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

    /// A warp of an entry has come to its end or to its branch: updates the entry.
    fn settle(&mut self, place: usize) {
        let entry = &mut self.stack[place];
        if entry.warps.is_empty() && entry.children == 0 {
            match entry.sides.take() {
                Some(sides) => {
                    self.part(place, &sides);
                    self.spare.end_sides(sides);
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
                [(target, threads)] if rest.is_empty() => return self.proceed(place, *target, threads),
                _ => {}
            }
        }
        let entry = &mut self.stack[place];
        let (number, parent, reconvergence) = (entry.number, entry.parent, entry.reconvergence);
        let ends = if calls { None } else { meet.or(reconvergence) };
        // The entry waits where its sides meet; if one below waits there already, the sides take its place.
        let waits = calls || (meet.is_some() && meet != reconvergence);
        if waits {
            entry.next = if calls { next } else { meet.unwrap_or(next) };
            sides.all().for_each(|threads| entry.threads |= threads);
        }
        let above = if waits { Some(number) } else { parent };
        // The side that is pushed last runs first: the taken one.
        let sides = [(next, rest)].into_iter().chain(taken.iter().rev().map(|(pc, threads)| (*pc, threads)));
        for (pc, threads) in sides {
            if !threads.is_empty() && Some(pc) != ends {
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
    fn proceed(&mut self, place: usize, pc: Pc, threads: &ThreadMask) {
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(pc) {
            return self.end(place);
        }
        entry.pack(pc, threads);
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

    /// Called when an entry has no threads left to wait for.
    fn resume(&mut self, place: usize) {
        let Entry { next, threads, .. } = &mut self.stack[place];
        let (next, threads) = (*next, std::mem::replace(threads, self.spare.none.clone()));
        if threads.is_empty() {
            self.end(place);
        } else {
            self.proceed(place, next, &threads);
        }
    }

    /// The current warp waits at its branch for the others of its entry.
    fn wait(&mut self, branch: BlockBranch<'_>, calls: bool) {
        let Some((place, warp)) = self.current.take() else { return };
        let BlockBranch { taken, target, next, meet, .. } = branch;
        let Entry { sides, warps, .. } = &mut self.stack[place];
        let sides = sides.get_or_insert_with(|| Sides {
            next,
            meet,
            calls,
            taken: self.spare.taken.take(),
            rest: self.spare.none.clone(),
        });
        if !taken.is_empty() {
            let place = sides.taken.iter().position(|(known, _)| *known == target).unwrap_or_else(|| {
                sides.taken.push((target, self.spare.none.clone()));
                sides.taken.len() - 1
            });
            sides.taken[place].1 |= taken;
        }
        let threads = &mut warps[warp].threads;
        *threads -= taken;
        sides.rest |= threads;
        self.stack[place].end(warp);
        self.settle(place);
    }

    /// Threads of an entry that have waited go on, at the place `warp` among its warps: where their warp stood, or next to it, so
    /// that they run before those that are left of it.
    fn go_on(&mut self, place: usize, warp: usize, part: WarpPart, pc: Pc) {
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(pc) {
            return self.settle(place);
        }
        // Threads that have waited together go on together.
        let has_room = |packed: &&mut Packed| (packed.threads.lanes() & part.lanes).is_empty();
        match entry.warps.iter_mut().rev().filter(|packed| !packed.parked && packed.pc == pc).find(has_room) {
            Some(packed) => packed.threads.insert(part),
            None => {
                let mut threads = self.spare.none.clone();
                threads.insert(part);
                entry.warps.insert(warp, Packed { pc, threads, parked: false });
            }
        }
    }

    fn select(&mut self, free: &[LaneMask]) -> bool {
        let is_free = |&(entry, warp): &(usize, usize)| self.stack[entry].warps[warp].is_free(free);
        let of_entry = |place: usize| Some((place, self.stack[place].free(free)?));
        let found = self.current.filter(is_free).or_else(|| (0..self.stack.len()).rev().find_map(of_entry));
        self.current = found.or(self.current);
        found.is_some()
    }
}

impl BlockPolicy for BlockCompaction {
    const NAME: &'static str = "BlockCompaction";
    const MARKERS: Markers = Markers::PostDominators;
    const ENDS: Option<Ends> = Some(Ends { program_2: false, program_3: false, lock_behind: false, ..Ends::ALL });
    const TIMING: BlockTiming<Self> = BlockTiming { select: Some(Self::select), ..BlockTiming::DEFAULT };
    const CHECKING: BlockChecking<Self> = BlockChecking::TRUSTED;

    fn start(start: BlockStart<'_>) -> Self {
        let mut all = start.no_threads();
        start.parts().for_each(|part| all.insert(part));
        let mut policy =
            Self { stack: Vec::new(), spare: Spare::new(start.no_threads()), current: None, depth: Tally(0) };
        policy.push(None, None, start.pc, &all);
        policy.choose();
        policy
    }

    #[inline(always)]
    fn current(&self) -> Option<BlockSplit<'_>> {
        let (entry, warp) = self.current?;
        let Packed { pc, threads, .. } = &self.stack[entry].warps[warp];
        Some(BlockSplit { pc: *pc, threads })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        let Some((place, warp)) = self.current else { return };
        let entry = &mut self.stack[place];
        if entry.reconvergence == Some(next) {
            entry.end(warp);
            self.settle(place);
        } else {
            entry.warps[warp].pc = next;
        }
    }

    fn branch(&mut self, branch: BlockBranch<'_>) {
        self.wait(branch, false);
    }

    fn exit(&mut self) {
        let Some((place, warp)) = self.take() else { return };
        for entry in &mut self.stack {
            entry.threads -= &warp.threads;
        }
        self.settle(place);
    }

    fn call(&mut self, target: Pc, back: Pc) {
        let mut all = self.spare.none.clone();
        if let Some(BlockSplit { threads, .. }) = self.current() {
            all |= threads;
        }
        self.wait(BlockBranch { taken: &all, target, next: back, meet: None, leaves: false }, true);
    }

    /// All threads of an entry were called by one call: they return together, when the last of them has come.
    fn ret(&mut self, _returning: &ThreadMask, _back: Pc, _at: Pc) {
        if let Some((place, _)) = self.take() {
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
            let has_some = |packed: &Packed| !(packed.threads.of_warp(part.warp) & part.lanes).is_empty();
            let Some(warp) = entry.warps.iter().rposition(|packed| packed.parked && has_some(packed)) else {
                place += 1;
                continue;
            };
            let packed = &mut entry.warps[warp];
            let woken = WarpPart { lanes: packed.threads.of_warp(part.warp) & part.lanes, ..part };
            packed.threads.remove(woken);
            let stood = if packed.threads.is_empty() {
                entry.warps.remove(warp);
                warp
            } else {
                warp + 1
            };
            self.go_on(place, stood, woken, next);
            // The entry may have ended: the stack below it has changed.
            self.choose();
            place = 0;
        }
        self.choose();
    }

    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        self.let_go(ends)
    }

    fn splits(&self) -> Vec<(Pc, WarpPart)> {
        let (mut splits, mut seen) = (Vec::new(), self.spare.none.clone());
        let mut list = |pc: Pc, threads: &ThreadMask| {
            let mut unseen = threads.clone();
            unseen -= &seen;
            seen |= threads;
            splits.extend(unseen.parts().map(|part| (pc, part)));
        };
        self.current().into_iter().for_each(|BlockSplit { pc, threads }| list(pc, threads));
        for entry in self.stack.iter().rev() {
            entry.warps.iter().rev().for_each(|warp| list(warp.pc, &warp.threads));
            if let Some(Sides { next, taken, rest, .. }) = &entry.sides {
                let taken = taken.iter().map(|(target, threads)| (*target, threads));
                taken.chain([(*next, rest)]).for_each(|(pc, threads)| list(pc, threads));
            }
            list(entry.next, &entry.threads);
        }
        splits
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("stack entries of the block, most", self.depth.0 as u64));
    }
}

impl Policy for BlockCompaction {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.block::<Self>()
    }
}

#[cfg(test)]
mod tests;
