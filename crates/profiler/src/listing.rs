//! The SASS of a source page as a disassembler's listing.

use crate::kernel::{Instruction, KernelProfile};
use std::fmt::Write as _;

/// The line of a listing where its first instruction stands, from 1.
pub const LISTING_FIRST_LINE: u32 = 3;

/// The listing of a kernel's instructions, one a line; `None` of a kernel without them.
///
/// Addresses count from the kernel's beginning, in the targets of branches too.
#[must_use]
pub fn listing(kernel: &KernelProfile) -> Option<String> {
    let first = kernel.instructions.first()?.address;
    let last = kernel.instructions.last()?.address;
    let (major, minor) = kernel.compute_capability.unwrap_or((9, 0));
    let is_plain = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let name = Some(kernel.name.as_str()).filter(|name| !name.is_empty() && is_plain(name));
    let mut text = format!(
        "\tcode for sm_{major}{minor}\n\t\tFunction : {}\n",
        name.unwrap_or("kernel")
    );
    for instruction in &kernel.instructions {
        let address = instruction.address - first;
        let code = rebased(instruction, first, last);
        let code = code.trim_end_matches(';').trim_end();
        let _ = writeln!(text, "        /*{address:04x}*/ {code} ;");
    }
    Some(text)
}

/// The instruction's text with addresses inside the kernel counted from its beginning.
fn rebased(instruction: &Instruction, first: u64, last: u64) -> String {
    let text = instruction.text.replace(['\n', '\r'], " ");
    if first == 0 || !jumps(&text) {
        return text;
    }
    let words = text.split(' ').map(|word| {
        let bare = word.trim_end_matches(',');
        let target = bare
            .strip_prefix("0x")
            .and_then(|hex| u64::from_str_radix(hex, 16).ok());
        match target.filter(|target| (first..=last).contains(target)) {
            Some(target) => format!(
                "{:#x}{}",
                target - first,
                word.get(bare.len()..).unwrap_or_default()
            ),
            None => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether an operand may be an address in the kernel.
fn jumps(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let opcode = words
        .find(|word| !word.starts_with('@'))
        .unwrap_or_default();
    let stem = opcode.split('.').next().unwrap_or_default();
    matches!(
        stem,
        "BRA"
            | "BSSY"
            | "BRX"
            | "BRXU"
            | "CALL"
            | "JMP"
            | "JMX"
            | "JMXU"
            | "RET"
            | "SSY"
            | "PBK"
            | "PCNT"
            | "LEPC"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_count_from_the_beginning() {
        let one = |address, text: &str| Instruction {
            address,
            text: text.to_owned(),
            ..Instruction::default()
        };
        let kernel = KernelProfile {
            name: "f(int)".to_owned(),
            compute_capability: Some((8, 0)),
            instructions: vec![
                one(0x7f00_0010, "@!P0 BRA 0x7f000030"),
                one(0x7f00_0020, "MOV R1, 0x7f000010 ;"),
                one(0x7f00_0030, "BSSY B0, 0x7f000010, 0x7f000030"),
                one(0x7f00_0040, "CALL.REL.NOINC 0x80000000"),
            ],
            ..KernelProfile::default()
        };
        let text = listing(&kernel).unwrap_or_default();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "code for sm_80",
                "Function : kernel",
                "/*0000*/ @!P0 BRA 0x20 ;",
                "/*0010*/ MOV R1, 0x7f000010 ;",
                "/*0020*/ BSSY B0, 0x0, 0x20 ;",
                "/*0030*/ CALL.REL.NOINC 0x80000000 ;",
            ]
        );
        assert_eq!(listing(&KernelProfile::default()), None);
    }
}
