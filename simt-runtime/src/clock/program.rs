//! The needs of each instruction of a kernel, by address: its class, its registers, and the memory that it touches.

use crate::config::{OpClass, OpTiming, OpTimings};
use crate::hierarchy::{AccessKind, CacheOperator};
use crate::memory;
use crate::plan::{Extended, LaneOp, Place, Plan, slot};
use simt_core::ScalarType;
use simt_core::code::{AddressSpace, Code, Inst, Operand, Pc};
use simt_core::ops::{BinaryOp, NumericOp};
use simt_core::program::{ArraySpace, LoadAccess, Memory, ParamKind, StoreAccess};
use smallvec::SmallVec;

/// An instruction, as the clock sees it.
#[derive(Clone, Debug)]
pub(crate) struct Timing {
    pub(crate) class: OpClass,
    /// How long operations of its class take.
    pub(crate) op: OpTiming,
    /// The register that gets the result, and all that it has to wait for: that one, and those that are read.
    pub(crate) dst: Option<u32>,
    pub(crate) registers: SmallVec<[u32; 4]>,
    pub(crate) access: Option<Touch>,
    pub(crate) kind: Kind,
    /// Whether it is a branch or a call: where a policy may hold lanes back for others.
    pub(crate) branches: bool,
    /// Whether no other thread can tell when it is executed.
    pub(crate) keeps_to_itself: bool,
}

/// The special property of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No special property.
    Plain,
    /// Determines where threads go: the next instruction is not known before it is done.
    Control,
    /// Not an instruction of its own: it takes no time.
    Free,
    /// Waits until the stores of the thread have arrived.
    Fence,
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) space: Space,
    /// The address where the slice or array begins.
    pub(crate) base: u64,
    /// Bytes of an element.
    pub(crate) bytes: u32,
    /// Elements of one thread, of a local array; of local memory by address 0.
    pub(crate) length: u64,
    /// The operand that has the index, or the address.
    pub(crate) index: Place,
    /// Bytes from one index to the next: of an address, 1.
    pub(crate) stride: u64,
    /// The predicate of its guard and the value that executes it, if it has one.
    pub(crate) guard: Option<(u16, bool)>,
    pub(crate) kind: AccessKind,
    pub(crate) operator: CacheOperator,
}

/// The memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
    Local,
    /// A `#[constant]` slice: its cache gives one address at a time to all lanes that want it.
    Constant,
    /// Each address says which: lanes may be in different ones.
    Generic,
}

/// Slices begin at multiples of it, as those that a driver allocates (CUDA C++ Programming Guide: 256 bytes).
const ALIGNMENT: u64 = 256;

/// The addresses where slices and arrays begin: slices one after the other, those that overlap in one place, then local
/// arrays, of all threads; shared arrays in the memory of their block.
fn bases(code: &Code, places: &[memory::Place], threads: u64) -> Vec<u64> {
    let mut bases = Vec::with_capacity(code.params.len() + code.arrays.len());
    let mut next = ALIGNMENT;
    let mut begun: Vec<(u16, u64)> = Vec::new();
    for (param, place) in code.params.iter().zip(places) {
        let bytes = u64::from(param.kind.element().map_or(0, bytes));
        let known = begun.iter().find(|(memory, _)| *memory == place.memory).map(|&(_, base)| base);
        let base = known.unwrap_or_else(|| {
            let end = (next + place.length as u64 * bytes).next_multiple_of(ALIGNMENT);
            std::mem::replace(&mut next, end)
        });
        begun.push((place.memory, base));
        bases.push(base + place.start as u64 * bytes);
    }
    let mut shared = 0u64;
    for array in &code.arrays {
        let size = u64::from(array.length) * u64::from(bytes(array.element));
        match array.space {
            ArraySpace::Shared => {
                shared = shared.next_multiple_of(8);
                bases.push(shared);
                shared += size;
            }
            ArraySpace::Local => {
                bases.push(next);
                next = (next + size * threads).next_multiple_of(ALIGNMENT);
            }
        }
    }
    bases
}

/// Where the slices lie that a kernel only reads, in their order: first byte and bytes.
pub(crate) fn copied(code: &Code, places: &[memory::Place]) -> Vec<(u64, u64)> {
    let bases = bases(code, places, 0);
    let slices = code.params.iter().zip(places).zip(bases);
    let read = slices.filter_map(|((param, place), base)| match param.kind {
        ParamKind::Slice { element, writable: false } => Some((base, place.length as u64 * u64::from(bytes(element)))),
        _ => None,
    });
    read.collect()
}

