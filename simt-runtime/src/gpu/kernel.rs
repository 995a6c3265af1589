//! Kernels and their calls: the types that `#[kernel]` expands to.

use crate::error::LaunchError;
use crate::memory::{Argument, DeviceMemory};
use crate::plan::{Plan, PlanError, Runs};
use crate::policy::Stops;
use simt_core::code::{Code, Markers};
use simt_core::lower::LowerOptions;
use simt_core::ops::Overflow;
use simt_core::program::{Program, ValidateError, Validated};
use std::borrow::Cow;
use std::sync::OnceLock;

/// For each family of markers: the plans by length of segments, unwatched and watched, without and with if-conversion.
type Plans = [[OnceLock<Box<Result<Plan, PlanError>>>; PLANS]; Markers::ALL.len()];

/// The plans for a family of markers.
const PLANS: usize = 4 * Runs::ALL.len();

/// Without a clock, and on memory that is not modelled.
impl From<Stops> for Runs {
    fn from(stops: Stops) -> Self {
        match stops {
            Stops::AtTargets => Self::ToTargets,
            Stops::AtJoins => Self::ToJoins,
        }
    }
}

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
/// let kernel = simt::host::Kernel::from_program(double::program().clone());
/// assert!(kernel.validated().is_ok());
/// let call = simt::host::call(&kernel, vec![simt::host::Argument::slice_mut(&mut x)]);
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 3), call)?;
/// assert_eq!(x, [2, 4, 6]);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Debug)]
pub struct Kernel {
    /// Builds the program, unless program or code were given.
    build: Option<fn(Overflow) -> Program>,
    overflow: Overflow,
    program: OnceLock<Box<Program>>,
    /// The kernel whose arithmetic faults where it overflows, of one whose arithmetic wraps.
    faulting: OnceLock<Box<Kernel>>,
    /// The code that was given instead of a program.
    code: Option<Box<Validated<Code>>>,
    validated: OnceLock<Result<Box<Validated<Program>>, ValidateError>>,
    plans: OnceLock<Box<Plans>>,
}

// Nothing large stands in line: a kernel is a `static`, and all of it is in the file of the program that has it.
const _: () = assert!(size_of::<Kernel>() <= 128, "a kernel is small");

impl Kernel {
    /// A kernel from the function that builds its program, for either mode of arithmetic.
    pub const fn new(build: fn(Overflow) -> Program) -> Self {
        Self::built_by(Some(build), Overflow::Wrap)
    }

    const fn built_by(build: Option<fn(Overflow) -> Program>, overflow: Overflow) -> Self {
        Self {
            build,
            overflow,
            program: OnceLock::new(),
            faulting: OnceLock::new(),
            code: None,
            validated: OnceLock::new(),
            plans: OnceLock::new(),
        }
    }

    /// A kernel from a program that was not written as a function, for instance a generated one.
    pub fn from_program(program: Program) -> Self {
        let kernel = Self::built_by(None, Overflow::Wrap);
        kernel.program.get_or_init(|| Box::new(program));
        kernel
    }

    /// A kernel from code that was written as text ([`Code::parse`]).
    ///
    /// A policy whose markers the code does not have runs it all the same: it ignores the markers of other mechanisms.
    pub fn from_code(code: Validated<Code>) -> Self {
        Self { code: Some(Box::new(code)), ..Self::built_by(None, Overflow::Wrap) }
    }

    /// The kernel's name.
    pub fn name(&self) -> Cow<'static, str> {
        self.code.as_ref().map_or_else(|| self.program().name.clone(), |code| code.name.clone())
    }

    /// The kernel's program, whose integers wrap; one without statements if the kernel was written as code.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| Box::new(self.build.map_or_else(Program::default, |build| build(self.overflow))))
    }

    /// The kernel with arithmetic that does this where it overflows. Of one that was not written as a function there is only
    /// one, whose operations are what they say.
    pub fn with_overflow(&self, overflow: Overflow) -> &Self {
        match self.build {
            Some(_) if overflow != self.overflow => {
                self.faulting.get_or_init(|| Box::new(Self::built_by(self.build, overflow)))
            }
            _ => self,
        }
    }

    /// The kernel's program, if it is valid.
    ///
    /// # Errors
    /// The program's problem, for instance a constant that does not fit the device.
    pub fn validated(&self) -> Result<&Validated<Program>, &ValidateError> {
        self.validated.get_or_init(|| self.program().clone().validate().map(Box::new)).as_deref()
    }

    /// The code that it was written as, if it was.
    pub(crate) fn written_code(&self) -> Option<&Code> {
        self.code.as_deref().map(|code| &**code)
    }

    /// The kernel's code, planned; `watched` for launches that look for races.
    pub(crate) fn plan(&self, options: LowerOptions, runs: Runs, watched: bool) -> Result<&Plan, LaunchError> {
        let program = match &self.code {
            Some(_) => None,
            None => Some(self.validated().map_err(LaunchError::program)?),
        };
        let number = usize::from(options.if_conversion) + 2 * usize::from(watched) + 4 * runs as usize;
        let plans = self.plans.get_or_init(Default::default);
        let plan = plans[options.markers as usize][number].get_or_init(|| {
            let code = match (&self.code, program) {
                (Some(code), _) => code.for_markers(options.markers).into_inner(),
                (None, Some(program)) => program.code(options),
                (None, None) => unreachable!("a kernel has a program or code"),
            };
            Box::new(Plan::new(code, runs, watched))
        });
        plan.as_ref().as_ref().map_err(|&error| {
            let source = self.code.as_ref().map_or_else(|| &self.program().source, |code| &code.source);
            LaunchError::plan(error, self.name(), source)
        })
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
    /// The memory that the kernel accesses by address.
    pub(crate) memory: Option<&'a mut DeviceMemory>,
}

impl<'a> KernelCall<'a> {
    /// The same call on the memory of a device, which a kernel written as code can access by address. Without, such a kernel has
    /// memory of its own that ends with the launch.
    ///
    /// If the launch fails, the memory is as it was before.
    pub fn with_memory(self, memory: &'a mut DeviceMemory) -> Self {
        Self { memory: Some(memory), ..self }
    }
}

impl KernelCall<'_> {
    /// The kernel that is called.
    pub fn kernel(&self) -> &Kernel {
        self.kernel
    }
}

/// Binds arguments to a kernel's parameters, in their order.
pub fn call<'a>(kernel: &'a Kernel, arguments: Vec<Argument<'a>>) -> KernelCall<'a> {
    KernelCall { kernel, arguments, memory: None }
}
