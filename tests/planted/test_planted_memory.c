/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The fixed block that GMP's numbers of planted queries live in: it is large enough for all of them with room to spare,
 * and what does not fit comes from malloc, or ends the process with a line. */

#include "support/support.h"

#include "planted/grazing.h"
#include "planted/memory.h"
#include "planted/planted.h"

#include <gmp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void all_classes_fit_the_block(void **unused) {
  (void)unused;
  planted_use_own_memory("test");
  const uint64_t seed = test_seed(1), rounds = test_count(2000);
  planted_query query;
  for (uint32_t number = 0; number < planted_class_count(); number++)
    for (uint64_t i = 0; i < rounds; i++)
      planted_make(number, PLANTED_ANY, seed, i, &query);
  for (uint32_t number = 0; number < grazing_class_count(); number++) {
    for (uint64_t i = 0; i < rounds; i++) {
      const toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
      const grazing_group group = grazing_group_make(i % 2 ? TOI_NORM_L2 : TOI_NORM_LINF, seed, i / 16);
      if (grazing_class_has(number, kind))
        grazing_make(number, kind, &group, seed, i, &query);
    }
  }
  const size_t peak = planted_memory_peak();
  print_message("%zu bytes in use at most\n", peak);
  assert_true(peak > 0 && peak <= PLANTED_MEMORY_BYTES / 4);
}

static void numbers_grow_within_the_block_and_out_of_it(void **unused) {
  (void)unused;
  planted_use_own_memory("test");
  mpz_t a, b, want;
  mpz_inits(a, b, want, NULL);
  mpz_set_ui(a, 3);
  mpz_set_ui(b, 5);
  // Both grow in turn, so that neither is always the last block; 2^20 bits are more than the block holds.
  for (mp_bitcnt_t shift = 1; shift <= (mp_bitcnt_t)1 << 20; shift *= 2) {
    mpz_mul_2exp(a, a, shift);
    mpz_mul_2exp(b, b, shift);
    mpz_mul_ui(want, a, 5);
    mpz_submul_ui(want, b, 3);
    assert_int_equal(mpz_sgn(want), 0);
  }
  mpz_clears(a, b, want, NULL);
  // All of it went back: small numbers are in the block again.
  const size_t peak = planted_memory_peak();
  mpz_init_set_ui(a, 7);
  mpz_clear(a);
  assert_int_equal(planted_memory_peak(), peak);
}

static void refused_memory_ends_the_process_with_a_line(void **unused) {
  (void)unused;
#if TEST_SANITIZED
  skip();
#else
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const struct rlimit limit = {(rlim_t)1 << 28, (rlim_t)1 << 28};
    mpz_t large;
    if (dup2(ends[1], STDERR_FILENO) < 0 || setrlimit(RLIMIT_AS, &limit) != 0)
      _exit(1);
    planted_use_own_memory("toi");
    mpz_init_set_ui(large, 1);
    mpz_mul_2exp(large, large, (mp_bitcnt_t)1 << 34);
    _exit(0);
  }
  close(ends[1]);
  char line[256] = "";
  const ssize_t length = read(ends[0], line, sizeof line - 1);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  close(ends[0]);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
  assert_true(length > 0 && strchr(line, '\n') == line + length - 1);
  assert_memory_equal(line, "toi: ", 5);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_classes_fit_the_block),
      cmocka_unit_test(numbers_grow_within_the_block_and_out_of_it),
      cmocka_unit_test(refused_memory_ends_the_process_with_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
