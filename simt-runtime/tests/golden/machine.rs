//! The states of the machine: a policy that writes down what the policy inside it becomes, and tables made of that.

use simt_core::LaneMask;
use simt_core::code::{Code, JumpKind, Marker, Markers, Pc};
use simt_runtime::{
    Argument, BarrierMarker, Branch, DisableState, Figure, Gpu, Grid, Ipdom, Kernel, LaunchError, Observer, PathOrder,
    Report, StackEntry, Stops, Token, TokenKind, TokenStack, WarpChecking, WarpPolicy, WarpSplit, WarpStart, call,
};
use std::cell::RefCell;

/// What a policy shows of itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) active: LaneMask,
    /// Of each lane.
    disabled: Vec<Option<DisableState>>,
    /// The top last.
    pub(crate) stack: Vec<Slot>,
}

/// What a stack holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    Token(Token),
    Entry(StackEntry),
}

pub(crate) trait Inspect: WarpPolicy {
    fn inspected(&self) -> State;
}

impl<O: PathOrder> Inspect for TokenStack<O> {
    fn inspected(&self) -> State {
        State {
            active: self.current().map_or(LaneMask::EMPTY, |split| split.mask),
            disabled: (0..32).map(|lane| self.disabled(lane)).collect(),
            stack: self.tokens().iter().copied().map(Slot::Token).collect(),
        }
    }
}

impl<O: PathOrder> Inspect for Ipdom<O> {
    fn inspected(&self) -> State {
        State {
            active: self.current().map_or(LaneMask::EMPTY, |split| split.mask),
            disabled: Vec::new(),
            stack: self.entries().map(Slot::Entry).collect(),
        }
    }
}

/// An instruction that was executed, and the state after it. `None`: the warp was started.
pub(crate) type Step = (Option<Pc>, State);

#[derive(Default)]
struct Log {
    /// What was issued since the policy's last step.
    issued: Vec<Pc>,
    steps: Vec<Step>,
}

thread_local! {
    static LOG: RefCell<Log> = RefCell::default();
}

/// A policy that is written down. It does what the policy inside does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recorded<P>(P);

impl<P: Inspect> Recorded<P> {
    fn step<T>(&mut self, act: impl FnOnce(&mut P) -> T) -> T {
        let before = self.0.inspected();
        let result = act(&mut self.0);
        let after = self.0.inspected();
        LOG.with_borrow_mut(|log| {
            // Whether warps go round in circles is tried out on copies: nothing is issued then.
            let Some(last) = log.issued.pop() else { return };
            // The policy hears of the last instruction of a segment only: the others leave its state as it is.
            let earlier = std::mem::take(&mut log.issued).into_iter().map(|pc| (Some(pc), before.clone()));
            log.steps.extend(earlier);
            log.steps.push((Some(last), after));
        });
        result
    }
}

