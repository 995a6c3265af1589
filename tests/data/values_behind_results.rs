//! `*self.local(slot)?` of a method that gives a `Result<&mut i32, E>`.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct M {
    v: [i32; 8],
    n: usize,
}
#[device]
impl M {
    fn local(&mut self, slot: usize) -> Result<&mut i32, u32> {
        self.v.get_mut(slot).ok_or(slot as u32)
    }
    fn push(&mut self, v: i32) -> Result<(), u32> {
        *self.v.get_mut(self.n).ok_or(9u32)? = v;
        self.n += 1;
        Ok(())
    }
    fn run(&mut self, slot: usize) -> Result<i32, u32> {
        let value = *self.local(slot)?;
        self.push(value)?;
        *self.local(slot)? += 3;
        let again = *self.local(slot)? + 1;
        self.push(again)?;
        let last = *self.local(slot)?;
        self.push(last)?;
        Ok(value + again)
    }
}
#[kernel]
fn stars(out: &mut [i32]) {
    let i = global_id();
    let mut m = M { v: [5, 6, 0, 0, 0, 0, 0, 0], n: 2 };
    out[i] = match m.run(i) {
        Ok(v) => v * 100 + m.v[2],
        Err(e) => -(e as i32),
    };
}
#[test]
fn values_behind_results() {
    everywhere!(|gpu| {
        let mut out = vec![0; 6];
        gpu.launch(Grid::new(1, 6), stars(&mut out)).unwrap();
        let want: Vec<i32> = (0..6)
            .map(|i| {
                let mut m = M { v: [5, 6, 0, 0, 0, 0, 0, 0], n: 2 };
                match m.run(i) {
                    Ok(v) => v * 100 + m.v[2],
                    Err(e) => -(e as i32),
                }
            })
            .collect();
        assert_eq!(out, want);
    });
}
