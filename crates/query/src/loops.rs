//! Counted loops around an access: the values that their variables take, iteration by iteration.
//!
//! Read from the text alone: first value, condition and step over constants of the source and of the launch. A loop of
//! any other kind has no values here; a caller then numbers iterations instead.

use std::rc::Rc;

use lanescope_frontend::{Argument, ArgumentValue, KernelOptions, Language, NamedLaunch};
use lanescope_syntax::{
    Sink, Span, lexer, parser, preprocessor,
    token::Kind,
    tree::{Declaration, Expr, ExprKind, Function, Item, Role, Stmt, StmtKind, SwitchPart},
};

/// The most iterations that are named.
const MOST: usize = 4_096;

/// The most iterations that are run through, of all loops together: those around loops that make none are named by nobody.
const MOST_STEPS: usize = 1 << 16;

/// `[iteration]`: the loop variables around the access at `span` with their values, as in `s = 8` or `i = 0, k = 4`;
/// empty where the source does not tell them.
#[must_use]
pub fn loop_values(
    source: &str,
    options: &KernelOptions,
    launch: &NamedLaunch,
    span: Span,
) -> Vec<String> {
    if Language::of(source) != Language::Cuda {
        return Vec::new();
    }
    let mut sink = Sink::new(source);
    let tokens = lexer::lex(source, &mut sink);
    let mut scope = Scope {
        launch,
        written: written(&tokens),
        known: Vec::new(),
        steps: 0,
    };
    let tokens = preprocessor::preprocess(tokens, &options.defines, &mut sink);
    let tree = parser::parse_source(tokens, &mut sink);
    let mut found = None;
    for item in &tree.items {
        match item {
            Item::Function(function) if holds_any(&function.body, span) => found = Some(function),
            Item::Stmt(stmt) => scope.learn(stmt),
            Item::Function(_) => {}
        }
    }
    let kernel = found.filter(|function| function.role == Role::Kernel);
    let loops = kernel.and_then(|kernel: &Rc<Function>| scope.around(&kernel.body, span));
    let mut labels = Vec::new();
    let is_whole = scope.count(&loops.unwrap_or_default(), "", &mut labels);
    if is_whole.is_some() {
        labels
    } else {
        Vec::new()
    }
}

/// Every name that is assigned, as often as it is.
fn written(tokens: &[lanescope_syntax::token::Token]) -> Vec<Rc<str>> {
    const WRITES: [&str; 13] = [
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--",
    ];
    let is_write = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        token.is_some_and(|token| WRITES.iter().any(|write| token.is(write)))
    };
    let is_step = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        token.is_some_and(|token| token.is("++") || token.is("--") || token.is("&"))
    };
    let names = tokens.iter().enumerate();
    names
        .filter_map(|(at, token)| match &token.kind {
            Kind::Name(name) if is_write(at.checked_add(1)) || is_step(at.checked_sub(1)) => {
                Some(Rc::clone(name))
            }
            _ => None,
        })
        .collect()
}

/// A `for` whose variable counts.
#[derive(Clone, Copy)]
struct Counted<'t> {
    name: &'t str,
    first: &'t Expr,
    condition: &'t Expr,
    step: &'t Expr,
}

/// What names stand for.
struct Scope<'s> {
    launch: &'s NamedLaunch,
    written: Vec<Rc<str>>,
    /// Constants and, innermost last, the loops' variables.
    known: Vec<(Rc<str>, i64)>,
    /// Iterations that were run through.
    steps: usize,
}

