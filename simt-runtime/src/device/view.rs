//! What a launch sees of its context: buffers as slices, and loaded kernels.

use super::DeviceError;
use crate::gpu::{Kernel, KernelCall, call};
use crate::memory::device::{device_bytes, device_size};
use crate::memory::{Argument, DeviceMemory, Element};
use simt_core::Scalar;
use simt_core::build::Atomic;
use simt_core::ops::Overflow;
use simt_core::program::Program;
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// Memory of a context, as long as so many values of a type.
///
/// It is a name, which can be copied: a launch gets the values from [`GridMemory`], the host from
/// [`Context::read`](super::Context::read), and code that accesses memory by address by its [`address`](Self::address).
pub struct Buffer<T> {
    /// The id of the context.
    pub(super) context: u64,
    /// Its number in the context.
    pub(super) number: usize,
    pub(super) address: u64,
    pub(super) length: usize,
    pub(super) values: PhantomData<fn() -> T>,
}

// By hand: what the values are does not matter.
impl<T> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Buffer<T> {}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, length, .. } = self;
        write!(f, "Buffer({length} values at {address:#x})")
    }
}

impl<T> Buffer<T> {
    /// The address of the first value, in the memory of the context.
    pub fn address(self) -> u64 {
        self.address
    }

    /// The number of values.
    pub fn len(self) -> usize {
        self.length
    }

    /// Whether it has no values.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// A kernel that is loaded into a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loaded {
    /// The id of the context.
    pub(super) context: u64,
    pub(super) number: usize,
}

/// Values that a launch works on.
trait Values: Any {
    /// As the device has them.
    fn to_bytes(&self) -> Vec<u8>;
}

struct Plain<T>(Vec<T>);

impl<T: Scalar> Values for Plain<T> {
    fn to_bytes(&self) -> Vec<u8> {
        device_bytes(&self.0)
    }
}

struct Atomics<A>(Vec<A>);

impl<A: Atomic> Values for Atomics<A> {
    fn to_bytes(&self) -> Vec<u8> {
        device_bytes(&self.0.iter().map(Atomic::get).collect::<Vec<_>>())
    }
}

/// A buffer that a launch works on.
pub(super) struct Staged {
    address: u64,
    before: Vec<u8>,
    values: Box<dyn Values>,
}

impl Staged {
    /// What the launch has changed goes to the memory of the device.
    pub(super) fn store(&self, memory: &mut DeviceMemory) {
        memory.write_changed(self.address, &self.before, &self.values.to_bytes());
    }
}

/// A buffer of the context, as far as a launch has it.
enum Seat<'m> {
    Free(&'m mut Option<Staged>),
    Shared(&'m dyn Any),
    Taken,
}

/// The memory of a context, and its kernels, for the call of a grid: see [`Stream::launch`](super::Stream::launch).
pub struct GridMemory<'m> {
    /// The id of the context.
    context: u64,
    memory: &'m RefCell<DeviceMemory>,
    kernels: &'m [Kernel],
    /// By the numbers of the buffers.
    seats: Vec<Seat<'m>>,
    problem: Option<DeviceError>,
}

impl fmt::Debug for GridMemory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GridMemory").field("context", &self.context).finish_non_exhaustive()
    }
}

impl<'m> GridMemory<'m> {
    pub(super) fn new(
        context: u64,
        memory: &'m RefCell<DeviceMemory>,
        kernels: &'m [Kernel],
        stages: &'m mut [Option<Staged>],
    ) -> Self {
        Self { context, memory, kernels, seats: stages.iter_mut().map(Seat::Free).collect(), problem: None }
    }

    /// The first thing that was wrong with what was asked for.
    pub(super) fn into_problem(self) -> Option<DeviceError> {
        self.problem
    }

