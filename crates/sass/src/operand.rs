//! Operands of a SASS instruction.
//!
//! ```text
//! operand  = { "-" | "~" | "!" } ( "|" value "|" | value ) { "." suffix }
//! value    = register | predicate | barrier | integer | number | constant | memory | code | word
//! register = ( "R" | "UR" ) ( digits | "Z" )        predicate = ( "P" | "UP" ) ( digits | "T" )
//! constant = "c[" integer "][" sum "]" | "cx[" register "][" sum "]"
//! memory   = [ "desc[" register "]" ] "[" [ sum ] "]"
//! sum      = term { "+" term }                      term = register { "." suffix } | integer
//! code     = "`(" label ")"
//! ```

/// A register file of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum File {
    /// One value a lane.
    General,
    /// One value a warp.
    Uniform,
}

/// A register in an address or an operand; without an index it is the zero register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// Its file.
    pub(crate) file: File,
    /// Its number; `None` is `RZ` or `URZ`.
    pub(crate) index: Option<u8>,
}

/// A register in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// The register.
    pub(crate) name: Name,
    /// Bits it is shifted left by (`.X4`: 2).
    pub(crate) shift: u8,
    /// Whether it is a pair (`.64`).
    pub(crate) is_pair: bool,
    /// Whether it is said to have 32 bits (`.U32`).
    pub(crate) is_word: bool,
    /// Whether it is subtracted.
    pub(crate) negated: bool,
}

/// Registers and a constant, added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Its registers.
    pub(crate) terms: Vec<Term>,
    /// Its constant.
    pub(crate) offset: i64,
}

/// What an operand names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind<'a> {
    /// A register.
    Register(Name),
    /// A predicate; without an index it is true.
    Predicate(Name),
    /// A convergence barrier.
    Barrier(u8),
    /// A hexadecimal integer, as 64 bits of two's complement.
    Integer(i64),
    /// A decimal number.
    Number(f64),
    /// A place in a constant bank; without a bank it is one that only a register names.
    Constant(Option<u32>, Sum),
    /// A place in memory.
    Memory(Sum),
    /// A label.
    Code(&'a str),
    /// A special register or another word.
    Word(&'a str),
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Operand<'a> {
    /// What it names.
    pub(crate) kind: Kind<'a>,
    /// Whether it is negated (`-`).
    pub(crate) negated: bool,
    /// Whether it is complemented (`~`, or `!` of a predicate).
    pub(crate) inverted: bool,
    /// Whether its absolute value is taken.
    pub(crate) absolute: bool,
    /// What follows it, with its dot, as in `.H0_H0`.
    pub(crate) suffix: &'a str,
}

/// The most operands of an instruction that are read.
const MOST_OPERANDS: usize = 24;

/// The operands of an instruction's text behind its opcode.
pub(crate) fn operands(text: &str) -> Vec<Operand<'_>> {
    let mut list = Vec::new();
    let mut depth = 0_u32;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' | ' ' | '\t' if depth == 0 => {
                push(&mut list, text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    push(&mut list, text.get(start..));
    list
}

fn push<'a>(list: &mut Vec<Operand<'a>>, text: Option<&'a str>) {
    let text = text.unwrap_or_default().trim();
    if !text.is_empty() && list.len() < MOST_OPERANDS {
        list.push(operand(text));
    }
}

