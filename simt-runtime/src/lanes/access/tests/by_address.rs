//! Loads, stores and atomics by address, by all lanes together or one by one, compared with a list of bytes.

mod model;

use super::masks;
use crate::lanes::Registers;
use crate::lanes::isa::Portable;
use crate::memory::{Argument, DeviceMemory, Memory};
use crate::plan::{AddressAccess, AddressKind, Place};
use model::Model;
use proptest::prelude::*;
use simt_core::code::{AddressSpace, Code, SymbolId};
use simt_core::ops::{AtomicOp, atomic_meaning};
use simt_core::program::ParamId;
use simt_core::{LaneMask, ScalarType};
use std::collections::HashMap;

/// The code whose memory is accessed: of each space something that is aligned, and something that is not, of odd sizes.
const CODE: &str = "kernel k(p: bytes 24 align 8, q: u32)
    .shared tile: 512 align 8
    .shared odd: 37 align 1
    .local own: 40 align 8
    .local word: 4 align 4
    .const table: 64 align 8 = \"0102030405060708f0f1f2f3f4f5f6f7\"
    exit";

/// Rows: 1 of words and wide words has the addresses, 2 the values, 3 gets what is loaded.
const BASE: u16 = 1;
const VALUE: u16 = 2;
const RESULT: u16 = 3;
/// What a row has before it is loaded to, plus the lane.
const OLD: u64 = 7;

/// The memory of the second warp of a block, and what is known of it.
fn memory(device: &mut DeviceMemory, width: usize, full: bool) -> (Memory<'_>, Model) {
    let code = Code::parse(CODE).unwrap_or_else(|error| panic!("{error}")).into_inner();
    let mut model = Model::default();
    // Of the first allocation, of three pages, the beginning has values, of the others none and all; one is freed.
    for (size, written, kept) in [(9000, 4500, true), (40, 0, true), (300, 300, true), (64, 64, false)] {
        let start = device.alloc(size).expect("room");
        let written = if full { size } else { written };
        let bytes: Vec<u8> = (0..written).map(|byte| (byte * 37 % 251) as u8).collect();
        device.write_bytes(start, &bytes).expect("there");
        if kept {
            model.push((AddressSpace::Global, start, size, true), width, bytes);
        } else {
            device.free(start).expect("allocated");
        }
    }
    let arguments = vec![Argument::bytes((1..=24).collect::<Vec<u8>>()), Argument::scalar(0x0403_0201_u32)];
    let memory = Memory::new(arguments, &[], width, 2).expect("no argument is refused");
    let mut memory = memory.with_spaces(Some(device), &code, width, 2).expect("room");
    memory.begin_block(3);
    memory.select_warp(1);
    for (number, symbol) in code.symbols.iter().enumerate() {
        let start = memory.symbol(SymbolId(number as u32));
        let writable = symbol.space != AddressSpace::Const;
        let first = symbol.init.iter().flat_map(|init| init.bytes.iter().copied()).chain(std::iter::repeat(0));
        let known = if writable { 0 } else { symbol.size };
        model.push((symbol.space, start, symbol.size.into(), writable), width, first.take(known as usize));
    }
    for (param, size) in [(0, 24), (1, 4)] {
        let start = memory.param_address(ParamId(param));
        model.push((AddressSpace::Param, start, size, false), width, 1..=size as u8);
    }
    if full {
        let spaces = memory.spaces.as_deref_mut().expect("the code has some");
        for (space, start, size, _) in model.there.clone().into_iter().filter(|there| there.0 != AddressSpace::Global) {
            for (lane, at) in (0..width).flat_map(|lane| (0..size).map(move |at| (lane, start + at))) {
                if spaces.store(space, at, 1, lane, at + lane as u64).is_some() {
                    model.store(space, at, 1, lane, at + lane as u64);
                }
            }
        }
    }
    (memory, model)
}

