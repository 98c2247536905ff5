//! Calls: a called function's body is put in the call's place.

use super::Lowering;
use super::names::{Entity, Scope};
use super::symbols::Slots;
use crate::opcode::{Opcode, Type, unsigned};
use crate::parser::shorten;
use crate::{Function, Operand as Tree, Variable};
use lanescope_ir::{BinaryOp, Op, Operand, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;

/// Calls may nest so deep.
const MAX_DEPTH: usize = 24;

/// A call that is being lowered.
pub(super) struct Frame<'t> {
    name: &'t str,
    /// The draft behind the call.
    pub(super) after: usize,
    /// First scope that the called function sees.
    pub(super) outermost_scope: usize,
}

/// Functions of the system that print, stop or manage memory: what they ask of memory themselves is not in the text.
const SYSTEM: [&str; 5] = ["vprintf", "__assertfail", "__assert_fail", "malloc", "free"];

impl<'t> Lowering<'_, 't> {
    /// `call (results), name, (arguments)`.
    pub(super) fn call(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let at = operands
            .iter()
            .position(|operand| matches!(operand, Tree::Name(_)));
        let (name, results, arguments) =
            match at.and_then(|at| operands.get(at).map(|name| (at, name))) {
                Some((at, Tree::Name(name))) => {
                    let results = group(operands.get(..at).and_then(|before| before.first()));
                    let arguments = group(operands.get(at + 1));
                    (*name, results, arguments)
                }
                _ => {
                    self.error(PtxFault::CallOfNothing);
                    return;
                }
            };
        let module = self.module;
        let callee = module
            .functions
            .iter()
            .enumerate()
            .find(|(_, function)| function.name == name && function.body.is_some());
        match callee {
            Some((index, function)) => self.inline(index, function, results, arguments),
            None => self.outside_call(opcode, name, results, arguments),
        }
    }

    fn inline(
        &mut self,
        index: usize,
        function: &'_ Function<'t>,
        results: &[Tree<'t>],
        arguments: &[Tree<'t>],
    ) {
        let is_recursive = self.frames.iter().any(|frame| frame.name == function.name);
        if is_recursive || self.frames.len() >= MAX_DEPTH {
            let called = shorten(function.name);
            self.error(if is_recursive {
                PtxFault::Recursion(called)
            } else {
                PtxFault::CalledTooDeep(called)
            });
            self.unknown_call(function.name, results, arguments);
            return;
        }
        let module = self.module;
        let Some(body) = module
            .functions
            .get(index)
            .and_then(|function| function.body.as_deref())
        else {
            return;
        };
        self.under_guard(|lowering| {
            let mut scope = Scope::default();
            let mut moves = Vec::new();
            for (variable, argument) in function.parameters.iter().zip(arguments) {
                let entity = lowering.bind(variable, argument, &mut moves);
                scope.names.insert(variable.name, entity);
            }
            for (dst, value) in moves.drain(..) {
                lowering.move_to(dst, value);
            }
            let mut returned = Vec::new();
            for (variable, result) in function.results.iter().zip(results) {
                let entity = lowering.bind_result(variable, result);
                scope.names.insert(variable.name, entity);
                returned.push((entity, result, variable));
            }
            let after = lowering.new_draft();
            let outermost_scope = lowering.scopes.len();
            lowering.scopes.push(scope);
            lowering.frames.push(Frame {
                name: function.name,
                after,
                outermost_scope,
            });
            let place = (lowering.place, lowering.span, lowering.origin);
            lowering.enter_body(index, body);
            (lowering.place, lowering.span, lowering.origin) = place;
            lowering.guard = None;
            lowering.frames.pop();
            lowering.scopes.truncate(outermost_scope);
            lowering.begin(after);
            for (entity, result, variable) in returned {
                if let Entity::Register(register) = entity {
                    let bits = lowering.bits_of(register);
                    let _ = variable;
                    lowering.write(Some(result), unsigned(bits), register.into());
                }
            }
        });
    }

    /// What a parameter of the called function stands for: the caller's own, or a copy of its value.
    fn bind(
        &mut self,
        variable: &Variable<'t>,
        argument: &Tree<'t>,
        moves: &mut Vec<(lanescope_ir::Register, Operand)>,
    ) -> Entity {
        if let Tree::Name(name) = argument
            && let Some(entity @ (Entity::Slots(_) | Entity::Parameter(_))) = self.entity(name)
        {
            return entity;
        }
        let ty = Type::named(variable.element)
            .and_then(Type::storage)
            .unwrap_or(ScalarType::U32);
        let value = self.value(argument, ty);
        let register = self.fresh(ty.bits());
        if variable.space == "param" {
            self.move_to(register, value);
            let mut slots = Slots::default();
            slots.pieces.insert((0, ty.bits()), register);
            self.slots.push(slots);
            return Entity::Slots(self.slots.len() - 1);
        }
        moves.push((register, value));
        Entity::Register(register)
    }

    fn bind_result(&mut self, variable: &Variable<'t>, result: &Tree<'t>) -> Entity {
        if let Tree::Name(name) = result
            && let Some(entity @ Entity::Slots(_)) = self.entity(name)
        {
            return entity;
        }
        let ty = Type::named(variable.element)
            .and_then(Type::storage)
            .unwrap_or(ScalarType::U32);
        Entity::Register(self.fresh(ty.bits()))
    }

    /// A call of a function whose body is not in the text.
    fn outside_call(
        &mut self,
        opcode: &Opcode<'t>,
        name: &'t str,
        results: &[Tree<'t>],
        arguments: &[Tree<'t>],
    ) {
        if SYSTEM.contains(&name) {
            self.unknown_call(name, results, arguments);
            return;
        }
        let called = shorten(name);
        self.note(if opcode.has("uni") || !name.starts_with('%') {
            PtxFault::NoBody(called)
        } else {
            PtxFault::IndirectCall(called)
        });
        self.unknown_call(name, results, arguments);
    }

    fn unknown_call(&mut self, name: &'t str, results: &[Tree<'t>], arguments: &[Tree<'t>]) {
        let src = arguments
            .iter()
            .flat_map(|argument| self.carried(argument))
            .collect();
        let mut dst = Vec::new();
        for result in results {
            dst.extend(self.registers_of(result));
        }
        self.emit(Op::Unmodelled {
            name: format!("call {name}"),
            dst,
            src,
            is_pure: false,
        });
        self.forget_results(name, results);
    }

    /// Values that an argument carries.
    fn carried(&mut self, argument: &Tree<'t>) -> Vec<Operand> {
        if let Tree::Name(name) = argument
            && let Some(Entity::Slots(index)) = self.entity(name)
        {
            let slots = self.slots.get(index);
            return slots.map_or_else(Vec::new, |slots| {
                slots
                    .pieces
                    .values()
                    .map(|&register| register.into())
                    .collect()
            });
        }
        self.registers_of(argument)
            .into_iter()
            .map(Operand::from)
            .collect()
    }

    fn forget_results(&mut self, name: &'t str, results: &[Tree<'t>]) {
        for result in results {
            if let Tree::Name(result) = result
                && let Some(Entity::Slots(index)) = self.entity(result)
            {
                for bits in [8, 16, 32, 64] {
                    if let Operand::Register(register) = self.unknown(name, bits)
                        && let Some(slots) = self.slots.get_mut(index)
                    {
                        slots.pieces.insert((0, bits), register);
                    }
                }
            }
        }
    }

    /// `st.param` to an argument of a call or a result.
    pub(super) fn store_slot(&mut self, index: usize, offset: u64, ty: ScalarType, value: Operand) {
        let key = (offset, ty.bits());
        let known = self
            .slots
            .get(index)
            .and_then(|slots| slots.pieces.get(&key).copied());
        let register = known.unwrap_or_else(|| self.fresh(ty.bits()));
        self.move_to(register, value);
        let Some(slots) = self.slots.get_mut(index) else {
            return;
        };
        let end = offset.saturating_add(u64::from(ty.bytes()));
        slots.pieces.retain(|&(start, bits), _| {
            start >= end
                || start.saturating_add(u64::from(bits / 8)) <= offset
                || (start, bits) == key
        });
        slots.pieces.insert(key, register);
    }

    /// `ld.param` of an argument or a result.
    pub(super) fn load_slot(
        &mut self,
        name: &'t str,
        index: usize,
        offset: u64,
        ty: ScalarType,
    ) -> Operand {
        let Some(slots) = self.slots.get(index) else {
            return self.unknown(name, ty.bits());
        };
        if let Some(&register) = slots.pieces.get(&(offset, ty.bits())) {
            return register.into();
        }
        // Within one wider piece.
        let wider = slots.pieces.iter().find(|&(&(start, bits), _)| {
            start <= offset && offset + u64::from(ty.bytes()) <= start + u64::from(bits / 8)
        });
        if let Some((&(start, bits), &register)) = wider {
            let shift = Operand::Constant((offset - start) * 8);
            let shifted = self.binary(BinaryOp::ShiftRight, unsigned(bits), register.into(), shift);
            return self.convert(unsigned(bits), unsigned(ty.bits()), shifted);
        }
        // Of several narrower ones.
        for count in [2_u32, 4] {
            let bits = ty.bits() / count;
            if bits < 8 {
                continue;
            }
            let parts: Option<Vec<Operand>> = (0..count)
                .map(|part| {
                    let at = offset + u64::from(part * bits / 8);
                    slots
                        .pieces
                        .get(&(at, bits))
                        .map(|&register| register.into())
                })
                .collect();
            if let Some(parts) = parts {
                let dst = self.fresh(ty.bits());
                self.emit(Op::Pack { dst, parts });
                return dst.into();
            }
        }
        self.unknown(name, ty.bits())
    }
}

/// The items of a call's brackets; one without brackets stands alone.
fn group<'a, 't>(operand: Option<&'a Tree<'t>>) -> &'a [Tree<'t>] {
    match operand {
        Some(Tree::Group(items)) => items,
        Some(other @ Tree::Name(_)) => std::slice::from_ref(other),
        _ => &[],
    }
}
