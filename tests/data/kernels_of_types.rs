//! Kernels in a `#[device] impl`, which are launched by the type's name.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Physics {
    step: f32,
}

#[device]
impl Physics {
    const SCALE: f32 = 2.0;

    fn scaled(self) -> f32 {
        self.step * Self::SCALE
    }

    /// Moves all.
    #[kernel]
    pub(crate) fn advance(x: &mut [f32], by: Physics, all: &[Self]) {
        let i = global_id();
        x[i] += by.scaled() + Self::SCALE + all[0].step;
    }

    #[kernel(launch_bounds(2))]
    fn add<T: Num, const N: usize>(x: &mut [T], mut by: T) {
        by += N as T;
        x[global_id()] += by;
    }
}

#[test]
fn a_type_has_kernels() {
    let (gpu, by) = (Gpu::<Ipdom>::default(), Physics { step: 1.0 });
    let mut x = [0.5; 2];
    gpu.launch(Grid::new(1, 2), Physics::advance(&mut x, by, &[Physics { step: 3.0 }])).unwrap();
    assert_eq!(x, [7.5; 2]);
    gpu.launch(Grid::new(1, 2), Physics::add::<f32, 3>(&mut x, 0.5)).unwrap();
    assert_eq!((x, by.scaled()), ([11.0; 2], 2.0));
    let error = gpu.launch(Grid::new(1, 3), Physics::add::<f32, 3>(&mut x, 0.5)).unwrap_err().to_string();
    assert!(error.contains("kernel `Physics::add`"), "{error}");
}
