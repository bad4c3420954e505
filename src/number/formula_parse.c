/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas from text.
 *
 *   sum      = product { ("+" | "-") product }
 *   product  = signed { ("*" | "/") signed }
 *   signed   = { "+" | "-" } power
 *   power    = primary [ "^" signed ]
 *   primary  = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *
 * Promise: every text gets a term or a sentence with a column, counted from 1; the parser's depth is bounded by
 * DEPTH_MOST, whatever the text. Numbers are enclosed by the nearest doubles where they are none.
 *
 * Claim: a decimal D 10^E with D < 2^64 is enclosed. Why: D is the sum of two doubles, exactly; each factor 10^k with
 * k <= 22 is a double, and each step is rounded outward. Digits beyond the first 19 make D an interval [D, D + 1]. */

#include "number/formula_parts.h"

#include "number/trigonometry.h"

#include <stdio.h>

#define TEXT_MOST ((size_t)1 << 20)
#define DEPTH_MOST 200
#define QUOTED 40 /* characters of the text in a sentence */

typedef struct parser {
  toi_formula *formula;
  const char *text;
  size_t length, at;
  unsigned depth;
} parser;

/* --- failures --- */

/* What stands around a place of the text, as far as it can be shown. */
static void quote(const parser *p, size_t at, char quoted[QUOTED + 8]) {
  size_t from = p->length <= QUOTED || at < QUOTED / 2 ? 0 : at - QUOTED / 2;
  size_t to = from + QUOTED < p->length ? from + QUOTED : p->length, n = 0;
  if (from > 0) {
    memcpy(quoted, "...", 3);
    n = 3;
  }
  for (size_t i = from; i < to; i++)
    quoted[n++] = p->text[i] >= ' ' && p->text[i] <= '~' ? p->text[i] : '?';
  memcpy(quoted + n, to < p->length ? "..." : "", to < p->length ? 4 : 1);
}

/* Says what is wrong at a place of the text. */
static toi_term wrong(parser *p, size_t at, const char *what) {
  char quoted[QUOTED + 8];
  quote(p, at, quoted);
  return toi_formula_note(p->formula, toi_fail(p->formula->context, TOI_ERROR_INPUT, "formula \"%s\", column %zu: %s",
                                               quoted, at + 1, what));
}

/* A term that was built, or why not: memory, or an operand's exponent. */
static toi_term built(parser *p, size_t at, toi_term term) {
  if (term != TOI_NO_TERM)
    return term;
  toi_terms *terms = &p->formula->terms;
  toi_status status = terms->status;
  terms->status = TOI_OK;
  if (status != TOI_ERROR_INPUT)
    return toi_formula_note(p->formula, TOI_ERROR_MEMORY);
  char what[256];
  snprintf(what, sizeof what, "%s", toi_context_error(p->formula->context));
  return wrong(p, at, what);
}

static toi_term apply(parser *p, size_t at, uint32_t kind, toi_term a, toi_term b) {
  if (a == TOI_NO_TERM || (b == TOI_NO_TERM && toi_term_operands(kind) == 2))
    return TOI_NO_TERM;
  p->formula->terms.column = (uint32_t)at + 1;
  return built(p, at, toi_terms_build(&p->formula->terms, kind, a, b));
}

/* --- characters --- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The next character that is no blank; 0 at the end. */
static char look(parser *p) {
  while (p->at < p->length && (p->text[p->at] == ' ' || (p->text[p->at] >= '\t' && p->text[p->at] <= '\r')))
    p->at++;
  return p->at < p->length ? p->text[p->at] : 0;
}

static bool take(parser *p, char c) {
  if (look(p) != c)
    return false;
  p->at++;
  return true;
}

