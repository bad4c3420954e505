/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A letter: the number of the file; for each entry its tally and the times of single calls; the answers; the bytes that
 * were written. Each part is as long as the first rank finds in it, which is the same program. */

#include "contest_share.h"

#include <string.h>

#include "memory.h"
#include "spread.h"

static bool put(contest_bytes *to, const void *bytes, size_t size) {
  if (to->size + size > to->room) {
    const size_t room = to->size + size + to->room;
    char *larger = memory_resize_beyond(to->bytes, room, 1);
    if (larger == NULL)
      return false;
    to->bytes = larger;
    to->room = room;
  }
  if (size > 0)
    memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
  return true;
}

toi_status contest_hold(contest *c, const toi_hit *hits, size_t count) {
  return put(&c->answers, hits, count * sizeof *hits) ? TOI_OK : TOI_ERROR_MEMORY;
}

/* --- writing --- */

static bool write_letter(contest *c, size_t file) {
  contest_bytes *to = &c->letter;
  to->size = 0;
  if (file >= c->files.count)
    return true;
  bool fits = put(to, &file, sizeof file);
  for (size_t i = 0; fits && i < c->count; i++) {
    const tally *t = &c->entries[i].files[file];
    fits = put(to, t, sizeof *t) && put(to, t->samples.items, t->samples.count * sizeof *t->samples.items);
  }
  const output *out = c->written;
  const size_t written = out != NULL ? out->held_size : 0;
  fits = fits && put(to, &c->answers.size, sizeof c->answers.size) && put(to, c->answers.bytes, c->answers.size) &&
         put(to, &written, sizeof written);
  return fits && (written == 0 || put(to, out->held, written));
}

/* --- reading --- */

static const char *get(const char *from, void *bytes, size_t size) {
  memcpy(bytes, from, size);
  return from + size;
}

static const char *read_tally(const char *from, tally *t) {
  from = get(from, t, sizeof *t);
  const size_t count = t->samples.count;
  const void *items = from;
  t->samples = (sample_list){0};
  if (!samples_reserve(&t->samples, count))
    return NULL;
  if (count > 0)
    memcpy(t->samples.items, items, count * sizeof *t->samples.items);
  t->samples.count = count;
  return from + count * sizeof *t->samples.items;
}

/* Answers one batch at a time, as they are aligned there. */
static toi_status read_answers(contest *c, const char *from, size_t size) {
  toi_status status = TOI_OK;
  toi_hit some[64];
  for (size_t count; size > 0 && status == TOI_OK; size -= count * sizeof some[0]) {
    const size_t left = size / sizeof some[0];
    count = left < 64 ? left : 64;
    from = get(from, some, count * sizeof some[0]);
    status = c->take_answers(c, some, count);
  }
  return status;
}

static toi_status take_letter(void *user, int rank, const void *bytes, size_t size) {
  contest *c = user;
  if (rank == 0 || size == 0)
    return TOI_OK;
  size_t file, answers, written;
  const char *from = get(bytes, &file, sizeof file);
  for (size_t i = 0; from != NULL && i < c->count; i++)
    from = read_tally(from, &c->entries[i].files[file]);
  if (from == NULL) {
    (void)memory_fail("the times", "give a smaller --samples");
    return TOI_ERROR_MEMORY;
  }
  c->bytes_done += c->files.items[file].bytes + 1;
  from = get(from, &answers, sizeof answers);
  toi_status status = answers > 0 ? read_answers(c, from, answers) : TOI_OK;
  from = get(from + answers, &written, sizeof written);
  if (status == TOI_OK && written > 0)
    status = output_append(c->written, from, written);
  return status;
}

int contest_share(contest *c, size_t file, int result) {
  if (result != EXIT_DONE)
    return result;
  const bool fits = spread_rank() == 0 || write_letter(c, file);
  result = spread_agree(fits ? EXIT_DONE : memory_fail("the answers", "name fewer files at a time"));
  if (result == EXIT_DONE)
    result = spread_gather(c->letter.bytes, c->letter.size, take_letter, c);
  c->answers.size = 0;
  if (c->written != NULL)
    c->written->held_size = 0;
  return result;
}
