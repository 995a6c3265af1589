//! A divergent loop on whole machines.

#[path = "../../../examples/support/collatz.rs"]
mod kernel;

use crate::machine::machines;
use kernel::collatz;
use simt::prelude::*;

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
