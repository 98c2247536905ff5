//! The last steps of a reduction in WGSL, inside a subgroup: where the text has `enable subgroups;`.
//!
//! The loop ends when as many values are left as a subgroup has invocations, whatever its size is. All invocations take part in
//! what follows, as it has to stand in uniform control flow. Whole numbers are added by `subgroupAdd`; others are combined by
//! shuffles, in the order of the loop.

use lanescope_syntax::token::Token;
use lanescope_syntax::tree::{Function, Role};
use lanescope_syntax::{Sink, lexer};

use crate::Edit;
use crate::code::Code;
use crate::halving::Halving;
use crate::indentation::indentation;
use crate::pitch::free_name;
use crate::rewrite::operand;
use crate::warp_shuffle::is_left_to_one;

/// What combines two whole numbers `a` and `b`, and the subgroup's operation for it: zero changes nothing.
const OPERATIONS: [([&str; 2], &str); 3] = [
    (["a+b", "b+a"], "subgroupAdd"),
    (["a|b", "b|a"], "subgroupOr"),
    (["a^b", "b^a"], "subgroupXor"),
];

/// The changes that end the loop when a subgroup is left; `element` is the type of an element.
pub(crate) fn rewrite(
    code: &Code<'_>,
    function: &Function,
    halving: &Halving<'_>,
    element: &str,
) -> Option<Vec<Edit>> {
    let entry = code.entry()?;
    if function.role != Role::Kernel || !enables_subgroups(code.text()) {
        return None;
    }
    let (thread, array, step) = (operand(halving.thread), halving.array, halving.step);
    let indent = indentation(code.text(), halving.span.start as usize);
    let mut edits = Vec::new();
    let size = match &entry.subgroup_size {
        Some(name) => name.clone(),
        None => {
            let name = free_name(code, "subgroup_size");
            let parameter = format!("@builtin(subgroup_size) {name}: u32, ");
            edits.push(Edit::new(entry.parameters, entry.parameters, parameter));
            name
        }
    };
    let value = free_name(code, "value");
    let mut lines = Vec::new();
    if !halving.ends_at_barrier {
        lines.push("workgroupBarrier();".to_owned());
    }
    let own = format!("{array}[{}]", halving.thread);
    match operation(code, halving, element) {
        Some(operation) => lines.push(format!(
            "let {value} = {operation}(select({element}(), {own}, {thread} < {size}));"
        )),
        None => {
            let offset = free_name(code, "offset");
            let other = free_name(code, "other");
            lines.push(format!("var {value} = {own};"));
            lines.push(format!(
                "for (var {offset} = {size} >> 1u; {offset} > 0u; {offset} >>= 1u) {{"
            ));
            lines.push(format!(
                "  let {other} = subgroupShuffleDown({value}, {offset});"
            ));
            lines.push(format!("  {}", halving.accumulated(code, &value, &other)?));
            lines.push("}".to_owned());
        }
    }
    lines.push(format!("if ({thread} == 0u) {{"));
    lines.push(format!("  {array}[0] = {value};"));
    lines.push("}".to_owned());
    if !is_left_to_one(code, function, halving) {
        lines.push("workgroupBarrier();".to_owned());
    }
    let tail = lines.iter().map(|line| format!("\n{indent}{line}"));
    let [goes_on, ends] = [">=", "<"].map(|sign| format!("{step} {sign} {size}"));
    edits.extend(halving.asked.replaced(code, [&goes_on, &ends]));
    let end = halving.span.end as usize;
    edits.push(Edit::new(end, end, tail.collect::<String>()));
    Some(edits)
}

/// The subgroup's operation for what the loop does to whole numbers.
fn operation(code: &Code<'_>, halving: &Halving<'_>, element: &str) -> Option<&'static str> {
    let combined = halving.combined(code, "a", "b")?;
    let combined: String = combined.split_whitespace().collect();
    let mut operations = OPERATIONS.iter();
    let (_, operation) = operations.find(|(forms, _)| forms.contains(&&*combined))?;
    ["u32", "i32"].contains(&element).then_some(*operation)
}

/// Whether the text has `enable subgroups;`, alone or with others.
fn enables_subgroups(text: &str) -> bool {
    let tokens = lexer::lex(text, &mut Sink::deaf());
    let mut statements = tokens.split(|token| token.is(";"));
    statements.any(|one| {
        let begins = one.first().is_some_and(|first| first.is_name("enable"));
        begins && one.iter().any(|token: &Token| token.is_name("subgroups"))
    })
}
