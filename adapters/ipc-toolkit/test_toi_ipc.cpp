/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The adapter against ipc-toolkit's own classes, on small random meshes in two and three dimensions. The oracles: for
 * candidates ipc::BruteForce, exact on boxes; for collisions ipc-toolkit's builder; for steps the pairs one by one, and
 * Tight-Inclusion, whose times may only be earlier. The seed is printed and fixed: `test_toi_ipc SEED` for another one.
 */

#include "toi_ipc.hpp"

#include <ipc/broad_phase/brute_force.hpp>
#include <ipc/ipc.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

using namespace toi::ipc_toolkit;

namespace {

int failures = 0;

void check(bool holds, const char *what, int line) {
  if (holds)
    return;
  std::printf("test_toi_ipc.cpp:%d: does not hold: %s\n", line, what);
  failures++;
}

#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

std::mt19937_64 generator;

double uniform(double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(generator);
}

Eigen::MatrixXd noise(const Eigen::MatrixXd &like, double size) {
  return like.unaryExpr([size](double) { return uniform(-size, size); });
}

/* Layers of a grid above each other, with loose points and a loose edge between them. */
struct Layers {
  Eigen::MatrixXd vertices;
  Eigen::MatrixXi edges, faces;

  explicit Layers(int layers, int side = 5) {
    const int in_layer = side * side, points = 3;
    vertices.resize(layers * in_layer + points + 2, 3);
    std::vector<std::array<int, 2>> lines;
    std::vector<std::array<int, 3>> triangles;
    for (int l = 0; l < layers; l++)
      for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
          const int v = l * in_layer + i * side + j;
          vertices.row(v) << i, 0.1 * l, j;
          if (i + 1 < side)
            lines.push_back({v, v + side});
          if (j + 1 < side)
            lines.push_back({v, v + 1});
          if (i + 1 == side || j + 1 == side)
            continue;
          lines.push_back({v, v + side + 1});
          triangles.push_back({v, v + side, v + side + 1});
          triangles.push_back({v, v + side + 1, v + 1});
        }
    const int loose = layers * in_layer;
    for (int k = 0; k < points + 2; k++)
      vertices.row(loose + k) << uniform(0, side - 1), -0.03 * (k + 1), uniform(0, side - 1);
    lines.push_back({loose + points, loose + points + 1});
    edges.resize(static_cast<int>(lines.size()), 2);
    for (int i = 0; i < edges.rows(); i++)
      edges.row(i) << lines[i][0], lines[i][1];
    faces.resize(static_cast<int>(triangles.size()), 3);
    for (int i = 0; i < faces.rows(); i++)
      faces.row(i) << triangles[i][0], triangles[i][1], triangles[i][2];
    vertices += noise(vertices, 0.02);
  }
};

template <typename List> void sort(List &list) {
  std::sort(list.begin(), list.end());
}

template <typename List> bool same(List a, List b) {
  sort(a);
  sort(b);
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/* A collision in numbers: kind, primitives with the smaller edge first, closest features of edges, weight. */
struct Plain {
  std::array<long, 4> names;
  double weight, dmin;
};

int swapped(ipc::EdgeEdgeDistanceType type) {
  using Type = ipc::EdgeEdgeDistanceType;
  const Type others[] = {Type::EA0_EB0, Type::EA1_EB0, Type::EA0_EB1, Type::EA1_EB1, Type::EA0_EB,
                         Type::EA1_EB,  Type::EA_EB0,  Type::EA_EB1,  Type::EA_EB,   Type::AUTO};
  return static_cast<int>(others[static_cast<int>(type)]);
}

/* Weights that cancel out are sums in some order: what is left of them is rounding. */
std::vector<Plain> plain(const ipc::NormalCollisions &collisions) {
  std::vector<Plain> list;
  for (const auto &c : collisions.vv_collisions)
    list.push_back(
        {{0, std::min(c.vertex0_id, c.vertex1_id), std::max(c.vertex0_id, c.vertex1_id), 0}, c.weight, c.dmin});
  for (const auto &c : collisions.ev_collisions)
    list.push_back({{1, c.edge_id, c.vertex_id, 0}, c.weight, c.dmin});
  for (const auto &c : collisions.ee_collisions) {
    const bool in_order = c.edge0_id < c.edge1_id;
    list.push_back({{2, std::min(c.edge0_id, c.edge1_id), std::max(c.edge0_id, c.edge1_id),
                     in_order ? static_cast<int>(c.dtype) : swapped(c.dtype)},
                    c.weight,
                    c.dmin});
  }
  for (const auto &c : collisions.fv_collisions)
    list.push_back({{3, c.face_id, c.vertex_id, 0}, c.weight, c.dmin});
  std::sort(list.begin(), list.end(), [](const Plain &a, const Plain &b) { return a.names < b.names; });
  std::vector<Plain> merged;
  for (const Plain &c : list)
    if (!merged.empty() && merged.back().names == c.names)
      merged.back().weight += c.weight;
    else
      merged.push_back(c);
  merged.erase(std::remove_if(merged.begin(), merged.end(), [](const Plain &c) { return std::abs(c.weight) < 1e-12; }),
               merged.end());
  return merged;
}

bool same_sets(const ipc::NormalCollisions &ours, const ipc::NormalCollisions &theirs) {
  const auto a = plain(ours), b = plain(theirs);
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Plain &x, const Plain &y) {
           return x.names == y.names && std::abs(x.weight - y.weight) < 1e-12 && x.dmin == y.dmin;
         });
}

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-12;
}

