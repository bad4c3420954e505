/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query, mesh and scene files in and out.
 *
 * Promise: the data are exactly what the file says, or the call fails; a file is written completely or not at all.
 * Every failure leaves an error message in the context: the file, the line, what is wrong there and what to do. */

#ifndef TOI_IO_H
#define TOI_IO_H

#include <toi/contact.h>
#include <toi/narrow.h>
#include <toi/rigid.h>
#include <toi/surface.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The queries of one file, all vertex-face or all edge-edge; the arrays belong to the context. */
typedef struct toi_query_set {
  double *queries; /* count * 24 doubles, as toi_batch takes them */
  uint8_t *truth;  /* count values 0 or 1; NULL if the file has none */
  size_t count;
  uint64_t reserved[4]; /* zero */
} toi_query_set;

/* Reads a query file on all threads of the context; the ending of its name gives the format:
 *   .csv, .csv.gz  8 rows per query; 6 integer columns (numerator, denominator of x, y, z), optionally a 7th column,
 *                  the truth, 0 or 1 and the same in all 8 rows
 *   .bin           little-endian float64, 24 per query
 * Fractions need not be in lowest terms, and may have 4096 digits; spaces around numbers, a leading sign, CR LF and
 * empty lines at the end are allowed. A rational that is not a double is refused, as are empty and truncated files,
 * zero denominators, values that are not finite and anything that is not a number. On failure the set is empty. */
TOI_API TOI_MUST_USE toi_status toi_queries_read(toi_context *context, const char *path, toi_query_set *set);

/* Writes a .bin or (rationals, with truth if there is one) a .csv file. Coordinates must be finite; a CSV file does not
 * keep the sign of a zero. */
TOI_API TOI_MUST_USE toi_status toi_queries_write(toi_context *context, const char *path, const toi_query_set *set);

/* Frees the arrays and empties the set. */
TOI_API void toi_queries_free(toi_context *context, toi_query_set *set);

/* The truth of a query file, read from a separate file. */
typedef struct toi_truth {
  uint8_t *hit;        /* count values 0 or 1 */
  double *t_lo, *t_hi; /* the exact time's tightest doubles, infinity for a miss; NULL if the file has none */
  size_t count;
  uint64_t reserved[4]; /* zero */
} toi_truth;

/* Reads a JSON list of booleans (or of 0 and 1), or CSV with the header `hit,toi_lo,toi_hi`, the times C99 hex floats,
 * empty for a miss. Either may be gzipped, if the name ends in .gz. */
TOI_API TOI_MUST_USE toi_status toi_truth_read(toi_context *context, const char *path, toi_truth *truth);

/* Frees the arrays and empties the truth. */
TOI_API void toi_truth_free(toi_context *context, toi_truth *truth);

/* A mesh at one instant, as in a file; the arrays belong to the context. */
typedef struct toi_frame {
  void *vertices; /* vertex_count times x, y, z, without gaps */
  toi_scalar scalar;
  size_t vertex_count;
  uint32_t (*faces)[3]; /* polygons are split into fans from their first corner, in the file's order */
  size_t face_count;
  uint32_t (*loose)[2]; /* edges that the file lists separately (PLY `edge`, OBJ `l`), in its order */
  size_t loose_count;
  uint64_t reserved[8]; /* zero */
} toi_frame;

/* Reads a mesh; the ending of its name gives the format, followed by .gz if it is gzipped:
 *   .ply  ascii, binary little or big endian; faces by `vertex_indices` or `vertex_index`, edges by `vertex1` and
 *         `vertex2`; other properties and elements are skipped. The frame has floats if x, y and z fit them
 *   .obj  v, f (also v/t/n, negative numbers), l; everything else is skipped. The frame has doubles
 * A line of text has at most 16 MiB. Binary coordinates are read exactly; decimal ones are rounded once, to the nearest
 * double (or float). Coordinates must be finite, indices in range, and there must be a vertex: the error names file,
 * line or element. On failure the frame is empty. */
TOI_API TOI_MUST_USE toi_status toi_frame_read(toi_context *context, const char *path, toi_frame *frame);

/* A part of a mesh file: consecutive vertices and consecutive faces. */
typedef struct toi_frame_slice {
  toi_frame frame; /* the part's vertices and faces; faces name vertices by their numbers in the file */
  uint64_t first_vertex, first_face; /* the numbers of its first ones */
  uint64_t vertex_count, face_count; /* of the whole file */
  uint64_t reserved[4];              /* zero */
} toi_frame_slice;

/* Reads part `part` of `parts` parts of about the same size: all parts together are the frame of toi_frame_read(), and
 * no part needs memory for more than itself. This works for uncompressed binary .ply files whose faces all have the
 * same number of corners and which have no loose edges. TOI_ERROR_UNSUPPORTED means that a file is not of this kind,
 * which possibly only one part finds out: then toi_frame_read() reads it, or says what is wrong with it. On failure the
 * slice is empty. Free its frame with toi_frame_free(). */
