//! What kernels of PTX print, and assertions that fail.

use crate::{LENGTH, launched};
use simt::host::Kernel;
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};

const FRAME: &str = ".version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 size);
.global .align 1 .b8 format[28] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 58, 32, 37, 53, 46, 49, 102, 32, 37, 115, 32, 37, 108, 108, 120, 10, 0};
.global .align 1 .b8 word[5] = {119, 97, 114, 112};
.global .align 1 .b8 part[4] = {97, 32, 0};
.global .align 1 .b8 expression[6] = {120, 32, 60, 32, 51};
.global .align 1 .b8 file[6] = {97, 46, 99, 117};
.global .align 1 .b8 name[4] = {102, 40, 41};
.visible .entry k(.param .u64 p)
{
    .local .align 8 .b8 depot[32];
    .reg .b64 %SP, %SPL;
    .reg .b16 %h<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<20>;
    .reg .f64 %fd<4>;
    .reg .pred %p<4>;
    mov.u64 %SPL, depot;
    cvta.local.u64 %SP, %SPL;
    mov.u32 %r1, %tid.x;
BODY
    ret;
}";

/// As `nvcc` calls `printf("thread %d: %5.1f %s %llx\n", i, 2.5 * i, "warp", -1LL)`, where a lane does.
const PRINT: &str = "
    st.local.u32 [%SPL], %r1;
    cvt.rn.f64.u32 %fd1, %r1;
    mul.f64 %fd1, %fd1, 0d4004000000000000;
    st.local.f64 [%SPL+8], %fd1;
    mov.u64 %rd1, word;
    cvta.global.u64 %rd2, %rd1;
    st.local.u64 [%SPL+16], %rd2;
    st.local.u64 [%SPL+24], -1;
    mov.u64 %rd3, format;
    cvta.global.u64 %rd4, %rd3;
    {
        .param .b64 param0;
        st.param.b64 [param0+0], %rd4;
        .param .b64 param1;
        st.param.b64 [param1+0], %SP;
        .param .b32 retval0;
        call.uni (retval0), vprintf, (param0, param1);
        ld.param.b32 %r2, [retval0+0];
    }";

fn kernel(body: &str) -> Kernel {
    let text = FRAME.replace("BODY", body);
    Module::parse(text).and_then(|module| module.kernel("k")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn lines_are_in_the_report() {
    let body = format!("setp.lt.u32 %p1, %r1, 30; @%p1 bra END; {PRINT} END:");
    let kernel = kernel(&body);
    simt::for_each_policy!(P => {
        let (_, report) = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let expected = ["thread 30:  75.0 warp ffffffffffffffff", "thread 31:  77.5 warp ffffffffffffffff"];
        assert_eq!(report.prints(), expected);
    });
}

/// Also where the call is passed registers, or its arguments half by half.
#[test]
fn the_number_of_arguments_is_returned() {
    let count = |call: &str| {
        let store = "ld.param.u64 %rd10, [p]; mad.wide.u32 %rd11, %r1, 4, %rd10; st.global.u32 [%rd11], %r2;";
        let kernel = kernel(&format!("mov.u32 %r2, 77; {PRINT} mov.u32 %r2, 77; {call} {store}"));
        let mut counts = Vec::new();
        simt::for_each_policy!(P => {
            let launched = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, 8), &[vec![0; LENGTH]], &[]);
            let (left, report) = launched.unwrap_or_else(|error| panic!("{error}"));
            assert!(report.prints().iter().all(|line| line.starts_with("thread ")), "{report}");
            counts.push(left[0][..8].to_vec());
        });
        assert!(counts.iter().all(|other| *other == counts[0]), "{counts:?}");
        counts[0].clone()
    };
    assert_eq!(count(PRINT), [4; 8]);
    assert_eq!(count("call (%r2), vprintf, (%rd4, %SP);"), [4; 8]);
    assert_eq!(count("setp.lt.u32 %p1, %r1, 3; @%p1 call (%r2), vprintf, (%rd4, %SP);"), [4, 4, 4, 77, 77, 77, 77, 77]);
    let halves = "{
        .param .b64 a; .param .b64 b; .param .b32 c;
        mov.b64 {%r3, %r4}, %rd4;
        st.param.v2.b32 [a], {%r3, %r4};
        st.param.b64 [b], %SP;
        call (c), vprintf, (a, b);
        ld.param.b16 %h1, [c];
        cvt.u32.u16 %r2, %h1;
    }";
    assert_eq!(count(halves), [4; 8]);
    assert_eq!(count("call (%r2), vprintf, (0, %SP);"), [-1; 8]);
}

#[test]
fn a_line_is_printed_in_parts() {
    let part = "
        mov.u64 %rd5, part;
        cvta.global.u64 %rd6, %rd5;
        setp.eq.u32 %p1, %r1, 1;
        {
            .param .b64 param0;
            st.param.b64 [param0+0], %rd6;
            .param .b64 param1;
            st.param.b64 [param1+0], 0;
            .param .b32 retval0;
            @%p1 call.uni (retval0), vprintf, (param0, param1);
        }";
    let kernel = kernel(&format!("{part} {part} {PRINT}"));
    let gpu = Gpu::<policy::Ipdom>::default();
    let (_, report) = launched(&gpu, &kernel, Grid::new(1, 2), &[vec![0; LENGTH]], &[]).unwrap();
    let expected = ["thread 0:   0.0 warp ffffffffffffffff", "a a thread 1:   2.5 warp ffffffffffffffff"];
    assert_eq!(report.prints(), expected);
}

#[test]
fn an_assertion_that_fails_is_the_error_of_the_launch() {
    let kernel = kernel(
        "setp.lt.u32 %p1, %r1, 3; @%p1 bra END;
        mov.u64 %rd1, expression;
        cvta.global.u64 %rd2, %rd1;
        mov.u64 %rd3, file;
        cvta.global.u64 %rd4, %rd3;
        mov.u64 %rd5, name;
        cvta.global.u64 %rd6, %rd5;
        {
            .param .b64 param0;
            st.param.b64 [param0+0], %rd2;
            .param .b64 param1;
            st.param.b64 [param1+0], %rd4;
            .param .b32 param2;
            st.param.b32 [param2+0], 12;
            .param .b64 param3;
            st.param.b64 [param3+0], %rd6;
            .param .b64 param4;
            st.param.b64 [param4+0], 1;
            call.uni __assertfail, (param0, param1, param2, param3, param4);
        }
        END:",
    );
    let gpu = Gpu::<policy::Ipdom>::default();
    let launch = |threads| launched(&gpu, &kernel, Grid::new(1, threads), &[vec![0; LENGTH]], &[]);
    assert!(launch(3).is_ok());
    let error = launch(8).unwrap_err().to_string();
    assert!(error.contains("assertion `x < 3` failed at a.cu:12 in `f()`"), "{error}");
    assert!(error.contains("thread (3, 0, 0)"), "{error}");
}
