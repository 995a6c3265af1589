//! Runs over time, as their clocks have sampled them.

use super::runs::{slot_classes, slot_shares};
use super::{
    Area, Colours, Failed, Picture, PictureError, highest, label, legend, legend_width, short, short_name, svg, text,
};
use crate::Run;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use simt_runtime::Sample;

/// The size of a plot, with its axes and the name above it.
const PLOT: (u32, u32) = (520, 190);

/// The names of a run's plots, one below the other.
const NAMES: [&str; 3] = ["thread instructions per cycle", "threads that have not ended", "share of issue slots"];

impl Picture {
    /// Runs over time, of machines whose clocks take samples, [`simt_runtime::ClockConfig::sample`]: thread instructions per cycle,
    /// threads that have not ended, and the classes of issue slots, as in TACO'09, Figure 16. Each run has its plots below each
    /// other, all to the same scales. Where a run's kernel was launched several times, launches follow each other.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn samples(title: &str, runs: &[Run]) -> Result<Self, PictureError> {
        let sampled = runs.iter().filter_map(|run| Some(Series::new(&run.name, run.report()?.clock()?.samples())));
        let all: Vec<Series<'_>> = sampled.filter(|series| !series.steps.is_empty()).collect();
        let steps = || all.iter().flat_map(|series| &series.steps);
        let classes = slot_classes(steps().map(|(_, _, sample)| &sample.occupancy));
        let most = |value: fn(&Sample) -> f64| highest(steps().map(|(.., sample)| value(sample)));
        let tops = [most(VALUES[0]), most(VALUES[1]), 1.0];
        let cycles = highest(steps().map(|&(_, end, _)| end as f64));
        let named = Colours::Slots.named(&classes);
        let wide = PLOT.0 * all.len().max(1) as u32;
        let svg = svg((wide + legend_width(&classes), 30 + 3 * PLOT.1), |area| {
            let (plots, list) = area.split_horizontally(wide);
            area.draw(&Text::new(text(title), (12, 18), label(15, &BLACK, HPos::Left, FontTransform::None)))?;
            for (column, series) in (0..).zip(&all) {
                for (row, top) in (0..).zip(tops) {
                    let plot = plots.clone().shrink((PLOT.0 * column, 30 + PLOT.1 * row), PLOT);
                    series.draw(&plot, row as usize, (cycles, top), &named)?;
                }
            }
            // The list reads as the shares do: the topmost first.
            legend(&list, &named.iter().rev().cloned().collect::<Vec<_>>())
        })?;
        let heads = ["run", "first cycle", "cycles", NAMES[0], NAMES[1]].map(String::from);
        let rows = all.iter().flat_map(|series| series.steps.iter().map(|step| series.row(step, &classes)));
        let rows = rows.collect();
        Ok(Self { title: title.to_string(), svg, columns: heads.into_iter().chain(classes.clone()).collect(), rows })
    }
}

/// The values of the first two plots.
const VALUES: [fn(&Sample) -> f64; 2] = [Sample::ipc, |sample| sample.incomplete_threads as f64];

/// The samples of a run, with the cycle that each begins and ends at.
struct Series<'r> {
    name: &'r str,
    steps: Vec<(u64, u64, &'r Sample)>,
}

impl<'r> Series<'r> {
    /// Launches begin at 0 each, so that the beginning is the sum of what was before.
    fn new(name: &'r str, samples: &'r [Sample]) -> Self {
        let steps = samples.iter().scan(0, |now, sample| {
            let begin = *now;
            *now += sample.cycles;
            Some((begin, *now, sample))
        });
        Self { name, steps: steps.collect() }
    }

    fn draw(
        &self,
        area: &Area<'_>,
        row: usize,
        (cycles, top): (f64, f64),
        named: &[(String, RGBColor)],
    ) -> Result<(), Failed> {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(24)
            .margin_right(24)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..cycles, 0.0..top * if row < 2 { 1.05 } else { 1.0 })?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().x_desc("cycles").x_labels(6).y_labels(5).label_style(("sans-serif", 12));
        mesh.x_label_formatter(&|cycle| short(*cycle)).y_label_formatter(&|value| short(*value)).draw()?;
        let style = label(13, &BLACK, HPos::Left, FontTransform::None);
        area.draw(&Text::new(format!("{}: {}", short_name(self.name), NAMES[row]), (64, 12), style))?;
        match VALUES.get(row) {
            Some(value) => {
                let points = self
                    .steps
                    .iter()
                    .flat_map(|&(begin, end, sample)| [begin, end].map(|cycle| (cycle as f64, value(sample))));
                chart.draw_series(LineSeries::new(points, &super::colour(0)))?;
            }
            None => {
                let classes: Vec<String> = named.iter().map(|(class, _)| class.clone()).collect();
                for &(begin, end, sample) in &self.steps {
                    let mut to = 0.0;
                    let shares = slot_shares(&sample.occupancy, &classes);
                    chart.draw_series(shares.iter().zip(named).map(|(share, (_, colour))| {
                        let from = to;
                        to += share;
                        Rectangle::new([(begin as f64, from), (end as f64, to)], colour.filled())
                    }))?;
                }
            }
        }
        Ok(())
    }

    fn row(&self, &(begin, _, sample): &(u64, u64, &Sample), classes: &[String]) -> Vec<String> {
        let values = VALUES.map(|value| short(value(sample)));
        let mut row = vec![self.name.to_string(), begin.to_string(), sample.cycles.to_string()];
        row.extend(values);
        row.extend(slot_shares(&sample.occupancy, classes).iter().map(|share| format!("{share:.4}")));
        row
    }
}
