//! `simt run`: a kernel under each policy that is wanted.

use crate::argument::{self, Output, difference};
use crate::bound::{Bound, Placed, bind};
use crate::choice;
use crate::contents;
use crate::failure::Failure;
use crate::options::{Check, Form, Memory, Run};
use crate::outputs;
use crate::source;
use crate::values::{Values, size};
use serde_json::{Value, json};
use simt::checks::Checks;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::host::{DeviceMemory, Kernel, call};
use simt::report::figures::FIGURES;
use simt::{Grid, KernelCall, LaunchError, RaceCheck, Report};
use simt_sweep::PolicyChoice;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

/// How many values of an output are shown.
const SHOWN: usize = 8;

/// The version of the reports as JSON: `report.schema.json` says what is in them.
const VERSION: u32 = 1;

/// What a command prints, and how it ends.
pub(crate) type Outcome = (String, Result<(), Failure>);

/// What a launch has left.
pub(crate) struct Launched<'a> {
    pub(crate) report: Report,
    pub(crate) outputs: Vec<Left<'a>>,
}

/// What a launch has left in a buffer.
pub(crate) struct Left<'a> {
    /// What the buffer is called.
    name: String,
    /// Its argument.
    text: &'a str,
    /// What is done with it.
    output: &'a Output,
    values: Values,
    /// How it differs from what was expected, if it does.
    differs: Option<String>,
}

pub(crate) fn run(options: &Run) -> Result<Outcome, Failure> {
    let policies = choice::chosen(&options.policy)?;
    let mut config = choice::config("--machine", &options.machine)?;
    config.seed = options.seed.unwrap_or(config.seed);
    if options.memory == Memory::Environment {
        config.memory = MemoryModel::Environment(EnvironmentConfig { seed: config.seed, ..Default::default() });
    }
    if options.check.contains(&Check::GridRaces) {
        config.race_check = RaceCheck::Grid;
    } else if options.check.contains(&Check::Races) {
        config.race_check = RaceCheck::Everywhere;
    } else if options.check.contains(&Check::SharedRaces) {
        config.race_check = RaceCheck::Shared;
    }
    config.checks = if options.check.contains(&Check::Policy) { Checks::all() } else { Checks::none() };
    let code = source::code(&options.file, options.kernel.as_deref(), options.source.as_deref())?;
    let parsed = options
        .arguments
        .iter()
        .map(|text| argument::parse(text).map_err(|error| error.within(&format!("--arg {text}"))));
    let arguments = bind(&code, &options.arguments, parsed.collect::<Result<_, _>>()?)?;
    if policies.len() > 1
        && let Some(one) = arguments.iter().find(|one| one.saved().next().is_some())
    {
        return Err(Failure::usage(format!(
            "--arg {}: each of {} policies would write that file; name one whole policy, such as --policy Ipdom",
            one.text,
            policies.len()
        )));
    }
    let grid = Grid::new(options.grid, options.block).with_shared_memory(options.shared);
    let saved = arguments.iter().flat_map(Bound::saved);
    #[cfg(feature = "view")]
    let (views, saved) =
        (options.views.begin(policies.len(), grid, config.warp_width)?, options.views.files().chain(saved));
    outputs::check(&saved.collect::<Vec<_>>())?;
    let kernel = Kernel::from_code(code);
    let several = policies.len() > 1 && std::io::stderr().is_terminal();
    let results = policies.iter().enumerate().map(|(number, &policy)| {
        if several {
            eprintln!("{} of {}: {}", number + 1, policies.len(), policy.name());
        }
        let threads = options.threads.map(usize::from);
        #[cfg(feature = "view")]
        let launch_it = |grid, call: KernelCall<'_>| views.launch(policy, &config, threads, grid, call);
        #[cfg(not(feature = "view"))]
        let launch_it = |grid, call: KernelCall<'_>| policy.launch(config.clone(), threads, grid, call);
        (policy, launch(grid, &kernel, &arguments, &launch_it))
    });
    let outcome = match options.report {
        Form::Text => in_text(results),
        Form::Json => in_json(results),
    };
    #[cfg(feature = "view")]
    let outcome = (outcome.0, views.write(&kernel.name()).and(outcome.1));
    Ok(outcome)
}

/// Runs a call on a grid.
pub(crate) type Launch<'l> = dyn Fn(Grid, KernelCall<'_>) -> Result<Report, LaunchError> + 'l;

/// Launches a kernel with its arguments.
pub(crate) fn launch<'a>(
    grid: Grid,
    kernel: &Kernel,
    arguments: &'a [Bound],
    launch: &Launch<'_>,
) -> Result<Launched<'a>, Failure> {
    let mut memory = DeviceMemory::new();
    let mut placed = arguments.iter().map(|one| one.place(&mut memory)).collect::<Result<Vec<_>, _>>()?;
    let buffers = buffers(arguments, &placed);
    let passed = placed.iter_mut().map(Placed::argument).collect::<Result<Vec<_>, _>>()?;
    let report = launch(grid, call(kernel, passed).with_memory(&mut memory))
        .map_err(|error| Failure::launch(format!("{error}{buffers}")))?;
    let mut outputs = Vec::new();
    for (one, placed) in arguments.iter().zip(&placed) {
        for (name, output, values) in one.after(placed, &memory)? {
            if let Some(file) = &output.save {
                contents::save(&values, file)?;
            }
            let differs = output.expected.as_ref();
            let differs = differs.and_then(|(wanted, file, tolerance)| difference(&values, wanted, file, *tolerance));
            outputs.push(Left { name, text: &one.text, output, values, differs });
        }
    }
    Ok(Launched { report, outputs })
}

