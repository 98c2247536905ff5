//! Syntax tree of a PTX module: what stands where, without meaning.

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
}

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<'t> {
    /// A register, variable, label or function.
    Name(&'t str),
    /// An integer, in two's complement.
    Integer(u64),
    /// A decimal floating-point number.
    Float(f64),
    /// `0f…`: the bits of a binary32.
    Float32(u32),
    /// `0d…`: the bits of a binary64.
    Float64(u64),
    /// `{ … }`.
    Vector(Vec<Operand<'t>>),
    /// `[ … ]`, one or several expressions.
    Address(Vec<Operand<'t>>),
    /// `( … )`, a call's arguments.
    Group(Vec<Operand<'t>>),
    /// `a | b`: two destinations.
    Pair(Box<Operand<'t>>, Box<Operand<'t>>),
    /// `!p`.
    Not(Box<Operand<'t>>),
    /// `-x` of something that is not a number.
    Negated(Box<Operand<'t>>),
    /// `name + constant`.
    Sum(&'t str, i64),
    /// `_`: not wanted.
    Sink,
}

/// An instruction as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction<'t> {
    /// `@p` or `@!p`: whether it is negated, and the predicate.
    pub guard: Option<(bool, &'t str)>,
    /// Opcode with modifiers, as in `ld.global.v4.f32`.
    pub opcode: &'t str,
    /// Its operands.
    pub operands: Vec<Operand<'t>>,
}

/// A declared variable: registers, parameters, arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable<'t> {
    /// `reg`, `param`, `local`, `shared`, `global`, `const`, `tex`.
    pub space: &'t str,
    /// Its name.
    pub name: &'t str,
    /// Element type without the point, as in `b8`.
    pub element: &'t str,
    /// Elements of a vector: 1, 2, 4 or 8.
    pub vector: u32,
    /// `%r<12>`: how many registers of this name and a number there are.
    pub range: Option<u64>,
    /// `.align`.
    pub alignment: Option<u64>,
    /// Its dimensions; `None` in `[]`.
    pub extents: Vec<Option<u64>>,
    /// What follows `=`, flat.
    pub initial: Vec<Operand<'t>>,
    /// Whether it is defined elsewhere.
    pub is_extern: bool,
    /// Whether `.ptr` says that it holds an address.
    pub is_pointer: bool,
    /// Where its name stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind<'t> {
    /// `name:`.
    Label(&'t str),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// A declaration.
    Variable(Variable<'t>),
    /// `{`: names declared from here on end with the scope.
    Open,
    /// `}`.
    Close,
    /// `.loc file line`.
    Location {
        /// Number of a `.file`.
        file: u64,
        /// Line there.
        line: u64,
    },
    /// `.branchtargets` or `.calltargets` under the label before it.
    Targets(Vec<&'t str>),
}

/// A statement and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<'t> {
    /// What it is.
    pub kind: StatementKind<'t>,
    /// Its place.
    pub span: Span,
}

/// An entry or a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function<'t> {
    /// Its name; empty for a body without a head.
    pub name: &'t str,
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// Whether its head is missing: only the body stands in the text.
    pub is_bare: bool,
    /// What it gives back.
    pub results: Vec<Variable<'t>>,
    /// Its parameters.
    pub parameters: Vec<Variable<'t>>,
    /// `.reqntid`.
    pub block_size: Option<[u32; 3]>,
    /// Its statements; `None`: only declared.
    pub body: Option<Vec<Statement<'t>>>,
    /// Where its name stands.
    pub span: Span,
}

/// A PTX text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module<'t> {
    /// The text itself.
    pub text: &'t str,
    /// `.version`: major and minor.
    pub version: Option<(u16, u16)>,
    /// `.target`, as in `sm_90a`.
    pub target: Option<&'t str>,
    /// `.file`: number and path.
    pub files: Vec<(u64, &'t str)>,
    /// Variables of the module.
    pub variables: Vec<Variable<'t>>,
    /// Functions.
    pub functions: Vec<Function<'t>>,
    /// Offsets at which lines begin.
    pub lines: Vec<u32>,
}

impl Module<'_> {
    /// The number of a `.target`, as in 90 of `sm_90a`.
    #[must_use]
    pub fn target_number(&self) -> Option<u32> {
        let digits = self.target?.strip_prefix("sm_")?;
        let end = digits
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(digits.len());
        digits.get(..end)?.parse().ok()
    }

    /// Line and column of a byte, from 1.
    #[must_use]
    pub fn line_and_column(&self, at: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= at);
        let start = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        (crate::token::offset(line.max(1)), at - start + 1)
    }
}
