//! Stacked bars in panels: a panel a kernel, a bar a policy.

use std::fmt::Write;

use crate::svg::{document, escaped, legend};

/// A figure of several panels.
pub(crate) struct Figure {
    pub(crate) title: String,
    /// The parts of a bar, from below: name and colour.
    pub(crate) parts: Vec<(String, String)>,
    pub(crate) panels: Vec<Panel>,
}

pub(crate) struct Panel {
    pub(crate) title: String,
    /// The value of a bar that fills the panel, and its label.
    pub(crate) full: f64,
    pub(crate) scale: String,
    pub(crate) bars: Vec<Bar>,
}

pub(crate) struct Bar {
    pub(crate) name: &'static str,
    /// The height of each part; or the reason why there is no bar.
    pub(crate) parts: Result<Vec<f64>, &'static str>,
}

/// Sizes in pixels: of a bar with its gap, of the bars' height, of the names under them, and around a panel.
const BAR: f64 = 15.0;
const HEIGHT: f64 = 150.0;
const NAMES: f64 = 140.0;
const MARGIN: (f64, f64) = (40.0, 30.0);
const TOP: f64 = 60.0;
/// Panels beside each other.
const ACROSS: usize = 5;

impl Figure {
    pub(crate) fn svg(&self) -> String {
        let bars = self.panels.iter().map(|panel| panel.bars.len()).max().unwrap_or(0);
        let (wide, high) = (MARGIN.0 + BAR * bars as f64 + 10.0, MARGIN.1 + HEIGHT + NAMES);
        let mut content = legend(16.0, 44.0, &self.parts);
        for (number, panel) in self.panels.iter().enumerate() {
            let (x, y) = ((number % ACROSS) as f64 * wide + MARGIN.0, TOP + (number / ACROSS) as f64 * high + MARGIN.1);
            self.draw(&mut content, panel, x, y);
        }
        let (across, down) = (self.panels.len().clamp(1, ACROSS), self.panels.len().div_ceil(ACROSS));
        document((wide * across as f64).max(760.0), TOP + high * down as f64, &self.title, &content)
    }

    fn draw(&self, svg: &mut String, panel: &Panel, x: f64, y: f64) {
        let (left, width) = (x - 4.0, BAR * panel.bars.len() as f64);
        // A `write!` to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" font-size=\"13\">{}</text><text x=\"{left}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <text x=\"{left}\" y=\"{}\" text-anchor=\"end\">0</text>\
             <path d=\"M{x} {y}v{HEIGHT}h{width}\" fill=\"none\" stroke=\"black\"/>",
            y - 8.0,
            escaped(&panel.title),
            y + 8.0,
            panel.scale,
            y + HEIGHT,
        );
        for (number, bar) in panel.bars.iter().enumerate() {
            let at = x + BAR * number as f64 + 2.0;
            let (middle, under) = (at + BAR / 2.0 + 1.0, y + HEIGHT + 6.0);
            let _ = writeln!(
                svg,
                "<text transform=\"translate({middle} {under}) rotate(-90)\" text-anchor=\"end\" font-size=\"10\">{}</text>",
                escaped(bar.name)
            );
            match &bar.parts {
                Ok(parts) => self.stack(svg, panel, bar.name, parts, at, y + HEIGHT),
                Err(how) => {
                    let _ = writeln!(
                        svg,
                        "<text transform=\"translate({middle} {}) rotate(-90)\" fill=\"#c0392b\" font-size=\"10\">{how}</text>",
                        y + HEIGHT - 4.0
                    );
                }
            }
        }
    }

    fn stack(&self, svg: &mut String, panel: &Panel, name: &str, parts: &[f64], x: f64, bottom: f64) {
        let mut y = bottom;
        for ((part, colour), &value) in self.parts.iter().zip(parts) {
            let height = if panel.full > 0.0 { HEIGHT * value / panel.full } else { 0.0 };
            y -= height;
            if height > 0.0 {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y:.2}\" width=\"{}\" height=\"{height:.2}\" fill=\"{colour}\">\
                     <title>{} under {}: {} {value:.3}</title></rect>",
                    BAR - 3.0,
                    escaped(&panel.title),
                    escaped(name),
                    escaped(part),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::is_well_formed;

    #[test]
    fn bars_are_as_high_as_their_parts() {
        let bar = |name, parts| Bar { name, parts };
        let bars = vec![bar("Dwf<A>", Ok(vec![0.5, 0.25])), bar("B", Err("cycle limit"))];
        let parts = [("low", "red"), ("high", "blue")].map(|(name, colour)| (name.to_string(), colour.to_string()));
        let panel = Panel { title: "kernel".into(), full: 1.0, scale: "1".into(), bars };
        let svg = Figure { title: "a title".into(), parts: parts.into(), panels: vec![panel] }.svg();
        assert!(is_well_formed(&svg), "{svg}");
        let bottom = TOP + MARGIN.1 + HEIGHT;
        for (y, height) in [(bottom - 75.0, 75.0), (bottom - 112.5, 37.5)] {
            assert!(svg.contains(&format!("y=\"{y:.2}\" width=\"12\" height=\"{height:.2}\"")), "{svg}");
        }
        assert!(svg.contains("<title>kernel under Dwf&lt;A&gt;: high 0.250</title>"), "{svg}");
        assert!(svg.contains(">cycle limit</text>"), "{svg}");
    }
}
