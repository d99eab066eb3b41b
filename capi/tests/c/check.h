/* What the C tests share: a check that continues after a failure, and a count of failures. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simdtext.h"

extern int failed;

#define CHECK(what)                                                      \
    do {                                                                 \
        if (!(what)) {                                                   \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what);    \
            failed++;                                                    \
        }                                                                \
    } while (0)

static inline const simdtext_encoding *find(const char *label) {
    return simdtext_encoding_for_label(label, strlen(label));
}

void test_encodings(void);
void test_whole(void);
void test_streams(void);
void test_refused(void);
void test_allocators(void);
void test_guesses(void);
void test_mixed(void);
void test_offsets(void);
void test_percent(void);
void test_unicode(void);

#endif
