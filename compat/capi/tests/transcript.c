/* Calls every function that the headers of encoding_c and encoding_c_mem declare, and prints the results. It
 * must print the same whether it is linked with encoding_c or with this library: ../../../.ci/encoding_c
 * compares.
 *
 * What may differ between the two is not printed:
 *
 * - How much one call writes into an output that is nearly full, and what follows after what it has written.
 *   So outputs are either as long as the library requests, and each call is printed, or they are short, and
 *   only what all calls together write is printed.
 * - The room that is requested in ISO-2022-JP, which is larger by a character here.
 * - How much ASCII at the end counts as compatible with Latin-1 in single-byte encodings: all of it here.
 */
#include <stdio.h>
#include <string.h>
#include <uchar.h>

#include "encoding_rs.h"
#include "encoding_rs_mem.h"

enum { INPUT = 160, ROOM = 4096, ROUNDS = 60 };

static uint64_t state = 88172645463325252u;

/* A number below `end`, by xorshift. */
static size_t below(size_t end) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)(state % end);
}

static void print_bytes(const char* what, const uint8_t* bytes, size_t len) {
  size_t i;
  printf("  %s %zu ", what, len);
  for (i = 0; i < len; i++) {
    printf("%02X", bytes[i]);
  }
  putchar('\n');
}

static void print_units(const char* what, const char16_t* units, size_t len) {
  size_t i;
  printf("  %s %zu ", what, len);
  for (i = 0; i < len; i++) {
    printf("%04X", (unsigned)units[i]);
  }
  putchar('\n');
}

static void print_name(const Encoding* encoding) {
  uint8_t name[ENCODING_NAME_MAX_LENGTH];
  if (encoding == NULL) {
    printf("none");
    return;
  }
  printf("%.*s", (int)encoding_name(encoding, name), (const char*)name);
}

/* Bytes that are mostly legacy text; some are malformed, and some are a byte order mark or an escape
 * sequence. */
