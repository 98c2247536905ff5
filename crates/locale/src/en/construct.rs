//! Parts of a program, as diagnostics name them, in English.

pub(crate) fn code(text: &str) -> String {
    format!("`{text}`")
}

pub(crate) const fn name() -> &'static str {
    "a name"
}

pub(crate) const fn type_name() -> &'static str {
    "a type"
}

pub(crate) const fn expression() -> &'static str {
    "an expression"
}

pub(crate) const fn value() -> &'static str {
    "a value"
}

pub(crate) const fn declaration() -> &'static str {
    "a declaration"
}

pub(crate) const fn text() -> &'static str {
    "a string"
}

pub(crate) const fn comment() -> &'static str {
    "a comment"
}

pub(crate) const fn directive() -> &'static str {
    "a line with `#`"
}

pub(crate) const fn condition_before() -> &'static str {
    "`#if` before it"
}

pub(crate) const fn end() -> &'static str {
    "the end"
}

pub(crate) const fn nothing() -> &'static str {
    "none"
}

pub(crate) const fn template_argument() -> &'static str {
    "a template argument"
}

pub(crate) const fn array_size() -> &'static str {
    "the size of an array"
}

pub(crate) const fn block_size() -> &'static str {
    "the size of a block"
}

pub(crate) const fn variable_value() -> &'static str {
    "a value of a variable"
}

pub(crate) const fn bit_field_width() -> &'static str {
    "the number of a bit-field's bits"
}

pub(crate) const fn range_for() -> &'static str {
    "a range-based `for` over this type"
}

pub(crate) const fn binding() -> &'static str {
    "a structured binding of this type"
}

pub(crate) const fn parameter_pack() -> &'static str {
    "a template's parameter pack"
}

pub(crate) const fn address_of_value() -> &'static str {
    "the address of a value without a place in memory"
}

pub(crate) const fn lambda() -> &'static str {
    "a lambda"
}

pub(crate) const fn cast() -> &'static str {
    "a cast to what is no type"
}

pub(crate) fn outside_loop(word: &str) -> String {
    format!("`{word}` outside a loop")
}

pub(crate) const fn call() -> &'static str {
    "a call of this kind"
}

pub(crate) fn member_function(name: &str) -> String {
    format!("the member function `{name}`")
}

pub(crate) fn overload(name: &str) -> String {
    format!("an overload of `{name}` for these arguments")
}

pub(crate) const fn inline_assembly() -> &'static str {
    "inline assembly"
}

pub(crate) fn assembly_instruction(name: &str) -> String {
    format!("inline assembly (`{name}`)")
}

pub(crate) const fn async_copy() -> &'static str {
    "an asynchronous copy"
}

pub(crate) fn async_copy_of(bytes: u64) -> String {
    format!("an asynchronous copy of {bytes} bytes")
}

pub(crate) const fn sum_of_halves() -> &'static str {
    "what an atomic sum of halves is made of"
}

pub(crate) const fn packed_bit_field() -> &'static str {
    "a bit-field of a packed structure"
}

pub(crate) const fn copy_of_unknown_length() -> &'static str {
    "a copy of a number of bytes that is not constant"
}

pub(crate) fn constant_memory(name: &str) -> String {
    format!("constant memory (`{name}`)")
}

pub(crate) fn array_contents(name: &str) -> String {
    format!("what the array in `{name}` holds: zeros")
}

pub(crate) const fn texture() -> &'static str {
    "a texture"
}

pub(crate) const fn derivative() -> &'static str {
    "a derivative"
}

pub(crate) const fn bitcast() -> &'static str {
    "a bitcast between numbers of two widths"
}

pub(crate) const fn this_expression() -> &'static str {
    "this expression"
}

pub(crate) const fn this_statement() -> &'static str {
    "this statement"
}

pub(crate) const fn uninitialized() -> &'static str {
    "a variable or memory that nothing wrote"
}

pub(crate) fn parameter(position: u32) -> String {
    format!("parameter {position}")
}

pub(crate) const fn unpredictable() -> &'static str {
    "a clock or another value that no launch says"
}

pub(crate) const fn inactive_lane() -> &'static str {
    "the value of a lane that does not take part"
}

pub(crate) const fn forgotten() -> &'static str {
    "values in memory, of which more were stored than are remembered"
}

pub(crate) const fn unmodelled() -> &'static str {
    "an instruction that is not modelled"
}

pub(crate) const fn unread_value() -> &'static str {
    "a value that could not be read"
}

pub(crate) fn unmodelled_instruction(name: &str) -> String {
    format!("`{name}`, which is not modelled")
}
