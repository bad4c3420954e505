/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase `bvh`: trees made or refitted, then joined. */

#include "broad/bvh.h"

#include <math.h>
#include <string.h>

#include "broad/cache.h"
#include "broad/device_join.h"
#include "broad/order.h"

#define BLOCK_GRAIN 512 /* a multiple of 8: each task fills whole nodes of level 1 */
#define GROUP_GRAIN 4

/* An order is used again while the blocks are not this much larger than when it was made. */
#define WORN 1.4

typedef struct build_job {
  toi_bvh *tree;
  const toi_mesh *mesh;
  const toi_box_set *set;
  const toi_bvh_kernel *kernel;
  double *spreads; /* two for each chunk: extents of blocks, extents of primitives */
} build_job;

static void fill_lane(toi_bvh_node *node, size_t lane, const float row[8]) {
  for (size_t k = 0; k < 3; k++) {
    node->at[k][lane] = row[k];
    node->at[3 + k][lane] = row[4 + k];
  }
}

/* Three edges of a box, or of many added up. */
static double extent(const float row[8]) {
  return -((double)row[0] + (double)row[1] + (double)row[2] + (double)row[4] + (double)row[5] + (double)row[6]);
}

/* Numbers and vertices of a block's primitives. */
static void fill_numbers(const build_job *job, size_t block, size_t lanes) {
  const toi_bvh *tree = job->tree;
  const toi_box_set *set = job->set;
  for (size_t lane = 0; lane < lanes; lane++) {
    uint32_t place = tree->order[TOI_BVH_WIDTH * block + lane];
    uint32_t number = set->numbers ? set->numbers[place] : place;
    const uint32_t *vertices = toi_primitive_vertices(job->mesh, set->primitive, &number);
    tree->numbers[block].at[lane] = number;
    for (size_t j = 0; j < tree->points; j++)
      tree->vertices[tree->points * block + j].at[lane] = vertices[j];
  }
}

/* The last block, which is not full: nothing meets the boxes that are not there. */
static void fill_last_block(const build_job *job, size_t block, toi_box_row around, float sums[8]) {
  static const float nowhere[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const toi_bvh *tree = job->tree;
  memset(&tree->numbers[block], 0, sizeof(toi_bvh_eight));
  memset(&tree->vertices[tree->points * block], 0, tree->points * sizeof(toi_bvh_eight));
  for (int k = 0; k < 8; k++)
    around[k] = INFINITY;
  for (size_t lane = 0; lane < TOI_BVH_WIDTH; lane++) {
    size_t place = TOI_BVH_WIDTH * block + lane;
    toi_box_row made;
    const float *row = place < tree->count ? toi_set_row(job->set, tree->order[place], made) : nowhere;
    fill_lane(&tree->nodes[block], lane, row);
    for (int k = 0; k < 8 && row != nowhere; k++) {
      around[k] = row[k] < around[k] ? row[k] : around[k];
      sums[k] += row[k];
    }
  }
}

/* Calls for what a block will need: its rows lie anywhere. */
static void call_for(const build_job *job, size_t block) {
  const toi_box_set *set = job->set;
  for (size_t i = TOI_BVH_WIDTH * block; i < TOI_BVH_WIDTH * (block + 1) && i < job->tree->count; i++) {
    uint32_t place = job->tree->order[i];
    __builtin_prefetch(set->rows ? (const void *)set->rows[place]
                                 : (const void *)&set->indices[place * job->tree->points]);
  }
}

static toi_status fill_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  build_job *job = user;
  const toi_bvh *tree = job->tree;
  double spread[2] = {0, 0};
  for (size_t block = begin; block < end; block++) {
    size_t left = tree->count - TOI_BVH_WIDTH * block;
    toi_box_row around;
    float sums[8] = {0};
    call_for(job, block + 4);
    if (left < TOI_BVH_WIDTH)
      fill_last_block(job, block, around, sums);
    else
      job->kernel->fill_block(job->set, tree->order + TOI_BVH_WIDTH * block, &tree->nodes[block], around, sums);
    fill_numbers(job, block, left < TOI_BVH_WIDTH ? left : TOI_BVH_WIDTH);
    fill_lane(&tree->nodes[tree->offsets[1] + block / TOI_BVH_WIDTH], block % TOI_BVH_WIDTH, around);
    spread[0] += extent(around);
    spread[1] += extent(sums);
  }
  memcpy(job->spreads + begin / BLOCK_GRAIN * 2, spread, sizeof(spread));
  return TOI_OK;
}

