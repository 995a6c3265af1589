mod data_field {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Named {
        x: f32,
        name: &'static str,
        letters: [char; 4],
        place: (f32, f32),
    }
}

mod references_as_parameter {
    use simt::prelude::*;

    struct View<'a> {
        x: &'a [f32],
        n: u32,
    }

    #[derive(Clone, Copy, KernelData)]
    struct Derived<'a> {
        x: &'a [f32],
    }

    #[kernel]
    fn wrong(v: View<'_>, out: &mut [f32]) {
        out[0] = v.x[v.n as usize];
    }

    #[kernel]
    fn of_derived(v: Derived<'_>, out: &mut [f32]) {
        out[0] = v.x[0];
    }
}

mod struct_field_of_number {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.x;
    }
}

mod struct_field_type {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Point {
        x: f32,
        v: [u32; 3],
    }

    #[kernel]
    fn wrong(p: &mut [Point]) {
        p[0].x = 1;
        p[0].v[0] = 2.0;
    }
}

mod struct_read_only {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Point {
        x: f32,
        v: [u32; 3],
    }

    #[kernel]
    fn wrong(p: &[Point]) {
        p[0].x = 1.0;
    }
}

mod struct_with_methods_without_derive {
    use simt::prelude::*;

    struct Vec3 { x: f32, y: f32, z: f32 }

    #[device]
    impl Vec3 {
        fn new(x: f32, y: f32, z: f32) -> Vec3 { Vec3 { x, y, z } }
        fn dot(self, o: Vec3) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn scale(&self, by: f32) -> Self { Self { x: self.x * by, y: self.y * by, z: self.z * by } }
    }

    #[kernel]
    fn lengths(x: &[Vec3], out: &mut [f32]) {
        let i = global_id();
        if i < x.len() {
            let v = x[i].scale(2.0);
            out[i] = v.dot(v).sqrt();
        }
    }
}

mod struct_with_vec {
    use simt::prelude::*;

    #[derive(Clone, KernelData)]
    struct Mesh { points: Vec<f32>, n: u32 }
    #[kernel]
    fn k(m: &[Mesh], out: &mut [u32]) {
        let i = global_id();
        out[i] = m[i].n;
    }
}

fn main() {}
