//! A copy with exchanged axes, staged through shared memory so that both sides run along rows.
//!
//! The kernel's last statement copies, perhaps behind guards, braces, an early return and one loop. It becomes two
//! phases with a barrier between: one as it stands, one with `threadIdx.x` and `threadIdx.y` exchanged.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, any, indexed, is_name};
use crate::indentation::indentation;
use crate::monotone::{raised, stays_true};
use crate::rewrite::operand;

mod words;
use words::Words;

/// Which side of the copy runs against the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wasteful {
    /// The load.
    Load,
    /// The store.
    Store,
}

/// The tile that it is staged through.
pub(crate) struct Tile<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The type of an element.
    pub(crate) element: &'a str,
    /// Elements along each side.
    pub(crate) side: u32,
}

/// A kernel that ends with copies from arrays to arrays in global memory.
pub(crate) struct Copies<'a> {
    text: &'a str,
    /// What stands before the first copy, in order.
    steps: Vec<Step<'a>>,
    /// How many of the steps are declarations at the beginning of the kernel, which stay.
    kept: usize,
    /// `[copy]`: the place that is written, and the value.
    pairs: Vec<(&'a str, &'a str)>,
    /// The arrays that are written.
    written: Vec<String>,
    /// The types of variables that values are held in on the way.
    held_as: Vec<&'a str>,
    /// From the first step that does not stay to the kernel's last statement.
    whole: Span,
}

/// One thing on the way to the copies.
#[derive(Clone, Debug)]
enum Step<'a> {
    /// A declaration that reads no array.
    Declare(&'a str),
    /// What must hold.
    Guard(String),
    /// A loop around the copies: its head and its counter.
    Loop { head: &'a str, counter: &'a str },
}

impl<'a> Copies<'a> {
    /// Finds them in a kernel; `arrays` are those in global memory.
    pub(crate) fn find(code: &Code<'a>, kernel: &Function, arrays: &[&str]) -> Option<Self> {
        let last = kernel.body.iter().rfind(|one| !is_empty(one))?;
        let mut walk = Walk {
            code,
            arrays,
            values: Vec::new(),
            steps: Vec::new(),
            pairs: Vec::new(),
            written: Vec::new(),
            held_as: Vec::new(),
            first: None,
            rising: None,
            kept: 0,
        };
        walk.list(&kernel.body, true)?;
        (!walk.pairs.is_empty()).then_some(Self {
            text: code.text(),
            whole: walk.first.unwrap_or(last.span).to(last.span),
            kept: walk.kept,
            steps: walk.steps,
            pairs: walk.pairs,
            written: walk.written,
            held_as: walk.held_as,
        })
    }

