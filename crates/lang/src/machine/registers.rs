//! Registers: one value for all lanes, or one for each.

use super::arithmetic::{binary_one, convert_one, unary_one};
use super::ghost::Ghost;
use crate::code::{Binary, Code, Reg, Unary};
use crate::scalar::Scalar;
use lanescope_model::LaneMask;

/// Lanes that are computed together.
pub(super) const CHUNK: usize = 32;

/// The values of so many lanes.
pub(super) type Lanes = [i64; CHUNK];

/// What a register holds apart from the values of single lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) varying: bool,
    pub(super) value: i64,
    pub(super) ghost: Ghost,
}

/// For each register its place, how many places all warps have in common, and how many each has of its own.
fn places(code: &Code) -> (Vec<u32>, u32, u32) {
    let mut is_own: Vec<bool> = (0..code.registers)
        .map(|reg| !code.passing.get(usize::from(reg)).copied().unwrap_or(false))
        .collect();
    for (reg, preset) in &code.presets {
        is_own[usize::from(*reg)] = !preset.is_of_block();
    }
    let temps = code.slots.iter().copied().max();
    let (mut shared, mut own) = (temps.map_or(0, |most| u32::from(most) + 1), 0_u32);
    let places = is_own
        .iter()
        .enumerate()
        .map(|(reg, is_own)| {
            let passing = code.passing.get(reg).copied().unwrap_or(false);
            if *is_own {
                own += 1;
                (own - 1) | OWN
            } else if passing {
                code.slots.get(reg).copied().map_or(0, u32::from)
            } else {
                shared += 1;
                shared - 1
            }
        })
        .collect();
    (places, shared, own)
}

/// The registers of all warps of a block.
#[derive(Debug)]
pub(super) struct Registers {
    held: Vec<Held>,
    lanes: Vec<Lanes>,
    /// For each register its place; those of [`Self::own`] are each warp's own.
    places: Vec<u32>,
    shared: u32,
    own: u32,
    warp_offset: u32,
    chunks: usize,
}

impl Registers {
    /// Room for the registers of `warps` warps.
    pub(super) fn new(code: &Code, warps: u32, warp_lanes: usize) -> Self {
        let chunks = warp_lanes.div_ceil(CHUNK).max(1);
        let (places, shared, own) = places(code);
        let total = (shared + own * warps.max(1)) as usize;
        Self {
            held: vec![Held::default(); total],
            lanes: vec![[0; CHUNK]; total * chunks],
            places,
            shared,
            own,
            warp_offset: shared,
            chunks,
        }
    }

    /// Bytes that the registers of `warps` warps take.
    pub(super) fn bytes(code: &Code, warps: u64, warp_lanes: usize) -> u64 {
        let chunks = warp_lanes.div_ceil(CHUNK).max(1);
        let (places, shared, own) = places(code);
        let total = u64::from(shared) + u64::from(own) * warps.max(1);
        let one = size_of::<Held>() + chunks * size_of::<Lanes>();
        total * one as u64 + 4 * places.len() as u64
    }

    /// From now on, registers are those of this warp.
    pub(super) fn enter(&mut self, warp: u32) {
        self.warp_offset = self.shared + warp * self.own;
    }

    /// The places of all registers.
    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    /// The place of a register of the warp that runs.
    pub(super) fn at(&self, reg: Reg) -> usize {
        let place = self.places[usize::from(reg)];
        if place & OWN == 0 {
            place as usize
        } else {
            (self.warp_offset + (place & !OWN)) as usize
        }
    }

    pub(super) fn held(&self, reg: Reg) -> Held {
        self.held[self.at(reg)]
    }

    pub(super) fn ghost(&self, reg: Reg) -> Ghost {
        self.held[self.at(reg)].ghost
    }

    fn chunk(&self, at: usize, chunk: usize) -> Lanes {
        let held = &self.held[at];
        if held.varying {
            self.lanes[at * self.chunks + chunk]
        } else {
            [held.value; CHUNK]
        }
    }

    pub(super) fn lane(&self, reg: Reg, lane: usize) -> i64 {
        let at = self.at(reg);
        let held = &self.held[at];
        if held.varying {
            self.lanes[at * self.chunks + lane / CHUNK][lane % CHUNK]
        } else {
            held.value
        }
    }

