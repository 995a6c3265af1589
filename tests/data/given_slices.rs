//! Methods of slices that other methods and functions give, with `?` and without: the text is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn put(y: &mut [u32], n: usize) -> Result<(), u32> {
            y.get_mut(n..n + 3).ok_or(7u32)?.copy_from_slice(&[1, 2, 3]);
            Ok(())
        }

        fn copied(x: &[u32], y: &mut [u32], n: usize) -> Option<()> {
            let s = x.get(n..n + 2)?;
            let p = y.get_mut(2..4)?;
            p.copy_from_slice(s);
            Some(())
        }

        fn changed(y: &mut [u32], n: usize) -> Option<u32> {
            let p = y.get_mut(n..5)?;
            p.swap(0, 1);
            p.reverse();
            y.get_mut(..2)?.fill(9);
            y.get_mut(n..)?.swap(0, 1);
            y.get_mut(1..6)?.reverse();
            y.get_mut(..4).unwrap().sort_unstable();
            y.get_mut(1..5)?.sort_unstable_by(|a, b| b.cmp(a));
            y.get_mut(..5)?.copy_within(0..2, 2);
            y.get_mut(..5)?.rotate_left(2);
            y.split_at_mut(4).1.fill(4);
            y.chunks_mut(2).nth(n)?.fill(8);
            if let Some(p) = y.get_mut(2..4) {
                p.copy_from_slice(&[5, n as u32]);
                p.swap(0, 1);
            }
            let Some(p) = y.get_mut(n + 2..) else { return None };
            p.sort();
            let r = 1..n as u32;
            if y.get(..3)?.contains(&5) && !r.clone().contains(&3) { Some(y[2]) } else { None }
        }

        fn half(y: &mut [u32]) -> &mut [u32] {
            let n = y.len() / 2;
            &mut y[n..]
        }
    }

    fn given(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = i % 4;
        let mut y = [1, 2, 3, 4, 5, x[i]];
        let first = match put(&mut y, n + 1) {
            Ok(()) => 1,
            Err(e) => e,
        };
        let second = copied(x, &mut y, i).is_some() as u32;
        let third = changed(&mut y, n).unwrap_or(77);
        half(&mut y).swap(0, 1);
        half(&mut y).fill(third % 6);
        half(&mut y[..3]).copy_from_slice(&x[i / 2..i / 2 + 2]);
        let mut sum = first + second * 10 + third * 100;
        for v in &y {
            sum = sum.wrapping_mul(7).wrapping_add(*v);
        }
        out[i] = sum;
    }
}

same! { given }
