//! Threads that go on, though others of their entry are to come: no other can run, as they wait at barriers.

use super::BlockCompaction;
use super::entry::{Entry, Sides};
use simt_core::code::Pc;

impl BlockCompaction {
    /// A warp of the program all of whose threads wait where they meet others goes on alone; if there is none, some of a warp
    /// that have nothing left to do but to end.
    pub(super) fn let_go(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let mut busy = self.spare.none.clone();
        for entry in &self.stack {
            entry.warps.iter().for_each(|packed| busy |= &packed.threads);
            entry.sides.iter().flat_map(Sides::all).for_each(|threads| busy |= threads);
        }
        for place in (0..self.stack.len()).rev() {
            let entry = &mut self.stack[place];
            let Some(part) = entry.threads.parts().find(|part| busy.of_warp(part.warp).is_empty()) else { continue };
            entry.threads.remove(part);
            let (next, parent, reconvergence) = (entry.next, entry.parent, entry.reconvergence);
            let mut alone = self.spare.none.clone();
            if reconvergence != Some(next) {
                alone.insert(part);
            }
            let number = self.push(parent, reconvergence, next, &alone);
            let pushed = self.stack.iter().position(|entry| entry.number == number);
            pushed.into_iter().for_each(|place| self.settle(place));
            return true;
        }
        for place in (0..self.stack.len()).rev() {
            let Entry { threads, next, .. } = &self.stack[place];
            let mut held = threads.clone();
            held -= &busy;
            busy |= threads;
            let next = *next;
            if !held.is_empty() && ends(next) {
                self.stack.iter_mut().for_each(|entry| entry.threads -= &held);
                self.push(None, None, next, &held);
                self.choose();
                return true;
            }
        }
        false
    }
}
