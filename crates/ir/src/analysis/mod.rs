//! Analyses of a kernel, each under its textbook name.
//!
//! All read a [`Kernel`](crate::Kernel) and change nothing but for [`converge`]. None panics on a kernel whose indices
//! are out of range; what is out of range is left out.

mod control_flow;
mod converge;
mod demanded_bits;
mod dominators;
mod issued;
mod liveness;
mod loops;
mod underlying_objects;
mod uniformity;
mod upward_exposed;
mod value;
mod value_numbers;
mod webs;

pub use control_flow::ControlFlow;
pub use converge::{converge, joins};
pub use demanded_bits::DemandedBits;
pub use dominators::{Dominators, PostDominators};
pub use issued::{Issued, issued};
pub use liveness::{Liveness, RegisterSet};
pub use loops::{Loops, NaturalLoop};
pub use underlying_objects::{PointsTo, UnderlyingObject, pointees, underlying_objects};
pub use uniformity::Uniformity;
pub use upward_exposed::UpwardExposed;
pub use value::{Value, mix};
pub use value_numbers::{ValueNumbers, Values};
pub use webs::split_webs;