impl Scope<'_> {
    /// Takes constants that a statement declares.
    fn learn(&mut self, stmt: &Stmt) {
        if let StmtKind::Declare(declarations) = &stmt.kind {
            for declaration in declarations {
                self.learn_one(declaration);
            }
        }
    }

    fn learn_one(&mut self, declaration: &Declaration) {
        // Its own `=` is the one write of a constant.
        let is_constant = self.writes(&declaration.name) == 1;
        let value = declaration.init.as_ref().and_then(|init| self.value(init));
        if let (true, Some(value)) = (is_constant, value) {
            self.known.push((Rc::clone(&declaration.name), value));
        }
    }

    fn writes(&self, name: &str) -> usize {
        self.written.iter().filter(|one| &***one == name).count()
    }

    /// The loops around `span` in `stmts`, outermost first; `None` where one does not count.
    fn around<'t>(&mut self, stmts: &'t [Stmt], span: Span) -> Option<Vec<Counted<'t>>> {
        for stmt in stmts {
            if holds(stmt, span) {
                return self.into(stmt, span);
            }
            self.learn(stmt);
        }
        None
    }

    fn into<'t>(&mut self, stmt: &'t Stmt, span: Span) -> Option<Vec<Counted<'t>>> {
        match &stmt.kind {
            StmtKind::Block(body) | StmtKind::Several(body) => self.around(body, span),
            StmtKind::If { yes, no, .. } => {
                if holds(yes, span) {
                    return self.into(yes, span);
                }
                match no {
                    Some(no) if holds(no, span) => self.into(no, span),
                    _ => Some(Vec::new()),
                }
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
                ..
            } => {
                let counted = counted(init.as_deref()?, condition.as_ref()?, step.as_ref()?)?;
                // The first value, the step, and nothing else.
                if self.writes(counted.name) != 2 || !holds(body, span) {
                    return None;
                }
                let inner = self.into(body, span)?;
                Some([vec![counted], inner].concat())
            }
            StmtKind::Switch { body, .. } => body.iter().find_map(|part| match part {
                SwitchPart::Stmt(stmt) if holds(stmt, span) => self.into(stmt, span),
                SwitchPart::Stmt(_) | SwitchPart::Case(..) | SwitchPart::Default(..) => None,
            }),
            StmtKind::ForEach { .. } | StmtKind::While { .. } | StmtKind::Do { .. } => None,
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Bind { .. }
            | StmtKind::Struct(_)
            | StmtKind::Typedef(..)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Values { .. } => Some(Vec::new()),
        }
    }

    /// Runs the loops and writes down what their variables are; `None` where a value is not known, or there are too many.
    fn count(
        &mut self,
        loops: &[Counted<'_>],
        before: &str,
        labels: &mut Vec<String>,
    ) -> Option<()> {
        let Some((counted, inner)) = loops.split_first() else {
            if !before.is_empty() {
                labels.push(before.to_owned());
            }
            return (labels.len() <= MOST).then_some(());
        };
        let depth = self.known.len();
        let mut value = self.value(counted.first)?;
        let mut steps = 0;
        loop {
            self.known.truncate(depth);
            self.known.push((counted.name.into(), value));
            if self.value(counted.condition)? == 0 {
                break;
            }
            let comma = if before.is_empty() { "" } else { ", " };
            let label = format!("{before}{comma}{} = {value}", counted.name);
            self.count(inner, &label, labels)?;
            value = self.value(counted.step)?;
            steps += 1;
            self.steps += 1;
            if steps > MOST || self.steps > MOST_STEPS {
                return None;
            }
        }
        self.known.truncate(depth);
        Some(())
    }

    /// The value of an expression over constants.
    fn value(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Whole { value, .. } => i64::try_from(*value).ok(),
            ExprKind::Name(name) => self.named(name),
            ExprKind::Prefix(op, of) => {
                let of_value = || self.value(of);
                match *op {
                    "-" => of_value()?.checked_neg(),
                    "+" => of_value(),
                    "!" => Some(i64::from(of_value()? == 0)),
                    "++" => of_value()?.checked_add(1),
                    "--" => of_value()?.checked_sub(1),
                    _ => None,
                }
            }
            ExprKind::Postfix(op, of) => match *op {
                "++" => self.value(of)?.checked_add(1),
                "--" => self.value(of)?.checked_sub(1),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => binary(op, self.value(a)?, self.value(b)?),
            ExprKind::Assign(op, a, b) => match op.trim_end_matches('=') {
                "" => self.value(b),
                op => binary(op, self.value(a)?, self.value(b)?),
            },
            ExprKind::Conditional(condition, yes, no) => {
                self.value(if self.value(condition)? != 0 { yes } else { no })
            }
            ExprKind::Member(object, field) => self.shape(object, field),
            ExprKind::Real { .. }
            | ExprKind::Text(_)
            | ExprKind::Call { .. }
            | ExprKind::Index(..)
            | ExprKind::Cast(..)
            | ExprKind::Construct(..)
            | ExprKind::AlignofType(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofValue(_)
            | ExprKind::SizeofPack(_)
            | ExprKind::Expand(_)
            | ExprKind::Fold { .. }
            | ExprKind::Designated(..)
            | ExprKind::List(_)
            | ExprKind::Lambda(..)
            | ExprKind::Missing => None,
        }
    }

    fn named(&self, name: &str) -> Option<i64> {
        let mut known = self.known.iter().rev();
        if let Some((_, value)) = known.find(|(one, _)| &**one == name) {
            return Some(*value);
        }
        let mut arguments = self.launch.arguments.iter();
        let argument = |argument: &&Argument| argument.name == name && self.writes(name) == 0;
        match arguments.find(argument)?.value {
            ArgumentValue::Integer(value) => Some(value),
            ArgumentValue::Real(_) | ArgumentValue::Buffer(_) => None,
        }
    }

    /// `blockDim.x` and its like.
    fn shape(&self, object: &Expr, field: &str) -> Option<i64> {
        let ExprKind::Name(name) = &object.kind else {
            return None;
        };
        let sizes = match &**name {
            "blockDim" => self.launch.block,
            "gridDim" => self.launch.grid,
            _ => return None,
        };
        let [x, y, z] = sizes.map(i64::from);
        match field {
            "x" => Some(x),
            "y" => Some(y),
            "z" => Some(z),
            _ => None,
        }
    }
}

fn counted<'t>(init: &'t Stmt, condition: &'t Expr, step: &'t Expr) -> Option<Counted<'t>> {
    let (name, first) = begins(init)?;
    let stepped = match &step.kind {
        ExprKind::Assign(_, to, _)
        | ExprKind::Prefix("++" | "--", to)
        | ExprKind::Postfix(_, to) => to,
        _ => return None,
    };
    matches!(&stepped.kind, ExprKind::Name(other) if &**other == name).then_some(Counted {
        name,
        first,
        condition,
        step,
    })
}

