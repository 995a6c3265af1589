//! `as` from and to 16-bit floats, and what the crate `half` calls it.

use super::BITS;
use simt::half::f16 as half_f16;
use simt::prelude::*;

/// One kernel a type: there and back.
macro_rules! casts {
    ($($name:ident: $ty:ident, $values:expr;)*) => {$(
        mod $name {
            use super::*;

            #[kernel]
            fn to(x: &[$ty], out: &mut [f16], out_b: &mut [bf16]) {
                let i = global_id();
                out[i] = x[i] as f16;
                out_b[i] = x[i] as bf16;
            }

            #[kernel]
            fn from(x: &[f16], x_b: &[bf16], out: &mut [$ty]) {
                let i = global_id();
                out[2 * i] = x[i] as $ty;
                out[2 * i + 1] = x_b[i] as $ty;
            }

            #[test]
            fn $name() {
                let values: Vec<$ty> = $values.to_vec();
                let n = values.len();
                let expected: Vec<f16> = values.iter().map(|&value| f16::from_f32(value as f32)).collect();
                let expected_b: Vec<bf16> = values.iter().map(|&value| bf16::from_f32(value as f32)).collect();
                let (x, x_b) = (BITS.map(f16::from_bits), BITS.map(bf16::from_bits));
                // A `usize` has 32 bits on the device.
                let clip = |x: f32| if stringify!($ty) == "usize" { x as u32 as $ty } else { x as $ty };
                let wide = x.iter().zip(&x_b).flat_map(|(x, y)| [x.to_f32(), y.to_f32()]);
                let back: Vec<$ty> = wide.map(clip).collect();
                everywhere!(|gpu| {
                    let (mut out, mut out_b) = (vec![f16::ONE; n], vec![bf16::ONE; n]);
                    gpu.launch(Grid::new(n, 1), to(&values, &mut out, &mut out_b)).expect("a launch");
                    assert_eq!(format!("{out:?} {out_b:?}"), format!("{expected:?} {expected_b:?}"));
                    let mut out = vec![0 as $ty; back.len()];
                    gpu.launch(Grid::new(1, x.len()), from(&x, &x_b, &mut out)).expect("a launch");
                    // As text: NaNs are equal, and zeros are not.
                    assert_eq!(format!("{out:?}"), format!("{back:?}"));
                });
            }
        }
    )*};
}

casts! {
    from_u8: u8, [0, 1, 255];
    from_u16: u16, [0, 257, 2049, 2051, 65_519, 65_520];
    from_u32: u32, [0, 257, 16_777_215, u32::MAX];
    from_u64: u64, [0, 259, 1 << 40, u64::MAX];
    from_i8: i8, [-128, -1, 127];
    from_i16: i16, [-32_768, -2049, 259];
    from_i32: i32, [i32::MIN, -65_520, 65_519, i32::MAX];
    from_i64: i64, [i64::MIN, -257, 1 << 62];
    from_usize: usize, [0, 2049, 1 << 31];
    from_f32: f32, [0.1, -0.0, 65_519.9, 65_520.0, 1e-7, 3.4e38, f32::NAN, f32::INFINITY, 1.0 / 3.0];
    from_f64: f64, [0.1, -0.0, 65_520.0, 1e-7, 1e300, f64::NAN, f64::NEG_INFINITY, 0.333];
}

#[kernel]
fn between(x: &[f16], out: &mut [bf16], back: &mut [f16], literals: &mut [half_f16]) {
    let i = global_id();
    out[i] = x[i] as bf16;
    back[i] = out[i] as f16;
    literals[0] = 0.1 as f16;
    literals[1] = -3 as f16;
    literals[2] = f16::from(7u8) + f16::from_f32(0.25) - 1u64 as f16;
    literals[3] = f32::from(x[i]) as f16;
}

#[test]
fn one_becomes_the_other() {
    let x = [2.0f32, -0.1, 65_504.0].map(f16::from_f32);
    everywhere!(|gpu| {
        let (mut out, mut back, mut literals) = ([bf16::ONE; 3], [f16::ONE; 3], [f16::ONE; 4]);
        gpu.launch(Grid::new(1, 3), between(&x, &mut out, &mut back, &mut literals)).expect("a launch");
        assert_eq!(out, x.map(|x| bf16::from_f32(x.to_f32())));
        assert_eq!(back, out.map(|x| f16::from_f32(x.to_f32())));
        assert_eq!(literals.map(f16::to_f32), [f16::from_f32(0.1).to_f32(), -3.0, 6.25, 65_504.0]);
    });
}