/* The levels above the first, and NaN in the places that no node fills. */
static void fill_levels(const toi_bvh *tree) {
  static const float nowhere[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  for (int level = 1; level < tree->levels; level++) {
    for (size_t lane = tree->sizes[level - 1]; lane < TOI_BVH_WIDTH * tree->sizes[level]; lane++)
      fill_lane(&tree->nodes[tree->offsets[level] + lane / TOI_BVH_WIDTH], lane % TOI_BVH_WIDTH, nowhere);
    for (size_t i = 0; i < tree->sizes[level] && level + 1 < tree->levels; i++) {
      toi_box_row around = {INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY, INFINITY, 0};
      const toi_bvh_node *node = &tree->nodes[tree->offsets[level] + i];
      for (int k = 0; k < 6; k++)
        for (int lane = 0; lane < TOI_BVH_WIDTH; lane++) {
          float *low = &around[k < 3 ? k : k + 1];
          *low = node->at[k][lane] < *low ? node->at[k][lane] : *low;
        }
      fill_lane(&tree->nodes[tree->offsets[level + 1] + i / TOI_BVH_WIDTH], i % TOI_BVH_WIDTH, around);
    }
  }
}

/* The shape of a tree for a set. The order of a set of the same size is kept. */
static toi_status shape_tree(toi_context *context, toi_bvh *tree, const toi_box_set *set) {
  size_t size = set->count;
  tree->levels = 0;
  tree->node_count = 0;
  do {
    size = (size + TOI_BVH_WIDTH - 1) / TOI_BVH_WIDTH;
    tree->sizes[tree->levels] = size;
    tree->offsets[tree->levels++] = tree->node_count;
    tree->node_count += size;
  } while (size > 1 || tree->levels < 3);
  tree->points = toi_primitive_points(set->primitive);
  if (tree->count != set->count || !tree->order_memory.bytes) {
    tree->spread = 0;
    tree->count = 0;
    tree->order = toi_buffer_reserve(context, &tree->order_memory, set->count * sizeof(uint32_t));
    if (!tree->order)
      return TOI_ERROR_MEMORY;
  }
  tree->count = set->count;
  return TOI_OK;
}

/* Bytes of a tree, or of sorting its order, which is done in the same place before. */
static size_t tree_bytes(const toi_bvh *tree) {
  size_t bytes = tree->node_count * sizeof(toi_bvh_node) + tree->sizes[0] * (1 + tree->points) * sizeof(toi_bvh_eight);
  size_t sorting = toi_order_memory(tree->count);
  bytes = bytes > sorting ? bytes : sorting;
  return (bytes + 63) / 64 * 64;
}

static void place_tree(toi_bvh *tree, char *memory) {
  tree->nodes = (toi_bvh_node *)memory;
  tree->numbers = (toi_bvh_eight *)(memory + tree->node_count * sizeof(toi_bvh_node));
  tree->vertices = tree->numbers + tree->sizes[0];
}

/* Goes through the boxes in the tree's order. *spread becomes the extent of blocks beside that of primitives. */
static toi_status fill_tree(toi_context *context, build_job *job, double *spread) {
  size_t blocks = job->tree->sizes[0], chunks = blocks / BLOCK_GRAIN + 1;
  job->spreads = toi_allocate(context, 2 * chunks * sizeof(double));
  if (!job->spreads)
    return TOI_ERROR_MEMORY;
  toi_status status = toi_parallel(context, blocks, BLOCK_GRAIN, fill_task, job);
  double sums[2] = {0, 0};
  for (size_t i = 0; i * BLOCK_GRAIN < blocks; i++) {
    sums[0] += job->spreads[2 * i];
    sums[1] += job->spreads[2 * i + 1];
  }
  toi_free(context, job->spreads, 2 * chunks * sizeof(double));
  *spread = sums[0] / sums[1];
  fill_levels(job->tree);
  return status;
}

static const toi_bvh_kernel *best_kernel(void) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return &toi_bvh_kernel_avx2;
#endif
  return &toi_bvh_kernel_base;
}

