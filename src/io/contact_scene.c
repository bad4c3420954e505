/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of moving surfaces in JSON files: what is asked, and bodies with a name, a shape and a motion.
 *
 * Promise: a scene that is read has two bodies at least, each of another name, and options within their ranges. The
 * order of fields does not matter. */

#include <toi/io.h>

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "io/contact_scene.h"

/* So that names can be compared one by one. */
#define MOST_BODIES 10000

/* The largest whole number that a double tells from its neighbours. */
#define MOST_BOXES 9007199254740992.0

/* What a scene owns, in one block: this, patches, bodies, names, and the letters of title and
 * names. */
typedef struct store {
  size_t bytes;
  toi_contact_options options;
  toi_scene_patches *patches;
  struct {
    toi_shape *shape;
    toi_motion *motion;
    toi_model model;
  } made[]; /* one for each body */
} store;

enum {
  SCHEMA,
  TITLE,
  NOTE,
  T_MAX,
  TOLERANCE,
  SIMULTANEITY,
  SPACING,
  INCOMING,
  MAX_BOXES,
  MAX_SECONDS,
  MIN_SEPARATION,
  TRACKED,
  CONSTANTS,
  BODIES,
  SCENE_FIELDS
};

static const toi_tree_field scene_fields[SCENE_FIELDS] = {
    [SCHEMA] = {"$schema", false},
    [TITLE] = {"title", false},
    [NOTE] = {"note", false},
    [T_MAX] = {"t_max", false},
    [TOLERANCE] = {"tolerance", false},
    [SIMULTANEITY] = {"simultaneity", false},
    [SPACING] = {"spacing", false},
    [INCOMING] = {"incoming", false},
    [MAX_BOXES] = {"max_boxes", false},
    [MAX_SECONDS] = {"max_seconds", false},
    [CONSTANTS] = {"constants", false},
    [BODIES] = {"bodies", true},
    [MIN_SEPARATION] = {"min_separation", false},
    [TRACKED] = {"tracked", false},
};

enum { DELTA, MARGIN, TRACKED_FIELDS };

static const toi_tree_field tracked_fields[TRACKED_FIELDS] = {[DELTA] = {"delta", true}, [MARGIN] = {"margin", true}};

enum { NAME, SHAPE, MOTION, BODY_NOTE, BODY_FIELDS };

static const toi_tree_field body_fields[BODY_FIELDS] = {
    [NAME] = {"name", true}, [SHAPE] = {"shape", true}, [MOTION] = {"motion", false}, [BODY_NOTE] = {"note", false}};

/* --- options --- */

/* Nothing, or a string. */
static toi_status check_string(const toi_tree *tree, const toi_json_node *node) {
  const char *text;
  return node == NULL ? TOI_OK : toi_tree_string(tree, node, &text);
}

/* Nothing, or a number or formula greater than 0. */
static toi_status read_above_zero(toi_scene_reader *r, const toi_json_node *node, double *value) {
  const toi_status status = toi_scene_number(r, node, value);
  if (status == TOI_OK && node != NULL && !(*value > 0))
    return toi_tree_fail(&r->tree, node, "must be greater than 0, not %.17g", *value);
  return status;
}

/* Nothing, or whole boxes; 0 stands for the default. */
static toi_status read_boxes(toi_scene_reader *r, const toi_json_node *node, uint64_t *value) {
  double boxes = (double)*value;
  const toi_status status = toi_scene_number(r, node, &boxes);
  if (status != TOI_OK || node == NULL)
    return status;
  if (!(boxes >= 0 && boxes <= MOST_BOXES))
    return toi_tree_fail(&r->tree, node, "must be from 0 to %.17g, not %.17g", MOST_BOXES, boxes);
  if (boxes != floor(boxes))
    return toi_tree_fail(&r->tree, node, "must be a whole number, not %.17g", boxes);
  *value = (uint64_t)boxes;
  return TOI_OK;
}

/* Nothing, or a number or formula that is not negative. */
static toi_status read_from_zero(toi_scene_reader *r, const toi_json_node *node, double *value) {
  const toi_status status = toi_scene_number(r, node, value);
  if (status == TOI_OK && node != NULL && !(*value >= 0))
    return toi_tree_fail(&r->tree, node, "must be 0 or greater, not %.17g", *value);
  return status;
}

