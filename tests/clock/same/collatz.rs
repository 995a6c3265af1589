//! A divergent loop on whole machines.

use crate::machine::machines;
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

#[test]
fn collatz_is_the_same_on_every_machine_under_every_policy() {
    let start: Vec<u32> = (1..=250).collect();
    let mut expected = vec![0; start.len()];
    let functional = Gpu::<Ipdom>::default().launch(Grid::covering(250, 128), collatz(&start, &mut expected)).unwrap();
    for (name, config) in machines() {
        let config = crate::machine::changed(config, |clock| clock.sample = Some(500));
        for_each_policy!(P => {
            let mut steps = vec![0; start.len()];
            let report =
                Gpu::<P>::new(config.clone()).launch(Grid::covering(250, 128), collatz(&start, &mut steps)).unwrap();
            assert_eq!(steps, expected, "{name} {}", report.policy());
            assert_eq!(report.thread_instructions(), functional.thread_instructions());
            crate::accounts::check(&report, &config, &|| format!("{name} under {}", report.policy()));
        });
    }
}
