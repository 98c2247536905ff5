//! Race detection on shared memory: two warps on one word, one of them writing, with no barrier between.

use lanescope_ir::SiteId;

/// One touch of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Touch {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) site: SiteId,
    /// Which of the word's four bytes; none: no touch.
    pub(crate) bytes: u8,
    pub(crate) atomic: bool,
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
pub(crate) struct Races {
    words: Vec<Word>,
    epoch: u32,
}

/// Bytes of shared memory that are watched at most.
const MOST_WORDS: usize = 1 << 16;

impl Races {
    /// Begins a block, or what follows a barrier.
    pub(crate) fn next_epoch(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
    }

    /// Notes a touch of the word at `word`; returned are an earlier one that it races with, and whether that wrote.
    pub(crate) fn touch(
        &mut self,
        word: usize,
        touch: Touch,
        writes: bool,
    ) -> Option<(Touch, bool)> {
        if word >= self.words.len() {
            if word >= MOST_WORDS {
                return None;
            }
            self.words.resize(word + 1, Word::default());
        }
        let epoch = self.epoch.wrapping_add(1);
        let entry = self.words.get_mut(word)?;
        if entry.epoch != epoch {
            *entry = Word {
                epoch,
                ..Word::default()
            };
        }
        let found = meeting(entry, touch, writes);
        if writes {
            note_write(&mut entry.write, touch);
        } else {
            note_read(&mut entry.reads, touch);
        }
        found
    }
}

fn meeting(word: &Word, touch: Touch, writes: bool) -> Option<(Touch, bool)> {
    let meets = |other: &Touch| {
        other.bytes & touch.bytes != 0
            && other.warp != touch.warp
            && !(other.atomic && touch.atomic)
    };
    if meets(&word.write) {
        return Some((word.write, true));
    }
    let read = word.reads.iter().find(|other| writes && meets(other))?;
    Some((*read, false))
}

fn note_write(write: &mut Touch, touch: Touch) {
    let before = if write.warp == touch.warp {
        write.bytes
    } else {
        0
    };
    *write = Touch {
        bytes: touch.bytes | before,
        ..touch
    };
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
