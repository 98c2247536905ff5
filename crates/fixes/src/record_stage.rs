//! Structures of several words, one a thread, staged through shared memory word by word.
//!
//! Neighbouring threads copy neighbouring words, the structures are then used where they lie in shared memory, and what has
//! changed is copied back. An odd number of words a structure keeps shared memory free of conflicts.

use std::collections::BTreeSet;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, every, indexed, is_name, statements, within};
use crate::effects::{changes, collect_names, has_effect, jumps};
use crate::indentation::indentation;
use crate::pitch::free_name;
use crate::record_split::{Field, Record, RecordValue};
use crate::stage::returns;

/// The most words of a structure.
const MOST_WORDS: usize = 8;

/// An array of structures that is staged.
pub(crate) struct Staged<'a> {
    /// Its name.
    pub(crate) array: &'a str,
    /// Its structure.
    pub(crate) record: &'a Record,
    /// Whether the kernel reads it.
    pub(crate) is_loaded: bool,
    /// Whether the kernel writes it.
    pub(crate) is_stored: bool,
}

/// The changes that stage `arrays` in blocks of so many threads along x; `None` where each thread does not use one structure.
pub(crate) fn stage_records(
    code: &Code<'_>,
    kernel: &Function,
    arrays: &[Staged<'_>],
    threads: u32,
) -> Option<Vec<Edit>> {
    let region = Region::of(code, kernel, arrays)?;
    let mut names = Names {
        code,
        used: BTreeSet::new(),
    };
    let indent = indentation(code.text(), region.start as usize);
    let (mut before, mut after, mut edits) = (Vec::new(), Vec::new(), Vec::new());
    let mut copies = Vec::new();
    let (first, word) = (names.free("first"), names.free("word"));
    for staged in arrays {
        let words = staged.record.words()?;
        let text = Texts {
            array: staged.array,
            structure: &staged.record.name,
            ty: words.ty,
            count: words.count * u64::from(threads),
            threads,
            words: names.free(&format!("{}_words", staged.array)),
            staged: names.free(&format!("{}_staged", staged.array)),
            first: format!("{} * {first}", words.count),
            bound: region
                .bound
                .as_deref()
                .map(|bound| format!("{} * {bound}", words.count)),
            word: &word,
        };
        before.extend(text.declared());
        if staged.is_loaded {
            copies.push(text.copied(true));
        }
        if staged.is_stored {
            after.push(text.copied(false));
        }
        for index in &region.uses {
            if code.at(index.base) == staged.array {
                let [start, end] = [index.base.start as usize, index.whole.end as usize];
                let new = format!("{}[threadIdx.x]", text.staged);
                edits.push(Edit::new(start, end, new));
            }
        }
    }
    before.push(format!("const unsigned {first} = blockIdx.x * {threads};"));
    before.extend(copies);
    let lines = |list: &[String]| list.join(&format!("\n{indent}"));
    before.push("__syncthreads();".to_owned());
    let mut opening = format!("{}\n{indent}", lines(&before));
    let mut closing = String::new();
    if let Some(guard) = region.early_return {
        opening = format!(
            "{}\n{indent}if (!({})) {{",
            lines(&before),
            code.at(guard.condition)
        );
        closing = format!("\n{indent}}}");
        edits.push(Edit::new(
            guard.whole.start as usize,
            guard.whole.end as usize,
            opening,
        ));
    } else {
        edits.push(Edit::new(
            region.start as usize,
            region.start as usize,
            opening,
        ));
    }
    if !after.is_empty() {
        after.insert(0, "__syncthreads();".to_owned());
        closing = format!("{closing}\n{indent}{}", lines(&after));
    }
    if !closing.is_empty() {
        edits.push(Edit::new(region.end as usize, region.end as usize, closing));
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    Some(merged(edits))
}

/// Sorted edits, an insertion joined with what is replaced behind it.
fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut list: Vec<Edit> = Vec::new();
    for edit in edits {
        match list.last_mut() {
            Some(last) if last.span.start == edit.span.start => {
                last.span = edit.span;
                last.replacement.push_str(&edit.replacement);
            }
            _ => list.push(edit),
        }
    }
    list
}

/// The lines that stage one array.
struct Texts<'a> {
    array: &'a str,
    structure: &'a str,
    /// The type of a word.
    ty: &'a str,
    /// Words of a block.
    count: u64,
    threads: u32,
    words: String,
    staged: String,
    /// The block's first word.
    first: String,
    /// The array's words; `None` where every block is full.
    bound: Option<String>,
    word: &'a str,
}

