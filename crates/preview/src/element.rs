//! What arrays are of.

/// A type with a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// As a message shows it.
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Empty for a number.
    pub(crate) fields: Vec<Field>,
}

/// A field of a vector or a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) of: Element,
}

/// One-word types of numbers, each with the name it is shown by and its bytes.
const NUMBERS: [(&str, &str, u64); 18] = [
    ("float", "float", 4),
    ("double", "double", 8),
    ("half", "half", 2),
    ("int", "int", 4),
    ("unsigned", "unsigned", 4),
    ("char", "char", 1),
    ("short", "short", 2),
    ("bool", "bool", 1),
    ("uint", "unsigned", 4),
    ("uchar", "unsigned char", 1),
    ("ushort", "unsigned short", 2),
    ("f32", "float", 4),
    ("f64", "double", 8),
    ("i32", "int", 4),
    ("u32", "unsigned", 4),
    ("i64", "long long", 8),
    ("u64", "unsigned long long", 8),
    ("u8", "unsigned char", 1),
];

/// Bases of the vector types, with the name and the bytes of a part.
const VECTORS: [(&str, &str, u64); 8] = [
    ("float", "float", 4),
    ("double", "double", 8),
    ("int", "int", 4),
    ("uint", "unsigned", 4),
    ("char", "signed char", 1),
    ("uchar", "unsigned char", 1),
    ("short", "short", 2),
    ("ushort", "unsigned short", 2),
];

impl Element {
    fn number(name: &str, bytes: u64) -> Self {
        Self {
            name: name.into(),
            bytes,
            align: bytes,
            fields: Vec::new(),
        }
    }

    /// The type that one word names.
    pub(crate) fn named(word: &str) -> Option<Self> {
        if let Some((_, name, bytes)) = NUMBERS.iter().find(|(known, ..)| *known == word) {
            return Some(Self::number(name, *bytes));
        }
        let (base, count) = word.split_at_checked(word.len().checked_sub(1)?)?;
        let count: usize = count.parse().ok().filter(|count| (1..=4).contains(count))?;
        let (_, name, bytes) = VECTORS.iter().find(|(known, ..)| *known == base)?;
        Some(Self::vector(word, &Self::number(name, *bytes), count))
    }

    /// `unsigned char` and its kin.
    pub(crate) fn of_two(first: &str, second: &str) -> Option<Self> {
        let (name, bytes) = match (first, second) {
            ("unsigned", "char") => ("unsigned char", 1),
            ("unsigned", "short") => ("unsigned short", 2),
            ("unsigned", "int") => ("unsigned", 4),
            ("long", "long") => ("long long", 8),
            _ => return None,
        };
        Some(Self::number(name, bytes))
    }

    fn vector(name: &str, part: &Self, count: usize) -> Self {
        let names = ["x", "y", "z", "w"].iter().take(count);
        let parts = names.map(|name| ((*name).into(), part.clone())).collect();
        let whole = part.bytes * u64::try_from(count).unwrap_or(4);
        let align = if count == 3 {
            part.bytes
        } else {
            whole.min(16)
        };
        Self::structure(name, parts, align)
    }

    /// Fields one behind the other, as C places them.
    pub(crate) fn structure(name: &str, parts: Vec<(String, Self)>, least_align: u64) -> Self {
        let (mut offset, mut align) = (0_u64, least_align.max(1));
        let mut fields = Vec::new();
        for (name, of) in parts {
            align = align.max(of.align);
            offset = offset.next_multiple_of(of.align);
            let bytes = of.bytes;
            fields.push(Field { name, offset, of });
            offset += bytes;
        }
        Self {
            name: name.into(),
            bytes: offset.max(1).next_multiple_of(align),
            align,
            fields,
        }
    }

    /// The field with this name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
