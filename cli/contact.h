/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the parts of `toi contact` share: a scene, its answer, and how answers are shown. */

#ifndef CLI_CONTACT_H
#define CLI_CONTACT_H

#include <toi/io.h>
#include <toi/track.h>

#include "contact_options.h"
#include "json.h"
#include "output.h"

/* --- the scene --- */

/* Made here: the scene of `toi contact --compare`. */
typedef struct bumpy_spheres {
  toi_shape *shape;
  toi_motion *motion[2];
  toi_body bodies[2];
} bumpy_spheres;

typedef struct contact_scene {
  toi_context *context;
  toi_contact_scene file;
  bumpy_spheres made;
  const toi_body *bodies; /* of one of them */
  const char *const *names;
  size_t count;
  const char *name;          /* its path, or what it is */
  toi_contact_options asked; /* what it says, the command line over it */
  double min_separation;     /* likewise */
  double load_ms;
} contact_scene;

/* Reads the scene, or makes the two bumpy spheres if none is named. Close it in every case. */
int contact_scene_open(const contact_options *options, contact_scene *scene);
void contact_scene_close(contact_scene *scene);

/* --- the answer --- */

/* What the progress bar says while a search runs. */
typedef struct contact_progress {
  const char *doing;
  double before, part; /* what was done before the search, and its part of the whole */
} contact_progress;

typedef struct contact_answer {
  toi_contact_answer found;
  toi_contact_point *contacts;
  size_t count, capacity;
  bool cut;          /* memory ran out for them */
  toi_track *tracks; /* NULL: contacts at the start are not tracked */
  size_t track_count;
  toi_track_answer step;
  double ms; /* of the search, without loading */
} contact_answer;

/* The progress of a search; user is a contact_progress. */
bool contact_show_progress(void *user, double done);

/* Asks; free the answer in every case. */
int contact_ask(const contact_scene *scene, const toi_contact_options *asked, contact_progress *progress,
                contact_answer *answer);
void contact_answer_free(contact_answer *answer);

/* Whether only the solvers of patches can answer; and what they do. */
bool contact_needs_patches(const contact_scene *scene);
int contact_ask_patches(const contact_scene *scene, const toi_contact_options *asked, contact_progress *progress,
                        contact_answer *answer);

/* The same where contacts at the start are tracked; and what became of these. */
toi_status contact_track(const contact_scene *scene, const toi_contact_options *asked, toi_contact_visitor keep,
                         contact_answer *answer);
json_t *contact_tracks_json(const contact_scene *scene, const contact_answer *answer);
void contact_print_tracks(const contact_scene *scene, const contact_answer *answer);

/* When bodies touch, until a time; returns the exit code. */
int contact_print_until(const contact_options *options);

/* Which solids hold a point at the start; returns the exit code. */
int contact_print_inside(const contact_options *options);

/* --- reports --- */

/* {"lo":..., "hi":...}, null for a miss. */
json_t *contact_bracket_json(const toi_contact_answer *found);

json_t *contact_json(const contact_scene *scene, const contact_answer *answer);
void contact_print_table(const contact_scene *scene, const contact_answer *answer);

/* The contacts as CSV, appended. */
toi_status contact_write(const contact_scene *scene, const contact_answer *answer, output *out);

/* The scene at its first contact as SVG, appended; `from` is the direction of the eye. Returns the exit code. */
int contact_draw(const contact_scene *scene, const contact_answer *answer, const double from[3], output *out);

/* --- the comparison; returns the exit code --- */

int contact_compare(const contact_options *options);

/* --- a scene of `toi surface` rewritten; returns the exit code --- */

int contact_convert(const contact_options *options);

#endif