    /// The values of a buffer, to be read. If it is not of this context, there are none, and the grid fails.
    pub fn slice<T: Element>(&mut self, buffer: Buffer<T>) -> &'m [T] {
        self.shared(buffer, Plain).map_or(&[], |plain: &Plain<T>| plain.0.as_slice())
    }

    /// The values of a buffer, to be read and written. If it is not of this context, or is had already, there are none, and the
    /// grid fails.
    pub fn slice_mut<T: Element>(&mut self, buffer: Buffer<T>) -> &'m mut [T] {
        self.unique(buffer, Plain).map_or(&mut [], |plain: &mut Plain<T>| plain.0.as_mut_slice())
    }

    /// The values of a buffer as atomics. If it is not of this context, or is had otherwise, there are none, and the grid fails.
    pub fn atomics<A: Atomic + From<A::Value>>(&mut self, buffer: Buffer<A::Value>) -> &'m [A] {
        let atomics = |values: Vec<A::Value>| Atomics(values.into_iter().map(A::from).collect());
        self.shared(buffer, atomics).map_or(&[], |atomics: &Atomics<A>| atomics.0.as_slice())
    }

    /// A call of a kernel that is loaded into the context. Of one that is not, the grid fails.
    pub fn call(&mut self, kernel: Loaded, arguments: Vec<Argument<'m>>) -> KernelCall<'m> {
        static NONE: Kernel = Kernel::new(none);
        let found = self.kernels.get(kernel.number).filter(|_| kernel.context == self.context);
        if found.is_none() {
            self.fail(DeviceError::OtherContext { what: "kernel" });
        }
        call(found.unwrap_or(&NONE), arguments)
    }

    fn fail(&mut self, problem: DeviceError) {
        self.problem.get_or_insert(problem);
    }

    /// The place of a buffer, which is taken from here on.
    fn seat<T>(&mut self, buffer: Buffer<T>) -> Option<Seat<'m>> {
        let seat = self.seats.get_mut(buffer.number).filter(|_| buffer.context == self.context);
        let seat = seat.map(|seat| std::mem::replace(seat, Seat::Taken));
        if seat.is_none() {
            self.fail(DeviceError::OtherContext { what: "buffer" });
        }
        seat
    }

    /// Puts the values of a buffer into its stage.
    fn load<T: Scalar, V: Values>(
        &mut self,
        buffer: Buffer<T>,
        stage: &'m mut Option<Staged>,
        values: impl FnOnce(Vec<T>) -> V,
    ) -> Option<&'m mut V> {
        let Buffer { address, length, .. } = buffer;
        let size = device_size(T::TYPE);
        let read = self.memory.borrow().read_bytes(address, length.saturating_mul(size));
        let before = match read {
            Ok(before) => before,
            Err(error) => {
                self.fail(error.into());
                return None;
            }
        };
        let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let loaded = before.chunks_exact(size).map(|bytes| T::from_bits64(value(bytes))).collect();
        let stage = stage.insert(Staged { address, before, values: Box::new(values(loaded)) });
        let loaded: &mut dyn Any = stage.values.as_mut();
        loaded.downcast_mut()
    }

    fn unique<T: Scalar, V: Values>(
        &mut self,
        buffer: Buffer<T>,
        values: impl FnOnce(Vec<T>) -> V,
    ) -> Option<&'m mut V> {
        match self.seat(buffer)? {
            Seat::Free(stage) => self.load(buffer, stage, values),
            Seat::Shared(_) | Seat::Taken => {
                self.fail(DeviceError::Twice);
                None
            }
        }
    }

    fn shared<T: Scalar, V: Values>(&mut self, buffer: Buffer<T>, values: impl FnOnce(Vec<T>) -> V) -> Option<&'m V> {
        let had: Option<&'m V> = match self.seat(buffer)? {
            Seat::Free(stage) => Some(&*self.load(buffer, stage, values)?),
            Seat::Shared(had) => had.downcast_ref(),
            Seat::Taken => None,
        };
        match had {
            Some(had) => self.seats[buffer.number] = Seat::Shared(had),
            None => self.fail(DeviceError::Twice),
        }
        had
    }
}

/// A program without parameters, of which nothing runs.
fn none(_: Overflow) -> Program {
    Program::default()
}
