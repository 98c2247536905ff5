//! A binding of WGSL whose elements are structures, as one binding for each of their fields.

use lanescope_frontend::SourceArray;
use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::{Sink, Span, lexer};

use crate::Edit;
use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::Code;
use crate::indentation::indentation;
use crate::record::Watch;
use crate::record_split::{Field, Record, RecordValue, split_uses};
use crate::wgsl_uses::closing;
use crate::{FixKind, Proof};

/// Bytes of a field.
const WORD: u64 = 4;

/// Numbers that fields are.
const NUMBERS: [&str; 3] = ["f32", "i32", "u32"];

impl<'a> Advisor<'a, '_> {
    /// A binding for each field of the structures that `array` has.
    pub(crate) fn split_binding(&mut self, array: &'a SourceArray) {
        let text = self.text.clone();
        let Some(code) = Code::of_wgsl(&text) else {
            return;
        };
        let tokens = lexer::lex(&text, &mut Sink::deaf());
        let Some(binding) = Binding::of(&tokens, &array.name, array.span) else {
            return;
        };
        let Some(structure) = structure(&tokens, &binding.element)
            .filter(|structure| structure.bytes == array.element_bytes)
        else {
            return;
        };
        if let Some((edits, structure)) = binding.split(&code, structure) {
            self.prove_bindings(array, &structure, edits);
        }
    }

    /// Each thread touches the same fields in the same order; what it asks of other bindings may stand between two of them
    /// that were one structure.
    fn prove_bindings(&mut self, array: &'a SourceArray, structure: &Record, edits: Vec<Edit>) {
        self.plan(1);
        let name = array.name.as_str();
        let of_field = |field: &Field| (format!("{name}_{}", field.name), field.bytes);
        let mut pieces: Vec<_> = structure.fields.iter().map(of_field).collect();
        pieces.push((name.to_owned(), WORD));
        let origin = |named: &str| structure.origin(named, name);
        let change = Change {
            array: Some(array),
            ..Change::whole(
                FixKind::SplitGlobal,
                edits,
                self.launch_of_fields(array, structure),
            )
        };
        let watch = Watch::from(&origin).with_ordered_pieces(&pieces);
        self.prove(change, &watch, Proof::SameAccesses);
    }
}

/// `@group(0) @binding(1) var<storage, read> points: array<Point>;`, by its tokens.
struct Binding<'t> {
    tokens: &'t [Token],
    /// The first, and the `;` behind it.
    first: usize,
    end: usize,
    name: usize,
    /// The number of the binding.
    number: usize,
    /// The type of the elements.
    element: String,
    /// Where that stands.
    element_at: usize,
}

impl<'t> Binding<'t> {
    /// That of the storage buffer `name`, which is declared at a place.
    fn of(tokens: &'t [Token], name: &str, declared: Span) -> Option<Self> {
        let is_declared = |one: &Token| {
            one.is_name(name) && one.span.start <= declared.end && one.span.end >= declared.start
        };
        let name = tokens.iter().position(is_declared)?;
        let ends = |one: &Token| one.is(";") || one.is("}");
        let first = tokens.get(..name)?.iter().rposition(ends);
        let first = first.map_or(0, |at| at + 1);
        let behind = tokens.get(name..)?.iter().position(|one| one.is(";"))?;
        let attributes = tokens.get(first..name)?;
        let is_storage = attributes.iter().any(|one| one.is_name("storage"));
        let number = attributes.iter().position(|one| one.is_name("binding"))?;
        let [colon, word, open, element, next, ..] = tokens.get(name + 1..)? else {
            return None;
        };
        let is_array = is_storage && colon.is(":") && word.is_name("array") && open.is("<");
        let Kind::Name(element) = &element.kind else {
            return None;
        };
        (is_array && (next.is(">") || next.is(","))).then(|| Self {
            tokens,
            first,
            end: name + behind,
            name,
            number: first + number + 2,
            element: element.to_string(),
            element_at: name + 4,
        })
    }

    /// The changes that make it several, one for each field that is used, and the structure with these fields; `None` where a
    /// number of a binding is no literal, or a whole structure is used where none can be made.
    fn split(&self, code: &Code<'_>, mut structure: Record) -> Option<(Vec<Edit>, Record)> {
        let name = code.at(self.tokens.get(self.name)?.span);
        let mut edits = Vec::new();
        for function in code.functions() {
            edits.extend(split_uses(code, function, name, &structure)?);
        }
        let is_used = |field: &Field| {
            let piece = format!("_{}", field.name);
            let whole = format!("{name}{piece}[");
            edits
                .iter()
                .any(|edit: &Edit| edit.replacement == piece || edit.replacement.contains(&whole))
        };
        structure.fields.retain(is_used);
        let mut free = self.free_number(code)?;
        let mut pieces = Vec::new();
        for (field, at) in structure.fields.iter().zip(0_u32..) {
            let number = match at {
                0 => code.at(self.tokens.get(self.number)?.span).to_owned(),
                _ => free.to_string(),
            };
            free += u64::from(at > 0);
            pieces.push(self.piece(code, &number, field)?);
        }
        let start = self.tokens.get(self.first)?.span.start as usize;
        let end = self.tokens.get(self.end)?.span.end as usize;
        let indent = indentation(code.text(), start);
        let declared = pieces.join(&format!("\n{indent}"));
        edits.push(Edit::new(start, end, declared));
        Some((edits, structure))
    }

