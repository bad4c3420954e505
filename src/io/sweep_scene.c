/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies in JSON files: bodies with a name, a mesh, and a path or a joint.
 *
 * Promise: a scene that is read has two bodies at least, each of another name, times in order, and no body attached to
 * itself by way of others. The order of fields and of bodies does not matter. */

#include "io/sweep_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "io/contact_scene.h"
#include "io/sweep_mesh.h"

#define MOST_BODIES 10000
#define MOST_TURNED 250000.0 /* radians between two waypoints */

struct toi_sweep_block {
  struct toi_sweep_block *next;
  size_t bytes, padding[2];
};

enum { SCHEMA, TITLE, NOTE, BODIES, SEPARATION, IGNORE, TIME, SCENE_FIELDS };
static const toi_tree_field scene_fields[SCENE_FIELDS] = {[SCHEMA] = {"$schema", false},
                                                          [TITLE] = {"title", false},
                                                          [NOTE] = {"note", false},
                                                          [BODIES] = {"bodies", true},
                                                          [IGNORE] = {"ignore", false},
                                                          [TIME] = {"time", false},
                                                          [SEPARATION] = {"min_separation", false}};

enum { NAME, MESH, PARENT, PATH, LAW, JOINT, MOTION, BODY_NOTE, BODY_FIELDS };
static const toi_tree_field body_fields[BODY_FIELDS] = {
    [NAME] = {"name", true}, [MESH] = {"mesh", true},    [PARENT] = {"parent", false}, [PATH] = {"path", false},
    [LAW] = {"law", false},  [JOINT] = {"joint", false}, [MOTION] = {"motion", false}, [BODY_NOTE] = {"note", false}};

/* The scene that is being read. */
typedef struct reader {
  toi_tree tree;
  toi_sweep_store *store;
  toi_sweep_scene *scene;
  const toi_json_node *(*bodies)[BODY_FIELDS];
} reader;

void *toi_sweep_keep(toi_context *context, toi_sweep_store *store, size_t count, size_t size) {
  if (count > (SIZE_MAX - sizeof(struct toi_sweep_block)) / size)
    count = SIZE_MAX / size;
  const size_t bytes = sizeof(struct toi_sweep_block) + count * size;
  struct toi_sweep_block *block = toi_allocate(context, bytes);
  if (block == NULL)
    return NULL;
  memset(block, 0, bytes);
  block->next = store->blocks;
  block->bytes = bytes;
  store->blocks = block;
  return block + 1;
}

static void *keep(const reader *r, size_t count, size_t size) {
  return toi_sweep_keep(r->tree.context, r->store, count == 0 ? 1 : count, size);
}

/* --- values --- */

static toi_status read_number(const toi_tree *tree, const toi_json_node *node, double *value) {
  if (node->kind != TOI_JSON_NUMBER)
    return toi_tree_misplaced(tree, node, "a number");
  *value = node->number;
  return isfinite(*value) ? TOI_OK : toi_tree_fail(tree, node, "is too large for a double; give a smaller number");
}

static toi_status read_numbers(const toi_tree *tree, const toi_json_node *node, size_t count, double *values) {
  char what[32];
  (void)snprintf(what, sizeof what, "a list of %zu numbers", count);
  toi_status status = toi_tree_list(tree, node, count, what);
  const toi_json_node *child = status == TOI_OK ? node->first : NULL;
  for (size_t i = 0; i < count && status == TOI_OK; i++, child = child->next)
    status = read_number(tree, child, &values[i]);
  return status;
}

/* The number of the body of that name. */
static toi_status find_body(const reader *r, const toi_json_node *node, size_t *number) {
  const char *name;
  const toi_status status = toi_tree_string(&r->tree, node, &name);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < r->scene->count; i++)
    if (strcmp(r->bodies[i][NAME]->text, name) == 0) {
      *number = i;
      return TOI_OK;
    }
  return toi_tree_fail(&r->tree, node, "there is no body '%s' in the scene", name);
}

/* --- paths --- */

