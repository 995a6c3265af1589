//! Pictures and their data.

use super::{hostile, run};
use simt::prelude::*;
use simt_view::picture::{Colours, Field, Panel, Stacks};
use simt_view::{Picture, Run};
use std::fs;
use std::path::Path;

#[test]
fn pictures_have_their_data_beside_them() {
    let runs = [run::<Ipdom>(GpuConfig::turing()), run::<Dwf>(GpuConfig::turing())];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let recording = runs[0].recording.as_ref().unwrap();
    let pictures = [
        ("histogram", Picture::histogram(&runs)),
        ("cycles", Picture::cycles(&runs)),
        ("slots", Picture::issue_slots(&runs)),
        ("lanes", Picture::lanes(recording, 0)),
        ("samples", Picture::samples("Collatz", &[sampled()])),
    ];
    for (name, picture) in pictures {
        let picture = picture.unwrap();
        let files = picture.write(folder, name).unwrap();
        assert!(files.len() >= 2);
        let svg = fs::read_to_string(&files[0]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
        let csv = fs::read_to_string(&files[1]).unwrap();
        assert_eq!(csv.lines().count(), picture.rows.len() + 1, "{name}");
        assert!(!picture.rows.is_empty(), "{name}");
    }
    // The shares of a run are all of it, of many runs, too.
    let many: Vec<Run> = runs.iter().cycle().take(8).cloned().collect();
    let shares =
        [Picture::histogram(&runs), Picture::histogram(&many), Picture::cycles(&runs), Picture::issue_slots(&runs)];
    for picture in shares.map(Result::unwrap) {
        for column in 1..=2 {
            let sum: f64 = picture.rows.iter().map(|row| row[column].parse::<f64>().unwrap()).sum();
            assert!((sum - 1.0).abs() < 0.002, "{}: {sum}", picture.title);
        }
    }
}

/// A lane that issues alone is not few of many.
#[test]
fn lanes_that_issue_alone_have_a_word_for_a_column() {
    let mut runs = Vec::new();
    for_each_policy!(P => runs.push(run::<P>(GpuConfig::functional())));
    let picture = Picture::histogram(&runs).unwrap();
    for (name, cell) in picture.columns.iter().zip(&picture.rows[0]).skip(1) {
        assert_eq!(cell == "alone", name == "Mimd", "{name}: {cell}");
    }
}

#[test]
fn the_folder_of_a_picture_is_made_and_its_name_is_one_of_a_file() {
    let picture = Picture::histogram(&[run::<Ipdom>(GpuConfig::functional())]).unwrap();
    let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made");
    let _ = fs::remove_dir_all(&top);
    let folder = top.join("for/figures");
    let files = picture.write(&folder, "lanes").unwrap();
    assert_eq!(files[..2], [folder.join("lanes.svg"), folder.join("lanes.csv")]);
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), picture.svg);
    for name in ["", "..", "../lanes", "a/b", "/a", "a\\b", "a\0"] {
        let error = picture.write(&folder, name).unwrap_err();
        assert!(error.to_string().contains("without folders"), "{name:?}: {error}");
    }
    let names = |folder: &Path| fs::read_dir(folder).unwrap().count();
    assert_eq!(names(&folder.join("..")), 1, "nothing lies beside the folder");

    // Below a file there can be no folder.
    let below = files[0].join("below");
    let error = picture.write(&below, "x").unwrap_err();
    assert!(error.to_string().starts_with(&format!("{} cannot be written: ", below.display())), "{error}");
    assert_eq!(format!("{error:?}"), error.to_string(), "what `main` prints is text");
}

/// Collatz on a machine whose clock samples every 500 cycles.
fn sampled() -> Run {
    let mut machine = GpuConfig::turing();
    machine.clock.as_mut().unwrap().sample = Some(500);
    run::<Ipdom>(machine)
}

#[test]
fn names_in_pictures_are_text() {
    let runs = [hostile()];
    let name = || "<script>alert(5)</script>\u{1b}".to_string();
    let words = vec![(name(), vec![Field::Word(name()), Field::Share(0.5)])];
    let pictures = [
        Picture::histogram(&runs),
        Picture::lanes(runs[0].recording.as_ref().unwrap(), 0),
        Picture::samples(&name(), &[sampled().named(name())]),
        Picture::heat_map(&name(), &name(), &[name(), name()], &words),
        Picture::stacks(&stacks(&name(), vec![panel(&name(), Err(name())), panel(&name(), Ok(vec![1.0]))])),
    ];
    for picture in pictures.map(Result::unwrap) {
        assert!(!picture.svg.contains("<script") && !picture.svg.contains('\u{1b}'), "{}", picture.svg);
        assert!(picture.svg.contains("&lt;script") || picture.title.starts_with("Lanes of"), "{}", picture.svg);
    }
}

#[test]
fn nothing_to_draw_is_a_picture() {
    let none = [
        Picture::histogram(&[]),
        Picture::cycles(&[]),
        Picture::issue_slots(&[]),
        Picture::samples("", &[run::<Ipdom>(GpuConfig::turing())]),
        Picture::heat_map("", "", &[], &[]),
        Picture::stacks(&Stacks { columns: Vec::new(), parts: Vec::new(), ..stacks("", Vec::new()) }),
    ];
    for picture in none.map(Result::unwrap) {
        assert!(picture.rows.iter().all(|row| row.len() == 1) && picture.svg.starts_with("<svg"), "{picture:?}");
    }
}

/// How many rectangles have a size and a colour.
fn filled(picture: &Picture, width: u32, height: u32, colour: &str) -> usize {
    picture.svg.matches(&format!("width=\"{width}\" height=\"{height}\" opacity=\"1\" fill=\"{colour}\"")).count()
}

