/* The ABI of this version: sizes, offsets and numbers that are compiled into programs. Changing a line here
 * requires another soname. */
#include "simdtext.h"

#ifdef __cplusplus
#define ASSERT(what) static_assert(what, #what)
#else
#define NAME_(line) assert_##line
#define NAME(line) NAME_(line)
#define ASSERT(what) typedef char NAME(__LINE__)[(what) ? 1 : -1] __attribute__((unused))
#endif

ASSERT(sizeof(simdtext_status) == 4);
ASSERT(sizeof(simdtext_bom) == 4);
ASSERT(sizeof(simdtext_malformed) == 4);
ASSERT(sizeof(simdtext_unmappable) == 4);
ASSERT(sizeof(simdtext_format) == 4);
ASSERT(sizeof(simdtext_evidence) == 4);
ASSERT(sizeof(simdtext_confidence) == 4);
ASSERT(sizeof(simdtext_reason) == 4);
ASSERT(sizeof(simdtext_segment_reason) == 4);
ASSERT(sizeof(simdtext_sign) == 4);
ASSERT(sizeof(simdtext_percent_encode_set) == 4);
ASSERT(sizeof(simdtext_char16) == 2);
ASSERT(sizeof(simdtext_char32) == 4);

ASSERT(SIMDTEXT_STATUS_OK == 0 && SIMDTEXT_STATUS_OUTPUT_FULL == 1 && SIMDTEXT_STATUS_MALFORMED == 2);
ASSERT(SIMDTEXT_STATUS_UNMAPPABLE == 3 && SIMDTEXT_STATUS_INVALID_ARGUMENT == 4);
ASSERT(SIMDTEXT_STATUS_MISALIGNED == 5 && SIMDTEXT_STATUS_OVERLAP == 6 && SIMDTEXT_STATUS_NO_ENCODER == 7);
ASSERT(SIMDTEXT_STATUS_OUT_OF_MEMORY == 8 && SIMDTEXT_STATUS_PANIC == 9);
ASSERT(SIMDTEXT_STATUS_CORRUPT == 10 && SIMDTEXT_STATUS_VERSION == 11);
ASSERT(SIMDTEXT_BOM_SNIFF == 0 && SIMDTEXT_BOM_STRIP == 1 && SIMDTEXT_BOM_KEEP == 2);
ASSERT(SIMDTEXT_MALFORMED_REPLACE == 0 && SIMDTEXT_MALFORMED_STOP == 1);
ASSERT(SIMDTEXT_UNMAPPABLE_STOP == 0 && SIMDTEXT_UNMAPPABLE_NCR == 1 && SIMDTEXT_UNMAPPABLE_REPLACE == 2);
ASSERT(SIMDTEXT_UNMAPPABLE_SKIP == 3);
ASSERT(SIMDTEXT_FORMAT_UNKNOWN == 0 && SIMDTEXT_FORMAT_HTML == 1 && SIMDTEXT_FORMAT_XML == 2);
ASSERT(SIMDTEXT_FORMAT_CSS == 3 && SIMDTEXT_FORMAT_TEXT == 4);
ASSERT(SIMDTEXT_EVIDENCE_BOM == 0 && SIMDTEXT_EVIDENCE_OVERRIDE == 1 && SIMDTEXT_EVIDENCE_TRANSPORT == 2);
ASSERT(SIMDTEXT_EVIDENCE_PRESCAN == 3 && SIMDTEXT_EVIDENCE_LATE_META == 4 && SIMDTEXT_EVIDENCE_ENVIRONMENT == 5);
ASSERT(SIMDTEXT_EVIDENCE_DETECTED == 6 && SIMDTEXT_EVIDENCE_UTF8_VALID == 7 && SIMDTEXT_EVIDENCE_FALLBACK == 8);
ASSERT(SIMDTEXT_CONFIDENCE_TENTATIVE == 0 && SIMDTEXT_CONFIDENCE_CERTAIN == 1);
ASSERT(SIMDTEXT_REASON_BOM == 0 && SIMDTEXT_REASON_ASCII == 1 && SIMDTEXT_REASON_UTF8 == 2);
ASSERT(SIMDTEXT_REASON_ESCAPES == 3 && SIMDTEXT_REASON_CODE_UNITS == 4 && SIMDTEXT_REASON_FOUR_BYTES == 5);
ASSERT(SIMDTEXT_REASON_PLAUSIBLE == 6 && SIMDTEXT_REASON_UTF32LE == 7 && SIMDTEXT_REASON_UTF32BE == 8);
ASSERT(SIMDTEXT_REASON_BINARY_NUL == 9 && SIMDTEXT_REASON_BINARY_CONTROL == 10);
ASSERT(SIMDTEXT_REASON_IMPLAUSIBLE == 11 && SIMDTEXT_REASON_OTHER == 12);
ASSERT(SIMDTEXT_SEGMENT_ASCII == 0 && SIMDTEXT_SEGMENT_UTF8 == 1 && SIMDTEXT_SEGMENT_ESCAPES == 2);
ASSERT(SIMDTEXT_SEGMENT_FIRST_OF_LIST == 3 && SIMDTEXT_SEGMENT_OTHERWISE == 4);
ASSERT(SIMDTEXT_SIGN_NONE == 0 && SIMDTEXT_SIGN_NUL == 1 && SIMDTEXT_SIGN_CONTROL == 2);
ASSERT(SIMDTEXT_PERCENT_ENCODE_C0_CONTROL == 0 && SIMDTEXT_PERCENT_ENCODE_FRAGMENT == 1);
ASSERT(SIMDTEXT_PERCENT_ENCODE_QUERY == 2 && SIMDTEXT_PERCENT_ENCODE_SPECIAL_QUERY == 3);
ASSERT(SIMDTEXT_PERCENT_ENCODE_PATH == 4 && SIMDTEXT_PERCENT_ENCODE_USERINFO == 5);
ASSERT(SIMDTEXT_PERCENT_ENCODE_COMPONENT == 6 && SIMDTEXT_PERCENT_ENCODE_FORM == 7);

