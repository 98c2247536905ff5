//! Parts of a program, as diagnostics name them.

use lanescope_locale::{Language, construct};

/// A part of a program, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Construct {
    /// What stands in the source.
    Code(String),
    /// A name.
    Name,
    /// A type.
    Type,
    /// An expression.
    Expression,
    /// A value.
    Value,
    /// A declaration.
    Declaration,
    /// A string.
    Text,
    /// A comment.
    Comment,
    /// A preprocessor directive.
    Directive,
    /// The beginning of a condition.
    ConditionBefore,
    /// The end of the source.
    End,
    /// Nothing at all.
    Nothing,
    /// A template's argument.
    TemplateArgument,
    /// How many elements an array has.
    ArraySize,
    /// How many threads a block has.
    BlockSize,
    /// One of the values of a variable.
    VariableValue,
    /// How many bits a bit-field has.
    BitFieldWidth,
    /// A range-based `for`.
    RangeFor,
    /// A structured binding.
    Binding,
    /// A template's parameter pack.
    ParameterPack,
    /// The address of a value that is in no memory.
    AddressOfValue,
    /// A lambda where none is read.
    Lambda,
    /// A cast to what is no type.
    Cast,
    /// `break` or `continue` outside a loop.
    OutsideLoop(String),
    /// A call of what is no function.
    Call,
    /// A member function by its name.
    MemberFunction(String),
    /// A call that fits none of the functions of its name.
    Overload(String),
    /// Inline assembly.
    InlineAssembly,
    /// An instruction of inline assembly.
    AssemblyInstruction(String),
    /// An asynchronous copy.
    AsyncCopy,
    /// An asynchronous copy of so many bytes.
    AsyncCopyOf(u64),
    /// An atomic sum of halves.
    SumOfHalves,
    /// A bit-field of a packed structure.
    PackedBitField,
    /// A copy of a number of bytes that is not known.
    CopyOfUnknownLength,
    /// An array in constant memory.
    ConstantMemory(String),
    /// What an array in a variable holds.
    ArrayContents(String),
    /// A texture.
    Texture,
    /// A derivative.
    Derivative,
    /// A bitcast between widths.
    Bitcast,
    /// An expression of WGSL that is not read.
    AnExpression,
    /// A statement of WGSL that is not read.
    AStatement,
    /// Memory that nothing was written to.
    Uninitialized,
    /// A parameter by its position.
    Parameter(u32),
    /// A value that no launch says.
    Unpredictable,
    /// The value of an inactive lane.
    InactiveLane,
    /// Values that are not remembered.
    Forgotten,
    /// An instruction that is not modelled.
    Unmodelled,
    /// A value that could not be read.
    UnreadValue,
    /// An instruction by its name that is not modelled.
    UnmodelledInstruction(String),
}

impl Construct {
    /// What stands in the source.
    #[must_use]
    pub fn code(text: &str) -> Self {
        Self::Code(text.to_owned())
    }

    /// Its name, in `language`: with its article, lower case.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Code(one) => construct::code(language, one),
            Self::Name => construct::name(language).into(),
            Self::Type => construct::type_name(language).into(),
            Self::Expression => construct::expression(language).into(),
            Self::Value => construct::value(language).into(),
            Self::Declaration => construct::declaration(language).into(),
            Self::Text => construct::text(language).into(),
            Self::Comment => construct::comment(language).into(),
            Self::Directive => construct::directive(language).into(),
            Self::ConditionBefore => construct::condition_before(language).into(),
            Self::End => construct::end(language).into(),
            Self::Nothing => construct::nothing(language).into(),
            Self::TemplateArgument => construct::template_argument(language).into(),
            Self::ArraySize => construct::array_size(language).into(),
            Self::BlockSize => construct::block_size(language).into(),
            Self::VariableValue => construct::variable_value(language).into(),
            Self::BitFieldWidth => construct::bit_field_width(language).into(),
            Self::RangeFor => construct::range_for(language).into(),
            Self::Binding => construct::binding(language).into(),
            Self::ParameterPack => construct::parameter_pack(language).into(),
            Self::AddressOfValue => construct::address_of_value(language).into(),
            Self::Lambda => construct::lambda(language).into(),
            Self::Cast => construct::cast(language).into(),
            Self::OutsideLoop(one) => construct::outside_loop(language, one),
            Self::Call => construct::call(language).into(),
            Self::Overload(one) => construct::overload(language, one),
            Self::MemberFunction(one) => construct::member_function(language, one),
            Self::InlineAssembly => construct::inline_assembly(language).into(),
            Self::AssemblyInstruction(one) => construct::assembly_instruction(language, one),
            Self::AsyncCopy => construct::async_copy(language).into(),
            Self::AsyncCopyOf(one) => construct::async_copy_of(language, *one),
            Self::SumOfHalves => construct::sum_of_halves(language).into(),
            Self::PackedBitField => construct::packed_bit_field(language).into(),
            Self::CopyOfUnknownLength => construct::copy_of_unknown_length(language).into(),
            Self::ConstantMemory(one) => construct::constant_memory(language, one),
            Self::ArrayContents(one) => construct::array_contents(language, one),
            Self::Texture => construct::texture(language).into(),
            Self::Derivative => construct::derivative(language).into(),
            Self::Bitcast => construct::bitcast(language).into(),
            Self::AnExpression => construct::this_expression(language).into(),
            Self::AStatement => construct::this_statement(language).into(),
            Self::Uninitialized => construct::uninitialized(language).into(),
            Self::Parameter(one) => construct::parameter(language, *one),
            Self::Unpredictable => construct::unpredictable(language).into(),
            Self::InactiveLane => construct::inactive_lane(language).into(),
            Self::Forgotten => construct::forgotten(language).into(),
            Self::Unmodelled => construct::unmodelled(language).into(),
            Self::UnreadValue => construct::unread_value(language).into(),
            Self::UnmodelledInstruction(one) => construct::unmodelled_instruction(language, one),
        }
    }
}
