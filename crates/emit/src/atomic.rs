//! Atomics: as WGSL has them, the others as a loop of compare-and-swap.

use lanescope_ir::{Address, AtomicOp, Operand, Register, ScalarType, SiteId};

use crate::Note;
use crate::RefusalKind;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::writer::Writer;

impl Writer<'_, '_> {
    pub(crate) fn atomic(
        &mut self,
        op: AtomicOp,
        dst: Option<Register>,
        address: &Address,
        (a, b): (Operand, Option<Operand>),
        site: SiteId,
    ) -> Result<(), RefusalKind> {
        let (memory, ty) = self.memory(site)?;
        let index = self.index(address, 2)?;
        let index = self.watched(&memory, index, [1, 4]);
        let index = self.temporary(&index);
        let place = format!("&{}[{index}]", memory.name);
        let scalar = memory.scalar;
        if op == AtomicOp::CompareAndSwap {
            let expected = self.word(a, scalar)?.text;
            let desired = self.word(b.unwrap_or_default(), scalar)?.text;
            let expected = self.temporary(&expected);
            let old = self.variable(scalar, "0");
            self.open("loop {");
            let tried = self.temporary(&format!(
                "atomicCompareExchangeWeak({place}, {expected}, {desired})"
            ));
            self.line(&format!("{old} = {tried}.old_value;"));
            self.line(&format!(
                "if {tried}.exchanged || {old} != {expected} {{ break; }}"
            ));
            self.close();
            self.give(dst, scalar, &old);
            return Ok(());
        }
        if let Some(name) = direct(op, ty, scalar) {
            let value = self.word(a, scalar)?.text;
            let call = format!("{name}({place}, {value})");
            match dst {
                Some(_) => {
                    let old = self.temporary(&call);
                    self.give(dst, scalar, &old);
                }
                None => self.line(&format!("{call};")),
            }
            return Ok(());
        }
        if ty.is_float() {
            self.notes.insert(Note::FloatAtomics(memory.name.clone()));
        }
        let value = self.typed(a, ty)?.text;
        let value = self.temporary(&value);
        let old = self.variable(scalar, &format!("atomicLoad({place})"));
        self.open("loop {");
        let next = self.changed(op, ty, &Expr::word(scalar, old.clone()), &value)?;
        let next = self.temporary(&next.as_word(scalar));
        let tried = self.temporary(&format!(
            "atomicCompareExchangeWeak({place}, {old}, {next})"
        ));
        self.line(&format!("if {tried}.exchanged {{ break; }}"));
        self.line(&format!("{old} = {tried}.old_value;"));
        self.close();
        self.give(dst, scalar, &old);
        Ok(())
    }

    fn give(&mut self, dst: Option<Register>, scalar: Scalar, old: &str) {
        if let Some(dst) = dst {
            self.assign(dst, Expr::word(scalar, old));
        }
    }

    /// What an atomic leaves in a word that held `old`.
    fn changed(
        &mut self,
        op: AtomicOp,
        ty: ScalarType,
        old: &Expr,
        value: &str,
    ) -> Result<Expr, RefusalKind> {
        let own = Scalar::of(ty);
        let old = old.as_word(own);
        let text = match op {
            AtomicOp::Add => format!("{old} + {value}"),
            AtomicOp::Minimum => format!("min({old}, {value})"),
            AtomicOp::Maximum => format!("max({old}, {value})"),
            AtomicOp::Increment => format!("select({old} + 1u, 0u, {old} >= {value})"),
            AtomicOp::Decrement => {
                format!("select({old} - 1u, {value}, {old} == 0u || {old} > {value})")
            }
            AtomicOp::Exchange
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::CompareAndSwap => return Err(RefusalKind::Invalid),
        };
        Ok(Expr::word(own, text))
    }
}

/// The function of WGSL that does an atomic on words of `scalar`, if it has one.
fn direct(op: AtomicOp, ty: ScalarType, scalar: Scalar) -> Option<&'static str> {
    let is_same = Scalar::of(ty) == scalar;
    match op {
        AtomicOp::Exchange => Some("atomicExchange"),
        AtomicOp::Add if !ty.is_float() => Some("atomicAdd"),
        AtomicOp::Minimum if is_same => Some("atomicMin"),
        AtomicOp::Maximum if is_same => Some("atomicMax"),
        AtomicOp::And => Some("atomicAnd"),
        AtomicOp::Or => Some("atomicOr"),
        AtomicOp::Xor => Some("atomicXor"),
        AtomicOp::Add
        | AtomicOp::Minimum
        | AtomicOp::Maximum
        | AtomicOp::Increment
        | AtomicOp::Decrement
        | AtomicOp::CompareAndSwap => None,
    }
}
