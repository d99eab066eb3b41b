// Calls everything in simdtext.hpp.
#include <simdtext.hpp>

#include <cstdio>
#include <utility>

using namespace simdtext;

static int failed = 0;

#define CHECK(what)                                                   \
    do {                                                              \
        if (!(what)) {                                                \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
            failed++;                                                 \
        }                                                             \
    } while (0)

// The offset of the fault that `call` reports, or -1.
template <class Call>
static long long fault_of(Call call) {
    try {
        call();
    } catch (const Error &error) {
        return static_cast<long long>(error.fault().offset);
    }
    return -1;
}

// The message of the error that `call` throws.
template <class Call>
static std::string message_of(Call call) {
    try {
        call();
    } catch (const Error &error) {
        return error.what();
    }
    return "";
}

int main() {
    const Encoding gbk = *Encoding::for_label("GB2312");
    const Encoding utf8 = Encoding::utf8();
    CHECK(gbk.name() == "GBK" && gbk != utf8 && gbk.is_ascii_compatible() && !gbk.is_single_byte());
    CHECK(utf8 == *Encoding::for_bom("\xEF\xBB\xBF") && !Encoding::for_bom("") && !Encoding::for_label("latin-1"));

    CHECK(decode(gbk, "\xC4\xE3\xBA\xC3").text == "你好");
    CHECK(decode_to_utf16(gbk, "\xC4\xE3\xBA\xC3").text == u"你好");
    const auto marked = decode(gbk, "\xEF\xBB\xBF\xFFz");
    CHECK(marked.text == "\uFFFDz" && marked.errors == 1 && marked.encoding == utf8);
    CHECK(decode(gbk, "").text.empty());
    CHECK(fault_of([&] { decode(gbk, "a\xFF", Bom::Keep, Malformed::Stop); }) == 1);

    CHECK(encode(gbk, "€你") == "\x80\xC4\xE3" && encode(gbk, u"你") == "\xC4\xE3");
    CHECK(encode(gbk, "💩", Unmappable::Ncr) == "&#128169;" && encode(gbk, "💩", Unmappable::Replace) == "?");
    CHECK(encode(gbk, u"a💩", Unmappable::Skip) == "a");
    CHECK(fault_of([&] { encode(gbk, "a💩"); }) == 1);
    CHECK(fault_of([&] { encode(gbk, "ab\xFF"); }) == 2);
    CHECK(message_of([&] { decode(gbk, "a\xFF", Bom::Keep, Malformed::Stop); }) ==
          "simdtext: malformed text at offset 1");
    CHECK(message_of([&] { encode(gbk, "a💩"); }) == "simdtext: unmappable character U+1F4A9 at offset 1");
    CHECK(message_of([] { encode(*Encoding::for_label("latin2"), "ñ"); }) ==
          "simdtext: unmappable character U+00F1 at offset 0");
    std::string refused;
    try {
        encode(*Encoding::for_label("replacement"), "a");
    } catch (const std::invalid_argument &error) {
        refused = error.what();
    }
    CHECK(refused == "simdtext: the encoding has no encoder");

    // Streams, cut inside of characters, moved, and going on after a fault.
    Decoder first(gbk, Bom::Sniff, Malformed::Stop);
    std::u16string text;
    first.decode("\xC4", text, false);
    Decoder decoder = std::move(first);
    std::string_view rest = "\xE3\xFF\xBA\xC3";
    CHECK(fault_of([&] { decoder.decode(rest, text, true); }) == 2 && rest.size() == 2 && text == u"你");
    decoder.decode(rest, text, true);
    CHECK(text == u"你好" && rest.empty() && decoder.encoding() == gbk);
    decoder.reset();

    Encoder encoder(gbk, Unmappable::Ncr);
    std::string bytes;
    CHECK(encoder.encode("\xE4\xBD", bytes, false) == 0 && encoder.encode("\xA0💩", bytes, true) == 1);
    CHECK(bytes == "\xC4\xE3&#128169;" && encoder.encoding() == gbk);
    // Views that can't be shortened.
    const std::string_view piece = "\xC4\xE3", utf8_piece = "你";
    const std::u16string_view utf16_piece = u"你";
    std::string utf8_text;
    text.clear();
    bytes.clear();
    CHECK(decoder.decode(piece, text, true) == 0 && text == u"你" && piece.size() == 2);
    CHECK(decoder.decode(piece, utf8_text, true) == 0 && utf8_text == "你");
    encoder.encode(utf8_piece, bytes, true);
    encoder.reset();
    encoder.encode(utf16_piece, bytes, true);
    CHECK(bytes == "\xC4\xE3\xC4\xE3");
    const std::string many(100000, '\x80');
    CHECK(decode(gbk, many).text.size() == 300000 && encode(gbk, decode(gbk, many).text) == many);

    CHECK(is_utf8("é") && !is_utf8("\xFF") && is_utf16(u"é") && !is_utf16(std::u16string(1, char16_t(0xD800))));
    CHECK(to_utf16("é💩\xFF") == u"é💩\uFFFD" && to_utf8(u"é💩") == "é💩" && to_utf8(u"").empty());
    CHECK(to_utf8(std::u16string(1, char16_t(0xD800))) == "\uFFFD");
    CHECK(fault_of([] { to_utf16("a\xFF", Malformed::Stop); }) == 1);

    CHECK(Encoding(sniff("<?xml version='1.0' encoding='gbk'?>", true).encoding) == gbk);
    CHECK(Encoding(detect("naïve", true).encoding) == utf8);
    CHECK(first_valid({gbk}, "\xC4\xE3") == gbk && first_valid({gbk}, "a") == utf8 && !first_valid({}, "\xFF"));
    const Encoding latin1 = *Encoding::for_label("latin1");
    CHECK(undo_double_encoding(latin1, "Ã©") == "é" && !undo_double_encoding(latin1, "é"));
    CHECK(percent_encode_after_encoding(gbk, "你 ☃", SIMDTEXT_PERCENT_ENCODE_FORM, true) == "%C4%E3+%26%239731%3B");
    CHECK(percent_encode_after_encoding(gbk, "", SIMDTEXT_PERCENT_ENCODE_PATH).empty());
    const std::string zeros(100, '\0');
    CHECK(is_binary(zeros + "a") && !is_binary("text") && !is_binary(std::string_view("a\0b\0", 4), Encoding::for_label("utf-16")));

    Detector first_detector;
    CHECK(first_detector.feed("na\xC3") && first_detector.guess().candidate_count > 0);
    Detector detector = std::move(first_detector);
    CHECK(detector.feed("\xAFve") && detector.finish().reason == SIMDTEXT_REASON_UTF8);
    detector.reset();
    CHECK(!detector.feed(std::string_view("\xFE\xFF\0a\0b", 6)) && Encoding(detector.finish().encoding).name() == "UTF-16BE");

    OffsetMap map(gbk);
    const std::string_view source = "\xC4\xE3\xBA\xC3\xFF!";
    std::string mapped;
    CHECK(map.decode(source.substr(0, 3), mapped, false) == 0 && map.decode(source.substr(3), mapped, true) == 1);
    CHECK(mapped == "你好\uFFFD!" && map.encoding() == gbk);
    CHECK(map.source_range(source, 3, 6)->start == 2 && map.source_range(source, 3, 9)->end == 5);
    CHECK(map.text_offset(source, 3) == 3 && map.text_offset(source, 6) == 10 && !map.text_offset(source, 7));
    CHECK(!map.source_range(source, 0, 11));
    const std::string stored = map.to_bytes();
    OffsetMap loaded = OffsetMap::from_bytes(stored);
    CHECK(loaded.source_range(source, 3, 6)->start == 2 && loaded.encoding() == gbk && loaded.to_bytes() == stored);
    bool threw = false;
    try {
        OffsetMap::from_bytes(stored.substr(1));
    } catch (const std::invalid_argument &) {
        threw = true;
    }
    CHECK(threw);
    std::printf("simdtext.hpp: %d failed\n", failed);
    return failed != 0;
}
