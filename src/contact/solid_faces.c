/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Faces that are given are joined into one solid along the edges that they have in common.
 *
 * Promise: every edge of every face is that of exactly one other face, run through evenly in the same or in the
 * opposite direction, and no farther from it than the gap, which is proved (solid_gap.c) and at most the tolerance.
 * Faces that meet have their outsides on the same side, and all of them together hold a positive volume. Which edges
 * belong together is found by samples; that they do is proved. Whatever is wrong is refused by the numbers of the
 * faces. */

#include "contact/solid_faces.h"

#include "solve/vector.h"

#include <stdio.h>

#define FACES TOI_LAYOUT(toi_faces, tolerance)

#define TOLERANCE 1e-6

/* Faces that a solid may have: each pair of edges is compared. */
#define FACES_MOST 1024

/* A contact counts where cosines are below 0 by this much, times the gap as part of the size: lemma 46. */
#define GIVE_FOR_GAP 0x1p12

/* Pieces along u and along v for the volume. */
#define PIECES 24

static const char *const side_names[TOI_SIDES] = {"u_lo", "u_hi", "v_lo", "v_hi"};

void toi_faces_init(toi_faces *faces, size_t size) {
  const toi_faces defaults = {.tolerance = TOLERANCE};
  toi_init_struct(FACES, &defaults, faces, size);
}

void toi_face_join_name(const toi_face_join *j, size_t face, char name[TOI_FACE_NAME_SIZE]) {
  if (j->patch[face] == UINT32_MAX)
    (void)snprintf(name, TOI_FACE_NAME_SIZE, "faces[%u]", (unsigned)j->given[face]);
  else
    (void)snprintf(name, TOI_FACE_NAME_SIZE, "faces[%u], patch %u", (unsigned)j->given[face], (unsigned)j->patch[face]);
}

/* --- faces --- */

static toi_status check_given(toi_context *context, const toi_faces *given) {
  if (given->shapes == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "shapes is NULL; give the faces");
  if (given->trim != NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "trim is not NULL; faces with trimming curves are not supported yet");
  if (!(given->tolerance > 0 && given->tolerance <= DBL_MAX))
    return toi_fail(context, TOI_ERROR_INPUT, "the tolerance is %g; it must be positive and finite", given->tolerance);
  size_t pieces = 0;
  for (size_t i = 0; i < given->count; i++) {
    const toi_shape *shape = given->shapes[i];
    const char *wrong = shape == NULL     ? "is NULL"
                        : shape->implicit ? "is implicit: it has no edges; a face is parametric, or made of patches"
                        : shape->joints != NULL  ? "is a solid of several faces already"
                        : shape->enclose != NULL ? "is a function of the caller's: nothing is proved of its edges"
                        : shape->deforming       ? "deforms: its gaps would change; a joined solid is rigid"
                                                 : NULL;
    if (wrong != NULL)
      return toi_fail(context, TOI_ERROR_INPUT, "faces[%zu] %s", i, wrong);
    pieces += toi_shape_pieces(shape);
  }
  if (pieces < 2)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu faces; a joined solid has two at least", pieces);
  if (pieces > FACES_MOST)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu faces; there may be %d at most", pieces, FACES_MOST);
  return TOI_OK;
}

static bool begin(toi_face_join *j, const toi_faces *given) {
  for (size_t i = 0; i < given->count; i++)
    j->room += toi_shape_pieces(given->shapes[i]);
  j->faces = toi_allocate(j->context, j->room * sizeof *j->faces);
  j->given = toi_allocate(j->context, j->room * sizeof *j->given);
  j->patch = toi_allocate(j->context, j->room * sizeof *j->patch);
  j->rims = toi_allocate(j->context, j->room * sizeof *j->rims);
  j->joints = toi_joints_make(j->context, j->room, TOI_CORNERS * j->room, TOI_CORNERS * j->room, 0);
  return j->faces != NULL && j->given != NULL && j->patch != NULL && j->rims != NULL && j->joints != NULL;
}

static void end(toi_face_join *j) {
  for (size_t i = 0; i < j->count; i++) {
    toi_tape_destroy(j->faces[i].tape);
    toi_patch_nets_destroy(j->context, j->faces[i].nets);
  }
  const struct {
    void *block;
    size_t each;
  } blocks[] = {{j->faces, sizeof *j->faces},
                {j->given, sizeof *j->given},
                {j->patch, sizeof *j->patch},
                {j->rims, sizeof *j->rims}};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (blocks[i].block != NULL)
      toi_free(j->context, blocks[i].block, j->room * blocks[i].each);
  toi_joints_destroy(j->context, j->joints);
}

