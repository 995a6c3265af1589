//! Rows that a tuple of a `let` names: `let (tasks, mut machine) = (&workloads[w], ..);`.

use simt::prelude::*;
#[derive(Clone, Copy, KernelData)]
struct Task {
    arrival: u32,
    burst: u32,
}
#[device]
fn bursts<const N: usize>(tasks: &[Task; N]) -> u32 {
    tasks.iter().map(|t| t.burst).sum()
}
#[derive(Clone, Copy, KernelData)]
struct Machine {
    at: u32,
}
#[device]
impl Machine {
    fn admit<const N: usize>(&mut self, tasks: &[Task; N], now: u32) {
        for t in tasks {
            if t.arrival == now {
                self.at += t.burst;
            }
        }
    }
    fn all(&mut self, tasks: &[Task]) {
        for t in tasks {
            self.at += t.arrival;
        }
    }
}
#[kernel]
fn rows<const N: usize>(workloads: &[[Task; N]], out: &mut [u32]) {
    let i = global_id();
    let (tasks, mut machine) = (&workloads[i], Machine { at: 1 });
    machine.admit(tasks, 2);
    machine.all(tasks);
    let (first, other) = (tasks[0], &workloads[0]);
    out[i] = machine.at * 100 + bursts(tasks) + first.burst + other[1].burst;
    out[i] += tasks.iter().zip(other).map(|(a, b)| a.burst * b.burst).sum::<u32>();
}
#[test]
fn rows_with_names() {
    everywhere!(|gpu| {
        let t = |arrival, burst| Task { arrival, burst };
        let w = [[t(0, 3), t(2, 4)], [t(2, 5), t(2, 6)], [t(1, 7), t(3, 8)]];
        let mut out = [0; 3];
        gpu.launch(Grid::new(1, 3), rows(&w, &mut out)).unwrap();
        let want: Vec<u32> = w
            .iter()
            .map(|r| {
                let mut at = 1;
                for t in r {
                    if t.arrival == 2 {
                        at += t.burst;
                    }
                    at += t.arrival;
                }
                at * 100
                    + r[0].burst
                    + r[1].burst
                    + r[0].burst
                    + w[0][1].burst
                    + r[0].burst * w[0][0].burst
                    + r[1].burst * w[0][1].burst
            })
            .collect();
        assert_eq!(out[..], want);
    });
}
