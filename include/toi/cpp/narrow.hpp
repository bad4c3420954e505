/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two primitives: queries, batches, distances, proofs, explanations, methods and plug-ins. See toi/narrow.h,
 * distance.h, proof.h, explain.h and plugin.h. The few points of a single query are copied, from any layout. */

#ifndef TOI_CPP_NARROW_HPP
#define TOI_CPP_NARROW_HPP

#include <toi/cpp/mesh.hpp>
#include <toi/cpp/options.hpp>
#include <toi/cpp/view.hpp>

#include <algorithm>
#include <cmath>

namespace toi {

using counters = toi_counters;
using half_space = toi_half_space;
using hit = toi_hit;
using inclusion = toi_inclusion;
using filter = toi_filter;
using interval = toi_interval;
using kind = toi_kind;
using level = toi_level;
using norm = toi_norm;
using pair = toi_pair;
using verdict = toi_verdict;
using work = toi_work;

inline std::uint32_t kind_points(toi_kind of) {
  return toi_kind_points(of);
}
inline const char *kind_name(toi_kind of) {
  return toi_kind_name(of);
}
inline const char *verdict_name(toi_verdict of) {
  return toi_verdict_name(of);
}
inline const char *verdict_name(const hit &of) {
  return toi_verdict_name(static_cast<toi_verdict>(of.verdict));
}
inline const char *level_name(toi_level of) {
  return toi_level_name(of);
}
inline const char *method_name(std::size_t number) {
  return toi_method_name(number);
}
inline const char *method_promise(const char *name) {
  return toi_method_promise(name);
}

/* --- single queries --- */

/* The points of a primitive pair at one time, from vectors with three elements: corners(v, f0, f1, f2). */
template <class... V> std::array<vector3, sizeof...(V)> corners(const V &...at) {
  return {vector3{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])}...};
}

namespace detail {

/* Up to four points in the layout of C. */
class gathered {
public:
  gathered(const points &from, std::size_t wanted) {
    fault_ = from.fault();
    if (fault_ == nullptr && (from.size() != wanted || wanted > 4))
      fault_ = wanted == 0 ? "a kind that is no query of points" : "another number of points than the kind has";
    for (std::size_t i = 0; fault_ == nullptr && i < wanted; i++)
      for (std::size_t k = 0; k < 3; k++)
        at_[i][k] = from(i, k);
  }
  const double (*get() const)[3] {
    return at_;
  }
  const char *fault() const noexcept {
    return fault_;
  }

private:
  double at_[4][3] = {};
  const char *fault_;
};

inline hit safe_hit() {
  hit safe = {};
  safe.verdict = TOI_NEAR;
  return safe;
}

} // namespace detail

/* Start and end are 4, 4, 3 or 2 points: a matrix, a list, or corners(). */
template <class P, class Q>
hit query(toi_kind of, const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  const detail::gathered from(start, toi_kind_points(of)), until(end, toi_kind_points(of));
  hit answer = detail::safe_hit();
  if (from.fault() != nullptr || until.fault() != nullptr) {
    detail::settle(TOI_ERROR_INPUT, from.fault() != nullptr ? from.fault() : until.fault(), to);
    return answer;
  }
  detail::settle(toi_query(of, from.get(), until.get(), &given, &answer), "", to);
  return answer;
}
template <class P, class Q>
hit vertex_face(const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  return query(TOI_VERTEX_FACE, start, end, given, to);
}
template <class P, class Q>
hit edge_edge(const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  return query(TOI_EDGE_EDGE, start, end, given, to);
}
template <class P, class Q>
hit vertex_edge(const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  return query(TOI_VERTEX_EDGE, start, end, given, to);
}
template <class P, class Q>
hit vertex_vertex(const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  return query(TOI_VERTEX_VERTEX, start, end, given, to);
}

/* One vertex and one half-space. */
template <class V, class W>
hit vertex_half_space(const V &start, const W &end, const half_space &obstacle, const options &given = options(),
                      status *to = nullptr) {
  const auto at = corners(start, end);
  hit answer;
  detail::settle(toi_vertex_half_space(at[0].data(), at[1].data(), &obstacle, &given, &answer), "", to);
  return answer;
}

