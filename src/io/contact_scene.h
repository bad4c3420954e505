/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the readers of a scene of moving surfaces share: docs/contact-format.md has the form. */

#ifndef TOI_IO_CONTACT_SCENE_H
#define TOI_IO_CONTACT_SCENE_H

#include <toi/contact.h>
#include <toi/surface.h>

#include "io/tree.h"

/* --- formulas and what is named in them --- */

/* A formula and the names that its texts may use: the scene's constants and, before them, those of a "let". Each may
 * use the others, in any order, as long as none needs itself. */
typedef struct toi_scope {
  const toi_tree *tree;
  const toi_json_node *lists[2]; /* let and constants, objects; NULL: there are none */
  const char *variables;         /* a letter each */
  toi_formula *formula;
  uint8_t *states; /* of each name, of let first: whether it is known to the formula */
  size_t count;
} toi_scope;

/* Close it, whatever became of it. let may be NULL. */
toi_status toi_scope_open(toi_scope *scope, const toi_tree *tree, const toi_json_node *constants,
                          const toi_json_node *let, const char *variables);
void toi_scope_close(toi_scope *scope);

/* Fails unless this is an object of names that formulas can use, other ones than those of `others`, which may be NULL.
 */
toi_status toi_scope_check(const toi_tree *tree, const toi_json_node *list, const toi_json_node *others);

/* A number or a formula. */
toi_status toi_scope_term(toi_scope *scope, const toi_json_node *node, toi_term *term);

/* --- the scene that is being read --- */

typedef struct toi_scene_reader {
  toi_tree tree;
  const toi_json_node *constants;
  toi_scope values; /* of formulas without variables */
  bool older;       /* a scene of two models, a and b */
} toi_scene_reader;

/* A number or a formula without variables: what it lies in, finite. */
toi_status toi_scene_enclosed(toi_scene_reader *r, const toi_json_node *node, toi_interval *value);

/* The same, rounded; node NULL: the value stays as it is. */
toi_status toi_scene_number(toi_scene_reader *r, const toi_json_node *node, double *value);

/* A list of exactly so many of them. */
toi_status toi_scene_numbers(toi_scene_reader *r, const toi_json_node *node, size_t count, double *values);

/* [lo, hi], lo < hi: the least interval known to hold what is written. */
toi_status toi_scene_range(toi_scene_reader *r, const toi_json_node *node, toi_interval *range);

/* Three of them; NULL or null: everywhere. */
toi_status toi_scene_bounds(toi_scene_reader *r, const toi_json_node *node, toi_interval bounds[3]);

/* A Boolean shape: contact_boolean.c. */
toi_status toi_scene_boolean(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape);

/* A shape, and a list of steps or a single one; the caller destroys them. Of a shape made of patches, the model too;
 * else it is empty. */
toi_status toi_scene_shape(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape, toi_model *model);
toi_status toi_scene_prism(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape);
toi_status toi_scene_faces(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape);
toi_status toi_scene_turned(toi_scene_reader *r, const toi_json_node *node, toi_shape **shape);
toi_status toi_scene_motion(toi_scene_reader *r, const toi_json_node *node, toi_motion **motion);

/* A motion of older scenes: a shift, a spin about a centre, and a velocity. */
toi_status toi_scene_older_motion(toi_scene_reader *r, const toi_json_node *node, toi_motion **motion);

/* A model that is written out, or named: the path of a file, from the scene's folder, or one of the known shapes. */
toi_status toi_scene_model(toi_scene_reader *r, const toi_json_node *node, toi_model *model);

#endif
