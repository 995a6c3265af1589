//! Requests to the memory of the device that cannot be met.

use super::access::BadAccess;

/// Why a request to a [`DeviceMemory`](super::DeviceMemory) cannot be met. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceMemoryError {
    /// There is no room.
    #[error(
        "there is no room for {asked} bytes: of {capacity} bytes {left} are left; free some, or make it larger with \
         `DeviceMemory::with_capacity(bytes)`"
    )]
    Full {
        /// How many bytes were asked for.
        asked: u64,
        /// How many bytes there are.
        capacity: u64,
        /// How many of them are not taken.
        left: u64,
    },
    /// The alignment is none.
    #[error("{align} is no alignment: give a power of two of at most 2^32")]
    Alignment {
        /// The alignment.
        align: u64,
    },
    /// What is to be freed is not the address of an allocation.
    #[error("{address:#x} cannot be freed: it is no address that an allocation begins at{}", .near.as_ref().map_or_else(String::new, |near| format!(" ({near})")))]
    NotAllocated {
        /// The address.
        address: u64,
        /// What lies near.
        near: Option<Box<BadAccess>>,
    },
    /// What is to be read or written is not there.
    #[error(transparent)]
    Access(Box<BadAccess>),
    /// A code declares global or constant memory of a name that there is already, with another size, alignment or contents.
    #[error(
        "`{name}` is declared with {size} bytes, and was declared with {known} by a code that ran on this memory before: let \
         both declare the same, or run them on memories of their own"
    )]
    OtherSymbol {
        /// The symbol.
        name: String,
        /// Its size in the code.
        size: u64,
        /// The size of what is there.
        known: u64,
    },
}
