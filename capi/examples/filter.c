// A filter from any encoding to any other, by way of UTF-8:  filter FROM TO < in > out
// Malformed bytes become U+FFFD, and characters that the output's encoding does not have become character
// references.
#include <simdtext.h>
#include <stdio.h>
#include <string.h>

// Encodes UTF-8 and writes it. Returns whether all of it was written.
static bool put(simdtext_encoder *encoder, const char *text, size_t len, bool last) {
    char bytes[4096];
    simdtext_result done;
    do {
        done = simdtext_encoder_encode_from_utf8(encoder, text, len, bytes, sizeof bytes, last);
        if (fwrite(bytes, 1, done.written, stdout) < done.written) {
            return false;
        }
        text += done.read;
        len -= done.read;
    } while (done.status == SIMDTEXT_STATUS_OUTPUT_FULL);
    return done.status == SIMDTEXT_STATUS_OK;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: filter FROM TO\n");
        return 2;
    }
    const simdtext_encoding *from = simdtext_encoding_for_label(argv[1], strlen(argv[1]));
    const simdtext_encoding *to = simdtext_encoding_for_label(argv[2], strlen(argv[2]));
    simdtext_decoder *decoder = simdtext_decoder_new(from, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_REPLACE, NULL);
    simdtext_encoder *encoder = simdtext_encoder_new(to, SIMDTEXT_UNMAPPABLE_NCR, NULL);
    bool good = decoder != NULL && encoder != NULL;
    if (!good) {
        fprintf(stderr, "filter: no such encoding\n");
    }
    char bytes[4096], text[4096];
    size_t len = 1;
    while (good && len > 0) {
        len = fread(bytes, 1, sizeof bytes, stdin);
        const char *rest = bytes;
        size_t left = len;
        simdtext_result done;
        do {
            done = simdtext_decoder_decode_to_utf8(decoder, rest, left, text, sizeof text, len == 0);
            rest += done.read;
            left -= done.read;
            good = put(encoder, text, done.written, len == 0 && done.status == SIMDTEXT_STATUS_OK);
        } while (good && done.status == SIMDTEXT_STATUS_OUTPUT_FULL);
    }
    good = good && !ferror(stdin) && fflush(stdout) == 0;
    simdtext_decoder_free(decoder);
    simdtext_encoder_free(encoder);
    return good ? 0 : 2;
}
