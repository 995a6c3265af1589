//! The memory of a device: allocations by bytes, which outlive launches.
//!
//! * `allocation`: where allocations lie, and what a launch has changed of them; `bytes`: bytes and whether they have values;
//! * `changes`: what a grid has changed while others ran, too;
//! * `access`: what is wrong with an access that cannot be; `error`: requests that cannot be met.

pub(crate) mod access;
pub(crate) mod allocation;
pub(crate) mod bytes;
pub(crate) mod changes;
mod error;

pub use access::{AddressProblem, BadAccess, Nearest};
pub use error::DeviceMemoryError;

use access::Access;
use allocation::Region;
use simt_core::code::AddressSpace;
use simt_core::{Scalar, ScalarType};
use std::borrow::Cow;
use std::panic::Location;

/// The first global address.
const GLOBAL: u64 = 0x7f00_0000_0000;

/// Constant memory begins behind its null.
const CONST: u64 = 256;

/// Bytes that there are unless it is said how many.
const CAPACITY: u64 = 1 << 32;

/// A result of a request.
type Asked<T> = Result<T, DeviceMemoryError>;

/// The memory of a device, for kernels that access memory by address.
///
/// Pointers are plain numbers: they can be passed to kernels, and stored in memory. The same requests in the same order give
/// the same addresses. Between two allocations lie 4096 bytes or more that no access can touch, an address is not given
/// away twice, and bytes have no value until they are written: so an access that goes astray is an error.
///
/// A launch that fails leaves it as it was.
///
/// ```
/// use simt::host::{Argument, DeviceMemory, Kernel, call};
/// use simt::prelude::*;
/// use simt::Code;
///
/// let code = Code::parse("
///     kernel double(x: u64)
///     .reg u64 %a, usize %i, u32 %v
///         mov.usize     %i, global_id()
///         cvt.u64.usize %a, %i
///         mad.u64       %a, %a, 4, x
///         ld.global.u32 %v, [%a]
///         add.u32       %v, %v, %v
///         st.global.u32 [%a], %v
///         exit")?;
/// let kernel = Kernel::from_code(code);
/// let mut memory = DeviceMemory::new();
/// let x = memory.upload(&[1u32, 2, 3])?;
/// let launch = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 3), launch)?;
/// assert_eq!(memory.read::<u32>(x, 3)?, [2, 4, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceMemory {
    pub(crate) global: Region,
    pub(crate) constant: Region,
    capacity: u64,
    taken: u64,
}

impl Default for DeviceMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl DeviceMemory {
    /// Memory of 4 GiB, of which nothing is taken.
    pub fn new() -> Self {
        Self::with_capacity(CAPACITY)
    }

    /// Memory of so many bytes, of which nothing is taken. The host gives only what is allocated.
    pub fn with_capacity(bytes: u64) -> Self {
        Self { global: Region::new(GLOBAL), constant: Region::new(CONST), capacity: bytes, taken: 0 }
    }

    /// The address of so many bytes that have no values yet; a multiple of 256.
    ///
    /// # Errors
    /// If there is no room for them.
    #[track_caller]
    pub fn alloc(&mut self, bytes: u64) -> Asked<u64> {
        self.alloc_aligned(bytes, 1)
    }

    /// As [`alloc`](Self::alloc), the address a multiple of `align` as well.
    ///
    /// # Errors
    /// If there is no room for them, or `align` is no power of two of at most 2^32.
    #[track_caller]
    pub fn alloc_aligned(&mut self, bytes: u64, align: u64) -> Asked<u64> {
        if !align.is_power_of_two() || align > 1 << 32 {
            return Err(DeviceMemoryError::Alignment { align });
        }
        self.take(AddressSpace::Global, bytes, align, None, Location::caller())
    }

    /// As [`alloc`](Self::alloc), at a caller's request.
    pub(crate) fn alloc_by(&mut self, bytes: u64, by: &'static Location<'static>) -> Asked<u64> {
        self.take(AddressSpace::Global, bytes, 1, None, by)
    }

