/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* libtoi: two things move; when do they first touch? All of the public API. */

#ifndef TOI_TOI_H
#define TOI_TOI_H

#include <toi/base.h>
#include <toi/broad.h>
#include <toi/contact.h>
#include <toi/device.h>
#include <toi/distance.h>
#include <toi/explain.h>
#include <toi/formula.h>
#include <toi/io.h>
#include <toi/motion.h>
#include <toi/narrow.h>
#include <toi/plugin.h>
#include <toi/proof.h>
#include <toi/rigid.h>
#include <toi/scene.h>
#include <toi/stencil.h>
#include <toi/surface.h>
#include <toi/track.h>

#endif
