//! A structure's array as one array for each of its fields.

use std::ops::Range;

use crate::Edit;
use crate::lexical::{Lexical, indentation};
use crate::rewrite::Uses;

/// The bytes of the types that a field may have.
const SCALARS: &[(&str, u64)] = &[
    ("char", 1),
    ("bool", 1),
    ("uint8_t", 1),
    ("int8_t", 1),
    ("uchar", 1),
    ("short", 2),
    ("half", 2),
    ("__half", 2),
    ("ushort", 2),
    ("uint16_t", 2),
    ("int16_t", 2),
    ("int", 4),
    ("unsigned", 4),
    ("float", 4),
    ("uint", 4),
    ("uint32_t", 4),
    ("int32_t", 4),
    ("double", 8),
    ("uint64_t", 8),
    ("int64_t", 8),
    ("size_t", 8),
];

/// A structure's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Structure {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) bytes: u64,
}

/// One field of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) of: String,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

impl Structure {
    /// The definition of `name` with fields of plain types; `None` where there is no such.
    pub(crate) fn find(code: &Lexical, name: &str) -> Option<Self> {
        code.words("struct", 0..code.len())
            .into_iter()
            .find_map(|at| {
                let open = code.next(at, b'{')?;
                let close = code.closing(open)?;
                let head = code.text(at + "struct".len()..open);
                let tail = code.text(close + 1..code.next(close + 1, b';')?);
                let named = head.split_whitespace().last() == Some(name) || tail.trim() == name;
                if !named || head.contains(';') {
                    return None;
                }
                Self::of(name, &code.text(open + 1..close))
            })
    }

