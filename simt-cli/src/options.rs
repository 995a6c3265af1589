//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use simt::Dim3;
use std::path::PathBuf;

/// What stands behind the help of the command.
const AFTER: &str = "\
From CUDA to a report:
  nvcc -ptx saxpy.cu
  simt ptx saxpy.ptx
  simt run saxpy.ptx --grid 4 --block 256 --arg 1024 --arg 2.0 --arg buf:f32:1024=iota --arg out:f32:1024=ones

Exit codes:
  0  all is well
  1  a launch has failed, or an output differs from what was expected; of a sweep: points have failed, or are missing
  2  the command line cannot be meant so
  3  a file cannot be read or written, or is wrong";

/// What stands behind the help of `simt run`.
const AFTER_RUN: &str = "\
Arguments, one --arg for each parameter of the kernel, in order:
  5, u32:5, f32:0.5       a number, of the parameter's type or of the type that is written
  buf:f32:1024            a buffer of 1024 floats, passed by its address; nothing has been written there,
                          so that reading it is an error
  buf:f32:1024=iota       0, 1, 2, ...; also =zero, =ones, =rand:SEED (floats in [0, 1), integers from 0 to 99),
                          =FILE.csv (numbers with commas, spaces or lines between), =FILE.bin (bytes, lowest first)
  out:f32:1024=zero       the same, and its first 8 values are printed after the launch
  'out:f32:1024>y.csv'    written to a file after the launch: .csv or .bin
  out:f32:1024~y.csv:1e-6 compared with a file: each may be off by 1e-6, or by 1e-6 times what is expected
                          above 1; without a tolerance all must be equal
  struct:u32:5,buf:f32:1024=iota
                          a struct that is passed by value, field by field: numbers with their types, buffers whose
                          addresses it has, (..) for a struct in it; each lies where C lays it
  bytes:0a000000          the same, or a field, as bytes
  Types are u8, u16, u32, u64, i8, i16, i32, i64, f32, f64. The shell reads >, so quote it.

FILE.ptx is PTX, FILE.simt or FILE.code the text form of code, whose slices take buffers as well.

Example, for `__global__ void saxpy(int n, float a, float *x, float *y)`:
  simt run saxpy.ptx --kernel saxpy --grid 4 --block 256 --policy all \\
    --arg 1024 --arg 2.0 --arg buf:f32:1024=iota --arg out:f32:1024=ones

Exit codes: 0 all is well; 1 a launch has failed, or an output differs; 2 wrong usage; 3 a file is wrong.";

/// What stands behind the help of `simt sweep`. `{n}` would be the end of a line to clap.
const AFTER_SWEEP: &str = "\
Arguments are those of `simt run`. Where an input's name stands in braces, in --grid, --block, --shared or --arg, its value
stands at each point:
  simt sweep saxpy.ptx --grid 4 --block 256 --policy all --machine fermi,turing \\
    --field clock.memory.l1.bytes=16384,32768 --input size=256,1024 \\
    --arg {size} --arg 2.0 --arg buf:f32:{size}=iota --arg out:f32:{size}=ones run
Then, with the same words before it: `merge` for a table, `plot --x size --y ipc --output ipc.svg`, or, on each of eight
computers that see one folder, `run --shard 3/8 --folder FOLDER`. An output that differs from its file is a point that has failed.

Exit codes: 0 all is well; 1 points have failed, or are missing; 2 wrong usage; 3 a file is wrong.";

/// Runs GPU kernels, PTX from any CUDA compiler, on a model of a GPU's SIMT machine, and shows where lanes go idle.
#[derive(Debug, Parser)]
#[command(name = "simt", version, after_help = AFTER)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs a kernel and reports what its warps did, line by line
    #[command(after_help = AFTER_RUN)]
    Run(Box<Run>),
    /// Runs a kernel under several policies, on several machines and with several inputs: each combination is a point, whose result is kept
    #[command(after_help = AFTER_SWEEP)]
    Sweep(Box<Sweep>),
    /// Lists the kernels of a PTX file: parameters, registers, how often each opcode occurs, and what is not supported
    Ptx {
        /// The file
        #[arg(required_unless_present = "opcodes")]
        file: Option<PathBuf>,
        /// Prints the table of opcodes that can be run, with their modifiers and operands
        #[arg(long, conflicts_with = "file")]
        opcodes: bool,
    },
    /// Writes a page of criterion's benches over its baselines, with the figures of the reports that they have left
    #[cfg(feature = "view")]
    Benches {
        /// Criterion's folder
        #[arg(default_value = "target/criterion")]
        folder: PathBuf,
        /// The baselines that are shown, in this order; without, all, those first that were measured first
        #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
        baselines: Vec<String>,
        /// The page; without, simt.html in criterion's folder
        #[arg(long, value_name = "FILE.html")]
        output: Option<PathBuf>,
    },
    /// Lists the reconvergence policies
    Policies,
    /// Lists the machines, or writes one as TOML
    Machines {
        /// A machine of the list, or a file of TOML: all its fields are written, as a file that --machine reads
        #[arg(long, value_name = "NAME|FILE.toml")]
        toml: Option<String>,
    },
}

