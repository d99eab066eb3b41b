#include "check.h"

static void count(void *context, const simdtext_fault *fault) {
    *(uint64_t *)context += fault->offset;
}

static void decoders(void) {
    static const char bytes[] = "ab\xFF\xC4\xE3\xBA\xC3\xFF"; /* GBK: a b ? 你 好 ? */
    const size_t len = sizeof bytes - 1;
    simdtext_decoder *decoder =
        simdtext_decoder_new(find("gbk"), SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP, NULL);
    CHECK(decoder != NULL && simdtext_decoder_encoding(decoder) == find("gbk"));
    CHECK(simdtext_decoder_max_utf8_len(decoder, 10) == 30);
    CHECK(simdtext_decoder_max_utf16_len(decoder, 10) == 10);
    for (size_t cut = 0; cut <= len; cut++) {
        char text[32];
        size_t written = 0, faults = 0;
        uint64_t offsets = 0;
        for (int piece = 0; piece < 2; piece++) {
            const char *src = piece == 0 ? bytes : bytes + cut;
            size_t left = piece == 0 ? cut : len - cut;
            simdtext_result done;
            do {
                done = simdtext_decoder_decode_to_utf8(decoder, src, left, text + written, 4, piece == 1);
                written += done.written;
                src += done.read;
                left -= done.read;
                if (done.status == SIMDTEXT_STATUS_MALFORMED) {
                    faults++;
                    offsets += done.fault.offset;
                    CHECK(done.fault.len == 1 && done.fault.bytes[0] == 0xFF);
                }
            } while (done.status != SIMDTEXT_STATUS_OK);
            if (piece == 0) {
                CHECK(simdtext_decoder_total_read(decoder) == cut);
            }
        }
        CHECK(faults == 2 && offsets == 2 + 7);
        CHECK(written == 8 && memcmp(text, "ab你好", written) == 0);
    }
    CHECK(simdtext_decoder_reset(decoder) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_decoder_reset_to(decoder, find("utf-16be"), SIMDTEXT_BOM_STRIP) == SIMDTEXT_STATUS_OK);
    simdtext_char16 units[4];
    simdtext_result done = simdtext_decoder_decode_to_utf16(decoder, "\xFE\xFF\x26\x3A", 4, units, 4, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 1 && units[0] == 0x263A);
    simdtext_decoder_free(decoder);

    decoder = simdtext_decoder_new(find("gbk"), SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_REPLACE, NULL);
    uint64_t sum = 0;
    CHECK(simdtext_decoder_set_on_fault(decoder, count, &sum) == SIMDTEXT_STATUS_OK);
    char text[64];
    done = simdtext_decoder_decode_to_utf8(decoder, bytes, len, text, sizeof text, true);
    CHECK(done.status == SIMDTEXT_STATUS_OK && done.errors == 2 && done.written == 14 && sum == 2 + 7);
    /* It stays set in the next stream. */
    CHECK(simdtext_decoder_reset(decoder) == SIMDTEXT_STATUS_OK);
    done = simdtext_decoder_decode_to_utf8(decoder, bytes, len, text, sizeof text, true);
    CHECK(done.errors == 2 && sum == 2 * (2 + 7));
    CHECK(simdtext_decoder_set_on_fault(decoder, NULL, NULL) == SIMDTEXT_STATUS_OK);
    done = simdtext_decoder_decode_to_utf8(decoder, bytes, len, text, sizeof text, true);
    CHECK(done.errors == 2 && sum == 2 * (2 + 7));

    /* What is not decoded yet. */
    char held[3];
    CHECK(simdtext_decoder_pending(decoder, NULL, 0) == 0 && simdtext_decoder_pending(decoder, held, 3) == 0);
    done = simdtext_decoder_decode_to_utf8(decoder, "a\x81\x30\x81", 4, text, sizeof text, false);
    CHECK(done.written == 1 && simdtext_decoder_pending(decoder, held, 3) == 3);
    CHECK(memcmp(held, "\x81\x30\x81", 3) == 0 && simdtext_decoder_pending(decoder, held, 2) == SIZE_MAX);
    simdtext_decoder_free(decoder);
}

static void encoders(void) {
    static const char text[] = "日\xE6\x97é💩";
    const size_t len = sizeof text - 1;
    simdtext_encoder *encoder = simdtext_encoder_new(find("iso-2022-jp"), SIMDTEXT_UNMAPPABLE_NCR, NULL);
    CHECK(encoder != NULL && simdtext_encoder_encoding(encoder) == find("iso-2022-jp"));
    for (size_t cut = 0; cut <= len; cut++) {
        char bytes[64];
        simdtext_result first = simdtext_encoder_encode_from_utf8(encoder, text, cut, bytes, 32, false);
        CHECK(first.status == SIMDTEXT_STATUS_OK && first.read == cut);
        CHECK(simdtext_encoder_has_pending_output(encoder) == (cut > 0 && cut != 7 && cut != 11));
        simdtext_result rest = simdtext_encoder_encode_from_utf8(encoder, text + cut, len - cut,
                                                                 bytes + first.written, 32, true);
        CHECK(rest.status == SIMDTEXT_STATUS_OK && first.errors + rest.errors == 3);
        CHECK(first.written + rest.written == 31);
        CHECK(memcmp(bytes, "\x1B$BF|\x1B(B&#65533;&#233;&#128169;", 31) == 0);
    }
    CHECK(simdtext_encoder_set_replacement(encoder, '*') == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    /* A stream is either UTF-8 or UTF-16. */
    char bytes[16];
    const simdtext_char16 unit = 'a';
    CHECK(simdtext_encoder_encode_from_utf8(encoder, "\xE6", 1, bytes, 16, false).read == 1);
    CHECK(simdtext_encoder_encode_from_utf16(encoder, &unit, 1, bytes, 16, true).status ==
          SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_encoder_reset(encoder) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_encoder_encode_from_utf16(encoder, &unit, 1, bytes, 16, true).written == 1);
    simdtext_encoder_free(encoder);

    encoder = simdtext_encoder_new(find("windows-1252"), SIMDTEXT_UNMAPPABLE_REPLACE, NULL);
    CHECK(simdtext_encoder_set_replacement(encoder, 0xD800) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_encoder_set_replacement(encoder, 0xA4) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_encoder_max_len_from_utf8(encoder, 10) >= 10);
    CHECK(simdtext_encoder_max_len_from_utf16(encoder, 10) >= 10);
    CHECK(simdtext_encoder_max_len_from_utf8(encoder, SIZE_MAX) >= SIZE_MAX - 1);
    simdtext_result done = simdtext_encoder_encode_from_utf8(encoder, "a≠", 4, bytes, 16, true);
    CHECK(done.written == 2 && memcmp(bytes, "a\xA4", 2) == 0 && done.errors == 1);
    simdtext_encoder_free(encoder);
    CHECK(simdtext_encoder_new(find("replacement"), SIMDTEXT_UNMAPPABLE_NCR, NULL) == NULL);
}

void test_streams(void) {
    decoders();
    encoders();
    simdtext_decoder_free(NULL);
    simdtext_encoder_free(NULL);
}
