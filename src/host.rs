//! The host's side of a launch: kernels that no function is written for, and arguments of types of your own.

#[doc(inline)]
pub use simt_runtime::{
    Argument, Arguments, Columns, DeviceMemory, Element, FieldData, HostData, Kernel, SliceData, SliceMutData, Structs,
    borrow_structs, instance, pass_struct, share_structs,
};

#[cfg(not(feature = "pages"))]
#[doc(inline)]
pub use simt_runtime::call;

/// Binds arguments to a kernel's parameters, in their order.
#[cfg(feature = "pages")]
pub fn call<'a>(kernel: &'a Kernel, arguments: Vec<Argument<'a>>) -> crate::KernelCall<'a> {
    // All launches begin with a call: the first has each leave its page, if the environment says so.
    simt_view::leave_pages();
    simt_runtime::call(kernel, arguments)
}
