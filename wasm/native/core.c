/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The core module: calls of the library that take functions, with the host's in their place, and the layouts of what
 * goes in and comes out. All other functions are exported as they are (core.exports). */

#include <toi/toi.h>

#include "web.h"

/* --- functions of the host --- */

static bool may_collide(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  return toi_web_may_collide((int)kind, first, second);
}

/* Has the options ask the host. */
TOI_WEB_EXPORT(toi_web_mesh_options_watch)
void toi_web_mesh_options_watch(toi_mesh_options *options, bool progress, bool filter) {
  options->progress = progress ? toi_web_watch : NULL;
  options->may_collide = filter ? may_collide : NULL;
}

static toi_status visit_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)user;
  return (toi_status)toi_web_visit(pairs, count, (int)kind);
}

static toi_status visit_collisions(void *user, const toi_collision *collisions, size_t count) {
  (void)user;
  return (toi_status)toi_web_visit(collisions, count, 0);
}

static toi_status visit_proximity(void *user, const toi_proximal *pairs, size_t count) {
  (void)user;
  return (toi_status)toi_web_visit(pairs, count, 0);
}

static toi_status visit_crossings(void *user, const toi_crossing *crossings, size_t count) {
  (void)user;
  return (toi_status)toi_web_visit(crossings, count, 0);
}

TOI_WEB_EXPORT(toi_web_candidates)
toi_status toi_web_candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  return toi_candidates(context, mesh, options, visit_pairs, NULL);
}

TOI_WEB_EXPORT(toi_web_collisions)
toi_status toi_web_collisions(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  return toi_collisions(context, mesh, options, visit_collisions, NULL);
}

TOI_WEB_EXPORT(toi_web_proximity)
toi_status toi_web_proximity(toi_context *context, const toi_mesh *mesh, double distance, const toi_options *options) {
  return toi_proximity(context, mesh, distance, options, visit_proximity, NULL);
}

TOI_WEB_EXPORT(toi_web_crossings)
toi_status toi_web_crossings(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  return toi_mesh_crossings(context, mesh, options, visit_crossings, NULL);
}

/* --- layouts --- */

static const toi_web_field hit_fields[] = {
    TOI_WEB_FIELD(toi_hit, t_lo, "f64"),
    TOI_WEB_FIELD(toi_hit, t_hi, "f64"),
    TOI_WEB_FIELD(toi_hit, t_safe, "f64"),
    TOI_WEB_FIELD(toi_hit, u, "f64"),
    TOI_WEB_FIELD(toi_hit, v, "f64"),
    TOI_WEB_ARRAY(toi_hit, point, "f64", 3),
    TOI_WEB_ARRAY(toi_hit, normal, "f64", 3),
    TOI_WEB_FIELD(toi_hit, tolerance_reached, "f64"),
    TOI_WEB_FIELD(toi_hit, separation, "f64"),
    TOI_WEB_FIELD(toi_hit, distance, "f64"),
    TOI_WEB_FIELD(toi_hit, verdict, "verdict8"),
    TOI_WEB_FIELD(toi_hit, level, "level8"),
    TOI_WEB_FIELD(toi_hit, touching_at_start, "bool"),
};

static const toi_web_field hit_list_fields[] = {
    TOI_WEB_FIELD(toi_hit_list, hits, "pointer"), TOI_WEB_FIELD(toi_hit_list, numbers, "pointer"),
    TOI_WEB_FIELD(toi_hit_list, room, "u32"),     TOI_WEB_FIELD(toi_hit_list, count, "u32"),
    TOI_WEB_FIELD(toi_hit_list, answered, "u32"),
};

static const toi_web_field options_fields[] = {
    TOI_WEB_FIELD(toi_options, method, "text"),
    TOI_WEB_FIELD(toi_options, tolerance, "f64"),
    TOI_WEB_FIELD(toi_options, t_max, "f64"),
    TOI_WEB_FIELD(toi_options, min_separation, "f64"),
    TOI_WEB_FIELD(toi_options, separation_fraction, "f64"),
    TOI_WEB_FIELD(toi_options, norm, "norm"),
    TOI_WEB_FIELD(toi_options, inclusion, "inclusion"),
    TOI_WEB_FIELD(toi_options, max_checks, "u64"),
    TOI_WEB_FIELD(toi_options, no_zero_toi, "bool"),
    TOI_WEB_ARRAY(toi_options, scene_bound, "f64", 3),
    TOI_WEB_FIELD(toi_options, filter, "filter"),
    TOI_WEB_FIELD(toi_options, counters, "pointer"),
    TOI_WEB_FIELD(toi_options, on_mesh, "pointer"),
};

