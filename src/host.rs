//! The host's side of a launch: kernels that no function is written for, and arguments of types of your own.

#[doc(inline)]
pub use simt_runtime::{
    Argument, Arguments, Columns, DeviceMemory, Element, FieldData, HostData, Kernel, SliceData, SliceMutData, Structs,
    borrow_structs, call, instance, pass_struct, share_structs,
};
