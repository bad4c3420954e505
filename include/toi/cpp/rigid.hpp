/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid bodies that turn. See toi/rigid.h. */

#ifndef TOI_CPP_RIGID_HPP
#define TOI_CPP_RIGID_HPP

#include <limits>

#include <toi/cpp/formula.hpp>
#include <toi/cpp/narrow.hpp>
#include <toi/cpp/scene.hpp>
#include <toi/rigid.h>

namespace toi {

using law = toi_law;
using pose = toi_pose;
using rigid_contact = toi_rigid_contact;

/* At rest at the origin unless it is set otherwise. */
struct moving_body : toi_moving_body {
  moving_body() : toi_moving_body() {
    toi_moving_body_init(this, sizeof(toi_moving_body));
  }

  /* Follows the motion, which must outlive everything made from the body, from one of its times to another. */
  moving_body &follow(const toi::motion &by, double from = 0, double to = 1) {
    law = TOI_LAW_MOTION;
    motion = by.get();
    motion_from = from;
    motion_to = to;
    return *this;
  }
  /* The pose at t in [0, 1], in doubles. */
  pose at(double t, status *to = nullptr) const {
    pose found = {};
    detail::settle(toi_moving_body_at(this, t, &found), "the body or its time is not valid", to);
    return found;
  }
};

/* What queries between primitives of two bodies share. */
class moving_pair {
public:
  moving_pair(context &in, const toi_moving_body &first, const toi_moving_body &second, status *to = nullptr)
      : context_(in.get()) {
    detail::settle(toi_moving_pair_create(context_, &first, &second, &pair_), context_, to);
  }
  moving_pair(moving_pair &&other) noexcept : context_(other.context_), pair_(std::exchange(other.pair_, nullptr)) {}
  moving_pair &operator=(moving_pair &&other) noexcept {
    moving_pair taken(std::move(other));
    std::swap(context_, taken.context_);
    std::swap(pair_, taken.pair_);
    return *this;
  }
  moving_pair(const moving_pair &) = delete;
  moving_pair &operator=(const moving_pair &) = delete;
  ~moving_pair() {
    toi_moving_pair_destroy(pair_);
  }

  const toi_moving_pair *get() const noexcept {
    return pair_;
  }
  explicit operator bool() const noexcept {
    return pair_ != nullptr;
  }

  /* 4, 4, 3 or 2 points, each in the frame of its body: a matrix, a list, or corners(). */
  template <class P> hit query(toi_kind of, const P &at, const options &given = options(), status *to = nullptr) const {
    const detail::gathered these(at, toi_kind_points(of));
    hit answer = detail::safe_hit();
    if (these.fault() != nullptr)
      detail::settle(TOI_ERROR_INPUT, these.fault(), to);
    else
      detail::settle(toi_moving_pair_query(pair_, of, these.get(), &given, &answer), "", to);
    return answer;
  }

  /* The hits go to an array of the caller's, one for each query. */
  void batch(toi_kind of, span<const double> queries, const options &given, span<hit> hits,
             status *to = nullptr) const {
    const std::size_t each = detail::query_numbers(of) / 2;
    const std::size_t count = detail::batch_count(queries.size(), each, hits.size(), to);
    if (count != SIZE_MAX)
      detail::settle(toi_moving_pair_batch(pair_, of, queries.data(), count, &given, hits.data()), context_, to);
  }
  std::vector<hit> batch(toi_kind of, span<const double> queries, const options &given = options(),
                         status *to = nullptr) const {
    const std::size_t each = detail::query_numbers(of) / 2;
    std::vector<hit> hits(each == 0 ? 0 : queries.size() / each, detail::safe_hit());
    batch(of, queries, given, hits, to);
    return hits;
  }

  /* The points are those of two meshes, each in the frame of its body. */
  std::vector<hit> batch_indexed(toi_kind of, const mesh &first, const mesh &second, span<const pair> pairs,
                                 const options &given = options(), status *to = nullptr) const {
    std::vector<hit> hits(pairs.size(), detail::safe_hit());
    const toi_mesh c_meshes[2] = {first.c(), second.c()};
    const toi_mesh *const meshes[2] = {&c_meshes[0], &c_meshes[1]};
    const char *const fault = first.fault() != nullptr ? first.fault() : second.fault();
    if (fault != nullptr)
      detail::settle(TOI_ERROR_INPUT, fault, to);
    else
      detail::settle(toi_moving_pair_batch_indexed(pair_, of, meshes, pairs.data(), pairs.size(), &given, hits.data()),
                     context_, to);
    return hits;
  }

private:
  toi_context *context_;
  toi_moving_pair *pair_ = nullptr;
};

using rigid_advance = toi_rigid_advance;
using rigid_clearance = toi_rigid_clearance;
using rigid_impact = toi_rigid_impact;

/* Rigid bodies with their meshes. Motions are given to every call: one toi::moving_body for each body. */
class rigid_scene {
public:
  explicit rigid_scene(context &in, status *to = nullptr) : context_(in.get()) {
    detail::settle(toi_rigid_scene_create(context_, &scene_), context_, to);
  }
  rigid_scene(rigid_scene &&other) noexcept : context_(other.context_), scene_(std::exchange(other.scene_, nullptr)) {}
  rigid_scene &operator=(rigid_scene &&other) noexcept {
    rigid_scene taken(std::move(other));
    std::swap(context_, taken.context_);
    std::swap(scene_, taken.scene_);
    return *this;
  }
  rigid_scene(const rigid_scene &) = delete;
  rigid_scene &operator=(const rigid_scene &) = delete;
  ~rigid_scene() {
    toi_rigid_scene_destroy(scene_);
  }

