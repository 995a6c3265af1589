//! Files of kernels: PTX, and code in its text form.

use crate::failure::Failure;
use simt::Code;
use simt::core::program::Validated;
use simt::ptx::Module;
use std::path::Path;

/// What a file's name says that it is.
pub(crate) fn is_ptx(path: &Path) -> Result<bool, Failure> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("ptx") => Ok(true),
        Some("simt" | "code") => Ok(false),
        _ => Err(Failure::usage(format!(
            "FILE: the name `{}` says not what is in it: let it end in .ptx, or in .simt or .code for the text form of code",
            path.display()
        ))),
    }
}

/// The code of a kernel of a file, of its only one if none is named; with the lines of `source`, if it was compiled from that.
pub(crate) fn code(path: &Path, kernel: Option<&str>, source: Option<&Path>) -> Result<Validated<Code>, Failure> {
    if !is_ptx(path)? {
        if source.is_some() {
            return Err(Failure::usage("--source: only PTX is compiled from another file; leave it out".to_string()));
        }
        let code = Code::parse_named(&path.display().to_string(), &read(path)?)
            .map_err(|error| Failure::file(error.to_string()))?;
        named(path, kernel, &[&code.name])?;
        return Ok(code);
    }
    let mut module = Module::read(path).map_err(|error| Failure::file(error.to_string()))?;
    if let Some(source) = source {
        module = module.with_source(source).map_err(|error| Failure::file(format!("--source: {error}")))?;
    }
    let kernels: Vec<&str> = module.kernels().collect();
    let kernel = named(path, kernel, &kernels)?;
    module.code(kernel).map_err(|error| Failure::file(error.to_string()))
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::unread(path, &error))
}

fn named<'n>(path: &Path, wanted: Option<&str>, kernels: &[&'n str]) -> Result<&'n str, Failure> {
    let list = || kernels.join(", ");
    match (wanted, kernels) {
        (_, []) => Err(Failure::file(format!(
            "{} has no kernel: declare one with `.visible .entry name(...)`, which `__global__` does in CUDA",
            path.display()
        ))),
        (Some(wanted), _) => kernels.iter().copied().find(|&kernel| kernel == wanted).ok_or_else(|| {
            Failure::usage(format!("--kernel: {} has no kernel `{wanted}`; write one of {}", path.display(), list()))
        }),
        (None, [only]) => Ok(only),
        (None, _) => Err(Failure::usage(format!(
            "--kernel is missing, and {} has several kernels; write --kernel with one of {}",
            path.display(),
            list()
        ))),
    }
}
