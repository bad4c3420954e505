/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reads certificates line by line and checks each line as it comes. The grammar is in docs/certificates.md. */

#include "verify/certificate.h"
#include "verify/verify.h"

#include <string.h>

/* Exponents beyond this would only cost memory: doubles and what is computed from them stay far below. */
enum { LARGEST_EXPONENT = 1000000, LONGEST_NUMBER = 100000 };

typedef struct reader {
  const char *at, *end;
  size_t line;
  certificate *c;
  const char *unreadable, *rejected; /* the first complaint, if any */
  size_t unreadable_line;
} reader;

static void complain(reader *r, const char *what) {
  if (r->unreadable == NULL) {
    r->unreadable = what;
    r->unreadable_line = r->line;
  }
}

/* The next word of the line: letters up to a blank. Empty at the end of the line. */
static size_t next_word(reader *r, const char **word) {
  while (r->at < r->end && *r->at == ' ')
    r->at++;
  *word = r->at;
  while (r->at < r->end && *r->at != ' ' && *r->at != '\n')
    r->at++;
  return (size_t)(r->at - *word);
}

static bool is_word(const char *word, size_t length, const char *expected) {
  return strlen(expected) == length && memcmp(word, expected, length) == 0;
}

static void expect_word(reader *r, const char *expected) {
  const char *word;
  const size_t length = next_word(r, &word);
  if (!is_word(word, length, expected))
    complain(r, "another word was expected");
}

/* One of the words in the list, by its number. */
static int choose_word(reader *r, const char *const *list, int count) {
  const char *word;
  const size_t length = next_word(r, &word);
  for (int i = 0; i < count; i++)
    if (is_word(word, length, list[i]))
      return i;
  complain(r, "another word was expected");
  return 0;
}

static void end_line(reader *r) {
  while (r->at < r->end && *r->at == ' ')
    r->at++;
  if (r->at == r->end || *r->at != '\n') {
    complain(r, "the line is too long");
    return;
  }
  r->at++;
  r->line++;
}

/* The rest of a number's text. */
typedef struct digits {
  const char *at, *end;
} digits;

/* Goes past a character if it is the next one. */
static bool skip(digits *d, char c) {
  const bool there = d->at < d->end && *d->at == c;
  d->at += there ? 1 : 0;
  return there;
}

static int digit_value(char c, int base) {
  const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : base;
  return value < base ? value : -1;
}

/* Digits of a base into an integer; the number of digits, 0 if there are none. */
static long read_digits(digits *d, mpz_t out, int base) {
  enum { AT_ONCE = 15 }; /* 16^15 < 2^64 */
  long count = 0;
  for (;;) {
    uint64_t value = 0, scale = 1;
    int some = 0;
    for (; some < AT_ONCE && d->at < d->end; some++) {
      const int digit = digit_value(*d->at, base);
      if (digit < 0)
        break;
      value = value * (uint64_t)base + (uint64_t)digit;
      scale *= (uint64_t)base;
      d->at++;
    }
    if (some == 0)
      return count;
    mpz_mul_ui(out, out, scale);
    mpz_add_ui(out, out, value);
    count += some;
  }
}

/* A power of two after the letter p; false if it is malformed or too large. */
static bool read_exponent(digits *d, long *exponent) {
  const bool negative = skip(d, '-');
  if (!negative)
    (void)skip(d, '+');
  *exponent = 0;
  const char *first = d->at;
  while (d->at < d->end && digit_value(*d->at, 10) >= 0 && *exponent <= LARGEST_EXPONENT) {
    *exponent = 10 * *exponent + digit_value(*d->at, 10);
    d->at++;
  }
  const bool good = d->at != first && *exponent <= LARGEST_EXPONENT;
  *exponent = negative ? -*exponent : *exponent;
  return good;
}

