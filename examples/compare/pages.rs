//! The pages: of each algorithm one that shows its lines under every policy, and one in front of them.

use std::fs;
use std::path::{Path, PathBuf};

use simt::GpuConfig;
use simt_view::{Chapter, Run, overview, page};

use crate::workload::Measured;

const TEXT: &str = "Where four algorithms lose lanes of their warps, and which reconvergence policy keeps them. Press a name for \
                    all lines of its kernel under every policy.";

/// Writes them; the path of the one in front.
pub(crate) fn write(folder: &Path, all: &[Measured], warp_width: usize) -> Result<PathBuf, String> {
    let machine = GpuConfig { warp_width, ..GpuConfig::functional() };
    let runs = |measured: &Measured| -> Vec<Run> {
        measured.runs.iter().map(|run| Run::of_report(run.report.clone(), machine.clone())).collect()
    };
    let pages: Vec<(String, &str, Vec<Run>)> = all
        .iter()
        .map(|measured| (format!("{}.html", measured.name.to_lowercase()), measured.name, runs(measured)))
        .collect();
    let chapters: Vec<Chapter<'_>> = pages.iter().map(|(file, title, runs)| Chapter { file, title, runs }).collect();
    for Chapter { file, title, runs } in &chapters {
        write_page(&folder.join(file), &page(title, runs))?;
    }
    let path = folder.join("compare.html");
    write_page(&path, &overview("Lanes under every policy", TEXT, &chapters))?;
    Ok(path)
}

fn write_page(path: &Path, html: &str) -> Result<(), String> {
    fs::write(path, html).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collatz::kernel::collatz;
    use crate::workload;
    use simt::prelude::*;
    use std::time::Duration;

    #[test]
    fn there_is_a_page_for_each_algorithm_and_one_in_front() {
        let start: Vec<u64> = (1..=200).collect();
        let mut runs = Vec::new();
        for_each_policy!(P => {
            let mut steps = vec![0; start.len()];
            let report = Gpu::<P>::default().launch(Grid::new(2, 100), collatz(&start, &mut steps)).unwrap();
            runs.push(workload::Run { policy: P::name(), report, time: Duration::ZERO });
        });
        let names: Vec<&str> = runs.iter().map(|run| run.policy).collect();
        let all = [Measured { name: "Collatz", summary: String::new(), host: Duration::ZERO, runs }];
        let folder = std::env::temp_dir().join(format!("simt-compare-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let front = fs::read_to_string(write(&folder, &all, 32).unwrap()).unwrap();
        assert!(
            front.contains("href=\"collatz.html#line-") && front.contains("Most lanes are lost in line"),
            "{front}"
        );
        let page = fs::read_to_string(folder.join("collatz.html")).unwrap();
        for name in names {
            assert!(page.contains(&name.replace('<', "&lt;").replace('>', "&gt;")), "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
        let missing = write(&folder, &all, 32).unwrap_err();
        assert!(missing.contains("collatz.html"), "{missing}");
    }
}
