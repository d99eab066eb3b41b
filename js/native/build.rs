//! What a Node addon needs of the linker.

fn main() {
    napi_build::setup();
}
