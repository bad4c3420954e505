/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The traversal, for every instruction set: a file that includes this has defined
 *
 *   eight_boxes                                        eight boxes, loaded
 *   eight_boxes load_node(node)
 *   eight_boxes load_turned(node)                      hi and -lo of a node's boxes
 *   eight_boxes spread_box(box)                        hi and -lo of one box, eight times
 *   unsigned meet(boxes, turned)                       lanes in which a box meets a turned one, closed
 *   unsigned meet_strictly(boxes, turned)              the same, open
 *   unsigned meet_child(turned, node, lane)            lanes in which turned boxes meet one of the node's
 *   unsigned lanes_shared(theirs, n, own, m)           lanes in which one of n vertices is one of m
 *   void put_children(list, packed lanes, first child) writes eight numbers, of which some count
 *   void put_pairs(pairs, packed lanes, numbers, first, ordered)
 *                                                      writes eight pairs, of which some count
 *   KERNEL, fill_block                                 the name of the kernel, and what fills a block
 *
 * A group of 64 primitives goes down the other tree level by level, then its eight blocks one by one. Which primitive
 * meets which block goes to a list first: the loop that goes through it, where most of the time is spent, then has
 * nothing to decide. */

#include <string.h>

/* In line in each variant of the join, or nothing of its shape would be known. */
#define IN_LINE static inline __attribute__((always_inline))

/* A turned box: hi x y z, then -lo x y z, as the other side of a test. */
typedef float turned_box[6];

/* Primitives and blocks that are tested at a time. */
#define TESTS_MOST 512

/* What a variant of the join knows when it is compiled. */
typedef struct join_shape {
  unsigned query_points, target_points;
  bool self;  /* pairs of one tree with itself */
  bool exact; /* floats decide alone */
} join_shape;

typedef struct lists {
  uint32_t *nodes, *spare, *blocks;
} lists;

static inline const toi_bvh_node *node_at(const toi_bvh *tree, int level, size_t number) {
  return &tree->nodes[tree->offsets[level] + number];
}

/* The box of a node, which its parent holds, as the other side of a test. */
static inline void box_of_node(const toi_bvh *tree, int level, size_t number, turned_box box) {
  const toi_bvh_node *parent = node_at(tree, level + 1, number / TOI_BVH_WIDTH);
  size_t lane = number % TOI_BVH_WIDTH;
  for (int k = 0; k < 3; k++) {
    box[k] = -parent->at[3 + k][lane];
    box[3 + k] = -parent->at[k][lane];
  }
}

/* The nodes one level below that meet the box; in a self join not those before `first`. */
IN_LINE size_t descend(const toi_bvh_job *job, int level, const turned_box box, const uint32_t *from, size_t count,
                       uint32_t *to, size_t first) {
  const eight_boxes turned = spread_box(box);
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t node = from[i];
    unsigned lanes = meet(load_node(node_at(job->target, level, node)), turned);
    lanes &= node == first / TOI_BVH_WIDTH ? 0xffu << first % TOI_BVH_WIDTH : 0xffu;
    put_children(to + found, job->packed[lanes & 0xff], TOI_BVH_WIDTH * node);
    found += (unsigned)__builtin_popcount(lanes & 0xff);
  }
  return found;
}

/* Lanes whose double boxes overlap too, of those whose float boxes touch without overlapping strictly. */
static unsigned settle_ties(const toi_bvh_job *job, uint32_t first, const toi_bvh_eight *numbers, unsigned ties) {
  unsigned kept = 0;
  for (; ties; ties &= ties - 1) {
    unsigned lane = (unsigned)__builtin_ctz(ties);
    bool touches = job->join->self && numbers->at[lane] < first ? toi_join_touches(job->join, numbers->at[lane], first)
                                                                : toi_join_touches(job->join, first, numbers->at[lane]);
    kept |= touches ? 1u << lane : 0;
  }
  return kept;
}

/* One primitive: a lane of a block of the query tree. */
typedef struct one {
  turned_box box;
  uint32_t number;
  uint32_t vertices[3];
} one;

/* The primitives of a block, each as one side of the tests to come. */
IN_LINE void unpack_block(const toi_bvh *tree, unsigned points, size_t block, one ones[TOI_BVH_WIDTH]) {
  const toi_bvh_node *node = &tree->nodes[block];
  for (unsigned lane = 0; lane < TOI_BVH_WIDTH; lane++) {
    for (unsigned k = 0; k < 3; k++) {
      ones[lane].box[k] = -node->at[3 + k][lane];
      ones[lane].box[3 + k] = -node->at[k][lane];
    }
    ones[lane].number = tree->numbers[block].at[lane];
    for (unsigned i = 0; i < points; i++)
      ones[lane].vertices[i] = tree->vertices[points * block + i].at[lane];
  }
}

/* A block of the query tree under way: its primitives, and the tests that wait, 8 * block + primitive each. */
typedef struct block_job {
  one ones[TOI_BVH_WIDTH];
  size_t query_block, count;
  uint32_t tests[TESTS_MOST + TOI_BVH_WIDTH];
} block_job;

