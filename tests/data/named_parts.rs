//! Arrays and slices that a pattern of a tuple names are memory as those of a `let` are.

items_with_kernels! {
    {
        fn two(v: u32) -> ([u32; 3], [u32; 2]) { ([v, 2, 3], [v + 1, 4]) }
        fn mix(v: u32) -> (u32, [u32; 2]) { (v, [v + 1, 4]) }
        fn total(v: &[u32]) -> u32 { v.iter().sum() }
    }
    fn named(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = ([0u32; 3], [1u32; 3]);
        let (m, n) = (x[0] as usize % 3, &x[1..]);
        let (mut p, q) = ([0; 3], x[i]);
        p[i % 3] = q;
        let (c, d) = two(q);
        let (mut e, f) = two(q);
        e[i % 3] += f[i % 2];
        let (g, h) = mix(q);
        let (r, s) = x.split_at(2);
        let ((t, u), v) = (two(3), mix(4));
        let (w, z): (u32, [u32; 2]) = (3, [1, 2]);
        let (aa, bb): ([u32; 3], u32) = ([3, 1, 2], q);
        let k = (x[i], [1u32, 3]);
        let (ka, kb) = k;
        out[i] = a[i % 3] + b[i % 3] + n[m] + p[1] + total(&p) + c[i % 3]
            + d[i % 2] + e[1] + f[0] + g + h[i % 2] + total(&h) + r[i % 2]
            + s[m] + t[i % 3] + u[0] + v.1[i % 2] + w + z[i % 2]
            + aa[i % 3] + bb + ka + kb[i % 2];
        for v in a { out[i] += v; }
        for v in &c { out[i] += v; }
        for v in d.iter() { out[i] += v; }
        for v in n.iter() { out[i] += v; }
        out[i] += n.len() as u32 + c.len() as u32;
    }
    fn hiding(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x, &x[2..]);
        let (a, b) = (&a[1..], &b[1..]);
        let (a, n) = (&a[1..], a.len());
        let (m, b) = (b.len(), &b[1..]);
        let (a, [p, q]) = (&a[1..], [a[0], b[1]]);
        let (c, (d, e)) = ([a[i % 5], 3], (p + b[0], &b[2..]));
        let (c, d) = ([c[1], c[0], d], c[0] * 2);
        out[i] = total(a) + total(b) * 3 + (n as u32) * 10 + (m as u32) * 100 + p * 7 + q * 11
            + c[i % 3] * 13 + d * 17 + total(e) * 19;
    }
}
same!(named hiding);
