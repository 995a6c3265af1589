use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Solver<T> {
    at: T,
}

#[device]
impl<T: Num> Solver<T> {
    #[kernel]
    fn of_each(out: &mut [T]) {
        out[0] = T::ZERO;
    }
}

#[derive(Clone, Copy, KernelData)]
struct Plain;

#[device]
impl Plain {
    #[kernel]
    fn of_a_value(&self, out: &mut [u32]) {
        out[0] = 1;
    }
}

#[device]
impl PartialEq<u32> for Plain {
    fn eq(&self, other: &u32) -> bool {
        *other == 0
    }
}

fn main() {}
