/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "io/sweep_mesh.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "broad/edges.h"

typedef struct maker {
  const toi_tree *tree;
  toi_sweep_store *store;
  const toi_json_node *node;
  toi_mesh *mesh;
} maker;

static void *keep(const maker *m, size_t count, size_t size) {
  return toi_sweep_keep(m->tree->context, m->store, count == 0 ? 1 : count, size);
}

/* Edges of faces and loose ones, if there are any of the latter; else calls find them. */
static toi_status list_edges(const maker *m, const uint32_t (*loose)[2], size_t count) {
  toi_mesh *mesh = m->mesh;
  if (count == 0)
    return TOI_OK;
  const toi_edge_lists lists = {mesh->faces, mesh->face_count, loose, count};
  toi_edge_list found;
  toi_status status = toi_edges_make(m->tree->context, &lists, &found);
  if (status != TOI_OK)
    return status;
  uint32_t(*edges)[2] = keep(m, found.count, sizeof *edges);
  status = edges == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  if (status == TOI_OK && found.count > 0)
    memcpy(edges, found.pairs, found.count * sizeof *edges);
  toi_mesh_edges_free(m->tree->context, found.pairs, found.count);
  mesh->edges = (const uint32_t(*)[2])edges;
  mesh->edge_count = found.count;
  return status;
}

/* --- a file --- */

static toi_status copy_frame(const maker *m, const toi_frame *frame) {
  double(*vertices)[3] = keep(m, frame->vertex_count, sizeof *vertices);
  uint32_t(*faces)[3] = keep(m, frame->face_count, sizeof *faces);
  if (vertices == NULL || faces == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < 3 * frame->vertex_count; i++)
    vertices[i / 3][i % 3] = frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[i]
                                                          : ((const double *)frame->vertices)[i];
  if (frame->face_count > 0)
    memcpy(faces, frame->faces, frame->face_count * sizeof *faces);
  m->mesh->start = vertices;
  m->mesh->vertex_count = frame->vertex_count;
  m->mesh->faces = (const uint32_t(*)[3])faces;
  m->mesh->face_count = frame->face_count;
  return list_edges(m, (const uint32_t(*)[2])frame->loose, frame->loose_count);
}

static toi_status read_file(const maker *m) {
  const char *scene = m->tree->path, *slash = strrchr(scene, '/'), *name = m->node->text;
  const size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene) + 1;
  char *path = keep(m, folder + strlen(name) + 1, 1);
  if (path == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(path, scene, folder);
  memcpy(path + folder, name, strlen(name) + 1);
  toi_frame frame;
  toi_status status = toi_frame_read(m->tree->context, path, &frame);
  if (status != TOI_OK && status != TOI_ERROR_MEMORY)
    return toi_tree_fail(m->tree, m->node, "%s", toi_context_error(m->tree->context));
  if (status != TOI_OK)
    return status;
  status = copy_frame(m, &frame);
  toi_frame_free(m->tree->context, &frame);
  return status;
}

/* --- written out --- */

static toi_status read_rows(const maker *m, const toi_json_node *list, size_t width, double *rows) {
  for (const toi_json_node *row = list->first; row != NULL; row = row->next) {
    const toi_status status = toi_tree_list(m->tree, row, width, width == 3 ? "three numbers" : "two numbers");
    if (status != TOI_OK)
      return status;
    for (const toi_json_node *number = row->first; number != NULL; number = number->next) {
      if (number->kind != TOI_JSON_NUMBER)
        return toi_tree_misplaced(m->tree, number, "a number");
      if (!isfinite(number->number))
        return toi_tree_fail(m->tree, number, "is too large for a double; give a smaller number");
      rows[row->index * width + number->index] = number->number;
    }
  }
  return TOI_OK;
}

/* Rows of numbers of vertices. */
static toi_status read_numbers(const maker *m, const toi_json_node *list, size_t width, uint32_t **numbers) {
  const size_t count = list == NULL ? 0 : list->count * width;
  double *rows = keep(m, count, sizeof *rows);
  *numbers = keep(m, count, sizeof **numbers);
  if (rows == NULL || *numbers == NULL)
    return TOI_ERROR_MEMORY;
  if (list == NULL)
    return TOI_OK;
  if (list->kind != TOI_JSON_LIST)
    return toi_tree_misplaced(m->tree, list, "a list of numbers of vertices");
  const toi_status status = read_rows(m, list, width, rows);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    if (!(rows[i] >= 0 && rows[i] < (double)m->mesh->vertex_count) || rows[i] != floor(rows[i]))
      return toi_tree_fail(m->tree, list, "row %zu names vertex %.17g, but there are %zu, numbered from 0", i / width,
                           rows[i], m->mesh->vertex_count);
    (*numbers)[i] = (uint32_t)rows[i];
  }
  return status;
}

static toi_status read_written(const maker *m) {
  enum { VERTICES, FACES, EDGES, FIELDS };
  static const toi_tree_field fields[FIELDS] = {
      [VERTICES] = {"vertices", true}, [FACES] = {"faces", false}, [EDGES] = {"edges", false}};
  static const toi_tree_form form = {"a mesh", fields, FIELDS};
  const toi_json_node *values[FIELDS];
  toi_status status = toi_tree_object(m->tree, m->node, &form, values);
  if (status != TOI_OK)
    return status;
  if (values[VERTICES]->kind != TOI_JSON_LIST || values[VERTICES]->count == 0)
    return toi_tree_fail(m->tree, values[VERTICES], "the body has no primitives; give a list of vertices");
  double *vertices = keep(m, values[VERTICES]->count, sizeof(double[3]));
  uint32_t *faces, *edges;
  if (vertices == NULL)
    return TOI_ERROR_MEMORY;
  m->mesh->start = vertices;
  m->mesh->vertex_count = values[VERTICES]->count;
  status = read_rows(m, values[VERTICES], 3, vertices);
  if (status == TOI_OK)
    status = read_numbers(m, values[FACES], 3, &faces);
  if (status != TOI_OK)
    return status;
  m->mesh->faces = (const uint32_t(*)[3])(const void *)faces;
  m->mesh->face_count = values[FACES] == NULL ? 0 : values[FACES]->count;
  status = read_numbers(m, values[EDGES], 2, &edges);
  if (status != TOI_OK)
    return status;
  return list_edges(m, (const uint32_t(*)[2])(const void *)edges, values[EDGES] == NULL ? 0 : values[EDGES]->count);
}

toi_status toi_sweep_mesh_read(const toi_tree *tree, toi_sweep_store *store, const toi_json_node *node,
                               toi_mesh *mesh) {
  const maker m = {tree, store, node, mesh};
  *mesh = (toi_mesh){.size = sizeof *mesh};
  if (node->kind != TOI_JSON_STRING && node->kind != TOI_JSON_OBJECT)
    return toi_tree_misplaced(tree, node, "the path of a mesh, or an object with vertices,");
  return node->kind == TOI_JSON_STRING ? read_file(&m) : read_written(&m);
}
