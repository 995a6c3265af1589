//! See what a launch of `simt` did: pages, pictures, recordings.
//!
#![doc = include_str!("../README.md")]

pub mod benches;
mod files;
mod left;
mod page;
pub mod picture;
mod recorder;
pub mod recording;
mod run;
mod shell;
mod stepper;
mod trace;

use files::write_whole;
pub use left::leave_pages;
use page::page_beside;
pub use page::{Chapter, PAGE_LIMIT, overview, page};
pub use picture::{Picture, PictureError};
pub use recorder::Recorder;
pub use recording::{Recording, RecordingError};
pub use run::Run;
pub use shell::index;
use stepper::stepper_beside;
pub use stepper::{stepper, stepper_with};
pub use trace::trace;
