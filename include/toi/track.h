/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last: bodies that rest on each other, slide or roll, and what happens next.
 *
 * A tracked contact is a pair of bodies that stay in touch, or of faces of them, with a box of each body that contains
 * the contact: a point, a line or a region. The boxes move with the contact, from step to step. The library finds their
 * sizes and their motion; the promises below are proved for the boxes that were used.
 *
 * Distance is measured along the normal of the contact, which is fixed to body b: a point of the surface of a and one
 * of the surface of b, each in its body's box, that lie on one line along the normal are g apart; g is negative if the
 * point of a is below the point of b.
 *
 * Promise: while a tracked contact holds, no such distance is -delta or less, and all contacts of the pair outside the
 * boxes are reported as new ones: nothing else is left out. The track ends when all these distances are above delta.
 *
 *   toi_track track[4];
 *   size_t count;
 *   toi_track_scene scene = {.size = sizeof scene, .bodies = bodies, .body_count = 2, .tracks = track};
 *   toi_track_contacts found = {.size = sizeof found, .room = 4, .delta = 1e-6, .margin = 0.05};
 *   toi_track_rest(context, &scene, &options, &found, &count);             contacts at the start
 *   scene.track_count = count;
 *   toi_track_step(context, &scene, &options, &answer, visit, user);       the next event
 *
 * The next step has motions that begin where this one ended, or the same ones from t_from on. */

#ifndef TOI_TRACK_H
#define TOI_TRACK_H

#include <toi/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All faces of a body. */
#define TOI_ANY_FACE UINT32_MAX

typedef enum toi_track_state {
  TOI_TRACK_HOLDS = 0,
  TOI_TRACK_ENDED,  /* the bodies are more than delta apart: it is no longer followed, and hides nothing */
  TOI_TRACK_DEEPER, /* they are delta deep in each other, or the contrary cannot be proved */
  TOI_TRACK_LEFT    /* the contact cannot be proved to stay in its boxes, however short the time */
} toi_track_state;
TOI_API const char *toi_track_state_name(toi_track_state state); /* "holds" and so on; NULL: unknown */

/* A tracked contact: a value, which may be copied and kept. Reserved fields are zero. */
typedef struct toi_track {
  uint32_t a, b;           /* the bodies, by number; not the same */
  uint32_t face_a, face_b; /* which of their surfaces, by number, or TOI_ANY_FACE */
  double delta;            /* > 0, a distance */
  double margin;           /* > 0: how far the boxes reach beyond the contact; contacts there are not reported */
  double normal[3];        /* of the contact, from b to a, in coordinates of b; of any length but 0 */
  toi_interval box_a[3], box_b[3]; /* contain the contact, in coordinates of each body */
  toi_track_state state;           /* a step does not change tracks that do not hold */
  bool proved;                     /* ended: proved by t_hi. Deeper: proved to be delta deep at t_hi. Others: false */
  uint8_t padding[3];              /* zero */
  double t_lo, t_hi;               /* the time of that event: it held until t_lo. Zero while it holds */
  uint64_t reserved[8];            /* zero */
} toi_track;

/* Bodies, tracks and the start of a step. */
typedef struct toi_track_scene {
  size_t size; /* sizeof(toi_track_scene); 0: the first layout */
  const toi_body *bodies;
  size_t body_count;
  toi_track *tracks;
  size_t track_count;
  double t_from; /* >= 0: the step is [t_from, t_max of the options] */
} toi_track_scene;
TOI_API void toi_track_scene_init(toi_track_scene *scene, size_t size); /* zeroes, and the size */

/* Contacts from which tracks are made. */
typedef struct toi_track_contacts {
  size_t size; /* sizeof(toi_track_contacts); 0: the first layout */
  const toi_contact_point *points;
  size_t count;
  size_t room;          /* in scene->tracks, which is written from its start */
  double delta, margin; /* of the tracks */
} toi_track_contacts;
TOI_API void toi_track_contacts_init(toi_track_contacts *contacts, size_t size); /* zeroes, and the size */
/* Makes tracks from contacts, such as those of toi_contact(): one for all contacts of two bodies with similar normals.
 * Each begins as by toi_track_begin(). More tracks than contacts->room are refused. *made: how many were made. */
TOI_API TOI_MUST_USE toi_status toi_track_make(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, const toi_track_contacts *contacts,
                                               size_t *made);

/* Makes tracks of all contacts at t_from; contacts->points is not used. */
TOI_API TOI_MUST_USE toi_status toi_track_rest(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, const toi_track_contacts *contacts,
                                               size_t *made);

/* Fits the boxes of all tracks to their contacts at t_from. A track that is not a contact is an error: bodies more than
 * delta apart or delta deep in each other, or a contact that extends beyond the boxes however they grow. */
TOI_API TOI_MUST_USE toi_status toi_track_begin(toi_context *context, const toi_track_scene *scene,
                                                const toi_contact_options *options);

/* What ended a step. */
typedef enum toi_track_event {
  TOI_TRACK_NOTHING = 0, /* t_max was reached */
  TOI_TRACK_CONTACT,     /* a contact that is not tracked */
  TOI_TRACK_LOST         /* a track no longer holds, and did not end: see `track` */
} toi_track_event;
TOI_API const char *toi_track_event_name(toi_track_event event); /* "nothing", "contact", "lost"; NULL: unknown */

typedef struct toi_track_answer {
  toi_verdict verdict; /* MISS: nothing happened. HIT: the event is proved. NEAR: the event could not be excluded */
  toi_track_event event;
  uint32_t track;      /* the lost track; else 0 */
  toi_contact_end end; /* of the search for contacts */
  double t_lo, t_hi;   /* of the event; infinite if there is none */
  double t_safe;       /* everything is proved up to here: tracks that hold do, and nothing else touches. The tracks'
                          boxes and states are those of this time */
  size_t contacts;     /* new ones */
  size_t ended;        /* tracks that ended by t_safe */
  uint64_t boxes;      /* processed */
  uint64_t pieces;     /* of time, of all tracks, in which boxes did not move */
  double seconds;
  uint64_t reserved[8]; /* zero */
} toi_track_answer;

/* The first event in [t_from, t_max], and its contacts for visit (NULL: they are only counted). The end of a track is
 * not an event: from then on the contacts of its bodies are new. Pairs of bodies are processed one by one, on the
 * calling thread, as by toi_contact(). On failure the answer is the safe one, near from t_from, and no track is
 * changed. The times at which tracks end or are lost are known to within the simultaneity. */
TOI_API TOI_MUST_USE toi_status toi_track_step(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, toi_track_answer *answer,
                                               toi_contact_visitor visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
