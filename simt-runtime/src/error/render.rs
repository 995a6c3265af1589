//! Launch errors as text, in the layout of rustc.

use super::{ArgumentError, ArgumentProblem, Fault, FaultKind, LaunchError, ProgramError, StepLimit, ThreadPlace};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use simt_core::{LaneMask, Source, Span};
use std::ops::Range;

pub(super) fn render(error: &LaunchError) -> String {
    match error {
        LaunchError::Grid { kernel, error } => plain("grid", &error.to_string(), &[format!("kernel `{kernel}`")], ""),
        LaunchError::Config { kernel, error } => {
            plain("config", &error.to_string(), &[format!("kernel `{kernel}`")], "")
        }
        LaunchError::Argument(error) => argument(error),
        LaunchError::Program(error) => program(error),
        LaunchError::Fault(error) => fault(error),
        LaunchError::StepLimit(error) => step_limit(error),
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
        ArgumentProblem::Mismatch => (
            format!("argument `{param}` is not of the kind that the kernel's program declares"),
            "call the kernel like a function, so that its arguments are checked",
        ),
    };
    plain("argument", &title, &[format!("kernel `{kernel}`")], help)
}

fn program(error: &ProgramError) -> String {
    let notes = [format!("kernel `{}`", error.kernel)];
    snippet("program", &error.message, &error.source, &[(error.span, String::new())], &notes, "")
}

fn fault(fault: &Fault) -> String {
    let (id, title, label, help) = match &fault.kind {
        FaultKind::OutOfBounds { slice, index, length, write } => {
            let verb = if *write { "written" } else { "read" };
            (
                "out-of-bounds",
                format!("index {index} is out of bounds of `{slice}`, whose length is {length}"),
                format!("`{slice}[{index}]` {verb} here"),
                bounds_help(slice, *index, *length, &fault.thread),
            )
        }
        FaultKind::DivisionByZero { dividend } => (
            "division-by-zero",
            format!("{dividend} is divided by zero"),
            "the divisor is 0 here".into(),
            "test the divisor first: `if d != 0 { n / d } else { .. }`".into(),
        ),
        FaultKind::RemainderByZero { dividend } => (
            "division-by-zero",
            format!("the remainder of {dividend} by zero is taken"),
            "the divisor is 0 here".into(),
            "test the divisor first: `if d != 0 { n % d } else { .. }`".into(),
        ),
    };
    let notes = [
        format!("in kernel `{}`: {}", fault.kernel, place(&fault.thread)),
        format!("active lanes {} under {}", fault.active.digits(fault.warp_width), fault.policy),
    ];
    snippet(id, &title, &fault.source, &[(fault.span, label)], &notes, &help)
}

/// The commonest mistake is a grid that is larger than the slice.
fn bounds_help(slice: &str, index: usize, length: usize, thread: &ThreadPlace) -> String {
    if index == thread.global_id {
        format!(
            "the grid has more threads than `{slice}` has elements: turn the others away first, \
             `if i >= {slice}.len() {{ return; }}`"
        )
    } else if index > u32::MAX as usize - (1 << 16) {
        let below = (u64::from(u32::MAX) + 1) as usize - index;
        format!("the index wrapped around below zero, by {below}: test before subtracting")
    } else if length == 0 {
        format!("`{slice}` is empty: was the right slice passed?")
    } else {
        format!("the largest index is {}: test it before the access, or pass a longer slice", length - 1)
    }
}

fn step_limit(stop: &StepLimit) -> String {
    let title = format!("a warp issued {} instructions and had not ended", stop.limit);
    let mut seen: Vec<(Span, LaneMask)> = Vec::new();
    for &(mask, span) in &stop.splits {
        match seen.iter_mut().find(|(known, _)| known.line == span.line) {
            Some((_, lanes)) => *lanes |= mask,
            None => seen.push((span, mask)),
        }
    }
    let places: Vec<_> = seen
        .iter()
        .enumerate()
        .map(|(number, (span, mask))| {
            let what = if number == 0 { "running" } else { "waiting" };
            (*span, format!("{what}: lanes {}", mask.digits(stop.warp_width)))
        })
        .collect();
    let notes = [
        format!("in kernel `{}`: block {}, warp {}, under {}", stop.kernel, stop.block, stop.warp, stop.policy),
        format!("lowest running lane: {}", place(&stop.thread)),
    ];
    let help = "if the loop is only long, raise the limit with `gpu.with_step_limit(n)`; if it waits for another lane of \
                its warp, that lane may be waiting for it";
    snippet("step-limit", &title, &stop.source, &places, &notes, help)
}

fn place(thread: &ThreadPlace) -> String {
    let ThreadPlace { block, thread, global_id, warp, lane } = thread;
    format!("block {block}, thread {thread}, which is global_id() {global_id}, lane {lane} of warp {warp}")
}

fn plain(id: &str, title: &str, notes: &[String], help: &str) -> String {
    snippet(id, title, &Source::default(), &[], notes, help)
}

fn snippet(id: &str, title: &str, source: &Source, places: &[(Span, String)], notes: &[String], help: &str) -> String {
    let id = format!("simt::{id}");
    let mut elements: Vec<Element<'_>> = Vec::new();
    let known: Vec<_> = places.iter().filter_map(|(span, label)| Some((byte_range(source, *span)?, label))).collect();
    let mut notes = notes.to_vec();
    if known.is_empty() {
        notes.extend(
            places
                .iter()
                .filter(|(span, _)| span.is_known())
                .map(|(span, label)| format!("at {}:{span} {label}", source.file)),
        );
    } else {
        let mut shown =
            Snippet::source(source.text.as_ref()).path(source.file.as_ref()).line_start(source.first_line as usize);
        for (number, (range, label)) in known.into_iter().enumerate() {
            let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range);
            shown = shown.annotation(if label.is_empty() { annotation } else { annotation.label(label.as_str()) });
        }
        elements.push(shown.into());
    }
    elements.extend(notes.iter().map(|note| Level::NOTE.message(note.as_str()).into()));
    if !help.is_empty() {
        elements.push(Level::HELP.message(help).into());
    }
    let group: Group<'_> = Level::ERROR.primary_title(title).id(id.as_str()).elements(elements);
    Renderer::plain().render(&[group]).to_string()
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
    fn spans_become_byte_ranges_by_characters() {
        let source = Source { file: "k.rs".into(), first_line: 10, text: "fn k() {\n  let é = x[1];\n}".into() };
        let range = byte_range(&source, Span::new(11, 11, 11, 15)).unwrap();
        assert_eq!(&source.text[range], "x[1]");
        assert_eq!(byte_range(&source, Span::new(9, 1, 9, 2)), None);
        assert_eq!(byte_range(&source, Span::default()), None);
    }
}