/* Waypoint `index` is at a later time than the one before. */
static toi_status check_time(const toi_tree *tree, const toi_json_node *node, const toi_sweep_body *body,
                             size_t index) {
  if (index == 0 || body->times[index] > body->times[index - 1])
    return TOI_OK;
  return toi_tree_fail(
      tree, node,
      "waypoint %zu is at t = %.17g, not after %.17g of the one before; put them in the order of their "
      "times",
      index, body->times[index], body->times[index - 1]);
}

static toi_status read_waypoint(const reader *r, const toi_json_node *node, toi_sweep_body *body, size_t index) {
  enum { T, POSITION, QUATERNION, FIELDS };
  static const toi_tree_field fields[FIELDS] = {
      [T] = {"t", true}, [POSITION] = {"position", false}, [QUATERNION] = {"quaternion", false}};
  static const toi_tree_form form = {"a waypoint", fields, FIELDS};
  const toi_json_node *values[FIELDS];
  toi_pose *pose = &body->poses[index];
  *pose = (toi_pose){.quaternion = {1, 0, 0, 0}};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = read_number(&r->tree, values[T], &body->times[index]);
  if (status == TOI_OK)
    status = check_time(&r->tree, values[T], body, index);
  if (status == TOI_OK && values[POSITION] != NULL)
    status = read_numbers(&r->tree, values[POSITION], 3, pose->position);
  if (status == TOI_OK && values[QUATERNION] != NULL)
    status = read_numbers(&r->tree, values[QUATERNION], 4, pose->quaternion);
  const double *q = pose->quaternion;
  if (status == TOI_OK && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
    return toi_tree_fail(&r->tree, values[QUATERNION],
                         "the zero quaternion is not an orientation; give another one, such as [1, 0, 0, 0]");
  return status;
}

/* Room for the waypoints of a list that is not empty. */
static toi_status open_path(const reader *r, const toi_json_node *node, toi_sweep_body *body) {
  if (node->kind != TOI_JSON_LIST || node->count == 0)
    return toi_tree_misplaced(&r->tree, node, "a list of waypoints");
  body->count = node->count;
  body->times = keep(r, body->count, sizeof *body->times);
  body->values = keep(r, body->count, sizeof *body->values);
  body->poses = keep(r, body->count, sizeof *body->poses);
  return body->times == NULL || body->values == NULL || body->poses == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

static toi_status read_path(const reader *r, const toi_json_node *node, toi_sweep_body *body) {
  toi_status status = open_path(r, node, body);
  const toi_json_node *child = node->first;
  for (size_t i = 0; i < body->count && status == TOI_OK; i++, child = child->next)
    status = read_waypoint(r, child, body, i);
  return status;
}

/* A body that rests: one waypoint, at no time. */
static toi_status rest(const reader *r, toi_sweep_body *body) {
  body->count = 1;
  body->poses = keep(r, 1, sizeof *body->poses);
  if (body->poses == NULL)
    return TOI_ERROR_MEMORY;
  body->poses[0].quaternion[0] = 1;
  return TOI_OK;
}

/* --- joints --- */

static toi_status read_value(const reader *r, const toi_json_node *node, toi_sweep_body *body, size_t index) {
  double pair[2];
  toi_status status = read_numbers(&r->tree, node, 2, pair);
  if (status != TOI_OK)
    return status;
  body->times[index] = pair[0];
  body->values[index] = pair[1];
  status = check_time(&r->tree, node->first, body, index);
  if (status != TOI_OK)
    return status;
  if (!(pair[1] >= body->limits[0] && pair[1] <= body->limits[1]))
    return toi_tree_fail(&r->tree, node->first->next, "is outside of the joint's limits, from %.17g to %.17g",
                         body->limits[0], body->limits[1]);
  const double turned = index == 0 || body->joint == TOI_SWEEP_PRISMATIC ? 0 : fabs(pair[1] - body->values[index - 1]);
  if (turned > 3.1415 && body->law == TOI_LAW_NLERP)
    return toi_tree_fail(
        &r->tree, node->first->next,
        "the joint turns by %.6g radians from the waypoint before; under nlerp it must be less than 180 "
        "degrees: add a waypoint in between, or use slerp",
        turned);
  if (turned > MOST_TURNED)
    return toi_tree_fail(&r->tree, node->first->next,
                         "the joint turns by %.6g radians from the waypoint before; at most %.0f are possible", turned,
                         MOST_TURNED);
  body->poses[index] = toi_sweep_joint_pose(body, pair[1]);
  return TOI_OK;
}

static toi_status read_axis(const reader *r, const toi_json_node *node, double axis[3]) {
  const toi_status status = read_numbers(&r->tree, node, 3, axis);
  if (status != TOI_OK)
    return status;
  const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
  if (!(length > 0 && length < INFINITY))
    return toi_tree_fail(&r->tree, node, "must have a direction; give at least one number that is not 0");
  for (int i = 0; i < 3; i++)
    axis[i] /= length;
  return TOI_OK;
}

static toi_status read_joint(const reader *r, const toi_json_node *node, toi_sweep_body *body) {
  enum { TYPE, AXIS, ORIGIN, VALUES, LIMITS, PITCH, FIELDS };
  static const toi_tree_field fields[FIELDS] = {
      [TYPE] = {"type", true},   [AXIS] = {"axis", true},      [ORIGIN] = {"origin", false},
      [VALUES] = {"path", true}, [LIMITS] = {"limits", false}, [PITCH] = {"pitch", false}};
  static const toi_tree_form form = {"a joint", fields, FIELDS};
  static const char *const types[] = {"revolute", "prismatic", "screw"};
  const toi_json_node *values[FIELDS];
  size_t type = 0;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_tree_choice(&r->tree, values[TYPE], types, 3, &type);
  body->joint = (toi_sweep_joint)(TOI_SWEEP_REVOLUTE + (int)type);
  body->limits[0] = -INFINITY;
  body->limits[1] = INFINITY;
  if (status == TOI_OK)
    status = read_axis(r, values[AXIS], body->axis);
  if (status == TOI_OK && values[ORIGIN] != NULL)
    status = read_numbers(&r->tree, values[ORIGIN], 3, body->origin);
  if (status == TOI_OK && values[LIMITS] != NULL)
    status = read_numbers(&r->tree, values[LIMITS], 2, body->limits);
  if (status == TOI_OK && !(body->limits[0] <= body->limits[1]))
    status = toi_tree_fail(&r->tree, values[LIMITS], "must be in order: the smaller one first");
  if (status == TOI_OK && (values[PITCH] != NULL) != (body->joint == TOI_SWEEP_SCREW))
    status = values[PITCH] != NULL
                 ? toi_tree_fail(&r->tree, values[PITCH], "belongs to a screw; leave it out")
                 : toi_tree_fail(&r->tree, node, "a screw needs its pitch: how far it moves per radian");
  if (status == TOI_OK && values[PITCH] != NULL)
    status = read_number(&r->tree, values[PITCH], &body->pitch);
  if (status == TOI_OK)
    status = open_path(r, values[VALUES], body);
  const toi_json_node *child = status == TOI_OK ? values[VALUES]->first : NULL;
  for (size_t i = 0; i < body->count && status == TOI_OK; i++, child = child->next)
    status = read_value(r, child, body, i);
  return status;
}

/* --- motions --- */

/* Steps as in scenes of toi contact, in the scene's own time. */
static toi_status read_motion(const reader *r, const toi_json_node *const *values, toi_sweep_body *body) {
  static const int others[] = {PATH, JOINT, LAW, PARENT};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (values[others[i]] != NULL)
      return toi_tree_fail(&r->tree, values[others[i]],
                           "a body that follows a motion has no %s; put all of it into the motion, or leave that out",
                           body_fields[others[i]].name);
  toi_scene_reader of = {.tree = r->tree};
  toi_status status = rest(r, body);
  if (status == TOI_OK)
    status = toi_scope_open(&of.values, &of.tree, NULL, NULL, "");
  if (status == TOI_OK)
    status = toi_scene_motion(&of, values[MOTION], &body->motion);
  toi_scope_close(&of.values);
  body->motion_node = values[MOTION];
  return status;
}

/* --- bodies --- */

static toi_status read_law(const reader *r, const toi_json_node *node, toi_law *law) {
  static const char *const laws[] = {"nlerp", "slerp", "screw"};
  size_t number = 0;
  const toi_status status = node == NULL ? TOI_OK : toi_tree_choice(&r->tree, node, laws, 3, &number);
  *law = (toi_law)number;
  return status;
}

static toi_status read_body(const reader *r, size_t number) {
  const toi_json_node *const *values = r->bodies[number];
  toi_sweep_body *body = &r->store->bodies[number];
  body->parent = TOI_SWEEP_ROOT;
  toi_status status = read_law(r, values[LAW], &body->law);
  if (status == TOI_OK && values[PARENT] != NULL)
    status = find_body(r, values[PARENT], &body->parent);
  if (status == TOI_OK && body->parent == number)
    status = toi_tree_fail(&r->tree, values[PARENT], "the body is its own parent; name another one, or leave it out");
  if (status == TOI_OK && values[PATH] != NULL && values[JOINT] != NULL)
    status = toi_tree_fail(&r->tree, values[JOINT], "a body has a path or a joint, not both; leave one out");
  if (status != TOI_OK)
    return status;
  if (values[MOTION] != NULL)
    return read_motion(r, values, body);
  if (values[JOINT] != NULL && body->law == TOI_LAW_SCREW)
    return toi_tree_fail(&r->tree, values[LAW], "a joint turns by nlerp or slerp; a joint of type screw is a screw");
  if (values[PATH] != NULL)
    return read_path(r, values[PATH], body);
  return values[JOINT] != NULL ? read_joint(r, values[JOINT], body) : rest(r, body);
}

/* Parents before their children; fails on a loop. */
static toi_status order_bodies(const reader *r) {
  const size_t count = r->scene->count;
  uint8_t *done = keep(r, count, 1);
  r->store->order = keep(r, count, sizeof *r->store->order);
  if (done == NULL || r->store->order == NULL)
    return TOI_ERROR_MEMORY;
  size_t placed = 0, before = SIZE_MAX;
  while (placed < count && placed != before) {
    before = placed;
    for (size_t i = 0; i < count; i++) {
      const size_t parent = r->store->bodies[i].parent;
      if (done[i] || (parent != TOI_SWEEP_ROOT && !done[parent]))
        continue;
      done[i] = 1;
      r->store->order[placed++] = i;
    }
  }
  for (size_t i = 0; i < count; i++) {
    const size_t parent = r->store->bodies[i].parent;
    if (parent != TOI_SWEEP_ROOT && r->store->bodies[parent].motion != NULL)
      return toi_tree_fail(
          &r->tree, r->bodies[i][PARENT],
          "'%s' follows a motion, and carries nothing; give it a path, or this body a motion of its own",
          r->bodies[parent][NAME]->text);
  }
  for (size_t i = 0; i < count && placed < count; i++)
    if (!done[i])
      return toi_tree_fail(&r->tree, r->bodies[i][PARENT],
                           "the parents of '%s' form a loop; one of them must have none", r->bodies[i][NAME]->text);
  return TOI_OK;
}

/* What neither moves nor is attached to what does. */
static void find_fixed(const reader *r, uint8_t *fixed) {
  for (size_t i = 0; i < r->scene->count; i++) {
    const size_t at = r->store->order[i];
    const toi_sweep_body *body = &r->store->bodies[at];
    fixed[at] = body->count == 1 && body->motion == NULL && (body->parent == TOI_SWEEP_ROOT || fixed[body->parent]);
  }
}

static toi_status check_name(const reader *r, size_t number) {
  const toi_json_node *node = r->bodies[number][NAME];
  const char *text;
  const toi_status status = toi_tree_string(&r->tree, node, &text);
  if (status != TOI_OK)
    return status;
  if (*text == '\0')
    return toi_tree_fail(&r->tree, node, "an empty name; give each body its own name");
  for (size_t i = 0; text[i] != '\0'; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == '\x7f')
      return toi_tree_fail(&r->tree, node, "byte %d inside a name; it must be a line of text", text[i]);
  for (size_t i = 0; i < number; i++)
    if (strcmp(r->bodies[i][NAME]->text, text) == 0)
      return toi_tree_fail(&r->tree, node, "bodies[%zu], in line %zu, already has this name; choose another one", i,
                           r->bodies[i][NAME]->line);
  return TOI_OK;
}

static toi_status read_names(const reader *r, const toi_json_node *list) {
  static const toi_tree_form form = {"a body", body_fields, BODY_FIELDS};
  const char **names = keep(r, r->scene->count, sizeof *names);
  toi_status status = names == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  const toi_json_node *node = list->first;
  for (size_t i = 0; i < r->scene->count && status == TOI_OK; i++, node = node->next) {
    status = toi_tree_object(&r->tree, node, &form, r->bodies[i]);
    if (status == TOI_OK)
      status = check_name(r, i);
    if (status != TOI_OK)
      break;
    const size_t bytes = strlen(r->bodies[i][NAME]->text) + 1;
    char *name = keep(r, bytes, 1);
    if (name == NULL)
      return TOI_ERROR_MEMORY;
    names[i] = memcpy(name, r->bodies[i][NAME]->text, bytes);
  }
  r->scene->names = names;
  return status;
}

static toi_status read_bodies(const reader *r) {
  const size_t count = r->scene->count;
  toi_mesh *meshes = keep(r, count, sizeof *meshes);
  uint8_t *fixed = keep(r, count, 1);
  r->store->bodies = keep(r, count, sizeof *r->store->bodies);
  toi_status status = meshes == NULL || fixed == NULL || r->store->bodies == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    status = read_body(r, i);
    if (status == TOI_OK)
      status = toi_sweep_mesh_read(&r->tree, r->store, r->bodies[i][MESH], &meshes[i]);
  }
  if (status == TOI_OK)
    status = order_bodies(r);
  if (status == TOI_OK)
    find_fixed(r, fixed);
  uint8_t *joints = status == TOI_OK ? keep(r, count, 1) : NULL;
  if (status == TOI_OK && joints == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count && joints != NULL; i++)
    joints[i] = (uint8_t)r->store->bodies[i].joint;
  r->scene->joints = joints;
  r->scene->meshes = meshes;
  r->scene->fixed = fixed;
  return status;
}

/* --- the whole --- */

static toi_status read_ignored(const reader *r, const toi_json_node *list) {
  if (list == NULL)
    return TOI_OK;
  if (list->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(&r->tree, list, "a list of pairs of names");
  uint32_t(*ignored)[2] = keep(r, list->count, sizeof *ignored);
  toi_status status = ignored == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  const toi_json_node *node = list->first;
  for (size_t i = 0; i < list->count && status == TOI_OK; i++, node = node->next) {
    size_t pair[2] = {0, 0};
    status = toi_tree_list(&r->tree, node, 2, "a pair of names");
    for (int k = 0; k < 2 && status == TOI_OK; k++)
      status = find_body(r, k == 0 ? node->first : node->first->next, &pair[k]);
    if (status == TOI_OK && pair[0] == pair[1])
      status = toi_tree_fail(&r->tree, node, "a body never meets itself; name two different bodies");
    for (int k = 0; k < 2 && status == TOI_OK; k++)
      ignored[i][k] = (uint32_t)pair[k];
  }
  r->scene->ignored = (const uint32_t(*)[2])ignored;
  r->scene->ignored_count = list->count;
  return status;
}

static toi_status read_options(const reader *r, const toi_json_node *const *values) {
  double *time = r->store->time;
  toi_status status = TOI_OK;
  if (values[SEPARATION] != NULL)
    status = read_number(&r->tree, values[SEPARATION], &r->scene->min_separation);
  if (status == TOI_OK && !(r->scene->min_separation >= 0))
    status = toi_tree_fail(&r->tree, values[SEPARATION], "must be 0 or greater");
  r->store->has_time = values[TIME] != NULL;
  if (status == TOI_OK && values[TIME] != NULL)
    status = read_numbers(&r->tree, values[TIME], 2, time);
  if (status == TOI_OK && values[TIME] != NULL && !(time[0] < time[1]))
    status = toi_tree_fail(&r->tree, values[TIME], "must be in order: the earlier time first, such as [0, 1]");
  return status;
}

static toi_status read_scene(reader *r) {
  static const toi_tree_form form = {"a scene", scene_fields, SCENE_FIELDS};
  static const char *const curved[] = {"shape"};
  const toi_json_node *values[SCENE_FIELDS];
  toi_status status = toi_tree_other_scene(&r->tree, curved, 1, "contact");
  if (status == TOI_OK)
    status = toi_tree_object(&r->tree, r->tree.root, &form, values);
  if (status != TOI_OK)
    return status;
  const toi_json_node *list = values[BODIES];
  if (list->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(&r->tree, list, "a list of bodies");
  if (list->count < 2 || list->count > MOST_BODIES)
    return toi_tree_fail(&r->tree, list, "%zu bodies; a scene has from 2 to %d", list->count, MOST_BODIES);
  r->scene->count = list->count;
  r->bodies = keep(r, list->count, sizeof *r->bodies);
  status = r->bodies == NULL ? TOI_ERROR_MEMORY : read_names(r, list);
  if (status == TOI_OK)
    status = read_options(r, values);
  if (status == TOI_OK)
    status = read_bodies(r);
  if (status == TOI_OK)
    status = read_ignored(r, values[IGNORE]);
  return status == TOI_OK ? toi_sweep_move(&r->tree, r->store, r->scene) : status;
}

static void free_scene(toi_context *context, toi_sweep_scene *scene) {
  toi_sweep_store *store = scene->owned;
  for (size_t i = 0; store != NULL && store->bodies != NULL && i < scene->count; i++)
    toi_motion_destroy(store->bodies[i].motion);
  if (store != NULL) {
    toi_sweep_chains_free(context, &store->chains);
    toi_sweep_chains_free(context, &store->joint_chains);
  }
  for (struct toi_sweep_block *block = store == NULL ? NULL : store->blocks, *next; block != NULL; block = next) {
    next = block->next;
    toi_free(context, block, block->bytes);
  }
  if (store != NULL)
    toi_free(context, store, sizeof *store);
  *scene = (toi_sweep_scene){0};
}

static TOI_APART toi_status read_file(toi_context *context, const char *path, toi_sweep_scene *scene) {
  if (context == NULL || path == NULL || scene == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "toi_sweep_scene_read needs a context, a path and a place for its result");
  *scene = (toi_sweep_scene){0};
  reader r = {.scene = scene};
  toi_status status = toi_tree_read(&r.tree, context, path);
  if (status != TOI_OK)
    return status;
  r.store = toi_allocate(context, sizeof *r.store);
  if (r.store != NULL)
    *r.store = (toi_sweep_store){0};
  scene->owned = r.store;
  status = r.store == NULL ? TOI_ERROR_MEMORY : read_scene(&r);
  // The tree goes, and with it all nodes.
  for (size_t i = 0; i < scene->count && r.store != NULL && r.store->bodies != NULL; i++)
    r.store->bodies[i].motion_node = NULL;
  toi_tree_free(&r.tree);
  if (status != TOI_OK)
    free_scene(context, scene);
  return status;
}

toi_status toi_sweep_scene_read(toi_context *context, const char *path, toi_sweep_scene *scene) {
  TOI_CALL(context, read_file(context, path, scene));
}

void toi_sweep_scene_free(toi_context *context, toi_sweep_scene *scene) {
  if (context == NULL || scene == NULL)
    return;
  toi_call call;
  toi_call_begin_free(&call, context);
  free_scene(context, scene);
  toi_call_end(&call);
}
