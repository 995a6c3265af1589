//! Crates outside of the workspace that depend on `simt` by path: what a user has.
//!
//! They are written under `target/outside`, get the workspace's lock file, so that what was downloaded for this build is
//! enough for them, and run their tests: the README's, one of a crate that knows `simt` by another name, and one of an older
//! edition that has no names but its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
DEPENDENCY, path = 'ROOT' }

[workspace]

[profile.dev]
debug = false
"#;

/// A user's own lints are strict, and the kernel stands in a module.
const LIBRARY: &str = r"//! A user's crate.
#![deny(warnings, missing_docs, unused, clippy::all)]

#[cfg(test)]
mod first;
";

/// A user's crate that calls `simt` by the name `warps`.
const RENAMED: &str = r#"//! A user's test.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use warps::prelude::*;

/// In a module, where paths begin elsewhere.
mod data {
    use warps::KernelData;

    #[derive(Clone, Copy, KernelData)]
    #[kernel_data(crate = warps)]
    pub(super) struct Point<T> {
        pub(super) x: T,
        pub(super) v: [u32; 2],
    }
}

#[device(crate = warps)]
fn twice<T: Num>(x: T, hits: &[AtomicU32]) -> T {
    hits[0].fetch_add(1, Relaxed);
    x + x
}

#[kernel(crate = ::warps)]
fn double<T: Num>(points: &mut [data::Point<T>], hits: &[AtomicU32]) {
    #[device(crate = warps)]
    fn next(n: u32) -> u32 { n + 1 }

    let i = global_id();
    assert!(i < points.len(), "{i} is too many");
    let mut point = points[i];
    point.x = twice(point.x, hits);
    point.v[i % 2] = next(point.v[i % 2]);
    points[i] = data::Point { x: point.x, v: point.v };
    println!("{}", point.x);
}

#[test]
fn doubles() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let (mut points, hits) = ([data::Point { x: 1.5, v: [0; 2] }; 3], [AtomicU32::new(0)]);
        let report = Gpu::<P>::default().launch(Grid::new(1, 3), double(&mut points, &hits))?;
        assert_eq!(report.prints(), ["3"; 3]);
        assert_eq!((points[1].x, points[1].v, hits[0].load(Relaxed)), (3.0, [0, 1], 3));
    });
    assert!(double::program::<f32>().to_string().starts_with("kernel double("));
    Ok(())
}
"#;

/// A user's crate of edition 2021 that imports all that it names.
const STRICT: &str = r#"//! A user's test.
#![no_implicit_prelude]
#![forbid(unsafe_code)]

use ::simt::{Gpu, Grid, KernelData, LaunchError, device, kernel, policy::Ipdom};
use ::std::clone::Clone;
use ::std::default::Default;
use ::std::marker::Copy;
use ::std::option::Option;
use ::std::result::Result::{self, Err, Ok};
use ::std::assert_eq;

#[derive(Clone, Copy, KernelData)]
struct Point {
    x: f32,
    hits: [u32; 2],
}

#[device]
impl Point {
    fn later(self, dt: f32) -> Self {
        Self { x: self.x + dt, ..self }
    }

    fn hit(&mut self) {
        self.hits[1] += 1;
    }
}

#[device]
impl ::std::ops::Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, hits: self.hits }
    }
}

#[derive(Clone, Copy, KernelData)]
enum Shape {
    Empty,
    Circle(f32),
    Rect { w: f32, h: f32 },
}

#[device]
trait Area {
    fn area(&self) -> f32;
}

#[device]
impl Area for Shape {
    fn area(&self) -> f32 {
        match *self {
            Shape::Empty => 0.0,
            Shape::Circle(r) => r * r,
            Shape::Rect { w, h } => w * h,
        }
    }
}

#[device]
fn checked(shape: Shape) -> Result<f32, u32> {
    let area = shape.area();
    if area > 10.0 { Err(1) } else { Ok(area) }
}

#[device]
fn applied(x: f32, f: impl Fn(f32) -> f32) -> f32 {
    f(f(x))
}

#[device]
fn half(x: Option<f32>) -> Option<f32> {
    Some(x? / 2.0)
}

