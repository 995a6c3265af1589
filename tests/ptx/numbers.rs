//! Numbers of PTX: what is rounded in a direction, floats of 16 bits, operations on bits that compilers seldom write.

use crate::written::check;

/// The bits of a float that an instruction computes: `instruction` with its result in `%f3`.
#[track_caller]
fn single(instruction: &str, bits: u32) {
    check(&format!("{instruction}; mov.b32 %r3, %f3;"), |_, _| bits);
}

/// The same of `%d3`.
#[track_caller]
fn double(instruction: &str, bits: u64) {
    check(&format!("{instruction}; mov.b64 {{%r4, %r5}}, %d3; xor.b32 %r3, %r4, %r5;"), |_, _| {
        bits as u32 ^ (bits >> 32) as u32
    });
}

/// The same of the half `%h3`.
#[track_caller]
fn half(instruction: &str, bits: u32) {
    check(&format!("{instruction}; cvt.u32.u16 %r3, %h3;"), |_, _| bits);
}

const ONE: u32 = 0x3f80_0000;

#[test]
fn sums_and_products_of_singles_are_rounded_in_a_direction() {
    // 1 + 2^-30, and the same with the other sign.
    for (rounding, up, down) in [("rn", ONE, ONE), ("rz", ONE, ONE), ("rm", ONE, ONE + 1), ("rp", ONE + 1, ONE)] {
        single(&format!("add.{rounding}.f32 %f3, 0f3F800000, 0f30800000"), up);
        single(&format!("sub.{rounding}.f32 %f3, 0fBF800000, 0f30800000"), down | 1 << 31);
        // (1 + 2^-23) (1 + 2^-23) = 1 + 2^-22 + 2^-46
        single(&format!("mul.{rounding}.f32 %f3, 0f3F800001, 0f3F800001"), up + 2);
        single(&format!("mul.{rounding}.f32 %f3, 0f3F800001, 0fBF800001"), (down + 2) | 1 << 31);
        single(&format!("fma.{rounding}.f32 %f3, 0f3F800001, 0f3F800001, 0f00000001"), up + 2);
        single(&format!("mad.{rounding}.f32 %f3, 0f3F800000, 0f3F800000, 0f30800000"), up);
    }
    // What is below the least normal number is flushed, and what is above 1 saturated.
    single("fma.rz.ftz.f32 %f3, 0f00800000, 0f3F000000, 0f00000000", 0);
    single("fma.rz.f32 %f3, 0f00800000, 0f3F000000, 0f00000000", 0x40_0000);
    single("add.rp.sat.f32 %f3, 0f3F800000, 0f30800000", ONE);
    single("fma.rm.ftz.sat.f32 %f3, 0f3F800000, 0fBF800000, 0f00000000", 0);
    // A difference that is exact has the sign of the direction.
    single("sub.rm.f32 %f3, 0f3F800000, 0f3F800000", 1 << 31);
    single("sub.rp.f32 %f3, 0f3F800000, 0f3F800000", 0);
    // Beyond the largest number is infinity, or that number.
    single("mul.rz.f32 %f3, 0f7F7FFFFF, 0f7F7FFFFF", 0x7f7f_ffff);
    single("mul.rp.f32 %f3, 0f7F7FFFFF, 0f7F7FFFFF", 0x7f80_0000);
    single("mul.rp.f32 %f3, 0f7F7FFFFF, 0fFF7FFFFF", 0xff7f_ffff);
}

#[test]
fn quotients_and_roots_are_rounded_in_a_direction() {
    // 1/3 lies below the nearest single and above the nearest double, the root of 2 the other way round.
    for (rounding, third, root) in [
        ("rn", 0x3eaa_aaab, 0x3fb5_04f3),
        ("rz", 0x3eaa_aaaa, 0x3fb5_04f3),
        ("rm", 0x3eaa_aaaa, 0x3fb5_04f3),
        ("rp", 0x3eaa_aaab, 0x3fb5_04f4),
    ] {
        single(&format!("div.{rounding}.f32 %f3, 0f3F800000, 0f40400000"), third);
        single(&format!("rcp.{rounding}.f32 %f3, 0f40400000"), third);
        single(&format!("sqrt.{rounding}.f32 %f3, 0f40000000"), root);
    }
    for (rounding, third, root) in [
        ("rn", 0x3fd5_5555_5555_5555, 0x3ff6_a09e_667f_3bcd),
        ("rz", 0x3fd5_5555_5555_5555, 0x3ff6_a09e_667f_3bcc),
        ("rm", 0x3fd5_5555_5555_5555, 0x3ff6_a09e_667f_3bcc),
        ("rp", 0x3fd5_5555_5555_5556, 0x3ff6_a09e_667f_3bcd),
    ] {
        double(&format!("div.{rounding}.f64 %d3, 0d3FF0000000000000, 0d4008000000000000"), third);
        double(&format!("rcp.{rounding}.f64 %d3, 0d4008000000000000"), third);
        double(&format!("sqrt.{rounding}.f64 %d3, 0d4000000000000000"), root);
    }
}