macro_rules! recorded {
    ($(#[$inline:meta] $event:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $step:expr;)*) => {
        impl<P: Inspect> WarpPolicy for Recorded<P> {
            const NAME: &'static str = P::NAME;
            const MARKERS: Markers = P::MARKERS;
            const STOPS: Stops = P::STOPS;
            const CHECKING: WarpChecking<Self> =
                WarpChecking::<Self>::GUARDED.with_tokens(|recorded| P::CHECKING.tokens(&recorded.0));

            fn start(start: WarpStart<'_>) -> Self {
                let policy = P::start(start);
                LOG.with_borrow_mut(|log| log.steps.push((None, policy.inspected())));
                Self(policy)
            }

            fn current(&self) -> Option<WarpSplit> {
                self.0.current()
            }

            fn splits(&self) -> Vec<WarpSplit> {
                self.0.splits()
            }

            fn figures(&self, tell: &mut dyn FnMut(Figure)) {
                self.0.figures(tell);
            }

            $(fn $event(&mut self, $($argument: $ty),*) $(-> $result)? {
                self.step(|policy| policy.$event($($argument),*))
            })*
        }
    };
}

simt_runtime::warp_policy_events!(recorded);

struct Issues;

impl Observer for Issues {
    fn issued(&mut self, at: Pc, instructions: u32, _mask: LaneMask) {
        LOG.with_borrow_mut(|log| log.issued.extend((at.0..at.0 + instructions.max(1)).map(Pc)));
    }
}

/// A run of one warp.
pub(crate) struct Run {
    threads: usize,
    /// Of each address, that of the line that it is from.
    names: Vec<Option<String>>,
    pub(crate) steps: Vec<Step>,
    pub(crate) result: Result<Report, LaunchError>,
}

/// Runs a text by one warp.
///
/// A line that begins with a label `n7:` or `n7_guard:` is named `7` or `7_guard` in tables; one without a label must not
/// change the state, and is not shown.
pub(crate) fn run<P: Inspect>(text: &str, width: usize, threads: usize, arguments: Vec<Argument<'_>>) -> Run {
    let code = Code::parse(text).unwrap_or_else(|error| panic!("{error}"));
    // Addresses must be those of the text.
    assert_eq!(code.for_markers(P::MARKERS).insts, code.insts, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let name = |line: &str| line.trim().strip_prefix('n')?.split_once(": ").map(|(name, _)| name.to_string());
    let names = code.spans.iter().map(|span| name(lines[span.line as usize - 1])).collect();
    let kernel = Kernel::from_code(code);
    LOG.take();
    let gpu = Gpu::<Recorded<P>>::default().with_warp_width(width);
    let result = gpu.launch_observed(Grid::new(1, threads), call(&kernel, arguments), &mut Issues);
    Run { threads, names, steps: LOG.take().steps, result }
}

/// How a source writes its states.
pub(crate) struct Style {
    /// Names of div, sync, brk, cont and call tokens.
    pub(crate) tokens: [&'static str; 5],
    /// The lane of each of the source's threads: which lane a thread is, is ours to choose.
    pub(crate) lanes: &'static [usize],
}

impl Run {
    fn name(&self, pc: Pc) -> &str {
        self.names[pc.index()].as_deref().unwrap_or_else(|| panic!("{pc} is in the table, but its line has no name"))
    }

    /// The rows (pc, α, δ, stack): the instruction that was executed, and the state after it.
    pub(crate) fn rows(&self, style: &Style) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut before: Option<&State> = None;
        for (pc, state) in &self.steps {
            let name = match *pc {
                None => "start",
                Some(pc) if self.names[pc.index()].is_some() => self.name(pc),
                Some(pc) => {
                    assert_eq!(before, Some(state), "{pc} changes the state, but its line has no name");
                    continue;
                }
            };
            rows.push(format!("{name} {}", self.state(state, style)));
            before = Some(state);
        }
        rows
    }

    /// Instructions that have names, and the lanes that executed them.
    pub(crate) fn issues(&self) -> impl Iterator<Item = (&str, LaneMask)> {
        self.steps.windows(2).filter_map(|steps| {
            let name = self.names[steps[1].0?.index()].as_deref()?;
            Some((name, steps[0].1.active))
        })
    }

    fn state(&self, state: &State, style: &Style) -> String {
        let digits = |mask: LaneMask| -> String {
            style.lanes.iter().map(|&lane| if mask.contains(lane) { '1' } else { '0' }).collect()
        };
        let disabled = |&lane: &usize| match state.disabled[lane] {
            // The report has padding lanes, as those that have ended; here they are no lanes of the warp.
            None if lane >= self.threads => 'x',
            None => '0',
            Some(DisableState::Break) => 'b',
            Some(DisableState::Continue) => 'c',
            Some(DisableState::Return) => 'r',
            Some(DisableState::Exit) => 'x',
        };
        let disabled: String = style.lanes.iter().filter(|_| !state.disabled.is_empty()).map(disabled).collect();
        let slot = |slot: &Slot| match *slot {
            Slot::Token(Token { kind, mask, pc }) => {
                let name = match kind {
                    TokenKind::Div => style.tokens[0],
                    TokenKind::Sync => style.tokens[1],
                    TokenKind::Break => style.tokens[2],
                    TokenKind::Continue => style.tokens[3],
                    TokenKind::Call => style.tokens[4],
                };
                format!("({name},{},{})", digits(mask), self.name(pc))
            }
            Slot::Entry(StackEntry { reconvergence, next, mask }) => {
                format!("({},{},{})", reconvergence.map_or("-", |pc| self.name(pc)), self.name(next), digits(mask))
            }
        };
        let mut stack: Vec<String> = state.stack.iter().map(slot).collect();
        // TACO'09 writes the top last, the others first.
        if matches!(state.stack.first(), Some(Slot::Token(_))) {
            stack.reverse();
        }
        let stack = if stack.is_empty() { "ε".into() } else { stack.join(" ") };
        format!("{} {disabled} {stack}", digits(state.active))
    }
}

/// The table, but for blanks.
pub(crate) fn lines(table: &str) -> Vec<String> {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    table.lines().map(line).filter(|line| !line.is_empty()).collect()
}

/// That the rows are those of the table.
#[track_caller]
pub(crate) fn check(run: &Run, style: &Style, table: &str) {
    let rows: Vec<String> = run.rows(style).iter().flat_map(|row| lines(row)).collect();
    let expected = lines(table);
    assert!(rows == expected, "the machine:\n{}\nthe table:\n{}", rows.join("\n"), expected.join("\n"));
}