/* Makes the tree of a set, in the order of the last one if that still serves. */
static toi_status build_tree(toi_context *context, toi_bvh *tree, const toi_mesh *mesh, const toi_box_set *set) {
  build_job job = {.tree = tree, .mesh = mesh, .set = set, .kernel = best_kernel()};
  double spread;
  if (tree->spread > 0) {
    toi_status status = fill_tree(context, &job, &spread);
    if (status != TOI_OK || spread <= WORN * tree->spread)
      return status;
  }
  tree->spread = 0;
  toi_status status = toi_order_boxes(context, &toi_broad_cache_of(context)->curve, set, tree->nodes, tree->order);
  if (status == TOI_OK)
    status = fill_tree(context, &job, &spread);
  // A spread that is no number (infinite boxes) makes the order one for this step only.
  if (status == TOI_OK && spread > 0 && spread < INFINITY)
    tree->spread = spread;
  return status;
}

/* The context's tree for a set: what is kept of it is the order. */
static toi_bvh *tree_of(toi_broad_cache *cache, const toi_box_set *set) {
  return &cache->trees[(int)set->primitive + (set->numbers ? TOI_PRIMITIVE_COUNT : 0)];
}

/* The trees of both sides of a join (the same one twice in a self join). They live until the next join. */
static toi_status build_trees(toi_context *context, const toi_join *join, toi_bvh *query, toi_bvh *target) {
  toi_status status = shape_tree(context, query, &join->a);
  if (status == TOI_OK && target != query)
    status = shape_tree(context, target, &join->b);
  if (status != TOI_OK)
    return status;
  size_t own = tree_bytes(query), others = target == query ? 0 : tree_bytes(target);
  char *memory = toi_buffer_reserve(context, &toi_broad_cache_of(context)->trees_memory, own + others);
  if (!memory)
    return TOI_ERROR_MEMORY;
  place_tree(query, memory);
  if (target != query)
    place_tree(target, memory + own);
  status = build_tree(context, query, join->boxer->mesh, &join->a);
  if (status == TOI_OK && target != query)
    status = build_tree(context, target, join->boxer->mesh, &join->b);
  return status;
}

void toi_pack_lanes(uint64_t packed[256]) {
  for (unsigned lanes = 0; lanes < 256; lanes++) {
    packed[lanes] = 0;
    unsigned found = 0;
    for (unsigned lane = 0; lane < TOI_BVH_WIDTH; lane++)
      if (lanes >> lane & 1)
        packed[lanes] |= (uint64_t)lane << 8 * found++;
  }
}

static toi_status join_trees(toi_context *context, const toi_join *join) {
  toi_broad_cache *cache = toi_broad_cache_of(context);
  toi_bvh *query = tree_of(cache, &join->a), *target = tree_of(cache, &join->b);
  toi_status status = build_trees(context, join, query, target);
  if (status != TOI_OK)
    return status;
  toi_join_done done;
  bool finished;
  status = toi_device_join_trees(context, join, query, target, &done, &finished);
  if (status != TOI_OK || finished)
    return status;
  toi_join rest = *join;
  rest.done = done.query ? &done : NULL;
  toi_bvh_job job = {.join = &rest, .query = query, .target = target};
  // Two lists of nodes above the blocks, one of blocks; each is written eight at a time.
  job.list_size = 2 * (target->sizes[1] + TOI_BVH_WIDTH) + target->sizes[0] + TOI_BVH_WIDTH;
  job.lists =
      toi_buffer_reserve(context, &cache->lists, toi_context_threads(context) * job.list_size * sizeof(uint32_t));
  if (!job.lists)
    return TOI_ERROR_MEMORY;
  toi_pack_lanes(job.packed);
  status = toi_parallel(context, query->sizes[1], GROUP_GRAIN, best_kernel()->join_groups, &job);
  return done.query ? toi_join_done_end(context, &rest, status) : status;
}

const toi_broad_method toi_broad_bvh = {
    "bvh", "A tree of boxes, eight wide, over primitives in the order of a Hilbert curve, refitted for the next step.",
    join_trees, true};
