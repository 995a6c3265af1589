//! The longest pages: a source of a million lines, and recordings of a hundred thousand issues.

use super::page;
use fantoccini::key::Key;
use simt_browser_tests::{Chromium, Look};
use std::time::{Duration, Instant};

/// The most that a page may take to open, and the most bytes that it may have.
const OPEN: Duration = Duration::from_secs(3);
const BYTES: u64 = 20_000_000;

/// Opens a page until what its script shows is there; how long that took.
fn opened(chromium: &Chromium, name: &str, shown: &str) -> Duration {
    let file = page("view", name);
    let bytes = file.metadata().expect("it is there").len();
    assert!(bytes < BYTES, "{name} has {bytes} bytes");
    let begin = Instant::now();
    chromium.open(&file, "");
    assert_eq!(chromium.run(&format!("return document.querySelectorAll('{shown}').length > 0")), true, "{name}");
    let took = begin.elapsed();
    assert_eq!(chromium.console(), [""; 0], "{name}");
    took
}

#[test]
fn long_pages_open_fast() {
    let chromium = Chromium::start();
    chromium.look(Look::Light);
    let page = opened(&chromium, "long-page.html", "#table tbody tr");
    // Only what is seen is in the document.
    let rows = chromium.run("return document.querySelectorAll('#table tbody tr').length");
    assert!(rows.as_u64() < Some(1000), "{rows}");
    chromium.run("document.getElementById('lines').scrollTop = 1e6");
    let bottom = chromium.run("const box = document.getElementById('lines'); box.scrollTop = box.scrollHeight; return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done([...box.querySelectorAll('td.code')].at(-1).getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 1))))");
    assert_eq!(bottom, true, "the last line is seen below");
    let stepper = opened(&chromium, "long-stepper.html", "[aria-current=step]");
    assert!(page < OPEN && stepper < OPEN, "the page opened in {page:?}, the stepper in {stepper:?}");
    let begin = Instant::now();
    for key in [Key::End, Key::Left, Key::Home, Key::Right] {
        chromium.press(key.into());
    }
    for key in ['d', 'r'] {
        chromium.press(key);
    }
    assert!(begin.elapsed() < OPEN, "steps take {:?}", begin.elapsed() / 6);
    assert_eq!(chromium.console(), [""; 0]);
    eprintln!("the page opened in {page:?}, the stepper in {stepper:?}");
}