static toi_status read_incoming(const toi_tree *tree, const toi_json_node *node, toi_incoming *incoming) {
  static const char *const names[] = {
      [TOI_INCOMING_AUTO] = "auto", [TOI_INCOMING_OFF] = "off", [TOI_INCOMING_ON] = "on"};
  if (node == NULL)
    return TOI_OK;
  size_t number = 0;
  const toi_status status = toi_tree_choice(tree, node, names, 3, &number);
  if (status == TOI_OK)
    *incoming = (toi_incoming)number;
  return status;
}

static toi_status read_options(toi_scene_reader *r, const toi_json_node *const *values, toi_contact_options *options) {
  double *const positive[] = {&options->tolerance, &options->simultaneity, &options->spacing};
  toi_status status = TOI_OK;
  for (size_t i = SCHEMA; i <= NOTE && status == TOI_OK; i++)
    status = check_string(&r->tree, values[i]);
  if (status == TOI_OK)
    status = read_from_zero(r, values[T_MAX], &options->t_max);
  for (size_t i = TOLERANCE; i <= SPACING && status == TOI_OK; i++)
    status = read_above_zero(r, values[i], positive[i - TOLERANCE]);
  if (status == TOI_OK)
    status = read_incoming(&r->tree, values[INCOMING], &options->incoming);
  if (status == TOI_OK)
    status = read_boxes(r, values[MAX_BOXES], &options->max_boxes);
  return status == TOI_OK ? read_from_zero(r, values[MAX_SECONDS], &options->max_seconds) : status;
}

/* Every constant has a value, also those that nobody uses. */
static toi_status read_constants(toi_scene_reader *r, const toi_json_node *node) {
  toi_status status = node == NULL ? TOI_OK : toi_scope_check(&r->tree, node, NULL);
  if (status == TOI_OK) {
    r->constants = node;
    status = toi_scope_open(&r->values, &r->tree, node, NULL, "");
  }
  for (const toi_json_node *child = node == NULL ? NULL : node->first; child != NULL && status == TOI_OK;
       child = child->next) {
    toi_interval value;
    status = toi_scene_enclosed(r, child, &value);
  }
  return status;
}

/* --- bodies --- */

/* A name that can be shown in one line. */
static toi_status check_name(const toi_tree *tree, const toi_json_node *node) {
  const char *text;
  const toi_status status = toi_tree_string(tree, node, &text);
  if (status != TOI_OK)
    return status;
  if (*text == '\0')
    return toi_tree_fail(tree, node, "an empty name; give each body its own name");
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == '\x7f')
      return toi_tree_fail(tree, node, "byte %d inside a name; it must be a line of text", *text);
  return TOI_OK;
}

/* Values of all bodies; their names are different ones. */
static toi_status read_bodies(const toi_tree *tree, const toi_json_node *list,
                              const toi_json_node *(*bodies)[BODY_FIELDS]) {
  static const toi_tree_form form = {"a body", body_fields, BODY_FIELDS};
  toi_status status = TOI_OK;
  for (const toi_json_node *node = list->first; node != NULL && status == TOI_OK; node = node->next) {
    const toi_json_node **body = bodies[node->index];
    status = toi_tree_object(tree, node, &form, body);
    if (status == TOI_OK)
      status = check_name(tree, body[NAME]);
    if (status == TOI_OK)
      status = check_string(tree, body[BODY_NOTE]);
    for (size_t i = 0; i < node->index && status == TOI_OK; i++)
      if (strcmp(bodies[i][NAME]->text, body[NAME]->text) == 0)
        status = toi_tree_fail(tree, body[NAME], "bodies[%zu], in line %zu, already has this name; choose another one",
                               i, bodies[i][NAME]->line);
  }
  return status;
}

