//! Unit structs in patterns, and `()` as a type argument.

programs! {
    types {
        struct Full;
        struct Empty;
        struct Stack {
            at: u32,
        }
        enum Failed {
            Full(Full),
            Other(u32),
        }
    }
    device {
        impl Stack {
            fn push(&mut self, v: u32) -> Result<u32, Full> {
                if v > 12 { Err(Full) } else {
                    self.at += v;
                    Ok(self.at)
                }
            }
            fn fail<T>(&self) -> Result<T, u32> {
                Err(self.at)
            }
            fn only(&self, v: u32) -> Result<(), u32> {
                if v > 9 { return self.fail(); }
                if v > 5 {
                    self.fail::<()>()?;
                }
                Ok(())
            }
            fn number(&self, v: u32) -> Result<u32, u32> {
                if v > 9 { self.fail() } else { Ok(v) }
            }
            fn perhaps(&self, v: u32) -> Option<()> {
                if v.is_multiple_of(2) { Some(()) } else { None }
            }
        }
        fn failed(v: u32) -> Failed {
            if v % 3 == 0 { Failed::Full(Full) } else { Failed::Other(v) }
        }
        fn either(v: u32) -> Result<Empty, Full> {
            if v % 2 == 0 { Ok(Empty) } else { Err(Full) }
        }
        fn keep<T>(o: Option<T>, r: Result<T, u32>) -> Option<T> {
            match r {
                Ok(v) => Some(v),
                Err(_) => o,
            }
        }
    }
    fn patterns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut s = Stack { at: 2 };
        let mut r = match s.push(x[i]) {
            Err(Full) => 77,
            Ok(v) => v,
        };
        if let Err(Full) = s.push(x[i] * 2) {
            r += 100;
        }
        let Ok(v) = s.push(3) else { return };
        r += v + matches!(s.push(x[i]), Err(Full)) as u32;
        r += match failed(x[i]) {
            Failed::Full(Full) => 1000,
            Failed::Other(v) => v,
        };
        r += match (either(x[i]), x[i] > 9) {
            (Ok(Empty), true) => 1,
            (Ok(Empty), false) | (Err(Full), true) => 2,
            (Err(Full), false) => 3,
        };
        out[i] = r;
    }
    fn units(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let s = Stack { at: 2 };
        let mut r = match s.only(x[i]) {
            Ok(()) => 1,
            Err(e) => e + 10,
        };
        r += s.number(x[i]).unwrap_or(50);
        if s.perhaps(x[i]).is_some() {
            r += 200;
        }
        if let Some(()) = s.perhaps(x[i] + 1) {
            r += 400;
        }
        out[i] = r + keep(s.perhaps(x[i]), s.only(x[i])).is_some() as u32 * 3 + keep(Some(()), Ok(())).is_some() as u32;
    }
}
