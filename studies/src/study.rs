//! A paper's evaluation: figures, each with its page, and what the text says.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use crate::claims::{List, markdown};
use crate::compare::Compare;
use crate::page::Page;
use crate::programs::Scale;
use crate::runner::{Needs, Results, run};
use crate::snapshot;
use crate::store::Store;

/// A figure or table of a paper.
pub(crate) struct Figure {
    /// The name on the command line and of its files.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) needs: fn(&mut Needs, Scale),
    pub(crate) page: fn(&Results, Scale) -> Result<Page, String>,
}

/// The evaluation of one paper, or of several on one subject.
pub(crate) struct Study {
    /// The name on the command line and of its folder.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) figures: &'static [Figure],
    /// Judges what the text says, of which all is known that the figures need.
    pub(crate) claims: fn(&mut List<'_>, Scale),
}

/// The name of the page of claims on the command line.
const CLAIMS: &str = "claims";

/// How a study is run.
pub(crate) struct How<'h> {
    pub(crate) scale: Scale,
    pub(crate) output: &'h Path,
    /// Threads of the host.
    pub(crate) threads: NonZeroUsize,
    pub(crate) compare: Option<Compare>,
}

impl Study {
    /// The figures that are wanted: all, if none is named.
    fn wanted(&self, names: &[String]) -> Result<Vec<&'static Figure>, String> {
        let known =
            |name: &&String| name.as_str() != CLAIMS && self.figures.iter().all(|figure| figure.name != name.as_str());
        if let Some(name) = names.iter().find(known) {
            let all: Vec<&str> = self.figures.iter().map(|figure| figure.name).chain([CLAIMS]).collect();
            return Err(format!("there is no figure `{name}`: name some of {}", all.join(", ")));
        }
        let is_wanted = |figure: &&Figure| names.is_empty() || names.iter().any(|name| name == figure.name);
        Ok(self.figures.iter().filter(is_wanted).collect())
    }

    /// Runs what the figures need, and writes their pages; what is printed.
    ///
    /// # Errors
    /// If a launch fails, a name is not known, a file cannot be written, or numbers have moved.
    pub(crate) fn run(&self, names: &[String], how: &How<'_>) -> Result<String, String> {
        let &How { scale, output, threads, ref compare } = how;
        let figures = self.wanted(names)?;
        let is_part = !names.is_empty();
        let judged = !is_part || names.iter().any(|name| name == CLAIMS);
        let mut needs = Needs::default();
        // Claims are judged by all figures.
        let needed = if judged { self.figures.iter().collect() } else { figures.clone() };
        needed.iter().for_each(|figure| (figure.needs)(&mut needs, scale));
        let title = format!("{}, {scale:?}", self.name);
        let expected = compare.as_ref().map(|compare| compare.expected(&title, &needs, is_part)).transpose()?.flatten();
        let results = run(&needs, scale, threads, &Store::new(&output.join("points"))?)?;

        let folder = output.join(format!("{}{}", self.name, if scale == Scale::Full { "" } else { "-quick" }));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: cannot be created: {error}", folder.display()))?;
        let mut text = String::new();
        let mut index = format!("# {}\n\n", self.title);
        for figure in figures {
            let page = (figure.page)(&results, scale)?;
            let markdown = page.markdown(figure.title);
            let is_number = !figure.name.starts_with(char::is_alphabetic);
            let file = format!("{}{}.md", if is_number { "figure-" } else { "" }, figure.name);
            write(&folder, &file, &markdown)?;
            page.pictures.iter().try_for_each(|(name, svg)| write(&folder, name, svg))?;
            // A `write!` to a string cannot fail.
            let _ = writeln!(index, "* [{}]({file})", figure.title);
            text += &markdown;
            text.push('\n');
        }
        if judged {
            let mut list = List::new(&results);
            (self.claims)(&mut list, scale);
            let markdown = markdown(&list.claims);
            write(&folder, "claims.md", &markdown)?;
            index += "* [Claims](claims.md)\n";
            text += &markdown;
        }
        if !is_part {
            write(&folder, "README.md", &index)?;
        }
        let _ = writeln!(text, "\n{}", folder.display());
        // The pages show what has moved, so they are written before it is told.
        if let Some(compare) = compare {
            compare.finish(expected.as_deref(), &snapshot::text(&title, &results), is_part)?;
        }
        Ok(text)
    }
}

fn write(folder: &Path, file: &str, text: &str) -> Result<(), String> {
    let path = folder.join(file);
    fs::write(&path, text).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use crate::options::Named;

    #[test]
    fn every_figure_of_a_study_has_its_own_name() {
        for study in Named::value_variants().iter().map(|named| named.study()) {
            for (number, figure) in study.figures.iter().enumerate() {
                assert!(study.figures[..number].iter().all(|other| other.name != figure.name), "{}", figure.name);
            }
        }
    }
}
