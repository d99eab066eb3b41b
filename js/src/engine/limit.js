// The length of the longest string that V8 makes on 64-bit machines, in code units. Other engines allow
// longer ones; an engine that allows less throws a RangeError of its own. (../../engine/src/decode.rs has the
// same number.)
export const LONGEST_STRING = 0x1FFF_FFE8;
