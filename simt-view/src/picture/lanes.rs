//! The lanes of a warp over its issues: which of them are active.

use super::{Picture, PictureError, svg, text};
use crate::Recording;
use plotters::prelude::*;

/// The most issues that are drawn: more are narrower than a pixel.
const ISSUES: usize = 400;

impl Picture {
    /// The lanes of a recorded warp or block over its issues, first to last: a lane is dark where it is active. Of a block
    /// whose threads are regrouped, the SIMD lanes of its warps stand one below the other.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn lanes(recording: &Recording, track: u32) -> Result<Self, PictureError> {
        let width = recording.header.warp_width;
        let issues: Vec<_> = recording.issues(Some(track)).take(ISSUES).collect();
        let sets = issues.iter().map(|(_, step)| &recording.lanes[step.lanes as usize]);
        let warps: Vec<u32> = {
            let mut warps: Vec<u32> = sets.flatten().map(|&(warp, _)| warp).collect();
            warps.sort_unstable();
            warps.dedup();
            warps
        };
        let rows = width * warps.len().max(1);
        let (cell, tall) = ((900 / issues.len().max(1)).clamp(2, 14) as u32, (480 / rows.max(1)).clamp(3, 14) as u32);
        let picture = (cell * issues.len().max(20) as u32 + 70, tall * rows as u32 + 50);
        let svg = svg(picture, |area| {
            let mut chart = ChartBuilder::on(area)
                .margin(6)
                .x_label_area_size(34)
                .y_label_area_size(50)
                .build_cartesian_2d(0.0..issues.len().max(1) as f64, rows as f64..0.0)?;
            let lane = |y: &f64| format!("{:.0}", y.rem_euclid(width.max(1) as f64));
            chart
                .configure_mesh()
                .disable_mesh()
                .x_desc("issues")
                .y_desc("lanes")
                .y_labels(4)
                .y_label_formatter(&lane)
                .x_label_formatter(&|x| format!("{x:.0}"))
                .draw()?;
            for (number, (_, step)) in issues.iter().enumerate() {
                for &(warp, mask) in &recording.lanes[step.lanes as usize] {
                    let first = warps.binary_search(&warp).unwrap_or(0) * width;
                    let x = number as f64;
                    chart.draw_series(runs(mask.0).map(|(begin, end)| {
                        let (top, bottom) = ((first + begin) as f64, (first + end) as f64);
                        Rectangle::new(
                            [(x + 0.06, top + 0.06), (x + 0.94, bottom - 0.06)],
                            RGBColor(0, 114, 178).filled(),
                        )
                    }))?;
                }
            }
            Ok(())
        })?;
        let columns = ["issue", "address", "instruction", "warp", "lanes"].map(String::from).to_vec();
        let table = issues.iter().enumerate().flat_map(|(number, &(pc, step))| {
            recording.lanes[step.lanes as usize].iter().map(move |&(warp, mask)| {
                let digits = (0..width).map(|lane| if mask.0 >> lane & 1 == 1 { '1' } else { '0' }).collect();
                let instruction = text(&recording.listing.instructions[pc as usize].text);
                vec![number.to_string(), pc.to_string(), instruction, warp.to_string(), digits]
            })
        });
        let title = format!("Lanes of {} under {}", recording.header.kernel, recording.header.policy);
        Ok(Self { title, svg, columns, rows: table.collect() })
    }
}

/// Runs of lanes that follow each other: the first, and the one behind the last.
fn runs(mask: u64) -> impl Iterator<Item = (usize, usize)> {
    let mut lane = 0;
    std::iter::from_fn(move || {
        let has = |lane: usize| lane < 64 && mask >> lane & 1 == 1;
        while lane < 64 && !has(lane) {
            lane += 1;
        }
        let begin = lane;
        while has(lane) {
            lane += 1;
        }
        (begin < lane).then_some((begin, lane))
    })
}