/// Which argument is the buffer that an error names by its address.
fn buffers(arguments: &[Bound], placed: &[Placed]) -> String {
    let mut text = String::new();
    for (one, placed) in arguments.iter().zip(placed) {
        for ((name, buffer), address) in one.buffers().iter().zip(placed.addresses()) {
            let bytes = buffer.count * size(buffer.ty);
            // A `write!` to a string cannot fail.
            let _ =
                write!(text, "\nbuffer of parameter `{name}`, --arg {}: {bytes} bytes from {address:#x} on", one.text);
        }
    }
    text
}

/// How all ends whose launches have ended so.
fn ended(failures: &[(PolicyChoice, Failure)]) -> Result<(), Failure> {
    let Some((_, first)) = failures.first() else { return Ok(()) };
    let texts: Vec<String> =
        failures.iter().map(|(policy, failure)| format!("under {}: {failure}", policy.name())).collect();
    let text = texts.join("\n\n");
    Err(Failure::new(first.why, text))
}

/// That outputs are not as expected.
pub(crate) fn differing(policy: PolicyChoice, outputs: &[Left<'_>]) -> Option<(PolicyChoice, Failure)> {
    let said = |left: &Left<'_>| Some(format!("`{}`, --arg {}: {}", left.name, left.text, left.differs.as_ref()?));
    let text = outputs.iter().filter_map(said).collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then(|| (policy, Failure::launch(text)))
}

fn in_text<'a>(results: impl Iterator<Item = (PolicyChoice, Result<Launched<'a>, Failure>)>) -> Outcome {
    let (mut text, mut failures) = (String::new(), Vec::new());
    for (policy, result) in results {
        let separator = if text.is_empty() { "" } else { "\n" };
        match result {
            Ok(Launched { report, outputs }) => {
                let _ = writeln!(text, "{separator}{}", report.to_string().trim_end());
                for left in &outputs {
                    let _ = writeln!(text, "{}", left.line());
                }
                failures.extend(differing(policy, &outputs));
            }
            Err(failure) => {
                let _ = writeln!(text, "{separator}under {}: failed, see the error", policy.name());
                failures.push((policy, failure));
            }
        }
    }
    (text, ended(&failures))
}

impl Left<'_> {
    /// A line on it.
    fn line(&self) -> String {
        let texts = self.values.texts();
        let more = if texts.len() > SHOWN { format!(" ... ({} in all)", texts.len()) } else { String::new() };
        let shown = &texts[..texts.len().min(SHOWN)];
        let mut line = format!("{} = {}{more}", self.name, shown.join(" "));
        if let Some(file) = &self.output.save {
            let _ = write!(line, ", written to {file}");
        }
        match (&self.output.expected, &self.differs) {
            (Some(_), Some(differs)) => line += &format!("; {differs}"),
            (Some((_, file, tolerance)), None) => line += &format!("; as in {file}, within {tolerance}"),
            (None, _) => {}
        }
        line
    }
}

fn in_json<'a>(results: impl Iterator<Item = (PolicyChoice, Result<Launched<'a>, Failure>)>) -> Outcome {
    let (mut list, mut failures) = (Vec::new(), Vec::new());
    for (policy, result) in results {
        match result {
            Ok(Launched { report, outputs }) => {
                let shown: Vec<Value> = outputs
                    .iter()
                    .map(|Left { name, text, values, differs, .. }| {
                        let first: Vec<Value> = values.texts().iter().take(SHOWN).map(|text| number_of(text)).collect();
                        json!({
                            "parameter": name,
                            "argument": text,
                            "type": values.ty().name(),
                            "first": first,
                            "differs": differs,
                        })
                    })
                    .collect();
                // A report has nothing that JSON cannot say: it is numbers and texts.
                let report = serde_json::to_value(&report).unwrap_or(Value::Null);
                list.push(json!({ "policy": policy.name(), "report": report, "outputs": shown, "error": null }));
                failures.extend(differing(policy, &outputs));
            }
            Err(failure) => {
                let error = failure.to_string();
                list.push(json!({ "policy": policy.name(), "report": null, "outputs": [], "error": error }));
                failures.push((policy, failure));
            }
        }
    }
    // What JSON calls a figure, NVIDIA's profiler may have a counter for.
    let counters: BTreeMap<&str, Option<&str>> = FIGURES.iter().map(|figure| (figure.name, figure.nvidia)).collect();
    let all = json!({ "version": VERSION, "nsight_compute": counters, "runs": list });
    (format!("{all:#}\n"), ended(&failures))
}

/// A number in JSON; infinities and NaN are texts.
fn number_of(text: &str) -> Value {
    text.parse::<serde_json::Number>().map_or_else(|_| Value::from(text), Value::Number)
}
