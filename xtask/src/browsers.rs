//! Browsers and their W3C WebDriver servers: found, or installed from Debian, and started.
//!
//! Tests are clients of a driver (`tests/browser`); who installs, starts and ends it is here.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{cargo, program, run, target, which};
use crate::debian;
use crate::say::{Done, Stop, at, step, took};

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Chromium with chromedriver.
    Chromium,
    /// Firefox ESR with geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser with WebKitWebDriver.
    WebKit,
}

/// All of them; the first is the one that everything runs in.
pub(crate) const ENGINES: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

/// The geckodriver that is built where none is found.
const GECKODRIVER: &str = "0.37.1";

impl Engine {
    /// As it is written after `--browser`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// The engine of a name.
    pub(crate) fn named(name: &str) -> Done<Self> {
        ENGINES.into_iter().find(|engine| engine.name() == name).ok_or_else(|| {
            let names: Vec<_> = ENGINES.iter().map(|engine| engine.name()).collect();
            Stop(format!("no browser `{name}`: {}", names.join(", ")))
        })
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            // Debian's browsers come without fonts.
            Self::Chromium => &["chromium", "chromium-driver", "fonts-dejavu-core", "fonts-liberation"],
            Self::Firefox => &["firefox-esr", "fonts-dejavu-core", "fonts-liberation"],
            Self::WebKit => &["webkit2gtk-driver", "xvfb", "fonts-dejavu-core", "fonts-liberation"],
        }
    }

    /// Whether the programs are here, wherever they came from.
    fn is_here(self) -> bool {
        let any = |names: &[&str]| names.iter().any(|name| which(name).is_some());
        match self {
            // Where the driver was installed by hand it knows where its browser is.
            Self::Chromium => any(&["chromedriver"]) && (!debian::installs() || any(&["chromium", "google-chrome"])),
            Self::Firefox => any(&["firefox", "firefox-esr"]),
            Self::WebKit => any(&["WebKitWebDriver"]) && any(&["Xvfb"]),
        }
    }

    /// Installs what is missing, or says what is.
    fn install(self) -> Done {
        if !self.is_here() {
            if !debian::installs() {
                return Err(Stop(format!(
                    "no {} here: install it with its WebDriver (on Debian, as root: `apt-get install {}`)",
                    self.name(),
                    self.packages().join(" ")
                )));
            }
            debian::install(self.packages(), &format!("{} and its driver", self.name()))?;
        }
        Ok(())
    }

    /// Installs what is missing and starts as many drivers as browsers shall run at once: most drivers can do only one.
    pub(crate) fn start(self, count: usize) -> Done<Drivers> {
        self.install()?;
        let running = (1..=count).map(|number| self.start_one(number)).collect::<Done<Vec<_>>>()?;
        Ok(Drivers { engine: self, running })
    }

    fn start_one(self, number: usize) -> Done<Driver> {
        let port = free_port()?;
        let mut screen = None;
        let mut command = match self {
            Self::Chromium => {
                let mut command = program("chromedriver");
                command.arg(format!("--port={port}"));
                command
            }
            Self::Firefox => {
                let mut command = program(geckodriver()?);
                command.args(["--port", &port.to_string()]);
                command
            }
            Self::WebKit => {
                let shown = Screen::open()?;
                let mut command = program("WebKitWebDriver");
                command.arg(format!("--port={port}")).env("DISPLAY", &shown.display);
                // The page's process asks for a desktop that is not there, and for a sandbox that root does not get.
                command.env("GDK_BACKEND", "x11").env("NO_AT_BRIDGE", "1").env("GSETTINGS_BACKEND", "memory");
                command.env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1").env("LIBGL_ALWAYS_SOFTWARE", "1");
                screen = Some(shown);
                command
            }
        };
        let log = target().join(format!("{}-driver-{number}.log", self.name()));
        let sink = std::fs::File::create(&log).map_err(at("write", &log))?;
        let errors = sink.try_clone().map_err(at("write", &log))?;
        command.stdin(Stdio::null()).stdout(sink).stderr(errors);
        let child = spawn(&mut command)?;
        let mut driver =
            Driver { engine: self, address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), child, _screen: screen };
        driver.wait_until_ready().map_err(|Stop(why)| Stop(format!("{why}; see {}", log.display())))?;
        Ok(driver)
    }
}

/// Running WebDriver servers; dropping them ends them.
pub(crate) struct Drivers {
    engine: Engine,
    running: Vec<Driver>,
}

impl Drivers {
    /// Tells a test program which browser it drives and where; it runs as many tests at once as there are drivers.
    pub(crate) fn tell(&self, command: &mut Command) {
        let addresses: Vec<_> = self.running.iter().map(|driver| driver.address.to_string()).collect();
        command.env("COUNTERSIGN_BROWSER", self.engine.name());
        command.env("COUNTERSIGN_DRIVERS", addresses.join(" "));
        command.env("RUST_TEST_THREADS", addresses.len().to_string());
    }
}

struct Driver {
    engine: Engine,
    address: SocketAddr,
    child: Child,
    _screen: Option<Screen>,
}

impl Driver {
    fn wait_until_ready(&mut self) -> Done {
        let begun = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(Stop(format!("the driver of {} ended at once ({status})", self.engine.name())));
            }
            if self.status().is_ok_and(|answer| answer.contains("200 OK")) {
                return Ok(());
            }
            if begun.elapsed() > Duration::from_secs(30) {
                return Err(Stop(format!("the driver of {} does not answer", self.engine.name())));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn status(&self) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(stream, "GET /status HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
        let mut start = [0; 64];
        let length = stream.read(&mut start)?;
        Ok(String::from_utf8_lossy(start.get(..length).unwrap_or_default()).into_owned())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A screen that nobody looks at, for a browser that has no headless mode.
struct Screen {
    display: String,
    child: Child,
}

impl Screen {
    fn open() -> Done<Self> {
        let mut command = program("Xvfb");
        // It chooses a free display and says which.
        command.args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]);
        let mut child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let mut number = String::new();
        if let Some(output) = child.stdout.take() {
            let _ = BufReader::new(output).read_line(&mut number);
        }
        let screen = Self { display: format!(":{}", number.trim()), child };
        if screen.display == ":" { Err("Xvfb did not open a display".into()) } else { Ok(screen) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(command: &mut Command) -> Done<Child> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| Stop(format!("cannot start {name}: {error}")))
}

fn free_port() -> Done<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| Stop(format!("no free port: {error}")))
}

/// Firefox's driver: from the PATH, or built from crates.io, as Debian has none.
fn geckodriver() -> Done<PathBuf> {
    if let Some(path) = which("geckodriver") {
        return Ok(path);
    }
    let tools = target().join("tools");
    let built = tools.join("bin").join(format!("geckodriver{}", std::env::consts::EXE_SUFFIX));
    if !built.exists() {
        step("building geckodriver from crates.io (once, one to two minutes)");
        let begun = Instant::now();
        run(cargo()
            .args(["install", "--quiet", "--locked", "--version", GECKODRIVER, "geckodriver", "--root"])
            .arg(&tools))?;
        took("built", begun);
    }
    Ok(built)
}
