//! A paper's evaluation: figures, each with its page, and what the text says.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::claims::{List, markdown};
use crate::page::Page;
use crate::programs::Scale;
use crate::runner::{Needs, Results, Store, run};
use crate::snapshot;

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

/// What is done with the file of numbers that are to be.
pub(crate) enum Compare {
    Check(PathBuf),
    Bless(PathBuf),
}

impl Compare {
    /// What the file holds of a study, of which all is known before anything is run; none of one that is to be written.
    ///
    /// # Errors
    /// If it cannot be read or written, is another study's, or there is nothing to compare.
    fn expected(&self, study: &str, needs: &Needs, is_part: bool) -> Result<Option<String>, String> {
        let others = |text: &str| match text.lines().next() {
            Some(first) if first != study => Some(first.to_string()),
            _ => None,
        };
        match self {
            Self::Bless(_) if is_part => {
                Err("--bless writes the numbers of the whole study: name no figures".to_string())
            }
            Self::Bless(file) => {
                may_be_written(file).map_err(|error| format!("{}: cannot be written: {error}", file.display()))?;
                match fs::read_to_string(file).ok().as_deref().and_then(others) {
                    Some(other) => Err(format!(
                        "{} has the numbers of `{other}`, and these are of `{study}`: name another file, or remove it",
                        file.display()
                    )),
                    None => Ok(None),
                }
            }
            Self::Check(_) if needs.are_none() => {
                Err("--check compares what is measured, and nothing is for this figure: name others, or none"
                    .to_string())
            }
            Self::Check(file) => {
                let say = |error| format!("{}: cannot be read: {error}; write it by --bless", file.display());
                let text = fs::read_to_string(file).map_err(say)?;
                match others(&text) {
                    Some(other) => Err(format!(
                        "{} begins with `{other}`, and these are the numbers of `{study}`: name its file",
                        file.display()
                    )),
                    None => Ok(Some(text)),
                }
            }
        }
    }

    /// Compares the numbers with those that are expected, or writes them.
    ///
    /// # Errors
    /// What has moved, or that the file cannot be written.
    fn finish(&self, expected: Option<&str>, found: &str, is_part: bool) -> Result<(), String> {
        let file = match self {
            Self::Bless(file) => {
                let say = |error| format!("{}: cannot be written: {error}", file.display());
                return fs::write(file, found).map_err(say);
            }
            Self::Check(file) => file,
        };
        let moved = snapshot::differences(expected.unwrap_or_default(), found, is_part);
        match moved.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "these are not the numbers of {}; if they are to be so, write them by --bless and say why in the commit:\n{}",
                file.display(),
                moved.join("\n")
            )),
        }
    }
}

/// Whether a file can be written, which stays as it is.
fn may_be_written(file: &Path) -> io::Result<()> {
    let is_new = !file.exists();
    fs::OpenOptions::new().append(true).create(true).open(file)?;
    if is_new { fs::remove_file(file) } else { Ok(()) }
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

    use super::*;
    use crate::options::Named;
    use crate::setup::Setup;

    #[test]
    fn a_file_of_numbers_is_looked_at_before_anything_runs() {
        let folder = std::env::temp_dir().join(format!("simt-studies-numbers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("numbers.txt");
        let (none, mut some) = (Needs::default(), Needs::default());
        some.one(0, Setup::PDOM);
        let [check, bless] = [Compare::Check(file.clone()), Compare::Bless(file.clone())];

        let name = "study, Quick";
        assert!(check.expected(name, &some, false).unwrap_err().contains("write it by --bless"));
        assert!(check.expected(name, &none, true).unwrap_err().contains("nothing is for this figure"));
        assert!(bless.expected(name, &some, true).unwrap_err().contains("name no figures"));
        assert!(Compare::Bless(folder.join("none/numbers.txt")).expected(name, &some, false).is_err());

        assert_eq!(bless.expected(name, &some, false), Ok(None));
        assert!(!file.exists());
        let numbers = "study, Quick\na: 1\n";
        assert_eq!(bless.finish(None, numbers, false), Ok(()));
        // To ask for it again takes nothing from it.
        assert_eq!(bless.expected(name, &some, false), Ok(None));
        let expected = check.expected(name, &some, false).unwrap();
        assert_eq!(check.finish(expected.as_deref(), numbers, false), Ok(()));
        let moved = check.finish(expected.as_deref(), "study, Quick\na: 2\n", false).unwrap_err();
        assert!(moved.ends_with("\n- a: 1\n+ a: 2"), "{moved}");
        for compare in [&bless, &check] {
            assert!(compare.expected("study, Full", &some, false).unwrap_err().contains("`study, Quick`"));
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn every_figure_of_a_study_has_its_own_name() {
        for study in Named::value_variants().iter().map(|named| named.study()) {
            for (number, figure) in study.figures.iter().enumerate() {
                assert!(study.figures[..number].iter().all(|other| other.name != figure.name), "{}", figure.name);
            }
        }
    }
}
