//! See what a launch of [`simt`] did: pages, pictures, recordings.

mod page;
pub mod picture;
mod recorder;
pub mod recording;
mod run;
mod shell;
mod stepper;
mod trace;

pub use page::{Chapter, PAGE_LIMIT, overview, page};
pub use picture::{Picture, PictureError};
pub use recorder::Recorder;
pub use recording::{Recording, RecordingError};
pub use run::Run;
pub use shell::index;
pub use stepper::{stepper, stepper_with};
pub use trace::trace;
