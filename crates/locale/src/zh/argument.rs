//! What is wrong with a value that is given to a kernel's parameter, in Chinese.

pub(crate) fn not_a_value(text: &str) -> String {
    format!("`{text}` 不是有效的值；请写数字，缓冲区则写成 `1048576,random:7,offset:4` 的形式")
}

pub(crate) fn file_of_contents(text: &str) -> String {
    format!("`{text}` 指定了存放内容的文件，只有源码的 `kernel` 和 `compare` 命令会读取")
}
