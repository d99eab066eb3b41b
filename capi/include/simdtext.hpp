// simdtext for C++17: strings in, strings out, streams that free themselves. It only has inline code over simdtext.h,
// which says more about each function.
#ifndef SIMDTEXT_HPP
#define SIMDTEXT_HPP

#include <cstdio>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "simdtext.h"

namespace simdtext {

enum class Bom : uint32_t { Sniff = SIMDTEXT_BOM_SNIFF, Strip = SIMDTEXT_BOM_STRIP, Keep = SIMDTEXT_BOM_KEEP };

enum class Malformed : uint32_t { Replace = SIMDTEXT_MALFORMED_REPLACE, Stop = SIMDTEXT_MALFORMED_STOP };

enum class Unmappable : uint32_t {
    Stop = SIMDTEXT_UNMAPPABLE_STOP,
    Ncr = SIMDTEXT_UNMAPPABLE_NCR,
    Replace = SIMDTEXT_UNMAPPABLE_REPLACE,
    Skip = SIMDTEXT_UNMAPPABLE_SKIP
};

// What is malformed or unmappable, and where it is.
using Fault = simdtext_fault;

// Thrown if the policy is to stop. `what` says what is wrong and at which offset: in bytes, or in code units of UTF-16.
class Error : public std::runtime_error {
  public:
    Error(const std::string &what, const Fault &fault) : std::runtime_error(what), fault_(fault) {}
    const Fault &fault() const noexcept { return fault_; }

  private:
    Fault fault_;
};

namespace detail {

inline std::string at_offset(const std::string &what, const Fault &fault) {
    return "simdtext: " + what + " at offset " + std::to_string(fault.offset);
}

// As the standard writes it, such as U+00E9.
inline std::string code_point(simdtext_char32 character) {
    char name[24];
    std::snprintf(name, sizeof name, "U+%04lX", static_cast<unsigned long>(character));
    return name;
}

// Returns if a call has read all of its input or filled its output, and throws otherwise.
inline void check(const simdtext_result &done) {
    switch (done.status) {
    case SIMDTEXT_STATUS_OK:
    case SIMDTEXT_STATUS_OUTPUT_FULL: return;
    case SIMDTEXT_STATUS_MALFORMED: throw Error(at_offset("malformed text", done.fault), done.fault);
    case SIMDTEXT_STATUS_UNMAPPABLE:
        throw Error(at_offset("unmappable character " + code_point(done.fault.character), done.fault), done.fault);
    case SIMDTEXT_STATUS_OUT_OF_MEMORY: throw std::bad_alloc();
    case SIMDTEXT_STATUS_PANIC: throw std::logic_error("simdtext: a defect of the library");
    default: throw std::invalid_argument(std::string("simdtext: ") + simdtext_status_message(done.status));
    }
}

inline void check(simdtext_status status) {
    simdtext_result done = {};
    done.status = status;
    check(done);
}

// Appends what `call` writes, with room for `room` units at first, and for as many more whenever that is too little.
template <class String, class Call>
simdtext_result append(String &out, std::size_t room, Call call) {
    for (;;) {
        const std::size_t before = out.size();
        out.resize(before + room);
        const simdtext_result done = call(out.data() + before, room);
        out.resize(before + done.written);
        if (done.status != SIMDTEXT_STATUS_OUTPUT_FULL) {
            return done;
        }
    }
}

inline simdtext_bom c(Bom bom) { return static_cast<simdtext_bom>(bom); }
inline simdtext_malformed c(Malformed malformed) { return static_cast<simdtext_malformed>(malformed); }
inline simdtext_unmappable c(Unmappable unmappable) { return static_cast<simdtext_unmappable>(unmappable); }

} // namespace detail

// One of the forty encodings of the standard. Copied and compared like a pointer.
class Encoding {
  public:
    // The encoding that a label means, if it is one.
    static std::optional<Encoding> for_label(std::string_view label) noexcept {
        return optional(simdtext_encoding_for_label(label.data(), label.size()));
    }
    // The encoding of the byte order mark at the start of `bytes`, if there is one.
    static std::optional<Encoding> for_bom(std::string_view bytes) noexcept {
        return optional(simdtext_encoding_for_bom(bytes.data(), bytes.size(), nullptr));
    }
    static Encoding utf8() noexcept { return Encoding(simdtext_encoding_at(0)); }

