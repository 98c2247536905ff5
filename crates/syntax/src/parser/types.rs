//! Types and declarators.

use super::Parser;
use super::names::{SCALARS, WORDS};
use crate::Construct;
use crate::Span;
use crate::scalar::Scalar;
use crate::token::Kind;
use crate::tree::{Expr, Name, Storage, TemplateArgument, TypeExpr, TypeKind};

/// What stands before a declarator.
pub(super) struct Specifiers {
    pub(super) ty: TypeExpr,
    pub(super) storage: Storage,
    pub(super) align: Option<Expr>,
    pub(super) kernel: bool,
    pub(super) device_function: bool,
}

const IGNORED: [&str; 15] = [
    "inline",
    "__inline__",
    "__forceinline__",
    "__noinline__",
    "__host__",
    "register",
    "typename",
    "struct",
    "extern",
    "mutable",
    "virtual",
    "friend",
    "explicit",
    "__inline",
    "thread_local",
];

impl Parser<'_> {
    /// Whether a type begins here.
    pub(super) fn at_type(&self) -> bool {
        self.type_at(0)
    }

    fn type_at(&self, by: usize) -> bool {
        let Kind::Name(name) = &self.ahead(by).kind else {
            return false;
        };
        let text: &str = name;
        if matches!(
            text,
            "const"
                | "volatile"
                | "void"
                | "auto"
                | "typename"
                | "struct"
                | "__restrict__"
                | "decltype"
        ) || WORDS.contains(&text)
        {
            return true;
        }
        if self.shadowed.contains(text) {
            return false;
        }
        if SCALARS.iter().any(|(scalar, _)| *scalar == text) && !self.ahead(by + 1).is("=") {
            return true;
        }
        if self.ahead(by + 1).is("::") {
            return self.qualified_type(by);
        }
        self.types.contains(text)
    }

    /// Whether the word before says that a type stands here.
    fn behind_typename(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.is_name("typename"))
    }

    fn qualified_type(&self, by: usize) -> bool {
        let (mut text, mut at) = (String::new(), by);
        while let Kind::Name(name) = &self.ahead(at).kind {
            text.push_str(name);
            if !self.ahead(at + 1).is("::") {
                break;
            }
            if self.ahead(at + 2).is_name("template") {
                return false;
            }
            text.push_str("::");
            at += 2;
        }
        let last = text.rsplit("::").next().unwrap_or("");
        let space = text.split("::").next().unwrap_or("");
        // Behind a value no name stands.
        let declares = matches!(self.ahead(at + 1).kind, Kind::Name(_));
        self.types.contains(&*text)
            || (declares && self.types.contains(space))
            || (self.spaces.contains(space) && self.types.contains(last))
            || (["std::", "cuda::std::"]
                .iter()
                .any(|space| text.starts_with(space))
                && self.types.contains(last))
            || ((text.starts_with("std::") || text.starts_with("cuda::std::"))
                && SCALARS.iter().any(|(scalar, _)| *scalar == last))
    }

    /// Whether a declaration begins here: a type, or a word that only stands before one.
    pub(super) fn at_declaration(&self) -> bool {
        let word = match &self.token().kind {
            Kind::Name(name) => &**name,
            _ => return false,
        };
        if IGNORED.contains(&word)
            || self.at_elaborated_type()
            || is_storage(word)
            || matches!(
                word,
                "__align__" | "alignas" | "constexpr" | "static" | "__attribute__"
            )
        {
            return true;
        }
        if !self.at_type() || self.calls_member_of_template() || self.names_value_of_template() {
            return false;
        }
        // `float(x)` and `float4{…}` are values; a name and `*`, `&` or a name behind it declare.
        let next = self.ahead(1);
        word == "decltype"
            || (!next.is("(") || self.ahead(2).is("*") || self.ahead(2).is("&")) && !next.is("{")
    }

    /// Whether a structure or an enumeration is only named here, before what it is the type of: `enum Color color;`.
    pub(super) fn at_elaborated_type(&self) -> bool {
        let is_key = ["struct", "union", "class", "enum"]
            .iter()
            .any(|word| self.is_name(word));
        let is_scoped = self.ahead(1).is_name("class") || self.ahead(1).is_name("struct");
        is_key
            && !is_scoped
            && matches!(self.ahead(1).kind, Kind::Name(_))
            && matches!(self.ahead(2).kind, Kind::Name(_) | Kind::Punct("*" | "&"))
            && !self.ahead(2).is_name("final")
    }

    /// Passes `struct`, `union`, `class` or `enum` before a type's name, which is one from here on.
    fn named_by_key(&mut self) {
        let is_structure = !self.is_name("enum");
        self.next();
        if is_structure
            && let Kind::Name(name) = self.token().kind.clone()
            && self.ahead(1).is("*")
        {
            self.declare_incomplete(name);
        }
    }

    /// A structure of that name may be defined somewhere.
    pub(super) fn declare_incomplete(&mut self, name: Name) {
        if !self.types.contains(&name) {
            self.types.insert(name.clone());
            self.incomplete.insert(name);
        }
    }

    /// A type with all that stands before it.
    pub(super) fn specifiers(&mut self) -> Specifiers {
        let mut found = Specifiers {
            ty: self.no_type(),
            storage: Storage::default(),
            align: None,
            kernel: false,
            device_function: false,
        };
        let (mut is_const, mut is_volatile) = (false, false);
        let mut kind: Option<TypeKind> = None;
        let mut words: Vec<Name> = Vec::new();
        let start = self.span();
        while let Kind::Name(name) = self.token().kind.clone() {
            match &*name {
                "const" => is_const = true,
                "volatile" => is_volatile = true,
                _ if kind.is_none() && self.at_elaborated_type() => {
                    self.named_by_key();
                    continue;
                }
                "decltype" | "__decltype" if kind.is_none() && self.ahead(1).is("(") => {
                    self.next();
                    kind = Some(self.decltype());
                    continue;
                }
                slip if SLIPS_OF_SHARED.contains(&slip) => {
                    found.storage.shared = true;
                    self.say_slip(slip);
                }
                "__shared__" | "tile_static" | "groupshared" | "threadgroup" | "__local" => {
                    found.storage.shared = true
                }
                "__device__" => (found.storage.device, found.device_function) = (true, true),
                "__constant__" => (found.storage.device, found.storage.constant) = (true, true),
                "__managed__" => found.storage.device = true,
                "__grid_constant__" => {}
                "__global__" => found.kernel = true,
                "constexpr" | "consteval" => found.storage.is_constexpr = true,
                "extern" => found.storage.is_extern = true,
                "static" => found.storage.is_static = true,
                "__restrict__" => {}
                "__align__" | "alignas" | "__attribute__" => {
                    let is_packed = &mut found.storage.is_packed;
                    self.attribute(&mut found.align, is_packed);
                    continue;
                }
                "__launch_bounds__" | "__declspec" | "__cluster_dims__" => {
                    self.next();
                    if self.is("(") {
                        self.skip_balanced();
                    }
                    continue;
                }
                word if IGNORED.contains(&word) => {}
                word if kind.is_none() && WORDS.contains(&word) => words.push(name.clone()),
                _ if kind.is_none()
                    && words.is_empty()
                    && (self.at_type() || self.behind_typename()) =>
                {
                    kind = Some(self.plain_type());
                    continue;
                }
                "double" if words.len() == 1 && &*words[0] == "long" => {
                    kind = Some(TypeKind::Scalar(Scalar::F64));
                    words.clear();
                }
                _ => break,
            }
            self.next();
            if found.storage.is_extern && matches!(self.token().kind, Kind::Text(_)) {
                self.next();
            }
        }
        let kind = kind
            .or_else(|| whole_type(&words))
            .unwrap_or_else(|| self.unknown_type(start));
        found.ty = TypeExpr {
            span: start.to(self.last_span()),
            kind,
            is_const: is_const || found.storage.is_constexpr,
            is_volatile,
        };
        found
    }

    /// Says what a slip of the pen is read as.
    fn say_slip(&mut self, slip: &str) {
        let (span, shared) = (self.span(), "__shared__".to_owned());
        let fix = crate::Fix {
            span,
            replacement: shared.clone(),
        };
        let kind = crate::DiagnosticKind::AssumedName {
            name: slip.to_owned(),
            assumed: shared,
        };
        self.sink.say_with(span, kind, Some(fix));
    }

    /// `(value)` behind `decltype`; of `(auto)` the type is that of what it is given.
    fn decltype(&mut self) -> TypeKind {
        if self.ahead(1).is_name("auto") && self.ahead(2).is(")") {
            self.skip_balanced();
            return TypeKind::Auto;
        }
        TypeKind::Decltype(Box::new(self.parenthesised()))
    }

    pub(super) fn no_type(&self) -> TypeExpr {
        TypeExpr {
            span: self.span(),
            kind: TypeKind::Auto,
            is_const: false,
            is_volatile: false,
        }
    }

    /// A name stands where a type should: it is kept, for whoever needs the type to say that it is not known. A function
    /// that nobody calls, such as another overload, may name what it likes.
    fn unknown_type(&mut self, start: Span) -> TypeKind {
        if let Kind::Name(name) = self.token().kind.clone()
            && matches!(
                self.ahead(1).kind,
                Kind::Name(_) | Kind::Punct("*" | "&" | "::" | "<")
            )
        {
            self.next();
            while self.take("::") {
                self.name();
            }
            if self.is("<") {
                self.template_arguments();
            }
            return TypeKind::Named(name, Vec::new());
        }
        if self.span() == start {
            self.unexpected(Construct::Type);
        }
        TypeKind::Scalar(Scalar::I32)
    }

    /// A type of one word, perhaps with template arguments.
    fn plain_type(&mut self) -> TypeKind {
        let start = self.span();
        let is_said = self.behind_typename() || std::mem::take(&mut self.wants_type);
        let mut kind = self.named_type();
        while matches!(kind, TypeKind::Named(_, ref list) if !list.is_empty())
            && self.is("::")
            && matches!(self.ahead(1).kind, Kind::Name(_))
            && !self.ahead(1).is_name("template")
            && (is_said || matches!(self.ahead(2).kind, Kind::Name(_)))
        {
            // Without the word it could be a value, behind which no name stands.
            self.next();
            let (inner, _) = self.name();
            let ty = TypeExpr {
                span: start.to(self.last_span()),
                kind,
                is_const: false,
                is_volatile: false,
            };
            kind = TypeKind::Inside(Box::new(ty), inner);
        }
        kind
    }

    fn named_type(&mut self) -> TypeKind {
        let name = self.qualified_name();
        let last = name.rsplit("::").next().unwrap_or("").to_owned();
        if let Some((_, scalar)) = SCALARS.iter().find(|(text, _)| *text == last) {
            return TypeKind::Scalar(*scalar);
        }
        match &*name {
            "void" => TypeKind::Void,
            "auto" => TypeKind::Auto,
            _ if self.function_pointers.contains(&name) => {
                if self.is("<") {
                    self.template_arguments();
                }
                TypeKind::Auto
            }
            _ if self.is("<") => {
                let arguments = self.template_arguments();
                TypeKind::Named(name, arguments)
            }
            _ => TypeKind::Named(name, Vec::new()),
        }
    }

    /// `< … >`.
    pub(super) fn template_arguments(&mut self) -> Vec<TemplateArgument> {
        self.deeper(Self::template_arguments_inner, |_| Vec::new())
    }

    fn template_arguments_inner(&mut self) -> Vec<TemplateArgument> {
        let mut list = Vec::new();
        self.expect("<");
        while !self.is(">") && !self.is(">>") && !self.at_end() {
            let before = self.at;
            let argument = self.template_argument();
            list.push(match self.take("...") {
                true => TemplateArgument::Expand(Box::new(argument)),
                false => argument,
            });
            if !self.take(",") || self.at == before {
                break;
            }
        }
        if self.is(">>") {
            let at = self.at.min(self.tokens.len() - 1);
            self.tokens[at].kind = Kind::Punct(">");
        } else {
            self.expect(">");
        }
        list
    }

    pub(super) fn template_argument(&mut self) -> TemplateArgument {
        if self.at_type() && !self.constant_of_template() {
            let ty = self.type_name();
            return TemplateArgument::Type(ty);
        }
        let around = std::mem::replace(&mut self.in_angles, true);
        let value = self.ternary();
        self.in_angles = around;
        TemplateArgument::Value(value)
    }

    /// A type with its pointers, without a name, as in a cast.
    pub(super) fn type_name(&mut self) -> TypeExpr {
        let found = self.specifiers();
        let (_, _, ty) = self.declarator(found.ty);
        ty
    }
}

