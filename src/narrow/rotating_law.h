/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts narrowed on the laws themselves, whatever they are. */

#ifndef TOI_NARROW_ROTATING_LAW_H
#define TOI_NARROW_ROTATING_LAW_H

#include "narrow/moving_law.h"
#include "narrow/rotating.h"

/* A bracket, in the step's time, of faces or edges that has a root of their coplanarity, becomes as narrow as the laws
 * are known; it still has every root that it had. */
void toi_law_narrow(const toi_rotating *query, double bracket[2]);

#endif
