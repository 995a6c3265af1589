//! A figure over a column of the table, as SVG: lines if the column's values are numbers, else bars.

use crate::error::SweepError;
use crate::nearest::nearest;
use crate::table::{PointState, Row, Table};
use plotters::coord::Shift;
use plotters::prelude::*;
use serde_json::Value;

/// Colours that can be told apart without seeing red and green (M. Okabe and K. Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(120, 120, 120),
];
/// Most lines, or bars of a group: more cannot be told apart.
const MOST: usize = 24;
/// The height of a line of the list of names.
const LINE: usize = 18;

/// About as wide as a letter of the lists and the axis.
const LETTER: usize = 6;

/// What is to be drawn.
pub(crate) struct Picture<'p> {
    pub(crate) table: &'p Table,
    pub(crate) title: &'p str,
    pub(crate) x: &'p str,
    pub(crate) y: &'p str,
    /// The columns that each have a line of their own; if there is none, all that differ.
    pub(crate) by: &'p [String],
    /// Columns that must have a value.
    pub(crate) only: &'p [String],
}

/// What is drawn.
#[derive(Debug, PartialEq)]
struct Chart {
    /// The values along it, as they are written.
    places: Vec<String>,
    are_numbers: bool,
    /// Names, and for each place a value, if there is one.
    series: Vec<(String, Vec<Option<f64>>)>,
}

impl Picture<'_> {
    /// # Errors
    /// If a column is not there, or nothing can be drawn.
    pub(crate) fn svg(&self) -> Result<String, SweepError> {
        let chart = self.chart()?;
        let mut svg = String::new();
        let height = 400.max(60 + LINE * chart.series.len()) as u32;
        chart
            .draw(&mut svg, (960, height), self.title, self.x, self.y)
            .map_err(|error| SweepError::Plot(format!("the picture cannot be drawn: {error}")))?;
        Ok(svg)
    }

    fn chart(&self) -> Result<Chart, SweepError> {
        let rows = self.rows()?;
        let mut places: Vec<Value> = Vec::new();
        let mut series: Vec<(String, Vec<Option<f64>>)> = Vec::new();
        let by = self.by(&rows)?;
        for row in &rows {
            let at = row.value(self.x).unwrap_or_default();
            let place = places.iter().position(|known| *known == at).unwrap_or_else(|| {
                places.push(at.clone());
                places.len() - 1
            });
            let name = named(row, &by, self.y);
            let line = series.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                series.push((name.clone(), Vec::new()));
                series.len() - 1
            });
            let values = &mut series[line].1;
            values.resize(values.len().max(place + 1), None);
            let value = row.value(self.y).and_then(|value| value.as_f64());
            if values[place].is_some() {
                let differ: Vec<String> = differing(&rows).into_iter().filter(|column| *column != self.x).collect();
                return Err(SweepError::Plot(format!(
                    "several points are `{name}` at {} {at}: give one value of another column by --where, or a line to each by \
                     --by; these differ: {}",
                    self.x,
                    differ.join(", ")
                )));
            }
            values[place] = value;
        }
        if series.len() > MOST {
            return Err(SweepError::Plot(format!(
                "there would be {} lines, and {MOST} are the most: name fewer columns by --by, and give one value of the others \
                 by --where",
                series.len()
            )));
        }
        series.iter_mut().for_each(|(_, values)| values.resize(places.len(), None));
        let are_numbers = places.iter().all(Value::is_number);
        Ok(Chart { places: places.iter().map(shown).collect(), are_numbers, series })
    }

    /// The rows that are drawn.
    fn rows(&self) -> Result<Vec<&Row>, SweepError> {
        let columns = self.table.columns();
        let is_column = |option: &str, name: &str| {
            let near = || nearest(name, columns.iter().map(String::as_str));
            columns.iter().any(|column| column == name).then_some(()).ok_or_else(|| {
                SweepError::Plot(format!("{option}: there is no column `{name}`; the nearest are {}", near()))
            })
        };
        is_column("--x", self.x)?;
        is_column("--y", self.y)?;
        self.by.iter().try_for_each(|name| is_column("--by", name))?;
        let mut rows: Vec<&Row> =
            self.table.rows.iter().filter(|row| matches!(row.state, PointState::Done { .. })).collect();
        for only in self.only {
            let Some((name, value)) = only.split_once('=') else {
                return Err(SweepError::Plot(format!("--where {only}: write a column, `=` and its value")));
            };
            is_column("--where", name)?;
            let mut known: Vec<String> = rows.iter().filter_map(|row| row.value(name)).map(|one| shown(&one)).collect();
            rows.retain(|row| row.value(name).is_some_and(|found| shown(&found) == value));
            if rows.is_empty() {
                known.sort();
                known.dedup();
                let near = nearest(value, known.iter().map(String::as_str));
                return Err(SweepError::Plot(format!(
                    "--where {only}: no point that is done has it; there are {near}"
                )));
            }
        }
        let has = |row: &&&Row| row.value(self.y).is_some_and(|value| value.is_number());
        match rows.iter().find(has) {
            Some(_) => Ok(rows),
            None => Err(SweepError::Plot(format!("--y {}: no point that is done has a number there", self.y))),
        }
    }

    /// The columns that have a line each.
    fn by(&self, rows: &[&Row]) -> Result<Vec<String>, SweepError> {
        let given = !self.by.is_empty();
        let by = if given { self.by.to_vec() } else { differing(rows) };
        if given && by.iter().any(|column| column == self.x) {
            return Err(SweepError::Plot(format!("--by: `{}` lies along the picture, by --x", self.x)));
        }
        Ok(by.into_iter().filter(|column| column != self.x).collect())
    }
}

