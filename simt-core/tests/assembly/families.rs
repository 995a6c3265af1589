//! Tokens, and what becomes of markers under policies of other families.

use super::{check_printed, parsed};
use simt_core::code::{Code, Inst, JumpKind, Marker, Markers, Pc};

/// Program 5.5 of the CUDA report, its `sync` far from where it leads.
pub(super) const FAR: &str = "
kernel far(x: &mut [u32])
.reg usize %i, u32 %v, bool %p
    mov.usize %i, global_id()
    ld.u32    %v, x[%i]
    lt.u32    %p, %v, 10
    ssy       BEHIND
    bra       %p, TAKEN
    sub.u32   %v, %v, 10
    jmp       JOIN
BEHIND:
    st.u32    x[%i], %v
    exit
TAKEN:
    mul.u32   %v, %v, 2
JOIN:
    sync
";

#[test]
fn a_sync_is_a_jump_where_none_pops_tokens() {
    let code = parsed(&format!("{FAR}    exit"));
    assert_eq!((code.markers, *code.inst(Pc(10))), (Markers::Tokens, Inst::Marker(Marker::Pop)));
    for markers in [Markers::None, Markers::PostDominators] {
        let other = code.for_markers(markers);
        assert_eq!(*other.inst(Pc(10)), Inst::Jump { target: Pc(7), kind: JumpKind::Join });
        assert_eq!(*other.inst(Pc(3)), Inst::Marker(Marker::PushSync(Pc(7))));
        assert_eq!(other.markers, markers);
        check_printed(&other);
        assert!(other.into_inner().validate().is_ok());
    }
    assert_eq!(code.for_markers(Markers::PostDominators).reconvergence[4], Some(Pc(10)));
    assert_eq!(code.for_markers(Markers::Tokens), code);
    check_printed(&code);
}

#[test]
fn a_sync_before_its_address_stays() {
    let code = parsed("kernel k(p: bool)\nssy B\nbra p, A\nA: sync\nB: exit");
    assert_eq!(code.for_markers(Markers::None).insts, code.insts);
}

#[test]
fn code_without_tokens_waits_for_none() {
    let code = parsed(
        "kernel k(p: bool)
        .markers none
            ssy  A
        A:  brk  p, C
            cont B
        B:  sync
        C:  brk  D
        D:  call f
            bra  p, D
            exit
        func f
            ret",
    );
    let tokens = code.for_markers(Markers::Tokens);
    let branch = |target| Inst::Branch {
        cond: simt_core::code::Operand::Param(simt_core::program::ParamId(0)),
        when: true,
        target: Pc(target),
        leaves: false,
    };
    let expected = [
        branch(2),
        Inst::Jump { target: Pc(2), kind: JumpKind::Plain },
        Inst::Jump { target: Pc(3), kind: JumpKind::Plain },
        Inst::Marker(Marker::PushCall(Pc(5))),
        Inst::Call { function: simt_core::program::FunctionId(0), target: Pc(7) },
        branch(3),
        Inst::Exit,
        Inst::Return,
    ];
    assert_eq!(tokens.insts, expected);
    assert_eq!((tokens.functions[0].entry, tokens.functions[0].end), (Pc(7), Pc(8)));
    assert_eq!(tokens.spans[3], tokens.spans[4]);
    check_printed(&tokens);
    assert!(tokens.into_inner().validate().is_ok());
}

/// A message of the assembler about tokens, with its line.
#[track_caller]
fn refused(body: &str, line: u32, message: &str) {
    let text = format!("kernel k(p: bool)\n{body}");
    let error = Code::parse(&text).expect_err("tokens do not fit");
    assert_eq!((error.line() - 1, error.message()), (line, message), "{error}");
}