    // From the C API; not null.
    explicit Encoding(const simdtext_encoding *encoding) noexcept : encoding_(encoding) {}
    const simdtext_encoding *get() const noexcept { return encoding_; }

    std::string_view name() const noexcept { return simdtext_encoding_name(encoding_); }
    bool is_single_byte() const noexcept { return simdtext_encoding_is_single_byte(encoding_); }
    bool is_ascii_compatible() const noexcept { return simdtext_encoding_is_ascii_compatible(encoding_); }
    bool can_encode() const noexcept { return simdtext_encoding_can_encode(encoding_); }

    friend bool operator==(Encoding a, Encoding b) noexcept { return a.encoding_ == b.encoding_; }
    friend bool operator!=(Encoding a, Encoding b) noexcept { return !(a == b); }

  private:
    static std::optional<Encoding> optional(const simdtext_encoding *encoding) noexcept {
        return encoding == nullptr ? std::nullopt : std::optional<Encoding>(Encoding(encoding));
    }

    const simdtext_encoding *encoding_;
};

// A stream that is decoded piece by piece. Moved, not copied; for one thread at a time.
class Decoder {
  public:
    explicit Decoder(Encoding encoding, Bom bom = Bom::Sniff, Malformed malformed = Malformed::Replace)
        : decoder_(simdtext_decoder_new(encoding.get(), detail::c(bom), detail::c(malformed), nullptr)) {
        if (decoder_ == nullptr) {
            throw std::bad_alloc();
        }
    }

    // Decodes `bytes` and appends the text. Returns the number of malformed sequences. If it throws Error, the text
    // before it was appended and `bytes` is shorter by what was read: the next call goes on after the fault.
    std::size_t decode(std::string_view &bytes, std::string &out, bool last) {
        return decode_by(simdtext_decoder_decode_to_utf8, bytes, out, last);
    }
    std::size_t decode(std::string_view &bytes, std::u16string &out, bool last) {
        return decode_by(simdtext_decoder_decode_to_utf16, bytes, out, last);
    }
    // The same for bytes that can't be shortened, which are all read unless it throws.
    template <class String>
    std::size_t decode(const std::string_view &bytes, String &out, bool last) {
        std::string_view rest = bytes;
        return decode(rest, out, last);
    }

    // The encoding, which a byte order mark may have changed.
    Encoding encoding() const noexcept { return Encoding(simdtext_decoder_encoding(decoder_.get())); }
    void reset() noexcept { simdtext_decoder_reset(decoder_.get()); }
    simdtext_decoder *get() const noexcept { return decoder_.get(); }

  private:
    template <class Call, class String>
    std::size_t decode_by(Call call, std::string_view &bytes, String &out, bool last) {
        std::size_t errors = 0;
        const auto piece = [&](auto *dst, std::size_t room) {
            const simdtext_result done = call(decoder_.get(), bytes.data(), bytes.size(), dst, room, last);
            bytes.remove_prefix(done.read);
            errors += done.errors;
            return done;
        };
        detail::check(detail::append(out, bytes.size() + bytes.size() / 2 + 16, piece));
        return errors;
    }

    struct Free {
        void operator()(simdtext_decoder *decoder) const noexcept { simdtext_decoder_free(decoder); }
    };
    std::unique_ptr<simdtext_decoder, Free> decoder_;
};

// A stream of text, either UTF-8 or UTF-16 from start to end, that is encoded piece by piece. Moved, not copied; for
// one thread at a time.
class Encoder {
  public:
    explicit Encoder(Encoding encoding, Unmappable unmappable = Unmappable::Stop)
        : encoder_(simdtext_encoder_new(encoding.get(), detail::c(unmappable), nullptr)) {
        if (!encoding.can_encode()) {
            throw std::invalid_argument("simdtext: the encoding has no encoder");
        }
        if (encoder_ == nullptr) {
            throw std::bad_alloc();
        }
    }

