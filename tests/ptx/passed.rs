//! What functions are passed and return, in parts of other widths than it is declared and written.

use crate::indirect::check;

/// A struct of two words that is returned as eight bytes, as compilers for sm_100 do it.
#[test]
fn a_struct_is_returned_as_one_number() {
    check(
        ".func (.param .align 4 .b8 result[8]) pair(.param .b32 x)
        {
            .reg .b32 %r<4>;
            .reg .b64 %rd<2>;
            ld.param.b32 %r1, [x];
            add.u32 %r2, %r1, 100;
            mov.b64 %rd1, {%r1, %r2};
            st.param.b64 [result], %rd1;
            ret;
        }",
        "{
            .param .b32 argument;
            st.param.b32 [argument], %r1;
            .param .align 4 .b8 value[8];
            call.uni (value), pair, (argument);
            ld.param.b32 %r4, [value];
            ld.param.b32 %r5, [value+4];
        }
        mad.lo.u32 %r3, %r5, 1000, %r4;",
        |i| (i + 100) * 1000 + i,
    );
}

/// Bytes that are written one by one and read as a half, a word and bytes.
#[test]
fn bytes_are_read_as_more() {
    check(
        ".func (.param .b32 result) sum(.param .align 8 .b8 x[12])
        {
            .reg .b16 %h<4>;
            .reg .b32 %r<9>;
            ld.param.u16 %h1, [x+2];
            cvt.u32.u16 %r1, %h1;
            ld.param.u32 %r2, [x+4];
            ld.param.s8 %r3, [x+9];
            add.u32 %r4, %r1, %r2;
            add.u32 %r4, %r4, %r3;
            st.param.b32 [result], %r4;
            ret;
        }",
        "{
            .param .align 8 .b8 argument[12];
            cvt.u16.u32 %h1, %r1;
            mov.b16 %h2, 3;
            st.param.b8 [argument+2], %h1;
            st.param.b8 [argument+3], %h2;
            st.param.v2.b16 [argument+4], {%h2, %h1};
            mov.b16 %h3, 0xFFF0;
            st.param.b16 [argument+8], %h3;
            .param .b32 value;
            call.uni (value), sum, (argument);
            ld.param.b32 %r3, [value];
        }",
        // The high byte of 0xFFF0 is -1.
        |i| (0x300 + i).wrapping_add((i << 16) + 3).wrapping_sub(1),
    );
}

/// Registers and constants in the place of variables, of a call that some lanes make.
#[test]
fn registers_are_passed_and_get_results() {
    check(
        ".func (.param .b32 result) difference(.param .b32 a, .param .b32 b)
        {
            .reg .b32 %r<4>;
            ld.param.b32 %r1, [a];
            ld.param.b32 %r2, [b];
            sub.u32 %r3, %r1, %r2;
            st.param.b32 [result], %r3;
            ret;
        }",
        "mov.u32 %r3, 1000;
        add.u32 %r4, %r1, 50;
        setp.lt.u32 %p1, %r1, 20;
        @%p1 call (%r3), difference, (%r4, 7);
        call (_), difference, (1, %r4);
        add.u32 %r3, %r3, 1;",
        |i| if i < 20 { i + 44 } else { 1001 },
    );
}

/// Parameters and results that are registers, as the manual's first function has them; one calls itself, and one is pointed to.
#[test]
fn parameters_are_registers() {
    check(
        ".func (.reg .u32 total) sum(.reg .u32 n, .reg .s16 step, .reg .f64 scale)
        {
            .reg .u32 rest, more;
            .reg .f64 wide;
            .reg .pred last;
            setp.eq.u32 last, n, 0;
            mov.u32 total, 5;
            @last ret;
            sub.u32 rest, n, 1;
            call (total), sum, (rest, step, scale);
            cvt.s32.s16 more, step;
            add.s32 total, total, more;
            cvt.rn.f64.u32 wide, n;
            mul.rn.f64 wide, wide, scale;
            cvt.rzi.u32.f64 more, wide;
            add.u32 total, total, more;
        }
        .func (.reg .u32 r) twice(.reg .u32 a) { add.u32 r, a, a; ret; }",
        "and.b32 %r4, %r1, 3;
        mov.u16 %h1, -2;
        call (%r5), sum, (%r4, %h1, 0d4024000000000000);
        mov.u64 %rd3, twice;
        p: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (%r3), %rd3, (%r5), p;",
        |i| 2 * (5 + (1..=i % 4).map(|n| 10 * n - 2).sum::<u32>()),
    );
}

#[test]
fn addresses_of_parameters_are_generic() {
    check(
        "",
        "mov.b64 %rd3, p;
        cvta.param.u64 %rd4, %rd3;
        ld.u32 %r4, [%rd4+4];
        cvta.to.param::entry.u64 %rd5, %rd4;
        ld.param::entry.u32 %r5, [%rd5+4];
        shr.u64 %rd6, %rd1, 32;
        cvt.u32.u64 %r6, %rd6;
        sub.u32 %r3, %r4, %r6;
        sub.u32 %r7, %r5, %r6;
        or.b32 %r3, %r3, %r7;
        isspacep.param::entry %p1, %rd4;
        @%p1 add.u32 %r3, %r3, 7;",
        |_| 7,
    );
}

/// The address of a kernel's own parameter, which a function asks for as such; its own is one of local memory.
#[test]
fn addresses_of_parameters_are_of_the_kernel_or_the_function() {
    check(
        ".func (.param .b32 r) f(.param .b64 of_kernel, .param .align 8 .b8 own[16])
        {
            .reg .b64 %rd<9>;
            .reg .b32 %r<4>;
            .reg .pred %p<3>;
            ld.param.u64 %rd1, [of_kernel];
            ld.param::entry.u64 %rd2, [%rd1];
            mov.b64 %rd3, own;
            ld.param.u64 %rd4, [%rd3+8];
            cvta.local.u64 %rd5, %rd3;
            ld.u32 %r1, [%rd5];
            setp.eq.u64 %p1, %rd2, %rd4;
            selp.u32 %r2, %r1, 1000, %p1;
            st.param.b32 [r], %r2;
            ret;
        }",
        "{
            .param .b64 p0;
            mov.b64 %rd3, p;
            st.param.b64 [p0], %rd3;
            .param .align 8 .b8 p1[16];
            st.param.b32 [p1], %r1;
            st.param.b64 [p1+8], %rd1;
            .param .b32 r0;
            call (r0), f, (p0, p1);
            ld.param.b32 %r3, [r0];
        }",
        |i| i,
    );
}