/* A copy of one surface, which is checked as it was given: an open one. */
static toi_status add_face(toi_face_join *j, const toi_shape *shape, size_t given, size_t piece) {
  toi_shape *face = &j->faces[j->count];
  *face = *shape;
  face->context = j->context;
  face->straight = NULL;
  face->frame = NULL;
  face->tape = NULL;
  face->nets = NULL;
  face->joins = false;
  j->given[j->count] = (uint32_t)given;
  j->patch[j->count] = (uint32_t)piece;
  toi_status status = shape->tape != NULL ? toi_tape_copy(j->context, shape->tape, &face->tape)
                                          : toi_patch_nets_copy(j->context, shape->nets, &face->nets);
  if (status != TOI_OK)
    return status;
  const size_t number = j->count++;
  char name[TOI_FACE_NAME_SIZE];
  toi_interval bounds[3];
  double centre[3], radius, extent = 0;
  toi_face_join_name(j, number, name);
  if (face->solid || face->edges == 0)
    return toi_fail(j->context, TOI_ERROR_INPUT, "%s is %s; a face is open", name,
                    face->solid ? "said to be a solid by itself" : "closed: it has no edges to join");
  status = toi_shape_check(face, 0, name, bounds, centre, &radius);
  for (int k = 0; k < 3 && status == TOI_OK; k++)
    extent = fmax(extent, bounds[k].hi - bounds[k].lo);
  if (status == TOI_OK && !(extent > j->tolerance))
    return toi_fail(j->context, TOI_ERROR_INPUT, "%s is %.3g long, no more than the tolerance of %.3g", name, extent,
                    j->tolerance);
  j->size = fmax(j->size, extent);
  return status;
}

static toi_status add_faces(toi_face_join *j, const toi_faces *given) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < given->count && status == TOI_OK; i++) {
    const toi_shape *shape = given->shapes[i];
    const size_t pieces = toi_shape_pieces(shape);
    for (size_t n = 0; n < pieces && status == TOI_OK; n++)
      status = add_face(j, toi_shape_piece(shape, n), i, pieces == 1 ? UINT32_MAX : n);
  }
  return status;
}

/* --- sides --- */

static double distance(const double a[3], const double b[3]) {
  return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}

static toi_status look_at_side(toi_face_join *j, size_t number, int side) {
  toi_rim_state *rim = &j->rims[number][side];
  const toi_rim place = {&j->faces[number], side};
  *rim = (toi_rim_state){.real = j->faces[number].edges >> side & 1};
  if (!rim->real)
    return TOI_OK;
  double longest = 0;
  for (int i = 0; i < TOI_RIM_SAMPLES; i++) {
    toi_interval uvt[3], at[3];
    toi_rim_place(&place, i / (TOI_RIM_SAMPLES - 1.0), uvt);
    (void)toi_shape_jets(&j->faces[number], uvt, 0, at);
    for (int k = 0; k < 3; k++)
      rim->at[i][k] = toi_interval_midpoint(at[k]);
    longest = fmax(longest, distance(rim->at[i], rim->at[0]));
  }
  double length = INFINITY;
  if (longest > j->tolerance)
    return TOI_OK;
  const toi_status status = toi_rim_gap(j->context, &place, NULL, false, &length);
  rim->point = length <= j->tolerance;
  return status;
}

/* Whether the derivative along a side is 0 all along it: as enclosures say, or as a patch is known to be. */
static bool is_pole(const toi_shape *face, int side) {
  if (face->nets != NULL)
    return face->nets->collapsed >> side & 1;
  const int axis = side / 2;
  const toi_interval x = face->domain[axis];
  toi_interval uvt[3] = {face->domain[0], face->domain[1], {0, 0}}, jets[3 * TOI_JET_SIZE(3, 1)];
  uvt[axis] = toi_interval_point(side % 2 == 0 ? x.lo : x.hi);
  bool zero = toi_shape_jets(face, uvt, 1, jets);
  for (size_t k = 0; k < 3 && zero; k++) {
    const toi_interval slope = jets[k * TOI_JET_SIZE(3, 1) + 2 - (size_t)axis];
    zero = slope.lo == 0 && slope.hi == 0;
  }
  return zero;
}

