//! Calls of what registers point to: tables and lists of functions.

mod methods;
mod passed;
mod wrong;

use crate::{LENGTH, launched};
use simt::host::Kernel;
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};

const HEAD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

/// Three functions of two words.
const OPERATORS: &str = "
.func (.param .b32 result) sum(.param .b32 a, .param .b32 b)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a];
    ld.param.b32 %r2, [b];
    add.s32 %r3, %r1, %r2;
    st.param.b32 [result], %r3;
    ret;
}
.func (.param .b32 result) product(.param .b32 a, .param .b32 b)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a];
    ld.param.b32 %r2, [b];
    mul.lo.s32 %r3, %r1, %r2;
    st.param.b32 [result], %r3;
    ret;
}
.func (.param .b32 result) difference(.param .b32 a, .param .b32 b)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a];
    ld.param.b32 %r2, [b];
    sub.s32 %r3, %r1, %r2;
    st.param.b32 [result], %r3;
    ret;
}
";

/// A kernel behind functions and variables. The thread's number is in `%r1`, the address of its word in `%rd2`; what the body
/// leaves in `%r3` goes there.
fn kernel(items: &str, body: &str) -> Result<Kernel, String> {
    let text = format!(
        "{HEAD}{items}
.visible .entry k(.param .u64 p)
{{
    .reg .b16 %h<9>; .reg .b32 %r<20>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<20>;
    .reg .pred %p<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
{body}
    st.global.u32 [%rd2], %r3;
    ret;
}}"
    );
    Module::parse(&text).and_then(|module| module.kernel("k")).map_err(|error| error.to_string())
}

/// Under every policy, 32 threads leave what is expected of each.
#[track_caller]
pub(crate) fn check(items: &str, body: &str, expected: impl Fn(u32) -> u32) {
    let kernel = kernel(items, body).unwrap_or_else(|error| panic!("{error}"));
    simt::for_each_policy!(P => {
        let (left, _) = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[])
            .unwrap_or_else(|error| panic!("{error}"));
        for i in 0..32 {
            assert_eq!(left[0][i as usize] as u32, expected(i), "thread {i}");
        }
    });
}

/// Under every policy, the launch fails with an error that says all of this.
#[track_caller]
fn fails(items: &str, body: &str, said: &[&str]) {
    let kernel = kernel(items, body).unwrap_or_else(|error| panic!("{error}"));
    simt::for_each_policy!(P => {
        let error = launched(&Gpu::<P>::default(), &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[]);
        let error = error.unwrap_err().to_string();
        for part in said {
            assert!(error.contains(part), "{part}: {error}");
        }
    });
}

/// The call of `%rd3` with the thread's number and 10, as `nvcc` writes it.
const CALL: &str = "
    {
        .param .b32 param0;
        st.param.b32 [param0+0], %r1;
        .param .b32 param1;
        st.param.b32 [param1+0], 10;
        .param .b32 retval0;
        prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
        call (retval0), %rd3, (param0, param1), prototype_0;
        ld.param.b32 %r3, [retval0+0];
    }
";

fn operator(number: u32, a: u32, b: u32) -> u32 {
    match number {
        0 => a + b,
        1 => a * b,
        _ => a.wrapping_sub(b),
    }
}

#[test]
fn a_table_of_functions_is_called_by_data() {
    for table in [
        ".global .align 8 .u64 table[3] = {sum, product, difference};",
        ".const .align 8 .u64 table[3] = {generic(sum), product, difference};",
    ] {
        let space = table[1..].split(' ').next().unwrap_or_default();
        let body = format!(
            "rem.u32 %r4, %r1, 3;
            mov.u64 %rd4, table;
            mad.wide.u32 %rd5, %r4, 8, %rd4;
            ld.{space}.u64 %rd3, [%rd5];
            {CALL}"
        );
        check(&format!("{OPERATORS}{table}"), &body, |i| operator(i % 3, i, 10));
    }
}

/// What the call of `sum` takes, by its name and by its address: a branch to the call and a jump from there more, and the `mov`.
#[test]
fn an_indirect_call_is_a_branch_a_call_and_a_jump() {
    let issues = |body: &str| {
        let kernel = kernel(OPERATORS, body).unwrap_or_else(|error| panic!("{error}"));
        let gpu = Gpu::<policy::Ipdom>::default();
        let (left, report) = launched(&gpu, &kernel, Grid::new(1, 32), &[vec![0; LENGTH]], &[])
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(left[0][3], 13);
        report.issues()
    };
    let direct = CALL.replace("%rd3", "sum").replace(", prototype_0", "");
    assert_eq!(issues(&format!("mov.u64 %rd3, sum;\n{CALL}")), issues(&direct) + 3);
}

/// A list of functions, a call that lanes do that a predicate names, results and arguments that are registers.
#[test]
fn a_list_says_which_functions_are_called() {
    check(
        OPERATORS,
        "some: .calltargets product, sum;
        mov.u64 %rd3, sum;
        mov.u64 %rd4, product;
        rem.u32 %r4, %r1, 5;
        setp.ne.u32 %p1, %r4, 0;
        setp.gt.u32 %p2, %r4, 2;
        @%p2 mov.u64 %rd3, %rd4;
        mov.u32 %r3, 77;
        @%p1 call.uni (%r3), %rd3, (%r1, 10), some;
        add.u32 %r3, %r3, 1;",
        |i| 1 + if i % 5 == 0 { 77 } else { operator(u32::from(i % 5 > 2), i, 10) },
    );
}

#[test]
fn functions_without_results_and_parameters() {
    check(
        ".global .align 4 .u32 counts[2];
        .func one() { .reg .b32 %r<2>; atom.global.add.u32 %r1, [counts], 1; ret; }
        .func two() { .reg .b32 %r<2>; atom.global.add.u32 %r1, [counts+4], 1; ret; }",
        "mov.u64 %rd3, one;
        mov.u64 %rd4, two;
        setp.lt.u32 %p1, %r1, 11;
        @%p1 mov.u64 %rd3, %rd4;
        plain: .callprototype _;
        call %rd3, plain;
        {
            prototype_2 : .callprototype ()_ ();
            call
            %rd3,
            (
            )
            , prototype_2;
        }
        bar.sync 0;
        ld.global.u32 %r4, [counts];
        ld.global.u32 %r5, [counts+4];
        mad.lo.u32 %r3, %r4, 100, %r5;",
        |_| 42 * 100 + 22,
    );
}

/// The name of a prototype is that of a label elsewhere, which is a place.
#[test]
fn the_label_of_a_prototype_is_no_place() {
    let call = CALL.replace("prototype_0", "again");
    check(
        OPERATORS,
        &format!(
            "mov.u64 %rd3, sum;
            mov.u32 %r5, 0;
        again:
            add.u32 %r5, %r5, 1;
            setp.lt.u32 %p1, %r5, 3;
            @%p1 bra again;
            {call}
            mad.lo.u32 %r3, %r5, 1000, %r3;"
        ),
        |i| 3000 + i + 10,
    );
}
