/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Who may use a context, and when it and what was made with it may end.
 *
 * Python ends objects in any order, on any thread, and in the middle of anything: inside a visitor, while another
 * thread works with the same context, at the end of the process. A context serves one call at a time and must outlive
 * what was made with it. So a context has an owner: a flag that says whether it is in use, a count of references, and a
 * list of things that nobody has any more, which end as soon as the context is free. The last reference ends the
 * context.
 *
 * Promise: every function may be called from any thread at any time; none waits for another. */

#ifndef TOI_PYTHON_OWNER_H
#define TOI_PYTHON_OWNER_H

#include <toi/toi.h>

typedef struct owner owner;
typedef struct owned owned;

/* Takes the context over; NULL if there is no memory. */
owner *owner_create(toi_context *context);

/* False: the context is in use. */
bool owner_take(owner *of);

/* Ends what was discarded meanwhile; the context is free again. */
void owner_give_back(owner *of);

/* Gives up the reference that owner_create() gave. */
void owner_release(owner *of);

/* A thing made with the context, which destroy() will end; NULL, and the thing is ended, if there is no memory. The
 * context is in use. */
typedef void (*owned_destroy)(toi_context *context, void *thing);
owned *owner_keep(owner *of, void *thing, owned_destroy destroy);

/* Nobody has the thing any more. */
void owned_discard(owned *it);

/* For owner_keep(). A model, a set of cases and a scene file are structs of their own: these take a copy of the struct,
 * made by copy_of(). */
void destroy_scene(toi_context *context, void *thing);
void destroy_formula(toi_context *context, void *thing);
void destroy_motion(toi_context *context, void *thing);
void destroy_shape(toi_context *context, void *thing);
void destroy_model(toi_context *context, void *thing);
void destroy_cases(toi_context *context, void *thing);
void destroy_contact_scene(toi_context *context, void *thing);
void destroy_sweep_scene(toi_context *context, void *thing);
void destroy_moving_pair(toi_context *context, void *thing);
void destroy_rigid_scene(toi_context *context, void *thing);
void *copy_of(const void *thing, size_t size);

#endif
