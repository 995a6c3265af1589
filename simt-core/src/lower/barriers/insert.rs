//! Code anew, with markers between its instructions.
//!
//! Markers stand before or behind an instruction, or on an edge between blocks. Those of the edge from the block before stand
//! in line; edges that end with the same markers share them; what cannot stand in line comes behind the kernel or function,
//! with a `join` to the block.

use super::place::Barriers;
use super::ways::Ways;
use super::{Item, Meeting, Placement, Point, last, loops, registers};
use crate::analysis::Divergence;
use crate::code::{Code, Inst, JumpKind, Marker, Markers, Modifier, Operand, Pc, TableId};
use crate::scalar::Constant;
use crate::source::Span;
use std::collections::BTreeMap;

/// Stands for the block before the entry of a kernel or function.
const OUTSIDE: usize = usize::MAX;

/// The markers to insert, by place.
#[derive(Default)]
pub(super) struct Items {
    /// Those before an instruction.
    before: BTreeMap<usize, Vec<Item>>,
    behind: BTreeMap<usize, Vec<Item>>,
    /// At the beginning of a block, behind those of the edges that lead to it.
    heads: BTreeMap<usize, Vec<Item>>,
    edges: BTreeMap<(usize, usize), Vec<Item>>,
}

impl Items {
    pub(super) fn new(
        code: &Code,
        graph: &Ways,
        divergence: &Divergence,
        placement: Placement,
        barriers: &Barriers,
    ) -> Self {
        let mut items = Self::default();
        let entered = |block: usize| {
            let outside = graph.entries.contains(&block).then_some(OUTSIDE);
            graph.predecessors[block].iter().copied().chain(outside)
        };
        // What participants have saved around a call comes back first.
        for &(block, barrier, reg) in &barriers.saved_at_calls {
            items.edges.entry((block, behind_call(graph, block))).or_default().push(Item::Restore(barrier, reg));
        }
        // Inner barriers meet first: they were set last.
        for (number, barrier) in barriers.list.iter().enumerate().rev() {
            let mut meet = vec![Item::Sync(number)];
            if let Some(reg) = barrier.spilled {
                meet.insert(0, Item::Restore(number, reg));
            }
            match barrier.meeting {
                Meeting::After(index) => items.behind.entry(index).or_default().extend(meet),
                Meeting::Head(join) => {
                    for from in barrier.arrivals(graph) {
                        items.edges.entry((from, join)).or_default().extend(&meet);
                    }
                }
            }
        }
        for l in loops::yielding(code, graph, divergence) {
            let span = |block: usize| code.spans[last(graph, block).index()];
            if placement.yield_at_head {
                items.heads.entry(l.header).or_default().push(Item::Yield(span(l.latches[0])));
                continue;
            }
            for &latch in &l.latches {
                let end = last(graph, latch);
                let edge = items.edges.get(&(latch, l.header));
                if matches!(code.inst(end), Inst::Jump { .. }) && edge.is_none() {
                    items.before.entry(end.index()).or_default().push(Item::Yield(span(latch)));
                } else {
                    items.edges.entry((latch, l.header)).or_default().push(Item::Yield(span(latch)));
                }
            }
        }
        // Outer barriers are set first.
        for (number, barrier) in barriers.list.iter().enumerate() {
            let mut set = vec![Item::Set(number)];
            set.extend(barrier.spilled.map(|reg| Item::Save(number, reg)));
            match barrier.point {
                Point::Tail(block) => items.before.entry(last(graph, block).index()).or_default().extend(set),
                Point::Loop(header) => {
                    let l = graph.loops.iter().find(|l| l.header == header);
                    for from in entered(header).filter(|&from| from == OUTSIDE || l.is_none_or(|l| !l.contains[from])) {
                        items.edges.entry((from, header)).or_default().extend(&set);
                    }
                }
            }
        }
        for (number, barrier) in barriers.list.iter().enumerate() {
            for &(from, next) in &barrier.breaks {
                items.leave(code, graph, number, from, next);
            }
        }
        for &(block, barrier, reg) in &barriers.saved_at_calls {
            items.before.entry(last(graph, block).index()).or_default().push(Item::Save(barrier, reg));
        }
        for &index in &barriers.parted {
            items.before.entry(index).or_default().push(Item::WarpSync(code.spans[index]));
        }
        items
    }

    /// The same, but no `yield`.
    pub(super) fn without_yields(mut self) -> Self {
        let Self { before, behind, heads, edges } = &mut self;
        let lists = before.values_mut().chain(behind.values_mut()).chain(heads.values_mut()).chain(edges.values_mut());
        lists.for_each(|list| list.retain(|item| !matches!(item, Item::Yield(_))));
        self
    }

    /// Rule 7: before the branch, where the condition says which lanes leave; else on the edge.
    fn leave(&mut self, code: &Code, graph: &Ways, barrier: usize, from: usize, next: usize) {
        let end = last(graph, from);
        let start = graph.cfg.starts[next];
        match *code.inst(end) {
            Inst::Branch { cond, when, target, .. } if target != end.next() => {
                let when = if target == start { when } else { !when };
                self.before.entry(end.index()).or_default().push(Item::Break(barrier, Some((cond, when))));
            }
            _ => self.edges.entry((from, next)).or_default().insert(0, Item::Break(barrier, None)),
        }
    }
}

