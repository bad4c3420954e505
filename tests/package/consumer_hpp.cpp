/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A program of somebody else's, against the installed C++ headers. */

#include <toi/toi.hpp>

#include <cstdio>

int main() {
  const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double end[4][3] = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int, 3>> faces = {{1, 2, 3}};
  try {
    toi::context context(2);
    const toi::impact impact = toi::step(context, toi::mesh(start, end, faces));
    if (impact.hit.verdict != TOI_HIT || impact.hit.t_lo != 0.5 || impact.pair.first != 0)
      return 1;
    toi::frame::read(context, "nowhere.ply");
  } catch (const toi::error &e) {
    std::printf("libtoi %s answers, and says: %s\n", toi::version(), e.what());
    return e.code() == TOI_ERROR_FILE ? 0 : 1;
  }
  return 1;
}
