/* Calls every function of the library as a C program does. This also runs with AddressSanitizer, so buffers
 * are from malloc and of the exact size. */
#include "check.h"

int failed = 0;

int main(void) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SIMDTEXT_VERSION_MAJOR, SIMDTEXT_VERSION_MINOR,
             SIMDTEXT_VERSION_PATCH);
    CHECK(strcmp(simdtext_version(), version) == 0);
    CHECK(strlen(simdtext_active_isa()) > 0);
    CHECK(strcmp(simdtext_status_message(SIMDTEXT_STATUS_OUTPUT_FULL), "the output is full") == 0);
    CHECK(strcmp(simdtext_status_message(SIMDTEXT_STATUS_OVERLAP), "input and output overlap") == 0);
    CHECK(strcmp(simdtext_status_message(SIMDTEXT_STATUS_PANIC), "a defect of the library") == 0);
    CHECK(strcmp(simdtext_status_message((simdtext_status)(SIMDTEXT_STATUS_VERSION + 1)), "unknown status") == 0);
    test_encodings();
    test_whole();
    test_streams();
    test_refused();
    test_allocators();
    test_guesses();
    test_mixed();
    test_offsets();
    test_percent();
    test_unicode();
    printf("simdtext %s with %s: %d failed\n", simdtext_version(), simdtext_active_isa(), failed);
    return failed != 0;
}
