//! Writes the two pictures: the Mandelbrot set, and how full the warps were that computed it.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use crate::mandelbrot::LIMIT;

type Rgb = [u8; 3];

/// Colours at equal distances; between them colours are mixed.
const NIGHT_TO_DAY: [Rgb; 6] =
    [[4, 6, 28], [24, 60, 140], [90, 170, 220], [245, 245, 220], [250, 170, 40], [120, 30, 10]];
const COLD_TO_WARM: [Rgb; 5] = [[13, 8, 75], [126, 3, 168], [204, 71, 120], [248, 149, 64], [240, 249, 33]];

/// Writes both pictures into `folder`; returns their paths and descriptions.
pub(crate) fn write_both(
    folder: &Path,
    size: u32,
    iterations: &[u32],
    warp_width: usize,
    efficiency: &[f64],
) -> Result<[(PathBuf, &'static str); 2], Box<dyn Error>> {
    let set = folder.join("mandelbrot.png");
    write(&set, size, iterations.iter().map(|&count| colour_of(count)))?;
    let warps = folder.join("mandelbrot-efficiency.png");
    let warp_of = |pixel: usize| efficiency[pixel / warp_width];
    write(&warps, size, (0..iterations.len()).map(|pixel| mix(&COLD_TO_WARM, warp_of(pixel))))?;
    Ok([
        (set, "the set in black, its surroundings by how fast they leave"),
        (warps, "each warp from blue (one lane works) to yellow (all do)"),
    ])
}

fn colour_of(iterations: u32) -> Rgb {
    match iterations {
        LIMIT => [0, 0, 0],
        count => mix(&NIGHT_TO_DAY, f64::from(count.max(1)).ln() / f64::from(LIMIT).ln()),
    }
}

fn mix(colours: &[Rgb], position: f64) -> Rgb {
    let position = position.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let left = (position as usize).min(colours.len() - 2);
    let share = position - left as f64;
    let between = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (colours[left], colours[left + 1]);
    [between(a[0], b[0]), between(a[1], b[1]), between(a[2], b[2])]
}

fn write(path: &Path, size: u32, pixels: impl Iterator<Item = Rgb>) -> Result<(), Box<dyn Error>> {
    let encode = || {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), size, size);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels.flatten().collect::<Vec<_>>())?;
        writer.finish()
    };
    encode().map_err(|error| format!("{}: {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_mixed_between_their_neighbours() {
        let colours = [[0, 0, 0], [100, 200, 50], [200, 0, 0]];
        assert_eq!(mix(&colours, 0.0), [0, 0, 0]);
        assert_eq!(mix(&colours, 0.25), [50, 100, 25]);
        assert_eq!(mix(&colours, 1.0), [200, 0, 0]);
        assert_eq!(mix(&colours, 7.0), [200, 0, 0]);
    }
}
