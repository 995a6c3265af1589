//! Values with their intervals over names, one picture below the other.

use super::{Failed, Picture, PictureError, colour, highest, longest, short, short_name, svg};
use plotters::prelude::*;

/// Values, a name each.
pub(crate) struct Points {
    pub(crate) unit: String,
    /// The highest value of the axis, if it does not follow from the values.
    pub(crate) top: Option<f64>,
    /// Low end, value, high end, of those that are there.
    pub(crate) values: Vec<Option<[f64; 3]>>,
}

impl Picture {
    /// Values over names.
    pub(crate) fn over(title: &str, names: &[String], all: &[Points]) -> Result<Self, PictureError> {
        let (wide, high, below) = (110 + 44 * names.len().max(4) as u32, 170, 20 + 7 * longest(names));
        let svg = svg((wide, high * all.len() as u32 + below), |area| {
            let (plots, _) = area.split_vertically(high * all.len() as u32);
            for (number, (points, area)) in all.iter().zip(plots.split_evenly((all.len(), 1))).enumerate() {
                draw(points, names.len(), &area, number)?;
            }
            let style = ("sans-serif", 12).into_font().transform(FontTransform::Rotate90).color(&BLACK);
            let (left, width) = (f64::from(MARGIN + AXIS), f64::from(wide - 2 * MARGIN - AXIS));
            for (number, name) in names.iter().enumerate() {
                let x = left + width * (number as f64 + 0.5) / names.len() as f64 + 6.0;
                area.draw(&Text::new(
                    short_name(name),
                    (x as i32, (high * all.len() as u32) as i32 + 2),
                    style.clone(),
                ))?;
            }
            Ok(())
        })?;
        let columns = std::iter::once("name".to_string()).chain(
            all.iter().flat_map(|points| ["low", "value", "high"].map(|which| format!("{which}, {}", points.unit))),
        );
        let row = |(number, name): (usize, &String)| {
            let values = all.iter().flat_map(|points| match points.values.get(number) {
                Some(Some(values)) => values.map(|value| value.to_string()),
                _ => [const { String::new() }; 3],
            });
            std::iter::once(name.clone()).chain(values).collect()
        };
        let rows = names.iter().enumerate().map(row).collect();
        Ok(Self { title: title.to_string(), svg, columns: columns.collect(), rows })
    }
}

/// What is around a picture, and left of it for the axis.
const MARGIN: u32 = 8;
const AXIS: u32 = 62;

fn draw(points: &Points, places: usize, area: &super::Area<'_>, number: usize) -> Result<(), Failed> {
    let values = points.values.iter().flatten().map(|&[_, _, high]| high);
    let top = points.top.unwrap_or_else(|| 1.15 * highest(values));
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .y_label_area_size(AXIS)
        .build_cartesian_2d(0.0..places.max(1) as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .y_labels(6)
        .y_label_formatter(&|value| short(*value))
        .y_desc(points.unit.as_str())
        .label_style(("sans-serif", 12))
        .draw()?;
    let at = |place: usize| place as f64 + 0.5;
    let known = || points.values.iter().enumerate().filter_map(|(place, values)| Some((place, (*values)?)));
    let colour = colour(number);
    chart.draw_series(LineSeries::new(known().map(|(place, [_, value, _])| (at(place), value)), colour))?;
    chart.draw_series(
        known().map(|(place, [low, value, high])| {
            ErrorBar::new_vertical(at(place), low, value, high, colour.filled(), 10)
        }),
    )?;
    Ok(())
}