    // Encodes `text` and appends the bytes. Returns the number of errors. If it throws Error, the bytes before it were
    // appended and `text` is shorter by what was read: the next call goes on after the fault.
    std::size_t encode(std::string_view &text, std::string &out, bool last) {
        return encode_by(simdtext_encoder_encode_from_utf8, text, out, last);
    }
    std::size_t encode(std::u16string_view &text, std::string &out, bool last) {
        return encode_by(simdtext_encoder_encode_from_utf16, text, out, last);
    }
    // The same for text that can't be shortened, which is all read unless it throws.
    std::size_t encode(const std::string_view &text, std::string &out, bool last) {
        std::string_view rest = text;
        return encode(rest, out, last);
    }
    std::size_t encode(const std::u16string_view &text, std::string &out, bool last) {
        std::u16string_view rest = text;
        return encode(rest, out, last);
    }

    Encoding encoding() const noexcept { return Encoding(simdtext_encoder_encoding(encoder_.get())); }
    void reset() noexcept { simdtext_encoder_reset(encoder_.get()); }
    simdtext_encoder *get() const noexcept { return encoder_.get(); }

  private:
    template <class Call, class View>
    std::size_t encode_by(Call call, View &text, std::string &out, bool last) {
        std::size_t errors = 0;
        const auto piece = [&](char *dst, std::size_t room) {
            const simdtext_result done = call(encoder_.get(), text.data(), text.size(), dst, room, last);
            text.remove_prefix(done.read);
            errors += done.errors;
            return done;
        };
        detail::check(detail::append(out, text.size() + 16, piece));
        return errors;
    }

