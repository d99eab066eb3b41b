#include "check.h"

static void first_valid(void) {
    const simdtext_encoding *list[] = {find("euc-jp"), find("shift_jis"), find("shift_jis"), find("windows-1252"),
                                       find("gbk")};
    CHECK(simdtext_first_valid_decide(list, 5, "a", 1) == find("utf-8"));
    CHECK(simdtext_first_valid_decide(list, 5, "\x93\xFA\x96{", 4) == find("shift_jis"));
    CHECK(simdtext_first_valid_decide(list, 5, "\xFF", 1) == find("windows-1252"));
    CHECK(simdtext_first_valid_decide(list, 2, "\xFF", 1) == NULL);
    CHECK(simdtext_first_valid_decide(NULL, 0, "\xC3\xA9", 2) == find("utf-8"));
    CHECK(simdtext_first_valid_decide(NULL, 0, NULL, 0) == find("utf-8"));

    simdtext_fault fault;
    simdtext_first_valid *stream = simdtext_first_valid_new(list, 5, NULL);
    CHECK(simdtext_first_valid_feed(stream, "ab\x93", 3) == SIMDTEXT_STATUS_OK);
    CHECK(!simdtext_first_valid_is_decided(stream));
    CHECK(simdtext_first_valid_feed(stream, "\xFA\x96", 2) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_first_valid_tried(stream, 0, &fault) == find("utf-8") && fault.offset == 2 && fault.len == 1);
    CHECK(fault.bytes[0] == 0x93);
    CHECK(simdtext_first_valid_tried(stream, 2, &fault) == find("shift_jis") && fault.len == 0);
    CHECK(simdtext_first_valid_tried(stream, 3, NULL) == find("windows-1252"));
    CHECK(simdtext_first_valid_tried(stream, 4, &fault) == NULL && fault.len == 0);
    /* The last character is incomplete. */
    CHECK(simdtext_first_valid_finish(stream) == find("windows-1252") && simdtext_first_valid_is_decided(stream));
    CHECK(simdtext_first_valid_finish(stream) == find("windows-1252"));
    CHECK(simdtext_first_valid_feed(stream, "a", 1) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    simdtext_first_valid_free(stream);

    const simdtext_encoding *with_null[] = {find("gbk"), NULL};
    CHECK(simdtext_first_valid_new(with_null, 2, NULL) == NULL && simdtext_first_valid_new(NULL, 1, NULL) == NULL);
    CHECK(simdtext_first_valid_decide(with_null, 2, "a", 1) == NULL);
    CHECK(simdtext_first_valid_decide(NULL, 1, "a", 1) == NULL && simdtext_first_valid_decide(list, 5, NULL, 1) == NULL);
    CHECK(simdtext_first_valid_decide(list, SIZE_MAX, "a", 1) == NULL);
    CHECK(simdtext_first_valid_feed(NULL, "a", 1) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_first_valid_finish(NULL) == NULL && simdtext_first_valid_tried(NULL, 0, &fault) == NULL);
    CHECK(!simdtext_first_valid_is_decided(NULL));
    simdtext_first_valid_free(NULL);

    /* All encodings, each several times. */
    const simdtext_encoding *all[200];
    for (size_t i = 0; i < 200; i++) {
        all[i] = simdtext_encoding_at(i % simdtext_encoding_count());
    }
    CHECK(simdtext_first_valid_decide(all, 200, "\x93\xFA\x96{", 4) == find("ibm866"));
}

struct seen {
    simdtext_segment segments[8];
    size_t count, most;
};

static bool on_segment(void *context, const simdtext_segment *segment) {
    struct seen *seen = context;
    seen->segments[seen->count++] = *segment;
    return seen->count < seen->most;
}

static void segments(void) {
    static const char log[] = "start\ncaf\xC3\xA9\ndone\ncaf\xE9\n\x93\xFA\x96{\n\x1B$BF|\x1B(B\n";
    const simdtext_encoding *list[] = {find("shift_jis"), find("utf-16le")}, *latin1 = find("latin1");
    struct seen seen = {.count = 0, .most = 8};
    CHECK(simdtext_segments(log, sizeof log - 1, list, 2, latin1, true, on_segment, &seen) == SIMDTEXT_STATUS_OK);
    CHECK(seen.count == 4);
    const simdtext_segment *at = seen.segments;
    CHECK(at[0].start == 0 && at[0].end == 17 && at[0].encoding == find("utf-8"));
    CHECK(at[0].reason == SIMDTEXT_SEGMENT_UTF8);
    CHECK(at[1].start == 17 && at[1].end == 22 && at[1].encoding == latin1);
    CHECK(at[1].reason == SIMDTEXT_SEGMENT_OTHERWISE);
    CHECK(at[2].start == 22 && at[2].end == 27 && at[2].encoding == find("shift_jis"));
    CHECK(at[2].reason == SIMDTEXT_SEGMENT_FIRST_OF_LIST);
    CHECK(at[3].start == 27 && at[3].end == 36 && at[3].encoding == find("iso-2022-jp"));
    CHECK(at[3].reason == SIMDTEXT_SEGMENT_ESCAPES);

    /* It ends when the function says so. */
    seen.count = 0;
    seen.most = 1;
    CHECK(simdtext_segments(log, sizeof log - 1, list, 1, latin1, true, on_segment, &seen) == SIMDTEXT_STATUS_OK);
    CHECK(seen.count == 1);
    seen.count = 0;
    CHECK(simdtext_segments("a", 1, NULL, 0, latin1, false, on_segment, &seen) == SIMDTEXT_STATUS_OK);
    CHECK(seen.count == 1 && at[0].end == 1 && at[0].reason == SIMDTEXT_SEGMENT_ASCII);

    seen.count = 0;
    const simdtext_status invalid = SIMDTEXT_STATUS_INVALID_ARGUMENT;
    CHECK(simdtext_segments(NULL, 0, list, 1, latin1, true, on_segment, &seen) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_segments(NULL, 1, list, 1, latin1, true, on_segment, &seen) == invalid);
    CHECK(simdtext_segments("a", 1, NULL, 1, latin1, true, on_segment, &seen) == invalid);
    CHECK(simdtext_segments("a", 1, list, 1, NULL, true, on_segment, &seen) == invalid);
    CHECK(simdtext_segments("a", 1, list, 1, latin1, true, NULL, &seen) == invalid);
    CHECK(seen.count == 0);
}

static void double_encoding(void) {
    const simdtext_encoding *latin1 = find("latin1");
    const char twice[] = "Ã©tÃ©";
    char once[8];
    CHECK(simdtext_is_double_encoded(latin1, twice, sizeof twice - 1));
    simdtext_result done =
        simdtext_encode_from_utf8(latin1, twice, sizeof twice - 1, once, sizeof once, SIMDTEXT_UNMAPPABLE_STOP);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 5 && memcmp(once, "été", 5) == 0);
    CHECK(!simdtext_is_double_encoded(latin1, "été", 5) && !simdtext_is_double_encoded(latin1, "Ã", 3));
    CHECK(!simdtext_is_double_encoded(latin1, "abc", 3) && !simdtext_is_double_encoded(latin1, "", 0));
    CHECK(!simdtext_is_double_encoded(find("gbk"), twice, sizeof twice - 1));
    CHECK(!simdtext_is_double_encoded(NULL, twice, 2) && !simdtext_is_double_encoded(latin1, NULL, 1));
}

void test_mixed(void) {
    first_valid();
    segments();
    double_encoding();
}
