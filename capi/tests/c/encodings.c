#include "check.h"

void test_encodings(void) {
    CHECK(simdtext_encoding_count() == 40);
    CHECK(simdtext_encoding_at(40) == NULL);
    for (size_t i = 0; i < simdtext_encoding_count(); i++) {
        const simdtext_encoding *encoding = simdtext_encoding_at(i);
        CHECK(simdtext_encoding_index(encoding) == i);
        CHECK(find(simdtext_encoding_name(encoding)) == encoding);
        size_t labels = 0;
        const char *label;
        while ((label = simdtext_encoding_label(encoding, labels)) != NULL) {
            CHECK(find(label) == encoding);
            labels++;
        }
        CHECK(labels > 0);
        bool is_replacement = strcmp(simdtext_encoding_name(encoding), "replacement") == 0;
        CHECK(simdtext_encoding_can_encode(encoding) != is_replacement);
    }
    const simdtext_encoding *latin1 = find(" Latin1\n");
    CHECK(strcmp(simdtext_encoding_name(latin1), "windows-1252") == 0);
    CHECK(simdtext_encoding_is_single_byte(latin1) && simdtext_encoding_is_ascii_compatible(latin1));
    CHECK(!simdtext_encoding_is_single_byte(find("gbk")));
    CHECK(!simdtext_encoding_is_ascii_compatible(find("utf-16le")));
    CHECK(simdtext_encoding_output_encoding(find("utf-16le")) == find("utf-8"));
    CHECK(find("latin-1") == NULL && find("") == NULL);

    size_t bom_len = 7;
    CHECK(simdtext_encoding_for_bom("\xEF\xBB\xBFx", 4, &bom_len) == find("utf-8") && bom_len == 3);
    CHECK(simdtext_encoding_for_bom("\xFE\xFF", 2, NULL) == find("utf-16be"));
    CHECK(simdtext_encoding_for_bom("text", 4, &bom_len) == NULL && bom_len == 0);
    CHECK(simdtext_encoding_for_bom(NULL, 0, &bom_len) == NULL);

    CHECK(simdtext_encoding_name(NULL) == NULL && simdtext_encoding_label(NULL, 0) == NULL);
    CHECK(simdtext_encoding_label(latin1, SIZE_MAX) == NULL);
    CHECK(simdtext_encoding_index(NULL) == SIZE_MAX && simdtext_encoding_output_encoding(NULL) == NULL);
    CHECK(!simdtext_encoding_is_single_byte(NULL) && !simdtext_encoding_can_encode(NULL));
    CHECK(!simdtext_encoding_is_ascii_compatible(NULL));
}