#[kernel]
fn walk(points: &mut [Point], shapes: &[Shape], out: &mut [f32]) {
    let i = global_id();
    let mut point = points[i].later(1.0) + points[i];
    point.hit();
    points[i] = point;
    let first = shapes.get(0).map_or(0.0, |shape| shape.area());
    let rest: f32 = shapes[1..].iter().map(|shape| shape.area()).sum();
    let mut kept = [Shape::Empty; 2];
    kept[1] = shapes[i];
    let last = match checked(kept[1]) {
        Ok(area) => area,
        Err(_) => -1.0,
    };
    let scale = 2.0;
    out[i] = applied(first + rest, |v| v * scale) + half(Some(last)).unwrap_or(0.0);
    assert!(half(None).is_none());
    println!("{}", out[i]);
}

#[test]
fn walks() -> Result<(), LaunchError> {
    let mut points = [Point { x: 1.0, hits: [0; 2] }; 2];
    let (shapes, mut out) = ([Shape::Circle(2.0), Shape::Rect { w: 3.0, h: 4.0 }], [0.0; 2]);
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), walk(&mut points, &shapes, &mut out))?;
    assert_eq!((points[0].x, points[0].hits, out), (3.0, [0, 1], [66.0, 63.5]));
    Ok(())
}
"#;

#[test]
fn a_users_crate_may_have_no_names_but_its_own() {
    tested("strict", "simt = { version = \"*\"", STRICT);
}

#[test]
fn a_users_crate_runs_the_readmes_test() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/readme.rs"));
    let pages = target().join("target/simt");
    let _ = fs::remove_dir_all(&pages);
    // With pages, so that what those need is built once.
    let options: Options<'_> = (&["--features", "simt/pages"], &[("SIMT_PAGES", "1")]);
    let out = tested_with(options, "user", "simt = { version = \"*\"", &readme.expect("a file of the project"));
    // The report was printed, and it names the user's file.
    assert!(out.contains("kernel collatz under Ipdom") && out.contains("src/first.rs"), "{out}");
    // Its page names that, too, and the index leads to it.
    let index = fs::read_to_string(pages.join("index.html")).expect("the index of the pages");
    let links = index.split("href=\"user-").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    let page = links.map(|link| format!("user-{link}")).find(|link| link.ends_with("-1-collatz.html"));
    let page = fs::read_to_string(pages.join(page.expect("a launch of collatz"))).expect("its page");
    assert!(page.contains("src/first.rs") && page.contains("</html>"), "{page}");
}

#[test]
fn a_users_crate_may_give_simt_another_name() {
    tested("renamed", "warps = { package = \"simt\"", RENAMED);
}

/// Options of cargo, and variables of its environment.
type Options<'o> = (&'o [&'o str], &'o [(&'o str, &'o str)]);

/// The folder of these crates.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("outside")
}

/// Writes a crate whose one test is in the module `first`, and runs it; what it prints.
fn tested(name: &str, dependency: &str, first: &str) -> String {
    tested_with((&[], &[]), name, dependency, first)
}

fn tested_with((options, variables): Options<'_>, name: &str, dependency: &str, first: &str) -> String {
    let (root, target) = (Path::new(env!("CARGO_MANIFEST_DIR")), target());
    let user = target.join(name);
    fs::create_dir_all(user.join("src")).expect("the crate's folder");
    let write = |name: &str, text: &str| {
        // Kept as it is if it is right, so that nothing is built again.
        let path = user.join(name);
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::write(path, text).expect("a file of the crate");
        }
    };
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("a file of the project");
    let manifest = MANIFEST.replace("NAME", name).replace("DEPENDENCY", dependency);
    let manifest = if name == "strict" { manifest.replace("2024", "2021") } else { manifest };
    write("Cargo.toml", &manifest.replace("ROOT", &root.display().to_string()));
    write("src/lib.rs", LIBRARY);
    write("src/first.rs", first);
    fs::write(user.join("Cargo.lock"), read("Cargo.lock")).expect("the lock file");

    let cargo = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet"])
        .args(options)
        .args(["--", "--nocapture"])
        .current_dir(&user)
        .env_remove("SIMT_PAGES")
        .envs(variables.iter().copied())
        .env("CARGO_TARGET_DIR", target.join("target"))
        // Each is built once.
        .env("CARGO_INCREMENTAL", "0")
        // Neither the crate nor `simt`, with the features that a user has, is compiled with a warning.
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .expect("cargo runs");
    let (out, err) = (String::from_utf8_lossy(&cargo.stdout), String::from_utf8_lossy(&cargo.stderr));
    assert!(cargo.status.success(), "{out}\n{err}");
    assert!(out.contains("1 passed"), "{out}\n{err}");
    out.into_owned()
}
