use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum E {
    Both(Option<u32>, u32),
    Idle,
}

#[kernel]
fn wrong(x: &mut [E]) {
    match &mut x[0] {
        E::Both(o, k) => {
            *k += 1;
            if let Some(w) = o {
                *w += 10;
            }
            if *k == 3 {
                x[0] = E::Idle;
            }
        }
        E::Idle => {}
    }
}

fn main() {}