/* What is there instead of what should be. */
static toi_term unexpected(parser *p, const char *wanted) {
  char what[160], c = look(p);
  if (c == 0)
    snprintf(what, sizeof what, "the text ends where %s is missing", wanted);
  else if (is_letter(c) || is_digit(c) || (c > ' ' && c <= '~' && strchr("+-*/^(),.", c)))
    snprintf(what, sizeof what, "\"%c\" stands where %s is missing", c, wanted);
  else if (c > ' ' && c <= '~')
    snprintf(what, sizeof what, "the character \"%c\" means nothing in a formula", c);
  else
    snprintf(what, sizeof what, "the byte 0x%02x means nothing in a formula", (unsigned)(unsigned char)c);
  return wrong(p, p->at, what);
}

/* --- numbers --- */

typedef struct decimal {
  uint64_t digits; /* the first 19 of them that count */
  int64_t exponent;
  unsigned count;
  bool more; /* a digit other than 0 follows them */
} decimal;

/* Digits before (side 0) or behind (side 1) the point; how many there are. */
static size_t read_digits(parser *p, decimal *d, int side) {
  size_t from = p->at;
  for (; p->at < p->length && is_digit(p->text[p->at]); p->at++) {
    unsigned digit = (unsigned)(p->text[p->at] - '0');
    bool kept = d->count < 19;
    if (kept) {
      d->digits = 10 * d->digits + digit;
      d->count += d->digits != 0;
    } else {
      d->more |= digit != 0;
    }
    d->exponent += (kept ? 0 : 1) - side;
  }
  return p->at - from;
}

/* "e" and a whole number, if both are there; huge ones are cut. */
static void read_exponent(parser *p, decimal *d) {
  size_t at = p->at;
  if (at == p->length || (p->text[at] != 'e' && p->text[at] != 'E'))
    return;
  at++;
  bool negative = at < p->length && p->text[at] == '-';
  at += at < p->length && (p->text[at] == '-' || p->text[at] == '+');
  if (at == p->length || !is_digit(p->text[at]))
    return;
  int64_t e = 0;
  for (; at < p->length && is_digit(p->text[at]); at++)
    e = e < 100000000 ? 10 * e + (p->text[at] - '0') : e;
  d->exponent += negative ? -e : e;
  p->at = at;
}

/* 10^n, exactly: 10^22 = 5^22 2^22 and 5^22 < 2^53. */
static double ten_to(int64_t n) {
  double power = 1;
  assert(n >= 0 && n <= 22);
  for (int64_t i = 0; i < n; i++)
    power *= 10;
  return power;
}

static toi_interval enclose(decimal d) {
  double high = (double)(d.digits >> 32) * 0x1p32, low = (double)(d.digits & UINT32_MAX);
  toi_interval x = {toi_sum_down(high, low), toi_sum_up(high, d.more ? low + 1 : low)};
  // Below the smallest double, whatever the digits are.
  if (d.exponent < -400)
    return (toi_interval){0, 0x1p-1074};
  while (d.exponent < 0) {
    int64_t step = d.exponent < -22 ? 22 : -d.exponent;
    double divisor = ten_to(step);
    x = (toi_interval){toi_quotient_down_exactly(x.lo, divisor), -toi_quotient_down_exactly(-x.hi, divisor)};
    d.exponent += step;
  }
  while (d.exponent > 0 && x.hi <= DBL_MAX) {
    int64_t step = d.exponent > 22 ? 22 : d.exponent;
    double factor = ten_to(step);
    x = (toi_interval){toi_product_down_exactly(x.lo, factor), -toi_product_down_exactly(-x.hi, factor)};
    d.exponent -= step;
  }
  return x;
}

