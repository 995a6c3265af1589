//! What the files of `tests/placement` make of their kernels here: kernels to launch, where that test looks at their code.

use simt::Code;
use simt::core::program::{Param, Program};
use simt::host::Kernel;

/// A kernel, and what it takes.
pub(crate) struct Skeleton {
    /// Behind a pointer, because it has room for many plans, and the files list their kernels in arrays.
    pub(crate) kernel: Box<Kernel>,
    pub(crate) params: Vec<Param>,
}

impl Skeleton {
    pub(crate) fn program(program: &Program) -> Self {
        Self { kernel: Box::new(Kernel::from_program(program.clone())), params: program.params.clone() }
    }

    /// # Panics
    /// If the code is not valid, which the test that it is of would find.
    pub(crate) fn of(code: &Code) -> Self {
        let params = code.params.clone();
        let code = code.clone().validate().unwrap_or_else(|error| panic!("{error}"));
        Self { kernel: Box::new(Kernel::from_code(code)), params }
    }
}
