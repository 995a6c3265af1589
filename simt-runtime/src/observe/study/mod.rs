//! The limit study: how full the lanes could be if threads met at the best points that there are.
//!
//! W. Fung, I. Sham, G. Yuan and T. Aamodt, *Dynamic Warp Formation*, TACO 2009, section 3.3: an oracle that knows which
//! instructions each thread will execute lets the threads of a warp wait wherever it pays. It aligns their traces, and each
//! column of the alignment is an issue.

mod align;
mod points;

pub use points::ReconvergencePoint;

use crate::observe::{Observer, WarpId};
use crate::policy::{ThreadMask, WarpPart};
use align::{Column, MOST_CELLS, TooLong, align};
use points::Points;
use simt_core::LaneMask;
use simt_core::code::{Code, Inst, Pc};
use simt_core::program::{BarrierOp, CollectiveOp};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Records the instructions that each thread of a launch executes, for the oracle of TACO'09, section 3.3.
///
/// Instructions are the program's, without markers, so the policy under which the launch runs does not matter, except for
/// loops in which threads wait for others: it decides how often they go round. At most [`LimitStudy::LIMIT`] instructions
/// are kept, of all threads together, in 4 bytes each: for more there is no oracle.
///
/// ```
/// use simt::prelude::*;
/// use simt::study::LimitStudy;
///
/// /// Threads with even numbers take the other side than those with odd ones, in every iteration.
/// #[kernel]
/// fn alternate(n: usize, x: &mut [u32]) {
///     let t = global_id();
///     let mut v = 1;
///     for i in 0..n {
///         if (t + i) % 2 == 0 { v = (v * 3 + 1) ^ (v >> 3); } else { v = (v * 5 + 3) ^ (v >> 2); }
///     }
///     x[t] = v;
/// }
///
/// let (mut x, mut study) = ([0; 4], LimitStudy::default());
/// let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
/// let report = gpu.launch_observed(Grid::new(1, 4), alternate(50, &mut x), &mut study)?;
/// let oracle = study.oracle(4).unwrap();
/// assert_eq!(oracle.thread_instructions(), report.thread_instructions());
/// // If one half gets ahead by an iteration, both run the same side.
/// assert!(oracle.simd_efficiency() > 1.2 * report.simd_efficiency());
/// assert!(oracle.reconvergence_points().iter().any(|point| point.beyond));
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LimitStudy {
    code: Option<Code>,
    /// The block, and the threads that issue next if a policy has regrouped them.
    block: usize,
    warp: usize,
    formed: Vec<WarpPart>,
    /// The traces of each warp's lanes.
    warps: BTreeMap<WarpId, Vec<Vec<Pc>>>,
    limit: u64,
    /// Instructions of all threads.
    executed: u64,
}

impl Default for LimitStudy {
    /// A study that keeps [`LimitStudy::LIMIT`] instructions.
    fn default() -> Self {
        Self::with_limit(Self::LIMIT)
    }
}

/// The oracle's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Oracle {
    warp_width: usize,
    issues: u64,
    thread_instructions: u64,
    points: Vec<ReconvergencePoint>,
}

/// Traces that the study does not align.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// Nothing was launched with the study as its observer.
    #[error("nothing to study: launch a kernel with the study as its observer first, by `launch_observed`")]
    Nothing,
    /// The threads of the launch executed more than the study keeps.
    #[error(
        "kernel `{kernel}`: its threads executed {executed} instructions, and the study keeps {limit}; launch it on a smaller \
         input, or make the study by `LimitStudy::with_limit`"
    )]
    TooMany {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The number of instructions that the threads executed.
        executed: u64,
        /// The number that the study keeps.
        limit: u64,
    },
    /// Threads executed too much between two meetings of their warp.
    #[error(
        "kernel `{kernel}`, block {}, warp {}: an alignment of {left} with {right} instructions needs a table of more than \
         {most} entries; launch the kernel on a smaller input", .warp.block, .warp.warp
    )]
    TooLong {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The warp.
        warp: WarpId,
        /// Instructions of one side, as far as they differ.
        left: usize,
        /// Instructions of the other.
        right: usize,
        /// Most entries of the table.
        most: usize,
    },
    /// A thread came to other barriers or operations of the warp than another one: the study knows only those to which all
    /// threads of a warp come.
    #[error(
        "kernel `{kernel}`, block {}, warp {}: lane {lane} came to other barriers or votes than lane {other}; the study \
         needs them where all threads of the warp come", .warp.block, .warp.warp
    )]
    Apart {
        /// The kernel.
        kernel: Cow<'static, str>,
        /// The warp.
        warp: WarpId,
        /// The lane.
        lane: usize,
        /// The lane that it is compared with.
        other: usize,
    },
}

impl Observer for LimitStudy {
    fn launched(&mut self, code: &Code) {
        self.code = Some(code.clone());
        self.warps.clear();
        self.executed = 0;
    }

    fn warp(&mut self, warp: WarpId) {
        (self.block, self.warp) = (warp.block, warp.warp);
        self.formed.clear();
    }

    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        self.block = block;
        self.formed.clear();
        self.formed.extend(threads.parts());
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let whole = [WarpPart { warp: self.warp, lanes: mask }];
        for part in if self.formed.is_empty() { &whole[..] } else { &self.formed } {
            self.executed += u64::from(instructions) * part.lanes.count() as u64;
            if self.executed > self.limit {
                continue;
            }
            let lanes = self.warps.entry(WarpId { block: self.block, warp: part.warp }).or_default();
            for lane in part.lanes.lanes() {
                if lane >= lanes.len() {
                    lanes.resize(lane + 1, Vec::new());
                }
                lanes[lane].extend((at.0..at.0 + instructions).map(Pc));
            }
        }
    }
}

