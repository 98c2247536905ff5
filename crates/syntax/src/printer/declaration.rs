//! Declarations as text: functions, templates, types, variables and structures.

use std::fmt::Write as _;

use super::{block, expression, joined, plain, statement};
use crate::parser::UNNAMED;
use crate::tree::{
    Captures, Declaration, Function, Role, StmtKind, Storage, StructItem, TemplateArgument,
    TemplateParameter, TypeExpr, TypeKind,
};

pub(super) fn function(function: &Function) -> String {
    let role = match function.role {
        Role::Kernel => "__global__ ",
        Role::Device => "__device__ ",
        Role::Host => "",
    };
    format!(
        "{}{role}{}{}\n",
        template(&function.templates) + head(&function.specialised),
        declarator(
            &function.returns,
            format!(
                "{}{}({})",
                function.name,
                arguments(&function.specialised),
                joined(&function.parameters, declaration)
            )
        ),
        block(&function.body)
    )
}

fn template(list: &[TemplateParameter]) -> String {
    match list {
        [] => String::new(),
        _ => format!("template {}\n", template_list(list)),
    }
}

/// What a lambda captures, as it stands between `[` and `]`.
pub(super) fn captured(captures: &Captures) -> String {
    let all = [(captures.copies, "="), (captures.references, "&")];
    let all = all.iter().filter(|(is, _)| *is);
    let all = all.map(|(_, sign)| (*sign).to_owned());
    let listed = captures.list.iter().map(|one| {
        let is_object = &*one.name == "this";
        let sign = match (is_object, one.is_reference) {
            (true, false) => "*",
            (false, true) => "&",
            (true, true) | (false, false) => "",
        };
        let init = one.init.as_ref();
        let init = init.map_or_else(String::new, |init| format!(" = {}", expression(init)));
        format!("{sign}{}{init}", one.name)
    });
    all.chain(listed).collect::<Vec<_>>().join(", ")
}

/// A template's parameters between `<` and `>`; nothing where there are none.
pub(super) fn template_list(list: &[TemplateParameter]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let one = |parameter: &TemplateParameter| {
        let dots = if parameter.is_pack { "... " } else { "" };
        // One without a name has a number behind the word.
        let name = format!(
            "{dots}{}",
            parameter.name.split(' ').next_back().unwrap_or_default()
        );
        let name = if parameter.name.contains(' ') {
            dots.to_owned()
        } else {
            name
        };
        let head = match &parameter.ty {
            Some(ty) => declarator(ty, name),
            None if parameter.is_template => format!("template <typename...> class {name}"),
            None => format!("typename {name}"),
        };
        match &parameter.default {
            Some(default) => format!("{head} = {}", argument(default)),
            None => head,
        }
    };
    format!("<{}>", joined(list, one))
}

fn head(specialised: &Option<Vec<TemplateArgument>>) -> &'static str {
    if specialised.is_some() {
        "template <>\n"
    } else {
        ""
    }
}

pub(super) fn arguments(specialised: &Option<Vec<TemplateArgument>>) -> String {
    let list = specialised.as_ref();
    list.map_or_else(String::new, |list| format!("<{}>", joined(list, argument)))
}

pub(super) fn argument(given: &TemplateArgument) -> String {
    match given {
        TemplateArgument::Type(ty) => type_name(ty),
        TemplateArgument::Value(value) => expression(value),
        TemplateArgument::Expand(pattern) => format!("{}...", argument(pattern)),
    }
}

pub(super) fn type_name(ty: &TypeExpr) -> String {
    declarator(ty, String::new())
}

/// The words before a declarator.
pub(super) fn base(ty: &TypeExpr) -> String {
    let mut text = String::new();
    for (is, word) in [(ty.is_const, "const "), (ty.is_volatile, "volatile ")] {
        if is {
            text += word;
        }
    }
    match &ty.kind {
        TypeKind::Void => text + "void",
        TypeKind::Auto => text + "auto",
        TypeKind::Scalar(scalar) => text + scalar.name(),
        TypeKind::Decltype(value) => format!("{text}decltype({})", expression(value)),
        TypeKind::Inside(outer, name) => {
            format!("{text}typename {}::{}", type_name(outer), plain(name))
        }
        TypeKind::Named(name, arguments) if arguments.is_empty() => {
            // Without the word it would be a value where the first part is a parameter.
            let word = if name.contains("::") { "typename " } else { "" };
            format!("{text}{word}{}", plain(name))
        }
        TypeKind::Named(name, arguments) => {
            format!("{text}{}<{}>", plain(name), joined(arguments, argument))
        }
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } | TypeKind::Array(to, _) => {
            base(to)
        }
    }
}

/// The part of a declaration that belongs to one name.
fn around(ty: &TypeExpr, inner: String) -> String {
    let (sign, to) = match &ty.kind {
        TypeKind::Array(element, extent) => {
            let extent = extent
                .as_ref()
                .map_or_else(String::new, |one| expression(one));
            return around(element, format!("{inner}[{extent}]"));
        }
        TypeKind::Pointer { to, restrict } => {
            let mut sign = "*".to_owned();
            for (is, word) in [
                (ty.is_const, " const "),
                (ty.is_volatile, " volatile "),
                (*restrict, " __restrict__ "),
            ] {
                if is {
                    sign += word;
                }
            }
            (sign, to)
        }
        TypeKind::Reference { to, is_rvalue } => {
            let sign = if *is_rvalue { "&&" } else { "&" };
            (sign.to_owned(), to)
        }
        _ => return inner,
    };
    let inner = sign + &inner;
    match to.kind {
        TypeKind::Array(..) => around(to, format!("({inner})")),
        _ => around(to, inner),
    }
}

