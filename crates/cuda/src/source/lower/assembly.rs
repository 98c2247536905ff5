//! Inline assembly: the PTX of an `asm` statement, instruction by instruction.
//!
//! Accesses of memory become the requests that they are. Arithmetic that addresses are made of is followed; the rest
//! gives values that are not known. An instruction that may touch memory and is not read is said.

mod instruction;
mod memory;
mod value;

use super::{Lower, Value};
use crate::source::Construct;
use crate::source::Span;
use crate::source::code::{Inst, Preset, Unary};
use crate::source::ctype::Type;
use crate::source::diagnostic::DiagnosticKind;
use crate::source::scalar::Scalar;
use crate::source::syntax::{Expr, ExprKind};
use instruction::{Instruction, inside, number, plain};
use std::collections::BTreeMap;

/// The most characters of an assembly that are read.
const LONGEST: usize = 65_536;

/// Instructions that compute: what they write depends on their operands alone.
const PURE: [&str; 56] = [
    "abs",
    "add",
    "addc",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "cvta",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "max",
    "min",
    "mma",
    "mov",
    "mul",
    "mul24",
    "neg",
    "not",
    "or",
    "popc",
    "prmt",
    "rcp",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shl",
    "shr",
    "sin",
    "sqrt",
    "slct",
    "sub",
    "subc",
    "szext",
    "tanh",
    "testp",
    "xor",
    "movmatrix",
];

/// Instructions that touch nothing that is counted and write nothing.
const HINTS: [&str; 9] = [
    "prefetch",
    "prefetchu",
    "discard",
    "applypriority",
    "nanosleep",
    "griddepcontrol",
    "setmaxnreg",
    "createpolicy",
    "pmevent",
];

/// Instructions behind which memory may have changed for all that the compiler knows.
const FENCES: [&str; 2] = ["membar", "fence"];

/// An operand of the statement: its constraint, where it is, and its value.
struct Operand<'e> {
    constraint: &'e str,
    expr: &'e Expr,
    value: Option<Value>,
    /// What was written to it.
    result: Option<Value>,
}

impl Operand<'_> {
    fn is_written(&self) -> bool {
        self.constraint.starts_with(['=', '+'])
    }

    fn is_read(&self) -> bool {
        !self.constraint.starts_with('=')
    }
}

/// The state of one statement.
struct Assembly<'e> {
    operands: Vec<Operand<'e>>,
    locals: BTreeMap<String, Value>,
}

