//! Methods of users' types by names that options and bytes have, and by names that kernels have no other use for.

programs! {
    types {
        struct Parser {
            at: u32,
            seed: u32,
        }
        struct Flags {
            bits: u32,
        }
        struct Word {
            low: u32,
            high: u32,
        }
        struct Holder {
            inner: Flags,
            kept: Option<u32>,
        }
    }
    device {
        trait Checked {
            fn is_ok(&self) -> bool;
            fn unwrap(&self) -> u32;

            fn is_err(&self) -> bool {
                !self.is_ok()
            }
        }
        impl Checked for Word {
            fn is_ok(&self) -> bool {
                self.low < self.high
            }
            fn unwrap(&self) -> u32 {
                self.low
            }
        }
        impl Checked for u32 {
            fn is_ok(&self) -> bool {
                (*self).is_multiple_of(2)
            }
            fn unwrap(&self) -> u32 {
                *self + 100
            }
        }
        fn checked<T: Checked>(t: T) -> u32 {
            if t.is_ok() && !t.is_err() { t.unwrap() } else { 7 }
        }
        impl Parser {
            fn new(seed: u32) -> Self {
                Parser { at: 0, seed }
            }
            fn peek(&self) -> Option<u8> {
                if self.at < 6 { Some(b'0' + ((self.seed >> self.at) & 3) as u8) } else { None }
            }
            fn expect(&mut self, byte: u8) -> Result<(), u32> {
                if self.peek() == Some(byte) {
                    self.at += 1;
                    Ok(())
                } else {
                    Err(self.at)
                }
            }
            fn is_none(&self) -> bool {
                self.peek().is_none()
            }
            fn digits(&mut self) -> Result<u32, u32> {
                let mut n = 0;
                while let Some(b) = self.peek() {
                    if self.expect(b'0').is_ok() {
                        n += 1;
                    } else if self.expect(b'1').is_err() && self.expect(b).is_err() {
                        return Err(99);
                    }
                }
                self.expect(b'0').or(Err(5)).ok();
                if self.is_none() { Ok(n) } else { Err(self.at) }
            }
            fn two(&mut self) -> Result<u32, u32> {
                self.expect(b'0')?;
                self.expect(b'1')?;
                Ok(self.at)
            }
        }
        impl Flags {
            fn is_some(&self) -> bool {
                self.bits != 0
            }
            fn is_none(&self) -> bool {
                self.bits == 0
            }
            fn ok(&self) -> u32 {
                self.bits & 1
            }
            fn err(&mut self) -> u32 {
                self.bits += 1;
                self.bits
            }
            fn ok_or(&self, other: u32) -> u32 {
                if self.bits > 2 { self.bits } else { other }
            }
            fn unwrap_or(&self, other: u32) -> u32 {
                if self.bits > 3 { self.bits } else { other }
            }
            fn unwrap_or_default(&self) -> u32 {
                self.bits * 2
            }
            fn and_then(&self, k: u32) -> u32 {
                self.bits & k
            }
            fn then_some(&self, k: u32) -> u32 {
                self.bits ^ k
            }
        }
        impl Word {
            fn carrying_add(self, other: Self, carry: bool) -> (Self, bool) {
                let low = self.low.wrapping_add(other.low).wrapping_add(carry as u32);
                (Word { low, high: self.high.wrapping_add(other.high) }, low < self.low)
            }
            fn borrowing_sub(self, other: u32) -> u32 {
                self.low.wrapping_sub(other)
            }
            fn widening_mul(self, k: u32) -> Self {
                Word { low: self.low.wrapping_mul(k), high: self.high + k }
            }
            fn is_ascii_digit(&self) -> bool {
                self.low.is_multiple_of(3)
            }
            fn to_ascii_uppercase(self) -> u32 {
                self.low + 1
            }
            fn into_inner(self) -> u32 {
                self.high
            }
            fn rsqrt(&self) -> u32 {
                self.low / 3
            }
            fn get_unchecked(&self, k: u32) -> u32 {
                if k == 0 { self.low } else { self.high }
            }
            fn to_owned(self) -> u32 {
                self.low ^ self.high
            }
            fn copy_within(&mut self, k: u32) {
                self.low = self.high + k;
            }
            fn checked_ilog2(&self) -> u32 {
                self.low + 5
            }
        }
    }
    fn parses(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut p = Parser::new(x[i] * 37);
        let mut r = match p.digits() {
            Ok(n) => n + 10,
            Err(e) => e + 200,
        };
        if p.is_none() {
            r += 1000;
        }
        let mut q = Parser::new(x[i]);
        r += q.two().unwrap_or(77);
        if q.expect(b'2').is_err() {
            r += 1;
        }
        if let Err(at) = q.expect(b'3') {
            r += at;
        }
        out[i] = r + q.at + (q.peek().is_some() && !q.is_none()) as u32;
    }
    fn flags(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut f = Flags { bits: x[i] % 5 };
        let mut h = Holder { inner: Flags { bits: x[i] % 2 }, kept: None };
        let mut r = f.is_some() as u32 + 2 * f.is_none() as u32 + f.ok() + f.ok_or(9);
        r += f.err() + f.unwrap_or(4) + f.unwrap_or_default() + f.then_some(3);
        let k = x[i];
        r += f.and_then(k) + f.and_then(1);
        if h.inner.is_none() {
            h.kept = Some(r);
        }
        if h.kept.is_some() && h.inner.is_none() || h.inner.is_some() && h.kept.is_none() {
            r += 100;
        }
        r += h.inner.err() + h.kept.unwrap_or(3);
        h.kept = (x[i] > 9).then_some(r);
        let all = [f; 3];
        while f.is_some() && r < 300 && all[1].is_some() {
            f.bits -= 1;
            r += 1;
        }
        r += h.kept.unwrap_or_default() + h.kept.ok_or(5u32).is_ok() as u32;
        out[i] = r + h.kept.ok_or(5u32).err().is_none() as u32 + f.is_none() as u32;
    }
    fn words(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = Word { low: x[i], high: 3 };
        let (b, carry) = a.carrying_add(Word { low: u32::MAX - 4, high: 9 }, true);
        let mut c = b.widening_mul(3);
        let r = c.is_ascii_digit() as u32 + c.to_ascii_uppercase() % 1000 + c.into_inner() + c.rsqrt() % 100;
        c.copy_within(2);
        let digit = b'0' + (x[i] % 16) as u8;
        out[i] = r
            + carry as u32
            + c.get_unchecked(1)
            + c.get_unchecked(0)
            + c.to_owned()
            + c.borrowing_sub(1)
            + c.checked_ilog2()
            + digit.is_ascii_digit() as u32
            + digit.to_ascii_uppercase() as u32;
    }
    fn traits(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let w = Word { low: x[i], high: 17 };
        let o = if x[i] > 4 { Some(x[i]) } else { None };
        let e: Result<u32, u32> = o.ok_or(3);
        let r = checked(w) + checked(x[i]) + w.is_ok() as u32 + w.unwrap() + e.is_ok() as u32 + e.is_err() as u32 * 2;
        out[i] = r + if o.is_some() { o.unwrap() + o.expect("there") } else { 1 } + x[i].is_ok() as u32;
    }
}
