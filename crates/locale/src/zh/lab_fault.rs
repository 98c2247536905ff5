//! Why the lab could not run a kernel, in Chinese.

pub(crate) const fn no_web_gpu() -> &'static str {
    "此浏览器没有 WebGPU；请试用新版 Chrome、Edge、Safari 或 Firefox"
}

pub(crate) const fn insecure_page() -> &'static str {
    "WebGPU 需要经 https 或 localhost 打开的页面"
}

pub(crate) const fn no_adapter() -> &'static str {
    "没有可用的 GPU 适配器；请检查驱动和硬件加速设置"
}

pub(crate) fn adapter_silent(seconds: u32) -> String {
    format!("GPU 在 {seconds} 秒内没有回应；请关闭其他 GPU 程序后重新加载")
}

pub(crate) const fn device_refused() -> &'static str {
    "GPU 拒绝打开设备；请重新加载页面或更新驱动"
}

pub(crate) const fn device_lost() -> &'static str {
    "运行中失去了 GPU；已有结果保留"
}

pub(crate) fn out_of_memory(bytes: u64) -> String {
    format!("GPU 容不下 {bytes} 字节；请选较小的规模")
}

pub(crate) fn too_large(bytes: u64, fits_bytes: u64) -> String {
    format!("{bytes} 字节超过一个绑定的上限；最多 {fits_bytes} 字节")
}

pub(crate) fn unavailable(needs: &str) -> String {
    format!("此设备不支持：{needs}")
}

pub(crate) fn rejected(message: &str) -> String {
    format!("GPU 拒绝了任务：{message}")
}

pub(crate) fn too_slow(predicted_ms: u64) -> String {
    format!("在约 {predicted_ms} 毫秒的调度之前停止；请选较小的规模")
}

pub(crate) fn timed_out(seconds: u32) -> String {
    format!("GPU 在 {seconds} 秒内没有完成")
}

pub(crate) fn wrong_result(index: u64) -> String {
    format!("第 {index} 个元素结果错误")
}

pub(crate) const fn cancelled() -> &'static str {
    "已取消"
}

pub(crate) const fn unreadable() -> &'static str {
    "无法理解实验线程的消息；请重新加载页面"
}
