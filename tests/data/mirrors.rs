//! References to arrays that are fields of variables: they stay, whatever leaves the block in which they were made.

use simt::KernelData;
use simt::prelude::device;

#[derive(Clone, Copy, KernelData)]
struct Slot {
    key: u32,
    at: (u32, u32),
}

#[derive(Clone, Copy, KernelData)]
struct Bag {
    slots: [Slot; 4],
    rows: [[u32; 2]; 3],
    free: [Option<u32>; 3],
    len: usize,
}

#[device]
impl Bag {
    /// Leaves the function within the loop.
    fn put(&mut self, key: u32) -> Option<usize> {
        for (k, slot) in self.slots.iter_mut().enumerate() {
            if slot.key > key {
                slot.key = key;
                slot.at.1 += 10;
                return Some(k);
            }
        }
        None
    }

    fn push(&mut self, key: u32) -> Result<usize, u32> {
        self.slots.get_mut(self.len).ok_or(key)?.key = key;
        *self.rows.get_mut(self.len).ok_or(key + 1)? = [key, 7];
        self.len += 1;
        Ok(self.len)
    }

    fn total(&self) -> u32 {
        let slots: u32 = self.slots.iter().map(|s| s.key + 3 * s.at.0 + 5 * s.at.1).sum();
        let rows: u32 = self.rows.iter().map(|r| 7 * r[0] + 11 * r[1]).sum();
        let free: u32 = self.free.iter().map(|f| f.map_or(1, |f| 13 * f)).sum();
        slots + rows + free + 17 * self.len as u32
    }
}

items_with_kernels! {
    {
        fn bag(seed: u32) -> Bag {
            let slot = Slot { key: seed, at: (1, seed / 2) };
            Bag { slots: [slot; 4], rows: [[seed, 1], [2, 3], [4, 5]], free: [Some(seed), None, Some(3)], len: 0 }
        }

        fn double(all: &mut [u32], by: u32) {
            for v in all {
                *v *= by;
            }
        }

        fn bump(one: &mut u32, slot: &mut Slot) -> u32 {
            *one += 1;
            slot.at.0 = *one;
            *one
        }

        fn nth(all: &mut [u32], n: usize) -> Option<&mut u32> {
            all.get_mut(n)
        }

        /// Each activation has a mirror of its own.
        fn deep(n: u32) -> u32 {
            let mut b = bag(n);
            let last = b.rows.last_mut().unwrap();
            last[1] = n;
            if n > 0 {
                let below = deep(n - 1);
                b.rows[2][0] += below;
            }
            b.rows[2][0] + b.rows[2][1]
        }

        fn twice(mut f: impl FnMut(u32)) {
            f(1);
            f(2);
        }
    }

    fn of_elements(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(x[i]);
        let e = &mut b.slots[i % 4];
        e.key += 4;
        e.at.0 = e.key * 2;
        if let Some(slot) = b.slots.get_mut(x[i] as usize) {
            slot.key = 9;
        } else {
            b.len = 2;
        }
        b.slots.last_mut().unwrap().at.1 = 6;
        if let Some(first) = b.slots.first_mut() {
            first.at.1 = 8;
        }
        let at = &mut b.slots[2].at;
        at.0 += 3;
        out[i] = b.total();
    }

    fn of_rows(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(x[i]);
        let row = &mut b.rows[i % 3];
        row[0] += 5;
        row[1] = row[0];
        b.rows[1].swap(0, 1);
        b.rows[..2].reverse();
        double(&mut b.rows[2][..], 3);
        let k = i % 3;
        double(&mut b.rows[k][1..], 2);
        out[i] = b.total();
    }

    fn of_options(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(x[i]);
        let k = i % 3;
        let taken = b.free[k].take();
        let old = b.free[2].replace(x[i]);
        let known = *b.free[1].get_or_insert(4);
        out[i] = b.total() + taken.unwrap_or(100) + old.unwrap_or(200) + known;
    }

    fn that_leave(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(20 + x[i] % 3);
        let mut sum = 0;
        for k in 0..6 {
            let found = b.put(18 + (k + x[i]) % 5);
            sum += found.map_or(50, |at| at as u32);
            sum += match b.push(k) {
                Ok(len) => len as u32,
                Err(key) => 1000 * (key + 1),
            };
        }
        out[i] = b.total() + sum;
    }

    fn passed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(x[i]);
        let mut counts = [[1, 2, 3], [4, 5, 6]];
        let mut one = 3;
        let seen = bump(&mut one, &mut b.slots[i % 4]);
        if let Some(v) = nth(&mut b.rows[1][..], i % 3) {
            *v += seen;
        }
        double(&mut counts[1][i % 2..], 10);
        let (left, right) = b.slots.split_at_mut(2);
        left[0].key = right[1].key + 1;
        right[0].at = (left[1].key, 2);
        twice(|n| b.rows[2][1] += n);
        out[i] = b.total() + counts[1][1] + counts[1][2] + deep(x[i] % 4);
    }

    fn chosen(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = bag(x[i]);
        let mut rest = &mut b.rows[..];
        while let Some((first, others)) = rest.split_first_mut() {
            first[0] += others.len() as u32;
            if first[0] > 12 {
                break;
            }
            rest = others;
        }
        let mut k = 0;
        while let Some(slot) = b.slots.get_mut(k) {
            slot.key += k as u32;
            k += 1 + x[i] as usize % 2;
        }
        out[i] = b.total();
    }
}
same!(of_elements of_rows of_options that_leave passed chosen);

#[test]
fn an_index_beyond_ends_the_launch() {
    use simt::prelude::*;

    #[kernel]
    fn beyond(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut b = Bag { slots: [Slot { key: 1, at: (2, 3) }; 4], rows: [[0; 2]; 3], free: [None; 3], len: 0 };
        let e = &mut b.slots[x[i] as usize];
        e.key = 1;
        out[i] = b.total();
    }

    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), beyond(&[4], &mut [0])).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::out-of-bounds]"), "{error}");
}
