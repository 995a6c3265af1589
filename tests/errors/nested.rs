//! Indices of arrays of arrays, which are one row after the other in memory.

use simt::RaceCheck;
use simt::error::FaultKind;
use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Particle {
    mass: f32,
    place: [f32; 3],
}

/// Each case writes to something else.
#[kernel]
fn nested(rows: &mut [[u32; 4]], particles: &mut [Particle], case: u32, i: usize, j: usize) {
    let mut own = [[0u32; 4]; 2];
    #[shared]
    let mut tile: [[u32; 4]; 2];
    match case {
        0 => own[i][j] = 1,
        1 => tile[i][j] = 1,
        2 => rows[i][j] = 1,
        3 => particles[i].place[j % 3] = 1.0,
        _ => particles[i].mass = 1.0,
    }
    rows[0][0] = own[0][j % 4];
}

fn launch(case: u32, i: usize, j: usize) -> LaunchError {
    let (mut rows, mut particles) = ([[0; 4]; 2], [Particle { mass: 0.0, place: [0.0; 3] }; 2]);
    let call = nested(&mut rows, &mut particles, case, i, j);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call).expect_err("it goes beyond an end")
}

#[test]
fn the_index_that_is_out_of_bounds_is_the_one_in_the_source() {
    let names = ["own", "tile", "rows", "particles.place", "particles.mass"];
    for (case, name) in (0..).zip(names) {
        let error = launch(case, 7, 1);
        let text = error.to_string();
        assert!(text.contains(&format!("index 7 is out of bounds of `{name}`, whose length is 2")), "{text}");
        let LaunchError::Fault(fault) = error else { panic!("{text}") };
        let FaultKind::OutOfBounds { slice, index, length, .. } = &fault.kind else { panic!("{text}") };
        assert_eq!((&**slice, *index, *length), (name, 7, 2), "{text}");
    }
    // Within a row it is the row that is named.
    for (case, name) in (0..).zip(&names[..3]) {
        let text = launch(case, 1, 5).to_string();
        assert!(text.contains(&format!("index 5 is out of bounds of `{name}[1]`, whose length is 4")), "{text}");
    }
}

/// Two lanes write one element.
#[kernel]
fn shares(rows: &mut [[u32; 4]], particles: &mut [Particle], case: u32) {
    #[shared]
    let mut tile: [[u32; 4]; 2];
    let value = thread_idx().x;
    match case {
        0 => tile[1][2] = value as u32,
        1 => rows[1][2] = value as u32,
        2 => particles[1].place[2] = value as f32,
        3 => particles[1].mass = value as f32,
        _ => rows[0][0] = tile[1][2],
    }
}

#[test]
fn an_element_is_named_as_in_the_source() {
    let names = ["tile[1][2]", "rows[1][2]", "particles[1].place[2]", "particles[1].mass", "tile[1][2]"];
    for (case, name) in (0..).zip(names) {
        let (mut rows, mut particles) = ([[0; 4]; 2], [Particle { mass: 0.0, place: [0.0; 3] }; 2]);
        let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Everywhere);
        let error = gpu.launch(Grid::new(1, 2), shares(&mut rows, &mut particles, case)).expect_err("a fault");
        assert!(error.to_string().matches(&format!("`{name}` ")).count() >= 2, "{error}");
    }
}
