#include "check.h"

/* Whether `text` becomes `expected`, in a buffer of exactly that size, and `errors` are counted; and in any smaller one
 * the start of it, as far as whole characters fit. */
static bool becomes(const char *label, const char *text, simdtext_percent_encode_set set, bool space_as_plus,
                    const char *expected, size_t errors) {
    const size_t len = strlen(text), most = strlen(expected);
    const simdtext_result counted = simdtext_percent_encoded_len(find(label), text, len, set, space_as_plus);
    bool is_so = counted.status == SIMDTEXT_STATUS_OK && counted.written == most && counted.read == len &&
                 counted.errors == errors;
    size_t before = 0;
    for (size_t room = 0; room <= most; room++) {
        char *dst = malloc(room + 1);
        const simdtext_result done =
            simdtext_percent_encode_after_encoding(find(label), text, len, dst, room, set, space_as_plus);
        const simdtext_status status = room == most ? SIMDTEXT_STATUS_OK : SIMDTEXT_STATUS_OUTPUT_FULL;
        is_so = is_so && done.status == status && done.written <= room && done.written >= before &&
                memcmp(dst, expected, done.written) == 0;
        is_so = is_so && (room < most || (done.written == most && done.read == len && done.errors == errors));
        before = done.written;
        free(dst);
    }
    return is_so;
}

void test_percent(void) {
    /* The examples of the URL standard, and some more. */
    CHECK(becomes("utf-8", "Say what‽", SIMDTEXT_PERCENT_ENCODE_USERINFO, false, "Say%20what%E2%80%BD", 0));
    CHECK(becomes("shift_jis", "≡", SIMDTEXT_PERCENT_ENCODE_USERINFO, false, "%81%DF", 0));
    CHECK(becomes("shift_jis", "‽", SIMDTEXT_PERCENT_ENCODE_USERINFO, false, "%26%238253%3B", 1));
    CHECK(becomes("iso-2022-jp", "¥", SIMDTEXT_PERCENT_ENCODE_USERINFO, false, "%1B(J%5C%1B(B", 0));
    CHECK(becomes("iso-2022-jp", "¥☃¥", SIMDTEXT_PERCENT_ENCODE_C0_CONTROL, false, "%1B(J\\%26%239731%3B\\%1B(B", 1));
    CHECK(becomes("utf-8", "a b~é", SIMDTEXT_PERCENT_ENCODE_FORM, true, "a+b%7E%C3%A9", 0));
    CHECK(becomes("utf-8", "a b~", SIMDTEXT_PERCENT_ENCODE_COMPONENT, false, "a%20b~", 0));
    CHECK(becomes("utf-8", "#'\"", SIMDTEXT_PERCENT_ENCODE_QUERY, false, "%23'%22", 0));
    CHECK(becomes("utf-8", "#'\"", SIMDTEXT_PERCENT_ENCODE_SPECIAL_QUERY, false, "%23%27%22", 0));
    CHECK(becomes("utf-8", "#`", SIMDTEXT_PERCENT_ENCODE_FRAGMENT, false, "#%60", 0));
    CHECK(becomes("utf-8", "?/", SIMDTEXT_PERCENT_ENCODE_PATH, false, "%3F/", 0));
    CHECK(becomes("utf-16le", "é", SIMDTEXT_PERCENT_ENCODE_PATH, false, "%C3%A9", 0));
    CHECK(becomes("replacement", "", SIMDTEXT_PERCENT_ENCODE_PATH, false, "", 0));
    /* Malformed UTF-8. */
    CHECK(becomes("utf-8", "a\xFFz\xE2\x82", SIMDTEXT_PERCENT_ENCODE_PATH, false, "a%EF%BF%BDz%EF%BF%BD", 2));
    CHECK(becomes("koi8-r", "\xF0\x9F\x92!", SIMDTEXT_PERCENT_ENCODE_PATH, false, "%26%2365533%3B!", 1));

    char other[8];
    const simdtext_status invalid = SIMDTEXT_STATUS_INVALID_ARGUMENT;
    const simdtext_percent_encode_set path = SIMDTEXT_PERCENT_ENCODE_PATH;
    CHECK(simdtext_percent_encode_after_encoding(NULL, "a", 1, other, 8, path, false).status == invalid);
    CHECK(simdtext_percent_encode_after_encoding(find("gbk"), NULL, 1, other, 8, path, false).status == invalid);
    CHECK(simdtext_percent_encode_after_encoding(find("gbk"), "a", 1, NULL, 8, path, false).status == invalid);
    CHECK(simdtext_percent_encode_after_encoding(find("gbk"), other, 1, other, 8, path, false).status ==
          SIMDTEXT_STATUS_OVERLAP);
    CHECK(simdtext_percent_encode_after_encoding(find("gbk"), "a", 1, other, 8, (simdtext_percent_encode_set)8, false)
              .status == invalid);
    CHECK(simdtext_percent_encoded_len(NULL, "a", 1, path, false).status == invalid);
    CHECK(simdtext_percent_encoded_len(find("gbk"), NULL, 1, path, false).status == invalid);
    CHECK(simdtext_percent_encoded_len(find("gbk"), "a", 1, (simdtext_percent_encode_set)-1, false).status == invalid);
}
