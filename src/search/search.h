/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Branch and prune, written once: a bounded queue of boxes, taken out in a chosen order, examined, and pruned, split or
 * accepted by the caller's rules, within a budget of checks and on the caller's memory.
 *
 * An item is a box in any form of a fixed size that begins with a toi_search_key: the earliest time (or lowest value)
 * that its box can hold, and a second number that orders boxes of the same first one. Children are never earlier than
 * their parent; pushed items beyond `bound` vanish.
 *
 * Orders:
 *   best first   the smallest key of all. The first box accepted is the answer.
 *   by level     all boxes of a level (the children of the level before), by key, before the next level; as Wang 2021.
 *                A box accepted as the first survivor of its level is the answer. One accepted behind another survivor
 *                closes only what is not earlier than itself, and is the answer if everything earlier is pruned.
 *                A level whose items come in order is not sorted: where all boxes of a level are of one size and time
 *                is split, toi_search_push_later keeps the order.
 *
 * Promise: nothing earlier than the answer's key is left open, whatever ends the search: accepted, the budget spent,
 * or the memory full. No allocation; the same rules and items give the same answer on every machine. Memory that is
 * larger changes an answer only from FULL to another.
 *
 * Everything is inline, and the rules are meant to be a constant: the compiler then knows the item's size and puts
 * `examine` into the loop. */

#ifndef TOI_SEARCH_SEARCH_H
#define TOI_SEARCH_SEARCH_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct toi_search_key {
  double first, second;
} toi_search_key;

typedef enum toi_search_order { TOI_SEARCH_BEST_FIRST = 0, TOI_SEARCH_BY_LEVEL } toi_search_order;

/* What becomes of a box. */
typedef enum toi_search_fate { TOI_BOX_PRUNED = 0, TOI_BOX_SPLIT, TOI_BOX_ACCEPTED } toi_search_fate;

/* How a search ended. */
typedef enum toi_search_end {
  TOI_SEARCH_EMPTY = 0, /* everything is pruned */
  TOI_SEARCH_FOUND,     /* the answer was accepted */
  TOI_SEARCH_SPENT,     /* the budget is spent; the answer is the earliest box left open */
  TOI_SEARCH_FULL       /* so is the memory; likewise */
} toi_search_end;

typedef struct toi_search {
  unsigned char *slots;        /* two items: the answer so far, and the box accepted behind a survivor */
  unsigned char *now, *next;   /* the heap; or the present level and the next one */
  size_t capacity;             /* items in `now`, and in `next` */
  size_t count, taken;         /* items in `now`; of them done, by level */
  size_t next_count, later;    /* items in `next`; those at its end that wait for their group to end */
  double last;                 /* the key pushed last */
  double bound;                /* items beyond it vanish; the caller sets it, an accepted box lowers it */
  uint64_t checks, max_checks; /* boxes examined; the most */
  const void *answer;          /* an item, unless the end is EMPTY */
  uint32_t level, answer_level,
      behind;              /* of the box examined, from 0; of the answer; one more than the second slot's */
  bool sorted, open, full; /* the next level is in order; this one has a survivor; a push had no room */
  bool by_level;
} toi_search;

typedef struct toi_search_rules {
  size_t item_size; /* a multiple of 8 */
  toi_search_order order;
  /* Judges a box and pushes its children, if it is split. */
  toi_search_fate (*examine)(void *user, toi_search *search, const void *item);
} toi_search_rules;

#define TOI_SEARCH_INLINE static inline __attribute__((always_inline))

/* --- a binary heap of items, the smallest key first; and sorting by it, in search.c --- */

TOI_SEARCH_INLINE bool toi_search_before(const void *a, const void *b) {
  toi_search_key x, y;
  memcpy(&x, a, sizeof(x));
  memcpy(&y, b, sizeof(y));
  return x.first < y.first || (x.first == y.first && x.second < y.second);
}

