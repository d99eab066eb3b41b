#include "check.h"

static uint64_t text_offset(const simdtext_offset_map *map, const char *source, size_t len, uint64_t offset) {
    return simdtext_offset_map_text_offset(map, source, len, offset);
}

/* The bytes of the source for a part of the text, as a start and an end in one number; -1 if it is refused. */
static long source_range(const simdtext_offset_map *map, const char *source, size_t len, uint64_t start, uint64_t end) {
    simdtext_range range = {99, 99};
    const simdtext_status status = simdtext_offset_map_source_range(map, source, len, start, end, &range);
    if (status != SIMDTEXT_STATUS_OK) {
        CHECK(status == SIMDTEXT_STATUS_INVALID_ARGUMENT && range.start == 99 && range.end == 99);
        return -1;
    }
    return (long)(range.start * 1000 + range.end);
}

static void documents(void) {
    /* A byte order mark is not text; something malformed is one character. */
    static const char marked[] = "\xEF\xBB\xBF" "a\xC3\xA9\xFF!";
    const size_t len = sizeof marked - 1;
    char text[64];
    simdtext_offset_map *map = simdtext_offset_map_new(find("gbk"), SIMDTEXT_BOM_SNIFF, 0);
    CHECK(simdtext_offset_map_encoding(map) == find("gbk"));
    /* In pieces of a byte. */
    size_t written = 0, errors = 0;
    for (size_t i = 0; i < len; i++) {
        const simdtext_result done =
            simdtext_offset_map_decode_to_utf8(map, marked + i, 1, text + written, sizeof text - written, i + 1 == len);
        CHECK(done.status == SIMDTEXT_STATUS_OK && done.read == 1);
        written += done.written;
        errors += done.errors;
    }
    CHECK(written == 7 && memcmp(text, "aé\xEF\xBF\xBD!", 7) == 0 && errors == 1);
    CHECK(simdtext_offset_map_encoding(map) == find("utf-8"));
    CHECK(source_range(map, marked, len, 0, 1) == 3004 && source_range(map, marked, len, 1, 3) == 4006);
    CHECK(source_range(map, marked, len, 2, 4) == 4007 && source_range(map, marked, len, 3, 6) == 6007);
    CHECK(source_range(map, marked, len, 7, 7) == 8008 && source_range(map, marked, len, 0, 7) == 3008);
    CHECK(source_range(map, marked, len, 0, 8) == -1 && source_range(map, marked, len, 3, 2) == -1);
    CHECK(source_range(map, marked, len - 1, 0, 1) == -1 && source_range(map, marked, len, 8, 8) == -1);
    CHECK(text_offset(map, marked, len, 0) == 0 && text_offset(map, marked, len, 5) == 1);
    CHECK(text_offset(map, marked, len, 6) == 3 && text_offset(map, marked, len, 8) == 7);
    CHECK(text_offset(map, marked, len, 9) == UINT64_MAX && text_offset(map, marked, len - 1, 0) == UINT64_MAX);

    /* The next call begins another document, in the encoding for which the map was made. */
    simdtext_result done = simdtext_offset_map_decode_to_utf8(map, "\xC4\xE3", 2, text, sizeof text, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 3 && memcmp(text, "你", 3) == 0);
    CHECK(source_range(map, "\xC4\xE3", 2, 0, 3) == 2 && text_offset(map, "\xC4\xE3", 2, 2) == 3);

    /* Escape sequences are not in the range of a character. */
    static const char escapes[] = "a\x1B$BF|\x1B(Bb";
    CHECK(simdtext_offset_map_reset_to(map, find("iso-2022-jp"), SIMDTEXT_BOM_KEEP) == SIMDTEXT_STATUS_OK);
    CHECK(text_offset(map, escapes, sizeof escapes - 1, 1) == UINT64_MAX);
    done = simdtext_offset_map_decode_to_utf8(map, escapes, sizeof escapes - 1, text, sizeof text, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 5 && done.encoding == find("iso-2022-jp"));
    CHECK(source_range(map, escapes, sizeof escapes - 1, 1, 4) == 4006);
    CHECK(text_offset(map, escapes, sizeof escapes - 1, 2) == 1 && text_offset(map, escapes, sizeof escapes - 1, 7) == 4);
    simdtext_offset_map_free(map);
}

/* With many places, and outputs of all sizes. */
static void long_documents(void) {
    enum { LEN = 3000 };
    char *source = malloc(LEN), *text = malloc(3 * LEN);
    for (size_t i = 0; i < LEN; i += 3) {
        memcpy(source + i, "\xC4\xE3z", 3);
    }
    simdtext_offset_map *map = simdtext_offset_map_new(find("gbk"), SIMDTEXT_BOM_KEEP, 1);
    for (size_t room = 4; room < 200; room++) {
        size_t read = 0, written = 0;
        simdtext_result done;
        do {
            done = simdtext_offset_map_decode_to_utf8(map, source + read, LEN - read, text + written, room, true);
            read += done.read;
            written += done.written;
        } while (done.status == SIMDTEXT_STATUS_OUTPUT_FULL);
        CHECK(done.status == SIMDTEXT_STATUS_OK && read == LEN && written == LEN / 3 * 4);
        for (uint64_t i = 0; i < LEN / 3; i += 7) {
            simdtext_range range;
            CHECK(simdtext_offset_map_source_range(map, source, LEN, 4 * i, 4 * i + 3, &range) == SIMDTEXT_STATUS_OK);
            CHECK(range.start == 3 * i && range.end == 3 * i + 2);
            CHECK(text_offset(map, source, LEN, 3 * i + 1) == 4 * i && text_offset(map, source, LEN, 3 * i + 2) == 4 * i + 3);
        }
    }
    simdtext_offset_map_free(map);
    free(source);
    free(text);
}

