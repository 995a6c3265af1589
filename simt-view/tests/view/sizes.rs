//! Pages stay small, whatever was launched.

use super::leave;
use simt::prelude::*;
use simt_view::{PAGE_LIMIT, Recorder, Run, page, stepper};
use std::fmt::Write;

/// A report of so many lines, as data.
fn report(lines: usize) -> Report {
    let mut text = String::from(
        r#"{"kernel":"long","file":"long.ptx","policy":"Ipdom","warp_width":32,"lanes_per_issue":32,"issues":0,"marker_issues":0,
        "thread_instructions":0,"marker_thread_instructions":0,"guarded_off":0,"branches":0,"diverged_branches":0,
        "lane_histogram":[0],"policy_figures":[],"prints":[],"clock":null,"lines":["#,
    );
    for line in 1..=lines {
        let comma = if line == 1 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"line":{line},"file":"long.ptx","text":"mad.lo.s32 %r{line}, %r{line}, %r2, %r3; // <{line}>","issues":{},"thread_instructions":{},"marker_issues":0,"branches":0,"divergences":0}}"#,
            line % 1000,
            line % 1000 * 7
        );
    }
    serde_json::from_str(&(text + "]}")).expect("it is a report")
}

#[test]
fn a_page_of_a_million_lines_is_small() {
    let long = report(1_000_000);
    let runs = [
        Run::of_report(long.clone(), GpuConfig::functional()),
        Run::of_report(long, GpuConfig::functional()).named("again"),
    ];
    let html = page("long", &runs);
    leave("long-page.html", &html);
    assert!(html.len() < PAGE_LIMIT, "{}", html.len());
    assert!(html.contains("lines that were issued least often are left out"));
    // A page of few lines has all of them.
    assert!(!page("short", &[Run::of_report(report(1000), GpuConfig::functional())]).contains("left out"));
}

#[kernel]
fn wander(x: &mut [u32]) {
    let i = global_id();
    let mut v = x[i];
    for k in 0..400 {
        if (v >> (k % 32)) % 2 == 0 {
            v = v * 1664525 + 1013904223;
        } else {
            v ^= v >> 7;
        }
    }
    x[i] = v;
}

#[test]
fn a_stepper_of_a_hundred_thousand_issues_is_small() {
    let recorder = Recorder::new().with_limit(1 << 20);
    let mut runs = Vec::new();
    let mut kept = Vec::new();
    macro_rules! under {
        ($($policy:ty),*) => {$({
            let mut x: Vec<u32> = (0..2048).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            let run = Run::launch(&Gpu::<$policy>::default(), Grid::new(16, 128), wander(&mut x), recorder.clone());
            kept.push(run.recording.as_ref().map(|recording| recording.header.kept));
            runs.push(run);
        })*};
    }
    under!(Ipdom, Hanoi, Dwf);
    assert!(kept.iter().all(|&kept| kept > Some(100_000)), "{kept:?}");
    let html = stepper("long", &runs);
    leave("long-stepper.html", &html);
    assert!(html.len() < PAGE_LIMIT, "{}", html.len());
    assert!(page("long", &runs).len() < PAGE_LIMIT);
}
