//! The matrix as a picture: a square for each pair, the darker the fuller its lanes.

use std::fmt::Write;

use crate::matrix::{Matrix, Outcome, Row};

/// Sizes in pixels: of a cell, of the names on the left, of the names on top.
const CELL: (usize, usize) = (56, 26);
const LEFT: usize = 150;
const TOP: usize = 150;
const BOTTOM: usize = 40;

/// An SVG file.
pub(crate) fn svg(matrix: &Matrix) -> String {
    let (width, height) = (LEFT + CELL.0 * matrix.policies.len() + 100, TOP + CELL.1 * matrix.rows.len() + BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, policy) in matrix.policies.iter().enumerate() {
        let (x, y) = (LEFT + CELL.0 * number + CELL.0 / 2, TOP - 8);
        let policy = escaped(policy);
        // A `write!` to a string cannot fail.
        let _ = writeln!(svg, "<text transform=\"translate({x} {y}) rotate(-45)\">{policy}</text>");
    }
    for (number, row) in matrix.rows.iter().enumerate() {
        draw(&mut svg, row, &matrix.policies, TOP + CELL.1 * number);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\">SIMD efficiency in %, from white to blue; red does not end</text>\n</svg>",
        height - 14
    );
    svg
}

fn draw(svg: &mut String, row: &Row, policies: &[&str], y: usize) {
    let middle = y + CELL.1 / 2 + 4;
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>", LEFT - 8, escaped(row.kernel));
    for ((number, cell), policy) in row.cells.iter().enumerate().zip(policies) {
        let x = LEFT + CELL.0 * number;
        let (fill, ink, text, says) = look(cell);
        let _ = writeln!(
            svg,
            "<g><title>{} under {}: {says}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" \
             stroke=\"white\"/><text x=\"{}\" y=\"{middle}\" text-anchor=\"middle\" fill=\"{ink}\">{text}</text></g>",
            escaped(row.kernel),
            escaped(policy),
            CELL.0,
            CELL.1,
            x + CELL.0 / 2,
        );
    }
}

/// Colours of the cell and of its text, the text, and the text that is shown under the mouse.
fn look(cell: &Outcome) -> (String, &'static str, String, String) {
    match cell {
        Ok(cell) => {
            // From white to a dark blue.
            let shade = |from: f64, to: f64| (from + (to - from) * cell.efficiency.clamp(0.0, 1.0)) as u8;
            let fill = format!("#{:02x}{:02x}{:02x}", shade(255.0, 8.0), shade(255.0, 48.0), shade(255.0, 107.0));
            let ink = if cell.efficiency > 0.5 { "white" } else { "black" };
            let percent = 100.0 * cell.efficiency;
            (fill, ink, format!("{percent:.0}"), format!("{percent:.1} %, {} issues", cell.issues))
        }
        Err(how) => ("#c0392b".into(), "white", how.split(' ').next().unwrap_or(how).into(), format!("{how}, no end")),
    }
}

/// Text with escaped tags: policies have names like `Dwf<Majority>`.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Cell;

    #[test]
    fn every_pair_has_a_square_and_names_are_text() {
        let rows = vec![
            Row { kernel: "a", cells: vec![Ok(Cell { efficiency: 1.0, issues: 12 }), Err("step limit")] },
            Row { kernel: "b", cells: vec![Ok(Cell { efficiency: 0.0, issues: 1 }), Err("livelock")] },
        ];
        let svg = svg(&Matrix { policies: vec!["Ipdom", "Dwf<Majority>"], rows });
        assert_eq!(svg.matches("<g>").count(), 4);
        assert!(svg.contains("<title>a under Ipdom: 100.0 %, 12 issues</title>"), "{svg}");
        assert!(svg.contains("<title>b under Dwf&lt;Majority&gt;: livelock, no end</title>"), "{svg}");
        assert!(svg.contains("#08306b") && svg.contains("#ffffff"), "{svg}");
        // All tags are closed, so that browsers show it.
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }
}