impl LimitStudy {
    /// How many instructions are kept unless another limit is given: 2^27, which take 512 MB.
    pub const LIMIT: u64 = 1 << 27;

    /// A study that keeps so many instructions.
    pub fn with_limit(instructions: u64) -> Self {
        let (formed, warps) = (Vec::new(), BTreeMap::new());
        Self { code: None, block: 0, warp: 0, formed, warps, limit: instructions, executed: 0 }
    }

    /// The best alignment of the traces of each warp, `warp_width` the lanes of one in the launch that was recorded.
    ///
    /// Up to four different traces are aligned by all orders of pairwise alignments, more of them one after the other, so
    /// that a better one may exist. Threads meet at the barriers and operations of the warp to which all of them come.
    ///
    /// # Errors
    /// If nothing was recorded, or more was executed than is kept; if what two groups of threads execute between meetings, and where they differ, needs a
    /// table of more than 2^26 entries, the product of their lengths; or if some threads of a warp meet without others.
    pub fn oracle(&self, warp_width: usize) -> Result<Oracle, StudyError> {
        let code = self.code.as_ref().ok_or(StudyError::Nothing)?;
        let Self { limit, executed, .. } = *self;
        if executed > limit {
            return Err(StudyError::TooMany { kernel: code.name.clone(), executed, limit });
        }
        let mut points = Points::new(code);
        let (mut issues, mut thread_instructions) = (0, 0);
        for (&warp, traces) in &self.warps {
            let columns = align_warp(code, warp, traces)?;
            issues += columns.len() as u64;
            thread_instructions += columns.iter().map(|column| column.mask.count() as u64).sum::<u64>();
            points.count(&columns);
        }
        Ok(Oracle { warp_width, issues, thread_instructions, points: points.into_points() })
    }
}

/// Whether threads of a warp wait for each other there.
fn is_meeting(code: &Code, pc: Pc) -> bool {
    match *code.inst(pc) {
        Inst::Collective { op, .. } => op != CollectiveOp::ActiveMask,
        Inst::Barrier { op, .. } => op != BarrierOp::Arrive,
        _ => false,
    }
}

fn align_warp(code: &Code, warp: WarpId, traces: &[Vec<Pc>]) -> Result<Vec<Column>, StudyError> {
    let kernel = || code.name.clone();
    // The instructions that each lane executes between its meetings, and the meetings.
    let pieces: Vec<Vec<&[Pc]>> =
        traces.iter().map(|trace| trace.split(|&pc| is_meeting(code, pc)).collect()).collect();
    let meetings = |lane: usize| traces[lane].iter().copied().filter(|&pc| is_meeting(code, pc));
    // A thread that has ended comes to no more.
    let longest = (0..traces.len()).rev().max_by_key(|&lane| pieces[lane].len()).unwrap_or(0);
    for lane in 0..traces.len() {
        if !meetings(lane).zip(meetings(longest)).all(|(one, other)| one == other) {
            return Err(StudyError::Apart { kernel: kernel(), warp, lane, other: longest });
        }
    }
    let mut together = meetings(longest);
    let mut columns = Vec::new();
    for number in 0..pieces.get(longest).map_or(0, Vec::len) {
        // Threads that execute the same are aligned at no cost.
        let mut different: Vec<(&[Pc], LaneMask)> = Vec::new();
        for (lane, pieces) in pieces.iter().enumerate() {
            let Some(&piece) = pieces.get(number) else { continue };
            match different.iter_mut().find(|(other, _)| *other == piece) {
                Some((_, lanes)) => *lanes |= LaneMask::lane(lane),
                None => different.push((piece, LaneMask::lane(lane))),
            }
        }
        let sequence = |&(piece, mask): &(&[Pc], LaneMask)| piece.iter().map(|&pc| Column { pc, mask }).collect();
        let aligned = align(different.iter().map(sequence).collect());
        columns.extend(aligned.map_err(|TooLong { left, right }| StudyError::TooLong {
            kernel: kernel(),
            warp,
            left,
            right,
            most: MOST_CELLS,
        })?);
        if let Some(pc) = together.next() {
            let who = (0..traces.len()).filter(|&lane| pieces[lane].len() > number + 1);
            columns.push(Column { pc, mask: who.fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane)) });
        }
    }
    Ok(columns)
}

impl Oracle {
    /// Issues: columns of the alignments of all warps.
    pub fn issues(&self) -> u64 {
        self.issues
    }

    /// Instructions executed by threads; those of [`Report::thread_instructions`](crate::Report::thread_instructions).
    pub fn thread_instructions(&self) -> u64 {
        self.thread_instructions
    }

    /// Active lanes by issues × warp width, from 0 to 1; 0 if nothing was issued.
    pub fn simd_efficiency(&self) -> f64 {
        match self.issues {
            0 => 0.0,
            issues => self.thread_instructions as f64 / (issues as f64 * self.warp_width as f64),
        }
    }

    /// Where threads that parted met again, by address of the branch.
    pub fn reconvergence_points(&self) -> &[ReconvergencePoint] {
        &self.points
    }
}
