//! The file of numbers that a study is compared with.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::runner::Needs;
use crate::snapshot;

/// What is done with the file of numbers that are to be.
pub(crate) enum Compare {
    Check(PathBuf),
    Bless(PathBuf),
}

impl Compare {
    /// What the file holds of a study, found out before anything is run; none of a file that is to be written.
    ///
    /// # Errors
    /// If it cannot be read or written, is another study's, or there is nothing to compare.
    pub(crate) fn expected(&self, study: &str, needs: &Needs, is_part: bool) -> Result<Option<String>, String> {
        let others = |text: &str| {
            let first = text.lines().next().unwrap_or_default();
            (first != study).then(|| first.to_string())
        };
        match self {
            Self::Bless(_) if is_part => {
                Err("--bless writes the numbers of the whole study: name no figures".to_string())
            }
            Self::Bless(file) => {
                may_be_written(file).map_err(|error| format!("{}: cannot be written: {error}", file.display()))?;
                match fs::read_to_string(file).ok().filter(|text| !text.is_empty()).as_deref().and_then(others) {
                    Some(other) => Err(format!(
                        "{} begins with `{other}`, and these are the numbers of `{study}`: name another file, or remove it",
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
    pub(crate) fn finish(&self, expected: Option<&str>, found: &str, is_part: bool) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;
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
}
