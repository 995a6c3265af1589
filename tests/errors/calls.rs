//! Recursion that needs more memory than a thread has.

use simt::error::FaultKind;
use simt::prelude::*;

#[device]
fn deep(n: u32) -> u32 {
    let mut table = [n; 20_000];
    table[n as usize % 7] = 3;
    let deeper = deep(n + 1);
    deeper + table[3]
}

#[kernel]
fn descends(out: &mut [u32]) {
    out[global_id()] = deep(0);
}

#[test]
fn what_calls_keep_is_limited() {
    for_each_policy!(P => {
        let error = Gpu::<P>::default().launch(Grid::new(1, 32), descends(&mut [0; 32])).unwrap_err();
        let LaunchError::Fault(fault) = &error else { panic!("{error}") };
        assert_eq!(fault.kind, FaultKind::CallMemory { limit: 512 << 10 });
        assert_eq!(fault.calls.len(), 4, "20,000 values of 8 bytes each, and the call from the kernel");
    });
    let gpu = Gpu::<Ipdom>::default().with_call_depth(usize::MAX);
    let error = gpu.launch(Grid::new(1, 32), descends(&mut [0; 32])).unwrap_err();
    assert_shown!("call_memory", error);
}