/* [-]digits[/digits][p exponent], or a C99 hex float [-]0xh[.hhh]p exponent. */
static bool parse_number(digits d, mpq_t out) {
  const bool negative = skip(&d, '-');
  const bool hex = d.end - d.at >= 2 && d.at[0] == '0' && d.at[1] == 'x';
  d.at += hex ? 2 : 0;
  mpq_set_ui(out, 0, 1);
  if (read_digits(&d, mpq_numref(out), hex ? 16 : 10) == 0)
    return false;
  long exponent = 0, shift = 0;
  if (hex && skip(&d, '.')) {
    shift = 4 * read_digits(&d, mpq_numref(out), 16);
  } else if (!hex && skip(&d, '/')) {
    mpz_set_ui(mpq_denref(out), 0);
    if (read_digits(&d, mpq_denref(out), 10) == 0 || mpz_sgn(mpq_denref(out)) == 0)
      return false;
    mpq_canonicalize(out);
  }
  if (skip(&d, 'p') && !read_exponent(&d, &exponent))
    return false;
  exponent -= shift;
  if (exponent >= 0)
    mpq_mul_2exp(out, out, (mp_bitcnt_t)exponent);
  else
    mpq_div_2exp(out, out, (mp_bitcnt_t)-exponent);
  if (negative)
    mpq_neg(out, out);
  return d.at == d.end;
}

static void read_number(reader *r, mpq_t out) {
  const char *word;
  const size_t length = next_word(r, &word);
  if (length >= LONGEST_NUMBER || !parse_number((digits){word, word + length}, out)) {
    mpq_set_ui(out, 0, 1);
    complain(r, "a number was expected");
  }
}

static int read_index(reader *r) {
  static const char *const names[] = {"0", "1", "2", "3"};
  return choose_word(r, names, 4);
}

static int read_axis(reader *r) {
  static const char *const names[] = {"x", "y", "z"};
  return choose_word(r, names, 3);
}

static bool at_line_end(reader *r) {
  while (r->at < r->end && *r->at == ' ')
    r->at++;
  return r->at == r->end || *r->at == '\n';
}

/* plane dx dy dz | sign | areas axis i j */
static void read_reason(reader *r, reason *why) {
  static const char *const names[] = {"plane", "sign", "areas"};
  why->kind = (reason_kind)choose_word(r, names, 3);
  if (why->kind == REASON_PLANE) {
    for (int k = 0; k < 3; k++)
      read_number(r, why->direction[k]);
  } else if (why->kind == REASON_AREAS) {
    why->axis = read_axis(r);
    why->first = read_index(r);
    why->second = read_index(r);
  }
}

/* toi-certificate 1, kind, start, end, t-max */
static void read_query(reader *r) {
  static const char *const kinds[] = {"vertex-face", "edge-edge", "vertex-edge", "vertex-vertex"};
  static const int points[] = {4, 4, 3, 2}, first_points[] = {1, 2, 1, 1};
  certificate *c = r->c;
  expect_word(r, "toi-certificate");
  expect_word(r, "1");
  end_line(r);
  expect_word(r, "kind");
  const int kind = choose_word(r, kinds, 4);
  c->points = points[kind];
  c->first_points = first_points[kind];
  end_line(r);
  for (int e = 0; e < 2; e++) {
    expect_word(r, e == 0 ? "start" : "end");
    for (int i = 0; i < 3 * c->points && r->unreadable == NULL; i++)
      read_number(r, e == 0 ? c->start[i / 3][i % 3] : c->end[i / 3][i % 3]);
    end_line(r);
  }
  expect_word(r, "t-max");
  read_number(r, c->t_max);
  end_line(r);
  if (r->unreadable != NULL)
    return;
  certificate_set_corners(c);
  if (mpq_sgn(c->t_max) < 0 || mpq_cmp_ui(c->t_max, 1, 1) > 0)
    r->rejected = "t-max is not within [0, 1]";
}

