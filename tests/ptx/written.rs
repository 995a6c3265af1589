//! Kernels of PTX that are written here: what compilers seldom write.

use crate::{LENGTH, launched};
use simt::host::Kernel;
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};

/// A kernel of one buffer, `%rd1`, with `%r1` the number of the thread and `%rd2` the address of its element.
pub(crate) fn kernel(registers: &str, body: &str) -> Kernel {
    let text = format!(
        ".version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 p)
        {{
            .reg .b16 %h<9>;
            .reg .b32 %r<30>;
            .reg .b64 %rd<30>;
            .reg .f32 %f<9>;
            .reg .f64 %d<9>;
            .reg .pred %p<9>;
            {registers}
            ld.param.u64 %rd1, [p];
            cvta.to.global.u64 %rd1, %rd1;
            mov.u32 %r1, %tid.x;
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            ld.global.u32 %r2, [%rd2];
            {body}
            st.global.u32 [%rd2], %r3;
            ret;
        }}"
    );
    Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"))
}

/// What each of 32 threads makes of its number.
#[track_caller]
pub(crate) fn check(body: &str, expected: impl Fn(u32, u32) -> u32) {
    let start: Vec<i32> = (0..LENGTH as i32).map(|i| i.wrapping_mul(0x1234_5677) ^ (i << 9)).collect();
    let kernel = kernel("", body);
    let gpu = Gpu::<policy::Ipdom>::default();
    let (left, _) = launched(&gpu, &kernel, Grid::new(1, 32), std::slice::from_ref(&start), &[])
        .unwrap_or_else(|error| panic!("{error}"));
    for i in 0..32 {
        assert_eq!(left[0][i] as u32, expected(i as u32, start[i] as u32), "thread {i}");
    }
}

#[test]
fn carries_go_from_word_to_word() {
    check("add.cc.u32 %r4, %r2, %r2; addc.u32 %r3, %r1, 0;", |i, x| i + (x >> 31));
    check("sub.cc.u32 %r4, %r1, %r2; subc.u32 %r3, 7, 0;", |i, x| 7 - u32::from(i < x));
}

#[test]
fn products_of_twice_the_width() {
    check("mul.wide.s32 %rd3, %r2, %r2; shr.u64 %rd3, %rd3, 32; cvt.u32.u64 %r3, %rd3;", |_, x| {
        ((i64::from(x as i32) * i64::from(x as i32)) as u64 >> 32) as u32
    });
    check("mad.hi.u32 %r3, %r2, 0x10000, %r1;", |i, x| (x >> 16) + i);
}

#[test]
fn halves_of_products_of_16_bits_and_signs_of_nan() {
    check("cvt.u16.u32 %h1, %r2; mul.hi.u16 %h2, %h1, 0xaaab; cvt.u32.u16 %r3, %h2;", |_, x| {
        ((x & 0xffff) * 0xaaab) >> 16
    });
    check("cvt.u16.u32 %h1, %r2; mul.hi.s16 %h2, %h1, -21845; cvt.s32.s16 %r3, %h2;", |_, x| {
        ((i32::from(x as i16) * -21845) >> 16) as u32
    });
    check("mov.b32 %f1, %r2; copysign.f32 %f2, %f1, 0f7FC00000; mov.b32 %r3, %f2;", |_, x| 0x7fc0_0000 | (x & 1 << 31));
    check("copysign.f32 %f2, 0fFFC00000, 0f3F800000; mov.b32 %r3, %f2;", |_, _| 0xbf80_0000);
}

#[test]
fn bits() {
    check("bfe.s32 %r4, %r2, 5, 9; bfi.b32 %r3, %r4, %r1, %r1, 7;", |i, x| {
        let field = ((x << (32 - 14)) as i32 >> (32 - 9)) as u32;
        let mask = 0x7fu64 << i;
        ((u64::from(i) & !mask) | (u64::from(field) << i & mask)) as u32
    });
    check("prmt.b32 %r3, %r2, %r1, 0x0123;", |_, x| x.swap_bytes());
    check("shl.b32 %r3, %r2, %r2; shr.u32 %r4, %r2, %r1; xor.b32 %r3, %r3, %r4;", |i, x| {
        x.checked_shl(x).unwrap_or(0) ^ (x >> i)
    });
    check("{ .reg .b32 %r3; popc.b32 %r3, %r2; mov.b32 %r20, %r3; } mov.b32 %r3, %r20;", |_, x| x.count_ones());
}

