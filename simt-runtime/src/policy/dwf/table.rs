//! The PC-warp table (TACO'09, section 4.2): for an address the warp of the pool that is being formed there.

use super::config::DwfTable;
use simt_core::code::Pc;

/// Addresses and warps.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Table {
    /// A table of all addresses: the number of each address's warp, counted from one; 0 if it has none.
    All(Vec<u32>),
    /// A table of limited size.
    Sets(Sets),
}

impl Table {
    pub(super) fn new(size: Option<DwfTable>) -> Self {
        match size {
            None => Self::All(Vec::new()),
            Some(DwfTable { entries, ways, .. }) => {
                Self::Sets(Sets { sets: vec![Vec::new(); (entries / ways).max(1)], ways })
            }
        }
    }

    /// The warp that is being formed at an address.
    #[inline(always)]
    pub(super) fn find(&mut self, pc: Pc) -> Option<u16> {
        match self {
            Self::All(warps) => warps.get(pc.index())?.checked_sub(1).map(|warp| warp as u16),
            Self::Sets(sets) => sets.find(pc),
        }
    }

    /// Enters the warp that is being formed at an address. Returns whether another address had to leave: its warp stays in
    /// the pool, and no thread joins it any more.
    pub(super) fn point(&mut self, pc: Pc, warp: u16) -> bool {
        match self {
            Self::All(warps) => {
                if warps.len() <= pc.index() {
                    warps.resize(pc.index() + 1, 0);
                }
                warps[pc.index()] = u32::from(warp) + 1;
                false
            }
            Self::Sets(sets) => sets.point(pc, warp),
        }
    }

    /// A warp has left the pool.
    #[inline(always)]
    pub(super) fn forget(&mut self, pc: Pc, warp: u16) {
        match self {
            Self::All(warps) => {
                if let Some(known) = warps.get_mut(pc.index()).filter(|known| **known == u32::from(warp) + 1) {
                    *known = 0;
                }
            }
            Self::Sets(sets) => sets.forget(pc, warp),
        }
    }
}

/// Addresses and warps in sets; in a set, the one used last stands last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    sets: Vec<Vec<(Pc, u16)>>,
    ways: usize,
}

impl Sets {
    fn set(&mut self, pc: Pc) -> &mut Vec<(Pc, u16)> {
        let number = pc.index() % self.sets.len();
        &mut self.sets[number]
    }

    fn find(&mut self, pc: Pc) -> Option<u16> {
        let set = self.set(pc);
        let place = set.iter().rposition(|&(known, _)| known == pc)?;
        let last = set.len() - 1;
        set[place..].rotate_left(1);
        Some(set[last].1)
    }

    fn point(&mut self, pc: Pc, warp: u16) -> bool {
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

    fn forget(&mut self, pc: Pc, warp: u16) {
        self.set(pc).retain(|&entry| entry != (pc, warp));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_without_a_size_knows_the_last_warp_of_each_address() {
        let mut table = Table::new(None);
        assert!(!table.point(Pc(5), 0) && !table.point(Pc(2), 7) && !table.point(Pc(5), 3));
        assert_eq!([2, 5, 6].map(|pc| table.find(Pc(pc))), [Some(7), Some(3), None]);
        table.forget(Pc(5), 0);
        table.forget(Pc(2), 7);
        assert_eq!([2, 5].map(|pc| table.find(Pc(pc))), [None, Some(3)]);
    }

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
