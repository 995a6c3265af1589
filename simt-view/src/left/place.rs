//! Where pages go, and names that files can have.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that asks for pages.
const VARIABLE: &str = "SIMT_PAGES";

/// The file by which tools know folders that can be made again, which cargo writes into its target folder.
const TAG: &str = "CACHEDIR.TAG";

/// The folder for pages; none, and there are to be none.
///
/// # Errors
/// If the variable says neither.
pub(super) fn folder() -> Result<Option<PathBuf>, String> {
    let Some(value) = env::var_os(VARIABLE) else { return Ok(None) };
    chosen(&value, &env::current_exe().unwrap_or_default(), &env::current_dir().unwrap_or_default())
}

fn chosen(value: &OsStr, executable: &Path, current: &Path) -> Result<Option<PathBuf>, String> {
    let is = |words: &[&str]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
    if is(&["", "0", "no", "off", "false"]) {
        return Ok(None);
    }
    if !is(&["1", "yes", "on", "true"]) {
        // A word that was meant to say yes is no folder.
        let is_path = Path::new(value).components().count() > 1 || Path::new(value).has_root();
        if is_path {
            return Ok(Some(current.join(value)));
        }
        let value = value.to_string_lossy();
        return Err(format!("{VARIABLE} is `{value}`: write `1` for the target folder, or a path, as `./{value}`"));
    }
    // Tests of documentation are built elsewhere, and run in the package's folder.
    let near = || current.ancestors().map(|folder| folder.join("target")).find(|folder| is_target(folder));
    Ok(Some(target_folder(executable).or_else(near).unwrap_or_else(|| current.join("target")).join("simt")))
}

/// The target folder that an executable is in.
pub(crate) fn target_folder(executable: &Path) -> Option<PathBuf> {
    executable.ancestors().skip(1).find(|folder| is_target(folder)).map(Path::to_path_buf)
}

fn is_target(folder: &Path) -> bool {
    folder.join(TAG).is_file()
}

/// The executable that runs, and this run of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Executable {
    /// Its name, with the hash that cargo gives it.
    pub(super) name: String,
    pub(super) path: String,
    /// The same for all processes of a run that have this executable.
    pub(super) run: String,
    /// When it began, in milliseconds since 1970.
    pub(super) began: u64,
    /// Differs from those of other processes.
    pub(super) process: String,
}

impl Executable {
    pub(super) fn current() -> Self {
        let path = env::current_exe().unwrap_or_default();
        let name = path.file_stem().unwrap_or_else(|| OsStr::new("unknown")).to_string_lossy().into_owned();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let process = format!("{}-{}", process::id(), since.as_nanos());
        let run = run(&name).unwrap_or_else(|| process.clone());
        Self { name, path: path.display().to_string(), run, began: since.as_millis() as u64, process }
    }
}

/// What several processes of one run have in common, if there may be several.
fn run(name: &str) -> Option<String> {
    if let Ok(run) = env::var("NEXTEST_RUN_ID") {
        return Some(run);
    }
    // Of tests in documentation each is an executable of the same name, without a hash.
    #[cfg(unix)]
    if hashless(name) == name {
        return Some(format!("of {}", std::os::unix::process::parent_id()));
    }
    #[cfg(not(unix))]
    let _ = name;
    None
}

/// The name of an executable without the hash that cargo gives those of tests.
pub(super) fn hashless(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((first, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => first,
        _ => name,
    }
}

/// A name that can be part of that of a file, on any system. Names that differ stay different.
pub(super) fn safe(name: &str, most: usize) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let path: Vec<&str> = name.split("::").collect();
    let shown: String = name
        .replace("::", ".")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || plain(c) || c == '.' { c } else { '_' })
        .take(most)
        .collect();
    // Systems that do not tell upper case from lower case, and names that were cut off.
    if shown.len() == path.join(".").len() && path.iter().all(|part| !part.is_empty() && part.chars().all(plain)) {
        return shown;
    }
    format!("{shown}-{:08x}", crc32fast::hash(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_a_folder() {
        let root = env::temp_dir().join(format!("simt-place-{}", process::id()));
        let (target, package) = (root.join("target"), root.join("package/src"));
        let executable = target.join("debug/deps/it-0123456789abcdef");
        let chosen = |value: &str| chosen(OsStr::new(value), &executable, &package);
        for no in ["", "0", "no", "False", "OFF"] {
            assert_eq!(chosen(no), Ok(None));
        }
        for path in ["./pages", "a/b", "../pages"] {
            assert_eq!(chosen(path), Ok(Some(package.join(path))));
        }
        // Whatever its bytes.
        #[cfg(unix)]
        {
            let path = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"./p\xff");
            assert_eq!(super::chosen(path, &executable, &package), Ok(Some(package.join(path))));
        }
        for neither in ["pages", "2", " 1", "~"] {
            let problem =
                format!("SIMT_PAGES is `{neither}`: write `1` for the target folder, or a path, as `./{neither}`");
            assert_eq!(chosen(neither), Err(problem));
        }
        // No folder is known to be a target folder.
        for yes in ["1", "yes", "TRUE", "on"] {
            assert_eq!(chosen(yes), Ok(Some(package.join("target/simt"))));
        }
        std::fs::create_dir_all(&target).unwrap();
        std::fs::write(target.join(TAG), "").unwrap();
        assert_eq!(chosen("1"), Ok(Some(target.join("simt"))));
        let documentation = super::chosen(OsStr::new("1"), Path::new("/nowhere/rust_out"), &package);
        assert_eq!(documentation, Ok(Some(target.join("simt"))));
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn names_are_those_of_files() {
        assert_eq!(safe("tests::adds_up", 60), "tests.adds_up");
        for (name, begin) in
            [("../../etc", ".._.._etc-"), ("A", "A-"), ("a.b", "a.b-"), ("<script>", "_script_-"), ("", "-")]
        {
            let safe = safe(name, 60);
            assert!(safe.starts_with(begin) && !safe.contains(['/', '<', '\\', ':']), "{name}: {safe}");
        }
        assert_ne!(safe("ä", 60), safe("ö", 60));
        let (one, two) = ("x".repeat(99), "x".repeat(98));
        assert!(safe(&one, 60) != safe(&two, 60) && safe(&one, 60).len() < 80);
        assert_eq!([hashless("it-0123456789abcdef"), hashless("rust_out"), hashless("a-b")], ["it", "rust_out", "a-b"]);
    }
}
