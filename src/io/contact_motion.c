/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions of a scene: steps, one after the other, each in the axes of the world.
 *
 * Promise: what is a formula in t stays one; other numbers are rounded once. */

#include "io/contact_scene.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "io/array.h"

/* Whether any value of a list is a formula. */
static bool has_formula(const toi_json_node *list) {
  if (list == NULL || list->kind != TOI_JSON_LIST)
    return false;
  for (const toi_json_node *node = list->first; node != NULL; node = node->next)
    if (node->kind == TOI_JSON_STRING)
      return true;
  return false;
}

/* A list of terms; node NULL: none is read. */
static toi_status read_terms(toi_scope *scope, const toi_json_node *node, size_t count, const char *what,
                             toi_term *terms) {
  if (node == NULL)
    return TOI_OK;
  toi_status status = toi_tree_list(scope->tree, node, count, what);
  if (status != TOI_OK)
    return status;
  for (const toi_json_node *child = node->first; child != NULL && status == TOI_OK; child = child->next)
    status = toi_scope_term(scope, child, terms++);
  return status;
}

static toi_status made(const toi_scene_reader *r, const toi_json_node *node, toi_status status) {
  return toi_tree_fail_made(&r->tree, node, status);
}

/* --- move: shift + t velocity --- */

/* A shift by formulas. */
static toi_status shift_by_terms(toi_scene_reader *r, const toi_json_node *shift, toi_motion *motion) {
  toi_scope scope;
  toi_term terms[3];
  toi_status status = toi_scope_open(&scope, &r->tree, r->constants, NULL, "t");
  if (status == TOI_OK)
    status = read_terms(&scope, shift, 3, "a list of 3 numbers or formulas", terms);
  if (status == TOI_OK)
    status = made(r, shift, toi_motion_terms(motion, scope.formula, NULL, terms));
  toi_scope_close(&scope);
  return status;
}

static toi_status read_move(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  enum { SHIFT, VELOCITY, COUNT };
  static const toi_tree_field fields[COUNT] = {[SHIFT] = {"shift", false}, [VELOCITY] = {"velocity", false}};
  static const toi_tree_form form = {"a move", fields, COUNT};
  const toi_json_node *values[COUNT];
  double vectors[COUNT][3] = {{0}};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK && values[SHIFT] == NULL && values[VELOCITY] == NULL)
    status = toi_tree_fail(&r->tree, node, "an empty move; give it a \"shift\" or a \"velocity\"");
  const bool formulas = status == TOI_OK && has_formula(values[SHIFT]);
  if (formulas)
    status = shift_by_terms(r, values[SHIFT], motion);
  for (size_t i = formulas ? VELOCITY : SHIFT; i < COUNT && status == TOI_OK; i++)
    if (values[i] != NULL)
      status = toi_scene_numbers(r, values[i], 3, vectors[i]);
  return status == TOI_OK ? made(r, node, toi_motion_move(motion, vectors[SHIFT], vectors[VELOCITY])) : status;
}

/* --- turn and screw --- */

/* By an angle that is a formula, about an axis through a point: moved there and back again. */
static toi_status turn_by_term(toi_scene_reader *r, const toi_json_node *angle, const toi_screw *screw,
                               toi_motion *motion) {
  const double back[3] = {-screw->through[0], -screw->through[1], -screw->through[2]};
  toi_scope scope;
  toi_term term = TOI_NO_TERM;
  toi_status status = toi_scope_open(&scope, &r->tree, r->constants, NULL, "t");
  if (status == TOI_OK)
    status = toi_scope_term(&scope, angle, &term);
  if (status == TOI_OK)
    status = made(r, angle->parent, toi_motion_move(motion, back, NULL));
  if (status == TOI_OK)
    status = made(r, angle->parent, toi_motion_turn_term(motion, screw->axis, scope.formula, term));
  if (status == TOI_OK && screw->rate != 0)
    status = made(r, angle->parent, toi_motion_turn(motion, screw->axis, NULL, 0, screw->rate));
  if (status == TOI_OK)
    status = made(r, angle->parent, toi_motion_move(motion, screw->through, NULL));
  toi_scope_close(&scope);
  return status;
}

