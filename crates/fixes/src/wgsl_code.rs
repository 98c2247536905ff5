//! A WGSL text as the tree of C that says the same: its expressions and most statements are those of C, and what is
//! otherwise is read as what C has for it. Every place in the tree is one of the WGSL text.
//!
//! ```text
//! let n = e;  const n: u32 = e;   const int n = e;
//! var n: f32 = e;                 int n = e;
//! if n < m { … }                  if (n < m) { … }
//! loop { … break if c; }          while (true) { … if (c) break; }
//! switch n { case 1, 2 { … } }    switch (n) { case 1: case 2: { … } }
//! workgroupBarrier();             __syncthreads();
//! @compute … fn main(…) { … }     __global__ void main() { … }
//! ```

use std::ops::Range;

use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::tree::Expr;
use lanescope_syntax::{Sink, Span, lexer};

use crate::code::Code;
use crate::wgsl_uses::closing;

/// What makes a value of several numbers, or of another type: what stands between `<` and `>` is a type.
const MAKERS: [&str; 5] = ["vec2", "vec3", "vec4", "array", "bitcast"];

/// What the one entry point of a WGSL text says of its threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where it begins, attributes included.
    pub(crate) start: usize,
    /// Where its parameters begin.
    pub(crate) parameters: usize,
    /// The sides of its workgroup, as written.
    pub(crate) sides: Vec<Span>,
    /// What holds `workgroup_id`, `local_invocation_id`, and `global_invocation_id`.
    pub(crate) group: Option<String>,
    pub(crate) local: Option<String>,
    pub(crate) global: Option<String>,
    /// What holds `subgroup_size`.
    pub(crate) subgroup_size: Option<String>,
}

impl<'a> Code<'a> {
    /// A WGSL text with one entry point; `None` of others.
    pub(crate) fn of_wgsl(text: &'a str) -> Option<Self> {
        let tokens = lexer::lex(text, &mut Sink::deaf());
        let mut reader = Reader {
            tokens: &tokens,
            written: Vec::new(),
            entry: None,
        };
        reader.module()?;
        let entry = reader.entry?;
        Some(Self::of_tokens(text, reader.written, entry))
    }
}

impl Code<'_> {
    /// Whether it is the block's number along x.
    pub(crate) fn is_block(&self, expr: &Expr) -> bool {
        let text = self.at(expr.span);
        match self.entry() {
            None => text == "blockIdx.x",
            Some(entry) => is_axis(text, entry.group.as_deref()),
        }
    }

    /// Whether it is what WGSL has for `blockIdx.x * blockDim.x + threadIdx.x`.
    pub(crate) fn is_place(&self, expr: &Expr) -> bool {
        let global = self.entry().and_then(|entry| entry.global.as_deref());
        is_axis(self.at(expr.span), global)
    }
}

/// Whether it is `name.x`.
fn is_axis(text: &str, name: Option<&str>) -> bool {
    name.is_some_and(|name| text.strip_prefix(name) == Some(".x"))
}

struct Reader<'t> {
    tokens: &'t [Token],
    /// The tokens of C.
    written: Vec<Token>,
    entry: Option<Entry>,
}

