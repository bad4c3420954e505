/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the equations of all pairs are made of: jets of surfaces and of the relative motion, remembered for boxes that
 * come again. Halving boxes gives the same pieces of a surface over and over, beside ever other pieces of the other. */

#include "contact/solid.h"

#include "solve/vector.h"

/* --- memories: a place for each hash, where the newer jet replaces the older --- */

#define JETS 512
#define MOTIONS 256

/* The place of a hash: from 1, in the order of their first use, so that little is touched by a short search; 0: none
 * yet. */
typedef struct jet_place {
  uint32_t piece;
  toi_interval key[3];
  unsigned orders; /* how many are there; 0: nothing */
  toi_surface_jet jet;
} jet_place;

struct toi_jet_memory {
  uint16_t place[JETS], count;
  jet_place at[JETS];
};

typedef struct motion_place {
  uint64_t bodies; /* of the pair */
  toi_interval key;
  unsigned orders;
  toi_motion_jet jet;
} motion_place;

struct toi_motion_memory {
  uint16_t place[MOTIONS], count;
  motion_place at[MOTIONS];
};

static jet_place *jet_place_of(struct toi_jet_memory *m, uint64_t hash) {
  uint16_t *place = &m->place[hash >> 20 & (JETS - 1)];
  if (*place == 0) {
    *place = ++m->count;
    m->at[*place - 1].orders = 0;
  }
  return &m->at[*place - 1];
}

static motion_place *motion_place_of(struct toi_motion_memory *m, uint64_t hash) {
  uint16_t *place = &m->place[hash >> 20 & (MOTIONS - 1)];
  if (*place == 0) {
    *place = ++m->count;
    m->at[*place - 1].orders = 0;
  }
  return &m->at[*place - 1];
}

