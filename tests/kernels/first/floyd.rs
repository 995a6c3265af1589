//! All shortest paths, after Floyd and Warshall.

use simt::prelude::*;

const INF: u32 = u32::MAX;

#[kernel]
fn relax(n: usize, k: usize, dist: &mut [u32]) {
    let j = block_idx().x * block_dim().x + thread_idx().x;
    let i = block_idx().y * block_dim().y + thread_idx().y;
    if i >= n || j >= n {
        return;
    }
    let through = dist[i * n + k].saturating_add(dist[k * n + j]);
    if through < dist[i * n + j] {
        dist[i * n + j] = through;
    }
}

#[test]
fn paths() {
    let n = 40;
    let mut d = vec![INF; n * n];
    for i in 0..n {
        d[i * n + i] = 0;
        for e in 1..4 {
            d[i * n + (i * 7 + e * 5) % n] = (i * e % 13 + 1) as u32;
        }
    }
    for i in 0..n {
        d[i * n + i] = 0;
    }
    let mut want = d.clone();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                want[i * n + j] = want[i * n + j].min(want[i * n + k].saturating_add(want[k * n + j]));
            }
        }
    }
    for_each_policy!(P => {
        let mut dist = d.clone();
        let gpu = Gpu::<P>::default();
        let mut total = 0;
        for k in 0..n {
            let r = gpu.launch(Grid::new((n.div_ceil(8), n.div_ceil(8)), (8, 8)), relax(n, k, &mut dist)).unwrap();
            total += r.issues();
        }
        assert_eq!(dist, want);
        println!("{total}");
    });
}