/// The variable that a loop's first part declares or assigns, and its value.
fn begins(init: &Stmt) -> Option<(&str, &Expr)> {
    if let StmtKind::Declare(declarations) = &init.kind {
        let [declared] = declarations.as_slice() else {
            return None;
        };
        return Some((&*declared.name, declared.init.as_ref()?));
    }
    let StmtKind::Expr(Expr {
        kind: ExprKind::Assign(op, to, first),
        ..
    }) = &init.kind
    else {
        return None;
    };
    let ExprKind::Name(name) = &to.kind else {
        return None;
    };
    let is_plain = op.trim_end_matches('=').is_empty();
    is_plain.then_some((&**name, &**first))
}

fn holds(stmt: &Stmt, span: Span) -> bool {
    stmt.span.start <= span.start && span.end <= stmt.span.end
}

fn holds_any(stmts: &[Stmt], span: Span) -> bool {
    stmts.iter().any(|stmt| holds(stmt, span))
}

fn binary(op: &str, a: i64, b: i64) -> Option<i64> {
    let shift = u32::try_from(b).ok();
    match op {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "<<" => a.checked_mul(1_i64.checked_shl(shift.filter(|shift| *shift < 32)?)?),
        ">>" => a.checked_shr(shift?),
        "<" => Some(i64::from(a < b)),
        ">" => Some(i64::from(a > b)),
        "<=" => Some(i64::from(a <= b)),
        ">=" => Some(i64::from(a >= b)),
        "==" => Some(i64::from(a == b)),
        "!=" => Some(i64::from(a != b)),
        "&&" => Some(i64::from(a != 0 && b != 0)),
        "||" => Some(i64::from(a != 0 || b != 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_frontend::NamedLaunch;

    fn values(body: &str, access: &str) -> Vec<String> {
        let source = format!("__global__ void k(float *a, int n) {{ const int W = 4; {body} }}");
        let start = u32::try_from(source.find(access).unwrap()).unwrap();
        let end = start + u32::try_from(access.len()).unwrap();
        let launch = NamedLaunch {
            block: [128, 1, 1],
            arguments: vec![Argument {
                name: "n".into(),
                value: ArgumentValue::Integer(3),
            }],
            ..NamedLaunch::default()
        };
        loop_values(
            &source,
            &KernelOptions::default(),
            &launch,
            Span { start, end },
        )
    }

    #[test]
    fn a_halving_loop_has_its_strides() {
        let body = "for (int s = blockDim.x / 2; s > 16; s >>= 1) if (threadIdx.x < s) a[s] = 0;";
        assert_eq!(values(body, "a[s]"), ["s = 64", "s = 32"]);
    }

    #[test]
    fn nested_loops_are_run_through() {
        let body = "for (int i = 0; i < n; ++i) { for (int k = 0; k < W; k += 2) { a[k] = 0; } }";
        let expected = ["i = 0, k = 0", "i = 0, k = 2", "i = 1, k = 0"];
        assert_eq!(values(body, "a[k]")[..3], expected);
        assert_eq!(values(body, "a[k]").len(), 6);
    }

    #[test]
    fn loops_around_loops_without_iterations_are_not_run_through_to_the_end() {
        let outer = ["a", "b", "c", "d", "e"]
            .map(|name| format!("for (int {name} = 0; {name} < 4000; ++{name}) "));
        let body = outer.concat() + "for (int z = 0; z < 0; ++z) a[z] = 0;";
        assert_eq!(values(&body, "a[z]"), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_told_by_the_text_has_no_values() {
        for body in [
            "for (int i = threadIdx.x; i < n; i += 32) a[i] = 0;",
            "for (int i = 0; i < n; ++i) { a[i] = 0; if (n) i += 2; }",
            "int i = 0; while (i < n) { a[i] = 0; ++i; }",
            "for (int i = 0; i >= 0; i += 0) a[i] = 0;",
            "n = 8; for (int i = 0; i < n; ++i) a[i] = 0;",
            "a[n] = 0;",
        ] {
            assert_eq!(values(body, "a["), Vec::<String>::new(), "{body}");
        }
    }
}
