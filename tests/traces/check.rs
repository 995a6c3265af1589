//! The checks that hold for every kernel under every policy.

use crate::support::host;
use crate::trace;
use simt::core::LaneMask;
use simt::core::code::{Code, Inst, Markers};
use simt::observe::IssueTrace;
use simt::policy::{MultiPath, Policy};
use simt::{Gpu, Grid, KernelCall, Program, Report, for_each_policy};

/// A kernel, the same text as plain Rust, and what to run them on.
pub(crate) struct Case<'c> {
    pub(crate) kernel: for<'a> fn(&'a [u32], &'a mut [u32]) -> KernelCall<'a>,
    pub(crate) plain: fn(&[u32], &mut [u32]),
    pub(crate) program: &'static Program,
    pub(crate) x: &'c [u32],
    pub(crate) grid: Grid,
    pub(crate) width: usize,
}

/// The data on which every policy must agree: the thread instructions, and what each lane of each warp executed.
type Common = (u64, Vec<Vec<Vec<usize>>>);

impl Case<'_> {
    /// Runs the kernel under every policy; the listings and the traces as text.
    pub(crate) fn check(&self) -> String {
        let threads = self.grid.blocks().x * self.grid.threads().x;
        let mut expected = vec![0; threads];
        host::run(self.grid, || (self.plain)(self.x, &mut expected));
        let mut text = format!("x = {:?}\nout = {expected:?}\n", self.x);

        let validated = self.program.clone().validate().expect("a kernel's program is valid");
        for &markers in Markers::ALL {
            text += &format!("\nmarkers: {markers:?}\n{}", trace::without_line_numbers(&validated.code(markers)));
        }
        let mut common: Option<Common> = None;
        for_each_policy!(P => {
            let code = validated.code(P::markers());
            let (trace, found) = self.check_policy::<P>(&code, &expected);
            text += &format!("\n{}\n{trace}", P::name());
            assert_eq!(common.get_or_insert(found.clone()), &found, "under {}", P::name());
        });
        text
    }

    fn check_policy<P: Policy>(&self, code: &Code, expected: &[u32]) -> (String, Common) {
        let mut out = vec![0; expected.len()];
        let mut observed = IssueTrace::default();
        let gpu = Gpu::<P>::default().with_warp_width(self.width);
        let call = (self.kernel)(self.x, &mut out);
        let report = gpu.launch_observed(self.grid, call, &mut observed).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(out, expected, "results under {}", P::name());

        let paths: Vec<Vec<Vec<usize>>> = trace::warps(&observed)
            .into_iter()
            .map(|warp| {
                let paths = trace::paths(&observed, warp, self.width);
                paths.iter().map(|path| trace::program_path(path, code)).collect()
            })
            .collect();
        self.check_report(&report, code, &observed);
        (trace::lines(&observed, code, self.width), (report.thread_instructions(), paths))
    }

    /// The figures of a report follow from the trace.
    fn check_report(&self, report: &Report, code: &Code, observed: &IssueTrace) {
        let issues = observed.issues();
        let (markers, program): (Vec<_>, Vec<_>) = issues.iter().partition(|issue| code.inst(issue.pc).is_marker());
        let lanes = |masks: &[&simt::observe::Issue]| masks.iter().map(|issue| issue.mask.count() as u64).sum::<u64>();
        assert_eq!(report.issues(), program.len() as u64);
        assert_eq!(report.marker_issues(), markers.len() as u64);
        assert_eq!(report.thread_instructions(), lanes(&program));
        let lanes_per_issue = report.lanes_per_issue();
        let slots = (issues.len() * lanes_per_issue) as f64;
        let efficiency = (lanes(&program) + lanes(&markers)) as f64 / slots;
        assert!((report.simd_efficiency_with_markers() - efficiency).abs() < 1e-12);
        let efficiency = lanes(&program) as f64 / (program.len() * lanes_per_issue) as f64;
        assert!((report.simd_efficiency() - efficiency).abs() < 1e-12);

        let mut histogram = vec![0u64; self.width + 1];
        program.iter().for_each(|issue| histogram[issue.mask.count()] += 1);
        assert_eq!(report.lane_histogram(), histogram);
        assert_eq!(histogram[0], 0, "nothing is issued for no lane");
        let weighted: u64 = report.lane_histogram().iter().zip(0..).map(|(count, lanes)| count * lanes).sum();
        assert_eq!(weighted, report.thread_instructions());

        let (branches, diverged) = trace::branches(observed, code);
        assert_eq!(report.branches(), branches, "{}", report.policy());
        // Where lanes merge wherever they meet, those that execute an indirect branch once more may have others with them now;
        // a trace does not say which lanes were there before.
        let anywhere = code.markers == Markers::None || report.policy() == MultiPath::name();
        let merges = anywhere && code.insts.iter().any(|inst| matches!(inst, Inst::Indirect { .. }));
        if !merges {
            assert_eq!(report.diverged_branches(), diverged, "{}", report.policy());
        }

        for line in report.lines() {
            let here = |issue: &&&simt::observe::Issue| code.spans[issue.pc.index()].line == line.line;
            let (program, markers) = (program.iter().filter(here), markers.iter().filter(here));
            assert_eq!(line.issues, program.clone().count() as u64, "line {}", line.line);
            assert_eq!(line.thread_instructions, program.map(|issue| issue.mask.count() as u64).sum::<u64>());
            assert_eq!(line.marker_issues, markers.count() as u64);
        }
        let sum = |figure: fn(&simt::report::LineReport) -> u64| report.lines().iter().map(figure).sum::<u64>();
        assert_eq!(sum(|line| line.issues), report.issues());
        assert_eq!(sum(|line| line.thread_instructions), report.thread_instructions());
        assert_eq!(sum(|line| line.marker_issues), report.marker_issues());
        assert_eq!(sum(|line| line.branches), report.branches());
        assert_eq!(sum(|line| line.divergences), report.diverged_branches());

        // Every lane that has a thread ended, and no other ever issued.
        for warp in trace::warps(observed) {
            let present = self.grid.threads().x - warp.warp * self.width;
            for (lane, path) in trace::paths(observed, warp, self.width).iter().enumerate() {
                let ended = path.last().is_some_and(|&pc| matches!(code.inst(pc), Inst::Exit));
                assert_eq!(ended, LaneMask::first(present).contains(lane), "lane {lane} of {warp:?}");
            }
        }
    }
}
