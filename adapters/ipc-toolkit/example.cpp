/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The line search of a simulator on ipc-toolkit, with libtoi in the place of broad and narrow phase: a tetrahedron
 * falls onto a triangle. Prints the collisions that the barrier sees at the start, and how far the step may go. */

#include "toi_ipc.hpp"

#include <cstdio>

int main() {
  Eigen::MatrixXd vertices(7, 3);
  vertices << -2, 0, -2, 2, 0, -2, 0, 0, 3, /* the triangle */
      -0.5, 0.05, -0.5, 0.5, 0.4, -0.5, 0, 0.4, 0.5, 0, 1, 0;
  Eigen::MatrixXi edges(9, 2), faces(5, 3);
  edges << 0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 3, 6, 4, 5, 4, 6, 5, 6;
  faces << 0, 1, 2, 3, 4, 5, 3, 4, 6, 3, 5, 6, 4, 5, 6;
  const ipc::CollisionMesh mesh(vertices, edges, faces);

  // Once for a mesh; then in every iteration of Newton's method:
  toi::ipc_toolkit::Scene scene(mesh);

  ipc::NormalCollisions collisions; // was: collisions.build(mesh, vertices, dhat)
  scene.build(collisions, vertices, /*dhat=*/0.1);
  std::printf("%zu collisions\n", collisions.size());

  Eigen::MatrixXd moved = vertices;
  moved.bottomRows(4).col(1).array() -= 0.2;
  const double step =
      scene.collision_free_stepsize(vertices, moved); // was: ipc::compute_collision_free_stepsize(mesh, ...)
  std::printf("step %.6f of the way; contact would be at 0.25\n", step);
  return collisions.size() == 1 && step < 0.25 && step > 0.24 ? 0 : 1;
}
