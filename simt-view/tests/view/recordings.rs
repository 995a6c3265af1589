//! Recordings: what is kept, and what is refused.

use super::{beyond, collatz, run, run_recorded};
use simt::prelude::*;
use simt_view::recording::Failed;
use simt_view::{Recorder, Recording, page};

fn recording() -> Recording {
    run::<Ipdom>(GpuConfig::functional()).recording.expect("it was recorded")
}

#[test]
fn what_was_written_is_read() {
    let recording = recording();
    assert_eq!(Recording::read(&recording.write()), Ok(recording));
    let timed = run::<Hanoi>(GpuConfig::turing()).recording.expect("it was recorded");
    assert!(!timed.events.is_empty() && timed.steps.iter().all(|step| step.cycle.is_some()));
    assert_eq!(Recording::read(&timed.write()), Ok(timed));
}

#[test]
fn counts_are_those_of_the_report() {
    for machine in [GpuConfig::functional(), GpuConfig::turing()] {
        for run in [run::<Ipdom>(machine.clone()), run::<Hanoi>(machine.clone()), run::<Dwf>(machine)] {
            let report = run.report().expect("it ends");
            let recording = run.recording.as_ref().expect("it was recorded");
            let issues: u64 = recording.counts.iter().map(|count| count.issues).sum();
            assert_eq!(issues, report.issues() + report.marker_issues(), "{}", run.policy);
            let parted: u64 = recording.counts.iter().map(|count| count.parted).sum();
            assert_eq!(parted, report.diverged_branches(), "{}", run.policy);
            assert_eq!(recording.header.kept, issues, "all of it was kept");
            assert_eq!(recording.issues(None).count() as u64, issues);
            // Lanes that issue are those that the policy says are first.
            for step in &recording.steps {
                let lanes = &recording.lanes[step.lanes as usize];
                let first = &recording.states[step.state as usize].splits;
                assert!(
                    lanes.iter().all(|&(warp, mask)| first.contains(&(first[0].0, warp, mask))),
                    "{step:?} {first:?}"
                );
            }
        }
    }
}

#[test]
fn samples_are_of_what_was_asked_for() {
    let tracks = |recorder| {
        let run = run_recorded::<Ipdom>(GpuConfig::functional(), recorder);
        let tracks = run.recording.expect("it was recorded").tracks;
        tracks.iter().map(|track| (track.block, track.warp)).collect::<Vec<_>>()
    };
    assert_eq!(tracks(Recorder::new()), [(0, Some(0)), (0, Some(1)), (1, Some(0)), (1, Some(1))]);
    assert_eq!(tracks(Recorder::new().of_warp(1, 0)), [(1, Some(0))]);
    assert_eq!(tracks(Recorder::new().of_block(0)), [(0, Some(0)), (0, Some(1))]);
    assert_eq!(tracks(Recorder::new().of_every_block(2)), [(0, Some(0)), (0, Some(1))]);
    let regrouped = run_recorded::<Dwf>(GpuConfig::functional(), Recorder::new().of_warp(1, 0));
    assert_eq!(regrouped.recording.expect("it was recorded").tracks.len(), 1, "the warp's block");
}

#[kernel]
fn increment(x: &mut [u8]) {
    let i = global_id();
    if i % 3 != 0 {
        x[i] += 1;
    }
}

#[test]
fn a_launch_of_many_threads_takes_a_bounded_recording() {
    let mut x = vec![0; 1 << 24];
    let mut recorder = Recorder::new().with_limit(100);
    let grid = Grid::covering(x.len(), 256);
    let report = Gpu::<Ipdom>::default().launch_observed(grid, increment(&mut x), &mut recorder).unwrap();
    let recording = recorder.recording("Ipdom", 32);
    assert_eq!(recording.steps.len(), 100);
    assert_eq!(recording.header.kept + recording.header.dropped, report.issues(), "what was sampled is counted");
    assert!(recording.write().len() < 100_000);
}

/// A line of a text with something else in it.
fn edited(text: &str, line: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    assert!(lines[line - 1].contains(from), "{}", lines[line - 1]);
    lines[line - 1] = lines[line - 1].replacen(from, to, 1);
    lines.join("\n")
}