enum { AXIS, THROUGH, ANGLE, RATE, SHIFT_ALONG, SPEED, SCREW_FIELDS };
static const toi_tree_field screw_fields[SCREW_FIELDS] = {
    [AXIS] = {"axis", true},  [THROUGH] = {"through", false},   [ANGLE] = {"angle", false},
    [RATE] = {"rate", false}, [SHIFT_ALONG] = {"shift", false}, [SPEED] = {"speed", false}};

/* All but an angle that is a formula where that may be. */
static toi_status read_screw_fields(toi_scene_reader *r, const toi_json_node *const *values, bool formulas,
                                    toi_screw *screw) {
  *screw = (toi_screw){0};
  toi_status status = toi_scene_numbers(r, values[AXIS], 3, screw->axis);
  if (status == TOI_OK && values[THROUGH] != NULL)
    status = toi_scene_numbers(r, values[THROUGH], 3, screw->through);
  if (status == TOI_OK && !(formulas && values[ANGLE] != NULL && values[ANGLE]->kind == TOI_JSON_STRING))
    status = toi_scene_number(r, values[ANGLE], &screw->angle);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[RATE], &screw->rate);
  return status;
}

static toi_status read_turn(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  static const toi_tree_form form = {"a turn", screw_fields, SHIFT_ALONG};
  const toi_json_node *values[SHIFT_ALONG];
  toi_screw screw;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK && values[ANGLE] == NULL && values[RATE] == NULL)
    return toi_tree_fail(&r->tree, node, "an empty turn; give it an \"angle\" or a \"rate\"");
  if (status == TOI_OK)
    status = read_screw_fields(r, values, true, &screw);
  if (status != TOI_OK)
    return status;
  if (values[ANGLE] != NULL && values[ANGLE]->kind == TOI_JSON_STRING)
    return turn_by_term(r, values[ANGLE], &screw, motion);
  return made(r, node, toi_motion_turn(motion, screw.axis, screw.through, screw.angle, screw.rate));
}

static toi_status read_screw(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  static const toi_tree_form form = {"a screw", screw_fields, SCREW_FIELDS};
  const toi_json_node *values[SCREW_FIELDS];
  toi_screw screw;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = read_screw_fields(r, values, false, &screw);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[SHIFT_ALONG], &screw.shift);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[SPEED], &screw.speed);
  return status == TOI_OK ? made(r, node, toi_motion_screw(motion, &screw)) : status;
}

/* --- spin: at a constant rate, a vector along the axis --- */

static toi_status read_spin(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  enum { SPIN_RATE, SPIN_THROUGH, SPIN_FIELDS };
  static const toi_tree_field spin_fields[SPIN_FIELDS] = {
      [SPIN_RATE] = {"rate", true}, [SPIN_THROUGH] = {"through", false}};
  static const toi_tree_form form = {"a spin", spin_fields, SPIN_FIELDS};
  const toi_json_node *values[SPIN_FIELDS];
  double rate[3] = {0}, through[3] = {0};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK)
    status = toi_scene_numbers(r, values[SPIN_RATE], 3, rate);
  if (status == TOI_OK && values[SPIN_THROUGH] != NULL)
    status = toi_scene_numbers(r, values[SPIN_THROUGH], 3, through);
  if (status != TOI_OK)
    return status;
  if (rate[0] == 0 && rate[1] == 0 && rate[2] == 0)
    return toi_tree_fail(&r->tree, node, "a spin without an axis; give it a rate other than [0, 0, 0]");
  return made(r, node, toi_motion_spin(motion, rate, through));
}

/* --- formulas --- */

static toi_status read_formula(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  enum { QUATERNION, TRANSLATION, LET, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [QUATERNION] = {"quaternion", false}, [TRANSLATION] = {"translation", false}, [LET] = {"let", false}};
  static const toi_tree_form form = {"a motion by formulas", fields, COUNT};
  const toi_json_node *values[COUNT];
  toi_scope scope = {0};
  toi_term quaternion[4], translation[3];
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  if (status == TOI_OK && values[QUATERNION] == NULL && values[TRANSLATION] == NULL)
    status = toi_tree_fail(&r->tree, node, "an empty motion; give it a \"quaternion\" or a \"translation\"");
  if (status == TOI_OK)
    status = toi_scope_open(&scope, &r->tree, r->constants, values[LET], "t");
  if (status == TOI_OK)
    status = read_terms(&scope, values[QUATERNION], 4, "a list of 4 formulas, w, x, y and z,", quaternion);
  if (status == TOI_OK)
    status = read_terms(&scope, values[TRANSLATION], 3, "a list of 3 formulas", translation);
  if (status == TOI_OK)
    status = made(r, node,
                  toi_motion_terms(motion, scope.formula, values[QUATERNION] == NULL ? NULL : quaternion,
                                   values[TRANSLATION] == NULL ? NULL : translation));
  toi_scope_close(&scope);
  return status;
}

