//! Columns: a group for each name, or parts of a whole, one above the other.

use super::{Area, Failed, Picture, PictureError, between, colour, legend, legend_width, svg, text};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Values as a table: a row for each name, a column for each series.
fn table(first: &str, names: &[String], series: &[(String, Vec<f64>)]) -> (Vec<String>, Vec<Vec<String>>) {
    let columns = std::iter::once(first.to_string()).chain(series.iter().map(|(name, _)| name.clone())).collect();
    let row = |(number, name): (usize, &String)| {
        let values =
            series.iter().map(|(_, values)| values.get(number).map_or(String::new(), |value| format!("{value:.4}")));
        std::iter::once(name.clone()).chain(values).collect()
    };
    (columns, names.iter().enumerate().map(row).collect())
}

fn coloured(series: &[(String, Vec<f64>)]) -> Vec<(String, RGBColor)> {
    series.iter().enumerate().map(|(number, (name, _))| (name.clone(), colour(number))).collect()
}

/// Its name, and its value in each column.
type Part = (String, Vec<f64>);

type Axes<'d> = ChartContext<'d, SVGBackend<'d>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The axes of so many places, with so much room for their names below, and of values up to a highest one.
fn axes<'d>(plot: &Area<'d>, unit: &str, below: u32, (places, top): (usize, f64)) -> Result<Axes<'d>, Failed> {
    let mut chart = ChartBuilder::on(plot)
        .margin(8)
        .x_label_area_size(below)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..places as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .y_desc(unit)
        .label_style(("sans-serif", 12))
        .draw()?;
    Ok(chart)
}

/// Columns side by side: a group for each class, a column in it for each series.
pub(super) fn beside(
    title: &str,
    unit: &str,
    groups: &[String],
    series: &[(String, Vec<f64>)],
) -> Result<Picture, PictureError> {
    let names = coloured(series);
    let side = legend_width(series.iter().map(|(name, _)| name));
    let height = 300.max(60 + 17 * series.len() as u32);
    let svg = svg((640 + side, height), |area| {
        let (plot, list) = area.split_horizontally(640);
        let top = series.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max).max(1e-9);
        let mut chart = axes(&plot, unit, 24, (groups.len(), top * 1.05))?;
        let count = series.len() as f64 + 1.0;
        for (number, (_, values)) in series.iter().enumerate() {
            chart.draw_series(values.iter().enumerate().map(|(group, &value)| {
                let left = group as f64 + (number as f64 + 0.5) / count;
                Rectangle::new([(left, 0.0), (left + 0.92 / count, value)], colour(number).filled())
            }))?;
        }
        for (number, group) in groups.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(number as f64 + 0.5, 0.0));
            let style = ("sans-serif", 12).into_font().color(&BLACK);
            let width = 6 * group.chars().count() as i32;
            area.draw(&Text::new(text(group), (x - width / 2, y + 6), style))?;
        }
        legend(&list, &names)
    })?;
    let (columns, rows) = table("lanes", groups, series);
    Ok(Picture { title: title.to_string(), svg, columns, rows })
}

/// Parts one above the other: a column for each name. The colours are told apart, or, of parts that are in order, go from one end
/// to the other.
pub(super) fn above(
    (title, unit): (&str, &str),
    columns: &[String],
    parts: &[(String, Vec<f64>)],
    ordered: bool,
) -> Result<Picture, PictureError> {
    let mut names = coloured(parts);
    if ordered {
        let last = parts.len().saturating_sub(1).max(1) as f64;
        names.iter_mut().zip(0..).for_each(|((_, colour), number)| *colour = between(f64::from(number) / last));
    }
    let side = legend_width(parts.iter().map(|(name, _)| name));
    let wide = 90 + 44 * columns.len().max(4) as u32;
    let longest = columns.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(40) as u32;
    let svg = svg((wide + side, 280 + 7 * longest), |area| {
        let (plot, list) = area.split_horizontally(wide);
        stacks(area, &plot, unit, columns, (parts, &names), 20 + 7 * longest)?;
        // The list reads as the columns do: the topmost part first.
        legend(&list, &names.iter().rev().cloned().collect::<Vec<_>>())
    })?;
    let (heads, rows) =
        table("part", &parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), &turned(columns, parts));
    Ok(Picture { title: title.to_string(), svg, columns: heads, rows })
}

/// By column, the values of all parts.
fn turned(columns: &[String], parts: &[(String, Vec<f64>)]) -> Vec<(String, Vec<f64>)> {
    let of = |number: usize| parts.iter().map(|(_, values)| values.get(number).copied().unwrap_or(0.0)).collect();
    columns.iter().enumerate().map(|(number, name)| (name.clone(), of(number))).collect()
}

fn stacks(
    area: &Area<'_>,
    plot: &Area<'_>,
    unit: &str,
    columns: &[String],
    (parts, names): (&[Part], &[(String, RGBColor)]),
    below: u32,
) -> Result<(), Failed> {
    let mut chart = axes(plot, unit, below, (columns.len().max(1), 1.0))?;
    let mut bottom = vec![0.0; columns.len()];
    for ((_, shares), (_, colour)) in parts.iter().zip(names) {
        let boxes: Vec<_> = shares
            .iter()
            .zip(&mut bottom)
            .enumerate()
            .map(|(column, (share, bottom))| {
                let from = *bottom;
                *bottom += share;
                Rectangle::new([(column as f64 + 0.15, from), (column as f64 + 0.85, *bottom)], colour.filled())
            })
            .collect();
        chart.draw_series(boxes)?;
    }
    let style = ("sans-serif", 12).into_font().transform(FontTransform::Rotate90).color(&BLACK);
    for (column, name) in columns.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(column as f64 + 0.62, 0.0));
        area.draw(&Text::new(text(name), (x, y + 4), style.clone()))?;
    }
    Ok(())
}
