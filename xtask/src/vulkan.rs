//! A Vulkan driver for the lab's native tests; one that runs on the processor will do.

use std::path::Path;

use anyhow::Result;

use crate::debian;

/// Where drivers are registered.
const DRIVERS: [&str; 3] = [
    "/usr/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
];

/// Whether there is a driver; on Debian one is installed when there is none and this user may.
///
/// # Errors
/// When the installation fails.
pub(crate) fn ensure() -> Result<bool> {
    if is_there() {
        return Ok(true);
    }
    Ok(debian::install("mesa-vulkan-drivers")? && is_there())
}

fn is_there() -> bool {
    DRIVERS.iter().any(|folder| {
        Path::new(folder)
            .read_dir()
            .is_ok_and(|mut files| files.next().is_some())
    })
}
