/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The parts of the table of cases, one for each header or two of the library; each ends with a case without a name. */

#ifndef TOI_TESTS_HOST_CASES_H
#define TOI_TESTS_HOST_CASES_H

#include "host/host.h"

extern const host_case host_base_cases[];
extern const host_case host_init_cases[];
extern const host_case host_formula_cases[];
extern const host_case host_motion_cases[];
extern const host_case host_narrow_cases[];
extern const host_case host_rigid_cases[];
extern const host_case host_rigid_scene_cases[];
extern const host_case host_distance_cases[];
extern const host_case host_scene_cases[];
extern const host_case host_kept_cases[];
extern const host_case host_stencil_cases[];
extern const host_case host_worker_cases[];
extern const host_case host_surface_cases[];
extern const host_case host_model_cases[];
extern const host_case host_shape_cases[];
extern const host_case host_contact_cases[];
extern const host_case host_track_cases[];
extern const host_case host_read_cases[];
extern const host_case host_write_cases[];

#endif
