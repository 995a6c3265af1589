//! Methods of a struct's own that take closures and are called as an iterator's or an option's are.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Color {
    r: u32,
    g: u32,
    b: u32,
}

#[device]
impl Color {
    fn map(self, f: impl Fn(u32) -> u32) -> Self {
        Color { r: f(self.r), g: f(self.g), b: f(self.b) }
    }

    fn any(&self, f: impl Fn(u32) -> bool) -> bool {
        f(self.r) || f(self.g) || f(self.b)
    }

    fn fold(self, start: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
        f(f(f(start, self.r), self.g), self.b)
    }

    /// The color if all of it is so, else black.
    fn filter(self, f: impl Fn(u32) -> bool) -> Self {
        if f(self.r) && f(self.g) && f(self.b) { self } else { Color { r: 0, g: 0, b: 0 } }
    }

    fn moved(&self, by: u32) -> Self {
        self.map(|c| c + by).map(|c| c / 2)
    }

    fn lit(self) -> Self {
        self.filter(|c| c != 3)
    }
}

#[device]
fn brightest(color: &Color, least: Color) -> u32 {
    color.fold(2 * (least.g + 1), |a, b| if a > b { a } else { b })
}

#[kernel]
fn changed(colors: &[Color], out: &mut [Color], found: &mut [u32]) {
    let i = global_id();
    let color = colors[i];
    out[i] = color.moved(i as u32);
    if colors[i].any(|c| c > 40) {
        out[i] = color.lit();
        found[i] = brightest(&color, colors[0]);
    } else {
        found[i] = color.fold(100, |sum, c| sum - c);
    }
}

#[test]
fn they_are_the_structs_own() -> Result<(), LaunchError> {
    let colors: Vec<Color> = (0..40).map(|i| Color { r: i * 7 % 50, g: i % 5, b: 3 + i % 2 }).collect();
    let (mut out, mut found) = (vec![Color::default(); 40], vec![0; 40]);
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(2, 20), changed(&colors, &mut out, &mut found))?;
    for (i, &Color { r, g, b }) in colors.iter().enumerate() {
        let moved = |c| (c + i as u32) / 2;
        let expected = match [r, g, b].iter().any(|&c| c > 40) {
            true if r != 3 && g != 3 && b != 3 => (Color { r, g, b }, r.max(g).max(b).max(2 * (colors[0].g + 1))),
            true => (Color::default(), r.max(g).max(b).max(2 * (colors[0].g + 1))),
            false => (Color { r: moved(r), g: moved(g), b: moved(b) }, 100 - r - g - b),
        };
        assert_eq!((out[i], found[i]), expected, "{:?}", colors[i]);
    }
    Ok(())
}
