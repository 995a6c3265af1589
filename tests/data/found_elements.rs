//! Elements that an iterator of `&mut` ends in, and that are written.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Slot {
    key: u32,
    hits: u32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Table {
    slots: [Slot; 4],
    lost: u32,
}

#[device]
impl Table {
    /// Counts a key, in its slot or a free one.
    fn count(&mut self, key: u32) -> bool {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.key == key) {
            slot.hits += 1;
            return true;
        }
        let Some(free) = self.slots.iter_mut().skip(1).find(|s| s.key == 0) else {
            self.lost += 1;
            return false;
        };
        free.key = key;
        free.hits = 1;
        true
    }
}

#[kernel]
fn counted(keys: &[u32], tables: &mut [Table], known: &mut [u32]) {
    let i = global_id();
    let mut table = tables[i];
    for &key in &keys[4 * i..4 * i + 4] {
        if table.count(key) {
            known[i] += 1;
        }
    }
    tables[i] = table;
}

#[test]
fn slots_are_found_by_their_keys() -> Result<(), LaunchError> {
    let keys: Vec<u32> = (0..32).map(|i| 1 + i * i % 7).collect();
    let empty = Table { slots: [Slot::default(); 4], lost: 0 };
    let (mut expected, mut all) = ([empty; 8], [0; 8]);
    for ((table, known), keys) in expected.iter_mut().zip(&mut all).zip(keys.chunks(4)) {
        *known = keys.iter().filter(|&&key| table.count(key)).count() as u32;
    }
    assert!(expected.iter().any(|table| table.lost > 0) && expected.iter().any(|table| table.slots[1].hits > 1));
    for_each_policy!(P => {
        let (mut tables, mut known) = ([empty; 8], [0; 8]);
        let _ = Gpu::<P>::default().launch(Grid::new(1, 8), counted(&keys, &mut tables, &mut known))?;
        assert_eq!((tables, known), (expected, all));
    });
    Ok(())
}

/// A kernel, and the same in plain Rust.
macro_rules! both {
    (fn $name:ident($($parameter:ident: $ty:ty),*) $body:block) => {
        #[kernel]
        fn $name($($parameter: $ty),*) $body

        mod host {
            pub(super) fn $name($($parameter: $ty),*) $body
        }
    };
}

/// Functions that give references to what is written, whatever they are called.
#[device]
fn vacant(slots: &mut [Slot]) -> Option<&mut Slot> {
    slots.iter_mut().find(|slot| slot.key == 0)
}

#[kernel]
fn filled(slots: &mut [Slot], keys: &[u32], full: &mut [u32]) {
    for &key in keys {
        if let Some(slot) = vacant(slots) {
            slot.key = key;
            slot.hits += 1;
        } else {
            full[0] += 1;
        }
    }
    let Some(slot) = vacant(&mut slots[1..]) else {
        full[1] = 7;
        return;
    };
    slot.hits = slot.key + 9;
    match vacant(slots) {
        Some(slot) if slot.hits > 8 => slot.key = 99,
        Some(slot) => slot.hits = 5,
        None => full[1] = 8,
    }
}

#[test]
fn references_that_a_function_gives_are_written() -> Result<(), LaunchError> {
    let slot = |key, hits| Slot { key, hits };
    for (count, expected, full) in [
        (2, [slot(4, 1), slot(6, 1), slot(99, 9)], [0, 0]),
        (3, [slot(4, 1), slot(6, 1), slot(8, 1)], [0, 7]),
        (5, [slot(4, 1), slot(6, 1), slot(8, 1)], [2, 7]),
    ] {
        let keys: Vec<u32> = (0..count).map(|i| 4 + 2 * i).collect();
        let (mut slots, mut found) = ([Slot::default(); 3], [0; 2]);
        let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), filled(&mut slots, &keys, &mut found))?;
        assert_eq!((slots, found), (expected, full), "{count} keys");
    }
    Ok(())
}

#[device]
fn busiest(slots: &[Slot]) -> Option<Slot> {
    slots.iter().copied().max_by_key(|slot| slot.hits).filter(|slot| slot.hits > 0)
}

