//! Which bank each lane of a warp reads, down the first column of a tile, without a swizzle and with one.

#![allow(clippy::print_stdout, reason = "an example")]

fn main() {
    for layout in ["(32,32):(32,1)", "Swizzle<5,0,5> o (32,32):(32,1)"] {
        let document = lanescope_layouts::parse(&format!("type f32\n{layout}\nload lanes 32x1"));
        for diagnostic in &document.diagnostics {
            println!("{}", diagnostic.fault);
        }
        for request in &document.requests {
            let banks = request.addresses.iter().map(|byte| byte / 4 % 32);
            println!("{layout}: {:?}", banks.collect::<Vec<u64>>());
        }
    }
}
