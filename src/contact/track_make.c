/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tracks of contacts that were found: those of two bodies whose normals are alike become one, a point, a line or a
 * region, with a box of each body around them. Nothing depends on how well: each track is examined as it begins. */

#include "contact/track.h"

#include "solve/vector.h"

#define CONTACTS TOI_LAYOUT(toi_track_contacts, margin)

/* Normals are alike whose cosine is above this. */
#define ALIKE 0.9

/* Normals are opposite, as on two faces, whose cosine is below this. */
#define OPPOSITE (-0.999)

void toi_track_contacts_init(toi_track_contacts *contacts, size_t size) {
  toi_init_struct(CONTACTS, NULL, contacts, size);
}

/* A contact in the coordinates of both bodies. */
typedef struct seen {
  double at[2][3];
  double normal[3]; /* of body b, outwards */
  bool certain;     /* both surfaces say so: it is on no edge */
} seen;

static const toi_body_surface *surface_of(const toi_question *q, uint32_t body) {
  for (size_t i = 0; i < q->surface_count; i++)
    if (q->surface[i].body == body)
      return &q->surface[i];
  return NULL;
}

/* World to body. */
static void to_body(const toi_motion_jet *m, const double a[3], bool place, double b[3]) {
  for (int i = 0; i < 3; i++) {
    b[i] = 0;
    for (int k = 0; k < 3; k++)
      b[i] += toi_interval_midpoint(m->rotation[0][k][i]) *
              (a[k] - (place ? toi_interval_midpoint(m->translation[0][k]) : 0));
  }
}

static double cosine(const double a[3], const double b[3]) {
  const double lengths = sqrt(toi_dot(a, a)) * sqrt(toi_dot(b, b));
  return lengths > 0 ? toi_dot(a, b) / lengths : 0;
}

static void look_at(const toi_question *q, const toi_contact_point *point, seen *s) {
  const uint32_t body[2] = {point->a, point->b};
  toi_motion_jet m[2];
  for (int side = 0; side < 2; side++) {
    toi_motion_jet_at(surface_of(q, body[side])->motion, toi_interval_point(q->times.lo), 0, &m[side]);
    to_body(&m[side], point->point, true, s->at[side]);
  }
  s->certain = cosine(point->normal_a, point->normal_b) < OPPOSITE;
  // Of an edge the other one's normal says more: an implicit surface has none.
  const bool known = toi_dot(point->normal_b, point->normal_b) > 0;
  const bool by_a = !s->certain &&
                    (!known || (surface_of(q, point->a)->shape->implicit && !surface_of(q, point->b)->shape->implicit));
  double out[3];
  for (int k = 0; k < 3; k++)
    out[k] = by_a ? -point->normal_a[k] : point->normal_b[k];
  to_body(&m[1], out, false, s->normal);
}

static void add_to_box(toi_interval box[3], const double at[3], double error) {
  for (int k = 0; k < 3; k++)
    box[k] = toi_interval_hull(box[k], toi_interval_around(at[k], error));
}

static double error_of(const toi_contact_point *point) {
  return point->error >= 0 && point->error <= DBL_MAX ? point->error : 0;
}

/* The track that a contact belongs to; count: none. One on an edge goes with whatever contact of its bodies is there.
 */
static size_t find_track(const toi_track *tracks, size_t count, const toi_contact_point *point, const seen *s) {
  size_t i = 0;
  for (; i < count; i++)
    if (tracks[i].a == point->a && tracks[i].b == point->b &&
        (!s->certain || cosine(tracks[i].normal, s->normal) > ALIKE))
      break;
  return i;
}

static toi_status check_point(toi_question *q, const toi_contact_point *point, size_t number) {
  bool finite = true;
  for (int k = 0; k < 3; k++)
    finite = finite && fabs(point->point[k]) <= DBL_MAX;
  if (point->a >= q->count || point->b >= q->count || point->a == point->b)
    return toi_fail(q->context, TOI_ERROR_INPUT, "points[%zu] is of bodies %u and %u; there are %zu, numbered from 0",
                    number, point->a, point->b, q->count);
  if (!finite)
    return toi_fail(q->context, TOI_ERROR_INPUT, "points[%zu] is at (%g, %g, %g); it must be finite", number,
                    point->point[0], point->point[1], point->point[2]);
  return TOI_OK;
}

