//! Pages that launches leave: the tests of `inner` run in processes of their own, with `SIMT_PAGES` set.

mod inner;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// A folder that is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view-left").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder");
    folder
}

/// What runs those of the inner tests whose name contains a text.
fn inner(executable: &Path, filter: &str, pages: &Path) -> Command {
    let mut command = Command::new(executable);
    command.arg(format!("left::inner::{filter}")).env("SIMT_PAGES", pages).env(inner::ASKED, "1");
    command.env_remove("NEXTEST_RUN_ID").env_remove("RUST_BACKTRACE");
    command
}

fn this() -> PathBuf {
    std::env::current_exe().expect("this executable")
}

fn run(filter: &str, pages: &Path) -> Output {
    inner(&this(), filter, pages).output().expect("the tests run")
}

/// The names of the files below a folder that end so.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            names.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    names
}

fn index(pages: &Path) -> String {
    fs::read_to_string(pages.join("index.html")).expect("the index is there")
}

/// The rows of an index, as texts without tags.
fn rows(index: &str) -> Vec<String> {
    let body =
        index.split("<tbody>").skip(1).flat_map(|table| table.split("</tbody>").next().unwrap().split("<tr>").skip(1));
    let part = |part: &str| part.split_once('>').map_or(part, |(_, text)| text).to_string();
    let untagged = |row: &str| row.split('<').map(part).collect::<Vec<_>>().join(" ");
    body.map(|row| untagged(row).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn launches_leave_pages_and_an_index() {
    let pages = folder("index");
    let output = run("", &pages);
    // Two of the tests panic.
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && out.contains("2 failed"), "{out}");

    let index = index(&pages);
    let rows = rows(&index);
    let begins =
        |text: &str| rows.iter().position(|row| row.contains(text)).unwrap_or_else(|| panic!("{text} in {rows:#?}"));
    // First what failed, or was the last before its test panicked; then what else those tests launched.
    let rank = |row: &String| {
        let first = row.contains("error[") || row.contains("then the test panicked");
        if first { 0 } else { 2 - i32::from(row.contains("the test panicked elsewhere")) }
    };
    assert!(rows.is_sorted_by_key(rank), "{rows:#?}");
    assert_eq!([0, 1].map(|which| rows.iter().filter(|row| rank(row) == which).count()), [6, 48], "{rows:#?}");
    assert!(rows[begins("left::inner::ends, 1")].contains("Ipdom 1 block of 64 threads"), "{rows:#?}");
    assert!(rows[begins("left::inner::ends, 2")].contains("Hanoi"), "{rows:#?}");
    assert!(rows[begins("left::inner::faults")].contains("error[simt::"), "{rows:#?}");
    // Its proof, and the policies under which it ends, leave nothing.
    assert!(rows[begins("left::inner::spins")].contains("error[simt::livelock]"), "{rows:#?}");
    assert_eq!(rows.iter().filter(|row| row.contains("left::inner::spins")).count(), 1);
    // Those with room, and the last, behind which the test has panicked.
    let many: Vec<_> = rows.iter().filter(|row| row.contains("left::inner::launches_many")).collect();
    assert_eq!(many.len(), 49, "{many:#?}");
    assert!(many[0].contains("launches_many, 60 "), "{many:#?}");
    assert!(index.contains("There was no room for at least 8 launches more."), "{index}");
    // Grids on a device: one whose blocks run at once, and two whose blocks run in turns.
    let device: Vec<_> = rows.iter().filter(|row| row.contains("left::inner::on_a_device")).collect();
    assert_eq!(device.len(), 3);
    let steps = |row: &String| row.contains("collatz steps");
    assert!(steps(device[0]) && !device.iter().all(|row| steps(row)), "{device:#?}");
    assert!(!index.contains("<script>alert") && index.contains("&lt;script&gt;alert"));

    // Each link leads to a page.
    let links: Vec<&str> = index
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| link.contains('/'))
        .collect();
    assert!(links.len() > rows.len());
    for link in links {
        let page = fs::read_to_string(pages.join(link)).unwrap_or_else(|error| panic!("{link}: {error}"));
        assert!(page.contains("</html>") && !page.contains("<script>alert"), "{link}");
    }
    let faults = files(&pages, "left.inner.faults-1-out_of_range.html");
    let page = fs::read_to_string(pages.join(own(&pages)).join(faults.first().expect("its page"))).unwrap();
    assert!(page.contains("is out of bounds of") && page.contains("x[global_id() + 1]"), "{page}");
    assert_eq!(files(&pages, ".part"), BTreeSet::new(), "nothing is left half written");
}

