//! What PTX becomes: operations that GPUs have, registers of bits, instructions of several parts.

use crate::kernel;
use simt::host::{Argument, call};
use simt::{Code, Gpu, Grid, policy::Ipdom};

/// Sums of two 64-bit numbers by their halves, their exponents as floats, and bytes in another order.
const PARTS: &str = "
    kernel parts(x: &[u32], y: &[u32], out: &mut [u32])
    .reg usize %i, untyped u32 %a, %b, %c, %d, %e, bool %carry, %p
        mov.usize       %i, global_id()
        ld.u32          %a, x[%i]
        ld.u32          %b, y[%i]
        add.u32         %c, %a, %b
        + lt.u32        %carry, %c, %a
        addc.u32        %d, %b, %a, %carry
        lt.f32          %p, %a, %b
        + num.f32       %carry, %a, %b
        + and.bool      %p, %p, %carry
        bfe.u32         %e, %a, 23, 8
        + @%p bfi.u32   %e, %e, %b, 2052
        prmt.u32        %d, %d, %e, 0x3715
        xor.u32         %c, %c, %d
        neg.f32         %c, %c
        bra.not         %p, LAST
        shl_clamp.u32   %c, %c, %e
        + bfind.u32     %c, %c
    LAST:
        st.u32          out[%i], %c
        exit";

/// The same for one thread.
fn parts(a: u32, b: u32) -> u32 {
    let (c, carry) = a.overflowing_add(b);
    let d = b.wrapping_add(a).wrapping_add(u32::from(carry));
    let p = f32::from_bits(a) < f32::from_bits(b);
    let mut e = a >> 23 & 0xff;
    if p {
        // A field of 8 bits from bit 4 on.
        e = b & !0xff0 | (e & 0xff) << 4;
    }
    let [d, e0] = [d.to_le_bytes(), e.to_le_bytes()];
    let bytes = [d[0], d[1], d[2], d[3], e0[0], e0[1], e0[2], e0[3]];
    let d = u32::from_le_bytes([bytes[5], bytes[1], bytes[7], bytes[3]]);
    let c = (c ^ d) ^ 1 << 31;
    if !p {
        return c;
    }
    let shifted = c.checked_shl(e).unwrap_or(0);
    if shifted == 0 { u32::MAX } else { 31 - shifted.leading_zeros() }
}

fn inputs() -> (Vec<u32>, Vec<u32>) {
    let of = |step: u32| (0..75u32).map(|i| i.wrapping_mul(step).wrapping_add(i << 27)).collect::<Vec<_>>();
    let (mut x, y) = (of(0x9e37_79b9), of(0x85eb_ca6b));
    x[3] = f32::NAN.to_bits();
    (x, y)
}

#[test]
fn what_is_computed_is_what_one_thread_would() {
    let (x, y) = inputs();
    let expected: Vec<u32> = x.iter().zip(&y).map(|(&a, &b)| parts(a, b)).collect();
    let kernel = kernel(PARTS);
    everywhere!(|gpu| {
        let mut out = vec![0; 75];
        let call = call(&kernel, vec![Argument::slice(&x), Argument::slice(&y), Argument::slice_mut(&mut out)]);
        gpu.launch(Grid::new(3, 25), call).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn parts_are_not_counted() {
    let launched = |text: &str| {
        let (x, y) = inputs();
        let mut out = vec![0; 75];
        let kernel = kernel(text);
        let call = call(&kernel, vec![Argument::slice(&x), Argument::slice(&y), Argument::slice_mut(&mut out)]);
        Gpu::<Ipdom>::default().launch(Grid::new(3, 25), call).unwrap()
    };
    let (with, without) = (launched(PARTS), launched(&PARTS.replace("+ ", "")));
    // Of the sixteen instructions, of which one is `bra`, fourteen are issued once by each of three warps, four of their parts.
    // The branch parts each warp, as the inputs are mixed.
    assert_eq!(without.issues() - with.issues(), 3 * 5);
    assert_eq!(with.thread_instructions() + 75 * 4, without.thread_instructions() - taken());
}

/// How many threads go into the branch.
fn taken() -> u64 {
    let (x, y) = inputs();
    x.iter().zip(&y).filter(|&(&a, &b)| f32::from_bits(a) < f32::from_bits(b)).count() as u64
}

#[test]
fn the_text_is_printed_and_read_back() {
    let code = Code::parse(PARTS).unwrap();
    let listing = code.to_string();
    assert!(listing.contains("+ @%p bfi.u32"), "{listing}");
    let again = Code::parse(&listing).unwrap();
    assert_eq!((&again.insts, &again.modifiers, &again.registers), (&code.insts, &code.modifiers, &code.registers));
}

#[test]
fn what_is_no_part_is_refused() {
    for (from, to, message) in [
        ("+ lt.u32        %carry, %c, %a", "+ bra %p, LAST", "this is no part of another instruction"),
        ("mov.usize       %i", "+ mov.usize %i", "there is no instruction that it is a part of"),
        ("st.u32          out", "+ st.u32 out", "is a part of the instruction in front of it"),
        ("lt.f32          %p, %a, %b", "lt.f64 %p, %a, %b", "the register is of type u32"),
    ] {
        let error = Code::parse(&PARTS.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
