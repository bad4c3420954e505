/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tight-Inclusion (Wang 2021) as a method of `toi query` and `toi bench`: vertex-face and edge-edge, with a separation
 * in the maximum norm, which is how that library measures it. Each query has its own error filter. docs/benchmarks.md
 * says how to build it. */

#include <cmath>
#include <tight_inclusion/ccd.hpp>
#include <toi/plugin.h>

namespace {

constexpr long default_checks = 1000000;

ticcd::Vector3 point(const double (&from)[3]) {
  return {from[0], from[1], from[2]};
}

int answer_question(void *, const toi_plugin_question *q, toi_plugin_answer *answer) {
  if ((q->kind != TOI_VERTEX_FACE && q->kind != TOI_EDGE_EDGE) || (q->min_separation > 0 && q->norm != TOI_NORM_LINF))
    return 1;
  const auto ask = q->kind == TOI_VERTEX_FACE ? static_cast<decltype(&ticcd::edgeEdgeCCD)>(&ticcd::vertexFaceCCD)
                                              : &ticcd::edgeEdgeCCD;
  const double(*const s)[3] = q->start;
  const double(*const e)[3] = q->end;
  const long checks = q->max_checks == 0 ? default_checks : static_cast<long>(q->max_checks);
  ticcd::Scalar time = INFINITY, reached = 0;
  const bool hit = ask(point(s[0]), point(s[1]), point(s[2]), point(s[3]), point(e[0]), point(e[1]), point(e[2]),
                       point(e[3]), ticcd::Array3::Constant(-1), q->min_separation, time, q->tolerance, q->t_max,
                       checks, reached, false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
  // Its time is a lower bound; that they do touch is not proved.
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
      "peer-tight-inclusion",
      "No contact is missed, says its paper; contacts may be reported where there are none. The tolerance bounds a "
      "distance.",
      nullptr,
      nullptr,
      answer_question};
  return &method;
}
