//! What a page without a link shows: the column of a tile.

/// The declarations.
pub const DECLARATIONS: &str = "__shared__ float tile[32][32];";
/// The access.
pub const ACCESSES: &str = "tile[threadIdx.x][threadIdx.y]";
/// The block's threads.
pub const BLOCK: [u32; 3] = [32, 32, 1];
