//! The memory of a launch by address: what lies in each state space, and accesses of lanes to it.
//!
//! * `layout`: where symbols and parameters lie; `own`: memory of the block and of its threads; `stretch`: what lanes access
//!   together; `seen`: what other threads see, for the memory environment.

mod layout;
mod own;
mod seen;
mod stretch;

pub(crate) use layout::symbol_bytes;
pub(crate) use own::Own;
pub(crate) use stretch::Stretch;

use super::Memory;
use super::device::access::{Access, BadAccess, Nearest};
use super::device::bytes::Bytes;
use super::device::{AddressProblem, DeviceMemory, DeviceMemoryError, device_size};
use layout::{Layout, Window};
use simt_core::code::{AddressSpace, Code, Initialiser, Symbol, SymbolId};
use simt_core::program::{ParamId, ParamKind};
use std::panic::Location;

/// The memory of the device: the caller's, or one for this launch.
#[derive(Debug)]
enum Device<'a> {
    Own(Box<DeviceMemory>),
    Of(&'a mut DeviceMemory),
}

impl Device<'_> {
    #[inline(always)]
    fn get(&mut self) -> &mut DeviceMemory {
        match self {
            Self::Own(memory) => memory,
            Self::Of(memory) => memory,
        }
    }

    #[inline(always)]
    fn show(&self) -> &DeviceMemory {
        match self {
            Self::Own(memory) => memory,
            Self::Of(memory) => memory,
        }
    }
}

/// What the memory of the device was when the launch began.
#[derive(Clone, Copy, Debug)]
struct Before {
    global: (usize, u64),
    constant: (usize, u64),
    taken: u64,
}

/// Memory by address, as a launch sees it.
///
/// When it is dropped, the memory of the device is as it was before, unless it was committed.
#[derive(Debug)]
pub(crate) struct Spaces<'a> {
    device: Device<'a>,
    before: Before,
    layout: Layout,
    params: Bytes,
    own: Own,
}

/// An address taken apart.
type Place = (AddressSpace, u64);

/// The space of an address, and the address in it.
#[inline(always)]
pub(crate) fn resolve(space: AddressSpace, address: u64) -> Place {
    match space {
        AddressSpace::Generic => {
            let space = AddressSpace::of(address);
            (space, address.wrapping_sub(space.window()))
        }
        space => (space, address),
    }
}

impl<'a> Spaces<'a> {
    /// The memory of a launch of a code, for blocks of up to `warps` warps of `width` lanes. Global and constant memory that the
    /// code declares is allocated and gets its values, unless an earlier launch has done it.
    ///
    /// # Errors
    /// If there is no room for it, or it was declared otherwise.
    pub(crate) fn new(
        device: Option<&'a mut DeviceMemory>,
        code: &Code,
        width: usize,
        warps: usize,
    ) -> Result<Self, DeviceMemoryError> {
        let mut device = device.map_or_else(|| Device::Own(Box::default()), Device::Of);
        let memory = device.get();
        memory.global.forget();
        memory.constant.forget();
        let (global, constant, taken) = (memory.global.extent(), memory.constant.extent(), memory.taken());
        let before = Before { global, constant, taken };
        let layout = Layout::of(code);
        let own = Own::new(&layout, width, warps);
        let mut spaces = Self { device, before, layout, params: Bytes::default(), own };
        spaces.link(&code.symbols)?;
        Ok(spaces)
    }

    /// Finds global and constant symbols by their names, or makes them.
    fn link(&mut self, symbols: &[Symbol]) -> Result<(), DeviceMemoryError> {
        let memory = self.device.get();
        let mut new = Vec::new();
        for (number, symbol) in symbols.iter().enumerate() {
            if !matches!(symbol.space, AddressSpace::Global | AddressSpace::Const) {
                continue;
            }
            let region = if symbol.space == AddressSpace::Const { &memory.constant } else { &memory.global };
            let known = region.allocations().iter().find(|known| known.name.as_ref() == Some(&symbol.name));
            let size = u64::from(symbol.size);
            self.layout.symbols[number] = match known {
                Some(known) if known.size != size || !known.start.is_multiple_of(symbol.align.into()) => {
                    let name = symbol.name.to_string();
                    return Err(DeviceMemoryError::OtherSymbol { name, size, known: known.size });
                }
                Some(known) => known.start,
                None => {
                    new.push((number, symbol));
                    let name = Some(symbol.name.clone());
                    memory.take(symbol.space, size, symbol.align.into(), name, Location::caller())?
                }
            };
        }
        for (number, symbol) in new {
            let bytes = initial(symbol, symbols, &self.layout.symbols);
            let address = self.layout.symbols[number] + symbol.space.window();
            self.device.get().write_bytes(address, &bytes)?;
        }
        Ok(())
    }

