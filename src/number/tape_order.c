/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Putting the steps of a program in an order in which many of one kind follow each other: a run of products is a loop
 * that the machine can look ahead in.
 *
 * Promise: a step still comes after those whose results it needs. Why: a step is ready when all of these are done; of
 * the kinds that have ready steps, the one with the most goes next, with all of them. */

#include "number/tape_parts.h"

#define CODES (TOI_STEP_OTHER + 1)

typedef struct order {
  const toi_program *program;
  uint32_t *maker; /* by node: the step that makes it + 1, or 0 */
  uint32_t *needs; /* by step: results that it waits for */
  uint32_t *first; /* by step + 1: where its users begin; one more at the end */
  uint32_t *users; /* steps that wait for it */
  uint32_t *next;  /* by step: the next one in the list of its kind + 1, or 0 */
  uint32_t ready[CODES], last[CODES], count[CODES];
} order;

/* Nodes that a step makes, and that it reads; both at most three. */
static unsigned made_by(const toi_tape_step *s, uint32_t nodes[3]) {
  unsigned count = 0;
  nodes[count++] = s->to;
  if ((s->code == TOI_STEP_SIN_COS || s->code == TOI_STEP_SERIES) && s->b != TOI_NOWHERE)
    nodes[count++] = s->b;
  if (s->code == TOI_STEP_SERIES && s->c != TOI_NOWHERE)
    nodes[count++] = s->c;
  return count;
}

static unsigned read_by(const toi_terms *terms, const toi_tape_step *s, uint32_t nodes[3]) {
  const toi_operands with = toi_node_operands(&terms->nodes[s->node]);
  unsigned count = 0;
  for (int k = 0; k < 3 && with.of[k] != TOI_NO_TERM; k++)
    nodes[count++] = with.of[k];
  return count;
}

static void make_ready(order *o, uint32_t step) {
  uint32_t code = o->program->steps[step].code;
  o->next[step] = 0;
  if (o->count[code]++ == 0)
    o->ready[code] = step + 1;
  else
    o->next[o->last[code] - 1] = step + 1;
  o->last[code] = step + 1;
}

/* Who waits for whom: counted, then listed. */
static void connect(order *o, const toi_terms *terms) {
  const toi_program *p = o->program;
  uint32_t nodes[3], steps = (uint32_t)p->count;
  for (uint32_t i = 0; i < steps; i++)
    for (unsigned k = made_by(&p->steps[i], nodes); k-- > 0;)
      o->maker[nodes[k]] = i + 1;
  for (uint32_t i = 0; i < steps; i++)
    for (unsigned k = read_by(terms, &p->steps[i], nodes); k-- > 0;)
      if (o->maker[nodes[k]]) {
        o->needs[i]++;
        o->first[o->maker[nodes[k]]]++;
      }
  for (uint32_t i = 0; i <= steps; i++)
    o->first[i + 1] += o->first[i];
  // Filled from the back, so that each list begins where it should in the end.
  for (uint32_t i = steps; i-- > 0;)
    for (unsigned k = read_by(terms, &p->steps[i], nodes); k-- > 0;)
      if (o->maker[nodes[k]])
        o->users[--o->first[o->maker[nodes[k]]]] = i;
  for (uint32_t i = 0; i < steps; i++)
    if (o->needs[i] == 0)
      make_ready(o, i);
}

/* All that is ready of the kind that has the most, until nothing is left. */
static void put_in_order(order *o, toi_tape_step *sorted) {
  size_t done = 0;
  while (done < o->program->count) {
    uint32_t code = 0;
    for (uint32_t i = 1; i < CODES; i++)
      code = o->count[i] > o->count[code] ? i : code;
    assert(o->count[code] > 0);
    uint32_t step = o->ready[code];
    o->count[code] = 0;
    while (step != 0) {
      uint32_t at = step - 1;
      step = o->next[at];
      sorted[done++] = o->program->steps[at];
      for (uint32_t k = o->first[at + 1]; k < o->first[at + 2]; k++)
        if (--o->needs[o->users[k]] == 0)
          make_ready(o, o->users[k]);
    }
  }
  sorted[done] = (toi_tape_step){.code = TOI_STEP_END};
}

bool toi_program_order(const toi_terms *terms, toi_program *program) {
  size_t steps = program->count, words = terms->count + 3 * steps + (steps + 2) + 3 * steps;
  uint32_t *memory = toi_allocate(terms->context, words * sizeof *memory + 1);
  toi_tape_step *sorted = toi_allocate(terms->context, program->room * sizeof *sorted);
  bool made = memory != NULL && sorted != NULL;
  if (made) {
    memset(memory, 0, words * sizeof *memory);
    order o = {.program = program, .maker = memory};
    o.needs = o.maker + terms->count;
    o.next = o.needs + steps;
    o.first = o.next + steps;
    o.users = o.first + steps + 2;
    connect(&o, terms);
    put_in_order(&o, sorted);
    toi_tape_step *unsorted = program->steps;
    program->steps = sorted;
    sorted = unsorted;
  }
  if (memory)
    toi_free(terms->context, memory, words * sizeof *memory + 1);
  if (sorted)
    toi_free(terms->context, sorted, program->room * sizeof *sorted);
  return made;
}