/* Contacts of faces first, those on edges then. */
static toi_status gather(toi_question *q, const toi_track_contacts *contacts, bool certain, toi_track *tracks,
                         size_t *count) {
  for (size_t i = 0; i < contacts->count; i++) {
    const toi_contact_point *point = &contacts->points[i];
    seen s = {.certain = false};
    const toi_status status = check_point(q, point, i);
    if (status != TOI_OK)
      return status;
    look_at(q, point, &s);
    if (s.certain != certain)
      continue;
    const size_t number = find_track(tracks, *count, point, &s);
    if (number == contacts->room)
      return toi_fail(q->context, TOI_ERROR_INPUT, "there are more than %zu contacts to track; give room for more",
                      contacts->room);
    toi_track *track = &tracks[number];
    if (number == *count) {
      *track = (toi_track){.a = point->a,
                           .b = point->b,
                           .face_a = TOI_ANY_FACE,
                           .face_b = TOI_ANY_FACE,
                           .delta = contacts->delta,
                           .margin = contacts->margin};
      memcpy(track->normal, s.normal, sizeof track->normal);
      for (int k = 0; k < 3; k++) {
        track->box_a[k] = toi_interval_point(s.at[0][k]);
        track->box_b[k] = toi_interval_point(s.at[1][k]);
      }
      ++*count;
    }
    add_to_box(track->box_a, s.at[0], error_of(point));
    add_to_box(track->box_b, s.at[1], error_of(point));
  }
  return TOI_OK;
}

/* The other way round if it is not safe so: surfaces that are no solids have no outside. */
static toi_status turn_if_deep(toi_question *q, toi_track *track) {
  toi_track_region r;
  toi_track turned = *track;
  toi_status status = toi_track_look_at_start(q, &turned, &r);
  if (status != TOI_OK || r.safe || !r.deep)
    return status;
  turned = *track;
  for (int k = 0; k < 3; k++)
    turned.normal[k] = -turned.normal[k];
  status = toi_track_look_at_start(q, &turned, &r);
  if (status == TOI_OK && r.safe && !r.apart)
    *track = turned;
  return status;
}

static toi_status check_contacts(toi_context *context, const toi_track_scene *scene, const toi_track_contacts *given) {
  if ((given->points == NULL && given->count > 0) || (scene->tracks == NULL && given->room > 0))
    return toi_fail(context, TOI_ERROR_INPUT, "points or the scene's tracks are NULL; give both");
  if (given->room > 65536)
    return toi_fail(context, TOI_ERROR_INPUT, "room for %zu tracks; there may be 65536 at most", given->room);
  return TOI_OK;
}

/* Tracks of the contacts, not yet examined, in `tracks`, which has room for one more. */
static toi_status make_tracks(toi_question *q, const toi_track_contacts *given, toi_track *tracks, size_t *made) {
  toi_status status = toi_question_begin(q);
  size_t count = 0;
  if (status == TOI_OK)
    status = gather(q, given, true, tracks, &count);
  if (status == TOI_OK)
    status = gather(q, given, false, tracks, &count);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    status = toi_track_check(q, &tracks[i], i);
    if (status == TOI_OK)
      status = turn_if_deep(q, &tracks[i]);
  }
  *made = count;
  return status;
}

static toi_status examine(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                          toi_track *tracks, size_t count) {
  toi_track_scene own = *scene;
  own.tracks = tracks;
  own.track_count = count;
  return toi_track_begin_all(context, &own, options);
}