    /// Another number of warps of a block, of a code with these symbols.
    pub(super) fn resize(&mut self, width: usize, warps: usize) {
        self.own = Own::new(&self.layout, width, warps);
    }

    /// Memory of a block of its own.
    pub(super) fn of_block(&self, width: usize, warps: usize) -> Own {
        Own::new(&self.layout, width, warps)
    }

    pub(super) fn own(&mut self) -> &mut Own {
        &mut self.own
    }

    /// The launch has succeeded.
    pub(super) fn commit(mut self) {
        let memory = self.device.get();
        memory.global.forget();
        memory.constant.forget();
        let (global, constant, taken) = (memory.global.extent(), memory.constant.extent(), memory.taken());
        self.before = Before { global, constant, taken };
    }

    /// Undoes what threads have written.
    pub(super) fn undo(&mut self) {
        let memory = self.device.get();
        memory.global.undo();
        memory.constant.undo();
    }

    /// Appends all that threads can write to `image`.
    pub(super) fn show(&self, image: &mut Vec<u64>) {
        self.device.show().global.show(image);
        self.own.show(image);
    }

    /// How many words that are.
    pub(super) fn size(&self) -> usize {
        self.device.show().global.size() + self.own.size()
    }

    /// The value of 1, 2, 4 or 8 bytes that a lane of the warp that runs reads; `None` if it cannot.
    #[inline]
    pub(crate) fn load(&mut self, space: AddressSpace, address: u64, count: usize, lane: usize) -> Option<u64> {
        if !address.is_multiple_of(count as u64) {
            return None;
        }
        match resolve(space, address) {
            (AddressSpace::Global, address) => self.device.get().global.get(address, count),
            (AddressSpace::Shared, address) => self.own.shared.get(self.layout.shared.find(address, count)?, count),
            (AddressSpace::Local, address) => self.own.local(self.layout.local.find(address, count)?, count, lane),
            (AddressSpace::Const, address) => self.device.get().constant.get(address, count),
            (AddressSpace::Param, address) => self.params.get(self.layout.params.find(address, count)?, count),
            (AddressSpace::Generic, _) => None,
        }
    }

    /// Writes 1, 2, 4 or 8 bytes of a lane of the warp that runs; `None` if it cannot.
    #[inline]
    pub(crate) fn store(
        &mut self,
        space: AddressSpace,
        address: u64,
        count: usize,
        lane: usize,
        bits: u64,
    ) -> Option<()> {
        if !address.is_multiple_of(count as u64) {
            return None;
        }
        match resolve(space, address) {
            (AddressSpace::Global, address) => self.device.get().global.set(address, count, bits),
            (AddressSpace::Shared, address) => {
                self.own.shared.set(self.layout.shared.find(address, count)?, count, bits)
            }
            (AddressSpace::Local, address) => {
                self.own.set_local(self.layout.local.find(address, count)?, count, lane, bits)
            }
            (AddressSpace::Const | AddressSpace::Param | AddressSpace::Generic, _) => None,
        }
    }

    /// Whether memory of the device or the block is there that a lane may access.
    pub(crate) fn is_there(&mut self, space: AddressSpace, address: u64, count: usize) -> bool {
        address.is_multiple_of(count as u64)
            && match space {
                AddressSpace::Global => self.device.get().global.find(address, count).is_some(),
                AddressSpace::Shared => self.layout.shared.find(address, count).is_some(),
                _ => false,
            }
    }

    /// What a byte of memory that threads share lies in.
    pub(crate) fn lies_in(&self, space: AddressSpace, address: u64) -> Option<Nearest> {
        if space != AddressSpace::Shared {
            return Nearest::with_byte(&self.device.show().global, address);
        }
        let range = self.layout.shared.range(address, 1)?;
        Some(Nearest::new(Some(range.name.clone()), (range.start, range.size), address, 1))
    }

