//! README's paragraph on speed, which `cargo bench --bench speed -- readme` measures and writes.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io};

/// What stands around it.
const BEGIN: &str = "<!-- `cargo bench --bench speed -- readme` writes this: -->\n";
const END: &str = "<!-- until here -->\n";

/// An algorithm, in words.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    /// The time, as a multiple of scalar Rust's.
    pub(crate) ratio: f64,
    /// Warp instructions per second.
    pub(crate) warp_rate: f64,
}

/// Writes it.
pub(crate) fn write(measured: &[Measured]) -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path)?;
    let parts = readme.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, behind)) = parts else {
        return Err(io::Error::other(format!("README.md lacks the lines {BEGIN:?} and {END:?}")));
    };
    fs::write(&path, format!("{before}{BEGIN}{}{END}{behind}", paragraph(measured)))
}

fn paragraph(measured: &[Measured]) -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let times: Vec<String> =
        measured.iter().map(|Measured { name, ratio, .. }| format!("{ratio:.1} for {name}")).collect();
    let rates = measured.iter().map(|measured| measured.warp_rate / 1e6);
    let (least, most) = (rates.clone().fold(f64::INFINITY, f64::min), rates.fold(0.0, f64::max));
    format!(
        "On one core of an {} ({}), the time of `Ipdom` as a multiple of scalar Rust's is {}: {least:.0} to {most:.0} million \
         warp instructions a second ([benches](benches/README.md)).\n",
        processor(),
        month(since_1970 / 86_400),
        times.join(", ")
    )
}

/// The processor, as the system calls it.
fn processor() -> String {
    let of_linux = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let name =
        of_linux.or_else(|| env::var("PROCESSOR_IDENTIFIER").ok()).unwrap_or_else(|| env::consts::ARCH.to_owned());
    // "Intel(R) Xeon(R) Processor" is an Intel Xeon.
    let name = ["(R)", "(TM)", "(tm)"].into_iter().fold(name, |name, mark| name.replace(mark, ""));
    name.trim_end_matches("Processor").trim_end_matches("CPU").trim_end().to_owned()
}

/// The month of a day, counted from the first of January 1970.
fn month(mut day: u64) -> String {
    const MONTHS: [(&str, u64); 12] = [
        ("January", 31),
        ("February", 28),
        ("March", 31),
        ("April", 30),
        ("May", 31),
        ("June", 30),
        ("July", 31),
        ("August", 31),
        ("September", 30),
        ("October", 31),
        ("November", 30),
        ("December", 31),
    ];
    for year in 1970.. {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (number, (name, days)) in (1..).zip(MONTHS) {
            let days = days + u64::from(is_leap && number == 2);
            if day < days {
                return format!("{name} {year}");
            }
            day -= days;
        }
    }
    unreachable!("there is always a next year")
}