/// Lines are those of the text that a module is shown with: its own, or a file of the CUDA that `.loc` names.
#[test]
fn pages_of_ptx_have_its_lines_or_those_of_cuda() {
    let pages = folder("ptx");
    assert!(run("of_ptx", &pages).status.success());
    let page = |number: u32, ending: &str| {
        let file = own(&pages).join(format!("left.inner.of_ptx-{number}-smooth{ending}.html"));
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    let line = |file: &str, wanted: &str| {
        let text = fs::read_to_string(inner::of_cuda(file)).unwrap();
        let found = text.lines().zip(1..).find(|(line, _)| line.contains(wanted));
        let (line, number) = found.unwrap_or_else(|| panic!("{wanted} in {file}"));
        (number, line.trim().replace('\t', "\\t"))
    };
    let ptx = ("smooth.sm_75.ptx", line("smooth.sm_75.ptx", "st.global.u32"));
    let cuda = ("smooth.cu", line("smooth.cu", "int value ="));
    let included = ("ends.h", line("ends.h", "weight = 3 * weight"));
    let all = [ptx, cuda, included];
    for (launch, (file, (line, text))) in (1..).zip(&all) {
        let shown = page(launch, "");
        assert!(shown.contains(&format!("{file}\"")), "{file}: {shown}");
        assert!(shown.contains(&format!(",{line},\"{text}\"]")), "{file}:{line}: {text}: {shown}");
        let others: Vec<_> = all.iter().filter(|(other, (_, text))| other != file && shown.contains(text)).collect();
        match launch {
            // A function that is called and stands in another file has its lines there.
            2 => {
                assert_eq!(others, [&all[2]], "{file}: {shown}");
                let (name, (line, text)) = &all[2];
                assert!(shown.contains(&format!("\"{name}\"")), "{shown}");
                assert!(shown.contains(&format!(",{line},\"{text}\"]")), "{shown}");
            }
            _ => assert!(others.is_empty(), "{file}: {others:?}: {shown}"),
        }
        // What the kernel does is on no line of a file that it only includes.
        assert_eq!(shown.contains("[0,0,\"(on no line of this file)\"]"), launch == 3, "{file}: {shown}");
        let steps = page(launch, ".steps");
        assert!(steps.contains(text), "{file}: {text}: {steps}");
    }
    let failed = page(4, "");
    assert!(failed.contains("smooth.cu:12") && failed.contains("error["), "{failed}");
}

/// The folder of the executable.
fn own(pages: &Path) -> PathBuf {
    pages.join(this().file_stem().unwrap_or_default())
}

#[test]
fn pages_of_an_earlier_run_are_replaced() {
    let pages = folder("again");
    assert!(run("ends", &pages).status.success());
    let before = files(&pages, ".html");
    fs::write(own(&pages).join("old-1-x.html"), "").unwrap();
    // An executable that is not there any more, and a file that is none of ours.
    let gone = pages.join("gone-0123456789abcdef");
    fs::create_dir_all(&gone).unwrap();
    let own_file = fs::read_dir(own(&pages)).unwrap().map(|entry| entry.unwrap().path());
    let own_file = own_file.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "json")).unwrap();
    let text = fs::read_to_string(own_file).unwrap();
    let text = text.replace(&*this().display().to_string(), "/gone-0123456789abcdef");
    fs::write(gone.join("1.json"), text).unwrap();
    let strange = pages.join("strange");
    fs::create_dir_all(&strange).unwrap();
    fs::write(strange.join("1.json"), "{").unwrap();

    assert!(run("ends", &pages).status.success());
    assert_eq!(files(&pages, ".html"), before);
    assert!(!gone.exists());
    let index = index(&pages);
    assert!(index.contains("1.json cannot be read: EOF while parsing"), "{index}");
    assert_eq!(rows(&index).len(), 3);
}

