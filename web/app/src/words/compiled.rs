//! What the page says of compiled code beside its source, in both languages.

use lanescope_model::Unit;

use super::{Language, Words};

impl Words {
    /// Over source and compiled code.
    pub(crate) const fn side_by_side(self) -> &'static str {
        match self.0 {
            Language::English => "Source and compiled code",
            Language::Chinese => "源码与编译结果",
        }
    }

    /// How the two sides are linked.
    pub(crate) const fn side_by_side_about(self) -> &'static str {
        match self.0 {
            Language::English => {
                "point at a line to light up what it became; click an access to look into it"
            }
            Language::Chinese => "指向一行可点亮与其对应的代码；点击访问可查看其内部",
        }
    }

    /// The side of the source.
    pub(crate) const fn source_side(self) -> &'static str {
        match self.0 {
            Language::English => "Source",
            Language::Chinese => "源码",
        }
    }

    /// The side of the compiled text.
    pub(crate) const fn code_side(self) -> &'static str {
        match self.0 {
            Language::English => "Compiled",
            Language::Chinese => "编译结果",
        }
    }

    /// Where the source's text is not at hand.
    pub(crate) fn source_wanted(self, file: &str) -> String {
        match self.0 {
            Language::English => {
                format!("Paste or drop {file} here to see it beside the compiled code:")
            }
            Language::Chinese => format!("将 {file} 粘贴或拖到此处，即可与编译结果并排查看："),
        }
    }

    /// That a side was too long.
    pub(crate) const fn side_cut(self) -> &'static str {
        match self.0 {
            Language::English => "A side of more than 1,000 lines shows its accesses alone.",
            Language::Chinese => "超过 1,000 行的一侧只显示其中的访问。",
        }
    }

    /// The columns of a line's costs: requests, wavefronts, sectors (or what the device counts), the fewest.
    pub(crate) const fn cost_columns(self, unit: Option<Unit>) -> [&'static str; 4] {
        match (self.0, unit) {
            (Language::English, Some(Unit::Line)) => ["req.", "wavefronts", "lines", "ideal"],
            (Language::English, Some(Unit::Transaction)) => {
                ["req.", "wavefronts", "transactions", "ideal"]
            }
            (Language::English, Some(Unit::Sector) | None) => {
                ["req.", "wavefronts", "sectors", "ideal"]
            }
            (Language::Chinese, Some(Unit::Line)) => ["请求", "wavefront", "缓存行", "理想"],
            (Language::Chinese, Some(Unit::Transaction)) => ["请求", "wavefront", "事务", "理想"],
            (Language::Chinese, Some(Unit::Sector) | None) => ["请求", "wavefront", "扇区", "理想"],
        }
    }

    /// Before the command that compiles a source.
    pub(crate) const fn compile_it(self) -> &'static str {
        match self.0 {
            Language::English => "What nvcc really makes of it, counted the same way:",
            Language::Chinese => "用同样的方法统计 nvcc 的真实编译结果：",
        }
    }

    /// Behind the command.
    pub(crate) const fn or_paste_sass(self) -> &'static str {
        match self.0 {
            Language::English => "or paste here what this prints:",
            Language::Chinese => "或将以下命令的输出粘贴到此处：",
        }
    }

    /// On the button beside a command.
    pub(crate) const fn copy_command(self) -> &'static str {
        match self.0 {
            Language::English => "Copy",
            Language::Chinese => "复制",
        }
    }

    /// After that.
    pub(crate) const fn command_copied(self) -> &'static str {
        match self.0 {
            Language::English => "Copied",
            Language::Chinese => "已复制",
        }
    }
}