#[test]
fn predicates_are_joined_and_guard() {
    check(
        "setp.lt.s32 %p1, %r2, 0;
        setp.gt.and.u32 %p2|%p3, %r1, 9, %p1;
        selp.u32 %r3, 1, 2, %p2;
        @%p3 add.u32 %r3, %r3, 10;
        @!%p1 add.u32 %r3, %r3, 100;",
        |i, x| {
            let (p1, over) = ((x as i32) < 0, i > 9);
            let (p2, p3) = (over && p1, !over && p1);
            u32::from(!p2) + 1 + 10 * u32::from(p3) + 100 * u32::from(!p1)
        },
    );
}

#[test]
fn predicates_that_are_written_have_been_read_before() {
    // The guard, and what both results are joined with, are themselves results.
    check(
        "setp.gt.u32 %p1, %r1, 7;
        setp.lt.u32 %p2, %r1, 20;
        setp.eq.and.u32 %p1|%p2, %r1, 9, %p1;
        selp.u32 %r3, 1, 0, %p1;
        @%p2 add.u32 %r3, %r3, 2;
        setp.gt.u32 %p3, %r1, 15;
        @%p3 setp.lt.and.u32 %p3|%p4, %r1, 24, 1;
        @%p3 add.u32 %r3, %r3, 4;
        @%p4 add.u32 %r3, %r3, 8;
        setp.ne.u32 %p5, %r1, 40;
        mov.b32 %f1, 0f7FC00000;
        @%p5 testp.number.f32 %p5, %f1;
        @%p5 add.u32 %r3, %r3, 16;",
        |i, _| {
            let over = i > 7;
            let (p1, p2) = (i == 9 && over, i != 9 && over);
            let (p3, p4) = if i > 15 { (i < 24, i >= 24) } else { (false, false) };
            u32::from(p1) + 2 * u32::from(p2) + 4 * u32::from(p3) + 8 * u32::from(p4)
        },
    );
}

#[test]
fn registers_that_nothing_has_written_are_zero() {
    check("add.u32 %r3, %r29, %r1;", |i, _| i);
}

#[test]
fn a_division_by_zero_is_an_error() {
    let start = vec![0; LENGTH];
    let gpu = Gpu::<policy::Ipdom>::default();
    let kernel = kernel("", "div.u32 %r3, 7, %r1;");
    let error = launched(&gpu, &kernel, Grid::new(1, 32), std::slice::from_ref(&start), &[]).unwrap_err().to_string();
    assert!(error.contains("7 is divided by zero") && error.contains("thread (0, 0, 0)"), "{error}");
}

#[test]
fn predicates_are_constants_and_opposites() {
    check(
        "setp.lt.and.s32 %p1, %r2, 0, 1;
        setp.gt.or.u32 %p2, %r1, 9, 0;
        and.pred %p3, !%p1, %p2;
        xor.pred %p4, %p1, !%p2;
        selp.u32 %r3, 1, 0, %p3;
        @%p4 add.u32 %r3, %r3, 2;",
        |i, x| {
            let (p1, p2) = ((x as i32) < 0, i > 9);
            u32::from(!p1 && p2) + 2 * u32::from(p1 == p2)
        },
    );
}

#[test]
fn guarded_ends_and_calls_go_around() {
    check(
        "mov.u32 %r3, 5;
        setp.lt.u32 %p1, %r1, 16;
        st.global.u32 [%rd2], 77;
        @%p1 ret;",
        |i, _| if i < 16 { 77 } else { 5 },
    );
}

#[test]
fn numbers_are_packed_and_unpacked() {
    check(
        "mov.b64 %rd4, {%r2, %r1};
        mov.b64 {%r5, _}, %rd4;
        mov.b64 {_, %r6}, %rd4;
        mov.b32 {%h1, %h2}, %r5;
        mov.b32 %r7, {%h2, %h1};
        add.u32 %r3, %r7, %r6;",
        |i, x| x.rotate_left(16).wrapping_add(i),
    );
}

