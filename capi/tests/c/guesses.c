#include "check.h"

static void sniffing(void) {
    simdtext_decision decision;
    const char sheet[] = "@charset \"koi8-r\"; q {}";
    CHECK(simdtext_sniff(sheet, sizeof sheet - 1, true, NULL, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("koi8-r") && decision.evidence == SIMDTEXT_EVIDENCE_PRESCAN);
    CHECK(decision.confidence == SIMDTEXT_CONFIDENCE_CERTAIN && decision.bom_len == 0);

    simdtext_hints hints;
    memset(&hints, 0, sizeof hints);
    hints.transport = "text/html; charset=EUC-JP";
    hints.transport_len = strlen(hints.transport);
    CHECK(simdtext_sniff("<p>", 3, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("euc-jp") && decision.evidence == SIMDTEXT_EVIDENCE_TRANSPORT);
    hints.override_label = "sjis, not with NUL";
    hints.override_label_len = 4;
    CHECK(simdtext_sniff("<p>", 3, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("shift_jis") && decision.evidence == SIMDTEXT_EVIDENCE_OVERRIDE);
    CHECK(simdtext_sniff("\xFF\xFE<", 3, false, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("utf-16le") && decision.bom_len == 2);
    CHECK(decision.evidence == SIMDTEXT_EVIDENCE_BOM);

    memset(&hints, 0, sizeof hints);
    hints.transport = "\xFF\xFE";
    hints.transport_len = 2;
    hints.environment = find("gbk");
    hints.fallback = find("big5");
    hints.format = SIMDTEXT_FORMAT_TEXT;
    CHECK(simdtext_sniff("\xFF", 1, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("gbk") && decision.evidence == SIMDTEXT_EVIDENCE_ENVIRONMENT);
    hints.environment = NULL;
    CHECK(simdtext_sniff("\xFF", 1, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("big5") && decision.evidence == SIMDTEXT_EVIDENCE_FALLBACK);
    CHECK(decision.confidence == SIMDTEXT_CONFIDENCE_TENTATIVE);
    CHECK(simdtext_sniff("é", 2, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("utf-8") && decision.evidence == SIMDTEXT_EVIDENCE_UTF8_VALID);

    /* A declaration after the first 1024 bytes, for which the caller has to ask. */
    char page[2048];
    static const char meta[] = "<meta charset=koi8-r>";
    memset(page, ' ', sizeof page);
    memcpy(page, "<p>", 3);
    memcpy(page + 1500, meta, sizeof meta - 1);
    hints.format = SIMDTEXT_FORMAT_HTML;
    CHECK(simdtext_sniff(page, sizeof page, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("big5") && decision.evidence == SIMDTEXT_EVIDENCE_FALLBACK);
    hints.late_meta = true;
    CHECK(simdtext_sniff(page, sizeof page, true, &hints, &decision) == SIMDTEXT_STATUS_OK);
    CHECK(decision.encoding == find("koi8-r") && decision.evidence == SIMDTEXT_EVIDENCE_LATE_META);
    CHECK(decision.confidence == SIMDTEXT_CONFIDENCE_TENTATIVE);

    hints.format = (simdtext_format)5;
    CHECK(simdtext_sniff("a", 1, true, &hints, &decision) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_sniff("a", 1, true, NULL, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_sniff(NULL, 1, true, NULL, &decision) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_sniff(NULL, 0, true, NULL, &decision) == SIMDTEXT_STATUS_OK);
}

static void detecting(void) {
    static const char text[] = "Все люди рождаются свободными и равными в своём достоинстве и правах.";
    void *bytes = NULL;
    simdtext_result done = simdtext_encode_new_from_utf8(find("windows-1251"), text, sizeof text - 1, &bytes,
                                                         SIMDTEXT_UNMAPPABLE_STOP, NULL);
    simdtext_guess guess;
    CHECK(simdtext_detect(bytes, done.written, true, NULL, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == find("windows-1251") && guess.evidence == SIMDTEXT_EVIDENCE_DETECTED);
    CHECK(guess.reason == SIMDTEXT_REASON_PLAUSIBLE && strcmp(guess.language, "ru") == 0 && guess.margin > 0);
    CHECK(guess.candidate_count > 1 && guess.candidate_count <= SIMDTEXT_MAX_CANDIDATES);
    CHECK(guess.candidates[0].encoding == guess.encoding && strcmp(guess.candidates[0].language, "ru") == 0);
    CHECK(guess.candidates[0].cost < guess.candidates[1].cost);
    free(bytes);

    simdtext_detect_options options;
    memset(&options, 0, sizeof options);
    options.tld = "jp";
    options.tld_len = 2;
    CHECK(simdtext_detect("naïve", 6, true, &options, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == find("utf-8") && guess.reason == SIMDTEXT_REASON_UTF8);
    CHECK(guess.confidence == SIMDTEXT_CONFIDENCE_CERTAIN && guess.candidate_count == 0);
    options.no_utf8 = true;
    options.sample = 1000;
    CHECK(simdtext_detect("naive", 5, true, &options, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == find("windows-1252") && guess.reason == SIMDTEXT_REASON_ASCII);

    static const char program[] = "\x7F" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3E";
    CHECK(simdtext_detect(program, sizeof program - 1, true, NULL, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == NULL && guess.reason == SIMDTEXT_REASON_BINARY_NUL && guess.binary_count > 0);
    CHECK(simdtext_detect("\0\0\xFE\xFF\0\0\0a", 8, true, NULL, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == NULL && guess.reason == SIMDTEXT_REASON_UTF32BE);
    CHECK(guess.evidence == SIMDTEXT_EVIDENCE_BOM);
    CHECK(simdtext_detect("\x1B$BF|\x1B(B", 8, true, NULL, &guess) == SIMDTEXT_STATUS_OK);
    CHECK(guess.encoding == find("iso-2022-jp") && guess.reason == SIMDTEXT_REASON_ESCAPES);
    CHECK(simdtext_detect(NULL, 1, true, NULL, &guess) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_detect("a", 1, true, NULL, NULL) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    options.tld = NULL;
    CHECK(simdtext_detect("a", 1, true, &options, &guess) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
}

void test_guesses(void) {
    sniffing();
    detecting();
}
