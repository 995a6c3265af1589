//! The code that ran, as text and as a graph.

use serde::{Deserialize, Serialize};
use simt_core::analysis::reconvergence_points;
use simt_core::code::{Cfg, Code, Inst, Pc};

/// The code of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The instructions, by address.
    pub instructions: Vec<Instruction>,
    /// The texts that it was written as: the kernel's, then those of the functions that it calls.
    pub sources: Vec<SourceText>,
    /// The basic blocks, by address.
    pub blocks: Vec<Block>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instruction {
    /// Its text.
    pub text: String,
    /// What is special about it.
    pub kind: InstructionKind,
    /// The number of the text that it was written in.
    pub source: u32,
    /// The line of that text's file, from 1 on; 0 is none.
    pub line: u32,
}

/// What is special about an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// Nothing.
    #[default]
    Plain,
    /// It only serves reconvergence.
    Marker,
    /// Lanes may part there.
    Branch,
    /// Lanes wait there for others.
    Barrier,
    /// It accesses memory.
    Memory,
    /// Threads end there.
    Exit,
}

/// A text that code was written as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// Its file.
    pub file: String,
    /// The line of the file on which it begins.
    pub first_line: u32,
    /// The text.
    pub text: String,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The address of its first instruction.
    pub first: u32,
    /// The address behind its last instruction.
    pub end: u32,
    /// The blocks that may come next. Of a branch, the one behind it comes first, then the one that it leads to.
    pub next: Vec<u32>,
    /// The address where lanes meet that part at its end.
    pub meet: Option<u32>,
}

impl Listing {
    /// That of a code.
    pub fn of(code: &Code) -> Self {
        let meets = reconvergence_points(code);
        let cfg = Cfg::new(code);
        let blocks = cfg.starts.iter().zip(&cfg.ends).zip(&cfg.successors).map(|((first, end), next)| Block {
            first: first.0,
            end: end.0,
            next: next.iter().map(|&block| block as u32).collect(),
            meet: meets[end.index() - 1].map(|pc| pc.0),
        });
        let sources = std::iter::once(&code.source).chain(code.functions.iter().map(|function| &function.source));
        let texts = code.instructions();
        let instructions = texts.into_iter().zip(0..).map(|(text, pc)| {
            let pc = Pc(pc);
            Instruction {
                // The mnemonic stands in a column of its own in listings.
                text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                kind: kind(code.inst(pc)),
                source: code.function_at(pc).map_or(0, |(function, _)| function.0 + 1),
                line: code.spans.get(pc.index()).map_or(0, |span| span.line),
            }
        });
        Self {
            instructions: instructions.collect(),
            sources: sources
                .map(|source| SourceText {
                    file: source.file.to_string(),
                    first_line: source.first_line,
                    text: source.text.to_string(),
                })
                .collect(),
            blocks: blocks.collect(),
        }
    }

    /// The text of a line of a source.
    pub fn line(&self, source: u32, line: u32) -> Option<&str> {
        let source = self.sources.get(source as usize)?;
        source.text.lines().nth(line.checked_sub(source.first_line)? as usize)
    }
}

fn kind(inst: &Inst) -> InstructionKind {
    match inst {
        _ if inst.is_marker() => InstructionKind::Marker,
        Inst::Branch { .. } | Inst::Indirect { .. } => InstructionKind::Branch,
        Inst::Barrier { .. } | Inst::Collective { .. } => InstructionKind::Barrier,
        Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Atomic { .. }
        | Inst::LoadAt { .. }
        | Inst::StoreAt { .. }
        | Inst::AtomicAt { .. } => InstructionKind::Memory,
        Inst::Exit => InstructionKind::Exit,
        _ => InstructionKind::Plain,
    }
}
