//! Names: what they stand for, in the scopes that see one another.

use super::{Binding, Lower, Scope, Value};
use lanescope_syntax::tree::Name;

impl Lower<'_> {
    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scope_of(name)?.get(name)
    }

    /// The scope in which a name is found.
    pub(super) fn scope_of(&self, name: &str) -> Option<&Scope> {
        let base = self.calls.last().map_or(0, |call| call.base);
        let inner = self.scopes[base..]
            .iter()
            .rev()
            .find(|scope| scope.contains_key(name));
        let around = || {
            let ranges = self.calls.last()?.seen.iter().rev();
            let mut scopes = ranges.flat_map(|(from, to)| {
                let scopes = self.scopes.get(*from..(*to).min(base)).unwrap_or(&[]);
                scopes.iter().rev()
            });
            scopes.find(|scope| scope.contains_key(name))
        };
        inner
            .or_else(around)
            .or_else(|| self.scopes.first().filter(|scope| scope.contains_key(name)))
    }

    /// Whether what a name stands for may not be changed.
    pub(super) fn is_constant_name(&self, name: &str) -> bool {
        let scope = self.scope_of(name);
        scope.is_some_and(|scope| scope.contains_key(&*constant_mark(name)))
    }

    /// What a name of the innermost scope stands for may not be changed.
    pub(super) fn bind_constant(&mut self, name: &Name) {
        self.bind(&constant_mark(name), Binding::Value(Value::void()));
    }

    pub(super) fn bind(&mut self, name: &Name, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), binding);
        }
    }

    pub(super) fn in_scope<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::new());
        let result = inner(self);
        self.end_scope_objects(self.scopes.len() - 1);
        self.scopes.pop();
        result
    }
}

/// What a scope holds besides a name that stands for a constant; no name in a source has a blank.
pub(super) fn constant_mark(name: &str) -> Name {
    format!("const {name}").into()
}