#[test]
fn doubles_are_rounded_in_a_direction() {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    for (rounding, up, down) in [("rn", ONE, ONE), ("rz", ONE, ONE), ("rm", ONE, ONE + 1), ("rp", ONE + 1, ONE)] {
        // 2^-60
        double(&format!("add.{rounding}.f64 %d3, 0d3FF0000000000000, 0d3C30000000000000"), up);
        double(&format!("sub.{rounding}.f64 %d3, 0dBFF0000000000000, 0d3C30000000000000"), down | 1 << 63);
        double(&format!("mul.{rounding}.f64 %d3, 0d3FF0000000000001, 0d3FF0000000000001"), up + 2);
        double(&format!("fma.{rounding}.f64 %d3, 0d3FF0000000000000, 0d3FF0000000000000, 0d0000000000000001"), up);
    }
}

#[test]
fn conversions_are_rounded_in_a_direction() {
    // 2^24 + 1, and the same negative.
    for (rounding, bits, negative) in [("rn", 0, 0), ("rz", 0, 0), ("rm", 0, 1), ("rp", 1, 0)] {
        single(&format!("mov.b32 %r4, 0x1000001; cvt.{rounding}.f32.u32 %f3, %r4"), 0x4b80_0000 + bits);
        single(&format!("mov.b32 %r4, -0x1000001; cvt.{rounding}.f32.s32 %f3, %r4"), 0xcb80_0000 + negative);
        // 2049 has a bit more than a half has; 257 one more than `bf16`.
        half(&format!("mov.b32 %r4, 2049; cvt.{rounding}.f16.u32 %h3, %r4"), 0x6800 + bits);
        half(&format!("mov.b32 %f4, 0f43808000; cvt.{rounding}.bf16.f32 %h3, %f4"), 0x4380 + bits);
        // 1 + 2^-40
        single(&format!("mov.b64 %d4, 0d3FF0000000001000; cvt.{rounding}.f32.f64 %f3, %d4"), ONE + bits);
    }
    half("mov.b32 %f4, 0f7F7FFFFF; cvt.rz.f16.f32 %h3, %f4", 0x7bff);
    half("mov.b32 %f4, 0f7F7FFFFF; cvt.rn.satfinite.f16.f32 %h3, %f4", 0x7bff);
    half("mov.b32 %f4, 0fBF800000; cvt.rn.relu.f16.f32 %h3, %f4", 0);
    // What a NaN becomes: the highest bit, if one of the types has 64.
    check("mov.b64 %d1, 0d7FF8000000000000; cvt.rzi.s32.f64 %r3, %d1;", |_, _| 1 << 31);
    check(
        "mov.b32 %f1, 0f7FC00000; cvt.rzi.u64.f32 %rd3, %f1; shr.u64 %rd3, %rd3, 32; cvt.u32.u64 %r3, %rd3;",
        |_, _| 1 << 31,
    );
    check("mov.b32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r3, %f1;", |_, _| 0);
    check("cvt.sat.s8.s32 %r3, %r2;", |_, x| i32::from((x as i32).clamp(-128, 127) as i8) as u32);
}

