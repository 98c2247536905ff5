//! Values of parameters that follow from others, or from what a compiler always passes.

use crate::{ArgumentValue, NamedLaunch, Program, SourceParameter};
use lanescope_locale::parameter_role::ParameterRole;
use lanescope_simt::ParameterValue;

/// What a launch that does not give a parameter passes for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implied {
    /// A number times the values of other parameters, by their positions in [`Program::parameters`].
    Product {
        /// The number.
        factor: i64,
        /// The other parameters.
        of: Vec<u32>,
        /// Whether nothing else can be passed.
        is_certain: bool,
    },
    /// As many as the launch has threads along an axis: a guess.
    Threads {
        /// 0 for x, 1 for y, 2 for z.
        axis: u32,
    },
}

impl Implied {
    /// The value for certain, by the values of the other parameters that are known; `None` of a guess.
    #[must_use]
    pub fn certain(&self, known: impl Fn(u32) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Product {
                factor,
                of,
                is_certain: true,
            } => of
                .iter()
                .try_fold(*factor, |product, at| product.checked_mul(known(*at)?)),
            Self::Product {
                is_certain: false, ..
            }
            | Self::Threads { .. } => None,
        }
    }
}

impl Program {
    /// This program, its parameters told what each stands for and what follows from that, in their order.
    #[must_use]
    pub fn with_roles(mut self, roles: Vec<(Option<ParameterRole>, Option<Implied>)>) -> Self {
        for (parameter, (role, implied)) in self.parameters.iter_mut().zip(roles) {
            parameter.role = role;
            parameter.implied = implied;
        }
        self
    }

    /// The name of a parameter without that of the kernel, which PTX puts before its own: `param_3` of `copy_param_3`.
    #[must_use]
    pub fn short_name<'p>(&self, parameter: &'p SourceParameter) -> &'p str {
        let name = parameter.name.as_str();
        let own = name
            .strip_prefix(self.name.as_str())
            .and_then(|rest| rest.strip_prefix('_'));
        own.filter(|own| own.starts_with("param_")).unwrap_or(name)
    }

    /// The value taken for a number that the launch does not give, and whether it can be no other.
    pub(crate) fn implied(&self, parameter: &SourceParameter, launch: &NamedLaunch) -> (i64, bool) {
        let given = |at: u32| self.given(at as usize, launch);
        match &parameter.implied {
            Some(implied @ Implied::Product { factor, of, .. }) => {
                if let Some(value) = implied.certain(given) {
                    return (value, true);
                }
                let values = of.iter().map(|at| {
                    let other = self.parameters.get(*at as usize);
                    let guess = || other.map(|other| self.guess(other, launch));
                    given(*at).or_else(guess).unwrap_or(1)
                });
                (values.fold(*factor, i64::saturating_mul), false)
            }
            Some(Implied::Threads { .. }) | None => (self.guess(parameter, launch), false),
        }
    }

    /// The whole number that a launch gives the parameter at `at`.
    fn given(&self, at: usize, launch: &NamedLaunch) -> Option<i64> {
        match launch.value(at) {
            Some(ParameterValue::Bytes(bytes)) => whole_number(bytes),
            Some(ParameterValue::Buffer { .. } | ParameterValue::Missing) => None,
            None => self.parameters.get(at)?.given(launch),
        }
    }

    /// The value taken for a number of which nothing is known but its name.
    fn guess(&self, parameter: &SourceParameter, launch: &NamedLaunch) -> i64 {
        match parameter.implied {
            Some(Implied::Threads { axis }) => launch.threads_along(axis as usize),
            Some(Implied::Product { .. }) | None => launch.assumed(self.short_name(parameter)),
        }
    }
}

/// Bytes of eight at most, the lowest first, as a number with a sign.
fn whole_number(bytes: &[u8]) -> Option<i64> {
    let spare = 8_usize
        .checked_sub(bytes.len())
        .filter(|spare| *spare < 8)?;
    let mut all = [0; 8];
    all.get_mut(spare..)?.copy_from_slice(bytes);
    Some(i64::from_le_bytes(all) >> (8 * spare))
}

impl SourceParameter {
    /// The whole number that a launch gives it.
    fn given(&self, launch: &NamedLaunch) -> Option<i64> {
        let mut given = launch.arguments.iter().rev();
        match given.find(|one| one.name == self.name)?.value {
            ArgumentValue::Integer(value) => Some(value),
            ArgumentValue::Real(_) | ArgumentValue::Buffer(_) => None,
        }
    }
}
