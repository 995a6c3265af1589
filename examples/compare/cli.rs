//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Four divergence-heavy algorithms under every reconvergence policy, side by side.
///
/// Each runs in plain Rust and as a kernel under every policy. All results are compared; a table
/// and a picture say how full the SIMD lanes were, the table also how fast it went, and pages for a
/// browser which lines lose most. Of the Mandelbrot set two pictures are written: the set, and how full each warp was that
/// computed it.
#[derive(Debug, Parser)]
#[command(name = "compare", version, after_long_help = FORMATS)]
pub(crate) struct Cli {
    /// Run only these algorithms
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_enum)]
    pub(crate) only: Vec<Algorithm>,

    /// Take a few seconds: a small picture, fewer numbers, fewer misspelt words
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print all figures of all runs, one below the other
    #[arg(long)]
    pub(crate) all: bool,

    /// Threads in a warp
    #[arg(long, value_name = "8|16|32|64", default_value = "32", value_parser = warp_width)]
    pub(crate) width: usize,

    /// Width and height of the Mandelbrot picture in pixels [default: 512, with --quick 128]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub(crate) size: Option<u32>,

    /// The dictionary; without it, the words of Debian's `wamerican`
    #[arg(long, value_name = "FILE")]
    pub(crate) words: Option<PathBuf>,

    /// Words to look up in the dictionary; without it, misspellings from Debian's `misspell-fixer`
    #[arg(long, value_name = "FILE")]
    pub(crate) misspelt: Option<PathBuf>,

    /// The graph to search; without it, Debian packages and what they depend on
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,

    /// The folder for the pictures and the pages
    #[arg(long, value_name = "DIR", default_value = "output")]
    pub(crate) output: PathBuf,
}

/// The algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// Iterations of each pixel's point
    Mandelbrot,
    /// Steps of each number down to 1
    Collatz,
    /// Closest dictionary word within two edits
    Spelling,
    /// Steps from the hub of a graph
    Bfs,
}

impl Cli {
    /// Whether the user wants an algorithm to run.
    pub(crate) fn wants(&self, algorithm: Algorithm) -> bool {
        self.only.is_empty() || self.only.contains(&algorithm)
    }
}

fn warp_width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ (8 | 16 | 32 | 64)) => Ok(width),
        _ => Err("expected 8, 16, 32 or 64".to_owned()),
    }
}

const FORMATS: &str = "\
Files:
  All files are UTF-8 text of at most 64 MiB. Blank lines and lines that start
  with # do not count.

  --words     One word a line, of at most 31 letters, in any order, none twice, and
              at most 256 different letters in all:
                  apple
                  pear
  --misspelt  One misspelt word a line, and after a space, if you like, the word
              that was meant (then the program counts how often it finds it):
                  aple apple
                  paer
  --graph     One node a line: its name, a colon, and the names of the nodes that
              it points to. Every node has a line, also one that points nowhere:
                  app: library libc
                  library: libc
                  libc:
              The search starts at the node that most lines point to (libc) and
              goes against the arrows: from libc to all that needs it.

Examples:
  compare --quick
  compare --only mandelbrot --size 1024 --output pictures
  compare --only spelling --words german.txt --misspelt vertippt.txt
  compare --only bfs,collatz --width 64

Exit code: 0 if all results are right, 1 if something failed, 2 for a wrong
command line.";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn algorithms_can_be_chosen_by_name() {
        let cli = Cli::try_parse_from(["compare", "--only", "bfs,collatz"]).unwrap();
        assert!(cli.wants(Algorithm::Bfs) && cli.wants(Algorithm::Collatz) && !cli.wants(Algorithm::Spelling));
        assert!(Cli::try_parse_from(["compare"]).unwrap().wants(Algorithm::Spelling));
    }

    #[test]
    fn warps_have_8_16_32_or_64_threads() {
        assert_eq!(Cli::try_parse_from(["compare", "--width", "64"]).unwrap().width, 64);
        assert!(Cli::try_parse_from(["compare", "--width", "33"]).is_err());
    }
}