    struct Free {
        void operator()(simdtext_encoder *encoder) const noexcept { simdtext_encoder_free(encoder); }
    };
    std::unique_ptr<simdtext_encoder, Free> encoder_;
};

// A text that was decoded.
template <class String>
struct Decoded {
    String text;
    // The number of malformed sequences, each of which became U+FFFD.
    std::size_t errors = 0;
    // The encoding, which a byte order mark may have changed.
    Encoding encoding = Encoding::utf8();
};

// Decodes all of `bytes`. Throws Error at the first malformed sequence with Malformed::Stop.
template <class String = std::string>
Decoded<String> decode(Encoding encoding, std::string_view bytes, Bom bom = Bom::Sniff,
                       Malformed malformed = Malformed::Replace) {
    Decoder decoder(encoding, bom, malformed);
    Decoded<String> decoded;
    decoded.errors = decoder.decode(bytes, decoded.text, true);
    decoded.encoding = decoder.encoding();
    return decoded;
}

inline Decoded<std::u16string> decode_to_utf16(Encoding encoding, std::string_view bytes, Bom bom = Bom::Sniff,
                                               Malformed malformed = Malformed::Replace) {
    return decode<std::u16string>(encoding, bytes, bom, malformed);
}

// Encodes all of `text`. Throws Error at the first unmappable character with Unmappable::Stop.
inline std::string encode(Encoding encoding, std::string_view text, Unmappable unmappable = Unmappable::Stop) {
    std::string out;
    Encoder(encoding, unmappable).encode(text, out, true);
    return out;
}
inline std::string encode(Encoding encoding, std::u16string_view text, Unmappable unmappable = Unmappable::Stop) {
    std::string out;
    Encoder(encoding, unmappable).encode(text, out, true);
    return out;
}

inline bool is_utf8(std::string_view text) noexcept { return simdtext_validate_utf8(text.data(), text.size()); }
inline bool is_utf16(std::u16string_view text) noexcept { return simdtext_validate_utf16(text.data(), text.size()); }

// UTF-8 to UTF-16. Throws Error at the first malformed sequence with Malformed::Stop.
inline std::u16string to_utf16(std::string_view text, Malformed malformed = Malformed::Replace) {
    std::u16string out(text.size(), u'\0');
    const simdtext_result done =
        simdtext_utf8_to_utf16(text.data(), text.size(), out.data(), out.size(), detail::c(malformed));
    detail::check(done);
    out.resize(done.written);
    return out;
}

// UTF-16 to UTF-8. Throws Error at the first lone surrogate with Malformed::Stop.
inline std::string to_utf8(std::u16string_view text, Malformed malformed = Malformed::Replace) {
    std::string out(simdtext_utf8_len_from_utf16(text.data(), text.size()), '\0');
    const simdtext_result done =
        simdtext_utf16_to_utf8(text.data(), text.size(), out.data(), out.size(), detail::c(malformed));
    detail::check(done);
    out.resize(done.written);
    return out;
}

// The encoding that a document, or what refers to it, declares; see simdtext_sniff.
inline simdtext_decision sniff(std::string_view head, bool complete, const simdtext_hints *hints = nullptr) {
    simdtext_decision decision;
    if (simdtext_sniff(head.data(), head.size(), complete, hints, &decision) != SIMDTEXT_STATUS_OK) {
        throw std::invalid_argument("simdtext: invalid hints");
    }
    return decision;
}

// Whether `bytes` are not text; see simdtext_is_binary. Their encoding need not be known.
inline bool is_binary(std::string_view bytes, std::optional<Encoding> encoding = std::nullopt,
                      simdtext_binary *binary = nullptr) noexcept {
    const simdtext_encoding *named = encoding.has_value() ? encoding->get() : nullptr;
    return simdtext_is_binary(named, bytes.data(), bytes.size(), binary);
}

// Encodes `text` for a URL or a form; see simdtext_percent_encode_after_encoding.
inline std::string percent_encode_after_encoding(Encoding encoding, std::string_view text,
                                                 simdtext_percent_encode_set set, bool space_as_plus = false) {
    const simdtext_result counted =
        simdtext_percent_encoded_len(encoding.get(), text.data(), text.size(), set, space_as_plus);
    detail::check(counted);
    std::string out(counted.written, '\0');
    detail::check(simdtext_percent_encode_after_encoding(encoding.get(), text.data(), text.size(), out.data(), out.size(),
                                                         set, space_as_plus));
    return out;
}

// UTF-8, or else the first of `encodings` in which nothing is malformed, if there is one; see simdtext_first_valid_decide.
inline std::optional<Encoding> first_valid(std::initializer_list<Encoding> encodings, std::string_view bytes) {
    std::vector<const simdtext_encoding *> list;
    for (const Encoding encoding : encodings) {
        list.push_back(encoding.get());
    }
    const auto *found = simdtext_first_valid_decide(list.data(), list.size(), bytes.data(), bytes.size());
    return found == nullptr ? std::nullopt : std::optional<Encoding>(Encoding(found));
}

// What `text` was before it was read as `read_as` and written as UTF-8 again ("Ã©" for "é"), if it was; see
// simdtext_is_double_encoded.
inline std::optional<std::string> undo_double_encoding(Encoding read_as, std::string_view text) {
    if (!simdtext_is_double_encoded(read_as.get(), text.data(), text.size())) {
        return std::nullopt;
    }
    return encode(read_as, text);
}

// A guess; see simdtext_detect. Its encoding is null for bytes that are not text.
inline simdtext_guess detect(std::string_view bytes, bool complete,
                             const simdtext_detect_options *options = nullptr) {
    simdtext_guess guess;
    if (simdtext_detect(bytes.data(), bytes.size(), complete, options, &guess) != SIMDTEXT_STATUS_OK) {
        throw std::invalid_argument("simdtext: invalid options");
    }
    return guess;
}

// Guesses the encoding of bytes that come in pieces; see simdtext_detector. Moved, not copied; for one thread at a time.
class Detector {
  public:
    explicit Detector(const simdtext_detect_options *options = nullptr, std::size_t limit = 0)
        : detector_(simdtext_detector_new(options, limit)) {
        if (detector_ == nullptr) {
            throw std::bad_alloc();
        }
    }