#[test]
fn halves_are_computed_with() {
    // 1.5 and 0.25
    half("mov.b16 %h1, 0x3E00; mov.b16 %h2, 0x3400; add.f16 %h3, %h1, %h2", 0x3f00);
    half("mov.b16 %h1, 0x3E00; mov.b16 %h2, 0x3400; sub.rn.f16 %h3, %h2, %h1", 0xbd00);
    half("mov.b16 %h1, 0x3E00; mov.b16 %h2, 0x3400; fma.rn.sat.f16 %h3, %h1, %h2, %h1", 0x3c00);
    half("mov.b16 %h1, 0xBE00; mov.b16 %h2, 0x3400; fma.rn.relu.f16 %h3, %h1, %h2, %h1", 0);
    half("mov.b16 %h1, 0x0001; mov.b16 %h2, 0x3C00; mul.ftz.f16 %h3, %h1, %h2", 0);
    half("mov.b16 %h1, 0x0001; mov.b16 %h2, 0x3C00; mul.f16 %h3, %h1, %h2", 1);
    half("mov.b16 %h1, 0xBE00; neg.f16 %h1, %h1; abs.f16 %h3, %h1", 0x3e00);
    half("mov.b16 %h1, 0x7E00; mov.b16 %h2, 0x3400; min.f16 %h3, %h1, %h2", 0x3400);
    half("mov.b16 %h1, 0x7E00; mov.b16 %h2, 0x3400; max.NaN.f16 %h3, %h1, %h2", 0x7e00);
    half("mov.b16 %h1, 0x4000; ex2.approx.f16 %h3, %h1", 0x4400);
    // 1.5 and 0.25 as `bf16`.
    half("mov.b16 %h1, 0x3FC0; mov.b16 %h2, 0x3E80; fma.rn.bf16 %h3, %h1, %h2, %h1", 0x3ff0);
    half("mov.b16 %h1, 0x0000; tanh.approx.bf16 %h3, %h1", 0);
    check(
        "mov.b16 %h1, 0x3E00; mov.b16 %h2, 0x7E00;
        setp.lt.f16 %p1, %h1, %h2; setp.ltu.f16 %p2, %h1, %h2; setp.nan.f16 %p3, %h1, %h2;
        selp.u32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2; @%p3 add.u32 %r3, %r3, 4;
        set.eq.f16.f16 %h3, %h1, %h1; cvt.u32.u16 %r4, %h3; shl.b32 %r4, %r4, 16; or.b32 %r3, %r3, %r4;",
        |_, _| 6 | 0x3c00 << 16,
    );
    // From a half to an integer, and back.
    check("mov.b16 %h1, 0xC100; cvt.rni.s32.f16 %r3, %h1;", |_, _| -2i32 as u32);
    half("mov.b32 %r4, -3; cvt.rn.f16.s32 %h3, %r4", 0xc200);
}

#[test]
fn pairs_of_halves_are_computed_with() {
    // 1.5 above 0.25, and 2 above -1.
    let start = "mov.b32 %r4, 0x3E003400; mov.b32 %r5, 0x4000BC00;";
    let word = |instruction: &str, bits: u32| check(&format!("{start} {instruction};"), |_, _| bits);
    word("add.f16x2 %r3, %r4, %r5", 0x4300_ba00);
    word("sub.f16x2 %r4, %r4, %r5; mov.b32 %r3, %r4", 0xb800_3d00);
    word("mul.rn.f16x2 %r3, %r4, %r5", 0x4200_b400);
    word("fma.rn.sat.f16x2 %r3, %r4, %r5, %r4", 0x3c00_0000);
    word("neg.f16x2 %r3, %r5", 0xc000_3c00);
    word("abs.f16x2 %r3, %r5", 0x4000_3c00);
    word("max.f16x2 %r3, %r4, %r5", 0x4000_3400);
    word("min.xorsign.abs.f16x2 %r3, %r4, %r5", 0x3e00_b400);
    word("setp.gt.f16x2 %p1|%p2, %r4, %r5; selp.u32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2", 1);
    word("setp.gt.and.f16x2 %p1|%p2, %r5, %r4, 1; selp.u32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2", 2);
    word("set.gt.u32.f16x2 %r3, %r4, %r5", 0x0000_ffff);
    word("set.gt.f16x2.f16x2 %r3, %r4, %r5", 0x0000_3c00);
    word("cvt.rn.f16x2.f32 %r3, 0f40000000, 0fBF800000", 0x4000_bc00);
    word("cvt.rz.relu.bf16x2.f32 %r3, 0f3F80FFFF, 0fBF800000", 0x3f80_0000);
    // 1 and 2 as `bf16x2`.
    check("mov.b32 %r4, 0x3F804000; add.rn.bf16x2 %r3, %r4, %r4;", |_, _| 0x4000_4080);
    check("add.s16x2 %r3, %r2, %r1;", |i, x| (x & 0xffff_0000) | (x + i) & 0xffff);
    check("mov.b32 %r4, 0x00050005; min.s16x2 %r3, %r2, %r4;", |_, x| {
        let least = |half: u32| u32::from((half as i16).min(5) as u16);
        least(x >> 16) << 16 | least(x & 0xffff)
    });
    check("mov.b32 %r4, 0x00050005; min.relu.s16x2 %r3, %r2, %r4;", |_, x| {
        let least = |half: u32| u32::from((half as i16).clamp(0, 5) as u16);
        least(x >> 16) << 16 | least(x & 0xffff)
    });
}