static const toi_web_field mesh_options_fields[] = {
    TOI_WEB_FIELD(toi_mesh_options, broad, "text"),
    TOI_WEB_FIELD(toi_mesh_options, work, "pointer"),
    TOI_WEB_FIELD(toi_mesh_options, kinds, "u32"),
};

static const toi_web_field counters_fields[] = {
    TOI_WEB_FIELD(toi_counters, queries, "u64"),
    TOI_WEB_ARRAY(toi_counters, verdicts, "u64", TOI_COUNTERS),
    TOI_WEB_ARRAY(toi_counters, levels, "u64", TOI_COUNTERS),
};

static const toi_web_field work_fields[] = {
    TOI_WEB_ARRAY(toi_work, candidates, "u64", TOI_COUNTERS),
    TOI_WEB_ARRAY(toi_work, hits, "u64", TOI_COUNTERS),
    TOI_WEB_FIELD(toi_work, broad_ns, "u64"),
    TOI_WEB_FIELD(toi_work, narrow_ns, "u64"),
    TOI_WEB_FIELD(toi_work, passes, "u32"),
};

static const toi_web_field mesh_fields[] = {
    TOI_WEB_FIELD(toi_mesh, start, "pointer"),        TOI_WEB_FIELD(toi_mesh, end, "pointer"),
    TOI_WEB_FIELD(toi_mesh, scalar, "u32"),           TOI_WEB_FIELD(toi_mesh, vertex_count, "u32"),
    TOI_WEB_FIELD(toi_mesh, edges, "pointer"),        TOI_WEB_FIELD(toi_mesh, edge_count, "u32"),
    TOI_WEB_FIELD(toi_mesh, faces, "pointer"),        TOI_WEB_FIELD(toi_mesh, face_count, "u32"),
    TOI_WEB_FIELD(toi_mesh, bodies, "pointer"),       TOI_WEB_FIELD(toi_mesh, fixed, "pointer"),
    TOI_WEB_FIELD(toi_mesh, thickness, "pointer"),    TOI_WEB_FIELD(toi_mesh, body_thickness, "pointer"),
    TOI_WEB_FIELD(toi_mesh, body_count, "u32"),       TOI_WEB_FIELD(toi_mesh, skipped, "pointer"),
    TOI_WEB_FIELD(toi_mesh, body_pairs, "pointer"),   TOI_WEB_FIELD(toi_mesh, half_spaces, "pointer"),
    TOI_WEB_FIELD(toi_mesh, half_space_count, "u32"),
};

static const toi_web_field pair_fields[] = {
    TOI_WEB_FIELD(toi_pair, first, "u32"),
    TOI_WEB_FIELD(toi_pair, second, "u32"),
};

static const toi_web_field region_fields[] = {
    TOI_WEB_FIELD(toi_region, dimension, "u8"),
    TOI_WEB_FIELD(toi_region, index, "u8"),
};

static const toi_web_field distance_fields[] = {
    TOI_WEB_FIELD(toi_distance, lo, "f64"),
    TOI_WEB_FIELD(toi_distance, hi, "f64"),
    TOI_WEB_FIELD(toi_distance, u, "f64"),
    TOI_WEB_FIELD(toi_distance, v, "f64"),
    TOI_WEB_ARRAY(toi_distance, first, "f64", 3),
    TOI_WEB_ARRAY(toi_distance, second, "f64", 3),
    TOI_WEB_FIELD(toi_distance, on_first, "toi_region"),
    TOI_WEB_FIELD(toi_distance, on_second, "toi_region"),
};

static const toi_web_field impact_fields[] = {
    TOI_WEB_FIELD(toi_impact, hit, "toi_hit"),
    TOI_WEB_FIELD(toi_impact, kind, "kind"),
    TOI_WEB_FIELD(toi_impact, pair, "pair"),
};

/* The points of a collision have the names of Python's twin: first and second are the numbers of the pair. */
static const toi_web_field collision_fields[] = {
    TOI_WEB_FIELD(toi_collision, hit, "toi_hit"),
    {.name = "first_point", .type = "f64", .offset = (uint32_t)offsetof(toi_collision, first), .count = 3},
    {.name = "second_point", .type = "f64", .offset = (uint32_t)offsetof(toi_collision, second), .count = 3},
    TOI_WEB_FIELD(toi_collision, kind, "kind"),
    TOI_WEB_FIELD(toi_collision, pair, "pair"),
};

static const toi_web_field proximal_fields[] = {
    TOI_WEB_FIELD(toi_proximal, distance, "toi_distance"),
    TOI_WEB_FIELD(toi_proximal, kind, "kind"),
    TOI_WEB_FIELD(toi_proximal, pair, "pair"),
};