static toi_term number(parser *p) {
  size_t from = p->at;
  decimal d = {0, 0, 0, false};
  size_t digits = read_digits(p, &d, 0);
  if (p->at < p->length && p->text[p->at] == '.') {
    p->at++;
    digits += read_digits(p, &d, 1);
  }
  if (digits == 0)
    return wrong(p, from, "a point without digits is not a number");
  read_exponent(p, &d);
  toi_terms *terms = &p->formula->terms;
  terms->column = (uint32_t)from + 1;
  if (d.digits == 0)
    return built(p, from, toi_terms_constant(terms, 0));
  // One way to write each number, so that equal ones are one term.
  while (!d.more && d.digits % 10 == 0) {
    d.digits /= 10;
    d.exponent++;
  }
  toi_interval value = enclose(d);
  if (!(value.hi <= DBL_MAX))
    return wrong(p, from, "the number is beyond the largest double");
  bool cut = d.more || d.exponent < INT32_MIN;
  return built(p, from,
               toi_terms_enclosed(terms, value, cut ? TOI_CONSTANT_ENCLOSED : TOI_CONSTANT_DECIMAL,
                                  (uint32_t)d.exponent, cut ? 0 : d.digits));
}

/* --- names --- */

static toi_term sum(parser *p);

/* One level deeper, unless it is too deep. */
static bool descend(parser *p, size_t at) {
  if (p->depth < DEPTH_MOST) {
    p->depth++;
    return true;
  }
  char what[80];
  snprintf(what, sizeof what, "the formula is nested deeper than %d", DEPTH_MOST);
  wrong(p, at, what);
  return false;
}

/* How many arguments were given, and how many it takes. */
static toi_term wrong_arguments(parser *p, size_t at, const toi_function *f, unsigned given) {
  char what[160];
  snprintf(what, sizeof what, "%s takes %s%u argument%s, %u given", f->name, f->most ? "" : "at least ", f->least,
           f->least == 1 ? "" : "s", given);
  return wrong(p, at, what);
}

/* The arguments of a function; its parenthesis is open. */
static toi_term call(parser *p, size_t at, const toi_function *f) {
  toi_term first = TOI_NO_TERM, result = TOI_NO_TERM;
  unsigned given = 0;
  if (take(p, ')'))
    return wrong_arguments(p, at, f, 0);
  do {
    toi_term argument = sum(p);
    if (argument == TOI_NO_TERM)
      return TOI_NO_TERM;
    given++;
    if (given == 1)
      first = result = argument;
    else if (given <= f->most || f->most == 0)
      result = apply(p, at, (uint32_t)f->op, f->most == 0 ? result : first, argument);
    if (result == TOI_NO_TERM)
      return TOI_NO_TERM;
  } while (take(p, ','));
  if (!take(p, ')'))
    return unexpected(p, "a closing parenthesis");
  if (given < f->least || (f->most && given > f->most))
    return wrong_arguments(p, at, f, given);
  return f->least == 1 ? apply(p, at, (uint32_t)f->op, first, TOI_NO_TERM) : result;
}

/* A variable, a name of the formula, or a constant. False: there is none of that name. */
static bool find_name(const parser *p, const char *name, toi_term *term) {
  toi_formula *f = p->formula;
  for (size_t i = 0; i < f->variable_count; i++)
    if (strcmp(name, f->variables[i]) == 0) {
      *term = toi_terms_variable(&f->terms, (uint32_t)i);
      return true;
    }
  for (size_t i = 0; i < f->name_count; i++)
    if (strcmp(name, f->names[i].name) == 0) {
      *term = f->names[i].term;
      return true;
    }
  bool pi = strcmp(name, "pi") == 0;
  if (!pi && strcmp(name, "e") != 0)
    return false;
  const toi_interval e = {0x1.5bf0a8b145769p+1, 0x1.5bf0a8b14576ap+1};
  *term = toi_terms_enclosed(&f->terms, pi ? toi_interval_pi() : e, TOI_CONSTANT_NAMED, pi, 0);
  return true;
}