/* Each primitive against its block; pairs to the sink. */
IN_LINE toi_status run_tests(const toi_bvh_job *job, join_shape shape, uint32_t thread, block_job *own) {
  const toi_bvh *target = job->target;
  toi_sink *sink = toi_join_sink(job->join, thread);
  size_t waiting = sink->count;
  for (size_t i = 0; i < own->count; i++) {
    uint32_t block = own->tests[i] / TOI_BVH_WIDTH, lane = own->tests[i] % TOI_BVH_WIDTH;
    const one *first = &own->ones[lane];
    const eight_boxes boxes = load_node(&target->nodes[block]), turned = spread_box(first->box);
    unsigned lanes = meet(boxes, turned);
    // Within one block, each pair once.
    if (shape.self)
      lanes &= block == own->query_block ? 0xfeu << lane : 0xffu;
    lanes &= ~lanes_shared(&target->vertices[shape.target_points * block], shape.target_points, first->vertices,
                           shape.query_points);
    if (!shape.exact) {
      unsigned ties = lanes & ~meet_strictly(boxes, turned);
      if (ties)
        lanes = (lanes & ~ties) | settle_ties(job, first->number, &target->numbers[block], ties);
    }
    put_pairs(sink->pairs + waiting, job->packed[lanes], &target->numbers[block], first->number, shape.self);
    waiting += (unsigned)__builtin_popcount(lanes);
    if (waiting >= TOI_SINK_PAIRS) {
      sink->count = waiting;
      toi_status status = toi_sink_flush(job->join, thread);
      if (status != TOI_OK)
        return status;
      waiting = 0;
    }
  }
  sink->count = waiting;
  own->count = 0;
  return TOI_OK;
}

/* One block of the query tree against the blocks that it meets. */
IN_LINE toi_status join_block(const toi_bvh_job *job, join_shape shape, uint32_t thread, size_t query_block,
                              const uint32_t *blocks, size_t count) {
  const eight_boxes turned = load_turned(&job->query->nodes[query_block]);
  block_job own;
  own.query_block = query_block;
  own.count = 0;
  unpack_block(job->query, shape.query_points, query_block, own.ones);
  for (size_t i = 0; i < count; i++) {
    uint32_t block = blocks[i];
    unsigned lanes = meet_child(turned, node_at(job->target, 1, block / TOI_BVH_WIDTH), block % TOI_BVH_WIDTH);
    put_children(own.tests + own.count, job->packed[lanes], TOI_BVH_WIDTH * block);
    own.count += (unsigned)__builtin_popcount(lanes);
    if (own.count >= TESTS_MOST) {
      toi_status status = run_tests(job, shape, thread, &own);
      if (status != TOI_OK)
        return status;
    }
  }
  return run_tests(job, shape, thread, &own);
}

IN_LINE toi_status join_group(const toi_bvh_job *job, join_shape shape, uint32_t thread, size_t group) {
  size_t room = job->target->sizes[1] + TOI_BVH_WIDTH;
  lists own = {.nodes = job->lists + thread * job->list_size};
  own.spare = own.nodes + room;
  own.blocks = own.spare + room;
  turned_box box;
  box_of_node(job->query, 1, group, box);

  // Down to the nodes above the blocks, for all 64 at once.
  size_t count = 1;
  own.nodes[0] = 0;
  for (int level = job->target->levels - 1; level >= 2; level--) {
    size_t first = shape.self ? group >> (3 * (level - 2)) : 0;
    count = descend(job, level, box, own.nodes, count, own.spare, first);
    uint32_t *swapped = own.nodes;
    own.nodes = own.spare;
    own.spare = swapped;
  }

  toi_status status = TOI_OK;
  size_t end = TOI_BVH_WIDTH * (group + 1) < job->query->sizes[0] ? TOI_BVH_WIDTH * (group + 1) : job->query->sizes[0];
  for (size_t block = TOI_BVH_WIDTH * group; block < end && status == TOI_OK; block++) {
    box_of_node(job->query, 0, block, box);
    size_t met = descend(job, 1, box, own.nodes, count, own.blocks, shape.self ? block : 0);
    status = join_block(job, shape, thread, block, own.blocks, met);
  }
  return status;
}

#define JOIN(query, target, same, floats)                                                                              \
  for (size_t group = begin; group < end && status == TOI_OK; group++)                                                 \
  status = join_group(job, (join_shape){query, target, same, floats}, thread, group)

static toi_status join_exactly(const toi_bvh_job *job, uint32_t thread, size_t begin, size_t end) {
  toi_status status = TOI_OK;
  switch (job->join->kind) {
  case TOI_JOIN_VERTEX_FACE:
    JOIN(1, 3, false, true);
    break;
  case TOI_JOIN_EDGE_EDGE:
    JOIN(2, 2, true, true);
    break;
  default:
    break;
  }
  return status;
}

static toi_status join_groups(void *user, uint32_t thread, size_t begin, size_t end) {
  const toi_bvh_job *job = user;
  toi_join_kind kind = job->join->kind;
  toi_status status = toi_join_progress(job->join, thread, begin, job->query->sizes[1]);
  if (status != TOI_OK)
    return status;
  if (job->join->boxer->exact && (kind == TOI_JOIN_VERTEX_FACE || kind == TOI_JOIN_EDGE_EDGE))
    return join_exactly(job, thread, begin, end);
  switch (kind) {
  case TOI_JOIN_VERTEX_FACE:
    JOIN(1, 3, false, false);
    break;
  case TOI_JOIN_EDGE_EDGE:
    JOIN(2, 2, true, false);
    break;
  case TOI_JOIN_VERTEX_EDGE:
    JOIN(1, 2, false, false);
    break;
  case TOI_JOIN_VERTEX_VERTEX:
    JOIN(1, 1, true, false);
    break;
  case TOI_JOIN_EDGE_FACE:
    JOIN(2, 3, false, false);
    break;
  case TOI_JOIN_FACE_FACE:
    JOIN(3, 3, true, false);
    break;
  case TOI_JOIN_VERTEX_HALF_SPACE:
  case TOI_JOIN_COUNT:
    break;
  }
  return status;
}

const toi_bvh_kernel KERNEL = {join_groups, fill_block};