/* The scene's block, with all names and without shapes. */
static toi_status make_store(const toi_tree *tree, const toi_json_node *title, size_t count,
                             const toi_json_node *(*bodies)[BODY_FIELDS], toi_contact_scene *scene) {
  const char *title_text = title == NULL ? "" : title->text;
  store *s;
  size_t letters = strlen(title_text) + 1;
  for (size_t i = 0; i < count; i++)
    letters += strlen(bodies[i][NAME]->text) + 1;
  const size_t bytes =
      sizeof *s + count * (sizeof s->made[0] + sizeof *scene->patches + sizeof *scene->bodies + sizeof *scene->names) +
      letters;
  s = toi_allocate(tree->context, bytes);
  if (s == NULL)
    return TOI_ERROR_MEMORY;
  memset(s, 0, bytes);
  s->bytes = bytes;
  scene->owned = s;
  scene->count = count;
  scene->patches = s->patches = (toi_scene_patches *)(void *)&s->made[count];
  scene->bodies = (toi_body *)(void *)(s->patches + count);
  const char **names = (const char **)(void *)(scene->bodies + count);
  scene->names = names;
  char *text = (char *)(names + count);
  scene->title = strcpy(text, title_text);
  for (size_t i = 0; i < count; i++) {
    text += strlen(text) + 1;
    names[i] = strcpy(text, bodies[i][NAME]->text);
  }
  return TOI_OK;
}

static toi_status make_bodies(toi_scene_reader *r, const toi_json_node *(*bodies)[BODY_FIELDS],
                              toi_contact_scene *scene) {
  store *s = scene->owned;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < scene->count && status == TOI_OK; i++) {
    status = r->older ? toi_scene_model(r, bodies[i][SHAPE], &s->made[i].model)
                      : toi_scene_shape(r, bodies[i][SHAPE], &s->made[i].shape, &s->made[i].model);
    if (status == TOI_OK && bodies[i][MOTION] != NULL)
      status = (r->older ? toi_scene_older_motion : toi_scene_motion)(r, bodies[i][MOTION], &s->made[i].motion);
    scene->bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = s->made[i].shape, .motion = s->made[i].motion};
    if (status == TOI_OK && s->made[i].model.patch_count > 0)
      s->patches[i].model = &s->made[i].model;
  }
  return status;
}

/* --- questions that only the solvers of patches answer --- */

/* One body, or two with a separation: of patches. */
static toi_status check_patches(const toi_scene_reader *r, const toi_json_node *separation,
                                const toi_json_node *(*bodies)[BODY_FIELDS], const toi_contact_scene *scene) {
  const char *what = scene->count == 1 ? "contact with itself" : "a separation";
  if (scene->count > 2)
    return toi_tree_fail(&r->tree, separation, "min_separation needs two bodies, not %zu; leave some out",
                         scene->count);
  for (size_t i = 0; i < scene->count; i++) {
    if (scene->patches[i].model == NULL)
      return toi_tree_fail(&r->tree, bodies[i][SHAPE], "%s needs bodies made of patches: patch, nurbs or model%s", what,
                           scene->count == 1 ? "; or add a second body" : "; or leave min_separation out");
    if (scene->count == 1 && bodies[i][MOTION] != NULL)
      return toi_tree_fail(&r->tree, bodies[i][MOTION],
                           "a motion of the whole body causes no contact with itself; leave it out");
  }
  return TOI_OK;
}

/* --- the whole --- */

/* What is asked, beside bodies. */
typedef struct question {
  const toi_json_node *values[SCENE_FIELDS];
  toi_contact_options options;
  double separation;
  double track[TRACKED_FIELDS];
} question;

/* Nothing, or both of them. */
static toi_status read_tracked(toi_scene_reader *r, question *q) {
  const toi_json_node *node = q->values[TRACKED], *values[TRACKED_FIELDS];
  if (node == NULL)
    return TOI_OK;
  static const toi_tree_form form = {"what is tracked", tracked_fields, TRACKED_FIELDS};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  for (size_t i = 0; i < TRACKED_FIELDS && status == TOI_OK; i++)
    status = read_above_zero(r, values[i], &q->track[i]);
  if (status == TOI_OK && q->track[DELTA] > 0.125 * q->track[MARGIN])
    status = toi_tree_fail(&r->tree, values[DELTA], "must be an eighth of the margin, %.17g, at most, not %.17g",
                           q->track[MARGIN], q->track[DELTA]);
  if (status == TOI_OK && q->separation > 0)
    status = toi_tree_fail(&r->tree, node, "contacts are not tracked in scenes with min_separation; leave one out");
  return status;
}

