use serde::{Deserialize, Serialize};

/// What kind of device an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A GPU seen through a virtual machine.
    Virtual,
    /// The processor itself: no result of it says anything about a GPU.
    Software,
    /// The browser does not say.
    Unknown,
}

/// An adapter's name and what it offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdapterCard {
    /// The name the driver or browser gives, perhaps empty.
    pub name: String,
    /// What kind of device.
    pub kind: AdapterKind,
    /// The interface used: `vulkan`, `metal`, `dx12`, `webgpu`.
    pub backend: String,
    /// The driver and its version, where told.
    pub driver: String,
    /// The most lanes of a subgroup, and the fewest.
    pub subgroup_lanes: [u32; 2],
    /// Whether passes can be timed on the device.
    pub timestamps: bool,
}

/// What a browser says of its adapter and wgpu does not pass on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrowserCard {
    /// What it is called: its description, or its maker and architecture.
    pub name: String,
    /// The most lanes of a subgroup, and the fewest; zeros where there are no subgroup operations.
    pub subgroup_lanes: [u32; 2],
}

impl AdapterCard {
    /// The card with what the browser says.
    pub(crate) fn take(&mut self, browser: &BrowserCard) {
        if !browser.name.is_empty() {
            self.name.clone_from(&browser.name);
            let is_known = self.kind != AdapterKind::Unknown;
            self.kind = match is_known {
                true => self.kind,
                false => kind(&self.name, wgpu::DeviceType::Other),
            };
        }
        if browser.subgroup_lanes[0] > 0 {
            self.subgroup_lanes = browser.subgroup_lanes;
        }
    }

    pub(crate) fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let name = if info.name.is_empty() {
            info.driver.clone()
        } else {
            info.name.clone()
        };
        Self {
            kind: kind(&name, info.device_type),
            name,
            backend: info.backend.to_str().to_owned(),
            driver: format!("{} {}", info.driver, info.driver_info)
                .trim()
                .to_owned(),
            subgroup_lanes: [info.subgroup_max_size, info.subgroup_min_size],
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    }

    /// Whether it is the processor that runs the shaders.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }
}

/// A browser does not say what kind an adapter is, so names of software
/// rasterisers count too.
fn kind(name: &str, device_type: wgpu::DeviceType) -> AdapterKind {
    const SOFTWARE: [&str; 4] = ["swiftshader", "llvmpipe", "lavapipe", "basic render"];
    let lower = name.to_lowercase();
    if SOFTWARE.iter().any(|word| lower.contains(word)) {
        return AdapterKind::Software;
    }
    match device_type {
        wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
        wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
        wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
        wgpu::DeviceType::Cpu => AdapterKind::Software,
        wgpu::DeviceType::Other => AdapterKind::Unknown,
    }
}
