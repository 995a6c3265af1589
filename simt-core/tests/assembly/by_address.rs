//! Guards, memory by address, symbols: read, printed, refused.

use super::{check_printed, parsed};
use simt_core::code::{Address, AddressSpace, Code, Guard, Inst, Markers, Operand, Reg, SymbolId};
use simt_core::program::ParamId;

/// One of each: instructions, spaces, declarations.
pub(super) const BY_ADDRESS: &str = r#"
kernel by_address(a: u64, n: u32, pair: bytes 24 align 8)
.global counter: 4 align 4
.const table: 32 align 16 = "0102ff", at 8 &counter, at 16 generic &table+4, at 24 &counter-1
.shared tile: 1024 align 128
.shared extra: dynamic align 16
.local stack: 64 align 8
.reg u64 %p, %g, u32 %s, zeroed u32 %v, %w, f32 %x, u16 %h, i8 %b, i32 %9, bool %c, %d, zeroed passing u64 %z, once zeroed u32 %o
    mov.u64     %p, a
    mov.u32     %s, &tile
    mov.u64     %g, &extra
    ld.global.f32 %x, [%p+4]
    ld.global.u32.volatile %v, [a]
    ld.param.u64 %p, [&pair+8]
    ld.param.u32 %w, [&n]
    ld.const.u8.u32 %v, [&table+2147483647]
    ld.shared.i8.i32.cg %9, [%s-2147483648]
    ld.local.u16 %h, [&stack]
    ld.generic.i8 %b, [%p]
    st.generic.f32 [%p+4], 1.5
    st.shared.u8.u32 [16], %v
    st.local.u16.u64.wt [%g], %p
    atom.global.u32.fetch_add.relaxed %v, [&counter], 1
    atom.generic.u64.compare_exchange.seqcst [%p], 0, %g
    atom.global.u32.swap.acqrel.block %v, [&counter], 1
    atom.shared.f32.fetch_max.acqrel %x, [%s], %x
    cvta.shared %g, &tile
    cvta.to.const %g, %p
    isspacep.local %c, %p
    lt.u32      %d, %v, n
@%d add.u32     %v, %v, 1
@!%c ld.global.f32 %x, [%p]
@%c st.global.f32 [%p], %x
@%d atom.global.u32.fetch_add.relaxed [%p], 1
@%d print       "{}", u32 %v
@%c fence_block
@%d sel.u32     %v, %c, 1, 2
@%d exit
@%c bar.sync
@!%d ballot     %g, %c
@%d call        f
@%c brx         %v, [END, END]
@%d bra         END
END:
    exit
func f
.shared own: 8 align 8
.local mine: 16 align 4
.reg u32 %r
    ld.local.u32 %r, [&mine+8]
    st.shared.u32 [&own], %r
    ret
"#;

fn instruction(code: &Code, name: &str) -> Inst {
    let found = (0..code.insts.len() as u32).map(simt_core::code::Pc).find(|&pc| code.instruction(pc).contains(name));
    *code.inst(found.unwrap_or_else(|| panic!("no {name}")))
}

#[test]
fn what_is_printed_is_read_again_in_every_family() {
    let code = parsed(BY_ADDRESS);
    check_printed(&code);
    for &markers in Markers::ALL {
        check_printed(&code.for_markers(markers));
    }
}

#[test]
fn a_guard_goes_with_its_instruction() {
    let code = parsed(BY_ADDRESS);
    let guarded = |code: &Code| -> Vec<(String, bool)> {
        let guards = code.insts.iter().zip(&code.modifiers);
        guards.filter_map(|(inst, modifier)| Some((format!("{inst:?}"), modifier.guard?.when))).collect()
    };
    let expected = guarded(&code);
    assert_eq!(expected.len(), 7, "the others are branched around");
    assert_eq!(expected.iter().filter(|(_, when)| !when).count(), 1);
    for &markers in Markers::ALL {
        assert_eq!(guarded(&code.for_markers(markers)), expected, "{markers:?}");
    }
    // A code without guards has no list of them.
    assert!(parsed("kernel k()\nexit").modifiers.is_empty());
}

#[test]
fn addresses_have_a_space_a_base_and_an_offset() {
    let code = parsed(BY_ADDRESS);
    let at = |name| instruction(&code, name).address().expect("by address");
    assert_eq!(
        at("[&counter]"),
        Address { space: AddressSpace::Global, offset: 0, base: Operand::Symbol(SymbolId(0)) }
    );
    assert_eq!(
        at("[&pair"),
        Address { space: AddressSpace::Param, offset: 8, base: Operand::ParamAddress(ParamId(2)) }
    );
    assert_eq!(at(".i8.i32.cg").offset, i32::MIN);
    let init = code.symbols[1].init.as_ref().expect("it has bytes");
    assert_eq!((&init.bytes[..], init.addresses.len()), (&[1, 2, 255][..], 3));
    let second = init.addresses[1];
    assert_eq!((second.at, second.symbol, second.plus, second.generic), (16, SymbolId(1), 4, true));
    assert_eq!(init.addresses[2].plus, -1);
}

