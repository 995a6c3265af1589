//! Control flow that structured programs do not have, labels, predicates, functions, and where paths meet.

use super::{check_printed, parsed};
use simt_core::code::{Code, Inst, JumpKind, Markers, Pc};

/// The instructions as the listing shows them, without blanks that align.
fn listed(code: &Code) -> Vec<String> {
    let squeezed = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (0..code.insts.len() as u32).map(|pc| squeezed(code.instruction(Pc(pc)))).collect()
}

#[test]
fn a_predicate_is_the_condition_of_a_branch() {
    let code = parsed(
        "kernel k(flag: bool)
        .reg bool %p
            not.bool %p, flag
            @%p  bra L
            @!%p bra L
            bra %p, L
            bra.not flag, L
            @%p  brk L
            @!%p brk L
            @%p  jmp L
            bra L
            jmp L
        L:  break %p, B0
            @%p break B0
            exit",
    );
    let branch = |name: &str| format!("{name} %p, @10");
    let expected = [
        "not.bool %p, flag".into(),
        branch("bra"),
        branch("bra.not"),
        branch("bra"),
        "bra.not flag, @10".into(),
        branch("brk"),
        branch("brk.not"),
        branch("bra"),
        "jmp @10".into(),
        "jmp @10".into(),
        "break %p, B0".into(),
        "break %p, B0".into(),
        "exit".into(),
    ];
    assert_eq!(listed(&code), expected);
}

#[test]
fn what_threads_leave_by_is_branched_around_if_it_has_a_predicate() {
    let code = parsed(
        "kernel k(n: u32)
        .reg bool %p
            eq.u32 %p, n, 3
            prebrk OUT
            precont NEXT
            @%p exit
            @!%p cont NEXT
            brk OUT
        NEXT: exit
        OUT: preret L
            call f
        L:  exit
        func f
        .reg bool %q
            eq.u32 %q, n, 4
            @%q ret
            ret",
    );
    let expected =
        ["eq.u32 %p, n, 3", "prebrk @9", "precont @8", "bra.not %p, @5", "exit", "bra %p, @7", "cont @8", "brk @9"];
    assert_eq!(listed(&code)[..8], expected);
    assert_eq!(listed(&code)[12..], ["eq.u32 %q, n, 4", "bra.not %q, @15", "ret", "ret"]);
    // Both come from the line with the predicate.
    assert_eq!(code.spans[3].line, code.spans[4].line);
    assert_eq!(code.source.line(code.spans[4].line).map(str::trim), Some("@%p exit"));
}

#[test]
fn labels_and_addresses_name_the_same() {
    let text = "kernel k(n: u32)\n  @0 jmp @2\n A: \"odd one\": @1 jmp B\n  @2 jmp \"odd one\"\n B: exit";
    assert_eq!(listed(&parsed(text)), ["jmp @2", "jmp @3", "jmp @1", "exit"]);
    // Labels are a function's own, and do not hide what else has their name.
    let text = "kernel k(A: bool)\nA: call f\n bra A, A\n jmp A\nfunc f\nA: bra A, A\n ret";
    assert_eq!(listed(&parsed(text)), ["call f", "bra A, @0", "jmp @0", "bra A, @3", "ret"]);
}

/// A loop with two entries: no structured program has it.
pub(super) const IRREDUCIBLE: &str = "
kernel irreducible(x: &mut [u32])
.reg usize %i, u32 %v, %odd, bool %p
    mov.usize %i, global_id()
    ld.u32    %v, x[%i]
    and.u32   %odd, %v, 1
    eq.u32    %p, %odd, 1
    bra       %p, SECOND
FIRST:
    add.u32   %v, %v, 3
SECOND:
    add.u32   %v, %v, 5
    lt.u32    %p, %v, 100
    bra       %p, FIRST
    st.u32    x[%i], %v
    exit";

#[test]
fn a_loop_may_have_two_entries() {
    let code = parsed(IRREDUCIBLE);
    assert_eq!((code.markers, code.reconvergence[4]), (Markers::None, None));
    let code = code.for_markers(Markers::PostDominators);
    assert_eq!((code.reconvergence[4], code.reconvergence[8]), (Some(Pc(6)), Some(Pc(9))));
    check_printed(&code);
}

/// Program 5.6 of the CUDA report: an indirect branch with three targets.
#[test]
fn an_indirect_branch_goes_where_its_table_says() {
    let code = parsed(
        "kernel k(r: u32, x: &mut [u32])
        .markers tokens
        .reg u32 %n
            mov.u32 %n, 7
            ssy     BEHIND
            brx     r, [PATH1, PATH2, PATH3]
        PATH1:
            mul.u32 %n, %n, 2
            bra     JOIN
        PATH2:
            add.u32 %n, %n, 2
            bra     JOIN
        PATH3:
            sub.u32 %n, %n, 2
        JOIN:
            sync
        BEHIND:
            st.u32  x[global_id()], %n
            exit",
    );
    assert_eq!(listed(&code)[2], "brx r, [@3, @5, @7]");
    assert!(code.to_string().contains("; Θ4 = Θ1 where r is 2 or more"), "{code}");
    check_printed(&code);
    let code = code.for_markers(Markers::PostDominators);
    assert_eq!(listed(&code)[2], "brx r, [@3, @5, @7], meet @8");
}