void narrow_phase_gives_known_times() {
  const Eigen::Vector3d a0(0, 1, 0), a1(0, -1, 0), t0(-1, 0, -1), t1(1, 0, -1), t2(0, 0, 1);
  const NarrowPhase no_gap(1.0), limited, unlimited(0.8, NarrowPhase::NO_GAP_LIMIT);
  double time = -1;
  CHECK(no_gap.point_triangle_ccd(a0, t0, t1, t2, a1, t0, t1, t2, time) && time < 0.5 && close(time, 0.5));
  CHECK(limited.point_triangle_ccd(a0, t0, t1, t2, a1, t0, t1, t2, time) && close(time, 0.49995));
  CHECK(unlimited.point_triangle_ccd(a0, t0, t1, t2, a1, t0, t1, t2, time) && close(time, 0.4));
  CHECK(no_gap.point_triangle_ccd(a0, t0, t1, t2, a1, t0, t1, t2, time, 0.5) && close(time, 0.25));
  CHECK(!no_gap.point_triangle_ccd(a0, t0, t1, t2, a1, t0, t1, t2, time, 0, 0.49));
  CHECK(no_gap.point_triangle_ccd(t0, t0, t1, t2, a1, t0, t1, t2, time) && time == 0);
  CHECK(no_gap.edge_edge_ccd(a0, Eigen::Vector3d(0, 1, 1), t0, t1, a1, Eigen::Vector3d(0, -1, 1), t0, t1, time) ==
        false);
  const ipc::VectorMax3d p0 = Eigen::Vector2d(0, 1), p1 = Eigen::Vector2d(0, -1), e0 = Eigen::Vector2d(-1, 0),
                         e1 = Eigen::Vector2d(1, 0);
  CHECK(no_gap.point_edge_ccd(p0, e0, e1, p1, e0, e1, time) && close(time, 0.5));
  CHECK(no_gap.point_point_ccd(p0, p1, p1, p0, time) && close(time, 0.5));
}

void broad_phase_gives_the_pairs_of_brute_force(bool filtered) {
  const Layers layers(3);
  const Eigen::MatrixXd end = layers.vertices + noise(layers.vertices, 0.3);
  BroadPhase ours;
  ipc::BruteForce theirs;
  if (filtered)
    ours.can_vertices_collide = theirs.can_vertices_collide =
        ipc::CollisionFilter([](size_t a, size_t b) { return (a + b) % 3 == 0; });
  ours.build(layers.vertices, end, layers.edges, layers.faces, 0.01);
  theirs.build(layers.vertices, end, layers.edges, layers.faces, 0.01);
  ipc::Candidates a, b;
  ours.detect_collision_candidates(a);
  theirs.detect_collision_candidates(b);
  CHECK(!a.fv_candidates.empty() && same(a.fv_candidates, b.fv_candidates));
  CHECK(!a.ee_candidates.empty() && same(a.ee_candidates, b.ee_candidates));
  ours.detect_vertex_vertex_candidates(a.vv_candidates);
  theirs.detect_vertex_vertex_candidates(b.vv_candidates);
  CHECK(!a.vv_candidates.empty() && same(a.vv_candidates, b.vv_candidates));
  ours.detect_edge_vertex_candidates(a.ev_candidates);
  theirs.detect_edge_vertex_candidates(b.ev_candidates);
  CHECK(!a.ev_candidates.empty() && same(a.ev_candidates, b.ev_candidates));
  std::vector<ipc::EdgeFaceCandidate> edge_face[2];
  ours.detect_edge_face_candidates(edge_face[0]);
  theirs.detect_edge_face_candidates(edge_face[1]);
  CHECK(!edge_face[0].empty() && same(edge_face[0], edge_face[1]));
}

