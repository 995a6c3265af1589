//! Patterns through which an element is written that the body also reaches by its index: `match &mut x[i] { .. }`.

use simt::prelude::*;
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
enum State {
    Ready { left: u32, n: u32 },
    Done(u32),
    Idle,
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Cell {
    state: State,
    tag: Option<u32>,
}

#[device]
fn step(x: &mut [State], i: usize) -> u32 {
    let State::Ready { left, n } = &mut x[i] else { return 7 };
    *left -= 1;
    if *left == 0 {
        x[i] = State::Done(3);
        return 1;
    }
    *n += 10;
    2
}
#[kernel]
fn places(x: &mut [State], cells: &mut [Cell], out: &mut [u32]) {
    let i = global_id();
    out[i] = step(x, i);
    match &mut x[i] {
        State::Ready { left, .. } if *left > 5 => *left = 100,
        State::Ready { n, .. } => *n += 1,
        State::Done(v) => *v *= 2,
        State::Idle => {}
    }
    if let State::Done(v) = &mut x[i] {
        *v += 1;
        out[i] += *v;
    }
    if let Some(tag) = &mut cells[i].tag {
        *tag += 5;
    }
    match &mut cells[i].state {
        State::Done(v) => {
            *v += out[i];
        }
        other => *other = State::Done(1),
    }
    let mut local = [State::Idle, State::Ready { left: 3, n: i as u32 }];
    if let State::Ready { n, .. } = &mut local[1] {
        *n += 4;
    }
    if let State::Ready { left, n } = local[1] {
        out[i] += 1000 * left + 10000 * n;
    }
}
fn host(x: &mut State, c: &mut Cell, i: u32) -> u32 {
    fn step(x: &mut State) -> u32 {
        let State::Ready { left, n } = x else { return 7 };
        *left -= 1;
        if *left == 0 {
            *x = State::Done(3);
            return 1;
        }
        *n += 10;
        2
    }
    let mut out = step(x);
    match x {
        State::Ready { left, .. } if *left > 5 => *left = 100,
        State::Ready { n, .. } => *n += 1,
        State::Done(v) => *v *= 2,
        State::Idle => {}
    }
    if let State::Done(v) = x {
        *v += 1;
        out += *v;
    }
    if let Some(tag) = &mut c.tag {
        *tag += 5;
    }
    match &mut c.state {
        State::Done(v) => {
            *v += out;
        }
        other => *other = State::Done(1),
    }
    out + 3000 + 10000 * (i + 4)
}
#[test]
fn places_that_patterns_take_apart() {
    everywhere!(|gpu| {
        let states = [
            State::Ready { left: 1, n: 2 },
            State::Ready { left: 9, n: 2 },
            State::Ready { left: 3, n: 2 },
            State::Done(4),
            State::Idle,
        ];
        let cells = states.map(|state| Cell { state, tag: if state == State::Idle { None } else { Some(1) } });
        let (mut x, mut c, mut out) = (states, cells, [0; 5]);
        gpu.launch(Grid::new(1, 5), places(&mut x, &mut c, &mut out)).unwrap();
        let (mut y, mut d) = (states, cells);
        for i in 0..5 {
            assert_eq!(out[i], host(&mut y[i], &mut d[i], i as u32));
        }
        assert_eq!((x, c), (y, d));
    });
}