#[test]
fn each_field_of_a_heat_map_has_its_shade() {
    let rows = [
        ("a".to_string(), vec![Field::Share(1.0), Field::Word("livelock".to_string())]),
        ("b".to_string(), vec![Field::Share(0.0), Field::Share(7.0)]),
        // Of a row that is too short or too long there are the fields that have a column.
        ("c".to_string(), vec![]),
        ("d".to_string(), vec![Field::Share(0.5), Field::Share(0.5), Field::Share(0.5)]),
    ];
    let columns = ["Ipdom", "Dwf<Majority>"].map(String::from);
    let picture = Picture::heat_map("kernel", "a note", &columns, &rows).unwrap();
    let of = |colour| filled(&picture, 47, 23, colour);
    assert_eq!(["#08306B", "#C0392B", "#FFFFFF", "#8397B5"].map(of), [2, 1, 1, 2], "{}", picture.svg);
    assert!(picture.svg.contains("\nlivelock\n") && picture.svg.contains("Dwf&lt;Majority&gt;"), "{}", picture.svg);
    let csv = "kernel,Ipdom,Dwf<Majority>\na,1.0000,livelock\nb,0.0000,7.0000\nc,,\nd,0.5000,0.5000\n";
    assert_eq!(picture.csv(), csv);
    assert_eq!(picture, Picture::heat_map("kernel", "a note", &columns, &rows).unwrap());
}

fn panel(name: &str, column: Result<Vec<f64>, String>) -> Panel {
    Panel { name: name.to_string(), values: vec![column] }
}

fn stacks(name: &str, panels: Vec<Panel>) -> Stacks {
    Stacks {
        title: name.to_string(),
        unit: name.to_string(),
        top: Some(1.0),
        columns: vec![name.to_string()],
        parts: ["low", "high"].map(String::from).to_vec(),
        colours: Colours::Apart,
        panels,
    }
}

#[test]
fn columns_are_as_high_as_their_parts() {
    let panels = vec![
        panel("one", Ok(vec![0.5, 0.25])),
        panel("two", Err("cycle limit".to_string())),
        panel("three", Ok(vec![0.1, 0.1])),
    ];
    let shares = stacks("A", panels);
    let picture = Picture::stacks(&shares).unwrap();
    // Of each part the height in the first panel and in the third, and its place in the list.
    let heights = |picture: &Picture, colour: &str| -> Vec<u32> {
        let number = |rest: &str| rest.split('"').next().unwrap().parse().unwrap();
        let rectangles = picture.svg.split("<rect ").filter(|rest| rest.contains(&format!("fill=\"{colour}\"")));
        rectangles.map(|rest| number(rest.split_once("height=\"").unwrap().1)).collect()
    };
    let [low, high] = ["#0072B2", "#E69F00"].map(|colour| heights(&picture, colour));
    assert_eq!((low.len(), high.len()), (3, 3), "{}", picture.svg);
    assert!(low[0].abs_diff(2 * high[0]) <= 2 && low[0].abs_diff(5 * low[1]) <= 5, "{low:?} {high:?}");
    assert!(low[1].abs_diff(high[1]) <= 1, "{low:?} {high:?}");
    assert!(picture.svg.contains("\ncycle limit\n"), "{}", picture.svg);
    let csv = "panel,part,A\none,low,0.5000\none,high,0.2500\ntwo,low,cycle limit\ntwo,high,cycle limit\n\
               three,low,0.1000\nthree,high,0.1000\n";
    assert_eq!(picture.csv(), csv);
    // Each panel to its own scale.
    let picture = Picture::stacks(&Stacks { top: None, ..shares }).unwrap();
    let [low, high] = ["#0072B2", "#E69F00"].map(|colour| heights(&picture, colour));
    assert!((low[0] + high[0]).abs_diff(low[1] + high[1]) <= 2, "{low:?} {high:?}");
}

#[test]
fn samples_follow_each_other() {
    let (one, other) = (sampled(), sampled().named("other"));
    let cycles = one.report().unwrap().cycles().unwrap();
    let picture = Picture::samples("Collatz", &[one, other]).unwrap();
    let (mut end, mut instructions) = (0, 0.0);
    for row in picture.rows.iter().filter(|row| row[0] == "other") {
        let [begin, length] = [&row[1], &row[2]].map(|text| text.parse::<u64>().unwrap());
        assert_eq!(begin, end, "{row:?}");
        end = begin + length;
        instructions += length as f64 * row[3].parse::<f64>().unwrap();
        let shares: f64 = row[5..].iter().map(|share| share.parse::<f64>().unwrap()).sum();
        assert!((shares - 1.0).abs() < 0.002, "{row:?}");
    }
    assert_eq!(end, cycles);
    let report = sampled().outcome.unwrap();
    assert!((instructions / report.thread_instructions() as f64 - 1.0).abs() < 0.01, "{instructions}");
    for name in ["Ipdom: share of issue slots", "other: thread instructions per cycle", "W0-Idle", "Stall"] {
        assert!(picture.svg.contains(name), "{name}: {}", picture.svg);
    }
}

#[cfg(feature = "png")]
#[test]
fn pictures_have_pixels_if_the_system_has_fonts() {
    match Picture::histogram(&[run::<Ipdom>(GpuConfig::functional())]).unwrap().png(1.0) {
        Ok(bytes) => assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 2000, "{}", bytes.len()),
        Err(error) => assert!(error.to_string().contains("no fonts"), "{error}"),
    }
}