/// A value of memory as a register of a type holds it: extended by zeros or its sign.
fn held(bits: u64, ty: ScalarType, register: ScalarType) -> u64 {
    let extend = |bits: u64, ty| match ty {
        ScalarType::U8 => u64::from(bits as u8),
        ScalarType::I8 => bits as i8 as u64,
        ScalarType::U16 => u64::from(bits as u16),
        ScalarType::I16 => bits as i16 as u64,
        ScalarType::U32 | ScalarType::F32 => u64::from(bits as u32),
        ScalarType::I32 => bits as i32 as u64,
        _ => bits,
    };
    let bits = extend(extend(bits, ty), register);
    if register.bits() == 64 { bits } else { u64::from(bits as u32) }
}

/// How the lanes' addresses follow from one.
#[derive(Clone, Debug)]
enum Pattern {
    /// By so many times the width of the access.
    Steps(u64),
    /// The places of two lanes are exchanged if they differ in these bits.
    Exchanged(u64),
    /// Each anywhere near.
    Anywhere(Vec<u64>),
    /// Each lane at something of its own.
    Mixed(Vec<u64>),
}

#[derive(Clone, Debug)]
struct Step {
    store: bool,
    /// A sum in place of a load or store, of integers of 32 and 64 bits.
    adds: bool,
    generic: bool,
    types: (ScalarType, ScalarType),
    /// Which of what is there the first address is in, and where, in widths.
    of: usize,
    at: u64,
    pattern: Pattern,
    /// Sometimes added to the address of one lane.
    astray: (usize, u64),
    mask: u64,
    offset: i32,
    salt: u64,
}

fn steps() -> impl Strategy<Value = Step> {
    use ScalarType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let types = [
        (U8, U8),
        (U8, U32),
        (I8, I32),
        (I8, I64),
        (U8, I16),
        (U16, U16),
        (I16, I16),
        (I16, U64),
        (U16, U32),
        (U32, U32),
        (I32, I32),
        (F32, F32),
        (U32, U64),
        (I32, I64),
        (U64, U64),
        (I64, I64),
        (F64, F64),
        (U32, U32),
        (U32, U32),
    ];
    let pattern = prop_oneof![
        3 => prop_oneof![Just(1u64), Just(1), Just(4), 0..9u64].prop_map(Pattern::Steps),
        2 => (0..32u64).prop_map(Pattern::Exchanged),
        2 => prop::collection::vec(0..64u64, 64).prop_map(Pattern::Anywhere),
        1 => prop::collection::vec(any::<u64>(), 64).prop_map(Pattern::Mixed),
    ];
    let astray = prop_oneof![
        8 => Just((0, 0)),
        1 => (0..64usize, 1..4u64),
        1 => (0..64usize, prop_oneof![Just(1 << 12), Just(1 << 31), Just(1 << 32), Just(1 << 40), any::<u64>()]),
    ];
    // Often in the first allocation, and on both sides of where a page ends.
    let place =
        (prop_oneof![Just(0), 0..64usize], prop_oneof![Just(0u64), 0..20u64, 0..1200u64, 480..512u64, 960..1024u64]);
    let adds = prop_oneof![3 => Just(false), 1 => Just(true)];
    let flags = (any::<bool>(), adds, any::<bool>(), prop_oneof![Just(0), -64..64, any::<i32>()], any::<u64>());
    (flags, prop::sample::select(types.to_vec()), place, pattern, astray, masks()).prop_map(
        |((store, adds, generic, offset, salt), types, (of, at), pattern, astray, mask)| Step {
            store,
            adds: adds && matches!(types, (U32, U32) | (I32, I32) | (U64, U64) | (I64, I64)),
            generic,
            types,
            of,
            at,
            pattern,
            astray,
            mask,
            offset,
            salt,
        },
    )
}

impl Step {
    fn active(&self, width: usize) -> LaneMask {
        LaneMask(self.mask) & LaneMask::first(width)
    }

    /// Bytes of a lane's value.
    fn bytes(&self) -> u64 {
        u64::from(self.types.0.bits() / 8)
    }

