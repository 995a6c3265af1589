//! Programs in PTX: what every CUDA compiler writes, run on the machine.
//!
//! ```
//! use simt::host::{Argument, DeviceMemory, call};
//! use simt::prelude::*;
//! use simt::ptx::Module;
//!
//! let module = Module::parse("
//!     .version 8.0
//!     .target sm_75
//!     .address_size 64
//!     .visible .entry double(.param .u64 x)
//!     {
//!         .reg .b32 %r<4>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64       %rd1, [x];
//!         cvta.to.global.u64 %rd1, %rd1;
//!         mov.u32            %r1, %tid.x;
//!         mul.wide.u32       %rd2, %r1, 4;
//!         add.s64            %rd3, %rd1, %rd2;
//!         ld.global.u32      %r2, [%rd3];
//!         shl.b32            %r3, %r2, 1;
//!         st.global.u32      [%rd3], %r3;
//!         ret;
//!     }")?;
//! let kernel = module.kernel("double")?;
//! let mut memory = DeviceMemory::new();
//! let x = memory.upload(&[1u32, 2, 3, 4])?;
//! let double = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
//! let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), double)?;
//! assert_eq!(memory.read::<u32>(x, 4)?, [2, 4, 6, 8]);
//! // One instruction of PTX is one that is issued.
//! assert_eq!(report.issues(), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What of PTX is not supported is said when a kernel is asked for: all of it at once, with how often it is there.
//!
//! PTX has no markers: convergence barriers are put into it as `ptxas` puts them, and tokens in their places, as far as a stack allows.
//!
//! Threads that jump to the `ret` of the kernel have ended, as if that stood in place of the jump: no barrier waits for them.
//! `gpu.with_race_check(..)` looks for races here, too: [`RaceCheck`](crate::RaceCheck) says what orders accesses by address.

use simt_core::code::Code;
use simt_core::program::Validated;
use simt_ptx::syntax;
use simt_runtime::Kernel;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// A file of PTX, with its kernels.
#[derive(Debug)]
pub struct Module {
    text: String,
    file: String,
    tree: syntax::Module,
    unsupported: Vec<String>,
    /// What it was compiled from: the name of the file, its text, and its number in the module.
    source: Option<(String, String, u32)>,
    /// Files that lie beside that one, by their numbers.
    others: Vec<(u32, String)>,
}

impl Module {
    /// The module of a text.
    ///
    /// # Errors
    /// All that is wrong with the text, with line and column.
    pub fn parse(text: impl Into<String>) -> Result<Self, ModuleError> {
        Self::named(text.into(), "ptx".to_string())
    }

    /// The module of a file.
    ///
    /// # Errors
    /// That the file cannot be read, or all that is wrong with its text.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ModuleError> {
        let path = path.as_ref();
        let text = text_of(path, "give what `nvcc -ptx` writes; a cubin or a fatbin is machine code")?;
        Self::named(text, path.display().to_string())
    }

    fn named(text: String, file: String) -> Result<Self, ModuleError> {
        match simt_ptx::read_partly(&text) {
            Ok((tree, unsupported)) => {
                let line = |one: &simt_ptx::Unsupported| {
                    let times =
                        if one.count == 1 { "once, at".to_string() } else { format!("{} times, first at", one.count) };
                    format!("`{}`, {times} {file}:{}: {}", one.name, one.first, one.reason)
                };
                let unsupported = unsupported.iter().map(line).collect();
                Ok(Self { text, file, tree, unsupported, source: None, others: Vec::new() })
            }
            Err(problems) => Err(ModuleError(problems.render(&file))),
        }
    }

    /// The module with reports and errors by line of what it was compiled from: a file of CUDA, if the compiler has been told to
    /// say where each instruction is from (`nvcc -lineinfo`, `clang -gline-tables-only`).
    ///
    /// A function that is called and stands in another file has its lines there, with their text if the file lies in the same
    /// folder. What is inlined of another file counts to the line of the call, if the module says which (nvcc does).
    ///
    /// # Errors
    /// That the file cannot be read, or that the module does not name it.
    pub fn with_source(mut self, path: impl AsRef<Path>) -> Result<Self, ModuleError> {
        let path = path.as_ref();
        let text = text_of(path, "give the file of CUDA, in UTF-8")?;
        let named = |file: &&syntax::SourceFile| Path::new(&file.name).file_name() == path.file_name();
        let Some(found) = self.tree.files().find(named) else {
            let message = format!(
                "{} does not say that it was compiled from {}: compile with `nvcc -lineinfo`, or `clang -gline-tables-only`",
                self.file,
                path.display()
            );
            return Err(ModuleError(message));
        };
        // A file of another kind could be without end.
        let beside = |file: &syntax::SourceFile| {
            let path = path.with_file_name(Path::new(&file.name).file_name()?);
            let text = path.is_file().then(|| std::fs::read_to_string(path).ok()).flatten()?;
            Some((file.number, text))
        };
        let others = self.tree.files().filter(|file| file.number != found.number).filter_map(beside).collect();
        self.source = Some((path.display().to_string(), text, found.number));
        self.others = others;
        Ok(self)
    }

    /// The names of its kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        simt_ptx::kernels(&self.tree)
    }

    /// What of it is not supported, in one of its kernels or in none: a line for each instruction, with how often it is there,
    /// where first, and why.
    pub fn unsupported(&self) -> &[String] {
        &self.unsupported
    }

    /// One of its kernels. Pointers that it takes are numbers, `u64`: addresses in the
    /// [memory](crate::host::DeviceMemory) that it is launched with.
    ///
    /// # Errors
    /// That there is no such kernel, or all of it that is wrong or not supported.
    pub fn kernel(&self, name: &str) -> Result<Kernel, ModuleError> {
        self.code(name).map(Kernel::from_code)
    }

    /// The code that a kernel becomes.
    ///
    /// # Errors
    /// As of [`kernel`](Self::kernel).
    pub fn code(&self, name: &str) -> Result<Validated<Code>, ModuleError> {
        let shown = match &self.source {
            Some((file, text, number)) => simt_ptx::Shown { text, file, number: Some(*number), others: &self.others },
            None => simt_ptx::Shown { text: &self.text, file: &self.file, number: None, others: &[] },
        };
        simt_ptx::lower(&self.tree, name, &self.text, shown)
            .map_err(|problems| ModuleError(problems.render(&self.file)))
    }
}

/// The text of a file; `instead` is what to give in place of one that is not text.
fn text_of(path: &Path, instead: &str) -> Result<String, ModuleError> {
    std::fs::read_to_string(path).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::InvalidData => format!("it is not text: {instead}"),
            ErrorKind::NotFound => format!("{error}; give a file that is there"),
            _ => error.to_string(),
        };
        ModuleError(format!("cannot read {}: {why}", path.display()))
    })
}

/// What is wrong with a module: each problem with its line, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleError(String);

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModuleError {}
