//! Local variables, those of functions that call themselves, too.

use crate::{LENGTH, launched};
use simt::host::Kernel;
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};

/// `down(n)` adds to its own word what deeper calls add to theirs, and to its caller's through an address.
fn deep(levels: &str) -> Kernel {
    let text = format!(
        ".version 8.0
        .target sm_75
        .address_size 64
        .func (.param .b32 result) down(.param .b32 n, .param .b64 above)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            .reg .pred %p<2>;
            .local .align 8 .b8 own[40];
            ld.param.u32 %r1, [n];
            ld.param.u64 %rd1, [above];
            mul.lo.u32 %r2, %r1, %r1;
            st.local.u32 [own+36], %r2;
            st.local.u32 [own], 0;
            ld.u32 %r3, [%rd1];
            add.u32 %r3, %r3, %r1;
            st.u32 [%rd1], %r3;
            setp.eq.u32 %p1, %r1, 0;
            @%p1 bra last;
            mov.u64 %rd2, own;
            cvta.local.u64 %rd2, %rd2;
            sub.u32 %r4, %r1, 1;
            {{
                .param .b32 p0;
                st.param.b32 [p0], %r4;
                .param .b64 p1;
                st.param.b64 [p1], %rd2;
                .param .b32 r0;
                call.uni (r0), down, (p0, p1);
                ld.param.b32 %r5, [r0];
            }}
            ld.local.u32 %r6, [own+36];
            ld.local.u32 %r7, [own];
            mad.lo.u32 %r5, %r5, 3, %r6;
            add.u32 %r5, %r5, %r7;
            st.param.b32 [result], %r5;
            ret;
        last:
            st.param.b32 [result], 1;
            ret;
        }}
        .func (.param .b32 result) through(.param .b32 n)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            .local .align 4 .b8 word[4];
            ld.param.u32 %r1, [n];
            st.local.u32 [word], 100;
            mov.u64 %rd1, word;
            cvta.local.u64 %rd1, %rd1;
            {{
                .param .b32 p0;
                st.param.b32 [p0], %r1;
                .param .b64 p1;
                st.param.b64 [p1], %rd1;
                .param .b32 r0;
                call.uni (r0), down, (p0, p1);
                ld.param.b32 %r2, [r0];
            }}
            ld.local.u32 %r3, [word];
            add.u32 %r2, %r2, %r3;
            st.param.b32 [result], %r2;
            ret;
        }}
        .visible .entry k(.param .u64 p)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            ld.param.u64 %rd1, [p];
            cvta.to.global.u64 %rd1, %rd1;
            mov.u32 %r1, %tid.x;
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            {levels}
            {{
                .param .b32 p0;
                st.param.b32 [p0], %r2;
                .param .b32 r0;
                call.uni (r0), through, (p0);
                ld.param.b32 %r3, [r0];
            }}
            st.global.u32 [%rd2], %r3;
            ret;
        }}"
    );
    Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn each_activation_has_local_variables_of_its_own() {
    fn down(n: u32, above: &mut u32) -> u32 {
        *above += n;
        let mut own = 0;
        if n == 0 { 1 } else { down(n - 1, &mut own) * 3 + n * n + own }
    }
    let kernel = deep("rem.u32 %r2, %r1, 7;");
    simt::for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let (left, _) = launched(&gpu, &kernel, Grid::new(1, 32), std::slice::from_ref(&vec![0; LENGTH]), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        for i in 0..32 {
            let mut word = 100;
            let expected = down(i % 7, &mut word) + word;
            assert_eq!(left[0][i as usize] as u32, expected, "thread {i}");
        }
    });
}

#[test]
fn the_stack_of_functions_that_call_themselves_ends() {
    let gpu = Gpu::<policy::Ipdom>::default();
    let kernel = deep("mul.lo.u32 %r2, %r1, 10;");
    let error =
        launched(&gpu, &kernel, Grid::new(1, 32), std::slice::from_ref(&vec![0; LENGTH]), &[]).unwrap_err().to_string();
    assert!(error.contains("stack of functions that call themselves"), "{error}");
}

