//! A Chromium, by the driver that Debian has beside it.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tokio::runtime::{Builder, Runtime};
use url::{ParseError, Url};

/// How a page is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// On light paper, in a wide window.
    Light,
    /// In the dark.
    Dark,
    /// In a window of 400 pixels, as on a phone.
    Narrow,
    /// As it is printed, on paper as wide as A4.
    Print,
}

impl Look {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Light, Self::Dark, Self::Narrow, Self::Print];
}

/// A browser with one window. It ends with its driver, when this is dropped.
pub struct Chromium {
    runtime: Runtime,
    client: Client,
    driver: Child,
}

/// A command of this driver that other browsers have not.
#[derive(Debug)]
struct Special {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Special {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

impl Chromium {
    /// Starts one.
    ///
    /// # Panics
    /// If there is none.
    pub fn start() -> Self {
        let missing = "simt-view/tests/browser/install.sh installs Chromium and its driver";
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver: {error}; {missing}"));
        let said = BufReader::new(driver.stdout.take().expect("it is piped"));
        let port = said
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok())
            .unwrap_or_else(|| panic!("the driver does not say its port"));
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let options = json!({
            "goog:chromeOptions": {
                // The sandbox of root's processes would need rights that containers have not; the pages are our own files.
                "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
            },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(options.as_object().cloned().unwrap_or_default());
        let client = runtime
            .block_on(builder.connect(&format!("http://127.0.0.1:{port}")))
            .unwrap_or_else(|error| panic!("Chromium does not start: {error}; {missing}"));
        Self { runtime, client, driver }
    }

    /// Opens a file, at a place in it: `""` or `#step=3`.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub fn open(&self, file: &Path, place: &str) {
        let url = format!("{}{place}", Url::from_file_path(file).expect("the path is absolute"));
        // From page to page of one file only the place would change.
        self.wait(self.client.goto("about:blank"));
        self.wait(self.client.goto(&url));
    }

    /// Looks at the page in a way.
    pub fn look(&self, look: Look) {
        let width = match look {
            Look::Light | Look::Dark => 1280,
            Look::Narrow => 400,
            Look::Print => 720,
        };
        self.resize(width, 900);
        let scheme = if look == Look::Dark { "dark" } else { "light" };
        let media = if look == Look::Print { "print" } else { "" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.command("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    }

    /// Sets the size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// What the body of a function in the page returns.
    ///
    /// # Panics
    /// If it throws.
    pub fn run(&self, script: &str) -> Value {
        self.wait(self.client.execute(script, Vec::new()))
    }

    /// The same, of one that passes what it has to the last of its arguments, later.
    ///
    /// # Panics
    /// If it throws.
    pub fn run_later(&self, script: &str) -> Value {
        self.wait(self.client.execute_async(script, Vec::new()))
    }

    /// A text that the page has.
    ///
    /// # Panics
    /// If there is no such element.
    pub fn text(&self, selector: &str) -> String {
        let text = self.run(&format!("return document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap_or_default().to_string()
    }

    /// Presses a key: a character, or one of `fantoccini::key`.
    ///
    /// # Panics
    /// If the browser has gone.
    pub fn press(&self, key: char) {
        let down =
            KeyActions::new("keys".into()).then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        self.wait(self.client.perform_actions(down));
    }

    /// Types into what has the focus.
    pub fn type_text(&self, text: &str) {
        text.chars().for_each(|key| self.press(key));
    }

    /// Clicks, in the middle of an element.
    ///
    /// # Panics
    /// If it cannot be clicked.
    pub fn click(&self, selector: &str) {
        let element = self.wait(self.client.find(fantoccini::Locator::Css(selector)));
        self.wait(element.click());
    }

    /// Chooses what a list has, by its text.
    ///
    /// # Panics
    /// If the list has no such entry.
    pub fn choose(&self, selector: &str, entry: &str) {
        let element = self.wait(self.client.find(fantoccini::Locator::Css(selector)));
        self.wait(element.select_by_label(entry));
    }

    /// Sends a command of Chromium's own protocol.
    ///
    /// # Panics
    /// If it is refused.
    pub fn command(&self, name: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.wait(self.client.issue_cmd(Special { path: "goog/cdp/execute", body }))
    }

    /// What the console has got since it was asked last: errors, warnings, and all that a page writes there.
    ///
    /// # Panics
    /// If the browser has gone.
    pub fn console(&self) -> Vec<String> {
        let log = self.wait(self.client.issue_cmd(Special { path: "se/log", body: json!({ "type": "browser" }) }));
        let text = |entry: &Value| format!("{} {}", entry["level"], entry["message"]);
        log.as_array().expect("the log is a list").iter().map(text).collect()
    }

    /// A picture of the window, as WebP, which takes a third of what PNG does.
    ///
    /// # Panics
    /// If there is none.
    pub fn picture(&self) -> Vec<u8> {
        let picture = self.command("Page.captureScreenshot", json!({ "format": "webp", "quality": 85 }));
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap_or_default()).expect("pictures come as base64")
    }

    fn wait<T, E: std::fmt::Display>(&self, what: impl Future<Output = Result<T, E>>) -> T {
        self.runtime.block_on(what).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The browser ends with its session. What fails here has ended already.
        let _ = self.runtime.block_on(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