    /// Writes the values of the first lanes into `out`.
    pub(super) fn lanes_into(&self, reg: Reg, out: &mut [i64]) {
        let at = self.at(reg);
        let held = &self.held[at];
        if !held.varying {
            return out.fill(held.value);
        }
        for (chunk, out) in out.chunks_mut(CHUNK).enumerate().take(self.chunks) {
            out.copy_from_slice(&self.lanes[at * self.chunks + chunk][..out.len()]);
        }
    }

    /// A lane of `active` whose value is not in `0..extent`, and that value.
    pub(super) fn any_outside(&self, reg: Reg, extent: i64, active: u64) -> Option<(usize, i64)> {
        let at = self.at(reg);
        if self.held[at].varying {
            let lanes = self.lanes[at * self.chunks..][..self.chunks].as_flattened();
            // The sign is that of a value below 0, or of what is left above one that is too large.
            let signs = lanes.iter().fold(0, |signs, value| {
                signs | value | (extent - 1).wrapping_sub(*value)
            });
            if signs >= 0 {
                return None;
            }
        }
        let mut lanes = LaneMask(active)
            .iter()
            .map(|lane| (lane, self.lane(reg, lane)));
        lanes.find(|(_, value)| !(0..extent).contains(value))
    }

    /// All lanes get one value.
    pub(super) fn set(&mut self, reg: Reg, value: i64, ghost: Ghost) {
        let at = self.at(reg);
        self.held[at] = Held {
            varying: false,
            value,
            ghost,
        };
    }

    /// Each lane gets its own value.
    pub(super) fn set_lanes(&mut self, reg: Reg, ghost: Ghost, value: impl Fn(usize) -> i64) {
        let at = self.at(reg);
        self.held[at] = Held {
            varying: true,
            value: 0,
            ghost,
        };
        for chunk in 0..self.chunks {
            self.lanes[at * self.chunks + chunk] =
                std::array::from_fn(|lane| value(chunk * CHUNK + lane));
        }
    }

    pub(super) fn set_ghost(&mut self, reg: Reg, ghost: Ghost) {
        let at = self.at(reg);
        self.held[at].ghost = ghost;
    }

    /// The lanes whose value is not zero.
    pub(super) fn truth(&self, reg: Reg) -> u64 {
        let at = self.at(reg);
        let held = &self.held[at];
        if !held.varying {
            return if held.value != 0 { u64::MAX } else { 0 };
        }
        let mut mask = 0;
        for chunk in 0..self.chunks {
            let lanes = &self.lanes[at * self.chunks + chunk];
            let bits = lanes.iter().enumerate().fold(0_u64, |bits, (lane, value)| {
                bits | u64::from(*value != 0) << lane
            });
            mask |= bits << (chunk * CHUNK);
        }
        mask
    }

    pub(super) fn unary(&mut self, op: Unary, scalar: Scalar, dst: Reg, a: Reg) {
        let (from, to) = (self.at(a), self.at(dst));
        let held = self.held[from];
        let result = if held.varying && held.ghost.low < 64 {
            0
        } else {
            unary_one(op, scalar, held.value)
        };
        let ghost = Ghost::unary(op, held.ghost, result);
        self.map(from, to, ghost, |value| unary_one(op, scalar, value));
    }

    pub(super) fn convert(&mut self, from_type: Scalar, to_type: Scalar, dst: Reg, a: Reg) {
        let (from, to) = (self.at(a), self.at(dst));
        let held = self.held[from];
        let ghost = if from_type.is_float() || to_type.is_float() || to_type == Scalar::Bool {
            if held.ghost.low == 64 {
                Ghost::known(convert_one(
                    from_type,
                    to_type,
                    held.ghost.number.cast_signed(),
                ))
            } else {
                Ghost::unknown(held.ghost.number, 77, to_type as u64)
            }
        } else if held.ghost.low == 64 {
            Ghost::known(to_type.wrap(held.ghost.number.cast_signed()))
        } else {
            held.ghost
        };
        if (to_type == Scalar::I32 || to_type == Scalar::U32) && !from_type.is_float() {
            let wrap = |value| to_type.wrap(value);
            return self.map(from, to, ghost, wrap);
        }
        self.map(from, to, ghost, |value| {
            convert_one(from_type, to_type, value)
        });
    }

