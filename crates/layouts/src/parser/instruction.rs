//! Instructions as accesses: PTX's names and CuTe's copy atoms.

use super::{Parse, Parser};
use crate::Wanted;
use crate::lexer::TokenKind;
use crate::syntax::{AccessOf, Expression, Pattern};

/// A CuTe copy atom: its name, its matrices, whether it transposes, whether it stores.
const MATRIX_ATOMS: [(&str, u8, bool, bool); 12] = [
    ("SM75_U32x1_LDSM_N", 1, false, false),
    ("SM75_U32x2_LDSM_N", 2, false, false),
    ("SM75_U32x4_LDSM_N", 4, false, false),
    ("SM75_U16x2_LDSM_T", 1, true, false),
    ("SM75_U16x4_LDSM_T", 2, true, false),
    ("SM75_U16x8_LDSM_T", 4, true, false),
    ("SM90_U32x1_STSM_N", 1, false, true),
    ("SM90_U32x2_STSM_N", 2, false, true),
    ("SM90_U32x4_STSM_N", 4, false, true),
    ("SM90_U16x2_STSM_T", 1, true, true),
    ("SM90_U16x4_STSM_T", 2, true, true),
    ("SM90_U16x8_STSM_T", 4, true, true),
];

impl Parser<'_> {
    /// Whether `word` begins an instruction: `ld.shared.v4.f32`, `SM75_U32x4_LDSM_N`.
    pub(super) fn is_instruction(&self, word: &str) -> bool {
        let is_plain = matches!(word, "ld" | "st") && self.is_sign(1, '.');
        is_plain || MATRIX_ATOMS.iter().any(|(name, ..)| *name == word)
    }

    /// An instruction and what it touches; `None` where none stands here.
    pub(super) fn instruction(&mut self) -> Parse<Option<AccessOf<Expression>>> {
        let TokenKind::Name(word) = self.peek().clone() else {
            return Ok(None);
        };
        if let Some(&(_, matrices, transposed, store)) =
            MATRIX_ATOMS.iter().find(|(name, ..)| *name == word)
        {
            self.at += 1;
            return Ok(Some(AccessOf {
                store,
                pattern: Pattern::Matrix {
                    matrices,
                    down: matrices.min(2).into(),
                    transposed,
                },
                at: (0, 0),
                bits: None,
                remote: false,
                everywhere: false,
            }));
        }
        if !self.is_instruction(&word) {
            return Ok(None);
        }
        self.plain_instruction(word == "st").map(Some)
    }

    /// `.shared::cluster.v4.f32 row`: what follows `ld` or `st`, and the lanes' pattern.
    fn plain_instruction(&mut self, store: bool) -> Parse<AccessOf<Expression>> {
        self.at += 1;
        let (mut vector, mut bits, mut remote) = (1, 32, false);
        while self.sign('.') {
            let part = self.name(Wanted::OneOf("`v4`, `b32` or `shared`"))?;
            match part.as_str() {
                "v2" => vector = 2,
                "v4" => vector = 4,
                "shared" if self.peek() == &TokenKind::Scope => {
                    self.at += 1;
                    remote = self.name(Wanted::OneOf("`cta` or `cluster`"))? == "cluster";
                }
                _ => bits = type_bits(&part).unwrap_or(bits),
            }
        }
        let pattern = match self.peek() {
            TokenKind::End => Pattern::Row,
            _ => self.pattern()?,
        };
        Ok(AccessOf {
            store,
            pattern,
            at: (0, 0),
            bits: Some(vector * bits),
            remote,
            everywhere: false,
        })
    }
}

/// `f32` has 32 bits.
fn type_bits(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(['b', 'u', 's', 'f'])?;
    digits.parse().ok().filter(|bits| *bits <= 128)
}
