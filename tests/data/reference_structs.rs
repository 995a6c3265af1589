//! Structs of references, kernel parameters that are arrays, and what would need a pointer.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Csr<'a> {
    rows: &'a [u32],
    values: &'a [u32],
}

#[device]
impl<'a> Csr<'a> {
    fn new(rows: &'a [u32], values: &'a [u32]) -> Self {
        Self { rows, values }
    }

    fn row(&self, i: usize) -> &'a [u32] {
        &self.values[self.rows[i] as usize..self.rows[i + 1] as usize]
    }

    fn len(&self) -> usize {
        self.rows.len() - 1
    }

    fn widest(&self) -> Option<(usize, &[u32])> {
        if self.len() == 0 {
            return None;
        }
        let (mut best, mut widest) = (0, self.row(0));
        for i in 1..self.len() {
            let row = self.row(i);
            if row.len() > widest.len() {
                (best, widest) = (i, row);
            }
        }
        Some((best, widest))
    }
}

#[derive(KernelData)]
struct View<'a> {
    data: &'a mut [u32],
    width: usize,
    origin: &'a [u32; 2],
}

#[device]
impl View<'_> {
    fn at(&self, x: usize, y: usize) -> u32 {
        self.data[y * self.width + x]
    }

    fn set(&mut self, x: usize, y: usize, value: u32) {
        self.data[y * self.width + x] = value;
    }

    fn cell_mut(&mut self, x: usize, y: usize) -> &mut u32 {
        &mut self.data[y * self.width + x]
    }

    fn row_mut(&mut self, y: usize) -> &mut [u32] {
        let (from, to) = (y * self.width, (y + 1) * self.width);
        &mut self.data[from..to]
    }

    fn row(&self, y: usize) -> &[u32] {
        &self.data[y * self.width..(y + 1) * self.width]
    }
}

#[device]
fn total(m: &Csr<'_>) -> u32 {
    let mut sum = 0;
    for i in 0..m.len() {
        for v in m.row(i) {
            sum = sum * 3 + v;
        }
    }
    sum
}

#[device]
fn first_row(m: Csr<'_>) -> &[u32] {
    m.row(0)
}

#[device]
fn change(view: &mut View<'_>, y: usize) {
    view.data[view.width * y] += 1;
    *view.cell_mut(1, y) += view.origin[1];
    let cell = view.cell_mut(0, y);
    *cell *= 2;
    view.row_mut(y)[1] += 5;
    view.set(1, y, view.at(1, y) * 3 + view.row(y)[0]);
}

#[kernel]
fn of_references(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    #[shared]
    let mut tile: [u32; 12];
    if i < 6 {
        tile[2 * i] = x[i];
        tile[2 * i + 1] = 100;
    }
    sync_threads();
    let m = Csr { rows: &x[1..4], values: &x[4..] };
    let mut sum = total(&m) + m.values[1] + m.rows.len() as u32 + m.row(1).len() as u32;
    sum += Csr::new(&x[1..3], &x[4..]).row(0)[0] + first_row(m)[1];
    if let Some((i, row)) = m.widest() {
        sum += row[0] * 1000 + i as u32;
    }
    if i < 6 {
        let origin = [3, 4];
        let mut view = View { data: &mut tile, width: 2, origin: &origin };
        change(&mut view, i);
        sum += view.at(0, i) + view.data[2 * i + 1] * 10;
        view.data[2 * i] = 0;
    }
    out[i] = sum;
}