static const toi_web_field advance_fields[] = {
    TOI_WEB_FIELD(toi_advance, step, "f64"),
    TOI_WEB_FIELD(toi_advance, fraction, "f64"),
    TOI_WEB_FIELD(toi_advance, first, "toi_impact"),
    TOI_WEB_FIELD(toi_advance, tries, "u32"),
};

static const toi_web_field intersection_fields[] = {
    TOI_WEB_FIELD(toi_intersection, found, "bool"),  TOI_WEB_FIELD(toi_intersection, crossing, "bool"),
    TOI_WEB_FIELD(toi_intersection, behind, "bool"), TOI_WEB_FIELD(toi_intersection, kind, "kind"),
    TOI_WEB_FIELD(toi_intersection, pair, "pair"),
};

static const toi_web_field crossing_fields[] = {
    TOI_WEB_FIELD(toi_crossing, crossing, "bool"),
    TOI_WEB_FIELD(toi_crossing, behind, "bool"),
    TOI_WEB_FIELD(toi_crossing, kind, "kind"),
    TOI_WEB_FIELD(toi_crossing, pair, "pair"),
};

static const toi_web_field frame_fields[] = {
    TOI_WEB_FIELD(toi_frame, vertices, "pointer"), TOI_WEB_FIELD(toi_frame, scalar, "u32"),
    TOI_WEB_FIELD(toi_frame, vertex_count, "u32"), TOI_WEB_FIELD(toi_frame, faces, "pointer"),
    TOI_WEB_FIELD(toi_frame, face_count, "u32"),   TOI_WEB_FIELD(toi_frame, loose, "pointer"),
    TOI_WEB_FIELD(toi_frame, loose_count, "u32"),
};

static const toi_web_field query_set_fields[] = {
    TOI_WEB_FIELD(toi_query_set, queries, "pointer"),
    TOI_WEB_FIELD(toi_query_set, truth, "pointer"),
    TOI_WEB_FIELD(toi_query_set, count, "u32"),
};

static const toi_web_field truth_fields[] = {
    TOI_WEB_FIELD(toi_truth, hit, "pointer"),
    TOI_WEB_FIELD(toi_truth, t_lo, "pointer"),
    TOI_WEB_FIELD(toi_truth, t_hi, "pointer"),
    TOI_WEB_FIELD(toi_truth, count, "u32"),
};

static const toi_web_field proof_fields[] = {
    TOI_WEB_FIELD(toi_proof, hit, "toi_hit"),         TOI_WEB_FIELD(toi_proof, contact_times, "u32"),
    TOI_WEB_FIELD(toi_proof, degree, "u32"),          TOI_WEB_FIELD(toi_proof, polynomial, "pointer"),
    TOI_WEB_FIELD(toi_proof, lo, "pointer"),          TOI_WEB_FIELD(toi_proof, hi, "pointer"),
    TOI_WEB_FIELD(toi_proof, certificate, "pointer"),
};

static const toi_web_field root_fields[] = {
    TOI_WEB_FIELD(toi_explained_root, t_lo, "f64"),        TOI_WEB_FIELD(toi_explained_root, t_hi, "f64"),
    TOI_WEB_FIELD(toi_explained_root, u, "f64"),           TOI_WEB_FIELD(toi_explained_root, v, "f64"),
    TOI_WEB_ARRAY(toi_explained_root, area, "f64", 4),     TOI_WEB_ARRAY(toi_explained_root, area_sign, "i8", 4),
    TOI_WEB_FIELD(toi_explained_root, axis, "i8"),         TOI_WEB_FIELD(toi_explained_root, touching, "bool"),
    TOI_WEB_FIELD(toi_explained_root, multiplicity, "u8"), TOI_WEB_FIELD(toi_explained_root, source, "rootSource8"),
    TOI_WEB_FIELD(toi_explained_root, element, "u8"),      TOI_WEB_FIELD(toi_explained_root, first, "bool"),
};

static const toi_web_field piece_fields[] = {
    TOI_WEB_FIELD(toi_explained_piece, lo, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, hi, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, x, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, zone_lo, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, zone_hi, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, slope, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, slope_bound, "f64"),
    TOI_WEB_ARRAY(toi_explained_piece, area, "f64", 12),
    TOI_WEB_ARRAY(toi_explained_piece, area_bound, "f64", 3),
    TOI_WEB_FIELD(toi_explained_piece, t_lo, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, t_hi, "f64"),
    TOI_WEB_FIELD(toi_explained_piece, used, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, crossing, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, gap_clear, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, steep, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, inside, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, outside, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, bracketed, "bool"),
    TOI_WEB_FIELD(toi_explained_piece, rest_clear, "bool"),
};

