// Decodes a file in GBK to standard output, and says where it is malformed:  gbk FILE > text
#include <simdtext.h>
#include <stdio.h>

static void tell(void *faults, const simdtext_fault *fault) {
    ++*(size_t *)faults;
    fprintf(stderr, "malformed at offset %llu\n", (unsigned long long)fault->offset);
}

int main(int argc, char **argv) {
    static char bytes[65536], text[4 * sizeof bytes]; // A byte becomes 3 of UTF-8 at the most.
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    const simdtext_encoding *gbk = simdtext_encoding_for_label("gbk", 3);
    simdtext_decoder *decoder = simdtext_decoder_new(gbk, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_REPLACE, NULL);
    if (file == NULL || decoder == NULL) return 2;
    size_t len, faults = 0;
    simdtext_decoder_set_on_fault(decoder, tell, &faults);
    do {
        len = fread(bytes, 1, sizeof bytes, file);
        simdtext_result done = simdtext_decoder_decode_to_utf8(decoder, bytes, len, text, sizeof text, len == 0);
        fwrite(text, 1, done.written, stdout);
    } while (len > 0);
    simdtext_decoder_free(decoder);
    return ferror(file) || fflush(stdout) != 0 || ferror(stdout) ? 2 : faults > 0;
}
