//! Kernels.
/// The name of the instruction set in use.
#[must_use]
pub fn active_isa() -> &'static str {
    todo!()
}
