//! Every instruction, type, constant and declaration: read, printed, read again.

use super::by_address::BY_ADDRESS;
use super::{check_printed, parsed};
use simt_core::ScalarType;
use simt_core::code::{Code, Inst, Markers};
use simt_core::ops::{AtomicOp, BinaryOp, CompareOp, MachineOp, NumericOp, UnaryOp, has_atomic, is_castable};
use simt_core::program::{AtomicOrder, Builtin, LoadAccess, StoreAccess};
use std::collections::BTreeSet;

/// One instruction of each kind.
pub(super) const EVERY: &str = r#"
kernel every(n: u32, flag: bool, big: u64, x: &[f32], y: &mut [f32], #[constant] c: &[u32], hist: &[AtomicU32])
.markers none
.shared tile: [f32 x 256]
.shared counts: [AtomicU32 x 4]
.local stack: [u32 x 8]
.reg once usize %i, u32 %n, %old, once bool %p, bool %q, u64 %m, %saved, f32 %v, %7
    mov.usize   %i, global_id()
    mov.u32     %n, n
    not.bool    %q, flag
    add.u32     %n, %n, 1
    shl.u64     %m, big, %n
    mad.u32     %n, %n, 3, n
    lt.usize    %p, %i, x.len()
    cvt.f32.u32 %v, %n
    sel.f32     %v, %p, %v, -1.5
    sqrt.f32    %v, %v
    clamp.f32   %v, %v, 0.0, +inf
    count_ones.u64 %n, %m
    ld.f32      %v, x[%i]
    ld.f32.cg   %v, y[0]
    ld.u32.volatile %n, c[%i]
    st.f32      y[%i], %v
    st.f32.wt   tile[3], +NaN
    st.u32      stack[%i], 0xff
    atom.u32.fetch_add.relaxed %old, hist[%i], 1
    atom.u32.compare_exchange.acqrel %old, counts[0], 0, %n
    atom.u32.store.seqcst hist[0], 7
    atom.u32.load.acquire %n, hist[0]
    fence_block
    fence_device
    print       "at {}: {0:>8} {{}} \"{2:?}\"\n", usize %i, u32 %n, f32 1.0
    bra         %p, GO
    panic       "no {:#x}", u64 %m
GO: sync_warp
    sync_warp.mask %m
    ballot      %m, %p
    ballot      %p
    any.mask    %q, %m, true
    shuffle.f32 %v, %v, 3
    shuffle_xor.mask.u32 %n, %m, %n, 1
    reduce_min.u32 %n, %n
    match_any.mask.f32 %m, %m, %v
    active_mask %m
    bar.sync
    bar.sync    1
    bar.arrive  1, 64
    bar.and     %q, %p
    bar.count   %n, %p, _, 64
    bssy        B0, @46
    bmov        %saved, B0
    bmov        B0, %saved
    break       %q, B0
    break       B1
    bsync       B0
    yield
    warpsync    %m
    bra.not     %q, LOOP
    jmp         LOOP
LOOP:
    brx         %n, [LOOP, OUT, @54]
OUT:
    bra         flag, OUT
    call        twice
    join        END
END:
    exit

func twice
.reg passing u32 %result, once u32 %a
    mov.u32     %a, 1
    add.u32     %result, %a, %a
    ret
"#;

/// What pushes and pops tokens.
pub(super) const TOKENS: &str = "
kernel tokens(n: u32)
.reg bool %p
    lt.u32   %p, n, 3
    prebrk   OUT
HEAD:
    brk      %p, OUT
    precont  NEXT
    ssy      BEHIND
    bra      %p, SKIP
    cont     NEXT
SKIP:
    sync
BEHIND:
    sync
NEXT:
    jmp      HEAD
OUT:
    preret   BACK
    call     f
BACK:
    exit
func f
    ret
";

/// The instruction's name in Rust, or the marker's.
fn kind(inst: &Inst) -> String {
    let text = format!("{inst:?}");
    let name = text.strip_prefix("Marker(").unwrap_or(&text);
    name.chars().take_while(|c| c.is_alphabetic()).collect()
}

#[test]
fn every_instruction_is_read_and_printed() {
    let texts = [EVERY, TOKENS, BY_ADDRESS].map(parsed);
    texts.iter().for_each(|code| check_printed(code));
    let kinds: BTreeSet<_> = texts.iter().flat_map(|code| code.insts.iter().map(kind)).collect();
    // A new kind of instruction or marker must come in above.
    assert_eq!(kinds.len(), 27 + 12, "{kinds:?}");
}

/// A kernel with a register of each type, `%u32` and so on, and one line.
fn with_line(line: &str) -> String {
    let registers: Vec<_> = ScalarType::ALL.iter().map(|ty| format!("{ty} %{ty}")).collect();
    let writes: String = ScalarType::ALL.iter().map(|ty| format!("mov.{ty} %{ty}, {}\n", one(*ty))).collect();
    format!("kernel k()\n.reg {}\n{writes}{line}\nexit\n", registers.join(", "))
}

fn one(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::Bool => "true",
        ty if ty.is_float() => "1.0",
        _ => "1",
    }
}

