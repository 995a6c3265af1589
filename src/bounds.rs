//! The bounds of type parameters, as the prelude has them: what kernels compute with, and what the host passes.
//!
//! `simt-core` says what a kernel can do with a type, `simt-runtime` how slices of it reach the machine. A function of the host
//! that is generic, too, can call a kernel only if one bound says both.

macro_rules! bounds {
    ($($(#[$attribute:meta])* $name:ident: $($of:path),+;)*) => {$(
        $(#[$attribute])*
        pub trait $name: simt_core::$name $(+ $of)+ {}

        #[diagnostic::do_not_recommend]
        impl<T: simt_core::$name $(+ $of)+> $name for T {}
    )*};
}

bounds! {
    /// A type that a kernel's values and the host's slices of them can have: numbers and `bool`.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a scalar type of the kernel language",
        label = "not usable in a kernel",
        note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
    )]
    Scalar: simt_runtime::Element;

    /// A number: an integer or a float.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn double<T: Num>(x: &mut [T]) {
    ///     let i = global_id();
    ///     x[i] += x[i];
    /// }
    ///
    /// fn doubled<T: Num>(mut x: Vec<T>) -> Result<Vec<T>, LaunchError> {
    ///     Gpu::<Ipdom>::default().launch(Grid::new(1, x.len()), double(&mut x))?;
    ///     Ok(x)
    /// }
    ///
    /// assert_eq!(doubled(vec![1.5, 2.0])?, [3.0, 4.0]);
    /// # Ok::<(), LaunchError>(())
    /// ```
    #[diagnostic::on_unimplemented(message = "arithmetic on `{Self}` in a kernel", label = "`{Self}` is not a number")]
    Num: Scalar;

    /// An integer.
    #[diagnostic::on_unimplemented(
        message = "integer operation on `{Self}` in a kernel",
        label = "`{Self}` is not an integer"
    )]
    Int: Num;

    /// A floating-point number.
    #[diagnostic::on_unimplemented(
        message = "floating-point operation on `{Self}` in a kernel",
        label = "`{Self}` is not a float"
    )]
    Float: Num;
}
