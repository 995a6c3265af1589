//! What is wrong with a module: all of it in one go.

use crate::span::Span;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use std::fmt;

/// How much of a line is kept for the message, in bytes: a file may be one line.
const EXCERPT: usize = 160;

/// Something that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What is said of the marked place: what was expected there.
    pub label: String,
    /// What to do.
    pub help: String,
    /// The line of the text; of a long one what is around the place.
    pub source_line: String,
    /// How many bytes of the line stand before that.
    cut: usize,
}

impl Problem {
    pub(crate) fn new(text: &Lines<'_>, span: Span, message: impl Into<String>) -> Problem {
        let (source_line, cut) = text.excerpt(span);
        Problem { span, message: message.into(), label: String::new(), help: String::new(), source_line, cut }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = help.into();
        self
    }

    fn render(&self, file: &str) -> String {
        let line = &self.source_line;
        let boundary = |at: usize| line.floor_char_boundary(at.min(line.len()));
        let start = boundary((self.span.column as usize).saturating_sub(1 + self.cut));
        let end = boundary(start + self.span.length as usize).max(start);
        let snippet = Snippet::source(line.as_str())
            .line_start(self.span.line as usize)
            .path(file)
            .annotation(AnnotationKind::Primary.span(start..end).label(&self.label));
        let mut elements: Vec<Element<'_>> = vec![snippet.into()];
        if !self.help.is_empty() {
            elements.push(Level::HELP.message(self.help.as_str()).into());
        }
        let title = Level::ERROR.primary_title(self.message.as_str());
        Renderer::plain().render(&[Group::with_title(title).elements(elements)])
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render("ptx"))
    }
}

/// The instruction or directive of a kind that is out of scope, and how often it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// How it is written, modifiers and all.
    pub name: String,
    /// Why it is out of scope, and what to write instead.
    pub reason: &'static str,
    /// How often it is there.
    pub count: usize,
    /// Where it is first.
    pub first: Span,
}

/// All that is wrong with a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// What is wrong, in the order of the text; at most [`Problems::MOST`].
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
    /// What is out of scope, in the order of its first place; of at most [`Problems::MOST`] names.
    pub unsupported: Vec<Unsupported>,
}

impl Problems {
    /// How many problems are kept: those behind follow mostly from the first.
    pub const MOST: usize = 100;

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty() && self.unsupported.is_empty()
    }

    pub(crate) fn push(&mut self, problem: impl FnOnce() -> Problem) {
        if self.problems.len() < Problems::MOST {
            self.problems.push(problem());
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn push_unsupported(&mut self, name: String, reason: &'static str, first: Span) {
        if let Some(known) = self.unsupported.iter_mut().find(|known| known.name == name) {
            known.count += 1;
        } else if self.unsupported.len() < Problems::MOST {
            self.unsupported.push(Unsupported { name, reason, count: 1, first });
        } else {
            self.more += 1;
        }
    }

    /// Puts all of both into one.
    pub(crate) fn join(&mut self, mut other: Problems) {
        self.problems.append(&mut other.problems);
        self.problems.sort_by_key(|problem| (problem.span.line, problem.span.column));
        self.more += other.more + self.problems.len().saturating_sub(Problems::MOST);
        self.problems.truncate(Problems::MOST);
        self.unsupported.append(&mut other.unsupported);
    }

    /// The text of all, with the name of the file.
    #[must_use]
    pub fn render(&self, file: &str) -> String {
        let mut parts: Vec<String> = self.problems.iter().map(|problem| problem.render(file)).collect();
        if !self.unsupported.is_empty() {
            let mut list = String::from("error: the file has what is out of scope");
            for Unsupported { name, reason, count, first } in &self.unsupported {
                let times = if *count == 1 { "once".to_string() } else { format!("{count} times") };
                list.push_str(&format!("\n  `{name}` {times}, first at {file}:{first}: {reason}"));
            }
            parts.push(list);
        }
        if self.more > 0 {
            parts.push(format!("error: {} more problems, which may follow from those above", self.more));
        }
        parts.join("\n\n")
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render("ptx"))
    }
}

impl std::error::Error for Problems {}

/// A text by lines.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)));
        Lines { text, starts: starts.collect() }
    }

    /// The line of a place, and how much of its beginning is left out.
    fn excerpt(&self, span: Span) -> (String, usize) {
        let Some(&start) = self.starts.get((span.line as usize).saturating_sub(1)) else { return Default::default() };
        let rest = self.text.get(start as usize..).unwrap_or_default();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.len() <= EXCERPT {
            return (line.to_string(), 0);
        }
        let from = line.floor_char_boundary((span.column as usize).saturating_sub(EXCERPT / 2));
        let to = line.floor_char_boundary((from + EXCERPT).min(line.len()));
        (line[from..to].to_string(), from)
    }
}
