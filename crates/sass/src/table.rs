//! Opcodes: a row each, with the modifiers whose meaning is known.
//!
//! An opcode of the uniform datapath is that of its name without the `U` (`UIADD3`: `IADD3`), unless it has a row of
//! its own. A modifier that is not listed makes an instruction unmodelled.

use crate::lower::{
    Lowering, asynchronous, atomic, convert, double, float, half, integer, logic, memory, nothing,
    opaque, predicate, special, sync, tensor, warp,
};

/// An opcode.
pub(crate) struct Opcode {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it becomes.
    pub(crate) lower: Lowering,
    /// Its modifiers, in groups.
    modifiers: &'static [&'static [&'static str]],
    /// Whether it only computes values.
    pub(crate) is_pure: bool,
}

/// Cache operators, scopes and orders, which do not change where an access goes.
const CACHE: &[&str] = &[
    "E",
    "CONSTANT",
    "STRONG",
    "WEAK",
    "RELAXED",
    "ACQUIRE",
    "MMIO",
    "CTA",
    "SM",
    "GPU",
    "SYS",
    "VC",
    "EF",
    "EL",
    "LU",
    "EU",
    "NA",
    "CI",
    "CV",
    "PRIVATE",
    "LTC64B",
    "LTC128B",
    "LTC256B",
    "ZD",
    "LOCAL",
    "UPPER",
    "L2",
    "SUBCTA",
    "ENL2",
    "U",
    "VIA",
    "EVICT_FIRST",
    "EVICT_LAST",
    "NO_ALLOCATE",
    "NODEP",
];
const WIDTH: &[&str] = &["U8", "S8", "U16", "S16", "32", "64", "128", "256"];
const SIGN: &[&str] = &["U32", "S32"];
const ROUND: &[&str] = &["RN", "RM", "RP", "RZ", "FTZ", "SAT", "FMZ"];
const RELATION: &[&str] = &[
    "F", "T", "EQ", "NE", "LT", "LE", "GT", "GE", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM",
    "NAN", "AND", "OR", "XOR", "FTZ",
];
const TYPE: &[&str] = &[
    "F16", "BF16", "F32", "F64", "S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64", "RN", "RM",
    "RP", "RZ", "FLOOR", "CEIL", "TRUNC", "ROUND", "FTZ", "NTZ", "SAT", "PACK_AB", "PACK_B",
];
const ATOMIC: &[&str] = &[
    "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "CAS", "CAST", "SPIN", "POPC",
    "S32", "U32", "S64", "U64", "F32", "F64", "F16x2", "BF16_V2", "BF16x2", "F32x2", "F32x4",
    "F16x4", "F16x8", "BF16x4", "BF16x8", "F16", "BF16", "FTZ", "RN", "32", "64", "128", "NOFTZ",
];
/// Any modifier.
const ANY: &[&str] = &["*"];

const fn row(
    name: &'static str,
    lower: Lowering,
    modifiers: &'static [&'static [&'static str]],
) -> Opcode {
    Opcode {
        name,
        lower,
        modifiers,
        is_pure: false,
    }
}

/// An opcode that only computes values.
const fn pure(
    name: &'static str,
    lower: Lowering,
    modifiers: &'static [&'static [&'static str]],
) -> Opcode {
    Opcode {
        is_pure: true,
        ..row(name, lower, modifiers)
    }
}

/// Every opcode, by name.
static OPCODES: &[Opcode] = &[
    row("ACQBULK", nothing, &[ANY]),
    row("ARRIVES", asynchronous::barrier_object, &[ANY]),
    row("ATOM", atomic::atomic, &[ATOMIC, CACHE]),
    row("ATOMG", atomic::atomic, &[ATOMIC, CACHE]),
    row("ATOMS", atomic::atomic, &[ATOMIC, CACHE]),
    row("B2R", warp::barrier_result, &[&["RESULT"]]),
    row(
        "BAR",
        warp::barrier,
        &[&["SYNC", "ARV", "RED", "POPC", "AND", "OR", "DEFER_BLOCKING"]],
    ),
    pure("BMMA", tensor::multiply, &[ANY]),
    row("BMOV", sync::move_barrier, &[&["32", "CLEAR"]]),
    pure("BMSK", logic::bit_mask, &[&["C", "W"]]),
    row("BPT", nothing, &[&["INT", "DRAIN", "PAUSE"]]),
    row("BRA", nothing, &[ANY]),
    row("BREAK", nothing, &[ANY]),
    pure("BREV", logic::reverse, &[]),
    row("BRX", nothing, &[ANY]),
    row("BRXU", nothing, &[ANY]),
    row("BSSY", nothing, &[ANY]),
    row("BSYNC", nothing, &[ANY]),
    row("CALL", nothing, &[ANY]),
    row("CCTL", nothing, &[ANY]),
    row("CCTLL", nothing, &[ANY]),
    row("CCTLT", nothing, &[ANY]),
    row("CGAERRBAR", nothing, &[ANY]),
    row(
        "CREDUX",
        warp::reduce,
        &[&[
            "SUM", "ADD", "MIN", "MAX", "AND", "OR", "XOR", "S32", "U32", "F32", "FTZ", "NAN",
        ]],
    ),
    row("CS2R", special::read_special_pair, &[&["32", "64"]]),
    row("CS2UR", special::read_special_pair, &[&["32", "64"]]),
    pure("DADD", double::add, &[&["RN"]]),
    row("DEPBAR", nothing, &[ANY]),
    pure("DFMA", double::multiply_add, &[&["RN", "RM", "RP", "RZ"]]),
    pure("DMMA", tensor::multiply, &[ANY]),
    pure("DMNMX", double::minimum_maximum, &[]),
    pure("DMUL", double::multiply, &[&["RN", "RM", "RP", "RZ"]]),
    pure("DSETP", predicate::compare_doubles, &[RELATION]),
    row("ELECT", warp::elect, &[]),
    row("ENDCOLLECTIVE", nothing, &[]),
    row("ERRBAR", nothing, &[ANY]),
    row("EXIT", nothing, &[ANY]),
    pure("F2F", convert::between_floats, &[TYPE]),
    pure("F2FP", convert::pack, &[TYPE]),
    pure("F2I", convert::to_integer, &[TYPE]),
    pure("F2IP", opaque, &[ANY]),
    pure("FADD", float::add, &[ROUND]),
    pure("FADD2", opaque, &[ANY]),
    pure("FCHK", float::check_division, &[&["DIVIDE"]]),
    row("FENCE", sync::fence, &[ANY]),
    pure("FFMA", float::multiply_add, &[ROUND]),
    pure("FFMA2", opaque, &[ANY]),
    pure("FLO", logic::find_leading, &[&["SH"], SIGN]),
    pure("FMNMX", float::minimum_maximum, &[&["FTZ", "NAN"]]),
    pure("FMNMX3", float::minimum_maximum, &[&["FTZ", "NAN"]]),
    pure("FMUL", float::multiply, &[ROUND]),
    pure("FMUL2", opaque, &[ANY]),
    pure("FRND", convert::round, &[TYPE]),
    pure("FSEL", float::select, &[&["FTZ"]]),
    pure("FSET", predicate::compare_to_register, &[RELATION, &["BF"]]),
    pure("FSETP", predicate::compare_singles, &[RELATION]),
    pure("FSWZADD", opaque, &[ANY]),
    row("GETLMEMBASE", opaque, &[ANY]),
    pure("HADD2", half::add, &[&["F32", "BF16_V2", "MMA", "FTZ"]]),
    pure(
        "HFMA2",
        half::multiply_add,
        &[&["BF16_V2", "MMA", "FTZ", "RELU"]],
    ),
    row("HGMMA", tensor::group_multiply, &[ANY]),
    pure("HMMA", tensor::multiply, &[ANY]),
    pure(
        "HMNMX2",
        half::minimum_maximum,
        &[&["BF16_V2", "NAN", "FTZ"]],
    ),
    pure("HMUL2", half::multiply, &[&["BF16_V2", "MMA", "FTZ"]]),
    pure(
        "HSET2",
        half::compare_to_register,
        &[RELATION, &["BF", "BF16_V2"]],
    ),
    pure("HSETP2", half::compare_pair, &[RELATION, &["BF16_V2"]]),
    pure("I2F", convert::from_integer, &[TYPE]),
    pure("I2FP", convert::from_integer, &[TYPE]),
    pure("I2I", convert::between_integers, &[TYPE]),
    pure("I2IP", opaque, &[ANY]),
    pure("IABS", integer::absolute, &[]),
    pure("IADD", integer::add, &[&["64"]]),
    pure("IADD3", integer::add, &[&["X", "64"]]),
    pure(
        "IDP",
        integer::dot_product,
        &[&["4A", "2A", "LO", "HI", "U8", "S8", "U16", "S16"]],
    ),
    row("IGMMA", tensor::group_multiply, &[ANY]),
    pure(
        "IMAD",
        integer::multiply_add,
        &[&["MOV", "SHL", "IADD", "WIDE", "HI", "X", "U32", "S32"]],
    ),
    pure("IMMA", tensor::multiply, &[ANY]),
    pure("IMNMX", integer::minimum_maximum, &[SIGN]),
    pure(
        "ISETP",
        predicate::compare_integers,
        &[RELATION, &["U32", "S32", "U64", "S64", "64", "EX"]],
    ),
    row("JMP", nothing, &[ANY]),
    row("JMX", nothing, &[ANY]),
    row("KILL", nothing, &[ANY]),
    row("LD", memory::load, &[WIDTH, CACHE]),
    pure("LDC", memory::load_constant, &[WIDTH, &["IL", "IS", "ISL"]]),
    pure("LDCU", memory::load_constant, &[WIDTH]),
    row("LDG", memory::load, &[WIDTH, CACHE]),
    row("LDGDEPBAR", nothing, &[ANY]),
    row(
        "LDGSTS",
        asynchronous::copy,
        &[WIDTH, CACHE, &["BYPASS", "ACCESS", "ZFILL"]],
    ),
    row("LDL", memory::load, &[WIDTH, CACHE]),
    row("LDS", memory::load, &[WIDTH, CACHE]),
    row(
        "LDSM",
        memory::load_matrix,
        &[&["16", "M88", "MT88", "1", "2", "4"]],
    ),
    pure("LDTM", opaque, &[ANY]),
    pure("LEA", integer::scaled_add, &[&["HI", "X", "SX32"]]),
    row("LEPC", special::program_counter, &[]),
    pure("LOP3", logic::logic, &[&["LUT", "PAND"]]),
    row("MATCH", warp::find_equal, &[&["ANY", "ALL", "U32", "U64"]]),
    row("MEMBAR", sync::fence, &[ANY]),
    pure("MOV", logic::move_word, &[&["64"]]),
    pure("MOV32I", logic::move_word, &[]),
    pure("MOVM", tensor::multiply, &[ANY]),
    pure(
        "MUFU",
        float::special_function,
        &[&[
            "RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH", "RCP64H", "RSQ64H", "FTZ",
        ]],
    ),
    row("NANOSLEEP", nothing, &[ANY]),
    row("NANOTRAP", nothing, &[]),
    row("NOP", nothing, &[ANY]),
    pure("OMMA", tensor::multiply, &[ANY]),
    row("P2R", predicate::to_register, &[&["B0", "B1", "B2", "B3"]]),
    pure("PLOP3", predicate::logic, &[&["LUT"]]),
    row("PMTRIG", nothing, &[ANY]),
    pure("POPC", logic::count_ones, &[]),
    row("PREEXIT", nothing, &[ANY]),
    pure("PRMT", logic::permute, &[]),
    pure("PSETP", predicate::combine_three, &[&["AND", "OR", "XOR"]]),
    row("QGMMA", tensor::group_multiply, &[ANY]),
    pure("QMMA", tensor::multiply, &[ANY]),
    pure("QSPC", memory::query_space, &[&["E", "S", "L"]]),
    row("R2P", predicate::from_register, &[]),
    row("R2UR", special::to_uniform, &[&["OR", "FILL"]]),
    row("RED", atomic::atomic, &[ATOMIC, CACHE]),
    row("REDG", atomic::atomic, &[ATOMIC, CACHE]),
    row("REDS", atomic::atomic, &[ATOMIC, CACHE]),
    row(
        "REDUX",
        warp::reduce,
        &[&["SUM", "ADD", "MIN", "MAX", "AND", "OR", "XOR", "S32", "U32"]],
    ),
    row("RET", nothing, &[ANY]),
    row("S2R", special::read_special, &[]),
    row("S2UR", special::read_special, &[]),
    pure("SEL", logic::select, &[&["64"]]),
    pure("SGXT", logic::extend, &[&["U32", "W"]]),
    pure(
        "SHF",
        logic::funnel_shift,
        &[&["L", "R", "W", "U32", "S32", "U64", "S64", "HI"]],
    ),
    row("SHFL", warp::shuffle, &[&["IDX", "UP", "DOWN", "BFLY"]]),
    row("ST", memory::store, &[WIDTH, CACHE]),
    row("STG", memory::store, &[WIDTH, CACHE]),
    row("STL", memory::store, &[WIDTH, CACHE]),
    row("STS", memory::store, &[WIDTH, CACHE]),
    row(
        "STSM",
        memory::store_matrix,
        &[&["16", "M88", "MT88", "1", "2", "4"]],
    ),
    row("STTM", nothing, &[ANY]),
    row("SUATOM", tensor::texture, &[ANY]),
    row("SULD", tensor::texture, &[ANY]),
    row("SURED", tensor::texture, &[ANY]),
    row("SUST", tensor::texture, &[ANY]),
    row("SYNCS", asynchronous::barrier_object, &[ANY]),
    row("SYNCSU", asynchronous::barrier_object, &[ANY]),
    row("TEX", tensor::texture, &[ANY]),
    row("TLD", tensor::texture, &[ANY]),
    row("TLD4", tensor::texture, &[ANY]),
    row("TMML", tensor::texture, &[ANY]),
    row("TXD", tensor::texture, &[ANY]),
    row("TXQ", tensor::texture, &[ANY]),
    row("UBLKCP", asynchronous::bulk, &[ANY]),
    row("UBLKPF", nothing, &[ANY]),
    row("UBLKRED", asynchronous::bulk, &[ANY]),
    row("UCGABAR_ARV", sync::cluster, &[ANY]),
    row("UCGABAR_WAIT", sync::cluster, &[ANY]),
    row(
        "UP2UR",
        predicate::to_register,
        &[&["B0", "B1", "B2", "B3"]],
    ),
    row("UR2UP", predicate::from_register, &[]),
    row("USETMAXREG", nothing, &[ANY]),
    row("UTCATOMSWS", special::allocate_tensor_memory, &[ANY]),
    row("UTCBAR", nothing, &[ANY]),
    row("UTCCP", asynchronous::bulk, &[ANY]),
    row("UTCHMMA", asynchronous::bulk, &[ANY]),
    row("UTCIMMA", asynchronous::bulk, &[ANY]),
    row("UTCOMMA", asynchronous::bulk, &[ANY]),
    row("UTCQMMA", asynchronous::bulk, &[ANY]),
    row("UTCSHIFT", nothing, &[ANY]),
    row("UTMACCTL", nothing, &[ANY]),
    row("UTMACMDFLUSH", nothing, &[ANY]),
    row("UTMALDG", asynchronous::bulk, &[ANY]),
    row("UTMAPF", nothing, &[ANY]),
    row("UTMAREDG", asynchronous::bulk, &[ANY]),
    row("UTMASTG", asynchronous::bulk, &[ANY]),
    row("UVIRTCOUNT", nothing, &[ANY]),
    pure("VABSDIFF", integer::absolute_difference, &[SIGN]),
    pure("VABSDIFF4", opaque, &[ANY]),
    pure("VIADD", integer::add, &[&["64"]]),
    pure(
        "VIADDMNMX",
        integer::add_minimum_maximum,
        &[SIGN, &["RELU"]],
    ),
    pure("VIMNMX", integer::minimum_maximum, &[SIGN, &["RELU"]]),
    pure("VIMNMX3", integer::minimum_maximum, &[SIGN, &["RELU"]]),
    row("VOTE", warp::vote, &[&["ALL", "ANY", "EQ"]]),
    row("VOTEU", warp::vote, &[&["ALL", "ANY", "EQ"]]),
    row("WARPGROUP", nothing, &[ANY]),
    row("WARPGROUPSET", nothing, &[ANY]),
    row(
        "WARPSYNC",
        sync::warp,
        &[&["ALL", "COLLECTIVE", "EXCLUSIVE"]],
    ),
    row("YIELD", nothing, &[ANY]),
];

/// The row of an opcode.
pub(crate) fn find(name: &str) -> Option<&'static Opcode> {
    let own = |name: &str| {
        let at = OPCODES.binary_search_by(|row| row.name.cmp(name)).ok()?;
        OPCODES.get(at)
    };
    own(name).or_else(|| own(name.strip_prefix('U')?))
}

impl Opcode {
    /// Whether every modifier is known.
    pub(crate) fn knows(&self, modifiers: &[&str]) -> bool {
        let is_known = |name: &&str| {
            self.modifiers
                .iter()
                .any(|group| group.contains(name) || group.contains(&"*"))
        };
        modifiers.iter().all(is_known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_sorted() {
        assert!(OPCODES.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn the_uniform_datapath_has_the_same_rows() {
        for (name, row) in [
            ("UIADD3", "IADD3"),
            ("ULEA", "LEA"),
            ("UMOV", "MOV"),
            ("UBLKCP", "UBLKCP"),
        ] {
            assert_eq!(find(name).map(|found| found.name), Some(row));
        }
        assert!(find("U").is_none() && find("").is_none() && find("FOO").is_none());
    }
}