    /// Whether the addresses have 32 bits.
    fn is_narrow(&self, space: AddressSpace) -> bool {
        space.has_window() && self.salt.is_multiple_of(2)
    }

    /// The space that the instruction names, and each lane's address.
    fn addresses(&self, model: &Model) -> (AddressSpace, Vec<u64>) {
        let (count, there) = (self.bytes(), &model.there);
        let (space, start, size, _) = there[self.of % there.len()];
        let window = if self.generic { space.window() } else { 0 };
        let start = start.next_multiple_of(count) + window;
        let near = |at: u64| start + at * count % size.max(1) / count * count;
        let address = |lane: u64| match &self.pattern {
            Pattern::Steps(step) => near(self.at) + step * lane * count,
            Pattern::Exchanged(bits) => near(self.at / 64 * 64) + (lane ^ bits) * count,
            Pattern::Anywhere(at) => near(at[lane as usize]),
            Pattern::Mixed(of) => {
                let (other, start, ..) = there[of[lane as usize] as usize % there.len()];
                start.next_multiple_of(count) + if self.generic { other.window() } else { 0 }
            }
        };
        let space = if self.generic { AddressSpace::Generic } else { space };
        let astray = |lane: u64| if lane as usize == self.astray.0 { self.astray.1 } else { 0 };
        let bits = |address: u64| if self.is_narrow(space) { u64::from(address as u32) } else { address };
        (space, (0..64).map(|lane| bits(address(lane).wrapping_add(astray(lane)))).collect())
    }
}

/// The registers of a step, and the access.
fn prepared(step: &Step, space: AddressSpace, addresses: &[u64], width: usize) -> (Registers, AddressAccess) {
    let (ty, register) = step.types;
    let [value, dst] =
        [VALUE, RESULT].map(|row| if register.bits() == 64 { Place::Wide(row) } else { Place::Word(row) });
    let base = if step.is_narrow(space) { Place::Word(BASE) } else { Place::Wide(BASE) };
    let mut rows = Registers::new(width, 4, 4, 0);
    rows.activate(step.active(width));
    // Among them numbers that are none.
    let nan = if step.salt.is_multiple_of(3) { 0x7ff << 52 | 0xff << 23 } else { 0 };
    for (lane, address) in addresses.iter().enumerate().take(width) {
        rows.set(base, lane, address.wrapping_sub(i64::from(step.offset) as u64));
        rows.set(value, lane, held((lane as u64 + 1).wrapping_mul(step.salt) | nan, register, register));
        rows.set(dst, lane, OLD + lane as u64);
    }
    let kind = match step {
        Step { adds: true, .. } => {
            let op = AtomicOp::Add;
            AddressKind::Atomic { op, meaning: atomic_meaning(op, ty), operands: [Some(value), None], dst: Some(dst) }
        }
        Step { store: true, .. } => AddressKind::Store { value },
        _ => AddressKind::Load { dst },
    };
    (rows, AddressAccess { kind, space, ty, register, base, offset: step.offset })
}

/// What the model's lanes do one after the other: what each loads, and which one cannot.
fn one_by_one(
    model: &mut Model,
    step: &Step,
    (access, rows): (&AddressAccess, &Registers),
    addresses: &[u64],
    width: usize,
) -> (HashMap<usize, u64>, Option<usize>) {
    let ((ty, register), mut loaded) = (step.types, HashMap::new());
    let fault = step.active(width).lanes().find(|&lane| {
        let (address, count) = (addresses[lane], step.bytes());
        let done = if let AddressKind::Atomic { operands: [Some(value), _], .. } = access.kind {
            model.load(access.space, address, count, lane).and_then(|old| {
                loaded.insert(lane, held(old, ty, register));
                model.store(access.space, address, count, lane, old.wrapping_add(rows.get(value, lane)))
            })
        } else if let AddressKind::Store { value } = access.kind {
            let bits = match (ty, rows.get(value, lane)) {
                (ScalarType::F32, bits) if f32::from_bits(bits as u32).is_nan() => f32::NAN.to_bits().into(),
                (ScalarType::F64, bits) if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
                (_, bits) => bits,
            };
            model.store(access.space, addresses[lane], step.bytes(), lane, bits)
        } else {
            let bits = model.load(access.space, addresses[lane], step.bytes(), lane);
            bits.map(|bits| _ = loaded.insert(lane, held(bits, ty, register)))
        };
        done.is_none()
    });
    (loaded, fault)
}

