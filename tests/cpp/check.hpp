/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the tests of the C++ headers share: checks that go on after a failure, and expected exceptions. */

#ifndef TOI_TESTS_CPP_CHECK_HPP
#define TOI_TESTS_CPP_CHECK_HPP

#include <toi/toi.hpp>

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace check {

inline int failures = 0;

inline void that(bool holds, const char *text, const char *file, int line) {
  if (holds)
    return;
  failures++;
  std::printf("%s:%d: does not hold: %s\n", file, line, text);
}

/* Whether it throws toi::error with this code and these words in its sentence. */
template <class Call> bool fails(toi_status code, const char *words, Call &&call) {
  try {
    call();
  } catch (const toi::error &e) {
    if (e.code() == code && std::strstr(e.what(), words) != nullptr)
      return true;
    std::printf("another failure: %d, %s\n", static_cast<int>(e.code()), e.what());
    return false;
  }
  std::printf("no failure with '%s'\n", words);
  return false;
}

/* What functions of the caller throw in these tests: not an exception of the standard library or of ours. */
struct ball {
  int number;
};

/* Whether the call throws the ball with this number. */
template <class Call> bool throws_ball(int number, Call &&call) {
  try {
    call();
  } catch (const ball &b) {
    return b.number == number;
  }
  return false;
}

/* Runs tests by name; the exit code of the program. */
struct test {
  const char *name;
  void (*run)();
};
template <std::size_t N> int run(const test (&tests)[N]) {
  for (const test &t : tests) {
    const int before = failures;
    try {
      t.run();
    } catch (const std::exception &e) {
      std::printf("%s: unexpected exception: %s\n", t.name, e.what());
      failures++;
    }
    std::printf("%-60s %s\n", t.name, failures == before ? "ok" : "FAILED");
  }
  return failures == 0 ? 0 : 1;
}

} // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)

#endif