/* Stored, cut short, altered, and loaded again. */
static void stored(void) {
    const char source[] = "\xC4\xE3z\xC4\xE3z\xC4\xE3z\xC4\xE3z\xC4\xE3z\xC4\xE3z";
    const size_t source_len = sizeof source - 1;
    char text[64];
    void *bytes = NULL;
    size_t len = 0;
    simdtext_range range;
    simdtext_offset_map *map = simdtext_offset_map_new(find("gbk"), SIMDTEXT_BOM_KEEP, 16), *loaded = NULL;
    CHECK(simdtext_offset_map_decode_to_utf8(map, source, source_len, text, sizeof text, true).written == 24);
    CHECK(simdtext_offset_map_to_new_bytes(map, &bytes, &len, NULL) == SIMDTEXT_STATUS_OK && len > 16);
    CHECK(simdtext_offset_map_from_bytes(bytes, len, &loaded) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_offset_map_encoding(loaded) == find("gbk"));
    CHECK(simdtext_offset_map_source_range(loaded, source, source_len, 20, 23, &range) == SIMDTEXT_STATUS_OK);
    CHECK(range.start == 15 && range.end == 17);
    CHECK(text_offset(loaded, source, source_len, 17) == 23);
    /* Another document. */
    CHECK(simdtext_offset_map_decode_to_utf8(loaded, source, 3, text, sizeof text, true).written == 4);
    CHECK(text_offset(loaded, source, 3, 3) == 4 && text_offset(loaded, source, source_len, 4) == UINT64_MAX);
    simdtext_offset_map_free(loaded);

    for (size_t cut = 0; cut < len; cut++) {
        loaded = map;
        CHECK(simdtext_offset_map_from_bytes(bytes, cut, &loaded) == SIMDTEXT_STATUS_CORRUPT && loaded == NULL);
    }
    ((unsigned char *)bytes)[16] = 200;
    CHECK(simdtext_offset_map_from_bytes(bytes, len, &loaded) == SIMDTEXT_STATUS_VERSION && loaded == NULL);
    CHECK(simdtext_offset_map_from_bytes(NULL, 0, &loaded) == SIMDTEXT_STATUS_CORRUPT);
    CHECK(simdtext_offset_map_from_bytes(NULL, 1, &loaded) == SIMDTEXT_STATUS_INVALID_ARGUMENT && loaded == NULL);
    CHECK(simdtext_offset_map_from_bytes(bytes, len, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_offset_map_to_new_bytes(NULL, &bytes, &len, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_offset_map_to_new_bytes(map, NULL, &len, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_offset_map_to_new_bytes(map, &bytes, NULL, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    simdtext_free(bytes, NULL);
    simdtext_offset_map_free(map);
}

static void refused(void) {
    const simdtext_status invalid = SIMDTEXT_STATUS_INVALID_ARGUMENT;
    char text[8];
    simdtext_range range;
    simdtext_offset_map *map = simdtext_offset_map_new(find("gbk"), SIMDTEXT_BOM_KEEP, 16);
    CHECK(simdtext_offset_map_new(NULL, SIMDTEXT_BOM_KEEP, 0) == NULL);
    CHECK(simdtext_offset_map_new(find("gbk"), (simdtext_bom)3, 0) == NULL);
    CHECK(simdtext_offset_map_decode_to_utf8(NULL, "a", 1, text, 8, true).status == invalid);
    CHECK(simdtext_offset_map_decode_to_utf8(map, NULL, 1, text, 8, true).status == invalid);
    CHECK(simdtext_offset_map_decode_to_utf8(map, text, 1, text, 8, true).status == SIMDTEXT_STATUS_OVERLAP);
    CHECK(simdtext_offset_map_source_range(map, "", 0, 0, 0, NULL) == invalid);
    CHECK(simdtext_offset_map_source_range(NULL, "", 0, 0, 0, &range) == invalid);
    CHECK(simdtext_offset_map_source_range(map, NULL, 1, 0, 0, &range) == invalid);
    CHECK(simdtext_offset_map_source_range(map, NULL, 0, 0, 0, &range) == SIMDTEXT_STATUS_OK && range.end == 0);
    CHECK(simdtext_offset_map_text_offset(NULL, "", 0, 0) == UINT64_MAX);
    CHECK(simdtext_offset_map_text_offset(map, NULL, 1, 0) == UINT64_MAX);
    CHECK(simdtext_offset_map_text_offset(map, NULL, 0, 0) == 0);
    CHECK(simdtext_offset_map_encoding(NULL) == NULL);
    CHECK(simdtext_offset_map_reset_to(NULL, find("gbk"), SIMDTEXT_BOM_KEEP) == invalid);
    CHECK(simdtext_offset_map_reset_to(map, NULL, SIMDTEXT_BOM_KEEP) == invalid);
    CHECK(simdtext_offset_map_reset_to(map, find("gbk"), (simdtext_bom)3) == invalid);
    simdtext_offset_map_free(map);
    simdtext_offset_map_free(NULL);
}

void test_offsets(void) {
    documents();
    long_documents();
    stored();
    refused();
}
