//! The memory μ: what all threads share, and what each has for itself.
//!
//! The paper's variable environment η(θ) says at which address a variable of thread θ is; variables that are shared have
//! one address for all. Here the language tells the two apart: elements of slices and of shared arrays are shared,
//! variables and local arrays are not. So an address is a slice and an index, or a thread, an activation and a variable.

use crate::setting::Setting;
use simt_core::Constant;
use simt_core::LaneMask;
use simt_core::program::{ArrayId, ArraySpace, FunctionId, Memory as Slice, ParamKind, VarId};

/// The memory of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Memory {
    /// Of each parameter the device's bits: of a slice its elements, of a scalar one value.
    pub slices: Vec<Vec<u64>>,
    /// Of each array of the block its elements; none where no thread has written. Local arrays are empty here.
    pub shared: Vec<Vec<Option<u64>>>,
    /// What each thread has for itself.
    pub threads: Vec<Private>,
}

/// What a thread has for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Private {
    /// The functions that it executes, the kernel first.
    pub activations: Vec<Activation>,
    /// The result of the function that ended last.
    pub result: Option<Constant>,
    /// The lines that it has printed.
    pub lines: Vec<String>,
}

/// An execution of the kernel or a function by a thread: its variables and local arrays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Activation {
    /// The function; the kernel for `None`.
    pub function: Option<FunctionId>,
    variables: Vec<Option<Constant>>,
    arrays: Vec<(ArrayId, Vec<Option<u64>>)>,
}

/// Arguments that do not fit the kernel's parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// Too many or too few.
    #[error("the kernel has {expected} parameters, not {found}")]
    Count {
        /// How many it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A scalar parameter has one value.
    #[error("parameter {param} is a scalar: it has one value, not {found}")]
    Scalar {
        /// Which parameter.
        param: usize,
        /// How many were given.
        found: usize,
    },
    /// A value has bits beyond its type.
    #[error("parameter {param}: {bits:#x} has bits that its type has not")]
    Bits {
        /// Which parameter.
        param: usize,
        /// The value.
        bits: u64,
    },
}

impl Memory {
    /// The memory of an initial configuration: the arguments, of each the device's bits, and the kernel just entered.
    ///
    /// # Errors
    /// The arguments do not fit the parameters.
    pub fn initial(setting: &Setting<'_>, mut arguments: Vec<Vec<u64>>) -> Result<Self, MemoryError> {
        let params = &setting.program().params;
        arguments.extend(params.iter().filter_map(|param| Some(param.table.as_ref()?.to_vec())));
        if params.len() != arguments.len() {
            return Err(MemoryError::Count { expected: params.len(), found: arguments.len() });
        }
        for (number, (param, values)) in params.iter().zip(&arguments).enumerate() {
            let ty = match param.kind {
                ParamKind::Scalar(_) if values.len() != 1 => {
                    return Err(MemoryError::Scalar { param: number, found: values.len() });
                }
                ParamKind::Scalar(ty) => ty,
                kind => kind.element().unwrap_or(simt_core::ScalarType::U64),
            };
            if let Some(&bits) = values.iter().find(|&&bits| bits.checked_shr(ty.bits()).unwrap_or(0) != 0) {
                return Err(MemoryError::Bits { param: number, bits });
            }
        }
        let arrays = setting.program().arrays.iter();
        let shared = arrays.map(|array| match array.space {
            ArraySpace::Shared => vec![None; array.length as usize],
            ArraySpace::Local => Vec::new(),
        });
        let mut memory = Self { slices: arguments, shared: shared.collect(), threads: Vec::new() };
        let entered = Private { activations: vec![Activation::new(setting, None)], ..Private::default() };
        let threads = setting.place().threads();
        let thread = |number| if threads.contains(number) { entered.clone() } else { Private::default() };
        memory.threads = (0..setting.place().width() as usize).map(thread).collect();
        Ok(memory)
    }

    pub(crate) fn variable(&self, setting: &Setting<'_>, thread: usize, var: VarId) -> Option<Constant> {
        let variables = &self.threads[thread].activations.last()?.variables;
        variables.get(setting.slot(var)?).copied().flatten()
    }

