/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of patches, one {"a": PATCH, "b": PATCH, "t_max": 1} a line.
 *
 * Promise: what is read can be asked about, and what is written reads back bit for bit. */

#include <toi/io.h>

#include <assert.h>
#include <string.h>

#include "base/internal.h"
#include "base/reserved.h"
#include "io/array.h"
#include "io/patch.h"
#include "surface/surface.h"

/* --- reading --- */

/* A case that was read; its patches' arrays are among the reader's numbers. */
typedef struct pending {
  toi_patch patches[2];
  double t_max;
} pending;

typedef struct reader {
  toi_json json;
  toi_patch_draft a, b;
  double t_max;
  pending *cases;
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
  return toi_json_number_from(json, 0, &((reader *)user)->t_max);
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
    r->cases[r->count++] = (pending){{r->a.patch, r->b.patch}, r->t_max};
  return status;
}

static_assert(sizeof(toi_patch_case) % _Alignof(double) == 0 && sizeof(toi_patch) % _Alignof(double) == 0,
              "cases and patches lie before doubles");

/* Cases, patches and numbers in one block, each pointing to those behind. */
static toi_status finish(const reader *r, toi_case_set *set) {
  const size_t head = r->count * (sizeof(toi_patch_case) + 2 * sizeof(toi_patch));
  const size_t bytes = head + r->numbers.count * sizeof(double);
  char *block = toi_allocate(r->json.context, bytes);
  if (block == NULL)
    return TOI_ERROR_MEMORY;
  *set =
      (toi_case_set){.cases = (toi_patch_case *)(void *)block, .count = r->count, .owned = block, .owned_bytes = bytes};
  toi_patch *patch = (toi_patch *)(void *)(set->cases + r->count);
  double *numbers = (double *)(void *)(block + head);
  memcpy(numbers, r->numbers.values, r->numbers.count * sizeof(double));
  const double *next = numbers;
  for (size_t i = 0; i < r->count; i++, patch += 2) {
    for (int k = 0; k < 2; k++) {
      patch[k] = r->cases[i].patches[k];
      patch[k].size = sizeof(toi_patch);
      toi_patch_bind(&patch[k], &next);
    }
    set->cases[i] =
        (toi_patch_case){.size = sizeof(toi_patch_case), .a = &patch[0], .b = &patch[1], .t_max = r->cases[i].t_max};
  }
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
    return toi_fail(r->json.context, TOI_ERROR_FORMAT, "%s: a file without cases; give it one per line",
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
  toi_free(context, r->cases, r->room * sizeof *r->cases);
  toi_numbers_free(context, &r->numbers);
  toi_free(context, r, sizeof *r);
  return status;
}

static TOI_APART toi_status read_cases(toi_context *context, const char *path, toi_case_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_cases_read needs a context, a path and a place for its result");
  *set = (toi_case_set){0};
  // Decimal numbers are rounded on the way.
  const toi_status status = read_file(context, path, set);
  return status;
}

toi_status toi_cases_read(toi_context *context, const char *path, toi_case_set *set) {
  TOI_CALL(context, read_cases(context, path, set));
}

static TOI_APART void free_cases(toi_context *context, toi_case_set *set) {
  if (context == NULL || set == NULL)
    return;
  toi_free(context, set->owned, set->owned_bytes);
  *set = (toi_case_set){0};
}

void toi_cases_free(toi_context *context, toi_case_set *set) {
  TOI_CALL_VOID(NULL, free_cases(context, set));
}

/* --- writing --- */

/* Whether all of them can be asked about. */
static toi_status check_cases(toi_context *context, const toi_case_set *set) {
  if (!toi_reserved_is_zero(set->reserved, sizeof set->reserved))
    return toi_fail(context, TOI_ERROR_INPUT, "the cases' reserved fields are not zero; start from zeroes");
  toi_status status = TOI_OK;
  for (size_t i = 0; i < set->count && status == TOI_OK; i++) {
    toi_patch patches[2];
    toi_patch_case one;
    status = toi_case_take(context, set->cases, i, patches, &one);
  }
  return status;
}

static void write_case(toi_writer *w, const toi_patch_case *one) {
  toi_writer_text(w, "{\"a\":");
  toi_patch_write(w, one->a, NULL);
  toi_writer_text(w, ",\"b\":");
  toi_patch_write(w, one->b, NULL);
  toi_writer_text(w, ",\"t_max\":");
  toi_writer_number(w, one->t_max);
  toi_writer_text(w, "}\n");
}

static TOI_APART toi_status write_cases(toi_context *context, const char *path, const toi_case_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_cases_write needs a context, a path and cases");
  if (set->count == 0 || set->cases == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "there are no cases to write; a file has one at least");
  toi_status status = check_cases(context, set);
  toi_writer *w = status == TOI_OK ? toi_allocate(context, sizeof *w) : NULL;
  if (w == NULL)
    return status == TOI_OK ? TOI_ERROR_MEMORY : status;
  status = toi_writer_open(w, context, path);
  if (status == TOI_OK) {
    for (size_t i = 0; i < set->count; i++) {
      toi_patch patches[2];
      toi_patch_case one;
      if (toi_case_take(context, set->cases, i, patches, &one) == TOI_OK)
        write_case(w, &one);
    }
    status = toi_writer_close(w);
  }
  toi_free(context, w, sizeof *w);
  return status;
}

toi_status toi_cases_write(toi_context *context, const char *path, const toi_case_set *set) {
  TOI_CALL(context, write_cases(context, path, set));
}
