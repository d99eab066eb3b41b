#include "check.h"

/* A copy whose end AddressSanitizer knows. */
static void *exactly(const void *from, size_t size) {
    void *copy = malloc(size ? size : 1);
    memcpy(copy, from, size);
    return copy;
}

static void decode(const char *label, const char *bytes, size_t len, const char *expected, size_t errors) {
    const simdtext_encoding *encoding = find(label);
    char *src = (char *)exactly(bytes, len);
    size_t wanted = strlen(expected);
    simdtext_result length =
        simdtext_decoded_utf8_len(encoding, src, len, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_REPLACE);
    CHECK(length.status == SIMDTEXT_STATUS_OK && length.written == wanted && length.errors == errors);
    for (size_t room = 0; room <= wanted; room++) {
        char *dst = (char *)malloc(room ? room : 1);
        simdtext_result done = simdtext_decode_to_utf8(encoding, src, len, dst, room, SIMDTEXT_BOM_SNIFF,
                                                       SIMDTEXT_MALFORMED_REPLACE);
        CHECK(done.status == (room == wanted ? SIMDTEXT_STATUS_OK : SIMDTEXT_STATUS_OUTPUT_FULL));
        CHECK(done.written <= room && memcmp(dst, expected, done.written) == 0);
        if (room == wanted) {
            CHECK(done.written == wanted && done.read == len && done.errors == errors);
            CHECK((done.fault.len > 0) == (errors > 0));
        }
        free(dst);
    }

    char *text = NULL;
    simdtext_result done = simdtext_decode_to_new_utf8(encoding, src, len, &text, SIMDTEXT_BOM_SNIFF,
                                                       SIMDTEXT_MALFORMED_REPLACE, NULL);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == wanted && text != NULL);
    CHECK(strcmp(text, expected) == 0);
    free(text);

    /* By way of UTF-16 and back to UTF-8. */
    simdtext_char16 *units = NULL;
    done = simdtext_decode_to_new_utf16(encoding, src, len, &units, SIMDTEXT_BOM_SNIFF,
                                        SIMDTEXT_MALFORMED_REPLACE, NULL);
    CHECK(done.status == SIMDTEXT_STATUS_OK && units != NULL && units[done.written] == 0);
    CHECK(simdtext_decoded_utf16_len(encoding, src, len, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_REPLACE)
              .written == done.written);
    simdtext_char16 *exact = (simdtext_char16 *)malloc(2 * done.written + 1);
    CHECK(simdtext_decode_to_utf16(encoding, src, len, exact, done.written, SIMDTEXT_BOM_SNIFF,
                                   SIMDTEXT_MALFORMED_REPLACE)
              .status == SIMDTEXT_STATUS_OK);
    CHECK(memcmp(exact, units, 2 * done.written) == 0);
    void *back = NULL;
    done = simdtext_encode_new_from_utf16(find("utf-8"), exact, done.written, &back, SIMDTEXT_UNMAPPABLE_STOP,
                                          NULL);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == wanted && memcmp(back, expected, wanted) == 0);
    free(back);
    free(exact);
    free(units);
    free(src);
}

static void encode(const char *label, const char *text, size_t len, simdtext_unmappable unmappable,
                   const char *expected, size_t wanted, size_t errors) {
    const simdtext_encoding *encoding = find(label);
    char *src = (char *)exactly(text, len);
    simdtext_result length = simdtext_encoded_len_from_utf8(encoding, src, len, unmappable);
    CHECK(length.status == SIMDTEXT_STATUS_OK && length.written == wanted && length.errors == errors);
    char *dst = (char *)malloc(wanted + 1);
    simdtext_result done = simdtext_encode_from_utf8(encoding, src, len, dst, wanted, unmappable);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == wanted && done.errors == errors);
    CHECK(memcmp(dst, expected, wanted) == 0 && done.encoding == encoding);
    free(dst);
    void *bytes = NULL;
    done = simdtext_encode_new_from_utf8(encoding, src, len, &bytes, unmappable, NULL);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == wanted && memcmp(bytes, expected, wanted) == 0);
    simdtext_free(bytes, NULL);
    free(src);
}

void test_whole(void) {
    decode("shift_jis", "\x93\xFA\x96{", 4, "日本", 0);
    decode("windows-1251", "\xCF\xF0\xE8\xE2\xE5\xF2", 6, "Привет", 0);
    decode("windows-1251", "\xEF\xBB\xBFПривет", 15, "Привет", 0);
    decode("gbk", "a\xFF\xC4\xE3\xFF\xBA\xC3\x80", 8, "a\xEF\xBF\xBD你\xEF\xBF\xBD好€", 2);
    decode("utf-8", "", 0, "", 0);
    decode("utf-8", "\xF0\x9F\x92", 3, "\xEF\xBF\xBD", 1);
    decode("replacement", "x", 1, "\xEF\xBF\xBD", 1);

    encode("koi8-r", "мир", 6, SIMDTEXT_UNMAPPABLE_STOP, "\xCD\xC9\xD2", 3, 0);
    encode("iso-2022-jp", "日", 3, SIMDTEXT_UNMAPPABLE_STOP, "\x1B$BF|\x1B(B", 8, 0);
    encode("windows-1252", "3 € ≠ 4", 11, SIMDTEXT_UNMAPPABLE_NCR, "3 \x80 &#8800; 4", 13, 1);
    encode("windows-1252", "≠≠≠≠≠≠≠≠", 24, SIMDTEXT_UNMAPPABLE_NCR,
           "&#8800;&#8800;&#8800;&#8800;&#8800;&#8800;&#8800;&#8800;", 56, 8);
    encode("windows-1252", "a\xFF≠", 5, SIMDTEXT_UNMAPPABLE_REPLACE, "a??", 3, 2);
    encode("windows-1252", "a≠b", 5, SIMDTEXT_UNMAPPABLE_SKIP, "ab", 2, 1);
    encode("utf-8", "", 0, SIMDTEXT_UNMAPPABLE_STOP, "", 0, 0);

    char dst[16];
    simdtext_result done = simdtext_decode_to_utf8(find("euc-jp"), "\xC6\xFC\xC6", 3, dst, sizeof dst,
                                                   SIMDTEXT_BOM_KEEP, SIMDTEXT_MALFORMED_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_MALFORMED && done.errors == 1 && done.written == 3);
    CHECK(done.fault.offset == 2 && done.fault.len == 1 && done.fault.bytes[0] == 0xC6);

    done = simdtext_encode_from_utf8(find("gbk"), "a💩", 5, dst, sizeof dst, SIMDTEXT_UNMAPPABLE_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_UNMAPPABLE && done.written == 1);
    CHECK(done.fault.offset == 1 && done.fault.len == 4 && done.fault.character == 0x1F4A9);

    const simdtext_char16 lone[] = {'a', 0xD83D};
    done = simdtext_encode_from_utf16(find("gbk"), lone, 2, dst, sizeof dst, SIMDTEXT_UNMAPPABLE_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_UNMAPPABLE && done.fault.character == 0xFFFD);
    CHECK(done.fault.offset == 1 && done.fault.len == 1);
    done = simdtext_encoded_len_from_utf16(find("utf-8"), lone, 2, SIMDTEXT_UNMAPPABLE_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 4);

    done = simdtext_encode_from_utf8(find("replacement"), "a", 1, dst, sizeof dst, SIMDTEXT_UNMAPPABLE_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_NO_ENCODER);
}