/* The whole step is the earliest of all pairs, asked one by one. */
void step_is_the_earliest_pair(int dimension, double motion, double limit) {
  const Layers layers(dimension == 2 ? 1 : 3);
  const Eigen::MatrixXd start = layers.vertices.leftCols(dimension), end = start + noise(start, motion);
  const Eigen::MatrixXi no_faces(0, 3);
  ipc::CollisionMesh mesh(start, layers.edges, dimension == 2 ? no_faces : layers.faces);
  mesh.can_collide = [](size_t a, size_t b) { return (a + b) % 5 != 0; };
  if (dimension == 3)
    mesh.planes.emplace_back(Eigen::Vector3d(0, 1, 0), 0.4);
  const NarrowPhase narrow(0.8, limit);
  Scene scene(mesh, Settings{2});

  // All pairs of a scene of this size, whatever their boxes.
  ipc::Candidates all;
  ipc::BruteForce brute;
  all.build(mesh, start, end, 10, &brute);
  all.vv_candidates.clear();
  for (const int a : mesh.codim_vertices())
    for (const int b : mesh.codim_vertices())
      if (a < b && mesh.can_collide(a, b))
        all.vv_candidates.emplace_back(a, b);
  all.pv_candidates.clear();
  if (dimension == 3) {
    all.ev_candidates.clear();
    for (const int e : mesh.codim_edges())
      for (const int v : mesh.codim_vertices())
        if (mesh.can_collide(v, mesh.edges()(e, 0)) || mesh.can_collide(v, mesh.edges()(e, 1)))
          all.ev_candidates.emplace_back(e, v);
  }
  double expected = all.compute_collision_free_stepsize(mesh, start, end, 1e-5, narrow);
  for (int v = 0; dimension == 3 && v < start.rows(); v++) {
    const double height = start(v, 1) + 0.4, drop = start(v, 1) - end(v, 1);
    if (drop > 0)
      expected = std::min(expected, 0.8 * (height - 1e-5) / drop);
  }
  const double step = scene.collision_free_stepsize(start, end, 1e-5, narrow);
  CHECK(close(step, expected));
  CHECK(scene.is_step_collision_free(start, end, 1e-5, narrow) == (step == 1));
  CHECK(step == scene.collision_free_stepsize(start, end, 1e-5, narrow));

  // Strictly before the first contact without a gap, unless a pair is in contact at the start; and not behind
  // Tight-Inclusion, where that has the same gap.
  CHECK(step == 0 || step == 1 || step < scene.collision_free_stepsize(start, end, 1e-5, NarrowPhase(1.0)));
  if (limit == NarrowPhase::DEFAULT_GAP_LIMIT && dimension == 2)
    CHECK(step >= all.compute_collision_free_stepsize(mesh, start, end, 1e-5, ipc::TightInclusionCCD()));
}

/* Two points 1 apart close in, and are first by the fraction; two others are within the limit of the gap from the
 * start, and are first with the limit. */
void near_pairs_keep_their_fraction() {
  Eigen::MatrixXd start(4, 3);
  start << 0, 0, 0, 1, 0, 0, 0, 5, 0, 5e-5, 5, 0;
  const ipc::CollisionMesh mesh(start);
  Scene scene(mesh);
  Eigen::MatrixXd end = start;
  end(0, 0) = 1;
  CHECK(close(scene.collision_free_stepsize(start, end), 0.9999));
  end(2, 0) = 4e-5 / 0.9;
  CHECK(close(scene.collision_free_stepsize(start, end), 0.9));
  CHECK(close(scene.collision_free_stepsize(start, end, 0, NarrowPhase(0.8, NarrowPhase::NO_GAP_LIMIT)), 0.8));
}