    /// The address of a copy of values: as many bytes as they take on the device, a `bool` one, a `usize` four.
    ///
    /// # Errors
    /// If there is no room for them.
    #[track_caller]
    pub fn upload<T: Scalar>(&mut self, values: &[T]) -> Asked<u64> {
        self.upload_by(values, Location::caller())
    }

    /// As [`upload`](Self::upload), at a caller's request.
    pub(crate) fn upload_by<T: Scalar>(&mut self, values: &[T], by: &'static Location<'static>) -> Asked<u64> {
        let bytes = device_bytes(values);
        let address = self.alloc_by(bytes.len() as u64, by)?;
        self.write_bytes(address, &bytes)?;
        Ok(address)
    }

    /// Frees what an address that was allocated points to.
    ///
    /// # Errors
    /// If no allocation begins there, or it has been freed.
    #[track_caller]
    pub fn free(&mut self, address: u64) -> Asked<()> {
        self.free_by(address, Location::caller())
    }

    /// As [`free`](Self::free), at a caller's request.
    pub(crate) fn free_by(&mut self, address: u64, by: &'static Location<'static>) -> Asked<()> {
        let Some(number) = self.begun_at(address) else {
            let access = Access { bytes: 1, ..Access::of_host(AddressSpace::Global, address, true) };
            let near = BadAccess::of_region(&self.global, access).map(Box::new);
            return Err(DeviceMemoryError::NotAllocated { address, near });
        };
        let allocation = self.global.allocation_mut(number);
        self.taken = self.taken.saturating_sub(allocation.size);
        allocation.free(by);
        Ok(())
    }

