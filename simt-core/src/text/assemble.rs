//! From the text to the code.

use super::cursor::Read;
use super::declare::{Declared, span};
use super::error::{AssembleError, Place, Problem};
use super::instruction::{Pools, Predicate};
use super::lines::{self, Line, Lines};
use super::operand::Reader;
use crate::analysis::reconvergence_points;
use crate::code::{Code, CodeFunction, Guard, Inst, Markers, Modifier, Operand, Pc};
use crate::program::Validated;
use crate::source::{Source, Span};

/// Where threads that part at a branch meet, as far as the text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meet {
    /// Not said: where the analysis finds it.
    Nearest,
    /// `meet none`
    None,
    /// `meet @12`
    At(Pc),
}

/// The instructions of a text as they come up.
struct Assembly<'t> {
    lines: &'t [Line],
    insts: Vec<Inst>,
    spans: Vec<Span>,
    modifiers: Vec<Modifier>,
    meets: Vec<Meet>,
    pools: Pools,
    /// For each instruction its line, its own place, and those of its slots.
    places: Vec<(usize, Place, Vec<Place>)>,
}

/// The code of a text that is named `file`.
pub(super) fn assemble(text: &str, file: &str) -> Result<Validated<Code>, AssembleError> {
    let Lines { mut declared, lines, len } = lines::read(text, file)?;
    let error = |number: u32, problem: Problem| {
        let line = text.lines().nth(number.saturating_sub(1) as usize).unwrap_or_default();
        problem.on(number, line, file)
    };
    let mut assembly = Assembly {
        lines: &lines,
        insts: Vec::new(),
        spans: Vec::new(),
        modifiers: Vec::new(),
        meets: Vec::new(),
        pools: Pools::default(),
        places: Vec::new(),
    };
    for (index, line) in lines.iter().enumerate() {
        assembly.line(index, &declared).map_err(|problem| error(line.number, problem))?;
    }
    let Assembly { mut insts, spans, mut modifiers, meets, pools, places, .. } = assembly;
    if modifiers.iter().all(|modifier| *modifier == Modifier::default()) {
        modifiers.clear();
    }
    let source = Source { file: file.to_string().into(), first_line: 1, text: text.to_string().into() };
    let functions = functions(&declared, &insts, len, &source);
    for inst in &mut insts {
        if let Inst::Call { function, target } = inst {
            *target = functions[function.0 as usize].entry;
        }
    }
    let numbered = |(number, problem)| error(number, problem);
    let registers = std::mem::take(&mut declared.registers).finish().map_err(numbered)?;
    let arrays = std::mem::take(&mut declared.arrays).finish().map_err(numbered)?;
    let symbols = declared.finish_symbols().map_err(numbered)?;
    let markers = declared.markers.unwrap_or_else(|| family(&insts));
    let meet = |meet: &Meet| if let Meet::At(pc) = *meet { Some(pc) } else { None };
    let code = Code {
        name: declared.name,
        source,
        params: declared.params,
        registers,
        functions,
        arrays,
        symbols,
        messages: pools.messages,
        values: pools.values,
        tables: pools.tables,
        reconvergence: meets.iter().map(meet).collect(),
        insts,
        spans,
        modifiers,
        markers,
        launch_bounds: declared.launch_bounds,
    };
    let code = code.validate().map_err(|mistake| {
        let place = mistake.pc().and_then(|pc| places.get(pc.index()));
        match place {
            Some((line, whole, slots)) => {
                let place = mistake.slot().and_then(|slot| slots.get(slot)).unwrap_or(whole);
                error(lines[*line].number, Problem::new(*place, mistake.message(), mistake.expected()))
            }
            None => {
                let span = mistake.span().filter(|span| span.is_known()).unwrap_or(Span::new(1, 1, 1, 2));
                let place = Place { start: span.column, end: span.end_column };
                error(span.line, Problem::new(place, mistake.message(), mistake.expected()))
            }
        }
    })?;
    if markers == Markers::PostDominators {
        let mut code = code.into_inner();
        let nearest = reconvergence_points(&code);
        let chosen = |(meet, nearest): (&Meet, Option<Pc>)| match *meet {
            Meet::Nearest => nearest,
            Meet::None => None,
            Meet::At(pc) => Some(pc),
        };
        code.reconvergence = meets.iter().zip(nearest).map(chosen).collect();
        return Ok(Validated::trusted(code));
    }
    Ok(code)
}

