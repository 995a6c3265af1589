//! Functions by their paths where closures stand, closures that are called at once, and ends of ranges with a name.

items_with_kernels! {
    {
        fn by_rest(a: &u32, b: &u32) -> std::cmp::Ordering { (*a % 5).cmp(&(*b % 5)) }
        fn is_small(a: &u32) -> bool { *a < 9 }
        fn key(a: &u32) -> u32 { *a % 7 }
    }
    fn of_ones_own(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut u = [x[i], 3, 9, 1, 17];
        u.sort_by(by_rest);
        let m = u.iter().copied().max_by(by_rest).unwrap();
        let n = u.iter().copied().filter(is_small).count() as u32;
        let k = u.iter().copied().min_by_key(key).unwrap();
        u.sort_by_key(key);
        out[i] = u[0] + u[1] * 3 + m * 5 + n + k;
    }
    fn of_std(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut w = [x[i] as f32, 2.5, -1.0, i as f32];
        w.sort_by(f32::total_cmp);
        let m = w.iter().copied().max_by(f32::total_cmp).unwrap();
        let m2 = w.iter().max_by(|a, b| f32::total_cmp(a, b)).unwrap();
        let mut u = [x[i], 3, 9, 1];
        u.sort_by(u32::cmp);
        let n = u.iter().min_by(|a, b| u32::cmp(a, b)).unwrap();
        let a: f32 = w.iter().copied().map(f32::abs).sum();
        let o = [Some(x[i]), None, Some(3)];
        let c = o.iter().filter(|o| Option::is_some(o)).count();
        let c2 = o.iter().copied().filter(Option::is_some).count();
        let d = u.iter().copied().fold(0, u32::wrapping_add);
        let e = u.iter().copied().map(Some).last().unwrap().unwrap();
        let g = u.iter().copied().reduce(u32::max).unwrap();
        out[i] = (w[0] + 10.0) as u32 + m as u32 + *m2 as u32 + u[0] + *n + a as u32
            + c as u32 + c2 as u32 + d + e + g;
    }

    fn at_once(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let r = 0..5u32;
        let s: u32 = r.sum();
        let r2 = 1..x.len() - i;
        let c = r2.clone().count();
        let t = r2.clone().map(|k| x[k]).sum::<u32>();
        let mx = r2.max().unwrap_or(7);
        let n = x[i];
        let v = (|| n + 1)();
        let v2 = (|a: u32, b: u32| a * b + n)(v, 3);
        out[i] = s + c as u32 + t + mx as u32 + v + v2;
    }
}

same!(of_std of_ones_own at_once);
