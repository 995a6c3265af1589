//! Pages and steppers.

use super::{beyond, collatz, hostile, leave, run};
use simt::prelude::*;
use simt_view::{Chapter, Recorder, Run, index, overview, page, stepper, stepper_with};

/// The data that a page's script reads.
fn data(html: &str) -> serde_json::Value {
    let begin = html.find("<script id=\"data\"").expect("the page has data");
    let begin = begin + html[begin..].find('>').expect("the element begins") + 1;
    let end = begin + html[begin..].find("</script>").expect("the data end");
    serde_json::from_str(&html[begin..end]).expect("the data are JSON")
}

#[test]
fn a_page_has_the_figures_of_all_runs() {
    let runs = [run::<Ipdom>(GpuConfig::turing()), run::<Dwf>(GpuConfig::turing())];
    let html = page("Collatz", &runs);
    leave("page.html", &html);
    let data = data(&html);
    assert_eq!(data["version"], 1);
    assert_eq!(data["runs"], serde_json::json!(["Ipdom", "Dwf<Majority>"]));
    let rows = data["source"]["rows"].as_array().unwrap();
    let of = |text: &str| rows.iter().position(|row| row[2] == text).unwrap_or_else(|| panic!("{text}"));
    let columns = data["source"]["columns"].as_array().unwrap();
    let column = |id: &str| columns.iter().position(|column| column["id"] == id).unwrap();
    for (number, run) in runs.iter().enumerate() {
        let report = run.report().unwrap();
        let line = report.lines().iter().find(|line| line.text == "if n % 2 == 0 {").unwrap();
        let value = |id: &str| data["source"]["values"][number][column(id)][of(&line.text)].as_f64().unwrap();
        assert_eq!(value("issues"), line.issues as f64);
        assert!((value("lanes") - line.mean_active_lanes()).abs() < 1e-4);
    }
    for text in ["smsp__inst_executed.sum", "Nsight Compute", "DRAM bandwidth", "Control flow", "<svg", "aria-label"] {
        assert!(html.contains(text), "{text}");
    }
    assert!(!html.contains("http://") || html.matches("http://").count() == html.matches("http://www.w3.org/").count());
    assert!(!html.contains("https://"), "nothing is fetched");
    assert!(html == page("Collatz", &runs), "the same input, the same bytes");
}

#[test]
fn edges_have_the_counts_of_their_branches() {
    let html = page("Collatz", &[run::<Ipdom>(GpuConfig::functional())]);
    let graph = &html[html.find("id=\"graph\"").expect("it has a graph")..];
    // Of each block the table says how often its lanes went where: as often as the next blocks were issued, by all ways.
    assert!(graph.contains("Lanes that part meet at"));
    // Both sides of the `if` are boxes, also the one that ends in a jump, which is never issued.
    for line in ["n /= 2;", "n = 3 * n + 1;"] {
        let number = include_str!("main.rs").lines().position(|text| text.trim() == line).expect("it is a line") + 1;
        assert!(graph.contains(&format!("line {number}<")) || graph.contains(&format!("–{number}<")), "{line}");
    }
    assert!(
        graph.contains("textPath href=\"#g0-arrow0\"") && graph.contains("id=\"g0-arrow0\""),
        "names are the graph's own"
    );
}

#[test]
fn nothing_breaks_out_of_a_page() {
    let runs = [hostile(), hostile()];
    let title = "<script>alert(0)</script>";
    let text = "`<script>alert(5)</script>`";
    let listed = [("\"><script>alert(6)</script>".to_string(), title.to_string(), title.to_string())];
    let chapters = [Chapter { file: "\"><script>alert(7)</script>", title, runs: &runs }];
    let pages = [
        ("hostile-page.html", page(title, &runs)),
        ("hostile-stepper.html", stepper_with(title, text, &runs)),
        ("hostile-index.html", index(title, &listed)),
        ("hostile-overview.html", overview(title, text, &chapters)),
    ];
    for (name, html) in pages {
        leave(name, &html);
        assert!(html.contains("alert("), "what is hostile is on it");
        for broken in ["<script>alert", "<img", "<b>&"] {
            assert!(!html.contains(broken), "{broken} in\n{html}");
        }
        // Scripts are the page's own: data, and one that reads them.
        assert_eq!(html.matches("<script").count(), 2);
    }
}

#[test]
fn pages_without_runs_or_figures_are_pages() {
    assert!(page("none", &[]).contains("</html>"));
    assert!(stepper("none", &[]).contains("Nothing was recorded."));
    let silent = GpuConfig { statistics: false, ..GpuConfig::functional() };
    assert!(page("silent", &[run::<Ipdom>(silent)]).contains("</html>"));
}

