//! Local variables, in registers or in memory.

use super::counted;
use crate::source::ctype::{Target, Type};
use crate::source::lower::calls::Given;
use crate::source::lower::objects::{Start, is_bound_of, is_moved};
use crate::source::lower::registers::{BuiltinValue, Reg};
use crate::source::lower::resolve::scalar_or_int;
use crate::source::lower::{Binding, Lower, Memory, Place, Value};
use lanescope_frontend::Construct;
use lanescope_frontend::Span;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{Declaration, Expr, ExprKind, Name, TypeExpr},
};

/// The most bytes of one thread's own arrays.
const LOCAL_BYTES: u64 = 1 << 16;

/// The most bytes of an element that a list leaves out.
const MOST_EMPTY: u64 = 1 << 12;

impl Lower<'_> {
    pub(super) fn declare_local(&mut self, declaration: &Declaration) {
        let is_auto = declaration.ty.is_deduced();
        let (ty, is_unread) = self.reading_types(|this| {
            if is_auto {
                Type::INT
            } else {
                this.class_or_type(&declaration.ty, declaration.init.as_ref())
            }
        });
        let mut ty = counted(ty, declaration.init.as_ref());
        if is_unread || ty.is_unread() {
            self.declare_unread(declaration, ty);
            return;
        }
        if declaration.ty.is_const || declaration.storage.is_constexpr {
            self.bind_constant(&declaration.name);
        }
        if is_auto
            && self.copies_objects
            && let Some(init) = &declaration.init
        {
            ty = self.type_of(init);
            if !self.is_copied(&ty) && !self.is_destroyed(&ty) {
                ty = Type::INT;
            }
        }
        if self.is_built(&ty) || self.is_copied(&ty) || self.is_destroyed(&ty) {
            self.declare_object(declaration, ty);
            return;
        }
        if ty.has_array()
            || (self.addressed.contains(&declaration.name) && !is_auto)
            || self.lies_in_memory(&ty)
        {
            self.declare_in_memory(declaration, ty);
            return;
        }
        if is_auto
            && self.addressed.contains(&declaration.name)
            && let Some(init) = &declaration.init
        {
            let value = self.value(init);
            self.hold_in_memory(&declaration.name, &value, declaration.span);
            return;
        }
        if declaration.storage.is_constexpr
            && let (Type::Scalar(scalar), Some(init)) = (&ty, &declaration.init)
            && !scalar.is_float()
            && !matches!(init.kind, ExprKind::List(_))
            && let Some(known) = self.fold(init)
        {
            let value = self.whole(scalar.wrap(known), *scalar);
            self.bind(&declaration.name, Binding::Value(value));
            return;
        }
        let value = declaration.init.as_ref();
        let value = value.map(|init| self.initial_value(&ty, init, is_auto));
        if let Some(value) = value.as_ref()
            && (value.ty.shares_bytes() || self.lies_in_memory(&value.ty))
        {
            self.hold_in_memory(&declaration.name, value, declaration.span);
            return;
        }
        if let Some(value) = &value {
            ty = self.blurred(&declaration.name, &value.ty);
        }
        let constant = declaration.ty.is_const || declaration.storage.is_constexpr;
        if let Some(value) = value.as_ref()
            && constant
            && value
                .regs
                .iter()
                .all(|reg| self.known(*reg).is_some() || self.passing[*reg as usize])
        {
            let value = if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                value.clone()
            } else {
                self.held(value)
            };
            self.bind(&declaration.name, Binding::Value(value));
            return;
        }
        let kept = self.variable(&ty, value.as_ref());
        self.bind(&declaration.name, Binding::Place(Place::Registers(kept)));
    }

    /// The value that a variable begins with; `is_auto`: its type is the value's.
    fn initial_value(&mut self, ty: &Type, init: &Expr, is_auto: bool) -> Value {
        if let ExprKind::List(list) = &init.kind {
            return self.listed(ty, list, init.span);
        }
        let literal = match ty {
            Type::Pointer(_) => self.literal(init),
            _ => None,
        };
        let value = match literal {
            Some(memory) => self.read(&Place::Memory(memory), init.span),
            None => self.value(init),
        };
        if is_auto || is_bound_of(&value.ty, ty) {
            value
        } else {
            self.convert(value, ty, init.span)
        }
    }

    /// A variable whose type could not be read: it holds anything.
    fn declare_unread(&mut self, declaration: &Declaration, ty: Type) {
        if let Some(init) = &declaration.init {
            self.value(init);
        }
        let value = self.unread(&declaration.name, Some(declaration.span), &ty);
        let kept = self.variable(&ty, Some(&value));
        self.bind(&declaration.name, Binding::Place(Place::Registers(kept)));
    }

    /// The type of a variable; of a class template without arguments as its first value tells them.
    fn class_or_type(&mut self, ty: &TypeExpr, init: Option<&Expr>) -> Type {
        let deduced = match init {
            Some(Expr {
                kind: ExprKind::List(list),
                ..
            }) => self.deduced_class(ty, list),
            Some(init) => self.deduced_class(ty, std::slice::from_ref(init)),
            None => None,
        };
        deduced.unwrap_or_else(|| self.resolve(ty))
    }

    /// The same value in registers that last.
    fn held(&mut self, value: &Value) -> Value {
        self.variable(&value.ty.clone(), Some(value))
    }

    /// Registers for a variable, with its first value if it has one.
    pub(crate) fn variable(&mut self, ty: &Type, value: Option<&Value>) -> Value {
        let regs: Vec<Reg> = ty
            .leaves()
            .iter()
            .enumerate()
            .map(|(i, leaf)| {
                let dst = self.kept(scalar_or_int(&leaf.ty));
                match value.and_then(|value| value.regs.get(i).copied()) {
                    Some(src) => self.give(dst, src),
                    None => self.leave_undefined(dst),
                }
                dst
            })
            .collect();
        Value {
            ty: ty.clone(),
            regs,
        }
    }

    /// A variable of a structure that constructors or initialisers make, or whose end a destructor makes.
    fn declare_object(&mut self, declaration: &Declaration, ty: Type) {
        let start = declaration.init.as_ref().map_or(Start::Default, Start::of);
        if let Some(init) = &declaration.init
            && !matches!(init.kind, ExprKind::List(_))
            && self.begins_as_value(declaration, &ty, init)
        {
            return;
        }
        let expanded;
        let start = match start {
            Start::List(list) => {
                expanded = self.expanded(list);
                Start::List(&expanded)
            }
            Start::Default | Start::Arguments(_) => start,
        };
        let ty = match start {
            Start::Default => ty,
            Start::List(list) | Start::Arguments(list) => self.bound_type(&ty, list),
        };
        let place = if ty.has_array()
            || self.addressed.contains(&declaration.name)
            || self.lies_in_memory(&ty)
        {
            match self.local_memory(&declaration.name, ty, declaration.span) {
                Some(memory) => Place::Memory(memory),
                None => return,
            }
        } else {
            Place::Registers(self.variable(&ty, None))
        };
        self.bind(&declaration.name, Binding::Place(place.clone()));
        if let Place::Memory(memory) = &place {
            self.begin_unwritten(memory, declaration.span);
        }
        self.build(&place, start, declaration.span);
        self.ends_with_scope(&place, declaration.span);
    }

    /// Where a variable is given a value of its own type that no object holds, it is that value.
    fn begins_as_value(&mut self, declaration: &Declaration, ty: &Type, init: &Expr) -> bool {
        let is_value = matches!(
            init.kind,
            ExprKind::Call { .. } | ExprKind::Construct(..) | ExprKind::Binary(..)
        );
        if !is_value {
            return false;
        }
        let found = self.type_of(init);
        let is_same = found == *ty || is_bound_of(&found, ty);
        if !is_same {
            return false;
        }
        if is_moved(init) && self.is_copied(ty) {
            let what = Construct::code("std::move");
            self.say(init.span, DiagnosticKind::Unsupported { what });
        }
        let place = match self.given_whole(init) {
            Given::Value(value, span) => {
                self.elide(&value);
                if value.ty.has_array()
                    || self.addressed.contains(&declaration.name)
                    || self.lies_in_memory(&value.ty)
                {
                    self.hold_in_memory(&declaration.name, &value, span);
                    match self.lookup(&declaration.name) {
                        Some(Binding::Place(place)) => place.clone(),
                        _ => return true,
                    }
                } else {
                    Place::Registers(self.variable(&value.ty.clone(), Some(&value)))
                }
            }
            Given::Place(from) | Given::Constant(from) => {
                let kept = Place::Registers(self.variable(ty, None));
                self.copy_object(&kept, &from, init.span);
                kept
            }
        };
        self.bind(&declaration.name, Binding::Place(place.clone()));
        self.ends_with_scope(&place, declaration.span);
        true
    }

    /// A local array, or a variable whose address is taken: a thread's own memory.
    fn declare_in_memory(&mut self, declaration: &Declaration, ty: Type) {
        let Some(memory) = self.local_memory(&declaration.name, ty, declaration.span) else {
            return;
        };
        match &declaration.init {
            Some(init) => self.initialise(&memory, init),
            None => self.begin_unwritten(&memory, declaration.span),
        }
        self.bind(&declaration.name, Binding::Place(Place::Memory(memory)));
    }

    /// Binds a name to a value that lies in a thread's own memory.
    pub(crate) fn hold_in_memory(&mut self, name: &Name, value: &Value, span: Span) {
        if let Some(memory) = self.local_memory(name, value.ty.clone(), span) {
            self.store(&memory, value, span);
            self.bind(name, Binding::Place(Place::Memory(memory)));
        }
    }

    /// Room in a thread's own memory; where there is none left, the name stands for nothing.
    fn local_memory(&mut self, name: &Name, ty: Type, span: Span) -> Option<Memory> {
        let found = self.room(ty, span);
        if found.is_none() {
            let nothing = self.nothing();
            self.bind(name, Binding::Value(nothing));
        }
        found
    }

    /// Room in a thread's own memory; says so where there is none left.
    pub(crate) fn room(&mut self, ty: Type, span: Span) -> Option<Memory> {
        let bytes = ty.bytes();
        let base = self.local_bytes.next_multiple_of(16);
        if u64::from(base).saturating_add(bytes) > LOCAL_BYTES {
            self.say(span, DiagnosticKind::TooManyBytes { limit: LOCAL_BYTES });
            return None;
        }
        self.local_bytes = base + u32::try_from(bytes).unwrap_or(0);
        let address = self.builtin_value(BuiltinValue::Local(base));
        Some(Memory::at(ty, address, Target::Local(Some(base))))
    }

    fn initialise(&mut self, memory: &Memory, init: &Expr) {
        let ExprKind::List(list) = &init.kind else {
            let value = self.value(init);
            let value = self.convert(value, &memory.ty.clone(), init.span);
            self.store(memory, &value, init.span);
            return;
        };
        let Type::Array(element, count) = memory.ty.clone() else {
            let value = self.listed(&memory.ty.clone(), list, init.span);
            self.store(memory, &value, init.span);
            return;
        };
        let list = &*self.braced(&memory.ty, list);
        for i in 0..count.min(256) {
            let offset = memory.offset + (i * element.stride()).cast_signed();
            let at = Memory {
                ty: (*element).clone(),
                offset,
                ..memory.clone()
            };
            match usize::try_from(i).ok().and_then(|i| list.get(i)) {
                Some(one) => self.initialise(&at, one),
                // Of more than that the rest stays as it was: nothing written.
                None if element.bytes() > MOST_EMPTY => {}
                None => self.initialise_empty(&at, init.span),
            }
        }
    }

    /// Writes the zeros that an element is given which a list leaves out.
    fn initialise_empty(&mut self, memory: &Memory, span: Span) {
        if let Type::Array(element, count) = memory.ty.clone()
            && memory.ty.leaf_count() > element.leaf_count()
        {
            for at in 0..count.min(256) {
                let offset = memory.offset + (at * element.stride()).cast_signed();
                let ty = (*element).clone();
                let part = Memory {
                    ty,
                    offset,
                    ..memory.clone()
                };
                self.initialise_empty(&part, span);
            }
            return;
        }
        let zero = self.zero(&memory.ty.clone());
        self.store(memory, &zero, span);
    }
}