    // Takes the next bytes. Returns whether it needs more.
    bool feed(std::string_view bytes) {
        if (simdtext_detector_feed(detector_.get(), bytes.data(), bytes.size()) != SIMDTEXT_STATUS_OK) {
            throw std::bad_alloc();
        }
        return !simdtext_detector_is_decided(detector_.get());
    }
    // The guess if more bytes follow.
    simdtext_guess guess() const noexcept { return answer(simdtext_detector_guess); }
    // The guess if nothing follows.
    simdtext_guess finish() const noexcept { return answer(simdtext_detector_finish); }
    void reset() noexcept { simdtext_detector_reset(detector_.get()); }

  private:
    template <class Call>
    simdtext_guess answer(Call call) const noexcept {
        simdtext_guess guess = {};
        call(detector_.get(), &guess);
        return guess;
    }

    struct Free {
        void operator()(simdtext_detector *detector) const noexcept { simdtext_detector_free(detector); }
    };
    std::unique_ptr<simdtext_detector, Free> detector_;
};

// A document that is decoded piece by piece, and a map between positions in its text and in its bytes; see
// simdtext_offset_map. Moved, not copied.
class OffsetMap {
  public:
    explicit OffsetMap(Encoding encoding, Bom bom = Bom::Sniff, std::size_t spacing = 0)
        : map_(simdtext_offset_map_new(encoding.get(), detail::c(bom), spacing)) {
        if (map_ == nullptr) {
            throw std::bad_alloc();
        }
    }

    // Decodes the next bytes and appends the text. Returns the number of malformed sequences.
    std::size_t decode(std::string_view bytes, std::string &out, bool last) {
        std::size_t errors = 0;
        const auto piece = [&](char *dst, std::size_t room) {
            const simdtext_result done =
                simdtext_offset_map_decode_to_utf8(map_.get(), bytes.data(), bytes.size(), dst, room, last);
            bytes.remove_prefix(done.read);
            errors += done.errors;
            return done;
        };
        detail::check(detail::append(out, bytes.size() + bytes.size() / 2 + 16, piece));
        return errors;
    }

    // The bytes of `source` that the text from `start` to `end` was decoded from, if it has this part.
    std::optional<simdtext_range> source_range(std::string_view source, uint64_t start, uint64_t end) const noexcept {
        simdtext_range range = {};
        const simdtext_status status =
            simdtext_offset_map_source_range(map_.get(), source.data(), source.size(), start, end, &range);
        return status == SIMDTEXT_STATUS_OK ? std::optional<simdtext_range>(range) : std::nullopt;
    }
    // The offset in the text of what the byte at `offset` of `source` became, if it was decoded.
    std::optional<uint64_t> text_offset(std::string_view source, uint64_t offset) const noexcept {
        const uint64_t found = simdtext_offset_map_text_offset(map_.get(), source.data(), source.size(), offset);
        return found == UINT64_MAX ? std::nullopt : std::optional<uint64_t>(found);
    }
    // The encoding, which a byte order mark may have changed.
    Encoding encoding() const noexcept { return Encoding(simdtext_offset_map_encoding(map_.get())); }

    // The map as bytes, to be kept with an index, and the map from such bytes, which throws std::invalid_argument if
    // they are something else.
    std::string to_bytes() const {
        void *bytes = nullptr;
        std::size_t len = 0;
        detail::check(simdtext_offset_map_to_new_bytes(map_.get(), &bytes, &len, nullptr));
        const std::unique_ptr<void, void (*)(void *)> owned(bytes, [](void *memory) { simdtext_free(memory, nullptr); });
        return std::string(static_cast<const char *>(bytes), len);
    }
    static OffsetMap from_bytes(std::string_view bytes) {
        simdtext_offset_map *map = nullptr;
        detail::check(simdtext_offset_map_from_bytes(bytes.data(), bytes.size(), &map));
        return OffsetMap(map);
    }

  private:
    explicit OffsetMap(simdtext_offset_map *map) noexcept : map_(map) {}

    struct Free {
        void operator()(simdtext_offset_map *map) const noexcept { simdtext_offset_map_free(map); }
    };
    std::unique_ptr<simdtext_offset_map, Free> map_;
};

} // namespace simdtext

#endif
