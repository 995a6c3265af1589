//! Benches over baselines: what criterion itself writes, and what is wrong.

use super::run;
use criterion::{BenchmarkId, Criterion};
use simt::prelude::*;
use simt_view::benches::{BenchReports, page, read, with_baselines};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder that is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view-benches").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder");
    folder
}

/// Benches for a baseline, as a user has them.
fn bench(folder: &Path, baseline: &str) {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .nresamples(1001)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(10))
        .output_directory(folder)
        .save_baseline(baseline.to_string());
    let reports = BenchReports::from_args().in_folder(folder).for_baseline(baseline);
    let report = run::<Ipdom>(GpuConfig::turing()).outcome.expect("it ends");
    let mut group = criterion.benchmark_group("count/<b>");
    let value = "of 100: \"all\" ".repeat(9);
    group.bench_function(BenchmarkId::new("Ipdom", &value), |bencher| {
        bencher.iter(|| std::hint::black_box(17u32).pow(3));
    });
    group.finish();
    reports.leave(&["count/<b>", "Ipdom", &value], &report).expect("it is written");
    criterion.bench_function("alone", |bencher| bencher.iter(|| std::hint::black_box(3u32).pow(3)));
    assert_eq!(reports.write_page().expect("it is written"), Some(folder.join("simt.html")));
}

#[test]
fn criterions_baselines_are_read_with_their_reports() {
    let folder = folder("criterion");
    // The later one is not the later by name.
    bench(&folder, "b1");
    std::thread::sleep(Duration::from_millis(20));
    bench(&folder, "a2");
    let benches = read(&folder).expect("it is right");
    assert_eq!(benches.iter().map(|bench| &*bench.group).collect::<Vec<_>>(), ["alone", "count/<b>"]);
    for bench in &benches {
        let names: Vec<&str> = bench.baselines.iter().map(|measured| &*measured.baseline).collect();
        // `new` is what `a2` is.
        assert_eq!(names, ["b1", "a2"]);
        for measured in &bench.baselines {
            assert!(
                0.0 < measured.low && measured.low <= measured.value && measured.value <= measured.high,
                "{measured:?}"
            );
            assert_eq!(measured.figures.is_some(), bench.group != "alone");
        }
    }
    let report = run::<Ipdom>(GpuConfig::turing()).outcome.expect("it ends");
    let figures = benches[1].baselines[0].figures.as_ref().expect("its report");
    assert_eq!((figures["simd_efficiency"], figures["issues"]), (report.simd_efficiency(), report.issues() as f64));

    let html = fs::read_to_string(folder.join("simt.html")).expect("the page");
    assert!(html == page("Benches", &benches), "the page of what is there");
    let efficiency = format!("<td>{:.1} %</td>", 100.0 * report.simd_efficiency());
    assert_eq!(html.matches(&efficiency).count(), 2, "{html}");
    assert!(html.contains("count/&lt;b&gt;") && !html.contains("count/<b>"), "{html}");
    assert_eq!(html.matches("<svg").count(), 2);

    let one = with_baselines(&folder, benches.clone(), &["b1".to_string()]).expect("there is one");
    assert!(one.iter().all(|bench| bench.baselines.len() == 1));
    let error = with_baselines(&folder, benches, &["c3".to_string()]).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: no bench has the baseline `c3`; there are b1, a2", folder.display()));
}

/// A bench with one baseline, made by hand, and what is then read.
fn made(name: &str, files: &[(&str, &str)]) -> Result<String, String> {
    let folder = folder(name);
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let read = read(&folder).map(|benches| page("Made", &benches));
    read.map_err(|error| error.to_string().replace(&*folder.display().to_string(), ""))
}

const BENCH: &str = r#"{"group_id":"g","function_id":null,"value_str":"1","throughput":null,"full_id":"g/1","directory_name":"g/1","title":"g/1"}"#;
const ESTIMATE: &str = r#"{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":3.0},"point_estimate":2.0,"standard_error":0.1}"#;

#[test]
fn what_is_wrong_is_said_with_its_file() {
    let estimates = format!(r#"{{"mean":{ESTIMATE},"slope":null}}"#);
    let times = &*estimates;
    let at = |file: &str| format!("g/1/<script>alert(1)/{file}");
    let (benchmark, estimates, left) = (at("benchmark.json"), at("estimates.json"), at("simt.json"));

    // How far one baseline is from another is no baseline.
    let html = made("right", &[(&benchmark, BENCH), (&estimates, times), ("g/1/change/estimates.json", "{}")]).unwrap();
    assert!(html.contains("2.0000 ns") && html.contains("&lt;script&gt;") && !html.contains("<script>alert"), "{html}");

    for (name, files, expected) in [
        ("nothing", vec![], ": criterion has kept nothing here: run `cargo bench` first".to_string()),
        (
            "no_times",
            vec![(&benchmark, BENCH)],
            format!("/{estimates}: is missing beside what else is kept of a bench"),
        ),
        (
            "no_bench",
            vec![(&estimates, times)],
            format!("/{benchmark}: is missing beside what else is kept of a bench"),
        ),
        ("only_left", vec![(&left, "{}")], format!("/{benchmark}: is missing beside what else is kept of a bench")),
        (
            "broken",
            vec![(&benchmark, BENCH), (&estimates, "{\"mean\":")],
            format!("/{estimates}: is not what criterion or a bench writes: EOF"),
        ),
        (
            "other",
            vec![(&benchmark, "[1]"), (&estimates, times)],
            format!("/{benchmark}: is not what criterion or a bench writes: "),
        ),
        (
            "left",
            vec![(&benchmark, BENCH), (&estimates, times), (&left, "{}")],
            format!("/{left}: is not what criterion or a bench writes: missing field"),
        ),
        (
            "version",
            vec![
                (&benchmark, BENCH),
                (&estimates, times),
                (&left, r#"{"simt_bench":7,"kernel":"k","policy":"p","warp_width":32,"figures":{}}"#),
            ],
            format!("/{left}: version 7 of its form; this library reads version 1"),
        ),
    ] {
        let files: Vec<(&str, &str)> = files.into_iter().map(|(file, text)| (&**file, text)).collect();
        let error = made(name, &files).unwrap_err();
        assert!(error.starts_with(&expected), "{name}: {error}");
    }
    let error = read(Path::new("/nowhere")).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere: cannot be read: "), "{error}");

    // Where no folder can be made.
    let folder = folder("unwritable");
    fs::write(folder.join("g"), "").unwrap();
    let reports = BenchReports::from_args().in_folder(&folder).for_baseline("x");
    let report = run::<Ipdom>(GpuConfig::functional()).outcome.unwrap();
    let error = reports.leave(&["g", "1"], &report).unwrap_err().to_string();
    assert!(error.contains("g/1/new/simt.json: cannot be written: "), "{error}");
}
