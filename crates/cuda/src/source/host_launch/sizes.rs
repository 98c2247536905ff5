//! Bytes of types in `sizeof`: those of the language, arrays, and structures that the text defines.
//!
//! ```text
//! type      = words { "[" whole "]" }
//! structure = ( "struct" | "class" | "union" ) { "__align__" "(" whole ")" | "alignas" "(" whole ")" } name "{" { member } "}"
//! member    = words [ "*" ] name { "[" whole "]" } { "," [ "*" ] name { "[" whole "]" } } ";"
//! ```
//! Functions and static members take no room; a structure with a base, a virtual function or bit fields is left open.

use lanescope_syntax::token::Kind;
use std::ops::Range;

use super::fold::Folder;

/// Words of a declaration that say nothing of the size.
const UNSIZED: [&str; 5] = ["const", "volatile", "mutable", "struct", "typename"];

/// Words that begin what takes no room in a structure.
const ROOMLESS: [&str; 4] = ["static", "using", "typedef", "friend"];

/// Bytes of types in `sizeof`.
const SIZES: [(&str, i64); 43] = [
    ("unsigned char", 1),
    ("signed char", 1),
    ("int8_t", 1),
    ("uint8_t", 1),
    ("unsigned short", 2),
    ("int16_t", 2),
    ("uint16_t", 2),
    ("__nv_bfloat16", 2),
    ("unsigned int", 4),
    ("uint", 4),
    ("int32_t", 4),
    ("uint32_t", 4),
    ("half2", 4),
    ("__half2", 4),
    ("uchar4", 4),
    ("long long", 8),
    ("unsigned long long", 8),
    ("long long int", 8),
    ("unsigned long long int", 8),
    ("int64_t", 8),
    ("uint64_t", 8),
    ("ptrdiff_t", 8),
    ("int2", 8),
    ("uint2", 8),
    ("uint4", 16),
    ("float3", 12),
    ("int3", 12),
    ("uint3", 12),
    ("double4", 32),
    ("char", 1),
    ("bool", 1),
    ("short", 2),
    ("half", 2),
    ("__half", 2),
    ("int", 4),
    ("unsigned", 4),
    ("float", 4),
    ("double", 8),
    ("size_t", 8),
    ("float2", 8),
    ("float4", 16),
    ("int4", 16),
    ("double2", 16),
];

/// Types that are aligned to less than their bytes, with what they are aligned to.
const ALIGNS: [(&str, u64); 4] = [("float3", 4), ("int3", 4), ("uint3", 4), ("double4", 16)];

/// Bytes of a type, and what its address is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    bytes: u64,
    align: u64,
}

