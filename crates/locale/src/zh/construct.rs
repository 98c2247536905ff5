//! Parts of a program, as diagnostics name them, in Chinese.

pub(crate) fn code(text: &str) -> String {
    format!("`{text}`")
}

pub(crate) const fn name() -> &'static str {
    "名字"
}

pub(crate) const fn type_name() -> &'static str {
    "类型"
}

pub(crate) const fn expression() -> &'static str {
    "表达式"
}

pub(crate) const fn value() -> &'static str {
    "值"
}

pub(crate) const fn declaration() -> &'static str {
    "声明"
}

pub(crate) const fn text() -> &'static str {
    "字符串"
}

pub(crate) const fn comment() -> &'static str {
    "注释"
}

pub(crate) const fn directive() -> &'static str {
    "以 `#` 开头的一行"
}

pub(crate) const fn condition_before() -> &'static str {
    "其前的 `#if`"
}

pub(crate) const fn end() -> &'static str {
    "结尾"
}

pub(crate) const fn nothing() -> &'static str {
    "空"
}

pub(crate) const fn template_argument() -> &'static str {
    "模板参数"
}

pub(crate) const fn array_size() -> &'static str {
    "数组的大小"
}

pub(crate) const fn block_size() -> &'static str {
    "线程块的大小"
}

pub(crate) const fn variable_value() -> &'static str {
    "变量的值"
}

pub(crate) const fn bit_field_width() -> &'static str {
    "位域的位数"
}

pub(crate) const fn range_for() -> &'static str {
    "对这一类型的范围 `for`"
}

pub(crate) const fn binding() -> &'static str {
    "这一类型的结构化绑定"
}

pub(crate) const fn parameter_pack() -> &'static str {
    "模板参数包"
}

pub(crate) const fn address_of_value() -> &'static str {
    "不在内存中的值的地址"
}

pub(crate) const fn lambda() -> &'static str {
    "lambda 表达式"
}

pub(crate) const fn cast() -> &'static str {
    "转换到并非类型的名字"
}

pub(crate) fn outside_loop(word: &str) -> String {
    format!("循环之外的 `{word}`")
}

pub(crate) const fn call() -> &'static str {
    "这种调用"
}

pub(crate) fn member_function(name: &str) -> String {
    format!("成员函数 `{name}`")
}

pub(crate) fn overload(name: &str) -> String {
    format!("适用于这些实参的 `{name}` 重载")
}

pub(crate) const fn inline_assembly() -> &'static str {
    "内联汇编"
}

pub(crate) fn assembly_instruction(name: &str) -> String {
    format!("内联汇编（`{name}`）")
}

pub(crate) const fn async_copy() -> &'static str {
    "异步复制"
}

pub(crate) fn async_copy_of(bytes: u64) -> String {
    format!("{bytes} 字节的异步复制")
}

pub(crate) const fn sum_of_halves() -> &'static str {
    "半精度原子加法的具体实现"
}

pub(crate) const fn packed_bit_field() -> &'static str {
    "紧凑结构中的位域"
}

pub(crate) const fn copy_of_unknown_length() -> &'static str {
    "字节数不是常量的复制"
}

pub(crate) fn constant_memory(name: &str) -> String {
    format!("常量内存（`{name}`）")
}

pub(crate) fn array_contents(name: &str) -> String {
    format!("`{name}` 中数组的内容：零")
}

pub(crate) const fn texture() -> &'static str {
    "纹理"
}

pub(crate) const fn derivative() -> &'static str {
    "导数"
}

pub(crate) const fn bitcast() -> &'static str {
    "两种位宽之间的位转换"
}

pub(crate) const fn this_expression() -> &'static str {
    "该表达式"
}

pub(crate) const fn this_statement() -> &'static str {
    "该语句"
}

pub(crate) const fn uninitialized() -> &'static str {
    "从未写入的变量或内存"
}

pub(crate) fn parameter(position: u32) -> String {
    format!("第 {position} 个参数")
}

pub(crate) const fn unpredictable() -> &'static str {
    "时钟或启动参数没有给出的其他值"
}

pub(crate) const fn inactive_lane() -> &'static str {
    "未参与的 lane 的值"
}

pub(crate) const fn forgotten() -> &'static str {
    "内存中的值，其数量超出所能记住的范围"
}

pub(crate) const fn unmodelled() -> &'static str {
    "未建模的指令"
}

pub(crate) const fn unread_value() -> &'static str {
    "无法读取的值"
}

pub(crate) fn unmodelled_instruction(name: &str) -> String {
    format!("未建模的 `{name}`")
}
