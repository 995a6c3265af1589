//! The stepper: keys, buttons, search, links to a step, and what Figure 6 of Hanoi is there to show.

use super::page;
use fantoccini::key::Key;
use simt_browser_tests::{Chromium, Look};

fn open(name: &str, place: &str) -> Chromium {
    let chromium = Chromium::start();
    chromium.look(Look::Light);
    chromium.open(&page("stepper", name), place);
    chromium
}

fn place(chromium: &Chromium) -> String {
    chromium.text("#where")
}

/// The marked line of a side.
fn line(chromium: &Chromium, side: usize) -> String {
    chromium.text(&format!(".side:nth-child({side}) [aria-current=step]"))
}

/// What stands below the code of a side.
fn state(chromium: &Chromium, side: usize) -> String {
    let script = format!("return document.querySelector('.side:nth-child({side}) > div:last-child').innerText");
    chromium.run(&script).as_str().unwrap_or_default().to_string()
}

#[test]
fn keys_step() {
    let chromium = open("hanoi-figure-6.html", "");
    assert_eq!(place(&chromium), "step 0 of 16");
    assert!(line(&chromium, 1).starts_with("@0"));
    (0..3).for_each(|_| chromium.press(Key::Right.into()));
    chromium.press(Key::Left.into());
    assert_eq!(place(&chromium), "step 2 of 16");
    assert!(line(&chromium, 1).starts_with("@2"), "{}", line(&chromium, 1));
    chromium.press(Key::End.into());
    assert_eq!(place(&chromium), "step 16 of 16");
    chromium.press(Key::Home.into());
    chromium.press('d');
    assert_eq!((place(&chromium), line(&chromium, 1).contains("bra %b")), ("step 5 of 16".into(), true));
    assert_eq!(chromium.run("return location.hash"), "#step=5", "the address leads back here");
    // No step is before the first.
    chromium.press(Key::Home.into());
    chromium.press(Key::Left.into());
    assert_eq!(place(&chromium), "step 0 of 16");
}

#[test]
fn buttons_and_the_slider_step() {
    let chromium = open("hanoi-figure-6.html", "#step=4");
    assert_eq!(place(&chromium), "step 4 of 16");
    chromium.click("#next");
    chromium.click("#back");
    chromium.click("#back");
    assert_eq!(place(&chromium), "step 3 of 16");
    chromium.click("#last");
    chromium.click("#divergence");
    assert_eq!(chromium.text("#status"), "There is no further divergence.");
    chromium.run(
        "const slider = document.getElementById('step'); slider.value = 7; slider.dispatchEvent(new Event('input'))",
    );
    assert_eq!(place(&chromium), "step 7 of 16");
}

#[test]
fn instructions_are_found() {
    let chromium = open("hanoi-figure-6.html", "");
    chromium.click("#find");
    chromium.type_text("break");
    chromium.press(Key::Enter.into());
    assert!(line(&chromium, 1).contains("break %d, B0"), "{}", line(&chromium, 1));
}

/// With the `break` the barrier no longer names lane 0, and the row is marked that says so; without it two barriers wait for
/// each other's lanes.
#[test]
fn figure_6_shows_what_the_break_is_for() {
    let chromium = open("hanoi-figure-6.html", "#step=7");
    let step = |chromium: &Chromium| {
        (0..10).find(|_| {
            let before = line(chromium, 1).contains("break");
            chromium.press(Key::Right.into());
            before
        })
    };
    step(&chromium).expect("the break is issued");
    let marked = chromium.text(".side:nth-child(1) tr.fresh");
    assert!(marked.starts_with("0111B0"), "B0 has lost lane 0: {marked}");
    chromium.press(Key::End.into());
    assert!(state(&chromium, 1).contains("All has been issued."), "{}", state(&chromium, 1));
    let failed = state(&chromium, 2);
    for text in [
        "The launch has failed here, in block 0, warp 0.",
        "lanes 1–3: at barrier B0 for lane 0",
        "lane 0: at barrier B1 for lanes 1–3",
        "error[simt::deadlock]",
    ] {
        assert!(failed.contains(text), "{text} in\n{failed}");
    }
}

/// Of one launch that has failed the step is shown at which it did.
#[test]
fn steps_open_where_a_launch_has_failed() {
    let chromium = Chromium::start();
    chromium.look(Look::Light);
    chromium.open(&page("view", "failed-steps.html"), "");
    assert!(line(&chromium, 1).contains("st.u32 x["), "{}", line(&chromium, 1));
    let said = state(&chromium, 1);
    assert!(
        said.contains("The launch has failed here, in block 1, warp 1.") && said.contains("out-of-bounds"),
        "{said}"
    );
}

/// Other warps' runs can be chosen, and a row that lanes have left for good is not marked as one that waits.
#[test]
fn lanes_that_are_on_do_not_wait() {
    let chromium = open("taco09-figure-8.html", "#step=9");
    assert!(line(&chromium, 2).starts_with("@3"), "{}", line(&chromium, 2));
    let waiting = chromium
        .run("return [...document.querySelectorAll('.side:nth-child(2) .row.waits .pc')].map(e => e.textContent)");
    assert_eq!(waiting, serde_json::json!(["@6"]));
    assert!(
        state(&chromium, 2).contains("@3"),
        "the group of lanes that is on is where it is: {}",
        state(&chromium, 2)
    );
    chromium.choose(".side:nth-child(1) select", "Dynamic warp formation");
    assert_eq!(line(&chromium, 1), line(&chromium, 2));
}
