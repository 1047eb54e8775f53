//! Checking what a store answers, before anything is built on it.
//!
//! Shapes are checked where they come in; here it is their meaning: the document that was asked for, in this space, by the
//! rules of versions. A store that breaks them is at fault, not the caller: the error names the method and harms nothing.

use super::store::{Commit, History, List, Listed, Read, StoreError, StoreReason, StoreResult, Versions};
use super::{Snapshot, VersionInfo, time};

/// The store is at fault.
pub(super) fn fault(method: &str, what: &str) -> StoreError {
    StoreError::Refused(StoreReason::Unavailable, format!("The store's `{method}` {what}. Tell whoever runs it."))
}

fn info(method: &str, info: &VersionInfo, space: Option<&String>) -> StoreResult<()> {
    if space.is_some_and(|space| *space != info.space) {
        return Err(fault(method, "answered with a document of another space"));
    }
    if info.version == 0 {
        return Err(fault(method, "answered with a version 0"));
    }
    if !time::is_time(&info.at) {
        return Err(fault(method, "answered with a time that is not RFC 3339 in UTC"));
    }
    Ok(())
}

pub(super) fn snapshot(found: &Snapshot, asked: &Read) -> StoreResult<()> {
    info("read", &found.info, asked.space.as_ref())?;
    if found.info.document != asked.document {
        return Err(fault("read", "answered with another document"));
    }
    if asked.version.is_some_and(|version| version != found.info.version) {
        return Err(fault("read", "answered with another version"));
    }
    if found.info.bytes != found.text.len() {
        // The text is not the one that was written: no save may start from it.
        let message = format!("Version {} cannot be read: its text has changed in the store.", found.info.version);
        return Err(StoreError::Refused(StoreReason::Corrupt, message));
    }
    Ok(())
}

pub(super) fn versions(found: &Versions, asked: &History) -> StoreResult<()> {
    if found.versions.len() > asked.limit {
        return Err(fault("history", "answered with more than was asked for"));
    }
    let mut expected = asked.before.map(|before| before.saturating_sub(1));
    for version in &found.versions {
        info("history", version, asked.space.as_ref())?;
        if version.document != asked.document {
            return Err(fault("history", "answered with another document"));
        }
        // Dense and newest first; what is asked for may lie beyond the newest.
        let newest = expected.is_none() || std::ptr::eq(version, &found.versions[0]);
        let fits = match expected {
            Some(expected) if newest => version.version <= expected,
            Some(expected) => version.version == expected,
            None => true,
        };
        if !fits {
            return Err(fault("history", "answered with versions out of order"));
        }
        expected = Some(version.version - 1);
    }
    if found.more && (found.versions.is_empty() || expected == Some(0)) {
        return Err(fault("history", "promised versions that there cannot be"));
    }
    Ok(())
}

pub(super) fn listed(found: &Listed, asked: &List) -> StoreResult<()> {
    if found.documents.len() > asked.limit {
        return Err(fault("list", "answered with more than was asked for"));
    }
    for head in &found.documents {
        info("list", head, asked.space.as_ref())?;
        if head.is_deleted() {
            return Err(fault("list", "answered with a deleted document"));
        }
    }
    Ok(())
}

pub(super) fn committed(found: &VersionInfo, asked: &Commit) -> StoreResult<()> {
    info("commit", found, Some(&asked.snapshot.info.space))?;
    if found.key != asked.snapshot.info.key {
        return Err(fault("commit", "answered with another write"));
    }
    Ok(())
}
