//! What is printed in the paper: numbers of its text and tables. Its figures have no numbers of their own.

/// Tables II to IV, in parts of a hundred: PDOM, DWF and MIMD, each of the seven programs.
pub(crate) const BANDWIDTH: [[f64; 7]; 3] = [
    [57.47, 94.71, 8.18, 50.94, 75.43, 0.84, 84.02],
    [63.61, 95.04, 6.47, 71.02, 74.89, 1.47, 63.71],
    [64.42, 95.07, 8.30, 81.21, 81.49, 1.58, 99.23],
];
pub(crate) const MISSES: [[f64; 7]; 3] = [
    [13.37, 14.15, 1.52, 21.25, 15.52, 0.05, 7.88],
    [5.05, 14.56, 1.50, 30.67, 14.68, 0.06, 9.71],
    [3.74, 15.34, 1.17, 30.67, 13.79, 0.05, 7.30],
];
pub(crate) const MISSES_WITHOUT_PENDING: [[f64; 7]; 3] = [
    [13.21, 13.55, 0.21, 3.86, 11.77, 0.03, 5.72],
    [5.03, 13.57, 0.21, 3.84, 12.53, 0.04, 4.23],
    [3.73, 13.36, 0.21, 3.83, 12.06, 0.04, 5.26],
];

/// Section 6: the speed of each mechanism over that before it.
pub(crate) const PDOM_OVER_NREC: f64 = 1.45;
pub(crate) const DWF_OVER_PDOM: f64 = 1.47;
pub(crate) const MIMD_OVER_DWF: f64 = 1.11;
/// Section 1: over no reconvergence.
pub(crate) const DWF_OVER_NREC: f64 = 2.14;
/// NREC, PDOM, DWF and MIMD, over NREC.
pub(crate) const ORDER: [f64; 4] = [1.0, PDOM_OVER_NREC, DWF_OVER_NREC, DWF_OVER_NREC * MIMD_OVER_DWF];

/// Section 6.7: dynamic warp formation over PDOM in two programs.
pub(crate) const BLACK: f64 = 0.77;
pub(crate) const HMMER: f64 = 2.95;

/// Section 6.4: the majority over PDOM without lane conflicts, the part of that with lane awareness, and `DPdPri` over PDOM.
pub(crate) const IDEAL_OVER_PDOM: f64 = 1.66;
pub(crate) const OF_IDEAL: f64 = 0.89;
pub(crate) const PRIORITY_OVER_PDOM: f64 = 1.31;
/// Section 6.3: without limits of the heap, over PDOM.
pub(crate) const UNBOUNDED_OVER_PDOM: f64 = 1.563;

/// Sections 6.3 and 6.4: IPC of a program under a schedule, of 16 cores.
pub(crate) const IPCS: [(&str, &str, f64); 5] = [
    ("HMMer", "DMaj with LAS", 18.0),
    ("HMMer", "DMaj with LAS, unbounded", 24.0),
    ("HMMer", "DPdPri with LAS", 12.0),
    ("Black", "DMaj with LAS", 89.0),
    ("Black", "DPdPri with LAS", 99.0),
];

/// Section 6.6: what is left of the speed from warps of 8 to warps of 32.
pub(crate) const PDOM_WIDER: f64 = 0.751;
pub(crate) const DWF_WIDER: f64 = 0.888;

/// Section 3.2: utilisation of the execution units in parts of a hundred, of MIMD and of PDOM by the warp's width.
pub(crate) const UTILISATION: [f64; 4] = [26.3, 21.1, 18.7, 15.8];

/// Threads of a core, and how much faster than PDOM dynamic warp formation is with them: sections 1, 6.7.
pub(crate) const BY_THREADS: [(usize, f64); 6] =
    [(128, 0.96), (256, 1.13), (384, 1.22), (512, 1.24), (640, 1.37), (768, 1.47)];

/// Table V: entries, bits of an entry as the table lists its content, and bits of the structure.
pub(crate) const AREA: [(&str, u64, u64, u64, f64); 6] = [
    ("Warp Update Register", 2, 10 * 32 + 24 + 32, 752, 0.0080),
    ("PC-Warp LUT", 64, 24 + 32 + 7, 4032, 0.2633),
    ("Warp Pool", 128, 10 * 32 + 24 + 10, 44928, 0.6194),
    ("Warp Allocator", 128, 7, 896, 0.0342),
    ("MHeap LUT", 128, 24 + 7, 4992, 0.4945),
    ("Max-Heap", 64, 24 + 10 + 8 + 8 + 8, 3712, 0.2159),
];