static uint64_t mix(uint64_t hash, double x) {
  hash = (hash ^ toi_bits(x)) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static bool same(toi_interval a, toi_interval b) {
  return a.lo == b.lo && a.hi == b.hi;
}

toi_status toi_jets_begin(toi_context *context, struct toi_jet_memory **jets) {
  *jets = toi_allocate(context, sizeof **jets);
  if (*jets == NULL)
    return TOI_ERROR_MEMORY;
  toi_jets_clear(*jets);
  return TOI_OK;
}

void toi_jets_clear(struct toi_jet_memory *jets) {
  memset(jets->place, 0, sizeof jets->place);
  jets->count = 0;
}

void toi_jets_end(toi_context *context, struct toi_jet_memory *jets) {
  if (jets != NULL)
    toi_free(context, jets, sizeof *jets);
}

toi_status toi_body_surface_begin(toi_context *context, toi_body_surface *surface) {
  surface->jets = NULL;
  if (surface->shape->implicit)
    return TOI_OK;
  if (surface->piece > 0) {
    surface->jets = surface[-(ptrdiff_t)surface->piece].jets;
    return TOI_OK;
  }
  return toi_jets_begin(context, &surface->jets);
}

void toi_body_surface_end(toi_context *context, toi_body_surface *surface) {
  if (surface->owned != NULL)
    toi_free(context, surface->owned, surface->feature_count * sizeof *surface->owned);
  surface->owned = NULL;
  if (surface->piece == 0)
    toi_jets_end(context, surface->jets);
  surface->jets = NULL;
}

toi_status toi_motions_begin(toi_context *context, struct toi_motion_memory **motions) {
  *motions = toi_allocate(context, sizeof **motions);
  if (*motions == NULL)
    return TOI_ERROR_MEMORY;
  toi_motions_clear(*motions);
  return TOI_OK;
}

void toi_motions_clear(struct toi_motion_memory *motions) {
  memset(motions->place, 0, sizeof motions->place);
  motions->count = 0;
}

void toi_motions_end(toi_context *context, struct toi_motion_memory *motions) {
  if (motions != NULL)
    toi_free(context, motions, sizeof *motions);
}

/* --- jets --- */

bool toi_body_surface_ask(toi_body_surface *surface, const toi_interval *box, unsigned order, toi_interval *jets) {
  if (toi_shape_jets(surface->shape, box, order, jets))
    return true;
  surface->failed = true;
  memcpy(surface->asked, box, (surface->shape->implicit ? 4 : 3) * sizeof *box);
  surface->asked_order = order;
  return false;
}

void toi_body_surface_fail(toi_body_surface *surface, const toi_interval place[3], toi_interval t, unsigned order) {
  surface->failed = true;
  memcpy(surface->asked, place, 3 * sizeof *place);
  surface->asked[3] = t;
  surface->asked_order = order;
}

/* Component by component, as shapes give them, to vector by vector. */
static bool fetch_jet(toi_body_surface *surface, const toi_interval uvt[3], unsigned order, toi_surface_jet *jet) {
  toi_interval packed[3 * TOI_JET3];
  if (!toi_body_surface_ask(surface, uvt, order, packed))
    return false;
  size_t size = TOI_JET_SIZE(3, order);
  for (size_t i = 0; i < size; i++)
    for (size_t k = 0; k < 3; k++)
      jet->d[i][k] = packed[k * size + i];
  return true;
}

const toi_surface_jet *toi_body_surface_jet(toi_body_surface *surface, const toi_interval uvt[3], unsigned order) {
  uint64_t hash = mix(mix(mix(mix(surface->piece, uvt[0].lo), uvt[0].hi), uvt[1].lo), uvt[1].hi);
  if (surface->shape->deforming)
    hash = mix(mix(hash, uvt[2].lo), uvt[2].hi);
  jet_place *place = jet_place_of(surface->jets, hash);
  bool known = place->orders > order && place->piece == surface->piece && same(place->key[0], uvt[0]) &&
               same(place->key[1], uvt[1]) && (!surface->shape->deforming || same(place->key[2], uvt[2]));
  if (known)
    return &place->jet;
  place->orders = 0;
  if (!fetch_jet(surface, uvt, order, &place->jet))
    return NULL;
  for (int i = 0; i < 3; i++)
    place->key[i] = uvt[i];
  place->piece = surface->piece;
  place->orders = order + 1;
  return &place->jet;
}

static bool is_apart(const toi_interval place[3], const toi_interval bounds[3]) {
  for (int k = 0; k < 3; k++)
    if (place[k].lo > bounds[k].hi || place[k].hi < bounds[k].lo)
      return true;
  return false;
}

bool toi_body_surface_reaches(const toi_body_surface *surface, const toi_interval place[3]) {
  if (is_apart(place, surface->bounds))
    return false;
  if (!surface->shape->implicit || !toi_body_surface_is_turned(surface))
    return true;
  // The bounds that were given are those of the shape as it was given.
  toi_interval given[3];
  toi_times3(surface->frame, place, given);
  return !is_apart(given, surface->given->bounds);
}

/* The jets of a motion by time that runs backwards: odd derivatives change their sign. */
static void turn_time(toi_motion_jet *jet) {
  for (int i = 0; i < 3; i++) {
    jet->translation[1][i] = toi_interval_neg(jet->translation[1][i]);
    for (int j = 0; j < 3; j++)
      jet->rotation[1][i][j] = toi_interval_neg(jet->rotation[1][i][j]);
  }
}

void toi_body_surface_motion(const toi_body_surface *surface, toi_interval t, unsigned order, toi_motion_jet *jet) {
  if (surface->backwards) {
    const toi_interval all = {0, surface->span};
    toi_interval then = toi_interval_sub(toi_interval_point(surface->span), t);
    // What rounding adds lies beyond the times that the motion is given for.
    if (toi_interval_encloses(all, t))
      (void)toi_interval_intersect(then, all, &then);
    t = then;
  }
  toi_motion_jet_at(surface->motion, t, order, jet);
  if (surface->backwards && order > 0)
    turn_time(jet);
  for (unsigned i = 0; i <= order && toi_body_surface_is_turned(surface); i++) {
    toi_interval turned[3][3];
    for (int row = 0; row < 3; row++)
      toi_transposed3(surface->frame, jet->rotation[i][row], turned[row]);
    memcpy(jet->rotation[i], turned, sizeof turned);
  }
}

/* M and D once more, from the middle of the time on: what both bodies have in common cancels in the derivatives. */
static void centre_motion(const toi_body_pair *pair, toi_interval t, toi_motion_jet *jet) {
  toi_interval middle = toi_interval_point(toi_interval_midpoint(t)), away = toi_interval_sub(t, middle);
  toi_motion_jet first, second, then;
  toi_body_surface_motion(pair->surface[0], middle, 0, &first);
  toi_body_surface_motion(pair->surface[1], middle, 0, &second);
  toi_motion_jet_relative(&first, &second, 0, &then);
  for (int i = 0; i < 3; i++) {
    toi_interval *d = &jet->translation[0][i];
    (void)toi_interval_intersect(
        *d, toi_branchless_add(then.translation[0][i], toi_branchless_mul(jet->translation[1][i], away)), d);
    for (int j = 0; j < 3 && !pair->shifts; j++) {
      toi_interval *m = &jet->rotation[0][i][j];
      (void)toi_interval_intersect(
          *m, toi_branchless_add(then.rotation[0][i][j], toi_branchless_mul(jet->rotation[1][i][j], away)), m);
    }
  }
}

const toi_motion_jet *toi_body_pair_motion(const toi_body_pair *pair, toi_interval t, unsigned order) {
  uint64_t bodies = (uint64_t)pair->body[0] << 32 | pair->body[1], hash = mix(mix(bodies, t.lo), t.hi);
  motion_place *place = motion_place_of(pair->motions, hash);
  if (place->orders > order && place->bodies == bodies && same(place->key, t))
    return &place->jet;
  toi_motion_jet first, second;
  toi_body_surface_motion(pair->surface[0], t, order, &first);
  toi_body_surface_motion(pair->surface[1], t, order, &second);
  toi_motion_jet_relative(&first, &second, order, &place->jet);
  if (order > 0 && t.lo < t.hi)
    centre_motion(pair, t, &place->jet);
  if (pair->shift != NULL)
    toi_add3(place->jet.translation[0], pair->shift, place->jet.translation[0]);
  place->bodies = bodies;
  place->key = t;
  place->orders = order + 1;
  return &place->jet;
}

/* Rotated; a copy where nothing turns. */
static void turned(const toi_body_pair *pair, const toi_interval rotation[3][3], const toi_interval a[3],
                   toi_interval product[3]) {
  if (pair->shifts)
    memcpy(product, a, 3 * sizeof *a);
  else
    toi_times3(rotation, a, product);
}

bool toi_body_pair_own(const toi_body_pair *pair, const toi_interval uvt[3], toi_interval own[3]) {
  const toi_surface_jet *s = toi_body_surface_jet(pair->surface[0], uvt, 0);
  if (s != NULL)
    memcpy(own, s->d[0], sizeof s->d[0]);
  return s != NULL;
}

/* p = M s + D and what follows for its derivatives. Where nothing turns M' = 0, and where the shape does not deform the
 * derivatives of s by t are zeroes that need not be multiplied. */
bool toi_body_pair_jet(const toi_body_pair *pair, uint32_t frozen, const toi_interval uvt[3], unsigned order,
                       toi_surface_jet *jet) {
  toi_surface_jet thick;
  const toi_surface_jet *s = toi_face_jet(pair->surface[0], frozen & 3, uvt, order, &thick);
  if (s == NULL)
    return false;
  const toi_motion_jet *m = toi_body_pair_motion(pair, uvt[2], order);
  bool deforms = pair->surface[0]->shape->deforming;
  enum { P, U, V, T, UU, UV, UT, VV, VT, TT };

  turned(pair, m->rotation[0], s->d[P], jet->d[P]);
  toi_add3(jet->d[P], m->translation[0], jet->d[P]);
  if (order == 0)
    return true;
  turned(pair, m->rotation[0], s->d[U], jet->d[U]);
  turned(pair, m->rotation[0], s->d[V], jet->d[V]);
  // p_t = M' s + D' + M s_t
  memcpy(jet->d[T], m->translation[1], sizeof jet->d[T]);
  toi_interval part[3];
  if (!pair->shifts) {
    toi_times3(m->rotation[1], s->d[P], part);
    toi_add3(jet->d[T], part, jet->d[T]);
  }
  if (deforms) {
    turned(pair, m->rotation[0], s->d[T], part);
    toi_add3(jet->d[T], part, jet->d[T]);
  }
  if (order == 1)
    return true;

  turned(pair, m->rotation[0], s->d[UU], jet->d[UU]);
  turned(pair, m->rotation[0], s->d[UV], jet->d[UV]);
  turned(pair, m->rotation[0], s->d[VV], jet->d[VV]);
  // p_ut = M' s_u + M s_ut, and the same by v.
  static const struct { int mixed, single; } by_time[] = {{UT, U}, {VT, V}};
  for (size_t i = 0; i < 2; i++) {
    toi_interval *mixed = jet->d[by_time[i].mixed];
    memset(mixed, 0, 3 * sizeof *mixed);
    if (!pair->shifts)
      toi_times3(m->rotation[1], s->d[by_time[i].single], mixed);
    if (deforms) {
      turned(pair, m->rotation[0], s->d[by_time[i].mixed], part);
      toi_add3(mixed, part, mixed);
    }
  }
  // p_tt = M'' s + D'' + 2 M' s_t + M s_tt
  memcpy(jet->d[TT], m->translation[2], sizeof jet->d[TT]);
  if (!pair->shifts) {
    toi_times3(m->rotation[2], s->d[P], part);
    toi_add3(jet->d[TT], part, jet->d[TT]);
  }
  if (deforms) {
    turned(pair, m->rotation[0], s->d[TT], part);
    toi_add3(jet->d[TT], part, jet->d[TT]);
    if (!pair->shifts) {
      toi_times3(m->rotation[1], s->d[T], part);
      toi_add3(jet->d[TT], part, jet->d[TT]);
      toi_add3(jet->d[TT], part, jet->d[TT]);
    }
  }
  return true;
}

bool toi_system_at(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  static bool (*const of[])(const toi_problem *, const toi_box *, toi_system_order,
                            toi_system *) = {[TOI_BODY_PAIR_PP] = toi_system_parametric,
                                             [TOI_BODY_PAIR_PI] = toi_system_mixed,
                                             [TOI_BODY_PAIR_II] = toi_system_implicit,
                                             [TOI_BODY_PAIR_PB] = toi_system_boolean,
                                             [TOI_BODY_PAIR_BB] = toi_system_boolean};
  system->incoming[0] = system->incoming[1] = toi_interval_whole();
  system->sides = toi_interval_point(0);
  system->inside = false;
  system->vector = problem->pair->kind == TOI_BODY_PAIR_PP;
  return of[problem->pair->kind](problem, box, order, system);
}

bool toi_expand(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  static bool (*const of[])(const toi_problem *, const toi_box *, unsigned,
                            toi_expansion *) = {[TOI_BODY_PAIR_PP] = toi_expand_parametric,
                                                [TOI_BODY_PAIR_PI] = toi_expand_mixed,
                                                [TOI_BODY_PAIR_II] = toi_expand_implicit,
                                                [TOI_BODY_PAIR_PB] = toi_expand_boolean,
                                                [TOI_BODY_PAIR_BB] = toi_expand_boolean};
  return of[problem->pair->kind](problem, box, order, e);
}
