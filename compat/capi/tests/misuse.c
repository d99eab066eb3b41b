/* Misuse that encoding_c leaves undefined: it must end the process with SIGABRT, and have no other effect.
 * Each case runs in a process of its own. Calls that are defined here must return.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <uchar.h>
#include <unistd.h>

#include "encoding_rs.h"
#include "encoding_rs_mem.h"

static uint8_t bytes[64];
static char16_t units[64];

static void null_encoding(void) { (void)encoding_new_decoder(NULL); }

static void null_decoder(void) {
  size_t read = 1, written = 1;
  (void)decoder_decode_to_utf8_without_replacement(NULL, bytes, &read, bytes + 8, &written, true);
}

static void null_length(void) { (void)encoding_for_bom(bytes, NULL); }

static void null_flag(void) {
  Decoder* decoder = encoding_new_decoder(UTF_8_ENCODING);
  size_t read = 1, written = 8;
  (void)decoder_decode_to_utf8(decoder, bytes, &read, bytes + 8, &written, true, NULL);
}

static void null_buffer(void) { (void)encoding_for_label(NULL, 3); }

static void misaligned_buffer(void) { (void)encoding_mem_is_basic_latin((const char16_t*)(const void*)(bytes + 1), 3); }

static void endless_buffer(void) { (void)encoding_mem_is_utf16_bidi(units, SIZE_MAX / 2); }

static void short_output(void) { (void)encoding_mem_convert_utf16_to_utf8(units, 20, (char*)bytes, 20); }

static void finished_decoder(void) {
  Decoder* decoder = encoding_new_decoder_without_bom_handling(SHIFT_JIS_ENCODING);
  for (int i = 0; i < 2; i++) {
    size_t read = 4, written = 32;
    (void)decoder_decode_to_utf8_without_replacement(decoder, bytes, &read, bytes + 8, &written, true);
  }
}

static void nothing(void) {
  size_t read = 0, written = 0;
  Decoder* decoder = encoding_new_decoder(SHIFT_JIS_ENCODING);
  uint32_t result = decoder_decode_to_utf16_without_replacement(decoder, NULL, &read, NULL, &written, false);
  if (result != INPUT_EMPTY || read + written != 0 || encoding_for_label(NULL, 0) != NULL ||
      encoding_utf8_valid_up_to(NULL, 0) != 0 || encoding_mem_convert_utf16_to_utf8(NULL, 0, NULL, 0) != 0) {
    raise(SIGTERM);
  }
  encoding_mem_ensure_utf16_validity(NULL, 0);
  decoder_free(decoder);
  decoder_free(NULL);
  encoder_free(NULL);
}

/* Runs a case, and returns the signal that ended it, or 0. */
static int signal_of(void (*misuse)(void)) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr);
    misuse();
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("misuse");
    exit(2);
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void) {
  static const struct {
    const char* name;
    void (*run)(void);
    int signal;
  } cases[] = {
      {"a NULL encoding", null_encoding, SIGABRT},        {"a NULL decoder", null_decoder, SIGABRT},
      {"a NULL length", null_length, SIGABRT},            {"a NULL flag", null_flag, SIGABRT},
      {"a NULL buffer", null_buffer, SIGABRT},            {"a misaligned buffer", misaligned_buffer, SIGABRT},
      {"an endless buffer", endless_buffer, SIGABRT},     {"a short output", short_output, SIGABRT},
      {"a finished decoder", finished_decoder, SIGABRT},  {"NULL with the length 0", nothing, 0},
  };
  int failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int signal = signal_of(cases[i].run);
    if (signal != cases[i].signal) {
      printf("%s: signal %d, expected %d\n", cases[i].name, signal, cases[i].signal);
      failed = 1;
    }
  }
  return failed;
}