    /// Whether a tile of `element` changes no value on its way: all arrays that are written hold that, as `element_of` tells by
    /// name, and variables between were of no other type.
    pub(crate) fn keeps_values<'e>(
        &self,
        element: &str,
        element_of: impl Fn(&str) -> Option<&'e str>,
    ) -> bool {
        let mut written = self.written.iter();
        let is_alike = written.all(|name| element_of(name) == Some(element));
        let is_held = |of: &&str| {
            let mut words = of.split_whitespace().filter(|word| *word != "const");
            let held = words.by_ref().collect::<Vec<_>>().join(" ");
            held == "auto" || held == element
        };
        is_alike && self.held_as.iter().all(is_held)
    }

    /// How many copies there are.
    pub(crate) fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Whether variables hold values on the way.
    pub(crate) fn holds_values(&self) -> bool {
        !self.held_as.is_empty()
    }

    /// Whether a loop stands around them.
    pub(crate) fn has_loop(&self) -> bool {
        self.counter().is_some()
    }

    fn counter(&self) -> Option<&'a str> {
        self.steps.iter().find_map(|step| match step {
            Step::Loop { counter, .. } => Some(*counter),
            Step::Declare(_) | Step::Guard(_) => None,
        })
    }

    /// The changes that stage them through a padded tile; `None` where WGSL has no name for a thread's place.
    pub(crate) fn edits(
        &self,
        code: &Code<'_>,
        wasteful: Wasteful,
        tile: &Tile<'_>,
    ) -> Option<Vec<Edit>> {
        let words = Words::of(code, self.counter())?;
        let start = self.whole.start as usize;
        let indent = indentation(self.text, start);
        let count = self.pairs.len();
        let [x, y] = words.place();
        let tiles = |copy: usize| match count {
            1 => tile.name.to_owned(),
            _ => format!("{}[{copy}]", tile.name),
        };
        let own = |copy: usize| format!("{}[{y}][{x}]", tiles(copy));
        let other = |copy: usize| format!("{}[{x}][{y}]", tiles(copy));
        let is_load = wasteful == Wasteful::Load;
        let pairs = self.pairs.iter().enumerate();
        let loads = pairs.clone().map(|(copy, (_, value))| match is_load {
            true => format!("{} = {};", other(copy), words.exchanged(value)),
            false => format!("{} = {value};", own(copy)),
        });
        let stores = pairs.map(|(copy, (place, _))| match is_load {
            true => format!("{place} = {};", own(copy)),
            false => format!("{} = {};", words.exchanged(place), other(copy)),
        });
        let first = self.phase(&words, &indent, &loads.collect::<Vec<_>>(), is_load);
        let second = self.phase(&words, &indent, &stores.collect::<Vec<_>>(), !is_load);
        let barrier = words.barrier();
        let staged = format!("{first}\n{indent}{barrier};\n{indent}{second}");
        let (here, mut edits) = words.declared(code, tile, count);
        let staged = match here {
            Some(declared) => format!("{declared}\n{indent}{staged}"),
            None => staged,
        };
        edits.push(Edit::new(start, self.whole.end as usize, staged));
        Some(edits)
    }

    /// The steps around `lines`, exchanged or as they are.
    fn phase(&self, words: &Words, indent: &str, lines: &[String], is_exchanged: bool) -> String {
        let mut steps: Vec<Step<'_>> = match is_exchanged {
            true => self.steps.clone(),
            false => self.steps.iter().skip(self.kept).cloned().collect(),
        };
        if is_exchanged {
            // What is declared before the loop depends on its counter now.
            steps.sort_by_key(|step| !matches!(step, Step::Loop { .. }));
        }
        let mut depth = 0;
        let inside = |depth: usize| format!("\n{indent}{}", "  ".repeat(depth));
        let mut text = String::new();
        if matches!(steps.first(), Some(Step::Declare(_))) {
            text.push('{');
            depth = 1;
        }
        for (number, step) in (1..).zip(&steps) {
            let at = if text.is_empty() {
                String::new()
            } else {
                inside(depth)
            };
            match step {
                Step::Declare(one) if is_exchanged => text += &(at + &words.exchanged(one)),
                Step::Declare(one) => text += &(at + one),
                Step::Guard(test) => {
                    let test = if is_exchanged {
                        words.exchanged(test)
                    } else {
                        test.clone()
                    };
                    if lines.len() == 1 && number == steps.len() && !words.needs_braces() {
                        text += &format!("{at}if ({test}) {}", lines.concat());
                        return text + &closed(indent, depth);
                    }
                    text += &format!("{at}if ({test}) {{");
                    depth += 1;
                }
                Step::Loop { head, .. } => {
                    text += &format!("{at}{head} {{");
                    depth += 1;
                }
            }
        }
        for line in lines {
            let at = if text.is_empty() {
                String::new()
            } else {
                inside(depth)
            };
            text += &(at + line);
        }
        text + &closed(indent, depth)
    }
}

/// The braces that close `depth` blocks.
fn closed(indent: &str, depth: usize) -> String {
    (0..depth)
        .rev()
        .map(|level| format!("\n{indent}{}}}", "  ".repeat(level)))
        .collect()
}

struct Walk<'a, 'c> {
    code: &'c Code<'a>,
    arrays: &'c [&'c str],
    /// Variables that hold what was read, by name.
    values: Vec<(String, &'a str)>,
    steps: Vec<Step<'a>>,
    pairs: Vec<(&'a str, &'a str)>,
    written: Vec<String>,
    held_as: Vec<&'a str>,
    /// The first statement that does not stay.
    first: Option<Span>,
    /// The counter of the loop that it is in, where that goes up.
    rising: Option<String>,
    kept: usize,
}

