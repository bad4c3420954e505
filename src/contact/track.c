/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last: what is asked, steps, and their answers. A step follows each track as long as it holds, and then
 * asks for contacts elsewhere up to the first that is lost. */

#include "contact/track.h"

#include "base/platform.h"

#define SCENE TOI_LAYOUT(toi_track_scene, t_from)

void toi_track_scene_init(toi_track_scene *scene, size_t size) {
  toi_init_struct(SCENE, NULL, scene, size);
}

const char *toi_track_state_name(toi_track_state state) {
  static const char *const names[] = {"holds", "ended", "deeper", "left"};
  return (size_t)state < sizeof names / sizeof *names ? names[state] : NULL;
}

const char *toi_track_event_name(toi_track_event event) {
  static const char *const names[] = {"nothing", "contact", "lost"};
  return (size_t)event < sizeof names / sizeof *names ? names[event] : NULL;
}

/* --- what is asked --- */

static bool is_positive(double x) {
  return x > 0 && x <= DBL_MAX;
}

static bool has_boxes(const toi_track *track) {
  const toi_track_boxes boxes = toi_track_boxes_of(track);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++) {
      const toi_interval x = boxes.of[side][k];
      if (!(x.lo >= -DBL_MAX && x.lo <= x.hi && x.hi <= DBL_MAX))
        return false;
    }
  return true;
}

static bool has_normal(const toi_track *track) {
  double n[3] = {track->normal[0], track->normal[1], track->normal[2]}, sum = 0;
  for (int k = 0; k < 3; k++)
    sum += fabs(n[k]);
  return sum > 1e-100 && sum < 1e100;
}

static toi_status check_numbers(toi_context *context, const toi_track *track, size_t number) {
  if (!is_positive(track->delta))
    return toi_fail(context, TOI_ERROR_OPTION, "tracks[%zu].delta is %g; it must be positive and finite", number,
                    track->delta);
  if (!is_positive(track->margin))
    return toi_fail(context, TOI_ERROR_OPTION, "tracks[%zu].margin is %g; it must be positive and finite", number,
                    track->margin);
  if (track->delta > 0.125 * track->margin)
    return toi_fail(context, TOI_ERROR_OPTION,
                    "tracks[%zu].delta is %g; it must be an eighth of the margin, %g, at most", number, track->delta,
                    track->margin);
  if (!has_normal(track))
    return toi_fail(context, TOI_ERROR_INPUT, "tracks[%zu].normal is (%g, %g, %g); it must be finite and not zero",
                    number, track->normal[0], track->normal[1], track->normal[2]);
  if (!has_boxes(track))
    return toi_fail(context, TOI_ERROR_INPUT, "tracks[%zu] has a box that is none; each side is lo <= hi, both finite",
                    number);
  return TOI_OK;
}

toi_status toi_track_check(toi_question *q, const toi_track *track, size_t number) {
  const uint32_t body[2] = {track->a, track->b}, face[2] = {track->face_a, track->face_b};
  if (track->state > TOI_TRACK_LEFT)
    return toi_fail(q->context, TOI_ERROR_INPUT, "tracks[%zu].state is %d; it must be one of its constants", number,
                    (int)track->state);
  for (int i = 0; i < 2; i++)
    if (body[i] >= q->count)
      return toi_fail(q->context, TOI_ERROR_INPUT, "tracks[%zu] is of body %u; there are %zu, numbered from 0", number,
                      body[i], q->count);
  if (body[0] == body[1])
    return toi_fail(q->context, TOI_ERROR_INPUT, "tracks[%zu] is of body %u and itself; it takes two bodies", number,
                    body[0]);
  size_t surfaces[2] = {0, 0};
  for (size_t i = 0; i < q->surface_count; i++)
    for (int side = 0; side < 2; side++) {
      if (q->surface[i].body != body[side])
        continue;
      surfaces[side]++;
      if (q->surface[i].shape->boolean != NULL)
        return toi_fail(q->context, TOI_ERROR_UNSUPPORTED,
                        "tracks[%zu] is of body %u, a Boolean shape; contacts of these are not tracked", number,
                        body[side]);
    }
  for (int side = 0; side < 2; side++)
    if (face[side] != TOI_ANY_FACE && face[side] >= surfaces[side])
      return toi_fail(q->context, TOI_ERROR_INPUT,
                      "tracks[%zu] is of face %u of body %u, which has %zu, numbered from 0; give one of them, or "
                      "TOI_ANY_FACE",
                      number, face[side], body[side], surfaces[side]);
  return check_numbers(q->context, track, number);
}

/* The normal gets length 1, about. */
static void normalise(toi_track *track) {
  double length = 0;
  for (int k = 0; k < 3; k++)
    length += track->normal[k] * track->normal[k];
  for (int k = 0; k < 3; k++)
    track->normal[k] /= sqrt(length);
}

