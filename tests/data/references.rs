//! References as arguments of device functions: the text is compiled as plain Rust, too.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

kernels_with_devices! {
    devices:

    fn turn(a: &mut u32, b: &mut u32, c: &mut u32) -> (u32, u32, u32) {
        let t = *a;
        *a = *b;
        *b = *c;
        *c = t;
        (*a + 1, *b + 2, *c + 3)
    }

    fn mixed(a: &mut u32, f: &mut f32, b: &mut u32, g: &mut f32, p: &mut bool) -> (f32, u32, bool) {
        *a += 1;
        *f *= 2.0;
        *b ^= *a;
        *g -= *f;
        *p = !*p;
        if *p {
            return (*f, *a, *p);
        }
        *a *= 3;
        (*g, *b, !*p)
    }

    fn bump(a: &mut u32) -> u32 {
        *a += 1;
        *a
    }

    fn grows(a: &mut u32) -> bool {
        *a += 3;
        *a > 20
    }

    fn ackermann(m: u32, n: u32, calls: &mut u32, sum: &mut u32) -> u32 {
        *calls += 1;
        *sum += m;
        if m == 0 {
            return n + 1;
        }
        if n == 0 {
            return ackermann(m - 1, 1, calls, sum);
        }
        let inner = ackermann(m, n - 1, calls, sum);
        ackermann(m - 1, inner, calls, sum)
    }

    fn shadowed(a: &mut u32, b: &u32) -> u32 {
        let c = *a + *b;
        {
            let a = c * 2;
            if a > 10 {
                return a;
            }
        }
        *a = c;
        c
    }

    fn bound_anew(a: &mut u32, b: &u32) -> u32 {
        *a += 1;
        let mut sum = {
            let mut a = *b * 3;
            a += clamp_to(a, 40);
            let b = 5;
            a + clamp_to(b, 3)
        };
        *a += *b;
        let a = sum;
        sum += a;
        sum
    }

    fn clamp_to(x: u32, most: u32) -> u32 {
        x.min(most)
    }

    fn order(a: &mut u32, b: &mut u32) {
        if *a > *b {
            let larger = *a;
            *a = *b;
            *b = larger;
        }
    }

    fn add(to: &mut u32, by: &u32) -> u32 {
        *to += *by;
        bump(to)
    }

    kernels:

    fn three_of_a_type(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = x[i];
        let mut b = a * 2;
        let mut c = 9;
        let (p, q, r) = turn(&mut a, &mut b, &mut c);
        let s = turn(&mut b, &mut c, &mut a);
        out[i] = a * 1000000 + b * 10000 + c * 100 + p + q * 2 + r * 3 + s.0 * 5 + s.1 * 7 + s.2 * 11;
    }

    fn of_several_types(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = x[i];
        let mut b = 5;
        let mut f = 1.5;
        let mut g = x[i] as f32;
        let mut p = x[i] % 3 == 0;
        let mut sum = 0;
        for _ in 0..3 {
            let (h, u, q) = mixed(&mut a, &mut f, &mut b, &mut g, &mut p);
            sum = sum * 3 + (h as i32) as u32 % 1000 + u % 1000 + q as u32;
        }
        out[i] = sum % 100000 + a + b + ((f + g) as i32 as u32) % 1000;
    }

    fn in_order(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = x[i];
        let s = a + bump(&mut a) * 100 + a * 10000;
        let t = [a, bump(&mut a), a];
        let mut w = 0;
        if a > 5 && grows(&mut a) || bump(&mut a) > 12 && grows(&mut a) {
            w = a;
        }
        let m = match bump(&mut a) {
            0..=10 => a + 1,
            n if grows(&mut a) => n + a,
            n => n * a,
        };
        while grows(&mut a) == false {
            w += 1;
        }
        out[i] = s + t[0] + t[1] * 3 + t[2] * 7 + w * 11 + m * 13 + a * 17;
    }

    fn recursive(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut calls = 0;
        let mut sum = 0;
        let result = ackermann(x[i] % 3, x[i] % 4, &mut calls, &mut sum);
        out[i] = result + calls * 100 + sum * 10000;
    }

    fn hidden_by_a_let(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = x[i];
        let first = shadowed(&mut a, &x[i]) + shadowed(&mut a, &3) + bound_anew(&mut a, &x[i]);
        out[i] = first + a * 1000;
    }

    fn elements(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [0; 8];
        for k in 0..8 {
            a[k] = x[(i + 5 * k) % x.len()];
        }
        // Bubbles through an array, by way of variables.
        for last in 0..7 {
            for k in 0..7 - last {
                let mut next = a[k + 1];
                order(&mut a[k], &mut next);
                a[k + 1] = next;
            }
        }
        let mut sum = 0;
        let mut k = 0;
        let first = add(&mut a[{ k += 1; k }], &x[{ k += 1; k }]) + a[1] * 3;
        for n in 0..8 {
            sum = (31 * sum + a[n]) % 10007;
        }
        out[i] = 7;
        let both = add(&mut out[i], &a[k]) + bump(&mut out[i]) * 2;
        out[i] += both + first + sum % 1000 + bump(&mut out[i]) * bump(&mut a[x[i] as usize % 8]);
    }

    fn rows(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [[1; 3]; 2];
        for k in 0..6 {
            a[k / 3][k % 3] += x[(i + k) % x.len()] + bump(&mut a[k % 2][2 - k % 3]);
        }
        let first = a[0][0] * 3 + a[0][1] * 5 + a[0][2] * 7;
        out[i] = first + a[1][0] * 11 + a[1][1] * 13 + a[1][2] * 17;
    }
}