pub(super) fn declarator(ty: &TypeExpr, name: String) -> String {
    let inner = around(ty, name);
    if inner.is_empty() {
        base(ty)
    } else {
        format!("{} {inner}", base(ty))
    }
}

fn storage(ty: &Storage) -> String {
    [
        (ty.is_extern, "extern "),
        (ty.is_static, "static "),
        (ty.shared, "__shared__ "),
        (ty.constant, "__constant__ "),
        (ty.device && !ty.constant, "__device__ "),
        (ty.is_constexpr, "constexpr "),
    ]
    .iter()
    .filter(|(is, _)| *is)
    .map(|(_, word)| *word)
    .collect()
}

/// All that stands before the first declarator.
fn specifiers(declaration: &Declaration) -> String {
    let align = declaration.align.as_ref();
    let align = align.map_or_else(String::new, |one| {
        format!("__align__({}) ", expression(one))
    });
    let packed = if declaration.storage.is_packed {
        "__attribute__((packed)) "
    } else {
        ""
    };
    storage(&declaration.storage) + &align + packed
}

/// A declarator with what follows it.
fn declared(declaration: &Declaration) -> String {
    let name = match declaration.storage.is_pack {
        true => format!("...{}", plain(&declaration.name)),
        false => plain(&declaration.name),
    };
    let mut text = around(&declaration.ty, name);
    if let Some(bits) = &declaration.bits {
        let _ = write!(text, " : {}", expression(bits));
    }
    if let Some(offset) = &declaration.base_offset {
        let _ = write!(text, " @ {}", expression(offset));
    }
    if let Some(init) = &declaration.init {
        let _ = write!(text, " = {}", expression(init));
    }
    text
}

pub(super) fn declaration(declaration: &Declaration) -> String {
    format!(
        "{}{} {}",
        specifiers(declaration),
        base(&declaration.ty),
        declared(declaration)
    )
}

pub(super) fn declarations(list: &[Declaration]) -> String {
    let Some(first) = list.first() else {
        return String::new();
    };
    let head = format!("{}{} ", specifiers(first), base(&first.ty));
    head + &joined(list, declared)
}

pub(super) fn structure(item: &StructItem) -> String {
    if let Some(ty) = &item.alias {
        let (name, ty) = (plain(&item.name), type_name(ty));
        return format!("{}using {name} = {ty};\n", template(&item.templates));
    }
    let align = item.align.as_ref();
    let align = align.map_or_else(String::new, |one| {
        format!("__align__({}) ", expression(one))
    });
    let bases = if item.bases.is_empty() {
        String::new()
    } else {
        format!(" : {}", joined(&item.bases, type_name))
    };
    let mut inner = String::new();
    for member in &item.members {
        if matches!(member.kind, StmtKind::Declare(_)) {
            inner += "static ";
        }
        inner += &statement(member);
    }
    for field in &item.fields {
        if field.name.starts_with(UNNAMED) {
            continue;
        }
        inner += &(declaration(field) + ";\n");
    }
    for name in &item.reveals {
        let base = item.bases.first().map(type_name).unwrap_or_default();
        inner += &format!("using {base}::{name};\n");
    }
    // One of them says it for all, as the tree does.
    let mut is_virtual = item.has_virtual;
    for method in &item.methods {
        let is_plain = method.templates.is_empty() && method.name != item.name;
        if is_plain && std::mem::take(&mut is_virtual) {
            inner += "virtual ";
        }
        inner += &self::method(item, method);
    }
    let word = if item.is_union { "union" } else { "struct" };
    let header = if item.templates.is_empty() {
        head(&item.specialised).to_owned()
    } else {
        template(&item.templates)
    };
    let packed = if item.is_packed {
        "__attribute__((packed)) "
    } else {
        ""
    };
    let (pack, unpack) = match item.pack {
        0 => (String::new(), ""),
        most => (
            format!("_Pragma(\"pack(push, {most})\") "),
            "_Pragma(\"pack(pop)\")\n",
        ),
    };
    format!(
        "{pack}{}{word} {packed}{align}{}{}{bases} {{\n{inner}}};\n{unpack}",
        header,
        plain(&item.name),
        arguments(&item.specialised)
    )
}

fn method(ty: &StructItem, function: &Function) -> String {
    let head = match &*function.name {
        name if *name == *ty.name || name.starts_with('~') => plain(name),
        "operator" => format!("operator {}", type_name(&function.returns)),
        name => declarator(&function.returns, name.to_owned()),
    };
    let initialisers = joined(&function.initialisers, |one| {
        let (open, close) = if one.is_list { ("{", "}") } else { ("(", ")") };
        let arguments = joined(&one.arguments, expression);
        format!("{}{open}{arguments}{close}", plain(&one.name))
    });
    format!(
        "{}{head}({}){}{}{initialisers}{}",
        template(&function.templates),
        joined(&function.parameters, declaration),
        if function.is_const { " const" } else { "" },
        if initialisers.is_empty() { "" } else { " : " },
        block(&function.body)
    )
}
