//! Virtual tables.

use super::{check, fails};

/// Two kinds of objects, each of which begins with the address of its table, as `nvcc` writes them.
const VIRTUAL: &str = "
.func (.param .b32 func_retval0) square_area(.param .b64 this)
{
    .reg .f32 %f<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [this];
    ld.f32 %f1, [%rd1+8];
    mul.f32 %f2, %f1, %f1;
    st.param.f32 [func_retval0+0], %f2;
    ret;
}
.func (.param .b32 func_retval0) bar_area(.param .b64 this)
{
    .reg .f32 %f<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [this];
    ld.v2.f32 {%f1, %f2}, [%rd1+8];
    mul.f32 %f3, %f1, %f2;
    st.param.f32 [func_retval0+0], %f3;
    ret;
}
.extern .func (.param .b32 func_retval0) pure(.param .b64 this);
.visible .global .align 8 .u64 square_table[3] = {0, generic(square_table), square_area};
.visible .global .align 8 .b8 bar_table[24] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff(bar_area),
    0xff00(bar_area), 0xff0000(bar_area), 0xff000000(bar_area), 0xff00000000(bar_area), 0xff0000000000(bar_area),
    0xff000000000000(bar_area), 0xff00000000000000(bar_area)};
.visible .global .align 8 .u64 pure_table[3] = {0, 0, pure};
";

/// An object of the table at `%rd3`, and the call of its method.
const OBJECT: &str = "
    .local .align 8 .b8 object[16];
    cvta.global.u64 %rd4, %rd3;
    add.s64 %rd5, %rd4, 16;
    mov.u64 %rd6, object;
    cvta.local.u64 %rd7, %rd6;
    st.u64 [%rd7], %rd5;
    cvt.rn.f32.u32 %f1, %r1;
    mov.f32 %f2, 0f40400000;
    st.v2.f32 [%rd7+8], {%f1, %f2};
    ld.u64 %rd8, [%rd7];
    ld.u64 %rd9, [%rd8];
    {
        .param .b64 param0;
        st.param.b64 [param0+0], %rd7;
        .param .b32 retval0;
        prototype_1 : .callprototype (.param .b32 _) _ (.param .b64 _);
        call (retval0),
        %rd9,
        (
        param0
        )
        , prototype_1;
        ld.param.f32 %f3, [retval0+0];
    }
    cvt.rzi.u32.f32 %r3, %f3;
";

#[test]
fn a_virtual_table_leads_to_methods() {
    let body = format!(
        "mov.u64 %rd3, square_table;
        mov.u64 %rd4, bar_table;
        and.b32 %r4, %r1, 1;
        setp.eq.u32 %p1, %r4, 0;
        @%p1 mov.u64 %rd3, %rd4;
        {OBJECT}"
    );
    check(VIRTUAL, &body, |i| if i % 2 == 0 { i * 3 } else { i * i });
}

#[test]
fn a_method_without_a_body_ends_the_launch() {
    fails(
        VIRTUAL,
        &format!("mov.u64 %rd3, pure_table;\n{OBJECT}"),
        &[
            "call of 0x500000020",
            "those are `square_area` (0x500000000), `bar_area` (0x500000010)",
            "`pure` (0x500000020)",
        ],
    );
}
