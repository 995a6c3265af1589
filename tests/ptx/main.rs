//! Programs in PTX, as compilers write them, on the machine.

#[path = "../../examples/support/machine.rs"]
#[allow(dead_code, reason = "others need more of it")]
mod machine;

mod activations;
mod agree;
mod compiled;
mod computed;
mod device;
mod environment;
mod gallery;
mod indirect;
mod lines;
mod numbers;
mod outside;
mod passed;
mod spoken;
mod together;
mod tokens;
mod vectors;
mod written;

use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::ptx::Module;
use simt::{Grid, LaunchError, Report};
use std::path::PathBuf;

/// How many numbers each buffer of a kernel of the corpus has.
const LENGTH: usize = 8192;

/// The files of the corpus of a name, or all if it is empty, with what their compiler is called in them.
fn corpus(name: &str) -> Vec<(String, Module)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("simt-ptx/tests/corpus");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let named = |path: &PathBuf| {
        path.file_name().is_some_and(|file| name.is_empty() || file.to_string_lossy().starts_with(&format!("{name}.")))
    };
    let read =
        |path: PathBuf| (path.display().to_string(), Module::read(&path).unwrap_or_else(|error| panic!("{error}")));
    paths.into_iter().filter(named).map(read).collect()
}

/// Numbers from 0 to 15 that look random.
fn numbers(seed: u32, count: usize) -> Vec<i32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as i32
    };
    (0..count).map(next).collect()
}

/// An argument that is no buffer.
#[derive(Clone, Copy)]
enum Other {
    Word(u32),
    Float(f32),
}

impl Other {
    fn argument(self) -> Argument<'static> {
        match self {
            Self::Word(value) => Argument::scalar(value),
            Self::Float(value) => Argument::scalar(value),
        }
    }
}

/// What a kernel has left in its buffers, or how its launch has failed.
fn launched(
    gpu: &dyn machine::Machine,
    kernel: &Kernel,
    grid: Grid,
    buffers: &[Vec<i32>],
    others: &[Other],
) -> Result<(Vec<Vec<i32>>, Report), LaunchError> {
    let mut memory = DeviceMemory::new();
    let places: Vec<u64> = buffers.iter().map(|buffer| memory.upload(buffer).unwrap()).collect();
    let arguments = places
        .iter()
        .map(|&place| Argument::scalar(place))
        .chain(others.iter().map(|other| other.argument()))
        .collect();
    let report = gpu.launch(grid, call(kernel, arguments).with_memory(&mut memory))?;
    let read = |&place: &u64| memory.read::<i32>(place, LENGTH).unwrap();
    Ok((places.iter().map(read).collect(), report))
}
