//! Columns side by side, a group for each name.

use super::{Picture, PictureError, colour, highest, label, legend, legend_width, svg, text};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Columns side by side: a group for each class of lanes, a column in it for each series.
pub(super) fn beside(
    title: &str,
    unit: &str,
    groups: &[String],
    series: &[(String, Vec<f64>)],
) -> Result<Picture, PictureError> {
    let names: Vec<_> = series.iter().enumerate().map(|(number, (name, _))| (name.clone(), colour(number))).collect();
    let side = legend_width(series.iter().map(|(name, _)| name));
    let height = 300.max(60 + 17 * series.len() as u32);
    let svg = svg((640 + side, height), |area| {
        let (plot, list) = area.split_horizontally(640);
        let top = highest(series.iter().flat_map(|(_, values)| values).copied());
        let mut chart = ChartBuilder::on(&plot)
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..groups.len() as f64, 0.0..top * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .light_line_style(TRANSPARENT)
            .y_desc(unit)
            .label_style(("sans-serif", 12))
            .draw()?;
        let count = series.len() as f64 + 1.0;
        for (number, (_, values)) in series.iter().enumerate() {
            chart.draw_series(values.iter().enumerate().map(|(group, &value)| {
                let left = group as f64 + (number as f64 + 0.5) / count;
                Rectangle::new([(left, 0.0), (left + 0.92 / count, value)], colour(number).filled())
            }))?;
        }
        for (number, group) in groups.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(number as f64 + 0.5, 0.0));
            area.draw(&Text::new(text(group), (x, y + 12), label(12, &BLACK, HPos::Center, FontTransform::None)))?;
        }
        legend(&list, &names)
    })?;
    let columns = std::iter::once("lanes".to_string()).chain(series.iter().map(|(name, _)| name.clone())).collect();
    let row = |(number, name): (usize, &String)| {
        let value = |values: &Vec<f64>| values.get(number).map_or(String::new(), |value| format!("{value:.4}"));
        std::iter::once(name.clone()).chain(series.iter().map(|(_, values)| value(values))).collect()
    };
    let rows = groups.iter().enumerate().map(row).collect();
    Ok(Picture { title: title.to_string(), svg, columns, rows })
}
