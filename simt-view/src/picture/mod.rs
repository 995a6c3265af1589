//! Pictures, as SVG and as the table that they are drawn from.
//!
//! Of data: `bars`, columns side by side; `stacks`, of parts one above the other, in panels; `heat_map`; `points`, values over
//! names. Of launches: `runs`, what their reports say; `samples`, over time; `lanes`, of a warp over its issues. `png`: as pixels.

mod bars;
mod heat_map;
mod lanes;
#[cfg(feature = "png")]
mod png;
mod points;
mod runs;
mod samples;
mod stacks;

pub use heat_map::Field;
pub(crate) use points::Points;
pub use stacks::{Colours, Panel, Stacks};

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt;
use std::path::{Path, PathBuf};

/// A picture with its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// As SVG.
    pub svg: String,
    /// The names of the table's columns.
    pub columns: Vec<String>,
    /// The rows of the table that it was drawn from.
    pub rows: Vec<Vec<String>>,
}

/// A picture that cannot be drawn or written.
pub struct PictureError {
    /// The file, if it is one that cannot be written.
    pub file: Option<PathBuf>,
    /// Why.
    pub reason: String,
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{} cannot be written: {}", file.display(), self.reason),
            None => write!(f, "the picture cannot be drawn: {}", self.reason),
        }
    }
}

impl fmt::Debug for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A `main` that returns the error prints `Error: ` before it.
        write!(f, "{self}")
    }
}

impl std::error::Error for PictureError {}

impl PictureError {
    fn drawing(reason: impl fmt::Display) -> Self {
        Self { file: None, reason: reason.to_string() }
    }

    fn writing(file: &Path, reason: impl fmt::Display) -> Self {
        Self { file: Some(file.to_path_buf()), reason: reason.to_string() }
    }
}

type Area<'d> = DrawingArea<SVGBackend<'d>, Shift>;
type Failed = Box<dyn std::error::Error>;

/// Colours that can be told apart without seeing red and green (M. Okabe and K. Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(168, 156, 20),
    RGBColor(120, 120, 120),
];

fn colour(number: usize) -> RGBColor {
    // From the ninth on they come again, darker.
    let RGBColor(r, g, b) = COLOURS[number % COLOURS.len()];
    let dark = |value: u8| (f64::from(value) * 0.6_f64.powi((number / COLOURS.len()) as i32)) as u8;
    RGBColor(dark(r), dark(g), dark(b))
}

/// A colour from orange, where few lanes are active, over grey to blue, where all are.
fn between(part: f64) -> RGBColor {
    let (ends, middle) = ([COLOURS[5], COLOURS[0]], RGBColor(190, 190, 190));
    let (end, share) = if part < 0.5 { (ends[0], 1.0 - 2.0 * part) } else { (ends[1], 2.0 * part - 1.0) };
    let mix = |end: u8, middle: u8| (f64::from(middle) + (f64::from(end) - f64::from(middle)) * share) as u8;
    RGBColor(mix(end.0, middle.0), mix(end.1, middle.1), mix(end.2, middle.2))
}

/// What is drawn, as SVG on white: black on nothing could not be read where it is dark. Pages, which have inks of their own, take
/// the white away.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<(), Failed>) -> Result<String, PictureError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Failed::from).and_then(|()| draw(&area));
        drawn.and_then(|()| area.present().map_err(Failed::from)).map_err(PictureError::drawing)?;
    }
    Ok(svg)
}

/// A text that can stand in SVG: characters that XML has not are left out.
fn text(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// The most letters of a name.
const LETTERS: usize = 40;

/// A name as it stands in a picture, where there is not room for more letters.
fn short_name(name: &str) -> String {
    let name = text(name);
    match name.char_indices().nth(LETTERS) {
        Some(_) => name.chars().take(LETTERS - 1).chain(['…']).collect(),
        None => name,
    }
}

/// The list of names beside a picture, with their colours.
fn legend(area: &Area<'_>, names: &[(String, RGBColor)]) -> Result<(), Failed> {
    for ((name, colour), row) in names.iter().zip(0..) {
        let y = 40 + 17 * row;
        area.draw(&Rectangle::new([(0, y), (11, y + 11)], colour.filled()))?;
        area.draw(&Text::new(short_name(name), (16, y), ("sans-serif", 12)))?;
    }
    Ok(())
}

/// The length of the longest name, in letters.
fn longest(texts: impl IntoIterator<Item = impl AsRef<str>>) -> u32 {
    texts.into_iter().map(|text| text.as_ref().chars().count()).max().unwrap_or(0).min(LETTERS) as u32
}

/// The width that a list of names takes.
fn legend_width(names: impl IntoIterator<Item = impl AsRef<str>>) -> u32 {
    24 + 7 * longest(names)
}

/// The style of a text that begins, ends or has its middle at a place, in the middle of its height.
fn label(size: u32, colour: &RGBColor, at: HPos, turned: FontTransform) -> TextStyle<'static> {
    ("sans-serif", size).into_font().transform(turned).color(colour).pos(Pos::new(at, VPos::Center))
}

/// The highest of values, which an axis ends at: with nothing to draw at 1.
fn highest(values: impl IntoIterator<Item = f64>) -> f64 {
    match values.into_iter().fold(0.0, f64::max) {
        top if top > 0.0 && top.is_finite() => top,
        _ => 1.0,
    }
}

/// A value on an axis.
fn short(value: f64) -> String {
    format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_string()
}

impl Picture {
    /// The table as CSV.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // What is written to memory cannot fail, and all rows are as long as the first.
        let records = std::iter::once(&self.columns).chain(&self.rows).try_for_each(|row| writer.write_record(row));
        let bytes = records.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Writes it to a folder, which is made if it is not there: `name.svg`, and its data beside it as `name.csv`; with the feature
    /// `png`, `name.png`, too. Returns the files.
    ///
    /// # Errors
    /// If the folder cannot be made or a file not be written, if the name has parts of a path, or there is no font for the pixels.
    pub fn write(&self, folder: &Path, name: &str) -> Result<Vec<PathBuf>, PictureError> {
        #[cfg_attr(not(feature = "png"), allow(unused_mut, reason = "a third file with the feature"))]
        let mut files = vec![("svg", self.svg.clone().into_bytes()), ("csv", self.csv().into_bytes())];
        #[cfg(feature = "png")]
        files.push(("png", self.png(2.0)?));
        // It must lie in the folder, and under its whole name.
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.contains("..") {
            let reason = "its name must be that of a file, without folders and `..`, such as `lanes`";
            return Err(PictureError::writing(&folder.join(name), reason));
        }
        std::fs::create_dir_all(folder).map_err(|error| PictureError::writing(folder, error))?;
        let mut written = Vec::new();
        for (ending, bytes) in files {
            let file = folder.join(format!("{name}.{ending}"));
            std::fs::write(&file, bytes).map_err(|error| PictureError::writing(&file, error))?;
            written.push(file);
        }
        Ok(written)
    }
}
