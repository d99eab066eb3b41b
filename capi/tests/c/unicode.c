#include "check.h"

/* One text in each form, "aé", and the same text with a fault before the last character. */
static const char utf8[] = "a\xC3\xA9", bad8[] = "a\xFF\xC3\xA9";
static const simdtext_char16 utf16[] = {'a', 0xE9}, bad16[] = {'a', 0xDC00, 0xE9};
static const simdtext_char32 utf32[] = {'a', 0xE9}, bad32[] = {'a', 0x110000, 0xE9};
static const char utf16le[] = "a\0\xE9\0", bad16le[] = "a\0\0\xDC\xE9\0";
static const char utf16be[] = "\0a\0\xE9", bad16be[] = "\0a\xDC\0\0\xE9";
static const char latin1[] = "a\xE9";

/* Room for any of them. */
static union {
    char bytes[32];
    simdtext_char16 utf16[16];
    simdtext_char32 utf32[8];
} out;

static bool same(const void *expected, size_t len, size_t unit, simdtext_result done) {
    return done.status == SIMDTEXT_STATUS_OK && done.written == len && memcmp(&out, expected, len * unit) == 0;
}

/* Converts one form to all others, by `to_x(source, length, output, room, policy)`. */
#define CONVERT_ALL(form, src, units, bad, bad_units)                                                          \
    do {                                                                                                       \
        const simdtext_malformed stop = SIMDTEXT_MALFORMED_STOP, replace = SIMDTEXT_MALFORMED_REPLACE;         \
        CHECK(same(utf8, 3, 1, simdtext_##form##_to_utf8(src, units, out.bytes, 3, stop)));                    \
        CHECK(same(utf16, 2, 2, simdtext_##form##_to_utf16(src, units, out.utf16, 2, stop)));                  \
        CHECK(same(utf16le, 4, 1, simdtext_##form##_to_utf16le(src, units, out.bytes, 4, stop)));              \
        CHECK(same(utf16be, 4, 1, simdtext_##form##_to_utf16be(src, units, out.bytes, 4, stop)));              \
        CHECK(same(utf32, 2, 4, simdtext_##form##_to_utf32(src, units, out.utf32, 2, stop)));                  \
        CHECK(same(latin1, 2, 1, simdtext_##form##_to_latin1(src, units, out.bytes, 2, stop)));                \
        CHECK(simdtext_##form##_to_utf8(src, units, out.bytes, 2, stop).status == SIMDTEXT_STATUS_OUTPUT_FULL);\
        simdtext_result done = simdtext_##form##_to_utf8(bad, bad_units, out.bytes, 32, stop);                 \
        CHECK(done.status == SIMDTEXT_STATUS_MALFORMED && done.written == 1 && done.errors == 1);              \
        CHECK(done.fault.offset == done.read && done.fault.len > 0 && done.fault.character == 0);              \
        done = simdtext_##form##_to_latin1(bad, bad_units, out.bytes, 32, replace);                            \
        CHECK(same("a?\xE9", 3, 1, done) && done.errors == 1);                                                 \
        done = simdtext_##form##_to_utf8(bad, bad_units, out.bytes, 32, replace);                              \
        CHECK(same("a\xEF\xBF\xBD\xC3\xA9", 6, 1, done) && done.errors == 1 && done.read == (bad_units));      \
        CHECK(simdtext_##form##_to_utf16(bad, bad_units, out.utf16, 16, replace).written == 3);                \
        CHECK(simdtext_##form##_to_utf16le(bad, bad_units, out.bytes, 32, replace).written == 6);              \
        CHECK(simdtext_##form##_to_utf16be(bad, bad_units, out.bytes, 32, replace).written == 6);              \
        CHECK(simdtext_##form##_to_utf32(bad, bad_units, out.utf32, 8, replace).written == 3);                 \
        CHECK(simdtext_validate_##form(src, units) && !simdtext_validate_##form(bad, bad_units));              \
        CHECK(simdtext_validate_##form##_with_errors(src, units).read == (units));                             \
        done = simdtext_validate_##form##_with_errors(bad, bad_units);                                         \
        CHECK(done.status == SIMDTEXT_STATUS_MALFORMED && done.fault.offset == done.read);                     \
    } while (0)

void test_unicode(void) {
    CONVERT_ALL(utf8, utf8, 3, bad8, 4);
    CONVERT_ALL(utf16, utf16, 2, bad16, 3);
    CONVERT_ALL(utf16le, utf16le, 4, bad16le, 6);
    CONVERT_ALL(utf16be, utf16be, 4, bad16be, 6);
    CONVERT_ALL(utf32, utf32, 2, bad32, 3);

    CHECK(same(utf8, 3, 1, simdtext_latin1_to_utf8(latin1, 2, out.bytes, 3)));
    CHECK(same(utf16, 2, 2, simdtext_latin1_to_utf16(latin1, 2, out.utf16, 2)));
    CHECK(same(utf16le, 4, 1, simdtext_latin1_to_utf16le(latin1, 2, out.bytes, 4)));
    CHECK(same(utf16be, 4, 1, simdtext_latin1_to_utf16be(latin1, 2, out.bytes, 4)));
    CHECK(same(utf32, 2, 4, simdtext_latin1_to_utf32(latin1, 2, out.utf32, 2)));

    /* The bytes of faults, if the source is bytes; lengths in units of the source. */
    simdtext_result done = simdtext_utf8_to_utf16("ab\xE6\x97z", 5, out.utf16, 16, SIMDTEXT_MALFORMED_STOP);
    CHECK(done.fault.offset == 2 && done.fault.len == 2 && memcmp(done.fault.bytes, "\xE6\x97\0", 4) == 0);
    CHECK(done.encoding == NULL);
    done = simdtext_utf8_to_latin1("a€", 4, out.bytes, 32, SIMDTEXT_MALFORMED_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_UNMAPPABLE && done.fault.character == 0x20AC && done.fault.len == 3);
    done = simdtext_utf16le_to_latin1("\xAC\x20", 2, out.bytes, 32, SIMDTEXT_MALFORMED_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_UNMAPPABLE && done.fault.character == 0x20AC && done.fault.len == 2);

    /* At any address. */
    char odd[9] = "x\0a\0b\0c\0";
    CHECK(simdtext_utf16be_to_utf8(odd + 1, 6, out.bytes, 32, SIMDTEXT_MALFORMED_STOP).written == 3);

    CHECK(simdtext_validate_ascii("plain", 5) && !simdtext_validate_ascii(utf8, 3));
    done = simdtext_validate_ascii_with_errors(utf8, 3);
    CHECK(done.status == SIMDTEXT_STATUS_MALFORMED && done.read == 1 && done.fault.bytes[0] == 0xC3);

    CHECK(simdtext_utf16_len_from_utf8(utf8, 3) == 2 && simdtext_count_scalars_utf8(utf8, 3) == 2);
    CHECK(simdtext_utf8_len_from_utf16(utf16, 2) == 3 && simdtext_count_scalars_utf16(utf16, 2) == 2);
    CHECK(simdtext_utf8_len_from_utf16le(utf16le, 4) == 3 && simdtext_count_scalars_utf16le(utf16le, 4) == 2);
    CHECK(simdtext_utf8_len_from_utf16be(utf16be, 4) == 3 && simdtext_count_scalars_utf16be(utf16be, 4) == 2);
    /* An odd byte counts as none, and is one U+FFFD. */
    CHECK(simdtext_utf8_len_from_utf16le(utf16le, 3) == 1 && simdtext_count_scalars_utf16le(utf16le, 3) == 1);
    CHECK(simdtext_utf8_len_from_utf16be(utf16be, 3) == 1 && simdtext_count_scalars_utf16be(utf16be, 3) == 1);
    CHECK(simdtext_utf16le_to_utf8(utf16le, 3, out.bytes, 32, SIMDTEXT_MALFORMED_REPLACE).written == 4);
    CHECK(simdtext_utf8_len_from_utf32(utf32, 2) == 3 && simdtext_utf16_len_from_utf32(utf32, 2) == 2);
    CHECK(simdtext_utf8_len_from_latin1(latin1, 2) == 3);
    CHECK(simdtext_count_line_ends_utf8("one\ntwo\r\nthree\rfour", 19) == 3);
    CHECK(simdtext_count_line_ends_utf8(NULL, 0) == 0 && simdtext_count_line_ends_utf8(NULL, 1) == SIZE_MAX);
    CHECK(simdtext_trim_partial_utf8(utf8, 2) == 1 && simdtext_trim_partial_utf16(utf16, 2) == 2);
    CHECK(simdtext_trim_partial_utf16le(utf16le, 3) == 2 && simdtext_trim_partial_utf16be(utf16be, 4) == 4);

    CHECK(simdtext_swap_utf16(utf16, 2, out.utf16, 2).written == 2 && out.utf16[0] == 0x6100);
    CHECK(simdtext_swap_utf16(utf16, 2, out.utf16, 1).status == SIMDTEXT_STATUS_OUTPUT_FULL);
}
