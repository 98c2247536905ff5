//! Jumps to where control goes anyway are left out, and blocks that nothing leaves are dissolved.
//!
//! What falling off the end of a list of statements comes to is known from what is around it: of a loop's body the next
//! iteration, of a block's body what stands behind the block. A jump there is no jump.

use crate::node::{Condition, Label, Node, any_node};

/// Passes at most; each makes the code smaller.
const MOST_PASSES: usize = 16;

/// Simplifies the code of a whole kernel.
pub(crate) fn simplify(mut code: Vec<Node<'_>>) -> Vec<Node<'_>> {
    for _ in 0..MOST_PASSES {
        let before = code.clone();
        code = list(code, &[Node::Exit]);
        if code == before {
            break;
        }
    }
    code
}

/// Whether control never comes behind a statement.
fn never_ends(node: &Node<'_>) -> bool {
    match node {
        Node::Break(_) | Node::Continue(_) | Node::Exit => true,
        Node::If {
            then, otherwise, ..
        } => never_falls(then) && never_falls(otherwise),
        Node::Loop { label, body } => !any_node(body, &|one| *one == Node::Break(*label)),
        Node::Block { label, body } => {
            never_falls(body) && !any_node(body, &|one| *one == Node::Break(*label))
        }
        Node::Instruction(_)
        | Node::Converge { .. }
        | Node::SetMask { .. }
        | Node::ClearMask(_)
        | Node::BreakUnlessAny(..) => false,
    }
}

fn never_falls(nodes: &[Node<'_>]) -> bool {
    nodes.last().is_some_and(never_ends)
}

/// Simplifies a list; each of `falls` is a jump to where control goes behind its end.
fn list<'k>(mut nodes: Vec<Node<'k>>, falls: &[Node<'k>]) -> Vec<Node<'k>> {
    if let Some(last) = nodes.iter().position(never_ends) {
        nodes.truncate(last + 1);
    }
    while nodes.last().is_some_and(|last| falls.contains(last)) {
        nodes.pop();
    }
    let count = nodes.len();
    // The jump that ends the list, if one does: what falls off the statement before it jumps too.
    let end = nodes.last().filter(|last| is_jump(last)).cloned();
    let mut out = Vec::new();
    for (at, node) in nodes.into_iter().enumerate() {
        let behind = if at + 1 == count {
            falls
        } else if at + 2 == count {
            end.as_slice()
        } else {
            &[]
        };
        statement(node, behind, &mut out);
    }
    out
}

const fn is_jump(node: &Node<'_>) -> bool {
    matches!(node, Node::Break(_) | Node::Continue(_) | Node::Exit)
}

fn statement<'k>(node: Node<'k>, falls: &[Node<'k>], out: &mut Vec<Node<'k>>) {
    match node {
        Node::If {
            condition,
            then,
            otherwise,
            place,
        } => {
            let (then, otherwise) = (list(then, falls), list(otherwise, falls));
            branch(condition, then, otherwise, place, out);
        }
        Node::Loop { label, body } => {
            let body = replace(body, falls, &Node::Break(label));
            let body = list(body, &[Node::Continue(label)]);
            out.push(Node::Loop { label, body });
        }
        Node::Block { label, body } => block(label, body, falls, out),
        other @ (Node::Instruction(_)
        | Node::Converge { .. }
        | Node::Break(_)
        | Node::Continue(_)
        | Node::Exit
        | Node::SetMask { .. }
        | Node::ClearMask(_)
        | Node::BreakUnlessAny(..)) => out.push(other),
    }
}

fn branch<'k>(
    condition: Condition,
    then: Vec<Node<'k>>,
    otherwise: Vec<Node<'k>>,
    place: lanescope_ir::PlaceId,
    out: &mut Vec<Node<'k>>,
) {
    let one = |condition, then| Node::If {
        condition,
        then,
        otherwise: Vec::new(),
        place,
    };
    let negated = match condition {
        Condition::Predicate(predicate, negated) => Some(Condition::Predicate(predicate, !negated)),
        Condition::Equals(..) | Condition::Mask(_) => None,
    };
    match (then.is_empty(), otherwise.is_empty(), negated) {
        (true, true, _) => {}
        (true, false, Some(negated)) => out.push(one(negated, otherwise)),
        (false, false, _) if never_falls(&then) => {
            out.push(one(condition, then));
            out.extend(otherwise);
        }
        (false, false, Some(negated)) if never_falls(&otherwise) => {
            out.push(one(negated, otherwise));
            out.extend(then);
        }
        _ => out.push(Node::If {
            condition,
            then,
            otherwise,
            place,
        }),
    }
}

fn block<'k>(label: Label, body: Vec<Node<'k>>, falls: &[Node<'k>], out: &mut Vec<Node<'k>>) {
    let mut behind = falls.to_vec();
    behind.push(Node::Break(label));
    let body = list(body, &behind);
    if any_node(&body, &|one| *one == Node::Break(label)) {
        out.push(Node::Block { label, body });
    } else {
        out.extend(body);
    }
}

/// The statements with each jump of `from` replaced.
fn replace<'k>(nodes: Vec<Node<'k>>, from: &[Node<'k>], to: &Node<'k>) -> Vec<Node<'k>> {
    let one = |node: Node<'k>| match node {
        Node::If {
            condition,
            then,
            otherwise,
            place,
        } => Node::If {
            condition,
            then: replace(then, from, to),
            otherwise: replace(otherwise, from, to),
            place,
        },
        Node::Loop { label, body } => Node::Loop {
            label,
            body: replace(body, from, to),
        },
        Node::Block { label, body } => Node::Block {
            label,
            body: replace(body, from, to),
        },
        jump if from.contains(&jump) => to.clone(),
        other @ (Node::Instruction(_)
        | Node::Converge { .. }
        | Node::Break(_)
        | Node::Continue(_)
        | Node::Exit
        | Node::SetMask { .. }
        | Node::ClearMask(_)
        | Node::BreakUnlessAny(..)) => other,
    };
    nodes.into_iter().map(one).collect()
}