#[test]
fn structs_of_references() {
    let x = [9, 0, 2, 5, 1, 2, 3, 4, 5];
    let (mut sum, m) = (0, [[1, 2].as_slice(), &[3, 4, 5]]);
    m.iter().for_each(|row| row.iter().for_each(|v| sum = sum * 3 + v));
    let same = sum + 2 + 3 + 3 + 1 + 2 + 3000 + 1;
    let expected: Vec<u32> = (0..6)
        .map(|i| {
            let (first, second) = ((x[i] + 1) * 2, 100 + 4 + 5);
            same + first + (second * 3 + first) * 10
        })
        .chain([same; 2])
        .collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 8];
        let launched = gpu.launch(Grid::new(1, 8), of_references(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn of_known_length(x: &[u32; 4], counts: &[std::sync::atomic::AtomicU32; 1], out: &mut [u32; 3]) {
    let i = global_id();
    let mut sum = 0;
    for v in x {
        sum = sum * 3 + v;
    }
    counts[0].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    out[i] = sum + x[i] + x.len() as u32;
}

#[test]
fn kernels_take_arrays() {
    everywhere!(|gpu| {
        let (counts, mut out) = (Default::default(), [0; 3]);
        let launched = gpu.launch(Grid::new(1, 3), of_known_length(&[1, 2, 3, 4], &counts, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!((counts[0].load(std::sync::atomic::Ordering::Relaxed), out), (3, [63, 64, 65]));
    });
}

#[device]
fn either<'a>(x: &'a [u32], y: &'a [u32], first: bool) -> &'a [u32] {
    if first { x } else { y }
}

#[kernel]
fn of_two(x: &[u32], y: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = either(x, y, i == 0)[0];
}

#[kernel]
fn of_one(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = either(&x[1..], x, i == 0)[0];
}

#[device]
fn own(n: u32) -> &'static [u32] {
    let a = [n, 2];
    &a[..]
}

#[kernel]
fn of_its_own(out: &mut [u32]) {
    out[0] = own(3)[0];
}

#[kernel]
fn compared(x: &[u32], out: &mut [u32]) {
    let (a, b) = if out[0] == 0 { (&x[1..], 3) } else { (&x[..1], 4) };
    out[0] = u32::from((a, b) == (a, 5));
}

#[test]
fn a_pointer_chosen_at_run_time_is_an_error() {
    let (x, y) = ([1, 2], [3, 4]);
    let gpu = Gpu::<Ipdom>::default();
    let mut out = [0; 2];
    assert!(gpu.launch(Grid::new(1, 2), of_one(&x, &mut out)).is_ok());
    assert_eq!(out, [2, 1]);
    let error = gpu.launch(Grid::new(1, 2), of_two(&x, &y, &mut out)).unwrap_err().to_string();
    assert!(
        error.contains("would need a pointer chosen at run time: it refers to `x` already, and here to `y`"),
        "{error}"
    );
    assert_eq!(error.matches("chosen at run time").count(), 1, "{error}");
    let error = gpu.launch(Grid::new(1, 1), of_its_own(&mut out)).unwrap_err().to_string();
    assert!(error.contains("`own` returns a reference to `a`, an array of its own"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), compared(&x, &mut out)).unwrap_err().to_string();
    assert!(error.contains("a kernel compares slices that it knows to be some"), "{error}");
}

#[derive(KernelData)]
struct Bits<'a> {
    bytes: &'a [u8],
    position: usize,
}

#[device]
fn taken(bits: &mut Bits, number: usize) -> u32 {
    let mut value = 0;
    for _ in 0..number {
        let byte = bits.bytes[bits.position / 8];
        value = value * 2 + u32::from(byte >> (7 - bits.position % 8) & 1);
        bits.position += 1;
    }
    value
}

#[device]
fn begun(bytes: &[u8], position: usize) -> Bits {
    Bits { bytes, position }
}

#[device]
fn left(bits: Bits, of: &Bits) -> usize {
    bits.bytes.len() * 8 - of.position
}

/// As in Rust, a signature may leave the lifetime out.
#[test]
fn a_lifetime_is_left_out() {
    #[kernel]
    fn decoded(x: &[u8], out: &mut [u32]) {
        let i = global_id();
        let mut bits = begun(x, i);
        out[i] = taken(&mut bits, 3) * 10_000 + taken(&mut bits, 7) * 10;
        let rest = begun(x, 0);
        out[i] += left(rest, &bits) as u32;
    }
    everywhere!(|gpu| {
        let mut out = [0; 3];
        let launched = gpu.launch(Grid::new(1, 3), decoded(&[0b1011_0010, 0b1110_0000], &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        // 101 1001011; 011 0010111; 110 0101110: 16 bits, of which 10, 11 and 12 have been read or passed.
        assert_eq!(out, [50_000 + 750 + 6, 30_000 + 230 + 5, 60_000 + 460 + 4]);
    });
}

/// A matrix by rows, whatever it is made of.
#[device]
trait Rows {
    const WEIGHTS: [u32; 3];

    fn rows(&self) -> usize;
    fn row_sum(&self, row: usize) -> u32;
}

#[device]
impl Rows for Csr<'_> {
    const WEIGHTS: [u32; 3] = [1, 10, 100];

    fn rows(&self) -> usize {
        self.len()
    }

    fn row_sum(&self, row: usize) -> u32 {
        self.row(row).iter().sum()
    }
}

#[derive(Clone, Copy, KernelData)]
struct Dense<'a> {
    width: usize,
    values: &'a [u32],
}

#[device]
impl<'a> Rows for Dense<'a> {
    const WEIGHTS: [u32; 3] = [2, 20, 200];

    fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    fn row_sum(&self, row: usize) -> u32 {
        let values: &'a [u32] = self.values;
        values[row * self.width..][..self.width].iter().sum()
    }
}

#[device]
fn weighed<M: Rows>(matrix: &M) -> u32 {
    let mut sum = 0;
    for row in 0..matrix.rows() {
        sum += matrix.row_sum(row) * M::WEIGHTS[row % M::WEIGHTS.len()];
    }
    sum + M::WEIGHTS.iter().max().copied().unwrap_or(0)
}

/// Traits of structs of references, and constants of traits that are arrays.
#[test]
fn traits_are_implemented_for_structs_of_references() {
    #[kernel]
    fn both(rows: &[u32], values: &[u32], out: &mut [u32]) {
        let i = global_id();
        let csr = Csr { rows, values };
        let dense = Dense { width: 2, values };
        out[i] = if i % 2 == 0 { weighed(&csr) } else { weighed(&dense) };
    }
    everywhere!(|gpu| {
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 2), both(&[0, 1, 4], &[1, 2, 3, 4], &mut out)).unwrap();
        // 1 and 2 + 3 + 4; 1 + 2 and 3 + 4.
        assert_eq!(out, [1 + 90 + 100, 6 + 140 + 200]);
    });
}
