//! An alignment of sequences, after Needleman and Wunsch.

use simt::prelude::*;

const MAX: usize = 128;

/// One block per pair, anti-diagonal by anti-diagonal in shared memory.
#[kernel]
fn needleman_wunsch(a: &[u8], b: &[u8], la: &[u32], lb: &[u32], gap: i32, score: &mut [i32]) {
    #[shared]
    let mut diag: [[i32; MAX + 1]; 3];
    let pair = block_idx().x;
    let (n, m) = (la[pair] as usize, lb[pair] as usize);
    let i = thread_idx().x;
    for d in 0..=(n + m) {
        let (cur, prev, prev2) = (d % 3, (d + 2) % 3, (d + 1) % 3);
        if i <= n && i <= d && d - i <= m {
            let j = d - i;
            diag[cur][i] = if i == 0 {
                -gap * j as i32
            } else if j == 0 {
                -gap * i as i32
            } else {
                let s = if a[pair * MAX + i - 1] == b[pair * MAX + j - 1] { 1 } else { -1 };
                (diag[prev2][i - 1] + s).max(diag[prev][i - 1] - gap).max(diag[prev][i] - gap)
            };
            if i == n && j == m {
                score[pair] = diag[cur][i];
            }
        }
        sync_threads();
    }
}

#[test]
fn aligns() {
    let seqs =
        [("GATTACA", "GCATGCU"), ("ACGTACGTACGT", "ACGTTCGACGT"), ("A", "TTTTT"), ("GGGGCCCCAAAATTTT", "GGCCAATT")];
    let pad = |s: &str| {
        let mut v = s.as_bytes().to_vec();
        v.resize(MAX, 0);
        v
    };
    let a: Vec<u8> = seqs.iter().flat_map(|s| pad(s.0)).collect();
    let b: Vec<u8> = seqs.iter().flat_map(|s| pad(s.1)).collect();
    let la: Vec<u32> = seqs.iter().map(|s| s.0.len() as u32).collect();
    let lb: Vec<u32> = seqs.iter().map(|s| s.1.len() as u32).collect();
    let want: Vec<i32> = seqs
        .iter()
        .map(|(a, b)| {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let mut h = vec![vec![0i32; b.len() + 1]; a.len() + 1];
            for i in 0..=a.len() {
                for j in 0..=b.len() {
                    h[i][j] = if i == 0 {
                        -(j as i32)
                    } else if j == 0 {
                        -(i as i32)
                    } else {
                        (h[i - 1][j - 1] + if a[i - 1] == b[j - 1] { 1 } else { -1 })
                            .max(h[i - 1][j] - 1)
                            .max(h[i][j - 1] - 1)
                    };
                }
            }
            h[a.len()][b.len()]
        })
        .collect();
    for_each_policy!(P => {
        let mut score = [0; 4];
        Gpu::<P>::default().with_race_check(simt::RaceCheck::Shared).launch(Grid::new(4, MAX), needleman_wunsch(&a, &b, &la, &lb, 1, &mut score)).unwrap();
        assert_eq!(score[..], want[..]);
    });
}
