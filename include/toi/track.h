/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last: bodies that rest on each other, slide or roll, and what happens next.
 *
 * A tracked contact is a pair of bodies that stay in touch, or of faces of these, with a box of each body that holds
 * the contact: a point, a line or a region. The boxes move with the contact, from step to step. Their sizes and their
 * motion are found by the library; what is said below is proved for the boxes that were used.
 *
 * Distance is measured along the normal of the contact, which stays with body b: a point of the surface of a and one of
 * the surface of b, each in its body's box, that lie on one line along the normal are g apart, g negative where the
 * point of a is below the point of b.
 *
 * Promise: while a tracked contact holds, no such distance is -delta or less, and all contacts of the pair outside of
 * the boxes are reported as new ones: nothing else is left out. It ends when all of these distances are above delta.
 *
 *   toi_track track[4];
 *   size_t count;
 *   toi_track_scene scene = {.size = sizeof scene, .bodies = bodies, .body_count = 2, .tracks = track};
 *   toi_track_rest(context, &scene, &options, 4, 1e-6, 0.05, &count);      what touches at the start
 *   scene.track_count = count;
 *   toi_track_step(context, &scene, &options, &answer, visit, user);       what comes next
 *
 * The next step is asked with motions that begin where this one ended, or with the same ones from t_from on. */

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
  TOI_TRACK_ENDED,  /* the bodies are more than delta apart: it is followed no more, and hides nothing */
  TOI_TRACK_DEEPER, /* they are delta deep in each other, or cannot be proved not to be */
  TOI_TRACK_LEFT    /* the contact cannot be proved to stay in its boxes, however short the time */
} toi_track_state;
TOI_API const char *toi_track_state_name(toi_track_state state); /* "holds" and so on; NULL: unknown */

/* A tracked contact: a value, which may be copied and kept. What is reserved is zero. */
typedef struct toi_track {
  uint32_t a, b;           /* the bodies, by number; not the same */
  uint32_t face_a, face_b; /* which of their surfaces, by number, or TOI_ANY_FACE */
  double delta;            /* > 0, a distance */
  double margin;           /* > 0: how far beyond the contact the boxes reach; what is touched there is not reported */
  double normal[3];        /* of the contact, from b to a, in coordinates of b; of any length but 0 */
  toi_interval box_a[3], box_b[3]; /* hold the contact, in coordinates of each body */
  toi_track_state state;           /* a step leaves tracks alone that do not hold */
  bool proved;                     /* ended: it is, by t_hi. Deeper: they are delta deep at t_hi. Others: false */
  uint8_t padding[3];              /* zero */
  double t_lo, t_hi;               /* when that happened: it held until t_lo. Zero while it holds */
  uint64_t reserved[8];            /* zero */
} toi_track;

/* What is asked about. */
typedef struct toi_track_scene {
  size_t size; /* sizeof(toi_track_scene); 0: the first layout */
  const toi_body *bodies;
  size_t body_count;
  toi_track *tracks;
  size_t track_count;
  double t_from; /* >= 0: the step is [t_from, t_max of the options] */
} toi_track_scene;
TOI_API void toi_track_scene_init(toi_track_scene *scene, size_t size); /* zeroes, and the size */

/* Makes tracks of contacts, such as toi_contact() reports: one for those of two bodies whose normals are alike. Each
 * begins as toi_track_begin() says. room: tracks that scene->tracks has room for; more are refused. *made: how many. */
typedef struct toi_track_contacts {
  size_t size; /* sizeof(toi_track_contacts); 0: the first layout */
  const toi_contact_point *points;
  size_t count;
  size_t room;          /* in scene->tracks, which is written from its start */
  double delta, margin; /* of the tracks */
} toi_track_contacts;
TOI_API void toi_track_contacts_init(toi_track_contacts *contacts, size_t size); /* zeroes, and the size */
TOI_API TOI_MUST_USE toi_status toi_track_make(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, const toi_track_contacts *contacts,
                                               size_t *made);

/* The same of all contacts that there are at t_from; contacts->points is not used. */
TOI_API TOI_MUST_USE toi_status toi_track_rest(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, const toi_track_contacts *contacts,
                                               size_t *made);

/* Fits the boxes of all tracks to their contacts at t_from, and fails with a sentence for one that is none: bodies more
 * than delta apart there or delta deep in each other, a contact that goes on beyond the boxes however they grow. */
TOI_API TOI_MUST_USE toi_status toi_track_begin(toi_context *context, const toi_track_scene *scene,
                                                const toi_contact_options *options);

/* What ended a step. */
typedef enum toi_track_event {
  TOI_TRACK_NOTHING = 0, /* its time */
  TOI_TRACK_CONTACT,     /* a contact that is not tracked */
  TOI_TRACK_LOST         /* a track does not hold any more, and did not end: `track` */
} toi_track_event;
TOI_API const char *toi_track_event_name(toi_track_event event); /* "nothing", "contact", "lost"; NULL: unknown */

typedef struct toi_track_answer {
  toi_verdict verdict; /* MISS: nothing happened. HIT: the event is proved. NEAR: it could not be excluded */
  toi_track_event event;
  uint32_t track;      /* the one that is lost; else 0 */
  toi_contact_end end; /* of the search for contacts */
  double t_lo, t_hi;   /* of the event; infinite where there is none */
  double t_safe;       /* all is proved up to here: what holds does, and nothing else touches. The tracks' boxes and
                          states are those of this time */
  size_t contacts;     /* new ones */
  size_t ended;        /* tracks that ended by t_safe */
  uint64_t boxes;      /* processed */
  uint64_t pieces;     /* of time, of all tracks, in which boxes did not move */
  double seconds;
  uint64_t reserved[8]; /* zero */
} toi_track_answer;

/* The first event in [t_from, t_max], and the contacts of it to visit (NULL: they are only counted). Tracks that end
 * are no event: from then on what their bodies touch is a new contact. All pairs of bodies are asked about one by one,
 * on the calling thread, as by toi_contact(). On failure the answer is the safe one, near from t_from, and no track is
 * changed. Times of what becomes of a track are known to within the simultaneity. */
TOI_API TOI_MUST_USE toi_status toi_track_step(toi_context *context, const toi_track_scene *scene,
                                               const toi_contact_options *options, toi_track_answer *answer,
                                               toi_contact_visitor visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