/* With 64-bit pointers. */
#if UINTPTR_MAX == UINT64_MAX
ASSERT(sizeof(simdtext_fault) == 24 && offsetof(simdtext_fault, offset) == 0);
ASSERT(offsetof(simdtext_fault, len) == 8 && offsetof(simdtext_fault, character) == 12);
ASSERT(offsetof(simdtext_fault, bytes) == 16);
ASSERT(sizeof(simdtext_result) == 64 && offsetof(simdtext_result, status) == 0);
ASSERT(offsetof(simdtext_result, read) == 8 && offsetof(simdtext_result, encoding) == 16);
ASSERT(offsetof(simdtext_result, written) == 24 && offsetof(simdtext_result, fault) == 32);
ASSERT(offsetof(simdtext_result, errors) == 56);
ASSERT(sizeof(simdtext_allocator) == 24 && offsetof(simdtext_allocator, allocate) == 0);
ASSERT(offsetof(simdtext_allocator, release) == 8 && offsetof(simdtext_allocator, context) == 16);
ASSERT(sizeof(simdtext_hints) == 56 && offsetof(simdtext_hints, override_label) == 16);
ASSERT(offsetof(simdtext_hints, environment) == 32 && offsetof(simdtext_hints, fallback) == 40);
ASSERT(offsetof(simdtext_hints, format) == 48 && offsetof(simdtext_hints, late_meta) == 52);
ASSERT(sizeof(simdtext_decision) == 24 && offsetof(simdtext_decision, bom_len) == 8);
ASSERT(offsetof(simdtext_decision, evidence) == 16 && offsetof(simdtext_decision, confidence) == 20);
ASSERT(sizeof(simdtext_detect_options) == 32 && offsetof(simdtext_detect_options, sample) == 16);
ASSERT(offsetof(simdtext_detect_options, no_utf8) == 24);
ASSERT(sizeof(simdtext_candidate) == 24 && offsetof(simdtext_candidate, malformed) == 8);
ASSERT(offsetof(simdtext_candidate, cost) == 16 && offsetof(simdtext_candidate, language) == 20);
ASSERT(sizeof(simdtext_segment) == 32 && offsetof(simdtext_segment, end) == 8);
ASSERT(offsetof(simdtext_segment, encoding) == 16 && offsetof(simdtext_segment, reason) == 24);
ASSERT(sizeof(simdtext_binary) == 24 && offsetof(simdtext_binary, offset) == 0);
ASSERT(offsetof(simdtext_binary, count) == 8 && offsetof(simdtext_binary, sign) == 16);
ASSERT(sizeof(simdtext_range) == 16 && offsetof(simdtext_range, start) == 0 && offsetof(simdtext_range, end) == 8);
ASSERT(sizeof(simdtext_guess) == 248 && offsetof(simdtext_guess, reason) == 16);
ASSERT(offsetof(simdtext_guess, margin) == 20 && offsetof(simdtext_guess, binary_offset) == 24);
ASSERT(offsetof(simdtext_guess, binary_count) == 32 && offsetof(simdtext_guess, candidate_count) == 40);
ASSERT(offsetof(simdtext_guess, candidates) == 48 && offsetof(simdtext_guess, language) == 240);
#endif
