/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the programs that ask about stages share: a context, and the last answer. */

#ifndef TOI_TESTS_CONTACT_PROGRAM_H
#define TOI_TESTS_CONTACT_PROGRAM_H

#include "contact/context.h"
#include "contact/stage.h"

static answered got;

#endif
