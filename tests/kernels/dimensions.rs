//! `thread_idx()` and the like as values: the text is compiled as plain Rust, too.

use simt::Dim3;

items_with_kernels! {
    {
        fn flat(at: Dim3, of: Dim3) -> usize {
            (at.z * of.y + at.y) * of.x + at.x
        }

        fn corner(dims: &Dim3) -> Dim3 {
            let Dim3 { x, y, .. } = *dims;
            Dim3 { x: x - 1, y: y - 1, z: 0 }
        }

        fn grow(d: &mut Dim3) {
            d.x += 2;
        }
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let t = thread_idx();
        let (block, dim) = (block_idx(), block_dim());
        let inside = flat(t, dim) + flat(block, grid_dim()) * dim.x;
        let mut far = corner(&dim);
        grow(&mut far);
        far.y += t.x;
        let same = t == thread_idx();
        out[inside] = x[inside] + far.x as u32 * 100 + (far.y + block.x) as u32 + same as u32;
    }
}

same! { values }

#[simt::prelude::kernel]
fn passed(size: Dim3, all: &[Dim3], out: &mut [usize]) {
    let i = global_id();
    out[i] = size.x * all[i].y + size.z;
}

#[test]
fn the_host_passes_dimensions() {
    let all = [1, 2, 3].map(|y| Dim3 { x: 9, y, z: 9 });
    let mut out = [0; 3];
    let gpu = simt::Gpu::<simt::prelude::Ipdom>::default();
    let launched = gpu.launch(simt::Grid::new(1, 3), passed(Dim3 { x: 10, y: 0, z: 7 }, &all, &mut out));
    assert!(launched.is_ok(), "{launched:?}");
    assert_eq!(out, [17, 27, 37]);
}
