/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Narrow-phase queries: `certified` says what `exact` says, and the inclusion methods contradict neither. With and
 * without a separation, in both norms, for all four kinds. */

#include "fuzz/queries.h"

#include <math.h>

static toi_options draw_options(fuzz_bytes *bytes) {
  toi_options options = toi_default_options();
  options.t_max = fuzz_part(bytes);
  const uint8_t how = fuzz_byte(bytes);
  options.norm = (how & 4) != 0 ? TOI_NORM_LINF : TOI_NORM_L2;
  options.no_zero_toi = (how & 8) != 0;
  options.inclusion = (how & 16) != 0 ? TOI_INCLUSION_AABB : TOI_INCLUSION_OBB;
  options.max_checks = 64;
  if ((how & 3) == 2)
    options.min_separation = fabs(fuzz_double(bytes, (fuzz_style)(how >> 5 & 3)));
  if ((how & 3) == 3)
    options.separation_fraction = fuzz_byte(bytes) / 255.0;
  if ((how & 0x83) == 0x83)
    options.min_separation = fabs(fuzz_double(bytes, (fuzz_style)(how >> 5 & 3)));
  return options;
}

/* The promises of narrow.h for a method that is never near. */
static void check_exact(const toi_hit *exact, double t_max) {
  FUZZ_CHECK(exact->verdict == TOI_HIT || exact->verdict == TOI_MISS);
  if (exact->verdict == TOI_MISS) {
    FUZZ_CHECK(isinf(exact->t_lo) && isinf(exact->t_hi) && exact->t_safe == t_max && !exact->touching_at_start);
    return;
  }
  FUZZ_CHECK(exact->t_lo >= 0 && exact->t_hi <= t_max);
  FUZZ_CHECK(exact->t_hi == exact->t_lo || exact->t_hi == nextafter(exact->t_lo, 2));
  FUZZ_CHECK(exact->touching_at_start == (exact->t_hi == 0));
  FUZZ_CHECK(exact->t_safe >= 0 && (exact->t_safe <= exact->t_lo));
  FUZZ_CHECK(exact->t_safe < exact->t_hi || exact->touching_at_start);
}

/* t* is between the tightest doubles, so any other bracket holds these. */
static void check_certified(const toi_hit *hit, const toi_hit *exact) {
  FUZZ_CHECK(hit->verdict == exact->verdict && hit->touching_at_start == exact->touching_at_start);
  FUZZ_CHECK(fuzz_same(&hit->separation, &exact->separation, 1));
  FUZZ_CHECK(hit->t_lo <= exact->t_lo && hit->t_hi >= exact->t_hi);
  if (exact->verdict == TOI_HIT) {
    FUZZ_CHECK(hit->t_hi - hit->t_lo <= ldexp(1, -48));
    FUZZ_CHECK(hit->t_safe >= 0 && hit->t_safe <= exact->t_lo);
    FUZZ_CHECK(hit->t_safe < exact->t_hi || exact->touching_at_start);
  }
}

/* A method that may be near. */
static void check_inclusion(const toi_hit *hit, const toi_hit *exact) {
  FUZZ_CHECK(hit->verdict == TOI_NEAR || hit->verdict == exact->verdict);
  if (exact->verdict != TOI_HIT)
    return;
  FUZZ_CHECK(hit->t_lo <= exact->t_lo && hit->t_safe <= exact->t_lo);
  FUZZ_CHECK(hit->verdict != TOI_HIT || hit->t_hi >= exact->t_hi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_bytes bytes = {.at = data, .left = size};
  toi_options options = draw_options(&bytes);
  const fuzz_query query = fuzz_query_draw(&bytes);
  bool finite = true;
  for (size_t i = 0; i < 2 * query.half; i++)
    finite = finite && isfinite(query.points[i]);

  toi_hit exact = {0}, hit = {0};
  options.method = "exact";
  const toi_status status = fuzz_query_ask(&query, &options, &exact);
  FUZZ_CHECK(status == TOI_OK || !finite || options.min_separation > 0 || options.separation_fraction > 0);
  if (status == TOI_OK)
    check_exact(&exact, options.t_max);
  const char *name;
  for (size_t i = 0; (name = toi_method_name(i)) != NULL; i++) {
    options.method = name;
    const toi_status other = fuzz_query_ask(&query, &options, &hit);
    if (other != TOI_OK) {
      FUZZ_CHECK(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
      FUZZ_CHECK(status != TOI_OK || (strcmp(name, "certified") != 0 && other == TOI_ERROR_UNSUPPORTED));
    } else {
      FUZZ_CHECK(finite);
      if (status == TOI_OK && (strcmp(name, "certified") == 0 || strcmp(name, "exact") == 0))
        check_certified(&hit, &exact);
      else if (status == TOI_OK)
        check_inclusion(&hit, &exact);
    }
  }
  return 0;
}