/// One operand.
fn operand(text: &str) -> Operand<'_> {
    let mut rest = text;
    let (mut negated, mut inverted) = (false, false);
    let is_immediate = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    loop {
        match rest.as_bytes() {
            [b'-', ..] if !is_immediate(rest.get(1..).unwrap_or_default()) => negated = !negated,
            [b'~' | b'!', ..] => inverted = !inverted,
            _ => break,
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    let absolute = rest.starts_with('|');
    let (value, suffix) = if absolute {
        let inner = rest.get(1..).unwrap_or_default();
        let (value, behind) = inner.split_once('|').unwrap_or((inner, ""));
        let (value, within) = split(value);
        (value, if within.is_empty() { behind } else { within })
    } else {
        split(rest)
    };
    let kind = match kind(value) {
        Kind::Number(value) if std::mem::take(&mut negated) => Kind::Number(-value),
        kind => kind,
    };
    Operand {
        kind,
        negated,
        inverted,
        absolute,
        suffix: suffix.strip_suffix(".reuse").unwrap_or(suffix),
    }
}

/// A value and its suffixes, which numbers and words that begin with a dot have none of.
fn split(text: &str) -> (&str, &str) {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.`".contains(c));
    if is_number || text.starts_with("SR_") || text.contains('@') {
        return (text, "");
    }
    let behind = text.rfind(']').map_or(0, |at| at + 1);
    match text.get(behind..).and_then(|tail| tail.find('.')) {
        Some(at) => text.split_at(behind + at),
        None => (text, ""),
    }
}

fn kind(text: &str) -> Kind<'_> {
    if let Some(label) = text.strip_prefix("`(") {
        return Kind::Code(label.strip_suffix(')').unwrap_or(label));
    }
    if let Some(at) = text.find('[') {
        return bracketed(text, at);
    }
    if let Some(name) = register(text) {
        return Kind::Register(name);
    }
    if let Some(name) = predicate(text) {
        return Kind::Predicate(name);
    }
    if let Some(barrier) = text.strip_prefix('B').and_then(|index| index.parse().ok()) {
        return Kind::Barrier(barrier);
    }
    if let Some(integer) = integer(text).filter(|_| text.contains(['x', 'X'])) {
        return Kind::Integer(integer);
    }
    number(text).map_or(Kind::Word(text), Kind::Number)
}

fn bracketed(text: &str, open: usize) -> Kind<'_> {
    let (head, rest) = text.split_at(open);
    let mut inside = rest
        .split('[')
        .filter_map(|part| part.split_once(']'))
        .map(|(inner, _)| inner);
    let (first, second) = (inside.next(), inside.next());
    match (head, first, second) {
        ("c", Some(bank), Some(place)) => {
            let bank = integer(bank.trim()).and_then(|bank| u32::try_from(bank).ok());
            sum(place).map_or(Kind::Word(text), |sum| Kind::Constant(bank, sum))
        }
        ("cx", Some(_), Some(place)) => {
            sum(place).map_or(Kind::Word(text), |sum| Kind::Constant(None, sum))
        }
        ("desc", Some(_), Some(place)) | ("", Some(place), None) => {
            sum(place).map_or(Kind::Word(text), Kind::Memory)
        }
        _ => Kind::Word(text),
    }
}

/// The registers and the constant of an address; `None` where one part is neither.
fn sum(text: &str) -> Option<Sum> {
    let mut sum = Sum::default();
    for part in text
        .split('+')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        match integer(part) {
            Some(value) => sum.offset = sum.offset.wrapping_add(value),
            None => sum.terms.push(term(part)?),
        }
    }
    Some(sum)
}

fn term(text: &str) -> Option<Term> {
    let (text, negated) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let mut parts = text.split('.');
    let mut term = Term {
        name: register(parts.next()?)?,
        shift: 0,
        is_pair: false,
        is_word: false,
        negated,
    };
    for suffix in parts {
        match suffix {
            "64" => term.is_pair = true,
            "U32" | "32" => term.is_word = true,
            "X4" => term.shift = 2,
            "X8" => term.shift = 3,
            "X16" => term.shift = 4,
            "reuse" => {}
            _ => return None,
        }
    }
    Some(term)
}

fn register(text: &str) -> Option<Name> {
    let (file, index) = match text.strip_prefix("UR") {
        Some(index) => (File::Uniform, index),
        None => (File::General, text.strip_prefix('R')?),
    };
    numbered(file, index, "Z")
}

/// A predicate's name, as in `P0`, `UPT`.
pub(crate) fn predicate(text: &str) -> Option<Name> {
    let (file, index) = match text.strip_prefix("UP") {
        Some(index) => (File::Uniform, index),
        None => (File::General, text.strip_prefix('P')?),
    };
    numbered(file, index, "T").filter(|name| name.index.is_none_or(|index| index < 8))
}