#[test]
fn a_stepper_has_every_issue_and_the_error_of_a_launch() {
    #[kernel]
    fn never(flag: &[core::sync::atomic::AtomicU32]) {
        if global_id() == 0 {
            flag[0].store(1, core::sync::atomic::Ordering::Release);
        } else {
            while flag[0].load(core::sync::atomic::Ordering::Acquire) != 1 {}
        }
    }
    let flag = [core::sync::atomic::AtomicU32::new(0)];
    let failed = Run::launch(&Gpu::<Ipdom>::default(), Grid::new(1, 32), never(&flag), Recorder::new());
    let html = stepper("two", &[run::<Hanoi>(GpuConfig::functional()), failed]);
    leave("stepper.html", &html);
    let data = data(&html);
    let sides = data["sides"].as_array().unwrap();
    assert_eq!(sides.len(), 2);
    assert!(sides[0]["error"].is_null() && sides[1]["error"].as_str().unwrap().contains("simt::livelock"));
    assert_eq!(sides[0]["left_out"], 0);
    let held = sides[0]["states"].as_array().unwrap().iter().flat_map(|state| state["held"].as_array().unwrap());
    let mechanisms: std::collections::BTreeSet<&str> = held.map(|part| part["of"].as_str().unwrap()).collect();
    assert!(mechanisms.contains("WS") && mechanisms.contains("REC"), "{mechanisms:?}");
}

/// Of several kernels the overview names the line that loses most, and the run under which it loses fewest.
#[test]
fn an_overview_says_where_most_is_lost() {
    let even = |machine| {
        let (mut x, machine): (Vec<u32>, GpuConfig) = (vec![3; 64], machine);
        Run::launch(&Gpu::<Ipdom>::new(machine), Grid::new(2, 32), countdown(&mut x), Recorder::new())
    };
    let collatz = [run::<Ipdom>(GpuConfig::functional()), run::<Dwf>(GpuConfig::functional())];
    let half = [even(GpuConfig::functional()), even(GpuConfig::functional()).named("again")];
    let chapters = [
        Chapter { file: "half.html", title: "Half of the lanes", runs: &half },
        Chapter { file: "collatz.html", title: "Collatz", runs: &collatz },
        Chapter { file: "none.html", title: "Nothing", runs: &[] },
    ];
    let html = overview("Two kernels", "What they lose.", &chapters);
    let report = collatz[0].report().unwrap();
    let idle = |line: &simt::report::LineReport| line.issues * 32 - line.thread_instructions;
    let worst = report.lines().iter().max_by_key(|line| idle(line)).unwrap();
    let other = collatz[1].report().unwrap().lines().iter().find(|line| line.line == worst.line).unwrap();
    assert!(other.mean_active_lanes() > worst.mean_active_lanes() + 0.05, "warp formation fills the lanes of Collatz");
    let fewer = collatz[1].report().unwrap().issues() as f64 / report.issues() as f64;
    let most = &html[html.find("Most lanes are lost").expect("it says so")..];
    let most = &most[..most.find("</p>").unwrap()];
    for part in [
        format!("collatz.html#line-{}", worst.line),
        worst.text.to_string(),
        format!("{:.1} of 32 active", worst.mean_active_lanes()),
        format!("it has {:.1}, and the launch takes {fewer:.2} times as many issues", other.mean_active_lanes()),
        "Dwf&lt;Majority&gt;".into(),
    ] {
        assert!(most.contains(&part), "{part} in\n{most}");
    }
    let rows: Vec<usize> = ["href=\"collatz.html\"", "href=\"half.html\"", "href=\"none.html\""]
        .iter()
        .map(|link| html.find(link).unwrap_or_else(|| panic!("{link} in\n{html}")))
        .collect();
    assert!(rows.is_sorted(), "what loses most stands first, and what loses nothing last: {rows:?}");
}

/// What has failed in the second warp of the second block is left for browsers, which open its steps there.
#[test]
fn a_launch_that_fails_is_left() {
    let mut x = [0; 100];
    let run = [Run::launch(&Gpu::<Ipdom>::default(), Grid::new(2, 64), beyond(&mut x), Recorder::new())];
    leave("failed.html", &page("A launch that fails", &run));
    let steps = stepper("A launch that fails", &run);
    assert!(steps.contains("\"failed\":[3,"), "the fourth track: {steps}");
    leave("failed-steps.html", &steps);
}

/// Lanes that are fuller in a line, in a launch that takes more issues in all, are no help.
#[test]
fn a_line_that_others_pay_for_is_no_better() {
    let first = run::<Ipdom>(GpuConfig::functional());
    // Lanes that do the same for long: all are full.
    let (numbers, mut steps) = (vec![837_799; 64], vec![0; 64]);
    let call = collatz(&numbers, &mut steps);
    let longer = Run::launch(&Gpu::<Ipdom>::default(), Grid::new(2, 32), call, Recorder::new()).named("longer");
    let of = |run: &Run| run.report().map(|report| (report.issues(), report.simd_efficiency())).unwrap();
    assert!(of(&longer).0 > of(&first).0 && of(&longer).1 > of(&first).1, "{:?} {:?}", of(&longer), of(&first));
    let runs = [first, longer];
    let html = overview("One kernel", "", &[Chapter { file: "collatz.html", title: "Collatz", runs: &runs }]);
    assert!(html.contains("Under no other run has it more, and the launch fewer issues."), "{html}");
}

#[kernel]
fn countdown(x: &mut [u32]) {
    let i = global_id();
    if i % 2 == 0 {
        x[i] -= 1;
    }
}
