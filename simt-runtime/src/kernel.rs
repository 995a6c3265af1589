//! Kernels and their calls: what `#[kernel]` expands to.

use crate::lanes::{Plan, PlanError};
use crate::memory::Argument;
use simt_core::code::Markers;
use simt_core::program::{Program, ValidateError, Validated};
use std::sync::OnceLock;

/// A kernel: its program, and what is derived from it, made once when first asked for.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     if i < x.len() {
///         x[i] *= 2;
///     }
/// }
///
/// let mut x = [1, 2, 3];
/// // The program of a kernel, or one of your own.
/// let kernel = simt::Kernel::from_program(double::program().clone());
/// assert!(kernel.validated().is_ok());
/// let call = simt::call(&kernel, vec![simt::Argument::slice_mut(&mut x)]);
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 3), call)?;
/// assert_eq!(x, [2, 4, 6]);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Debug)]
pub struct Kernel {
    /// Builds the program, unless it was given.
    build: fn() -> Program,
    program: OnceLock<Program>,
    validated: OnceLock<Result<Validated<Program>, ValidateError>>,
    plans: [OnceLock<Result<Plan, PlanError>>; Markers::ALL.len()],
}

impl Kernel {
    /// A kernel from the function that builds its program.
    pub const fn new(build: fn() -> Program) -> Self {
        Self {
            build,
            program: OnceLock::new(),
            validated: OnceLock::new(),
            plans: [const { OnceLock::new() }; Markers::ALL.len()],
        }
    }

    /// A kernel from a program that was not written as a function, for instance a generated one.
    pub fn from_program(program: Program) -> Self {
        let kernel = Self::new(Program::default);
        kernel.program.get_or_init(|| program);
        kernel
    }

    /// The kernel's program.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(self.build)
    }

    /// The kernel's program, if it is valid.
    ///
    /// # Errors
    /// What is wrong with it, for instance a constant that does not fit the device.
    pub fn validated(&self) -> Result<&Validated<Program>, &ValidateError> {
        self.validated.get_or_init(|| self.program().clone().validate()).as_ref()
    }

    /// The kernel's code with the markers of a family, planned.
    pub(crate) fn plan(&self, program: &Validated<Program>, markers: Markers) -> Result<&Plan, PlanError> {
        let plan = &self.plans[markers as usize];
        plan.get_or_init(|| Plan::new(program.code(markers))).as_ref().map_err(|&error| error)
    }
}

/// A kernel with its arguments bound, ready for [`crate::Gpu::launch`]. Calling a kernel makes one.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     if i < x.len() {
///         x[i] *= 2;
///     }
/// }
///
/// let mut x = [1, 2, 3];
/// let call: KernelCall<'_> = double(&mut x);
/// assert_eq!(call.kernel().program().name, "double");
/// Gpu::<MinPc>::default().launch(Grid::new(1, 3), call)?;
/// assert_eq!(x, [2, 4, 6]);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Debug)]
#[must_use = "a kernel call does nothing until it is launched: `gpu.launch(grid, call)?`"]
pub struct KernelCall<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) arguments: Vec<Argument<'a>>,
}

impl KernelCall<'_> {
    /// The kernel that is called.
    pub fn kernel(&self) -> &Kernel {
        self.kernel
    }
}

/// Binds arguments to a kernel's parameters, in their order.
pub fn call<'a>(kernel: &'a Kernel, arguments: Vec<Argument<'a>>) -> KernelCall<'a> {
    KernelCall { kernel, arguments }
}
