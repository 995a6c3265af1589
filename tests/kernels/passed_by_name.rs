//! Functions that are passed by their names and take references and slices; parameters that are `_`.

programs! {
    types {
        struct Job {
            cost: u32,
            name: u32,
        }
        struct Haar;
        struct Shifted;
    }
    device {
        impl Job {
            fn before(&self, other: &Self) -> bool {
                (self.cost, self.name) < (other.cost, other.name)
            }
            fn delay(&mut self, by: u32) -> u32 {
                self.cost += by;
                self.cost
            }
        }
        fn dearer(a: &Job, b: &Job) -> bool {
            a.cost > b.cost
        }
        fn second(_: u32, b: u32, _: &[u32]) -> u32 {
            b
        }
        fn head(x: &[u32], n: usize) -> u32 {
            x[..n].iter().sum()
        }
        fn longest<T: Copy>(a: T, b: T, less: impl Fn(&T, &T) -> bool) -> T {
            if less(&a, &b) { b } else { a }
        }
        fn twice<F: FnMut(&mut Job, u32) -> u32>(job: &mut Job, mut f: F) -> u32 {
            f(job, 3) + f(job, 4)
        }
        fn of_part(x: &[u32], f: impl Fn(&[u32], usize) -> u32) -> u32 {
            f(&x[1..], 3)
        }
        trait Wavelet {
            fn predict(before: u32, _: u32) -> u32;
            fn update(&self, _: u32, behind: u32) -> u32;
        }
        impl Wavelet for Haar {
            fn predict(before: u32, _: u32) -> u32 {
                before
            }
            fn update(&self, _: u32, behind: u32) -> u32 {
                behind >> 1
            }
        }
        impl Wavelet for Shifted {
            fn predict(_: u32, behind: u32) -> u32 {
                behind + 1
            }
            fn update(&self, before: u32, _: u32) -> u32 {
                before * 2
            }
        }
        fn lifted<W: Wavelet>(w: W, a: u32, b: u32) -> u32 {
            W::predict(a, b) * 100 + w.update(a, b)
        }
    }

    fn of_references(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (Job { cost: x[i] % 5, name: 1 }, Job { cost: x[(i + 1) % x.len()] % 5, name: 2 });
        let mut c = longest(a, b, Job::before);
        let d = longest(c, a, dearer);
        out[i] = c.name + 10 * d.name + 100 * d.cost;
        out[i] += 1000 * twice(&mut c, Job::delay) + 100_000 * c.cost;
    }

    fn of_slices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = of_part(&x[i % 4..], head) + second(x[i], 7, x);
    }

    fn unnamed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let f = |_: u32, b: u32| b + 1;
        out[i] = lifted(Haar, x[i], 5) + 3 * lifted(Shifted, x[i], 9) + f(1, x[i]);
    }
}

mod of_kernels {
    use simt::prelude::*;

    #[kernel]
    fn unused(x: &[u32], _: u32, _: &[f32], y: &mut [u32]) {
        y[global_id()] = x[global_id()];
    }

    #[test]
    fn a_kernel_may_have_unnamed_parameters() -> Result<(), LaunchError> {
        let mut y = [0; 3];
        Gpu::<Ipdom>::default().launch(Grid::new(1, 3), unused(&[4, 5, 6], 1, &[], &mut y))?;
        assert_eq!(y, [4, 5, 6]);
        Ok(())
    }
}
