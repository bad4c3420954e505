/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A cloth of springs falls edge-on to the ground and crumples: implicit steps by Newton's method, with a barrier
 * between what is close. Its line search is libtoi's: the positions that it gives are proved to be reached without
 * contact. */

#include <Eigen/Dense>
#include <cstdio>
#include <toi/toi.hpp>

using Eigen::Map, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
constexpr int side = 9, size = 3 * side * side;
constexpr double dt = 0.02, mass = 0.01, spring = 0.04, barrier = 1e-3, active = 0.04;
const toi::half_space ground[] = {{{0, 0, 1}, 0}};

/* Inertia, springs and barrier at x, with gradient and a positive definite Hessian. */
double energy(toi::context &context, toi::scene &scene, const VectorXd &x, const VectorXd &aim, VectorXd &g,
              MatrixXd &H) {
  g = mass * (x - aim);
  H = mass * MatrixXd::Identity(size, size);
  // A function of one quantity q of some vertices: its derivatives by q, and those of q by the vertices.
  const auto add = [&](unsigned count, const std::uint32_t *vertex, const double *dq, double first, double second) {
    for (unsigned a = 0; a < count; a++)
      g.segment<3>(3 * vertex[a]) += first * Map<const Vector3d>(dq + 3 * a);
    for (unsigned a = 0; a < count; a++)
      for (unsigned b = 0; b < count; b++)
        H.block<3, 3>(3 * vertex[a], 3 * vertex[b]) +=
            second * Map<const Vector3d>(dq + 3 * a) * Map<const Vector3d>(dq + 3 * b).transpose();
  };
  double sum = mass / 2 * (x - aim).squaredNorm();
  for (const auto &edge : scene.edges()) {
    const Vector3d d = x.segment<3>(3 * edge[0]) - x.segment<3>(3 * edge[1]);
    const double stretch = d.norm() - (edge[1] - edge[0] == side - 1 ? std::sqrt(2) : 1) / (side - 1);
    VectorXd dq(6);
    dq << d.normalized(), -d.normalized();
    sum += spring / 2 * stretch * stretch;
    add(2, edge, dq.data(), spring * stretch, spring);
  }
  const std::vector<toi::stencil> close = scene.stencils(x, active);
  std::vector<double> squared(close.size()), mollifier(close.size());
  std::vector<std::array<double, 12>> gradient(close.size()), mollifier_gradient(close.size());
  toi::mesh mesh(x);
  mesh.half_spaces(ground);
  toi::stencil_batch(context, mesh, close, {squared, gradient, {}, mollifier, mollifier_gradient, {}});
  for (std::size_t k = 0; k < close.size(); k++) {
    const double unit = active * active, q = squared[k] / unit, l = std::log(q), d = q - 1;
    const double c = barrier * close[k].multiplicity * mollifier[k];
    sum -= c * d * d * l;
    add(close[k].vertex_count, close[k].vertices, mollifier_gradient[k].data(),
        -barrier * close[k].multiplicity * d * d * l, 0);
    add(close[k].vertex_count, close[k].vertices, gradient[k].data(), -c * (2 * d * l + d * d / q) / unit,
        c * (d * d / (q * q) - 4 * d / q - 2 * l) / (unit * unit));
  }
  return sum;
}

int main() {
  std::vector<std::array<int, 3>> faces;
  VectorXd x(size), v = VectorXd::Zero(size), g, next(size);
  MatrixXd H;
  for (int i = 0; i < side * side; i++) {
    x.segment<3>(3 * i) << (i % side) / (side - 1.0), 0.01 * (i / side % 2), 0.1 + (i / side) / (side - 1.0);
    if (i % side != side - 1 && i + side < side * side)
      faces.insert(faces.end(), {{i, i + 1, i + side}, {i + 1, i + side + 1, i + side}});
  }
  toi::context context;
  toi::topology topology(side * side, faces);
  topology.half_spaces(ground);
  toi::scene scene(context, topology);
  toi::options options;
  options.separation_fraction = 0.1;
  for (int frame = 1; frame <= 40; frame++) {
    const VectorXd before = x, aim = x + dt * v - 9.81 * dt * dt * Vector3d::UnitZ().replicate(side * side, 1);
    double longest = 1;
    for (int iteration = 0; iteration < 50 && longest > 1e-4; iteration++) {
      const double now = energy(context, scene, x, aim, g, H);
      const VectorXd p = H.ldlt().solve(-g);
      VectorXd goal = x + p;
      longest = p.lpNorm<Eigen::Infinity>();
      // The line search: towards the goal as far as is safe; half of that while the energy rises.
      scene.line_search({x, goal}, options, next);
      for (; energy(context, scene, next, aim, g, H) > now && (next - x).norm() > 1e-12;
           scene.line_search({x, goal}, options, next))
        goal = (x + next) / 2;
      x = next;
    }
    v = (x - before) / dt;
  }
  const bool crossed = scene.intersects(x).found;
  std::printf("from 1.1 to %.2f high, and %s\n", Map<Eigen::Matrix3Xd>(x.data(), 3, side * side).row(2).maxCoeff(),
              crossed ? "through itself" : "nothing intersects");
  return crossed ? 1 : 0;
}