TOI_SEARCH_INLINE void toi_heap_raise(unsigned char *heap, size_t size, size_t i, const void *item) {
  while (i > 0) {
    size_t parent = (i - 1) / 2;
    if (!toi_search_before(item, heap + parent * size))
      break;
    memcpy(heap + i * size, heap + parent * size, size);
    i = parent;
  }
  memcpy(heap + i * size, item, size);
}

/* Puts the item where slot i is, or below; the item lies outside the first `count`. */
TOI_SEARCH_INLINE void toi_heap_sink(unsigned char *heap, size_t size, size_t count, size_t i, const void *item) {
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= count)
      break;
    if (child + 1 < count && toi_search_before(heap + (child + 1) * size, heap + child * size))
      child++;
    if (!toi_search_before(heap + child * size, item))
      break;
    memcpy(heap + i * size, heap + child * size, size);
    i = child;
  }
  memcpy(heap + i * size, item, size);
}

/* In place, by key; spare is room for one item. */
void toi_search_sort(unsigned char *items, size_t size, size_t count, unsigned char *spare);

/* --- the search --- */

/* The least memory that makes sense: what `boxes` boxes on one level or in the heap need. */
TOI_SEARCH_INLINE size_t toi_search_bytes(const toi_search_rules *rules, size_t boxes) {
  return (3 + 2 * boxes) * rules->item_size;
}

/* Empty, on memory aligned to 8 bytes for three items at least. */
TOI_SEARCH_INLINE toi_search toi_search_make(const toi_search_rules *rules, void *memory, size_t bytes) {
  size_t items = bytes / rules->item_size;
  assert(rules->item_size % 8 == 0 && rules->item_size >= sizeof(toi_search_key) && items >= 3);
  toi_search s = {.slots = memory, .bound = INFINITY, .max_checks = UINT64_MAX, .sorted = true, .last = -INFINITY};
  // Two slots for answers and one for sorting; the rest is the queue.
  s.by_level = rules->order == TOI_SEARCH_BY_LEVEL;
  s.capacity = s.by_level ? (items - 3) / 2 : items - 3;
  s.now = s.slots + 3 * rules->item_size;
  s.next = s.by_level ? s.now + s.capacity * rules->item_size : s.now;
  return s;
}

/* Adds a box; examine does so, and the caller before the run. Keys are never NaN. */
TOI_SEARCH_INLINE void toi_search_push(toi_search *s, const toi_search_rules *rules, const void *item) {
  double key;
  memcpy(&key, item, sizeof(key));
  assert(!isnan(key));
  if (key > s->bound)
    return;
  if (!s->by_level) {
    s->full |= s->count == s->capacity;
    if (!s->full)
      toi_heap_raise(s->now, rules->item_size, s->count++, item);
    return;
  }
  s->full |= s->next_count + 2 * s->later >= s->capacity;
  if (s->full)
    return;
  s->sorted &= key >= s->last;
  s->last = key;
  memcpy(s->next + s->next_count++ * rules->item_size, item, rules->item_size);
}

/* By level: adds a box behind all those that boxes of the key now examined push. Best first: as toi_search_push. */
TOI_SEARCH_INLINE void toi_search_push_later(toi_search *s, const toi_search_rules *rules, const void *item) {
  if (!s->by_level) {
    toi_search_push(s, rules, item);
    return;
  }
  double key;
  memcpy(&key, item, sizeof(key));
  if (key > s->bound)
    return;
  // They wait at the far end, first come outermost, with room to be moved down.
  s->full |= s->next_count + 2 * s->later + 2 > s->capacity;
  if (!s->full)
    memcpy(s->next + (s->capacity - ++s->later) * rules->item_size, item, rules->item_size);
}

TOI_SEARCH_INLINE void toi_search_end_group(toi_search *s, const toi_search_rules *rules) {
  size_t later = s->later;
  s->later = 0;
  for (size_t i = 0; i < later; i++)
    toi_search_push(s, rules, s->next + (s->capacity - 1 - i) * rules->item_size);
}

