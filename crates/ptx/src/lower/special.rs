//! Special registers.

use super::Lowering;
use lanescope_ir::{Op, Operand, SpecialRegister};

/// Special registers whose value a launch gives.
const KNOWN: [(&str, SpecialRegister); 42] = {
    use SpecialRegister as S;
    [
        ("%tid.x", S::ThreadIndex(0)),
        ("%tid.y", S::ThreadIndex(1)),
        ("%tid.z", S::ThreadIndex(2)),
        ("%tid", S::ThreadIndex(0)),
        ("%ntid.x", S::BlockSize(0)),
        ("%ntid.y", S::BlockSize(1)),
        ("%ntid.z", S::BlockSize(2)),
        ("%ntid", S::BlockSize(0)),
        ("%ctaid.x", S::BlockIndex(0)),
        ("%ctaid.y", S::BlockIndex(1)),
        ("%ctaid.z", S::BlockIndex(2)),
        ("%ctaid", S::BlockIndex(0)),
        ("%nctaid.x", S::GridSize(0)),
        ("%nctaid.y", S::GridSize(1)),
        ("%nctaid.z", S::GridSize(2)),
        ("%nctaid", S::GridSize(0)),
        ("%laneid", S::Lane),
        ("%warpid", S::Warp),
        ("%nwarpid", S::WarpCount),
        ("%lanemask_eq", S::LaneMaskEqual),
        ("%lanemask_lt", S::LaneMaskLess),
        ("%lanemask_le", S::LaneMaskLessEqual),
        ("%lanemask_gt", S::LaneMaskGreater),
        ("%lanemask_ge", S::LaneMaskGreaterEqual),
        ("%dynamic_smem_size", S::DynamicSharedBytes),
        ("%total_smem_size", S::TotalSharedBytes),
        ("%aggr_smem_size", S::TotalSharedBytes),
        ("%cluster_ctarank", S::ClusterRank),
        ("%cluster_ctaid.x", S::ClusterIndex(0)),
        ("%cluster_ctaid.y", S::ClusterIndex(1)),
        ("%cluster_ctaid.z", S::ClusterIndex(2)),
        ("%cluster_nctaid.x", S::ClusterSize(0)),
        ("%cluster_nctaid.y", S::ClusterSize(1)),
        ("%cluster_nctaid.z", S::ClusterSize(2)),
        ("%clock", S::Unpredictable),
        ("%clock_hi", S::Unpredictable),
        ("%smid", S::Unpredictable),
        ("%nsmid", S::Unpredictable),
        ("%gridid", S::Unpredictable),
        ("%globaltimer_lo", S::Unpredictable),
        ("%globaltimer_hi", S::Unpredictable),
        ("%current_graph_exec", S::Unpredictable),
    ]
};

/// Special registers without a counterpart, whose value nothing here says.
const UNKNOWN: [&str; 10] = [
    "%clusterid.",
    "%nclusterid.",
    "%is_explicit_cluster",
    "%cluster_nctarank",
    "%pm",
    "%envreg",
    "%clock64",
    "%globaltimer",
    "%reserved_smem_offset_",
    "%clusterctarank",
];

/// Whether a name is a special register's.
pub(super) fn is_special(name: &str) -> bool {
    name == "WARP_SZ"
        || KNOWN.iter().any(|(known, _)| *known == name)
        || UNKNOWN.iter().any(|known| begins_with(name, known))
}

/// Whether a special register of the family is named, and not a register that only begins alike, as `%pm<2>`'s.
fn begins_with(name: &str, known: &str) -> bool {
    name.strip_prefix(known).is_some_and(|rest| {
        rest.is_empty()
            || known.ends_with(['.', '_'])
            || rest
                .trim_end_matches("_64")
                .bytes()
                .all(|byte| byte.is_ascii_digit())
    })
}

impl<'t> Lowering<'_, 't> {
    /// Reads a special register; `None` if the name is none's, or if the text declares a register of that name.
    pub(super) fn special(&mut self, name: &'t str) -> Option<Operand> {
        if name == "WARP_SZ" {
            return Some(Operand::Constant(32));
        }
        if !name.starts_with('%') || self.entity(name).is_some() {
            return None;
        }
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let register = match known {
            Some(&(_, register)) => register,
            None if is_special(name) => SpecialRegister::Unpredictable,
            None => return None,
        };
        let is_wide = matches!(
            name,
            "%clock64" | "%globaltimer" | "%gridid" | "%current_graph_exec"
        ) || name.ends_with("_64");
        let dst = self.fresh(if is_wide { 64 } else { 32 });
        self.emit(Op::Special { dst, register });
        Some(dst.into())
    }
}