    fn map(&mut self, from: usize, to: usize, ghost: Ghost, apply: impl Fn(i64) -> i64) {
        let held = self.held[from];
        if held.varying {
            for chunk in 0..self.chunks {
                let lanes = self.lanes[from * self.chunks + chunk];
                self.lanes[to * self.chunks + chunk] = lanes.map(&apply);
            }
        }
        let value = if held.varying { 0 } else { apply(held.value) };
        self.held[to] = Held {
            varying: held.varying,
            value,
            ghost,
        };
    }

    pub(super) fn binary(&mut self, op: Binary, scalar: Scalar, dst: Reg, a: Reg, b: Reg) {
        let (x, y, to) = (self.at(a), self.at(b), self.at(dst));
        let (left, right) = (self.held[x], self.held[y]);
        let known = left.ghost.low == 64 && right.ghost.low == 64;
        let result = if known {
            binary_one(
                op,
                scalar,
                left.ghost.number.cast_signed(),
                right.ghost.number.cast_signed(),
            )
        } else {
            0
        };
        let ghost = if known || scalar != Scalar::U32 {
            Ghost::binary(op, left.ghost, right.ghost, result)
        } else {
            Ghost::binary(
                op,
                left.ghost.around_zero(),
                right.ghost.around_zero(),
                result,
            )
        };
        if !left.varying && !right.varying {
            self.held[to] = Held {
                varying: false,
                value: binary_one(op, scalar, left.value, right.value),
                ghost,
            };
            return;
        }
        let by_power = !right.varying
            && right.value > 0
            && right.value.cast_unsigned().is_power_of_two()
            && scalar != Scalar::U64
            && !scalar.is_float();
        for chunk in 0..self.chunks {
            let a = self.chunk(x, chunk);
            let b = self.chunk(y, chunk);
            let out = &mut self.lanes[to * self.chunks + chunk];
            match op {
                Binary::Divide if by_power => divide(&a, right.value.trailing_zeros(), out),
                Binary::Remainder if by_power => remain(&a, right.value.trailing_zeros(), out),
                _ => binary_lanes(op, scalar, &a, &b, out),
            }
        }
        self.held[to] = Held {
            varying: true,
            value: 0,
            ghost,
        };
    }

    pub(super) fn select(&mut self, dst: Reg, condition: Reg, yes: Reg, no: Reg) {
        let (c, x, y, to) = (self.at(condition), self.at(yes), self.at(no), self.at(dst));
        let (test, left, right) = (self.held[c], self.held[x], self.held[y]);
        let ghost = match test.ghost.low {
            64 => {
                if test.ghost.number != 0 {
                    left.ghost
                } else {
                    right.ghost
                }
            }
            _ => Ghost::unknown(test.ghost.number, left.ghost.number, right.ghost.number),
        };
        if !test.varying {
            let from = if test.value != 0 { x } else { y };
            self.copy(from, to, ghost);
            return;
        }
        for chunk in 0..self.chunks {
            let (t, a, b) = (
                self.chunk(c, chunk),
                self.chunk(x, chunk),
                self.chunk(y, chunk),
            );
            self.lanes[to * self.chunks + chunk] =
                std::array::from_fn(|i| if t[i] != 0 { a[i] } else { b[i] });
        }
        self.held[to] = Held {
            varying: true,
            value: 0,
            ghost,
        };
    }

    /// `dst = base + index * scale + offset`.
    pub(super) fn address(&mut self, dst: Reg, base: Reg, index: Reg, scale: i64, offset: i64) {
        let (x, y, to) = (self.at(base), self.at(index), self.at(dst));
        let (left, right) = (self.held[x], self.held[y]);
        let ghost = left.ghost.add(right.ghost.times(scale)).offset(offset);
        if !left.varying && !right.varying {
            let value = left
                .value
                .wrapping_add(right.value.wrapping_mul(scale))
                .wrapping_add(offset);
            self.held[to] = Held {
                varying: false,
                value,
                ghost,
            };
            return;
        }
        for chunk in 0..self.chunks {
            let (a, b) = (self.chunk(x, chunk), self.chunk(y, chunk));
            self.lanes[to * self.chunks + chunk] = std::array::from_fn(|i| {
                a[i].wrapping_add(b[i].wrapping_mul(scale))
                    .wrapping_add(offset)
            });
        }
        self.held[to] = Held {
            varying: true,
            value: 0,
            ghost,
        };
    }

