//! What a listing alone does not hold: constant banks, and addresses in code that the linker fills in.

use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a constant bank, which an object holds and a listing does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantBytes {
    /// The bank, as in `c[0x3]`.
    pub bank: u32,
    /// The function that they are for, by its mangled name; `None`: all.
    pub function: Option<String>,
    /// Bytes from the bank's first.
    pub offset: u32,
    /// What is there.
    pub bytes: Vec<u8>,
    /// Whether it is a variable of the source: a note says that it is taken as it is initialised.
    pub is_variable: bool,
}

/// Constant banks and code addresses of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Banks {
    banks: BTreeMap<u32, Vec<(u64, Vec<u8>)>>,
    variables: BTreeSet<u32>,
    code: BTreeMap<String, u64>,
}

impl Banks {
    /// The banks and labels of a function.
    pub(crate) fn new(
        function: &str,
        constants: &[ConstantBytes],
        code: BTreeMap<String, u64>,
    ) -> Self {
        let mut banks: BTreeMap<u32, Vec<(u64, Vec<u8>)>> = BTreeMap::new();
        let is_own = |one: &&ConstantBytes| one.function.as_deref().is_none_or(|of| of == function);
        for location in constants.iter().filter(is_own) {
            let pieces = banks.entry(location.bank).or_default();
            pieces.push((location.offset.into(), location.bytes.clone()));
        }
        let variables = constants.iter().filter(|constant| constant.is_variable);
        let variables = variables.map(|variable| variable.bank).collect();
        Self {
            banks,
            variables,
            code,
        }
    }

    /// Whether a bank holds variables of the source.
    pub(crate) fn has_variables(&self, bank: u32) -> bool {
        self.variables.contains(&bank)
    }

    /// What is known of a bank: bytes by their offset; nothing of a bank of which nothing is known.
    pub(crate) fn pieces(&self, bank: u32) -> &[(u64, Vec<u8>)] {
        self.banks.get(&bank).map_or(&[], Vec::as_slice)
    }

    /// `count` bytes of a bank, if they are known.
    pub(crate) fn bytes(&self, bank: u32, offset: u32, count: u32) -> Option<&[u8]> {
        self.pieces(bank).iter().find_map(|(start, bytes)| {
            let from = usize::try_from(u64::from(offset).checked_sub(*start)?).ok()?;
            bytes.get(from..from.checked_add(usize::try_from(count).ok()?)?)
        })
    }

    /// A code address in an operand: a label, or half of one as in `32@lo((kernel + .L_x_1@srel))`.
    pub(crate) fn code_word(&self, text: &str) -> Option<u64> {
        if text.starts_with("32@hi(") {
            return Some(0);
        }
        let inner = text.strip_prefix("32@lo(").unwrap_or(text);
        inner
            .split(['(', ')', '+', ' ', '@', '`'])
            .rev()
            .find_map(|word| self.code.get(word).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relocations_name_labels() {
        let code = BTreeMap::from([("_Z1k".to_owned(), 0), (".L_x_1".to_owned(), 0x40)]);
        let banks = Banks::new("_Z1k", &[], code);
        assert_eq!(banks.code_word("32@lo((_Z1k + .L_x_1@srel))"), Some(0x40));
        assert_eq!(banks.code_word("32@hi((_Z1k + .L_x_1@srel))"), Some(0));
        assert_eq!(banks.code_word(".L_x_1"), Some(0x40));
        assert_eq!(banks.code_word("vprintf"), None);
    }

    #[test]
    fn a_function_has_its_own_banks_and_those_of_all() {
        let of = |bank, function: Option<&str>, offset, bytes: &[u8]| ConstantBytes {
            bank,
            function: function.map(str::to_owned),
            offset,
            bytes: bytes.to_vec(),
            is_variable: false,
        };
        let constants = [
            of(2, Some("k"), 0, &[1, 2, 3, 4]),
            of(2, Some("other"), 0, &[9; 64]),
            of(3, None, 8, &[5, 6]),
        ];
        let banks = Banks::new("k", &constants, BTreeMap::new());
        assert_eq!(banks.bytes(2, 1, 2), Some(&[2, 3][..]));
        assert_eq!(banks.bytes(2, 3, 2), None);
        assert_eq!(banks.bytes(3, 8, 2), Some(&[5, 6][..]));
        for (bank, offset) in [(3, 0), (3, 9), (4, 0), (3, u32::MAX)] {
            assert_eq!(banks.bytes(bank, offset, 2), None, "c[{bank}][{offset}]");
        }
    }
}
