//! A byte for each line of a cache, so that a lookup compares few bytes and looks at few lines.

/// Ways that are compared together.
const GROUP: usize = 16;

/// The digest of a slot without a line.
pub(super) const UNUSED: u8 = 0;

/// The digest of a line, of what of its number does not say its set.
pub(super) fn of(high: u64) -> u8 {
    0x80 | high as u8
}

/// Digests by set and way. A set has whole groups of them, the rest unused.
#[derive(Clone, Debug)]
pub(super) struct Digests {
    groups: Vec<[u8; GROUP]>,
    /// How many groups a set has.
    of_set: usize,
}

impl Digests {
    /// Those of unused slots.
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        let of_set = ways.div_ceil(GROUP);
        Self { groups: vec![[UNUSED; GROUP]; sets * of_set], of_set }
    }

    pub(super) fn get(&self, set: usize, way: usize) -> u8 {
        self.groups[set * self.of_set + way / GROUP][way % GROUP]
    }

    pub(super) fn set(&mut self, set: usize, way: usize, digest: u8) {
        self.groups[set * self.of_set + way / GROUP][way % GROUP] = digest;
    }

    /// The lowest way of a set with this digest that is what is looked for.
    pub(super) fn find(&self, set: usize, digest: u8, is: impl Fn(usize) -> bool) -> Option<usize> {
        let groups = &self.groups[set * self.of_set..][..self.of_set];
        for (number, group) in groups.iter().enumerate() {
            // PERF: no early end, so that all are compared at once.
            let mut found = [0; GROUP];
            found.iter_mut().zip(group).for_each(|(found, &other)| *found = u8::from(other == digest));
            if u128::from_ne_bytes(found) == 0 {
                continue;
            }
            let ways = found.iter().enumerate().filter(|(_, found)| **found != 0);
            if let Some(way) = ways.map(|(way, _)| number * GROUP + way).find(|&way| is(way)) {
                return Some(way);
            }
        }
        None
    }

    /// All slots become unused.
    pub(super) fn clear(&mut self) {
        self.groups.as_flattened_mut().fill(UNUSED);
    }
}