/* Points are where the face comes to a tip: around which the other parameter goes. */
static toi_status set_tips(toi_face_join *j, size_t number) {
  toi_face *face = &j->joints->face[number];
  for (int side = 0; side < TOI_SIDES; side++) {
    face->tips |= (uint8_t)(j->rims[number][side].point << side);
    face->poles |= (uint8_t)((is_pole(&j->faces[number], side) ? 1 : 0) << side);
  }
  const uint32_t ends = face->tips | face->poles;
  face->around = (ends & TOI_EDGES_U) != 0;
  if ((ends & TOI_EDGES_U) == 0 || (ends & TOI_EDGES_V) == 0)
    return TOI_OK;
  char name[TOI_FACE_NAME_SIZE];
  toi_face_join_name(j, number, name);
  return toi_fail(j->context, TOI_ERROR_INPUT, "%s shrinks to a point at ends of u and of v; it may do so along one",
                  name);
}

static toi_status look_at_sides(toi_face_join *j) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < j->count && status == TOI_OK; i++) {
    for (int side = 0; side < TOI_SIDES && status == TOI_OK; side++)
      status = look_at_side(j, i, side);
    if (status == TOI_OK)
      status = set_tips(j, i);
  }
  return status;
}

/* --- which belong together --- */

/* How far apart two edges are at most, of their samples. */
static double apart(const toi_rim_state *a, const toi_rim_state *b, bool reversed) {
  double most = 0;
  for (int i = 0; i < TOI_RIM_SAMPLES; i++)
    most = fmax(most, distance(a->at[i], b->at[reversed ? TOI_RIM_SAMPLES - 1 - i : i]));
  return most;
}

typedef struct partner {
  size_t face;
  int side;
  bool reversed;
  double apart;
} partner;

/* The edge that is nearest to one, and the one after that, of faces from `from` on; itself excepted. */
static void find_partners(const toi_face_join *j, size_t number, int side, partner best[2]) {
  const toi_rim_state *rim = &j->rims[number][side];
  best[0] = best[1] = (partner){.face = SIZE_MAX, .apart = INFINITY};
  for (size_t i = 0; i < j->count; i++)
    for (int n = 0; n < TOI_SIDES; n++) {
      const toi_rim_state *other = &j->rims[i][n];
      if (!other->real || other->point || other == rim)
        continue;
      const double ways[2] = {apart(rim, other, false), apart(rim, other, true)};
      const partner found = {i, n, ways[1] < ways[0], fmin(ways[0], ways[1])};
      if (found.apart < best[0].apart) {
        best[1] = best[0];
        best[0] = found;
      } else if (found.apart < best[1].apart) {
        best[1] = found;
      }
    }
}

static toi_status fail_open(const toi_face_join *j, size_t number, int side, const partner *best, double gap) {
  char name[TOI_FACE_NAME_SIZE], other[TOI_FACE_NAME_SIZE];
  toi_face_join_name(j, number, name);
  if (best->face == SIZE_MAX)
    return toi_fail(j->context, TOI_ERROR_INPUT, "%s: its edge %s meets no other edge", name, side_names[side]);
  toi_face_join_name(j, best->face, other);
  return toi_fail(j->context, TOI_ERROR_INPUT,
                  "%s: its edge %s meets no other edge: %s, %s is nearest, %.3g away at the same parameters; the "
                  "tolerance is %.3g",
                  name, side_names[side], other, side_names[best->side], gap, j->tolerance);
}

static toi_status fail_thrice(const toi_face_join *j, size_t number, int side, const partner best[2]) {
  char names[3][TOI_FACE_NAME_SIZE];
  toi_face_join_name(j, number, names[0]);
  toi_face_join_name(j, best[0].face, names[1]);
  toi_face_join_name(j, best[1].face, names[2]);
  return toi_fail(j->context, TOI_ERROR_INPUT, "%s: its edge %s is used three times: %s, %s and %s, %s are there too",
                  names[0], side_names[side], names[1], side_names[best[0].side], names[2], side_names[best[1].side]);
}

/* Whether a face has a side on its left as its parameter grows. */
static bool is_forward(int side) {
  return side == 1 || side == 2;
}

static toi_status join_sides(toi_face_join *j, size_t number, int side, const partner *other) {
  const toi_rim a = {&j->faces[number], side}, b = {&j->faces[other->face], other->side};
  double gap = INFINITY;
  const toi_status status = toi_rim_gap(j->context, &a, &b, other->reversed, &gap);
  if (status != TOI_OK)
    return status;
  if (!(gap <= j->tolerance))
    return fail_open(j, number, side, other, gap);
  toi_side *here = &j->joints->face[number].side[side], *there = &j->joints->face[other->face].side[other->side];
  *here = (toi_side){.own = true,
                     .reversed = other->reversed,
                     .side = (uint8_t)other->side,
                     .face = (uint32_t)other->face,
                     .gap = gap};
  *there = (toi_side){
      .own = false, .reversed = other->reversed, .side = (uint8_t)side, .face = (uint32_t)number, .gap = gap};
  j->rims[number][side].joined = j->rims[other->face][other->side].joined = true;
  return TOI_OK;
}

