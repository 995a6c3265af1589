//! The source lines that the instructions of a code come from.

use simt_core::Source;
use simt_core::code::Code;
use std::collections::BTreeMap;
use std::iter;

/// A source line that instructions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// The file: the kernel's, or that of a function it calls.
    pub(crate) file: String,
    /// Line of the file (1-based); 0 collects instructions that stand on no line.
    pub(crate) line: u32,
    /// Its text, without the blanks around it.
    pub(crate) text: String,
}

/// The lines of a code.
///
/// PERF: found once for a plan. Found for each launch, they took a fifth of the time of small ones: random kernels, in tests.
#[derive(Clone, Debug)]
pub(crate) struct SourceLines {
    /// Those of the kernel's own file first, then by the name of the file.
    lines: Vec<SourceLine>,
    /// By address, the place of its line among them.
    places: Vec<u32>,
}

impl SourceLines {
    pub(super) fn of(code: &Code) -> Self {
        let sources: Vec<&Source> =
            iter::once(&code.source).chain(code.functions.iter().map(|function| &function.source)).collect();
        let mut source_of = vec![0; code.insts.len()];
        for (number, function) in code.functions.iter().enumerate() {
            source_of[function.entry.index()..function.end.index()].fill(number + 1);
        }
        // Files as numbers in their order, so that no names are compared for each instruction.
        let names = sources.iter().map(|source| (source.file != code.source.file, &*source.file));
        let mut files: BTreeMap<_, u32> = names.clone().map(|name| (name, 0)).collect();
        files.values_mut().zip(0..).for_each(|(file, number)| *file = number);
        let files: Vec<u32> = names.map(|name| files[&name]).collect();
        let lines = code.spans.iter().map(|span| span.line);
        let keys: Vec<_> = source_of.iter().zip(lines).map(|(&source, line)| (files[source], line)).collect();

        // Of two functions on one line the text is the first one's.
        let mut first = BTreeMap::new();
        for (&key, &source) in keys.iter().zip(&source_of) {
            first.entry(key).or_insert(source);
        }
        // Generated code can have many lines: they are split only once.
        let texts: Vec<Vec<&str>> = sources.iter().map(|source| source.text.lines().collect()).collect();
        let line = |(&(_, line), &source): (&(u32, u32), &usize)| {
            let Source { file, first_line, .. } = sources[source];
            let index = line.checked_sub(*first_line);
            let text = index.and_then(|index| texts[source].get(index as usize)).copied().unwrap_or_default();
            SourceLine { file: file.to_string(), line, text: text.trim().to_string() }
        };
        let lines = first.iter().map(line).collect();
        let ranks: BTreeMap<_, u32> = first.into_keys().zip(0..).collect();
        Self { lines, places: keys.iter().map(|key| ranks[key]).collect() }
    }

    /// The lines; those of the kernel's own file first.
    pub(crate) fn lines(&self) -> &[SourceLine] {
        &self.lines
    }

    /// The places among the lines of the instructions, by address.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.places.iter().map(|&place| place as usize)
    }
}
