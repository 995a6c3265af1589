//! `macro_rules!` in the bodies of kernels and device functions: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Pair {
    x: u32,
    y: u32,
}

items_with_kernels! {
    {
        fn clamped(v: u32, limit: u32) -> u32 {
            macro_rules! least {
                ($a:expr) => { $a };
                ($a:expr, $($rest:expr),+ $(,)?) => {{
                    let (a, b) = ($a, least!($($rest),+));
                    if a < b { a } else { b }
                }};
            }
            least!(v, limit, 9, v * 2,)
        }
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let outer = x[i];
        macro_rules! twice {
            ($value:expr) => { 2 * $value };
        }
        macro_rules! shift_or {
            ($a:expr, left $by:literal) => { $a << $by };
            ($a:expr, right $by:literal) => { $a >> $by };
            ($a:expr, or $default:tt) => { if $a > 5 { $a } else { $default } };
        }
        // Sees what stands around its definition, whatever the name means where it is called.
        macro_rules! around {
            () => { outer + 1 };
        }
        macro_rules! swap_them {
            ($a:ident, $b:ident) => {
                let keep = $a;
                $a = $b;
                $b = keep;
            };
        }
        macro_rules! add_all {
            ($sum:ident += $($name:ident = $value:expr);* $(;)?) => {
                $(let $name = $value; $sum += $name;)*
            };
        }
        macro_rules! as_types {
            ($v:expr; $($t:ty),*) => { 0 $(+ ($v as $t) as u32)* };
        }
        macro_rules! matched {
            ($v:expr, $($p:pat => $r:expr),+) => { match $v { $($p => $r,)+ } };
        }
        let (mut a, mut keep) = (x[i], 7);
        swap_them!(a, keep);
        let mut sum = twice!(a + 1) * 3 + twice!(keep);
        add_all!(sum += p = 3; q = p + x[i]; r = q * p);
        sum += shift_or!(a, left 2) + shift_or!(x[i], right 1) + shift_or!(x[i], or 8) + around!() + r;
        sum += as_types!(x[i] * 100; u8, i32, u16) + matched!(x[i] % 4, 0 => 10, 1 | 2 => 20, _ => 30);
        sum += clamped(x[i], 12);
        out[i] = sum;
    }

    fn hygiene(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let total = x[i];
        macro_rules! summed {
            ($n:expr, $f:expr) => {{
                let mut total = 0;
                let f = |v: u32| v + $f;
                for k in 0..$n {
                    total += f(k);
                }
                total
            }};
        }
        macro_rules! of_fields {
            ($p:expr) => {{
                let p = $p;
                let x = p.x;
                let Pair { y, .. } = p;
                let q = Pair { x, y: y + 1 };
                assert!(q.x == x, "{x} {}", q.y);
                q.x * 3 + q.y
            }};
        }
        let k = 4;
        macro_rules! in_turn {
            ($($s:stmt);+ => $a:stmt, $b:stmt) => { $($s;)+ $a; $b; };
        }
        in_turn!(let mut first = x[i]; first += 2; let Pair { x: second, .. } = Pair { x: 9, y: 1 }; if second > 9 { first = 0 } => first *= second, let third = first + 1);
        let p = Pair { x: x[i], y: 5 };
        let y = 100;
        if i % 2 == 0 {
            macro_rules! only_here {
                ($($v:tt)*) => { total + $($v)* };
            }
            out[i] = only_here!(k * 2 + y);
        }
        out[i] += summed!(total % 5, total + k) + of_fields!(Pair { y: y, ..p }) + summed!(3, k) + third;
    }

    // What begins a statement, or ends a block, and has more behind the call.
    fn beginnings(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        macro_rules! doubled {
            ($v:expr) => {{
                let v = $v;
                v + v
            }};
        }
        macro_rules! plain {
            ($v:expr) => { 2 * $v };
        }
        let last = |k: usize| {
            doubled!(x[k]) + 1
        };
        let a = {
            doubled!(x[i]) * 3 - plain!(x[i])
        };
        let b = {
            doubled!(x[i]).min(11)
        };
        out[i] = if i % 2 == 0 {
            doubled!(a) + last(i)
        } else {
            plain!(a + 1) + b
        };
    }
}

same! { values hygiene beginnings }
