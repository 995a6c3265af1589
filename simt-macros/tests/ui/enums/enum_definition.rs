use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
enum Nothing {}

#[derive(Clone, Copy, KernelData)]
enum Generic<T> {
    Some(T),
    None,
}

#[derive(Clone, Copy, KernelData)]
#[repr(usize)]
enum Wide {
    One,
}

#[derive(Clone, Copy, KernelData)]
enum Text {
    Name(&'static str),
    None,
}

#[derive(Clone, Copy, KernelData)]
enum Big {
    Small,
    Large = 0x1_0000_0000,
}

#[derive(Clone, Copy, KernelData)]
#[repr(u64)]
enum Fits {
    Small,
    Large = 0xffff_ffff_ffff_ffff,
}

fn main() {}
