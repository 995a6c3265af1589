//! The figures of a report, and how it prints.

use simt::core::code::Markers;
use simt::prelude::*;

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        count += 1;
    }
    steps[i] = count;
}

fn launch(gpu: &dyn crate::support::machine::Machine, numbers: u32) -> Report {
    let start: Vec<u32> = (1..=numbers).collect();
    let mut steps = vec![0; start.len()];
    let report = gpu.launch(Grid::covering(start.len(), 64), collatz(&start, &mut steps));
    report.unwrap_or_else(|error| panic!("{error}"))
}

macro_rules! assert_shown {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn a_report_for_the_terminal() {
    assert_shown!("report_ipdom", launch(&Gpu::<Ipdom>::default(), 100).to_string());
    assert_shown!("report_token_stack", launch(&Gpu::<TokenStack>::default().with_warp_width(8), 100).to_string());
    assert_shown!("report_of_nothing", launch(&Gpu::<MinPc>::default(), 0).to_string());
}

#[test]
fn a_program_as_the_paper_writes_it() {
    assert_shown!("program", collatz::program().to_string());
    assert!(collatz::program().clone().validate().is_ok());
}

#[test]
fn no_report_depends_on_how_it_is_looked_at() {
    let gpu = Gpu::<Ipdom>::default();
    let counted = launch(&gpu, 70);
    let uncounted = launch(&gpu.clone().with_statistics(false), 70);
    assert_eq!((uncounted.issues(), uncounted.thread_instructions(), uncounted.branches()), (0, 0, 0));
    assert!(counted.issues() > 0);
    // An observer sees what the report counts, and changes nothing.
    let mut trace = simt::observe::IssueTrace::default();
    let start: Vec<u32> = (1..=70).collect();
    let mut steps = vec![0; 70];
    let observed = gpu.launch_observed(Grid::covering(70, 64), collatz(&start, &mut steps), &mut trace);
    assert_eq!(observed.unwrap_or_else(|error| panic!("{error}")), counted);
    assert_eq!(trace.issues().len() as u64, counted.issues());
}

#[test]
fn the_figures_belong_together() {
    let mut instructions = None;
    everywhere!(|gpu| {
        let report = launch(gpu, 200);
        let width = report.lanes_per_issue() as f64;
        let histogram = report.lane_histogram();
        assert_eq!(histogram.len(), report.warp_width() + 1);
        assert_eq!(histogram.iter().sum::<u64>(), report.issues());
        let weighted: u64 = histogram.iter().zip(0..).map(|(count, lanes)| count * lanes).sum();
        assert_eq!(weighted, report.thread_instructions());
        let efficiency = report.thread_instructions() as f64 / (report.issues() as f64 * width);
        assert_eq!(report.simd_efficiency(), efficiency);
        assert_eq!(*instructions.get_or_insert(weighted), weighted, "threads do the same, however they are grouped");
        assert!(report.diverged_branches() <= report.branches() && report.branches() <= report.issues());
        assert_eq!(report.lines().iter().map(|line| line.issues).sum::<u64>(), report.issues());
        assert!(report.lines().is_sorted_by_key(|line| line.line));
    });
}

#[test]
fn reconvergence_is_worth_something() {
    let efficiency = |report: Report| report.simd_efficiency();
    let [ipdom, tokens, min_pc, none] = [
        efficiency(launch(&Gpu::<Ipdom>::default(), 640)),
        efficiency(launch(&Gpu::<TokenStack>::default(), 640)),
        efficiency(launch(&Gpu::<MinPc>::default(), 640)),
        efficiency(launch(&Gpu::<NoReconvergence>::default(), 640)),
    ];
    assert_eq!((ipdom, tokens), (min_pc, ipdom), "structured code meets at the same places");
    assert!(none * 3.0 < ipdom, "{none} is not far below {ipdom}");
}

/// In the last warp those without a number wait to return until the others have ended; those wait behind the loop for lanes
/// that go round again, which wait behind the arms for each other, of which one waits to begin.
#[test]
fn figures_of_the_policy_are_shown() {
    let report = launch(&Gpu::<Ipdom>::default(), 1000);
    let figures: Vec<_> = report.policy_figures().iter().map(|figure| (&*figure.name, figure.value)).collect();
    assert_eq!(figures, [("deepest stack (entries)", 5), ("most pending paths", 2)]);
    let text = report.to_string();
    assert!(text.contains("  deepest stack (entries)                           5\n"), "{text}");
    let mimd = launch(&Gpu::<Mimd>::default(), 1000);
    assert_eq!((mimd.simd_efficiency(), mimd.lanes_per_issue(), mimd.warp_width()), (1.0, 1, 32));
    assert_eq!(mimd.issues(), report.thread_instructions());
    assert_eq!(mimd.lane_histogram()[1], mimd.issues());
    assert!(mimd.to_string().contains("1.0 of 1 lanes"), "{mimd}");
}

#[test]
fn lines_have_the_text_of_the_source() {
    let report = launch(&Gpu::<Ipdom>::default(), 64);
    let (kernel, file) = (collatz::program(), file!());
    assert_eq!((report.kernel(), report.file(), report.policy()), ("collatz", file, "Ipdom"));
    let texts: Vec<&str> = report.lines().iter().map(|line| line.text.as_str()).collect();
    let expected = [
        "if i >= start.len() {",
        "return;",
        "let mut n = start[i];",
        "let mut count = 0;",
        "while n != 1 {",
        "if n % 2 == 0 {",
        "n /= 2;",
        "n = 3 * n + 1;",
        "count += 1;",
        "steps[i] = count;",
        "}",
    ];
    assert_eq!(texts, expected);
    let first = &report.lines()[0];
    assert_eq!((first.line, first.issues, first.branches, first.divergences), (kernel.source.first_line + 2, 4, 2, 0));
    let code = kernel.clone().validate().map(|program| program.code(Markers::None)).expect("valid");
    assert_eq!(first.mean_active_lanes(), 32.0, "{code}");
}

#[test]
fn reports_of_several_launches_add_up() {
    let gpu = Gpu::<Ipdom>::default();
    let (first, second) = (launch(&gpu, 64), launch(&gpu, 200));
    let mut both = first.clone();
    both.merge(&second);
    assert_eq!(both.issues(), first.issues() + second.issues());
    assert_eq!(both.thread_instructions(), first.thread_instructions() + second.thread_instructions());
    assert_eq!(both.branches(), first.branches() + second.branches());
    assert_eq!(both.lane_histogram().iter().sum::<u64>(), both.issues());
    assert_eq!(both.lines().len(), first.lines().len());
    assert_eq!(both.lines().iter().map(|line| line.divergences).sum::<u64>(), both.diverged_branches());
}
