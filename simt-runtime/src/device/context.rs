//! Contexts: memory, loaded kernels, streams.

use super::error::DeviceError;
use super::state::{ContextState, State, StreamState};
use super::stream::{Event, Stream};
use super::view::{Buffer, Loaded};
use super::{Shared, with};
use crate::gpu::Kernel;
use crate::memory::{DeviceMemory, Element, spaces};
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;

/// A context of a [`Device`](super::Device): memory of its own, the kernels that are loaded, and streams. Copies of the handle
/// are the same context.
///
/// What the host asks of memory that grids may use waits for all that was launched in the context, as on CUDA's default
/// stream; new memory is there at once.
#[derive(Clone)]
pub struct Context<'a> {
    shared: Shared<'a>,
    number: usize,
    id: u64,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({})", self.number)
    }
}

impl<'a> Context<'a> {
    pub(super) fn new(shared: &Shared<'a>) -> Result<Self, DeviceError> {
        let context = ContextState::new();
        let id = context.id;
        let number = with(shared, |state| {
            state.contexts.push(context);
            state.contexts.len() - 1
        })?;
        Ok(Self { shared: Rc::clone(shared), number, id })
    }

    /// What `ask` does with the context's memory once nothing runs in it any more. What was written before its context was
    /// lost can be read, too.
    ///
    /// # Errors
    /// That the context was destroyed.
    pub fn memory<R>(&self, ask: impl FnOnce(&mut DeviceMemory) -> R) -> Result<R, DeviceError> {
        with(&self.shared, |state| self.wait(state))?;
        self.at_once(ask)
    }

    /// What `ask` does with the context's memory, whatever runs in it.
    fn at_once<R>(&self, ask: impl FnOnce(&mut DeviceMemory) -> R) -> Result<R, DeviceError> {
        with(&self.shared, |state| match &state.contexts[self.number].lost {
            Some(DeviceError::Destroyed) => Err(DeviceError::Destroyed),
            _ => Ok(ask(state.contexts[self.number].memory.get_mut())),
        })?
    }

    /// A buffer with a copy of values.
    ///
    /// # Errors
    /// If there is no room for them.
    #[track_caller]
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>, DeviceError> {
        let by = Location::caller();
        let address = self.at_once(|memory| memory.upload_by(values, by))??;
        self.buffer(address, values.len())
    }

    /// A buffer of so many zeros.
    ///
    /// # Errors
    /// If there is no room for them.
    #[track_caller]
    pub fn zeroed<T: Element>(&self, length: usize) -> Result<Buffer<T>, DeviceError> {
        let size = crate::memory::device::device_size(T::TYPE);
        let bytes = length.saturating_mul(size);
        let by = Location::caller();
        let address = self.at_once(|memory| {
            let address = memory.alloc_by(bytes as u64, by)?;
            memory.fill(address, 0, bytes).map(|()| address)
        })??;
        self.buffer(address, length)
    }

    fn buffer<T>(&self, address: u64, length: usize) -> Result<Buffer<T>, DeviceError> {
        let number = with(&self.shared, |state| {
            let context = &mut state.contexts[self.number];
            context.buffers += 1;
            context.buffers - 1
        })?;
        Ok(Buffer { context: self.id, number, address, length, values: PhantomData })
    }

    /// The values of a buffer once nothing runs in the context any more.
    ///
    /// # Errors
    /// That the buffer is not of this context, or was freed.
    pub fn read<T: Element>(&self, buffer: Buffer<T>) -> Result<Vec<T>, DeviceError> {
        self.own(buffer)?;
        Ok(self.memory(|memory| memory.read(buffer.address, buffer.length))??)
    }

    /// Writes the values of a buffer, as many as there are, once nothing runs in the context any more.
    ///
    /// # Errors
    /// That the buffer is not of this context, was freed, or is shorter.
    pub fn write<T: Element>(&self, buffer: Buffer<T>, values: &[T]) -> Result<(), DeviceError> {
        self.own(buffer)?;
        Ok(self.memory(|memory| memory.write(buffer.address, values))??)
    }

    /// Frees a buffer once nothing runs in the context any more.
    ///
    /// # Errors
    /// That the buffer is not of this context, or was freed.
    #[track_caller]
    pub fn free<T: Element>(&self, buffer: Buffer<T>) -> Result<(), DeviceError> {
        self.own(buffer)?;
        let by = Location::caller();
        Ok(self.memory(|memory| memory.free_by(buffer.address, by))??)
    }

    fn own<T>(&self, buffer: Buffer<T>) -> Result<(), DeviceError> {
        let is_own = buffer.context == self.id;
        if is_own { Ok(()) } else { Err(DeviceError::OtherContext { what: "buffer" }) }
    }

    /// Loads a kernel that was written as code, as those of PTX are: the global and constant memory that it declares has its
    /// first values, unless another that declares it is loaded already (5.8.3).
    ///
    /// # Errors
    /// If there is no room for what it declares, or another declares it otherwise.
    pub fn load(&self, kernel: Kernel) -> Result<Loaded, DeviceError> {
        let linked = |memory: &mut DeviceMemory| match kernel.written_code() {
            Some(code) => spaces::load(memory, code),
            None => Ok(()),
        };
        self.at_once(linked)??;
        let number = with(&self.shared, |state| {
            let kernels = &mut state.contexts[self.number].kernels;
            kernels.push(kernel);
            kernels.len() - 1
        })?;
        Ok(Loaded { context: self.id, number })
    }

    /// A stream of the context.
    ///
    /// # Errors
    /// That the context is lost, or was destroyed.
    pub fn stream(&self) -> Result<Stream<'a>, DeviceError> {
        let number = with(&self.shared, |state| {
            state.usable(self.number)?;
            state.streams.push(StreamState { context: self.number, items: VecDeque::new(), running: None });
            Ok::<_, DeviceError>(state.streams.len() - 1)
        })??;
        Ok(Stream { shared: Rc::clone(&self.shared), context: self.number, number })
    }

    /// An event of the context, which has recorded nothing yet.
    pub fn event(&self) -> Event<'a> {
        Event { shared: Rc::clone(&self.shared), context: self.number, point: Rc::new(Cell::new(None)) }
    }

    /// Waits for all that was launched in the context.
    ///
    /// # Errors
    /// The error of the grid by which the context was lost.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        with(&self.shared, |state| {
            self.wait(state);
            state.usable(self.number)
        })?
    }

    /// Destroys the context: its grids are aborted, and its memory is gone (5.8.3).
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn destroy(self) -> Result<(), DeviceError> {
        with(&self.shared, |state| {
            state.lose(self.number, DeviceError::Destroyed);
            let gone = ContextState { lost: Some(DeviceError::Destroyed), ..ContextState::new() };
            state.contexts[self.number] = gone;
        })
    }

    fn wait(&self, state: &mut State<'_>) {
        state.run_until(|state| state.is_context_idle(self.number));
    }
}
