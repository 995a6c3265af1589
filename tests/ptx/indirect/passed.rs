//! What is passed through pointers, and recursion through them.

use super::{OPERATORS, check, kernel};

/// One writes a struct by bytes, the other in words; the call writes and reads it in other parts.
#[test]
fn structs_are_passed_through_pointers() {
    check(
        ".func (.param .align 8 .b8 result[8]) swapped(.param .align 8 .b8 pair[8])
        {
            .reg .b32 %r<3>;
            ld.param.v2.b32 {%r1, %r2}, [pair];
            st.param.v2.b32 [result], {%r2, %r1};
            ret;
        }
        .func (.param .align 8 .b8 result[8]) bytes(.param .align 8 .b8 pair[8])
        {
            .reg .b16 %h<3>;
            .reg .b32 %r<3>;
            ld.param.u8 %h1, [pair];
            ld.param.u8 %h2, [pair+5];
            st.param.b16 [result+4], %h1;
            st.param.b16 [result+6], 1;
            st.param.b8 [result], %h2;
            st.param.b8 [result+1], 0;
            st.param.b16 [result+2], 0;
            ret;
        }",
        "mov.u64 %rd3, swapped;
        mov.u64 %rd4, bytes;
        and.b32 %r4, %r1, 4;
        setp.eq.u32 %p1, %r4, 0;
        @%p1 mov.u64 %rd3, %rd4;
        add.u32 %r5, %r1, 0x3300;
        mov.b64 %rd5, {%r1, %r5};
        {
            .param .align 8 .b8 given[8];
            st.param.b64 [given], %rd5;
            .param .align 8 .b8 back[8];
            proto: .callprototype (.param .align 8 .b8 _[8]) _ (.param .align 8 .b8 _[8]);
            call (back), %rd3, (given), proto;
            ld.param.b64 %rd6, [back];
        }
        mov.b64 {%r6, %r7}, %rd6;
        mad.lo.u32 %r3, %r6, 3, %r7;",
        |i| if i & 4 == 0 { 0x33 * 3 + 0x1_0000 + i } else { (i + 0x3300) * 3 + i },
    );
}

/// `halve` and `decrease` call each other, and themselves, by a table; both have local memory, and read what they are passed
/// once more behind the call.
#[test]
fn functions_call_themselves_through_pointers() {
    fn steps(n: u32) -> u32 {
        match n {
            0 => 0,
            n if n.is_multiple_of(2) => steps(n / 2) * 3 + n,
            n => steps(n - 1) * 5 + n,
        }
    }
    let function = |name: &str, next: &str, factor: u32| {
        format!(
            ".func (.param .b32 result) {name}(.param .b32 n)
            {{
                .reg .b32 %r<9>;
                .reg .b64 %rd<9>;
                .reg .pred %p<2>;
                .local .align 4 .b8 own[4];
                ld.param.u32 %r1, [n];
                st.local.u32 [own], %r1;
                st.param.b32 [result], %r1;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 bra done;
                {next}
                and.b32 %r3, %r2, 1;
                mov.u64 %rd1, table;
                mad.wide.u32 %rd1, %r3, 8, %rd1;
                ld.global.u64 %rd2, [%rd1];
                {{
                    .param .b32 p0;
                    st.param.b32 [p0], %r2;
                    .param .b32 r0;
                    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
                    call (r0), %rd2, (p0), proto;
                    ld.param.b32 %r4, [r0];
                }}
                ld.local.u32 %r5, [own];
                ld.param.u32 %r6, [n];
                add.u32 %r5, %r5, %r6;
                shr.u32 %r5, %r5, 1;
                mad.lo.u32 %r7, %r4, {factor}, %r5;
                st.param.b32 [result], %r7;
            done:
                ret;
            }}"
        )
    };
    let items = format!(
        ".func (.param .b32 result) halve(.param .b32 n);
        .func (.param .b32 result) decrease(.param .b32 n);
        .global .u64 table[2] = {{halve, decrease}};
        {}
        {}",
        function("halve", "shr.u32 %r2, %r1, 1;", 3),
        function("decrease", "sub.u32 %r2, %r1, 1;", 5),
    );
    check(&items, "call (%r3), halve, (%r1);\nmul.lo.u32 %r4, %r1, 2;\ncall (%r3), halve, (%r4);", |i| steps(2 * i));
}

/// A result that stands in the way of a call, and is returned in the end.
#[test]
fn results_and_parameters_are_kept_over_calls() {
    let function = |name: &str, next: &str| {
        format!(
            ".func (.param .b32 result) {name}(.param .b32 n)
            {{
                .reg .b32 %r<9>;
                .reg .pred %p<2>;
                ld.param.u32 %r1, [n];
                add.u32 %r2, %r1, 100;
                st.param.b32 [result], %r2;
                setp.gt.u32 %p1, %r1, 20;
                @%p1 bra end;
                add.u32 %r3, %r1, 7;
                call (%r4), {next}, (%r3);
                ld.param.u32 %r5, [n];
                setp.lt.u32 %p1, %r5, 10;
                @%p1 ret;
                add.u32 %r4, %r4, %r5;
                st.param.b32 [result], %r4;
            end:
                ret;
            }}"
        )
    };
    fn value(n: u32) -> u32 {
        match n {
            21.. | ..10 => n + 100,
            _ => value(n + 7) + n,
        }
    }
    let declared = ".func (.param .b32 result) other(.param .b32 n);";
    // One that calls itself, and two that share their registers because both have addresses.
    check(&function("one", "one"), "call (%r3), one, (%r1);", value);
    let two = format!("{declared}\n{}\n{}", function("one", "other"), function("other", "one"));
    check(&two, "mov.u64 %rd3, one;\nmov.u64 %rd4, other;\ncall (%r3), one, (%r1);", value);
}

