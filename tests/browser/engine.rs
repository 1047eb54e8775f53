//! The browser engines, and how each is opened for tests.

use serde_json::{Map, Value, json};

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

/// The engine of this run, as `cargo xtask test` chose it.
pub fn engine() -> Engine {
    match std::env::var("COUNTERSIGN_BROWSER").as_deref() {
        Ok("chromium") => Engine::Chromium,
        Ok("firefox") => Engine::Firefox,
        Ok("webkit") => Engine::WebKit,
        _ => panic!(
            "no browser is running: use `cargo xtask test --browser chromium` (a part of a test's name may follow `--`)"
        ),
    }
}

/// What a new session asks of the driver.
pub fn capabilities(engine: Engine) -> Value {
    match engine {
        Engine::Chromium => {
            let mut arguments = vec![
                "--headless",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--force-color-profile=srgb",
            ];
            if is_root() {
                arguments.push("--no-sandbox");
            }
            json!({
                "browserName": "chrome",
                "goog:chromeOptions": { "args": arguments },
                "goog:loggingPrefs": { "browser": "ALL" },
            })
        }
        Engine::Firefox => json!({
            "browserName": "firefox",
            "moz:firefoxOptions": { "args": ["-headless"], "prefs": { "app.update.enabled": false, "browser.shell.checkDefaultBrowser": false } },
        }),
        Engine::WebKit => {
            // MiniBrowser lies beside WebKit's library, which differs by machine.
            let browsers = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/libexec"];
            let places = browsers.iter().flat_map(|folder| {
                ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"].map(|name| format!("{folder}/{name}/MiniBrowser"))
            });
            let mut options = Map::from_iter([("args".to_owned(), json!(["--automation"]))]);
            if let Some(binary) = places.into_iter().find(|path| std::path::Path::new(path).exists()) {
                options.insert("binary".to_owned(), json!(binary));
            }
            json!({ "webkitgtk:browserOptions": options })
        }
    }
}

fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|this| this.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}