/* --- many queries --- */

namespace detail {

/* The number of items of `each` numbers; reports a failure, and returns SIZE_MAX, if that is not a whole number, or the
 * answers do not fit `room`. */
inline std::size_t batch_count(std::size_t numbers, std::size_t each, std::size_t room, status *to) {
  const char *fault = nullptr;
  if (each == 0)
    fault = "a kind that is no query of points";
  else if (numbers % each != 0)
    fault = "the length of the queries is no multiple of what one of this kind has";
  else if (numbers / each != room)
    fault = "the array for the answers has another length than there are queries";
  settle(fault == nullptr ? TOI_OK : TOI_ERROR_INPUT, fault, to);
  return fault == nullptr ? room : SIZE_MAX;
}

inline std::size_t query_numbers(toi_kind of) {
  return std::size_t{6} * toi_kind_points(of);
}

} // namespace detail

/* The hits go to an array of the caller's, one for each query. */
inline void batch(context &in, toi_kind of, span<const double> queries, const options &given, span<hit> hits,
                  status *to = nullptr) {
  const std::size_t count = detail::batch_count(queries.size(), detail::query_numbers(of), hits.size(), to);
  if (count != SIZE_MAX)
    detail::with_options(in.get(), given, to, [&](const toi_options *c) {
      return toi_batch(in.get(), of, queries.data(), count, c, hits.data());
    });
}
inline std::vector<hit> batch(context &in, toi_kind of, span<const double> queries, const options &given = options(),
                              status *to = nullptr) {
  const std::size_t each = detail::query_numbers(of);
  std::vector<hit> hits(each == 0 ? 0 : queries.size() / each, detail::safe_hit());
  batch(in, of, queries, given, hits, to);
  return hits;
}

inline void batch_indexed(context &in, toi_kind of, const mesh &on, span<const pair> pairs, const options &given,
                          span<hit> hits, status *to = nullptr) {
  const toi_mesh c_mesh = on.c();
  const char *const fault = hits.size() != pairs.size() ? "another number of hits than of pairs" : on.fault();
  if (fault != nullptr)
    return detail::settle(TOI_ERROR_INPUT, fault, to);
  detail::with_options(in.get(), given, to, [&](const toi_options *c) {
    return toi_batch_indexed(in.get(), of, &c_mesh, pairs.data(), pairs.size(), c, hits.data());
  });
}
inline std::vector<hit> batch_indexed(context &in, toi_kind of, const mesh &on, span<const pair> pairs,
                                      const options &given = options(), status *to = nullptr) {
  std::vector<hit> hits(pairs.size(), detail::safe_hit());
  batch_indexed(in, of, on, pairs, given, hits, to);
  return hits;
}

/* --- many queries, of which only those that are not misses are answered in full --- */

/* hits[i] answers query numbers[i]; the others are misses. */
struct listed_hits {
  std::vector<std::size_t> numbers;
  std::vector<hit> hits;
};

namespace detail {

/* Calls `ask(first, list)` until all queries are answered. */
template <class Ask> toi_status list_all(std::size_t count, listed_hits &found, Ask &&ask) {
  std::vector<hit> hits(std::min<std::size_t>(count, 4096));
  std::vector<std::size_t> numbers(hits.size());
  for (std::size_t first = 0; first < count;) {
    toi_hit_list list{};
    list.hits = hits.data();
    list.numbers = numbers.data();
    list.room = hits.size();
    const toi_status status = ask(first, &list);
    if (status != TOI_OK) {
      found = listed_hits();
      return status;
    }
    for (std::size_t i = 0; i < list.count; i++)
      found.numbers.push_back(first + numbers[i]);
    found.hits.insert(found.hits.end(), hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(list.count));
    first += list.answered;
  }
  return TOI_OK;
}

} // namespace detail