  toi_rigid_scene *get() const noexcept {
    return scene_;
  }
  explicit operator bool() const noexcept {
    return scene_ != nullptr;
  }

  /* Returns the body's number. The mesh is copied. */
  std::uint32_t add(const mesh &of, bool fixed = false, status *to = nullptr) {
    std::uint32_t number = 0;
    const toi_mesh c_mesh = of.c();
    if (of.fault() != nullptr)
      detail::settle(TOI_ERROR_INPUT, of.fault(), to);
    else
      detail::settle(toi_rigid_scene_add(scene_, &c_mesh, fixed, &number), context_, to);
    return number;
  }
  void ignore(std::uint32_t first, std::uint32_t second, status *to = nullptr) {
    detail::settle(toi_rigid_scene_ignore(scene_, first, second), context_, to);
  }

  /* The first contact of the step. */
  rigid_impact step(span<const moving_body> bodies, const options &given = options(), status *to = nullptr) const {
    rigid_impact answer = {};
    answer.hit = detail::safe_hit();
    detail::with_options(context_, given, to, [&](const toi_options *c) {
      return toi_rigid_scene_step(scene_, bodies.data(), bodies.size(), c, &answer);
    });
    return answer;
  }

  /* Every contact; the visitor takes one toi::rigid_impact, or a span of them. */
  template <class Visit, class = detail::if_visitor<Visit>>
  void collisions(span<const moving_body> bodies, const options &given, Visit &&visit, status *to = nullptr) const {
    detail::with_visitor<rigid_impact>(
        context_, given, visit, to,
        [&](const toi_options *c, auto &between) {
          return toi_rigid_scene_collisions(scene_, bodies.data(), bodies.size(), c, between.call, &between);
        });
  }
  std::vector<rigid_impact> collisions(span<const moving_body> bodies, const options &given = options(),
                                       status *to = nullptr) const {
    return detail::collected<rigid_impact>(
        to, [&](auto &keep) { collisions(bodies, given, keep, to); });
  }

  /* The first contact on a path: from times[k] to times[k + 1] bodies move as those from k * (bodies per piece) on say.
   */
  rigid_contact path_step(span<const double> times, span<const moving_body> bodies, const options &given = options(),
                          status *to = nullptr) const {
    rigid_contact answer = {};
    answer.impact.hit = detail::safe_hit();
    const toi_rigid_path path = path_of(times, bodies);
    detail::with_options(context_, given, to,
                         [&](const toi_options *c) { return toi_rigid_scene_path_step(scene_, &path, c, &answer); });
    return answer;
  }
  /* The first contact of every two bodies on a path, by time. */
  std::vector<rigid_contact> path_contacts(span<const double> times, span<const moving_body> bodies,
                                           const options &given = options(), status *to = nullptr) const {
    const toi_rigid_path path = path_of(times, bodies);
    return detail::collected<rigid_contact>(to, [&](auto &keep) {
      detail::with_visitor<rigid_contact>(context_, given, keep, to, [&](const toi_options *c, auto &between) {
        return toi_rigid_scene_path_contacts(scene_, &path, c, between.call, &between);
      });
    });
  }

  /* The largest safe step; poses are replaced by those at its end. */
  rigid_advance advance(span<const moving_body> bodies, std::vector<pose> &poses, const options &given = options(),
                        status *to = nullptr) const {
    rigid_advance answer = {};
    answer.first.hit = detail::safe_hit();
    poses.assign(bodies.size(), pose());
    detail::with_options(context_, given, to, [&](const toi_options *c) {
      return toi_rigid_scene_advance(scene_, bodies.data(), bodies.size(), c, poses.data(), &answer);
    });
    return answer;
  }

  /* How close bodies come over the step; distances beyond `most` are not searched. */
  rigid_clearance clearance(span<const moving_body> bodies, double most, const options &given = options(),
                            status *to = nullptr) const {
    rigid_clearance answer = {};
    answer.hi = std::numeric_limits<double>::infinity();
    answer.closest.hit = detail::safe_hit();
    detail::with_options(context_, given, to, [&](const toi_options *c) {
      return toi_rigid_scene_clearance(scene_, bodies.data(), bodies.size(), most, c, &answer);
    });
    return answer;
  }

private:
  static toi_rigid_path path_of(span<const double> times, span<const moving_body> bodies) {
    toi_rigid_path path = {};
    path.size = sizeof path;
    path.times = times.data();
    path.bodies = bodies.data();
    path.piece_count = times.size() > 0 ? times.size() - 1 : 0;
    path.count = path.piece_count > 0 ? bodies.size() / path.piece_count : 0;
    return path;
  }

  toi_context *context_;
  toi_rigid_scene *scene_ = nullptr;
};

} // namespace toi

#endif
