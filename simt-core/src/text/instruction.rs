//! The second pass: instructions by their mnemonics.

use super::cursor::{Read, scalar, type_names};
use super::error::{Place, Problem};
use super::lexer::Kind;
use super::message;
use super::operand::Reader;
use crate::code::{Inst, JumpKind, Marker, Operand, Pc, TableId, ValuesId};
use crate::ops::{Args, AtomicOp, BinaryOp, CompareOp, MachineOp, NumericOp, UnaryOp};
use crate::program::{AtomicOrder, BarrierOp, CollectiveOp, FenceScope, LoadAccess, Message, MessageId, StoreAccess};
use crate::scalar::ScalarType;

/// What instructions refer to by number.
#[derive(Debug, Default)]
pub(super) struct Pools {
    pub(super) messages: Vec<Message>,
    pub(super) values: Vec<Vec<(ScalarType, Operand)>>,
    pub(super) tables: Vec<Vec<Pc>>,
}

/// A predicate: a `bool`, and the value of it that executes the instruction.
pub(super) type Predicate = Option<(Operand, bool)>;

/// A mnemonic, taken apart at its points.
pub(super) struct Mnemonic<'m> {
    pub(super) parts: Vec<&'m str>,
    place: Place,
}

impl Mnemonic<'_> {
    pub(super) fn unknown<T>(&self, expected: impl Into<String>) -> Read<T> {
        Err(Problem::new(self.place, format!("there is no instruction `{}`", self.parts.join(".")), expected))
    }

    /// The type at a part.
    pub(super) fn ty(&self, part: usize) -> Read<ScalarType> {
        match self.parts.get(part).and_then(|name| scalar(name)) {
            Some(ty) => Ok(ty),
            None => self.unknown(format!(
                "{} behind `{}.`",
                type_names(),
                self.parts[..part.min(self.parts.len())].join(".")
            )),
        }
    }

    /// That nothing comes behind so many parts.
    pub(super) fn only(&self, parts: usize) -> Read<()> {
        if self.parts.len() <= parts { Ok(()) } else { self.unknown(format!("`{}`", self.parts[..parts].join("."))) }
    }

    /// The row of a table whose name a part is.
    pub(super) fn row<T: Copy>(&self, part: usize, rows: &[T], name: impl Fn(T) -> String) -> Read<T> {
        let text = self.parts.get(part).copied().unwrap_or_default();
        match rows.iter().copied().find(|&row| name(row) == text && !text.is_empty()) {
            Some(row) => Ok(row),
            None => {
                let names: Vec<_> = rows.iter().map(|&row| name(row)).filter(|name| !name.is_empty()).collect();
                self.unknown(format!(
                    "one of {} behind `{}.`",
                    names.join(" "),
                    self.parts[..part.min(self.parts.len())].join(".")
                ))
            }
        }
    }

    /// A cache operator behind a type, if there is one.
    fn access<T: Copy>(&self, rows: &[T], plain: T, name: fn(T) -> &'static str) -> Read<T> {
        if self.parts.len() < 3 { Ok(plain) } else { self.row(2, rows, |row| name(row).into()) }
    }
}