/// Whether memory has what the model has, of some spaces.
fn compare(memory: &mut Memory<'_>, model: &Model, spaces: &[AddressSpace], width: usize) -> Result<(), TestCaseError> {
    let memory = memory.spaces.as_deref_mut().expect("the code has some");
    for &(space, start, size, _) in model.there.iter().filter(|(space, ..)| spaces.contains(space)) {
        for lane in 0..if space == AddressSpace::Local { width } else { 1 } {
            let (mut at, end) = (start, start + size);
            while at < end {
                let mut loads =
                    |count: u64| (memory.load(space, at, count as usize, lane), model.load(space, at, count, lane));
                // PERF: this is not optimised, so eight bytes together where both sides have them.
                let (count, (found, expected)) = match loads(8) {
                    of_eight @ (Some(_), Some(_)) => (8, of_eight),
                    _ => (1, loads(1)),
                };
                prop_assert_eq!(found, expected, "{:?} {}", space, at);
                at += count;
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn accesses_by_address_do_what_lanes_one_by_one_would(
        width in prop::sample::select(vec![4usize, 8, 16, 32, 64]),
        full in any::<bool>(),
        steps in prop::collection::vec(steps(), 1..12),
    ) {
        use AddressSpace::{Const, Global, Local, Param, Shared};
        let mut device = DeviceMemory::new();
        let (mut memory, mut model) = memory(&mut device, width, full);
        let before = model.clone();
        for step in steps.iter().filter(|step| !step.active(width).is_empty()) {
            let (space, addresses) = step.addresses(&model);
            let (mut rows, access) = prepared(step, space, &addresses, width);
            let written = |lane: usize| model.is_written(space, addresses[lane], step.bytes(), lane);
            let is_written = step.store && !step.adds || step.active(width).lanes().all(written);
            let (loaded, fault) = one_by_one(&mut model, step, (&access, &rows), &addresses, width);
            let active = step.active(width).lanes().map(|lane| addresses[lane]);
            let home = model.home(space, active, step.bytes()).map(|home| model.there[home]);
            let spaces = memory.spaces.as_deref_mut().expect("the code has some");
            let together = match step.adds {
                true => access.atomics_together(&mut rows, spaces, Portable),
                false => access.together(&mut rows, spaces, Portable),
            };
            if let (None, Some((space, start, ..))) = (fault, home)
                && start % step.bytes() == 0
                // The memory of a thread is no multiple of 8 bytes here. Zeros of what is not written are found one by one.
                && (space != Local || step.bytes() <= 4 && is_written)
            {
                prop_assert_eq!(together, Some(()), "all are in one place: {:?}", step);
            }
            let found = if together.is_some() { None } else { access.one_by_one(&mut rows, &mut memory) };
            prop_assert_eq!(found, fault, "{:?}", step);
            if fault.is_some() {
                break;
            }
            for lane in 0..width {
                if let AddressKind::Load { dst } | AddressKind::Atomic { dst: Some(dst), .. } = access.kind {
                    let expected = loaded.get(&lane).copied().unwrap_or(OLD + lane as u64);
                    prop_assert_eq!(rows.get(dst, lane), expected, "lane {} of {:?}", lane, step);
                }
            }
        }
        compare(&mut memory, &model, &[Const, Global, Local, Param, Shared], width)?;
        memory.restart();
        compare(&mut memory, &before, &[Global], width)?;
    }
}
