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

static void detecting_pieces(void) {
    static const char text[] = "Все люди рождаются свободными и равными в своём достоинстве и правах.";
    void *bytes = NULL;
    simdtext_result done = simdtext_encode_new_from_utf8(find("windows-1251"), text, sizeof text - 1, &bytes,
                                                         SIMDTEXT_UNMAPPABLE_STOP, NULL);
    simdtext_detect_options options;
    simdtext_guess whole, guess;
    memset(&options, 0, sizeof options);
    memset(&whole, 0, sizeof whole);
    memset(&guess, 0, sizeof guess);
    /* The detector keeps none of the options. */
    char tld[2] = {'R', 'U'};
    options.tld = tld;
    options.tld_len = 2;
    CHECK(simdtext_detect(bytes, done.written, true, &options, &whole) == SIMDTEXT_STATUS_OK);
    simdtext_detector *detector = simdtext_detector_new(&options, 0);
    memset(tld, 'z', sizeof tld);
    memset(&options, 0xFF, sizeof options);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < done.written; i++) {
            CHECK(!simdtext_detector_is_decided(detector));
            CHECK(simdtext_detector_feed(detector, (const char *)bytes + i, 1) == SIMDTEXT_STATUS_OK);
        }
        CHECK(simdtext_detector_guess(detector, &guess) == SIMDTEXT_STATUS_OK && guess.encoding == whole.encoding);
        CHECK(simdtext_detector_finish(detector, &guess) == SIMDTEXT_STATUS_OK);
        CHECK(guess.encoding == whole.encoding && guess.margin == whole.margin && guess.reason == whole.reason);
        CHECK(guess.candidate_count == whole.candidate_count);
        CHECK(memcmp(guess.candidates, whole.candidates, sizeof guess.candidates) == 0);
        CHECK(simdtext_detector_reset(detector) == SIMDTEXT_STATUS_OK);
    }
    /* What the first bytes decide. */
    CHECK(simdtext_detector_feed(detector, "\xFF\xFE" "a\0" "b\0", 6) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_detector_is_decided(detector));
    CHECK(simdtext_detector_finish(detector, &guess) == SIMDTEXT_STATUS_OK && guess.encoding == find("utf-16le"));
    CHECK(simdtext_detector_reset(detector) == SIMDTEXT_STATUS_OK && !simdtext_detector_is_decided(detector));
    CHECK(simdtext_detector_finish(detector, &guess) == SIMDTEXT_STATUS_OK && guess.reason == SIMDTEXT_REASON_ASCII);
    simdtext_detector_free(detector);
    free(bytes);

    /* With a limit it does not see what follows. */
    detector = simdtext_detector_new(NULL, 4);
    CHECK(simdtext_detector_feed(detector, "abcd", 4) == SIMDTEXT_STATUS_OK && !simdtext_detector_is_decided(detector));
    CHECK(simdtext_detector_feed(detector, "é", 2) == SIMDTEXT_STATUS_OK && simdtext_detector_is_decided(detector));
    CHECK(simdtext_detector_finish(detector, &guess) == SIMDTEXT_STATUS_OK && guess.reason == SIMDTEXT_REASON_ASCII);

    const simdtext_status invalid = SIMDTEXT_STATUS_INVALID_ARGUMENT;
    CHECK(simdtext_detector_feed(detector, NULL, 0) == SIMDTEXT_STATUS_OK);
    CHECK(simdtext_detector_feed(detector, NULL, 1) == invalid && simdtext_detector_feed(NULL, "a", 1) == invalid);
    CHECK(simdtext_detector_guess(detector, NULL) == invalid && simdtext_detector_guess(NULL, &guess) == invalid);
    CHECK(simdtext_detector_finish(detector, NULL) == invalid && simdtext_detector_finish(NULL, &guess) == invalid);
    CHECK(simdtext_detector_reset(NULL) == invalid && !simdtext_detector_is_decided(NULL));
    simdtext_detector_free(detector);
    simdtext_detector_free(NULL);
    memset(&options, 0, sizeof options);
    options.tld_len = 2;
    CHECK(simdtext_detector_new(&options, 0) == NULL);
}

static void binary(void) {
    static const char text[] = "\x1B[1mbold\x1B[0m, and a last block that is filled up\n\0\0\0\0\0\0";
    static const char numbers[] = "A header\n\x01\0\0\0\x80\x3F\0\0\0\0\xA0\x40\0\0\x01\x02";
    static const char utf16[] = "a\0b\0c\0d\0e\0f\0g\0h\0";
    simdtext_binary binary;
    CHECK(!simdtext_is_binary(NULL, text, sizeof text - 1, &binary));
    CHECK(binary.sign == SIMDTEXT_SIGN_NONE && binary.offset == 0 && binary.count == 0);
    CHECK(simdtext_is_binary(NULL, numbers, sizeof numbers - 1, &binary));
    CHECK(binary.sign == SIMDTEXT_SIGN_NUL && binary.offset == 10 && binary.count == 9);
    CHECK(simdtext_is_binary(find("gbk"), "\1\2\3\4\5\6\1\2", 8, &binary) && binary.sign == SIMDTEXT_SIGN_CONTROL);
    CHECK(simdtext_is_binary(NULL, utf16, 16, NULL) && !simdtext_is_binary(find("utf-16le"), utf16, 16, NULL));
    CHECK(!simdtext_is_binary(NULL, NULL, 0, NULL));
    binary.count = 99;
    CHECK(!simdtext_is_binary(NULL, NULL, 1, &binary) && binary.count == 99);

    simdtext_binary_scan *scan = simdtext_binary_scan_new(find("utf-16be"), NULL);
    for (size_t i = 0; i < sizeof numbers - 1; i++) {
        CHECK(simdtext_binary_scan_feed(scan, numbers + i, 1) == SIMDTEXT_STATUS_OK);
    }
    simdtext_binary whole;
    CHECK(simdtext_is_binary(find("utf-16be"), numbers, sizeof numbers - 1, &whole) ==
          simdtext_binary_scan_finish(scan, &binary));
    CHECK(whole.sign == binary.sign && whole.offset == binary.offset && whole.count == binary.count);
    simdtext_binary_scan_free(scan);

    scan = simdtext_binary_scan_new(NULL, NULL);
    CHECK(!simdtext_binary_scan_finish(scan, NULL) && !simdtext_binary_scan_is_decided(scan));
    for (int i = 0; i < 64 && !simdtext_binary_scan_is_decided(scan); i++) {
        CHECK(simdtext_binary_scan_feed(scan, numbers, sizeof numbers - 1) == SIMDTEXT_STATUS_OK);
    }
    CHECK(simdtext_binary_scan_is_decided(scan) && simdtext_binary_scan_finish(scan, &binary) && binary.offset == 10);
    CHECK(simdtext_binary_scan_feed(scan, NULL, 1) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(simdtext_binary_scan_feed(NULL, "a", 1) == SIMDTEXT_STATUS_INVALID_ARGUMENT);
    CHECK(!simdtext_binary_scan_finish(NULL, &binary) && !simdtext_binary_scan_is_decided(NULL));
    simdtext_binary_scan_free(scan);
    simdtext_binary_scan_free(NULL);
}

void test_guesses(void) {
    sniffing();
    detecting();
    detecting_pieces();
    binary();
}
