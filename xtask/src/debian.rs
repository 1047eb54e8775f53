//! Debian's packages: what is there, and what root can bring.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::command::{output, program, which};
use crate::say::{Done, Stop, step, took};

/// Whether packages can be installed here without asking anyone: Debian (or its kin), as root.
pub(crate) fn installs() -> bool {
    which("apt-get").is_some()
        && Path::new("/var/lib/dpkg/status").exists()
        && output(program("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Whether a package is installed.
pub(crate) fn has(package: &str) -> bool {
    output(program("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]))
        .is_ok_and(|status| status == "installed")
}

/// Installs those of the packages that are missing.
pub(crate) fn install(packages: &[&str], what_for: &str) -> Done {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !has(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    step(&format!("installing {} from Debian: {what_for}", missing.join(" ")));
    let begun = Instant::now();
    // The lists may be older than the archive, or not there at all.
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], missing.as_slice()].concat())?;
    took("installed", begun);
    Ok(())
}

/// Runs apt-get, after another one that is at work: not all of its locks can be waited for by its own option.
fn apt(words: &[&str]) -> Done {
    let begun = Instant::now();
    loop {
        let mut apt = program("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        apt.args(["-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"]).args(words);
        match output(&mut apt) {
            Err(Stop(why)) if why.contains("Could not get lock") && begun.elapsed() < Duration::from_secs(600) => {
                std::thread::sleep(Duration::from_secs(2));
            }
            done => return done.map(drop),
        }
    }
}
