/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models in the digest, for the cases that make and those that read them. */

#ifndef TOI_TESTS_HOST_MODELS_H
#define TOI_TESTS_HOST_MODELS_H

#include "host/host.h"

void host_record_model(host_run *run, const toi_model *model);

/* The status of a call that made a model, and the model; an empty one after a failure. Whether there is one. */
bool host_model_made(host_run *run, toi_status status, const toi_model *model);

#endif
