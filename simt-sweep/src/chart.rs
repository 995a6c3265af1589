//! A figure over the values of a column, drawn as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

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
/// How many signs there are for points of lines. With the colours, a line has both of another one only after 40.
const SIGNS: usize = 5;
/// The height of a line of the list of names.
const LINE: usize = 18;
/// About as wide as a letter of the lists and the axis.
const LETTER: usize = 6;
/// The width of the picture.
const WIDTH: u32 = 960;

/// What lies along a chart.
#[derive(Debug, PartialEq)]
pub(crate) enum Along {
    /// Numbers, which lines lie over.
    Numbers(Vec<f64>),
    /// Names, each with its bars.
    Names(Vec<String>),
}

/// What is drawn.
#[derive(Debug, PartialEq)]
pub(crate) struct Chart {
    pub(crate) along: Along,
    /// Names, and for each place a value, if there is one.
    pub(crate) series: Vec<(String, Vec<Option<f64>>)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Where values lie along a chart, and what stands below them.
struct Axis {
    from: f64,
    to: f64,
    places: Vec<f64>,
    labels: Vec<String>,
    /// What stands behind the column's name.
    note: &'static str,
}

/// Whether numbers grow by factors, and not by sums: each of three and more is about twice the one before, at least.
fn grow_by_factors(numbers: &[f64]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    sorted.len() > 2 && sorted[0] > 0.0 && sorted.windows(2).all(|pair| pair[1] >= 1.9 * pair[0])
}

impl Along {
    fn axis(&self) -> Axis {
        match self {
            Self::Names(names) => Axis {
                from: 0.0,
                to: names.len() as f64,
                places: (0..names.len()).map(|place| place as f64 + 0.5).collect(),
                labels: names.clone(),
                note: "",
            },
            Self::Numbers(numbers) => {
                let by_factors = grow_by_factors(numbers);
                let places: Vec<f64> =
                    numbers.iter().map(|&number| if by_factors { number.ln() } else { number }).collect();
                let (low, high) = (
                    places.iter().copied().fold(f64::INFINITY, f64::min),
                    places.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                );
                let beside = if high > low { (high - low) * 0.04 } else { 1.0 };
                let labels = numbers.iter().map(|&number| short(number)).collect();
                let note = if by_factors { " (logarithmic)" } else { "" };
                Axis { from: low - beside, to: high + beside, places, labels, note }
            }
        }
    }
}

impl Chart {
    /// As SVG.
    pub(crate) fn svg(&self, title: &str, x: &str, y: &str) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        let size = (WIDTH, 420.max(60 + LINE * self.series.len()) as u32);
        self.draw(&SVGBackend::with_string(&mut svg, size).into_drawing_area(), size, [title, x, y])?;
        Ok(svg)
    }

