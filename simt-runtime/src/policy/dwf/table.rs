//! The PC-warp table (TACO'09, section 4.2): for an address the warp of the pool that is being formed there.

use super::config::DwfTable;
use simt_core::code::Pc;

/// Addresses and warps, in sets; of a set, the one used last stands last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    sets: Vec<Vec<(Pc, u16)>>,
    ways: usize,
}

impl Table {
    pub(super) fn new(size: Option<DwfTable>) -> Self {
        // One that knows all addresses is a set without end.
        let (sets, ways) = size.map_or((1, usize::MAX), |size| (size.entries / size.ways, size.ways));
        Self { sets: vec![Vec::new(); sets.max(1)], ways }
    }

    fn set(&mut self, pc: Pc) -> &mut Vec<(Pc, u16)> {
        let number = pc.index() % self.sets.len();
        &mut self.sets[number]
    }

    /// The warp that is being formed at an address.
    pub(super) fn find(&mut self, pc: Pc) -> Option<u16> {
        let set = self.set(pc);
        let place = set.iter().rposition(|&(known, _)| known == pc)?;
        let last = set.len() - 1;
        set[place..].rotate_left(1);
        Some(set[last].1)
    }

    /// The warp that is being formed at an address is this one. Gives whether another address had to leave: its warp stays
    /// in the pool, and nobody joins it any more.
    pub(super) fn point(&mut self, pc: Pc, warp: u16) -> bool {
        let ways = self.ways;
        let set = self.set(pc);
        if let Some(place) = set.iter().rposition(|&(known, _)| known == pc) {
            set.remove(place);
        }
        let full = set.len() >= ways;
        if full {
            set.remove(0);
        }
        set.push((pc, warp));
        full
    }

    /// A warp has left the pool.
    pub(super) fn forget(&mut self, pc: Pc, warp: u16) {
        self.set(pc).retain(|&entry| entry != (pc, warp));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_used_longest_ago_leaves_a_full_set() {
        let mut table = Table::new(Some(DwfTable { entries: 4, ways: 2, ports: 2 }));
        assert!(!table.point(Pc(0), 10));
        assert!(!table.point(Pc(2), 12));
        assert!(!table.point(Pc(1), 11), "another set");
        assert_eq!(table.find(Pc(0)), Some(10));
        assert!(table.point(Pc(4), 14));
        assert_eq!((table.find(Pc(0)), table.find(Pc(2)), table.find(Pc(4))), (Some(10), None, Some(14)));
        assert!(!table.point(Pc(4), 15), "an address that is known needs no room");
        table.forget(Pc(4), 14);
        assert_eq!(table.find(Pc(4)), Some(15));
        table.forget(Pc(4), 15);
        assert_eq!(table.find(Pc(4)), None);
    }
}
