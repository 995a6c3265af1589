//! Instances of generic kernels: one kernel for each set of types and constants, made when it is first asked for.

use crate::gpu::Kernel;
use simt_core::ops::Overflow;
use simt_core::program::Program;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The kernel whose program a function builds. Each function type has one: a generic function with its types and constants
/// filled in is a type of its own.
///
/// An instance is kept until the end of the process, as the kernel in a `static` of one that is not generic.
pub fn instance<F: 'static>(_: F, build: fn(Overflow) -> Program) -> &'static Kernel {
    instance_of(TypeId::of::<F>(), build)
}

fn instance_of(function: TypeId, build: fn(Overflow) -> Program) -> &'static Kernel {
    static INSTANCES: OnceLock<Mutex<HashMap<TypeId, &'static Kernel>>> = OnceLock::new();
    let instances = INSTANCES.get_or_init(Mutex::default);
    let mut instances = instances.lock().unwrap_or_else(PoisonError::into_inner);
    instances.entry(function).or_insert_with(|| Box::leak(Box::new(Kernel::new(build))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized<const N: u32>(_: Overflow) -> Program {
        Program { name: format!("k{N}").into(), ..Program::default() }
    }

    #[test]
    fn an_instance_is_made_once() {
        let one = || instance(sized::<1>, sized::<1>);
        assert!(std::ptr::eq(one(), one()));
        assert_eq!(one().program().name, "k1");
        assert_eq!(instance(sized::<2>, sized::<2>).program().name, "k2");
    }
}