TOI_API TOI_MUST_USE toi_status toi_frame_slice_read(toi_context *context, const char *path, uint32_t part,
                                                     uint32_t parts, toi_frame_slice *slice);

/* Writes a .ply (binary, little endian, the frame's scalar type) or .obj file (17 or 9 digits), gzipped if the name
 * ends in .gz. The file is written completely or not at all. */
TOI_API TOI_MUST_USE toi_status toi_frame_write(toi_context *context, const char *path, const toi_frame *frame);

/* Frees the arrays and empties the frame. */
TOI_API void toi_frame_free(toi_context *context, toi_frame *frame);

/* TOI_OK if two frames are states of one mesh: the same connectivity, and the same scalar type; otherwise the context's
 * error names the first difference, with the names given here. */
TOI_API TOI_MUST_USE toi_status toi_frames_match(toi_context *context, const toi_frame *start, const char *start_name,
                                                 const toi_frame *end, const char *end_name);

/* --- curved surfaces: docs/surfaces.md describes the formats --- */

/* The cases of a JSON Lines file: one {"a": PATCH, "b": PATCH, "t_max": 1} per line. The arrays belong to the context.
 */
typedef struct toi_case_set {
  toi_patch_case *cases; /* with a stride of cases->size bytes: see toi_case_set_case() */
  size_t count;
  void *owned; /* the patches and their control points */
  size_t owned_bytes;
  uint64_t reserved[4]; /* zero */
} toi_case_set;

/* A case of a set, as toi_model_patch() for a patch of a model. */
static inline toi_patch_case *toi_case_set_case(const toi_case_set *set, size_t number) {
  const size_t step = set->cases->size == 0 ? sizeof(toi_patch_case) : set->cases->size;
  return (toi_patch_case *)(void *)((char *)set->cases + number * step);
}

/* Numbers are rounded once, to the nearest double; the error names file, line and field. Gzipped if the name ends in
 * .gz. On failure the set is empty. */
TOI_API TOI_MUST_USE toi_status toi_cases_read(toi_context *context, const char *path, toi_case_set *set);

/* Written completely or not at all; 17 digits, so that reading gives the same doubles. */
TOI_API TOI_MUST_USE toi_status toi_cases_write(toi_context *context, const char *path, const toi_case_set *set);

/* Frees the cases, and empties the set. */
TOI_API void toi_cases_free(toi_context *context, toi_case_set *set);

/* A model in a JSON file: {"patches": [PATCH, ...]}, {"nurbs": NURBS}, {"hermite": ...} or {"shape": "teapot", ...},
 * optionally with a "scale", a "shift" and a "velocity", which are applied in this order. Gzipped if the name ends in
 * .gz; the error names file, line and field. On failure the model is empty. */
TOI_API TOI_MUST_USE toi_status toi_model_read(toi_context *context, const char *path, toi_model *model);

/* As {"patches": [...]}; reading gives the same doubles, including domains. */
TOI_API TOI_MUST_USE toi_status toi_model_write(toi_context *context, const char *path, const toi_model *model);

/* --- any moving surface: docs/contact-format.md describes the format --- */

/* A body made of patches, for the solvers of toi/surface.h. */
typedef struct toi_scene_patches {
  const toi_model *model; /* NULL: the body is not made of patches */
  uint64_t reserved[4];   /* zero */
} toi_scene_patches;

/* The content of a scene file: bodies with their names, and the options, with the file's values in place of the
 * defaults. All of it belongs to the context. */
typedef struct toi_contact_scene {
  toi_body *bodies;         /* with a stride of bodies->size bytes: see toi_contact_scene_body() */
  const char *const *names; /* of the bodies, all different, in UTF-8 */
  size_t count;             /* at least two; one: a model to check with itself */
  const char *title;        /* "" if there is none */
  const toi_contact_options *options;
  void *owned;                      /* shapes, motions, models, names and options */
  const toi_scene_patches *patches; /* one for each body */
  double min_separation;            /* 0: contact; else toi/surface.h answers, as for a single body */
  double track_delta, track_margin; /* contacts at the start are tracked, toi/track.h; 0, 0: they are not */
} toi_contact_scene;

/* A body of a scene, as toi_model_patch() for a patch of a model. */
static inline toi_body *toi_contact_scene_body(const toi_contact_scene *scene, size_t number) {
  const size_t step = scene->bodies->size == 0 ? sizeof(toi_body) : scene->bodies->size;
  return (toi_body *)(void *)((char *)scene->bodies + number * step);
}

