use simt::prelude::*;
use std::ops::*;

#[derive(KernelData)]
struct Rows<'a> {
    data: &'a mut [f32],
}

#[device]
impl Index<usize> for Rows<'_> {
    type Output = [f32];

    fn index(&self, i: usize) -> &[f32] {
        &self.data[4 * i..4 * i + 4]
    }
}

#[device]
impl IndexMut<usize> for Rows<'_> {
    fn index_mut(&mut self, i: usize) -> &mut [f32] {
        &mut self.data[4 * i..4 * i + 4]
    }
}

fn main() {}
