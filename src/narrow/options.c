/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The options of the narrow phase: their defaults, and what they may be. */

#include <math.h>

#include "base/internal.h"
#include "narrow/method.h"

#define LAYOUT TOI_LAYOUT(toi_options, filter)

/* Static, so that its padding is zero: callers receive all of its bytes. */
static const toi_options defaults = {
    .size = sizeof(toi_options), .tolerance = 1e-6, .t_max = 1, .norm = TOI_NORM_L2, .inclusion = TOI_INCLUSION_OBB};

void toi_options_init(toi_options *options, size_t size) {
  toi_init_struct(LAYOUT, &defaults, options, size);
}

toi_status toi_options_take(toi_context *context, const toi_options *given, toi_options *taken) {
  // A struct of today's layout leaves no default in its place: single queries need not wait for them.
  if (given == NULL || given->size != sizeof *taken)
    *taken = defaults;
  return toi_take_options(context, LAYOUT, given, taken);
}

toi_status toi_options_check(toi_context *context, const toi_options *options) {
  if (!(options->tolerance > 0) || isinf(options->tolerance))
    return toi_fail(context, TOI_ERROR_OPTION, "tolerance is %g; it must be positive and finite", options->tolerance);
  if (!(options->t_max >= 0 && options->t_max <= 1))
    return toi_fail(context, TOI_ERROR_OPTION, "t_max is %.17g; it must lie in [0, 1]", options->t_max);
  if (options->norm != TOI_NORM_L2 && options->norm != TOI_NORM_LINF)
    return toi_fail(context, TOI_ERROR_OPTION, "norm is %d; it must be TOI_NORM_L2 or TOI_NORM_LINF",
                    (int)options->norm);
  const double separations[2] = {options->min_separation, options->separation_fraction};
  for (int i = 0; i < 2; i++)
    if (!(separations[i] >= 0) || isinf(separations[i]))
      return toi_fail(context, TOI_ERROR_OPTION, "%s is %g; it must be finite and not negative",
                      i ? "separation_fraction" : "min_separation", separations[i]);
  if (options->inclusion != TOI_INCLUSION_OBB && options->inclusion != TOI_INCLUSION_AABB)
    return toi_fail(context, TOI_ERROR_OPTION, "inclusion is %d; it must be TOI_INCLUSION_OBB or TOI_INCLUSION_AABB",
                    (int)options->inclusion);
  for (int i = 0; i < 3; i++)
    if (!(options->scene_bound[i] >= 0) || isinf(options->scene_bound[i]))
      return toi_fail(context, TOI_ERROR_OPTION, "scene_bound[%d] is %g; it must be finite and not negative", i,
                      options->scene_bound[i]);
  if (options->filter != TOI_FILTER_FLOAT && options->filter != TOI_FILTER_DOUBLE)
    return toi_fail(context, TOI_ERROR_OPTION, "filter is %d; it must be TOI_FILTER_FLOAT or TOI_FILTER_DOUBLE",
                    (int)options->filter);
  return TOI_OK;
}