fn behind_call(graph: &Ways, block: usize) -> usize {
    graph.cfg.block_of[graph.cfg.ends[block].index()]
}

/// An instruction of the new code.
enum Placed {
    /// An old one, by its address.
    Old(usize),
    Item(Item),
    /// A jump to a block's markers.
    Join(usize, Vec<Item>),
}

struct Writer<'a> {
    code: &'a Code,
    graph: &'a Ways,
    items: &'a Items,
    placed: Vec<Placed>,
    /// Addresses of the blocks' beginnings, with the markers that stand there before.
    labels: BTreeMap<(usize, Vec<Item>), u32>,
}

impl Writer<'_> {
    fn edge(&self, from: usize, block: usize) -> &[Item] {
        self.items.edges.get(&(from, block)).map_or(&[], Vec::as_slice)
    }

    fn items(&mut self, items: Option<&Vec<Item>>) {
        self.placed.extend(items.into_iter().flatten().map(|&item| Placed::Item(item)));
    }

    /// Markers that lead into a block that follows, each the place for edges that end with it and what is behind it.
    fn lead(&mut self, block: usize, items: &[Item]) {
        for (index, &item) in items.iter().enumerate() {
            self.labels.insert((block, items[index..].to_vec()), self.placed.len() as u32);
            self.placed.push(Placed::Item(item));
        }
    }

    fn block(&mut self, block: usize) {
        let start = self.graph.cfg.starts[block].index();
        let end = self.graph.cfg.ends[block].index();
        let is_entry = self.graph.entries.contains(&block);
        let before = block.checked_sub(1).filter(|_| !self.code.insts[start - 1].never_falls_through());
        let before = before.filter(|&before| self.graph.successors[before].contains(&block));
        let lead = match before {
            _ if is_entry => self.edge(OUTSIDE, block).to_vec(),
            Some(before) => self.edge(before, block).to_vec(),
            // The block before does not fall through: the longest list stands in line.
            None => {
                let lists = self.graph.predecessors[block].iter().map(|&from| self.edge(from, block).to_vec());
                lists.max_by_key(Vec::len).unwrap_or_default()
            }
        };
        self.lead(block, &lead);
        self.labels.insert((block, Vec::new()), self.placed.len() as u32);
        self.items(self.items.heads.get(&block));
        for index in start..end {
            self.items(self.items.before.get(&index));
            self.placed.push(Placed::Old(index));
            self.items(self.items.behind.get(&index));
        }
    }

    /// The markers of edges that could not stand in line, behind the kernel or function.
    fn aside(&mut self, blocks: impl Iterator<Item = usize>) {
        for block in blocks {
            for &from in &self.graph.predecessors[block] {
                let items = self.edge(from, block).to_vec();
                if self.labels.contains_key(&(block, items.clone())) {
                    continue;
                }
                for index in 0..items.len() {
                    let rest = items[index..].to_vec();
                    if self.labels.contains_key(&(block, rest.clone())) {
                        self.placed.push(Placed::Join(block, rest));
                        break;
                    }
                    self.labels.insert((block, rest), self.placed.len() as u32);
                    self.placed.push(Placed::Item(items[index]));
                    if index + 1 == items.len() {
                        self.placed.push(Placed::Join(block, Vec::new()));
                    }
                }
            }
        }
    }
}