    fn copy(&mut self, from: usize, to: usize, ghost: Ghost) {
        let held = self.held[from];
        if held.varying {
            for chunk in 0..self.chunks {
                self.lanes[to * self.chunks + chunk] = self.lanes[from * self.chunks + chunk];
            }
        }
        self.held[to] = Held { ghost, ..held };
    }

    /// All lanes of `dst` get what `src` holds.
    pub(super) fn init(&mut self, dst: Reg, src: Reg) {
        let (from, to) = (self.at(src), self.at(dst));
        self.copy(from, to, self.held[from].ghost);
    }

    /// The lanes of `active` get what `src` holds; `alive` are those that will ever run again.
    pub(super) fn assign(&mut self, dst: Reg, src: Reg, active: u64, alive: u64) {
        if active == 0 {
            return;
        }
        let (from, to) = (self.at(src), self.at(dst));
        let (new, old) = (self.held[from], self.held[to]);
        if active == alive {
            return self.copy(from, to, new.ghost);
        }
        let ghost = if new.ghost == old.ghost {
            old.ghost
        } else {
            Ghost::unknown(new.ghost.number, old.ghost.number, active)
        };
        if !new.varying && !old.varying && new.value == old.value {
            self.held[to].ghost = ghost;
            return;
        }
        for chunk in 0..self.chunks {
            let (a, b) = (self.chunk(from, chunk), self.chunk(to, chunk));
            let on = active >> (chunk * CHUNK);
            self.lanes[to * self.chunks + chunk] =
                std::array::from_fn(|i| if on >> i & 1 == 1 { a[i] } else { b[i] });
        }
        self.held[to] = Held {
            varying: true,
            value: 0,
            ghost,
        };
    }
}

/// Marks the place of a register that each warp has for itself.
const OWN: u32 = 1 << 31;

/// Gives each lane its value.
fn fill(out: &mut Lanes, value: impl Fn(usize) -> i64) {
    for (lane, out) in out.iter_mut().enumerate() {
        *out = value(lane);
    }
}

/// Quotients by a power of two, rounded toward zero.
fn divide(lanes: &Lanes, power: u32, out: &mut Lanes) {
    let less = (1 << power) - 1;
    fill(out, |i| {
        lanes[i].wrapping_add((lanes[i] >> 63) & less) >> power
    });
}

/// Remainders of [`divide`], with the sign of the dividend.
fn remain(lanes: &Lanes, power: u32, out: &mut Lanes) {
    let less = (1 << power) - 1;
    fill(out, |i| {
        lanes[i].wrapping_sub(lanes[i].wrapping_add((lanes[i] >> 63) & less) & !less)
    });
}

fn binary_lanes(op: Binary, scalar: Scalar, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    if scalar.is_float() {
        return fill(out, |i| binary_one(op, scalar, a[i], b[i]));
    }
    match op {
        Binary::Add => fill(out, |i| a[i].wrapping_add(b[i])),
        Binary::Subtract => fill(out, |i| a[i].wrapping_sub(b[i])),
        Binary::Multiply => fill(out, |i| a[i].wrapping_mul(b[i])),
        Binary::And => fill(out, |i| a[i] & b[i]),
        Binary::Or => fill(out, |i| a[i] | b[i]),
        Binary::Xor => fill(out, |i| a[i] ^ b[i]),
        Binary::Equal => return fill(out, |i| i64::from(a[i] == b[i])),
        Binary::NotEqual => return fill(out, |i| i64::from(a[i] != b[i])),
        Binary::Less if scalar != Scalar::U64 => {
            return fill(out, |i| i64::from(a[i] < b[i]));
        }
        Binary::LessEqual if scalar != Scalar::U64 => {
            return fill(out, |i| i64::from(a[i] <= b[i]));
        }
        _ => return fill(out, |i| binary_one(op, scalar, a[i], b[i])),
    }
    wrap_lanes(scalar, out);
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "wrapping is what the type means"
)]
fn wrap_lanes(scalar: Scalar, lanes: &mut Lanes) {
    match scalar {
        Scalar::I64 | Scalar::U64 | Scalar::Bool => {}
        Scalar::I32 => lanes
            .iter_mut()
            .for_each(|value| *value = i64::from(*value as i32)),
        Scalar::U32 => lanes.iter_mut().for_each(|value| *value &= 0xffff_ffff),
        other => lanes
            .iter_mut()
            .for_each(|value| *value = other.wrap(*value)),
    }
}
