//! Where a changed source's bytes stood in the source as it was.

use crate::mix::name_key;

/// From a byte of an array to the byte it was; `None` for a byte that was not.
pub(crate) type Rule<'a> = Box<dyn Fn(u64) -> Option<u64> + 'a>;

/// What an array of the changed source was.
pub(crate) struct Origin<'a> {
    /// A number for the array that its bytes stood in.
    pub(crate) array: u64,
    /// `None`: each byte stands where it stood.
    pub(crate) rule: Option<Rule<'a>>,
}

impl<'a> Origin<'a> {
    /// The array of this name, as it is.
    pub(crate) fn same(name: &str) -> Self {
        Self {
            array: name_key(name),
            rule: None,
        }
    }

    /// The array of this name, in which a byte stood as `rule` says.
    pub(crate) fn moved(name: &str, rule: impl Fn(u64) -> Option<u64> + 'a) -> Self {
        Self {
            array: name_key(name),
            rule: Some(Box::new(rule)),
        }
    }
}