#[test]
fn paths_meet_where_the_text_says() {
    let text = "
        kernel k(n: u32)
        .markers post-dominators
        .reg bool %p
            eq.u32 %p, n, 1
            bra    %p, A, meet none
            bra    %p, A, meet @4
            bra    %p, A
        A:  bra    %p, B, meet B
        B:  exit";
    let code = parsed(text);
    let meets: Vec<_> = code.reconvergence.iter().map(|meet| meet.map(|pc| pc.0)).collect();
    assert_eq!(meets, [None, None, Some(4), Some(4), Some(5), None]);
    assert!(code.to_string().contains("bra        %p, @4, meet none"));
    check_printed(&code);
}

/// Hanoi, figures 5 to 7: a spilled barrier, an early barrier, a spin lock.
pub(super) const HANOI: [&str; 3] = [
    "
kernel figure_5(t: u32, u: u32)
.reg bool %p, u64 %r0
    gt.u32 %p, t, 1
    bssy   B0, AFTER_F
    bmov   %r0, B0
    bra.not %p, F
    bssy   B0, F
    gt.u32 %p, u, 1
    bra    %p, D
    jmp    E
D:  jmp    E
E:  bsync  B0
F:  bmov   B0, %r0
    bsync  B0
AFTER_F:
    exit",
    "
kernel figure_6(t: u32, u: u32)
.reg bool %p1, %not1
    gt.u32   %p1, t, 1
    bssy     B0, AFTER_B
    bssy     B1, E
    bra      %p1, B
    gt.u32   %p1, u, 1
    not.bool %not1, %p1
@%not1 break B0
    bra.not  %p1, D
B:  bsync    B0
AFTER_B:
    jmp      D
D:  bsync    B1
E:  exit",
    "
kernel figure_7(mutex: &[AtomicU32], count: &mut [u32])
.reg u32 %old, %n, bool %free
    bssy   B0, END
SPIN:
    yield
    atom.u32.compare_exchange.acquire %old, mutex[0], 0, 1
    eq.u32 %free, %old, 0
@!%free bra SPIN
    ld.u32.volatile %n, count[0]
    add.u32 %n, %n, 1
    st.u32.volatile count[0], %n
    atom.u32.store.release mutex[0], 0
    bsync  B0
END:
    exit",
];

#[test]
fn compilers_barriers_are_read_and_printed() {
    for text in HANOI {
        let code = parsed(text);
        assert_eq!(code.markers, Markers::HanoiBarriers);
        check_printed(&code);
        for &markers in Markers::ALL {
            let other = code.for_markers(markers);
            check_printed(&other);
            // Barriers that were placed by hand are for every machine that has them.
            assert!(other.insts == code.insts || markers == Markers::Tokens, "{text}");
        }
    }
    assert!(listed(&parsed(HANOI[0])).contains(&"bmov B0, %r0".to_string()));
    assert!(listed(&parsed(HANOI[1])).contains(&"break %not1, B0".to_string()));
    let negated = HANOI[1].replace("@%not1 break", "@!%p1 break");
    assert!(listed(&parsed(&negated)).contains(&"break.not %p1, B0".to_string()));
}

#[test]
fn functions_call_each_other() {
    let code = parsed(
        "kernel k(x: &mut [u32])
        .reg u32 %r
            mov.u32 %fib.arg, 10
            call fib
            mov.u32 %helper.n, %fib.result
            call helper
            st.u32 x[0], %helper.n.2
            exit
        func fib
        .reg passing u32 %arg, %result, u32 %n, %first, bool %p
            mov.u32 %n, %arg
            lt.u32 %p, %n, 2
            mov.u32 %result, %n
            @%p ret
            sub.u32 %arg, %n, 1
            call fib
            mov.u32 %first, %result
            sub.u32 %arg, %n, 2
            call fib
            add.u32 %result, %result, %first
            ret
        func helper
        .reg u32 %n, passing u32 %n.2
            add.u32 %n.2, %n, 1
            ret",
    );
    let functions: Vec<_> = code.functions.iter().map(|f| (&*f.name, f.entry.0, f.end.0, f.recursive)).collect();
    assert_eq!(functions, [("fib", 6, 18, true), ("helper", 18, 20, false)]);
    check_printed(&code);
    let with_tokens = code.for_markers(Markers::Tokens);
    assert_eq!(listed(&with_tokens)[..3], ["mov.u32 %fib.arg, 10", "preret @3", "call fib"]);
    assert!(matches!(with_tokens.inst(Pc(9)), Inst::Compare { .. }));
    check_printed(&with_tokens);
    assert!(with_tokens.into_inner().validate().is_ok());
}

#[test]
fn a_jump_of_each_kind_keeps_it() {
    let code = parsed("kernel k()\n.markers none\njmp @1\njoin @2\nbrk @3\ncont @4\nexit");
    let kinds: Vec<_> = code
        .insts
        .iter()
        .filter_map(|inst| if let Inst::Jump { kind, .. } = inst { Some(*kind) } else { None })
        .collect();
    assert_eq!(kinds, [JumpKind::Plain, JumpKind::Join, JumpKind::Break, JumpKind::Continue]);
}