    /// The least number that is free in every group.
    fn free_number(&self, code: &Code<'_>) -> Option<u64> {
        let mut free = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            let is_attribute = at > 0 && self.tokens.get(at - 1)?.is("@");
            if is_attribute && token.is_name("binding") {
                let number = code.at(self.tokens.get(at + 2)?.span);
                let number = number.trim_end_matches(['u', 'i']).parse::<u64>().ok()?;
                free = free.max(number + 1);
            }
        }
        Some(free)
    }

    /// The declaration with the number, the name and the type of a field's own.
    fn piece(&self, code: &Code<'_>, number: &str, field: &Field) -> Option<String> {
        let mut text = String::new();
        let mut from = self.tokens.get(self.first)?.span.start;
        for (at, put) in [
            (self.number, number.to_owned()),
            (self.name, format!("_{}", field.name)),
            (self.element_at, field.ty.clone()),
        ] {
            let span = self.tokens.get(at)?.span;
            let keeps = if at == self.name {
                span.end
            } else {
                span.start
            };
            text += code.text().get(from as usize..keeps as usize)?;
            text += &put;
            from = span.end;
        }
        let end = self.tokens.get(self.end)?.span.end;
        text += code.text().get(from as usize..end as usize)?;
        Some(text)
    }
}

/// The structure of that name; `None` where it has anything but numbers of 4 bytes, one behind the other.
fn structure(tokens: &[Token], name: &str) -> Option<Record> {
    let at = tokens
        .windows(3)
        .position(|three| three[0].is_name("struct") && three[1].is_name(name))?;
    let open = at + 2;
    let close = closing(tokens, open)?;
    let mut fields = Vec::new();
    let members = tokens.get(open + 1..close)?.split(|one| one.is(","));
    for member in members.filter(|member| !member.is_empty()) {
        let [field, colon, number] = member else {
            return None;
        };
        let (Kind::Name(field), Kind::Name(number)) = (&field.kind, &number.kind) else {
            return None;
        };
        if !colon.is(":") || !NUMBERS.contains(&&**number) {
            return None;
        }
        fields.push(Field {
            name: field.to_string(),
            ty: number.to_string(),
            offset: WORD * fields.len() as u64,
            bytes: WORD,
        });
    }
    (fields.len() > 1).then(|| Record {
        name: name.to_owned(),
        bytes: WORD * fields.len() as u64,
        fields,
        value: RecordValue::Call,
        align_at: None,
    })
}

#[cfg(test)]
mod tests {
    use lanescope_syntax::{Sink, lexer};

    use super::{Binding, structure};
    use crate::apply;
    use crate::code::Code;

    const HEAD: &str = "struct P { x: f32, y: u32, }\n";

    fn split(declared: &str, body: &str) -> Option<String> {
        let text = format!("{HEAD}{declared}\n@compute @workgroup_size(64) fn main() {{ {body} }}");
        let tokens = lexer::lex(&text, &mut Sink::deaf());
        let name = tokens.iter().position(|one| one.is_name("p"))?;
        let code = Code::of_wgsl(&text)?;
        let binding = Binding::of(&tokens, "p", tokens[name].span)?;
        let (edits, _) = binding.split(&code, structure(&tokens, &binding.element)?)?;
        apply(&text, &edits)?.strip_prefix(HEAD).map(str::to_owned)
    }

    #[test]
    fn a_binding_becomes_one_for_each_field() {
        let declared = "@group(0) @binding(0) var<storage, read> p: array<P>;\n@group(0) @binding(1) var<storage> q: array<f32>;";
        let split_declared = "@group(0) @binding(0) var<storage, read> p_x: array<f32>;\n@group(0) @binding(2) var<storage, read> p_y: array<u32>;\n@group(0) @binding(1) var<storage> q: array<f32>;";
        for (body, after) in [
            (
                "let a = p[i].x + p[2u * i].y;",
                "let a = p_x[i] + p_y[2u * i];",
            ),
            ("let a = p[i];", "let a = P(p_x[i], p_y[i]);"),
            ("p[i] = P(1.0, 2u);", "p_x[i] = 1.0; p_y[i] = 2u;"),
            (
                "if i < arrayLength(&p) { f(p[i].y); }",
                "if i < arrayLength(&p_x) { f(p_y[i]); }",
            ),
        ] {
            let whole =
                format!("{split_declared}\n@compute @workgroup_size(64) fn main() {{ {after} }}");
            assert_eq!(split(declared, body), Some(whole), "{body}");
        }
        for body in ["let a = &p[i];", "f(&p);", "p[i] = p[j];"] {
            assert_eq!(split(declared, body), None, "{body}");
        }
        let one = split(declared, "let a = p[i].y;").unwrap();
        assert!(one.starts_with("@group(0) @binding(0) var<storage, read> p_y: array<u32>;"));
        assert!(!one.contains("p_x"), "{one}");
        // What a function reads of the structure is not to be written before.
        let reads = format!("{declared}\nfn y() -> u32 {{ return p[0].y; }}");
        for (body, splits) in [("p[i] = P(1.0, y());", false), ("p[i].y = y();", true)] {
            assert_eq!(split(&reads, body).is_some(), splits, "{body}");
        }
        assert_eq!(
            split("@group(0) @binding(N) var<storage> p: array<P>;", ""),
            None
        );
    }

    #[test]
    fn structures_of_anything_but_numbers_are_left() {
        for text in [
            "struct P { x: vec2<f32>, y: f32 }",
            "struct P { @align(16) x: f32, y: f32 }",
            "struct P { x: f32 }",
            "struct Q { x: f32, y: f32 }",
        ] {
            let tokens = lexer::lex(text, &mut Sink::deaf());
            assert_eq!(structure(&tokens, "P"), None, "{text}");
        }
    }
}
