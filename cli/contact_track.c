/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact` of a scene whose contacts at the start are tracked: what touches then, and what comes next. */

#include "contact.h"

#include <math.h>

#include "memory.h"
#include "name.h"
#include "session.h"

/* More contacts at once are refused. */
enum { MOST_TRACKS = 1024 };

static toi_track_scene scene_of(const contact_scene *scene, toi_track *tracks, size_t count) {
  toi_track_scene asked;
  toi_track_scene_init(&asked, sizeof asked);
  asked.bodies = scene->bodies;
  asked.body_count = scene->count;
  asked.tracks = tracks;
  asked.track_count = count;
  return asked;
}

/* The answer as one of toi_contact(), which is how it is shown. */
static void take_answer(const contact_scene *scene, contact_answer *answer) {
  const toi_track_answer *from = &answer->step;
  answer->found = (toi_contact_answer){.verdict = from->verdict,
                                       .end = from->end,
                                       .t_lo = from->t_lo,
                                       .t_hi = from->t_hi,
                                       .t_safe = from->t_safe,
                                       .touching_at_start = from->verdict == TOI_HIT && from->t_hi == 0,
                                       .tolerance_reached = from->verdict == TOI_NEAR ? INFINITY : 0,
                                       .contacts = from->contacts,
                                       .boxes = from->boxes,
                                       .pairs = (uint64_t)scene->count * (scene->count - 1) / 2,
                                       .inside_at_start = TOI_INSIDE_UNKNOWN};
}

toi_status contact_track(const contact_scene *scene, const toi_contact_options *asked, toi_contact_visitor keep,
                         contact_answer *answer) {
  toi_track_contacts contacts;
  toi_track_contacts_init(&contacts, sizeof contacts);
  contacts.delta = scene->file.track_delta;
  contacts.margin = scene->file.track_margin;
  contacts.room = MOST_TRACKS;
  answer->tracks = memory_zeroed(MOST_TRACKS, sizeof *answer->tracks);
  if (answer->tracks == NULL)
    return TOI_ERROR_MEMORY;
  toi_track_scene from = scene_of(scene, answer->tracks, 0);
  toi_status status = toi_track_rest(scene->context, &from, asked, &contacts, &answer->track_count);
  from.track_count = answer->track_count;
  if (status == TOI_OK)
    status = toi_track_step(scene->context, &from, asked, &answer->step, keep, answer);
  take_answer(scene, answer);
  return status;
}

json_t *contact_tracks_json(const contact_scene *scene, const contact_answer *answer) {
  json_t *object = json_object(), *list = json_array();
  json_object_set_new(object, "event", json_text(toi_track_event_name(answer->step.event)));
  for (size_t i = 0; i < answer->track_count; i++) {
    const toi_track *track = &answer->tracks[i];
    json_t *one = json_object(), *time = json_object();
    json_object_set_new(one, "a", json_text(scene->names[track->a]));
    json_object_set_new(one, "b", json_text(scene->names[track->b]));
    json_object_set_new(one, "state", json_text(toi_track_state_name(track->state)));
    json_object_set_new(one, "proved", json_boolean(track->proved));
    json_object_set_new(time, "lo", json_number(track->t_lo));
    json_object_set_new(time, "hi", json_number(track->t_hi));
    json_object_set_new(one, "t", track->state == TOI_TRACK_HOLDS ? (json_decref(time), json_null()) : time);
    json_array_append_new(list, one);
  }
  json_object_set_new(object, "tracks", list);
  json_object_set_new(object, "pieces", json_count(answer->step.pieces, true));
  return object;
}

void contact_print_tracks(const contact_scene *scene, const contact_answer *answer) {
  enum { LABEL_BYTES = 64 };
  char a[LABEL_BYTES], b[LABEL_BYTES];
  printf("\n%zu contact%s tracked from the start\n", answer->track_count, answer->track_count == 1 ? "" : "s");
  for (size_t i = 0; i < answer->track_count; i++) {
    const toi_track *track = &answer->tracks[i];
    name_write(scene->names[track->a], a, sizeof a);
    name_write(scene->names[track->b], b, sizeof b);
    printf("%5zu  %s, %s: %s", i, a, b, toi_track_state_name(track->state));
    if (track->state != TOI_TRACK_HOLDS)
      printf(" in [%.17g, %.17g]%s", track->t_lo, track->t_hi, track->proved ? "" : ", not proved");
    printf("\n");
  }
}
