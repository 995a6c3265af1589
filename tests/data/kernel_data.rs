//! Structs in slices, variables and arrays: `#[derive(KernelData)]`.

use crate::support::host;
use simt::KernelData;
use simt::error::FaultKind;
use simt::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Weight {
    kilos: f32,
    grams: [u16; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Body {
    place: [f32; 3],
    weight: Weight,
    number: usize,
    is_fixed: bool,
}

kernels! {
    fn fields(others: &[Body], bodies: &mut [Body]) {
        let i = global_id();
        if bodies[i].is_fixed || i >= others.len() {
            return;
        }
        bodies[i].place[0] += 1.5;
        for k in 0..3 {
            bodies[i].place[k] *= others[i].place[2 - k] - k as f32;
        }
        bodies[i].weight.kilos -= bodies[i].place[1];
        bodies[i].weight.grams[i % 2] += 7;
        bodies[i].number = others[i].number * 2 + bodies.len();
    }

    fn variables(others: &[Body], bodies: &mut [Body]) {
        let i = global_id();
        let other = others[i];
        let mut body = Body { place: [1.0, other.place[i % 3], 3.0], number: i, is_fixed: false, weight: other.weight };
        body.place[2] += 0.25;
        body.place[i % 3] *= 2.0;
        let k = i % 2;
        body.weight.grams[k] = body.weight.grams[1 - k] + 1;
        body.number += 1;
        let copy = body;
        body.place = [0.5; 3];
        let number = i * 10;
        bodies[i] = if i % 2 == 0 { Body { number, ..copy } } else { body };
    }

    fn arrays_of_structs(others: &[Body], bodies: &mut [Body]) {
        let i = global_id();
        let mut weights = [Weight { kilos: 0.5, grams: [1, 2] }; 3];
        weights[i % 3].kilos += 1.0;
        weights[(i + 1) % 3].grams[i % 2] = 40;
        weights[2] = others[i].weight;
        let chosen = weights[i % 3];
        bodies[i].weight = chosen;
        bodies[i].number = weights.len() + weights[1].grams[0] as usize;
    }

    fn in_order(others: &[Body], bodies: &mut [Body]) {
        let mut i = global_id();
        let first = i;
        bodies[i].number = {
            i = 0;
            others[first].number
        };
        let mut body = others[first];
        body.place[{ i += 1; i }] = {
            i = 1;
            others[i].place[0]
        };
        bodies[first].place = body.place;
    }
}

fn bodies(count: usize, from: usize) -> Vec<Body> {
    let body = |i: usize| Body {
        place: [i as f32, 0.5 * i as f32, -2.0],
        weight: Weight { kilos: 1.25 * i as f32, grams: [i as u16 * 3, 9] },
        number: i * i,
        is_fixed: i % 4 == 3,
    };
    (from..from + count).map(body).collect()
}

#[test]
fn structs_are_rusts() {
    macro_rules! check {
        ($($name:ident)*) => {$({
            let others = bodies(30, 2);
            let mut expected = bodies(30, 0);
            host::run(Grid::new(2, 15), || plain::$name(&others, &mut expected));
            everywhere!(|gpu| {
                let mut found = bodies(30, 0);
                gpu.launch(Grid::new(2, 15), kernel::$name(&others, &mut found)).expect("a launch");
                assert_eq!(found, expected, stringify!($name));
            });
        })*};
    }
    check!(fields variables arrays_of_structs in_order);
}

#[kernel]
fn tiled(#[constant] table: &[Weight], out: &mut [f32]) {
    #[shared]
    let mut tile: [Weight; 8];
    let i = thread_idx().x;
    tile[i] = table[i % table.len()];
    tile[i].grams[i % 2] += i as u16;
    sync_threads();
    let across = tile[7 - i];
    out[i] = across.kilos + across.grams[0] as f32 + tile[i].grams[1] as f32;
}

#[test]
fn structs_are_shared_and_constant() {
    let table = [Weight { kilos: 0.5, grams: [1, 2] }, Weight { kilos: 0.25, grams: [3, 4] }];
    let tile: Vec<Weight> = (0..8)
        .map(|i| {
            let mut weight = table[i % 2];
            weight.grams[i % 2] += i as u16;
            weight
        })
        .collect();
    let expected: Vec<f32> =
        (0..8).map(|i| tile[7 - i].kilos + f32::from(tile[7 - i].grams[0]) + f32::from(tile[i].grams[1])).collect();
    everywhere!(|gpu| {
        let mut out = [0.0; 8];
        gpu.launch(Grid::new(1, 8), tiled(&table, &mut out)).expect("a launch");
        assert_eq!(out, *expected);
    });
}

const LIGHT: Weight = Weight { kilos: 0.5, grams: [4, 5] };
const START: Body = Body { place: [1.0, 2.0, 3.0], weight: LIGHT, number: 7, is_fixed: true };

#[device]
fn the_heavier(a: Weight, b: Weight) -> Weight {
    if a.kilos > b.kilos { a } else { b }
}

#[kernel]
fn constants(bodies: &mut [Body]) {
    let i = global_id();
    let mut body = START;
    body.place[i % 3] += START.place[1];
    if i % 2 == 0 {
        body = Body { number: i, ..START };
    }
    body.weight = the_heavier(LIGHT, bodies[i].weight);
    bodies[i] = body;
}

#[test]
fn structs_from_outside_are_constants() {
    let expected: Vec<Body> = bodies(10, 0)
        .into_iter()
        .enumerate()
        .map(|(i, Body { weight, .. })| {
            let mut body = START;
            body.place[i % 3] += START.place[1];
            if i % 2 == 0 {
                body = Body { number: i, ..START };
            }
            body.weight = if LIGHT.kilos > weight.kilos { LIGHT } else { weight };
            body
        })
        .collect();
    everywhere!(|gpu| {
        let mut found = bodies(10, 0);
        gpu.launch(Grid::new(1, 10), constants(&mut found)).expect("a launch");
        assert_eq!(found, expected);
    });
}

#[kernel]
fn beyond(at: usize, inner: usize, bodies: &mut [Body]) {
    bodies[0].number = 77;
    bodies[at].place[inner] = 1.0;
}

#[test]
fn indices_beyond_the_end_are_faults_and_leave_no_trace() {
    let cases = [
        (3, 0, FaultKind::OutOfBounds { slice: "bodies.place".into(), index: 3, length: 3, write: true }),
        (1, 3, FaultKind::Panic { message: "index 3 is out of bounds of `bodies[1].place`, whose length is 3".into() }),
        // 3 times this number is 2 to the 32nd, and 2.
        (
            0x5555_5556,
            0,
            FaultKind::OutOfBounds { slice: "bodies.place".into(), index: u32::MAX as usize, length: 9, write: true },
        ),
    ];
    for (at, inner, kind) in cases {
        everywhere!(|gpu| {
            let mut found = bodies(3, 0);
            let launched = gpu.launch(Grid::new(1, 1), beyond(at, inner, &mut found));
            let Err(LaunchError::Fault(fault)) = launched else { panic!("{launched:?}") };
            assert_eq!((&fault.kind, found), (&kind, bodies(3, 0)));
        });
    }
}

#[derive(Clone, Copy, KernelData)]
struct Settings {
    factor: f32,
    offsets: [f32; 2],
    limit: usize,
}

#[device]
fn heavier(mut body: Body, by: Weight) -> Weight {
    body.weight.kilos += by.kilos;
    body.weight.grams[1] = by.grams[0];
    body.weight
}

#[device]
fn apply(settings: Settings, i: usize, bodies: &mut [Body]) {
    bodies[i].place[0] = bodies[i].place[0] * settings.factor + settings.offsets[i % 2];
    if i < settings.limit {
        bodies[i].weight = heavier(bodies[i], Weight { kilos: 0.5, grams: [3; 2] });
    }
}

#[kernel]
fn with_settings(settings: Settings, bodies: &mut [Body]) {
    let i = global_id();
    apply(settings, i, bodies);
}

#[test]
fn structs_are_passed_by_value() {
    let settings = Settings { factor: 2.0, offsets: [0.25, -1.0], limit: 5 };
    let mut expected = bodies(9, 0);
    for (i, body) in expected.iter_mut().enumerate() {
        body.place[0] = body.place[0] * 2.0 + settings.offsets[i % 2];
        if i < settings.limit {
            body.weight.kilos += 0.5;
            body.weight.grams[1] = 3;
        }
    }
    everywhere!(|gpu| {
        let mut found = bodies(9, 0);
        gpu.launch(Grid::new(3, 3), with_settings(settings, &mut found)).expect("a launch");
        assert_eq!(found, expected);
    });
}

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Pair<T, const N: usize> {
    key: T,
    values: [T; N],
}

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Labelled<T> {
    label: u8,
    pair: Pair<T, 2>,
}

#[kernel]
fn generic_structs<T: Num>(pairs: &[Pair<T, 2>], by: Pair<T, 1>, out: &mut [Labelled<T>]) {
    let i = global_id();
    let mut pair = pairs[i];
    pair.values[i % 2] *= by.values[0];
    let key = pair.key + by.key;
    out[i].pair = Pair { key, ..pair };
    out[i].label += 1;
}

#[kernel]
fn of_floats(pairs: &mut [Pair<f32, 3>]) {
    let i = global_id();
    pairs[i] = Pair { key: 0.5, values: [1.0, pairs[i].key, pairs[i].values[2]] };
}

#[test]
fn structs_may_be_generic() {
    let pairs = [Pair { key: 1, values: [2, 3] }, Pair { key: 4, values: [5, 6] }];
    everywhere!(|gpu| {
        let mut out = pairs.map(|pair| Labelled { label: 7, pair });
        let by = Pair { key: 10, values: [100] };
        gpu.launch(Grid::new(1, 2), generic_structs(&pairs, by, &mut out)).expect("a launch");
        assert_eq!(out[0], Labelled { label: 8, pair: Pair { key: 11, values: [200, 3] } });
        assert_eq!(out[1], Labelled { label: 8, pair: Pair { key: 14, values: [5, 600] } });
        let mut floats = [Pair { key: 9.0, values: [1.5, 2.5, 3.5] }];
        gpu.launch(Grid::new(1, 1), of_floats(&mut floats)).expect("a launch");
        assert_eq!(floats, [Pair { key: 0.5, values: [1.0, 9.0, 3.5] }]);
    });
}

#[kernel]
fn beyond_a_row(i: usize, k: usize, bodies: &mut [Body]) {
    let mut rows = [[1.0; 4]; 8];
    rows[i][k] += 1.0;
    bodies[i].place[k + 1] = rows[i][k];
}

#[test]
fn an_index_beyond_a_row_names_the_array_and_both_indices() {
    let body = Body { place: [0.0; 3], weight: Weight { kilos: 0.0, grams: [0; 2] }, number: 0, is_fixed: false };
    let launch = |i, k| {
        let call = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), beyond_a_row(i, k, &mut [body; 3]));
        call.unwrap_err().to_string().lines().next().map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(launch(2, 7), "error[simt::panic]: index 7 is out of bounds of `rows[2]`, whose length is 4");
    assert_eq!(launch(1, 3), "error[simt::panic]: index 4 is out of bounds of `bodies[1].place`, whose length is 3");
}
