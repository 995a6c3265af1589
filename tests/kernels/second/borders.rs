//! 2-D convolution with border modes.
use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Border {
    Clamp,
    Wrap,
    Mirror,
    Constant(f32),
}

#[device]
impl Border {
    /// The coordinate inside that `i` stands for; none where there is only a constant.
    fn resolve(self, i: i32, len: i32) -> Option<i32> {
        if (0..len).contains(&i) {
            return Some(i);
        }
        match self {
            Border::Clamp => Some(i.clamp(0, len - 1)),
            Border::Wrap => Some(i.rem_euclid(len)),
            Border::Mirror => {
                let period = 2 * len - 2;
                let m = i.rem_euclid(period);
                Some(if m < len { m } else { period - m })
            }
            Border::Constant(_) => None,
        }
    }
}

#[derive(Clone, Copy, KernelData)]
struct Image<'a> {
    pixels: &'a [f32],
    width: usize,
    height: usize,
}

#[device]
impl<'a> Image<'a> {
    fn new(pixels: &'a [f32], width: usize) -> Self {
        Image { pixels, width, height: pixels.len() / width }
    }

    fn sample(&self, x: i32, y: i32, border: Border) -> f32 {
        let at = border.resolve(x, self.width as i32).zip(border.resolve(y, self.height as i32));
        match (at, border) {
            (Some((x, y)), _) => self.pixels[y as usize * self.width + x as usize],
            (None, Border::Constant(c)) => c,
            (None, _) => unreachable!("only constants have no coordinate"),
        }
    }
}

#[kernel]
fn convolve<const K: usize>(src: &[f32], dst: &mut [f32], width: usize, taps: &[[f32; K]; K], border: Border) {
    let image = Image::new(src, width);
    let (x, y) = global_id_2d();
    if x >= image.width || y >= image.height {
        return;
    }
    let r = K as i32 / 2;
    let mut acc = 0.0;
    for (dy, row) in (-r..=r).zip(taps) {
        for (dx, &w) in (-r..=r).zip(row) {
            acc += w * image.sample(x as i32 + dx, y as i32 + dy, border);
        }
    }
    dst[y * width + x] = acc;
}

fn host(src: &[f32], w: i32, h: i32, taps: &[[f32; 5]; 5], border: Border) -> Vec<f32> {
    let fold = |i: i32, n: i32| -> Option<i32> {
        match border {
            Border::Clamp => Some(i.max(0).min(n - 1)),
            Border::Wrap => Some((i + n) % n),
            Border::Mirror => Some(if i < 0 {
                -i
            } else if i >= n {
                2 * (n - 1) - i
            } else {
                i
            }),
            Border::Constant(_) => (i >= 0 && i < n).then_some(i),
        }
    };
    let mut out = vec![];
    for y in 0..h {
        for x in 0..w {
            let mut acc = 0.0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let v = match (fold(x + dx - 2, w), fold(y + dy - 2, h)) {
                        (Some(x), Some(y)) => src[(y * w + x) as usize],
                        _ => match border {
                            Border::Constant(c) => c,
                            _ => unreachable!(),
                        },
                    };
                    acc += taps[dy as usize][dx as usize] * v;
                }
            }
            out.push(acc);
        }
    }
    out
}

#[test]
fn all_borders() -> Result<(), LaunchError> {
    let (w, h) = (19usize, 11usize);
    let src: Vec<f32> = (0..w * h).map(|i| ((i * 37 + 11) % 101) as f32 / 7.0).collect();
    let taps: [[f32; 5]; 5] = std::array::from_fn(|y| std::array::from_fn(|x| (x * y) as f32 - 3.5));
    for border in [Border::Clamp, Border::Wrap, Border::Mirror, Border::Constant(2.5)] {
        let mut dst = vec![0.0; w * h];
        let gpu = Gpu::<Ipdom>::default();
        gpu.launch(Grid::covering((w, h), (8, 8)), convolve::<5>(&src, &mut dst, w, &taps, border))?;
        assert_eq!(dst, host(&src, w as i32, h as i32, &taps, border), "{border:?}");
    }
    Ok(())
}
