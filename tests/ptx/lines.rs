//! Reports and errors by line of CUDA.

use simt::host::{Argument, DeviceMemory, call};
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};
use std::path::PathBuf;

/// As `nvcc -lineinfo` makes it of `double.cu`.
const DOUBLED: &str = "
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry doubled(.param .u64 x, .param .u32 distance)
    {
        .reg .b32 %r<9>;
        .reg .b64 %rd<9>;
        .reg .pred %p<2>;
        .loc 1 2 0
        ld.param.u64 %rd1, [x];
        ld.param.u32 %r1, [distance];
        cvta.to.global.u64 %rd2, %rd1;
        .loc 1 3 5
        mov.u32 %r2, %tid.x;
        .loc 1 4 5
        mul.wide.s32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        ld.global.u32 %r3, [%rd4];
        shl.b32 %r8, %r3, 1;
        .loc 1 5 5
        and.b32 %r4, %r2, 1;
        setp.eq.u32 %p1, %r4, 0;
        @%p1 bra DONE;
        .loc 2 77 3, function_name $L__info_string0, inlined_at 1 6 9
        add.s32 %r5, %r2, %r1;
        mul.wide.s32 %rd5, %r5, 4;
        add.s64 %rd6, %rd2, %rd5;
        .loc 1 6 9
        ld.global.u32 %r6, [%rd6];
        add.s32 %r8, %r6, %r8;
    DONE:
        .loc 1 8 5
        st.global.u32 [%rd4], %r8;
        ret;
    }
    .file 1 \"/home/someone/kernels/double.cu\"
    .file 2 \"/usr/include/other.h\"
    .section .debug_str
    {
        $L__info_string0:
        .b8 0
    }
";

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/double.cu")
}

#[test]
fn reports_and_errors_have_lines_of_cuda() {
    let module = Module::parse(DOUBLED).unwrap().with_source(source()).unwrap();
    let kernel = module.kernel("doubled").unwrap();
    let gpu = Gpu::<policy::Ipdom>::default();
    let mut memory = DeviceMemory::new();
    let x = memory.upload(&(0..40).collect::<Vec<i32>>()).unwrap();
    let arguments = |distance: i32| vec![Argument::scalar(x), Argument::scalar(distance as u32)];
    let report = gpu.launch(Grid::new(1, 32), call(&kernel, arguments(8)).with_memory(&mut memory)).unwrap();
    let expected: Vec<i32> = (0..32).map(|i| if i % 2 == 1 { 3 * i + 8 } else { 2 * i }).collect();
    assert_eq!(memory.read::<i32>(x, 32).unwrap(), expected);
    let lines: Vec<(u32, u64)> = report.lines().iter().map(|line| (line.line, line.issues)).collect();
    assert_eq!(lines, [(2, 3), (3, 1), (4, 4), (5, 3), (6, 5), (8, 2)]);
    assert!(report.to_string().contains("value += x[i + distance];"), "{report}");

    let error = gpu.launch(Grid::new(1, 32), call(&kernel, arguments(9)).with_memory(&mut memory)).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("double.cu:6:9") && error.contains("160 bytes"), "{error}");
}

#[test]
fn a_file_that_a_module_does_not_name_is_refused() {
    let other = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/lines.rs");
    let error = Module::parse(DOUBLED).unwrap().with_source(other).unwrap_err().to_string();
    assert!(error.contains("-lineinfo"), "{error}");
    let error = Module::parse(DOUBLED).unwrap().with_source("nowhere.cu").unwrap_err().to_string();
    assert!(error.contains("cannot read nowhere.cu"), "{error}");
}
