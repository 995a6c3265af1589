//! Types of traits: the text is compiled as plain Rust, too.

#[simt::device]
trait Operator {
    type Value;
    type Wide;

    const START: u32;

    fn step(self, v: u32) -> Self::Value;
    fn wide(self, v: Self::Value) -> Self::Wide;
    fn both(self, v: u32) -> (Self::Value, Self::Wide) {
        (self.step(v), self.wide(self.step(v + Self::START)))
    }
}

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Halved;

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Added(u32);

#[simt::device]
impl Operator for Halved {
    type Value = f32;
    type Wide = (u32, f32);

    const START: u32 = 3;

    fn step(self, v: u32) -> f32 {
        v as f32 * 0.5
    }
    fn wide(self, v: Self::Value) -> Self::Wide {
        (v as u32, v + 1.0)
    }
}

#[simt::device]
impl Operator for Added {
    type Value = u32;
    type Wide = u64;

    const START: u32 = 0;

    fn step(self, v: u32) -> Self::Value {
        v + self.0
    }
    fn wide(self, v: u32) -> u64 {
        let wide: Self::Wide = v as u64;
        wide << 33
    }
}

items_with_kernels! {
    {
        fn applied<O: Operator>(operator: O, v: u32) -> O::Wide {
            let value = operator.step(v);
            operator.wide(value)
        }
    }

    fn types(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = applied(Halved, x[i]);
        let c = applied(Added(2), x[i]);
        let (d, (e, f)) = Halved.both(x[i]);
        let (g, h) = Added(x[i]).both(1);
        out[i] = a + b as u32 + (c >> 32) as u32 + d as u32 + e + f as u32 + g + (h >> 33) as u32;
    }
}

same! { types }