static toi_status read_question(toi_scene_reader *r, question *q) {
  q->options = toi_default_contact_options();
  q->separation = q->track[DELTA] = q->track[MARGIN] = 0;
  toi_status status = read_constants(r, q->values[CONSTANTS]);
  if (status == TOI_OK)
    status = read_options(r, q->values, &q->options);
  if (status == TOI_OK)
    status = read_from_zero(r, q->values[MIN_SEPARATION], &q->separation);
  return status == TOI_OK ? read_tracked(r, q) : status;
}

/* The scene of bodies whose nodes were found. */
static toi_status make_scene(toi_scene_reader *r, const question *q, const toi_json_node *(*bodies)[BODY_FIELDS],
                             size_t count, toi_contact_scene *scene) {
  toi_status status = make_store(&r->tree, q->values[TITLE], count, bodies, scene);
  if (status != TOI_OK)
    return status;
  store *s = scene->owned;
  s->options = q->options;
  scene->options = &s->options;
  scene->min_separation = q->separation;
  scene->track_delta = q->track[DELTA];
  scene->track_margin = q->track[MARGIN];
  status = make_bodies(r, bodies, scene);
  return status == TOI_OK && (q->separation > 0 || count == 1)
             ? check_patches(r, q->values[MIN_SEPARATION], bodies, scene)
             : status;
}

/* Rigid bodies are another command's. */
static toi_status check_rigid(const toi_tree *tree) {
  static const char *const rigid[] = {"mesh", "path", "joint", "parent", "law"};
  return toi_tree_other_scene(tree, rigid, sizeof rigid / sizeof rigid[0], "sweep");
}

/* A scene of two models, or of one with itself: {"a": MODEL, "b": MODEL, "motion_a": ..., ...}. */
static toi_status read_older(toi_scene_reader *r, toi_contact_scene *scene) {
  enum { A, B, MOTION_A, MOTION_B, OLDER_T_MAX, OLDER_NAME, COMMENT, OLDER_FIELDS };
  static const toi_tree_field fields[OLDER_FIELDS] = {
      [A] = {"a", true},
      [B] = {"b", false},
      [MOTION_A] = {"motion_a", false},
      [MOTION_B] = {"motion_b", false},
      [OLDER_T_MAX] = {"t_max", false},
      [OLDER_NAME] = {"name", false},
      [COMMENT] = {"comment", false},
  };
  static const toi_tree_form form = {"a scene", fields, OLDER_FIELDS};
  static const toi_json_node names[2] = {{.text = "a"}, {.text = "b"}};
  const toi_json_node *found[OLDER_FIELDS], *bodies[2][BODY_FIELDS] = {{NULL}};
  question q = {.values = {NULL}};
  const toi_json_node *root = r->tree.root;
  bool first = false;
  const toi_status rigid = check_rigid(&r->tree);
  if (rigid != TOI_OK)
    return rigid;
  for (const toi_json_node *child = root->kind == TOI_JSON_OBJECT ? root->first : NULL; child; child = child->next) {
    if (strcmp(child->name, "bodies") == 0)
      return toi_tree_fail(&r->tree, child, "a scene of toi contact; run toi contact %s", r->tree.path);
    first = first || strcmp(child->name, "a") == 0;
  }
  if (!first)
    return toi_tree_fail(
        &r->tree, root, "not a scene: the field \"a\" is missing; name one model to check it with itself, or name two");
  toi_status status = toi_tree_object(&r->tree, root, &form, found);
  if (status != TOI_OK)
    return status;
  q.values[TITLE] = found[OLDER_NAME];
  q.values[NOTE] = found[COMMENT];
  q.values[T_MAX] = found[OLDER_T_MAX];
  for (int i = 0; i < 2; i++) {
    bodies[i][NAME] = &names[i];
    bodies[i][SHAPE] = found[A + i];
    bodies[i][MOTION] = found[MOTION_A + i];
  }
  const bool self = found[B] == NULL || found[B]->kind == TOI_JSON_NULL;
  if (self && found[MOTION_B] != NULL)
    return toi_tree_fail(&r->tree, found[MOTION_B], "there is no second model to move; leave it out");
  status = read_question(r, &q);
  return status == TOI_OK ? make_scene(r, &q, bodies, self ? 1 : 2, scene) : status;
}

