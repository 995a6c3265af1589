//! All pages in all looks: nothing on the console, nothing wider than the window, nothing that axe-core objects to.

use simt_browser_tests::{Chromium, Look, pages, root};
use std::fs;
use std::path::{Path, PathBuf};

/// What is wrong with the page that is open: what it has said on the console, and what sticks out of the window.
fn complaints(chromium: &Chromium) -> Vec<String> {
    let mut complaints = chromium.console();
    let wider = chromium.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if wider.as_f64() > Some(0.0) {
        complaints.push(format!("the page is {wider} pixels wider than the window"));
    }
    complaints
}

/// The source of axe-core, if it is there.
fn axe() -> Option<String> {
    let file = root().join("target/axe-core/axe.min.js");
    fs::read_to_string(file).ok()
}

/// What axe-core objects to: its rule, the element, and why.
fn objections(chromium: &Chromium, axe: &str) -> Vec<String> {
    chromium.run(axe);
    let run = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(
            result => done(result.violations.flatMap(rule => rule.nodes.map(node =>
                rule.id + ' at ' + node.target.join(' ') + ': ' + node.failureSummary.replace(/\\s+/g, ' ')))),
            error => done(['axe-core failed: ' + error]));";
    let objections = chromium.run_later(run);
    objections.as_array().expect("a list").iter().map(|text| text.as_str().unwrap_or_default().to_string()).collect()
}

/// Pages of all kinds. The long ones, and those of other kernels of `compare`, have the same elements as others.
fn all() -> Vec<PathBuf> {
    let all = ["view", "stepper", "compare"].into_iter().flat_map(pages);
    let same = ["long-page.html", "long-stepper.html", "bfs.html", "collatz.html", "mandelbrot.html"];
    all.filter(|file| !same.contains(&&*name(file))).collect()
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[test]
fn pages_open_without_complaints_in_every_look() {
    let chromium = Chromium::start();
    let mut found = Vec::new();
    for file in all() {
        for look in Look::ALL {
            chromium.look(look);
            chromium.open(&file, "");
            found.extend(complaints(&chromium).into_iter().map(|text| format!("{} {look:?}: {text}", name(&file))));
            assert!(!chromium.text("h1").is_empty(), "{}", file.display());
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn axe_has_no_objections() {
    let Some(axe) = axe() else {
        eprintln!("axe-core is not there, and pages are not held to it: simt-view/tests/browser/install.sh fetches it");
        return;
    };
    let chromium = Chromium::start();
    let mut found = Vec::new();
    for file in all() {
        // Of each kind one in the dark: colours are all that is different there.
        let dark = ["page.html", "hanoi-figure-6.html", "compare.html", "stepper.html"].contains(&&*name(&file));
        for look in if dark { &[Look::Light, Look::Dark][..] } else { &[Look::Light] } {
            chromium.look(*look);
            // In the middle of the steps, where lanes wait, rows are marked, and stacks have entries.
            chromium.open(&file, "#step=9");
            // What is folded is on the page, too.
            chromium.run("document.querySelectorAll('details').forEach(part => part.open = true)");
            found.extend(
                objections(&chromium, &axe).into_iter().map(|text| format!("{} {look:?}: {text}", name(&file))),
            );
        }
    }
    assert!(found.is_empty(), "{} objections\n{}", found.len(), found.join("\n"));
}

/// The tests above can fail: a page with an error, a line that is too long, and a picture without words.
#[test]
fn a_broken_page_is_found() {
    let file = root().join("target/tmp-broken.html");
    let html = "<!DOCTYPE html><title>broken</title><h1>broken</h1><p style='color: #bbb; white-space: nowrap'>"
        .to_string()
        + &"wide ".repeat(400)
        + "</p><img src='data:,'><script>nothing.here()</script>";
    fs::create_dir_all(root().join("target")).and_then(|()| fs::write(&file, html)).expect("it is written");
    let chromium = Chromium::start();
    chromium.look(Look::Light);
    chromium.open(&file, "");
    let found = complaints(&chromium).join("\n");
    assert!(found.contains("nothing is not defined") && found.contains("wider than the window"), "{found}");
    if let Some(axe) = axe() {
        let found = objections(&chromium, &axe).join("\n");
        for rule in ["color-contrast", "image-alt", "html-has-lang"] {
            assert!(found.contains(rule), "{rule} in\n{found}");
        }
    }
    fs::remove_file(file).expect("it was there");
}
