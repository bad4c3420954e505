/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest of many contacts, by the rule for ties: earlier exact time, then kind, then first, then second number.
 * The rule is a total order, so it does not matter in which order, or on which thread, contacts are met. */

#ifndef TOI_SCENE_CHAMPION_H
#define TOI_SCENE_CHAMPION_H

#include <toi/scene.h>

#include "scene/scene.h"

typedef struct toi_champion {
  toi_impact impact; /* a miss: nobody yet */
  bool refined;      /* its hit is the one that `exact` gives */
} toi_champion;

/* A contact of this thread's takes the champion's place if it comes before it. Where the brackets do not tell, both are
 * refined in integers. by_bracket: no proved contacts; t_lo decides instead of the exact time. */
toi_status toi_champion_challenge(const toi_scene *scene, uint32_t thread, toi_champion *champion,
                                  const toi_champion *challenger, bool by_bracket);

/* The champion's hit becomes the one that `exact` gives. */
toi_status toi_champion_refine(const toi_scene *scene, uint32_t thread, toi_champion *champion);

#endif
