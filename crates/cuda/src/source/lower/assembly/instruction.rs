//! Instructions of PTX as text.

use lanescope_model::Space;
use lanescope_syntax::scalar::Scalar;

/// One instruction of PTX.
pub(super) struct Instruction<'t> {
    /// The predicate that it is executed under, and whether it is negated.
    pub(super) guard: Option<(&'t str, bool)>,
    /// The mnemonic's parts.
    pub(super) parts: Vec<&'t str>,
    pub(super) arguments: Vec<&'t str>,
}

impl<'t> Instruction<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let mut rest = text.trim();
        let mut guard = None;
        if let Some(behind) = rest.strip_prefix('@') {
            let (name, after) = behind.split_once(char::is_whitespace)?;
            guard = Some((name.trim_start_matches('!'), name.starts_with('!')));
            rest = after.trim_start();
        }
        let (mnemonic, arguments) = rest
            .split_once(|c: char| c.is_whitespace() || c == '[' || c == '{')
            .map_or((rest, ""), |(mnemonic, _)| {
                (mnemonic, rest.get(mnemonic.len()..).unwrap_or(""))
            });
        Some(Self {
            guard,
            parts: mnemonic
                .split('.')
                .filter(|part| !part.is_empty())
                .collect(),
            arguments: split(arguments),
        })
    }

    pub(super) fn name(&self) -> &'t str {
        self.parts.first().copied().unwrap_or("")
    }

    pub(super) fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    /// Where a part of the mnemonic stands.
    pub(super) fn position(&self, part: &str) -> Option<usize> {
        self.parts.iter().position(|one| *one == part)
    }

    /// Where the mnemonic names shared memory.
    pub(super) fn position_of_shared(&self) -> Option<usize> {
        self.parts
            .iter()
            .position(|part| part.starts_with("shared"))
    }

    /// The type that it ends with.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        self.parts.iter().rev().find_map(|part| scalar_of(part))
    }

    /// The memory that it names.
    pub(super) fn space(&self) -> Option<Space> {
        self.parts.iter().find_map(|part| match *part {
            "shared" | "shared::cta" => Some(Space::Shared),
            "global" => Some(Space::Global),
            _ => None,
        })
    }
}

/// The labels before an instruction, and the instruction.
pub(super) fn labelled(text: &str) -> (Vec<&str>, &str) {
    let (mut labels, mut rest) = (Vec::new(), text.trim());
    while let Some((label, behind)) = rest.split_once(':') {
        let is_name = |c: char| c.is_alphanumeric() || "_$%=".contains(c);
        let label = label.trim();
        if label.is_empty() || behind.starts_with(':') || !label.chars().all(is_name) {
            break;
        }
        labels.push(label);
        rest = behind.trim_start().trim_start_matches(['{', '}']).trim();
    }
    (labels, rest)
}

/// Parts between commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut list) = (0_i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                list.push(text.get(from..at).unwrap_or("").trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(from..).unwrap_or("").trim();
    if !last.is_empty() {
        list.push(last);
    }
    list
}

/// What stands in brackets or braces, apart.
pub(super) fn inside(text: &str) -> Vec<&str> {
    let inner = text.trim().trim_start_matches(['[', '{']);
    split(inner.trim_end_matches([']', '}']))
}

pub(super) fn scalar_of(part: &str) -> Option<Scalar> {
    Some(match part {
        "pred" => Scalar::Bool,
        "u8" | "b8" => Scalar::U8,
        "s8" => Scalar::I8,
        "u16" | "b16" => Scalar::U16,
        "s16" => Scalar::I16,
        "f16" | "bf16" => Scalar::F16,
        "u32" | "b32" | "f16x2" | "bf16x2" | "tf32" => Scalar::U32,
        "s32" => Scalar::I32,
        "f32" => Scalar::F32,
        "u64" | "b64" => Scalar::U64,
        "s64" => Scalar::I64,
        "f64" => Scalar::F64,
        _ => return None,
    })
}

/// The text as the compiler reads it: without escapes and comments.
pub(super) fn plain(text: &str) -> String {
    let unescaped = text.replace("\\n", "\n").replace("\\t", " ");
    let lines = unescaped
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n").replace("%%", "%")
}

/// A number as registers hold it.
pub(super) fn number(text: &str, scalar: Scalar) -> Option<i64> {
    let (digits, negated) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let digits = digits.trim_end_matches('U');
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?.cast_signed(),
        None => digits.parse::<i64>().ok()?,
    };
    (!scalar.is_float()).then(|| scalar.wrap(if negated { value.wrapping_neg() } else { value }))
}
