/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid bodies that turn. See toi/rigid.h. */

#ifndef TOI_CPP_RIGID_HPP
#define TOI_CPP_RIGID_HPP

#include <toi/cpp/narrow.hpp>
#include <toi/rigid.h>

namespace toi {

using law = toi_law;
using pose = toi_pose;

/* At rest at the origin until it is told otherwise. */
struct moving_body : toi_moving_body {
  moving_body() : toi_moving_body() {
    toi_moving_body_init(this, sizeof(toi_moving_body));
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

} // namespace toi

#endif
