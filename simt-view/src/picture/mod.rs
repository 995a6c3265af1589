//! Pictures, as SVG and as the table that they are drawn from.
//!
//! * `bars`: columns side by side, and one above the other; `lanes`: the lanes of a warp over its issues; `points`: values over names;
//!   `png`: as pixels.

mod bars;
mod lanes;
#[cfg(feature = "png")]
mod png;
mod points;

pub(crate) use points::Points;

use crate::Run;
use plotters::coord::Shift;
use plotters::prelude::*;
use simt_runtime::Stall;
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
#[derive(Debug)]
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

impl std::error::Error for PictureError {}

impl PictureError {
    fn drawing(reason: impl fmt::Display) -> Self {
        Self { file: None, reason: reason.to_string() }
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

/// What is drawn, as SVG without a background.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<(), Failed>) -> Result<String, PictureError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&area).and_then(|()| area.present().map_err(Failed::from)).map_err(PictureError::drawing)?;
    }
    Ok(svg)
}

/// A text that can stand in SVG: characters that XML has not are left out.
fn text(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// The list of names beside a picture, with their colours.
fn legend(area: &Area<'_>, names: &[(String, RGBColor)]) -> Result<(), Failed> {
    for ((name, colour), row) in names.iter().zip(0..) {
        let y = 40 + 17 * row;
        area.draw(&Rectangle::new([(0, y), (11, y + 11)], colour.filled()))?;
        area.draw(&Text::new(text(name), (16, y), ("sans-serif", 12)))?;
    }
    Ok(())
}

/// The width that a list of names takes.
fn legend_width(names: impl IntoIterator<Item = impl AsRef<str>>) -> u32 {
    let longest = names.into_iter().map(|name| name.as_ref().chars().count()).max().unwrap_or(0);
    24 + 7 * longest.min(40) as u32
}

impl Picture {
    /// The histogram of active lanes: shares of issues by how many lanes were active, in eight classes, with a column in each for
    /// each run. Of more than six runs it is a column for each run, and in it its classes.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn histogram(runs: &[Run]) -> Result<Self, PictureError> {
        let lanes = runs.iter().filter_map(Run::report).map(|report| report.warp_width()).max().unwrap_or(1);
        let class = lanes.div_ceil(8).max(1);
        let classes: Vec<String> = (0..lanes.div_ceil(class))
            .map(|number| (number * class + 1, ((number + 1) * class).min(lanes)))
            .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}–{high}") })
            .collect();
        let series = runs.iter().filter_map(|run| {
            let report = run.report()?;
            let counts = report.lane_histogram().get(1..).unwrap_or_default();
            let all = counts.iter().sum::<u64>().max(1) as f64;
            let mut shares: Vec<f64> =
                counts.chunks(class).map(|chunk| chunk.iter().sum::<u64>() as f64 / all).collect();
            shares.resize(classes.len(), 0.0);
            Some((run.name.clone(), shares))
        });
        let (title, unit) = ("Issues by active lanes", "share of issues");
        let series: Vec<(String, Vec<f64>)> = series.collect();
        // More columns side by side cannot be told apart.
        if series.len() <= 6 {
            return bars::beside(title, unit, &classes, &series);
        }
        let names: Vec<String> = series.iter().map(|(name, _)| name.clone()).collect();
        let part = |(number, class): (usize, &String)| {
            (class.clone(), series.iter().map(|(_, shares)| shares[number]).collect())
        };
        let parts: Vec<_> = classes.iter().enumerate().map(part).collect();
        bars::above((title, unit), &names, &parts, true)
    }

    /// Where the cycles of warps went: shares by reason, one above the other, a column for each run on a machine with a clock.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn cycles(runs: &[Run]) -> Result<Self, PictureError> {
        let timed: Vec<_> = runs.iter().filter_map(|run| Some((&run.name, run.report()?.stalls()?))).collect();
        let parts = Stall::ALL.iter().filter(|&&stall| stall != Stall::NoBlock);
        let parts = parts.filter(|&&stall| timed.iter().any(|(_, stalls)| stalls.of(stall) > 0));
        let parts = parts
            .map(|&stall| (stall.name().to_string(), timed.iter().map(|(_, stalls)| stalls.share(stall)).collect()));
        let columns: Vec<String> = timed.iter().map(|(name, _)| name.to_string()).collect();
        bars::above(("Cycles of warps on cores", "share of cycles"), &columns, &parts.collect::<Vec<_>>(), false)
    }

    /// Issue slots of all pipelines: nothing issued, few or many threads, a column for each run on a machine with a clock, as
    /// in TACO'09, Figure 15.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn issue_slots(runs: &[Run]) -> Result<Self, PictureError> {
        let timed: Vec<_> =
            runs.iter().filter_map(|run| Some((&run.name, run.report()?.clock()?.occupancy()))).collect();
        let most = timed.iter().map(|(_, slots)| slots.classes()).max_by_key(Vec::len).unwrap_or_default();
        let parts = most.iter().map(|(class, _)| {
            let share = |slots: &simt_runtime::Occupancy| {
                let count = slots.classes().into_iter().find(|(name, _)| name == class).map_or(0, |(_, count)| count);
                count as f64 / slots.total().max(1) as f64
            };
            (class.clone(), timed.iter().map(|(_, slots)| share(slots)).collect())
        });
        let columns: Vec<String> = timed.iter().map(|(name, _)| name.to_string()).collect();
        bars::above(("Issue slots", "share of issue slots"), &columns, &parts.collect::<Vec<_>>(), false)
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // What is written to memory cannot fail, and all rows are as long as the first.
        let records = std::iter::once(&self.columns).chain(&self.rows).try_for_each(|row| writer.write_record(row));
        let bytes = records.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Writes it to a folder: `name.svg`, and its data beside it as `name.csv`; with the feature `png`, `name.png`, too.
    /// Returns the files.
    ///
    /// # Errors
    /// If a file cannot be written, or there is no font for the pixels.
    pub fn write(&self, folder: &Path, name: &str) -> Result<Vec<PathBuf>, PictureError> {
        #[cfg_attr(not(feature = "png"), allow(unused_mut, reason = "a third file with the feature"))]
        let mut files = vec![("svg", self.svg.clone().into_bytes()), ("csv", self.csv().into_bytes())];
        #[cfg(feature = "png")]
        files.push(("png", self.png(2.0)?));
        let mut written = Vec::new();
        for (ending, bytes) in files {
            let file = folder.join(format!("{name}.{ending}"));
            std::fs::write(&file, bytes)
                .map_err(|error| PictureError { file: Some(file.clone()), reason: error.to_string() })?;
            written.push(file);
        }
        Ok(written)
    }
}
