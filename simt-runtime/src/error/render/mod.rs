//! Launch errors as text, in the layout of rustc.

mod check;
mod fault;
mod race;
mod stop;

use super::{ArgumentError, ArgumentProblem, Called, LaunchError, ProgramError, SourcePlace, ThreadPlace};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use simt_core::{Source, Span};
use std::ops::Range;

pub(super) fn render(error: &LaunchError) -> String {
    match error {
        LaunchError::Grid { kernel, error } => plain("grid", &error.to_string(), &[format!("kernel `{kernel}`")], ""),
        LaunchError::Config { kernel, error } => {
            plain("config", &error.to_string(), &[format!("kernel `{kernel}`")], "")
        }
        LaunchError::Device { kernel, error } => {
            plain("device-memory", &error.to_string(), &[format!("kernel `{kernel}`")], "")
        }
        LaunchError::Memory { kernel, stuck } => {
            plain("memory", &stuck.to_string(), &[format!("kernel `{kernel}`")], "give the caches more ways")
        }
        LaunchError::Argument(error) => argument(error),
        LaunchError::Program(error) => program(error),
        LaunchError::Fault(error) => fault::render(error),
        LaunchError::StepLimit(error) => stop::step_limit(error),
        LaunchError::Livelock(error) => stop::livelock(error),
        LaunchError::Deadlock(error) => stop::deadlock(error),
        LaunchError::CycleLimit(error) => stop::cycle_limit(error),
        LaunchError::WorkLimit(error) => stop::work_limit(error),
        LaunchError::TimeLimit(error) => stop::time_limit(error),
        LaunchError::Check(error) => check::render(error),
        LaunchError::Policy(error) => check::broken_law(error),
    }
}

fn argument(error: &ArgumentError) -> String {
    let ArgumentError { kernel, param, problem } = error;
    let (title, help) = match problem {
        ArgumentProblem::TooBig { value, index: None } => (
            format!("argument `{param}` is {value}, which does not fit the device's 32-bit `usize`"),
            "pass a `u64` or `i64` instead",
        ),
        ArgumentProblem::TooBig { value, index: Some(index) } => (
            format!("`{param}[{index}]` is {value}, which does not fit the device's 32-bit `usize`"),
            "pass a slice of `u64` or `i64` instead",
        ),
        ArgumentProblem::TooLong { length } => (
            format!("argument `{param}` has {length} elements, more than the device's 32-bit `usize` can index"),
            "launch the kernel on parts of the slice",
        ),
        ArgumentProblem::Count { expected, found } => (
            format!("{found} arguments for {expected} parameters"),
            "pass one `Argument` for each parameter, in their order; a `#[kernel]` is called like a function, and rustc counts",
        ),
        ArgumentProblem::InUse { by, elsewhere: false } => (
            format!("the atomics of `{param}` are in use by a launch of `{by}` from within which this one was started"),
            "a launch has its atomics to itself: start this one when that has ended, or pass it other atomics",
        ),
        ArgumentProblem::InUse { by, elsewhere: true } => (
            format!(
                "the atomics of `{param}` are in use by a launch of `{by}` on another thread, which waits for a launch of this thread"
            ),
            "launches that observers start, and that have atomics in common, must not wait for each other in a circle",
        ),
        ArgumentProblem::OtherAtomics { with } => (
            format!("the slices of `{param}` and of `{with}` overlap, but have atomics of different types"),
            "pass atomics of one type, or slices that do not overlap",
        ),
        ArgumentProblem::Mismatch { expected, found } => (
            format!("the argument for `{expected}` is {found}"),
            "make the argument as its parameter asks for: `Argument::scalar`, `slice`, `slice_mut`, `constant`, `atomic`",
        ),
    };
    plain("argument", &title, &[format!("kernel `{kernel}`")], help)
}

fn program(error: &ProgramError) -> String {
    let function =
        error.function.as_ref().map_or(String::new(), |function| format!("function `{function}`, called by "));
    let notes = [format!("{function}kernel `{}`", error.kernel)];
    let place = SourcePlace { span: error.span, source: error.source.clone() };
    snippet("program", &error.message, &[(place, String::new())], &notes, "")
}

fn thread_place(thread: &ThreadPlace) -> String {
    let ThreadPlace { block, thread, global_id, warp, lane } = thread;
    format!("block {block}, thread {thread}, which is global_id() {global_id}, lane {lane} of warp {warp}")
}

