/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All broad phases on hard geometry, with the best kernels of this CPU. */

#include "broad/geometry.h"

int main(void) {
  return test_geometry();
}
