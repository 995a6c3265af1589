//! Structs of the user's by names that std's containers have.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct BinaryHeap<const N: usize> {
    items: [u32; N],
    len: usize,
}

#[device]
impl<const N: usize> BinaryHeap<N> {
    fn new() -> Self {
        BinaryHeap { items: [0; N], len: 0 }
    }

    fn push(&mut self, item: u32) -> bool {
        if self.len == N {
            return false;
        }
        let mut at = self.len;
        self.items[at] = item;
        self.len += 1;
        while at > 0 && self.items[at] < self.items[(at - 1) / 2] {
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        true
    }

    fn peek(&self) -> Option<u32> {
        if self.len == 0 { None } else { Some(self.items[0]) }
    }
}

mod inner {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    pub(super) struct HashSet(pub u32);

    #[device]
    impl HashSet {
        pub(super) fn with(self, item: u32) -> Self {
            HashSet(self.0 | 1 << (item % 32))
        }
    }
}

#[kernel]
fn least(x: &[u32], out: &mut [u32], seen: &mut [u32]) {
    let i = global_id();
    let mut heap = BinaryHeap::<8>::new();
    let mut set: inner::HashSet = inner::HashSet(0);
    for k in 0..9 {
        if heap.push(x[(i + k) % x.len()]) {
            set = set.with(x[(i + k) % x.len()]);
        }
    }
    out[i] = heap.peek().unwrap_or(0);
    seen[i] = set.0;
}

#[test]
fn a_struct_has_the_name_that_it_is_given() -> Result<(), LaunchError> {
    let x: Vec<u32> = (0..40_u32).map(|i| i * 37 % 101).collect();
    let around = |i: usize| (0..8).map(move |k| (i + k) % 40);
    let expected: Vec<u32> = (0..40).filter_map(|i| around(i).map(|at| x[at]).min()).collect();
    let sets: Vec<u32> = (0..40).map(|i| around(i).fold(0, |set, at| set | 1 << (x[at] % 32))).collect();
    for_each_policy!(P => {
        let (mut out, mut seen) = ([0; 40], [0; 40]);
        let _ = Gpu::<P>::default().launch(Grid::new(5, 8), least(&x, &mut out, &mut seen))?;
        assert_eq!((&out[..], &seen[..]), (&expected[..], &sets[..]));
    });
    Ok(())
}