impl Texts<'_> {
    fn declared(&self) -> [String; 2] {
        let Self {
            structure,
            ty,
            count,
            words,
            staged,
            ..
        } = self;
        [
            format!("__shared__ {ty} {words}[{count}];"),
            format!("{structure}* {staged} = reinterpret_cast<{structure}*>({words});"),
        ]
    }

    /// The loop that copies the words in, or out.
    fn copied(&self, is_in: bool) -> String {
        let Self {
            array,
            ty,
            count,
            threads,
            words,
            first,
            word,
            ..
        } = self;
        let (inside, constant) = (
            format!("{words}[{word}]"),
            if is_in { "const " } else { "" },
        );
        let outside = format!("reinterpret_cast<{constant}{ty}*>({array})[{first} + {word}]");
        let copy = match is_in {
            true => format!("{inside} = {outside};"),
            false => format!("{outside} = {inside};"),
        };
        let test = match &self.bound {
            Some(bound) => format!("if ({first} + {word} < {bound}) "),
            None => String::new(),
        };
        format!(
            "for (unsigned {word} = threadIdx.x; {word} < {count}; {word} += {threads}) {test}{copy}"
        )
    }
}

/// Names that the text does not have, each given once.
struct Names<'a, 'c> {
    code: &'c Code<'a>,
    used: BTreeSet<String>,
}

impl Names<'_, '_> {
    fn free(&mut self, name: &str) -> String {
        let mut found = free_name(self.code, name);
        while !self.used.insert(found.clone()) {
            found.push('_');
        }
        found
    }
}

/// An access to one structure.
struct Index {
    base: Span,
    whole: Span,
}

/// `if (condition) return;`
struct EarlyReturn {
    condition: Span,
    whole: Span,
}

/// The statements that use the arrays.
struct Region {
    start: u32,
    end: u32,
    /// What the index is less than.
    bound: Option<String>,
    early_return: Option<EarlyReturn>,
    uses: Vec<Index>,
}

impl Region {
    fn of(code: &Code<'_>, kernel: &Function, arrays: &[Staged<'_>]) -> Option<Self> {
        let body = &kernel.body;
        let (mut uses, mut index): (Vec<Index>, Option<&Expr>) = (Vec::new(), None);
        let (mut first, mut last) = (None, 0);
        for (at, stmt) in body.iter().enumerate() {
            for (found, expr) in accesses(stmt, arrays)? {
                let same = index.is_none_or(|one| code.at(one.span) == code.at(expr.span));
                if !same || has_effect(expr) || code.inside(found.base, found.whole).is_none() {
                    return None;
                }
                index = Some(expr);
                uses.push(found);
                (first, last) = (first.or(Some(at)), at);
            }
        }
        let (index, first) = (index?, first?);
        let mut names = BTreeSet::new();
        collect_names(index, &mut names);
        let (before, rest) = body.split_at(first);
        let is_changed = |stmt: &Stmt| changes(stmt).iter().any(|name| names.contains(name));
        if rest.iter().any(|stmt| is_changed(stmt) || jumps(stmt)) || has_loop_over(rest, arrays) {
            return None;
        }
        let guard = before.iter().enumerate().find(|(_, stmt)| jumps(stmt));
        if let Some((at, stmt)) = guard {
            let others = before.iter().skip(at + 1).any(jumps);
            let (condition, bound) = guarded(code, stmt, index, ">=")?;
            let is_return =
                matches!(&stmt.kind, StmtKind::If { yes, no: None, .. } if returns(yes));
            return (is_return && !others).then(|| Self {
                start: stmt.span.start,
                end: body.last().map_or(stmt.span.end, |expr| expr.span.end),
                bound: Some(bound),
                early_return: Some(EarlyReturn {
                    condition,
                    whole: stmt.span,
                }),
                uses,
            });
        }
        let start = body.get(first)?;
        let bound = if let StmtKind::If { no, .. } = &start.kind {
            if no.is_some() {
                return None;
            }
            Some(guarded(code, start, index, "<")?.1)
        } else {
            None
        };
        // Behind a guard stands all that uses them.
        (bound.is_none() || first == last).then(|| Self {
            start: start.span.start,
            end: body.get(last).map_or(start.span.end, |expr| expr.span.end),
            bound,
            early_return: None,
            uses,
        })
    }
}