/* A copy of the scene's options that may be changed, as far as the caller's compiler knows them. */
static inline toi_contact_options toi_contact_scene_options(const toi_contact_scene *scene) {
  toi_contact_options options = toi_default_contact_options();
  const size_t given = scene->options == NULL ? 0 : scene->options->size;
  if (given > 0)
    memcpy(&options, scene->options, given < sizeof options ? given : sizeof options);
  options.size = sizeof options;
  return options;
}

/* Gzipped if the name ends in .gz; the error names file, line, column and field, and the column within a formula. Paths
 * of models are relative to the scene's folder. Numbers are rounded once, to the nearest double. A scene with a
 * separation, or with a single body, has only bodies made of patches, at most two. On failure the scene is empty. */
TOI_API TOI_MUST_USE toi_status toi_contact_scene_read(toi_context *context, const char *path,
                                                       toi_contact_scene *scene);

/* A scene in the form of `toi surface`: {"a": MODEL, "b": MODEL, "motion_a": {"shift": [x, y, z], "spin": ...,
 * "centre":
 * ..., "velocity": ...}, "motion_b": ..., "t_max": 1}; without b one model is checked with itself. Its bodies, a and b,
 * have a model in `patches` and a motion, and no shape: toi/surface.h answers. Errors and paths are as above. */
TOI_API TOI_MUST_USE toi_status toi_surface_scene_read(toi_context *context, const char *path,
                                                       toi_contact_scene *scene);

/* Frees shapes, motions and names, and empties the scene. */
TOI_API void toi_contact_scene_free(toi_context *context, toi_contact_scene *scene);

/* A file that is written piece by piece under a temporary name in the same folder; toi_output_commit() renames it. A
 * symbolic link stays, and the file behind it is replaced; a link to a file that does not exist is refused. Devices and
 * pipes are written to directly. */
typedef struct toi_output toi_output;

/* On failure *output is NULL. */
TOI_API TOI_MUST_USE toi_status toi_output_create(toi_context *context, const char *path, toi_output **output);

/* Appends bytes as they are. After a failure toi_output_commit() fails too. */
TOI_API TOI_MUST_USE toi_status toi_output_append(toi_output *output, const void *bytes, size_t size);

/* Appends queries in the format given by the ending of the name; either all pieces of a .csv file have a truth, or
 * none. */
TOI_API TOI_MUST_USE toi_status toi_output_append_queries(toi_output *output, const toi_query_set *set);

/* Puts the file on the disk under its name, and ends the output. If that fails, or something failed before, nothing of
 * it remains and an existing file stays as it was. */
TOI_API TOI_MUST_USE toi_status toi_output_commit(toi_output *output);

/* Ends the output without a file; NULL is ignored. */
TOI_API void toi_output_destroy(toi_output *output);

/* --- rigid bodies that turn: docs/turning.md describes the format --- */

/* The content of a scene file of toi sweep: bodies with their names and meshes, and their motions over pieces of the
 * scene's own time. All of it belongs to the context. */
typedef struct toi_sweep_scene {
  size_t count;             /* of bodies */
  const char *const *names; /* all different, in UTF-8 */
  const toi_mesh *meshes;   /* of each body, in its frame */
  const uint8_t *fixed;     /* 1: neither the body nor its parents have a path or a joint */
  size_t piece_count;
  const double *times;            /* piece_count + 1 of them, ascending: piece k is from times[k] to times[k + 1] */
  const toi_moving_body *motions; /* of body b in piece k: motions[k * count + b]. Poses at times[k] are rounded;
                                     between them bodies move by the law. A body on a parent that turns follows the
                                     chain of its links, under TOI_LAW_MOTION; its poses are for pictures */
  const uint32_t (*ignored)[2];   /* pairs of bodies that may overlap */
  size_t ignored_count;
  double min_separation;
  const uint8_t *joints; /* of each body: 0 none, 1 revolute, 2 prismatic, 3 screw */
  void *owned;
  uint64_t reserved[4]; /* zero */
} toi_sweep_scene;

/* The error names file, line and field. On failure the scene is empty. */
TOI_API TOI_MUST_USE toi_status toi_sweep_scene_read(toi_context *context, const char *path, toi_sweep_scene *scene);
TOI_API void toi_sweep_scene_free(toi_context *context, toi_sweep_scene *scene);

/* The joint of a body moves from one value to another, while everything else rests as at times[0] or is carried along.
 * Writes the motions of all bodies in `pieces` equal parts of this range, laid out as in the scene; motions has room
 * for pieces * count. At most half a turn per piece. Motions of chains last until the next such call, or the
 * end of the scene. limits, if not NULL, receives the limits of the joint (infinite if
 * the file has none), start its value at times[0]. pieces 0: only these are written. */
TOI_API TOI_MUST_USE toi_status toi_sweep_scene_joint(toi_context *context, const toi_sweep_scene *scene, size_t body,
                                                      const double range[2], size_t pieces, toi_moving_body *motions,
                                                      double limits[2], double *start);

#ifdef __cplusplus
}
#endif

#endif