    /// Says what the allocation that begins at an address is, for errors, which else name the line that has asked for
    /// it: for programs whose users know it by another name. Does nothing where none begins.
    ///
    /// ```
    /// use simt::host::DeviceMemory;
    ///
    /// let mut memory = DeviceMemory::new();
    /// let x = memory.alloc(4)?;
    /// memory.describe(x, "the first input");
    /// let error = memory.write(x, &[1u32, 2]).expect_err("there is room for one").to_string();
    /// assert!(error.contains("it is the first input") && !error.contains("allocated at"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&mut self, address: u64, what: impl Into<Cow<'static, str>>) {
        if let Some(number) = self.begun_at(address) {
            self.global.allocation_mut(number).what = Some(what.into());
        }
    }

    /// The allocation that begins at an address, if one does that has been asked for and not been freed.
    fn begun_at(&self, address: u64) -> Option<usize> {
        self.global.at_or_before(address).filter(|&number| {
            let allocation = &self.global.allocations()[number];
            allocation.start == address && allocation.freed.is_none() && allocation.name.is_none()
        })
    }

    /// Writes values from an address on.
    ///
    /// # Errors
    /// If they do not lie in one allocation.
    pub fn write<T: Scalar>(&mut self, address: u64, values: &[T]) -> Asked<()> {
        self.write_bytes(address, &device_bytes(values))
    }

    /// Reads so many values from an address on.
    ///
    /// # Errors
    /// If they do not lie in one allocation, or nothing has been written there.
    pub fn read<T: Scalar>(&self, address: u64, count: usize) -> Asked<Vec<T>> {
        let size = device_size(T::TYPE);
        let bytes = self.read_bytes(address, count.saturating_mul(size))?;
        let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        Ok(bytes.chunks_exact(size).map(|bytes| T::from_bits64(value(bytes))).collect())
    }

    /// Writes bytes from an address on, of global or constant memory.
    ///
    /// # Errors
    /// If they do not lie in one allocation.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Asked<()> {
        let Some((region, number, at)) = self.place(address, bytes.len(), true)? else { return Ok(()) };
        let region = if region == AddressSpace::Const { &mut self.constant } else { &mut self.global };
        region.allocation_mut(number).bytes.write(at, bytes);
        Ok(())
    }

    /// Reads so many bytes from an address on, of global or constant memory.
    ///
    /// # Errors
    /// If they do not lie in one allocation, or nothing has been written there.
    pub fn read_bytes(&self, address: u64, count: usize) -> Asked<Vec<u8>> {
        let Some((region, number, at)) = self.place(address, count, false)? else { return Ok(Vec::new()) };
        let region = if region == AddressSpace::Const { &self.constant } else { &self.global };
        Ok(region.allocations()[number].bytes.range(at, count).to_vec())
    }

    /// Writes one byte so many times from an address on.
    ///
    /// # Errors
    /// If they do not lie in one allocation.
    pub fn fill(&mut self, address: u64, byte: u8, count: usize) -> Asked<()> {
        // Asked first, so that what is not there costs no memory.
        self.place(address, count, true)?;
        self.write_bytes(address, &vec![byte; count])
    }

    /// Copies so many bytes; the two places may overlap.
    ///
    /// # Errors
    /// If either does not lie in one allocation, or nothing has been written where they are read.
    pub fn copy(&mut self, to: u64, from: u64, count: usize) -> Asked<()> {
        self.place(to, count, true)?;
        let bytes = self.read_bytes(from, count)?;
        self.write_bytes(to, &bytes)
    }

    /// The generic address of the global or constant memory that codes declare by a name, once one of them has been launched.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        let within = |region: &Region, space: AddressSpace| {
            let found = region.allocations().iter().find(|known| known.name.as_deref() == Some(name));
            found.map(|found| found.start + space.window())
        };
        within(&self.global, AddressSpace::Global).or_else(|| within(&self.constant, AddressSpace::Const))
    }

    /// Bytes that are taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// An allocation in a space.
    pub(crate) fn take(
        &mut self,
        space: AddressSpace,
        bytes: u64,
        align: u64,
        name: Option<Cow<'static, str>>,
        by: &'static Location<'static>,
    ) -> Asked<u64> {
        let left = self.capacity.saturating_sub(self.taken);
        let full = DeviceMemoryError::Full { asked: bytes, capacity: self.capacity, left };
        if bytes > left {
            return Err(full);
        }
        let region = if space == AddressSpace::Const { &mut self.constant } else { &mut self.global };
        let address = region.add(bytes, align, name, by).ok_or(full)?;
        self.taken += bytes;
        Ok(address)
    }

    /// Puts the number of bytes taken back to what it was.
    pub(crate) fn set_taken(&mut self, taken: u64) {
        self.taken = taken;
    }

    /// The allocation in which so many bytes from a generic address on lie, and where in it; none of no bytes.
    fn place(&self, address: u64, count: usize, write: bool) -> Asked<Option<(AddressSpace, usize, usize)>> {
        let space = AddressSpace::of(address);
        let region = if space == AddressSpace::Const { &self.constant } else { &self.global };
        let within = address.wrapping_sub(if space == AddressSpace::Const { space.window() } else { 0 });
        if count == 0 {
            return Ok(None);
        }
        let number = region.at_or_before(within);
        let found = number.and_then(|number| {
            let allocation = &region.allocations()[number];
            let at = usize::try_from(within - allocation.start).ok()?;
            let fits = at.checked_add(count)? <= allocation.bytes.len();
            let has = write || allocation.bytes.first_unwritten(at, count).is_none();
            (fits && has).then_some((space, number, at))
        });
        if found.is_some() {
            return Ok(found);
        }
        let access = Access { bytes: count as u64, ..Access::of_host(space, within, write) };
        // Of memory that is there and has values nothing is wrong.
        BadAccess::of_region(region, access).map_or(Ok(None), |bad| Err(DeviceMemoryError::Access(Box::new(bad))))
    }
}

/// Bytes of a value on the device.
#[inline]
pub(crate) fn device_size(ty: ScalarType) -> usize {
    ty.bits().div_ceil(8) as usize
}

/// Values as the device has them.
pub(crate) fn device_bytes<T: Scalar>(values: &[T]) -> Vec<u8> {
    let size = device_size(T::TYPE);
    let mut bytes = Vec::with_capacity(values.len() * size);
    for value in values {
        bytes.extend_from_slice(&value.to_bits64().to_le_bytes()[..size]);
    }
    bytes
}
