//! Pictures, as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;

/// Columns side by side: a group for each name, a bar in it for each series. A printed value is a black line across its bar.
pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    /// What the height is, with its unit.
    pub(crate) unit: &'a str,
    pub(crate) groups: Vec<String>,
    /// The name of each series, and its values in the order of the groups.
    pub(crate) series: Vec<(String, Vec<f64>)>,
    /// Printed values: group, series, value.
    pub(crate) printed: Vec<(usize, usize, f64)>,
}

/// Parts of a whole, one above the other: a column for each name.
pub(crate) struct Stacks<'a> {
    pub(crate) title: &'a str,
    pub(crate) columns: Vec<String>,
    /// The name of each part, and its share in each column, from 0 to 1.
    pub(crate) parts: Vec<(String, Vec<f64>)>,
}

/// Lines over a common axis.
pub(crate) struct Lines<'a> {
    pub(crate) title: &'a str,
    pub(crate) across: &'a str,
    pub(crate) up: &'a str,
    pub(crate) series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Kinds as colours: a row for each name, a column for each, and in each field parts side by side.
pub(crate) struct Fields<'a> {
    pub(crate) title: &'a str,
    pub(crate) rows: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// The names of the kinds.
    pub(crate) kinds: Vec<String>,
    /// By row and column the kinds of the parts.
    pub(crate) fields: Vec<Vec<Vec<usize>>>,
}

type Drawn<'d> = DrawingArea<SVGBackend<'d>, Shift>;
type Failed = Box<dyn std::error::Error>;

/// Colours that can be told apart without seeing red and green (M. Okabe and K. Ito).
const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(120, 120, 120),
    RGBColor(112, 72, 32),
];

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// A picture of that size, of what is drawn.
fn picture(size: (u32, u32), draw: impl FnOnce(&Drawn<'_>) -> Result<(), Failed>) -> Result<String, String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Failed::from).and_then(|()| draw(&area));
        drawn.and_then(|()| area.present().map_err(Failed::from)).map_err(|error| error.to_string())?;
    }
    Ok(svg)
}

/// Width of what stands beside a picture: the names of its colours.
const NAMES: u32 = 170;

/// The names of colours, in an area of their own: nothing that is drawn is behind them.
fn names<'n>(area: &Drawn<'_>, names: impl Iterator<Item = (&'n str, RGBColor)>) -> Result<(), Failed> {
    for ((name, colour), line) in names.zip(0..) {
        let top = 44 + 19 * line;
        area.draw(&Rectangle::new([(4, top), (16, top + 11)], colour.filled()))?;
        area.draw(&Text::new(name.to_string(), (22, top), ("sans-serif", 12).into_font().color(&BLACK)))?;
    }
    Ok(())
}

/// About how wide a name is.
fn width(name: &str) -> u32 {
    6 * name.chars().count() as u32
}

/// A name that is read from above, under a place of the lower edge.
fn downwards(area: &Drawn<'_>, (x, y): (i32, i32), name: &str) -> Result<(), Failed> {
    let style = ("sans-serif", 11).into_font().transform(FontTransform::Rotate90).color(&BLACK);
    Ok(area.draw(&Text::new(name.to_string(), (x, y + 4), style))?)
}