    fn draw(&self, area: &Area<'_>, size: (u32, u32), [title, x, y]: [&str; 3]) -> Result<(), Box<dyn Error>> {
        area.fill(&WHITE)?;
        let widest = self.series.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let beside = (50 + LETTER * widest.min(60)) as u32;
        let (left, right) = area.split_horizontally(size.0 - beside);
        self.names(&right)?;
        let all = || self.series.iter().flat_map(|(_, values)| values).flatten().copied();
        let (bottom, top) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
        let top = if top - bottom > 0.0 { top + (top - bottom) * 0.05 } else { bottom + 1.0 };
        let axis = self.along.axis();
        let long = axis.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let are_names = matches!(self.along, Along::Names(_));
        let upright = are_names && long * axis.labels.len() * LETTER > (size.0 - beside) as usize;
        let below = if upright { 16 + LETTER * long.min(40) } else { 28 };
        let mut chart = ChartBuilder::on(&left)
            .caption(format!("{title}: {y} over {x}"), ("sans-serif", 16))
            .margin(8)
            .x_label_area_size((below + LINE) as u32)
            .y_label_area_size(70)
            .build_cartesian_2d(axis.from..axis.to, bottom..top)?;
        let short_label = |value: &f64| short(*value);
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().disable_x_axis().y_desc(y).light_line_style(WHITE).y_label_formatter(&short_label);
        mesh.draw()?;
        for (number, (_, values)) in self.series.iter().enumerate() {
            let colour = colour(number);
            if are_names {
                let width = 0.8 / self.series.len() as f64;
                let bar = |(&place, value): (&f64, &Option<f64>)| {
                    let from = place - 0.4 + width * number as f64;
                    value.map(|value| Rectangle::new([(from, 0.0), (from + width * 0.9, value)], colour.filled()))
                };
                chart.draw_series(axis.places.iter().zip(values).filter_map(bar))?;
                continue;
            }
            let mut line: Vec<(f64, f64)> =
                axis.places.iter().zip(values).filter_map(|(&place, value)| Some((place, (*value)?))).collect();
            // The sweep may have its values in another order.
            line.sort_by(|one, other| one.0.total_cmp(&other.0));
            if is_dashed(number) {
                chart.draw_series(DashedLineSeries::new(line.iter().copied(), 6, 4, colour.stroke_width(2)))?;
            } else {
                chart.draw_series(LineSeries::new(line.iter().copied(), colour.stroke_width(2)))?;
            }
            for at in line {
                sign(&left, chart.backend_coord(&at), number)?;
            }
        }
        let floor = chart.backend_coord(&(axis.from, bottom)).1;
        let at: Vec<i32> = axis.places.iter().map(|&place| chart.backend_coord(&(place, bottom)).0).collect();
        let font = ("sans-serif", 12).into_font();
        let shown = if are_names { (0..at.len()).collect() } else { with_room(&at, &axis.labels) };
        for place in shown {
            let (at, label) = (at[place], &axis.labels[place]);
            let text = match upright {
                true => {
                    let font = font.transform(FontTransform::Rotate90).color(&BLACK);
                    Text::new(label.clone(), (at + 5, floor + 6), font)
                }
                false => Text::new(label.clone(), (at - half(label), floor + 6), font.color(&BLACK)),
            };
            left.draw(&text)?;
            left.draw(&PathElement::new([(at, floor), (at, floor + 4)], BLACK))?;
        }
        let name = format!("{x}{}", axis.note);
        let middle = (chart.backend_coord(&(axis.from, bottom)).0 + chart.backend_coord(&(axis.to, bottom)).0) / 2;
        left.draw(&Text::new(name.clone(), (middle - half(&name), floor + below as i32), font.color(&BLACK)))?;
        area.present()?;
        Ok(())
    }

    /// The list of names, beside the picture: nothing is drawn under it.
    fn names(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        let font = ("sans-serif", 12).into_font().color(&BLACK);
        for (number, (name, _)) in self.series.iter().enumerate() {
            let (at, colour) = ((30 + LINE * number) as i32, colour(number));
            if matches!(self.along, Along::Names(_)) {
                area.draw(&Rectangle::new([(14, at + 2), (26, at + 12)], colour.filled()))?;
            } else {
                let ends = if is_dashed(number) { vec![(2, 8), (20, 26)] } else { vec![(2, 26)] };
                for (from, to) in ends {
                    area.draw(&PathElement::new([(from, at + 7), (to, at + 7)], colour.stroke_width(2)))?;
                }
                sign(area, (14, at + 7), number)?;
            }
            area.draw(&Text::new(name.clone(), (32, at), font.clone()))?;
        }
        Ok(())
    }
}

/// Half of the width of a text.
fn half(text: &str) -> i32 {
    (LETTER * text.chars().count() / 2) as i32
}

/// The labels that there is room for: the first and the last, and what does not touch another one.
fn with_room(at: &[i32], labels: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by_key(|&place| at[place]);
    if let Some(last) = order.pop() {
        order.insert(1.min(order.len()), last);
    }
    let mut shown: Vec<usize> = Vec::new();
    for place in order {
        let apart = |&other: &usize| (at[place] - at[other]).abs() > half(&labels[place]) + half(&labels[other]) + 6;
        if shown.iter().all(apart) {
            shown.push(place);
        }
    }
    shown
}