    /// `μ{η(θ)(x) ↦ v}`.
    pub(crate) fn assign(&mut self, setting: &Setting<'_>, thread: usize, var: VarId, value: Constant) {
        let activation = self.threads[thread].activations.last_mut();
        let variable = activation.zip(setting.slot(var)).and_then(|(a, slot)| a.variables.get_mut(slot));
        if let Some(variable) = variable {
            *variable = Some(value);
        }
    }

    /// An element as the thread sees it: no such element, one that no thread has written, or its bits.
    pub(crate) fn element(
        &self,
        setting: &Setting<'_>,
        thread: usize,
        slice: Slice,
        index: u32,
    ) -> Option<Option<u64>> {
        let index = index as usize;
        match slice {
            Slice::Param(param) => self.slices[param.0 as usize].get(index).copied().map(Some),
            Slice::Array(id) if setting.program().array(id).space == ArraySpace::Shared => {
                self.shared[id.0 as usize].get(index).copied()
            }
            Slice::Array(id) if index < setting.program().array(id).length as usize => {
                // Another function's local array is that of its newest activation.
                let mut newest = self.threads[thread].activations.iter().rev();
                let array = newest.find_map(|activation| activation.arrays.iter().find(|(known, _)| *known == id));
                Some(array.and_then(|(_, elements)| elements[index]))
            }
            Slice::Array(_) => None,
        }
    }

    /// Where the element is, if it is there to be written.
    pub(crate) fn write(&mut self, setting: &Setting<'_>, thread: usize, slice: Slice, index: u32, bits: u64) {
        let index = index as usize;
        let place = match slice {
            Slice::Param(param) => {
                if let Some(element) = self.slices[param.0 as usize].get_mut(index) {
                    *element = bits;
                }
                return;
            }
            Slice::Array(id) if setting.program().array(id).space == ArraySpace::Shared => {
                self.shared[id.0 as usize].get_mut(index)
            }
            Slice::Array(id) => {
                let mut newest = self.threads[thread].activations.iter_mut().rev();
                let array = newest.find_map(|activation| activation.arrays.iter_mut().find(|(known, _)| *known == id));
                array.and_then(|(_, elements)| elements.get_mut(index))
            }
        };
        if let Some(element) = place {
            *element = Some(bits);
        }
    }

    /// Whether a local array is there.
    pub(crate) fn has_array(&self, thread: usize, id: ArrayId) -> bool {
        let mut arrays = self.threads[thread].activations.iter().flat_map(|activation| &activation.arrays);
        arrays.any(|(known, _)| *known == id)
    }

    /// The thread enters a function: fresh variables and arrays, and the arguments in the parameters.
    pub(crate) fn enter(&mut self, setting: &Setting<'_>, thread: usize, function: FunctionId, args: Vec<Constant>) {
        self.threads[thread].activations.push(Activation::new(setting, Some(function)));
        for (&param, arg) in setting.function(function).params.iter().zip(args) {
            self.assign(setting, thread, param, arg);
        }
    }

    /// The thread leaves the function or kernel that it is in; the result is kept for the caller.
    pub(crate) fn leave(&mut self, setting: &Setting<'_>, thread: usize) {
        let function = self.threads[thread].activations.last().and_then(|activation| activation.function);
        let result = function.and_then(|id| setting.function(id).result);
        let value = result.and_then(|var| self.variable(setting, thread, var));
        let private = &mut self.threads[thread];
        private.activations.pop();
        private.result = value;
    }

    /// The threads that have not left the kernel.
    pub fn live(&self) -> LaneMask {
        let threads = self.threads.iter().enumerate().filter(|(_, thread)| !thread.activations.is_empty());
        threads.fold(LaneMask::EMPTY, |live, (thread, _)| live | LaneMask::lane(thread))
    }

    pub(crate) fn depth(&self, thread: usize) -> usize {
        self.threads[thread].activations.len()
    }
}

impl Activation {
    fn new(setting: &Setting<'_>, function: Option<FunctionId>) -> Self {
        let arrays = setting.program().arrays.iter().zip(0..);
        let own = arrays.filter(|(array, _)| array.space == ArraySpace::Local && array.function == function);
        Self {
            function,
            variables: vec![None; setting.size(function)],
            arrays: own.map(|(array, id)| (ArrayId(id), vec![None; array.length as usize])).collect(),
        }
    }
}
