//! Closures: by name, and as arguments of device functions.
//!
//! A closure of a kernel's is one of the host's, which builds its body wherever it is called, of a tuple with the arguments'
//! names; without, it tells where it stands. What it captures are the handles of the names around it. In a device function that it is passed to, these may be variables of the caller's: see `captures`.

use super::arena::Operand;
use super::function::{Definition, OnlyKernelsCallThis};
use super::{Builder, Composite, Let, Value, places};
use crate::source::{Source, Span};
use std::any::TypeId;
use std::borrow::Cow;
use std::rc::Rc;

/// Where a closure stands: its number. Each time that the place is built there is another one, as what it captures is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin(u32);

/// The text in which a closure stands.
#[derive(Debug)]
pub(super) struct Definer {
    spans: Rc<[Span]>,
    source: Source,
    /// The function that is passed as a closure, if it is one.
    function: Option<TypeId>,
}

/// The places that hold again behind a closure's body.
#[derive(Debug)]
pub struct Entered(Option<Rc<[Span]>>);

/// A call of a function whose result may be left unused. That of a `#[must_use]` function has a method of this name itself.
pub trait MayBeUnused {
    /// Nothing that must be used.
    fn __unused(&self) {}
}

#[diagnostic::do_not_recommend]
impl<C> MayBeUnused for C {}

/// What a method of numbers returns, where nothing uses it.
#[must_use = "this returns the result of the operation, without modifying the original"]
#[derive(Debug)]
pub struct ReturnValue;

/// Begins a call, of which rustc knows the type.
pub trait Begins<'k> {
    /// The call, which takes the arguments.
    type Call;
    /// Begins it.
    fn begin(&self, call: OnlyKernelsCallThis<'k>) -> Self::Call;
}

impl<'k, F, C> Begins<'k> for F
where
    F: Fn(OnlyKernelsCallThis<'k>) -> C,
{
    type Call = C;

    fn begin(&self, call: OnlyKernelsCallThis<'k>) -> C {
        self(call)
    }
}

/// A call of a device function that takes a tuple with its arguments' names: functions whose parameters a closure can have.
#[diagnostic::on_unimplemented(
    message = "this device function cannot be passed as a closure here",
    label = "takes other arguments, or has another result",
    note = "a function of values, slices and references is passed by its name; of another write a closure, `|x| f(x)`"
)]
pub trait CallWith<A, R> {
    /// Takes the arguments, and makes the call.
    fn call_with(self, arguments: A) -> Value<R>;
}

impl OnlyKernelsCallThis<'_> {
    /// Passes a closure, which is part of what the function is made of.
    #[inline(never)]
    pub fn closure<A, R>(&mut self, closure: impl Fn(Option<A>, &Builder) -> Let<R>) {
        closure(None, self.k);
        self.closures.push(self.k.state.borrow().told);
    }
}

/// What a closure gives: a value, or an iterator.
pub trait Told {
    /// What stands in its place.
    fn told(k: &Builder) -> Self;
}

impl<R> Told for Let<R> {
    fn told(k: &Builder) -> Self {
        Self::new(k, Operand::Never)
    }
}

impl Builder {
    /// Where the next closure stands.
    #[inline(never)]
    pub fn origin(&self) -> Origin {
        self.defined(None)
    }

    /// Tells where a closure stands, in place of its value.
    #[inline(never)]
    pub fn tell<R: Told>(&self, origin: Origin) -> R {
        self.state.borrow_mut().told = origin;
        R::told(self)
    }

    /// Where the closures of a function's body stand that is built in a call's place.
    pub(super) fn defined_by(&self, definition: &Definition) -> Origin {
        let mut state = self.state.borrow_mut();
        let source = definition.function(&state.program).source;
        state.definers.push(Definer { spans: places(definition.spans), source, function: None });
        Origin(state.definers.len() as u32 - 1)
    }

