//! The parameters of a kernel, by its demangled name.

/// A parameter's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterType {
    /// Bytes of the parameter.
    pub bytes: u32,
    /// Bytes of what it points to, 0 where that is not known; `None` where it is no pointer.
    pub element_bytes: Option<u64>,
}

/// The parameters in a demangled name such as `void f<float>(const T1 *, int)`; `None` where the name has none or one of
/// a type that the name does not tell the size of.
#[must_use]
pub fn parameter_types(name: &str) -> Option<Vec<ParameterType>> {
    let (head, list) = parameters(name)?;
    let arguments = template_arguments(head);
    if matches!(list.trim(), "" | "void") {
        return Some(Vec::new());
    }
    split(list)
        .into_iter()
        .map(|text| parameter(text, &arguments))
        .collect()
}

/// What stands before the last pair of parentheses, and in it.
fn parameters(name: &str) -> Option<(&str, &str)> {
    let inner = name.trim_end().strip_suffix(')')?;
    let mut depth = 1_u32;
    for (at, c) in inner.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inner.get(..at)?, inner.get(at + 1..)?));
        }
    }
    None
}

/// `float` and `(int)1` of `void f<float, (int)1>`: those of the last template, which is the function.
fn template_arguments(head: &str) -> Vec<&str> {
    let Some(inner) = head.trim_end().strip_suffix('>') else {
        return Vec::new();
    };
    let mut depth = 1_u32;
    for (at, c) in inner.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return split(inner.get(at + 1..).unwrap_or_default());
        }
    }
    Vec::new()
}

/// The parts between commas that no bracket encloses.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_u32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

fn parameter(text: &str, arguments: &[&str]) -> Option<ParameterType> {
    let text = bare(text);
    if let Some(pointee) = text.strip_suffix(['*', '&']) {
        return Some(ParameterType {
            bytes: 8,
            element_bytes: Some(element(pointee, arguments)),
        });
    }
    let bytes = scalar(resolved(&text, arguments)?)?;
    Some(ParameterType {
        bytes,
        element_bytes: None,
    })
}

fn element(pointee: &str, arguments: &[&str]) -> u64 {
    let pointee = bare(pointee);
    if pointee.ends_with('*') {
        return 8;
    }
    let bytes = resolved(&pointee, arguments).and_then(scalar);
    bytes.map_or(0, u64::from)
}

/// A type without qualifiers.
fn bare(text: &str) -> String {
    let words = text.replace('*', " * ").replace('&', " & ");
    let words = words
        .split_whitespace()
        .filter(|word| !matches!(*word, "const" | "volatile" | "__restrict__" | "restrict"));
    let joined: Vec<&str> = words.collect();
    joined.join(" ").replace(" *", "*").replace(" &", "&")
}

/// `T1` is the first template argument.
fn resolved<'a>(text: &'a str, arguments: &[&'a str]) -> Option<&'a str> {
    let number = text
        .strip_prefix('T')
        .and_then(|digits| digits.parse::<usize>().ok());
    match number {
        Some(number) => arguments.get(number.checked_sub(1)?).copied(),
        None => Some(text),
    }
}

/// Bytes of a scalar or vector type.
fn scalar(text: &str) -> Option<u32> {
    let plain = match text {
        "bool" | "char" | "signed char" | "unsigned char" | "__nv_fp8_e4m3" | "__nv_fp8_e5m2" => {
            Some(1)
        }
        "short" | "unsigned short" | "__half" | "half" | "__nv_bfloat16" => Some(2),
        "int" | "unsigned int" | "unsigned" | "float" | "__half2" | "__nv_bfloat162" => Some(4),
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" => Some(8),
        _ => None,
    };
    plain.or_else(|| vector(text))
}

/// `float4`: as many elements as the digit says, aligned to their whole size where that is a power of two.
fn vector(text: &str) -> Option<u32> {
    let count = text
        .chars()
        .last()?
        .to_digit(10)
        .filter(|count| (1..=4).contains(count))?;
    let element = match text.get(..text.len() - 1)? {
        "char" | "uchar" => 1,
        "short" | "ushort" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "longlong" | "ulonglong" | "double" => 8,
        _ => return None,
    };
    Some(element * count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_and_numbers_are_told_apart() {
        let pointer = |bytes| ParameterType {
            bytes: 8,
            element_bytes: Some(bytes),
        };
        let number = |bytes| ParameterType {
            bytes,
            element_bytes: None,
        };
        for (name, expected) in [
            ("f(const float *, int)", Some(vec![pointer(4), number(4)])),
            (
                "void g<double, (int)1>(const T1 *, T1, unsigned long)",
                Some(vec![pointer(8), number(8), number(8)]),
            ),
            (
                "h(float4 *, char **, S *)",
                Some(vec![pointer(16), pointer(8), pointer(0)]),
            ),
            ("k()", Some(vec![])),
            ("k(void)", Some(vec![])),
            ("k(S)", None),
            ("k(T2)", None),
            ("_Z1kPf", None),
            ("k", None),
            (")", None),
            ("", None),
        ] {
            assert_eq!(parameter_types(name), expected, "{name}");
        }
    }
}
