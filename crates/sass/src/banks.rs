//! What a listing alone does not hold: constant banks, and addresses in code that the linker fills in.

use std::collections::BTreeMap;

/// Constant banks and code addresses of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Banks {
    banks: BTreeMap<u32, Vec<u8>>,
    code: BTreeMap<String, u64>,
}

impl Banks {
    /// Banks and the labels of a function.
    pub(crate) fn new(banks: BTreeMap<u32, Vec<u8>>, code: BTreeMap<String, u64>) -> Self {
        Self { banks, code }
    }

    /// The bytes of a bank, if they are known.
    pub(crate) fn bytes(&self, bank: u32) -> Option<&[u8]> {
        self.banks.get(&bank).map(Vec::as_slice)
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
        let banks = Banks::new(BTreeMap::new(), code);
        assert_eq!(banks.code_word("32@lo((_Z1k + .L_x_1@srel))"), Some(0x40));
        assert_eq!(banks.code_word("32@hi((_Z1k + .L_x_1@srel))"), Some(0));
        assert_eq!(banks.code_word(".L_x_1"), Some(0x40));
        assert_eq!(banks.code_word("vprintf"), None);
    }
}
