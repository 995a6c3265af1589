//! Columns of parts, one above the other, in one panel or several.

use super::{
    Area, Failed, Picture, PictureError, between, colour, highest, label, legend, legend_width, longest, short,
    short_name, svg, text,
};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The colours of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Told apart.
    Apart,
    /// From orange, of the first part, over grey to blue: parts that are in order.
    Ordered,
    /// Of the classes of issue slots, [`simt_runtime::Occupancy::classes`]: nothing issued is grey, few to many threads are yellow
    /// to blue, stalls are red.
    Slots,
}

impl Colours {
    /// That of a part among so many.
    pub(super) fn of(self, part: usize, count: usize) -> RGBColor {
        match self {
            Self::Apart => colour(part),
            Self::Ordered => between(part as f64 / count.saturating_sub(1).max(1) as f64),
            Self::Slots => match part {
                0 => RGBColor(127, 127, 127),
                1 => RGBColor(199, 199, 199),
                part if part + 1 == count => RGBColor(192, 57, 43),
                part => {
                    let share = (part - 2) as f64 / (count.max(5) - 4) as f64;
                    let mix = |from: f64, to: f64| (from + (to - from) * share) as u8;
                    // No darker than what is seen on a dark page.
                    RGBColor(mix(255.0, 0.0), mix(237.0, 105.0), mix(160.0, 180.0))
                }
            },
        }
    }

    /// Names of parts with their colours.
    pub(super) fn named(self, parts: &[String]) -> Vec<(String, RGBColor)> {
        let named = |(number, part): (usize, &String)| (part.clone(), self.of(number, parts.len()));
        parts.iter().enumerate().map(named).collect()
    }
}

/// Columns of parts, one above the other, the same columns in each panel: policies, say, in a panel for each kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Stacks {
    /// What it shows.
    pub title: String,
    /// What the height is, with its unit.
    pub unit: String,
    /// The value that fills a panel; if there is none, it is the highest column of each.
    pub top: Option<f64>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the parts, from below.
    pub parts: Vec<String>,
    /// Their colours.
    pub colours: Colours,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// A panel of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its name, which a picture of one panel does not show.
    pub name: String,
    /// The parts of each column, or a word that says why there is none.
    pub values: Vec<Result<Vec<f64>, String>>,
}

/// Panels side by side.
const ACROSS: usize = 5;
/// Left of the columns, for the axis, and above a panel for its name.
const AXIS: u32 = 56;
const NAME: u32 = 24;
/// A word instead of a column.
const RED: RGBColor = RGBColor(192, 57, 43);

impl Stacks {
    fn many(&self) -> bool {
        self.panels.len() > 1
    }

    /// The width of a column with its gaps, and the height of the highest one: with several panels all is smaller.
    fn sizes(&self) -> (u32, u32) {
        if self.many() { (15, 150) } else { (44, 240) }
    }

    fn below(&self) -> u32 {
        16 + 6 * longest(&self.columns)
    }

    fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let front = |panel: &str, part: &str| {
            let panel = self.many().then(|| panel.to_string());
            panel.into_iter().chain([part.to_string()]).collect::<Vec<_>>()
        };
        let value = |column: Option<&Result<Vec<f64>, String>>, part: usize| match column {
            Some(Ok(parts)) => parts.get(part).map_or(String::new(), |value| format!("{value:.4}")),
            Some(Err(word)) => word.clone(),
            None => String::new(),
        };
        let row = |Panel { name, values }: &Panel, part: usize| {
            let mut row = front(name, &self.parts[part]);
            row.extend((0..self.columns.len()).map(|column| value(values.get(column), part)));
            row
        };
        let mut heads = front("panel", "part");
        heads.extend(self.columns.iter().cloned());
        let rows =
            self.panels.iter().flat_map(|panel| (0..self.parts.len()).map(|part| row(panel, part)).collect::<Vec<_>>());
        (heads, rows.collect())
    }

    fn draw(&self, area: &Area<'_>, Panel { name, values }: &Panel) -> Result<(), Failed> {
        let sums = values.iter().flatten().map(|parts| parts.iter().sum());
        let top = self.top.unwrap_or_else(|| highest(sums));
        let (named, small) = (Colours::named(self.colours, &self.parts), self.many());
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(if small { NAME } else { 8 })
            .x_label_area_size(self.below())
            .y_label_area_size(AXIS)
            .build_cartesian_2d(0.0..self.columns.len().max(1) as f64, 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().disable_x_axis().light_line_style(TRANSPARENT).label_style(("sans-serif", 12));
        mesh.y_labels(if small { 5 } else { 11 }).y_label_formatter(&|value| short(*value));
        if !small {
            mesh.y_desc(&self.unit);
        }
        mesh.draw()?;
        let (word, turned) = (label(12, &RED, HPos::Left, FontTransform::Rotate270), FontTransform::Rotate90);
        for (column, values) in values.iter().enumerate().take(self.columns.len()) {
            let (left, right) = (column as f64 + 0.15, column as f64 + 0.85);
            match values {
                Ok(values) => {
                    let mut to = 0.0;
                    let boxes: Vec<_> = values
                        .iter()
                        .zip(&named)
                        .map(|(value, (_, colour))| {
                            let from = to;
                            to += value;
                            Rectangle::new([(left, from), (right, to)], colour.filled())
                        })
                        .collect();
                    chart.draw_series(boxes)?;
                }
                Err(why) => {
                    chart.draw_series([Text::new(text(why), ((left + right) / 2.0, top / 50.0), word.clone())])?;
                }
            }
        }
        for (column, name) in self.columns.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(column as f64 + 0.5, 0.0));
            let (left, above) = area.get_base_pixel();
            area.draw(&Text::new(
                short_name(name),
                (x - left, y - above + 6),
                label(12, &BLACK, HPos::Left, turned.clone()),
            ))?;
        }
        if small {
            let style = label(13, &BLACK, HPos::Left, FontTransform::None);
            area.draw(&Text::new(short_name(name), (AXIS as i32 + 8, NAME as i32 / 2), style))?;
        }
        Ok(())
    }
}

impl Picture {
    /// Columns of parts, one above the other, in panels.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn stacks(stacks: &Stacks) -> Result<Self, PictureError> {
        let (column, high) = stacks.sizes();
        let panel = (AXIS + 26 + column * stacks.columns.len().max(4) as u32, 16 + NAME + high + stacks.below());
        let (across, down) = (stacks.panels.len().clamp(1, ACROSS), stacks.panels.len().div_ceil(ACROSS).max(1));
        let list = if stacks.parts.len() > 1 { legend_width(&stacks.parts) } else { 0 };
        let title = if stacks.many() { 28 } else { 0 };
        let wide = across as u32 * panel.0;
        let svg = svg((wide + list, title + down as u32 * panel.1), |area| {
            let (panels, list) = area.split_horizontally(wide);
            if stacks.many() {
                let (style, text) = (label(15, &BLACK, HPos::Left, FontTransform::None), text(&stacks.title));
                area.draw(&Text::new(text, (12, 18), style))?;
            }
            for (number, values) in stacks.panels.iter().enumerate() {
                let (x, y) = ((number % ACROSS) as u32 * panel.0, title + (number / ACROSS) as u32 * panel.1);
                stacks.draw(&panels.clone().shrink((x, y), panel), values)?;
            }
            if stacks.parts.len() > 1 {
                // The list reads as the columns do: the topmost part first.
                let names: Vec<_> = stacks.colours.named(&stacks.parts).into_iter().rev().collect();
                legend(&list, &names)?;
            }
            Ok(())
        })?;
        let (columns, rows) = stacks.table();
        Ok(Self { title: stacks.title.clone(), svg, columns, rows })
    }
}
