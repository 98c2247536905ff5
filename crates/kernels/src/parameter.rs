/// When a parameter's value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is an `override` of the WGSL text.
    Pipeline,
    /// It only decides how many workgroups run.
    Launch,
}

/// One tunable of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name, for [`Stage::Pipeline`] also that of the `override`.
    pub name: &'static str,
    /// Where it takes effect.
    pub stage: Stage,
    /// The values it may take, in rising order.
    pub legal: &'static [u32],
    /// The value of the WGSL text, one of `legal`.
    pub default: u32,
}

/// A value for each parameter of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values(Vec<(&'static str, u32)>);

impl Values {
    /// The default of each parameter.
    #[must_use]
    pub fn defaults(parameters: &[Parameter]) -> Self {
        Self(parameters.iter().map(|p| (p.name, p.default)).collect())
    }

    /// The value of the parameter so named; 1 if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> u32 {
        self.0
            .iter()
            .find_map(|&(n, value)| (n == name).then_some(value))
            .unwrap_or(1)
    }

    /// The same with one value changed; an unknown name changes nothing.
    #[must_use]
    pub fn with(mut self, name: &str, value: u32) -> Self {
        for entry in &mut self.0 {
            if entry.0 == name {
                entry.1 = value;
            }
        }
        self
    }

    /// Name and value of each parameter, in the kernel's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        self.0.iter().copied()
    }
}