/// What is run, and how.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// A file of PTX, or of code in its text form: .ptx, .simt or .code
    pub(crate) file: PathBuf,
    /// The kernel; may be left out if the file has one only
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// The file of CUDA that the PTX was compiled from with -lineinfo: reports and errors have its lines
    #[arg(long, value_name = "FILE.cu")]
    pub(crate) source: Option<PathBuf>,
    /// Blocks of the grid; of 0 nothing runs
    #[arg(long, value_name = "X[,Y,Z]", value_parser = blocks)]
    pub(crate) grid: Dim3,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y,Z]", value_parser = threads)]
    pub(crate) block: Dim3,
    /// Bytes of dynamic shared memory, the third number of a launch in CUDA
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) shared: u32,
    /// An argument, in the order of the parameters: a number or a buffer, see below
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
    /// Policies of `simt policies`, whole names or parts of them, or all
    #[arg(long, value_name = "NAME,...|all", value_delimiter = ',', default_value = "Ipdom")]
    pub(crate) policy: Vec<String>,
    /// A machine of `simt machines`, or a file of TOML, which may begin with one: base = "turing", then what differs
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "functional")]
    pub(crate) machine: String,
    /// The seed of policies that choose at random, and of the memory environment
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Threads of this computer that blocks run on; no result depends on it
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The memory that threads share: seen at once by all, or the CUDA report's, whose results the seed may change
    #[arg(long, value_enum, default_value_t = Memory::Ideal)]
    pub(crate) memory: Memory,
    /// What is looked for while the kernel runs, and ends the launch where it is found
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    pub(crate) check: Vec<Check>,
    /// The report as text, or as JSON: an object with the format's version and a list of runs, one for each policy
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub(crate) report: Form,
    #[cfg(feature = "view")]
    #[command(flatten)]
    pub(crate) views: crate::views::Views,
}

/// What a sweep runs, and over what.
#[derive(Args, Debug)]
pub(crate) struct Sweep {
    /// A file of PTX, or of code in its text form: .ptx, .simt or .code
    pub(crate) file: PathBuf,
    /// The kernel; may be left out if the file has one only
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Blocks of the grid
    #[arg(long, value_name = "X[,Y,Z]")]
    pub(crate) grid: String,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y,Z]")]
    pub(crate) block: String,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value = "0")]
    pub(crate) shared: String,
    /// An argument, in the order of the parameters, as for `simt run`
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
    /// Policies of `simt policies`, whole names or parts of them, or all
    #[arg(long, value_name = "NAME,...|all", value_delimiter = ',', default_value = "all")]
    pub(crate) policy: Vec<String>,
    /// Machines of `simt machines`, or files of TOML
    #[arg(long, value_name = "NAME|FILE.toml,...", value_delimiter = ',', default_value = "functional")]
    pub(crate) machine: Vec<String>,
    /// A field of the machines, and the values that it has in turn
    #[arg(long = "field", value_name = "NAME=VALUE,...")]
    pub(crate) fields: Vec<String>,
    /// A name that stands in braces elsewhere, and the values that it has in turn
    #[arg(long = "input", value_name = "NAME=VALUE,...")]
    pub(crate) inputs: Vec<String>,
    /// The sweep's name, which its folder has: that of the file, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(subcommand)]
    pub(crate) command: simt_sweep::Command,
}

/// The memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Memory {
    /// Every access is seen at once by all threads
    Ideal,
    /// Caches that are not coherent, stores that are seen later, blocks and warps in any order
    Environment,
}

/// A check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Check {
    /// Two threads access memory without a barrier between them, and one of them writes
    Races,
    /// The same, of shared memory only, which is faster
    SharedRaces,
    /// As races, also of threads of different blocks, which is slower
    GridRaces,
    /// The policy breaks an invariant that every policy keeps
    Policy,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Text,
    Json,
}

/// The blocks of a grid, which may be none: a launch over no data.
pub(crate) fn blocks(text: &str) -> Result<Dim3, String> {
    dimensions(text)
        .ok_or_else(|| "write one to three whole numbers with commas between, such as 4 or 4,2,1".to_string())
}

/// The threads of a block.
pub(crate) fn threads(text: &str) -> Result<Dim3, String> {
    dimensions(text)
        .filter(|sizes| sizes.volume() != Some(0))
        .ok_or_else(|| "write one to three whole numbers above 0 with commas between, such as 4 or 4,2,1".to_string())
}

/// One to three numbers with commas between.
fn dimensions(text: &str) -> Option<Dim3> {
    let sizes: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match sizes.as_deref() {
        Some(&[x]) => Some(Dim3::from(x)),
        Some(&[x, y]) => Some(Dim3::from((x, y))),
        Some(&[x, y, z]) => Some(Dim3::from((x, y, z))),
        _ => None,
    }
}