    fn of(name: &str, body: &str) -> Option<Self> {
        let mut fields = Vec::new();
        let (mut end, mut align) = (0_u64, 1);
        for line in body
            .split(';')
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            let mut names = line.split(',').map(str::trim);
            let (of, first) = names.next()?.rsplit_once(char::is_whitespace)?;
            let of = of.trim();
            let bytes = SCALARS
                .iter()
                .find(|(known, _)| *known == of)
                .map(|(_, bytes)| *bytes)?;
            for field in std::iter::once(first).chain(names) {
                if field.is_empty()
                    || !field
                        .chars()
                        .all(|sign| sign.is_alphanumeric() || sign == '_')
                {
                    return None;
                }
                let offset = end.div_ceil(bytes) * bytes;
                fields.push(Field {
                    name: field.to_owned(),
                    of: of.to_owned(),
                    offset,
                    bytes,
                });
                end = offset + bytes;
                align = align.max(bytes);
            }
        }
        let bytes = end.div_ceil(align) * align;
        (fields.len() > 1).then(|| Self {
            name: name.to_owned(),
            fields,
            bytes,
        })
    }

    /// The field whose own array is called `array`, where the structures' array is `base`.
    pub(crate) fn field_of(&self, array: &str, base: &str) -> Option<&Field> {
        let name = array.strip_prefix(base)?.strip_prefix('_')?;
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The changes that split the shared array `array` of structures.
pub(crate) fn split_shared(
    text: &str,
    code: &Lexical,
    uses: &Uses,
    array: &str,
    structure: &Structure,
) -> Option<Vec<Edit>> {
    let start = code
        .previous(uses.declared.start, b";{}\n")
        .map_or(0, |at| at + 1);
    let start = code.skip_blanks(start);
    let end = code.next(uses.declared.end, b';')? + 1;
    let statement = start..end;
    if code.next(start, b',').is_some_and(|comma| comma < end) {
        return None;
    }
    let of = *code
        .words(&structure.name, start..uses.declared.start)
        .last()?;
    let pieces = structure.fields.iter().map(|field| {
        let mut piece = text.get(start..of)?.to_owned();
        piece.push_str(&field.of);
        piece.push_str(text.get(of + structure.name.len()..uses.declared.start)?);
        piece.push_str(&format!("{array}_{}", field.name));
        piece.push_str(text.get(uses.declared.end..end)?);
        Some(piece)
    });
    let indent = indentation(text, start);
    let joined = pieces
        .collect::<Option<Vec<_>>>()?
        .join(&format!("\n{indent}"));
    let mut edits = vec![Edit::new(statement.start, statement.end, joined)];
    edits.extend(split_uses(
        code,
        &uses.indices,
        array,
        structure,
        uses.extents.len(),
    )?);
    Some(edits)
}

/// The changes that split a kernel's parameter that points to structures.
pub(crate) fn split_parameter(
    text: &str,
    code: &Lexical,
    parameter: Range<usize>,
    array: &str,
    structure: &Structure,
) -> Option<Vec<Edit>> {
    let name = *code
        .words(
            array,
            parameter.start..parameter.end.max(parameter.start + array.len()),
        )
        .first()?;
    let start = code.skip_blanks(code.previous(name, b"(,")? + 1);
    let end = (name..code.len()).find(|at| matches!(code.text(*at..at + 1).as_str(), "," | ")"))?;
    let of = *code.words(&structure.name, start..name).last()?;
    let pieces = structure.fields.iter().map(|field| {
        let mut piece = text.get(start..of)?.to_owned();
        piece.push_str(&field.of);
        piece.push_str(text.get(of + structure.name.len()..name)?);
        piece.push_str(&format!("{array}_{}", field.name));
        piece.push_str(text.get(name + array.len()..end)?);
        Some(piece)
    });
    let joined = pieces.collect::<Option<Vec<_>>>()?.join(", ");
    let mut edits = vec![Edit::new(start, end, joined)];
    let open = code
        .next(end + 1, b'{')
        .or_else(|| (end..code.len()).find(|at| code.text(*at..at + 1) == "{"))?;
    let close = code.closing(open)?;
    let uses = code.words(array, open..close);
    let uses: Vec<_> = uses
        .into_iter()
        .map(|at| (at, code.brackets(at + array.len())))
        .collect();
    edits.extend(split_uses(code, &uses, array, structure, 1)?);
    Some(edits)
}

/// `array[i].field` to `array_field[i]`, everywhere.
fn split_uses(
    code: &Lexical,
    uses: &[(usize, Vec<Range<usize>>)],
    array: &str,
    structure: &Structure,
    dimensions: usize,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for (start, groups) in uses {
        let last = groups
            .last()
            .filter(|_| groups.len() == dimensions.max(1))?;
        let dot = code.skip_blanks(last.end + 1);
        if code.text(dot..dot + 1) != "." {
            return None;
        }
        let member = code.skip_blanks(dot + 1);
        let field = structure.fields.iter().find(|field| {
            let end = member + field.name.len();
            let after = code.text(end..end + 1);
            code.text(member..end) == field.name
                && !after.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })?;
        let name_end = start + array.len();
        edits.push(Edit::new(name_end, name_end, format!("_{}", field.name)));
        edits.push(Edit::new(dot, member + field.name.len(), ""));
    }
    (!edits.is_empty()).then_some(edits)
}

#[cfg(test)]
mod tests {
    use lanescope_frontend::Span;

    use super::*;
    use crate::apply;

    const VEC3: &str = "struct vec3 { float x, y; float z; };\n";

    fn uses(code: &Lexical, text: &str) -> Uses {
        let start = text.find("s[256]").unwrap();
        Uses::of(code, "s", Span::new(start, start + 1)).unwrap()
    }

    #[test]
    fn layouts_follow_c() {
        let text = "typedef struct { char a; double b; short c; } mixed;";
        let structure = Structure::find(&Lexical::of(text), "mixed").unwrap();
        let offsets: Vec<_> = structure.fields.iter().map(|field| field.offset).collect();
        assert_eq!((offsets.as_slice(), structure.bytes), (&[0, 8, 16][..], 24));
    }

    #[test]
    fn shared_structures_are_split() {
        let text = format!("{VEC3}{{\n  __shared__ vec3 s[256];\n  s[t].x = s[ 2 * t ] . z;\n}}");
        let code = Lexical::of(&text);
        let structure = Structure::find(&code, "vec3").unwrap();
        let uses = uses(&code, &text);
        let edits = split_shared(&text, &code, &uses, "s", &structure).unwrap();
        let expected = "{\n  __shared__ float s_x[256];\n  __shared__ float s_y[256];\n  __shared__ float s_z[256];\n  s_x[t] = s_z[ 2 * t ] ;\n}";
        assert_eq!(apply(&text, &edits).unwrap(), format!("{VEC3}{expected}"));
    }

    #[test]
    fn whole_structures_cannot_be_split() {
        let text = format!("{VEC3}{{ __shared__ vec3 s[256]; s[t] = s[u]; }}");
        let code = Lexical::of(&text);
        let structure = Structure::find(&code, "vec3").unwrap();
        let uses = uses(&code, &text);
        assert_eq!(split_shared(&text, &code, &uses, "s", &structure), None);
    }

    #[test]
    fn parameters_are_split() {
        let text = format!(
            "{VEC3}__global__ void k(const vec3* __restrict__ p, float* out) {{\n  out[i] = p[i].x + p[i].z;\n}}"
        );
        let code = Lexical::of(&text);
        let structure = Structure::find(&code, "vec3").unwrap();
        let at = text.find("p, float").unwrap();
        let edits = split_parameter(&text, &code, at..at + 1, "p", &structure).unwrap();
        let expected = "__global__ void k(const float* __restrict__ p_x, const float* __restrict__ p_y, const float* __restrict__ p_z, float* out) {\n  out[i] = p_x[i] + p_z[i];\n}";
        assert_eq!(apply(&text, &edits).unwrap(), format!("{VEC3}{expected}"));
    }
}