impl<'a> Walk<'a, '_> {
    /// Reads statements of which the last ones are the copies.
    fn list(&mut self, list: &[Stmt], is_top: bool) -> Option<()> {
        let list: Vec<&Stmt> = list.iter().filter(|one| !is_empty(one)).collect();
        for (at, stmt) in list.iter().enumerate() {
            let is_last = at + 1 == list.len();
            if is_top && self.first.is_none() && !self.stays(stmt) {
                self.first = Some(stmt.span);
            }
            match &stmt.kind {
                StmtKind::Declare(declared) if self.pairs.is_empty() => {
                    self.declare(stmt, declared)?;
                }
                StmtKind::If {
                    condition,
                    yes,
                    no: None,
                    ..
                } if self.pairs.is_empty() => {
                    let test = bare(self.code.at(condition.span));
                    if returns(yes) || self.leaves_turn(condition, yes) {
                        self.steps.push(Step::Guard(format!("!{}", operand(test))));
                    } else if is_last {
                        self.steps.push(Step::Guard(test.to_owned()));
                        self.list(std::slice::from_ref(&**yes), false)?;
                    } else {
                        return None;
                    }
                }
                StmtKind::Block(inner) if is_last && self.pairs.is_empty() => {
                    self.list(inner, false)?;
                }
                StmtKind::For {
                    init: Some(init),
                    body,
                    step,
                    ..
                } if is_last && self.pairs.is_empty() => {
                    self.head(stmt, init, body)?;
                    self.rising = step.as_ref().and_then(raised).map(str::to_owned);
                    self.list(std::slice::from_ref(&**body), false)?;
                }
                StmtKind::Expr(expr) => self.copy(expr)?,
                // No loop that copies has anything else in it.
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether a statement leaves the loop's turn where `condition` holds, and all further turns would.
    fn leaves_turn(&self, condition: &Expr, stmt: &Stmt) -> bool {
        let is_inside = self
            .steps
            .iter()
            .any(|step| matches!(step, Step::Loop { .. }));
        let Some(only) = sole(stmt).filter(|_| is_inside) else {
            return false;
        };
        match &only.kind {
            StmtKind::Continue => true,
            StmtKind::Break => {
                let counter = self.rising.as_deref();
                counter.is_some_and(|counter| stays_true(condition, counter))
            }
            // Nothing else leaves a turn.
            _ => false,
        }
    }

    /// Whether a statement of the kernel is a declaration that reads nothing, with all before it.
    fn stays(&self, stmt: &Stmt) -> bool {
        let list = stmt.declarations();
        !list.is_empty() && !list.iter().any(|one| self.reads_of(one))
    }

    fn reads_of(&self, declared: &Declaration) -> bool {
        declared.init.as_ref().is_some_and(|init| self.reads(init))
    }

    fn reads(&self, expr: &Expr) -> bool {
        any(expr, &|one| {
            indexed(one).is_some_and(|name| self.arrays.contains(&name))
        })
    }

    fn declare(&mut self, stmt: &Stmt, list: &[Declaration]) -> Option<()> {
        if list
            .iter()
            .any(|one| one.storage.shared || one.storage.is_static)
        {
            return None;
        }
        if !list.iter().any(|one| self.reads_of(one)) {
            self.steps.push(Step::Declare(self.code.at(stmt.span)));
            self.kept += usize::from(self.first.is_none());
            return Some(());
        }
        for one in list {
            if !self.reads_of(one) {
                return None;
            }
            let init = self.code.at(one.init.as_ref()?.span);
            self.values.push((one.name.to_string(), init));
            // WGSL converts nothing where it declares.
            self.held_as.push(match self.code.entry() {
                Some(_) => "auto",
                None => self.code.at(one.ty.span),
            });
        }
        Some(())
    }

    fn head(&mut self, stmt: &Stmt, init: &Stmt, body: &Stmt) -> Option<()> {
        let StmtKind::Declare(list) = &init.kind else {
            return None;
        };
        let is_second = self
            .steps
            .iter()
            .any(|step| matches!(step, Step::Loop { .. }));
        let [counter] = list.as_slice() else {
            return None;
        };
        if is_second {
            return None;
        }
        let head = Span {
            start: stmt.span.start,
            end: body.span.start,
        };
        self.steps.push(Step::Loop {
            head: self.code.at(head).trim(),
            counter: self.code.at(counter.span),
        });
        Some(())
    }

    fn copy(&mut self, expr: &Expr) -> Option<()> {
        let ExprKind::Assign("=", place, value) = &expr.kind else {
            return None;
        };
        let written = indexed(place).filter(|name| self.arrays.contains(name))?;
        self.written.push(written.to_owned());
        let held = self.values.iter().find(|(name, _)| is_name(value, name));
        let text = match held {
            Some((_, text)) => *text,
            None if self.reads(value) => self.code.at(value.span),
            None => return None,
        };
        self.pairs.push((self.code.at(place.span), text));
        Some(())
    }
}

fn is_empty(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Empty | StmtKind::Return(None))
}

/// A statement without the braces around it.
fn sole(stmt: &Stmt) -> Option<&Stmt> {
    let StmtKind::Block(list) = &stmt.kind else {
        return Some(stmt);
    };
    match list.as_slice() {
        [inner] => sole(inner),
        _ => None,
    }
}

/// Whether a statement is `return;`, in braces or not.
pub(crate) fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(None) => true,
        StmtKind::Block(list) => matches!(list.as_slice(), [one] if returns(one)),
        // Nothing else does.
        _ => false,
    }
}

/// A condition without the brackets that are around all of it.
fn bare(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    match inner {
        Some(inner) if operand(text) == text => inner.trim(),
        _ => text,
    }
}

#[cfg(test)]
mod tests;
