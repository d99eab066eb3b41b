//! One bridge.