/* The scenes of `toi surface` had other fields, which are told from unknown ones. */
static toi_status check_older(const toi_tree *tree) {
  static const char *const older[] = {"a", "b", "motion_a", "motion_b"};
  const toi_json_node *root = tree->root, *found = NULL;
  bool bodies = false;
  for (const toi_json_node *child = root->kind == TOI_JSON_OBJECT ? root->first : NULL; child != NULL;
       child = child->next) {
    bodies = bodies || strcmp(child->name, "bodies") == 0;
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
      if (found == NULL && strcmp(child->name, older[i]) == 0)
        found = child;
  }
  if (found == NULL)
    return TOI_OK;
  return bodies ? toi_tree_fail(tree, found,
                                "a field of scenes of `toi surface`, beside bodies; give each body its own "
                                "\"motion\" and leave this field out")
                : toi_tree_fail(
                      tree, found,
                      "a scene of `toi surface`; use that command, or rewrite the file with `toi contact --convert`");
}

static toi_status read_scene(toi_scene_reader *r, toi_contact_scene *scene) {
  static const toi_tree_form form = {"a scene", scene_fields, SCENE_FIELDS};
  question q;
  toi_status status = check_older(&r->tree);
  if (status == TOI_OK)
    status = check_rigid(&r->tree);
  if (status == TOI_OK)
    status = toi_tree_object(&r->tree, r->tree.root, &form, q.values);
  if (status == TOI_OK)
    status = read_question(r, &q);
  if (status != TOI_OK)
    return status;
  const toi_json_node *list = q.values[BODIES];
  if (list->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(&r->tree, list, "a list of bodies");
  if (list->count < 1 || list->count > MOST_BODIES)
    return toi_tree_fail(&r->tree, list, "%zu bodies; a scene has 2 to %d bodies, or one model", list->count,
                         MOST_BODIES);
  const toi_json_node *(*bodies)[BODY_FIELDS] = toi_allocate(r->tree.context, list->count * sizeof *bodies);
  if (bodies == NULL)
    return TOI_ERROR_MEMORY;
  status = read_bodies(&r->tree, list, bodies);
  if (status == TOI_OK)
    status = make_scene(r, &q, bodies, list->count, scene);
  toi_free(r->tree.context, bodies, list->count * sizeof *bodies);
  return status;
}

static toi_status read_file(toi_context *context, const char *path, bool older, toi_contact_scene *scene) {
  toi_scene_reader r = {.older = older};
  toi_status status = toi_tree_read(&r.tree, context, path);
  if (status != TOI_OK)
    return status;
  status = older ? read_older(&r, scene) : read_scene(&r, scene);
  toi_scope_close(&r.values);
  toi_tree_free(&r.tree);
  return status;
}

static TOI_APART toi_status read_contact_scene(toi_context *context, const char *path, bool older,
                                               toi_contact_scene *scene) {
  if (context == NULL || path == NULL || scene == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s needs a context, a path and a place for its result",
                    older ? "toi_surface_scene_read" : "toi_contact_scene_read");
  *scene = (toi_contact_scene){.title = ""};
  // Decimal numbers are rounded on the way, and formulas enclosed.
  const toi_status status = read_file(context, path, older, scene);
  if (status != TOI_OK)
    toi_contact_scene_free(context, scene);
  return status;
}

toi_status toi_contact_scene_read(toi_context *context, const char *path, toi_contact_scene *scene) {
  TOI_CALL(context, read_contact_scene(context, path, false, scene));
}

toi_status toi_surface_scene_read(toi_context *context, const char *path, toi_contact_scene *scene) {
  TOI_CALL(context, read_contact_scene(context, path, true, scene));
}

static TOI_APART void free_contact_scene(toi_context *context, toi_contact_scene *scene) {
  if (scene == NULL)
    return;
  store *s = scene->owned;
  for (size_t i = 0; i < scene->count && s != NULL; i++) {
    toi_shape_destroy(s->made[i].shape);
    toi_motion_destroy(s->made[i].motion);
    toi_model_free(context, &s->made[i].model);
  }
  if (s != NULL)
    toi_free(context, s, s->bytes);
  *scene = (toi_contact_scene){.title = ""};
}

void toi_contact_scene_free(toi_context *context, toi_contact_scene *scene) {
  TOI_CALL_VOID(NULL, free_contact_scene(context, scene));
}
