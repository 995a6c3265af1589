//! Enums whose rows have names: a table for each.

macro_rules! define_names {
    ($(#[$doc:meta])* $enum:ident { $($(#[$row:meta])* $name:ident = $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $enum { $($(#[$row])* $name,)* }

        impl $enum {
            /// Every row.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// How it is written.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}
pub(crate) use define_names;
