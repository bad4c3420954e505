/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* ipc-toolkit on libtoi: its narrow phase, its broad phase, its collision-free step and its collision builder.
 *
 * NarrowPhase and BroadPhase derive from ipc-toolkit's own classes and go wherever these are taken. Scene answers for a
 * whole mesh at once, which is where the time is saved: it replaces ipc::compute_collision_free_stepsize(),
 * ipc::is_step_collision_free() and ipc::NormalCollisions::build().
 *
 * Contact. With d0 the distance of a pair at the start, D the min_distance of the call and s conservative_rescaling, a
 * pair is in contact when its distance is at most
 *
 *   D + min((1 - s) (d0 - D), gap_limit).
 *
 * Promise: no step is longer than the first time of contact, for any finite input; there is no tolerance, and no limit
 * of iterations. A time is 0 only if a pair is within D at the start.
 *
 * Exceptions. A failure of libtoi throws std::invalid_argument (a coordinate that is not finite, a bad argument) or
 * std::runtime_error (memory) with the library's sentence. What a collision filter throws comes out of the call that
 * asked it. */

#ifndef TOI_IPC_HPP
#define TOI_IPC_HPP

#include <ipc/broad_phase/broad_phase.hpp>
#include <ipc/ccd/narrow_phase_ccd.hpp>
#include <ipc/collisions/normal/normal_collisions.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>

#include <toi/scene.h>

namespace toi::ipc_toolkit {

/* libtoi works on threads of its own, not on those of TBB. */
struct Settings {
  std::uint32_t threads = 0;       /* 0: one for each online CPU */
  std::uint64_t memory_budget = 0; /* bytes; 0: that of the library, 1 GiB */
  /* Scene::build(): plain collisions straight from libtoi's stencils. Where the closest point is on the border of two
   * features, they have the smaller one, ipc-toolkit the larger one. */
  bool collisions_from_stencils = false;
};

/* Certified CCD of two primitives, in two and three dimensions. Safe to use from several threads. */
class NarrowPhase : public ipc::NarrowPhaseCCD {
public:
  static constexpr double DEFAULT_CONSERVATIVE_RESCALING = 0.8;
  static constexpr double DEFAULT_GAP_LIMIT = 1e-4; /* that of ipc::TightInclusionCCD */
  static constexpr double NO_GAP_LIMIT = std::numeric_limits<double>::infinity();

  explicit NarrowPhase(double rescaling = DEFAULT_CONSERVATIVE_RESCALING, double limit = DEFAULT_GAP_LIMIT);

  bool point_point_ccd(Eigen::ConstRef<ipc::VectorMax3d> p0_t0, Eigen::ConstRef<ipc::VectorMax3d> p1_t0,
                       Eigen::ConstRef<ipc::VectorMax3d> p0_t1, Eigen::ConstRef<ipc::VectorMax3d> p1_t1, double &toi,
                       const double min_distance = 0.0, const double tmax = 1.0) const override;
  bool point_edge_ccd(Eigen::ConstRef<ipc::VectorMax3d> p_t0, Eigen::ConstRef<ipc::VectorMax3d> e0_t0,
                      Eigen::ConstRef<ipc::VectorMax3d> e1_t0, Eigen::ConstRef<ipc::VectorMax3d> p_t1,
                      Eigen::ConstRef<ipc::VectorMax3d> e0_t1, Eigen::ConstRef<ipc::VectorMax3d> e1_t1, double &toi,
                      const double min_distance = 0.0, const double tmax = 1.0) const override;
  bool point_triangle_ccd(Eigen::ConstRef<Eigen::Vector3d> p_t0, Eigen::ConstRef<Eigen::Vector3d> t0_t0,
                          Eigen::ConstRef<Eigen::Vector3d> t1_t0, Eigen::ConstRef<Eigen::Vector3d> t2_t0,
                          Eigen::ConstRef<Eigen::Vector3d> p_t1, Eigen::ConstRef<Eigen::Vector3d> t0_t1,
                          Eigen::ConstRef<Eigen::Vector3d> t1_t1, Eigen::ConstRef<Eigen::Vector3d> t2_t1, double &toi,
                          const double min_distance = 0.0, const double tmax = 1.0) const override;
  bool edge_edge_ccd(Eigen::ConstRef<Eigen::Vector3d> ea0_t0, Eigen::ConstRef<Eigen::Vector3d> ea1_t0,
                     Eigen::ConstRef<Eigen::Vector3d> eb0_t0, Eigen::ConstRef<Eigen::Vector3d> eb1_t0,
                     Eigen::ConstRef<Eigen::Vector3d> ea0_t1, Eigen::ConstRef<Eigen::Vector3d> ea1_t1,
                     Eigen::ConstRef<Eigen::Vector3d> eb0_t1, Eigen::ConstRef<Eigen::Vector3d> eb1_t1, double &toi,
                     const double min_distance = 0.0, const double tmax = 1.0) const override;