/* --- series --- */

/* Lists of equally many numbers, one behind the other; *count: how many each, 0: not known yet. node NULL: none. */
static toi_status read_lists(toi_scene_reader *r, const toi_json_node *node, size_t lists, size_t *count,
                             toi_numbers *numbers) {
  if (node == NULL)
    return TOI_OK;
  toi_status status = toi_tree_list(
      &r->tree, node, lists, lists == 4 ? "a list of 4 lists, of w, x, y and z," : "a list of 3 lists, of x, y and z,");
  for (const toi_json_node *list = status == TOI_OK ? node->first : NULL; list != NULL && status == TOI_OK;
       list = list->next) {
    if (list->kind != TOI_JSON_LIST)
      return toi_tree_misplaced(&r->tree, list, "a list of numbers");
    if (list->count == 0)
      return toi_tree_fail(&r->tree, list, "an empty list; a series has one number at least");
    *count = *count == 0 ? list->count : *count;
    if (list->count != *count)
      return toi_tree_fail(&r->tree, list, "a list of %zu, but the first one is of %zu; all have the same length",
                           list->count, *count);
    status = toi_numbers_reserve(r->tree.context, numbers, list->count);
    if (status == TOI_OK)
      status = toi_scene_numbers(r, list, list->count, numbers->values + numbers->count);
    numbers->count += list->count;
  }
  return status;
}

enum { FROM, TO, QUATERNION_SERIES, TRANSLATION_SERIES, BOUND, SERIES_FIELDS };
static const toi_tree_field series_fields[SERIES_FIELDS] = {
    [FROM] = {"from", true},
    [TO] = {"to", true},
    [QUATERNION_SERIES] = {"quaternion", false},
    [TRANSLATION_SERIES] = {"translation", false},
    [BOUND] = {"derivative_bound", false},
};

/* The numbers lie behind each other, those of the quaternion first. */
static void bind_series(toi_chebyshev *series, bool turning, bool moving, const double *numbers) {
  for (size_t i = 0; i < 4 && turning; i++, numbers += series->count)
    series->quaternion[i] = numbers;
  for (size_t i = 0; i < 3 && moving; i++, numbers += series->count)
    series->translation[i] = numbers;
}

static toi_status read_series(toi_scene_reader *r, const toi_json_node *node, bool samples, toi_motion *motion) {
  const toi_tree_form form = {samples ? "a motion by samples" : "a Chebyshev series", series_fields,
                              samples ? SERIES_FIELDS : BOUND};
  const toi_json_node *values[SERIES_FIELDS] = {NULL};
  toi_numbers numbers = {0};
  toi_chebyshev series = {0};
  double bound = 0;
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  const bool turning = values[QUATERNION_SERIES] != NULL, moving = values[TRANSLATION_SERIES] != NULL;
  if (status == TOI_OK && !turning && !moving)
    status = toi_tree_fail(&r->tree, node, "an empty motion; give it a \"quaternion\" or a \"translation\"");
  if (status == TOI_OK)
    status = toi_scene_number(r, values[FROM], &series.t_from);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[TO], &series.t_to);
  if (status == TOI_OK)
    status = read_lists(r, values[QUATERNION_SERIES], 4, &series.count, &numbers);
  if (status == TOI_OK)
    status = read_lists(r, values[TRANSLATION_SERIES], 3, &series.count, &numbers);
  if (status == TOI_OK)
    status = toi_scene_number(r, values[BOUND], &bound);
  if (status == TOI_OK)
    bind_series(&series, turning, moving, numbers.values);
  if (status == TOI_OK && samples)
    status = made(r, node, toi_motion_fitted(motion, &series, values[BOUND] == NULL ? NULL : &bound));
  else if (status == TOI_OK)
    status = made(r, node, toi_motion_chebyshev(motion, &series));
  toi_numbers_free(r->tree.context, &numbers);
  return status;
}

