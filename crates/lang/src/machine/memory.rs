//! What memory holds, as far as an address or a branch needs it.

use crate::launch::Contents;
use crate::place::{LOCAL_BASE, Region, SHARED_BASE, region};
use crate::scalar::Scalar;
use std::collections::HashMap;

/// What a buffer of global memory holds before the launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Initial {
    pub(super) contents: Contents,
    pub(super) base: i64,
    pub(super) element_bytes: u64,
    pub(super) is_float: bool,
}

/// The memories that a warp sees.
#[derive(Debug, Default)]
pub(super) struct Memory {
    shared: Vec<u8>,
    local: Vec<u8>,
    local_bytes: usize,
    global: HashMap<i64, [u8; 8]>,
    pub(super) initial: Vec<Initial>,
    /// Bytes that `global` takes, about.
    pub(super) bytes: u64,
}

impl Memory {
    pub(super) fn new(
        shared_bytes: usize,
        local_bytes: usize,
        threads: usize,
        initial: Vec<Initial>,
    ) -> Self {
        let local = vec![0; local_bytes * threads];
        let bytes = (shared_bytes + local.len()) as u64;
        Self {
            shared: vec![0; shared_bytes],
            local,
            local_bytes,
            global: HashMap::new(),
            initial,
            bytes,
        }
    }

    /// A new block begins: what it has of its own holds zeros.
    pub(super) fn new_block(&mut self) {
        self.shared.fill(0);
        self.local.fill(0);
    }

    pub(super) fn read(&self, address: i64, thread: usize, scalar: Scalar) -> i64 {
        let bytes = usize::try_from(scalar.bytes()).unwrap_or(8);
        let mut raw = [0; 8];
        match region(address) {
            Region::Shared => copy_out(&self.shared, address - SHARED_BASE, &mut raw[..bytes]),
            Region::Local => copy_out(
                self.local_of(thread),
                address - LOCAL_BASE,
                &mut raw[..bytes],
            ),
            Region::Global(id) => self.read_global(address, id.0, &mut raw[..bytes]),
            Region::Nowhere => {}
        }
        decoded(scalar, raw)
    }

    pub(super) fn write(&mut self, address: i64, thread: usize, scalar: Scalar, value: i64) {
        let bytes = usize::try_from(scalar.bytes()).unwrap_or(8);
        let raw = encoded(scalar, value);
        match region(address) {
            Region::Shared => copy_in(&mut self.shared, address - SHARED_BASE, &raw[..bytes]),
            Region::Local => {
                let (start, end) = (thread * self.local_bytes, (thread + 1) * self.local_bytes);
                if let Some(own) = self.local.get_mut(start..end) {
                    copy_in(own, address - LOCAL_BASE, &raw[..bytes]);
                }
            }
            Region::Global(id) => self.write_global(address, id.0, &raw[..bytes]),
            Region::Nowhere => {}
        }
    }

    fn local_of(&self, thread: usize) -> &[u8] {
        self.local
            .get(thread * self.local_bytes..(thread + 1) * self.local_bytes)
            .unwrap_or(&[])
    }

    fn read_global(&self, address: i64, id: u32, out: &mut [u8]) {
        for (i, byte) in out.iter_mut().enumerate() {
            let at = address.wrapping_add(i.cast_signed() as i64);
            let word = self
                .global
                .get(&(at >> 3))
                .copied()
                .unwrap_or_else(|| self.first_word(at & !7, id));
            *byte = word[usize::try_from(at & 7).unwrap_or(0)];
        }
    }

    fn write_global(&mut self, address: i64, id: u32, raw: &[u8]) {
        for (i, byte) in raw.iter().enumerate() {
            let at = address.wrapping_add(i.cast_signed() as i64);
            let first = self.first_word(at & !7, id);
            let before = self.global.len();
            let word = self.global.entry(at >> 3).or_insert(first);
            word[usize::try_from(at & 7).unwrap_or(0)] = *byte;
            self.bytes += 32 * (self.global.len() - before) as u64;
        }
    }

    /// Eight bytes of a buffer as the launch found them.
    fn first_word(&self, at: i64, id: u32) -> [u8; 8] {
        let mut word = [0; 8];
        let Some(initial) = self.initial.get(id as usize) else {
            return word;
        };
        if initial.contents == Contents::Zero {
            return word;
        }
        for (i, byte) in word.iter_mut().enumerate() {
            let offset = at
                .wrapping_add(i.cast_signed() as i64)
                .wrapping_sub(initial.base);
            *byte = first_byte(initial, offset);
        }
        word
    }
}

/// Byte `offset` of a buffer that holds iota or random numbers.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "bytes are cut out of numbers on purpose"
)]
fn first_byte(initial: &Initial, offset: i64) -> u8 {
    let bytes = initial.element_bytes.clamp(1, 8).cast_signed();
    let (index, within) = (offset.div_euclid(bytes), offset.rem_euclid(bytes) * 8);
    let value: u64 = match (initial.contents, initial.is_float) {
        (Contents::Zero, _) => 0,
        (Contents::Iota, false) => index.cast_unsigned(),
        (Contents::Iota, true) if bytes == 8 => (index as f64).to_bits(),
        (Contents::Iota, true) => u64::from((index as f32).to_bits()),
        (Contents::Random(seed), false) => super::ghost::mix(seed, index.cast_unsigned(), 7),
        (Contents::Random(seed), true) => {
            let unit =
                (super::ghost::mix(seed, index.cast_unsigned(), 7) >> 40) as f32 / 16_777_216.0;
            if bytes == 8 {
                f64::from(unit).to_bits()
            } else {
                u64::from(unit.to_bits())
            }
        }
    };
    (value >> within) as u8
}

fn range(len: usize, at: i64, count: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(at).ok()?;
    let end = start.checked_add(count)?;
    (end <= len).then_some(start..end)
}

fn copy_out(from: &[u8], at: i64, out: &mut [u8]) {
    if let Some(range) = range(from.len(), at, out.len()) {
        out.copy_from_slice(&from[range]);
    }
}

fn copy_in(to: &mut [u8], at: i64, raw: &[u8]) {
    if let Some(range) = range(to.len(), at, raw.len()) {
        to[range].copy_from_slice(raw);
    }
}

fn decoded(scalar: Scalar, raw: [u8; 8]) -> i64 {
    let value = i64::from_le_bytes(raw);
    match scalar {
        Scalar::F64 | Scalar::I64 | Scalar::U64 => value,
        Scalar::F32 => {
            let bits = u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]);
            f64::from(f32::from_bits(bits)).to_bits().cast_signed()
        }
        // Halves are held as whole numbers of 1/1024; nothing but their order is used.
        Scalar::F16 => (f64::from(i16::from_le_bytes([raw[0], raw[1]])) / 1024.0)
            .to_bits()
            .cast_signed(),
        other => other.wrap(value),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "rounding is what the type means"
)]
fn encoded(scalar: Scalar, value: i64) -> [u8; 8] {
    let mut raw = [0; 8];
    let real = f64::from_bits(value.cast_unsigned());
    match scalar {
        Scalar::F32 => raw[..4].copy_from_slice(&(real as f32).to_le_bytes()),
        Scalar::F16 => raw[..2].copy_from_slice(&((real * 1024.0) as i16).to_le_bytes()),
        _ => raw = value.to_le_bytes(),
    }
    raw
}