/// Slips of the pen that stand for `__shared__`.
const SLIPS_OF_SHARED: [&str; 5] = [
    "__share__",
    "__shared",
    "_shared_",
    "__Shared__",
    "__SHARED__",
];

fn is_storage(word: &str) -> bool {
    SLIPS_OF_SHARED.contains(&word)
        || matches!(
            word,
            "__shared__"
                | "tile_static"
                | "groupshared"
                | "threadgroup"
                | "__local"
                | "__device__"
                | "__constant__"
                | "__managed__"
                | "__global__"
        )
}

fn whole_type(words: &[Name]) -> Option<TypeKind> {
    if words.is_empty() {
        return None;
    }
    let count = |word: &str| words.iter().filter(|one| ***one == *word).count();
    let unsigned = count("unsigned") > 0;
    let pair = if count("char") > 0 {
        match count("signed") {
            0 => (Scalar::I8, Scalar::U8),
            _ => (Scalar::SignedChar, Scalar::U8),
        }
    } else if count("short") > 0 {
        (Scalar::I16, Scalar::U16)
    } else if count("long") > 0 {
        (Scalar::I64, Scalar::U64)
    } else {
        (Scalar::I32, Scalar::U32)
    };
    Some(TypeKind::Scalar(if unsigned { pair.1 } else { pair.0 }))
}
