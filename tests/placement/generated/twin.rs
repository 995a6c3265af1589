//! A kernel's text as the program that the macro would make of it.
//!
//! The text is that of `generate.py`. Each thing that is done has a number, which stands in the program as the constant
//! `4 * number + 1`, as it does in the CUDA kernel.

use simt::core::build::{
    AtomicSlice, Builder, Builtin, Let, LoadAccess, Mutable, SliceMut, SliceRef, StoreAccess, Value,
};
use simt::core::program::Program;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

struct Twin<'a> {
    k: Builder,
    tokens: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
    i: Let<usize>,
    x: Mutable<usize>,
    own: SliceMut<u32>,
    same: SliceRef<u32>,
    plain: SliceRef<usize>,
    locks: AtomicSlice<AtomicU32>,
    n: Let<usize>,
    /// Where a result is stored at the end.
    result: Option<SliceMut<usize>>,
}

/// The program of a kernel's text.
pub(crate) fn program(name: &'static str, text: &str) -> Program {
    let k = Builder::new(name, file!(), line!(), "", "");
    let (own, same) = (k.slice_mut::<u32>(0, "v"), k.slice::<u32>(0, "u"));
    let (plain, locks, n) = (k.slice::<usize>(0, "w"), k.slice::<AtomicU32>(0, "m"), k.scalar(0, "n"));
    let result = k.slice_mut::<usize>(0, "p");
    let i = k.bind(0, "i", k.builtin(0, Builtin::GlobalId));
    let x = k.bind_mut(0, "x", i);
    let tokens = text.split_whitespace().peekable();
    let mut twin = Twin { k, tokens, i, x, own, same, plain, locks, n, result: text.contains('E').then_some(result) };
    while twin.tokens.peek().is_some() {
        twin.statement();
    }
    if text.contains('E') {
        twin.k.store(0, result, x, i);
    }
    twin.k.finish()
}

fn constant(token: &str) -> u32 {
    token[1..].parse::<u32>().map_or_else(|error| panic!("{token}: {error}"), |number| 4 * number + 1)
}

impl Twin<'_> {
    fn take(&mut self) -> String {
        self.tokens.next().unwrap_or_else(|| panic!("the text ends early")).to_owned()
    }

    fn block(&mut self) {
        assert_eq!(self.take(), "{");
        while self.tokens.peek() != Some(&"}") {
            self.statement();
        }
        self.take();
    }

    /// `x = w[..];`
    fn read(&self) {
        let k = &self.k;
        let index = k.bit_and(0, self.x, 31);
        k.assign(0, self.x, k.load(0, self.plain, k.add(0, self.i, index)));
    }

    fn cond(&mut self) -> Value<bool> {
        let token = self.take();
        if token == "&" || token == "|" {
            let left = self.cond();
            let left = self.k.left(0, left);
            let right = self.cond();
            return if token == "&" { self.k.and(0, left, right) } else { self.k.or(0, left, right) };
        }
        let (k, limit) = (&self.k, constant(&token));
        match token.as_bytes()[0] {
            b'D' => k.gt(0, k.load_with(0, self.own, LoadAccess::Volatile, self.i), limit),
            b'U' => k.gt(0, k.load_with(0, self.same, LoadAccess::Volatile, 0), limit),
            _ => {
                self.read();
                k.gt(0, self.x, limit as usize)
            }
        }
    }

    fn statement(&mut self) {
        let token = self.take();
        let out = || token[1..].parse().unwrap_or(0);
        match token.as_bytes()[0] {
            b'e' => {
                self.k.store_with(0, self.own, StoreAccess::Volatile, self.i, constant(&token));
                // About as much as the CUDA kernel does, as compared with a condition.
                for _ in 0..10 {
                    self.k.store_with(0, self.own, StoreAccess::Volatile, self.i, 0);
                }
            }
            b'E' => {
                let k = &self.k;
                let product = k.mul(0, self.x, constant(&token) as usize);
                k.assign(0, self.x, product);
                (0..4).for_each(|_| self.read());
            }
            b'r' => {
                if let Some(result) = self.result {
                    self.k.store(0, result, self.x, self.i);
                }
                self.k.return_(0);
            }
            b'b' => {
                self.k.break_(0, out());
            }
            b'c' => {
                self.k.continue_(0, out());
            }
            b's' => {
                let k = &self.k;
                k.begin_while();
                k.while_(0, k.gt(0, k.swap(0, self.locks, 0, 1, Relaxed), constant(&token)));
                k.end_loop();
            }
            b'x' => {
                self.k.swap(0, self.locks, 0, constant(&token), Relaxed);
            }
            b'i' => {
                let cond = self.cond();
                self.k.begin_if(0, cond);
                self.block();
                self.k.begin_else();
                self.block();
                self.k.end_if();
            }
            b'w' => {
                self.k.begin_while();
                let cond = self.cond();
                self.k.while_(0, cond);
                self.block();
                self.k.end_loop();
            }
            b'f' => {
                self.k.for_in(0, None, 0, self.n);
                self.block();
                self.k.end_loop();
            }
            b'l' => {
                self.k.begin_loop(0);
                self.block();
                self.k.end_loop();
            }
            b'd' => {
                self.k.begin_loop(0);
                self.block();
                let cond = self.cond();
                self.k.begin_if(0, self.k.not(0, cond));
                self.k.break_(0, 0);
                self.k.begin_else();
                self.k.end_if();
                self.k.end_loop();
            }
            _ => panic!("{token} is no statement"),
        }
    }
}