inline listed_hits batch_hits(context &in, toi_kind of, span<const double> queries, const options &given = options(),
                              status *to = nullptr) {
  listed_hits found;
  const std::size_t each = detail::query_numbers(of), room = each == 0 ? 0 : queries.size() / each;
  const std::size_t count = detail::batch_count(queries.size(), each, room, to);
  if (count != SIZE_MAX)
    detail::with_options(in.get(), given, to, [&](const toi_options *c) {
      return detail::list_all(count, found, [&](std::size_t first, toi_hit_list *list) {
        return toi_batch_hits(in.get(), of, queries.data() + each * first, count - first, c, list);
      });
    });
  return found;
}

inline listed_hits batch_indexed_hits(context &in, toi_kind of, const mesh &on, span<const pair> pairs,
                                      const options &given = options(), status *to = nullptr) {
  listed_hits found;
  const toi_mesh c_mesh = on.c();
  if (on.fault() != nullptr) {
    detail::settle(TOI_ERROR_INPUT, on.fault(), to);
    return found;
  }
  detail::with_options(in.get(), given, to, [&](const toi_options *c) {
    return detail::list_all(pairs.size(), found, [&](std::size_t first, toi_hit_list *list) {
      return toi_batch_indexed_hits(in.get(), of, &c_mesh, pairs.data() + first, pairs.size() - first, c, list);
    });
  });
  return found;
}

/* --- distances --- */

using distance = toi_distance;
using region = toi_region;

namespace detail {

/* Calls with the points of a primitive pair at one time. */
template <class P, class Call> void with_points(toi_kind of, const P &at, status *to, Call &&call) {
  const gathered these(at, toi_kind_points(of));
  if (these.fault() != nullptr)
    return settle(TOI_ERROR_INPUT, these.fault(), to);
  settle(call(these.get()), "", to);
}

inline distance safe_distance() {
  distance safe = {};
  safe.hi = HUGE_VAL;
  return safe;
}

} // namespace detail

template <class P>
distance distance_fast(toi_kind of, const P &at, toi_norm in_norm = TOI_NORM_L2, status *to = nullptr) {
  distance answer = detail::safe_distance();
  detail::with_points(of, at, to, [&](const double(*c)[3]) { return toi_distance_fast(of, c, in_norm, &answer); });
  return answer;
}

/* Exactly, as "numerator/denominator" in hexadecimal digits: the square of the distance, or the distance in the maximum
 * norm. */
template <class P>
std::string distance_rational(toi_kind of, const P &at, toi_norm in_norm = TOI_NORM_L2, status *to = nullptr) {
  std::string text;
  detail::with_points(of, at, to, [&](const double(*c)[3]) {
    std::size_t size = 0;
    toi_status code = toi_distance_rational(of, c, in_norm, nullptr, &size);
    if (size == 0)
      return code;
    text.resize(size);
    code = toi_distance_rational(of, c, in_norm, &text[0], &size);
    text.resize(code == TOI_OK ? size - 1 : 0);
    return code;
  });
  return text;
}

/* The largest double that is not above factor times the distance. */
template <class P>
double distance_part(toi_kind of, const P &at, double factor, toi_norm in_norm = TOI_NORM_L2, status *to = nullptr) {
  double part = 0;
  detail::with_points(of, at, to,
                      [&](const double(*c)[3]) { return toi_distance_part(of, c, in_norm, factor, &part); });
  return part;
}

template <class V>
distance half_space_distance(const V &at, const half_space &obstacle, toi_norm in_norm = TOI_NORM_L2,
                             status *to = nullptr) {
  const auto point = corners(at);
  distance answer;
  detail::settle(toi_half_space_distance(point[0].data(), &obstacle, in_norm, &answer), "", to);
  return answer;
}

inline void distance_batch(context &in, toi_kind of, span<const double> numbers, span<distance> distances,
                           toi_norm in_norm = TOI_NORM_L2, status *to = nullptr) {
  const std::size_t each = detail::query_numbers(of) / 2;
  const std::size_t count = detail::batch_count(numbers.size(), each, distances.size(), to);
  if (count != SIZE_MAX)
    detail::settle(toi_distance_batch(in.get(), of, numbers.data(), count, in_norm, distances.data()), in.get(), to);
}

