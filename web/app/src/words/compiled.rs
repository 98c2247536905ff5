//! What the page says of compiled code beside its source, in both languages.

use lanescope_model::Unit;

use super::Language;

impl Language {
    /// Over source and compiled code.
    pub(crate) const fn side_by_side(self) -> &'static str {
        match self {
            Self::English => "Source and compiled code",
            Self::Chinese => "源码与编译结果",
        }
    }

    /// How the two sides are linked.
    pub(crate) const fn side_by_side_about(self) -> &'static str {
        match self {
            Self::English => {
                "point at a line to light up what it became; click an access to look into it"
            }
            Self::Chinese => "指向一行可点亮与其对应的代码；点击访问可查看其内部",
        }
    }

    /// The side of the source.
    pub(crate) const fn source_side(self) -> &'static str {
        match self {
            Self::English => "Source",
            Self::Chinese => "源码",
        }
    }

    /// The side of the compiled text.
    pub(crate) const fn code_side(self) -> &'static str {
        match self {
            Self::English => "Compiled",
            Self::Chinese => "编译结果",
        }
    }

    /// Where the source's text is not at hand.
    pub(crate) fn source_wanted(self, file: &str) -> String {
        match self {
            Self::English => {
                format!("Paste or drop {file} here to see it beside the compiled code:")
            }
            Self::Chinese => format!("将 {file} 粘贴或拖到此处，即可与编译结果并排查看："),
        }
    }

    /// That a side was too long.
    pub(crate) const fn side_cut(self) -> &'static str {
        match self {
            Self::English => "A side of more than 1,000 lines shows its accesses alone.",
            Self::Chinese => "超过 1,000 行的一侧只显示其中的访问。",
        }
    }

    /// The columns of a line's costs: requests, wavefronts, sectors (or what the device counts), the fewest.
    pub(crate) const fn cost_columns(self, unit: Option<Unit>) -> [&'static str; 4] {
        match (self, unit) {
            (Self::English, Some(Unit::Line)) => ["req.", "wavefronts", "lines", "ideal"],
            (Self::English, Some(Unit::Transaction)) => {
                ["req.", "wavefronts", "transactions", "ideal"]
            }
            (Self::English, Some(Unit::Sector) | None) => {
                ["req.", "wavefronts", "sectors", "ideal"]
            }
            (Self::Chinese, Some(Unit::Line)) => ["请求", "wavefront", "缓存行", "理想"],
            (Self::Chinese, Some(Unit::Transaction)) => ["请求", "wavefront", "事务", "理想"],
            (Self::Chinese, Some(Unit::Sector) | None) => ["请求", "wavefront", "扇区", "理想"],
        }
    }

    /// Before the command that compiles a source.
    pub(crate) const fn compile_it(self) -> &'static str {
        match self {
            Self::English => "What nvcc really makes of it, counted the same way:",
            Self::Chinese => "用同样的方法统计 nvcc 的真实编译结果：",
        }
    }

    /// Behind the command.
    pub(crate) const fn or_paste_sass(self) -> &'static str {
        match self {
            Self::English => "or paste here what this prints:",
            Self::Chinese => "或将以下命令的输出粘贴到此处：",
        }
    }

    /// On the button beside a command.
    pub(crate) const fn copy_command(self) -> &'static str {
        match self {
            Self::English => "Copy",
            Self::Chinese => "复制",
        }
    }

    /// After that.
    pub(crate) const fn command_copied(self) -> &'static str {
        match self {
            Self::English => "Copied",
            Self::Chinese => "已复制",
        }
    }
}
