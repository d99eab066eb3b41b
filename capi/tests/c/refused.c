#include "check.h"

#define REFUSED(call, expected) CHECK((call).status == (expected) && (call).read == 0 && (call).written == 0)

void test_refused(void) {
    const simdtext_encoding *utf8 = find("utf-8"), *gbk = find("gbk");
    simdtext_decoder *decoder = simdtext_decoder_new(gbk, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP, NULL);
    simdtext_encoder *encoder = simdtext_encoder_new(gbk, SIMDTEXT_UNMAPPABLE_STOP, NULL);
    /* Aligned for units of 32 bits. */
    union {
        char bytes[64];
        simdtext_char16 utf16[32];
        simdtext_char32 utf32[16];
    } memory;
    memset(&memory, 'a', sizeof memory);
    char other[64];
    simdtext_char16 *odd16 = (simdtext_char16 *)(void *)(memory.bytes + 1);
    const simdtext_char32 *odd32 = (const simdtext_char32 *)(const void *)(memory.bytes + 2);

    /* Empty buffers may be anywhere. */
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, NULL, 0, NULL, 0, false), SIMDTEXT_STATUS_OK);
    REFUSED(simdtext_decoder_decode_to_utf16(decoder, NULL, 0, odd16, 0, false), SIMDTEXT_STATUS_OK);
    REFUSED(simdtext_encoder_encode_from_utf16(encoder, odd16, 0, NULL, 0, false), SIMDTEXT_STATUS_OK);
    REFUSED(simdtext_utf8_to_utf16(NULL, 0, NULL, 0, SIMDTEXT_MALFORMED_STOP), SIMDTEXT_STATUS_OK);
    REFUSED(simdtext_decode_to_utf8(gbk, "a", 1, NULL, 0, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP),
            SIMDTEXT_STATUS_OUTPUT_FULL);
    CHECK(simdtext_validate_utf8(NULL, 0) && simdtext_validate_utf16(NULL, 0));
    CHECK(simdtext_utf16_len_from_utf8(NULL, 0) == 0);

    /* Null with a length, lengths that are too great for memory, null handles, and undefined numbers. */
    const simdtext_status invalid = SIMDTEXT_STATUS_INVALID_ARGUMENT;
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, NULL, 1, other, 64, true), invalid);
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, "a", 1, NULL, 64, true), invalid);
    REFUSED(simdtext_decoder_decode_to_utf8(NULL, "a", 1, other, 64, true), invalid);
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, "a", SIZE_MAX, NULL, 0, true), invalid);
    REFUSED(simdtext_decoder_decode_to_utf16(decoder, "a", 1, memory.utf16, SIZE_MAX / 2, true), invalid);
    REFUSED(simdtext_encoder_encode_from_utf8(NULL, "a", 1, other, 64, true), invalid);
    REFUSED(simdtext_encoder_encode_from_utf8(encoder, NULL, 1, other, 64, true), invalid);
    REFUSED(simdtext_decode_to_utf8(NULL, "a", 1, other, 64, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP),
            invalid);
    REFUSED(simdtext_decode_to_utf8(gbk, "a", 1, other, 64, (simdtext_bom)3, SIMDTEXT_MALFORMED_STOP), invalid);
    REFUSED(simdtext_decode_to_utf8(gbk, "a", 1, other, 64, SIMDTEXT_BOM_KEEP, (simdtext_malformed)-1), invalid);
    REFUSED(simdtext_encode_from_utf8(gbk, "a", 1, other, 64, (simdtext_unmappable)99), invalid);
    REFUSED(simdtext_utf8_to_utf16("a", 1, memory.utf16, 8, (simdtext_malformed)2), invalid);
    REFUSED(simdtext_validate_utf8_with_errors(NULL, 1), invalid);
    CHECK(simdtext_decoder_new(NULL, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP, NULL) == NULL);
    CHECK(simdtext_decoder_new(gbk, (simdtext_bom)7, SIMDTEXT_MALFORMED_STOP, NULL) == NULL);
    CHECK(simdtext_encoder_new(gbk, (simdtext_unmappable)7, NULL) == NULL);
    CHECK(simdtext_encoder_new(NULL, SIMDTEXT_UNMAPPABLE_STOP, NULL) == NULL);
    CHECK(!simdtext_validate_utf8(NULL, 1) && simdtext_count_scalars_utf8(NULL, 1) == SIZE_MAX);
    CHECK(simdtext_decoder_max_utf8_len(NULL, 1) == SIZE_MAX && simdtext_decoder_encoding(NULL) == NULL);
    CHECK(simdtext_decoder_max_utf8_len(decoder, SIZE_MAX) == SIZE_MAX);
    CHECK(simdtext_decoder_max_utf16_len(NULL, 1) == SIZE_MAX && simdtext_decoder_total_read(NULL) == 0);
    CHECK(simdtext_decoder_pending(NULL, other, 64) == SIZE_MAX && simdtext_decoder_pending(decoder, NULL, 3) == SIZE_MAX);
    CHECK(simdtext_decoder_reset(NULL) == invalid && simdtext_encoder_reset(NULL) == invalid);
    CHECK(simdtext_decoder_reset_to(decoder, NULL, SIMDTEXT_BOM_KEEP) == invalid);
    CHECK(simdtext_decoder_set_on_fault(NULL, NULL, NULL) == invalid);
    CHECK(simdtext_encoder_set_replacement(NULL, 'a') == invalid);
    CHECK(simdtext_encoder_encoding(NULL) == NULL && !simdtext_encoder_has_pending_output(NULL));
    CHECK(simdtext_encoder_max_len_from_utf8(NULL, 1) == SIZE_MAX);
    CHECK(simdtext_encoder_max_len_from_utf16(NULL, 1) == SIZE_MAX);
    CHECK(simdtext_decode_to_new_utf8(gbk, "a", 1, NULL, SIMDTEXT_BOM_KEEP, SIMDTEXT_MALFORMED_STOP, NULL)
              .status == invalid);

    size_t mark = 9;
    CHECK(simdtext_encoding_for_bom(NULL, 3, &mark) == NULL && mark == 0);

    /* Units that are not aligned. */
    const simdtext_status misaligned = SIMDTEXT_STATUS_MISALIGNED;
    REFUSED(simdtext_decoder_decode_to_utf16(decoder, "a", 1, odd16, 4, true), misaligned);
    REFUSED(simdtext_encoder_encode_from_utf16(encoder, odd16, 4, other, 64, true), misaligned);
    REFUSED(simdtext_utf16_to_utf8(odd16, 4, other, 64, SIMDTEXT_MALFORMED_STOP), misaligned);
    REFUSED(simdtext_utf32_to_utf8(odd32, 4, other, 64, SIMDTEXT_MALFORMED_STOP), misaligned);
    REFUSED(simdtext_validate_utf32_with_errors(odd32, 4), misaligned);
    CHECK(!simdtext_validate_utf16(odd16, 4) && simdtext_utf8_len_from_utf16(odd16, 4) == SIZE_MAX);

    /* Input and output that overlap, or are the same; adjacent ones do not overlap. */
    const simdtext_status overlap = SIMDTEXT_STATUS_OVERLAP;
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, memory.bytes, 8, memory.bytes, 8, true), overlap);
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, memory.bytes, 8, memory.bytes + 7, 8, true), overlap);
    REFUSED(simdtext_decoder_decode_to_utf8(decoder, memory.bytes + 7, 8, memory.bytes, 8, true), overlap);
    REFUSED(simdtext_latin1_to_utf16(memory.bytes, 8, memory.utf16 + 3, 4), overlap);
    CHECK(simdtext_latin1_to_utf16(memory.bytes, 8, memory.utf16 + 4, 8).written == 8);

    /* Calls that were refused have changed nothing. */
    simdtext_result done = simdtext_decoder_decode_to_utf8(decoder, "\xC4\xE3", 2, other, 64, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 3 && memcmp(other, "你", 3) == 0);
    done = simdtext_encoder_encode_from_utf8(encoder, "你", 3, other, 64, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 2 && memcmp(other, "\xC4\xE3", 2) == 0);
    CHECK(done.encoding == gbk && utf8 != gbk);
    simdtext_decoder_free(decoder);
    simdtext_encoder_free(encoder);
}