/// A line is read if and only if its operation is defined.
#[track_caller]
fn check_line(line: &str, is_defined: bool) {
    match Code::parse(&with_line(line)) {
        Ok(code) => {
            assert!(is_defined, "{line} is not defined");
            check_printed(&code);
        }
        Err(error) => {
            assert!(!is_defined, "{error}");
            assert!(error.message().contains("is not defined"), "{error}");
        }
    }
}

#[test]
fn every_operation_is_read_at_every_type_that_has_it() {
    for &ty in ScalarType::ALL {
        for op in UnaryOp::ALL {
            check_line(&format!("{}.{ty} %{ty}, %{ty}", op.name()), op.accepts(ty));
        }
        for op in BinaryOp::ALL {
            let right = if op.is_shift() { ScalarType::U32 } else { ty };
            check_line(&format!("{}.{ty} %{ty}, {}, %{right}", op.name(), one(ty)), op.accepts(ty));
        }
        for op in CompareOp::ALL {
            check_line(&format!("{}.{ty} %bool, %{ty}, {}", op.name(), one(ty)), true);
        }
        for op in NumericOp::ALL.iter().filter(|op| op.accepts(ty)) {
            let args: Vec<_> = op.args().iter().map(|slot| format!("%{}", slot.of(ty))).collect();
            check_line(&format!("{}.{ty} %{}, {}", op.name(), op.result().of(ty), args.join(", ")), true);
        }
        for &to in ScalarType::ALL {
            check_line(&format!("cvt.{to}.{ty} %{to}, %{ty}"), is_castable(ty, to));
        }
        check_line(&format!("mad.{ty} %{ty}, %{ty}, %{ty}, {}", one(ty)), ty.is_int());
    }
    for op in MachineOp::ALL {
        let args: Vec<_> = op.args().iter().map(|ty| format!("%{ty}")).collect();
        check_line(&format!("{} %{}, {}", op.name(), op.result(), args.join(", ")), true);
    }
    check_line("sqrt.u32 %u32, %u32", false);
}

#[test]
fn every_access_is_read() {
    let check = |line: &str| {
        let head = "kernel k(x: &mut [u32], h: &[AtomicU32], b: &[AtomicBool], f: &[AtomicF32])\n.reg u32 %v, bool %p, f32 %s\n";
        check_printed(&parsed(&format!("{head}{line}\nexit\n")));
    };
    let dotted = |name: &str| if name.is_empty() { String::new() } else { format!(".{name}") };
    LoadAccess::ALL.iter().for_each(|access| check(&format!("ld.u32{} %v, x[0]", dotted(access.name()))));
    StoreAccess::ALL.iter().for_each(|access| check(&format!("st.u32{} x[0], 1", dotted(access.name()))));
    for op in AtomicOp::ALL {
        for order in AtomicOrder::ALL {
            let name = format!("{}.{}", op.name(), order.name().to_lowercase());
            let operands = [", 1", ", 2"][..op.operands()].concat();
            check(&format!("atom.u32.{name} %v, h[0]{operands}"));
            check(&format!("atom.u32.{name} h[0]{operands}"));
            if has_atomic(*op, ScalarType::Bool) {
                let operands = [", true", ", false"][..op.operands()].concat();
                check(&format!("atom.bool.{name} %p, b[0]{operands}"));
            }
            if has_atomic(*op, ScalarType::F32) {
                let operands = [", 0.5", ", -0.0"][..op.operands()].concat();
                check(&format!("atom.f32.{name} %s, f[0]{operands}"));
            }
        }
    }
    let builtins: String = Builtin::ALL.iter().map(|builtin| format!("mov.usize %i, {builtin}\n")).collect();
    check_printed(&parsed(&format!("kernel k()\n.reg usize %i\n{builtins}exit")));
}

