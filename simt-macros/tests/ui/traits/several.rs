mod trait_definition {
    use simt::prelude::*;

    #[device]
    trait Lent<'a> {
        fn f(self) -> u32;
    }

    #[device]
    trait WithType {
        type Out;

        fn f(self) -> u32;
    }

    #[device]
    trait Known {
        fn into_iter(self, other: Self) -> Self;
    }

    #[device]
    trait Wrong {
        fn f(self, x: u32) -> u32 {
            vec![x].len() as u32
        }
    }
}

mod trait_object {
    use simt::prelude::*;

    #[device]
    trait Area { fn area(&self) -> f32; }
    #[device]
    fn area_of(shape: &dyn Area) -> f32 { shape.area() }
    #[kernel]
    fn k(out: &mut [f32]) {
        let i = global_id();
        out[i] = 1.0;
    }
}

mod trait_of_the_host {
    use simt::prelude::*;

    trait Area { fn area(&self) -> f32; }
    #[derive(Clone, Copy, KernelData)]
    struct Sq { a: f32 }
    impl Area for Sq { fn area(&self) -> f32 { self.a * self.a } }
    #[kernel]
    fn k(p: &[Sq], out: &mut [f32]) {
        let i = global_id();
        out[i] = p[i].area();
    }
}

fn main() {}
