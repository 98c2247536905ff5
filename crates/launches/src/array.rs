//! Contents of arrays: NumPy's `.npy`, or bytes of a named type.
//!
//! ```text
//! file   = "\x93NUMPY" major minor length header data
//! length = two bytes of version 1, four of versions 2 and 3, little endian
//! header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"
//! ```

use std::fmt;

/// What the numbers of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Whole numbers with a sign, or without; truth values too.
    Integer,
    /// Binary floating-point numbers of IEEE 754.
    Float,
}

/// Type of an array's numbers, as in `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberType {
    /// What they are.
    pub kind: NumberKind,
    /// Bytes of one: 1, 2, 4 or 8.
    pub bytes: u8,
}

impl NumberType {
    /// The type of a name as in `f32`, `u8` or `i64`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (kind, bytes) = match name {
            "u8" | "i8" => (NumberKind::Integer, 1),
            "u16" | "i16" => (NumberKind::Integer, 2),
            "u32" | "i32" => (NumberKind::Integer, 4),
            "u64" | "i64" => (NumberKind::Integer, 8),
            "f16" => (NumberKind::Float, 2),
            "f32" => (NumberKind::Float, 4),
            "f64" => (NumberKind::Float, 8),
            _ => return None,
        };
        Some(Self { kind, bytes })
    }

    /// The type of a `descr` of NumPy as in `<f4`, where its bytes are little endian.
    fn described(descr: &str) -> Option<Self> {
        let (order, code) = descr.split_at_checked(1)?;
        let (kind, bytes) = code.split_at_checked(1)?;
        let bytes: u8 = bytes.parse().ok()?;
        let kind = match (kind, bytes) {
            ("f", 2 | 4 | 8) => NumberKind::Float,
            ("i" | "u", 1 | 2 | 4 | 8) | ("b", 1) => NumberKind::Integer,
            _ => return None,
        };
        (order == "<" || order == "|" && bytes == 1).then_some(Self { kind, bytes })
    }
}

impl fmt::Display for NumberType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            NumberKind::Integer => "integers",
            NumberKind::Float => "floats",
        };
        write!(out, "{kind} of {} bits", 8 * u32::from(self.bytes))
    }
}

/// Contents of an array, as they lie in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayContents {
    /// Type of its numbers.
    pub of: NumberType,
    /// The numbers' bytes, little endian.
    pub bytes: Vec<u8>,
}

/// Why a file gives no contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayError {
    /// It does not begin as NumPy's files do.
    NotNumpy,
    /// Its header ends early or cannot be read.
    Header,
    /// Its numbers are of a type that is not read.
    Type {
        /// The type, as the file has it.
        descr: String,
    },
    /// Its columns, not its rows, are contiguous.
    ColumnMajor,
    /// It has fewer or more bytes than its shape says, or no whole number of numbers.
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be; without a shape, what they should be a multiple of.
        expected: u64,
    },
}

impl fmt::Display for ArrayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNumpy => out.write_str(
                "is no .npy file; say the type of raw bytes after a colon, as in `@file.bin:f32`",
            ),
            Self::Header => {
                out.write_str("has a header that cannot be read; write it anew with numpy.save")
            }
            Self::Type { descr } => write!(
                out,
                "holds `{descr}`, which is not read; save a plain little-endian type, as in \
                 numpy.save(path, a.astype('<f4'))"
            ),
            Self::ColumnMajor => out.write_str(
                "is stored column by column; save it with numpy.ascontiguousarray, in the order in which the kernel reads it",
            ),
            Self::Length { found, expected } => write!(
                out,
                "has {found} bytes of numbers, which is not {expected} or a multiple of its type's; write the whole array"
            ),
        }
    }
}

impl std::error::Error for ArrayError {}

impl ArrayContents {
    /// Raw bytes of numbers of a type.
    ///
    /// # Errors
    /// When the last number is cut off.
    pub fn raw(of: NumberType, bytes: Vec<u8>) -> Result<Self, ArrayError> {
        let (found, expected) = (bytes.len() as u64, u64::from(of.bytes));
        if found % expected.max(1) != 0 {
            return Err(ArrayError::Length { found, expected });
        }
        Ok(Self { of, bytes })
    }

