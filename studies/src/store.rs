//! Results that are known, a file for each: a study that was cut off goes on where it was.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fnv::fnv;

/// The folder of results that are known.
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    /// # Errors
    /// If the folder cannot be made.
    pub(crate) fn new(folder: &Path) -> Result<Self, String> {
        let say = |error: io::Error| {
            format!("{}: cannot be created: {error}; name another folder by --output", folder.display())
        };
        fs::create_dir_all(folder).map_err(say)?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// The result of a description: as it is known, else by `make`, which is then kept.
    pub(crate) fn get<T: Serialize + DeserializeOwned>(
        &self,
        description: &str,
        make: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let path = self.path(description);
        if let Some(known) = fs::read_to_string(&path).ok().and_then(|text| whole(description, &text)) {
            return Ok(known);
        }
        let made = make()?;
        let say = |error: &dyn std::error::Error| format!("{}: cannot be written: {error}", path.display());
        let json = serde_json::to_string(&made).map_err(|error| say(&error))?;
        let text = format!("{}\n{json}", fnv([description, &json].concat().as_bytes()));
        // A result that is written half is none. Others may write the same one at the same time.
        let half = path.with_extension(format!("half-{}", std::process::id()));
        fs::write(&half, text).and_then(|()| fs::rename(&half, &path)).map_err(|error| {
            // The failure itself is what is told.
            let _ = fs::remove_file(&half);
            say(&error)
        })?;
        Ok(made)
    }

    fn path(&self, description: &str) -> PathBuf {
        // The sources of the engine and of the programs are part of what is hashed.
        let hash = fnv([env!("STUDIES_SOURCES"), description].concat().as_bytes());
        self.folder.join(format!("{hash}.json"))
    }
}

/// What is kept in a file, if it is as it was written for this description: a line with the hash of both stands above it.
fn whole<T: DeserializeOwned>(description: &str, text: &str) -> Option<T> {
    let (hash, json) = text.split_once('\n')?;
    (hash == fnv([description, json].concat().as_bytes())).then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_made_again() {
        let folder = std::env::temp_dir().join(format!("simt-studies-{}", std::process::id()));
        let store = Store::new(&folder).unwrap();
        assert_eq!(store.get("a", || Ok(7)), Ok(7));
        assert_eq!(store.get("a", || Err("made again".into())), Ok(7));
        assert_eq!(store.get::<u32>("b", || Err("not known".into())), Err("not known".into()));
        // A result that cannot be read, or is not what was written, is made anew.
        let written = fs::read_to_string(store.path("a")).unwrap();
        assert_eq!(store.get("c", || Ok(6)), Ok(6));
        let other = fs::read_to_string(store.path("c")).unwrap();
        let spoiled = ["{".into(), written.replace("\n7", "\n9"), "9".into(), other];
        for (spoiled, made) in spoiled.into_iter().zip(8..) {
            fs::write(store.path("a"), spoiled).unwrap();
            assert_eq!(store.get("a", || Ok(made)), Ok(made));
        }
        // What stands in its place is named, and nothing is left beside it.
        fs::create_dir(store.path("d")).unwrap();
        assert!(store.get("d", || Ok(1)).unwrap_err().contains("cannot be written"));
        assert!(!fs::read_dir(&folder).unwrap().any(|file| file.unwrap().path().to_string_lossy().contains("half")));
        fs::remove_dir_all(folder).unwrap();
    }
}