/// The columns of points, but for their ids, whose values differ.
fn differing(rows: &[&Row]) -> Vec<String> {
    let columns = rows.first().into_iter().flat_map(|row| row.point.columns()).filter(|column| *column != "id");
    let differs = |column: &&str| rows.iter().any(|row| row.value(column) != rows[0].value(column));
    columns.filter(differs).map(str::to_string).collect()
}

/// The name of a row's line.
fn named(row: &Row, by: &[String], otherwise: &str) -> String {
    let values = by.iter().map(|column| {
        let value = row.value(column).unwrap_or_default();
        // Texts say what they are of; numbers do not.
        if value.is_string() { shown(&value) } else { format!("{column} {}", shown(&value)) }
    });
    let name = values.collect::<Vec<_>>().join(", ");
    if name.is_empty() { otherwise.to_string() } else { name }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Chart {
    fn draw(
        &self,
        svg: &mut String,
        size: (u32, u32),
        title: &str,
        x: &str,
        y: &str,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let widest = self.series.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let beside = (40 + LETTER * widest.min(60)) as u32;
        let (left, right) = area.split_horizontally(size.0 - beside);
        self.names(&right)?;
        let all = || self.series.iter().flat_map(|(_, values)| values).flatten().copied();
        let (bottom, top) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
        let top = if top - bottom > 0.0 { top + (top - bottom) * 0.05 } else { bottom + 1.0 };
        let long = self.places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
        let upright = long * self.places.len() * LETTER > (size.0 - beside) as usize;
        let below = if upright { 16 + LETTER * long.min(40) } else { 28 };
        let mut chart = ChartBuilder::on(&left)
            .caption(format!("{title}: {y} over {x}"), ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(below as u32)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..self.places.len() as f64, bottom..top)?;
        chart.configure_mesh().disable_x_mesh().disable_x_axis().y_desc(y).light_line_style(WHITE).draw()?;
        for (number, (_, values)) in self.series.iter().enumerate() {
            let colour = colour(number);
            let there = values.iter().enumerate().filter_map(|(place, value)| Some((place as f64, (*value)?)));
            if self.are_numbers {
                let line: Vec<(f64, f64)> = there.map(|(place, value)| (place + 0.5, value)).collect();
                chart.draw_series(LineSeries::new(line.iter().copied(), colour.stroke_width(2)))?;
                chart.draw_series(line.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
            } else {
                let width = 0.8 / self.series.len() as f64;
                let bar = |(place, value): (f64, f64)| {
                    let from = place + 0.1 + width * number as f64;
                    Rectangle::new([(from, 0.0), (from + width * 0.9, value)], colour.filled())
                };
                chart.draw_series(there.map(bar))?;
            }
        }
        let font = ("sans-serif", 12).into_font();
        for (place, name) in self.places.iter().enumerate() {
            let (at, floor) = chart.backend_coord(&(place as f64 + 0.5, bottom));
            let middle = (LETTER * name.chars().count() / 2) as i32;
            let text = match upright {
                true => {
                    let font = font.transform(FontTransform::Rotate90).color(&BLACK);
                    Text::new(name.clone(), (at + 5, floor + 6), font)
                }
                false => Text::new(name.clone(), (at - middle, floor + 6), font.color(&BLACK)),
            };
            left.draw(&text)?;
        }
        area.present()?;
        Ok(())
    }

    /// The list of names, beside the picture: nothing is drawn under it.
    fn names(&self, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let font = ("sans-serif", 12).into_font().color(&BLACK);
        for (number, (name, _)) in self.series.iter().enumerate() {
            let at = (30 + LINE * number) as i32;
            area.draw(&Rectangle::new([(4, at + 2), (16, at + 12)], colour(number).filled()))?;
            area.draw(&Text::new(name.clone(), (22, at), font.clone()))?;
        }
        Ok(())
    }
}

/// A colour for each line: behind the first eight the same again, lighter.
fn colour(number: usize) -> RGBAColor {
    let lighter = [1.0, 0.6, 0.35];
    COLOURS[number % COLOURS.len()].mix(lighter[number / COLOURS.len() % lighter.len()])
}
