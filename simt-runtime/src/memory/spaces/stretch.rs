//! What lanes access together: one allocation, symbol or parameter.

use super::layout::Range;
use super::{Spaces, resolve};
use crate::memory::device::bytes::{Bytes, Elements, ElementsMut};
use simt_core::code::AddressSpace;

/// Memory from one address on, as far as what lies there goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// The first address, of the space that an instruction names.
    pub(crate) first: u64,
    /// Bytes; of each thread, if each has its own.
    pub(crate) size: u64,
    /// How far a lane's bytes are behind those of the lane before: 0, unless each has its own.
    pub(crate) step: usize,
    home: Home,
    /// Where they begin there, those of the first lane if each has its own.
    at: usize,
}

/// The bytes that it is a part of.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// Of an allocation of global memory.
    Global(usize),
    /// Of an allocation of constant memory.
    Const(usize),
    Shared,
    Local,
    Params,
}

impl Spaces<'_> {
    /// What has all of so many bytes from an address on; `None` if nothing has.
    #[inline(always)]
    pub(crate) fn stretch(&mut self, space: AddressSpace, address: u64, count: usize) -> Option<Stretch> {
        let (of, within) = resolve(space, address);
        let ((first, size, at), home, step) = match of {
            AddressSpace::Global | AddressSpace::Const => {
                let memory = self.device.get();
                let is_global = of == AddressSpace::Global;
                let region = if is_global { &mut memory.global } else { &mut memory.constant };
                let (number, _) = region.find(within, count)?;
                let found = region.allocations().get(number)?;
                ((found.start, found.size, 0), if is_global { Home::Global(number) } else { Home::Const(number) }, 0)
            }
            AddressSpace::Shared => (in_window(self.layout.shared.range(within, count)?), Home::Shared, 0),
            AddressSpace::Param => (in_window(self.layout.params.range(within, count)?), Home::Params, 0),
            AddressSpace::Local => {
                let (first, size, at) = in_window(self.layout.local.range(within, count)?);
                ((first, size, self.own.thread(0) + at), Home::Local, self.own.of_thread())
            }
            AddressSpace::Generic => return None,
        };
        Some(Stretch { first: first.wrapping_add(address.wrapping_sub(within)), size, step, home, at })
    }

    /// Elements of a stretch, of so many lanes if each has its own.
    #[inline(always)]
    pub(crate) fn elements<const N: usize>(&self, stretch: Stretch, lanes: usize) -> Option<Elements<'_, N>> {
        let bytes = match stretch.home {
            Home::Global(number) => &self.device.show().global.allocations().get(number)?.bytes,
            Home::Const(number) => &self.device.show().constant.allocations().get(number)?.bytes,
            Home::Shared => &self.own.shared,
            Home::Local => self.own.threads(),
            Home::Params => &self.params,
        };
        bytes.elements(stretch.at, stretch.bytes(lanes))
    }

    /// A byte of a stretch that [is kept](Stretch::is_kept) is to be written.
    #[inline(always)]
    pub(crate) fn keep(&mut self, stretch: Stretch, at: usize) {
        if let Home::Global(number) = stretch.home {
            self.device.get().global.keep_at(number, at);
        }
    }

    /// The same elements, of which some will be written; `None` if threads only read them.
    #[inline(always)]
    pub(crate) fn elements_mut<const N: usize>(
        &mut self,
        stretch: Stretch,
        lanes: usize,
    ) -> Option<ElementsMut<'_, N>> {
        let bytes: &mut Bytes = match stretch.home {
            Home::Global(number) => &mut self.device.get().global.allocation_mut(number).bytes,
            Home::Shared => &mut self.own.shared,
            Home::Local => self.own.threads_mut(),
            Home::Const(_) | Home::Params => return None,
        };
        bytes.elements_mut(stretch.at, stretch.bytes(lanes))
    }
}

/// Where a range of a window begins, its size, and where it is among the window's bytes.
#[inline(always)]
fn in_window(range: &Range) -> (u64, u64, usize) {
    (range.start, range.size, range.start as usize)
}

impl Stretch {
    /// Whether what it held is kept, to be undone.
    #[inline(always)]
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.home, Home::Global(_))
    }

    /// Bytes from the first to the last.
    #[inline(always)]
    fn bytes(&self, lanes: usize) -> usize {
        self.step * (lanes - 1) + self.size as usize
    }
}
