//! A stencil in three dimensions.

use simt::prelude::*;

const B: usize = 8;
const W: usize = B + 2;

#[kernel]
fn blur(width: usize, height: usize, src: &[f32], dst: &mut [f32]) {
    #[shared]
    let mut tile: [f32; W * W];
    let tx = thread_idx().x;
    let ty = thread_idx().y;
    let x0 = (block_idx().x * B) as isize - 1;
    let y0 = (block_idx().y * B) as isize - 1;
    let tid = ty * B + tx;
    for k in (tid..W * W).step_by(B * B) {
        let gx = (x0 + (k % W) as isize).clamp(0, width as isize - 1) as usize;
        let gy = (y0 + (k / W) as isize).clamp(0, height as isize - 1) as usize;
        tile[k] = src[gy * width + gx];
    }
    sync_threads();
    let x = block_idx().x * B + tx;
    let y = block_idx().y * B + ty;
    if x < width && y < height {
        let mut sum = 0.0f32;
        for dy in 0..=2 {
            for dx in 0..=2 {
                let w = match (dx, dy) {
                    (1, 1) => 4.0,
                    (1, _) | (_, 1) => 2.0,
                    _ => 1.0,
                };
                sum += w * tile[(ty + dy) * W + tx + dx];
            }
        }
        dst[y * width + x] = sum / 16.0;
    }
}

#[test]
fn blurs() {
    let (w, h) = (37usize, 23usize);
    let src: Vec<f32> = (0..w * h).map(|i| (i * 31 % 97) as f32).collect();
    let at = |x: isize, y: isize| src[y.clamp(0, h as isize - 1) as usize * w + x.clamp(0, w as isize - 1) as usize];
    let mut want = vec![0.0; w * h];
    for y in 0..h {
        for x in 0..w {
            let mut s = 0.0f32;
            for dy in -1..=1isize {
                for dx in -1..=1isize {
                    let wt = if dx == 0 && dy == 0 {
                        4.0
                    } else if dx == 0 || dy == 0 {
                        2.0
                    } else {
                        1.0
                    };
                    s += wt * at(x as isize + dx, y as isize + dy);
                }
            }
            want[y * w + x] = s / 16.0;
        }
    }
    for_each_policy!(P => {
        let mut dst = vec![0.0; w * h];
        let grid = Grid::new((w.div_ceil(B), h.div_ceil(B)), (B, B));
        Gpu::<P>::default().launch(grid, blur(w, h, &src, &mut dst)).unwrap();
        assert_eq!(dst, want);
    });
}