impl Bars<'_> {
    /// # Errors
    /// If the values cannot be drawn.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let all = self.series.iter().flat_map(|(_, values)| values).copied();
        let top = all.chain(self.printed.iter().map(|&(_, _, value)| value)).fold(0.0, f64::max).max(1e-9) * 1.15;
        let count = self.series.len() as f64 + 1.0;
        // Each bar can be seen, and names that are wider than their group are turned.
        let beside = if self.series.len() > 1 { NAMES } else { 0 };
        let all = (self.groups.len() as u32 * 5 * (self.series.len() as u32 + 1)).clamp(720, 2400);
        let widest = self.groups.iter().map(|name| width(name)).max().unwrap_or(0);
        let is_turned = widest > all / self.groups.len().max(1) as u32;
        let below = if is_turned { widest + 8 } else { 28 };
        picture((all + beside + 80, 350 + below), |area| {
            let (area, side) = area.split_horizontally(all + 80);
            if beside > 0 {
                names(&side, self.series.iter().enumerate().map(|(number, (name, _))| (&**name, colour(number))))?;
            }
            let mut chart = ChartBuilder::on(&area)
                .caption(self.title, ("sans-serif", 18))
                .margin(8)
                .x_label_area_size(below)
                .y_label_area_size(60)
                .build_cartesian_2d(0.0..self.groups.len() as f64, 0.0..top)?;
            let name = |x: &f64| {
                let group = x.floor() as usize;
                // A label stands in the middle of its group.
                if !is_turned && (x - x.floor() - 0.5).abs() < 1e-6 {
                    self.groups.get(group).cloned().unwrap_or_default()
                } else {
                    String::new()
                }
            };
            chart
                .configure_mesh()
                .disable_x_mesh()
                .x_labels(2 * self.groups.len() + 1)
                .x_label_formatter(&name)
                .y_desc(self.unit)
                .light_line_style(WHITE)
                .draw()?;
            for (number, (_, values)) in self.series.iter().enumerate() {
                let bars = values.iter().enumerate().map(|(group, &value)| {
                    let left = group as f64 + (number as f64 + 0.5) / count;
                    Rectangle::new([(left, 0.0), (left + 0.9 / count, value)], colour(number).filled())
                });
                chart.draw_series(bars)?;
            }
            if is_turned {
                for (group, name) in self.groups.iter().enumerate() {
                    let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
                    downwards(&area, (x + 5, y), name)?;
                }
            }
            let marks = self.printed.iter().map(|&(group, number, value)| {
                let left = group as f64 + (number as f64 + 0.45) / count;
                PathElement::new([(left, value), (left + 1.0 / count, value)], BLACK.stroke_width(2))
            });
            chart.draw_series(marks)?;
            Ok(())
        })
    }
}

impl Stacks<'_> {
    /// # Errors
    /// If the values cannot be drawn.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let columns = self.columns.len();
        let all = 70 + 22 * columns as u32;
        picture((all + NAMES, 420), |area| {
            let (area, side) = area.split_horizontally(all);
            let parts = self.parts.iter().enumerate();
            names(&side, parts.map(|(number, (name, _))| (&**name, shade(number, self.parts.len()))))?;
            let mut chart = ChartBuilder::on(&area)
                .caption(self.title, ("sans-serif", 16))
                .margin(8)
                .x_label_area_size(110)
                .y_label_area_size(50)
                .build_cartesian_2d(0.0..columns as f64, 0.0..1.0)?;
            chart.configure_mesh().disable_x_mesh().disable_x_axis().y_desc("share of issue slots").draw()?;
            let mut below = vec![0.0; columns];
            let count = self.parts.len();
            for (number, (_, shares)) in self.parts.iter().enumerate() {
                let shade = shade(number, count);
                let boxes: Vec<_> = shares
                    .iter()
                    .enumerate()
                    .map(|(column, share)| {
                        let from = below[column];
                        below[column] += share;
                        Rectangle::new(
                            [(column as f64 + 0.1, from), (column as f64 + 0.9, below[column])],
                            shade.filled(),
                        )
                    })
                    .collect();
                chart.draw_series(boxes)?;
            }
            for (column, name) in self.columns.iter().enumerate() {
                downwards(&area, chart.backend_coord(&(column as f64 + 0.75, 0.0)), name)?;
            }
            Ok(())
        })
    }
}

/// The colour of a part: nothing issued, few to many threads, and stalls.
fn shade(number: usize, count: usize) -> RGBColor {
    match number {
        0 => RGBColor(127, 127, 127),
        1 => RGBColor(199, 199, 199),
        number if number + 1 == count => RGBColor(192, 57, 43),
        number => {
            let part = (number - 2) as f64 / (count.max(5) - 4) as f64;
            let mix = |from: f64, to: f64| (from + (to - from) * part) as u8;
            RGBColor(mix(255.0, 8.0), mix(237.0, 48.0), mix(160.0, 107.0))
        }
    }
}

impl Lines<'_> {
    /// # Errors
    /// If the values cannot be drawn.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let points = || self.series.iter().flat_map(|(_, points)| points);
        let right = points().map(|point| point.0).fold(1e-9, f64::max);
        let left = points().map(|point| point.0).fold(right, f64::min);
        let top = points().map(|point| point.1).fold(1e-9, f64::max) * 1.05;
        picture((720 + NAMES, 320), |area| {
            let (area, side) = area.split_horizontally(720);
            names(&side, self.series.iter().enumerate().map(|(number, (name, _))| (&**name, colour(number))))?;
            let mut chart = ChartBuilder::on(&area)
                .caption(self.title, ("sans-serif", 16))
                .margin(8)
                .x_label_area_size(36)
                .y_label_area_size(64)
                .build_cartesian_2d(left..right.max(left + 1e-9), 0.0..top)?;
            chart.configure_mesh().x_desc(self.across).y_desc(self.up).light_line_style(WHITE).draw()?;
            for (number, (_, points)) in self.series.iter().enumerate() {
                let line = LineSeries::new(points.iter().copied(), colour(number).stroke_width(2));
                chart.draw_series(line)?;
            }
            Ok(())
        })
    }
}