/* verdict miss | verdict hit, time lo hi, polynomial c0 c1 ... */
static void read_verdict(reader *r) {
  static const char *const names[] = {"miss", "hit"};
  certificate *c = r->c;
  expect_word(r, "verdict");
  c->hit = choose_word(r, names, 2) == 1;
  end_line(r);
  if (!c->hit || r->unreadable != NULL)
    return;
  expect_word(r, "time");
  read_number(r, c->lo);
  read_number(r, c->hi);
  end_line(r);
  expect_word(r, "polynomial");
  for (int i = 0; i <= VERIFY_DEGREE && (i == 0 || !at_line_end(r)) && r->unreadable == NULL; i++)
    read_number(r, c->root.c[i]);
  end_line(r);
  if (r->unreadable == NULL && r->rejected == NULL)
    r->rejected = certificate_check_time(c);
}

/* piece a b reason | last a reason */
static void read_piece(reader *r, bool last) {
  certificate *c = r->c;
  reason why = {0};
  mpq_inits(why.direction[0], why.direction[1], why.direction[2], NULL);
  read_number(r, c->numbers[0]);
  if (!last)
    read_number(r, c->numbers[1]);
  read_reason(r, &why);
  if (r->unreadable == NULL && at_line_end(r)) {
    r->rejected = last ? certificate_check_last(c, c->numbers[0], &why)
                       : certificate_check_piece(c, c->numbers[0], c->numbers[1], &why);
  }
  mpq_clears(why.direction[0], why.direction[1], why.direction[2], NULL);
}

/* contact weights w0 ... | contact inside axis | contact segment i j */
static void read_contact(reader *r) {
  static const char *const names[] = {"weights", "inside", "segment"};
  certificate *c = r->c;
  const int form = choose_word(r, names, 3);
  if (form == 0) {
    for (int i = 0; i < c->corner_count; i++)
      read_number(r, c->numbers[i]);
    r->rejected = r->unreadable == NULL ? certificate_check_weights(c, c->numbers) : NULL;
  } else if (form == 1) {
    const int axis = read_axis(r);
    r->rejected = r->unreadable == NULL ? certificate_check_inside(c, axis) : NULL;
  } else {
    const int first = read_index(r), second = read_index(r);
    r->rejected = r->unreadable == NULL ? certificate_check_segment(c, first, second) : NULL;
  }
}

/* Lines after the verdict, up to qed. */
static void read_proof(reader *r, verify_report *report) {
  static const char *const names[] = {"piece", "last", "contact", "qed"};
  while (r->unreadable == NULL && r->rejected == NULL) {
    const int line = choose_word(r, names, 4);
    if (r->unreadable != NULL)
      return;
    if (line == 3) {
      r->rejected = certificate_check_end(r->c);
      if (r->rejected == NULL)
        end_line(r);
      return;
    }
    if (line == 2) {
      read_contact(r);
    } else {
      read_piece(r, line == 1);
      report->pieces++;
    }
    if (r->rejected == NULL)
      end_line(r);
  }
}

/* One certificate from where the reader stands. */
static verify_status read_certificate(reader *r, verify_report *report) {
  certificate c;
  certificate_init(&c);
  r->c = &c;
  read_query(r);
  if (r->unreadable == NULL)
    read_verdict(r);
  if (r->unreadable == NULL && r->rejected == NULL)
    read_proof(r, report);
  const bool hit = c.hit;
  certificate_clear(&c);
  r->c = NULL;
  if (r->unreadable != NULL || r->rejected != NULL) {
    report->line = r->unreadable != NULL ? r->unreadable_line : r->line;
    report->reason = r->unreadable != NULL ? r->unreadable : r->rejected;
    return r->unreadable != NULL ? VERIFY_UNREADABLE : VERIFY_REJECTED;
  }
  report->hits += hit ? 1 : 0;
  report->misses += hit ? 0 : 1;
  return VERIFY_ACCEPTED;
}

verify_status verify_text(const char *text, size_t length, verify_report *report) {
  reader r = {.at = text, .end = text + length, .line = 1};
  if (length == 0) {
    report->line = 1;
    report->reason = "there is no certificate";
    return VERIFY_UNREADABLE;
  }
  while (r.at < r.end) {
    const verify_status status = read_certificate(&r, report);
    if (status != VERIFY_ACCEPTED)
      return status;
  }
  return VERIFY_ACCEPTED;
}
