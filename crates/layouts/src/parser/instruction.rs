//! Instructions as accesses: PTX's names and CuTe's copy atoms.

use super::{Parse, Parser};
use crate::Wanted;
use crate::element::Element;
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

/// CuTe's copy atoms of `cp.async`.
const ASYNC_ATOMS: [&str; 4] = [
    "SM80_CP_ASYNC_CACHEALWAYS",
    "SM80_CP_ASYNC_CACHEGLOBAL",
    "SM80_CP_ASYNC_CACHEALWAYS_ZFILL",
    "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL",
];

/// Whether a name is a copy atom's.
fn is_atom(name: &str) -> bool {
    ASYNC_ATOMS.contains(&name) || MATRIX_ATOMS.iter().any(|(known, ..)| *known == name)
}

impl Parser<'_> {
    /// Whether a copy atom stands here: `SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>`, or in
    /// `Copy_Atom<…, half_t>`, with or without `cute::` before either.
    pub(super) fn is_copy_atom(&self) -> bool {
        let start = self.after_namespaces(0);
        let is_within = matches!(self.peek_at(start), TokenKind::Name(name) if name == "Copy_Atom")
            && self.is_sign(start + 1, '<');
        let at = if is_within {
            self.after_namespaces(start + 2)
        } else {
            start
        };
        matches!(self.peek_at(at), TokenKind::Name(name) if is_atom(name))
    }

    /// How far ahead a name stands, behind `cute::` before it.
    fn after_namespaces(&self, mut ahead: usize) -> usize {
        while matches!(self.peek_at(ahead), TokenKind::Name(_))
            && self.peek_at(ahead + 1) == &TokenKind::Scope
        {
            ahead += 2;
        }
        ahead
    }

    /// A copy atom and what it copies.
    fn copy_atom(&mut self) -> Parse<AccessOf<Expression>> {
        self.at += self.after_namespaces(0);
        let is_within = self.word("Copy_Atom");
        if is_within {
            self.expect('<')?;
            self.at += self.after_namespaces(0);
        }
        let name = self.name(Wanted::OneOf("a copy atom such as `SM75_U32x4_LDSM_N`"))?;
        let access = match MATRIX_ATOMS.iter().find(|(known, ..)| *known == name) {
            Some(&(_, matrices, transposed, store)) => plain(
                store,
                Pattern::Matrix {
                    matrices,
                    down: matrices.min(2).into(),
                    transposed,
                },
            ),
            None => plain(
                true,
                Pattern::AsyncCopy {
                    bytes: self.copied_bytes()?,
                },
            ),
        };
        if is_within {
            while self.sign(',') {
                self.skip_argument();
            }
            self.expect('>')?;
        }
        if self.sign('{') {
            self.expect('}')?;
        }
        Ok(access)
    }

    /// The bytes of the type in `<cute::uint128_t>`, 16 where none is named.
    fn copied_bytes(&mut self) -> Parse<u64> {
        let mut bytes = None;
        if self.sign('<') {
            self.at += self.after_namespaces(0);
            let name = self.name(Wanted::OneOf("a type such as `uint128_t`"))?;
            bytes = Element::named(&name).map(|element| element.bytes);
            while self.sign(',') {
                self.skip_argument();
            }
            self.expect('>')?;
        }
        Ok(bytes.unwrap_or(16))
    }

    /// Whether `word` begins an instruction: `ld.shared.v4.f32`, `SM75_U32x4_LDSM_N`.
    pub(super) fn is_instruction(&self, word: &str) -> bool {
        let is_plain = matches!(word, "ld" | "st") && self.is_sign(1, '.');
        is_plain || is_atom(word)
    }

    /// An instruction and what it touches; `None` where none stands here.
    pub(super) fn instruction(&mut self) -> Parse<Option<AccessOf<Expression>>> {
        let TokenKind::Name(word) = self.peek().clone() else {
            return Ok(None);
        };
        if self.is_copy_atom() {
            return self.copy_atom().map(Some);
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
            bits: Some(vector * bits),
            remote,
            ..plain(store, pattern)
        })
    }
}

/// An access where the tile begins.
pub(super) const fn plain(store: bool, pattern: Pattern<Expression>) -> AccessOf<Expression> {
    AccessOf {
        store,
        pattern,
        at: (0, 0),
        bits: None,
        remote: false,
        everywhere: false,
    }
}

/// `f32` has 32 bits.
fn type_bits(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(['b', 'u', 's', 'f'])?;
    digits.parse().ok().filter(|bits| *bits <= 128)
}
