//! SIMD efficiency of each algorithm under each policy, as criterion's measured quantity.
//!
//! The measured value is issued / useful lane slots, the reciprocal of SIMD efficiency: lower is better, so that
//! criterion's verdict (improved, regressed) has the right sign, and it is never 0. The throughput is the efficiency
//! itself, in per cent. Time plays no part: the same code gives the same value on every machine.

mod workloads;

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput};
use simt::prelude::*;
use std::cell::OnceCell;
use std::time::Duration;
use workloads::{Workload, benched, for_each_workload, verified};

/// The widths of a warp that are compared.
const WIDTHS: [usize; 3] = [8, 32, 64];

fn main() {
    let mut criterion = Criterion::default()
        .with_measurement(SimdEfficiency)
        // Criterion's plots fail on values that do not vary.
        .without_plots()
        .sample_size(10)
        .nresamples(1001)
        .warm_up_time(Duration::from_micros(1))
        .measurement_time(Duration::from_micros(1))
        .noise_threshold(1e-6)
        .configure_from_args();
    for_each_workload!(W => {
        let mut group = criterion.benchmark_group(W::NAME);
        group.sampling_mode(SamplingMode::Flat);
        group.throughput(Throughput::Elements(1));
        for_each_policy!(P => WIDTHS.iter().for_each(|&width| bench::<W, P>(&mut group, width)));
        group.finish();
    });
    criterion.final_summary();
}

fn bench<W: Workload, P: Policy>(group: &mut BenchmarkGroup<'_, SimdEfficiency>, width: usize) {
    // A launch gives the same value every time, so one is enough; it runs only if this bench is asked for.
    let slots = OnceCell::new();
    group.bench_function(BenchmarkId::new(P::name(), format!("warps of {width}")), |bencher| {
        let slots_per_useful_one = slots.get_or_init(|| {
            let gpu = Gpu::<P>::default().with_warp_width(width).with_checks(Checks::none());
            verified(&mut W::new(benched::<W>()), &gpu).simd_efficiency().recip()
        });
        bencher.iter_custom(|iterations| slots_per_useful_one * iterations as f64);
    });
}

/// Counts lane slots instead of time.
struct SimdEfficiency;

impl Measurement for SimdEfficiency {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {}

    fn end(&self, (): ()) -> f64 {
        unreachable!("`iter_custom` gives the value")
    }

    fn add(&self, left: &f64, right: &f64) -> f64 {
        left + right
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for SimdEfficiency {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "slots/useful"
    }

    fn scale_throughputs(&self, _typical: f64, _throughput: &Throughput, values: &mut [f64]) -> &'static str {
        values.iter_mut().for_each(|value| *value = 100.0 / *value);
        "% of lanes"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "slots/useful"
    }
}
