//! Pictures and volumes.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
pub(crate) enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

use Side::{Bottom, Left, Right, Top};

/// A line from a side to itself, which is none.
const NONE: (Side, Side) = (Top, Top);

/// The lines through a square, by which of its corners are inside: top left, top right, bottom right, bottom left. There are
/// at most two.
const LINES: [((Side, Side), (Side, Side)); 16] = [
    (NONE, NONE),
    ((Left, Top), NONE),
    ((Top, Right), NONE),
    ((Left, Right), NONE),
    ((Right, Bottom), NONE),
    ((Left, Top), (Right, Bottom)),
    ((Top, Bottom), NONE),
    ((Left, Bottom), NONE),
    ((Bottom, Left), NONE),
    ((Bottom, Top), NONE),
    ((Top, Right), (Bottom, Left)),
    ((Bottom, Right), NONE),
    ((Right, Left), NONE),
    ((Right, Top), NONE),
    ((Top, Left), NONE),
    (NONE, NONE),
];

const SOBEL: [[i32; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];

kernels! {
    // The pixel of a grey picture, or beyond the border the nearest one.
    #[device]
    fn pixel(pixels: &[u8], width: usize, x: isize, y: isize) -> u8 {
        let x = x.clamp(0, width as isize - 1) as usize;
        let y = y.clamp(0, (pixels.len() / width) as isize - 1) as usize;
        pixels[y * width + x]
    }

    // A pixel and those around it.
    #[device]
    fn window(pixels: &[u8], width: usize, i: usize) -> [[u8; 3]; 3] {
        let (x, y) = ((i % width) as isize, (i / width) as isize);
        let mut window = [[0; 3]; 3];
        for (dy, row) in window.iter_mut().enumerate() {
            for (dx, near) in row.iter_mut().enumerate() {
                *near = pixel(pixels, width, x + dx as isize - 1, y + dy as isize - 1);
            }
        }
        window
    }

    // The steepness of a picture (Sobel).
    fn sobel(pixels: &[u8], width: usize, out: &mut [u8]) {
        let i = global_id();
        let window = window(pixels, width, i);
        let (mut gx, mut gy) = (0, 0);
        for (y, row) in window.iter().enumerate() {
            for (x, &pixel) in row.iter().enumerate() {
                gx += SOBEL[y][x] * i32::from(pixel);
                gy += SOBEL[x][y] * i32::from(pixel);
            }
        }
        out[i] = ((gx * gx + gy * gy) as f32).sqrt().min(255.0) as u8;
    }

    // The median of nine pixels.
    fn median(pixels: &[u8], width: usize, out: &mut [u8]) {
        let i = global_id();
        let mut all = [0; 9];
        let window = window(pixels, width, i);
        for (y, row) in window.iter().enumerate() {
            for (x, &pixel) in row.iter().enumerate() {
                all[3 * y + x] = pixel;
            }
        }
        for end in 1..9 {
            let mut k = end;
            while k > 0 && all[k - 1] > all[k] {
                all.swap(k - 1, k);
                k -= 1;
            }
        }
        out[i] = all[4];
    }

    // The lines around what is brighter than a level, in a square each (marching squares).
    fn outline(pixels: &[u8], width: usize, level: u8, out: &mut [(u32, (Side, Side))]) {
        let i = global_id();
        let (x, y) = ((i % width) as isize, (i / width) as isize);
        let corners = [(0, 1), (1, 1), (1, 0), (0, 0)];
        let inside = |dx: isize, dy: isize| pixel(pixels, width, x + dx, y + dy) > level;
        let case = corners.iter().fold(0, |case, &(dx, dy)| 2 * case + usize::from(inside(dx, dy)));
        out[i] = (0, NONE);
        let (first, second) = LINES[case];
        for line in [first, second] {
            if line != NONE {
                out[i].0 += 1;
                out[i].1 = line;
            }
        }
    }

    // A step of speckle-reducing anisotropic diffusion (SRAD): how much each pixel lets through.
    fn srad(image: &[f32], width: usize, noise: f32, out: &mut [f32]) {
        let i = global_id();
        let (x, y, height) = (i % width, i / width, image.len() / width);
        let here = image[i];
        let north = image[y.saturating_sub(1) * width + x] - here;
        let south = image[(y + 1).min(height - 1) * width + x] - here;
        let west = image[y * width + x.saturating_sub(1)] - here;
        let east = image[y * width + (x + 1).min(width - 1)] - here;
        let all = [north, south, west, east];
        let slope = all.iter().map(|d| d * d).sum::<f32>() / here.powi(2);
        let curve = all.iter().sum::<f32>() / here;
        let variation = (0.5 * slope - curve.powi(2) / 16.0) / (1.0 + 0.25 * curve).powi(2);
        let through = 1.0 / (1.0 + (variation - noise) / (noise * (1.0 + noise)));
        out[i] = through.clamp(0.0, 1.0);
    }

    // A stencil of seven points in a volume (Parboil).
    fn stencil(volume: &[f32], (width, height): (usize, usize), out: &mut [f32]) {
        let i = global_id();
        let (x, y, z) = (i % width, i / width % height, i / (width * height));
        let depth = volume.len() / (width * height);
        let inside = |at: usize, size: usize| (1..size - 1).contains(&at);
        out[i] = match (inside(x, width), inside(y, height), inside(z, depth)) {
            (true, true, true) => {
                let steps = [1, width, width * height];
                let around: f32 = steps.iter().map(|step| volume[i - step] + volume[i + step]).sum();
                around / 6.0 - volume[i]
            }
            _ => volume[i],
        };
    }

    // The best motion of a block of 4 by 4 pixels from one picture to the next (SAD).
    fn motion(before: &[u8], after: &[u8], width: usize, out: &mut [(i8, i8)]) {
        let i = global_id();
        let (x, y) = ((i % (width / 4) * 4) as isize, (i / (width / 4) * 4) as isize);
        let difference = |dx: i8, dy: i8| -> u32 {
            let mut sum = 0;
            for v in y..y + 4 {
                for u in x..x + 4 {
                    let there = pixel(before, width, u + dx as isize, v + dy as isize);
                    sum += u32::from(pixel(after, width, u, v).abs_diff(there));
                }
            }
            sum
        };
        let mut best = (u32::MAX, 0, 0);
        for dy in -2..=2 {
            for dx in -2..=2 {
                let found = (difference(dx, dy), dx, dy);
                if found < best {
                    best = found;
                }
            }
        }
        out[i] = (best.1, best.2);
    }
}

/// A bright disc on a dark ground, with some noise.
fn picture(width: usize, height: usize, (x, y): (usize, usize)) -> Vec<u8> {
    let pixel = |i: usize| {
        let away = (i % width).abs_diff(x).pow(2) + (i / width).abs_diff(y).pow(2);
        (if away < 9 { 200 } else { 20 }) + (i * i % 7) as u8 + if i % 31 == 17 { 50 } else { 0 }
    };
    (0..width * height).map(pixel).collect()
}

#[test]
fn edges_of_pictures_are_steep() {
    let pixels = picture(12, 8, (5, 4));
    let mut out = vec![0; 96];
    agree!(Grid::new(3, 32), sobel(&pixels, 12; out));
    assert!(out[4 * 12 + 2] > 200 && out[4 * 12 + 5] < 60, "{out:?}");
}

#[test]
fn medians_remove_noise() {
    let pixels = picture(12, 8, (5, 4));
    let mut out = vec![0; 96];
    agree!(Grid::new(3, 32), median(&pixels, 12; out));
    assert!(pixels[48] > 60 && out[48] < 60, "{out:?}");
}

#[test]
fn discs_have_outlines() {
    let pixels = picture(12, 8, (5, 4));
    let mut out = vec![(7, NONE); 96];
    agree!(Grid::new(3, 32), outline(&pixels, 12, 100; out));
    assert_eq!(out[4 * 12 + 5], (0, NONE));
    assert_eq!(out[4 * 12 + 2], (1, (Top, Bottom)));
    assert_eq!(out[4 * 12 + 7], (1, (Bottom, Top)));
}

#[test]
fn speckles_are_diffused() {
    let image: Vec<f32> = picture(12, 8, (5, 4)).into_iter().map(f32::from).collect();
    let mut out = vec![0.0; 96];
    agree!(Grid::new(3, 32), srad(&image, 12, 0.25; out));
    assert!(out[4 * 12 + 5] > 0.9 && out[4 * 12 + 2] < 0.9, "{out:?}");
}

#[test]
fn volumes_have_stencils() {
    let volume: Vec<f32> = (0..120).map(|i| (i * 7 % 23) as f32).collect();
    let mut out = vec![0.0; 120];
    agree!(Grid::new(4, 30), stencil(&volume, (5, 6); out));
    assert_eq!((out[0], out[36]), (volume[0], (15.0 + 6.0 + 10.0 + 11.0 + 19.0 + 2.0) / 6.0 - 22.0));
}

#[test]
fn discs_move() {
    let (before, after) = (picture(12, 8, (5, 4)), picture(12, 8, (7, 3)));
    let mut out = vec![(9, 9); 6];
    agree!(Grid::new(1, 6), motion(&before, &after, 12; out));
    assert!(out.contains(&(-2, 1)), "{out:?}");
}
