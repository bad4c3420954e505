/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The curved module: patches, models and scenes of moving surfaces, with the host's functions in the place of visitors,
 * and the layouts of what goes in and comes out. All other functions are exported as they are (curved.exports). */

#include <toi/toi.h>

#include "sample.h"
#include "web.h"

/* --- functions of the host --- */

TOI_WEB_EXPORT(toi_web_contact_options_watch)
void toi_web_contact_options_watch(toi_contact_options *options) {
  options->progress = toi_web_watch;
}

TOI_WEB_EXPORT(toi_web_surface_options_watch)
void toi_web_surface_options_watch(toi_surface_options *options) {
  options->progress = toi_web_watch;
}

static toi_status visit_contact(void *user, const toi_contact_point *contact) {
  (void)user;
  return (toi_status)toi_web_visit(contact, 1, 0);
}

TOI_WEB_EXPORT(toi_web_contact)
toi_status toi_web_contact(toi_context *context, const toi_contact_scene *scene, const toi_contact_options *options,
                           toi_contact_answer *answer) {
  return toi_contact(context, scene->bodies, scene->count, options, answer, visit_contact, NULL);
}

/* --- scenes and cases --- */

/* A copy of the scene's options. */
TOI_WEB_EXPORT(toi_web_scene_options)
void toi_web_scene_options(const toi_contact_scene *scene, toi_contact_options *options) {
  *options = toi_contact_scene_options(scene);
}

typedef struct toi_web_body {
  uint32_t pieces;
  bool implicit, solid;
} toi_web_body;

TOI_WEB_EXPORT(toi_web_scene_body)
void toi_web_scene_body(const toi_contact_scene *scene, size_t number, toi_web_body *body) {
  const toi_shape *shape = toi_contact_scene_body(scene, number)->shape;
  if (shape == NULL) {
    *body = (toi_web_body){.pieces = (uint32_t)scene->patches[number].model->patch_count};
    return;
  }
  const toi_extent extent = toi_shape_extent(toi_shape_piece(shape, 0));
  *body =
      (toi_web_body){.pieces = (uint32_t)toi_shape_pieces(shape), .implicit = extent.implicit, .solid = extent.solid};
}

TOI_WEB_EXPORT(toi_web_case)
const toi_patch_case *toi_web_case(const toi_case_set *set, size_t number) {
  return toi_case_set_case(set, number);
}

/* --- layouts --- */

static const toi_web_field surface_options_fields[] = {
    TOI_WEB_FIELD(toi_surface_options, norm, "norm"),           TOI_WEB_FIELD(toi_surface_options, method, "text"),
    TOI_WEB_FIELD(toi_surface_options, tolerance, "f64"),       TOI_WEB_FIELD(toi_surface_options, t_max, "f64"),
    TOI_WEB_FIELD(toi_surface_options, min_separation, "f64"),  TOI_WEB_FIELD(toi_surface_options, accept, "accept"),
    TOI_WEB_FIELD(toi_surface_options, inclusion, "inclusion"), TOI_WEB_FIELD(toi_surface_options, max_checks, "u64"),
    TOI_WEB_FIELD(toi_surface_options, simultaneity, "f64"),    TOI_WEB_FIELD(toi_surface_options, spacing, "f64"),
};

static const toi_web_field surface_hit_fields[] = {
    TOI_WEB_FIELD(toi_surface_hit, t_lo, "f64"),
    TOI_WEB_FIELD(toi_surface_hit, t_hi, "f64"),
    TOI_WEB_FIELD(toi_surface_hit, t_safe, "f64"),
    TOI_WEB_ARRAY(toi_surface_hit, a, "f64", 2),
    TOI_WEB_ARRAY(toi_surface_hit, b, "f64", 2),
    TOI_WEB_ARRAY(toi_surface_hit, point, "f64", 3),
    TOI_WEB_ARRAY(toi_surface_hit, normal_a, "f64", 3),
    TOI_WEB_ARRAY(toi_surface_hit, normal_b, "f64", 3),
    TOI_WEB_FIELD(toi_surface_hit, distance, "f64"),
    TOI_WEB_FIELD(toi_surface_hit, tolerance_reached, "f64"),
    TOI_WEB_FIELD(toi_surface_hit, checks, "u64"),
    TOI_WEB_FIELD(toi_surface_hit, pieces, "u64"),
    TOI_WEB_FIELD(toi_surface_hit, patch_a, "u32"),
    TOI_WEB_FIELD(toi_surface_hit, patch_b, "u32"),
    TOI_WEB_FIELD(toi_surface_hit, verdict, "verdict8"),
    TOI_WEB_FIELD(toi_surface_hit, end, "surfaceEnd8"),
    TOI_WEB_FIELD(toi_surface_hit, touching_at_start, "bool"),
};