/// Where the paths of a branch meet a `sync` stands, and before the branch its `ssy`; none where all that is left is the end,
/// and none for a loop that is left for two places.
#[test]
fn tokens_are_put_where_lanes_part_and_meet() {
    let tokens = |text: &str| {
        let code = parsed(text).for_markers(Markers::Tokens);
        check_printed(&code);
        code.clone().into_inner().validate().expect("the stacks agree");
        let pushed = code.insts.iter().filter(|inst| matches!(inst, Inst::Marker(Marker::PushSync(_)))).count();
        let popped = code.insts.iter().filter(|inst| matches!(inst, Inst::Marker(Marker::Pop))).count();
        (pushed, popped)
    };
    let with = |body: &str| {
        format!(
            "kernel k(x: &mut [u32])
            .markers none
            .reg usize %i, u32 %v, bool %p, bool %q
                mov.usize %i, global_id()
                ld.u32    %v, x[%i]
                lt.u32    %p, %v, 10
                lt.u32    %q, %v, 5
                {body}
                exit"
        )
    };
    assert_eq!(tokens(&with("bra %p, J\nst.u32 x[%i], 1\nJ: st.u32 x[%i], 2")), (1, 1));
    assert_eq!(tokens(&with("bra %p, J\nst.u32 x[%i], 1\nJ:")), (0, 0));
    // Both branches meet at one place.
    assert_eq!(tokens(&with("bra %p, J\nbra %q, J\nst.u32 x[%i], 1\nJ: st.u32 x[%i], 2")), (1, 1));
    // The inner one has a place of its own.
    let inner = "bra %p, J\nbra %q, K\nst.u32 x[%i], 1\nK: st.u32 x[%i], 3\nJ: st.u32 x[%i], 2";
    assert_eq!(tokens(&with(inner)), (2, 2));
    // From the inner branch a path goes past where the others meet: it has no token of its own.
    let past = "bra %p, A\nbra %q, B\nst.u32 x[%i], 1\nA: st.u32 x[%i], 3\nB: st.u32 x[%i], 2";
    assert_eq!(tokens(&with(past)), (1, 1));
}

#[test]
fn stacks_of_tokens_are_the_same_on_all_paths() {
    refused("sync\nexit", 1, "there is no token to pop: here are no tokens");
    refused("bra p, A\nssy B\nA: fence_block\nsync\nB: exit", 2, "threads come to @2 with ssy @4 from here");
    refused("ssy B\nA: ssy B\nbra p, A\nsync\nB: exit", 3, "threads come to @1 with ssy @4, ssy @4 from here");
    refused(
        "prebrk C\nssy B\nbrk p, C\nB: sync\nC: exit",
        3,
        "the topmost token is not that of @4: here are ssy @3, prebrk @4",
    );
    refused("ssy B\nbrk B\nB: exit", 2, "no token for @2: here are ssy @2");
    refused("prebrk B\nssy A\nbrk A\nA: sync\nB: exit", 3, "no token for @3: here are ssy @3, prebrk @4");
    refused("ssy A\ncall f\nA: exit\nfunc f\nret", 2, "there is no token for the return");
    refused("preret A\nsync\nA: exit", 2, "there is no token to pop: here are preret @2");
    refused("ssy A\nsync\nA: exit\nfunc f\nsync\nret", 5, "there is no token to pop: here are no tokens");
}

#[test]
fn tokens_of_loops_are_popped_by_those_that_wait_for_them() {
    // A staggered loop with a thread that ends inside, a `continue`, and a `break` out of two loops.
    let code = parsed(
        "kernel loops(p: bool, q: bool)
            prebrk  OUT
        HEAD:
            brk     p, OUT
            precont NEXT
            prebrk  INNER
        AGAIN:
            brk.not q, INNER
            bra     p, LEAVE
            bra     q, GO_ON
            exit
        GO_ON:
            cont    NEXT
        LEAVE:
            brk     OUT
        INNER:
            sync
        NEXT:
            jmp     HEAD
        OUT:
            exit",
    );
    check_printed(&code);
    for &markers in Markers::ALL {
        assert!(code.for_markers(markers).into_inner().validate().is_ok());
    }
}
