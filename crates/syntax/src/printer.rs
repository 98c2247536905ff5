//! Pretty-printer of the tree: what is printed reads as the same tree.

mod declaration;

use std::fmt::Write as _;

use crate::scalar::Scalar;
use crate::tree::{
    Expr, ExprKind, Item, Role, Stmt, StmtKind, SwitchPart, Tree, TypeKind, Unroll, ValuePart,
};

use declaration::{
    argument, declaration, declarations, declarator, function, structure, type_name,
};

/// Stands where nothing could be read; no source holds it.
const MISSING: &str = "\u{1}";

/// The text of a source; host functions that could not be read are left out.
#[must_use]
pub fn source(tree: &Tree) -> String {
    let mut text = String::new();
    for item in &tree.items {
        let printed = match item {
            Item::Function(one) => function(one),
            Item::Stmt(one) => statement(one),
        };
        let host = matches!(item, Item::Function(one) if one.role == Role::Host);
        if !(host && printed.contains(MISSING)) {
            text += &printed;
        }
    }
    text
}

/// The declarations and the accesses of an expression, which begin at byte `split`.
#[must_use]
pub fn lines(list: &[Stmt], split: u32) -> (String, String) {
    let (mut declarations, mut accesses) = (String::new(), String::new());
    for one in list {
        let text = if one.span.start < split {
            &mut declarations
        } else {
            &mut accesses
        };
        *text += &statement(one);
    }
    (declarations, accesses)
}

fn joined<T>(list: &[T], print: impl Fn(&T) -> String) -> String {
    list.iter().map(print).collect::<Vec<_>>().join(", ")
}

fn plain(name: &str) -> String {
    // A structure without a name has one with a blank.
    name.replace(' ', "_")
}

fn block(list: &[Stmt]) -> String {
    let inner: String = list.iter().map(statement).collect();
    format!(" {{\n{inner}}}\n")
}

/// A statement inside another: always in brackets.
fn body(inner: &Stmt) -> String {
    if let StmtKind::Block(list) = &inner.kind {
        block(list)
    } else {
        format!(" {{\n{}}}\n", statement(inner))
    }
}

fn unrolled(unroll: Unroll) -> String {
    match unroll {
        Unroll::Unsaid => String::new(),
        Unroll::Wholly => "#pragma unroll\n".to_owned(),
        Unroll::Times(times) => format!("#pragma unroll {times}\n"),
    }
}

fn statement(one: &Stmt) -> String {
    match &one.kind {
        StmtKind::Empty => ";\n".to_owned(),
        StmtKind::Expr(value) => expression(value) + ";\n",
        StmtKind::Declare(list) => declarations(list) + ";\n",
        StmtKind::Struct(item) => structure(item),
        StmtKind::Typedef(name, ty) => format!("typedef {};\n", declarator(ty, plain(name))),
        StmtKind::Block(list) => block(list),
        StmtKind::Several(list) => list.iter().map(statement).collect(),
        StmtKind::If {
            condition,
            yes,
            no,
            is_constexpr,
        } => {
            let word = if *is_constexpr { "if constexpr" } else { "if" };
            let no = no.as_ref().map(|no| format!(" else{}", body(no)));
            format!(
                "{word} ({}){}{}",
                expression(condition),
                body(yes),
                no.unwrap_or_default()
            )
        }
        StmtKind::For {
            init,
            condition,
            step,
            body: turn,
            unroll,
        } => {
            let init = init.as_ref().map_or(";\n".to_owned(), |one| statement(one));
            let part = |one: &Option<Expr>| one.as_ref().map_or_else(String::new, expression);
            format!(
                "{}for ({init} {}; {}){}",
                unrolled(*unroll),
                part(condition),
                part(step),
                body(turn)
            )
        }
        StmtKind::ForEach {
            item,
            range,
            body: turn,
            unroll,
        } => format!(
            "{}for ({} : {}){}",
            unrolled(*unroll),
            declarator(&item.ty, plain(&item.name)),
            expression(range),
            body(turn)
        ),
        StmtKind::Bind {
            names,
            is_reference,
            init,
        } => {
            let names: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
            let by = if *is_reference { "&" } else { "" };
            format!("auto {by}[{}] = {};\n", names.join(", "), expression(init))
        }
        StmtKind::While {
            condition,
            body: turn,
            unroll,
        } => format!(
            "{}while ({}){}",
            unrolled(*unroll),
            expression(condition),
            body(turn)
        ),
        StmtKind::Do {
            body: turn,
            condition,
        } => format!("do{} while ({});\n", body(turn), expression(condition)),
        StmtKind::Switch { value, body } => {
            let parts: String = body.iter().map(switch_part).collect();
            format!("switch ({}) {{\n{parts}}}\n", expression(value))
        }
        StmtKind::Break => "break;\n".to_owned(),
        StmtKind::Continue => "continue;\n".to_owned(),
        StmtKind::Return(None) => "return;\n".to_owned(),
        StmtKind::Return(Some(value)) => format!("return {};\n", expression(value)),
        StmtKind::Values { name, list, .. } => {
            let mut text = format!("{name} =");
            for (at, part) in list.iter().enumerate() {
                let dots = |at: usize| matches!(list.get(at), Some(ValuePart::Dots(_)));
                if at > 0 && !dots(at) && !dots(at - 1) {
                    text.push(',');
                }
                match part {
                    ValuePart::One(value) => {
                        let _ = write!(text, " {}", expression(value));
                    }
                    ValuePart::Dots(_) => text += " ...",
                }
            }
            text + "\n"
        }
    }
}

