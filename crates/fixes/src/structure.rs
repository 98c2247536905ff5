//! A structure's shared array as one array for each of its fields.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, StmtKind, TypeKind};

use crate::Edit;
use crate::code::{Code, base, every};
use crate::indentation::indentation;
use crate::record_split::Record;
use crate::uses::Uses;

/// The changes that split the shared array `array` of structures.
pub(crate) fn split_shared(
    code: &Code<'_>,
    uses: &Uses,
    array: &str,
    structure: &Record,
) -> Option<Vec<Edit>> {
    let declared = Span::new(uses.declared.start, uses.declared.end);
    let (declaration, _) = code.scope_of(array, declared)?;
    let statement = code.all_statements().into_iter().find_map(|stmt| {
        let is_alone = matches!(&stmt.kind, StmtKind::Declare(list)
            if list.len() == 1 && list.iter().all(|expr| expr.span == declared));
        is_alone.then_some(stmt.span)
    })?;
    let mut element = &declaration.ty;
    while let TypeKind::Array(inner, _) = &element.kind {
        element = inner;
    }
    // `__shared__` and the like stand in the type's text.
    let ty = code.at(element.span).rfind(&structure.name)?;
    let ty = element.span.start + u32::try_from(ty).ok()?;
    let of_end = ty + u32::try_from(structure.name.len()).ok()?;
    let piece = |from: u32, to: u32| code.text().get(from as usize..to as usize);
    let pieces = structure.fields.iter().map(|field| {
        let before = piece(statement.start, ty)?;
        let between = piece(of_end, declared.start)?;
        let after = piece(declared.end, statement.end)?;
        let (ty, name) = (&field.ty, &field.name);
        Some(format!("{before}{ty}{between}{array}_{name}{after}"))
    });
    let indent = indentation(code.text(), statement.start as usize);
    let joined = pieces
        .collect::<Option<Vec<_>>>()?
        .join(&format!("\n{indent}"));
    let mut edits = vec![Edit::new(
        statement.start as usize,
        statement.end as usize,
        joined,
    )];
    edits.extend(split_uses(code, uses, array, structure)?);
    Some(edits)
}

/// `array[i].field` to `array_field[i]`, everywhere; `None` where a whole structure is used.
fn split_uses(code: &Code<'_>, uses: &Uses, array: &str, structure: &Record) -> Option<Vec<Edit>> {
    let dimensions = uses.extents.len().max(1);
    let is_split = |expr: &&Expr| {
        let start = base(expr).span.start as usize;
        uses.indices.iter().any(|used| used.start == start)
    };
    let mut edits = Vec::new();
    for expr in every(code) {
        let ExprKind::Member(object, name) = &expr.kind else {
            continue;
        };
        let is_index = matches!(object.kind, ExprKind::Index(..));
        if !is_index || !is_split(&&**object) {
            continue;
        }
        let field = structure
            .fields
            .iter()
            .find(|field| *field.name == **name)?;
        let end = base(object).span.end as usize;
        if code.at(base(object).span) != array {
            return None;
        }
        edits.push(Edit::new(end, end, format!("_{}", field.name)));
        let (from, to) = (object.span.end as usize, expr.span.end as usize);
        edits.push(Edit::new(from, to, ""));
    }
    let is_whole = !uses.has_other_names
        && uses.are_indexed(dimensions)
        && edits.len() == 2 * uses.indices.len();
    is_whole.then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    const VEC3: &str = "struct vec3 { float x, y; float z; };\n";

    fn split(text: &str) -> Option<String> {
        let code = Code::of(text, &[]);
        let structure = Record::find(&code, "vec3").unwrap();
        let start = text.find("s[256]").unwrap();
        let uses = Uses::of(&code, "s", Span::new(start, start + 1)).unwrap();
        apply(text, &split_shared(&code, &uses, "s", &structure)?)
    }

    #[test]
    fn shared_structures_are_split() {
        let text =
            format!("{VEC3}void f() {{\n  __shared__ vec3 s[256];\n  s[t].x = s[ 2 * t ] . z;\n}}");
        let expected = "void f() {\n  __shared__ float s_x[256];\n  __shared__ float s_y[256];\n  __shared__ float s_z[256];\n  s_x[t] = s_z[ 2 * t ];\n}";
        assert_eq!(split(&text), Some(format!("{VEC3}{expected}")));
    }

    #[test]
    fn whole_structures_cannot_be_split() {
        for uses in [
            "s[t] = s[u];",
            "s[t].x = 0; vec3* p = s;",
            "s[t].x = s[u].x; f(s[t]);",
        ] {
            let text = format!("{VEC3}void f() {{ __shared__ vec3 s[256]; {uses} }}");
            assert_eq!(split(&text), None, "{uses}");
        }
    }
}