/// A number in few digits.
fn short(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e15).contains(&value.abs()) {
        return format!("{value:e}");
    }
    let text = format!("{value:.10}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// The sign of a line's points.
fn sign(area: &Area<'_>, at: (i32, i32), number: usize) -> Result<(), Box<dyn Error>> {
    let colour = colour(number);
    match number % SIGNS {
        0 => area.draw(&Circle::new(at, 4, colour.filled()))?,
        1 => area.draw(&TriangleMarker::new(at, 6, colour.filled()))?,
        2 => area.draw(&Cross::new(at, 4, colour.stroke_width(2)))?,
        3 => area.draw(&Rectangle::new([(at.0 - 4, at.1 - 4), (at.0 + 4, at.1 + 4)], colour.filled()))?,
        _ => {
            area.draw(&Circle::new(at, 4, WHITE.filled()))?;
            area.draw(&Circle::new(at, 4, colour.stroke_width(2)))?;
        }
    }
    Ok(())
}

/// Behind the first eight colours lines are dashed.
fn is_dashed(number: usize) -> bool {
    number / COLOURS.len() % 2 == 1
}

/// A colour for each line: behind the first eight the same again, lighter.
fn colour(number: usize) -> RGBAColor {
    let lighter = [1.0, 0.6, 0.35];
    COLOURS[number % COLOURS.len()].mix(lighter[number / COLOURS.len() % lighter.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_where_they_are() {
        let places = |numbers: &[f64]| {
            let axis = Along::Numbers(numbers.to_vec()).axis();
            let part = |place: &f64| ((place - axis.places[0]) / (axis.places.last().unwrap() - axis.places[0])).abs();
            (axis.places.iter().map(part).map(|part| (part * 1000.0).round()).collect::<Vec<_>>(), axis.note)
        };
        assert_eq!(places(&[0.0, 1.0, 4.0]), (vec![0.0, 250.0, 1000.0], ""));
        assert_eq!(places(&[10.0, 20.0, 30.0]), (vec![0.0, 500.0, 1000.0], ""));
        assert_eq!(places(&[4.0, 2.0, 3.0, 0.0]), (vec![0.0, 500.0, 250.0, 1000.0], ""));
        assert_eq!(places(&[1.0, 2.0, 4.0, 8.0]), (vec![0.0, 333.0, 667.0, 1000.0], " (logarithmic)"));
        assert_eq!(places(&[1.0, 10.0, 100.0]).1, " (logarithmic)");
        for sums in [&[-1.0, -2.0, -4.0][..], &[0.0, 1.0, 2.0, 4.0], &[1.0, 2.0], &[7.0]] {
            assert_eq!(Along::Numbers(sums.to_vec()).axis().note, "", "{sums:?}");
        }
    }

    #[test]
    fn lines_have_signs_and_dashes_and_axes_their_names() {
        let series = (0..9).map(|number| (format!("line {number}"), vec![Some(1.0), None, Some(f64::from(number))]));
        let numbers = Along::Numbers(vec![1.0, 16_384.0, 12_000.5]);
        let svg = Chart { along: numbers, series: series.collect() }.svg("title", "bytes", "ipc").unwrap();
        for part in ["<circle", "<polygon", "<rect", ">\nbytes\n<", ">\n12000.5\n<", ">\n16384\n<", ">\nline 8\n<"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert!(!svg.contains(".0\n<"), "{svg}");
        assert!(svg.matches("<polyline").count() > 40, "the ninth line is dashed: {svg}");
        let marks = |number: usize| (number % COLOURS.len(), number % SIGNS, is_dashed(number));
        let all: std::collections::BTreeSet<_> = (0..24).map(marks).collect();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn labels_that_would_touch_others_are_left_out() {
        let labels: Vec<String> = (0..5).map(|number| format!("10000{number}")).collect();
        assert_eq!(with_room(&[0, 10, 50, 90, 100], &labels), [0, 4, 2]);
        assert_eq!(with_room(&[0], &labels), [0]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, 0.1 + 0.2, -0.0, 1e-9, 16_384.0].map(short), ["1", "0.3", "0", "1e-9", "16384"]);
    }
}
