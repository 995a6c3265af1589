//! No text makes the library panic, run away or fill memory: soups of tokens, and files of compilers with tokens moved.

use simt_ptx::{parse, print, read};

/// How many soups: more where the code is optimised.
const SOUPS: u64 = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };

const TOKENS: &[&str] = &[
    ".version 8.0\n",
    ".target sm_75\n",
    ".address_size 64\n",
    ".entry",
    ".func",
    ".visible",
    ".extern",
    ".weak",
    ".global",
    ".const",
    ".shared",
    ".local",
    ".param",
    ".reg",
    ".align",
    ".ptr",
    ".b8",
    ".b32",
    ".u32",
    ".s64",
    ".f32",
    ".pred",
    ".v2",
    ".v4",
    ".loc",
    ".file",
    ".section",
    ".pragma",
    ".alias",
    ".maxntid",
    ".branchtargets",
    ".callprototype",
    ".calltargets",
    ".attribute",
    "add",
    "ld",
    "st",
    "mov",
    "bra",
    "call",
    "setp",
    "cvt",
    "atom",
    "shfl",
    "bar",
    "tex",
    "wmma",
    "xyzzy",
    ".rn",
    ".sync",
    ".global",
    ".lo",
    ".cc",
    ".x",
    "%r1",
    "%r",
    "%p1",
    "%tid",
    "_",
    "name",
    "$L__BB0_1",
    "generic",
    "function_name",
    "inlined_at",
    "0",
    "1",
    "-1",
    "017",
    "089",
    "0x1f",
    "0b1",
    "0f3F800000",
    "0f3",
    "0d3FF0000000000000",
    "1.5",
    "1e9",
    "99999999999999999999999",
    "\"text\"",
    "\"open",
    "/*",
    "*/",
    "// comment\n",
    ",",
    ",",
    ";",
    ";",
    ":",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "=",
    "+",
    "-",
    "~",
    "@",
    "!",
    "|",
    "#",
    "\u{f6}",
    "\u{1f600}",
    "\0",
    "\n",
    "\n",
    "\t",
    "\\",
];

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(most).unwrap_or(1)).unwrap_or(0)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// The most bytes that the process has had, of all tests here together, where the system says so.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

fn memory_is_small() {
    let most = most_memory().unwrap_or(0);
    assert!(most < 100 << 20, "{most} bytes");
}

/// Reads a text; one that is a module goes round. The text of all problems is made, too.
fn survives(text: &str) {
    if let Err(problems) = read(text) {
        assert!(!problems.is_empty() && !problems.to_string().is_empty());
    }
    if let Ok(module) = parse(text) {
        let printed = print(&module);
        assert_eq!(parse(&printed).as_ref(), Ok(&module), "{printed}");
    }
}

#[test]
fn soups_of_tokens_do_not_panic() {
    for seed in 0..SOUPS {
        let mut random = Random(seed);
        let mut text = String::new();
        // Half of them get behind the header, and half of those into a body.
        if seed % 2 == 0 {
            text += ".version 8.0\n.target sm_75\n";
        }
        if seed % 4 == 0 {
            text += ".entry kernel() { .reg .b32 %r<4>;\n";
        }
        for _ in 0..random.below(60) {
            text += random.pick(TOKENS);
            if random.below(3) > 0 {
                text += " ";
            }
        }
        survives(&text);
    }
    memory_is_small();
}

/// Files that nearly parse come further than soups.
#[test]
fn files_with_tokens_moved_do_not_panic() {
    let files = [include_str!("written/instructions.ptx"), include_str!("written/declarations.ptx")];
    for seed in 0..SOUPS / 50 {
        let mut random = Random(seed);
        let mut words: Vec<&str> =
            files[random.below(files.len())].split_inclusive([' ', '\t', '\n', ',', ';']).collect();
        for _ in 0..=random.below(3) {
            let (at, from) = (random.below(words.len()), random.below(words.len()));
            match random.below(4) {
                0 => drop(words.remove(at)),
                1 => words.swap(at, from),
                2 => words.insert(at, words[from]),
                _ => words[at] = random.pick(TOKENS),
            }
        }
        survives(&words.concat());
    }
    memory_is_small();
}

/// What grows with the text, and could grow faster.
#[test]
fn long_texts_of_one_kind_are_read_in_a_moment() {
    let module = |body: &str| format!(".version 8.0\n.target sm_75\n.entry kernel() {{ {body}\n ret; }}\n");
    let length = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
    for one in [
        "{", "}", "(", "[", "a", "9", "-", "!", ".b32 ", "@", "\"", "/*", ";", "add.s32 ", "ad ", "%r1|", "L:",
        "\u{f6}",
    ] {
        survives(&module(&one.repeat(length)));
        survives(&one.repeat(length));
        survives(&module(&format!("mov.b32 %r1, {};", one.repeat(length))));
        survives(&module(&format!("add{} %r1;", one.repeat(length))));
        survives(&module(&format!(".global .b32 a[2] = {};", one.repeat(length))));
    }
    memory_is_small();
}
