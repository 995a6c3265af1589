//! Methods of users' types that are `iter` and `iter_mut`: of a name, rustc finds out which are meant.

programs! {
    types {
        struct Bag {
            items: [u32; 4],
            len: usize,
        }
        struct Items {
            items: [u32; 4],
            at: usize,
            end: usize,
        }
    }
    device {
        impl Iterator for Items {
            type Item = u32;

            fn next(&mut self) -> Option<u32> {
                if self.at < self.end {
                    self.at += 1;
                    Some(self.items[self.at - 1])
                } else {
                    None
                }
            }
        }
        impl Bag {
            fn iter(&self) -> Items {
                Items { items: self.items, at: 0, end: self.len }
            }
            fn iter_mut(&mut self) -> Items {
                self.len += 1;
                Items { items: self.items, at: 1, end: self.len }
            }
            fn total(&self) -> u32 {
                let mut sum = 0;
                for v in self.iter() {
                    sum += v;
                }
                sum
            }
        }
        fn of_slice(a: &[u32]) -> u32 {
            a.iter().sum()
        }
        fn of_array(a: [u32; 3]) -> u32 {
            let [b, ..] = a;
            a.iter().map(|v| v * b).sum()
        }
    }
    fn bags(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut bag = Bag { items: [x[i], 2, 9, x[i] / 2], len: 2 };
        let mut r = bag.total();
        for v in bag.iter() {
            r += v * 2;
        }
        for v in bag.iter_mut() {
            r += v * 3;
        }
        r += bag.iter().map(|v| v + 1).sum::<u32>() + bag.iter().filter(|v| v % 2 == 0).count() as u32;
        let mut it = bag.iter();
        if let Some(v) = it.next() {
            r += v;
        }
        for v in it {
            r += v * 5;
        }
        let array = bag.items;
        let mut rows = [bag.items; 2];
        for v in array.iter() {
            r += v;
        }
        let row = &mut rows[1];
        for v in row.iter_mut() {
            *v += 1;
        }
        out[i] = r + of_slice(&array) + of_array([1, 2, x[i]]) + rows[1][2] + rows[0].iter().sum::<u32>();
    }
}
