//! Makes the pictures of the docs, of the pages that lie in `target/`.

use simt_browser_tests::{Chromium, Look, pages, root};
use std::fs;

fn main() {
    let chromium = Chromium::start();
    let find = |folder: &str, name: &str| pages(folder).into_iter().find(|file| file.ends_with(name));
    // What it is called, the page, the place on it, the look, and how high it is.
    let pictures = [
        ("compare", find("compare", "compare.html"), "", Look::Light, 700),
        ("page", find("compare", "mandelbrot.html"), "", Look::Light, 760),
        ("page-dark", find("view", "page.html"), "#graph", Look::Dark, 900),
        ("stepper", find("stepper", "hanoi-figure-6.html"), "#step=9", Look::Light, 960),
        ("stepper-dark", find("stepper", "taco09-figure-8.html"), "#step=9", Look::Dark, 900),
    ];
    for (name, page, place, look, height) in pictures {
        let page = page.unwrap_or_else(|| panic!("the page of {name} is not there"));
        chromium.look(look);
        chromium.resize(1100, height);
        chromium.open(&page, place);
        let file = root().join("docs/view").join(format!("{name}.webp"));
        let written = fs::create_dir_all(root().join("docs/view")).and_then(|()| fs::write(&file, chromium.picture()));
        written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}
