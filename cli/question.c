/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is asked: values checked before anything is opened, with the sentence for each that cannot be. */

#include "question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT_MAX 1000000

question question_default(void) {
  return (question){.toi = toi_default_options(), .norm = "l2", .inclusion = "obb"};
}

/* Three numbers with commas between. */
static bool read_bound(const char *text, double bound[3]) {
  for (int k = 0; k < 3; k++) {
    char *end;
    bound[k] = strtod(text, &end);
    if (end == text || *end != (k < 2 ? ',' : '\0') || !(bound[k] > 0) || isinf(bound[k]))
      return false;
    text = end + 1;
  }
  return true;
}

const char *question_fault(question *q) {
  toi_options *o = &q->toi;
  if (!(o->tolerance > 0) || isinf(o->tolerance))
    return "--tolerance must be positive and finite";
  if (!(o->t_max >= 0 && o->t_max <= 1))
    return "--t-max must lie in [0, 1]";
  if (!(o->separation_fraction >= 0) || isinf(o->separation_fraction))
    return "--separation-fraction must be finite and not negative";
  if (strcmp(q->norm, "l2") != 0 && strcmp(q->norm, "linf") != 0)
    return "--norm must be l2 or linf";
  if (strcmp(q->inclusion, "aabb") != 0 && strcmp(q->inclusion, "obb") != 0)
    return "--inclusion must be aabb or obb";
  if (q->scene_bound != NULL && !read_bound(q->scene_bound, o->scene_bound))
    return "--scene-bound must be three positive numbers separated by commas, such as 1,1,2.5";
  o->norm = strcmp(q->norm, "linf") == 0 ? TOI_NORM_LINF : TOI_NORM_L2;
  o->inclusion = strcmp(q->inclusion, "aabb") == 0 ? TOI_INCLUSION_AABB : TOI_INCLUSION_OBB;
  return NULL;
}

const char *repeat_fault(uint64_t repeat) {
  return repeat == 0 || repeat > REPEAT_MAX ? "--repeat must lie between 1 and 1000000" : NULL;
}