/* A question on its way, with tracks of its own that are given back at the end. */
typedef struct asking {
  toi_question q;
  toi_contact_options options;
  toi_track_scene scene;
  toi_track *tracks;
  toi_track_path *paths;
} asking;

toi_status toi_track_take_scene(toi_context *context, const toi_track_scene *scene, toi_track_scene *taken) {
  *taken = (toi_track_scene){.body_count = 0};
  const toi_status status = toi_take_description(context, SCENE, scene, taken);
  const toi_track_scene *s = taken;
  if (status != TOI_OK)
    return status;
  if ((s->bodies == NULL && s->body_count > 0) || (s->tracks == NULL && s->track_count > 0))
    return toi_fail(context, TOI_ERROR_INPUT, "the scene's bodies or tracks are NULL; give all of them");
  if (s->track_count > 65536)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu tracks; there may be 65536 at most", s->track_count);
  return TOI_OK;
}

toi_status toi_track_question(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                              toi_contact_options *taken, toi_question *q) {
  const toi_status status = toi_question_take(context, scene->bodies, scene->body_count, options, taken, q);
  if (status != TOI_OK)
    return status;
  const double from = scene->t_from;
  if (!(from >= 0 && from <= taken->t_max))
    return toi_fail(context, TOI_ERROR_OPTION, "t_from is %g; it must be in [0, t_max], [0, %g]", from, taken->t_max);
  q->crowd = false;
  q->times = (toi_interval){from, taken->t_max};
  q->moment = toi_interval_point(from);
  return TOI_OK;
}

static toi_status begin_asking(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                               asking *a) {
  *a = (asking){.paths = NULL};
  toi_status status = toi_track_take_scene(context, scene, &a->scene);
  return status == TOI_OK ? toi_track_question(context, &a->scene, options, &a->options, &a->q) : status;
}

static toi_status load_tracks(asking *a) {
  const size_t count = a->scene.track_count;
  toi_context *context = a->q.context;
  a->tracks = toi_allocate(context, (count + 1) * sizeof *a->tracks);
  a->paths = toi_allocate(context, (count + 1) * sizeof *a->paths);
  if (a->paths != NULL)
    memset(a->paths, 0, (count + 1) * sizeof *a->paths);
  if (a->tracks == NULL || a->paths == NULL)
    return TOI_ERROR_MEMORY;
  if (count > 0)
    memcpy(a->tracks, a->scene.tracks, count * sizeof *a->tracks);
  toi_status status = toi_question_begin(&a->q);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    status = toi_track_check(&a->q, &a->tracks[i], i);
    if (status == TOI_OK)
      normalise(&a->tracks[i]);
    a->paths[i].track = &a->tracks[i];
  }
  return status;
}

static toi_status end_asking(asking *a, toi_status status) {
  toi_context *context = a->q.context;
  const size_t count = a->scene.track_count;
  status = toi_question_end(&a->q, status);
  for (size_t i = 0; i < count && a->paths != NULL; i++)
    toi_track_path_end(context, &a->paths[i]);
  if (a->paths != NULL)
    toi_free(context, a->paths, (count + 1) * sizeof *a->paths);
  if (status == TOI_OK && count > 0)
    memcpy(a->scene.tracks, a->tracks, count * sizeof *a->tracks);
  if (a->tracks != NULL)
    toi_free(context, a->tracks, (count + 1) * sizeof *a->tracks);
  return status;
}

/* --- contacts elsewhere --- */

/* How much of what is at these places of the bodies, in that time, one track leaves out. */
static toi_left_out left_out_by(const toi_track_path *p, toi_interval t, const toi_track_boxes *place) {
  bool all = t.lo >= p->pieces[0].time.lo && t.hi <= p->end, any = false;
  for (size_t i = 0; i < p->count; i++) {
    const toi_track_piece *piece = &p->pieces[i];
    if (piece->time.lo > t.hi || piece->time.hi < t.lo || piece->time.lo > p->end)
      continue;
    all = all && toi_place_encloses(piece->within.of[0], place->of[0]) &&
          toi_place_encloses(piece->within.of[1], place->of[1]);
    any = any ||
          (toi_places_meet(piece->within.of[0], place->of[0]) && toi_places_meet(piece->within.of[1], place->of[1]));
  }
  return all ? TOI_LEFT_OUT_ALL : any ? TOI_LEFT_OUT_PART : TOI_LEFT_OUT_NONE;
}