fn numbered(file: File, index: &str, none: &str) -> Option<Name> {
    let index = if index == none {
        None
    } else {
        let digits = index.starts_with(|c: char| c.is_ascii_digit());
        Some(index.parse().ok().filter(|_| digits)?)
    };
    Some(Name { file, index })
}

/// `0x1f`, `-0x1f`, and decimal digits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    };
    let magnitude = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    let value = magnitude.cast_signed();
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

fn number(text: &str) -> Option<f64> {
    let bare = text.trim_start_matches(['+', '-']);
    let value = match bare {
        "INF" => f64::INFINITY,
        "QNAN" | "NAN" | "SNAN" => f64::NAN,
        _ if bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') => bare.parse().ok()?,
        _ => return None,
    };
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Operand<'_> {
        let mut list = operands(text);
        assert_eq!(list.len(), 1, "{text}");
        list.remove(0)
    }

    const R2: Name = Name {
        file: File::General,
        index: Some(2),
    };
    const UR4: Name = Name {
        file: File::Uniform,
        index: Some(4),
    };

    #[test]
    fn registers_carry_their_signs_and_suffixes() {
        assert_eq!(one("R2").kind, Kind::Register(R2));
        assert!(one("-R2").negated && one("~R2").inverted);
        let half = one("-|R2.reuse|.H1_H1");
        assert!(half.negated && half.absolute);
        assert_eq!(one("R2.H0_H0.reuse").suffix, ".H0_H0");
        assert_eq!(
            one("URZ").kind,
            Kind::Register(Name {
                file: File::Uniform,
                index: None
            })
        );
        assert!(one("!PT").inverted);
        assert_eq!(one("B6").kind, Kind::Barrier(6));
    }

    #[test]
    fn immediates_are_integers_or_numbers() {
        assert_eq!(one("-0x10").kind, Kind::Integer(-16));
        assert_eq!(one("0xffffffff").kind, Kind::Integer(0xffff_ffff));
        assert_eq!(one("-INF").kind, Kind::Number(f64::NEG_INFINITY));
        assert_eq!(one("1.5e-3").kind, Kind::Number(1.5e-3));
        assert_eq!(one("SR_TID.X").kind, Kind::Word("SR_TID.X"));
        assert_eq!(one("`(.L_x_1)").kind, Kind::Code(".L_x_1"));
    }

    #[test]
    fn addresses_are_sums() {
        let word = |name| Term {
            name,
            shift: 0,
            is_pair: false,
            is_word: false,
            negated: false,
        };
        let pair = Term {
            is_pair: true,
            ..word(R2)
        };
        let memory = |terms, offset| Kind::Memory(Sum { terms, offset });
        assert_eq!(one("desc[UR4][R2.64+0x10]").kind, memory(vec![pair], 16));
        assert_eq!(
            one("[R2+UR4+-0x8]").kind,
            memory(vec![word(R2), word(UR4)], -8)
        );
        assert_eq!(
            one("[R2.X4]").kind,
            memory(
                vec![Term {
                    shift: 2,
                    ..word(R2)
                }],
                0
            )
        );
        assert_eq!(one("[0x10c]").kind, memory(vec![], 0x10c));
        assert_eq!(
            one("-c[0x0][0x168]").kind,
            Kind::Constant(
                Some(0),
                Sum {
                    terms: vec![],
                    offset: 0x168
                }
            )
        );
        assert_eq!(
            one("c[0x3][R2+0x4]").kind,
            Kind::Constant(
                Some(3),
                Sum {
                    terms: vec![word(R2)],
                    offset: 4
                }
            )
        );
    }

    #[test]
    fn spaces_part_operands() {
        assert_eq!(operands("R4 -0x2e0").len(), 2);
        assert_eq!(operands("P0, PT, R0, c[0x0][0x170], PT").len(), 5);
        assert!(operands(" ").is_empty());
    }
}
