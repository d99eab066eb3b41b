//! The tables of kernels: how one is declared, and which one this process uses.

use super::detect;
use super::kernels::{Entries, Kernels};
use super::{none, scalar};

/// Declares a table in the module of an instruction set: its name, the CPU features that its kernels need,
/// the table that it inherits unlisted kernels from, and the kernels.
///
/// ```text
/// kernel_table! {
///     "avx2", requires ["avx2", "popcnt"], inherits sse4::table;
///     ascii_prefix: |src| ascii::ascii_prefix(src),
/// }
/// ```
///
/// This makes
/// - `CANDIDATE`, which selects the table only if the CPU has the features;
/// - `kernels()`, which returns the table, for code that is compiled for these features already;
/// - `NAME` and `ENTRIES`, for the list of tables, and for a table that inherits this one; and
/// - `TABLE`, the table itself, for kernels in the list that need others.
///
/// An entry is a safe function that calls one with `#[target_feature]`. That the features named here are all
/// that the calls need is checked: the calls are compiled a second time in a function that has these
/// features, and no `unsafe`.
#[allow(unused_macros, reason = "only tables with vectors are declared so")]
macro_rules! kernel_table {
    (
        $name:literal, requires [$($feature:tt),+], inherits $($base:ident)::+
        $(, sets [$($flag:ident),+])?;
        $($entry:ident: |$($argument:ident),+| $call:expr,)*
    ) => {
        pub(in crate::simd) const NAME: &str = $name;

        #[allow(unused_unsafe, reason = "some entries are plain Rust with kernels of this table")]
        pub(in crate::simd) const ENTRIES: $crate::simd::kernels::Entries =
            $crate::simd::kernels::Entries {
                // SAFETY: entries are called only by way of a table, which is selected only if the features
                // are available; the function below shows that the calls need no others.
                $($entry: |$($argument),+| unsafe { $call },)*
                $($($flag: true,)+)?
                ..$($base)::+::ENTRIES
            };

        // SAFETY: each kernel keeps the contract, which `simd/tests` checks against the scalar kernels, in
        // guarded memory.
        static TABLE: $crate::simd::Kernels = unsafe {
            $crate::simd::Kernels::new(NAME, ENTRIES)
        };

        // SAFETY: the features are those that the function below has.
        pub(in crate::simd) static CANDIDATE: $crate::simd::tables::Candidate = unsafe {
            $crate::simd::tables::Candidate::new(&TABLE, || {
                true $(&& $crate::simd::detect::has_feature!($feature))+
            })
        };

        /// The kernels of this instruction set, for code that is compiled for it.
        #[inline]
        #[allow(dead_code, reason = "not every instruction set has code that needs its table")]
        $(#[target_feature(enable = $feature)])+
        pub(in crate::simd) fn kernels() -> &'static $crate::simd::Kernels {
            &TABLE
        }

        /// Never called: shows that the entries, including inherited ones, need at most these features.
        #[allow(dead_code, reason = "to be compiled, not to be called")]
        $(#[target_feature(enable = $feature)])+
        fn features_suffice() -> $crate::simd::kernels::Entries {
            let _ = $($base)::+::kernels();
            $crate::simd::kernels::Entries {
                $($entry: |$($argument),+| $call,)*
                $($($flag: true,)+)?
                ..$($base)::+::ENTRIES
            }
        }
    };
}
#[allow(unused_imports, reason = "only tables with vectors are declared so")]
pub(in crate::simd) use kernel_table;

/// A table of kernels that may need features which this machine lacks.
pub(super) struct Candidate {
    kernels: &'static Kernels,
    is_available: fn() -> bool,
}

impl Candidate {
    /// Makes a table that is selected only if `is_available` returns true.
    ///
    /// # Safety
    ///
    /// If it returns true, the machine has all CPU features that the kernels were compiled for.
    pub(super) const unsafe fn new(kernels: &'static Kernels, is_available: fn() -> bool) -> Self {
        Candidate {
            kernels,
            is_available,
        }
    }

    /// Returns the table if this machine can run it.
    fn detect(&self) -> Option<&'static Kernels> {
        (self.is_available)().then_some(self.kernels)
    }
}

/// Declares the lists of tables from the modules that have them, each with the condition under which the target can
/// select it.
macro_rules! tables {
    ($($(#[$condition:meta])? $($module:ident)::+,)+) => {
        /// The entries of all tables of this architecture, by their names, in the order of [`CANDIDATES`].
        pub(super) const ENTRIES_BY_PLACE: &[(&str, Entries)] = &[
            $($(#[$condition])? ($($module)::+::NAME, $($module)::+::ENTRIES),)+
        ];

        /// All tables of this architecture, the worst first.
        static CANDIDATES: &[&Candidate] = &[
            $($(#[$condition])? &$($module)::+::CANDIDATE,)+
        ];
    };
}

// Kernels are compiled because they are in this list. On x86-64 without `std` it has only the tables that the target
// can run: nothing asks the processor for more.
tables! {
    none,
    scalar::table,
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse4.2")))]
    super::x86_64::sse4::table,
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
    super::x86_64::avx2::table,
    #[cfg(all(
        target_arch = "x86_64",
        feature = "avx512",
        any(feature = "std", target_feature = "avx512bw")
    ))]
    super::x86_64::avx512::table,
    #[cfg(all(
        target_arch = "x86_64",
        feature = "avx512",
        any(feature = "std", target_feature = "avx512vbmi2")
    ))]
    super::x86_64::avx512_vbmi2::table,
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    super::aarch64::neon::table,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    super::wasm32::simd128::table,
}

/// Returns the tables that this machine can run, the worst first.
#[cfg(test)]
pub(crate) fn available() -> impl DoubleEndedIterator<Item = &'static Kernels> {
    CANDIDATES.iter().filter_map(|candidate| candidate.detect())
}

/// Returns the best table, or the best that is not above the one named `wanted`. If no table has that name,
/// returns the best.
pub(super) fn select(wanted: Option<&str>) -> &'static Kernels {
    let limit = CANDIDATES
        .iter()
        .position(|candidate| Some(candidate.kernels.name) == wanted);
    let allowed = &CANDIDATES[..limit.map_or(CANDIDATES.len(), |limit| limit + 1)];
    let best = allowed
        .iter()
        .rev()
        .find_map(|candidate| candidate.detect());
    best.unwrap_or(&none::NO_KERNELS)
}

/// Returns the table that this process uses, which is selected at the first call.
#[inline]
pub(crate) fn active() -> &'static Kernels {
    detect::active()
}

/// Returns the name of the instruction set whose kernels this process uses: `avx512_vbmi2`, `avx512`, `avx2`,
/// `sse4`, `neon`, `simd128`, `scalar` or `none`.
///
/// The environment variable `SIMDTEXT_ISA`, which is read once, forces a lower set than the best one that the
/// processor has (feature `std`). `none` leaves everything to the state machines.
///
/// ```
/// let vectors = ["avx512_vbmi2", "avx512", "avx2", "sse4", "neon", "simd128"];
/// let names = [&vectors[..], &["scalar", "none"]].concat();
/// assert!(names.contains(&simdtext::active_isa()));
/// ```
#[must_use]
pub fn active_isa() -> &'static str {
    active().name
}
