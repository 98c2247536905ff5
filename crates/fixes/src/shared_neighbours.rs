//! Neighbouring elements of shared memory in one access: those that a thread reads, through pointers into the array too, and
//! those that it reads and writes where no other thread touches them between two barriers.

use std::collections::BTreeMap;

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::{ExprKind, Function, TypeKind};

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::{Code, declared_by, every, indexed, statements};
use crate::gather::{Gathered, widened};
use crate::neighbours::Target;
use crate::owners::is_each_ones_own;
use crate::record::Watch;
use crate::rooted::Scope;
use crate::trial::cost;
use crate::wider::Wider;
use crate::{FixKind, Proof, Suggestion};

/// The most pointers into one array whose reads are gathered.
const MOST_POINTERS: usize = 6;

/// A name of the array in the kernel.
struct Name {
    name: String,
    element: String,
    element_bytes: u64,
}

impl<'a> Advisor<'a, '_> {
    /// Neighbouring elements that a thread reads one by one, in one access.
    pub(crate) fn widen_shared(&mut self, array: &'a SourceArray) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let names = names(&code, &kernel, array);
        let all: Vec<String> = names.iter().map(|one| one.name.clone()).collect();
        if all.iter().any(|name| is_cast(&code, name)) {
            return;
        }
        let gathered: Vec<_> = names.iter().map(|one| one.gathered(&all)).collect();
        let Some(wider) = widened(&code, &kernel, &gathered) else {
            return;
        };
        let bytes = names.iter().map(|one| one.element_bytes).min();
        let pieces = [(array.name.clone(), bytes.unwrap_or(array.element_bytes))];
        let watch = Watch::in_pieces(&pieces);
        self.prove_wider((&code, array), wider, (&watch, Proof::SameElements), None);
    }

    /// Neighbours that a thread reads and writes, in a copy of its own between one load and one store.
    pub(crate) fn widen_shared_own(&mut self, id: u32, array: &'a SourceArray) {
        if !self.is_read_and_written(id) || !self.is_rewritable(array) {
            return;
        }
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
        // Where the reads alone gain as much, they are enough.
        let is_wider = |one: &&Suggestion| {
            matches!(one.kind, FixKind::Widen { .. }) && one.array == array.name
        };
        let of_reads = self.advice.suggestions.iter().filter(is_wider);
        let most = of_reads.map(|one| cost(&one.totals[1]).saturating_sub(1));
        let most = most.min();
        let proof = (&Watch::PLAIN, Proof::SameResults);
        self.prove_wider((&code, array), wider, proof, most);
    }

    /// Tries wider accesses of an array, which is aligned to them; kept where they cost no more than `most_cost`.
    fn prove_wider(
        &mut self,
        (code, array): (&Code<'_>, &'a SourceArray),
        wider: Wider,
        (watch, proof): (&Watch<'_>, Proof),
        most_cost: Option<u64>,
    ) {
        let Some(aligned) = code.aligned(array.span, wider.bytes) else {
            return;
        };
        let mut edits = wider.edits;
        edits.extend(aligned);
        self.plan(1);
        let kind = FixKind::Widen { bytes: wider.bytes };
        let change = Change {
            array: Some(array),
            snippet: wider.shown,
            most_cost,
            ..Change::whole(kind, edits, self.launch.clone())
        };
        self.prove(change, watch, proof);
    }

    /// Whether nvcc may join reads of the array that the prediction keeps apart: neighbours that are read through casts to
    /// vectors, as `half2`.
    pub(crate) fn is_joined_unpredicted(&self, array: &SourceArray) -> bool {
        let code = self.question.source.code(&self.text);
        let gathered = Gathered {
            is_shared: true,
            ..Gathered::read(array)
        };
        let Some(kernel) = self.kernel(&code) else {
            return false;
        };
        is_cast(&code, &array.name) && widened(&code, &kernel, &[gathered]).is_some()
    }
}

impl Name {
    fn gathered<'n>(&'n self, others: &'n [String]) -> Gathered<'n> {
        Gathered {
            target: Target {
                name: &self.name,
                element_bytes: self.element_bytes,
            },
            element: &self.element,
            is_stored: false,
            is_own: false,
            is_shared: true,
            others,
        }
    }
}

/// The array's names: its own, and pointers into it that the kernel declares.
fn names(code: &Code<'_>, kernel: &Function, array: &SourceArray) -> Vec<Name> {
    let own = Name {
        name: array.name.clone(),
        element: array.element.clone(),
        element_bytes: array.element_bytes,
    };
    let mut scope = Scope {
        sided: (array.extents.len() > 1).then_some(&*array.name),
        roots: std::iter::once(array.name.clone()).collect(),
        variables: BTreeMap::new(),
    };
    let mut found = vec![own];
    let body = statements(&kernel.body);
    for one in declared_by(&body) {
        scope.declare(one);
        let TypeKind::Pointer { to, .. } = &one.ty.kind else {
            continue;
        };
        let is_new = found.iter().all(|known| known.name != *one.name);
        let is_root = scope.roots.contains(&*one.name) && is_new;
        if let Some(layout) = code.layout_of(to).filter(|_| is_root) {
            let words = code.at(to.span).split_whitespace();
            let plain = words.filter(|word| !["const", "volatile"].contains(word));
            found.push(Name {
                name: one.name.to_string(),
                element: plain.collect::<Vec<_>>().join(" "),
                element_bytes: layout.bytes,
            });
        }
    }
    found.truncate(1 + MOST_POINTERS);
    found
}

/// Whether an element of the array is read or written as another type: `*reinterpret_cast<half2*>(&array[i])`.
fn is_cast(code: &Code<'_>, array: &str) -> bool {
    every(code).iter().any(|expr| match &expr.kind {
        ExprKind::Cast(_, inner) => {
            matches!(&inner.kind, ExprKind::Prefix("&", one) if indexed(one) == Some(array))
        }
        _ => false,
    })
}
