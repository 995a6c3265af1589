//! The page: its lines are sorted, searched and compared, runs are switched.

use super::page;
use simt_browser_tests::{Chromium, Look};

fn open(place: &str) -> Chromium {
    let chromium = Chromium::start();
    chromium.look(Look::Light);
    chromium.open(&page("view", "page.html"), place);
    chromium
}

/// The texts of a column, by its number, from the first row on.
fn column(chromium: &Chromium, number: usize) -> Vec<String> {
    let script =
        format!("return [...document.querySelectorAll('#table tbody tr')].map(row => row.cells[{number}].textContent)");
    let texts = chromium.run(&script);
    texts.as_array().expect("a list").iter().map(|text| text.as_str().unwrap_or_default().to_string()).collect()
}

fn heads(chromium: &Chromium) -> Vec<String> {
    let texts = chromium.run("return [...document.querySelectorAll('#table thead th')].map(head => head.textContent)");
    texts.as_array().expect("a list").iter().map(|text| text.as_str().unwrap_or_default().to_string()).collect()
}

fn numbers(texts: &[String]) -> Vec<u64> {
    texts
        .iter()
        .map(|text| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0))
        .collect()
}

#[test]
fn columns_are_sorted_both_ways() {
    let chromium = open("");
    let place = heads(&chromium).iter().position(|head| head == "issues").expect("issues are a column");
    let issues = |chromium: &Chromium| numbers(&column(chromium, place));
    let before = issues(&chromium);
    assert!(!before.is_sorted_by(|a, b| a >= b), "in the order of lines they are not sorted: {before:?}");
    let head = format!("#table thead th:nth-child({}) button", place + 1);
    chromium.click(&head);
    let down = issues(&chromium);
    assert!(down.is_sorted_by(|a, b| a >= b) && down[0] > 1000, "{down:?}");
    let sorted = chromium.run("return document.querySelector('[aria-sort=descending]').textContent");
    assert_eq!(sorted, "issues ▼");
    assert_eq!(chromium.run("return document.activeElement.textContent"), "issues ▼", "the focus stays");
    chromium.click(&head);
    assert!(issues(&chromium).is_sorted());
}

#[test]
fn runs_are_switched_and_compared() {
    let chromium = open("");
    let lanes = heads(&chromium).iter().position(|head| head == "lanes").expect("lanes are a column");
    let first = column(&chromium, lanes);
    chromium.choose("#run", "Dwf<Majority>");
    assert_ne!(first, column(&chromium, lanes), "the other run has other figures");
    chromium.choose("#other", "Dwf<Majority>");
    let heads = heads(&chromium);
    let differences = heads.iter().position(|head| head == "Δ lanes").expect("a column of differences");
    assert!(column(&chromium, differences).iter().all(|text| text == "=" || text.is_empty()), "a run is as itself");
    chromium.choose("#run", "Ipdom");
    assert!(column(&chromium, differences).iter().any(|text| text.starts_with('+') || text.starts_with('−')));
}

#[test]
fn lines_are_found() {
    let chromium = open("");
    let all = column(&chromium, 1).len();
    chromium.click("#find");
    chromium.type_text("N % 2");
    assert_eq!(column(&chromium, 1), ["if n % 2 == 0 {"]);
    assert_eq!(chromium.text("#status"), "1 line with “N % 2”.");
    assert!(all > 8);
}

/// A link of the first sentences leads to the line that it names.
#[test]
fn sentences_lead_to_their_lines() {
    let chromium = open("");
    let text = chromium.text(".findings code");
    chromium.click(".findings a");
    assert_eq!(chromium.text("#table tr.chosen td.code"), text);
}

/// The keyboard alone leads to the heads of the table, and sorts by them.
#[test]
fn a_keyboard_is_enough() {
    let chromium = open("");
    chromium.run("document.querySelector('#table thead button').focus()");
    chromium.press(' ');
    assert_eq!(chromium.run("return document.querySelector('#table thead th').ariaSort"), "ascending");
    // The first step of all leads past what is above the content.
    chromium.open(&page("view", "page.html"), "");
    chromium.press('\u{e004}');
    assert_eq!(chromium.run("return document.activeElement.textContent"), "Skip to content");
}

#[test]
fn the_button_makes_it_dark_and_light() {
    let chromium = open("");
    let paper = |chromium: &Chromium| chromium.run("return getComputedStyle(document.body).backgroundColor");
    let light = paper(&chromium);
    chromium.click("#theme");
    assert_ne!(paper(&chromium), light);
    chromium.click("#theme");
    assert_eq!(paper(&chromium), light);
    chromium.look(Look::Dark);
    assert_eq!(paper(&chromium), light, "what was chosen stays");
}