fn bytes(element: ScalarType) -> u32 {
    element.bits().div_ceil(8)
}

/// The instructions of a plan by address, with the times of their classes; slices lie at these places, and the launch has so
/// many threads.
pub(crate) fn timings(plan: &Plan, of: &OpTimings, places: &[memory::Place], threads: u64) -> Vec<Timing> {
    let code = &plan.code;
    let bases = bases(code, places, threads);
    let register = |operand| if let Operand::Reg(register) = operand { Some(register.0) } else { None };
    let timed = code.insts.iter().map(|inst| (inst, class(inst))).enumerate();
    let timing = |(at, (inst, class)): (usize, (&Inst, OpClass))| Timing {
        class,
        op: of.of(class),
        dst: inst.destination().map(|register| register.0),
        registers: (code.reads(Pc(at as u32)).filter_map(register))
            .chain(inst.destination().map(|register| register.0))
            .collect(),
        access: touch(plan, Pc(at as u32), &bases),
        kind: match inst {
            inst if !code.is_counted(Pc(at as u32)) && !inst.is_marker() => Kind::Free,
            Inst::Fence(_) => Kind::Fence,
            inst if inst.is_control() => Kind::Control,
            _ => Kind::Plain,
        },
        keeps_to_itself: plan.keeps_to_itself(Pc(at as u32)),
        branches: matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. } | Inst::Call { .. }),
    };
    timed.map(timing).collect()
}

fn touch(plan: &Plan, at: Pc, bases: &[u64]) -> Option<Touch> {
    let code = &plan.code;
    if code.inst(at).address().is_some() {
        return by_address(plan, at);
    }
    let (slice, element, kind, operator) = match *code.inst(at) {
        Inst::Load { slice, ty, access, .. } => (slice, ty, AccessKind::Load, of_load(access)),
        Inst::Store { slice, ty, access, .. } => (slice, ty, AccessKind::Store, of_store(access)),
        Inst::Atomic { slice, ty, .. } => (slice, ty, AccessKind::Atomic, CacheOperator::Global),
        _ => return None,
    };
    let segment = plan.segments.get(at.index())?;
    // The access is the last operation of its instruction.
    let index = plan.origins[segment.start as usize..segment.end as usize].last()?.index?;
    let (space, length) = match slice {
        Memory::Param(param) => match code.params[param.0 as usize].kind {
            ParamKind::Constant { .. } => (Space::Constant, 0),
            _ => (Space::Global, 0),
        },
        Memory::Array(array) => {
            let array = &code.arrays[array.0 as usize];
            let space = if array.space == ArraySpace::Shared { Space::Shared } else { Space::Local };
            (space, u64::from(array.length))
        }
    };
    let base = bases.get(usize::from(slot(code, slice))).copied()?;
    let (bytes, guard) = (bytes(element), guard(plan, at));
    Some(Touch { space, base, bytes, length, index, stride: bytes.into(), guard, kind, operator })
}

/// What an access by address touches.
fn by_address(plan: &Plan, at: Pc) -> Option<Touch> {
    let (address, ty, kind, operator) = match *plan.code.inst(at) {
        Inst::LoadAt { at, ty, access, .. } => (at, ty, AccessKind::Load, of_load(access)),
        Inst::StoreAt { at, ty, access, .. } => (at, ty, AccessKind::Store, of_store(access)),
        Inst::AtomicAt { at, ty, .. } => (at, ty, AccessKind::Atomic, CacheOperator::Global),
        _ => return None,
    };
    let segment = plan.segments.get(at.index())?;
    let index = plan.origins[segment.start as usize..segment.end as usize].last()?.index?;
    let space = match address.space {
        AddressSpace::Generic => Space::Generic,
        AddressSpace::Global => Space::Global,
        AddressSpace::Shared => Space::Shared,
        AddressSpace::Local => Space::Local,
        AddressSpace::Const | AddressSpace::Param => Space::Constant,
    };
    let base = i64::from(address.offset) as u64;
    let guard = guard(plan, at);
    Some(Touch { space, base, bytes: bytes(ty), length: 0, index, stride: 1, guard, kind, operator })
}

