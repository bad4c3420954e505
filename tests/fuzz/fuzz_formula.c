/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas: a line of text, then bytes that give a box and a point in it.
 *
 * What is checked has no tolerance:
 *  - the value at the point lies in the bounds at the point and in those over the box, so these intersect; likewise
 * each derivative;
 *  - where the term is defined in all of the box, the mean value theorem: f(p) - f(c) is the sum of the derivatives
 *    somewhere in the box times p - c. */

#include "fuzz/fuzz.h"

#include "number/interval.h"

#include <toi/formula.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 3, JET = TOI_JET_SIZE(VARIABLES, 2), TEXT = 1024 };

typedef struct bounds {
  toi_interval jet[JET];
  bool defined;
} bounds;

static bounds bounds_over(toi_formula *formula, toi_term term, const toi_interval *box, unsigned order) {
  bounds b;
  FUZZ_CHECK(toi_formula_bounds(formula, term, box, order, b.jet, &b.defined) == TOI_OK);
  const size_t count = TOI_JET_SIZE(VARIABLES, order);
  for (size_t i = 0; i < count; i++)
    FUZZ_CHECK(b.jet[i].lo <= b.jet[i].hi);
  return b;
}

static bool meet(toi_interval a, toi_interval b) {
  toi_interval common;
  return toi_interval_intersect(a, b, &common);
}

/* A box, and a point of it as a box. */
static void draw(fuzz_bytes *bytes, toi_interval *box, toi_interval *point) {
  for (int i = 0; i < VARIABLES; i++) {
    const fuzz_style style = (fuzz_style)fuzz_choice(bytes, FUZZ_STYLES);
    const double a = fuzz_double(bytes, style), b = fuzz_double(bytes, style);
    box[i] = a <= b ? (toi_interval){a, b} : (toi_interval){b, a};
    const double part = fuzz_byte(bytes) / 255.0, inside = box[i].lo + part * (box[i].hi - box[i].lo);
    point[i] = toi_interval_point(inside >= box[i].lo && inside <= box[i].hi ? inside : box[i].lo);
  }
}

static void check_mean_value(toi_formula *formula, toi_term term, const toi_interval *box, const toi_interval *point) {
  const bounds over = bounds_over(formula, term, box, 1);
  if (!over.defined)
    return;
  toi_interval centre[VARIABLES];
  for (int i = 0; i < VARIABLES; i++)
    centre[i] = toi_interval_point(toi_interval_midpoint(box[i]));
  toi_interval sum = bounds_over(formula, term, centre, 0).jet[0];
  for (int i = 0; i < VARIABLES; i++)
    sum = toi_interval_add(sum, toi_interval_mul(over.jet[1 + i], toi_interval_sub(point[i], centre[i])));
  FUZZ_CHECK(meet(sum, bounds_over(formula, term, point, 0).jet[0]));
}

static void check_bounds(toi_formula *formula, toi_term term, fuzz_bytes *bytes) {
  toi_interval box[VARIABLES], point[VARIABLES];
  draw(bytes, box, point);
  for (unsigned order = 0; order <= 2; order++) {
    const bounds over = bounds_over(formula, term, box, order), at = bounds_over(formula, term, point, order);
    // Nothing is claimed of a point at which the term may not be defined; defined in the box is defined at the point.
    FUZZ_CHECK(at.defined || !over.defined);
    for (size_t i = 0; at.defined && i < (size_t)TOI_JET_SIZE(VARIABLES, order); i++)
      FUZZ_CHECK(meet(over.jet[i], at.jet[i]));
  }
  check_mean_value(formula, term, box, point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *newline = size > 0 ? memchr(data, '\n', size) : NULL;
  const size_t length = newline != NULL ? (size_t)(newline - data) : size;
  if (length >= TEXT)
    return 0;
  char text[TEXT];
  memcpy(text, data, length);
  text[length] = '\0';
  fuzz_bytes bytes = {.at = data + length, .left = size - length};
  (void)fuzz_byte(&bytes);

  toi_context *context = fuzz_context();
  toi_formula *formula = NULL;
  const char *const variables[VARIABLES] = {"u", "v", "t"};
  FUZZ_CHECK(toi_formula_create(context, variables, VARIABLES, &formula) == TOI_OK);
  const toi_term term = toi_formula_parse(formula, text);
  const toi_status status = toi_formula_status(formula);
  FUZZ_CHECK((term == TOI_NO_TERM) == (status != TOI_OK));
  if (status != TOI_OK)
    fuzz_refused(context, status);
  else
    check_bounds(formula, term, &bytes);
  toi_formula_destroy(formula);
  toi_context_destroy(context);
  return 0;
}