/// The accesses of a statement to the arrays, each with its index; `None` where one is used otherwise.
fn accesses<'t>(stmt: &'t Stmt, arrays: &[Staged<'_>]) -> Option<Vec<(Index, &'t Expr)>> {
    let list = statements(std::slice::from_ref(stmt));
    let all: Vec<&Expr> = list.iter().flat_map(|one| within(one)).collect();
    let is_array = |expr: &Expr| arrays.iter().any(|array| is_name(expr, array.array));
    let found = all.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Index(base, index) if is_array(base) => {
            let (base, whole) = (base.span, expr.span);
            Some((Index { base, whole }, &**index))
        }
        _ => None,
    });
    let found: Vec<_> = found.collect();
    let named = all.iter().filter(|expr| is_array(expr)).count();
    (named == found.len()).then_some(found)
}

fn has_loop_over(list: &[Stmt], arrays: &[Staged<'_>]) -> bool {
    let all = statements(list);
    let mut loops = all.into_iter().filter(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::For { .. }
                | StmtKind::ForEach { .. }
                | StmtKind::While { .. }
                | StmtKind::Do { .. }
        )
    });
    loops.any(|stmt| accesses(stmt, arrays).is_none_or(|found| !found.is_empty()))
}

/// The condition of `if (index sign bound)`, and the bound.
fn guarded(code: &Code<'_>, stmt: &Stmt, index: &Expr, sign: &str) -> Option<(Span, String)> {
    let StmtKind::If { condition, .. } = &stmt.kind else {
        return None;
    };
    let ExprKind::Binary(found, a, b) = &condition.kind else {
        return None;
    };
    let is_index = |expr: &Expr| code.at(expr.span) == code.at(index.span);
    let turned = match *found {
        "<" => ">",
        ">=" => "<=",
        ">" => "<",
        "<=" => ">=",
        _ => return None,
    };
    let bound = match (*found == sign && is_index(a), turned == sign && is_index(b)) {
        (true, _) => b,
        (false, true) => a,
        (false, false) => return None,
    };
    let bound = crate::rewrite::operand(code.at(bound.span));
    Some((condition.span, bound))
}

/// Whether a field of one of the array's structures is used alone.
pub(crate) fn uses_fields(code: &Code<'_>, array: &str) -> bool {
    every(code).iter().any(|expr| match &expr.kind {
        ExprKind::Member(object, _) => indexed(object) == Some(array),
        _ => false,
    })
}

/// The words of a structure.
pub(crate) struct Words<'a> {
    /// Their type.
    ty: &'a str,
    count: u64,
}

