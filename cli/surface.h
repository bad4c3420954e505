/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the parts of `toi surface` share: a question about two models, its answer, and how answers are shown. */

#ifndef CLI_SURFACE_H
#define CLI_SURFACE_H

#include <toi/io.h>

#include "json.h"
#include "output.h"
#include "surface_options.h"

/* --- the parts; each returns the exit code --- */

int surface_cases(const surface_options *options);
int surface_convergence(const surface_options *options);
int surface_models(const surface_options *options);
int surface_demo(const surface_options *options);

/* --- calls of the library, and their ends --- */

/* What the progress bar says while a call runs. */
typedef struct surface_progress {
  const char *doing;
  double before, part; /* what was done before the call, and the call's part of the whole */
} surface_progress;

/* Lets the calls with these options draw the bar and end on Ctrl-C; the progress must outlive them. */
void surface_watch(toi_surface_options *options, surface_progress *progress);

/* The cases of the one file, each with --t-max in place of its own, if that is given. */
int surface_read_cases(toi_context *context, const surface_options *options, toi_case_set *set);

/* Begins --out with its header, unless it was not given or names one of the files that are read. */
int surface_open_output(toi_context *context, const surface_options *options, bool models, output *out);

/* Opens --view likewise. */
int surface_open_view(toi_context *context, const surface_options *options, output *view);

/* index,verdict,t_lo,t_hi,u1,v1,u2,v2, of models with patch_a,patch_b,x,y,z behind. Times are C99 hex floats. */
toi_status surface_append(output *out, uint64_t index, const toi_surface_hit *hit, bool models);

/* --- two models, or one with itself --- */

/* What an answer about a model with itself does not speak of. */
#define SURFACE_NOT_EXAMINED "patches with themselves, and pairs of patches that share a corner"

typedef struct surface_pair {
  toi_model model[2];          /* as read; the scene's, if there is one */
  const toi_motion *motion[2]; /* NULL: rest */
  toi_motion *made[2];         /* what it points to, unless it is the scene's */
  toi_model moved[2];          /* as put in place */
  toi_contact_scene scene;     /* empty: the models come from elsewhere */
  bool self;
  double t_max; /* NaN: not said */
} surface_pair;

/* A model file, or a built-in shape where there is no such file. */
int surface_load(toi_context *context, const char *name, toi_model *model);

/* Whether a built-in shape has this name. */
bool surface_is_shape(const char *name);

/* Moves a model so. */
int surface_move(toi_context *context, surface_pair *pair, int number, const surface_motion *motion);

/* Whether both are shifted only, with constant velocities. */
bool surface_is_linear(const surface_pair *pair);

/* A scene file. */
int surface_read_scene(toi_context *context, const char *path, surface_pair *pair);

/* The model as it was put in place, or as it is: of a pair that was asked about. */
const toi_model *surface_placed(const surface_pair *pair, int i);

void surface_pair_free(toi_context *context, surface_pair *pair);

typedef struct surface_answer {
  toi_surface_hit first;
  toi_surface_hit *contacts; /* where they are asked for */
  size_t count, capacity;
  bool cut;  /* memory ran out for them */
  double ms; /* of the question, without loading */
} surface_answer;

/* Puts the models in place and asks; contacts: all of the first moment. Free the answer in every case. */
int surface_ask(toi_context *context, surface_pair *pair, const toi_surface_options *options, bool contacts,
                surface_answer *answer);

void surface_answer_free(surface_answer *answer);

/* {"verdict":...,"toi":...,"first":...,"checks":...,"ms":...}, with "contacts" where they are asked for. */
json_t *surface_answer_json(const surface_pair *pair, const surface_answer *answer, bool contacts);

/* The same for people. */
void surface_answer_print(const surface_pair *pair, const surface_answer *answer, bool contacts);

/* "parameter" or "world". */
const char *accept_name(toi_accept accept);

#endif
