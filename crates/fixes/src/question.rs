//! What is asked of the advisor.

use lanescope_frontend::{Blocks, Budget, NamedLaunch};
use lanescope_model::Device;

use crate::{Reader, Registers, Source};

/// The most threads of the blocks that are run for a comparison (at least one block runs).
const COMPARED_THREADS: u64 = 4_096;

/// The most requests that a run for a comparison makes (at least one block runs).
const COMPARED_REQUESTS: u64 = 32_768;

/// What is to be fixed, for which device.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The source.
    pub source: &'a Source,
    /// Reads it, and what it is changed to.
    pub reader: &'a dyn Reader,
    /// How it is launched.
    pub launch: NamedLaunch,
    /// The device whose counts are to fall.
    pub device: &'a Device,
    /// What each single run may cost.
    pub budget: Budget,
    /// Registers, if known.
    pub registers: Option<Registers>,
}

impl Question<'_> {
    /// The launch cut down to as many blocks as a comparison needs.
    pub(crate) fn compared(&self) -> NamedLaunch {
        let mut launch = self.launch.clone();
        if launch.blocks == Blocks::All {
            let most = (COMPARED_THREADS / launch.block_threads().max(1)).max(1);
            if launch.grid_blocks() > most {
                launch.blocks = Blocks::First(most);
            }
        }
        launch
    }

    /// The launch cut down further where each of its blocks makes so many requests.
    pub(crate) fn cut(&self, mut launch: NamedLaunch, block_requests: u64) -> NamedLaunch {
        let most = (COMPARED_REQUESTS / block_requests.max(1)).max(1);
        let count = match launch.blocks {
            Blocks::All if self.launch.blocks == Blocks::All => launch.grid_blocks(),
            Blocks::First(count) if self.launch.blocks == Blocks::All => count,
            _ => return launch,
        };
        if count > most {
            launch.blocks = Blocks::First(most);
        }
        launch
    }
}
