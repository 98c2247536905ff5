//! Parts of a program, as diagnostics name them.

sentences! { construct:
    /// What stands in the source.
    fn code(text: &str) -> String;
    /// A name.
    fn name() -> &'static str;
    /// A type.
    fn type_name() -> &'static str;
    /// An expression.
    fn expression() -> &'static str;
    /// A value.
    fn value() -> &'static str;
    /// A declaration.
    fn declaration() -> &'static str;
    /// A string.
    fn text() -> &'static str;
    /// A comment.
    fn comment() -> &'static str;
    /// A preprocessor directive.
    fn directive() -> &'static str;
    /// The beginning of a condition.
    fn condition_before() -> &'static str;
    /// The end of the source.
    fn end() -> &'static str;
    /// Nothing at all.
    fn nothing() -> &'static str;
    /// A template's argument.
    fn template_argument() -> &'static str;
    /// How many elements an array has.
    fn array_size() -> &'static str;
    /// How many threads a block has.
    fn block_size() -> &'static str;
    /// One of the values of a variable.
    fn variable_value() -> &'static str;
    /// How many bits a bit-field has.
    fn bit_field_width() -> &'static str;
    /// A range-based `for`.
    fn range_for() -> &'static str;
    /// A structured binding.
    fn binding() -> &'static str;
    /// A template's parameter pack.
    fn parameter_pack() -> &'static str;
    /// The address of a value that is in no memory.
    fn address_of_value() -> &'static str;
    /// A lambda where none is read.
    fn lambda() -> &'static str;
    /// A cast to what is no type.
    fn cast() -> &'static str;
    /// `break` or `continue` outside a loop.
    fn outside_loop(word: &str) -> String;
    /// A call of what is no function.
    fn call() -> &'static str;
    /// A member function by its name.
    fn member_function(name: &str) -> String;
    /// A call that fits none of the functions of its name.
    fn overload(name: &str) -> String;
    /// Inline assembly.
    fn inline_assembly() -> &'static str;
    /// An instruction of inline assembly.
    fn assembly_instruction(name: &str) -> String;
    /// An asynchronous copy.
    fn async_copy() -> &'static str;
    /// An asynchronous copy of so many bytes.
    fn async_copy_of(bytes: u64) -> String;
    /// An atomic sum of halves.
    fn sum_of_halves() -> &'static str;
    /// A bit-field of a packed structure.
    fn packed_bit_field() -> &'static str;
    /// A copy of a number of bytes that is not known.
    fn copy_of_unknown_length() -> &'static str;
    /// An array in constant memory.
    fn constant_memory(name: &str) -> String;
    /// What an array in a variable holds.
    fn array_contents(name: &str) -> String;
    /// A texture.
    fn texture() -> &'static str;
    /// A derivative.
    fn derivative() -> &'static str;
    /// A bitcast between widths.
    fn bitcast() -> &'static str;
    /// An expression of WGSL that is not read.
    fn this_expression() -> &'static str;
    /// A statement of WGSL that is not read.
    fn this_statement() -> &'static str;
    /// Memory that nothing was written to.
    fn uninitialized() -> &'static str;
    /// A parameter by its position.
    fn parameter(position: u32) -> String;
    /// A value that no launch says.
    fn unpredictable() -> &'static str;
    /// The value of an inactive lane.
    fn inactive_lane() -> &'static str;
    /// Values that are not remembered.
    fn forgotten() -> &'static str;
    /// An instruction that is not modelled.
    fn unmodelled() -> &'static str;
    /// A value that could not be read.
    fn unread_value() -> &'static str;
    /// An instruction by its name that is not modelled.
    fn unmodelled_instruction(name: &str) -> String;
}
