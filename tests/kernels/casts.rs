//! `as` between all types: truncating, extending, rounding, saturating, as in Rust.

use simt::prelude::*;

/// One kernel per source type, with one slice per target type, which has the type's name. `usize` and `isize` are those of
/// the device, so the host casts to 32 bits first.
macro_rules! casts {
    ($($name:ident: $from:ident to $targets:ident, $values:expr;)*) => {
        $(casts! { @$targets $name: $from, $values })*
    };
    (@integers $name:ident: $from:ident, $values:expr) => {
        casts! { @test $name: $from, $values, [
            u8 as u8, u16 as u16, u32 as u32, u64 as u64, i8 as i8, i16 as i16, i32 as i32, i64 as i64,
            usize as u32, isize as i32
        ] }
    };
    (@numbers $name:ident: $from:ident, $values:expr) => {
        casts! { @test $name: $from, $values, [
            u8 as u8, u16 as u16, u32 as u32, u64 as u64, i8 as i8, i16 as i16, i32 as i32, i64 as i64,
            usize as u32, isize as i32, f32 as f32, f64 as f64
        ] }
    };
    (@test $name:ident: $from:ident, $values:expr, [$($to:ident as $host:ident),*]) => {
        mod $name {
            use super::*;

            #[allow(clippy::too_many_arguments, reason = "one for each type")]
            #[kernel]
            fn cast(x: &[$from], $($to: &mut [$to]),*) {
                let i = global_id();
                if i < x.len() {
                    $($to[i] = x[i] as $to;)*
                }
            }

            #[test]
            fn $name() {
                let values: Vec<$from> = $values.to_vec();
                $(let $to: Vec<$to> = values.iter().map(|&value| value as $host as $to).collect();)*
                let expected = format!("{:?}", [$(format!("{:?}", $to)),*]);
                everywhere!(|gpu| {
                    $(let mut $to: Vec<$to> = vec![<$to>::default(); values.len()];)*
                    let launched = gpu.launch(Grid::covering(values.len(), 13), cast(&values, $(&mut $to),*));
                    assert!(launched.is_ok(), "{launched:?}");
                    // As text: NaNs are equal, and zeros are not.
                    assert_eq!(format!("{:?}", [$(format!("{:?}", $to)),*]), expected, "from {values:?}");
                });
            }
        }
    };
}

casts! {
    from_u8: u8 to numbers, [0, 1, 127, 128, 200, 255];
    from_u16: u16 to numbers, [0, 1, 127, 255, 256, 32_767, 32_768, 65_535];
    from_u32: u32 to numbers, [0, 1, 255, 0x1_0080, 16_777_217, 0x7fff_ffff, 0x8000_0000, 0x8000_0081, u32::MAX];
    from_u64: u64 to numbers, [0, 1, 255, 1 << 32, (1 << 53) + 1, (1 << 63) + 1025, 0x1234_5678_9abc_def0, u64::MAX];
    from_i8: i8 to numbers, [0, 1, -1, 127, -128, -100];
    from_i16: i16 to numbers, [0, 1, -1, 127, 128, -129, 32_767, -32_768];
    from_i32: i32 to numbers, [0, 1, -1, 128, -129, 40_000, -40_000, 16_777_217, -16_777_217, i32::MAX, i32::MIN];
    from_i64: i64 to numbers, [0, 1, -1, 1 << 40, -(1 << 40), (1 << 53) + 1, i64::MAX, i64::MIN, -0x1234_5678_9abc];
    from_usize: usize to numbers, [0, 1, 255, 16_777_217, 0x8000_0000, u32::MAX as usize];
    from_isize: isize to numbers, [0, 1, -1, 255, -129, i32::MAX as isize, i32::MIN as isize];
    from_bool: bool to integers, [true, false];
    from_f32: f32 to numbers, [
        0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 127.9, 128.0, -128.9, -129.0, 255.9, 256.0, 32_768.0, 65_536.0, 1e9, -1e9,
        2_147_483_648.0, 4_294_967_296.0, 1e10, -1e10, 1e19, -1e19, 1e20, 1e30, f32::MAX, f32::MIN, f32::INFINITY,
        f32::NEG_INFINITY, f32::NAN, 1e-40,
    ];
    from_f64: f64 to numbers, [
        0.0, -0.0, 0.9, -0.9, 127.9, 128.0, -129.0, 255.9, 256.0, 65_536.0, 2_147_483_647.5, -2_147_483_648.5,
        4_294_967_295.5, 1e10, -1e10, 9.3e18, -9.3e18, 1.9e19, 1e300, -1e300, f64::MAX, f64::INFINITY,
        f64::NEG_INFINITY, f64::NAN, 1e-310, 1e-40, 16_777_217.0, 0.1,
    ];
}