static const toi_web_field explanation_fields[] = {
    TOI_WEB_FIELD(toi_explanation, hit, "toi_hit"),
    TOI_WEB_ARRAY(toi_explanation, box_lo, "f64", 3),
    TOI_WEB_ARRAY(toi_explanation, box_hi, "f64", 3),
    TOI_WEB_FIELD(toi_explanation, separation, "f64"),
    TOI_WEB_ARRAY(toi_explanation, size, "f64", 3),
    TOI_WEB_ARRAY(toi_explanation, coefficient, "f64", 4),
    TOI_WEB_ARRAY(toi_explanation, bound, "f64", 4),
    TOI_WEB_ARRAY(toi_explanation, exact, "f64", 4),
    TOI_WEB_ARRAY(toi_explanation, limit, "f64", 4),
    TOI_WEB_ARRAY(toi_explanation, half, "f64", 8),
    TOI_WEB_FIELD(toi_explanation, half_bound, "f64"),
    TOI_WEB_FIELD(toi_explanation, half_limit, "f64"),
    TOI_WEB_ARRAY(toi_explanation, pieces, "toi_explained_piece", TOI_EXPLAIN_PIECES),
    TOI_WEB_ARRAY(toi_explanation, roots, "toi_explained_root", TOI_EXPLAIN_ROOTS),
    TOI_WEB_ARRAY(toi_explanation, outcomes, "outcome8", TOI_COUNTERS),
    TOI_WEB_ARRAY(toi_explanation, coefficient_sign, "i8", 4),
    TOI_WEB_ARRAY(toi_explanation, box_apart, "bool", 3),
    TOI_WEB_FIELD(toi_explanation, corner_count, "u8"),
    TOI_WEB_ARRAY(toi_explanation, half_clear, "u8", 2),
    TOI_WEB_ARRAY(toi_explanation, half_up, "u8", 2),
    TOI_WEB_ARRAY(toi_explanation, half_down, "u8", 2),
    TOI_WEB_FIELD(toi_explanation, cubic_defined, "bool"),
    TOI_WEB_FIELD(toi_explanation, cubic_zero, "bool"),
    TOI_WEB_FIELD(toi_explanation, in_range, "bool"),
    TOI_WEB_FIELD(toi_explanation, root_count, "u8"),
    TOI_WEB_FIELD(toi_explanation, reduced, "reduced8"),
    TOI_WEB_FIELD(toi_explanation, reduced_axis, "u8"),
    TOI_WEB_ARRAY(toi_explanation, reduced_corner, "u8", 2),
    TOI_WEB_ARRAY(toi_explanation, scale, "i16", 3),
    TOI_WEB_FIELD(toi_explanation, scaled, "bool"),
};

static const toi_web_field context_options_fields[] = {
    TOI_WEB_FIELD(toi_context_options, threads, "u32"),
    TOI_WEB_FIELD(toi_context_options, memory_budget, "u64"),
};

TOI_WEB_EXPORT(toi_web_layouts)
const toi_web_layout *toi_web_layouts(void) {
  static const toi_web_layout layouts[] = {
      TOI_WEB_LAYOUT(toi_hit, hit_fields),
      TOI_WEB_LAYOUT(toi_hit_list, hit_list_fields),
      TOI_WEB_LAYOUT(toi_options, options_fields),
      TOI_WEB_LAYOUT(toi_mesh_options, mesh_options_fields),
      TOI_WEB_LAYOUT(toi_counters, counters_fields),
      TOI_WEB_LAYOUT(toi_work, work_fields),
      TOI_WEB_LAYOUT(toi_mesh, mesh_fields),
      TOI_WEB_LAYOUT(toi_pair, pair_fields),
      TOI_WEB_LAYOUT(toi_region, region_fields),
      TOI_WEB_LAYOUT(toi_distance, distance_fields),
      TOI_WEB_LAYOUT(toi_impact, impact_fields),
      TOI_WEB_LAYOUT(toi_collision, collision_fields),
      TOI_WEB_LAYOUT(toi_proximal, proximal_fields),
      TOI_WEB_LAYOUT(toi_advance, advance_fields),
      TOI_WEB_LAYOUT(toi_intersection, intersection_fields),
      TOI_WEB_LAYOUT(toi_crossing, crossing_fields),
      TOI_WEB_LAYOUT(toi_frame, frame_fields),
      TOI_WEB_LAYOUT(toi_query_set, query_set_fields),
      TOI_WEB_LAYOUT(toi_truth, truth_fields),
      TOI_WEB_LAYOUT(toi_proof, proof_fields),
      TOI_WEB_LAYOUT(toi_explained_root, root_fields),
      TOI_WEB_LAYOUT(toi_explained_piece, piece_fields),
      TOI_WEB_LAYOUT(toi_explanation, explanation_fields),
      TOI_WEB_LAYOUT(toi_context_options, context_options_fields),
      {.name = NULL},
  };
  return layouts;
}