inline void distance_batch_indexed(context &in, toi_kind of, const mesh &on, span<const pair> pairs,
                                   span<distance> distances, toi_norm in_norm = TOI_NORM_L2, status *to = nullptr) {
  const toi_mesh c_mesh = on.c();
  const char *const fault = distances.size() != pairs.size() ? "another number of distances than of pairs" : on.fault();
  if (fault != nullptr)
    return detail::settle(TOI_ERROR_INPUT, fault, to);
  detail::settle(
      toi_distance_batch_indexed(in.get(), of, &c_mesh, pairs.data(), pairs.size(), in_norm, distances.data()),
      in.get(), to);
}

/* --- proofs --- */

/* The exact answer: operator-> gives the fields of toi_proof, whose strings live in this. Empty on failure. */
class proof {
public:
  template <class P, class Q>
  proof(context &in, toi_kind of, const P &start, const Q &end, toi_proof_request request = TOI_PROOF_NUMBER,
        const options &given = options(), status *to = nullptr)
      : context_(in.get()) {
    const detail::gathered from(start, toi_kind_points(of)), until(end, toi_kind_points(of));
    const char *const fault = from.fault() != nullptr ? from.fault() : until.fault();
    if (fault != nullptr)
      detail::settle(TOI_ERROR_INPUT, fault, to);
    else
      detail::settle(toi_prove(context_, of, from.get()[0], until.get()[0], &given, request, &proof_), context_, to);
  }
  proof(proof &&other) noexcept : context_(other.context_), proof_(std::exchange(other.proof_, nullptr)) {}
  proof &operator=(proof &&other) noexcept {
    proof taken(std::move(other));
    std::swap(context_, taken.context_);
    std::swap(proof_, taken.proof_);
    return *this;
  }
  proof(const proof &) = delete;
  proof &operator=(const proof &) = delete;
  ~proof() {
    toi_proof_free(context_, proof_);
  }

  const toi_proof *get() const noexcept {
    return proof_;
  }
  const toi_proof *operator->() const noexcept {
    return proof_;
  }
  explicit operator bool() const noexcept {
    return proof_ != nullptr;
  }

private:
  toi_context *context_;
  toi_proof *proof_ = nullptr;
};

/* --- explanations --- */

using explained_piece = toi_explained_piece;
using explained_root = toi_explained_root;
using explanation = toi_explanation;
using outcome = toi_outcome;
using reduced = toi_reduced;
using root_source = toi_root_source;

inline const char *outcome_name(toi_outcome of) {
  return toi_outcome_name(of);
}
inline const char *root_source_name(toi_root_source of) {
  return toi_root_source_name(of);
}

/* Why a query is answered as it is; on failure its hit is the safe answer. */
template <class P, class Q>
explanation explain(toi_kind of, const P &start, const Q &end, const options &given = options(), status *to = nullptr) {
  const detail::gathered from(start, toi_kind_points(of)), until(end, toi_kind_points(of));
  explanation answer = {};
  answer.hit = detail::safe_hit();
  if (from.fault() != nullptr || until.fault() != nullptr) {
    detail::settle(TOI_ERROR_INPUT, from.fault() != nullptr ? from.fault() : until.fault(), to);
    return answer;
  }
  detail::settle(toi_explain(of, from.get(), until.get(), &given, &answer), "", to);
  return answer;
}

/* --- plug-ins --- */

/* The name by which options.method may call it, as long as the context lives. Functions of a plug-in are called by C:
 * one that is written in C++ catches all its exceptions itself. */
inline const char *plugin_load(context &in, const std::string &path, status *to = nullptr) {
  const char *name = nullptr;
  detail::settle(toi_plugin_load(in.get(), path.c_str(), &name), in.get(), to);
  return name;
}

} // namespace toi

#endif
