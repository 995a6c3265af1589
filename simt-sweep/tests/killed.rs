//! A study of 2,000 points, whose runs and processes are killed at random.

use crate::{called, program, shown, workers};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};
use tempfile::TempDir;

/// Shards that run at a time.
const SHARDS: usize = 3;
/// How often something is killed, and after how many more results each time: while there is much left to do.
const KILLS: usize = 24;
const RESULTS: usize = 60;

/// Numbers that look random (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn two_thousand_points_survive_that_workers_are_killed() {
    let [quiet, killed] = [(); 2].map(|()| TempDir::new().unwrap());
    let start = |shard: usize| -> Child {
        let shard = format!("{}/{SHARDS}", shard + 1);
        let words =
            ["run", "--quiet", "--threads", "2", "--retry", "--shard", &shard, "--folder", shown(killed.path())];
        program("many").args(words).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut random = Random(7);
    let mut runs: Vec<Child> = (0..SHARDS).map(start).collect();
    let mut ended = 0;
    let results = || fs::read_dir(killed.path()).map_or(0, Iterator::count);
    for kill in 0..KILLS {
        for waited in 0.. {
            if results() >= (kill + 1) * RESULTS {
                break;
            }
            assert!(waited < 100_000, "only {} points have run", results());
            thread::sleep(Duration::from_millis(2));
        }
        thread::sleep(Duration::from_millis(random.below(20)));
        let at = random.below(SHARDS as u64) as usize;
        let workers = workers(runs[at].id());
        // Every third time the run itself, else a process of it.
        if kill % 3 == 0 || workers.is_empty() {
            runs[at].kill().unwrap();
            // One may have come to its end while others were killed.
            ended += usize::from(runs[at].wait().unwrap().code() != Some(0));
        } else {
            let worker = &workers[random.below(workers.len() as u64) as usize];
            // It may have ended by itself meanwhile.
            let _ = Command::new("kill").args(["-9", worker]).stderr(Stdio::null()).status();
        }
        // One that has come to its end needs no successor, but may as well have one.
        if runs[at].try_wait().unwrap().is_some() {
            runs[at] = start(at);
        }
    }
    assert!(ended >= 2, "runs were killed at work");
    for (shard, run) in runs.iter_mut().enumerate() {
        if !run.wait().unwrap().success() {
            assert!(start(shard).wait().unwrap().success(), "shard {shard} ends");
        }
    }
    let (code, disturbed, problems) = called("many", &["merge", "--folder", shown(killed.path())]);
    assert_eq!((code, problems.as_str()), (Some(0), ""));
    assert_eq!(disturbed.lines().count(), 2001);
    let (code, _, error) = called("many", &["run", "--in-process", "--quiet", "--folder", shown(quiet.path())]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(called("many", &["merge", "--folder", shown(quiet.path())]).1, disturbed);
}