/// The code with markers.
pub(super) fn insert(code: &Code, graph: &Ways, barriers: &Barriers, items: &Items) -> Code {
    let mut writer = Writer { code, graph, items, placed: Vec::new(), labels: BTreeMap::new() };
    let blocks = graph.cfg.starts.len();
    // First and last block of the kernel and of each function, and their addresses.
    let firsts: Vec<usize> = graph.entries.iter().copied().chain([blocks]).collect();
    let mut ends = Vec::new();
    for part in firsts.windows(2) {
        (part[0]..part[1]).for_each(|block| writer.block(block));
        writer.aside(part[0]..part[1]);
        ends.push(Pc(writer.placed.len() as u32));
    }
    let Writer { placed, labels, .. } = writer;
    let label = |block: usize, items: &[Item]| Pc(labels.get(&(block, items.to_vec())).copied().unwrap_or(0));
    let edge = |from: usize, block: usize| items.edges.get(&(from, block)).map_or(&[][..], Vec::as_slice);
    let goes = |from: usize, target: Pc| {
        let block = graph.cfg.block_of[target.index()];
        label(block, edge(from, block))
    };
    // Barriers go on behind their `bsync`.
    let mut targets = vec![Pc(0); barriers.list.len()];
    for (address, item) in placed.iter().enumerate() {
        if let Placed::Item(Item::Sync(barrier)) = *item {
            targets[barrier] = Pc(address as u32 + 1);
        }
    }
    let mut tables = code.tables.clone();
    let mut used = vec![false; tables.len()];
    let (mut insts, mut spans) = (Vec::with_capacity(placed.len()), Vec::with_capacity(placed.len()));
    let mut modifiers = Vec::new();
    for item in &placed {
        let (inst, span) = match item {
            Placed::Old(index) => {
                let from = graph.cfg.block_of[*index];
                let inst = match code.insts[*index] {
                    Inst::Branch { cond, when, target, leaves } => {
                        Inst::Branch { cond, when, target: goes(from, target), leaves }
                    }
                    Inst::Jump { target, kind } => Inst::Jump { target: goes(from, target), kind },
                    Inst::Call { function, target } => Inst::Call { function, target: goes(OUTSIDE, target) },
                    Inst::Indirect { index, table } => {
                        let moved = code.table(table).iter().map(|&target| goes(from, target)).collect();
                        let number = table.0 as usize;
                        // Instructions that share a table may go to different markers: each but the first gets a copy.
                        let table = if std::mem::replace(&mut used[number], true) {
                            tables.push(moved);
                            TableId(tables.len() as u32 - 1)
                        } else {
                            tables[number] = moved;
                            table
                        };
                        Inst::Indirect { index, table }
                    }
                    inst => inst,
                };
                (inst, code.spans[*index])
            }
            Placed::Item(item) => marker(*item, barriers, &targets),
            Placed::Join(block, items) => {
                (Inst::Jump { target: label(*block, items), kind: JumpKind::Join }, Span::default())
            }
        };
        insts.push(inst);
        spans.push(span);
        // Few codes have any.
        if !code.modifiers.is_empty() {
            modifiers.push(if let Placed::Old(index) = item { code.modifiers[*index] } else { Modifier::default() });
        }
    }
    let mut result = code.clone();
    for (number, function) in result.functions.iter_mut().enumerate() {
        function.entry = goes(OUTSIDE, function.entry);
        function.end = ends[number + 1];
    }
    (result.tables, result.reconvergence) = (tables, vec![None; insts.len()]);
    (result.insts, result.spans, result.modifiers) = (insts, spans, modifiers);
    let mut writes = vec![0; result.registers.len()];
    for inst in &result.insts {
        if let Inst::Marker(Marker::BarrierSave { dst, .. }) = inst {
            writes[dst.0 as usize] += 1;
        }
    }
    for (register, writes) in result.registers.iter_mut().zip(writes) {
        register.written_once |= writes == 1;
    }
    result
}

fn marker(item: Item, barriers: &Barriers, targets: &[Pc]) -> (Inst, Span) {
    let register = |number: usize| registers::of(&barriers.list[number]);
    let span_of = |number: usize| barriers.list[number].span;
    let (marker, span) = match item {
        Item::Set(number) => {
            (Marker::BarrierSet { barrier: register(number), target: targets[number] }, span_of(number))
        }
        Item::Sync(number) => (Marker::BarrierSync(register(number)), span_of(number)),
        Item::Break(number, cond) => {
            let when = cond.is_none_or(|(_, when)| when);
            let cond = cond.map(|(cond, _)| cond);
            (Marker::BarrierBreak { barrier: register(number), cond, when }, span_of(number))
        }
        Item::Save(number, dst) => (Marker::BarrierSave { dst, barrier: register(number) }, span_of(number)),
        Item::Restore(number, src) => {
            (Marker::BarrierRestore { barrier: register(number), src: Operand::Reg(src) }, span_of(number))
        }
        Item::Yield(span) => (Marker::Yield, span),
        Item::WarpSync(span) => (Marker::WarpSync(Operand::Const(Constant::of(u64::MAX))), span),
    };
    (Inst::Marker(marker), span)
}

/// The code without markers; what named one names the instruction behind it.
pub(super) fn without_markers(code: &Code) -> Code {
    let mut moved = Vec::with_capacity(code.insts.len() + 1);
    let mut next = 0;
    for inst in &code.insts {
        moved.push(Pc(next));
        next += u32::from(!inst.is_marker());
    }
    moved.push(Pc(next));
    let to = |pc: Pc| moved[pc.index()];
    let mut code = Code { markers: Markers::None, ..code.clone() };
    let stays: Vec<bool> = code.insts.iter().map(|inst| !inst.is_marker()).collect();
    let mut keep = stays.iter();
    code.insts.retain(|_| keep.next() == Some(&true));
    let mut keep = stays.iter();
    code.spans.retain(|_| keep.next() == Some(&true));
    let mut keep = stays.iter();
    code.modifiers.retain(|_| keep.next() == Some(&true));
    for inst in &mut code.insts {
        if let Some(target) = inst.target_mut() {
            *target = to(*target);
        }
    }
    for target in code.tables.iter_mut().flatten() {
        *target = to(*target);
    }
    for function in &mut code.functions {
        (function.entry, function.end) = (to(function.entry), to(function.end));
    }
    code.reconvergence = vec![None; code.insts.len()];
    code
}