    /// What is wrong with an access of a lane that could not be.
    #[cold]
    pub(crate) fn explain(&mut self, space: AddressSpace, address: u64, count: usize, write: bool) -> BadAccess {
        let (space, address) = resolve(space, address);
        let bytes = count as u64;
        let access = |write, in_flight| Access { space, address, bytes, write, host: false, in_flight };
        let bad = |access| match space {
            AddressSpace::Const => BadAccess::of_region(&self.device.show().constant, access),
            AddressSpace::Shared => {
                of_window(&self.layout.shared, access, |at| self.own.shared.first_unwritten(at, count))
            }
            AddressSpace::Local => of_window(&self.layout.local, access, |_| None),
            AddressSpace::Param => of_window(&self.layout.params, access, |_| None),
            AddressSpace::Global | AddressSpace::Generic => BadAccess::of_region(&self.device.show().global, access),
        };
        // An atomic operation reads what it writes.
        let found = bad(access(write, false)).or_else(|| bad(access(false, false)));
        let found = found.or_else(|| bad(access(false, true)));
        found.unwrap_or(BadAccess { space, address, bytes, write, problem: AddressProblem::Wild, nearest: None })
    }
}

impl Drop for Spaces<'_> {
    fn drop(&mut self) {
        let Before { global, constant, taken } = self.before;
        let memory = self.device.get();
        memory.global.undo();
        memory.constant.undo();
        memory.global.cut(global);
        memory.constant.cut(constant);
        memory.set_taken(taken);
    }
}

/// Allocates what a code declares in global and constant memory, unless it is there, and writes its first values.
///
/// # Errors
/// If there is no room for it, or it was declared otherwise.
pub(crate) fn load(memory: &mut DeviceMemory, code: &Code) -> Result<(), DeviceMemoryError> {
    Spaces::new(Some(memory), code, 4, 1).map(Spaces::commit)
}

/// What is wrong with an access of a window.
fn of_window(window: &Window, access: Access, unwritten: impl Fn(usize) -> Option<usize>) -> Option<BadAccess> {
    let Access { address, bytes, .. } = access;
    let near =
        |range: &layout::Range| Nearest::new(Some(range.name.clone()), (range.start, range.size), address, bytes);
    let nearest = window.ranges.iter().map(near).min_by_key(Nearest::far);
    let holds = nearest.as_ref().is_some_and(|near| near.holds(address, bytes));
    let unwritten = if holds { unwritten(address as usize).map(|first| first as u64) } else { None };
    BadAccess::new(access, nearest, unwritten)
}

/// The bytes that a symbol has at first.
fn initial(symbol: &Symbol, symbols: &[Symbol], addresses: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; symbol.size as usize];
    let Some(Initialiser { bytes: first, addresses: inside }) = &symbol.init else { return bytes };
    bytes.iter_mut().zip(first).for_each(|(byte, &first)| *byte = first);
    for address in inside {
        let number = address.symbol.0 as usize;
        let window = if address.generic { symbols[number].space.window() } else { 0 };
        let value = addresses[number].wrapping_add(window).wrapping_add_signed(address.plus.into());
        let place = bytes.get_mut(address.at as usize..).and_then(|bytes| bytes.first_chunk_mut());
        place.into_iter().for_each(|place| *place = value.to_le_bytes());
    }
    bytes
}

impl<'a> Memory<'a> {
    /// The same memory with what the code accesses by address, for blocks of so many warps.
    ///
    /// # Errors
    /// If what the code declares cannot be there.
    pub(crate) fn with_spaces(
        mut self,
        device: Option<&'a mut DeviceMemory>,
        code: &Code,
        width: usize,
        warps: usize,
    ) -> Result<Self, DeviceMemoryError> {
        let mut spaces = Spaces::new(device, code, width, warps)?;
        let mut params = Bytes::new(spaces.layout.params.size, spaces.layout.params.used);
        for (number, param) in code.params.iter().enumerate() {
            let at = spaces.layout.param_addresses[number] as usize;
            match param.kind {
                ParamKind::Scalar(ty) => {
                    let bits = self.scalar(number).map_or(0, |value| value.bits);
                    params.write(at, &bits.to_le_bytes()[..device_size(ty)]);
                }
                ParamKind::Bytes { .. } => params.write(at, self.read::<u8>(number as u16)),
                _ => {}
            }
        }
        spaces.params = params;
        self.spaces = Some(Box::new(spaces));
        Ok(self)
    }

    /// The address of a symbol in its own space.
    pub(crate) fn symbol(&self, symbol: SymbolId) -> u64 {
        let known = self.spaces.as_ref().and_then(|spaces| spaces.layout.symbols.get(symbol.0 as usize));
        known.copied().unwrap_or(0)
    }

    /// The address of a parameter in the space of parameters.
    pub(crate) fn param_address(&self, param: ParamId) -> u64 {
        let known = self.spaces.as_ref().and_then(|spaces| spaces.layout.param_addresses.get(param.0 as usize));
        known.copied().unwrap_or(0)
    }
}