impl Reader<'_> {
    fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|one| one.is(sign))
    }

    fn is_name(&self, at: usize, name: &str) -> bool {
        self.tokens.get(at).is_some_and(|one| one.is_name(name))
    }

    fn name(&self, at: usize) -> Option<&str> {
        match &self.tokens.get(at)?.kind {
            Kind::Name(name) => Some(name),
            Kind::Whole { .. }
            | Kind::Real { .. }
            | Kind::Text(_)
            | Kind::Punct(_)
            | Kind::Pack(_)
            | Kind::Unroll(_)
            | Kind::Directive(_)
            | Kind::End => None,
        }
    }

    /// Writes a word or a sign of C that stands where the token `at` does.
    fn put(&mut self, at: usize, kind: Kind) {
        if let Some(token) = self.tokens.get(at) {
            let span = token.span;
            self.written.push(Token {
                kind,
                span,
                first_on_line: false,
                spaced: true,
            });
        }
    }

    fn words(&mut self, at: usize, words: &[&str]) {
        for word in words {
            self.put(at, Kind::Name((*word).into()));
        }
    }

    fn copy(&mut self, at: usize) {
        self.written.extend(self.tokens.get(at).cloned());
    }

    /// The token behind the type that begins at `at`.
    fn behind_type(&self, mut at: usize) -> Option<usize> {
        self.name(at)?;
        at += 1;
        if !self.is(at, "<") {
            return Some(at);
        }
        let mut depth = 0_usize;
        loop {
            let signs = match self.tokens.get(at)?.kind {
                Kind::Punct("<") => {
                    depth += 1;
                    0
                }
                Kind::Punct(">") => 1,
                Kind::Punct(">>") => 2,
                Kind::Punct(">>>") => 3,
                Kind::Punct(";" | "{" | "}" | ">=" | ">>=") | Kind::End => return None,
                _ => 0,
            };
            at += 1;
            depth = depth.checked_sub(signs)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// The token behind the `: type` at `at`, where there is one.
    fn behind_annotation(&self, at: usize) -> Option<usize> {
        match self.is(at, ":") {
            true => self.behind_type(at + 1),
            false => Some(at),
        }
    }

    /// The token behind the attributes that begin at `at`.
    fn behind_attributes(&self, mut at: usize) -> Option<usize> {
        while self.is(at, "@") {
            at += 2;
            if self.is(at, "(") {
                at = closing(self.tokens, at)? + 1;
            }
        }
        Some(at)
    }

    fn module(&mut self) -> Option<()> {
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            if token.kind == Kind::End {
                self.copy(at);
                return Some(());
            }
            let start = at;
            at = self.behind_attributes(at)?;
            match self.name(at) {
                Some("fn") => at = self.function(start, at)?,
                Some("const") => {
                    let end = self.end_of(at)?;
                    self.statements(at..end + 1)?;
                    at = end + 1;
                }
                Some("struct") => {
                    let open = (at..self.tokens.len()).find(|at| self.is(*at, "{"))?;
                    at = closing(self.tokens, open)? + 1;
                }
                Some(_) => at = self.end_of(at)? + 1,
                None => at += 1,
            }
        }
        Some(())
    }

    /// The `;` that ends what begins at `at`.
    fn end_of(&self, at: usize) -> Option<usize> {
        (at..self.tokens.len()).find(|at| self.is(*at, ";"))
    }

    /// The function at `at` with attributes from `start` on; the token behind it.
    fn function(&mut self, start: usize, at: usize) -> Option<usize> {
        let open = at + 2;
        let close = closing(self.tokens, open)?;
        let body = (close..self.tokens.len()).find(|at| self.is(*at, "{"))?;
        let end = closing(self.tokens, body)?;
        let is_entry = (start..at).any(|at| self.is_name(at, "compute"));
        if is_entry {
            if self.entry.is_some() {
                return None;
            }
            self.entry = Some(self.entry_of(start..at, open..close)?);
        }
        let word = if is_entry { "__global__" } else { "__device__" };
        self.words(at, &[word, "void"]);
        self.copy(at + 1);
        self.copy(open);
        if !is_entry {
            self.parameters(open + 1..close)?;
        }
        self.copy(close);
        self.copy(body);
        self.statements(body + 1..end)?;
        self.copy(end);
        Some(end + 1)
    }

    fn entry_of(&self, attributes: Range<usize>, parameters: Range<usize>) -> Option<Entry> {
        let place = |at: usize| Some(self.tokens.get(at)?.span.start as usize);
        let held = |builtin: &str| {
            let is_it = |at: &usize| self.is_name(*at, "builtin") && self.is_name(at + 2, builtin);
            let at = parameters.clone().find(is_it)?;
            Some(self.name(at + 4)?.to_owned())
        };
        let size = attributes
            .clone()
            .find(|at| self.is_name(*at, "workgroup_size"))?;
        let close = closing(self.tokens, size + 1)?;
        let (mut sides, mut first) = (Vec::new(), size + 2);
        for at in size + 2..=close {
            if (self.is(at, ",") || at == close) && first < at {
                let from = self.tokens.get(first)?.span;
                sides.push(from.to(self.tokens.get(at - 1)?.span));
                first = at + 1;
            }
        }
        Some(Entry {
            start: place(attributes.start)?,
            parameters: place(parameters.start + 1)?,
            sides,
            group: held("workgroup_id"),
            local: held("local_invocation_id"),
            global: held("global_invocation_id"),
            subgroup_size: held("subgroup_size"),
        })
    }

    /// `a: u32, b: f32` as `int a, int b`.
    fn parameters(&mut self, part: Range<usize>) -> Option<()> {
        let mut at = part.start;
        while at < part.end {
            at = self.behind_attributes(at)?;
            self.words(at, &["int"]);
            self.copy(at);
            at = self.behind_annotation(at + 1)?;
            if at < part.end {
                self.copy(at);
            }
            at += 1;
        }
        Some(())
    }

    fn statements(&mut self, part: Range<usize>) -> Option<()> {
        let mut at = part.start;
        while at < part.end {
            let is_member = at > 0 && self.is(at - 1, ".");
            match self.name(at).filter(|_| !is_member) {
                Some("const_assert") => at = self.end_of(at)? + 1,
                Some("loop") => {
                    self.words(at, &["while"]);
                    self.put(at, Kind::Punct("("));
                    self.words(at, &["true"]);
                    self.put(at, Kind::Punct(")"));
                    at += 1;
                }
                Some("continuing") => at += 1,
                Some("break") if self.is_name(at + 1, "if") => at = self.break_if(at)?,
                Some("case" | "default") => at = self.case(at)?,
                Some("let" | "const") => at = self.declaration(at, at + 1, &["const", "int"])?,
                Some("var") if self.is(at + 1, "<") => {
                    let name = self.behind_type(at)?;
                    at = self.declaration(at, name, &["int"])?;
                }
                Some("var") => at = self.declaration(at, at + 1, &["int"])?,
                Some("if" | "while" | "switch") => at = self.condition(at)?,
                Some("workgroupBarrier") => {
                    self.words(at, &["__syncthreads"]);
                    at += 1;
                }
                Some(word) if MAKERS.contains(&word) && self.is(at + 1, "<") => {
                    let behind = self.behind_type(at)?;
                    self.copy(at);
                    at = behind;
                }
                Some(_) | None => {
                    self.copy(at);
                    at += 1;
                }
            }
        }
        Some(())
    }

    /// A declaration whose word stands at `at` and whose name at `name`; the token behind its type.
    fn declaration(&mut self, at: usize, name: usize, words: &[&str]) -> Option<usize> {
        self.words(at, words);
        self.copy(name);
        self.behind_annotation(name + 1)
    }

    /// `break if c` as `if (c) break`, which begins where that does; the `;` behind it.
    fn break_if(&mut self, at: usize) -> Option<usize> {
        let end = self.end_of(at)?;
        self.words(at, &["if"]);
        self.put(at + 1, Kind::Punct("("));
        self.statements(at + 2..end)?;
        self.put(end - 1, Kind::Punct(")"));
        self.words(end, &["break"]);
        Some(end)
    }

    /// `case 1, 2` or `default`, with a colon; the token that its body begins with.
    fn case(&mut self, at: usize) -> Option<usize> {
        let body = (at..self.tokens.len()).find(|at| self.is(*at, "{"))?;
        self.copy(at);
        for one in at + 1..body {
            match self.is(one, ",") {
                true => {
                    self.put(one, Kind::Punct(":"));
                    self.words(one, &["case"]);
                }
                false if self.is(one, ":") => {}
                false => self.copy(one),
            }
        }
        self.put(body, Kind::Punct(":"));
        Some(body)
    }

    /// `if`, `while` or `switch` at `at` with what it asks in brackets; the token that its body begins with.
    fn condition(&mut self, at: usize) -> Option<usize> {
        let first = at + 1;
        let mut body = first;
        while !self.is(body, "{") {
            body = match self.is(body, "(") || self.is(body, "[") {
                true => closing(self.tokens, body)? + 1,
                false => body + 1,
            };
            self.tokens.get(body)?;
        }
        self.copy(at);
        if self.is(first, "(") && closing(self.tokens, first)? + 1 == body {
            self.statements(first..body)?;
            return Some(body);
        }
        self.put(first, Kind::Punct("("));
        self.statements(first..body)?;
        self.put(body - 1, Kind::Punct(")"));
        Some(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{declared_by, own_expressions, statements};

    #[test]
    fn statements_are_those_of_c() {
        let text = "struct S { a: f32 }
override M = 4u;
const N: u32 = 8u;
var<workgroup> tile: array<array<f32, 8>, 8>;
fn one(p: ptr<function, array<vec4<f32>, 2>>, n: u32) -> u32 { return n + 1u; }
@compute @workgroup_size(N, 4)
fn main(@builtin(local_invocation_id) l: vec3<u32>, @builtin(workgroup_id) w: vec3u) {
  let x = l.x + w.x;
  var sum: vec2<f32> = vec2<f32>(0.0, 1.0);
  for (var s = 1u; s < N; s *= 2u) {
    if x % (2u * s) == 0u { tile[x][0] += 1.0; } else if (x > 3u) { continue; }
    workgroupBarrier();
  }
  while x < (one(&sum, 2u)) { break; }
}";
        let code = Code::of_wgsl(text).unwrap();
        let functions: Vec<_> = code.functions().cloned().collect();
        assert_eq!(functions.len(), 2);
        let main = &functions[1];
        let all = statements(&main.body);
        let names: Vec<_> = declared_by(&all).map(|one| one.name.to_string()).collect();
        assert_eq!(names, ["x", "sum", "s"]);
        let own = all.iter().flat_map(|stmt| own_expressions(stmt));
        let texts: Vec<_> = own.map(|expr| code.at(expr.span)).collect();
        for expected in [
            "l.x + w.x",
            "s < N",
            "s *= 2u",
            "x % (2u * s) == 0u",
            "tile[x][0] += 1.0",
            "x < (one(&sum, 2u))",
        ] {
            assert!(texts.contains(&expected), "{expected} {texts:?}");
        }
        let entry = code.entry().unwrap();
        assert_eq!(&text[entry.start..entry.start + 8], "@compute");
        assert!(text[entry.parameters..].starts_with("@builtin(local"));
        let sides: Vec<_> = entry.sides.iter().map(|side| code.at(*side)).collect();
        assert_eq!(sides, ["N", "4"]);
        assert_eq!(entry.group.as_deref(), Some("w"));
        assert_eq!(entry.local.as_deref(), Some("l"));
        assert_eq!(entry.global, None);
    }

    #[test]
    fn other_statements_are_read_as_those_of_c() {
        let body = |body: &str| format!("@compute @workgroup_size(8) fn main() {{ {body} }}");
        assert!(Code::of_wgsl(&body("let a = 1;")).is_some());
        for (one, expected) in [
            ("loop { f(); break; }", "loop f()"),
            (
                "var i = 0; loop { if i > 3 { break; } continuing { i++; break if i == 8; } }",
                "0 loop i > 3 i++ i == 8",
            ),
            (
                "var a = 1; switch a { case 1, 2: { a = 3; } case 3 { a += 1; } default { f(); } }",
                "1 a a = 3 a += 1 f()",
            ),
            ("const_assert 1 < 2; let a = 1;", "1"),
        ] {
            let text = body(one);
            let code = Code::of_wgsl(&text).unwrap();
            let main = code.functions().next().unwrap();
            let all = statements(&main.body);
            let own = all.iter().flat_map(|stmt| own_expressions(stmt));
            let texts: Vec<_> = own.map(|expr| code.at(expr.span)).collect();
            assert_eq!(texts.join(" "), expected, "{one}");
        }
        let two = body("") + &body("");
        assert!(Code::of_wgsl(&two).is_none());
        assert!(Code::of_wgsl("fn f() {}").is_none());
    }
}