impl Lower<'_> {
    /// An `asm` statement: its text, and each operand's constraint and expression.
    pub(super) fn assembly(&mut self, arguments: &[Expr], span: Span) {
        let Some((ExprKind::Text(text), operands)) = arguments
            .split_first()
            .map(|(text, rest)| (&text.kind, rest))
        else {
            self.unread_assembly("", span);
            return;
        };
        if text.len() > LONGEST {
            self.unread_assembly("", span);
            return;
        }
        let mut assembly = Assembly {
            operands: Vec::new(),
            locals: BTreeMap::new(),
        };
        for pair in operands.chunks_exact(2) {
            let [constraint, expr] = pair else { continue };
            let ExprKind::Text(constraint) = &constraint.kind else {
                continue;
            };
            let mut operand = Operand {
                constraint,
                expr,
                value: None,
                result: None,
            };
            if operand.is_read() {
                let value = self.value(expr);
                operand.value = Some(self.copied(&value));
            }
            assembly.operands.push(operand);
        }
        let text = plain(text);
        for one in text.split(';') {
            let one = one.trim().trim_start_matches(['{', '}']).trim();
            if !one.is_empty() && !one.starts_with('.') {
                self.assembled(&mut assembly, one, span);
            }
        }
        self.give_results(assembly);
    }

    fn unread_assembly(&mut self, name: &str, span: Span) {
        let what = if name.is_empty() {
            Construct::InlineAssembly
        } else {
            Construct::AssemblyInstruction(name.to_owned())
        };
        self.say(span, DiagnosticKind::Unsupported { what });
    }

    /// Gives the operands that are written what they have become.
    fn give_results(&mut self, assembly: Assembly<'_>) {
        for one in assembly.operands {
            if !one.is_written() {
                continue;
            }
            let Some(place) = self.place(one.expr) else {
                self.say(one.expr.span, DiagnosticKind::NotAssignable);
                continue;
            };
            let value = match one.result {
                Some(value) => self.convert(value, &place.of().clone(), one.expr.span),
                None => self.opaque(&place.of().clone(), &[]),
            };
            self.assign(&place, &value, one.expr.span);
        }
    }

    /// A value that is not known; those that it comes of are used.
    pub(super) fn opaque(&mut self, of: &Type, from: &[Value]) -> Value {
        self.use_all(from);
        let leaves = of.leaves();
        let regs = leaves.iter().map(|leaf| {
            let scalar = super::resolve::scalar_or_int(&leaf.of);
            let (a, dst) = (self.constant(0), self.temp());
            let op = Unary::Opaque;
            self.emit(Inst::Unary { op, scalar, dst, a });
            dst
        });
        Value {
            regs: regs.collect(),
            of: of.clone(),
        }
    }

    /// One instruction, under its predicate.
    fn assembled(&mut self, assembly: &mut Assembly<'_>, text: &str, span: Span) {
        let Some(one) = Instruction::of(text) else {
            self.unread_assembly(text, span);
            return;
        };
        let Some((name, negated)) = one.guard else {
            self.assembled_plainly(assembly, &one, span);
            return;
        };
        let Some(condition) = self.operand(assembly, name, Scalar::Bool) else {
            self.unread_assembly(text, span);
            return;
        };
        let condition = self.truth(&condition, span);
        let condition = if negated {
            self.unary_reg(Unary::Not, Scalar::Bool, condition)
        } else {
            condition
        };
        match self.known(condition) {
            Some(0) => {}
            Some(_) => self.assembled_plainly(assembly, &one, span),
            None => {
                let at = self.insts.len();
                self.emit(Inst::If {
                    condition,
                    otherwise: 0,
                });
                self.in_frame(|lower| lower.assembled_plainly(assembly, &one, span));
                self.close_if(at);
                // What was written under the predicate is one of two values.
                for argument in one.arguments.iter().take(1) {
                    for target in inside(argument) {
                        self.forget(assembly, target);
                    }
                }
            }
        }
    }

    fn assembled_plainly(
        &mut self,
        assembly: &mut Assembly<'_>,
        one: &Instruction<'_>,
        span: Span,
    ) {
        let is_read = match one.name() {
            "cp" if one.has("bulk") => None,
            "cp" if one.has("shared") || one.has("shared::cta") => {
                self.assembled_copy(assembly, one, span)
            }
            "cp" => {
                self.emit(Inst::Fence);
                Some(())
            }
            "ldmatrix" | "stmatrix" => self.assembled_matrix(assembly, one, span),
            "ld" | "st" | "ldu" => self.assembled_access(assembly, one, span),
            "bar" | "barrier" if one.arguments == ["0"] && one.has("sync") => {
                self.barrier(span);
                Some(())
            }
            name if FENCES.contains(&name) => {
                self.emit(Inst::Fence);
                Some(())
            }
            name if HINTS.contains(&name) => Some(()),
            name if PURE.contains(&name) => {
                self.assembled_value(assembly, one);
                Some(())
            }
            "shfl" | "vote" | "match" | "activemask" | "redux" | "elect" => {
                self.give_opaque(assembly, one);
                Some(())
            }
            _ => None,
        };
        if is_read.is_none() {
            self.give_opaque(assembly, one);
            self.unread_assembly(&one.parts.join("."), span);
        }
    }

    /// What an operand of an instruction holds.
    fn operand(&mut self, assembly: &Assembly<'_>, text: &str, scalar: Scalar) -> Option<Value> {
        let text = text.trim();
        if let Some(at) = text
            .strip_prefix('%')
            .and_then(|at| at.parse::<usize>().ok())
        {
            let operand = assembly.operands.get(at)?;
            return operand.result.clone().or_else(|| operand.value.clone());
        }
        if let Some(value) = assembly.locals.get(text) {
            return Some(value.clone());
        }
        if let Some(value) = number(text, scalar) {
            let reg = self.constant(value);
            return Some(Value::scalar(scalar, reg));
        }
        let preset = match text {
            "%laneid" => Preset::Lane,
            "%tid.x" => Preset::ThreadIdx(0),
            "%tid.y" => Preset::ThreadIdx(1),
            "%tid.z" => Preset::ThreadIdx(2),
            "%ntid.x" => Preset::BlockDim(0),
            "%ntid.y" => Preset::BlockDim(1),
            "%ntid.z" => Preset::BlockDim(2),
            "%ctaid.x" => Preset::BlockIdx(0),
            "%ctaid.y" => Preset::BlockIdx(1),
            "%ctaid.z" => Preset::BlockIdx(2),
            "%nctaid.x" => Preset::GridDim(0),
            "%nctaid.y" => Preset::GridDim(1),
            "%nctaid.z" => Preset::GridDim(2),
            _ => return None,
        };
        let reg = self.preset(preset);
        Some(Value::scalar(Scalar::U32, reg))
    }

    /// Gives what an instruction writes a value.
    fn give(&mut self, assembly: &mut Assembly<'_>, target: &str, value: Value) {
        let target = target.trim();
        let at = target
            .strip_prefix('%')
            .and_then(|at| at.parse::<usize>().ok());
        let kept = self.copied(&value);
        match at.and_then(|at| assembly.operands.get_mut(at)) {
            Some(operand) => operand.result = Some(kept),
            None => {
                assembly.locals.insert(target.to_owned(), kept);
            }
        }
    }

    /// What stands at `target` is not known from now on.
    fn forget(&mut self, assembly: &mut Assembly<'_>, target: &str) {
        let at = target
            .strip_prefix('%')
            .and_then(|at| at.parse::<usize>().ok());
        let held = match at {
            Some(at) => assembly.operands.get(at).and_then(|one| one.result.clone()),
            None => assembly.locals.get(target).cloned(),
        };
        if let Some(held) = held {
            let value = self.opaque(&held.of, &[]);
            self.give(assembly, target, value);
        }
    }

    /// What an instruction writes is not known.
    fn give_opaque(&mut self, assembly: &mut Assembly<'_>, one: &Instruction<'_>) {
        let of = Type::Scalar(one.scalar().unwrap_or(Scalar::U32));
        let sources = one.arguments.iter().skip(1);
        let sources: Vec<&str> = sources.flat_map(|argument| inside(argument)).collect();
        let used: Vec<Value> = sources
            .into_iter()
            .filter_map(|source| self.operand(assembly, source, Scalar::U32))
            .collect();
        self.use_all(&used);
        for argument in one.arguments.iter().take(1) {
            let targets = inside(argument);
            for target in targets.iter().flat_map(|target| target.split('|')) {
                let at = target.trim().strip_prefix('%');
                let at = at.and_then(|at| at.parse::<usize>().ok());
                let written = at.and_then(|at| assembly.operands.get(at));
                // An operand that is only read is no target: `st`, `red` and their kin have none.
                if at.is_none() || written.is_some_and(Operand::is_written) {
                    let value = self.opaque(&of, &[]);
                    self.give(assembly, target, value);
                }
            }
        }
    }
}