/* Both faces have the edge on their left, so that they run along it in opposite directions. */
static toi_status check_sides(const toi_face_join *j, size_t number) {
  for (int side = 0; side < TOI_SIDES; side++) {
    const toi_side *at = &j->joints->face[number].side[side];
    if (at->face == TOI_NO_FACE || (is_forward(side) == is_forward(at->side)) == at->reversed)
      continue;
    char name[TOI_FACE_NAME_SIZE], neighbour[TOI_FACE_NAME_SIZE];
    toi_face_join_name(j, number, name);
    toi_face_join_name(j, at->face, neighbour);
    return toi_fail(j->context, TOI_ERROR_INPUT,
                    "%s and %s have their outsides on different sides where they meet; swap u and v of one of them",
                    name, neighbour);
  }
  return TOI_OK;
}

static toi_status join_side(toi_face_join *j, size_t number, int side) {
  partner best[2];
  find_partners(j, number, side, best);
  if (!(best[0].apart <= j->tolerance))
    return fail_open(j, number, side, &best[0], best[0].apart);
  if (best[1].apart <= j->tolerance)
    return fail_thrice(j, number, side, best);
  return j->rims[number][side].joined ? TOI_OK : join_sides(j, number, side, &best[0]);
}

static toi_status join_all(toi_face_join *j) {
  toi_status status = TOI_OK;
  double widest = 0;
  for (size_t i = 0; i < j->count; i++)
    for (int side = 0; side < TOI_SIDES && status == TOI_OK; side++) {
      if (j->rims[i][side].real && !j->rims[i][side].point)
        status = join_side(j, i, side);
      widest = fmax(widest, j->joints->face[i].side[side].gap);
    }
  for (size_t i = 0; i < j->count && status == TOI_OK; i++)
    status = check_sides(j, i);
  j->joints->give = TOI_SMOOTH + GIVE_FOR_GAP * widest / j->size;
  for (size_t i = 0; i < j->count; i++)
    for (int side = 0; side < TOI_SIDES; side++)
      j->joints->face[i].side[side].give = j->joints->give;
  return status;
}

/* --- inside out --- */

static toi_status check_volume(toi_face_join *j) {
  double all[2] = {0, 0};
  const double *c = j->rims[0][0].at[0], origin[3] = {0, 0, 0};
  for (size_t i = 0; i < j->count; i++) {
    double sums[2];
    const toi_status status = toi_shape_volume(&j->faces[i], j->rims[0][0].real ? c : origin, PIECES, "face", sums);
    if (status != TOI_OK)
      return status;
    all[0] += sums[0];
    all[1] += sums[1];
  }
  return all[0] > 0 ? TOI_OK
                    : toi_fail(j->context, TOI_ERROR_INPUT,
                               all[0] < 0 ? "the solid is inside out; swap u and v of every face"
                                          : "the faces hold no volume");
}

/* --- all of it --- */

static toi_status join(toi_face_join *j, const toi_faces *given) {
  toi_status status = begin(j, given) ? add_faces(j, given) : TOI_ERROR_MEMORY;
  if (status == TOI_OK)
    status = look_at_sides(j);
  if (status == TOI_OK)
    status = join_all(j);
  if (status == TOI_OK)
    status = check_volume(j);
  return status == TOI_OK ? toi_face_join_vertices(j) : status;
}

static TOI_APART toi_status faces_of(toi_context *context, const toi_faces *faces, toi_shape **shape) {
  toi_status status = toi_shape_begin(context, faces, "faces", shape);
  toi_faces given = {.size = 0};
  if (status == TOI_OK)
    status = toi_take_description(context, FACES, faces, &given);
  if (status == TOI_OK && given.tolerance == 0)
    given.tolerance = TOLERANCE;
  if (status == TOI_OK)
    status = check_given(context, &given);
  if (status != TOI_OK)
    return status;
  toi_face_join j = {.context = context, .tolerance = given.tolerance};
  status = join(&j, &given);
  if (status == TOI_OK) {
    for (size_t i = 0; i < j.count; i++)
      j.faces[i].known = true;
    const size_t count = j.count;
    toi_joints *joints = j.joints;
    j.count = 0;
    j.joints = NULL;
    status = toi_shape_join(context, j.faces, count, joints, shape);
  }
  end(&j);
  if (status != TOI_OK) {
    toi_shape_destroy(*shape);
    *shape = NULL;
  }
  return status;
}

toi_status toi_shape_faces(toi_context *context, const toi_faces *faces, toi_shape **shape) {
  TOI_CALL(context, faces_of(context, faces, shape));
}
