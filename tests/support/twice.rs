//! Kernels that are compiled twice, with what stands around them, and compared with plain Rust.

#![allow(unused_macros, reason = "not every test program has use for each")]

/// Runs kernel and plain function on the same input, everywhere; what they write is compared.
macro_rules! same {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
            let grid = simt::Grid::new(3, 15);
            let mut expected = vec![5; x.len()];
            crate::support::host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![5; x.len()];
                let launched = gpu.launch(grid, kernel::$name(&x, &mut out));
                assert!(launched.is_ok(), "{launched:?}");
                assert_eq!(out, expected);
            });
            assert_ne!(expected, vec![5; x.len()], "the kernel does something");
        }
    )*};
}

/// Compiles functions twice, as `kernels!` does: as kernels with their device functions, and as plain Rust.
macro_rules! kernels_with_devices {
    (
        devices: $(fn $device:ident($($taken:tt)*) $(-> $result:ty)? $device_body:block)*
        kernels: $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            use simt::prelude::*;
            $(#[device] fn $device($($taken)*) $(-> $result)? $device_body)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, unused, reason = "the text is written for the device")]
            use crate::support::host::*;
            $(fn $device($($taken)*) $(-> $result)? $device_body)*
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

/// Compiles functions twice, as `kernels_with_devices!` does, of which the device functions may be generic.
macro_rules! items_with_kernels {
    (
        { $($device:item)* }
        $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            #[allow(unused_imports, reason = "there may be nothing around, or all of it")]
            use {super::*, simt::prelude::*};
            $(#[device] $device)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused, reason = "the text is written for the device")]
            use super::*;
            use crate::support::host::*;
            $($device)*
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

/// Compiles types, their functions and kernels twice, so that plain Rust has its own of each.
macro_rules! programs {
    (
        types { $($ty:item)* }
        device { $($device:item)* }
        $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            use simt::prelude::*;
            $(#[derive(Clone, Copy, KernelData)] $ty)*
            $(#[device] $device)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused, reason = "the text is written for the device")]
            use crate::support::host::*;
            $(#[derive(Clone, Copy)] $ty)*
            $($device)*
            $(pub(super) fn $name($($params)*) $body)*
        }
        same!($($name)*);
    };
}

/// Compiles kernels, and the same as plain Rust: with the types and device functions around, which the host has, too.
macro_rules! alike {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        $(#[kernel] fn $name($($params)*) $body)*
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused_imports, reason = "the text is written for the device")]
            use super::*;
            use crate::support::host::*;
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}
