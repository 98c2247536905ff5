//! Two warps on one word of shared memory with no barrier between.

/// One touch of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touch {
    /// Thread in its block.
    pub(super) thread: u32,
    pub(super) warp: u32,
    pub(super) site: u32,
    /// Which of the word's four bytes.
    pub(super) bytes: u8,
    pub(super) atomic: bool,
}

/// The latest touches of a word since a barrier.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    epoch: u32,
    write: Touch,
    /// Reads of two different warps; more would tell no more.
    reads: [Touch; 2],
}

/// Watches the shared memory of one block.
#[derive(Debug, Default)]
pub(super) struct Watch {
    words: Vec<Word>,
    epoch: u32,
}

impl Watch {
    pub(super) fn new(shared_bytes: usize) -> Self {
        Self {
            words: vec![Word::default(); shared_bytes.div_ceil(4)],
            epoch: 0,
        }
    }

    pub(super) fn barrier(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
    }

    /// Notes a touch of the word at `word`; an earlier one that it races with is returned, with
    /// whether that wrote.
    pub(super) fn touch(
        &mut self,
        word: usize,
        touch: Touch,
        writes: bool,
    ) -> Option<(Touch, bool)> {
        let epoch = self.epoch;
        let entry = self.words.get_mut(word)?;
        if entry.epoch != epoch + 1 {
            *entry = Word {
                epoch: epoch + 1,
                ..Word::default()
            };
        }
        let meets = |other: &Touch| {
            other.bytes & touch.bytes != 0
                && other.warp != touch.warp
                && !(other.atomic && touch.atomic)
        };
        let found = if meets(&entry.write) {
            Some((entry.write, true))
        } else if writes {
            entry
                .reads
                .iter()
                .find(|other| meets(other))
                .map(|other| (*other, false))
        } else {
            None
        };
        if writes {
            entry.write = Touch {
                bytes: touch.bytes
                    | if entry.write.warp == touch.warp {
                        entry.write.bytes
                    } else {
                        0
                    },
                ..touch
            };
        } else {
            note_read(&mut entry.reads, touch);
        }
        found
    }
}

fn note_read(reads: &mut [Touch; 2], touch: Touch) {
    for read in reads {
        if read.bytes == 0 {
            *read = touch;
            return;
        }
        if read.warp == touch.warp {
            read.bytes |= touch.bytes;
            return;
        }
    }
}