static size_t fill_bytes(uint8_t* bytes) {
  static const char* const starts[] = {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\x1B$B", "\x1B(J", "\x84\x31\x95\x33"};
  size_t len = 0, end = below(INPUT - 8);
  if (below(3) == 0) {
    const char* start = starts[below(6)];
    len = strlen(start);
    memcpy(bytes, start, len);
  }
  while (len < end) {
    switch (below(6)) {
      case 0:
        bytes[len++] = (uint8_t)below(0x80);
        break;
      case 1:
        bytes[len++] = (uint8_t)below(0x100);
        break;
      case 2:
        bytes[len++] = (uint8_t)(0x81 + below(0x7E));
        bytes[len++] = (uint8_t)(0x30 + below(0xCF));
        break;
      default:
        bytes[len++] = (uint8_t)(0xA1 + below(0x5E));
        bytes[len++] = (uint8_t)(0xA1 + below(0x5E));
    }
  }
  return len;
}

/* Code units from many scripts, some of them lone surrogates. */
static size_t fill_units(char16_t* units) {
  static const char16_t blocks[] = {0x20, 0x40, 0xA0, 0x400, 0x5D0, 0x3040, 0x4E00, 0xAC00, 0xFF61, 0xE780};
  size_t len = 0, end = below(INPUT - 2);
  while (len < end) {
    size_t kind = below(24);
    if (kind == 0) {
      units[len++] = (char16_t)(0xD800 + below(0x800));
    } else if (kind == 1) {
      units[len++] = (char16_t)(0xD800 + below(0x400));
      units[len++] = (char16_t)(0xDC00 + below(0x400));
    } else {
      units[len++] = (char16_t)(blocks[kind % 10] + below(0x5F));
    }
  }
  return len;
}

/* --- one encoding --- */

static Decoder* new_decoder(const Encoding* encoding, size_t kind) {
  Decoder* decoder;
  switch (kind) {
    case 0:
      return encoding_new_decoder(encoding);
    case 1:
      return encoding_new_decoder_with_bom_removal(encoding);
    case 2:
      return encoding_new_decoder_without_bom_handling(encoding);
    default:
      decoder = encoding_new_decoder(UTF_8_ENCODING);
      if (kind == 3) {
        encoding_new_decoder_into(encoding, decoder);
      } else if (kind == 4) {
        encoding_new_decoder_with_bom_removal_into(encoding, decoder);
      } else {
        encoding_new_decoder_without_bom_handling_into(encoding, decoder);
      }
      return decoder;
  }
}

static void print_room(const Encoding* encoding, size_t room) {
  if (encoding != ISO_2022_JP_ENCODING) {
    printf("  room %zu\n", room);
  }
}

/* Decodes in two pieces, with as much room as the decoder requests. */
static void decode_calls(const Encoding* encoding, const uint8_t* bytes, size_t len, size_t kind) {
  uint8_t text[ROOM];
  char16_t units[ROOM];
  size_t cut = below(len + 1), piece;
  bool strict, wide;
  for (int way = 0; way < 4; way++) {
    Decoder* decoder = new_decoder(encoding, kind);
    strict = way & 1;
    wide = way & 2;
    for (piece = 0; piece < 2; piece++) {
      const uint8_t* src = piece ? bytes + cut : bytes;
      size_t left = piece ? len - cut : cut;
      uint32_t result;
      do {
        size_t read = left, written;
        bool replaced = false;
        if (wide) {
          written = decoder_max_utf16_buffer_length(decoder, left);
          print_room(encoding, written);
          result = strict ? decoder_decode_to_utf16_without_replacement(decoder, src, &read, units, &written, piece)
                          : decoder_decode_to_utf16(decoder, src, &read, units, &written, piece, &replaced);
          print_units("units", units, written);
        } else {
          written = strict ? decoder_max_utf8_buffer_length_without_replacement(decoder, left)
                           : decoder_max_utf8_buffer_length(decoder, left);
          print_room(encoding, written);
          result = strict ? decoder_decode_to_utf8_without_replacement(decoder, src, &read, text, &written, piece)
                          : decoder_decode_to_utf8(decoder, src, &read, text, &written, piece, &replaced);
          print_bytes("text", text, written);
        }
        printf("  result %08X read %zu replaced %d ", (unsigned)result, read, replaced);
        print_name(decoder_encoding(decoder));
        putchar('\n');
        src += read;
        left -= read;
      } while (result != INPUT_EMPTY);
    }
    decoder_free(decoder);
  }
}

/* Decodes into short outputs. */
static void decode_short(const Encoding* encoding, const uint8_t* bytes, size_t len) {
  char16_t units[ROOM];
  size_t total = 0, at = 0, room = 8 + below(40);
  bool replaced_any = false;
  uint32_t result;
  Decoder* decoder = encoding_new_decoder(encoding);
  do {
    size_t read = len - at, written = room;
    bool replaced;
    result = decoder_decode_to_utf16(decoder, bytes + at, &read, units + total, &written, true, &replaced);
    replaced_any |= replaced;
    at += read;
    total += written;
  } while (result != INPUT_EMPTY);
  print_units("in short outputs", units, total);
  printf("  replaced %d\n", replaced_any);
  decoder_free(decoder);
}

/* Encodes UTF-8 or UTF-16 with as much room as the encoder requests, with and without replacement. */
static void encode_calls(const Encoding* encoding, const uint8_t* text, size_t text_len, const char16_t* units,
                         size_t units_len) {
  uint8_t bytes[ROOM];
  for (int way = 0; way < 4; way++) {
    Encoder* encoder = encoding_new_encoder(encoding);
    bool strict = way & 1, wide = way & 2;
    size_t len = wide ? units_len : text_len, at = 0;
    uint32_t result;
    if (way == 3) {
      encoding_new_encoder_into(encoding, encoder);
    }
    print_name(encoder_encoding(encoder));
    printf(" room %zu %zu %zu %zu\n", encoder_max_buffer_length_from_utf8_if_no_unmappables(encoder, len),
           encoder_max_buffer_length_from_utf8_without_replacement(encoder, len),
           encoder_max_buffer_length_from_utf16_if_no_unmappables(encoder, len),
           encoder_max_buffer_length_from_utf16_without_replacement(encoder, len));
    do {
      size_t read = len - at, written = ROOM;
      bool replaced = false;
      if (wide) {
        result = strict ? encoder_encode_from_utf16_without_replacement(encoder, units + at, &read, bytes, &written, true)
                        : encoder_encode_from_utf16(encoder, units + at, &read, bytes, &written, true, &replaced);
      } else {
        result = strict ? encoder_encode_from_utf8_without_replacement(encoder, text + at, &read, bytes, &written, true)
                        : encoder_encode_from_utf8(encoder, text + at, &read, bytes, &written, true, &replaced);
      }
      print_bytes("bytes", bytes, written);
      printf("  result %08X read %zu replaced %d pending %d\n", (unsigned)result, read, replaced,
             encoder_has_pending_state(encoder));
      at += read;
    } while (result != INPUT_EMPTY);
    encoder_free(encoder);
  }
}

static void one_encoding(const char* symbol, const Encoding* encoding) {
  uint8_t bytes[INPUT], text[3 * INPUT];
  char16_t units[INPUT];
  size_t round, i;
  Decoder* decoder;
  printf("%s ", symbol);
  print_name(encoding);
  printf(" everything %d ascii %d single %d output ", encoding_can_encode_everything(encoding),
         encoding_is_ascii_compatible(encoding), encoding_is_single_byte(encoding));
  print_name(encoding_output_encoding(encoding));
  putchar('\n');

  decoder = encoding_new_decoder_without_bom_handling(encoding);
  for (i = encoding_is_single_byte(encoding) ? 0x80 : 0; i < 256; i++) {
    bytes[0] = 'a';
    bytes[1] = (uint8_t)i;
    printf(" %zu", decoder_latin1_byte_compatible_up_to(decoder, bytes, 2));
  }
  printf("\n too long: %zu %zu\n", decoder_max_utf8_buffer_length(decoder, SIZE_MAX / 2),
         decoder_max_utf16_buffer_length(decoder, SIZE_MAX));
  decoder_free(decoder);

  for (round = 0; round < ROUNDS; round++) {
    size_t len = fill_bytes(bytes), text_len, units_len;
    print_bytes("input", bytes, len);
    decode_calls(encoding, bytes, len, round % 6);
    decode_short(encoding, bytes, len);
    units_len = fill_units(units);
    print_units("input", units, units_len);
    text_len = encoding_mem_convert_utf16_to_utf8(units, units_len, (char*)text, 3 * units_len);
    encode_calls(encoding, text, text_len, units, units_len);
  }
}

/* --- what belongs to no encoding --- */

static void labels(void) {
  static const char* const all[] = {"utf-8",        " UTF8\n",   "latin1",   "windows-31j", "hz-gb-2312", "iso-2022-kr",
                                    "x-user-defined", "koi8",    "gb2312",   "unicode",     "",           "utf-7",
                                    "big5-hkscs",   "replacement", "iso-8859-8-i", "a label that is longer than any of them"};
  static const char* const marks[] = {"\xEF\xBB\xBFx", "\xFF\xFE", "\xFE\xFF", "\xEF\xBB", "x", ""};
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    size_t len = strlen(all[i]);
    printf("label %s: ", all[i]);
    print_name(encoding_for_label((const uint8_t*)all[i], len));
    putchar(' ');
    print_name(encoding_for_label_no_replacement((const uint8_t*)all[i], len));
    putchar('\n');
  }
  for (i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t len = strlen(marks[i]);
    print_name(encoding_for_bom((const uint8_t*)marks[i], &len));
    printf(" %zu\n", len);
  }
}

static void mem_of_units(const char16_t* units, size_t len) {
  char text[3 * INPUT];
  uint8_t bytes[INPUT];
  char16_t copy[INPUT];
  size_t read = len, written = 1 + below(3 * INPUT - 1), i;
  bool is_latin1 = encoding_mem_is_utf16_latin1(units, len);
  printf(" %d %d %d %d %zu\n", encoding_mem_is_basic_latin(units, len), is_latin1, encoding_mem_is_utf16_bidi(units, len),
         (int)encoding_mem_check_utf16_for_latin1_and_bidi(units, len), encoding_mem_utf16_valid_up_to(units, len));
  encoding_mem_convert_utf16_to_utf8_partial(units, &read, text, &written);
  printf("  partial %zu\n", read);
  print_bytes("utf-8", (const uint8_t*)text, written);
  written = encoding_mem_convert_utf16_to_utf8(units, len, text, 3 * len);
  print_bytes("utf-8", (const uint8_t*)text, written);
  if (written > 0) {
    printf(" %d %d %d %zu\n", encoding_mem_is_str_latin1(text, written), encoding_mem_is_str_bidi(text, written),
           (int)encoding_mem_check_str_for_latin1_and_bidi(text, written),
           encoding_mem_str_latin1_up_to(text, written));
    if (written <= INPUT) {
      print_units("utf-16", copy, encoding_mem_convert_str_to_utf16(text, written, copy, INPUT));
    }
  }
  memcpy(copy, units, len * sizeof *units);
  encoding_mem_ensure_utf16_validity(copy, len);
  print_units("valid", copy, len);
  print_bytes("ascii", bytes, encoding_mem_copy_basic_latin_to_ascii(units, len, (char*)bytes, INPUT));
  if (is_latin1) {
    encoding_mem_convert_utf16_to_latin1_lossy(units, len, (char*)bytes, INPUT);
    print_bytes("latin-1", bytes, len);
  }
  for (i = 0; i < len; i++) {
    printf(" %d%d", encoding_mem_is_utf16_code_unit_bidi(units[i]),
           units[i] / 0x800 == 0x1B ? 2 : encoding_mem_is_char_bidi(units[i]));
  }
  putchar('\n');
}

static void mem_of_bytes(const char* bytes, size_t len) {
  char text[2 * INPUT], back[2 * INPUT];
  char16_t units[INPUT + 1];
  size_t read = len, written = 1 + below(2 * INPUT - 1);
  bool is_latin1 = encoding_mem_is_utf8_latin1(bytes, len);
  printf(" %d %d %d %d %zu\n", encoding_mem_is_ascii(bytes, len), is_latin1, encoding_mem_is_utf8_bidi(bytes, len),
         (int)encoding_mem_check_utf8_for_latin1_and_bidi(bytes, len), encoding_mem_utf8_latin1_up_to(bytes, len));
  printf(" %zu %zu %zu\n", encoding_utf8_valid_up_to((const uint8_t*)bytes, len),
         encoding_ascii_valid_up_to((const uint8_t*)bytes, len),
         encoding_iso_2022_jp_ascii_valid_up_to((const uint8_t*)bytes, len));
  print_units("utf-16", units, encoding_mem_convert_utf8_to_utf16(bytes, len, units, len + 1));
  written = encoding_mem_convert_utf8_to_utf16_without_replacement(bytes, len, units, len);
  printf("  %zu\n", written);
  encoding_mem_convert_latin1_to_utf16(bytes, len, units, len);
  print_units("latin-1", units, len);
  written = 1 + below(2 * INPUT - 1);
  encoding_mem_convert_latin1_to_utf8_partial(bytes, &read, text, &written);
  printf("  partial %zu\n", read);
  print_bytes("utf-8", (const uint8_t*)text, written);
  written = encoding_mem_convert_latin1_to_utf8(bytes, len, text, 2 * len);
  print_bytes("utf-8", (const uint8_t*)text, written);
  written = encoding_mem_convert_utf8_to_latin1_lossy(text, written, back, sizeof back);
  print_bytes("latin-1", (const uint8_t*)back, written);
  print_bytes("ascii", (const uint8_t*)text, encoding_mem_copy_ascii_to_ascii(bytes, len, text, len));
  print_units("ascii", units, encoding_mem_copy_ascii_to_basic_latin(bytes, len, units, len));
}

int main(void) {
  char16_t units[INPUT];
  uint8_t bytes[INPUT];
  size_t round, i, len;
#define ENCODING(name) one_encoding(#name, name##_ENCODING);
#include "encodings.inc"
  labels();
  for (round = 0; round < 400; round++) {
    len = fill_units(units);
    if (round % 4 == 0) {
      for (i = 0; i < len; i++) {
        units[i] &= round % 8 ? 0xFF : 0x7F;
      }
    }
    mem_of_units(units, len);
    len = fill_bytes(bytes);
    if (round % 4 == 0) {
      for (i = 0; i < len; i++) {
        bytes[i] &= 0x7F;
      }
    }
    mem_of_bytes((const char*)bytes, len);
  }
  return 0;
}
