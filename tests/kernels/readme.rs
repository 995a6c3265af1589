//! The kernel and the test of the README, as they stand there.

use simt::prelude::*;

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() { return; }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 { n /= 2; } else { n = 3 * n + 1; }
        count += 1;
    }
    steps[i] = count;
}

#[test]
fn collatz_counts() -> Result<(), LaunchError> {
    let start: Vec<u32> = (1..=1000).collect();
    let mut steps = vec![0; start.len()];
    let gpu = Gpu::<Ipdom>::default();
    let report = gpu.launch(Grid::covering(1000, 128), collatz(&start, &mut steps))?;
    assert_eq!(steps[26], 111);
    assert!(report.simd_efficiency() > 0.4);
    println!("{report}");
    Ok(())
}