static const toi_web_field contact_options_fields[] = {
    TOI_WEB_FIELD(toi_contact_options, t_max, "f64"),         TOI_WEB_FIELD(toi_contact_options, tolerance, "f64"),
    TOI_WEB_FIELD(toi_contact_options, simultaneity, "f64"),  TOI_WEB_FIELD(toi_contact_options, spacing, "f64"),
    TOI_WEB_FIELD(toi_contact_options, incoming, "incoming"), TOI_WEB_FIELD(toi_contact_options, order, "order"),
    TOI_WEB_FIELD(toi_contact_options, newton, "newton"),     TOI_WEB_FIELD(toi_contact_options, tangency, "bool"),
    TOI_WEB_FIELD(toi_contact_options, mean_value, "bool"),   TOI_WEB_FIELD(toi_contact_options, spheres, "bool"),
    TOI_WEB_FIELD(toi_contact_options, guesses, "bool"),      TOI_WEB_FIELD(toi_contact_options, polish, "bool"),
    TOI_WEB_FIELD(toi_contact_options, clearance, "bool"),    TOI_WEB_FIELD(toi_contact_options, max_boxes, "u64"),
    TOI_WEB_FIELD(toi_contact_options, max_seconds, "f64"),
};

static const toi_web_field contact_point_fields[] = {
    TOI_WEB_FIELD(toi_contact_point, a, "u32"),
    TOI_WEB_FIELD(toi_contact_point, b, "u32"),
    TOI_WEB_FIELD(toi_contact_point, certificate, "certificate"),
    TOI_WEB_FIELD(toi_contact_point, proved, "bool"),
    TOI_WEB_FIELD(toi_contact_point, t_lo, "f64"),
    TOI_WEB_FIELD(toi_contact_point, t_hi, "f64"),
    TOI_WEB_ARRAY(toi_contact_point, point, "f64", 3),
    TOI_WEB_FIELD(toi_contact_point, error, "f64"),
    TOI_WEB_ARRAY(toi_contact_point, normal_a, "f64", 3),
    TOI_WEB_ARRAY(toi_contact_point, normal_b, "f64", 3),
    TOI_WEB_ARRAY(toi_contact_point, parameters_a, "f64", 2),
    TOI_WEB_ARRAY(toi_contact_point, parameters_b, "f64", 2),
    TOI_WEB_FIELD(toi_contact_point, patch_a, "u32"),
    TOI_WEB_FIELD(toi_contact_point, patch_b, "u32"),
};

static const toi_web_field contact_answer_fields[] = {
    TOI_WEB_FIELD(toi_contact_answer, verdict, "verdict"),
    TOI_WEB_FIELD(toi_contact_answer, end, "contactEnd"),
    TOI_WEB_FIELD(toi_contact_answer, t_lo, "f64"),
    TOI_WEB_FIELD(toi_contact_answer, t_hi, "f64"),
    TOI_WEB_FIELD(toi_contact_answer, t_safe, "f64"),
    TOI_WEB_FIELD(toi_contact_answer, touching_at_start, "bool"),
    TOI_WEB_FIELD(toi_contact_answer, inside_at_start, "inside"),
    TOI_WEB_FIELD(toi_contact_answer, tolerance_reached, "f64"),
    TOI_WEB_FIELD(toi_contact_answer, boxes, "u64"),
    TOI_WEB_FIELD(toi_contact_answer, pairs, "u64"),
    TOI_WEB_FIELD(toi_contact_answer, culled, "u64"),
    TOI_WEB_FIELD(toi_contact_answer, seconds, "f64"),
};