static toi_term word(parser *p) {
  size_t from = p->at;
  char name[TOI_NAME_SIZE];
  size_t length = 0;
  for (; p->at < p->length && (is_letter(p->text[p->at]) || is_digit(p->text[p->at])); p->at++)
    if (length < TOI_NAME_SIZE - 1)
      name[length++] = p->text[p->at];
  name[length] = 0;
  char what[160];
  toi_function f;
  bool is_function = p->at - from == length && toi_function_find(name, &f), open = look(p) == '(';
  if (is_function && open) {
    p->at++;
    toi_term called = descend(p, from) ? call(p, from, &f) : TOI_NO_TERM;
    p->depth--;
    return called;
  }
  toi_term term;
  p->formula->terms.column = (uint32_t)from + 1;
  bool known = p->at - from >= length && find_name(p, name, &term);
  if (known && !open)
    return built(p, from, term);
  if (is_function)
    snprintf(what, sizeof what, "the function %s takes its arguments in parentheses", name);
  else if (known)
    snprintf(what, sizeof what, "%s is not a function; write * to multiply", name);
  else
    snprintf(what, sizeof what, "%s \"%s\" is not known", open ? "the function" : "the name", name);
  return wrong(p, from, what);
}

/* --- from sums down to primaries --- */

static toi_term primary(parser *p) {
  char c = look(p);
  if (is_digit(c) || c == '.')
    return number(p);
  if (is_letter(c))
    return word(p);
  if (c != '(')
    return unexpected(p, "a number, a name or a parenthesis");
  if (!descend(p, p->at))
    return TOI_NO_TERM;
  p->at++;
  toi_term inner = sum(p);
  if (inner != TOI_NO_TERM && !take(p, ')'))
    return unexpected(p, "a closing parenthesis");
  p->depth--;
  return inner;
}

static toi_term signed_power(parser *p) {
  bool negative = false;
  size_t from = p->at;
  for (char c = look(p); c == '+' || c == '-'; c = look(p)) {
    negative ^= c == '-';
    p->at++;
  }
  toi_term base = primary(p);
  if (base != TOI_NO_TERM && look(p) == '^') {
    size_t at = p->at++;
    if (!descend(p, at))
      return TOI_NO_TERM;
    toi_term exponent = signed_power(p);
    p->depth--;
    base = apply(p, at, TOI_OP_POW, base, exponent);
  }
  return negative ? apply(p, from, TOI_OP_NEG, base, TOI_NO_TERM) : base;
}

static toi_term product(parser *p) {
  toi_term left = signed_power(p);
  for (char c = look(p); left != TOI_NO_TERM && (c == '*' || c == '/'); c = look(p)) {
    size_t at = p->at++;
    left = apply(p, at, c == '*' ? TOI_OP_MUL : TOI_OP_DIV, left, signed_power(p));
  }
  return left;
}

static toi_term sum(parser *p) {
  toi_term left = product(p);
  for (char c = look(p); left != TOI_NO_TERM && (c == '+' || c == '-'); c = look(p)) {
    size_t at = p->at++;
    left = apply(p, at, c == '+' ? TOI_OP_ADD : TOI_OP_SUB, left, product(p));
  }
  return left;
}

static toi_term parse(parser *p) {
  if (look(p) == 0)
    return wrong(p, p->at, "the formula is empty");
  toi_term term = sum(p);
  if (term == TOI_NO_TERM || look(p) == 0)
    return term;
  if (p->text[p->at] == ')')
    return wrong(p, p->at, "a closing parenthesis has no opening one");
  return unexpected(p, "an operator such as + or *");
}

static TOI_APART toi_term parse_text(toi_formula *formula, const char *text) {
  if (text == NULL)
    return toi_formula_note(formula, toi_fail(formula->context, TOI_ERROR_INPUT, "a formula to parse is NULL"));
  parser p = {formula, text, strnlen(text, TEXT_MOST + 1), 0, 0};
  if (p.length > TEXT_MOST)
    return wrong(&p, TEXT_MOST, "the text is longer than 1048576 characters");
  toi_term term = parse(&p);
  formula->terms.column = 0;
  return term;
}

toi_term toi_formula_parse(toi_formula *formula, const char *text) {
  toi_call call;
  toi_call_begin(&call, formula->context);
  const toi_term term = parse_text(formula, text);
  toi_formula_recall(formula);
  toi_call_end(&call);
  return term;
}
