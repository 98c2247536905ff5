//! Room for a value of every register, taken over from block to block: a kernel with many blocks and registers is
//! walked in time of what its blocks read and write.

use crate::Register;
use crate::analysis::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// A value of every register, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    values: Vec<Value>,
    /// `[register]`: the turn in which its value was set.
    set_in: Vec<u32>,
    turn: u32,
}

impl Store {
    pub(super) fn new(registers: usize) -> Self {
        Self {
            values: vec![Value::default(); registers],
            set_in: vec![0; registers],
            turn: 1,
        }
    }

    /// Forgets all values.
    fn clear(&mut self) {
        self.turn = self.turn.checked_add(1).unwrap_or_else(|| {
            self.set_in.fill(0);
            1
        });
    }

    pub(super) fn get(&self, register: Register) -> Option<Value> {
        let is_set = self.set_in.get(register.index()) == Some(&self.turn);
        is_set.then(|| self.values.get(register.index()).copied())?
    }

    pub(super) fn set(&mut self, register: Register, value: Value) {
        if let (Some(slot), Some(turn)) = (
            self.values.get_mut(register.index()),
            self.set_in.get_mut(register.index()),
        ) {
            *slot = value;
            *turn = self.turn;
        }
    }
}

/// Stores that nobody uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool(Rc<RefCell<Vec<Store>>>);

impl Pool {
    /// An empty store for so many registers.
    pub(super) fn take(&self, registers: usize) -> Store {
        let spare = self.0.try_borrow_mut().ok().and_then(|mut all| all.pop());
        match spare.filter(|one| one.values.len() == registers) {
            Some(mut store) => {
                store.clear();
                store
            }
            None => Store::new(registers),
        }
    }

    pub(super) fn give_back(&self, store: Store) {
        if let Ok(mut all) = self.0.try_borrow_mut() {
            all.push(store);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_comes_back_is_empty() {
        let pool = Pool::default();
        let mut store = pool.take(2);
        store.set(Register(1), Value::known(7));
        store.set(Register(2), Value::known(8));
        assert_eq!(store.get(Register(1)), Some(Value::known(7)));
        assert_eq!(store.get(Register(2)), None);
        pool.give_back(store);
        let store = pool.take(2);
        assert_eq!(store.get(Register(1)), None);
        pool.give_back(store);
        assert_eq!(pool.take(3).get(Register(1)), None);
    }

    #[test]
    fn turns_that_run_out_begin_anew() {
        let mut store = Store::new(1);
        store.turn = u32::MAX;
        store.set(Register(0), Value::known(7));
        store.clear();
        assert_eq!(store.get(Register(0)), None);
    }
}