fn switch_part(one: &SwitchPart) -> String {
    match one {
        SwitchPart::Case(label) => format!("case {}:\n", expression(label)),
        SwitchPart::Default(_) => "default:\n".to_owned(),
        SwitchPart::Stmt(one) => statement(one),
    }
}

/// `asm` with its text, what it writes, and what it reads.
fn assembly(arguments: &[Expr]) -> String {
    let operands = arguments.get(1..).unwrap_or_default().chunks_exact(2);
    let is_written = |pair: &&[Expr]| {
        let constraint = pair.first().map(|one| &one.kind);
        matches!(constraint, Some(ExprKind::Text(text)) if text.starts_with(['=', '+']))
    };
    let shown = |pair: &[Expr]| {
        let parts: Vec<String> = pair.iter().map(expression).collect();
        parts.join("(") + ")"
    };
    let (written, read): (Vec<&[Expr]>, Vec<&[Expr]>) = operands.partition(is_written);
    let list = |pairs: Vec<&[Expr]>| pairs.into_iter().map(shown).collect::<Vec<_>>().join(", ");
    let text = arguments.first().map(expression).unwrap_or_default();
    format!("asm({text} : {} : {})", list(written), list(read))
}

/// An object before `.`: in brackets where it is made there, since a statement that begins with a type declares.
fn object_of(object: &Expr) -> String {
    match &object.kind {
        ExprKind::Construct(..) => format!("({})", expression(object)),
        _ => expression(object),
    }
}

fn expression(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Whole { value, scalar } => whole(*value, *scalar),
        ExprKind::Real { value, scalar } => {
            let digits = if value.is_finite() {
                format!("{value:?}")
            } else {
                "1e999".to_owned()
            };
            digits + if *scalar == Scalar::F32 { "f" } else { "" }
        }
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Prefix(op, inner) => format!("({op} {})", expression(inner)),
        ExprKind::Postfix(op, inner) => format!("({} {op})", expression(inner)),
        ExprKind::Binary(op, a, b) => format!("({} {op} {})", expression(a), expression(b)),
        ExprKind::Assign("=", a, b) => format!("({} = {})", expression(a), expression(b)),
        ExprKind::Assign(op, a, b) => format!("({} {op}= {})", expression(a), expression(b)),
        ExprKind::Conditional(c, a, b) => format!(
            "({} ? {} : {})",
            expression(c),
            expression(a),
            expression(b)
        ),
        ExprKind::Call {
            callee, arguments, ..
        } if matches!(&callee.kind, ExprKind::Name(name) if &**name == "asm") => {
            assembly(arguments)
        }
        ExprKind::Call {
            callee,
            templates,
            arguments,
        } => {
            let templates = if templates.is_empty() {
                String::new()
            } else {
                format!("<{}>", joined(templates, argument))
            };
            let callee = match &callee.kind {
                ExprKind::Member(object, field) if !templates.is_empty() => {
                    format!("{}.template {field}", object_of(object))
                }
                _ => expression(callee),
            };
            format!("{callee}{templates}({})", joined(arguments, expression))
        }
        ExprKind::Index(base, index) => format!("{}[{}]", expression(base), expression(index)),
        ExprKind::Member(object, field) => format!("{}.{field}", object_of(object)),
        ExprKind::Cast(ty, inner) => format!("(({}) {})", type_name(ty), expression(inner)),
        ExprKind::Construct(ty, list) => {
            format!("{}({})", type_name(ty), joined(list, expression))
        }
        ExprKind::AlignofType(ty) => format!("(alignof({}))", type_name(ty)),
        ExprKind::SizeofType(ty) => format!("(sizeof({}))", type_name(ty)),
        ExprKind::SizeofValue(inner) => format!("(sizeof ({}))", expression(inner)),
        ExprKind::List(list) => format!("{{{}}}", joined(list, expression)),
        ExprKind::Designated(name, value) => format!(".{name} = {}", expression(value)),
        ExprKind::Expand(pattern) => format!("{}...", expression(pattern)),
        ExprKind::Fold { op, left, right } => {
            let side = |one: &Option<Box<Expr>>| one.as_deref().map(expression);
            let left = side(left).map(|left| format!("{left} {op} "));
            let right = side(right).map(|right| format!(" {op} {right}"));
            format!(
                "({}...{})",
                left.unwrap_or_default(),
                right.unwrap_or_default()
            )
        }
        ExprKind::SizeofPack(name) => format!("sizeof...({name})"),
        ExprKind::Lambda(function, captures) => {
            let returns = match function.returns.kind {
                TypeKind::Auto => String::new(),
                _ => format!(" -> {}", type_name(&function.returns)),
            };
            format!(
                "[{}]{}({}){}{returns}{}",
                declaration::captured(captures),
                declaration::template_list(&function.templates),
                joined(&function.parameters, declaration),
                if function.is_const { "" } else { " mutable" },
                block(&function.body)
            )
        }
        ExprKind::Missing => MISSING.to_owned(),
    }
}

fn whole(value: u64, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => (if value == 0 { "false" } else { "true" }).to_owned(),
        Scalar::I8 => {
            let Some(character) = u32::try_from(value).ok().and_then(char::from_u32) else {
                return format!("'\\x{:x}'", value & 0xff);
            };
            match character {
                '\n' => "'\\n'".to_owned(),
                '\t' => "'\\t'".to_owned(),
                '\0' => "'\\0'".to_owned(),
                other @ ('\\' | '\'') => format!("'\\{other}'"),
                other => format!("'{other}'"),
            }
        }
        Scalar::U32 => format!("{value}u"),
        Scalar::I64 => format!("{value}ll"),
        Scalar::U64 => format!("{value}ull"),
        _ => value.to_string(),
    }
}