  double gap_limit;

private:
  struct Query;
  bool decide(const Query &query, double &toi, double min_distance, double tmax) const;
};

/* Every pair of closed boxes that overlap, once, in no particular order: the same pairs as ipc::BruteForce. */
class BroadPhase : public ipc::BroadPhase {
public:
  explicit BroadPhase(const Settings &settings = Settings());
  ~BroadPhase() override;

  using ipc::BroadPhase::build;
  std::string name() const override;
  void clear() override;
  void detect_vertex_vertex_candidates(std::vector<ipc::VertexVertexCandidate> &candidates) const override {
    detect(TOI_VERTEX_VERTEX, candidates);
  }
  void detect_edge_vertex_candidates(std::vector<ipc::EdgeVertexCandidate> &candidates) const override {
    detect(TOI_VERTEX_EDGE, candidates);
  }
  void detect_edge_edge_candidates(std::vector<ipc::EdgeEdgeCandidate> &candidates) const override {
    detect(TOI_EDGE_EDGE, candidates);
  }
  void detect_face_vertex_candidates(std::vector<ipc::FaceVertexCandidate> &candidates) const override {
    detect(TOI_VERTEX_FACE, candidates);
  }
  void detect_edge_face_candidates(std::vector<ipc::EdgeFaceCandidate> &candidates) const override {
    detect(TOI_EDGE_FACE, candidates);
  }
  void detect_face_face_candidates(std::vector<ipc::FaceFaceCandidate> &candidates) const override {
    detect(TOI_FACE_FACE, candidates);
  }

protected:
  void build(Eigen::ConstRef<Eigen::MatrixXi> edges, Eigen::ConstRef<Eigen::MatrixXi> faces) override;

private:
  struct State;
  template <typename Candidate> void detect(toi_kind kind, std::vector<Candidate> &candidates) const;
  std::unique_ptr<State> state;
};

/* What is asked of one mesh in every iteration. Edges, faces and planes are taken when it is made; the filter
 * mesh.can_collide is asked in each call, by the mesh's own vertex numbers, from any of libtoi's threads. The mesh must
 * outlive it. Vertices are rows of a matrix with two or three columns. One call at a time. */
class Scene {
public:
  explicit Scene(const ipc::CollisionMesh &mesh, const Settings &settings = Settings());
  ~Scene();

  /* As ipc::compute_collision_free_stepsize(): the part of the motion from vertices_t0 to vertices_t1 before the first
   * contact, strictly before it; 1 if there is none. */
  double collision_free_stepsize(Eigen::ConstRef<Eigen::MatrixXd> vertices_t0,
                                 Eigen::ConstRef<Eigen::MatrixXd> vertices_t1, double min_distance = 0.0,
                                 const NarrowPhase &narrow_phase = NarrowPhase());

  /* As ipc::is_step_collision_free(): whether no pair is in contact. */
  bool is_step_collision_free(Eigen::ConstRef<Eigen::MatrixXd> vertices_t0,
                              Eigen::ConstRef<Eigen::MatrixXd> vertices_t1, double min_distance = 0.0,
                              const NarrowPhase &narrow_phase = NarrowPhase());

  /* As collisions.build(mesh, vertices, dhat, dmin), with the settings that the collisions have. */
  void build(ipc::NormalCollisions &collisions, Eigen::ConstRef<Eigen::MatrixXd> vertices, double dhat,
             double dmin = 0.0);

  /* The pairs at most `distance` apart, decided exactly: few of what boxes of that size give. */
  void build(ipc::Candidates &candidates, Eigen::ConstRef<Eigen::MatrixXd> vertices, double distance);

private:
  struct State;
  std::unique_ptr<State> state;
};

/* The step of a mesh that is asked about only once; Scene::collision_free_stepsize() otherwise. */
double compute_collision_free_stepsize(const ipc::CollisionMesh &mesh, Eigen::ConstRef<Eigen::MatrixXd> vertices_t0,
                                       Eigen::ConstRef<Eigen::MatrixXd> vertices_t1, double min_distance = 0.0,
                                       const NarrowPhase &narrow_phase = NarrowPhase());

} // namespace toi::ipc_toolkit

#endif
