mod function_of_a_struct_with_fewer_arguments {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct P { x: f32, v: f32 }
    #[device]
    impl P {
        fn new(x: f32, v: f32) -> P { P { x, v } }
    }
    #[kernel]
    fn k(p: &mut [P]) {
        let i = global_id();
        p[i] = P::new(1.0);
    }
}

mod function_of_a_trait_of_the_host {
    use simt::prelude::*;

    trait Area {
        fn of(side: f32) -> f32;
        fn area(&self) -> f32;
    }
    #[derive(Clone, Copy, KernelData)]
    struct Square { side: f32 }
    impl Area for Square {
        fn of(side: f32) -> f32 { side * side }
        fn area(&self) -> f32 { self.side * self.side }
    }
    #[kernel]
    fn k(out: &mut [f32]) {
        out[0] = Square::of(2.0);
        out[1] = Square { side: 2.0 }.area();
    }
    #[kernel]
    fn by_its_path(out: &mut [f32]) {
        out[0] = <Square as Area>::of(2.0);
    }

    trait Length { fn length(&self) -> f32; }
    #[device]
    impl Length for Square {
        fn length(&self) -> f32 { 4.0 * self.side }
    }
}

mod method_as_field {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Point {
        x: u32,
    }

    #[device]
    impl Point {
        fn doubled(self) -> u32 {
            2 * self.x
        }
    }

    #[kernel]
    fn wrong(p: Point, out: &mut [u32]) {
        out[0] = p.doubled;
    }
}

mod method_definition {
    use simt::prelude::*;
    use std::ops::Add;

    #[derive(Clone, Copy, KernelData)]
    struct Counter {
        hits: u32,
    }

    #[device]
    impl Counter {
        fn into_iter(self, other: Self) -> Self {
            other
        }

        fn boxed(self: Box<Self>) -> u32 {
            self.hits
        }

        fn twice(self) -> u32 {
            vec![self.hits].len() as u32
        }
    }

    #[device]
    impl Add for Counter {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self { hits: self.hits + other.hits }
        }
    }

    impl Counter {
        #[device]
        fn inside(self) -> u32 {
            self.hits
        }
    }

    #[kernel]
    fn wrong(counters: &mut [Counter], out: &mut [u32]) {
        let mut counter = counters[0];
        counter.join(&mut counter);
        out[0] = Counter::hit(counter);
    }
}

mod method_misspelled {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i].squrt() + 1.0;
    }
}

mod method_with_mistake {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct P { x: f32, v: f32 }
    #[device]
    impl P {
        fn stepped(self, dt: f32) -> P {
            let v = vec![self.v];
            P { x: self.x + v[0] * dt, v: self.v }
        }
        fn energy(&self) -> f32 { 0.5 * self.v * self.v }
    }
    #[kernel]
    fn step(p: &mut [P], dt: f32) {
        let i = global_id();
        p[i] = p[i].stepped(dt);
        let q = P::stepped(p[i], dt);
        p[i].v = q.energy();
    }
}

mod std_methods {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32], y: &mut [u32]) {
        let o = Some(x[0]);
        let q = x.get(1..2);
        y.sort_unstable_by(|a, b| b.cmp(a));
        let u = y.partition_point(|| true);
        if let Some(v) = &mut y[0] && v.take().is_some() {
            *v += 1;
            y[1] = 2;
        }
        y[0] = o.map_or(0, |v| *v);
    }
}

fn main() {}