static const toi_web_field contact_scene_fields[] = {
    TOI_WEB_FIELD(toi_contact_scene, names, "pointer"),      TOI_WEB_FIELD(toi_contact_scene, count, "u32"),
    TOI_WEB_FIELD(toi_contact_scene, title, "pointer"),      TOI_WEB_FIELD(toi_contact_scene, patches, "pointer"),
    TOI_WEB_FIELD(toi_contact_scene, min_separation, "f64"),
};

static const toi_web_field scene_patches_fields[] = {
    TOI_WEB_FIELD(toi_scene_patches, model, "pointer"),
};

static const toi_web_field model_fields[] = {
    TOI_WEB_FIELD(toi_model, patch_count, "u32"),
};

static const toi_web_field case_set_fields[] = {
    TOI_WEB_FIELD(toi_case_set, cases, "pointer"),
    TOI_WEB_FIELD(toi_case_set, count, "u32"),
};

static const toi_web_field patch_case_fields[] = {
    TOI_WEB_FIELD(toi_patch_case, a, "pointer"),
    TOI_WEB_FIELD(toi_patch_case, b, "pointer"),
    TOI_WEB_FIELD(toi_patch_case, t_max, "f64"),
};

static const toi_web_field body_fields[] = {
    TOI_WEB_FIELD(toi_web_body, pieces, "u32"),
    TOI_WEB_FIELD(toi_web_body, implicit, "bool"),
    TOI_WEB_FIELD(toi_web_body, solid, "bool"),
};

static const toi_web_field triangles_fields[] = {
    TOI_WEB_FIELD(toi_web_triangles, positions, "pointer"), TOI_WEB_FIELD(toi_web_triangles, normals, "pointer"),
    TOI_WEB_FIELD(toi_web_triangles, indices, "pointer"),   TOI_WEB_FIELD(toi_web_triangles, patches, "pointer"),
    TOI_WEB_FIELD(toi_web_triangles, vertex_count, "u32"),  TOI_WEB_FIELD(toi_web_triangles, triangle_count, "u32"),
};

static const toi_web_field view_fields[] = {
    TOI_WEB_FIELD(toi_web_view, t, "f64"),         TOI_WEB_FIELD(toi_web_view, detail, "u32"),
    TOI_WEB_FIELD(toi_web_view, own, "bool"),      TOI_WEB_FIELD(toi_web_view, bounded, "bool"),
    TOI_WEB_ARRAY(toi_web_view, bounds, "f64", 6),
};

static const toi_web_field context_options_fields[] = {
    TOI_WEB_FIELD(toi_context_options, threads, "u32"),
    TOI_WEB_FIELD(toi_context_options, memory_budget, "u64"),
};

TOI_WEB_EXPORT(toi_web_layouts)
const toi_web_layout *toi_web_layouts(void) {
  static const toi_web_layout layouts[] = {
      TOI_WEB_LAYOUT(toi_surface_options, surface_options_fields),
      TOI_WEB_LAYOUT(toi_surface_hit, surface_hit_fields),
      TOI_WEB_LAYOUT(toi_contact_options, contact_options_fields),
      TOI_WEB_LAYOUT(toi_contact_point, contact_point_fields),
      TOI_WEB_LAYOUT(toi_contact_answer, contact_answer_fields),
      TOI_WEB_LAYOUT(toi_contact_scene, contact_scene_fields),
      TOI_WEB_LAYOUT(toi_scene_patches, scene_patches_fields),
      TOI_WEB_LAYOUT(toi_model, model_fields),
      TOI_WEB_LAYOUT(toi_case_set, case_set_fields),
      TOI_WEB_LAYOUT(toi_patch_case, patch_case_fields),
      TOI_WEB_LAYOUT(toi_web_body, body_fields),
      TOI_WEB_LAYOUT(toi_web_triangles, triangles_fields),
      TOI_WEB_LAYOUT(toi_web_view, view_fields),
      TOI_WEB_LAYOUT(toi_context_options, context_options_fields),
      {.name = NULL},
  };
  return layouts;
}