#[test]
fn pairs_of_singles_and_sums_of_mixed_floats() {
    // 1 and -2, of which the upper ones are added.
    check(
        "mov.b64 %rd3, 0xC00000003F800000; add.rn.f32x2 %rd4, %rd3, %rd3; fma.rz.f32x2 %rd4, %rd4, %rd3, %rd3;
        sub.f32x2 %rd4, %rd4, %rd3; mul.f32x2 %rd4, %rd4, %rd3; mov.b64 {%r4, %r5}, %rd4;
        mov.b32 %f1, %r4; mov.b32 %f2, %r5; add.f32 %f1, %f1, %f2; mov.b32 %r3, %f1;",
        // Twice the cube of each.
        |_, _| (-14f32).to_bits(),
    );
    single("mov.b16 %h1, 0x3E00; add.f32.f16 %f3, %h1, 0f3F800000", 2.5f32.to_bits());
    single("mov.b16 %h1, 0x3E00; sub.rz.sat.f32.f16 %f3, %h1, 0f3F800000", 0.5f32.to_bits());
    single("mov.b16 %h1, 0x3FC0; fma.rn.f32.bf16 %f3, %h1, %h1, 0f3F800000", 3.25f32.to_bits());
}

#[test]
fn least_and_greatest_of_three_and_with_signs_apart() {
    single("min.f32 %f3, 0f40000000, 0fBF800000, 0f3F800000", 0xbf80_0000);
    single("max.abs.f32 %f3, 0f40000000, 0fC0400000, 0f3F800000", 0x4040_0000);
    single("max.NaN.f32 %f3, 0f40000000, 0f7FC00000, 0f3F800000", 0x7fc0_0000);
    // The result is one of the operands' registers.
    single("mov.b32 %f3, 0f3F000000; min.f32 %f3, 0f40000000, 0f3F800000, %f3", 0x3f00_0000);
    single("min.xorsign.abs.f32 %f3, 0f40000000, 0fBF800000", 0xbf80_0000);
    check("min.relu.s32 %r3, %r2, 100;", |_, x| (x as i32).clamp(0, 100) as u32);
}

#[test]
fn bits_by_tables_masks_and_places() {
    check("lop3.b32 %r3, %r2, %r1, 0xF0F0, 0x96;", |i, x| x ^ i ^ 0xf0f0);
    check("lop3.b32 %r3, %r2, %r1, 0xF0F0, 0xE8;", |i, x| x & i | x & 0xf0f0 | i & 0xf0f0);
    check(
        "setp.lt.u32 %p1, %r1, 9; lop3.or.b32 %r3|%p2, %r1, 12, %r1, 0x80, %p1; @%p2 add.u32 %r3, %r3, 100;",
        |i, _| (i & 12) + if i & 12 != 0 || i < 9 { 100 } else { 0 },
    );
    check("szext.wrap.s32 %r3, %r2, %r1;", |i, x| if i == 0 { 0 } else { ((x << (32 - i)) as i32 >> (32 - i)) as u32 });
    check("bmsk.clamp.b32 %r3, %r1, 4;", |i, _| (0xfu64 << i) as u32);
    check("fns.b32 %r3, 0xF0F0F0F0, %r1, 1;", |i, _| if i & 4 != 0 { i } else { (i | 3) + 1 });
    check("dp2a.lo.s32.u32 %r3, %r2, 0x0203, %r1;", |i, x| {
        (x as i16 as i32).wrapping_mul(3).wrapping_add((x >> 16) as i16 as i32 * 2).wrapping_add(i as i32) as u32
    });
    check("dp4a.u32.u32 %r3, %r2, 0x01010101, %r1;", |i, x| x.to_le_bytes().map(u32::from).iter().sum::<u32>() + i);
    check("vabsdiff4.u32.u32.u32.add %r3, %r2, 0, %r1;", |i, x| x.to_le_bytes().map(u32::from).iter().sum::<u32>() + i);
    check("mad24.lo.u32 %r3, %r2, 3, %r1;", |i, x| (x & 0xff_ffff) * 3 + i);
    check("mad24.hi.sat.s32 %r3, 0x7FFFFF, 0x7FFFFF, 0x7FFFFFF0;", |_, _| i32::MAX as u32);
    check("mad.hi.sat.s32 %r3, 0x40000000, 0x40000000, 0x7FFFFFF0;", |_, _| i32::MAX as u32);
    check("cvt.u16.u32 %h1, %r2; mad.hi.u16 %h1, %h1, 0x1000, %h1; cvt.u32.u16 %r3, %h1;", |_, x| {
        (((x & 0xffff) >> 4) + x) & 0xffff
    });
}