/// A name that is a value's here and a variable's there.
#[kernel]
fn renamed(slots: &mut [Slot], out: &mut [u32]) {
    if let Some(slot) = busiest(slots) {
        out[0] = slot.key;
        let mut slot = slot;
        slot.key += 1;
        out[1] = slot.key;
    }
    if let Some((i, v)) = out.iter().enumerate().max_by_key(|&(_, v)| *v) {
        out[2] = i as u32 + *v;
    }
    for (i, v) in out.iter_mut().enumerate() {
        *v += i as u32;
    }
}

#[test]
fn names_of_values_stay_values() -> Result<(), LaunchError> {
    let (mut slots, mut out) = ([Slot { key: 3, hits: 1 }, Slot { key: 8, hits: 2 }], [0; 3]);
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), renamed(&mut slots, &mut out))?;
    assert_eq!((slots[1].key, out), (8, [8, 10, 12]));
    Ok(())
}

#[device]
impl Table {
    fn same(self) -> Self {
        self
    }

    /// A method of the struct's own, by the name of one that iterators have.
    fn rfind(&self, key: u32) -> u32 {
        self.slots.iter().rposition(|slot| slot.key == key).map_or(9, |number| number as u32)
    }
}

#[kernel]
fn last_of(table: Table, out: &mut [u32]) {
    out[0] = table.same().rfind(6);
    out[1] = table.same().rfind(7);
    out[2] = table.slots.iter().rfind(|slot| slot.key == 6).map_or(0, |slot| slot.hits);
}

#[test]
fn a_method_of_the_structs_own_is_none_of_an_iterators() -> Result<(), LaunchError> {
    let (mut table, mut out) = (Table { slots: [Slot::default(); 4], lost: 0 }, [0; 3]);
    (table.slots[1], table.slots[2]) = (Slot { key: 6, hits: 4 }, Slot { key: 6, hits: 5 });
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), last_of(table, &mut out))?;
    assert_eq!(out, [2, 9, 5]);
    Ok(())
}

both! {
    fn chosen(x: &mut [u32], limit: u32, optional: &mut [Option<u32>]) {
        if let Some(v) = x.iter_mut().rev().find(|v| **v > limit) {
            *v += 100;
        }
        if let Some(v) = x.iter_mut().max_by_key(|v| **v % 16) {
            *v *= 2;
        }
        if let Some(v) = x.iter_mut().filter(|v| **v % 2 == 1).min_by_key(|v| **v) {
            *v += 7;
        }
        if let Some(v) = x.iter_mut().step_by(2).nth(1) {
            *v ^= 1;
        }
        match x.iter_mut().take(3).last() {
            Some(last) => *last += 1,
            None => optional.fill(None),
        }
        if let Some(first) = x.iter_mut().next() {
            *first += 3;
        }
        if let Some(v) = x.iter_mut().rfind(|v| **v < limit) {
            *v += 11;
        }
        if let Some(v) = x.iter_mut().max_by(|a, b| (**a % 7).cmp(&(**b % 7))) {
            *v += 5;
        }
        for v in optional.iter_mut().flatten() {
            if *v == 5 {
                continue;
            }
            *v += 1;
        }
    }
}

#[test]
fn elements_are_chosen_as_in_rust() -> Result<(), LaunchError> {
    for limit in [3, 40, 1000] {
        for count in [0, 1, 2, 5, 9] {
            let start: Vec<u32> = (0..count).map(|i| i * 37 % 50).collect();
            let options: Vec<Option<u32>> = (0..count).map(|i| (i % 3 != 1).then_some(i)).collect();
            let (mut x, mut optional) = (start.clone(), options.clone());
            let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), chosen(&mut x, limit, &mut optional))?;
            let (mut expected, mut of_options) = (start, options);
            host::chosen(&mut expected, limit, &mut of_options);
            assert_eq!((x, optional), (expected, of_options), "{count} elements, limit {limit}");
        }
    }
    Ok(())
}