/// Most printed lines shown.
const PRINTED: usize = 10;

/// The last lines that a thread printed.
fn printed(lines: &[String]) -> Option<String> {
    let shown = &lines[lines.len().saturating_sub(PRINTED)..];
    let more = match lines.len() - shown.len() {
        0 => String::new(),
        more => format!(" {more} lines and then"),
    };
    (!lines.is_empty()).then(|| format!("the thread had printed{more}:\n{}", shown.join("\n")))
}

/// Where functions were called, with a label for each.
fn called_here(called: &Called) -> impl Iterator<Item = (SourcePlace, String)> {
    called.iter().map(|(name, place)| (place.clone(), format!("`{name}` called here")))
}

fn plain(id: &str, title: &str, notes: &[String], help: &str) -> String {
    snippet(id, title, &[], notes, help)
}

/// A text at some bytes of a source.
type Label<'a> = (Range<usize>, AnnotationKind, &'a str);

/// An error with its places in the source, the first of which is where it happened.
fn snippet(id: &str, title: &str, places: &[(SourcePlace, String)], notes: &[String], help: &str) -> String {
    let id = format!("simt::{id}");
    let mut notes = notes.to_vec();
    // The texts that the places are in, each with its places.
    let mut shown: Vec<(&Source, Vec<Label<'_>>)> = Vec::new();
    for (place, label) in places {
        let Some(range) = byte_range(&place.source, place.span) else {
            if place.span.is_known() {
                notes.push(format!("at {}:{} {label}", named(&place.source), place.span));
            }
            continue;
        };
        let kind = if shown.is_empty() { AnnotationKind::Primary } else { AnnotationKind::Context };
        match shown.iter_mut().find(|(source, _)| **source == place.source) {
            Some((_, ranges)) => ranges.push((range, kind, label)),
            None => shown.push((&place.source, vec![(range, kind, label)])),
        }
    }
    let mut elements: Vec<Element<'_>> = Vec::new();
    for (source, ranges) in shown {
        let mut snippet =
            Snippet::source(source.text.as_ref()).path(named(source)).line_start(source.first_line as usize);
        for (range, kind, label) in ranges {
            let annotation = kind.span(range);
            snippet = snippet.annotation(if label.is_empty() { annotation } else { annotation.label(label) });
        }
        elements.push(snippet.into());
    }
    elements.extend(notes.iter().map(|note| Level::NOTE.message(note.as_str()).into()));
    if !help.is_empty() {
        elements.push(Level::HELP.message(help).into());
    }
    let group: Group<'_> = Level::ERROR.primary_title(title).id(id.as_str()).elements(elements);
    Renderer::plain().render(&[group]).to_string()
}

/// The name of a text; code that was parsed without one has none.
fn named(source: &Source) -> &str {
    if source.file.is_empty() { "<code>" } else { &source.file }
}

/// The bytes of the text that a span covers; none if it is not in the text.
fn byte_range(source: &Source, span: Span) -> Option<Range<usize>> {
    let offset = |line: u32, column: u32| {
        let index = line.checked_sub(source.first_line)? as usize;
        let before: usize = source.text.split_inclusive('\n').take(index).map(str::len).sum();
        let text = source.line(line)?;
        let within = text.char_indices().nth(column.checked_sub(1)? as usize).map_or(text.len(), |(byte, _)| byte);
        Some(before + within)
    };
    let start = offset(span.line, span.column)?;
    let end = offset(span.end_line, span.end_column)?;
    (start <= end && span.is_known()).then_some(start..end.max(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_without_a_name_has_a_place() {
        let source = Source { file: "".into(), first_line: 1, text: "a\n  exit".into() };
        let at = |line| (SourcePlace { span: Span::new(line, 3, line, 5), source: source.clone() }, String::new());
        let text = snippet("fault", "title", &[at(2), at(7)], &[], "");
        assert!(text.contains("--> <code>:2:3") && text.contains("at <code>:7:3"), "{text}");
    }

    #[test]
    fn spans_become_byte_ranges_by_characters() {
        let source = Source { file: "k.rs".into(), first_line: 10, text: "fn k() {\n  let é = x[1];\n}".into() };
        let range = byte_range(&source, Span::new(11, 11, 11, 15)).unwrap();
        assert_eq!(&source.text[range], "x[1]");
        assert_eq!(byte_range(&source, Span::new(9, 1, 9, 2)), None);
        assert_eq!(byte_range(&source, Span::default()), None);
    }
}