#[test]
fn names_may_be_anything() {
    let mut code = parsed(EVERY).into_inner();
    code.name = "a b; // c".into();
    code.functions[0].name = "twice::<u32, \"x\">".into();
    let odd = ["true", "inf", "_", "", "x.2", "größe", "meet"];
    code.params.iter_mut().zip(odd).for_each(|(param, name)| param.name = name.into());
    code.arrays.iter_mut().for_each(|array| array.name = "inf".into());
    code.registers.iter_mut().for_each(|register| register.name = Some("r".into()));
    check_printed(&code);
    code.registers.iter_mut().step_by(2).for_each(|register| register.name = None);
    code.registers.iter_mut().skip(1).step_by(2).for_each(|register| register.name = Some("7\n".into()));
    code.functions[0].name = "f.2".into();
    check_printed(&code);
}

#[test]
fn numbers_of_registers_and_arrays_are_kept() {
    // The function's come between the kernel's.
    let text = "
        kernel k(x: &mut [u32])
        .shared #1 s: [u32 x 2]
        .reg #1 u32 %a, #3 once bool %4, %b
            mov.u32 %a, 1
            call    f
            st.u32  t[0], %f.r
            exit
        func f
        .local #0 t: [u32 x 4]
        .reg #2 passing u32 %r, #0 u32 %a
            mov.u32 %a, 2
            mov.u32 %r, %a
            ret";
    let code = parsed(text);
    let names: Vec<_> = code.registers.iter().map(|r| (r.name.as_deref(), r.function.is_some())).collect();
    let expected = [(Some("a"), true), (Some("a"), false), (Some("r"), true), (None, false), (Some("b"), false)];
    assert_eq!(names, expected);
    assert_eq!((&*code.arrays[0].name, &*code.arrays[1].name), ("t", "s"));
    assert!(code.to_string().contains(".reg #1 u32 %a, #3 once bool %3, %b"), "{code}");
    check_printed(&code);
}

#[test]
fn a_listing_shows_the_text_it_comes_from() {
    let text = "\
kernel halve(x: &mut [u32])
.reg usize %i, u32 %v, bool %p
    mov.usize %i, global_id()
LOOP:
    ld.u32    %v, x[%i]
    gt.u32    %p, %v, 1
@!%p exit
    div.u32   %v, %v, 2
    st.u32    x[%i], %v
    jmp       LOOP
";
    let code = parsed(text).for_markers(Markers::PostDominators);
    let expected = "\
kernel halve(x: &mut [u32])
.markers post-dominators
.reg usize %i, u32 %v, bool %p
                                                      ; Θ0 = all threads
  @0    mov.usize  %i, global_id()                    ;    3 | mov.usize %i, global_id()
                                                      ; Θ1 = Θ0 + Θ3
  @1    ld.u32     %v, x[%i]                          ;    5 | ld.u32    %v, x[%i]
  @2    gt.u32     %p, %v, 1                          ;    6 | gt.u32    %p, %v, 1
  @3    bra        %p, @5, meet @4                    ;    7 | @!%p exit
                                                      ; Θ2 = Θ1, those that did not exit
  @4    exit
                                                      ; Θ3 = Θ1 where %p
  @5    div.u32    %v, %v, 2                          ;    8 | div.u32   %v, %v, 2
  @6    st.u32     x[%i], %v                          ;    9 | st.u32    x[%i], %v
  @7    jmp        @1                                 ;   10 | jmp       LOOP
";
    assert_eq!(code.to_string(), expected);
}
