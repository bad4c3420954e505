/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the fuzz targets share. A target is one function that takes any bytes. libFuzzer calls it with bytes that it
 * makes up (script/fuzz); elsewhere replay.c calls it with the files of tests/fuzz/corpus/TARGET, as a test.
 *
 * A target checks more than that nothing crashes: a refusal leaves an empty answer and a sentence, and what was
 * accepted keeps its promises. */

#ifndef TOI_TESTS_FUZZ_H
#define TOI_TESTS_FUZZ_H

#include <toi/narrow.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The target; 0 always. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In every build type: says what does not hold, and aborts. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))
__attribute__((noreturn)) void fuzz_fail(const char *condition, const char *file, int line);

/* A context of one thread that may hold 16 MiB; a new one for each input, so that inputs do not depend on each other.
 */
toi_context *fuzz_context(void);

/* A call on this context failed: its sentence is there, one line of UTF-8 without control characters. */
void fuzz_refused(const toi_context *context, toi_status status);

/* --- files --- */

/* Writes a file and gives its path. It is called `name`, with .gz behind it if the bytes are gzip's, in a directory of
 * this process that is removed at the end. The path is valid until the second next call. */
const char *fuzz_file(const char *name, const uint8_t *bytes, size_t size);

/* The path of a file that is not written yet, as fuzz_file() gives it. */
const char *fuzz_path(const char *name);

/* --- bytes as numbers --- */

/* What is left of the input; past its end there are zeroes. */
typedef struct fuzz_bytes {
  const uint8_t *at;
  size_t left;
} fuzz_bytes;

uint8_t fuzz_byte(fuzz_bytes *bytes);

/* Below count. */
uint32_t fuzz_choice(fuzz_bytes *bytes, uint32_t count);

/* Any double, also one that is not finite. */
double fuzz_raw_double(fuzz_bytes *bytes);

/* How numbers are drawn: small whole ones, sixteenths, small ones times any power of two, or any finite double. */
typedef enum fuzz_style { FUZZ_WHOLE = 0, FUZZ_SIXTEENTHS, FUZZ_SCALED, FUZZ_ANY, FUZZ_STYLES } fuzz_style;

double fuzz_double(fuzz_bytes *bytes, fuzz_style style);

/* In [0, 1]; often 1. */
double fuzz_part(fuzz_bytes *bytes);

/* The same numbers: zeroes of either sign are one, NaN is NaN. */
bool fuzz_same(const double *a, const double *b, size_t count);

#endif
