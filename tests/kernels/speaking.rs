//! The messages of kernels: printed lines, and assertions that end the launch.

use simt::Dim3;
use simt::error::FaultKind;
use simt::prelude::*;

const LIMIT: u32 = 7;

#[kernel]
fn formats(n: u32, x: f32, y: f64, flag: bool, wide: u64) {
    let i = -(n as i32);
    println!();
    println!("no values, {{braces}}");
    println!("{} {} {} {} {}", n, x, y, flag, i);
    println!("{n} {x} {y} {flag} {i} {LIMIT}");
    println!("{1} {0} {1} {a}{a:?}", n, flag, a = x);
    println!("{n:5}|{n:<5}|{n:^5}|{n:>5}|{n:05}|{n:+}|{flag:7}|{flag:>7}");
    println!("{x:.2} {x:8.3} {x:08.3} {y:+.0} {x:?} {y:?} {y:e} {x:.1e}");
    println!("{n:x} {n:X} {n:#x} {n:#010x} {n:b} {n:#b} {n:o} {i:x} {wide:#X}");
    println!("{:?} {:3}{}", i as i8, n as u16 / 2, flag && n > 3);
}

fn expected(n: u32, x: f32, y: f64, flag: bool, wide: u64) -> [String; 9] {
    let i = -(n as i32);
    [
        String::new(),
        "no values, {braces}".to_string(),
        format!("{} {} {} {} {}", n, x, y, flag, i),
        format!("{n} {x} {y} {flag} {i} {LIMIT}"),
        format!("{1} {0} {1} {a}{a:?}", n, flag, a = x),
        format!("{n:5}|{n:<5}|{n:^5}|{n:>5}|{n:05}|{n:+}|{flag:7}|{flag:>7}"),
        format!("{x:.2} {x:8.3} {x:08.3} {y:+.0} {x:?} {y:?} {y:e} {x:.1e}"),
        format!("{n:x} {n:X} {n:#x} {n:#010x} {n:b} {n:#b} {n:o} {i:x} {wide:#X}"),
        format!("{:?} {:3}{}", i as i8, n as u16 / 2, flag && n > 3),
    ]
}

#[test]
fn values_are_shown_as_rust_shows_them() {
    let cases = [
        (7, 1.5, -0.25, true, 1 << 40),
        (0, -0.0, 1e300, false, u64::MAX),
        (u32::MAX, f32::INFINITY, 12345.678, true, 0),
        (100, 1e-7, 1e16, false, 3),
    ];
    for (n, x, y, flag, wide) in cases {
        everywhere!(|gpu| {
            let report = gpu.launch(Grid::new(1, 1), formats(n, x, y, flag, wide)).expect("a launch");
            assert_eq!(report.prints(), expected(n, x, y, flag, wide));
        });
    }
}

#[kernel]
fn chatter(x: &[u32]) {
    let i = global_id();
    let mut left = x[i];
    while left > 0 {
        println!("{i} has {left}");
        left -= 1;
    }
    if i % 2 == 0 {
        println!("{i} is done");
    }
}

#[test]
fn lines_are_in_order_of_threads_under_every_policy() {
    let x = [2, 0, 1, 3, 0, 1];
    let lines: Vec<String> = (0..6)
        .flat_map(|i: usize| {
            let mut lines: Vec<String> = (1..=x[i]).rev().map(|left| format!("{i} has {left}")).collect();
            if i.is_multiple_of(2) {
                lines.push(format!("{i} is done"));
            }
            lines
        })
        .collect();
    everywhere!(|gpu| {
        let report = gpu.launch(Grid::new(2, 3), chatter(&x)).expect("a launch");
        assert_eq!(report.prints(), lines);
    });
}

#[kernel]
fn asserts(case: u32, x: &[u32]) {
    let i = global_id();
    if case == 0 {
        assert!(x[i] != 5);
    }
    if case == 1 {
        assert!(x[i] < 5 || i == 0, "x[{i}] is {}", x[i]);
    }
    if case == 2 {
        assert_eq!(x[i] / 5, 0);
    }
    if case == 3 {
        assert_ne!(x[i], 5, "thread {i} of {}", x.len());
    }
    if case == 4 && x[i] == 5 {
        panic!("no {:>3}!", x[i]);
    }
    let kind = match x[i] {
        5 if case == 5 => unreachable!(),
        5 if case == 6 => unreachable!("not even {i}"),
        5 if case == 7 => panic!(),
        other => other,
    };
    assert!(kind == x[i]);
}

#[test]
fn an_assertion_names_thread_and_values() {
    let messages = [
        "assertion failed: x[i] != 5",
        "x[2] is 5",
        "assertion `left == right` failed\n  left: 1\n right: 0",
        "assertion `left != right` failed: thread 2 of 4\n  left: 5\n right: 5",
        "no   5!",
        "internal error: entered unreachable code",
        "internal error: entered unreachable code: not even 2",
        "explicit panic",
    ];
    for (case, message) in (0..).zip(messages) {
        everywhere!(|gpu| {
            let launched = gpu.launch(Grid::new(2, 2), asserts(case, &[1, 2, 5, 3]));
            let Err(LaunchError::Fault(fault)) = launched else { panic!("case {case}: {launched:?}") };
            assert_eq!(fault.kind, FaultKind::Panic { message: message.into() });
            assert_eq!((fault.thread.global_id, fault.thread.block), (2, Dim3 { x: 1, y: 0, z: 0 }));
        });
    }
    everywhere!(|gpu| {
        gpu.launch(Grid::new(2, 2), asserts(9, &[1, 2, 5, 3])).expect("all assertions hold");
    });
}

#[kernel]
fn effects_in_arguments(x: &mut [u32]) {
    let i = global_id();
    let mut n = x[i];
    println!("{n} {} {n}", {
        n += 1;
        n * 10
    });
    assert!(n > 0, "never evaluated: {}", {
        x[i] = 77;
        n
    });
    assert_eq!(n, {
        n += 1;
        n - 1
    });
    debug_assert_ne!(n, 0);
}

#[test]
fn arguments_are_evaluated_once_and_in_order() {
    everywhere!(|gpu| {
        let mut x = [4];
        let report = gpu.launch(Grid::new(1, 1), effects_in_arguments(&mut x)).expect("a launch");
        // What the text itself names is read when it is written.
        assert_eq!((report.prints(), x), (&["5 50 5".to_string()][..], [4]));
    });
}
