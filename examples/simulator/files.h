/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a run writes: frames and iterates as PLY, and the state that --resume reads.
 *
 * Promise: each file appears whole or not at all. The state comes after its frame, so that a run that is interrupted
 * anywhere goes on from the last whole frame, with the same bits. */

#ifndef SIMULATOR_FILES_H
#define SIMULATOR_FILES_H

#include "newton.h"

/* Makes a directory; one that is there is fine. */
bool files_directory(const char *path, sim_fault *fault);

/* DIRECTORY/frame-00007.ply, or DIRECTORY/iterate-00007-003.ply; coordinates in doubles. */
bool files_write_frame(const sim_world *s, const char *directory, sim_fault *fault);
bool files_write_iterate(const sim_world *s, const char *directory, const sim_progress *p, sim_fault *fault);

/* DIRECTORY/state.bin */
bool files_write_state(const sim_world *s, const char *directory, sim_fault *fault);
bool files_has_state(const char *directory);

/* Positions, velocities and frame of a state that belongs to this scene; else the world stays as it is. */
bool files_read_state(sim_world *s, const char *directory, sim_fault *fault);

#endif