/* A toi_contact_leave_out. */
static toi_left_out leave_out(void *user, const toi_problem *problem, const toi_box *box, const toi_system *system) {
  const asking *a = user;
  const toi_body_pair *pair = problem->pair;
  const toi_interval t = box->x[toi_body_pair_time(pair)];
  toi_left_out most = TOI_LEFT_OUT_NONE;
  for (size_t i = 0; i < a->scene.track_count && most != TOI_LEFT_OUT_ALL; i++) {
    const toi_track_path *p = &a->paths[i];
    if (p->count == 0)
      continue;
    for (int swapped = 0; swapped < 2; swapped++) {
      toi_track_boxes place = {{{{0, 0}}}};
      if (!toi_track_has(p->track, swapped, pair->surface[0]) || !toi_track_has(p->track, !swapped, pair->surface[1]))
        continue;
      toi_track_own(pair->surface[0], system->own, place.of[swapped]);
      toi_track_own(pair->surface[1], system->place, place.of[!swapped]);
      const toi_left_out one = left_out_by(p, t, &place);
      most = one > most ? one : most;
    }
  }
  return most;
}

/* Contacts at other times are none of the question. */
static void keep_within(void *user, toi_problem *problem) {
  const toi_question *q = user;
  problem->domain.x[toi_body_pair_time(problem->pair)] = problem->at_start ? q->moment : q->times;
}

static void set_hooks(asking *a) {
  a->q.narrow = keep_within;
  a->q.narrow_user = &a->q;
  a->q.leave_out = leave_out;
  a->q.leave_out_user = a;
}

/* --- the step --- */

/* Each track, up to the end of the first one that is lost: *lost, or track_count. */
static toi_status follow_all(asking *a, toi_track_answer *answer, size_t *lost) {
  const size_t count = a->scene.track_count;
  toi_status status = TOI_OK;
  *lost = count;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_track_path *p = &a->paths[i];
    if (p->track->state != TOI_TRACK_HOLDS)
      continue;
    status = toi_track_follow(&a->q, p);
    answer->boxes += p->boxes;
    answer->pieces += p->count;
    if (p->state != TOI_TRACK_DEEPER && p->state != TOI_TRACK_LEFT)
      continue;
    // Later ones are followed so far only; of two at the same time the first one counts.
    if (*lost == count || p->end < a->paths[*lost].end)
      *lost = i;
    a->q.times.hi = a->paths[*lost].end;
  }
  return status;
}

static void set_times(toi_track_answer *answer, toi_verdict verdict, double lo, double hi) {
  answer->verdict = verdict;
  answer->t_lo = lo;
  answer->t_hi = hi;
}

/* What a search says: *found: it ends the step. */
static toi_status conclude(asking *a, const toi_contact_search *run, toi_listener *who, toi_track_answer *answer,
                           bool *found) {
  const toi_contact_outcome o = toi_question_outcome(run);
  const bool proved = o.bound <= DBL_MAX;
  answer->end = o.end;
  *found = o.earliest <= DBL_MAX || proved;
  if (!*found)
    return TOI_OK;
  const double lo = o.earliest > a->scene.t_from ? o.earliest : a->scene.t_from;
  answer->event = TOI_TRACK_CONTACT;
  set_times(answer, proved ? TOI_HIT : TOI_NEAR, lo, proved ? o.bound : o.open_hi);
  const double before = toi_next_down(lo);
  answer->t_safe = lo > a->scene.t_from && before > a->scene.t_from ? before : a->scene.t_from;
  return toi_question_report(&a->q, run, who, &answer->contacts);
}

static toi_status search(asking *a, bool at_start, toi_listener *who, toi_track_answer *answer, bool *found) {
  toi_contact_search run;
  toi_status status = toi_question_search(&a->q, at_start, &run);
  if (status == TOI_OK)
    status = conclude(a, &run, who, answer, found);
  toi_question_search_end(&run);
  return status;
}

/* Contacts that are not tracked, at the start and then. */
static toi_status look_elsewhere(asking *a, toi_listener *who, toi_track_answer *answer, bool *found) {
  toi_status status = toi_question_pairs(&a->q);
  *found = false;
  if (status == TOI_OK)
    status = search(a, true, who, answer, found);
  if (status == TOI_OK && !*found && a->q.times.hi > a->q.times.lo)
    status = search(a, false, who, answer, found);
  answer->boxes += a->q.boxes;
  return status;
}

/* The track as it is at that time. */
static void move_track(toi_track_path *p, double t, toi_track_answer *answer) {
  toi_track *track = p->track;
  if (track->state != TOI_TRACK_HOLDS)
    return;
  for (size_t i = 0; i < p->count && p->pieces[i].time.lo <= t; i++) {
    memcpy(track->box_a, p->pieces[i].near.of[0], sizeof track->box_a);
    memcpy(track->box_b, p->pieces[i].near.of[1], sizeof track->box_b);
  }
  if (p->state == TOI_TRACK_HOLDS || p->t_lo > t || (p->state == TOI_TRACK_ENDED && p->t_hi > t))
    return;
  track->state = p->state;
  track->proved = p->proved;
  track->t_lo = p->t_lo;
  track->t_hi = p->t_hi;
  answer->ended += p->state == TOI_TRACK_ENDED;
}