impl Folder<'_> {
    /// Bytes of the type that `part` is.
    pub(super) fn size_of(&mut self, part: Range<usize>) -> Option<i64> {
        let open = part.clone().find(|at| self.is(*at, "["));
        let ty = self.type_size(part.start..open.unwrap_or(part.end))?;
        let count = self.elements(open.unwrap_or(part.end), part.end)?;
        i64::try_from(ty.bytes.checked_mul(count)?).ok()
    }

    /// The number of elements that `[…]` from `at` to `end` make.
    fn elements(&mut self, mut at: usize, end: usize) -> Option<u64> {
        let mut count = 1_u64;
        while at < end {
            let close = self.closing(at).filter(|_| self.is(at, "["))?;
            let side = self.deeper(|folder| folder.inside(at + 1..close))?;
            count = count.checked_mul(u64::try_from(side).ok()?)?;
            at = close + 1;
        }
        Some(count)
    }

    /// That of the type whose words `part` are.
    fn type_size(&mut self, part: Range<usize>) -> Option<Size> {
        let mut words: Vec<&str> = Vec::new();
        for at in part.clone() {
            match &self.tokens.get(at)?.kind {
                Kind::Name(name) if UNSIZED.contains(&&**name) => {}
                Kind::Name(name) => words.push(name),
                Kind::Punct("*") if at + 1 == part.end => {
                    return Some(Size { bytes: 8, align: 8 });
                }
                Kind::Punct("::") => words.clear(),
                _ => return None,
            }
        }
        let ty = words.join(" ");
        if let Some((_, bytes)) = SIZES.iter().find(|(name, _)| *name == ty) {
            let bytes = u64::try_from(*bytes).ok()?;
            let known = ALIGNS.iter().find(|(name, _)| *name == ty);
            let align = known.map_or(bytes, |(_, align)| *align);
            return Some(Size { bytes, align });
        }
        let [name] = words.as_slice() else {
            return None;
        };
        let name = (*name).to_owned();
        self.deeper(|folder| folder.structure(&name))
    }

    /// That of the structure that the text defines under a name.
    fn structure(&mut self, name: &str) -> Option<Size> {
        let words = ["struct", "class", "union"];
        for at in 0..self.tokens.len() {
            let Some(word) = words.iter().find(|word| self.is_name(at, word)) else {
                continue;
            };
            let (mut named, mut align) = (at + 1, 1);
            while self.is_name(named, "__align__") || self.is_name(named, "alignas") {
                let close = self.closing(named + 1)?;
                let inside = named + 2..close;
                let given = self.deeper(|folder| folder.inside(inside))?;
                align = align.max(u64::try_from(given).ok()?);
                named = close + 1;
            }
            if self.is_name(named, name) && self.is(named + 1, "{") {
                let is_union = **word == *"union";
                return self.members(named + 1, is_union, align);
            }
        }
        None
    }

    /// That of the members in the braces that open at `open`.
    fn members(&mut self, open: usize, is_union: bool, align: u64) -> Option<Size> {
        let close = self.brace(open)?;
        let (mut end, mut all, mut at) = (0_u64, align, open + 1);
        while at < close {
            let labels = ["public", "private", "protected"];
            if labels.iter().any(|word| self.is_name(at, word)) && self.is(at + 1, ":") {
                at += 2;
                continue;
            }
            let mut stop = at;
            while !(self.is(stop, ";") || self.is(stop, "{") || self.is(stop, "(")) {
                stop += 1;
                if stop > close {
                    return None;
                }
            }
            let is_roomless = ROOMLESS.iter().any(|word| self.is_name(at, word));
            if self.is_name(at, "virtual") {
                return None;
            }
            if !self.is(stop, ";") || is_roomless {
                at = self.behind_function(stop, close)?;
                continue;
            }
            for (size, count) in self.declared(at..stop)? {
                all = all.max(size.align);
                let bytes = size.bytes.checked_mul(count)?;
                end = match is_union {
                    true => end.max(bytes),
                    false => end
                        .checked_next_multiple_of(size.align)?
                        .checked_add(bytes)?,
                };
            }
            at = stop + 1;
        }
        Some(Size {
            bytes: end.max(1).checked_next_multiple_of(all)?,
            align: all,
        })
    }

    /// The token behind a function, or behind what ends with a `;`.
    fn behind_function(&self, mut at: usize, close: usize) -> Option<usize> {
        while at < close {
            if self.is(at, ";") {
                return Some(at + 1);
            }
            if self.is(at, "{") {
                return Some(self.brace(at)? + 1);
            }
            at = match self.is(at, "(") {
                true => self.closing(at)? + 1,
                false => at + 1,
            };
        }
        None
    }

    /// The members that one declaration makes: of each the size of an element, and how many there are.
    fn declared(&mut self, part: Range<usize>) -> Option<Vec<(Size, u64)>> {
        let is_name = |folder: &Self, at: usize| {
            matches!(
                folder.tokens.get(at).map(|token| &token.kind),
                Some(Kind::Name(_))
            )
        };
        let is_end = |at: usize, folder: &Self| {
            at >= part.end || folder.is(at, ",") || folder.is(at, "[") || folder.is(at, "=")
        };
        let mut name = part
            .clone()
            .find(|at| is_name(self, *at) && is_end(at + 1, self))?;
        let mut first = name;
        while self.is(first - 1, "*") {
            first -= 1;
        }
        let ty = self.type_size(part.start..first)?;
        let mut found = Vec::new();
        loop {
            let size = match self.is(name - 1, "*") {
                true => Size { bytes: 8, align: 8 },
                false => ty,
            };
            let mut end = name + 1;
            while end < part.end && self.is(end, "[") {
                end = self.closing(end)? + 1;
            }
            let count = self.elements(name + 1, end)?;
            found.push((size, count));
            if end >= part.end {
                return Some(found);
            }
            // A bit field, or a value in braces, is left open.
            if !self.is(end, ",") {
                return None;
            }
            name = end + 1;
            while self.is(name, "*") {
                name += 1;
            }
            if !is_name(self, name) {
                return None;
            }
        }
    }

    /// The brace that closes the one at `open`, statements in it.
    fn brace(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match &token.kind {
                Kind::Punct("{") => depth += 1,
                Kind::Punct("}") => depth = depth.checked_sub(1)?,
                Kind::End => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }
}
