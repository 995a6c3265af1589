//! Kernels of PTX on a device: modules loaded into a context, in streams, on buffers that kernels of Rust use, too.

use simt::device::{Device, DeviceError};
use simt::host::Argument;
use simt::prelude::*;
use simt::ptx::Module;

const TEXT: &str = "
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .global .align 4 .u32 step = 5;
    .visible .entry advance(.param .u64 x)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        ld.param.u64       %rd1, [x];
        cvta.to.global.u64 %rd1, %rd1;
        mov.u32            %r1, %ctaid.x;
        mul.wide.u32       %rd2, %r1, 4;
        add.s64            %rd3, %rd1, %rd2;
        ld.global.u32      %r2, [%rd3];
        ld.global.u32      %r3, [step];
        add.u32            %r2, %r2, %r3;
        st.global.u32      [%rd3], %r2;
        ret;
    }";

#[kernel]
fn double(x: &mut [u32]) {
    x[global_id()] *= 2;
}

#[test]
fn kernels_of_ptx_run_in_streams() -> Result<(), DeviceError> {
    let module = Module::parse(TEXT).unwrap_or_else(|error| panic!("{error}"));
    for seed in 0..16 {
        let device = Device::new(Gpu::<Hanoi>::default()).with_seed(seed);
        let context = device.context()?;
        let advance = context.load(module.kernel("advance").unwrap_or_else(|error| panic!("{error}")))?;
        let step = context.memory(|memory| memory.symbol("step"))?.expect("it is loaded");
        context.memory(|memory| memory.write(step, &[7_u32]))??;
        let (x, y) = (context.upload(&[1u32, 2, 3])?, context.upload(&[10u32, 20, 30])?);
        let (first, second, done) = (context.stream()?, context.stream()?, context.event());
        let grid = Grid::new(3, 1);
        let by_address = |address: u64| move || vec![Argument::scalar(address)];
        let (of_x, of_y) = (by_address(x.address()), by_address(y.address()));
        first.launch(grid, move |memory| memory.call(advance, of_x()))?;
        first.launch(grid, move |memory| double(memory.slice_mut(x)))?;
        first.record(&done)?;
        second.launch(grid, move |memory| memory.call(advance, of_y()))?;
        second.wait(&done)?;
        // The grid in whose stream the event was waited for sees what came before it.
        let last = second.launch(grid, move |memory| memory.call(advance, vec![Argument::scalar(x.address())]))?;
        assert_eq!(last.report()?.kernel(), "advance");
        assert_eq!((context.read(x)?, context.read(y)?), (vec![23, 25, 27], vec![17, 27, 37]), "seed {seed}");
    }
    Ok(())
}
