//! Which points a sweep has, and what cannot be one.

use super::*;
use crate::{all, policy};
use simt::GpuConfig;
use simt::prelude::*;

fn sweep() -> Sweep {
    Sweep::new("sweep").kernel("none", |_| Ok(0))
}

fn ids(sweep: &Sweep) -> Vec<String> {
    sweep.points().unwrap().into_iter().map(|point| point.id).collect()
}

#[track_caller]
fn refused(sweep: &Sweep, parts: &[&str]) {
    let error = sweep.points().unwrap_err().to_string();
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn points_are_the_product_in_order() {
    let points = sweep()
        .policies([policy::<Ipdom>(), policy::<Mimd>()])
        .machines(["functional", "fermi"])
        .field("warp_width", [8, 16])
        .inputs("n", ["a", "b", "c"])
        .points()
        .unwrap();
    assert_eq!(points.len(), 24);
    let shown = |point: &Point| point.to_string().split_once(": ").unwrap().1.to_string();
    assert_eq!(shown(&points[0]), "none under Ipdom on functional, warp_width 8, n \"a\"");
    assert_eq!(shown(&points[1]), "none under Mimd on functional, warp_width 8, n \"a\"");
    assert_eq!(shown(&points[2]), "none under Ipdom on functional, warp_width 8, n \"b\"");
    assert_eq!(shown(&points[23]), "none under Mimd on fermi, warp_width 16, n \"c\"");
    assert_eq!(points[23].config(), &GpuConfig { warp_width: 16, checks: Checks::none(), ..GpuConfig::fermi() });
    assert_eq!(points[23].input::<String>("n").unwrap(), "c");
    assert!(points[23].input::<u32>("n").unwrap_err().to_string().contains("input `n` is \"c\""));
    assert_eq!(sweep().policies(all()).points().unwrap().len(), all().len());
}

#[test]
fn an_id_is_of_all_that_a_result_depends_on() {
    let of = |sweep: Sweep| ids(&sweep)[0].clone();
    let first = of(sweep());
    assert!(first.len() == 16 && first.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
    assert_eq!(of(sweep()), first);
    // What is there by default is the same as if it is said.
    assert_eq!(of(sweep().policies([policy::<Ipdom>()]).machines(["functional"])), first);
    let others = [
        of(Sweep::new("other").kernel("none", |_| Ok(0))),
        of(Sweep::new("sweep").kernel("other", |_| Ok(0))),
        of(sweep().policies([policy::<Mimd>()])),
        of(sweep().machines(["fermi"])),
        of(sweep().machines([("functional", GpuConfig { seed: 1, ..GpuConfig::functional() })])),
        of(sweep().field("seed", [2])),
        of(sweep().inputs("n", [1])),
        of(sweep().inputs("n", ["1"])),
        of(sweep().inputs("m", [1])),
        of(sweep().version("1")),
        of(sweep().version("1").version("2")),
    ];
    let mut all = others.to_vec();
    all.extend([first]);
    assert_eq!(twice(&all), None);
}

#[test]
fn a_sweep_that_grows_keeps_its_points() {
    let small = ids(&sweep().field("seed", [1, 2]).inputs("n", [1, 2]));
    let large = ids(&sweep().field("seed", [0, 1, 2]).inputs("n", [2, 1, 3]).policies(all()));
    assert!(small.iter().all(|id| large.contains(id)));
    let some = ids(&sweep().inputs("n", 0..9).only(|point| point.input::<u32>("n").is_ok_and(|n| n % 2 == 0)));
    assert_eq!(some.len(), 5);
    assert!(some.iter().all(|id| ids(&sweep().inputs("n", 0..9)).contains(id)));
}

#[test]
fn what_has_no_points_or_the_same_twice_is_refused() {
    refused(&Sweep::new("sweep"), &["no kernel", "`.kernel(..)`"]);
    refused(&sweep().policies([]), &["no policy", "`.policies(..)`"]);
    refused(&sweep().machines::<&str>([]), &["no machine"]);
    refused(&sweep().inputs::<u32>("n", []), &["`n` has no values"]);
    refused(&sweep().only(|_| false), &["`.only(..)`"]);
    refused(&sweep().inputs("n", [1, 2, 1]), &["`n` has 1 twice"]);
    refused(&sweep().inputs("n", [1]).field("n", [1]), &["two columns `n`"]);
    refused(&sweep().kernel("none", |_| Ok(1)), &["`kernel` has none twice"]);
    refused(&sweep().policies(all()).policies([policy::<Ipdom>()]), &["`policy` has Ipdom twice"]);
    refused(&sweep().machines(["fermi", "Fermi"]), &["`machine` has fermi twice"]);
    let (short, long) = ("clock.memory.l1.bytes", "clock.memory.levels.l1.bytes");
    let same = sweep().machines(["fermi"]).field(short, [1 << 14, 1 << 15]).field(long, [1 << 14]);
    refused(&same, &["two points are the same", "set one field"]);
    refused(&(0..8).fold(sweep(), |sweep, at| sweep.inputs(&format!("n{at}"), 0..100)), &["more than 4194304 points"]);
}

#[test]
fn names_that_are_not_known_are_refused_with_the_nearest() {
    refused(&sweep().machines(["ferm"]), &["machine `ferm`", "nearest are `fermi`"]);
    refused(&sweep().field("warp_widht", [8]), &["`warp_widht` of machine `functional`", "nearest are `warp_width`"]);
    refused(&sweep().field("clock.cores", [8]), &["has no `clock`"]);
    refused(&sweep().field("warp_width", ["wide"]), &["`warp_width`", "cannot be \"wide\""]);
    refused(&sweep().inputs("policy", [1]), &["cannot have the name `policy`"]);
    refused(&sweep().inputs("", [1]), &["cannot have the name ``"]);
    refused(&Sweep::new("../up").kernel("none", |_| Ok(0)), &["`../up`", "folder"]);
}
