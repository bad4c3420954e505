/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of patches, one {"a": PATCH, "b": PATCH, "t_max": 1} a line.
 *
 * Promise: what is read can be asked about, and what is written reads back bit for bit. */

#include <toi/io.h>

#include <math.h>
#include <stdio.h>

#include "base/internal.h"
#include "io/array.h"
#include "io/patch.h"
#include "surface/surface.h"

/* --- reading --- */

typedef struct reader {
  toi_json json;
  toi_patch_draft a, b;
  double t_max;
  toi_patch_case *cases;
  size_t count, room;
  toi_numbers numbers;
} reader;

static toi_status read_a(toi_json *json, void *user) {
  return toi_patch_read(json, &((reader *)user)->a, false);
}

static toi_status read_b(toi_json *json, void *user) {
  return toi_patch_read(json, &((reader *)user)->b, false);
}

static toi_status read_t_max(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->t_max);
}

static toi_status read_case(reader *r) {
  static const toi_json_field fields[] = {
      {"a", read_a, true, NULL},
      {"b", read_b, true, NULL},
      {"t_max", read_t_max, false, NULL},
      {"name", toi_json_remark, false, NULL},
      {"comment", toi_json_remark, false, NULL},
  };
  static const toi_json_form form = {"a case", fields, sizeof fields / sizeof fields[0]};
  toi_context *context = r->json.context;
  r->t_max = 1;
  toi_status status = toi_json_object(&r->json, &form, r, NULL);
  if (status == TOI_OK && r->count == r->room) {
    void *cases = r->cases;
    status = toi_array_reserve(context, &cases, &r->room, sizeof *r->cases, toi_array_larger(r->room));
    r->cases = cases;
  }
  if (status == TOI_OK)
    status = toi_patch_store(context, &r->numbers, &r->a.patch);
  if (status == TOI_OK)
    status = toi_patch_store(context, &r->numbers, &r->b.patch);
  if (status == TOI_OK)
    r->cases[r->count++] = (toi_patch_case){r->a.patch, r->b.patch, r->t_max};
  return status;
}

/* The arrays at their exact sizes, and the patches pointing into them. */
static toi_status finish(reader *r, toi_case_set *set) {
  void *cases = r->cases, *values = r->numbers.values;
  toi_status status = toi_array_shrink(r->json.context, &cases, &r->room, sizeof *r->cases, r->count);
  r->cases = cases;
  if (status == TOI_OK)
    status = toi_array_shrink(r->json.context, &values, &r->numbers.room, sizeof(double), r->numbers.count);
  r->numbers.values = values;
  if (status != TOI_OK)
    return status;
  const double *next = values;
  for (size_t i = 0; i < r->count; i++) {
    toi_patch_bind(&r->cases[i].a, &next);
    toi_patch_bind(&r->cases[i].b, &next);
  }
  *set = (toi_case_set){r->cases, r->count, values, r->numbers.room * sizeof(double)};
  return TOI_OK;
}

static toi_status read_lines(reader *r, toi_case_set *set) {
  for (;;) {
    bool found;
    toi_status status = toi_json_next_line(&r->json, &found);
    if (status == TOI_OK && found)
      status = read_case(r);
    if (status != TOI_OK)
      return status;
    if (!found)
      break;
  }
  if (r->count == 0)
    return toi_fail(r->json.context, TOI_ERROR_FORMAT, "%s: a file without cases; give it one a line",
                    r->json.feed.source.path);
  return finish(r, set);
}

static toi_status read_file(toi_context *context, const char *path, toi_case_set *set) {
  reader *r = toi_allocate(context, sizeof *r);
  if (r == NULL)
    return TOI_ERROR_MEMORY;
  r->cases = NULL;
  r->count = r->room = 0;
  r->numbers = (toi_numbers){0};
  toi_status status = toi_json_open(&r->json, context, path, true);
  if (status == TOI_OK) {
    status = read_lines(r, set);
    toi_json_close(&r->json);
  }
  if (status != TOI_OK) {
    toi_free(context, r->cases, r->room * sizeof *r->cases);
    toi_numbers_free(context, &r->numbers);
  }
  toi_free(context, r, sizeof *r);
  return status;
}

toi_status toi_cases_read(toi_context *context, const char *path, toi_case_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_cases_read needs a context, a path and a place for its result");
  toi_clear_error(context);
  *set = (toi_case_set){0};
  /* Decimal numbers are rounded on the way. */
  const toi_float_mode mode = toi_float_mode_enter();
  const toi_status status = read_file(context, path, set);
  toi_float_mode_leave(mode);
  return status;
}

void toi_cases_free(toi_context *context, toi_case_set *set) {
  if (context == NULL || set == NULL)
    return;
  toi_free(context, set->cases, set->count * sizeof *set->cases);
  toi_free(context, set->owned, set->owned_bytes);
  *set = (toi_case_set){0};
}

/* --- writing --- */

static toi_status check_case(toi_context *context, const toi_patch_case *one, size_t number) {
  if (!(one->t_max > 0) || !isfinite(one->t_max))
    return toi_fail(context, TOI_ERROR_INPUT, "case %zu: t_max is %g; it must be positive and finite", number,
                    one->t_max);
  char name[48];
  snprintf(name, sizeof name, "a of case %zu", number);
  const toi_status status = toi_patch_check(context, &one->a, name);
  name[0] = 'b';
  return status == TOI_OK ? toi_patch_check(context, &one->b, name) : status;
}

static void write_case(toi_writer *w, const toi_patch_case *one) {
  toi_writer_text(w, "{\"a\":");
  toi_patch_write(w, &one->a, NULL);
  toi_writer_text(w, ",\"b\":");
  toi_patch_write(w, &one->b, NULL);
  toi_writer_text(w, ",\"t_max\":");
  toi_writer_number(w, one->t_max);
  toi_writer_text(w, "}\n");
}

toi_status toi_cases_write(toi_context *context, const char *path, const toi_case_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_cases_write needs a context, a path and cases");
  toi_clear_error(context);
  if (set->count == 0 || set->cases == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "there are no cases to write; a file has one at least");
  toi_status status = TOI_OK;
  for (size_t i = 0; i < set->count && status == TOI_OK; i++)
    status = check_case(context, &set->cases[i], i);
  toi_writer *w = status == TOI_OK ? toi_allocate(context, sizeof *w) : NULL;
  if (w == NULL)
    return status == TOI_OK ? TOI_ERROR_MEMORY : status;
  status = toi_writer_open(w, context, path);
  if (status == TOI_OK) {
    for (size_t i = 0; i < set->count; i++)
      write_case(w, &set->cases[i]);
    status = toi_writer_close(w);
  }
  toi_free(context, w, sizeof *w);
  return status;
}
