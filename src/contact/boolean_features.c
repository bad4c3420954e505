/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which faces, rims and vertices a Boolean shape may have, and where: its bounds are halved until few primitives are
 * left that may be 0 in a piece.
 *
 * Claim: every point of a feature within the bounds lies in the hull of that feature; one that is not listed has none.
 * Why: a piece is left out only where no primitive can be 0, and of a feature's hull only where an active one cannot be
 * 0, or its side is refuted. How far pieces are halved decides how tight hulls are. */

#include "contact/boolean.h"

#include "number/interval_branchless.h"

/* Pieces are halved so often at most; with a single primitive that may be 0, so often. */
#define DEPTH 15
#define DEPTH_FACE 8

/* After so many pieces none is halved any more. */
#define PIECES 6000

typedef struct piece {
  toi_interval box[3];
  int depth;
} piece;

typedef struct finder {
  toi_context *context;
  const toi_boolean_tree *tree;
  toi_interval t;
  toi_solid_feature *features;
  size_t count, room;
  size_t pieces;
} finder;

/* The hull of a feature grows; it is new where there is none. */
static toi_status note(finder *f, uint32_t active, const toi_interval box[3]) {
  for (size_t i = 0; i < f->count; i++) {
    toi_solid_feature *known = &f->features[i];
    if (known->active != active)
      continue;
    for (int k = 0; k < 3; k++)
      known->hull[k] = toi_interval_hull(known->hull[k], box[k]);
    return TOI_OK;
  }
  toi_solid_feature *more = toi_grow(f->context, f->features, f->count, &f->room, sizeof *more, 16);
  if (more == NULL)
    return TOI_ERROR_MEMORY;
  f->features = more;
  toi_solid_feature *made = &f->features[f->count++];
  *made = (toi_solid_feature){.active = active, .convex = toi_boolean_is_convex(f->tree, active)};
  memcpy(made->hull, box, sizeof made->hull);
  return TOI_OK;
}

/* All sets of up to three of those that may be 0, whose side is not refuted. */
static toi_status note_all(finder *f, const piece *p, uint32_t zero, const toi_interval *values) {
  const size_t n = f->tree->primitive_count;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < n && status == TOI_OK; i++)
    for (size_t j = i; j < n && status == TOI_OK; j++)
      for (size_t k = j; k < n && status == TOI_OK; k++) {
        const uint32_t active = UINT32_C(1) << i | UINT32_C(1) << j | UINT32_C(1) << k;
        // One set each: i alone, i < j = k, or i < j < k.
        const bool once = (i == j && j == k) || (i < j && j <= k);
        if (once && (active & ~zero) == 0 && toi_boolean_side(f->tree, active, values) >= 0)
          status = note(f, active, p->box);
      }
  return status;
}

/* The value over a piece, also centred. */
static bool bound(const finder *f, size_t primitive, const piece *p, toi_interval *value) {
  toi_field over, at;
  toi_interval middle[3];
  if (!toi_boolean_field(f->tree, primitive, p->box, f->t, 1, &over))
    return false;
  *value = over.value;
  if (toi_interval_sign(*value) != 0)
    return true;
  for (int k = 0; k < 3; k++)
    middle[k] = toi_interval_point(toi_interval_midpoint(p->box[k]));
  if (!toi_boolean_field(f->tree, primitive, middle, f->t, 0, &at))
    return false;
  for (int k = 0; k < 3; k++)
    at.value =
        toi_branchless_add(at.value, toi_branchless_mul(over.slope[k], toi_branchless_sub(p->box[k], middle[k])));
  (void)toi_interval_intersect(*value, at.value, value);
  return true;
}

static bool halve(piece *from, piece *first) {
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (toi_interval_width(from->box[k]) > toi_interval_width(from->box[axis]))
      axis = k;
  const double middle = toi_interval_midpoint(from->box[axis]);
  if (!(from->box[axis].lo < middle && middle < from->box[axis].hi))
    return false;
  from->depth++;
  *first = *from;
  first->box[axis].hi = middle;
  from->box[axis].lo = middle;
  return true;
}

/* One piece off the stack; it goes back halved. */
static toi_status examine(finder *f, piece *stack, int *count) {
  piece *top = &stack[*count - 1];
  toi_interval values[TOI_BOOLEAN_PRIMITIVES];
  uint32_t zero = 0, faces = 0;
  size_t zeroes = 0;
  f->pieces++;
  for (size_t i = 0; i < f->tree->primitive_count; i++) {
    if (!bound(f, i, top, &values[i]))
      return TOI_ERROR_CALLBACK;
    zero |= (uint32_t)(toi_interval_sign(values[i]) == 0) << i;
  }
  for (size_t i = 0; i < f->tree->primitive_count; i++)
    if (zero >> i & 1 && toi_boolean_side(f->tree, UINT32_C(1) << i, values) >= 0) {
      faces |= UINT32_C(1) << i;
      zeroes++;
    }
  const int depth = zeroes > 1 ? DEPTH : DEPTH_FACE;
  if (faces != 0 && top->depth < depth && f->pieces + (size_t)*count < PIECES && halve(top, top + 1)) {
    (*count)++;
    return TOI_OK;
  }
  (*count)--;
  const piece done = *top;
  return faces == 0 ? TOI_OK : note_all(f, &done, faces, values);
}

toi_status toi_boolean_features(toi_context *context, const toi_boolean_tree *b, const toi_interval bounds[3],
                                toi_interval t, toi_solid_feature **features, size_t *count) {
  finder f = {.context = context, .tree = b, .t = t};
  piece stack[DEPTH + 2] = {{.depth = 0}};
  memcpy(stack[0].box, bounds, sizeof stack[0].box);
  toi_status status = TOI_OK;
  for (int waiting = 1; waiting > 0 && status == TOI_OK;)
    status = examine(&f, stack, &waiting);
  // As large as it is counted.
  if (status == TOI_OK && f.count < f.room) {
    toi_solid_feature *less =
        f.count == 0 ? NULL : toi_resize(context, f.features, f.room * sizeof *less, f.count * sizeof *less);
    if (f.count == 0)
      toi_free(context, f.features, f.room * sizeof *f.features);
    else if (less == NULL)
      status = TOI_ERROR_MEMORY;
    if (less != NULL || f.count == 0) {
      f.features = less;
      f.room = f.count;
    }
  }
  if (status != TOI_OK && f.features != NULL)
    toi_free(context, f.features, f.room * sizeof *f.features);
  *features = status == TOI_OK ? f.features : NULL;
  *count = status == TOI_OK ? f.count : 0;
  return status;
}
