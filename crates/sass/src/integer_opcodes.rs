//! Which instructions compute with whole numbers: what indices and addresses are made of.

/// The opcodes, without the `U` of the uniform datapath, by name.
const OPCODES: [&str; 22] = [
    "BMSK",
    "BREV",
    "FLO",
    "IABS",
    "IADD",
    "IADD3",
    "IDP",
    "IMAD",
    "IMNMX",
    "LEA",
    "LOP3",
    "POPC",
    "PRMT",
    "SGXT",
    "SHF",
    "SHL",
    "SHR",
    "VABSDIFF",
    "VIADD",
    "VIADDMNMX",
    "VIMNMX",
    "VIMNMX3",
];

/// Whether a line of a listing is an instruction that computes a whole number: additions, products, shifts, masks. Moves,
/// comparisons, conversions and floating point are none; `IMAD.MOV` is a move.
///
/// ```
/// use lanescope_sass::computes_integers;
///
/// assert!(computes_integers("        /*0020*/                   @!P0 IMAD R2, R1, 0x20, R0 ;"));
/// assert!(computes_integers("/*0030*/ ULEA UR4, UR5, UR4, 0x18 ;"));
/// assert!(!computes_integers("/*0040*/ IMAD.MOV.U32 R1, RZ, RZ, R2 ;"));
/// assert!(!computes_integers("/*0050*/ LDS R4, [R3] ;"));
/// ```
#[must_use]
pub fn computes_integers(line: &str) -> bool {
    let behind_place = line.split_once("*/").map_or(line, |(_, rest)| rest);
    let mut words = behind_place.split_whitespace();
    let opcode = words.find(|word| !word.starts_with('@') && *word != "{");
    let mut parts = opcode.unwrap_or_default().trim_end_matches(';').split('.');
    let name = parts.next().unwrap_or_default();
    let is_integer = |name: &str| OPCODES.contains(&name);
    let is_one = is_integer(name) || name.strip_prefix('U').is_some_and(is_integer);
    is_one && parts.next() != Some("MOV")
}

#[cfg(test)]
mod tests {
    use super::computes_integers;

    #[test]
    fn what_makes_indices_is_told_from_what_uses_them() {
        for (line, expected) in [
            ("/*0000*/ LOP3.LUT R3, R0, 0x1f, R1, 0x78, !PT ;", true),
            ("/*0010*/ @P1 SHF.L.U32 R0, R0, 0x2, RZ ;", true),
            ("/*0020*/ UIADD3 UR4, UR4, 0x1000, URZ ;", true),
            ("/*0030*/ IMAD.WIDE R2, R5, 0x4, R2 ;", true),
            ("/*0040*/ { IADD3 R1, R1, 0x1, RZ ;", true),
            ("/*0050*/ ISETP.GE.AND P0, PT, R0, 0x20, PT ;", false),
            ("/*0060*/ FFMA R0, R1, R2, R3 ;", false),
            ("/*0070*/ STS [R0+0x80], R1 ;", false),
            ("/*0080*/ S2R R0, SR_TID.X ;", false),
            ("/*0090*/ IMAD.MOV.U32 R0, RZ, RZ, 0x1 ;", false),
            ("/*00a0*/ EXIT ;", false),
            ("", false),
        ] {
            assert_eq!(computes_integers(line), expected, "{line}");
        }
    }
}