#[test]
fn what_is_not_as_it_was_written_is_refused_with_its_place() {
    let text = recording().write();
    let refused = |text: &str| Recording::read(text).expect_err("it is refused").to_string();
    let cut = &text[..text.len() / 2];
    let error = refused(cut);
    assert!(error.contains("line ") && error.contains("section `") && error.contains("cut off: it has"), "{error}");
    assert_eq!(
        refused(""),
        "the recording cannot be read: line 1, column 0: this is no recording of simt: EOF while parsing a value"
    );
    let other = refused(&edited(&text, 1, "\"simt_recording\":2", "\"simt_recording\":3"));
    assert_eq!(
        other,
        "the recording cannot be read: line 1, `simt_recording`: version 3 of the format; this library reads version 2"
    );
    let counts = refused(&edited(&text, 4, "[4,", "[5,"));
    assert_eq!(
        counts,
        "the recording cannot be read: line 4, section `counts`: edited: it does not have the checksum that the first line says"
    );
    let header = refused(&edited(&text, 2, "\"warp_width\":32", "\"warp_width\":16"));
    assert!(header.contains("line 2, section `header`: edited"), "{header}");
    assert!(refused(&format!("{text}more")).contains("behind the last section"));
    assert!(refused("{\"a\": 1}").contains("this is no recording of simt: missing field `simt_recording`"));
}

#[test]
fn sections_that_do_not_fit_together_are_refused() {
    let refused = |change: fn(&mut Recording)| {
        let mut recording = recording();
        change(&mut recording);
        Recording::read(&recording.write()).expect_err("it is refused").to_string()
    };
    let error = refused(|recording| recording.steps[7].at = 1000);
    assert_eq!(
        error,
        "the recording cannot be read: line 8, `steps[7].at`: it ends behind the code, or has no instructions"
    );
    assert!(
        refused(|recording| recording.steps[3].lanes = 9999)
            .contains("`steps[3].lanes`: there is no such set of lanes")
    );
    assert!(refused(|recording| recording.header.warp_width = 8).contains("has lanes that a warp of 8 has not"));
    assert!(refused(|recording| recording.header.warp_width = 65).contains("a warp has at most 64"));
    assert!(refused(|recording| recording.header.kept -= 4).contains("line 2, `kept`"));
    assert!(
        refused(|recording| recording.header.failed = Some(Failed { track: 0, step: Some(1 << 20) }))
            .contains("line 2, `failed`: there is no such track or step")
    );
    assert!(refused(|recording| recording.tracks[0].last = Some(1 << 20)).contains("`tracks[0].last`"));
    assert!(refused(|recording| recording.states[0].splits[0].0 = 77).contains("77 is no address of the code"));
    assert!(refused(|recording| recording.listing.blocks[1].first += 1).contains("`blocks[1]`: blocks do not follow"));
    assert!(refused(|recording| recording.counts.truncate(3)).contains("`counts`"));
}

#[test]
fn a_launch_that_fails_is_recorded_up_to_its_error() {
    // Of the second block, the second warp: the step that it had begun ends at the store.
    for_each_policy!(P => {
        for machine in [GpuConfig::functional(), GpuConfig::turing()] {
            let mut x = [0; 100];
            let gpu = Gpu::<P>::new(machine.clone());
            let run = simt_view::Run::launch(&gpu, Grid::new(2, 64), beyond(&mut x), Recorder::new());
            assert!(run.outcome.as_ref().is_err_and(|error| error.contains("simt::out-of-bounds")), "{:?}", run.outcome);
            let recording = run.recording.as_ref().expect("it was recorded");
            let failed = recording.header.failed.unwrap_or_else(|| panic!("{}: it is known where", P::name()));
            let track = recording.tracks[failed.track as usize];
            assert_eq!((track.block, track.warp.unwrap_or(1)), (1, 1), "{}", P::name());
            let step = recording.steps[failed.step.unwrap_or_else(|| panic!("{}: in a step", P::name())) as usize];
            let at = step.at + step.instructions - 1;
            let last = &recording.listing.instructions[at as usize];
            assert!(last.text.starts_with("st"), "{}: {last:?}", P::name());
            assert!(recording.lanes[step.lanes as usize].iter().any(|(warp, lanes)| *warp == 1 && lanes.0 >> 4 & 1 == 1), "{}", P::name());
            assert_eq!(Recording::read(&recording.write()).as_ref(), Ok(recording));
            // The page has the lines with what was counted until then, and the error in front of them.
            let html = page("beyond", &[run]);
            let (error, source) = (html.find("Error under"), html.find("id=\"source\""));
            assert!(error < source && error.is_some(), "{error:?} {source:?}");
            assert!(html.contains("x[i] = 1;\"],") || html.contains("x[i] = 1;\"]]"), "{html}");
        }
    });
    let refused = collatz(&[], &mut []);
    let run =
        simt_view::Run::launch(&Gpu::<Ipdom>::default().with_warp_width(5), Grid::new(1, 4), refused, Recorder::new());
    assert!(run.recording.is_none(), "nothing has run");
}
