/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The text of a certificate: empty in this version. */

#include "narrow/certificate.h"

size_t toi_certificate_bytes(const toi_exact_bound *bound) {
  (void)bound;
  return 0;
}

size_t toi_certificate_build(const toi_certificate_source *source, char *text) {
  (void)source;
  if (text != NULL) {
    *text = '\0';
  }
  return 1;
}
