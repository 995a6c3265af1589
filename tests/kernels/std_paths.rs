//! Names of the standard library that Rust's users write: ranges' `contains`, slices' `swap`, `std::cmp`.

kernels! {
    #[device]
    fn reversed(x: &mut [u32], from: usize, to: usize) {
        let (mut i, mut j) = (from, to);
        while i + 1 < j {
            j -= 1;
            x.swap(i, j);
            i += 1;
        }
    }

    fn contains(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut found = 0;
        if (3..20).contains(&n) { found |= 1; }
        if (n..=n + 2).contains(&x[(i + 1) % x.len()]) { found |= 2; }
        if (10..).contains(&(n * 2)) && !(..15).contains(&n) { found |= 4; }
        if (..=n).contains(&17) || (0.5..2.5).contains(&(n as f32 / 7.0)) { found |= 8; }
        // Evaluated from left to right, and each once.
        let held = (n..{ n += 5; n }).contains(&{ n += 1; n - 2 });
        out[i] = found * 100 + n + held as u32;
    }

    fn swapped(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut local = [x[i], 1, 2, 3, 4];
        local.swap(0, 4);
        local.swap(i % 5, (i + 2) % 5);
        local.swap(2, 2);
        let mut rows = [[1, 2], [3, x[i]], [5, 6]];
        rows.swap(0, 1);
        let mut k = 1;
        local.swap({ k += 1; k }, { k += 1; k });
        reversed(&mut local, 1, 5);
        out[i] = local[0] + 10 * local[1] + 100 * local[2] + 1000 * local[k] + rows[0][1] + 7 * rows[1][0];
    }

    fn compared(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let largest = std::cmp::max(x[i], 12);
        let least = core::cmp::min(largest, std::cmp::max(20, x[0]));
        out[i] = 100 * largest + least;
    }
}
same!(contains swapped compared);
