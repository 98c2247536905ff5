//! Constant evaluation of function bodies: calls of `constexpr` functions with loops, where a constant must be known.

use super::Lower;
use super::resolve::fold_binary;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Name, Stmt, StmtKind, TypeKind};
use std::collections::BTreeMap;

/// Statements that one constant runs, at most.
const MOST_STEPS: u32 = 1 << 14;

/// Functions inside one another, at most.
const DEEPEST: u32 = 32;

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    Break,
    Continue,
    Return(Option<i64>),
}

/// The variables of a call that is evaluated: their values, each held as its type holds it.
#[derive(Debug, Default)]
struct Frame {
    variables: BTreeMap<Name, (Scalar, i64)>,
    steps: u32,
    depth: u32,
}

impl Lower<'_> {
    /// What a call of a function of the source with constants returns, where its body is made of whole numbers.
    pub(super) fn evaluated_call(&mut self, expr: &Expr) -> Option<i64> {
        self.evaluated(expr, &mut Frame::default())
    }

    fn evaluated_function(&mut self, expr: &Expr, frame: &mut Frame) -> Option<i64> {
        let ExprKind::Call {
            callee,
            templates,
            arguments,
        } = &expr.kind
        else {
            return None;
        };
        let ExprKind::Name(name) = &callee.kind else {
            return None;
        };
        let list = self.functions.get(name)?.clone();
        let [function] = &list[..] else { return None };
        if !templates.is_empty() || !function.templates.is_empty() || frame.depth >= DEEPEST {
            return None;
        }
        if arguments.len() != function.parameters.len() {
            return None;
        }
        let mut inner = Frame {
            variables: BTreeMap::new(),
            steps: frame.steps,
            depth: frame.depth + 1,
        };
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let scalar = self.whole_scalar(parameter)?;
            let value = self.evaluated(argument, frame)?;
            let value = (scalar, scalar.wrap(value));
            inner.variables.insert(parameter.name.clone(), value);
        }
        let returns = self.resolve(&function.returns).scalar()?;
        let flow = self.evaluated_list(&function.body, &mut inner)?;
        frame.steps = inner.steps;
        match flow {
            Flow::Return(Some(value)) if !returns.is_float() => Some(returns.wrap(value)),
            Flow::Return(_) | Flow::On | Flow::Break | Flow::Continue => None,
        }
    }

    /// The type of a variable that holds a whole number itself.
    fn whole_scalar(&mut self, declaration: &Declaration) -> Option<Scalar> {
        if declaration.ty.is_deduced() {
            return Some(Scalar::I64);
        }
        match declaration.ty.kind {
            TypeKind::Scalar(_) | TypeKind::Named(..) => self
                .resolve(&declaration.ty)
                .scalar()
                .filter(|one| !one.is_float()),
            _ => None,
        }
    }

    fn evaluated_list(&mut self, list: &[Stmt], frame: &mut Frame) -> Option<Flow> {
        for one in list {
            let flow = self.evaluated_statement(one, frame)?;
            if flow != Flow::On {
                return Some(flow);
            }
        }
        Some(Flow::On)
    }

    fn evaluated_statement(&mut self, one: &Stmt, frame: &mut Frame) -> Option<Flow> {
        frame.steps += 1;
        if frame.steps > MOST_STEPS || !self.spend(1) {
            return None;
        }
        match &one.kind {
            StmtKind::Empty => Some(Flow::On),
            StmtKind::Expr(expr) => self.evaluated(expr, frame).map(|_| Flow::On),
            StmtKind::Declare(list) => {
                for one in list {
                    let scalar = self.whole_scalar(one)?;
                    let value = self.evaluated(one.init.as_ref()?, frame)?;
                    let value = (scalar, scalar.wrap(value));
                    frame.variables.insert(one.name.clone(), value);
                }
                Some(Flow::On)
            }
            StmtKind::Block(list) => {
                // Names of the block end with it.
                let before: Vec<Name> = frame.variables.keys().cloned().collect();
                let declares = |statement: &Stmt| {
                    matches!(&statement.kind, StmtKind::Declare(list)
                        if list.iter().any(|statement| before.contains(&statement.name)))
                };
                if list.iter().any(declares) {
                    return None;
                }
                let flow = self.evaluated_list(list, frame);
                frame.variables.retain(|name, _| before.contains(name));
                flow
            }
            StmtKind::If {
                condition, yes, no, ..
            } => {
                if self.evaluated(condition, frame)? != 0 {
                    return self.evaluated_statement(yes, frame);
                }
                match no {
                    Some(no) => self.evaluated_statement(no, frame),
                    None => Some(Flow::On),
                }
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
                ..
            } => {
                if let Some(init) = init {
                    self.evaluated_statement(init, frame)?;
                }
                self.evaluated_loop((condition.as_ref(), step.as_ref()), body, false, frame)
            }
            StmtKind::While {
                condition, body, ..
            } => self.evaluated_loop((Some(condition), None), body, false, frame),
            StmtKind::Do { body, condition } => {
                self.evaluated_loop((Some(condition), None), body, true, frame)
            }
            StmtKind::Break => Some(Flow::Break),
            StmtKind::Continue => Some(Flow::Continue),
            StmtKind::Return(value) => match value {
                Some(value) => Some(Flow::Return(Some(self.evaluated(value, frame)?))),
                None => Some(Flow::Return(None)),
            },
            StmtKind::Struct(_)
            | StmtKind::Typedef(..)
            | StmtKind::Several(_)
            | StmtKind::ForEach { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Values { .. } => None,
        }
    }

    /// A loop; one whose body comes first runs it once before its condition is asked.
    fn evaluated_loop(
        &mut self,
        (condition, step): (Option<&Expr>, Option<&Expr>),
        body: &Stmt,
        body_first: bool,
        frame: &mut Frame,
    ) -> Option<Flow> {
        let mut asks = !body_first;
        loop {
            if asks
                && let Some(condition) = condition
                && self.evaluated(condition, frame)? == 0
            {
                return Some(Flow::On);
            }
            asks = true;
            match self.evaluated_statement(body, frame)? {
                Flow::On | Flow::Continue => {}
                Flow::Break => return Some(Flow::On),
                flow @ Flow::Return(_) => return Some(flow),
            }
            if let Some(step) = step {
                self.evaluated(step, frame)?;
            }
        }
    }

    /// The value of an expression of whole numbers, with what it does to the variables.
    fn evaluated(&mut self, expr: &Expr, frame: &mut Frame) -> Option<i64> {
        frame.steps += 1;
        if frame.steps > MOST_STEPS {
            return None;
        }
        match &expr.kind {
            ExprKind::Name(name) => match frame.variables.get(name) {
                Some((_, value)) => Some(*value),
                None => self.fold(expr),
            },
            ExprKind::Assign(op, target, source) => {
                let value = self.evaluated(source, frame)?;
                let (scalar, old) = variable(target, frame)?;
                let value = match *op {
                    "=" => value,
                    op => fold_binary(op, old, value)?,
                };
                set(target, scalar.wrap(value), frame)
            }
            ExprKind::Prefix(op @ ("++" | "--"), target) | ExprKind::Postfix(op, target) => {
                let (scalar, old) = variable(target, frame)?;
                let by = if *op == "++" { 1 } else { -1 };
                let new = set(target, scalar.wrap(old.checked_add(by)?), frame)?;
                Some(if matches!(expr.kind, ExprKind::Postfix(..)) {
                    old
                } else {
                    new
                })
            }
            ExprKind::Prefix(op @ ("-" | "+" | "!" | "~"), inner) => {
                let value = self.evaluated(inner, frame)?;
                Some(match *op {
                    "-" => value.checked_neg()?,
                    "!" => i64::from(value == 0),
                    "~" => !value,
                    _ => value,
                })
            }
            ExprKind::Binary("&&", a, b) => {
                let a = self.evaluated(a, frame)?;
                if a == 0 {
                    Some(0)
                } else {
                    Some(i64::from(self.evaluated(b, frame)? != 0))
                }
            }
            ExprKind::Binary("||", a, b) => {
                let a = self.evaluated(a, frame)?;
                if a != 0 {
                    Some(1)
                } else {
                    Some(i64::from(self.evaluated(b, frame)? != 0))
                }
            }
            ExprKind::Binary(",", a, b) => {
                self.evaluated(a, frame)?;
                self.evaluated(b, frame)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.evaluated(a, frame)?, self.evaluated(b, frame)?);
                fold_binary(op, a, b)
            }
            ExprKind::Conditional(condition, yes, no) => match self.evaluated(condition, frame)? {
                0 => self.evaluated(no, frame),
                _ => self.evaluated(yes, frame),
            },
            ExprKind::Cast(ty, inner) => {
                let value = self.evaluated(inner, frame)?;
                let scalar = self.resolve(ty).scalar().filter(|one| !one.is_float())?;
                Some(scalar.wrap(value))
            }
            ExprKind::Call { callee, .. } if matches!(&callee.kind, ExprKind::Name(name) if self.functions.contains_key(name)) => {
                self.evaluated_function(expr, frame)
            }
            ExprKind::Whole { .. } | ExprKind::SizeofType(_) | ExprKind::AlignofType(_) => {
                self.fold(expr)
            }
            _ => None,
        }
    }
}

fn variable(target: &Expr, frame: &Frame) -> Option<(Scalar, i64)> {
    match &target.kind {
        ExprKind::Name(name) => frame.variables.get(name).copied(),
        _ => None,
    }
}

fn set(target: &Expr, value: i64, frame: &mut Frame) -> Option<i64> {
    let ExprKind::Name(name) = &target.kind else {
        return None;
    };
    frame.variables.get_mut(name)?.1 = value;
    Some(value)
}