    /// What a `.npy` file holds.
    ///
    /// # Errors
    /// When it is none, or its numbers are not plain ones in rows.
    pub fn of_npy(file: &[u8]) -> Result<Self, ArrayError> {
        let rest = file
            .strip_prefix(b"\x93NUMPY")
            .ok_or(ArrayError::NotNumpy)?;
        let (header, data) = header(rest).ok_or(ArrayError::Header)?;
        let descr = field(header, "'descr'").ok_or(ArrayError::Header)?;
        let text = descr
            .strip_prefix('\'')
            .and_then(|rest| rest.split('\'').next());
        let of = text
            .and_then(NumberType::described)
            .ok_or_else(|| ArrayError::Type {
                descr: text
                    .unwrap_or_else(|| descr.split(", '").next().unwrap_or(descr))
                    .to_owned(),
            })?;
        let sides = field(header, "'shape'")
            .and_then(shape)
            .ok_or(ArrayError::Header)?;
        let is_column_major = field(header, "'fortran_order'")
            .ok_or(ArrayError::Header)?
            .starts_with("True");
        if is_column_major && sides.iter().filter(|side| **side > 1).count() > 1 {
            return Err(ArrayError::ColumnMajor);
        }
        let expected = sides
            .iter()
            .fold(u64::from(of.bytes), |all, side| all.saturating_mul(*side));
        let found = data.len() as u64;
        if found != expected {
            return Err(ArrayError::Length { found, expected });
        }
        Ok(Self {
            of,
            bytes: data.to_vec(),
        })
    }
}

/// The header's text and what follows it.
fn header(rest: &[u8]) -> Option<(&str, &[u8])> {
    let (version, rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = match version {
        [1, _] => {
            let (length, rest) = rest.split_first_chunk::<2>()?;
            (u32::from(u16::from_le_bytes(*length)), rest)
        }
        [2 | 3, _] => {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            (u32::from_le_bytes(*length), rest)
        }
        _ => return None,
    };
    let (header, data) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

/// What follows a key of the header.
fn field<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let (_, rest) = header.split_once(key)?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// `(3, 4)` as numbers.
fn shape(text: &str) -> Option<Vec<u64>> {
    let (inner, _) = text.strip_prefix('(')?.split_once(')')?;
    let sides = inner
        .split(',')
        .map(str::trim)
        .filter(|side| !side.is_empty());
    sides.map(|side| side.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of this header and these bytes.
    fn npy(header: &str, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).expect("a short header");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend(length.to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        file
    }

    #[test]
    fn numbers_are_read_as_numpy_saves_them() {
        let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }   \n";
        let data: Vec<u8> = (0..12).collect();
        let read = ArrayContents::of_npy(&npy(header, &data)).expect("it is read");
        assert_eq!(read.of, NumberType::named("i16").expect("a type"));
        assert_eq!(read.bytes, data);
        let vector = "{'descr': '|u1', 'fortran_order': True, 'shape': (12,), }\n";
        assert!(ArrayContents::of_npy(&npy(vector, &data)).is_ok());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let data = [0; 24];
        let of = |descr: &str, order: &str| {
            let header =
                format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': (2, 3), }}\n");
            ArrayContents::of_npy(&npy(&header, &data)).map(|read| read.of)
        };
        let unread = |descr: &str| {
            Err(ArrayError::Type {
                descr: descr.to_owned(),
            })
        };
        assert_eq!(of("'>f4'", "False"), unread(">f4"));
        assert_eq!(of("'|O'", "False"), unread("|O"));
        assert_eq!(of("'<c8'", "False"), unread("<c8"));
        assert!(of("[('x', '<f4')]", "False").is_err());
        assert_eq!(of("'<f4'", "True"), Err(ArrayError::ColumnMajor));
        let length = ArrayError::Length {
            found: 24,
            expected: 48,
        };
        assert_eq!(of("'<f8'", "False"), Err(length));
        assert_eq!(ArrayContents::of_npy(b"1 2 3"), Err(ArrayError::NotNumpy));
    }

    #[test]
    fn files_cut_off_anywhere_are_errors() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
        let whole = npy(header, &[0; 8]);
        assert!(ArrayContents::of_npy(&whole).is_ok());
        for end in 0..whole.len() {
            let part = whole.get(..end).expect("a part");
            assert!(ArrayContents::of_npy(part).is_err(), "{end}");
        }
    }

    #[test]
    fn raw_bytes_are_whole_numbers_of_a_type() {
        let of = NumberType::named("f32").expect("a type");
        assert!(ArrayContents::raw(of, vec![0; 8]).is_ok());
        assert!(ArrayContents::raw(of, vec![0; 7]).is_err());
        assert_eq!(NumberType::named("f31"), None);
    }
}