/* The next level becomes the present one; false if it is empty. */
TOI_SEARCH_INLINE bool toi_search_next_level(toi_search *s, const toi_search_rules *rules) {
  toi_search_end_group(s, rules);
  unsigned char *now = s->now;
  s->now = s->next;
  s->next = now;
  s->count = s->next_count;
  if (!s->sorted)
    toi_search_sort(s->now, rules->item_size, s->count, s->slots + 2 * rules->item_size);
  s->taken = s->next_count = 0;
  s->last = -INFINITY;
  s->sorted = true;
  s->open = false;
  s->level++;
  return s->count > 0;
}

TOI_SEARCH_INLINE void toi_search_note(toi_search *s, const toi_search_rules *rules, const void *item) {
  memcpy(s->slots, item, rules->item_size);
  s->answer = s->slots;
  s->answer_level = s->level;
}

TOI_SEARCH_INLINE toi_search_end toi_search_run_best(toi_search *s, const toi_search_rules *rules, void *user) {
  while (s->count > 0) {
    toi_search_note(s, rules, s->now);
    if (s->checks == s->max_checks)
      return TOI_SEARCH_SPENT;
    s->count--;
    if (s->count > 0)
      toi_heap_sink(s->now, rules->item_size, s->count, 0, s->now + s->count * rules->item_size);
    s->checks++;
    toi_search_fate fate = rules->examine(user, s, s->answer);
    if (fate == TOI_BOX_ACCEPTED)
      return TOI_SEARCH_FOUND;
    if (s->full)
      return TOI_SEARCH_FULL;
  }
  return TOI_SEARCH_EMPTY;
}

/* What an examined box that is not pruned changes; true if it ends the search. */
TOI_SEARCH_INLINE bool toi_search_survives(toi_search *s, const toi_search_rules *rules, const void *item,
                                           bool accepted) {
  if (!s->open) {
    toi_search_note(s, rules, item);
    s->open = true;
    return accepted;
  }
  if (accepted) {
    // Only what is earlier than this box still matters.
    memcpy(s->slots + rules->item_size, item, rules->item_size);
    s->behind = s->level + 1;
    double key;
    memcpy(&key, item, sizeof(key));
    s->bound = nextafter(key, -INFINITY);
  }
  return false;
}

TOI_SEARCH_INLINE toi_search_end toi_search_run_levels(toi_search *s, const toi_search_rules *rules, void *user) {
  double group = -INFINITY;
  // What was pushed before the run is level 0.
  s->level = UINT32_MAX;
  while (toi_search_next_level(s, rules)) {
    while (s->taken < s->count) {
      const unsigned char *item = s->now + s->taken++ * rules->item_size;
      double key;
      memcpy(&key, item, sizeof(key));
      if (key > s->bound)
        break;
      if (s->checks == s->max_checks) {
        if (!s->open)
          toi_search_note(s, rules, item);
        return TOI_SEARCH_SPENT;
      }
      if (key != group)
        toi_search_end_group(s, rules);
      group = key;
      s->checks++;
      toi_search_fate fate = rules->examine(user, s, item);
      if (fate != TOI_BOX_PRUNED && toi_search_survives(s, rules, item, fate == TOI_BOX_ACCEPTED))
        return TOI_SEARCH_FOUND;
      if (s->full)
        return TOI_SEARCH_FULL;
    }
  }
  if (s->behind == 0)
    return TOI_SEARCH_EMPTY;
  s->answer = s->slots + rules->item_size;
  s->answer_level = s->behind - 1;
  return TOI_SEARCH_FOUND;
}

TOI_SEARCH_INLINE toi_search_end toi_search_run(toi_search *s, const toi_search_rules *rules, void *user) {
  return rules->order == TOI_SEARCH_BY_LEVEL ? toi_search_run_levels(s, rules, user)
                                             : toi_search_run_best(s, rules, user);
}

#endif
