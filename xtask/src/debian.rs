//! Debian's packages: what is there, and what root can bring.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use crate::command::{output, program, which};
use crate::say::{Done, step, took};

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
    // Another apt may be at work; the lists may be older than the archive, or not there at all.
    let apt = || {
        let mut apt = program("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        apt.args(["-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"]);
        apt
    };
    output(apt().arg("update"))?;
    output(apt().args(["install", "-y", "--no-install-recommends"]).args(missing))?;
    took("installed", begun);
    Ok(())
}