impl Reader<'_> {
    /// The instruction, without its predicate, up to `meet` or the end of the line.
    pub(super) fn instruction(&mut self, predicate: Predicate, pools: &mut Pools) -> Read<Inst> {
        let start = self.cursor.place();
        let mut parts = vec![self.cursor.word("an instruction")?];
        while self.cursor.take('.') {
            parts.push(self.cursor.word("the rest of the instruction's name")?);
        }
        let name = Mnemonic { parts, place: self.cursor.since(start) };
        if predicate.is_some() && !may_have_predicate(name.parts[0]) {
            let what = format!("`{}` takes no predicate", name.parts.join("."));
            return Err(Problem::new(name.place, what, instead_of_predicate(name.parts[0])));
        }
        if let Some(control) = self.control(&name, predicate, pools)? {
            return Ok(control);
        }
        if let Some(marker) = self.marker(&name, predicate)? {
            return Ok(Inst::Marker(marker));
        }
        if let Some(inst) = self.by_address(&name)? {
            return Ok(inst);
        }
        if let Some(inst) = self.memory(&name)? {
            return Ok(inst);
        }
        if let Some(inst) = self.together(&name)? {
            return Ok(inst);
        }
        self.computation(&name)
    }

    /// Instructions that go elsewhere, print or end.
    fn control(&mut self, name: &Mnemonic<'_>, predicate: Predicate, pools: &mut Pools) -> Read<Option<Inst>> {
        let inst = match name.parts[0] {
            "bra" | "brk" | "jmp" => return self.branch(name, predicate).map(Some),
            "join" => Inst::Jump { target: self.target()?, kind: JumpKind::Join },
            "cont" => Inst::Jump { target: self.target()?, kind: JumpKind::Continue },
            "brx" => {
                let index = self.read(ScalarType::U32)?;
                pools.tables.push(self.table()?);
                Inst::Indirect { index, table: TableId(pools.tables.len() as u32 - 1) }
            }
            "call" => Inst::Call { function: self.function()?, target: Pc(0) },
            "ret" => Inst::Return,
            "exit" => Inst::Exit,
            "print" | "panic" => {
                let counts = name.parts[0] == "print" && !matches!(self.cursor.peek(), Some(Kind::Quoted(_)));
                let dst = if counts { Some(self.write()?) } else { None };
                pools.messages.push(self.quoted(message::parsed)?);
                let mut shown = Vec::new();
                while !self.cursor.is_done() {
                    shown.push(self.shown()?);
                }
                pools.values.push(shown);
                let message = MessageId(pools.messages.len() as u32 - 1);
                let values = ValuesId(pools.values.len() as u32 - 1);
                match name.parts[0] {
                    "print" => Inst::Print { dst, message, values },
                    _ => Inst::Panic { message, values },
                }
            }
            _ => return Ok(None),
        };
        name.only(1)?;
        Ok(Some(inst))
    }

    /// `bra %p, L`, `bra.not %p, L`, `@%p bra L`, `bra L`; `brk` and `jmp` alike.
    fn branch(&mut self, name: &Mnemonic<'_>, predicate: Predicate) -> Read<Inst> {
        let not = name.parts.get(1) == Some(&"not");
        name.only(1 + usize::from(not && name.parts[0] != "jmp"))?;
        let leaves = name.parts[0] == "brk";
        let is_target = matches!(self.cursor.peek(), Some(Kind::Sign('@')))
            || matches!(self.cursor.peek(), Some(Kind::Word(_) | Kind::Quoted(_))) && self.is_label();
        let condition = match predicate {
            Some((_, _)) if not || !is_target => {
                return self.cursor.unexpected("an address or a label alone; the predicate is the condition");
            }
            Some(condition) => Some(condition),
            None if name.parts[0] != "jmp" && (not || !is_target) => Some((self.read(ScalarType::Bool)?, !not)),
            None => None,
        };
        let target = self.target()?;
        Ok(match condition {
            Some((cond, when)) => Inst::Branch { cond, when, target, leaves },
            None => Inst::Jump { target, kind: if leaves { JumpKind::Break } else { JumpKind::Plain } },
        })
    }

    /// Whether the word that is next stands alone, or before `meet`: then it is a label and not a condition.
    fn is_label(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.skip();
        let _ = ahead.take(',');
        ahead.is_done() || ahead.keyword("meet")
    }

    fn leave(&mut self, name: &Mnemonic<'_>, predicate: Predicate) -> Read<Marker> {
        let positive = name.parts.get(1) != Some(&"not");
        name.only(if positive { 1 } else { 2 })?;
        let (cond, when) = match predicate {
            Some((cond, holds)) => (Some(cond), holds == positive),
            None if self.barrier_next().is_some() && positive => (None, true),
            None => (Some(self.read(ScalarType::Bool)?), positive),
        };
        Ok(Marker::BarrierBreak { barrier: self.barrier()?, cond, when })
    }

    fn marker(&mut self, name: &Mnemonic<'_>, predicate: Predicate) -> Read<Option<Marker>> {
        let marker = match name.parts[0] {
            "ssy" => Marker::PushSync(self.target()?),
            "prebrk" => Marker::PushBreak(self.target()?),
            "precont" => Marker::PushContinue(self.target()?),
            "preret" => Marker::PushCall(self.target()?),
            "sync" => Marker::Pop,
            "yield" => Marker::Yield,
            "bssy" => Marker::BarrierSet { barrier: self.barrier()?, target: self.target()? },
            "bsync" => Marker::BarrierSync(self.barrier()?),
            "break" => return self.leave(name, predicate).map(Some),
            "bmov" if self.barrier_next().is_some() => {
                Marker::BarrierRestore { barrier: self.barrier()?, src: self.read(ScalarType::U64)? }
            }
            "bmov" => Marker::BarrierSave { dst: self.write()?, barrier: self.barrier()? },
            "warpsync" => Marker::WarpSync(self.read(ScalarType::U64)?),
            _ => return Ok(None),
        };
        name.only(1)?;
        Ok(Some(marker))
    }

    fn memory(&mut self, name: &Mnemonic<'_>) -> Read<Option<Inst>> {
        Ok(Some(match name.parts[0] {
            "ld" => {
                let ty = name.ty(1)?;
                let access = name.access(LoadAccess::ALL, LoadAccess::Plain, LoadAccess::name)?;
                name.only(3)?;
                let dst = self.write()?;
                let (slice, index) = self.element()?;
                Inst::Load { ty, dst, slice, index, access }
            }
            "st" => {
                let ty = name.ty(1)?;
                let access = name.access(StoreAccess::ALL, StoreAccess::Plain, StoreAccess::name)?;
                name.only(3)?;
                let (slice, index) = self.element()?;
                Inst::Store { ty, slice, index, value: self.read(ty)?, access }
            }
            "atom" => {
                let ty = name.ty(1)?;
                let op = name.row(2, AtomicOp::ALL, |op| op.name().into())?;
                let order = name.row(3, AtomicOrder::ALL, |order| order.name().to_ascii_lowercase())?;
                name.only(4)?;
                let dst = if self.cursor.is_sign('%') { Some(self.write()?) } else { None };
                let (slice, index) = self.element()?;
                let first = if op.operands() > 0 { Some(self.read(ty)?) } else { None };
                let second = if op.operands() > 1 { Some(self.read(ty)?) } else { None };
                Inst::Atomic { op, ty, dst, slice, index, first, second, order }
            }
            _ => match FenceScope::ALL.iter().find(|scope| scope.name() == name.parts[0]) {
                Some(&scope) => {
                    name.only(1)?;
                    Inst::Fence(scope)
                }
                None => return Ok(None),
            },
        }))
    }

    /// Operations of lanes and threads together.
    fn together(&mut self, name: &Mnemonic<'_>) -> Read<Option<Inst>> {
        if name.parts[0] == "bar" {
            let op = name.row(1, BarrierOp::ALL, |op| op.name().into())?;
            name.only(2)?;
            let reduces = op.result().is_some();
            let dst = if reduces { Some(self.write()?) } else { None };
            let value = if reduces { Some(self.read(ScalarType::Bool)?) } else { None };
            if op == BarrierOp::Grid {
                return Ok(Some(Inst::Barrier { op, dst, index: None, threads: None, value }));
            }
            let index = if self.cursor.is_done() || self.nothing()? { None } else { Some(self.read(ScalarType::U32)?) };
            let threads = if self.cursor.is_done() { None } else { Some(self.read(ScalarType::U32)?) };
            return Ok(Some(Inst::Barrier { op, dst, index, threads, value }));
        }
        let Some(&op) = CollectiveOp::ALL.iter().find(|op| op.name() == name.parts[0]) else { return Ok(None) };
        let named = name.parts.get(1) == Some(&"mask");
        let typed = usize::from(named) + 1;
        let moved = if op.is_typed() { name.ty(typed)? } else { ScalarType::Bool };
        name.only(typed + usize::from(op.is_typed()))?;
        let operands = usize::from(named) + op.operands();
        // A result that is not used is not there; then there is one part less.
        let dst = if op.result(moved).is_some() && self.parts_left() > operands { Some(self.write()?) } else { None };
        let ty = if op.is_typed() || dst.is_none() { moved } else { op.result(moved).unwrap_or(moved) };
        let mask = if named { Some(self.read(ScalarType::U64)?) } else { None };
        let value = if op.operands() > 0 { Some(self.read(moved)?) } else { None };
        let lane = if op.operands() > 1 { Some(self.read(ScalarType::U32)?) } else { None };
        Ok(Some(Inst::Collective { op, ty, dst, mask, value, lane }))
    }

    /// How many parts with commas between them are left.
    fn parts_left(&self) -> usize {
        let mut ahead = self.cursor.clone();
        if ahead.is_done() {
            return 0;
        }
        let mut parts = 1;
        while !ahead.is_done() {
            parts += usize::from(ahead.is_sign(','));
            ahead.skip();
        }
        parts
    }

    fn computation(&mut self, name: &Mnemonic<'_>) -> Read<Inst> {
        match name.parts[0] {
            "mov" => {
                let ty = name.ty(1)?;
                name.only(2)?;
                return Ok(Inst::Move { ty, dst: self.write()?, src: self.read(ty)? });
            }
            "mad" => {
                let ty = name.ty(1)?;
                name.only(2)?;
                let dst = self.write()?;
                return Ok(Inst::MulAdd {
                    ty,
                    dst,
                    left: self.read(ty)?,
                    right: self.read(ty)?,
                    addend: self.read(ty)?,
                });
            }
            "sel" => {
                let ty = name.ty(1)?;
                name.only(2)?;
                let (dst, cond) = (self.write()?, self.read(ScalarType::Bool)?);
                return Ok(Inst::Select { ty, dst, cond, then: self.read(ty)?, otherwise: self.read(ty)? });
            }
            "cvt" => {
                let (to, from) = (name.ty(1)?, name.ty(2)?);
                name.only(3)?;
                return Ok(Inst::Cast { from, to, dst: self.write()?, src: self.read(from)? });
            }
            _ => {}
        }
        let whole = name.parts.join(".");
        if let Some(&op) = MachineOp::ALL.iter().find(|op| op.name() == whole) {
            let dst = self.write()?;
            let args = match *op.args() {
                [a] => Args::One([self.read(a)?]),
                [a, b] => Args::Two([self.read(a)?, self.read(b)?]),
                [a, b, c] => Args::Three([self.read(a)?, self.read(b)?, self.read(c)?]),
                _ => unreachable!("an operation of the table has one to three operands"),
            };
            return Ok(Inst::Machine { op, dst, args });
        }
        let operation = name.parts[0];
        let inst = if let Some(&op) = UnaryOp::ALL.iter().find(|op| op.name() == operation) {
            let ty = name.ty(1)?;
            Inst::Unary { op, ty, dst: self.write()?, src: self.read(ty)? }
        } else if let Some(&op) = BinaryOp::ALL.iter().find(|op| op.name() == operation) {
            let ty = name.ty(1)?;
            let (dst, left) = (self.write()?, self.read(ty)?);
            let right = self.read(if op.is_shift() { ScalarType::U32 } else { ty })?;
            Inst::Binary { op, ty, dst, left, right }
        } else if let Some(&op) = CompareOp::ALL.iter().find(|op| op.name() == operation) {
            let ty = name.ty(1)?;
            Inst::Compare { op, ty, dst: self.write()?, left: self.read(ty)?, right: self.read(ty)? }
        } else if let Some(&op) = NumericOp::ALL.iter().find(|op| op.name() == operation) {
            let ty = name.ty(1)?;
            let dst = self.write()?;
            let args = match *op.args() {
                [a] => Args::One([self.read(a.of(ty))?]),
                [a, b] => Args::Two([self.read(a.of(ty))?, self.read(b.of(ty))?]),
                [a, b, c] => Args::Three([self.read(a.of(ty))?, self.read(b.of(ty))?, self.read(c.of(ty))?]),
                _ => unreachable!("a numeric method has one to three operands"),
            };
            Inst::Numeric { op, ty, dst, args }
        } else {
            return name.unknown("an instruction; the docs of the module `text` list them");
        };
        name.only(2)?;
        Ok(inst)
    }
}

/// Whether some lanes may execute an instruction alone: what tells the reconvergence mechanism something is for all.
fn may_have_predicate(mnemonic: &str) -> bool {
    !matches!(
        mnemonic,
        "join" | "ssy" | "prebrk" | "precont" | "preret" | "sync" | "yield" | "bssy" | "bsync" | "bmov" | "warpsync"
    )
}

/// What to write for an instruction that some of the lanes are to execute.
fn instead_of_predicate(mnemonic: &str) -> &'static str {
    match mnemonic {
        "ssy" | "prebrk" | "precont" | "preret" => {
            "it without one: the token has all lanes that run, and those that need none leave it by the same `sync`, `brk`, \
             `cont` or `ret`"
        }
        "sync" => "a branch to a `sync` of its own",
        _ => "it without one: all threads that are there execute it",
    }
}
