//! What timing decides is when, never what.

use simt::prelude::*;

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        count += 1;
    }
    steps[i] = count;
}

fn machines() -> [(&'static str, GpuConfig); 3] {
    [("fung2009", GpuConfig::fung2009()), ("fermi", GpuConfig::fermi()), ("turing", GpuConfig::turing())]
}

#[test]
fn collatz_is_the_same_on_every_machine_under_every_policy() {
    let start: Vec<u32> = (1..=2000).collect();
    let mut expected = vec![0; start.len()];
    let functional = Gpu::<Ipdom>::default().launch(Grid::covering(2000, 256), collatz(&start, &mut expected)).unwrap();
    for (name, config) in machines() {
        for_each_policy!(P => {
            let mut steps = vec![0; start.len()];
            let report =
                Gpu::<P>::new(config.clone()).launch(Grid::covering(2000, 256), collatz(&start, &mut steps)).unwrap();
            assert_eq!(steps, expected, "{name} {}", report.policy());
            assert_eq!(report.thread_instructions(), functional.thread_instructions());
            let clock = report.clock().unwrap();
            println!(
                "{name:9} {:24} {:7} cycles, IPC {:6.2}, {:.3} {:.3}",
                report.policy(),
                clock.cycles(),
                clock.ipc(),
                report.simd_efficiency(),
                clock.utilisation(),
            );
            assert_eq!(clock.stalls().total(), clock.warp_places() * clock.cycles());
        });
    }
}
