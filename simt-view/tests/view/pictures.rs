//! Pictures and their data.

use super::{hostile, run};
use simt::prelude::*;
use simt_view::Picture;
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
    // The shares of a run are all of it.
    for picture in
        [Picture::histogram(&runs).unwrap(), Picture::cycles(&runs).unwrap(), Picture::issue_slots(&runs).unwrap()]
    {
        for column in 1..=2 {
            let sum: f64 = picture.rows.iter().map(|row| row[column].parse::<f64>().unwrap()).sum();
            assert!((sum - 1.0).abs() < 0.002, "{}: {sum}", picture.title);
        }
    }
    let error = Picture::histogram(&runs).unwrap().write(Path::new("/nowhere/at/all"), "x").unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/at/all/x.svg cannot be written: "), "{error}");
}

#[test]
fn names_in_pictures_are_text() {
    let runs = [hostile()];
    for picture in [Picture::histogram(&runs).unwrap(), Picture::lanes(runs[0].recording.as_ref().unwrap(), 0).unwrap()]
    {
        assert!(!picture.svg.contains("<script"), "{}", picture.svg);
    }
    assert!(Picture::histogram(&[]).is_ok() && Picture::cycles(&[]).is_ok(), "nothing to draw is a picture");
}

#[cfg(feature = "png")]
#[test]
fn pictures_have_pixels_if_the_system_has_fonts() {
    match Picture::histogram(&[run::<Ipdom>(GpuConfig::functional())]).unwrap().png(1.0) {
        Ok(bytes) => assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 2000, "{}", bytes.len()),
        Err(error) => assert!(error.to_string().contains("no fonts"), "{error}"),
    }
}
