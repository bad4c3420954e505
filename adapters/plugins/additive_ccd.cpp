/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* ACCD (Li 2021) of ipc-toolkit as a method of `toi query` and `toi bench`: all kinds, with a separation in the
 * Euclidean norm. docs/benchmarks.md says how to build it. */

#include <cmath>
#include <ipc/ccd/additive_ccd.hpp>
#include <toi/plugin.h>

namespace {

Eigen::Vector3d point(const double (&from)[3]) {
  return {from[0], from[1], from[2]};
}

int answer_question(void *, const toi_plugin_question *q, toi_plugin_answer *answer) {
  if (q->min_separation > 0 && q->norm != TOI_NORM_L2)
    return 1;
  const ipc::AdditiveCCD method(q->max_checks == 0 ? ipc::AdditiveCCD::DEFAULT_MAX_ITERATIONS
                                                   : static_cast<long>(q->max_checks));
  Eigen::Vector3d s[4], e[4];
  for (uint32_t i = 0; i < toi_kind_points(q->kind); i++) {
    s[i] = point(q->start[i]);
    e[i] = point(q->end[i]);
  }
  const double d = q->min_separation;
  double time = INFINITY;
  bool hit = false;
  switch (q->kind) {
  case TOI_VERTEX_FACE:
    hit = method.point_triangle_ccd(s[0], s[1], s[2], s[3], e[0], e[1], e[2], e[3], time, d, q->t_max);
    break;
  case TOI_EDGE_EDGE:
    hit = method.edge_edge_ccd(s[0], s[1], s[2], s[3], e[0], e[1], e[2], e[3], time, d, q->t_max);
    break;
  case TOI_VERTEX_EDGE:
    hit = method.point_edge_ccd(s[0], s[1], s[2], e[0], e[1], e[2], time, d, q->t_max);
    break;
  case TOI_VERTEX_VERTEX:
    hit = method.point_point_ccd(s[0], s[1], e[0], e[1], time, d, q->t_max);
    break;
  default:
    return 1;
  }
  // The step that it allows, which stops before the contact.
  if (hit)
    *answer = {TOI_NEAR, std::isfinite(time) ? time : 0, q->t_max, NAN, NAN, {}};
  else
    *answer = {TOI_MISS, INFINITY, INFINITY, NAN, NAN, {}};
  return 0;
}

} // namespace

extern "C" TOI_API const toi_plugin_method *toi_plugin_entry(void) {
  static const toi_plugin_method method = {
      TOI_PLUGIN_VERSION,
      "peer-accd",
      "None: rounding may hide a contact, and it stops a tenth before one, so that what comes that near is reported "
      "too. The tolerance is not used.",
      nullptr,
      nullptr,
      answer_question};
  return &method;
}
