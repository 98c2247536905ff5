//! What other crates' sums and the lab's reach on this machine's GPU, all timed alike by the wall's clock:
//! the slope between N and 2N runs, N doubled until they take 20 ms, the median of 15; arrays
//! smaller than four times the cache in turn. One line a measurement.

mod cubek;
mod element;
mod lab;
mod lampshade;
mod peer;

use anyhow::Result;
use element::Element;
use peer::{Peer, measure};

fn main() -> Result<()> {
    let lengths: Vec<u32> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let lengths = if lengths.is_empty() {
        vec![1 << 28, 1 << 24]
    } else {
        lengths
    };
    for length in lengths {
        for element in [Element::F32, Element::U32] {
            for kernel in lab::KERNELS {
                tell(|| lab::Sum::new(length, kernel, element), length);
            }
            for cubes in cubek::CUBES {
                tell(|| cubek::Sum::new(length, cubes, element), length);
            }
        }
        tell(|| lampshade::Sum::new(length), length);
    }
    Ok(())
}

/// Measures one peer; says why where it cannot be.
fn tell<P: Peer>(make: impl FnOnce() -> Result<P>, length: u32) {
    let told = make().and_then(|mut peer| measure(&mut peer, length));
    if let Err(error) = told {
        println!("not measured: {error:#}");
    }
}
