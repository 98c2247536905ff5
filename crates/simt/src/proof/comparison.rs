//! Comparisons that come out the same in every block.

use lanescope_ir::{BinaryOp, Comparison, Operand, ScalarType, eval};

use super::follower::Follower;
use super::slope::{Growth, STEADY};
use crate::machine::arithmetic::{each, register};
use crate::proof::region::{AXES, FLAT};

impl<const L: usize> Follower<'_, L> {
    /// Cuts the region to where a comparison comes out the same in every lane.
    pub(super) fn compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Growth {
        if self.all_steady(&[a, b]) {
            return STEADY;
        }
        if ty.is_float() || ty == ScalarType::Bool {
            return None;
        }
        let (x, y) = (self.number(a, ty)?, self.number(b, ty)?);
        let mut slope = FLAT;
        for axis in 0..AXES {
            slope[axis] = x[axis].checked_sub(y[axis])?;
        }
        if slope == FLAT {
            return STEADY;
        }
        let (a, b) = (
            self.warp.file.lanes(register(a)),
            self.warp.file.lanes(register(b)),
        );
        // By how much the difference may grow, and fall.
        let (mut up, mut down) = (i128::MAX, i128::MAX);
        for lane in each(self.mask) {
            let difference = eval::integer_value(ty, a[lane]) - eval::integer_value(ty, b[lane]);
            let (low, high) = stays(op, difference);
            up = up.min(high.saturating_sub(difference));
            down = down.min(difference.saturating_sub(low));
        }
        self.proof.region.limit(up, slope);
        self.proof
            .region
            .limit(down, slope.map(i64::saturating_neg));
        STEADY
    }

    /// The slope of the one that a minimum or maximum takes in every lane.
    pub(super) fn chosen(&self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
        if x == y {
            return Some(x);
        }
        let lanes = (
            self.warp.file.lanes(register(a)),
            self.warp.file.lanes(register(b)),
        );
        let first = |lane: usize| {
            let less =
                eval::integer_value(ty, lanes.0[lane]) <= eval::integer_value(ty, lanes.1[lane]);
            less == (op == BinaryOp::Minimum)
        };
        if each(self.mask).all(first) {
            Some(x)
        } else if !each(self.mask).any(first) {
            Some(y)
        } else {
            None
        }
    }
}

/// Between which differences a comparison with zero stays as it is.
const fn stays(op: Comparison, difference: i128) -> (i128, i128) {
    const ALL: i128 = i128::MAX / 4;
    let (low, high) = match op {
        Comparison::Less | Comparison::GreaterEqual => (difference < 0, -1),
        Comparison::LessEqual | Comparison::Greater => (difference <= 0, 0),
        Comparison::Equal | Comparison::NotEqual if difference == 0 => return (0, 0),
        Comparison::Equal | Comparison::NotEqual => (difference < 0, -1),
    };
    let first_above = match op {
        Comparison::Equal | Comparison::NotEqual => 1,
        Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual => high + 1,
    };
    if low {
        (-ALL, high)
    } else {
        (first_above, ALL)
    }
}