/* --- any motion --- */

/* The motions of scenes of `toi surface` had other fields, which are told from unknown ones. */
static toi_status check_older(const toi_scene_reader *r, const toi_json_node *node) {
  static const char *const older[] = {"velocity", "centre", "shift"};
  for (const toi_json_node *child = node->kind == TOI_JSON_OBJECT ? node->first : NULL; child != NULL;
       child = child->next) {
    bool found = strcmp(child->name, "spin") == 0 && child->kind == TOI_JSON_LIST;
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
      found = found || strcmp(child->name, older[i]) == 0;
    if (found)
      return toi_tree_fail(&r->tree, child,
                           "a field of an older motion; write steps, such as [{\"spin\": {\"rate\": [0, 0, 1]}}, "
                           "{\"move\": {\"velocity\": [1, 0, 0]}}]");
  }
  return TOI_OK;
}

static toi_status read_step(toi_scene_reader *r, const toi_json_node *node, toi_motion *motion) {
  enum { MOVE, TURN, SPIN, SCREW, FORMULA, CHEBYSHEV, SAMPLES, COUNT };
  static const toi_tree_field fields[COUNT] = {
      [MOVE] = {"move", false},      [TURN] = {"turn", false},       [SPIN] = {"spin", false},
      [SCREW] = {"screw", false},    [FORMULA] = {"formula", false}, [CHEBYSHEV] = {"chebyshev", false},
      [SAMPLES] = {"samples", false}};
  static const toi_tree_form form = {"a step of a motion", fields, COUNT};
  size_t number = 0;
  toi_status status = check_older(r, node);
  if (status == TOI_OK)
    status = toi_tree_single(&r->tree, node, &form, &number);
  if (status != TOI_OK)
    return status;
  switch (number) {
  case MOVE:
    return read_move(r, node->first, motion);
  case TURN:
    return read_turn(r, node->first, motion);
  case SPIN:
    return read_spin(r, node->first, motion);
  case SCREW:
    return read_screw(r, node->first, motion);
  case FORMULA:
    return read_formula(r, node->first, motion);
  default:
    return read_series(r, node->first, number == SAMPLES, motion);
  }
}

toi_status toi_scene_motion(toi_scene_reader *r, const toi_json_node *node, toi_motion **motion) {
  toi_status status = toi_motion_create(r->tree.context, motion);
  if (status != TOI_OK)
    return status;
  if (node->kind == TOI_JSON_OBJECT)
    status = read_step(r, node, *motion);
  else if (node->kind != TOI_JSON_LIST)
    status = toi_tree_misplaced(&r->tree, node, "a list of steps");
  else
    for (const toi_json_node *step = node->first; step != NULL && status == TOI_OK; step = step->next)
      status = read_step(r, step, *motion);
  return status;
}

toi_status toi_scene_older_motion(toi_scene_reader *r, const toi_json_node *node, toi_motion **motion) {
  enum { SHIFT, SPIN, CENTRE, VELOCITY, COUNT };
  static const toi_tree_field fields[COUNT] = {[SHIFT] = {"shift", false},
                                               [SPIN] = {"spin", false},
                                               [CENTRE] = {"centre", false},
                                               [VELOCITY] = {"velocity", false}};
  static const toi_tree_form form = {"a motion", fields, COUNT};
  const toi_json_node *values[COUNT];
  double vectors[COUNT][3] = {{0}};
  toi_status status = toi_tree_object(&r->tree, node, &form, values);
  for (size_t i = 0; i < COUNT && status == TOI_OK; i++)
    if (values[i] != NULL)
      status = toi_scene_numbers(r, values[i], 3, vectors[i]);
  if (status == TOI_OK)
    status = toi_motion_create(r->tree.context, motion);
  if (status == TOI_OK)
    status = made(r, node, toi_motion_move(*motion, vectors[SHIFT], NULL));
  if (status == TOI_OK)
    status = made(r, node, toi_motion_spin(*motion, vectors[SPIN], vectors[CENTRE]));
  return status == TOI_OK ? made(r, node, toi_motion_move(*motion, NULL, vectors[VELOCITY])) : status;
}
