use simt::prelude::*;

macro_rules! kernels {
    ($($name:ident: $ty:ty = $value:expr;)*) => {$(
        #[kernel]
        fn $name(out: &mut [$ty]) {
            out[0] = $value;
        }
    )*};
}

kernels! {
    right: u32 = 1;
    wrong: f32 = 1;
    worse: u32 = match 1 { n => n };
}

fn main() {
    let _ = (right::program(), wrong::program(), worse::program());
}