impl Record {
    /// The words that it is made of, if it is nothing but numbers of four bytes and aligned as they are.
    pub(crate) fn words(&self) -> Option<Words<'_>> {
        let first = self.fields.first()?;
        let is_word = |(at, field): (u64, &Field)| field.bytes == 4 && field.offset == 4 * at;
        let is_words = (0..).zip(&self.fields).all(is_word);
        let count = self.fields.len();
        let fits = (2..=MOST_WORDS).contains(&count) && self.bytes == 4 * count as u64;
        // Words in shared memory are aligned to words.
        let is_aligned_so = self.value == RecordValue::Make || self.align_at.is_some();
        let is_one_type = self.fields.iter().all(|field| field.ty == first.ty);
        (is_words && fits && is_aligned_so).then_some(Words {
            ty: if is_one_type { &first.ty } else { "unsigned" },
            count: count as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    fn staged(body: &str) -> Option<String> {
        let text = format!(
            "struct P {{ float x, y, z; }};\n__global__ void f(P* p, int n) {{\n{body}\n}}"
        );
        let code = Code::of(&text, &[]);
        let record = Record::find(&code, "P").unwrap();
        let kernel = code.functions().next().unwrap();
        let array = Staged {
            array: "p",
            record: &record,
            is_loaded: true,
            is_stored: true,
        };
        let edits = stage_records(&code, kernel, &[array], 64)?;
        // Whoever makes the edits needs no order for two that begin at one place.
        let starts: BTreeSet<u32> = edits.iter().map(|edit| edit.span.start).collect();
        assert_eq!(starts.len(), edits.len());
        let changed = apply(&text, &edits).unwrap();
        let (_, changed) = changed.split_once("int n) {\n").unwrap();
        Some(changed.trim_end_matches("\n}").to_owned())
    }

    const IN: &str = "__shared__ float p_words[192];
  P* p_staged = reinterpret_cast<P*>(p_words);
  const unsigned first = blockIdx.x * 64;
  for (unsigned word = threadIdx.x; word < 192; word += 64) if (3 * first + word < 3 * n) p_words[word] = reinterpret_cast<const float*>(p)[3 * first + word];
  __syncthreads();";
    const OUT: &str = "__syncthreads();
  for (unsigned word = threadIdx.x; word < 192; word += 64) if (3 * first + word < 3 * n) reinterpret_cast<float*>(p)[3 * first + word] = p_words[word];";

    #[test]
    fn structures_behind_a_guard_are_staged() {
        let found =
            staged("  int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < n) p[i].x += p[i].y;");
        let expected = format!(
            "  int i = blockIdx.x * 64 + threadIdx.x;\n  {IN}\n  if (i < n) p_staged[threadIdx.x].x += p_staged[threadIdx.x].y;\n  {OUT}"
        );
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_statement_that_begins_with_a_structure_is_staged() {
        let found = staged("  int i = blockIdx.x * 64 + threadIdx.x;\n  p[i].x *= n;").unwrap();
        assert!(
            found.contains("__syncthreads();\n  p_staged[threadIdx.x].x *= n;"),
            "{found}"
        );
    }

    #[test]
    fn threads_that_would_return_early_copy_too() {
        let found = staged(
            "  int i = blockIdx.x * 64 + threadIdx.x;\n  if (n <= i) { return; }\n  P q = p[i];\n  p[i] = q;",
        );
        let expected = format!(
            "  int i = blockIdx.x * 64 + threadIdx.x;\n  {IN}\n  if (!(n <= i)) {{\n  P q = p_staged[threadIdx.x];\n  p_staged[threadIdx.x] = q;\n  }}\n  {OUT}"
        );
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn other_uses_are_left() {
        for body in [
            "int i = threadIdx.x; p[i].x = p[i + 1].x;",
            "int i = threadIdx.x; for (int k = 0; k < 4; k++) p[i].x += k;",
            "int i = threadIdx.x; p[i].x = 0; i++; p[i].y = 0;",
            "int i = threadIdx.x; P* q = p + i; q->x = 0;",
            "int i = threadIdx.x; if (i < n && n > 3) p[i].x = 0;",
            "int i = threadIdx.x; p[i].x = 0; if (n > 3) return; p[i].y = 0;",
        ] {
            assert_eq!(staged(body), None, "{body}");
        }
    }
}
