/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Copies of tapes: all that a tape refers to is copied into memory of the context that is given. */

#include "number/series.h"
#include "number/tape_parts.h"

/* A block of the same size and content. */
static void *copied(toi_context *context, const void *from, size_t bytes, bool *fine) {
  void *to = from == NULL || !*fine ? NULL : toi_allocate(context, bytes);
  *fine = *fine && (from == NULL || to != NULL);
  if (to != NULL)
    memcpy(to, from, bytes);
  return to;
}

static bool copy_terms(toi_context *context, const toi_terms *from, toi_terms *to) {
  bool fine = true;
  *to = *from;
  to->context = context;
  to->series_count = 0;
  to->nodes = copied(context, from->nodes, from->room * sizeof *from->nodes, &fine);
  to->table = copied(context, from->table, from->places * sizeof *from->table, &fine);
  to->series = copied(context, from->series, from->series_room * sizeof(toi_series *), &fine);
  for (size_t i = 0; i < from->series_count && fine; i++) {
    fine = toi_series_copy(context, from->series[i], &to->series[i]) == TOI_OK;
    to->series_count += fine;
  }
  return fine;
}

toi_status toi_tape_copy(toi_context *context, const toi_tape *tape, toi_tape **copy) {
  *copy = NULL;
  toi_tape *made = toi_allocate(context, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;
  *made = *tape;
  bool fine = copy_terms(context, &tape->terms, &made->terms);
  made->outputs = copied(context, tape->outputs, tape->outputs_size, &fine);
  made->registers = copied(context, tape->registers, tape->terms.count * sizeof *tape->registers + 1, &fine);
  made->marks = copied(context, tape->marks, (size_t)tape->own + 1, &fine);
  for (int order = 0; order < 3; order++) {
    const toi_program *program = &tape->programs[order];
    made->programs[order].steps = copied(context, program->steps, program->room * sizeof(toi_tape_step), &fine);
  }
  if (fine)
    *copy = made;
  else
    toi_tape_destroy(made);
  return fine ? TOI_OK : TOI_ERROR_MEMORY;
}
