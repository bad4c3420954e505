/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the answers come to.
 *
 * False positive: hit or near where nothing touches. False negative: miss where something does. A bracket is wrong if
 * it does not hold the true one; of a near answer only t_lo is checked, because only it is promised. */

#include "tally.h"

static void tally_bracket(tally *t, const toi_hit *hit, double t_lo, double t_hi) {
  t->times++;
  bool wrong = hit->t_lo > t_lo || (hit->verdict == TOI_HIT && hit->t_hi < t_hi);
  t->bracket_errors += wrong;
  t->bracket_exact += hit->verdict == TOI_HIT && hit->t_lo == t_lo && hit->t_hi == t_hi;
  const double early = t_lo - hit->t_lo;
  t->late += early < 0;
  t->early_sum += early > 0 ? early : 0;
  t->early_max = early > t->early_max ? early : t->early_max;
}

static void tally_truth(tally *t, const toi_hit *hit, bool touches) {
  t->truths++;
  t->contacts += touches;
  t->false_positives += hit->verdict != TOI_MISS && !touches;
  t->false_negatives += hit->verdict == TOI_MISS && touches;
}

/* Before the first query is counted. */
static void note_separation(tally *t, double least, double largest) {
  const bool first = t->queries == 0;
  t->least_separation = first || least < t->least_separation ? least : t->least_separation;
  t->largest_separation = first || largest > t->largest_separation ? largest : t->largest_separation;
}

void tally_hits(tally *t, const toi_hit *hits, size_t count, const truth_view *truth, double t_max) {
  bool timed = truth->t_lo != NULL && truth->t_hi != NULL;
  t->contacts_only |= truth->contacts_only;
  for (size_t i = 0; i < count; i++) {
    const toi_hit *hit = &hits[i];
    note_separation(t, hit->separation, hit->separation);
    t->queries++;
    t->verdicts[hit->verdict]++;
    t->levels[hit->level]++;
    if (hit->verdict == TOI_HIT && hit->t_hi - hit->t_lo > t->widest)
      t->widest = hit->t_hi - hit->t_lo;
    if (truth->hit == NULL || (t_max < 1 && !timed))
      continue;
    // The true time lies between adjacent doubles or is one, so it is at most t_max exactly if t_hi is.
    bool touches = truth->hit[i] != 0 && (!timed || truth->t_hi[i] <= t_max);
    if (truth->contacts_only && !touches)
      continue;
    tally_truth(t, hit, touches);
    if (timed && touches && hit->verdict != TOI_MISS)
      tally_bracket(t, hit, truth->t_lo[i], truth->t_hi[i]);
  }
}

bool tally_merge(tally *t, const tally *other) {
  if (other->queries > 0)
    note_separation(t, other->least_separation, other->largest_separation);
  t->queries += other->queries;
  for (int i = 0; i < 3; i++)
    t->verdicts[i] += other->verdicts[i];
  for (int i = 0; i < TOI_LEVEL_COUNT; i++)
    t->levels[i] += other->levels[i];
  t->truths += other->truths;
  t->false_positives += other->false_positives;
  t->false_negatives += other->false_negatives;
  t->contacts += other->contacts;
  t->contacts_only |= other->contacts_only;
  t->times += other->times;
  t->bracket_errors += other->bracket_errors;
  t->bracket_exact += other->bracket_exact;
  t->late += other->late;
  t->early_sum += other->early_sum;
  t->early_max = other->early_max > t->early_max ? other->early_max : t->early_max;
  t->widest = other->widest > t->widest ? other->widest : t->widest;
  t->read_seconds += other->read_seconds;
  t->seconds += other->seconds;
  return samples_append(&t->samples, &other->samples);
}
