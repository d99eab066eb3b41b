// Inputs in which something happens at every byte, for tests of splits and of state that is kept between
// calls.

/** For each label its inputs, in the form that `bytes()` of tools.js reads. */
export const TRICKY = {
  "utf-8": [
    "a C3 A9 E2 82 AC F0 9F 92 A9 z",
    "F0 9F 92 E2 82 C3 a",
    "C0 AF E0 80 AF F4 90 80 80",
    "ED A0 80 ED B0 80",
    "EF BB BF EF BB BF",
    "F8 88 80 80 80",
  ],
  "utf-16le": ["a 00 3D D8 A9 DC z 00", "3D D8 3D D8 A9 DC A9 DC", "FF FE 00 D8", "3D D8 a 00 FE FF 00"],
  "utf-16be": ["00 a D8 3D DC A9 00 z", "D8 3D D8 3D DC A9 DC A9", "FE FF D8 00", "D8 3D 00 a FF FE 00"],
  shift_jis: ["93 FA 96 { B1 80 A0 FD", "81 FD 81 20 81 a 81", "F0 40 F9 FC 85 40 FC 4B"],
  "euc-jp": ["C6 FC 8E B1 8F B0 A1 a", "8F A2 A1 8F A2 a 8F a", "8E E0 8E A0 A1 20 FF A1"],
  "euc-kr": ["B0 A1 81 A 81 a 81 20", "C8 FE FE FE 80 FF C6 52", "A1 [ A1 FF 81"],
  big5: ["A4 A4 88 62 88 64 88 a", "87 40 81 40 F9 FE FF 80", "88 A3 88 A5 FE FE 8E 69"],
  gbk: ["C4 E3 81 0 81 0 A2 E3", "80 FF 81 20 81 0 20", "84 1 95 3 E3 2 9A 5 E3 2 9A 6", "81 0 81 A 81 0"],
  gb18030: [
    "C4 E3 81 0 81 0 A2 E3",
    "80 FF 81 20 81 0 81 20",
    "90 0 81 0 FE 9 FE 9",
    "81 0 FF 0 84 1 A5 0 a",
  ],
  "iso-2022-jp": [
    "a 1B $B F|K\\ 1B (B z",
    "1B (J\\~ 1B (I1 1B $@F|",
    "1B 1B $ 1B ( 1B $B F 1B (B",
    "1B (B 1B (B a 0E 0F 80",
    "1B $B 1B (J 1B $B F|F",
  ],
  "windows-1253": ["a E1 D2 AA FF 80 z"],
  "windows-874": ["A1 DB FC 80 81 a"],
  "koi8-u": ["F0 D2 A4 AE 80"],
  macintosh: ["80 DB FF a"],
  "x-user-defined": ["a 80 FF 7F 00"],
  "iso-8859-16": ["A1 A4 FF 80"],
};