/// The predicate of an instruction's guard, and the value that executes it.
fn guard(plan: &Plan, at: Pc) -> Option<(u16, bool)> {
    plan.code.guard(at)?;
    let segment = plan.segments.get(at.index())?;
    let micros = plan.micros.get(segment.start as usize..segment.end as usize)?;
    micros.iter().find_map(|micro| match plan.extended.get(micro.extended()) {
        Some(Extended::Guarded(guarded)) if micro.op == LaneOp::Extended => Some((guarded.predicate, guarded.when)),
        _ => None,
    })
}

const fn of_load(access: LoadAccess) -> CacheOperator {
    match access {
        LoadAccess::Plain | LoadAccess::Ca => CacheOperator::Cached,
        LoadAccess::Cg => CacheOperator::Global,
        LoadAccess::Cs => CacheOperator::Streaming,
        LoadAccess::Cv | LoadAccess::Volatile => CacheOperator::Volatile,
    }
}

const fn of_store(access: StoreAccess) -> CacheOperator {
    match access {
        StoreAccess::Plain | StoreAccess::Wb => CacheOperator::Cached,
        StoreAccess::Cg => CacheOperator::Global,
        StoreAccess::Cs => CacheOperator::Streaming,
        StoreAccess::Wt => CacheOperator::WriteThrough,
        StoreAccess::Volatile => CacheOperator::Volatile,
    }
}

fn class(inst: &Inst) -> OpClass {
    match *inst {
        Inst::Binary { op: BinaryOp::Mul, ty, .. } if !ty.is_float() => OpClass::Multiply,
        Inst::Binary { op: BinaryOp::Div | BinaryOp::Rem, ty, .. } => {
            if ty.is_float() {
                OpClass::Special
            } else {
                OpClass::Divide
            }
        }
        Inst::Move { ty, .. }
        | Inst::Select { ty, .. }
        | Inst::Compare { ty, .. }
        | Inst::Unary { ty, .. }
        | Inst::Binary { ty, .. } => of_type(ty),
        Inst::MulAdd { .. } => OpClass::Multiply,
        Inst::Cast { from, to, .. } => {
            if from.bits() == 64 && from.is_float() || to.bits() == 64 && to.is_float() {
                OpClass::Double
            } else if from.is_float() || to.is_float() {
                OpClass::Single
            } else {
                of_type(to)
            }
        }
        Inst::Numeric { op, ty, .. } => numeric(op, ty),
        Inst::Machine { op, .. } if op.result().is_float() => OpClass::Special,
        Inst::Machine { op, .. } => of_type(op.args()[0]),
        Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Atomic { .. }
        | Inst::LoadAt { .. }
        | Inst::StoreAt { .. }
        | Inst::AtomicAt { .. } => OpClass::Access,
        Inst::ConvertAddress { .. } | Inst::InSpace { .. } => OpClass::Long,
        Inst::Collective { .. } => OpClass::Exchange,
        Inst::Fence(_) | Inst::Print { .. } | Inst::Panic { .. } => OpClass::Integer,
        Inst::Barrier { .. }
        | Inst::Branch { .. }
        | Inst::Jump { .. }
        | Inst::Indirect { .. }
        | Inst::Call { .. }
        | Inst::Return
        | Inst::Exit
        | Inst::Marker(_) => OpClass::Control,
    }
}

fn of_type(ty: ScalarType) -> OpClass {
    match (ty.is_float(), ty.bits() == 64) {
        (true, true) => OpClass::Double,
        (true, false) => OpClass::Single,
        (false, true) => OpClass::Long,
        (false, false) => OpClass::Integer,
    }
}

/// Methods that hardware has as one instruction are of their type's class; the others have the class of functions.
fn numeric(op: NumericOp, ty: ScalarType) -> OpClass {
    match op {
        NumericOp::Min
        | NumericOp::Max
        | NumericOp::Clamp
        | NumericOp::Abs
        | NumericOp::Signum
        // The classes of those that wrap: no instructions are counted for the test.
        | NumericOp::StrictAdd
        | NumericOp::StrictSub
        | NumericOp::StrictNeg
        | NumericOp::StrictAbs
        | NumericOp::StrictShl
        | NumericOp::StrictShr
        | NumericOp::StrictAddSigned
        | NumericOp::StrictSubSigned
        | NumericOp::StrictAddUnsigned
        | NumericOp::StrictSubUnsigned => of_type(ty),
        NumericOp::StrictDiv | NumericOp::StrictRem => OpClass::Divide,
        _ if ty.is_float() => OpClass::Special,
        _ => OpClass::Multiply,
    }
}