/// Those of nextest, which runs each test in a process, and those of tests in documentation, each an executable.
#[test]
fn processes_of_one_run_add_up() {
    let pages = folder("nextest");
    let of_run = |run: &str, filter: &str| {
        let output = inner(&this(), filter, &pages).env("NEXTEST_RUN_ID", run).output().expect("the tests run");
        assert!(output.status.success(), "{output:?}");
        rows(&index(&pages)).len()
    };
    assert_eq!(of_run("a", "ends"), 3);
    assert_eq!(of_run("a", "faults"), 5);
    // Tried again.
    assert_eq!(of_run("a", "faults"), 7);
    assert!(own(&pages).join("left.inner.faults-1.2-out_of_range.html").exists());
    assert_eq!(of_run("b", "faults"), 2);
    let rust_out = folder("documentation").join("rust_out");
    fs::copy(this(), &rust_out).expect("a copy");
    for count in if cfg!(unix) { [3, 6] } else { [3, 3] } {
        assert!(inner(&rust_out, "ends", &pages).output().expect("it runs").status.success());
        assert_eq!(rows(&index(&pages)).len(), 2 + count);
    }
}

#[test]
fn executables_write_at_a_time() {
    let pages = folder("several");
    let copies = folder("copies");
    let executables: Vec<PathBuf> =
        (0..3).map(|number| copies.join(format!("copy{number}-0123456789abcdef"))).collect();
    let running: Vec<_> = executables
        .iter()
        .map(|executable| {
            fs::copy(this(), executable).expect("a copy");
            inner(executable, "ends", &pages).spawn().expect("it runs")
        })
        .collect();
    for mut child in running {
        assert!(child.wait().expect("it ends").success());
    }
    let index = index(&pages);
    assert_eq!(rows(&index).len(), 9, "{index}");
    for number in 0..3 {
        assert!(index.contains(&format!("<h2>copy{number} ")), "{index}");
    }
}

/// Else an index could miss what another process writes at the same moment.
#[test]
fn one_process_writes_at_a_time() {
    let pages = folder("locked");
    let lock = fs::File::create(pages.join(".lock")).expect("the lock");
    lock.lock().expect("a lock");
    let mut child = inner(&this(), "ends", &pages).spawn().expect("it runs");
    std::thread::sleep(Duration::from_secs(1));
    assert!(child.try_wait().expect("it is there").is_none(), "it waits");
    assert!(!pages.join("index.html").exists());
    lock.unlock().expect("no lock");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(rows(&index(&pages)).len(), 3);
}

#[test]
fn without_a_place_launches_go_on() {
    let pages = folder("refused");
    let says = |output: &Output, text: &str| {
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(err.lines().filter(|line| line.starts_with("simt: launches leave no pages: ")).count(), 1, "{err}");
        assert!(err.contains(text) && output.status.success(), "{err}");
    };
    fs::write(pages.join("file"), "").unwrap();
    says(&run("ends", &pages.join("file/pages")), "file/pages");
    // The index of something else.
    fs::write(pages.join("index.html"), "<title>Mine</title>").unwrap();
    says(&run("ends", &pages), "index.html cannot be written: it is not an index of pages, and stays");
    assert_eq!(fs::read_to_string(pages.join("index.html")).unwrap(), "<title>Mine</title>");
    for off in ["", "0"] {
        let output = run("ends", Path::new(off));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}
