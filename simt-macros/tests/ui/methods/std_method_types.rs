use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Counter {
    hits: u32,
}

#[device]
impl Counter {
    fn len(&self) -> u32 {
        self.hits
    }
}

#[kernel]
fn wrong(x: &[u32], y: &mut [u32], scale: f32) {
    let o = Some(x[0]);
    let old = o.take();
    let p = old.or(3);
    let r = x.get(1.5);
    let fixed = Counter { hits: 1 };
    let s = fixed.len() + fixed.min(2);
    let first = s.first();
    x.reverse();
    let t = scale.cmp(&1.0);
    y[0] = u8::try_from(scale).unwrap_or(3);
}

fn main() {}
