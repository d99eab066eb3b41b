// Prints the encoding of files, and how long they would be as UTF-16:  detect FILE...
#include <fstream>
#include <iostream>
#include <iterator>
#include <simdtext.hpp>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        std::ifstream file(argv[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const simdtext_guess guess = simdtext::detect(bytes, true);
        if (guess.encoding == nullptr) {
            std::cout << argv[i] << ": no text\n";
            continue;
        }
        const simdtext::Encoding encoding(guess.encoding);
        const auto decoded = simdtext::decode_to_utf16(encoding, bytes);
        std::cout << argv[i] << ": " << encoding.name() << ", " << decoded.text.size() << " code units, "
                  << decoded.errors << " malformed\n";
    }
}