/// A function that calls itself, with these local variables.
fn with_locals(locals: &str, body: &str) -> Result<Kernel, String> {
    let text = format!(
        ".version 8.0
        .target sm_75
        .address_size 64
        .func (.param .b32 result) down(.param .b32 n)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            .reg .pred %p<2>;
            {locals}
            ld.param.u32 %r1, [n];
            {body}
            setp.eq.u32 %p1, %r1, 0;
            @%p1 bra last;
            sub.u32 %r3, %r1, 1;
            {{
                .param .b32 p0;
                st.param.b32 [p0], %r3;
                .param .b32 r0;
                call.uni (r0), down, (p0);
                ld.param.b32 %r4, [r0];
            }}
            or.b32 %r2, %r2, %r4;
        last:
            st.param.b32 [result], %r2;
            ret;
        }}
        .visible .entry k(.param .u64 p)
        {{
            .reg .b32 %r<9>;
            .reg .b64 %rd<9>;
            ld.param.u64 %rd1, [p];
            {{
                .param .b32 p0;
                st.param.b32 [p0], 5;
                .param .b32 r0;
                call.uni (r0), down, (p0);
                ld.param.b32 %r3, [r0];
            }}
            st.global.u32 [%rd1], %r3;
            ret;
        }}"
    );
    Module::parse(text).and_then(|module| module.kernel("k")).map_err(|error| error.to_string())
}

#[test]
fn variables_on_the_stack_are_aligned() {
    let (locals, body) = (
        ".local .b8 one; .local .align 64 .b8 wide[4];",
        "st.local.u8 [one], 1; mov.u64 %rd1, wide; cvt.u32.u64 %r2, %rd1; and.b32 %r2, %r2, 63;",
    );
    let kernel = with_locals(locals, body).unwrap_or_else(|error| panic!("{error}"));
    let (left, _) = launched(&Gpu::<policy::Ipdom>::default(), &kernel, Grid::new(1, 1), &[vec![7; LENGTH]], &[])
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(left[0][0], 0);
}

#[test]
fn variables_that_no_stack_holds_are_an_error() {
    let body = "mov.u64 %rd1, b; cvt.u32.u64 %r2, %rd1;";
    let error = with_locals(".local .b8 a[4294967295]; .local .align 8 .b8 b[4294967295];", body).unwrap_err();
    assert!(error.contains("local memory"), "{error}");
}

/// As `nvcc -G` copies a struct with bytes between its fields, and sets a field of bits; blocks follow each other in one memory.
#[test]
fn local_memory_that_nothing_has_written_is_zero() {
    let body = "
        st.local.u8 [own+4], %h1;
        ld.local.u32 %r4, [own+4];
        st.local.u32 [own+12], %r4;
        ld.local.u8 %r5, [own+13];
        ld.local.u32 %r6, [own+8];
        bfi.b32 %r6, %r1, %r6, 4, 5;
        st.local.u32 [own+8], %r6;
        ld.local.v4.u32 {%r7, %r8, %r9, %r10}, [own];
        cvta.local.u64 %rd3, %rd3;
        ld.u64 %rd4, [%rd3+24];
        st.local.u64 [own+24], -1;
        cvt.u32.u64 %r11, %rd4;
        or.b32 %r3, %r7, %r5;
        or.b32 %r3, %r3, %r11;
        add.u32 %r3, %r3, %r8;
        add.u32 %r3, %r3, %r9;
        add.u32 %r3, %r3, %r10;";
    let kernel =
        crate::written::kernel(".local .align 16 .b8 own[32];", &format!("mov.u64 %rd3, own; mov.u16 %h1, 7; {body}"));
    simt::for_each_policy!(P => {
        let launch = launched(&Gpu::<P>::default(), &kernel, Grid::new(3, 32), &[vec![0; LENGTH]], &[]);
        let (left, _) = launch.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(left[0][..32], (0..32).map(|i| 7 + 16 * i + 7).collect::<Vec<i32>>());
    });
}
