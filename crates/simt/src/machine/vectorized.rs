//! Loops over lanes in the widest vector instructions of the machine that runs them: what is built for every x86-64 may
//! take SSE2 for granted, and most machines have AVX2.

/// Loops over lanes. Only what is inlined into `run` is compiled for AVX2, so that it is `#[inline(always)]`.
pub(crate) trait Loops {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs loops as this machine runs them best.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn vectorized<T: Loops>(loops: T) -> T::Output {
    struct Dispatched<T>(T);

    impl<T: Loops> pulp::NullaryFnOnce for Dispatched<T> {
        type Output = T::Output;

        #[inline(always)]
        fn call(self) -> T::Output {
            self.0.run()
        }
    }

    pulp::Arch::new().dispatch(Dispatched(loops))
}

/// Runs loops: what this is built for is what it runs on.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn vectorized<T: Loops>(loops: T) -> T::Output {
    loops.run()
}