/* Written to the caller's tracks once all is well. */
static toi_status make(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                       const toi_track_contacts *given, size_t *made) {
  toi_question q;
  toi_contact_options taken;
  size_t count = 0;
  toi_status status = toi_track_question(context, scene, options, &taken, &q);
  if (status == TOI_OK)
    status = check_contacts(context, scene, given);
  if (status != TOI_OK)
    return status;
  toi_track *tracks = toi_allocate(context, (given->room + 1) * sizeof *tracks);
  if (tracks == NULL)
    return TOI_ERROR_MEMORY;
  status = toi_question_end(&q, make_tracks(&q, given, tracks, &count));
  if (status == TOI_OK)
    status = examine(context, scene, options, tracks, count);
  if (status == TOI_OK && count > 0)
    memcpy(scene->tracks, tracks, count * sizeof *tracks);
  if (status == TOI_OK)
    *made = count;
  toi_free(context, tracks, (given->room + 1) * sizeof *tracks);
  return status;
}

static toi_status take_contacts(toi_context *context, const toi_track_scene *scene, const toi_track_contacts *contacts,
                                size_t *made, toi_track_scene *own, toi_track_contacts *taken) {
  if (made != NULL)
    *made = 0;
  if (context == NULL || scene == NULL || contacts == NULL || made == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "context, scene, contacts or made is NULL; give all of them");
  *taken = (toi_track_contacts){.count = 0};
  *own = (toi_track_scene){.body_count = 0};
  const toi_status status = toi_take_description(context, CONTACTS, contacts, taken);
  if (status != TOI_OK)
    return status;
  return toi_track_take_scene(context, scene, own);
}

static TOI_APART toi_status make_of_points(toi_context *context, const toi_track_scene *scene,
                                           const toi_contact_options *options, const toi_track_contacts *contacts,
                                           size_t *made) {
  toi_track_contacts taken;
  toi_track_scene own;
  const toi_status status = take_contacts(context, scene, contacts, made, &own, &taken);
  return status == TOI_OK ? make(context, &own, options, &taken, made) : status;
}

toi_status toi_track_make(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                          const toi_track_contacts *contacts, size_t *made) {
  TOI_CALL(context, make_of_points(context, scene, options, contacts, made));
}

/* --- what touches at the start --- */

typedef struct list {
  toi_contact_point *at;
  size_t count;
} list;

static toi_status keep(toi_context *context, const toi_contact_search *run, size_t count, list *l) {
  if (count == 0)
    return TOI_OK;
  l->at = toi_allocate(context, count * sizeof *l->at);
  if (l->at == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(l->at, run->points, count * sizeof *l->at);
  l->count = count;
  return TOI_OK;
}

/* All contacts at the moment, proved or not. */
static toi_status find_contacts(toi_question *q, list *l) {
  toi_contact_search run;
  toi_listener nobody = {NULL, NULL, TOI_OK};
  size_t count = 0;
  toi_status status = toi_question_begin(q);
  if (status == TOI_OK)
    status = toi_question_pairs(q);
  if (status != TOI_OK)
    return status;
  status = toi_question_search(q, true, &run);
  if (status == TOI_OK)
    status = toi_question_report(q, &run, &nobody, &count);
  if (status == TOI_OK)
    status = keep(q->context, &run, count, l);
  toi_question_search_end(&run);
  return status;
}

static toi_status rest(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                       const toi_track_contacts *contacts, size_t *made) {
  toi_track_contacts taken;
  toi_track_scene own;
  toi_question q;
  toi_contact_options o;
  toi_status status = take_contacts(context, scene, contacts, made, &own, &taken);
  if (status == TOI_OK)
    status = toi_track_question(context, &own, options, &o, &q);
  if (status != TOI_OK)
    return status;
  list found = {.at = NULL};
  q.times = q.moment;
  status = toi_question_end(&q, find_contacts(&q, &found));
  taken.points = found.at;
  taken.count = found.count;
  if (status == TOI_OK)
    status = make(context, &own, options, &taken, made);
  if (found.at != NULL)
    toi_free(context, found.at, found.count * sizeof *found.at);
  return status;
}

static TOI_APART toi_status make_of_rest(toi_context *context, const toi_track_scene *scene,
                                         const toi_contact_options *options, const toi_track_contacts *contacts,
                                         size_t *made) {
  return rest(context, scene, options, contacts, made);
}

toi_status toi_track_rest(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                          const toi_track_contacts *contacts, size_t *made) {
  TOI_CALL(context, make_of_rest(context, scene, options, contacts, made));
}