static toi_status take_step(asking *a, toi_listener *who, toi_track_answer *answer) {
  size_t lost = 0;
  bool found = false;
  toi_status status = load_tracks(a);
  *answer = (toi_track_answer){.verdict = TOI_MISS, .t_lo = INFINITY, .t_hi = INFINITY, .t_safe = a->options.t_max};
  if (status == TOI_OK)
    status = follow_all(a, answer, &lost);
  set_hooks(a);
  // One that is lost at once leaves nothing out, and is the event.
  if (status == TOI_OK && (lost == a->scene.track_count || a->paths[lost].count > 0))
    status = look_elsewhere(a, who, answer, &found);
  if (status == TOI_OK && !found && lost < a->scene.track_count) {
    const toi_track_path *p = &a->paths[lost];
    answer->event = TOI_TRACK_LOST;
    answer->track = (uint32_t)lost;
    answer->t_safe = p->end;
    answer->end = p->spent ? TOI_CONTACT_BOXES : answer->end;
    set_times(answer, p->proved ? TOI_HIT : TOI_NEAR, p->t_lo, p->t_hi);
  }
  for (size_t i = 0; i < a->scene.track_count && status == TOI_OK; i++)
    move_track(&a->paths[i], answer->t_safe, answer);
  return status;
}

static TOI_APART toi_status step(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                                 toi_track_answer *answer, toi_listener *who) {
  toi_track_answer unknown = {.verdict = TOI_NEAR, .t_hi = INFINITY};
  if (answer != NULL)
    *answer = unknown;
  if (context == NULL || scene == NULL || answer == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "context, scene or answer is NULL; give all of them");
  asking a;
  toi_status status = begin_asking(context, scene, options, &a);
  if (status != TOI_OK)
    return status;
  unknown.t_lo = unknown.t_safe = a.scene.t_from;
  status = end_asking(&a, take_step(&a, who, answer));
  if (status != TOI_OK)
    *answer = unknown;
  answer->seconds = toi_question_elapsed(&a.q);
  return status == TOI_OK ? who->status : status;
}

toi_status toi_track_step(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options,
                          toi_track_answer *answer, toi_contact_visitor visit, void *user) {
  toi_listener who = {visit, user, TOI_OK};
  TOI_CALL(context, step(context, scene, options, answer, &who));
}

/* --- the beginning --- */

static toi_status begin_track(asking *a, size_t number) {
  toi_context *context = a->q.context;
  toi_track *track = &a->tracks[number];
  toi_track_region r;
  const toi_status status = toi_track_look_at_start(&a->q, track, &r);
  if (status != TOI_OK)
    return status;
  if (r.apart)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "tracks[%zu]: bodies %u and %u are more than %g apart there at t = %g, which is no contact; ask "
                    "toi_contact for one",
                    number, track->a, track->b, track->delta, a->scene.t_from);
  if (!r.safe && r.deep)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "tracks[%zu]: bodies %u and %u are %g deep in each other at t = %g, or may be; part them, raise "
                    "delta, turn the normal, or name the faces",
                    number, track->a, track->b, track->delta, a->scene.t_from);
  if (!r.safe)
    return toi_fail(
        context, TOI_ERROR_INPUT,
        "tracks[%zu]: the contact of bodies %u and %u extends beyond its boxes at t = %g, however they grow", number,
        track->a, track->b, a->scene.t_from);
  track->state = TOI_TRACK_HOLDS;
  track->proved = false;
  track->t_lo = track->t_hi = 0;
  return TOI_OK;
}

toi_status toi_track_begin_all(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options) {
  asking a;
  toi_status status = begin_asking(context, scene, options, &a);
  if (status != TOI_OK)
    return status;
  status = load_tracks(&a);
  for (size_t i = 0; i < a.scene.track_count && status == TOI_OK; i++)
    status = begin_track(&a, i);
  return end_asking(&a, status);
}

static TOI_APART toi_status begin(toi_context *context, const toi_track_scene *scene,
                                  const toi_contact_options *options) {
  if (context == NULL || scene == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "context or scene is NULL; give both");
  return toi_track_begin_all(context, scene, options);
}

toi_status toi_track_begin(toi_context *context, const toi_track_scene *scene, const toi_contact_options *options) {
  TOI_CALL(context, begin(context, scene, options));
}
