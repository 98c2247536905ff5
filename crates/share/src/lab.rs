//! The lab's settings.

/// What the lab is set to run. Each is a permanent word that the lab looks up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lab {
    /// The experiment, such as `transpose`.
    pub experiment: Option<String>,
    /// The kernels that take part.
    pub variants: Vec<String>,
    /// Problem sizes, such as `4096x4096` or `1048576`.
    pub sizes: Vec<String>,
    /// Block shapes, such as `32x8`.
    pub shapes: Vec<String>,
    /// Results that the sender chose to send along, as the lab exports them; of a kernel's link those of its run.
    pub results: Option<String>,
}