impl Fields<'_> {
    /// # Errors
    /// If it cannot be drawn.
    pub(crate) fn svg(&self) -> Result<String, String> {
        const ROW: i32 = 22;
        const COLUMN: i32 = 34;
        let (left, top) = (190, 190);
        let wide = left + COLUMN * self.columns.len() as i32 + 20;
        let high = top + ROW * (self.rows.len() + self.kinds.len() + 1) as i32 + 10;
        picture((wide as u32, high as u32), |area| {
            let text = ("sans-serif", 12).into_font().color(&BLACK);
            area.draw(&Text::new(self.title, (8, 8), ("sans-serif", 16).into_font().color(&BLACK)))?;
            for (number, name) in self.columns.iter().enumerate() {
                let turned = ("sans-serif", 12).into_font().transform(FontTransform::Rotate270).color(&BLACK);
                area.draw(&Text::new(name.clone(), (left + COLUMN * number as i32 + 8, top - 6), turned))?;
            }
            for (row, (name, fields)) in self.rows.iter().zip(&self.fields).enumerate() {
                let above = top + ROW * row as i32;
                area.draw(&Text::new(name.clone(), (8, above + 4), text.clone()))?;
                for (column, parts) in fields.iter().enumerate() {
                    let from = left + COLUMN * column as i32;
                    for (number, kind) in parts.iter().enumerate() {
                        let edge = |part: usize| from + 1 + (COLUMN - 2) * part as i32 / parts.len() as i32;
                        let corners = [(edge(number), above + 1), (edge(number + 1), above + ROW - 1)];
                        area.draw(&Rectangle::new(corners, colour_of_kind(*kind).filled()))?;
                    }
                }
            }
            for (number, name) in self.kinds.iter().enumerate() {
                let above = top + ROW * (self.rows.len() + number) as i32 + ROW / 2;
                let corners = [(left, above + 2), (left + 16, above + ROW - 4)];
                area.draw(&Rectangle::new(corners, colour_of_kind(number).filled()))?;
                area.draw(&Text::new(name.clone(), (left + 24, above + 4), text.clone()))?;
            }
            Ok(())
        })
    }
}

/// What is well is pale, what is not stands out.
fn colour_of_kind(kind: usize) -> RGBColor {
    const KINDS: [RGBColor; 6] = [
        RGBColor(214, 234, 222),
        RGBColor(213, 94, 0),
        RGBColor(230, 159, 0),
        RGBColor(204, 121, 167),
        RGBColor(120, 120, 120),
        RGBColor(0, 0, 0),
    ];
    KINDS[kind % KINDS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bar_has_its_place() {
        let bars = Bars {
            title: "IPC",
            unit: "instructions a cycle",
            groups: vec!["one".into(), "two".into()],
            series: vec![("PDOM".into(), vec![1.0, 2.0]), ("DWF".into(), vec![3.0, 0.0])],
            printed: vec![(0, 1, 2.5)],
        };
        let svg = bars.svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        for word in ["one", "two", "PDOM", "DWF", "instructions a cycle"] {
            assert!(svg.contains(word), "{word}: {svg}");
        }
        assert!(Bars { groups: Vec::new(), series: Vec::new(), printed: Vec::new(), ..bars }.svg().is_ok());
    }

    #[test]
    fn lines_without_points_are_drawn() {
        let lines = Lines { title: "a", across: "b", up: "c", series: vec![("d".into(), Vec::new())] };
        assert!(lines.svg().unwrap().contains("<svg"));
    }

    #[test]
    fn each_part_of_a_field_has_its_colour() {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let fields = Fields {
            title: "endings",
            rows: names(&["program"]),
            columns: names(&["one", "two"]),
            kinds: names(&["ends", "never"]),
            fields: vec![vec![vec![0, 1], vec![1]]],
        };
        let svg = fields.svg().unwrap();
        let filled = |colour: &str| svg.matches(&format!("fill=\"{colour}\"")).count();
        // The parts, and one in the list of kinds.
        assert_eq!((filled("#D6EADE"), filled("#D55E00")), (2, 3), "{svg}");
    }
}
