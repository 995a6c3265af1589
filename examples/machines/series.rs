//! The time series: IPC, threads that have not ended, and how many threads issued together (TACO'09, Figure 16).

use std::fmt::Write;

use simt::clock::Sample;
use simt::prelude::*;

use crate::svg::{colour, document, escaped, legend};

/// How many samples a series has, about.
const SAMPLES: u64 = 120;

/// Runs a kernel once to know how long it takes, and once more with samples. Launches follow each other.
///
/// # Errors
/// If the kernel does not end.
pub(crate) fn measure(
    config: &GpuConfig,
    launch: fn(GpuConfig) -> Result<Report, LaunchError>,
) -> Result<Vec<Sample>, LaunchError> {
    let cycles = launch(config.clone())?.cycles().unwrap_or(0);
    let mut config = config.clone();
    if let Some(clock) = &mut config.clock {
        clock.sample = Some(cycles.div_ceil(SAMPLES).max(1));
    }
    Ok(launch(config)?.clock().map_or(Vec::new(), |clock| clock.samples().to_vec()))
}

/// Sizes in pixels: of a plot, between them, and where the first is.
const PLOT: (f64, f64) = (480.0, 130.0);
const GAP: (f64, f64) = (80.0, 40.0);
const FIRST: (f64, f64) = (60.0, 90.0);

/// The series of each policy, side by side and to the same scales.
pub(crate) fn svg(title: &str, all: &[(&str, Vec<Sample>)]) -> String {
    let samples = || all.iter().flat_map(|(_, samples)| samples);
    let cycles = all.iter().map(|(_, samples)| length(samples)).max().unwrap_or(0).max(1) as f64;
    let ipc = samples().map(Sample::ipc).fold(0.0, f64::max);
    let threads = samples().map(|sample| sample.incomplete_threads).max().unwrap_or(0) as f64;
    let classes = samples().next().map_or(Vec::new(), |sample| sample.occupancy.classes());
    let parts: Vec<_> =
        classes.iter().enumerate().map(|(class, (name, _))| (name.clone(), colour(class, classes.len()))).collect();

    let mut content = legend(16.0, 44.0, &parts);
    for (number, (policy, samples)) in all.iter().enumerate() {
        let x = FIRST.0 + (PLOT.0 + GAP.0) * number as f64;
        let y = |row: usize| FIRST.1 + (PLOT.1 + GAP.1) * row as f64;
        line(&mut content, &format!("{policy}: IPC"), samples, (x, y(0)), (cycles, ipc), Sample::ipc);
        let incomplete = |sample: &Sample| sample.incomplete_threads as f64;
        line(&mut content, "threads that have not ended", samples, (x, y(1)), (cycles, threads), incomplete);
        stacks(&mut content, samples, &parts, (x, y(2)), cycles);
    }
    let size = |first: f64, plot: f64, gap: f64, count: usize| first + (plot + gap) * count as f64;
    let (width, height) = (size(FIRST.0, PLOT.0, GAP.0, all.len()), size(FIRST.1, PLOT.1, GAP.1, 3));
    document(width, height, title, &content)
}

fn length(samples: &[Sample]) -> u64 {
    samples.iter().map(|sample| sample.cycles).sum()
}

/// Samples with the part of the plot's width that they begin and end at: launches begin at 0 each.
fn along(samples: &[Sample], cycles: f64) -> impl Iterator<Item = (f64, f64, &Sample)> {
    samples.iter().scan(0, move |now, sample| {
        let begin = *now;
        *now += sample.cycles;
        Some((PLOT.0 * begin as f64 / cycles, PLOT.0 * *now as f64 / cycles, sample))
    })
}

/// The frame of a plot, with what it shows and the ends of its axes.
fn frame(svg: &mut String, title: &str, (x, y): (f64, f64), top: &str, cycles: f64) {
    // A `write!` to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{}\">{}</text><text x=\"{left}\" y=\"{}\" text-anchor=\"end\">{top}</text>\
         <text x=\"{left}\" y=\"{bottom}\" text-anchor=\"end\">0</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{cycles} cycles</text>\
         <path d=\"M{x} {y}v{}h{}\" fill=\"none\" stroke=\"black\"/>",
        y - 6.0,
        escaped(title),
        y + 8.0,
        x + PLOT.0,
        y + PLOT.1 + 14.0,
        PLOT.1,
        PLOT.0,
        left = x - 4.0,
        bottom = y + PLOT.1,
    );
}

/// A value of each sample, in steps.
fn line(
    svg: &mut String,
    title: &str,
    samples: &[Sample],
    (x, y): (f64, f64),
    (cycles, most): (f64, f64),
    value: impl Fn(&Sample) -> f64,
) {
    frame(svg, title, (x, y), &format!("{most:.1}"), cycles);
    let mut path = String::new();
    for (begin, end, sample) in along(samples, cycles) {
        let height = if most > 0.0 { PLOT.1 * value(sample) / most } else { 0.0 };
        let from = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{from}{:.2} {at:.2}L{:.2} {at:.2}", x + begin, x + end, at = y + PLOT.1 - height);
    }
    let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"#2c5f8a\"/>");
}

/// The occupancy classes of each sample, on top of each other.
fn stacks(svg: &mut String, samples: &[Sample], parts: &[(String, String)], (x, y): (f64, f64), cycles: f64) {
    frame(svg, "issue slots by how many threads issued", (x, y), "100 %", cycles);
    for (begin, end, sample) in along(samples, cycles) {
        let whole = sample.occupancy.total().max(1) as f64;
        let mut at = y + PLOT.1;
        for ((_, colour), (_, slots)) in parts.iter().zip(sample.occupancy.classes()) {
            let height = PLOT.1 * slots as f64 / whole;
            at -= height;
            if height > 0.0 {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.2}\" y=\"{at:.2}\" width=\"{:.2}\" height=\"{height:.2}\" fill=\"{colour}\"/>",
                    x + begin,
                    end - begin
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::is_well_formed;
    use simt::clock::Occupancy;

    fn sample(begin: u64, cycles: u64) -> Sample {
        let occupancy = Occupancy { memory: 1, idle: 1, stall: 2, active: vec![0, 0, 0, 0, 0, 0, 0, 4] };
        Sample {
            begin,
            cycles,
            thread_instructions: 4 * cycles,
            incomplete_threads: 32,
            thread_progress: Vec::new(),
            occupancy,
        }
    }

    #[test]
    fn launches_follow_each_other() {
        // The second launch begins at 0 again.
        let samples = [sample(0, 10), sample(10, 5), sample(0, 10)];
        let places: Vec<_> = along(&samples, 25.0).map(|(begin, end, _)| (begin, end)).collect();
        assert_eq!(places, [(0.0, 192.0), (192.0, 288.0), (288.0, 480.0)]);
    }

    #[test]
    fn each_policy_has_three_plots() {
        let svg = svg("kernel", &[("Dwf<A>", vec![sample(0, 10), sample(10, 5)]), ("B", vec![sample(0, 30)])]);
        assert!(is_well_formed(&svg), "{svg}");
        assert!(svg.contains(">Dwf&lt;A&gt;: IPC<") && svg.contains(">B: IPC<"), "{svg}");
        assert_eq!(svg.matches("30 cycles").count(), 6);
        // Four classes of each sample, and the legend and the ground.
        assert_eq!(svg.matches("<rect").count(), 4 * 3 + 11 + 1);
    }
}
