//! Finding one of few addresses without looking at all of them.

use smallvec::SmallVec;

const BUCKETS: usize = 64;
const NONE: u16 = u16::MAX;

/// Things that are numbered from zero on, by a key of each. Those whose keys fall together are a list.
pub(super) struct Buckets {
    /// The last that came of each list.
    heads: [u16; BUCKETS],
    /// By number, the one that came before it.
    nexts: SmallVec<[u16; BUCKETS]>,
}

impl Buckets {
    pub(super) fn new() -> Self {
        Self { heads: [NONE; BUCKETS], nexts: SmallVec::new() }
    }

    /// Adds the next thing, with this key.
    pub(super) fn push(&mut self, key: u64) {
        let number = self.nexts.len() as u16;
        self.nexts.push(std::mem::replace(&mut self.heads[key as usize % BUCKETS], number));
    }

    /// The numbers of those that may have this key, the last first.
    pub(super) fn of(&self, key: u64) -> impl Iterator<Item = usize> {
        let mut number = self.heads[key as usize % BUCKETS];
        std::iter::from_fn(move || {
            let found = (number != NONE).then_some(usize::from(number))?;
            number = self.nexts[found];
            Some(found)
        })
    }
}