#[test]
fn floats_are_compared_with_nan_and_rounded() {
    check(
        "mov.b32 %f1, 0f7FC00000;
        cvt.rn.f32.u32 %f2, %r1;
        setp.ltu.f32 %p1, %f1, %f2;
        setp.ne.f32 %p2, %f1, %f2;
        selp.u32 %r3, 1, 0, %p1;
        @%p2 add.u32 %r3, %r3, 2;
        mul.f32 %f3, %f2, 0f3F000000;
        cvt.rni.s32.f32 %r4, %f3;
        shl.b32 %r4, %r4, 4;
        add.u32 %r3, %r3, %r4;
        cvt.rpi.s32.f32 %r5, %f3;
        shl.b32 %r5, %r5, 12;
        add.u32 %r3, %r3, %r5;
        fma.rn.sat.f32 %f4, %f2, 0f3E000000, 0fBF800000;
        cvt.rzi.u32.f32 %r6, %f4;
        shl.b32 %r6, %r6, 20;
        add.u32 %r3, %r3, %r6;",
        |i, _| {
            let half = i as f32 * 0.5;
            1 + ((half.round_ties_even() as u32) << 4) + ((half.ceil() as u32) << 12) + (u32::from(i >= 16) << 20)
        },
    );
}

#[test]
fn lanes_shuffle_and_vote() {
    check("shfl.sync.down.b32 %r3|%p1, %r2, 3, 31, -1; @!%p1 mov.u32 %r3, %r1;", |i, _| {
        if i + 3 > 31 { i } else { ((i + 3) as i32).wrapping_mul(0x1234_5677) as u32 ^ ((i + 3) << 9) }
    });
    check("shfl.sync.up.b32 %r3, %r1, 2, 0x1800, -1;", |i, _| if i % 8 < 2 { i } else { i - 2 });
    check("shfl.sync.bfly.b32 %r3, %r1, 5, 31, -1;", |i, _| i ^ 5);
    check("shfl.sync.idx.b32 %r3, %r1, 1, 0x1c1f, -1;", |i, _| i / 4 * 4 + 1);
    check("setp.gt.u32 %p1, %r1, 11; vote.sync.ballot.b32 %r3, %p1, 0xffffffff;", |_, _| !0xfff);
    check("mov.u32 %r3, %lanemask_lt;", |i, _| (1 << i) - 1);
}

#[test]
fn constants_are_computed() {
    check("add.u32 %r3, %r1, (1 << 4) + 7 % 4 * 2;", |i, _| i + 22);
    check("and.b32 %r3, %r2, ~0xff;", |_, x| x & !0xff);
    check("mov.u64 %rd3, 4*2; add.u64 %rd3, %rd3, %rd1; ld.global.u32 %r3, [%rd3+4*8-0x20];", |_, _| {
        2u32.wrapping_mul(0x1234_5677) ^ 2 << 9
    });
    let text = ".version 8.0
        .target sm_75
        .address_size 64
        .const .align 4 .b32 table[2*2] = {1+2, (5 << 2) - 1, 0 == 0 ? 7 : 8, -(3 | 4)};
        .visible .entry k(.param .u64 p)
        {
            .reg .b32 %r<4>;
            .reg .b64 %rd<6>;
            ld.param.u64 %rd1, [p];
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd2, %r1, 4;
            mov.u64 %rd3, table;
            add.u64 %rd3, %rd3, %rd2;
            ld.const.u32 %r2, [%rd3];
            add.u64 %rd2, %rd2, %rd1;
            st.global.u32 [%rd2], %r2;
            ret;
        }";
    let kernel = Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"));
    let gpu = Gpu::<policy::Ipdom>::default();
    let (left, _) = launched(&gpu, &kernel, Grid::new(1, 4), &[vec![0; LENGTH]], &[]).unwrap();
    assert_eq!(left[0][..4], [3, 19, 7, -7]);
}

/// One block after the other has the same registers.
#[test]
fn registers_that_are_read_before_they_are_written_are_zero() {
    let zero = |body: &str, expected: &dyn Fn(i32) -> i32| {
        let (kernel, gpu) = (kernel("", body), Gpu::<policy::Ipdom>::default());
        let left = launched(&gpu, &kernel, Grid::new(4, 32), &[vec![5; LENGTH]], &[]);
        let (left, _) = left.unwrap_or_else(|error| panic!("{error}"));
        (0..32).for_each(|i| assert_eq!(left[0][i as usize], expected(i), "{body}"));
    };
    zero("add.u32 %r3, %r4, %r1; mov.u32 %r4, 9;", &|i| i);
    zero("setp.lt.u32 %p1, %r1, 7; @%p1 mov.u32 %r3, 8; mov.u32 %r5, %r3;", &|i| if i < 7 { 8 } else { 0 });
    zero("setp.lt.u32 %p1, %r1, 7; @%p1 bra A; mov.u32 %r3, 8; A:", &|i| if i < 7 { 0 } else { 8 });
    zero("selp.u32 %r3, 8, 7, %p2; setp.lt.u32 %p2, 1, 2;", &|_| 7);
}

