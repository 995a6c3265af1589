//! `if`, `match` and blocks as operands, and what else Rust reads otherwise where it begins a statement: the text is compiled
//! as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct P {
    a: u32,
    b: u32,
}

#[rustfmt::skip]
items_with_kernels! {
    {
        fn f1(n: u32) -> u32 { let g = |x: u32| if x > 5 { return x } else { x * 2 } + 1; g(n) }
        fn f2(n: u32) -> u32 { let g = |x: u32| match x { 1 => 2, _ => 3 } + 1; g(n) }
        fn f3(n: u32) -> u32 { let g = |x: u32| { x + 1 } * 2; g(n) }
        fn f4(n: u32) -> bool { if (P { a: n, b: 1 }) == (P { a: 1, b: 1 }) { true } else { false } }
        fn f5(n: u32) -> u32 { if (n as usize) < 4 { 1 } else { 2 } }
        fn f6(n: u32) -> u32 { (if n > 3 { n } else { 2 } + 1) * 3 }
        fn f7(n: u32) -> u32 { let a = if n > 3 { n } else { 2 } + 1; a }
        fn f8(n: u32) -> u32 { let g = |x: u32| -> u32 { if x > 5 { return x; } x * 2 } ; g(n) + 1 }
        fn f9(n: u32) -> u32 { let mut s = 0; for i in (if n > 3 { 0..2 } else { 0..3 }) { s += i; } s }
        fn f10(n: u32) -> u32 { 'a: { (if n > 2 { break 'a 1 } else { 3 }) + 4 } }
        fn f11(n: u32) -> u32 { let v = loop { break if n > 2 { 1 } else { 3 } + 4; }; v }
        fn f12(n: u32) -> u32 { return if n > 2 { 1 } else { 3 } + 4; }
        fn f13(n: u32) -> u32 { match n { 1 => { 2 } _ => (if n > 5 { 1 } else { 0 }) + 2 } }
        fn f14(n: u32) -> u32 { (unsafe_free(n)) + { n } }
        fn unsafe_free(n: u32) -> u32 { ({ n } + 1) }
        fn f15(n: u32) -> i32 { let g = |x: i32| -{ x } - 1; g(n as i32) }
        fn f16(n: u32) -> u32 { let x = [n, 2, 3]; let r = ({ 0 })..({ 2 }); x[r.start] + { x[1] } }
        fn f17(n: u32) -> u32 { let g = |x: u32| (if x > 5 { x } else { x * 2 }).min(7); g(n) }
        fn f18(n: u32) -> u32 { let g = |x: u32| if x > 5 { x } else { x * 2 }.min(7); g(n) }
        fn f19(n: u32) -> u32 { let g = |x: u32| match x { 0 => P { a: 1, b: 2 }, _ => P { a: x, b: 4 } }.a; g(n) }
        fn f20(n: u32) -> u32 { while (P { a: n, b: 0 }).a > 100 { } match (P { a: n, b: 0 }) { P { a, .. } if (P { a, b: 1 }).b == 1 => a, _ => 2 } }
        fn f21(n: u32) -> u32 { let mut t = 0; { t += 1; } (if n > 1 { t += 2; }); if n > 2 { t += 4 } else { t += 8 }; *(&t) + 1 }
        fn f22(n: u32) -> Option<u32> { let g = |x: u32| -> Option<u32> { let v = (if x > 5 { None } else { Some(x) })?; Some(v + 1) }; g(n) }
        fn f23(n: u32) -> u32 { let g = |x: u32| return x + 1; g(n) }
        fn f24(n: u32) -> u32 { let g = |x: u32| { return if x > 3 { 1 } else { 2 } + 3 }; g(n) }
        fn f25(n: u32) -> bool { ({ n }) == 3 || if n > 5 { true } else { false } && n < 9 }
        fn f26(n: u32) -> u32 { let v = match n { 1 => 2u32, _ => 3 } as u64 + { 4 }; v as u32 }
        fn f27(n: u32) -> u32 { let x = Some(n).map(|v| if v > 1 { v } else { 0 } * 2).map_or(1, |v| match v { 4 => 0, _ => 1 } + v); x }
        fn f28(n: u32) -> u32 { (0..n).map(|i| if i % 2 == 0 { i } else { 1 } + 1).filter(|i| match i { 1 => true, _ => false } || *i > 2).fold(0, |a, b| { a } + b) }
        fn f29(n: u32) -> u32 { let x = [if n > 1 { 1 } else { 2 } + 1, match n { 0 => 1, _ => 2 } * 3, { n } << 1]; let p = P { a: if n > 1 { 1 } else { 2 } + 1, b: { n } + 1 }; x[0] + x[1] + x[2] + p.a + p.b }
        fn f30(n: u32) -> u32 { let g = move |x: u32| { if x > 1 { 1 } else { 2 } } as u64; g(n) as u32 }
        fn f31(n: u32) -> u32 { let t = (if n > 1 { 1 } else { 2 } + 1, { n } + 2); let (a, b) = t; let mut c = 0; c += if n > 3 { 2 } else { 1 } + a; c = match c { 3 => 1, _ => c } + b; c }
        fn f32of(n: u32) -> u32 { let g = |x: u32| loop { break x } + 1; let h = |x: u32| 'b: { break 'b x } + 1; g(n) + h(n) }
        fn f33(n: u32) -> u32 { if if n > 3 { true } else { false } && true { 1 } else { match { n } { 1 => 5, _ => 6 } } }
        fn f34(n: u32) -> u32 { let y = [n, 1]; let z = |i: usize| y[i] + { 1 }; z(0) }
    }

    fn operands(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i] % 10;
        let mut sum = 0u32;
        for v in [f1(n), f2(n), f3(n), f4(n) as u32, f5(n), f6(n), f7(n), f8(n), f9(n), f10(n), f11(n), f12(n), f13(n), f14(n), f15(n) as u32, f16(n), f17(n), f18(n), f19(n), f20(n), f21(n), f22(n).unwrap_or(3), f23(n), f24(n), f25(n) as u32, f26(n), f27(n), f28(n), f29(n), f30(n), f31(n), f32of(n), f33(n), f34(n)] {
            sum = sum.wrapping_mul(3).wrapping_add(v);
        }
        out[i] = sum;
    }
}

same! { operands }
