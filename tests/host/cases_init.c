/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The toi_..._init() of every struct that grows: whole, cut short as an older program has it, and longer than known. */

#include "host/cases.h"

#include <string.h>

enum { ROOM = 1024 };

/* What is behind the struct stays as it was. Its size goes into the digest, and so does all of it. */
static void record(host_run *run, const unsigned char *room, size_t size) {
  size_t set;
  memcpy(&set, room, sizeof set);
  HOST_BITS(run, set);
  HOST_CHECK(run, set == size);
  host_bits(run, "struct", room, size);
  for (size_t i = size; i < ROOM; i++)
    HOST_CHECK(run, room[i] == 0xa5);
}

#define INIT(name)                                                                                                     \
  static void name##_init(host_run *run) {                                                                             \
    const size_t sizes[] = {sizeof(toi_##name), sizeof(toi_##name) - 8, sizeof(toi_##name) + 64};                      \
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {                                                      \
      union {                                                                                                          \
        toi_##name made;                                                                                               \
        unsigned char room[ROOM];                                                                                      \
      } all;                                                                                                           \
      HOST_SPOIL(all);                                                                                                 \
      HOST_DO(run, toi_##name##_init, (&all.made, sizes[i]));                                                          \
      record(run, all.room, sizes[i]);                                                                                 \
    }                                                                                                                  \
  }

INIT(context_options)
INIT(options)
INIT(mesh_options)
INIT(stencil_options)
INIT(stencil_arrays)
INIT(surface_options)
INIT(contact_options)
INIT(mesh)
INIT(topology)
INIT(positions)
INIT(patch)
INIT(patch_case)
INIT(nurbs)
INIT(parametric)
INIT(implicit)
INIT(body)
INIT(boolean)
INIT(screw)
INIT(chebyshev)
INIT(faces)
INIT(moving_body)
INIT(track_scene)
INIT(track_contacts)

const host_case host_init_cases[] = {{"toi_context_options_init", context_options_init, HOST_ONCE},
                                     {"toi_options_init", options_init, HOST_ONCE},
                                     {"toi_mesh_options_init", mesh_options_init, HOST_ONCE},
                                     {"toi_stencil_options_init", stencil_options_init, HOST_ONCE},
                                     {"toi_stencil_arrays_init", stencil_arrays_init, HOST_ONCE},
                                     {"toi_surface_options_init", surface_options_init, HOST_ONCE},
                                     {"toi_contact_options_init", contact_options_init, HOST_ONCE},
                                     {"toi_mesh_init", mesh_init, HOST_ONCE},
                                     {"toi_topology_init", topology_init, HOST_ONCE},
                                     {"toi_positions_init", positions_init, HOST_ONCE},
                                     {"toi_patch_init", patch_init, HOST_ONCE},
                                     {"toi_patch_case_init", patch_case_init, HOST_ONCE},
                                     {"toi_nurbs_init", nurbs_init, HOST_ONCE},
                                     {"toi_parametric_init", parametric_init, HOST_ONCE},
                                     {"toi_implicit_init", implicit_init, HOST_ONCE},
                                     {"toi_body_init", body_init, HOST_ONCE},
                                     {"toi_boolean_init", boolean_init, HOST_ONCE},
                                     {"toi_faces_init", faces_init, HOST_ONCE},
                                     {"toi_screw_init", screw_init, HOST_ONCE},
                                     {"toi_chebyshev_init", chebyshev_init, HOST_ONCE},
                                     {"toi_moving_body_init", moving_body_init, HOST_ONCE},
                                     {"toi_track_scene_init", track_scene_init, HOST_ONCE},
                                     {"toi_track_contacts_init", track_contacts_init, HOST_ONCE},
                                     {NULL, NULL, 0}};
