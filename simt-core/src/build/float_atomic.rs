//! Atomic floats, which `std` has not: for the host and for kernels.

use crate::ops::Real;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, Ordering::Relaxed};

macro_rules! float_atomics {
    ($($atomic:ident: $float:ident in $bits:ident;)*) => {$(
        #[doc = concat!("A `", stringify!($float), "` that threads work on together, with the methods of `std`'s atomics.")]
        ///
        /// Kernels take slices of them, and the host has the same operations. `compare_exchange` compares bits, as CUDA's
        /// `atomicCAS` does, so that `-0.0` is not `0.0`; NaNs all count as the same. `fetch_min` and `fetch_max` of a number
        /// and a NaN give the number, and `-0.0` is below `0.0`.
        ///
        /// # Panics
        ///
        /// With orders that `std` refuses, such as a `load` with `Release`.
        ///
        /// ```
        #[doc = concat!("use simt_core::", stringify!($atomic), ";")]
        /// use std::sync::atomic::Ordering::Relaxed;
        ///
        #[doc = concat!("let sum = ", stringify!($atomic), "::new(0.5);")]
        /// assert_eq!(sum.fetch_add(0.25, Relaxed), 0.5);
        /// assert_eq!(sum.compare_exchange(0.75, 2.0, Relaxed, Relaxed), Ok(0.75));
        /// assert_eq!(sum.into_inner(), 2.0);
        /// ```
        #[derive(Default)]
        #[repr(transparent)]
        pub struct $atomic($bits);

        impl $atomic {
            /// An atomic with a value.
            pub const fn new(value: $float) -> Self {
                Self($bits::new(value.to_bits()))
            }

            /// The value now.
            #[inline]
            pub fn load(&self, order: Ordering) -> $float {
                $float::from_bits(self.0.load(order))
            }

            /// Replaces the value.
            #[inline]
            pub fn store(&self, value: $float, order: Ordering) {
                self.0.store(value.to_bits(), order);
            }

            /// Replaces the value; the result is the old one.
            pub fn swap(&self, value: $float, order: Ordering) -> $float {
                $float::from_bits(self.0.swap(value.to_bits(), order))
            }

            /// The value.
            pub const fn into_inner(self) -> $float {
                $float::from_bits(self.0.into_inner())
            }

            /// Adds; the result is the old value.
            pub fn fetch_add(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old + value)
            }

            /// Subtracts; the result is the old value.
            pub fn fetch_sub(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old - value)
            }

            /// Writes the smaller of the two; the result is the old value.
            pub fn fetch_min(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| Real::least(old, value))
            }

            /// Writes the larger of the two; the result is the old value.
            pub fn fetch_max(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| Real::greatest(old, value))
            }

            /// Writes `new` if the value's bits are those of `current`; the result is the old value.
            ///
            /// # Errors
            ///
            /// With the value, which is not `current`.
            pub fn compare_exchange(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$float, $float> {
                let mut expected = current.to_bits();
                loop {
                    match self.0.compare_exchange(expected, new.to_bits(), success, failure) {
                        // Another NaN is the same value.
                        Err(found) if current.is_nan() && $float::from_bits(found).is_nan() => expected = found,
                        done => return done.map($float::from_bits).map_err($float::from_bits),
                    }
                }
            }

            /// [`compare_exchange`](Self::compare_exchange), which never fails without a reason here either.
            ///
            /// # Errors
            ///
            /// With the value, which is not `current`.
            pub fn compare_exchange_weak(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$float, $float> {
                self.compare_exchange(current, new, success, failure)
            }

            fn update(&self, order: Ordering, change: impl Fn($float) -> $float) -> $float {
                let mut old = self.0.load(Relaxed);
                loop {
                    let new = Real::visible_bits(change($float::from_bits(old)));
                    match self.0.compare_exchange_weak(old, new, order, Relaxed) {
                        Ok(old) => return $float::from_bits(old),
                        Err(now) => old = now,
                    }
                }
            }
        }

        impl From<$float> for $atomic {
            fn from(value: $float) -> Self {
                Self::new(value)
            }
        }

        impl fmt::Debug for $atomic {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.load(Relaxed), f)
            }
        }
    )*};
}
float_atomics! {
    AtomicF32: f32 in AtomicU32;
    AtomicF64: f64 in AtomicU64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{AtomicOp, atomic_meaning};
    use crate::scalar::ScalarType;

    macro_rules! host_and_meaning_agree {
        ($test:ident, $atomic:ident, $float:ident, $ty:ident) => {
            #[test]
            fn $test() {
                let edges = [
                    0.0,
                    -0.0,
                    1.5,
                    -2.0,
                    $float::MAX,
                    $float::MIN_POSITIVE,
                    $float::from_bits(1),
                    $float::INFINITY,
                    $float::NEG_INFINITY,
                    $float::NAN,
                    -$float::NAN,
                ];
                type Change = fn(&$atomic, $float) -> $float;
                type Std = fn($float, $float) -> $float;
                let ops: [(AtomicOp, Change, Std); 5] = [
                    (AtomicOp::Swap, |x, v| x.swap(v, Relaxed), |_, v| v),
                    (AtomicOp::Add, |x, v| x.fetch_add(v, Relaxed), |x, v| x + v),
                    (AtomicOp::Sub, |x, v| x.fetch_sub(v, Relaxed), |x, v| x - v),
                    (AtomicOp::Min, |x, v| x.fetch_min(v, Relaxed), $float::min),
                    (AtomicOp::Max, |x, v| x.fetch_max(v, Relaxed), $float::max),
                ];
                let alike = |a: $float, b: $float| Real::visible_bits(a) == Real::visible_bits(b);
                for (old, value) in edges.iter().flat_map(|&old| edges.map(|value| (old, value))) {
                    for (op, host, std) in ops {
                        let atomic = $atomic::new(old);
                        assert_eq!(host(&atomic, value).to_bits(), old.to_bits(), "the old value");
                        let bits = atomic_meaning(op, ScalarType::$ty)(old.to_bits().into(), value.to_bits().into(), 0);
                        let (meaning, now) = (bits as _, atomic.into_inner());
                        assert!(alike($float::from_bits(meaning), now), "{} {old} {value}", op.name());
                        // Of zeros of both signs `std` may take either.
                        assert!(alike(now, std(old, value)) || now == 0.0, "{} {old} {value}", op.name());
                    }
                    let atomic = $atomic::new(old);
                    let done = atomic.compare_exchange(value, 7.0, Relaxed, Relaxed);
                    assert_eq!(done.is_ok(), alike(old, value), "{old} {value}");
                    let meaning = atomic_meaning(AtomicOp::CompareExchange, ScalarType::$ty);
                    let bits = meaning(old.to_bits().into(), value.to_bits().into(), (7.0 as $float).to_bits().into());
                    assert_eq!(bits, u64::from(atomic.into_inner().to_bits()), "{old} {value}");
                }
            }
        };
    }
    host_and_meaning_agree!(operations_on_f32_are_those_of_kernels, AtomicF32, f32, F32);
    host_and_meaning_agree!(operations_on_f64_are_those_of_kernels, AtomicF64, f64, F64);
}
