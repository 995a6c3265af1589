//! Traces hold to the rules of the format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

use super::{hostile, run};
use serde_json::Value;
use simt::prelude::*;
use simt_view::trace;
use std::collections::{BTreeMap, BTreeSet};

/// What a trace has of each kind of event, if it keeps all rules.
fn valid(text: &str) -> BTreeMap<String, usize> {
    let trace: Value = serde_json::from_str(text).expect("a trace is JSON");
    let events = trace["traceEvents"].as_array().expect("it has a list of events");
    let mut kinds = BTreeMap::new();
    let mut ends: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut spans: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
    let mut open: BTreeSet<(String, String)> = BTreeSet::new();
    let (mut used, mut named) = (BTreeSet::new(), BTreeSet::new());
    for event in events {
        let number = |key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{key} of {event}"));
        let word = |key: &str| event[key].as_str().unwrap_or_else(|| panic!("{key} of {event}")).to_string();
        let (phase, name, category) = (word("ph"), word("name"), word("cat"));
        let place = (number("pid"), number("tid"));
        number("ts");
        assert!(event["args"].is_object(), "{event}");
        match phase.as_str() {
            "X" => spans.entry(place).or_default().push((number("ts"), number("ts") + number("dur"))),
            "i" => assert!(["t", "p", "g"].contains(&word("s").as_str()), "{event}"),
            "C" => assert!(event["args"].as_object().unwrap().values().all(Value::is_number), "{event}"),
            "b" => assert!(open.insert((category.clone(), word("id"))), "begun twice: {event}"),
            "e" => assert!(open.remove(&(category.clone(), word("id"))), "ended, but not begun: {event}"),
            "M" => {
                assert!(event["args"]["name"].is_string(), "{event}");
                assert!(["process_name", "thread_name"].contains(&name.as_str()), "{event}");
                assert!(named.insert((name.clone(), place)), "named twice: {event}");
            }
            _ => panic!("no phase of the format that we use: {event}"),
        }
        if phase != "M" && place.1 > 0 {
            used.insert(place);
        }
        let name = if phase == "M" || phase == "X" && category == "issue" { category } else { name };
        *kinds.entry(format!("{phase} {name}")).or_default() += 1;
    }
    for (place, mut spans) in spans {
        spans.sort_unstable();
        for (begin, end) in spans {
            let last = ends.entry(place).or_default();
            assert!(begin >= *last, "spans of {place:?} overlap at {begin}");
            *last = end;
        }
    }
    assert!(open.is_empty(), "never ended: {open:?}");
    for place in used {
        assert!(
            named.contains(&("thread_name".into(), place)) && named.contains(&("process_name".into(), (place.0, 0))),
            "{place:?}"
        );
    }
    kinds
}

#[test]
fn a_trace_of_a_machine_with_a_clock_has_all_kinds_of_events() {
    for run in [
        run::<Ipdom>(GpuConfig::turing()),
        run::<WarpSubdivision>(GpuConfig::fermi()),
        run::<Dwf>(GpuConfig::fung2009()),
        run::<Mimd>(GpuConfig::volta()),
    ] {
        let kinds = valid(&trace(std::slice::from_ref(&run)));
        let mut all = vec![
            "X issue",
            "i barrier",
            "b cache miss",
            "e cache miss",
            "C active lanes",
            "C outstanding misses",
            "C IPC",
        ];
        if run.policy != "Mimd" {
            all.extend(["X memory", "i divergence", "i reconvergence"]);
        }
        for kind in all {
            assert!(kinds.contains_key(kind), "{kind} under {}: {kinds:?}", run.policy);
        }
        let recording = run.recording.as_ref().unwrap();
        assert_eq!(recording.header.dropped_events, 0);
    }
}

#[test]
fn stalls_are_those_of_the_report() {
    let run = run::<Ipdom>(GpuConfig::turing());
    let stalls = *run.report().unwrap().stalls().unwrap();
    let recording = run.recording.as_ref().unwrap();
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for event in &recording.events {
        if let simt_view::recording::EventKind::Waited { since, why, .. } = &event.what {
            *counted.entry(why).or_default() += event.cycle - since;
        }
    }
    use simt::clock::Stall;
    for &stall in Stall::ALL.iter().filter(|stall| !matches!(stall, Stall::Issued | Stall::NoBlock)) {
        assert_eq!(counted.get(stall.name()).copied().unwrap_or(0), stalls.of(stall), "{}", stall.name());
    }
}

#[test]
fn a_machine_without_a_clock_has_a_trace_by_issue() {
    let runs = [run::<TokenStack>(GpuConfig::functional()), run::<Dwf>(GpuConfig::functional()), hostile()];
    let kinds = valid(&trace(&runs));
    for kind in ["X issue", "i divergence", "i reconvergence", "i barrier", "C active lanes"] {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
    assert!(valid(&trace(&[])).is_empty());
}
