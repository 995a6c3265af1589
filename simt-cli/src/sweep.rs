//! `simt sweep`: a kernel under policies, on machines and with inputs, each combination a point of a `simt_sweep::Sweep`.

use crate::argument;
use crate::bound::{Bound, bind};
use crate::choice;
use crate::failure::Failure;
use crate::options::{self, blocks, threads};
use crate::run::{differing, launch};
use crate::source;
use serde_json::Value;
use simt::checks::Checks;
use simt::host::Kernel;
use simt::{Code, Dim3, Grid, KernelCall};
use simt_sweep::{Figures, MachineChoice, Point, Sweep};
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::process::ExitCode;

/// A name with its values, as texts.
type Values = (String, Vec<String>);

/// What is launched at the points of some values of the inputs.
struct Launch {
    grid: Grid,
    arguments: Vec<Bound>,
}

pub(crate) fn sweep(options: &options::Sweep) -> Result<ExitCode, Failure> {
    let code = source::code(&options.file, options.kernel.as_deref(), None)?;
    let fields = options.fields.iter().map(|text| values("--field", text)).collect::<Result<Vec<_>, _>>()?;
    let inputs = options.inputs.iter().map(|text| values("--input", text)).collect::<Result<Vec<_>, _>>()?;
    let machines = options.machine.iter().map(|word| {
        let config = simt::GpuConfig { checks: Checks::none(), ..choice::config("--machine", word)? };
        Ok(MachineChoice::from((word.as_str(), config)))
    });
    let machines = machines.collect::<Result<Vec<_>, Failure>>()?;
    let stem = options.file.file_stem().unwrap_or_default().to_string_lossy();
    let name = options.name.clone().unwrap_or_else(|| stem.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    // What a file of numbers holds is a part of a point as well as the code.
    let mut sweep = Sweep::new(name).version(source::read(&options.file)?).version(described(options));
    let texts = [&options.grid, &options.block, &options.shared].into_iter().chain(&options.arguments);
    only_known(options, &inputs)?;
    if let Some((name, _)) = inputs.iter().find(|(name, _)| !texts.clone().any(|text| text.contains(&braced(name)))) {
        return Err(Failure::usage(format!("--input {name}: write {} where its value is to stand", braced(name))));
    }
    // All of them now, so that a mistake is found before anything runs.
    let mut launches = HashMap::new();
    for chosen in combinations(&inputs) {
        let (launch, files) = prepared(options, &code, &inputs, &chosen)?;
        launches.insert(chosen, launch);
        sweep = files.into_iter().fold(sweep, Sweep::version);
    }
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let (title, kernel) = (code.name.to_string(), Kernel::from_code(code));
    let measure = move |point: &Point| -> Result<Figures, Box<dyn Error>> {
        let chosen = names.iter().map(|name| point.input(name).map(|value: Value| shown(&value)));
        let chosen = chosen.collect::<Result<Vec<String>, _>>()?;
        let Launch { grid, arguments } = launches.get(&chosen).ok_or("no launch has these inputs")?;
        // One thread of the host: other points have the others.
        let on_machine =
            |grid, call: KernelCall<'_>| point.policy().launch(point.config().clone(), Some(1), grid, call);
        let launched = launch(*grid, &kernel, arguments, &on_machine);
        let launched = launched.map_err(|failure| failure.to_string())?;
        match differing(point.policy(), &launched.outputs) {
            Some((_, failure)) => Err(failure.to_string().into()),
            None => Ok(Figures::of(&launched.report)),
        }
    };
    sweep = sweep.kernel(title, measure).policies(choice::chosen(&options.policy)?).machines(machines);
    sweep = fields.iter().fold(sweep, |sweep, (name, values)| sweep.field(name, values.iter().map(|text| value(text))));
    sweep =
        inputs.iter().fold(sweep, |sweep, (name, values)| sweep.inputs(name, values.iter().map(|text| value(text))));
    Ok(sweep.command(&options.command))
}

/// What is launched with these inputs, and the texts of the files that it reads.
fn prepared(
    options: &options::Sweep,
    code: &Code,
    inputs: &[Values],
    chosen: &[String],
) -> Result<(Launch, Vec<String>), Failure> {
    let filled = |text: &str| {
        let pairs = inputs.iter().map(|(name, _)| name).zip(chosen);
        pairs.fold(text.to_string(), |text, (name, value)| text.replace(&braced(name), value))
    };
    let size = |option: &str, text: &str, read: fn(&str) -> Result<Dim3, String>| {
        read(&filled(text)).map_err(|error| Failure::usage(format!("{option} {}: {error}", filled(text))))
    };
    let shared = filled(&options.shared);
    let bytes = shared.parse::<u32>();
    let bytes = bytes.map_err(|_| Failure::usage(format!("--shared {shared}: write a number of bytes")))?;
    let grid = Grid::new(size("--grid", &options.grid, blocks)?, size("--block", &options.block, threads)?)
        .with_shared_memory(bytes);
    let texts: Vec<String> = options.arguments.iter().map(|text| filled(text)).collect();
    let parsed = texts.iter().map(|text| argument::parse(text).map_err(|error| error.within(&format!("--arg {text}"))));
    let arguments = bind(code, &texts, parsed.collect::<Result<_, _>>()?)?;
    if let Some(one) = arguments.iter().find(|one| one.saved().next().is_some()) {
        return Err(Failure::usage(format!("--arg {}: each point would write that file; leave it out", one.text)));
    }
    let paths = texts.iter().flat_map(|text| text.split(['=', '~']).skip(1));
    let files = paths.filter_map(|path| fs::read(path.split(':').next().unwrap_or(path)).ok());
    Ok((Launch { grid, arguments }, files.map(|bytes| bytes.escape_ascii().to_string()).collect()))
}

/// The words that say what is launched, which inputs are filled into.
fn described(options: &options::Sweep) -> String {
    let options::Sweep { grid, block, shared, arguments, .. } = options;
    format!("{grid} {block} {shared} {arguments:?}")
}

/// How an input stands in other words.
fn braced(name: &str) -> String {
    format!("{{{name}}}")
}

/// Checks that what stands in braces is an input, in what is launched and in the inputs' values, which are filled in
/// one after the other.
fn only_known(options: &options::Sweep, inputs: &[Values]) -> Result<(), Failure> {
    let sizes = [("--grid", &options.grid), ("--block", &options.block), ("--shared", &options.shared)];
    let arguments = options.arguments.iter().map(|text| ("--arg", text));
    let values = options.inputs.iter().map(|text| ("--input", text));
    for (option, text) in sizes.into_iter().chain(arguments).chain(values) {
        let Some(name) = in_braces(text).find(|&name| inputs.iter().all(|(known, _)| known != name)) else { continue };
        let braces: Vec<String> = inputs.iter().map(|(name, _)| braced(name)).collect();
        let instead = if braces.is_empty() { String::new() } else { format!(", or one of {}", braces.join(", ")) };
        return Err(Failure::usage(format!(
            "{option} {text}: there is no input `{name}`; write --input {name}=VALUE,...{instead}"
        )));
    }
    Ok(())
}

/// The names that stand in braces.
fn in_braces(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split('{').skip(1);
    behind.filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| !name.is_empty())
}

/// What `NAME=VALUE,VALUE` says.
fn values(option: &str, text: &str) -> Result<Values, Failure> {
    match text.split_once('=') {
        Some((name, values)) if !name.is_empty() && !values.is_empty() => {
            Ok((name.to_string(), values.split(',').map(str::to_string).collect()))
        }
        _ => Err(Failure::usage(format!("{option} {text}: write a name, `=` and values with commas between"))),
    }
}

/// All combinations of the inputs' values.
fn combinations(inputs: &[Values]) -> Vec<Vec<String>> {
    inputs.iter().fold(vec![Vec::new()], |found, (_, values)| {
        let more = |chosen: &Vec<String>, value: &String| chosen.iter().chain([value]).cloned().collect();
        found.iter().flat_map(|chosen| values.iter().map(move |value| more(chosen, value))).collect()
    })
}

/// A number, `true`, a text in quotes and so on as in JSON; all else is a text.
fn value(text: &str) -> Value {
    serde_json::from_str(text).ok().filter(|value| shown(value) == text).unwrap_or_else(|| text.into())
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}
