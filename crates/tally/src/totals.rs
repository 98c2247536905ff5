//! The figures of a whole run.

/// The figures of a whole run, by the names that a profiler's totals have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// `smsp__…wavefronts_mem_shared_op_ld`, less those of matrix loads.
    pub shared_load_wavefronts: u64,
    /// `…data_bank_conflicts…op_ld`.
    pub shared_load_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_st`, less those of matrix stores.
    pub shared_store_wavefronts: u64,
    /// `…data_bank_conflicts…op_st`.
    pub shared_store_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_atom`.
    pub shared_atomic_wavefronts: u64,
    /// Wavefronts of `ldmatrix`, which the profiler counts with the loads.
    pub matrix_load_wavefronts: u64,
    /// Wavefronts of `stmatrix`, which the profiler counts with the stores.
    pub matrix_store_wavefronts: u64,
    /// `…wavefronts_mem_shared_op_ldgsts`: asynchronous copies.
    pub async_copy_wavefronts: u64,
    /// Load requests to global memory.
    pub global_load_requests: u64,
    /// Sectors that they touch.
    pub global_load_sectors: u64,
    /// Store requests to global memory.
    pub global_store_requests: u64,
    /// Sectors that they touch.
    pub global_store_sectors: u64,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_red`: atomic operations whose old value nobody wants.
    pub global_reduction_requests: u64,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_red`.
    pub global_reduction_sectors: u64,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_atom`: atomic operations that give the old value back.
    pub global_atomic_requests: u64,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_atom`.
    pub global_atomic_sectors: u64,
}

impl Totals {
    /// Every figure under its public name, which JSON, tables and the measured kernels have in common.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, u64); 16] {
        [
            ("shared_load_wavefronts", self.shared_load_wavefronts),
            (
                "shared_load_bank_conflicts",
                self.shared_load_bank_conflicts,
            ),
            ("shared_store_wavefronts", self.shared_store_wavefronts),
            (
                "shared_store_bank_conflicts",
                self.shared_store_bank_conflicts,
            ),
            ("shared_atomic_wavefronts", self.shared_atomic_wavefronts),
            ("matrix_load_wavefronts", self.matrix_load_wavefronts),
            ("matrix_store_wavefronts", self.matrix_store_wavefronts),
            ("async_copy_wavefronts", self.async_copy_wavefronts),
            ("global_load_requests", self.global_load_requests),
            ("global_load_sectors", self.global_load_sectors),
            ("global_store_requests", self.global_store_requests),
            ("global_store_sectors", self.global_store_sectors),
            ("global_reduction_requests", self.global_reduction_requests),
            ("global_reduction_sectors", self.global_reduction_sectors),
            ("global_atomic_requests", self.global_atomic_requests),
            ("global_atomic_sectors", self.global_atomic_sectors),
        ]
    }
}
