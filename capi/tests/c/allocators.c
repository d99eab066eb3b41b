#include "check.h"

/* Counts what is alive, and has no memory after `left` calls. */
typedef struct counter {
    int alive;
    int left;
} counter;

static void *allocate(void *context, size_t size) {
    counter *counts = (counter *)context;
    if (counts->left-- <= 0) {
        return NULL;
    }
    counts->alive++;
    return malloc(size);
}

static void release(void *context, void *memory) {
    ((counter *)context)->alive--;
    free(memory);
}

static char room_of_odd[256];

static void *allocate_odd(void *context, size_t size) {
    ((counter *)context)->alive++;
    return size < sizeof room_of_odd ? room_of_odd + 1 : NULL;
}

static void release_odd(void *context, void *memory) {
    CHECK(memory == room_of_odd + 1);
    ((counter *)context)->alive--;
}

void test_allocators(void) {
    counter counts = {0, 0};
    simdtext_allocator allocator = {allocate, release, &counts};
    const simdtext_encoding *windows = find("windows-1252");
    CHECK(simdtext_decoder_new(windows, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP, &allocator) == NULL);
    CHECK(simdtext_encoder_new(windows, SIMDTEXT_UNMAPPABLE_STOP, &allocator) == NULL);

    counts.left = 2;
    simdtext_decoder *decoder =
        simdtext_decoder_new(windows, SIMDTEXT_BOM_SNIFF, SIMDTEXT_MALFORMED_STOP, &allocator);
    simdtext_encoder *encoder = simdtext_encoder_new(windows, SIMDTEXT_UNMAPPABLE_STOP, &allocator);
    CHECK(decoder != NULL && encoder != NULL && counts.alive == 2);
    simdtext_decoder_free(decoder);
    simdtext_encoder_free(encoder);
    CHECK(counts.alive == 0);

    /* 1000 euro signs become three times as many bytes: memory has to grow, and each allocation may fail. */
    static char euros[1000];
    memset(euros, 0x80, sizeof euros);
    for (int left = 0; left < 4; left++) {
        counts.left = left;
        char *text = room_of_odd;
        simdtext_result done = simdtext_decode_to_new_utf8(windows, euros, sizeof euros, &text, SIMDTEXT_BOM_KEEP,
                                                           SIMDTEXT_MALFORMED_STOP, &allocator);
        if (left < 2) {
            CHECK(done.status == SIMDTEXT_STATUS_OUT_OF_MEMORY && text == NULL && counts.alive == 0);
        } else {
            CHECK(done.status == SIMDTEXT_STATUS_OK && done.written == 3000 && counts.alive == 1);
            CHECK(text[2999] == '\xAC' && text[3000] == 0);
            simdtext_free(text, &allocator);
            CHECK(counts.alive == 0);
        }
    }
    /* A conversion that stops frees its memory. */
    counts.left = 9;
    void *bytes = euros;
    simdtext_result done = simdtext_encode_new_from_utf8(windows, "a≠", 4, &bytes, SIMDTEXT_UNMAPPABLE_STOP,
                                                         &allocator);
    CHECK(done.status == SIMDTEXT_STATUS_UNMAPPABLE && bytes == NULL && counts.alive == 0);
    simdtext_free(NULL, &allocator);

    /* Memory that is not aligned is freed. */
    allocator.allocate = allocate_odd;
    allocator.release = release_odd;
    CHECK(simdtext_encoder_new(windows, SIMDTEXT_UNMAPPABLE_STOP, &allocator) == NULL && counts.alive == 0);
    allocator.release = NULL;
    CHECK(simdtext_encoder_new(windows, SIMDTEXT_UNMAPPABLE_STOP, &allocator) == NULL && counts.alive == 0);

    size_t len = 1;
    bytes = &len;
    simdtext_offset_map *map = simdtext_offset_map_new(windows, SIMDTEXT_BOM_KEEP, 0);
    allocator = (simdtext_allocator){allocate, release, &counts};
    counts = (counter){0, 0};
    CHECK(simdtext_offset_map_to_new_bytes(map, &bytes, &len, &allocator) == SIMDTEXT_STATUS_OUT_OF_MEMORY);
    CHECK(bytes == NULL && len == 0);
    counts.left = 1;
    CHECK(simdtext_offset_map_to_new_bytes(map, &bytes, &len, &allocator) == SIMDTEXT_STATUS_OK && counts.alive == 1);
    simdtext_free(bytes, &allocator);
    CHECK(counts.alive == 0);
    simdtext_offset_map_free(map);
}
