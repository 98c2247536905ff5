//! Statements.

use super::entry::is_loop;
use super::ranges::Loop;
use super::registers::Reg;
use super::{Around, Lower, Place};
use lanescope_frontend::{Construct, Span};
use lanescope_ir::{BinaryOp, ScalarType, UnaryOp};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind, Stmt, StmtKind, SwitchPart},
};

impl Lower<'_> {
    pub(super) fn statements(&mut self, list: &[Stmt]) {
        for statement in list {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        if self.calls.is_empty() {
            self.at = statement.span;
        }
        if !self.spend(1) {
            return;
        }
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                let before = self.temporaries_before();
                self.expression_statement(expr);
                self.end_temporaries(before);
            }
            StmtKind::Declare(list) => {
                for one in list {
                    let before = self.temporaries_before();
                    self.declare(one);
                    self.end_temporaries(before);
                }
            }
            StmtKind::Struct(item) => {
                self.resolve_struct(item);
            }
            StmtKind::Typedef(name, ty) => self.typedef(name, ty),
            StmtKind::Several(list) => self.statements(list),
            StmtKind::Block(list) => self.in_scope(|lower| lower.statements(list)),
            StmtKind::If {
                condition, yes, no, ..
            } => self.if_statement(condition, yes, no.as_deref()),
            StmtKind::For {
                init,
                condition,
                step,
                body,
                unroll,
            } => self.for_loop(
                init.as_deref(),
                condition.as_ref(),
                step.as_ref(),
                body,
                *unroll,
            ),
            StmtKind::ForEach {
                item,
                range,
                body,
                unroll,
            } => self.for_each(&Loop {
                item,
                range,
                body,
                unroll: *unroll,
            }),
            StmtKind::Bind {
                names,
                is_reference,
                init,
            } => self.structured_binding(names, *is_reference, init, statement.span),
            StmtKind::While {
                condition,
                body,
                unroll,
            } => self.while_loop(condition, body, *unroll),
            StmtKind::Do { body, condition } => self.do_loop(body, condition),
            StmtKind::Switch { value, body } => self.switch(value, body, statement.span),
            StmtKind::Break => {
                self.leave(statement.span, |around| Some(around.break_frame), "break")
            }
            StmtKind::Continue => {
                self.leave(statement.span, |around| around.continue_frame, "continue")
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            StmtKind::Values {
                name,
                name_span,
                list,
            } => self.values(name, *name_span, list),
        }
    }

    fn expression_statement(&mut self, expr: &Expr) {
        if let Some(operation) = self.bare {
            self.bare_access(expr, operation);
            return;
        }
        self.is_discarded = matches!(expr.kind, ExprKind::Call { .. });
        self.value(expr);
    }

    /// Opens a branch for the lanes in which a condition holds.
    pub(super) fn begin_if(&mut self, condition: Reg) {
        let predicate = self.operand_of(condition, ScalarType::Bool);
        self.builder.begin_if(predicate);
    }

    fn if_statement(&mut self, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) {
        let truth = self.full_value(condition);
        let truth = self.truth(&truth, condition.span);
        if let Some(known) = self.known(truth) {
            if known != 0 {
                self.in_scope(|lower| lower.statement(yes));
            } else if let Some(no) = no {
                self.in_scope(|lower| lower.statement(no));
            }
            return;
        }
        self.branch(
            truth,
            |lower| lower.statement(yes),
            no.map(|no| |lower: &mut Self| lower.statement(no)),
        );
    }

    /// `if (condition) yes else no` of anything.
    fn branch(
        &mut self,
        condition: Reg,
        yes: impl FnOnce(&mut Self),
        no: Option<impl FnOnce(&mut Self)>,
    ) {
        self.begin_if(condition);
        self.in_scope(yes);
        if let Some(no) = no {
            self.builder.begin_else();
            self.in_scope(no);
        }
        self.builder.end_if();
    }

    fn leave(&mut self, span: Span, frame: impl Fn(&Around) -> Option<u32>, word: &'static str) {
        let mut around = self.around.iter().rev();
        match around.find_map(|one| Some((frame(one)?, one.scopes))) {
            Some((frame, scopes)) => {
                self.leave_scope_objects(scopes);
                self.builder.leave(frame);
            }
            None => self.say(
                span,
                DiagnosticKind::Unsupported {
                    what: Construct::OutsideLoop(word.to_owned()),
                },
            ),
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        let Some((result, frame)) = self
            .calls
            .last()
            .map(|call| (call.result.clone(), call.frame))
        else {
            self.leave_scope_objects(0);
            self.builder.exit();
            return;
        };
        let before = self.temporaries_before();
        let wants_place = self.calls.last().is_some_and(|call| call.wants_place);
        if let Some(expr) = value.filter(|_| wants_place)
            && let Some(place) = self.place(expr)
        {
            if let Some(call) = self.calls.last_mut() {
                call.place = Some(place);
            }
            return;
        }
        if let Some(expr) = value {
            let value = self.returned(expr, &result.ty);
            let is_auto = self.calls.last().is_some_and(|call| call.is_auto);
            if is_auto && let Some(call) = self.calls.last_mut() {
                call.deduced.get_or_insert_with(|| value.ty.clone());
            }
            let value = if is_auto && frame.is_none() {
                value
            } else {
                self.convert(value, &result.ty.clone(), span)
            };
            let ends = self.temporaries_before() > before && value.ty.scalar().is_some();
            let value = match ends || self.may_change_later(expr, &value) {
                true => self.copied(&value),
                false => value,
            };
            self.end_temporaries(before);
            if frame.is_none() {
                if let Some(call) = self.calls.last_mut() {
                    call.result = value;
                }
                return;
            }
            self.learn_target(&value);
            self.assign(&Place::Registers(result), &value, span);
        }
        if let Some(frame) = frame {
            let base = self.calls.last().map_or(0, |call| call.base);
            self.leave_scope_objects(base);
            self.builder.leave(frame);
        }
    }

    /// What a function returns, as a value of the type `of` where a list is returned.
    fn returned(&mut self, expr: &Expr, ty: &super::Type) -> super::Value {
        match &expr.kind {
            ExprKind::List(list) => {
                self.object_of(ty, super::objects::Start::List(list), expr.span)
            }
            _ => {
                let value = match self.returned_closure(expr) {
                    Some(value) => value,
                    None => self.value(expr),
                };
                self.elide(&value);
                let is_framed = self.calls.last().is_some_and(|call| call.frame.is_some());
                let is_object = self.returns_object(&value) || self.returns_variable(expr);
                if is_object && is_framed {
                    // Which object lives on may differ from return to return.
                    let what = Construct::code("return");
                    self.say(expr.span, DiagnosticKind::Unsupported { what });
                }
                value
            }
        }
    }

    /// Whether what a function returns is held by a variable that lives on: it may change before the value is used.
    fn may_change_later(&self, expr: &Expr, value: &super::Value) -> bool {
        let root = match &expr.kind {
            ExprKind::Name(name) => name,
            ExprKind::Prefix("++" | "--", inner) | ExprKind::Assign(_, inner, _) => {
                return matches!(inner.kind, ExprKind::Name(_) | ExprKind::Member(..));
            }
            ExprKind::Member(object, _) => match &object.kind {
                ExprKind::Name(name) => name,
                _ => return true,
            },
            _ => return false,
        };
        let own = self.calls.last().map_or(0, |call| call.base + 2);
        let own = self.scopes.get(own..).unwrap_or_default();
        let is_own = own.iter().any(|scope| scope.contains_key(root));
        !is_own && value.regs.iter().any(|reg| self.is_variable(*reg))
    }

    /// A function that returns a pointer points where the value returned does.
    fn learn_target(&mut self, value: &super::Value) {
        if let Some(call) = self.calls.last_mut()
            && matches!(value.ty, crate::source::ctype::Type::Pointer(_))
        {
            call.result.ty = value.ty.clone();
        }
    }

    fn switch(&mut self, value: &Expr, body: &[SwitchPart], span: Span) {
        let value = self.full_value(value);
        let (scalar, reg) = self.scalar(&value, span);
        // What is switched on must not change while the cases run.
        let kept = self.kept(scalar);
        self.give(kept, reg);
        let groups = groups_of(body);
        self.in_scope(|lower| match separate(&groups) {
            true => lower.separate_cases((scalar, kept), &groups, 0),
            false => lower.falling_cases((scalar, kept), &groups),
        });
    }

    /// Whether a lane's value is one of a group's labels; for `default`, none of the others'.
    fn matches(&mut self, value: (Scalar, Reg), groups: &[Group<'_>], at: usize) -> Reg {
        let group = &groups[at];
        if !group.default {
            return self.any_label(value, &group.labels);
        }
        let others: Vec<&Expr> = groups
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .flat_map(|(_, other)| other.labels.iter().copied())
            .collect();
        let other = self.any_label(value, &others);
        self.unary_reg(UnaryOp::Not, Scalar::Bool, other)
    }

    fn any_label(&mut self, (scalar, reg): (Scalar, Reg), labels: &[&Expr]) -> Reg {
        let mut any = self.constant(0);
        for label in labels {
            let label_value = self.value(label);
            let value = super::Value::scalar(scalar, reg);
            let equal = self.binary("==", &value, &label_value, label.span);
            any = self.binary_reg(BinaryOp::Or, Scalar::Bool, any, equal.regs[0]);
        }
        any
    }

    /// Cases that each end with `break`: an `if` and its `else`s.
    fn separate_cases(&mut self, value: (Scalar, Reg), groups: &[Group<'_>], _from: usize) {
        let mut order: Vec<usize> = (0..groups.len())
            .filter(|at| !groups[*at].default)
            .collect();
        order.extend((0..groups.len()).filter(|at| groups[*at].default));
        let mut open = 0;
        for at in order {
            let group = &groups[at];
            let body = group.without_break();
            if group.default {
                self.in_scope(|lower| body.iter().for_each(|one| lower.statement(one)));
                break;
            }
            let condition = self.any_label(value, &group.labels);
            self.begin_if(condition);
            self.in_scope(|lower| body.iter().for_each(|one| lower.statement(one)));
            self.builder.begin_else();
            open += 1;
        }
        for _ in 0..open {
            self.builder.end_if();
        }
    }

    /// Cases that fall through: a lane is on from its label to its `break`.
    fn falling_cases(&mut self, value: (Scalar, Reg), groups: &[Group<'_>]) {
        let entered = self.kept(Scalar::Bool);
        let zero = self.constant(0);
        self.give(entered, zero);
        self.builder.begin_scope();
        self.around.push(Around {
            // `break` leaves the scope of the cases.
            scopes: self.scopes.len().saturating_sub(1),
            break_frame: self.builder.depth(),
            continue_frame: None,
        });
        for (at, group) in groups.iter().enumerate() {
            // Whoever has not left by now comes to a `default` at the end, by no label or by falling.
            if group.default && at + 1 == groups.len() {
                let before = self.endings.len();
                group.body.iter().for_each(|one| self.statement(one));
                self.end_objects_since(before);
                break;
            }
            let here = self.matches(value, groups, at);
            let now = self.binary_reg(BinaryOp::Or, Scalar::Bool, entered, here);
            self.give(entered, now);
            self.begin_if(entered);
            let before = self.endings.len();
            group.body.iter().for_each(|one| self.statement(one));
            // Only lanes that came here have made the objects that stand here without braces.
            self.end_objects_since(before);
            self.builder.end_if();
        }
        self.around.pop();
        self.builder.end_scope();
    }
}

/// Labels that stand together, and the statements behind them.
struct Group<'s> {
    labels: Vec<&'s Expr>,
    default: bool,
    body: Vec<&'s Stmt>,
}

impl<'s> Group<'s> {
    fn ends(&self) -> bool {
        self.body.last().is_some_and(|last| ends(last))
    }

    /// The statements less the `break` at their end.
    fn without_break(&self) -> Vec<&'s Stmt> {
        let mut list = Vec::new();
        for one in &self.body {
            if let StmtKind::Block(inner) = &one.kind
                && let Some((last, before)) = inner.split_last()
                && last.kind == StmtKind::Break
            {
                list.extend(before);
            } else if one.kind != StmtKind::Break {
                list.push(*one);
            }
        }
        list
    }
}

fn ends(statement: &Stmt) -> bool {
    let leaves = matches!(
        statement.kind,
        StmtKind::Break | StmtKind::Return(_) | StmtKind::Continue
    );
    let is_block = matches!(statement.kind, StmtKind::Block(_));
    leaves || is_block && statement.nested().last().is_some_and(|last| ends(last))
}

fn groups_of(body: &[SwitchPart]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for part in body {
        let opens = !matches!(part, SwitchPart::Stmt(_));
        if groups
            .last()
            .is_none_or(|group| opens && !group.body.is_empty())
        {
            groups.push(Group {
                labels: Vec::new(),
                default: false,
                body: Vec::new(),
            });
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        match part {
            SwitchPart::Case(label) => group.labels.push(label),
            SwitchPart::Default(_) => group.default = true,
            SwitchPart::Stmt(statement) => group.body.push(statement),
        }
    }
    groups
}

/// Whether no case falls into the next, and `break` stands only at the ends.
fn separate(groups: &[Group<'_>]) -> bool {
    let last = groups.len().saturating_sub(1);
    groups.iter().enumerate().all(|(at, group)| {
        let (body, ended) = (&group.body, group.ends());
        let inner = if ended {
            &body[..body.len() - 1]
        } else {
            &body[..]
        };
        let tail_ok = match body.last().map(|one| &one.kind) {
            Some(StmtKind::Block(list)) if ended => !list[..list.len() - 1].iter().any(breaks),
            _ => true,
        };
        (ended || at == last)
            && tail_ok
            && !inner.iter().any(|one| breaks(one))
            && (!group.default || group.labels.is_empty())
    })
}

/// Whether a `break` that belongs to the `switch` stands somewhere inside.
fn breaks(statement: &Stmt) -> bool {
    let is_other = is_loop(statement) || matches!(statement.kind, StmtKind::Switch { .. });
    statement.kind == StmtKind::Break || !is_other && statement.nested().into_iter().any(breaks)
}
