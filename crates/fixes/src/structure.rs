//! A structure's array as one array for each of its fields.

use std::ops::Range;

use crate::Edit;
use crate::lexical::{Lexical, indentation};
use crate::record_split::Record;
use crate::rewrite::Uses;

/// The changes that split the shared array `array` of structures.
pub(crate) fn split_shared(
    text: &str,
    code: &Lexical,
    uses: &Uses,
    array: &str,
    structure: &Record,
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

/// `array[i].field` to `array_field[i]`, everywhere.
fn split_uses(
    code: &Lexical,
    uses: &[(usize, Vec<Range<usize>>)],
    array: &str,
    structure: &Record,
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
    use lanescope_frontend::{Language, Span};

    use super::*;
    use crate::apply;
    use crate::code::Code;

    const VEC3: &str = "struct vec3 { float x, y; float z; };\n";

    fn uses(code: &Lexical, text: &str) -> Uses {
        let start = text.find("s[256]").unwrap();
        Uses::of(code, "s", Span::new(start, start + 1), Language::Cuda).unwrap()
    }

    #[test]
    fn shared_structures_are_split() {
        let text = format!("{VEC3}{{\n  __shared__ vec3 s[256];\n  s[t].x = s[ 2 * t ] . z;\n}}");
        let code = Lexical::of(&text);
        let structure = Record::find(&Code::of(&text, &[]), "vec3").unwrap();
        let uses = uses(&code, &text);
        let edits = split_shared(&text, &code, &uses, "s", &structure).unwrap();
        let expected = "{\n  __shared__ float s_x[256];\n  __shared__ float s_y[256];\n  __shared__ float s_z[256];\n  s_x[t] = s_z[ 2 * t ] ;\n}";
        assert_eq!(apply(&text, &edits).unwrap(), format!("{VEC3}{expected}"));
    }

    #[test]
    fn whole_structures_cannot_be_split() {
        let text = format!("{VEC3}{{ __shared__ vec3 s[256]; s[t] = s[u]; }}");
        let code = Lexical::of(&text);
        let structure = Record::find(&Code::of(&text, &[]), "vec3").unwrap();
        let uses = uses(&code, &text);
        assert_eq!(split_shared(&text, &code, &uses, "s", &structure), None);
    }
}
