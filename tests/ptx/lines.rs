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

/// A launch of `smooth.cu` on 40 values, of which it is told another number, with lines of one of its files.
fn smoothed(compiler: &str, source: &str, length: u32) -> Result<simt::Report, simt::LaunchError> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/ptx/cuda/lines");
    let module = Module::read(folder.join(format!("smooth.{compiler}.ptx")))
        .and_then(|all| all.with_source(folder.join(source)));
    let kernel = module.and_then(|module| module.kernel("smooth")).unwrap_or_else(|error| panic!("{error}"));
    let mut memory = DeviceMemory::new();
    let values: Vec<i32> = (0..40).map(|i| i * i % 23).collect();
    let (x, y) = (memory.upload(&values).unwrap(), memory.upload(&[0; 40]).unwrap());
    let arguments = vec![Argument::scalar(length), Argument::scalar(2u32), Argument::scalar(x), Argument::scalar(y)];
    let gpu = Gpu::<policy::Ipdom>::default();
    let report = gpu.launch(Grid::new(2, 32), call(&kernel, arguments).with_memory(&mut memory))?;
    let inside = |at: i32| values[at.clamp(0, 39) as usize];
    let expected: Vec<i32> = (0..40)
        .map(|i| inside(i) + 3 * (inside(i - 1) + inside(i + 1)) + 11 * (inside(i - 2) + inside(i + 2)))
        .collect();
    assert_eq!(memory.read::<i32>(y, 40).unwrap(), expected, "{compiler}");
    Ok(report)
}

/// A module of several files, by `nvcc -lineinfo` and by clang. What is inlined of another file counts to the line of its call if
/// the module says which, as nvcc's do, else to no line, which is line 0. What is called there has its lines there, whichever file
/// is asked for.
#[test]
fn a_module_of_several_files_has_the_lines_of_the_one_that_is_asked_for() {
    for compiler in ["sm_75", "sm_100", "clang"] {
        let lines = |report: &simt::Report, name: &str| -> Vec<u32> {
            let issued = report.lines().iter().filter(|line| line.issues > 0 && line.file.ends_with(name));
            issued.map(|line| line.line).collect()
        };
        let report = smoothed(compiler, "smooth.cu", 40).unwrap_or_else(|error| panic!("{error}"));
        let (all, found) = (report.issues(), lines(&report, "smooth.cu"));
        assert!(found.contains(&12) && found.contains(&13) && found.iter().all(|&line| line <= 16), "{report}");
        assert!(!found.contains(&1), "a comment issues nothing: {report}");
        assert_eq!(found.contains(&0), compiler == "clang", "{report}");
        let called = lines(&report, "ends.h");
        assert!(called.contains(&14) && called.iter().all(|line| (11..=17).contains(line)), "{report}");
        let text = report.to_string();
        assert!(text.contains("int value = in[inside(i + by, n)];"), "{text}");
        // Under the name of its file, which is not the one of the other lines.
        let (_, of_header) = text.split_once("ends.h\n").unwrap_or_else(|| panic!("{text}"));
        assert!(of_header.contains("   14 ") && of_header.contains("weight = 3 * weight + (weight & 2);"), "{text}");
        assert!(!of_header.contains("int value ="), "{text}");

        let report = smoothed(compiler, "ends.h", 40).unwrap_or_else(|error| panic!("{error}"));
        let found = lines(&report, "ends.h");
        assert_eq!(report.issues(), all, "{compiler}");
        assert!(found.starts_with(&[0]) && found.contains(&14) && found.iter().all(|&line| line <= 17), "{report}");
        let inlined = report.lines().iter().filter(|line| (5..=9).contains(&line.line)).map(|line| line.issues);
        let outside = report.lines().iter().filter(|line| line.line == 0).map(|line| line.issues);
        assert!(
            inlined.sum::<u64>() < outside.sum(),
            "what the kernel does counts to none of a function's lines: {report}"
        );
        assert!(report.to_string().contains("weight = 3 * weight + (weight & 2);"), "{report}");

        let error = smoothed(compiler, "smooth.cu", 41).unwrap_err();
        assert_eq!(error.line(), Some(12), "{compiler}: {error}");
        assert!(error.to_string().contains("smooth.cu:12"), "{error}");
    }
}
