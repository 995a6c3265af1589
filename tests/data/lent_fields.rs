//! Functions that return references to arrays which are fields of what they were passed.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Chain {
    points: [Point; 6],
    len: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Matrix {
    counts: [u32; 4],
    rows: [[f32; 3]; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Both {
    number: u32,
    chain: Chain,
    matrix: Matrix,
}

macro_rules! twice {
    (impls: { $($impls:item)* } functions: { $(fn $name:ident($($taken:tt)*) -> $result:ty $function:block)* }
     kernel: |$x:ident, $out:ident| $body:block) => {
        $(#[device] $impls)*

        mod device {
            use super::*;

            $(#[device] pub(super) fn $name($($taken)*) -> $result $function)*

            #[kernel]
            pub(super) fn kernel($x: &mut [Both], $out: &mut [f32]) $body
        }

        $(fn $name($($taken)*) -> $result $function)*

        fn on_the_host($x: &mut [Both], $out: &mut [f32]) $body
    };
}
twice! {
    impls: {
        impl Chain {
            fn as_slice(&self) -> &[Point] {
                &self.points[..self.len]
            }

            fn push(&mut self, point: Point) {
                self.points[self.len] = point;
                self.len += 1;
            }

            /// Asks for the slice again and again.
            fn shorten(&mut self, limit: f32) -> usize {
                while let [.., a, b] = self.as_slice() {
                    if a.x + b.x < limit {
                        break;
                    }
                    self.len -= 1;
                }
                self.as_slice().len()
            }

            fn last_mut(&mut self) -> &mut Point {
                &mut self.points[self.len - 1]
            }
        }

        impl Matrix {
            fn at(&mut self, i: usize) -> &mut u32 {
                &mut self.counts[i]
            }

            /// A reference that another function has returned.
            fn behind(&mut self, i: usize) -> &mut u32 {
                self.at(i + 1)
            }

            fn two_mut(&mut self, i: usize) -> &mut [u32] {
                &mut self.counts[i..i + 2]
            }

            fn row_mut(&mut self, i: usize) -> &mut [f32; 3] {
                &mut self.rows[i]
            }

            fn row(&self, i: usize) -> &[f32; 3] {
                &self.rows[i]
            }
        }

        impl Both {
            fn points(&self) -> &[Point] {
                self.chain.as_slice()
            }

            fn count_mut(&mut self, i: usize) -> &mut u32 {
                self.number += 1;
                self.matrix.at(i)
            }
        }
    }
    functions: {
        fn counts(of: &Matrix) -> &[u32] {
            &of.counts[1..]
        }

        fn count(of: &mut Matrix) -> &mut u32 {
            &mut of.counts[2]
        }

        fn made(n: usize) -> Chain {
            let mut chain = Chain::default();
            for i in 0..n {
                chain.push(Point { x: i as f32, y: 2.0 });
            }
            chain
        }
    }
    kernel: |x, out| {
        for i in 0..out.len() {
            let mut chain = made(i + 2);
            out[i] = chain.as_slice().iter().map(|p| p.x * p.y).sum::<f32>() + chain.as_slice().len() as f32;
            chain.last_mut().y = 10.0;
            let points = chain.as_slice();
            out[i] += points[1].x + points[points.len() - 1].y;
            out[i] += chain.shorten(3.0) as f32;
            out[i] += made(i + 1).as_slice()[i].y;

            let mut m = Matrix { counts: [1, 2, 3, 4], ..Matrix::default() };
            *m.at(i) += 3;
            m.two_mut(i)[1] = 9;
            let two = m.two_mut(1);
            two[0] += 100;
            *m.behind(i) += 5;
            *count(&mut m) *= 2;
            m.row_mut(i)[2] = 5.0;
            m.row_mut(1)[i] += 7.0;
            out[i] += m.row(i)[2] + m.row(1).iter().sum::<f32>();
            out[i] += counts(&m).iter().sum::<u32>() as f32 + m.counts[0] as f32;
            for j in 0..3 {
                *m.at(j) += j as u32;
                out[i] += *m.at(j) as f32;
            }

            let mut both = Both { chain, matrix: m, number: 0 };
            *both.count_mut(i) += 1000;
            both.matrix.two_mut(0)[0] += 1;
            out[i] += both.matrix.counts[i] as f32 + both.number as f32 + both.points().len() as f32;
            out[i] += x[i].points().iter().map(|p| p.y).sum::<f32>() + x[i].chain.as_slice().len() as f32;
            x[i] = both;
        }
    }
}

#[test]
fn callers_have_what_is_referred_to() -> Result<(), LaunchError> {
    let both = Both { chain: made(3), ..Both::default() };
    let (mut x, mut out) = ([both; 2], [0.0; 2]);
    let (mut expected_x, mut expected) = (x, out);
    on_the_host(&mut expected_x, &mut expected);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), device::kernel(&mut x, &mut out))?;
    assert_eq!(out, expected);
    assert_eq!(x, expected_x);
    Ok(())
}

#[kernel]
fn of_an_element(x: &mut [Matrix]) {
    *x[0].at(1) += 3;
}

/// What is returned would refer to a copy.
#[test]
fn arrays_of_elements_are_not_returned() {
    let result = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), of_an_element(&mut [Matrix::default()]));
    let error = result.expect_err("it is refused").to_string();
    assert!(error.contains("`Matrix::at` returns a reference to"), "{error}");
}