/// What a call passes lies in registers of the function that is called, which another call has, too.
#[test]
fn a_variable_is_written_in_front_of_its_call_and_read_behind_it() {
    let refused = |items: &str, body: &str| kernel(items, body).map(drop).unwrap_err();
    let said = refused(
        OPERATORS,
        ".param .b32 a; .param .b32 r;
        st.param.b32 [a], 1;
        call (r), sum, (a, 2);
        call (r), product, (a, 2);",
    );
    assert!(said.contains("`a` was passed by the call in line 44, and is not written again"), "{said}");
    assert!(said.contains("ptx:45:29"), "{said}");
    let said = refused(
        ".func g(.param .b32 x) { ret; }
        .func f(.param .b32 x) { call g, (x); ret; }",
        "call f, (1);",
    );
    assert!(said.contains("`x` is the function's own parameter, which no call can pass"), "{said}");
    let said = refused(
        OPERATORS,
        ".param .b32 a; .param .b32 b; .param .b32 r;
        st.param.b32 [a], 1;
        st.param.b32 [b], 2;
        call (r), sum, (a, 2);
        call (r), sum, (b, 2);
        ld.param.b32 %r3, [a];",
    );
    let said: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        said,
        [
            "error: `b` is written in front of a call that does not pass it, in line 45",
            "error: `a` is not what the call in front of this returns",
        ]
    );
    // Calls of several functions, one behind the other, may pass the same variable.
    check(
        OPERATORS,
        ".param .b32 a; .param .b32 r;
        st.param.b32 [a], %r1;
        call (r), sum, (a, 2);
        ld.param.b32 %r4, [r];
        st.param.b32 [a], %r4;
        call (r), product, (a, 3);
        ld.param.b32 %r3, [r];",
        |i| (i + 2) * 3,
    );
    // So may calls of one signature, by pointers.
    check(
        OPERATORS,
        "mov.u64 %rd3, sum; mov.u64 %rd4, product;
        .param .b32 a; .param .b32 r;
        p: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
        st.param.b32 [a], %r1;
        call (r), %rd3, (a, 2), p;
        ld.param.b32 %r4, [r];
        st.param.b32 [a], %r4;
        call (r), %rd4, (a, 3), p;
        ld.param.b32 %r3, [r];",
        |i| (i + 2) * 3,
    );
}

/// A parameter that is read behind a call, between the arguments of one and the call, and in a loop with one; a result that is
/// written in front of a call, or of a branch to one.
#[test]
fn parameters_and_results_stand_around_calls() {
    let bodies = [
        "call (%r2), f, (%r1);
        ld.param.u32 %r3, [n];
        mad.lo.u32 %r4, %r2, 2, %r3;
        st.param.b32 [result], %r4;
        ret;",
        "{
            .param .b32 p0;
            st.param.b32 [p0], %r1;
            .param .b32 r0;
            ld.param.u32 %r3, [n];
            call (r0), f, (p0);
            ld.param.b32 %r2, [r0];
        }
        mad.lo.u32 %r4, %r2, 2, %r3;
        st.param.b32 [result], %r4;
        ret;",
        "mov.u32 %r5, 0;
    again:
        ld.param.u32 %r3, [n];
        call (%r2), f, (%r1);
        add.u32 %r5, %r5, 1;
        setp.lt.u32 %p1, %r5, 2;
        @%p1 bra again;
        mad.lo.u32 %r4, %r2, 2, %r3;
        st.param.b32 [result], %r4;
        ret;",
        "ld.param.u32 %r3, [n];
        call (%r2), f, (%r1);
        mad.lo.u32 %r4, %r2, 2, %r3;
        st.param.b32 [result], %r4;
        call (_), f, (%r1);
        ret;",
        "bra late;
    early:
        call (%r2), f, (%r1);
        ret;
    late:
        call (%r2), f, (%r1);
        ld.param.u32 %r3, [n];
        mad.lo.u32 %r4, %r2, 2, %r3;
        st.param.b32 [result], %r4;
        bra early;",
    ];
    for body in bodies {
        let function = format!(
            ".func (.param .b32 result) f(.param .b32 n)
            {{
                .reg .b32 %r<9>;
                .reg .pred %p<3>;
                ld.param.u32 %r1, [n];
                setp.eq.u32 %p2, %r1, 0;
                @%p2 bra zero;
                sub.u32 %r1, %r1, 1;
                {body}
            zero:
                st.param.b32 [result], 1;
                ret;
            }}"
        );
        let call = "rem.u32 %r4, %r1, 5; call (%r3), f, (%r4);";
        check(&function, call, |i| (1..=i % 5).fold(1, |value, n| value * 2 + n));
    }
}
