//! Neighbouring elements of global memory in one access: of arrays that are only read, or only written, and of those that are
//! both, where each element is one thread's.

use lanescope_frontend::SourceArray;
use lanescope_model::Operation;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::Code;
use crate::gather::{Gathered, widened};
use crate::owners::is_each_ones_own;
use crate::record::Watch;
use crate::{FixKind, Proof};

impl<'a> Advisor<'a, '_> {
    /// Neighbouring elements that a thread takes one by one, in one access.
    pub(crate) fn widen(&mut self) {
        let arrays = self.plain_arrays();
        let now = self.advice.suggestions.len();
        self.widen_arrays(&arrays);
        if arrays.len() > 1 && self.advice.suggestions.len() == now {
            for array in arrays {
                self.widen_arrays(&[array]);
            }
        }
    }

    /// Wasteful arrays that are only read, or only written.
    pub(crate) fn plain_arrays(&self) -> Vec<(&'a SourceArray, Operation)> {
        let operation = |id: u32| {
            let sites = self.program.sites().iter();
            let mut touched = sites.filter(|site| site.array.is_some_and(|array| array.0 == id));
            let first = touched.next()?.operation;
            let plain = matches!(first, Operation::Load | Operation::Store);
            (plain && touched.all(|site| site.operation == first)).then_some(first)
        };
        let wasteful = self.wasteful();
        let arrays = wasteful.iter();
        arrays
            .filter_map(|(array, id)| Some((*array, operation(*id)?)))
            .collect()
    }

    fn widen_arrays(&mut self, arrays: &[(&'a SourceArray, Operation)]) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let gathered: Vec<_> = arrays
            .iter()
            .map(|(array, operation)| Gathered {
                is_stored: *operation == Operation::Store,
                ..Gathered::read(array)
            })
            .collect();
        let kernel = self.kernel(&code);
        let Some(wider) = kernel.and_then(|kernel| widened(&code, &kernel, &gathered)) else {
            return;
        };
        self.plan(1);
        let pieces: Vec<_> = arrays
            .iter()
            .map(|(array, _)| (array.name.clone(), array.element_bytes))
            .collect();
        let array = match arrays {
            [(only, _)] => Some(*only),
            _ => None,
        };
        let kind = FixKind::Widen { bytes: wider.bytes };
        let change = Change {
            array,
            snippet: wider.shown,
            ..Change::whole(kind, wider.edits, self.launch.clone())
        };
        self.prove(change, &Watch::in_pieces(&pieces), Proof::SameElements);
    }

    /// Of each wasteful array that is read and written, where no two threads touch the same element.
    pub(crate) fn widen_own(&mut self) {
        for (array, id) in self.wasteful() {
            if self.is_read_and_written(id) {
                self.widen_own_array(array);
            }
        }
    }

    pub(crate) fn is_read_and_written(&self, id: u32) -> bool {
        let sites = self.program.sites().iter();
        let own = sites.filter(|site| site.array.is_some_and(|array| array.0 == id));
        let operations: Vec<Operation> = own.map(|site| site.operation).collect();
        let is_plain = |one: &Operation| matches!(one, Operation::Load | Operation::Store);
        operations.iter().all(is_plain)
            && operations.contains(&Operation::Load)
            && operations.contains(&Operation::Store)
    }

    fn widen_own_array(&mut self, array: &'a SourceArray) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let gathered = Gathered {
            is_own: true,
            ..Gathered::read(array)
        };
        let kernel = self.kernel(&code);
        let Some(wider) = kernel.and_then(|kernel| widened(&code, &kernel, &[gathered])) else {
            return;
        };
        if !is_each_ones_own(self.question, self.program, &self.launch, &array.name) {
            return;
        }
        self.plan(1);
        let kind = FixKind::Widen { bytes: wider.bytes };
        let change = Change {
            array: Some(array),
            snippet: wider.shown,
            ..Change::whole(kind, wider.edits, self.launch.clone())
        };
        self.prove(change, &Watch::PLAIN, Proof::SameResults);
    }
}
