/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What it means that a pair is close. */

#ifndef TOI_SCENE_CLOSE_H
#define TOI_SCENE_CLOSE_H

#include "narrow/distance.h"

/* D of a pair: the largest double that rounding down makes of `distance` and the two thicknesses. */
double toi_close_reach(const toi_mesh *mesh, double distance, toi_kind kind, toi_pair pair);

/* What boxes are grown by, so that those of pairs within `distance` overlap: half of it, rounded up. */
double toi_close_radius(double distance);

/* Whether the distance of a pair, with the bounds that are known, is at most D: decided exactly. Fails as
 * toi_instant_compare() does. */
toi_status toi_close_decide(const toi_pair_instants *at, toi_pair pair, double reach, const toi_distance *distance,
                            bool *close);

#endif