    fn defined(&self, function: Option<TypeId>) -> Origin {
        let mut state = self.state.borrow_mut();
        let is_it = |definer: &Definer| function.is_some() && definer.function == function;
        if let Some(known) = state.definers.iter().position(is_it) {
            return Origin(known as u32);
        }
        let source = match state.function {
            Some(id) => state.program.functions[id.0 as usize].source.clone(),
            None => state.program.source.clone(),
        };
        state.definers.push(Definer { spans: self.spans.borrow().clone(), source, function });
        Origin(state.definers.len() as u32 - 1)
    }

    /// A device function that is passed by its name, as a closure.
    #[inline(never)]
    pub fn named_function<F, A, R>(
        &self,
        at: u32,
        function: F,
    ) -> impl Fn(Option<A>, &Self) -> Let<R> + Copy + use<F, A, R>
    where
        F: for<'k> Begins<'k> + Copy + 'static,
        for<'k> <F as Begins<'k>>::Call: CallWith<A, R>,
        R: Composite,
    {
        let origin = self.defined(Some(TypeId::of::<F>()));
        move |arguments: Option<A>, k: &Self| {
            let Some(arguments) = arguments else { return k.tell(origin) };
            let entered = k.enter(origin);
            let call = function.begin(OnlyKernelsCallThis::new(k, k.span(at)));
            let value = k.keep(at, call.call_with(arguments));
            k.leave(entered);
            value
        }
    }

    /// `()`, the value of a closure that has none.
    #[inline(never)]
    pub fn no_value(&self, at: u32) -> Let<()> {
        self.keep::<()>(at, self.unit())
    }

    /// The builder, for the call of a closure that stands here.
    #[inline(never)]
    pub fn calls(&self, at: u32) -> &Self {
        let span = self.span(at);
        self.state.borrow_mut().calls = span;
        self
    }

    /// Begins a closure's body: its places are those of the text that it stands in. Where that is of another file, they are
    /// the place of the call.
    #[inline(never)]
    pub fn enter(&self, origin: Origin) -> Entered {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Definer { spans, source, .. } = &state.definers[origin.0 as usize];
        if Rc::ptr_eq(spans, &self.spans.borrow()) {
            return Entered(None);
        }
        let here = match state.function {
            Some(id) => &mut state.program.functions[id.0 as usize].source,
            None => &mut state.program.source,
        };
        let spans = match here.file == source.file {
            true => {
                join(here, source);
                spans.clone()
            }
            false => spans.iter().map(|_| state.calls).collect(),
        };
        Entered(Some(self.spans.replace(spans)))
    }

    /// Ends a closure's body.
    pub fn leave(&self, entered: Entered) {
        if let Entered(Some(spans)) = entered {
            self.spans.replace(spans);
        }
    }
}

/// Adds the lines of another piece of the file to a text; those between the two are empty.
fn join(text: &mut Source, other: &Source) {
    let count = |source: &Source| source.text.lines().count() as u32;
    let end = |source: &Source| source.first_line + count(source);
    if text.first_line <= other.first_line && end(other) <= end(text) && other.line(other.first_line).is_some() {
        let known = (other.first_line..end(other)).all(|line| text.line(line) == other.line(line));
        if known {
            return;
        }
    }
    let lines: Vec<&str> = (text.first_line.min(other.first_line)..end(text).max(end(other)))
        .map(|line| {
            let own = text.line(line).filter(|own| !own.is_empty());
            own.or_else(|| other.line(line)).unwrap_or_default()
        })
        .collect();
    let joined = lines.join("\n");
    text.first_line = text.first_line.min(other.first_line);
    text.text = Cow::Owned(joined);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_file_are_joined() {
        let piece = |first_line, text: &'static str| Source { file: "a.rs".into(), first_line, text: text.into() };
        let mut text = piece(7, "seven\neight");
        join(&mut text, &piece(3, "three\nfour"));
        assert_eq!((text.first_line, &*text.text), (3, "three\nfour\n\n\nseven\neight"));
        let before = text.clone();
        join(&mut text, &piece(7, "seven"));
        assert_eq!(text, before);
        join(&mut text, &piece(9, "nine"));
        assert_eq!(text.line(9), Some("nine"));
    }
}