same! { three_of_a_type of_several_types in_order recursive hidden_by_a_let elements rows }

#[derive(Clone, Copy, KernelData, Debug, PartialEq)]
struct Body {
    at: [f32; 2],
    hits: u32,
    path: [u32; 3],
}

#[device]
fn moved(body: &mut Body, by: f32) {
    body.at[0] += by;
    body.at[1] -= by;
    body.hits += 1;
    body.path[2] = body.hits;
}

#[device]
fn twice(x: &mut u32) {
    *x *= 2;
}

#[kernel]
fn step(bodies: &mut [Body], by: &[f32]) {
    let i = global_id();
    #[shared]
    let mut counts: [u32; 4];
    counts[i] = i as u32;
    moved(&mut bodies[i], by[i]);
    twice(&mut bodies[i].hits);
    twice(&mut bodies[i].path[1]);
    twice(&mut counts[i]);
    sync_threads();
    bodies[i].path[0] = counts[3 - i];
}

#[test]
fn elements_of_slices_of_structs_are_written_through() {
    everywhere!(|gpu| {
        let mut bodies = [Body { at: [1.0, 2.0], hits: 3, path: [4, 5, 6] }; 4];
        gpu.launch(Grid::new(1, 4), step(&mut bodies, &[0.5, 0.0, 2.0, -1.0])).unwrap();
        for ((i, body), by) in bodies.into_iter().enumerate().zip([0.5, 0.0, 2.0, -1.0]) {
            let path = [2 * (3 - i as u32), 10, 4];
            assert_eq!(body, Body { at: [1.0 + by, 2.0 - by], hits: 8, path });
        }
    });
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), step(&mut [], &[1.0; 2])).unwrap_err();
    assert!(error.to_string().contains("index 0 is out of bounds of `bodies.at`"), "{error}");
}

#[device]
fn acquire(lock: &AtomicU32) {
    while lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
        std::hint::spin_loop();
    }
}

#[device]
fn release(lock: &AtomicU32, uses: &AtomicU32) -> u32 {
    lock.store(0, Ordering::Release);
    count(uses, 1) + uses.load(Ordering::Relaxed)
}

#[device]
fn count(uses: &AtomicU32, by: u32) -> u32 {
    (*uses).fetch_add(by, Ordering::Relaxed)
}

#[kernel]
fn locked(locks: &[AtomicU32], sums: &mut [u32]) {
    #[shared]
    let uses: [AtomicU32; 2];
    let i = global_id();
    if i < 2 {
        uses[i].store(0, Ordering::Relaxed);
    }
    sync_threads();
    acquire(&locks[i % 2]);
    sums[i % 2] += i as u32;
    assert!(release(&locks[i % 2], &uses[1 - i % 2]) <= 13);
    sync_threads();
    if i < 2 {
        sums[i] += 100 * uses[i].load(Ordering::Relaxed);
    }
}

#[test]
fn a_lock_is_passed_to_a_function() {
    let locks = [const { AtomicU32::new(0) }; 2];
    let mut sums = [0; 2];
    Gpu::<ConvergenceBarriers>::default().launch(Grid::new(1, 13), locked(&locks, &mut sums)).unwrap();
    assert_eq!(sums, [42 + 600, 36 + 700]);
    assert_eq!(locks.map(AtomicU32::into_inner), [0; 2]);
}

#[device]
fn exchange(mine: &mut u32, others: &[u32], i: usize) -> u32 {
    *mine += 1;
    together();
    others[i]
}

#[device]
fn together() {
    sync_threads();
}

#[kernel]
fn watched(x: &mut [u32], y: &[u32]) {
    let i = global_id();
    let mut own = 3;
    x[i] = exchange(&mut own, y, i);
    x[i] += exchange(&mut x[i], y, i);
}

/// Others could see that the function has a copy.
#[test]
fn an_element_that_others_see_is_not_lent_to_what_meets_them() {
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), watched(&mut [0; 2], &[0; 2])).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`exchange` takes `&mut` to an element of memory that other threads see"), "{text}");
    assert!(text.contains("x[i] += exchange(&mut x[i], y, i);"), "{text}");
}

const LIMIT: u32 = 40;

#[device]
fn clamped(x: u32, most: &u32) -> u32 {
    x.min(*most)
}

#[kernel]
fn limited<const N: u32>(x: &mut [u32]) {
    let i = global_id();
    x[i] = clamped(x[i], &LIMIT) + clamped(x[i], &N) + clamped(x[i], &u32::BITS);
}

#[test]
fn constants_are_lent() {
    let mut x = [100, 30];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), limited::<50>(&mut x)).unwrap();
    assert_eq!(x, [40 + 50 + 32, 90]);
}