#[test]
fn a_guarded_instruction_reads_its_guard_and_what_it_may_keep() {
    let text = "kernel k()\n.reg u32 %v, bool %p\nmov.u32 %v, 1\nmov.bool %p, true\n@!%p mov.u32 %v, 2\nexit";
    let code = parsed(text);
    let pc = simt_core::code::Pc(2);
    assert_eq!(code.guard(pc), Some(Guard { reg: Reg(1), when: false }));
    let reads: Vec<Operand> = code.reads(pc).filter(|operand| matches!(operand, Operand::Reg(_))).collect();
    assert_eq!(reads, [Operand::Reg(Reg(1)), Operand::Reg(Reg(0))]);
}

/// A mistake on the last line but one, or in the declaration that is given.
#[track_caller]
fn refused(declaration: &str, line: &str, message: &str) {
    let head = "kernel k(a: u64, n: u32, x: &[u32])\n.shared tile: 64 align 4\n.local own: 8 align 8\n.shared typed: [u32 x 4]";
    let registers = ".reg u64 %p, u32 %v, once u32 %c, bool %q, u16 %h, f32 %x, f64 %y, u32 %unset, bool %unknown";
    let set = "mov.u64 %p, a\nmov.u32 %v, 1\nmov.bool %q, true\nmov.u16 %h, 1\nmov.f32 %x, 1.0\nmov.f64 %y, 1.0";
    let text = format!("{head}\n{declaration}\n{registers}\n{set}\n{line}\nexit");
    let error = Code::parse(&text).expect_err("it is wrong");
    assert_eq!(error.message(), message, "{error}");
    assert!(!error.expected().is_empty());
    let expected = if line.is_empty() { 5 } else { 12 + line.lines().count() as u32 };
    assert_eq!(error.line(), expected, "{error}");
}

#[test]
fn wrong_guards_and_accesses_are_refused() {
    let line = |line, message| refused("", line, message);
    line("@%v mov.u32 %v, 1", "the register is of type u32");
    line("@%unknown mov.u32 %v, 1", "the guard may be read before it is written");
    line("@%q mov.u32 %c, 1", "a guarded instruction writes a register that is `once`");
    line("st.const.u32 [%p], %v", "const memory is only read");
    line("atom.param.u32.fetch_add.relaxed [%p], 1", "param memory is only read");
    line("atom.local.u32.fetch_add.relaxed [%p], 1", "local memory has no atomics: no other thread sees it");
    line("ld.global.u32 %v, [%v]", "the register is of type u32");
    line("ld.global.u32 %v, [&tile]", "this is an address of shared memory");
    line("ld.shared.u32 %v, [&n]", "this is an address of param memory");
    line("ld.param.u32 %v, [&x]", "a slice has no address");
    line("ld.shared.u32 %v, [&typed]", "`typed` is an array of elements, which has no address");
    line("ld.shared.u32 %v, [&no]", "there is no parameter or array `no`");
    line("ld.global.bool %q, [%p]", "`ld.global.bool` is not defined");
    line("ld.global.u32.u16 %h, [%p]", "`ld.global.u32.u16` is not defined");
    line("ld.global.f32.f64 %y, [%p]", "`ld.global.f32.f64` is not defined");
    line("cvta.generic %p, %p", "`cvta.generic` is not defined");
    line("ld.global.u32 %v, [%p+2147483648]", "an offset of 2147483648 bytes is too far");
    line("mov.f32 %x, &tile", "this is of type u64");
}

#[test]
fn a_guarded_write_leaves_a_register_that_was_not_written_unwritten() {
    refused(
        "",
        "@%q mov.u32 %unset, 1 ; no write for all\nmov.u32 %v, %unset",
        "a register may be read before it is written",
    );
    parsed("kernel k()\n.reg zeroed u32 %v, bool %p\nmov.bool %p, true\n@%p mov.u32 %v, 1\nadd.u32 %v, %v, 1\nexit");
}

#[test]
fn wrong_declarations_are_refused() {
    let declared = |declaration, message| refused(declaration, "", message);
    declared(".global g: 4 align 3", "symbol `g`: its alignment is no power of two, or too large");
    declared(".global g: 0 align 4", "symbol `g`: it has no bytes");
    declared(".global g: 1 align 4 = \"0001\"", "symbol `g`: 2 bytes do not fit in 1");
    declared(".global g: 8 align 4 = \"\", at 1 &g", "symbol `g`: an address at 1 does not fit in 8");
    declared(
        ".global g: 8 align 4 = \"\", at 0 &tile",
        "symbol `g`: it holds the address of what has none before the launch",
    );
    declared(".global g: 8 align 4 = \"\", at 0 &h", "there is no symbol `h`");
    declared(".shared s: 8 align 4 = \"00\"", "symbol `s`: only global and constant memory has values at first");
    declared(".global g: 8 align 4 = \"0g\"", "these are no bytes");
    declared(".global tile: 8 align 4", "`tile` is declared already");
    declared(".global g: 8", "the line ends too early");
}

#[test]
fn local_memory_of_recursive_functions_is_refused() {
    let text = "kernel k()\ncall f\nexit\nfunc f\n.local own: 8 align 8\ncall f\nret";
    let error = Code::parse(text).expect_err("each activation would need its own");
    assert_eq!(error.line(), 5);
    assert!(error.message().contains("each activation of a recursive function"), "{error}");
}

/// Instructions are copied as they are looked at: what is rare must not make all larger.
#[test]
fn addresses_make_no_instruction_larger() {
    assert_eq!((size_of::<Inst>(), size_of::<Operand>()), (72, 16));
}
