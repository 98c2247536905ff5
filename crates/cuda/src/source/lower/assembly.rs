//! Inline assembly: the PTX of an `asm` statement, instruction by instruction.
//!
//! Accesses of memory become the requests that they are. Arithmetic that addresses are made of is followed; the rest
//! gives values that are not known. An instruction that may touch memory and is not read is said.

mod exchange;
mod instruction;
mod memory;
mod value;

use super::registers::{BuiltinValue, scalar_type};
use super::resolve::scalar_or_int;
use super::{Lower, Value};
use crate::source::ctype::Type;
use instruction::{Instruction, inside, labelled, number, plain};
use lanescope_frontend::{Construct, Span};
use lanescope_ir::{Op, UnaryOp};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};
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
                operand.value = Some(self.kept_apart(&value));
            }
            assembly.operands.push(operand);
        }
        let text = plain(text);
        self.assembled_list(&mut assembly, &text, span);
        self.give_results(assembly);
    }

    /// Instructions one after another; a branch that is known to be taken leaves those out up to its label.
    fn assembled_list(&mut self, assembly: &mut Assembly<'_>, text: &str, span: Span) {
        let mut skipped_to: Option<&str> = None;
        for one in text.split(';') {
            let one = one.trim().trim_start_matches(['{', '}']).trim();
            let (labels, one) = labelled(one);
            if skipped_to.is_some_and(|label| labels.contains(&label)) {
                skipped_to = None;
            }
            if skipped_to.is_some() || one.is_empty() || one.starts_with('.') {
                continue;
            }
            let read = Instruction::of(one);
            match read.filter(|one| one.name() == "bra") {
                Some(branch) => skipped_to = self.branched(assembly, &branch, span),
                None => self.assembled(assembly, one, span),
            }
        }
        if let Some(label) = skipped_to {
            // It goes back, or nowhere.
            self.unread_assembly(&format!("bra {label}"), span);
        }
    }

    /// Where a branch goes whose condition is known; `None` where it is not taken.
    fn branched<'t>(
        &mut self,
        assembly: &Assembly<'_>,
        branch: &Instruction<'t>,
        span: Span,
    ) -> Option<&'t str> {
        let label = branch.arguments.first().copied()?;
        let Some((name, negated)) = branch.guard else {
            return Some(label);
        };
        let condition = self.operand(assembly, name, Scalar::Bool);
        let condition = condition.map(|condition| self.truth(&condition, span));
        match condition.and_then(|condition| self.known(condition)) {
            Some(known) => ((known != 0) != negated).then_some(label),
            None => {
                self.unread_assembly("bra", span);
                None
            }
        }
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
        for operand in assembly.operands {
            if !operand.is_written() {
                continue;
            }
            let Some(place) = self.place(operand.expr) else {
                self.say(operand.expr.span, DiagnosticKind::NotAssignable);
                continue;
            };
            let value = match operand.result {
                Some(value) => self.convert(value, &place.of().clone(), operand.expr.span),
                None => self.opaque(&place.of().clone(), &[]),
            };
            self.assign(&place, &value, operand.expr.span);
        }
    }

    /// A value that no launch tells.
    pub(super) fn unknown_value(&mut self, name: &str, ty: &Type) -> Value {
        self.opaque_of(name, ty, &[])
    }

    /// A value that is not known; those that it comes of are used.
    pub(super) fn opaque(&mut self, ty: &Type, from: &[Value]) -> Value {
        self.opaque_of("asm", ty, from)
    }

    fn opaque_of(&mut self, name: &str, ty: &Type, from: &[Value]) -> Value {
        self.use_all(from);
        let mut src = Vec::new();
        for reg in from.iter().flat_map(|value| &value.regs) {
            let ty = self.own_type(*reg);
            src.push(self.operand_of(*reg, ty));
        }
        let leaves = ty.leaves();
        let regs = leaves.iter().map(|leaf| {
            let ty = scalar_type(scalar_or_int(&leaf.ty));
            let src = src.clone();
            self.define(ty, |dst| Op::Unmodelled {
                name: name.to_owned(),
                dst: vec![dst],
                src,
                is_pure: true,
            })
        });
        Value {
            regs: regs.collect(),
            ty: ty.clone(),
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
            self.unary_reg(UnaryOp::Not, Scalar::Bool, condition)
        } else {
            condition
        };
        match self.known(condition) {
            Some(0) => {}
            Some(_) => self.assembled_plainly(assembly, &one, span),
            None => {
                self.begin_if(condition);
                self.assembled_plainly(assembly, &one, span);
                self.builder.end_if();
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
        instruction: &Instruction<'_>,
        span: Span,
    ) {
        let is_read = match instruction.name() {
            "cp" | "wgmma" if instruction.has("commit_group") || instruction.has("wait_group") => {
                self.fenced()
            }
            "cp" if instruction.has("wait_all") => self.fenced(),
            "wgmma" if instruction.has("fence") => self.fenced(),
            "wgmma" => self.assembled_bulk(assembly, instruction, span),
            "cp" if instruction.has("bulk") => self.assembled_bulk(assembly, instruction, span),
            "cp" if instruction.has("mbarrier") => {
                self.assembled_object_barrier(assembly, instruction, span)
            }
            "cp" => self.assembled_copy(assembly, instruction, span),
            "mbarrier" => self.assembled_object_barrier(assembly, instruction, span),
            "ldmatrix" | "stmatrix" => self.assembled_matrix(assembly, instruction, span),
            "ld" | "st" | "ldu" => self.assembled_access(assembly, instruction, span),
            "atom" | "red" => self.assembled_atomic(assembly, instruction, span),
            "bar" | "barrier" if instruction.arguments == ["0"] && instruction.has("sync") => {
                self.barrier(span);
                Some(())
            }
            name if FENCES.contains(&name) => self.fenced(),
            name if HINTS.contains(&name) => Some(()),
            name if PURE.contains(&name) => {
                self.assembled_value(assembly, instruction);
                Some(())
            }
            "shfl" | "vote" | "match" | "activemask" | "redux" | "elect" => {
                self.assembled_exchange(assembly, instruction, span);
                Some(())
            }
            _ => None,
        };
        if is_read.is_none() {
            self.give_opaque(assembly, instruction);
            self.unread_assembly(&instruction.parts.join("."), span);
        }
    }

    /// Memory may have changed behind it.
    fn fenced(&mut self) -> Option<()> {
        self.emit(Op::Fence);
        Some(())
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
        let builtin = match text {
            "%laneid" => BuiltinValue::Lane,
            "%tid.x" => BuiltinValue::ThreadIdx(0),
            "%tid.y" => BuiltinValue::ThreadIdx(1),
            "%tid.z" => BuiltinValue::ThreadIdx(2),
            "%ntid.x" => BuiltinValue::BlockDim(0),
            "%ntid.y" => BuiltinValue::BlockDim(1),
            "%ntid.z" => BuiltinValue::BlockDim(2),
            "%ctaid.x" => BuiltinValue::BlockIdx(0),
            "%ctaid.y" => BuiltinValue::BlockIdx(1),
            "%ctaid.z" => BuiltinValue::BlockIdx(2),
            "%nctaid.x" => BuiltinValue::GridDim(0),
            "%nctaid.y" => BuiltinValue::GridDim(1),
            "%nctaid.z" => BuiltinValue::GridDim(2),
            _ => return None,
        };
        let reg = self.builtin_value(builtin);
        Some(Value::scalar(Scalar::U32, reg))
    }

    /// A value that later assignments leave alone; a constant stays one.
    fn kept_apart(&mut self, value: &Value) -> Value {
        if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
            return value.clone();
        }
        self.copied(value)
    }

    /// Gives what an instruction writes a value.
    fn give_operand(&mut self, assembly: &mut Assembly<'_>, target: &str, value: Value) {
        let target = target.trim();
        let at = target
            .strip_prefix('%')
            .and_then(|at| at.parse::<usize>().ok());
        let kept = self.kept_apart(&value);
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
            let value = self.opaque(&held.ty, &[]);
            self.give_operand(assembly, target, value);
        }
    }

    /// What an instruction writes is not known.
    fn give_opaque(&mut self, assembly: &mut Assembly<'_>, instruction: &Instruction<'_>) {
        let ty = Type::Scalar(instruction.scalar().unwrap_or(Scalar::U32));
        let sources = instruction.arguments.iter().skip(1);
        let sources: Vec<&str> = sources.flat_map(|argument| inside(argument)).collect();
        let used: Vec<Value> = sources
            .into_iter()
            .filter_map(|source| self.operand(assembly, source, Scalar::U32))
            .collect();
        self.use_all(&used);
        for argument in instruction.arguments.iter().take(1) {
            let targets = inside(argument);
            for target in targets.iter().flat_map(|target| target.split('|')) {
                let at = target.trim().strip_prefix('%');
                let at = at.and_then(|at| at.parse::<usize>().ok());
                let written = at.and_then(|at| assembly.operands.get(at));
                // An operand that is only read is no target: `st`, `red` and their kin have none.
                if at.is_none() || written.is_some_and(Operand::is_written) {
                    let value = self.opaque(&ty, &[]);
                    self.give_operand(assembly, target, value);
                }
            }
        }
    }
}
