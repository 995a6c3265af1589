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

fn main() {}
