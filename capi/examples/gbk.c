// Decodes a file in GBK to standard output, and says where it is malformed:  gbk FILE > text
#include <simdtext.h>
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    simdtext_decoder *decoder = simdtext_decoder_new(simdtext_encoding_for_label("gbk", 3), SIMDTEXT_BOM_SNIFF,
                                                     SIMDTEXT_MALFORMED_STOP, NULL);
    if (file == NULL || decoder == NULL) return 2;
    char bytes[65536], text[65536];
    size_t len, faults = 0;
    do {
        len = fread(bytes, 1, sizeof bytes, file);
        for (size_t at = 0;;) {
            simdtext_result done =
                simdtext_decoder_decode_to_utf8(decoder, bytes + at, len - at, text, sizeof text, len == 0);
            fwrite(text, 1, done.written, stdout);
            at += done.read;
            if (done.status == SIMDTEXT_STATUS_OK) break;
            if (done.status == SIMDTEXT_STATUS_MALFORMED && ++faults)
                fprintf(stderr, "malformed at offset %llu\n", (unsigned long long)done.fault.offset);
        }
    } while (len > 0);
    simdtext_decoder_free(decoder);
    return fclose(file) != 0 || faults > 0;
}
