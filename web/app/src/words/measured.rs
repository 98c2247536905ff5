//! What the page says of a profiler's export beside the prediction, in both languages.

use super::{Language, Words, grouped};

impl Words {
    /// Over the comparison.
    pub(crate) const fn measured_title(self) -> &'static str {
        match self.0 {
            Language::English => "Predicted and measured",
            Language::Chinese => "预测与测量",
        }
    }

    /// While the worker reads.
    pub(crate) const fn measured_reading(self) -> &'static str {
        match self.0 {
            Language::English => "Reading the export and counting its launches…",
            Language::Chinese => "正在读取导出文件并统计其中的启动……",
        }
    }

    /// That it took too long.
    pub(crate) const fn measured_slow(self) -> &'static str {
        match self.0 {
            Language::English => {
                "Counting takes longer than 20 s: `lanescope compare` on the command line has no such limit."
            }
            Language::Chinese => "统计超过 20 秒：命令行的 `lanescope compare` 没有这一限制。",
        }
    }

    /// That there is no worker.
    pub(crate) const fn measured_missing(self) -> &'static str {
        match self.0 {
            Language::English => {
                "The reader of exports could not be loaded: check the network and load the page again."
            }
            Language::Chinese => "无法加载导出文件的读取程序：请检查网络并重新加载页面。",
        }
    }

    /// Launch, where the code is from, how sure the prediction is.
    pub(crate) fn measured_about(
        self,
        [grid, block]: [&str; 2],
        whence: &str,
        status: &str,
    ) -> String {
        let guessed = grid.ends_with('?') || block.ends_with('?');
        match self.0 {
            Language::English => {
                let code = match whence {
                    "sass" => "SASS of the export itself",
                    "ptx" => "PTX of the export itself",
                    "source" => "source text of the export itself",
                    _ => "the kernel open in the Kernel tab",
                };
                let sure = match status {
                    "counted" => "fully counted",
                    "assumed" => "counted with assumptions",
                    _ => "not fully counted",
                };
                let asked = if guessed {
                    " The export does not say what is marked with ?: the launch of the Kernel tab is taken; add the raw page for its own."
                } else {
                    ""
                };
                format!("Grid {grid}, block {block}; predicted from {code}, {sure}.{asked}")
            }
            Language::Chinese => {
                let code = match whence {
                    "sass" => "导出文件自带的 SASS",
                    "ptx" => "导出文件自带的 PTX",
                    "source" => "导出文件自带的源码",
                    _ => "“内核”标签页中打开的内核",
                };
                let sure = match status {
                    "counted" => "完整统计",
                    "assumed" => "基于假设统计",
                    _ => "未完整统计",
                };
                let asked = if guessed {
                    "带 ? 的值导出文件中没有，取自“内核”标签页的启动配置；附上 raw 页即可使用其自身的值。"
                } else {
                    ""
                };
                format!("网格 {grid}，线程块 {block}；预测依据{code}，{sure}。{asked}")
            }
        }
    }

    /// Over the fields of arguments.
    pub(crate) const fn measured_arguments(self) -> &'static str {
        match self.0 {
            Language::English => {
                "No export says the arguments of the launch. Those that branches, bounds or addresses hang on can be given here:"
            }
            Language::Chinese => {
                "导出文件不含启动参数。分支、循环上限或地址所依赖的参数可在此填写："
            }
        }
    }

    /// Why a launch cannot be compared, or not wholly.
    pub(crate) fn measured_fault(self, fault: &str) -> String {
        match self.0 {
            Language::English => format!("Not compared: {fault}"),
            Language::Chinese => format!("未能对照：{fault}"),
        }
    }

    /// How many rows are equal.
    pub(crate) fn measured_equal(self, equal: usize, all: usize) -> String {
        let [equal, all] = [equal, all].map(|count| grouped(count as u64));
        match self.0 {
            Language::English => format!("{equal} of {all} numbers are equal."),
            Language::Chinese => format!("{all} 个数中有 {equal} 个相等。"),
        }
    }

    /// The columns of the tables.
    pub(crate) const fn measured_columns(self) -> [&'static str; 5] {
        match self.0 {
            Language::English => ["of", "predicted", "measured", "difference", "why"],
            Language::Chinese => ["项目", "预测", "测量", "差", "原因"],
        }
    }

    /// So many rows that are not shown.
    pub(crate) fn measured_more(self, left: usize) -> String {
        let left = grouped(left as u64);
        match self.0 {
            Language::English => format!("and {left} more rows; `lanescope compare` prints all"),
            Language::Chinese => format!("另有 {left} 行；`lanescope compare` 可输出全部"),
        }
    }

    /// A sum by its key.
    pub(crate) fn measured_total(self, key: &str) -> String {
        match self.0 {
            Language::English => key.replace('_', " "),
            Language::Chinese => match key {
                "shared_load_wavefronts" => "共享加载 wavefront",
                "shared_load_bank_conflicts" => "共享加载 bank 冲突",
                "shared_store_wavefronts" => "共享存储 wavefront",
                "shared_store_bank_conflicts" => "共享存储 bank 冲突",
                "shared_atomic_wavefronts" => "共享原子 wavefront",
                "global_load_requests" => "全局加载请求",
                "global_load_sectors" => "全局加载扇区",
                "global_store_requests" => "全局存储请求",
                "global_store_sectors" => "全局存储扇区",
                "global_reduction_sectors" => "全局归约扇区",
                "global_atomic_sectors" => "全局原子扇区",
                "async_copy_wavefronts" => "异步拷贝 wavefront",
                "async_copy_sectors" => "异步拷贝扇区",
                other => other,
            }
            .to_owned(),
        }
    }

    /// What an instruction's number counts.
    pub(crate) fn measured_unit(self, unit: &str) -> &'static str {
        match (self.0, unit) {
            (Language::English, "wavefronts") => "wavefronts",
            (Language::English, _) => "sectors",
            (Language::Chinese, "wavefronts") => "wavefront",
            (Language::Chinese, _) => "扇区",
        }
    }

    /// Why prediction and measurement differ.
    pub(crate) fn measured_difference(self, key: &str) -> String {
        let [english, chinese] = match key {
            "equal" => ["equal", "相等"],
            "not-measured" => ["not measured", "未测量"],
            "arbitration" => ["arbitration in hardware", "硬件仲裁"],
            "data" => [
                "depends on data or arguments assumed",
                "取决于数据或假定的参数",
            ],
            "not-counted" => ["not fully counted", "未完整统计"],
            _ => ["not known", "原因不明"],
        };
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
        .to_owned()
    }
}