#[test]
fn jumps_by_an_index() {
    check(
        "and.b32 %r4, %r1, 3;
        mov.u32 %r3, 0;
        targets: .branchtargets A, B, C;
        brx.idx %r4, targets;
        A: add.u32 %r3, %r3, 1;
        B: add.u32 %r3, %r3, 10;
        C: add.u32 %r3, %r3, 100;",
        |i, _| [111, 110, 100, 100][i as usize % 4],
    );
}

#[test]
fn vectors_of_memory() {
    check(
        "and.b32 %r4, %r1, 0xfffffffc;
        mad.wide.u32 %rd3, %r4, 4, %rd1;
        ld.global.v4.u32 {%r5, %r6, _, %r7}, [%rd3+64];
        add.u32 %r3, %r5, %r6;
        add.u32 %r3, %r3, %r7;
        bar.sync 0;",
        |i, _| {
            let of = |k: u32| (k as i32).wrapping_mul(0x1234_5677) as u32 ^ (k << 9);
            let first = i / 4 * 4 + 16;
            // Lanes of one warp read before any of them writes.
            of(first).wrapping_add(of(first + 1)).wrapping_add(of(first + 3))
        },
    );
}

#[test]
fn functions_are_called_and_call_themselves() {
    let text = "
        .version 8.0
        .target sm_75
        .address_size 64
        .func (.param .b32 result) factorial(.param .b32 n)
        {
            .reg .b32 %r<6>;
            .reg .pred %p<2>;
            ld.param.u32 %r1, [n];
            setp.lt.u32 %p1, %r1, 2;
            @%p1 bra ONE;
            add.u32 %r2, %r1, -1;
            {
                .param .b32 argument;
                st.param.b32 [argument], %r2;
                .param .b32 value;
                call.uni (value), factorial, (argument);
                ld.param.b32 %r3, [value];
            }
            mul.lo.u32 %r4, %r3, %r1;
            st.param.b32 [result], %r4;
            ret;
        ONE:
            st.param.b32 [result], 1;
            ret;
        }
        .visible .entry k(.param .u64 p)
        {
            .reg .b32 %r<6>;
            .reg .b64 %rd<6>;
            ld.param.u64 %rd1, [p];
            mov.u32 %r1, %tid.x;
            and.b32 %r2, %r1, 7;
            {
                .param .b32 argument;
                st.param.b32 [argument], %r2;
                .param .b32 value;
                call.uni (value), factorial, (argument);
                ld.param.b32 %r3, [value];
            }
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            st.global.u32 [%rd2], %r3;
            ret;
        }";
    let kernel = Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"));
    simt::for_each_policy!(P => {
        let (left, _) = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[])
            .unwrap_or_else(|error| panic!("{error}"));
        for (i, left) in left[0].iter().take(32).enumerate() {
            assert_eq!(*left, (1..=i as i32 % 8).product::<i32>());
        }
    });
}

#[test]
fn a_function_is_called_by_its_other_name() {
    let text = "
        .version 8.0
        .target sm_75
        .address_size 64
        .func (.param .b32 result) other(.param .b32 n);
        .func (.param .b32 result) tripled(.param .b32 n)
        {
            .reg .b32 %r<3>;
            ld.param.u32 %r1, [n];
            mul.lo.u32 %r2, %r1, 3;
            st.param.b32 [result], %r2;
            ret;
        }
        .alias other, tripled;
        .visible .entry k(.param .u64 p)
        {
            .reg .b32 %r<3>;
            .reg .b64 %rd<3>;
            ld.param.u64 %rd1, [p];
            mov.u32 %r1, %tid.x;
            {
                .param .b32 argument;
                st.param.b32 [argument], %r1;
                .param .b32 value;
                call.uni (value), other, (argument);
                ld.param.b32 %r2, [value];
            }
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            st.global.u32 [%rd2], %r2;
            ret;
        }";
    let kernel = Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"));
    let gpu = Gpu::<policy::Ipdom>::default();
    let (left, _) = launched(&gpu, &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[]).unwrap();
    assert_eq!(left[0][..32], (0..32).map(|i| 3 * i).collect::<Vec<i32>>());
}