/// The family of a text that names none.
fn family(insts: &[Inst]) -> Markers {
    let markers = || insts.iter().filter_map(|inst| if let Inst::Marker(marker) = inst { Some(marker) } else { None });
    match markers().next() {
        None => Markers::None,
        Some(_) if markers().any(|marker| marker.is_token()) => Markers::Tokens,
        Some(_) => Markers::HanoiBarriers,
    }
}

/// The functions, from what was declared and how they call each other.
fn functions(declared: &Declared, insts: &[Inst], len: u32, source: &Source) -> Vec<CodeFunction> {
    let starts: Vec<u32> = declared.functions.iter().map(|function| function.entry).chain([len]).collect();
    let callees = |function: usize| -> Vec<usize> {
        let body = &insts[starts[function] as usize..starts[function + 1] as usize];
        let callee =
            |inst: &Inst| if let Inst::Call { function, .. } = inst { Some(function.0 as usize) } else { None };
        body.iter().filter_map(callee).collect()
    };
    let callees: Vec<_> = (0..declared.functions.len()).map(callees).collect();
    let calls_itself = |function: usize| {
        let (mut seen, mut pending) = (vec![false; callees.len()], callees[function].clone());
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                pending.extend(&callees[next]);
            }
        }
        seen[function]
    };
    let function = |(index, function): (usize, &super::declare::Function)| CodeFunction {
        name: function.name.clone().into(),
        source: source.clone(),
        entry: Pc(starts[index]),
        end: Pc(starts[index + 1]),
        recursive: function.recursive || calls_itself(index),
    };
    declared.functions.iter().enumerate().map(function).collect()
}

impl Assembly<'_> {
    fn line(&mut self, index: usize, declared: &Declared) -> Read<()> {
        let line = &self.lines[index];
        let tokens = &line.tokens[line.start..];
        let cursor = super::cursor::Cursor::new(tokens);
        let start = cursor.place();
        let mut reader = Reader { cursor, declared, owner: line.owner, slots: Vec::new(), begun: false };
        let continues = reader.cursor.take('+');
        let mut predicate: Predicate = None;
        if reader.cursor.take('@') {
            let holds = !reader.cursor.take('!');
            predicate = Some((reader.predicate()?, holds));
        }
        let around = match reader.cursor.peek() {
            Some(super::lexer::Kind::Word(word)) if lines::is_branched_around(word) => predicate,
            _ => None,
        };
        if let Some((cond, holds)) = around {
            let branch = Inst::Branch { cond, when: !holds, target: Pc(line.pc + 2), leaves: false };
            let slots = std::mem::take(&mut reader.slots);
            self.push(index, branch, Meet::Nearest, reader.cursor.since(start), slots);
        }
        let guard = match reader.cursor.peek() {
            Some(super::lexer::Kind::Word(word)) if around.is_none() && !lines::is_conditional(word) => predicate,
            _ => None,
        };
        if guard.is_some() {
            // Slots are those of the instruction itself.
            reader.slots.clear();
        }
        let inst = reader.instruction(predicate, &mut self.pools)?;
        let meet = self.meet(&mut reader, &inst)?;
        reader.cursor.finish()?;
        self.push(index, inst, meet, reader.cursor.since(start), reader.slots);
        if let Some(last) = self.modifiers.last_mut() {
            if let Some((Operand::Reg(reg), when)) = guard {
                last.guard = Some(Guard { reg, when });
            }
            last.continues = continues;
        }
        Ok(())
    }

    /// `, meet @12`
    fn meet(&self, reader: &mut Reader<'_>, inst: &Inst) -> Read<Meet> {
        if !matches!(inst, Inst::Branch { .. } | Inst::Indirect { .. }) || !reader.cursor.take(',') {
            return Ok(Meet::Nearest);
        }
        if !reader.cursor.keyword("meet") {
            return reader.cursor.unexpected("`meet` and an address, or the end of the line");
        }
        // A label may have that name.
        let is_label = declared_label(reader);
        if !is_label && reader.cursor.keyword("none") {
            Ok(Meet::None)
        } else {
            Ok(Meet::At(reader.slot(Reader::address)?))
        }
    }

    fn push(&mut self, line: usize, inst: Inst, meet: Meet, place: Place, slots: Vec<Place>) {
        self.insts.push(inst);
        self.spans.push(span(self.lines[line].number, place));
        self.modifiers.push(Modifier::default());
        self.meets.push(meet);
        self.places.push((line, place, slots));
    }
}

/// Whether there is a label called `none`.
fn declared_label(reader: &Reader<'_>) -> bool {
    reader.declared.labels.contains_key(&(reader.owner, "none".to_string()))
}