void collisions_are_those_of_ipc_toolkit(bool stencils) {
  using Type = ipc::NormalCollisions::CollisionSetType;
  const Layers layers(3);
  ipc::CollisionMesh mesh(layers.vertices, layers.edges, layers.faces);
  mesh.init_adjacencies();
  mesh.init_area_jacobians();
  Settings settings;
  settings.collisions_from_stencils = stencils;
  Scene scene(mesh, settings);
  const Eigen::MatrixXd moved = layers.vertices + noise(layers.vertices, 0.03);
  for (const Type type : {Type::IPC, Type::IMPROVED_MAX_APPROX, Type::OGC})
    for (const bool derivatives : {false, true})
      for (const bool areas : {false, true}) {
        if (type == Type::IMPROVED_MAX_APPROX && !areas)
          continue;
        ipc::NormalCollisions ours, theirs;
        for (auto *collisions : {&ours, &theirs}) {
          collisions->set_use_area_weighting(areas);
          collisions->set_collision_set_type(type);
          collisions->set_enable_shape_derivatives(derivatives);
        }
        scene.build(ours, moved, 0.1, 0.01);
        theirs.build(mesh, moved, 0.1, 0.01);
        CHECK(ours.size() > 100 && same_sets(ours, theirs));
      }
}

/* What a filter throws comes out of the call, and the scene can be used again. */
void exceptions_go_around_libtoi() {
  const Layers layers(3);
  const Eigen::MatrixXd end = layers.vertices + noise(layers.vertices, 0.3);
  ipc::CollisionMesh mesh(layers.vertices, layers.edges, layers.faces);
  mesh.can_collide = [](size_t a, size_t) -> bool { return a > 10 ? throw std::domain_error("no such body") : true; };
  Scene scene(mesh, Settings{2});
  ipc::NormalCollisions collisions;
  BroadPhase broad_phase;
  int caught = 0;
  for (int call = 0; call < 3; call++)
    try {
      if (call == 0)
        scene.collision_free_stepsize(layers.vertices, end);
      else if (call == 1)
        scene.build(collisions, layers.vertices, 0.2);
      else
        ipc::Candidates().build(mesh, layers.vertices, end, 0.01, &broad_phase);
    } catch (const std::domain_error &error) {
      caught += std::string(error.what()) == "no such body";
    }
  CHECK(caught == 3);
  mesh.can_collide = ipc::CollisionFilter();
  CHECK(scene.collision_free_stepsize(layers.vertices, layers.vertices) == 1);
}

template <typename Call> bool is_refused(const Call &call) {
  try {
    call();
  } catch (const std::invalid_argument &) {
    return true;
  }
  return false;
}

void bad_input_is_refused() {
  const Layers layers(2);
  const ipc::CollisionMesh mesh(layers.vertices, layers.edges, layers.faces);
  Scene scene(mesh);
  Eigen::MatrixXd bad = layers.vertices;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(is_refused([&] { scene.collision_free_stepsize(layers.vertices, bad); }));
  CHECK(is_refused([&] { scene.collision_free_stepsize(layers.vertices, layers.vertices.topRows(4)); }));
  CHECK(is_refused([&] { scene.collision_free_stepsize(layers.vertices, layers.vertices, 0, NarrowPhase(0)); }));
  CHECK(is_refused([&] { scene.collision_free_stepsize(layers.vertices, layers.vertices, -1); }));
  const Eigen::Vector3d here = bad.row(3), there = bad.row(4);
  double time;
  CHECK(is_refused([&] { NarrowPhase().point_point_ccd(here, there, here, there, time); }));
}

} // namespace

int main(int argc, char **argv) {
  const unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20260118;
  std::printf("seed %lu\n", seed);
  generator.seed(seed);
  ipc::logger().set_level(spdlog::level::err);
  narrow_phase_gives_known_times();
  broad_phase_gives_the_pairs_of_brute_force(false);
  broad_phase_gives_the_pairs_of_brute_force(true);
  for (const double limit : {1e-6, NarrowPhase::DEFAULT_GAP_LIMIT, 1e-2, NarrowPhase::NO_GAP_LIMIT})
    for (const double motion : {0.01, 0.2}) {
      step_is_the_earliest_pair(2, motion, limit);
      step_is_the_earliest_pair(3, motion, limit);
    }
  near_pairs_keep_their_fraction();
  collisions_are_those_of_ipc_toolkit(false);
  collisions_are_those_of_ipc_toolkit(true);
  exceptions_go_around_libtoi();
  bad_input_is_refused();
  std::printf(failures == 0 ? "all holds\n" : "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
