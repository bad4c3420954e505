/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole meshes: candidates, first impact, collisions, proximity, stencils, line search, crossings; and the scene that
 * is kept between calls. See toi/broad.h, scene.h and stencil.h.
 *
 * Each question comes twice: of a context and a mesh, as toi::step(context, mesh), and of a scene and positions, as
 * scene.step({start, end}). Where results are visited, the visitor is an argument; without one they are returned. */

#ifndef TOI_CPP_SCENE_HPP
#define TOI_CPP_SCENE_HPP

#include <toi/cpp/mesh.hpp>
#include <toi/cpp/narrow.hpp>
#include <toi/cpp/options.hpp>

namespace toi {

using advance = toi_advance;
using collision = toi_collision;
using crossing = toi_crossing;
using impact = toi_impact;
using intersection = toi_intersection;
using proximal = toi_proximal;
using stencil = toi_stencil;

/* A candidate, where they are returned and not visited. */
struct candidate {
  toi_kind kind;
  toi_pair pair;
};

struct stencil_options {
  points rest; /* the vertices at rest, laid out like the start; none: the start */
  double mollifier = toi_default_stencil_options().mollifier;
};

namespace detail {

/* A mesh, or a scene at some positions: they have the same calls, so the code below is written once. */
struct asked_mesh {
  toi_context *owner;
  toi_mesh on;
  positions at;
  const char *fault;

  asked_mesh(const context &in, const mesh &m) : owner(in.get()), on(m.c()), at(m.at()), fault(m.fault()) {}
  toi_status step(const toi_options *o, toi_impact *to) const {
    return toi_step(owner, &on, o, to);
  }
  toi_status collisions(const toi_options *o, toi_collisions_visitor visit, void *user) const {
    return toi_collisions(owner, &on, o, visit, user);
  }
  toi_status proximity(double d, const toi_options *o, toi_proximity_visitor visit, void *user) const {
    return toi_proximity(owner, &on, d, o, visit, user);
  }
  toi_status stencils(double d, const toi_options *o, const toi_stencil_options *s, toi_stencil_visitor visit,
                      void *user) const {
    return toi_stencils(owner, &on, d, o, s, visit, user);
  }
  toi_status safe_displacements(double least, double radius, const toi_options *o, double *to) const {
    return toi_safe_displacements(owner, &on, least, radius, o, to);
  }
  toi_status line_search(const toi_options *o, void *placed, toi_advance *to) const {
    return toi_line_search(owner, &on, o, placed, to);
  }
  toi_status candidates(const toi_options *o, toi_pairs_visitor visit, void *user) const {
    return toi_candidates(owner, &on, o, visit, user);
  }
  toi_status intersects(const toi_options *o, toi_intersection *to) const {
    return toi_mesh_intersects(owner, &on, o, to);
  }
  toi_status crossings(const toi_options *o, toi_crossings_visitor visit, void *user) const {
    return toi_mesh_crossings(owner, &on, o, visit, user);
  }
};

struct asked_scene {
  toi_context *owner;
  toi_scene *on;
  positions at;
  toi_positions where;
  const char *fault;

  asked_scene(toi_context *in, toi_scene *scene, const positions &p)
      : owner(in), on(scene), at(p), where(p.c()), fault(p.fault()) {}
  toi_status step(const toi_options *o, toi_impact *to) const {
    return toi_scene_step(owner, on, &where, o, to);
  }
  toi_status collisions(const toi_options *o, toi_collisions_visitor visit, void *user) const {
    return toi_scene_collisions(owner, on, &where, o, visit, user);
  }
  toi_status proximity(double d, const toi_options *o, toi_proximity_visitor visit, void *user) const {
    return toi_scene_proximity(owner, on, &where, d, o, visit, user);
  }
  toi_status stencils(double d, const toi_options *o, const toi_stencil_options *s, toi_stencil_visitor visit,
                      void *user) const {
    return toi_scene_stencils(owner, on, &where, d, o, s, visit, user);
  }
  toi_status safe_displacements(double least, double radius, const toi_options *o, double *to) const {
    return toi_scene_safe_displacements(owner, on, &where, least, radius, o, to);
  }
  toi_status line_search(const toi_options *o, void *placed, toi_advance *to) const {
    return toi_scene_line_search(owner, on, &where, o, placed, to);
  }
  toi_status candidates(const toi_options *o, toi_pairs_visitor visit, void *user) const {
    return toi_scene_candidates(owner, on, &where, o, visit, user);
  }
  toi_status intersects(const toi_options *o, toi_intersection *to) const {
    return toi_scene_intersects(owner, on, &where, o, to);
  }
  toi_status crossings(const toi_options *o, toi_crossings_visitor visit, void *user) const {
    return toi_scene_crossings(owner, on, &where, o, visit, user);
  }
};

/* --- the questions, once for both --- */

template <class Asked, class Call> void ask(const Asked &asked, const options &given, status *to, Call &&call) {
  if (asked.fault != nullptr)
    return settle(TOI_ERROR_INPUT, asked.fault, to);
  with_options(asked.owner, given, to, call);
}

template <class T, class Asked, class Visit, class Call>
void ask_visiting(const Asked &asked, const options &given, Visit &visit, status *to, Call &&call) {
  if (asked.fault != nullptr)
    return settle(TOI_ERROR_INPUT, asked.fault, to);
  with_visitor<T>(asked.owner, given, visit, to, call);
}

template <class Asked> impact step(const Asked &asked, const options &given, status *to) {
  impact answer = {};
  answer.hit = safe_hit();
  ask(asked, given, to, [&](const toi_options *c) { return asked.step(c, &answer); });
  return answer;
}

template <class Asked> intersection intersects(const Asked &asked, const options &given, status *to) {
  intersection answer = {};
  answer.found = 1;
  ask(asked, given, to, [&](const toi_options *c) { return asked.intersects(c, &answer); });
  return answer;
}

template <class Asked> advance line_search(const Asked &asked, const options &given, points_out placed, status *to) {
  advance answer = {};
  answer.first.hit = safe_hit();
  if (asked.fault == nullptr && (placed.fault() != nullptr || !placed.laid_out_like(asked.at.start()))) {
    settle(TOI_ERROR_INPUT, "the positions to write differ from start and end in number, type or layout", to);
    return answer;
  }
  ask(asked, given, to, [&](const toi_options *c) { return asked.line_search(c, placed.data(), &answer); });
  return answer;
}

template <class Asked>
std::vector<double> safe_displacements(const Asked &asked, double min_distance, double radius, const options &given,
                                       status *to) {
  std::vector<double> answer(asked.at.start().size(), 0.0);
  ask(asked, given, to,
      [&](const toi_options *c) { return asked.safe_displacements(min_distance, radius, c, answer.data()); });
  return answer;
}

template <class Asked, class Visit>
void collisions(const Asked &asked, const options &given, Visit &visit, status *to) {
  ask_visiting<collision>(
      asked, given, visit, to,
      [&](const toi_options *c, visitor<collision, Visit> &v) { return asked.collisions(c, v.call, &v); });
}

template <class Asked, class Visit>
void proximity(const Asked &asked, double d, const options &given, Visit &visit, status *to) {
  ask_visiting<proximal>(
      asked, given, visit, to,
      [&](const toi_options *c, visitor<proximal, Visit> &v) { return asked.proximity(d, c, v.call, &v); });
}

template <class Asked, class Visit>
void candidates(const Asked &asked, const options &given, Visit &visit, status *to) {
  ask_visiting<pair>(
      asked, given, visit, to,
      [&](const toi_options *c, visitor<pair, Visit> &v) { return asked.candidates(c, v.call_kind, &v); });
}

template <class Asked, class Visit> void crossings(const Asked &asked, const options &given, Visit &visit, status *to) {
  ask_visiting<crossing>(
      asked, given, visit, to,
      [&](const toi_options *c, visitor<crossing, Visit> &v) { return asked.crossings(c, v.call, &v); });
}

template <class Asked, class Visit>
void stencils(const Asked &asked, double d, const options &given, const stencil_options &more, Visit &visit,
              status *to) {
  toi_stencil_options c_more = toi_default_stencil_options();
  c_more.mollifier = more.mollifier;
  c_more.rest = more.rest.data();
  if (asked.fault == nullptr && more.rest.data() != nullptr && !more.rest.laid_out_like(asked.at.start()))
    return settle(TOI_ERROR_INPUT, "rest and start differ in number, type or layout", to);
  ask_visiting<stencil>(asked, given, visit, to, [&](const toi_options *c, visitor<stencil, Visit> &v) {
    return asked.stencils(d, c, &c_more, v.call, &v);
  });
}

/* Visits into a vector. A failure leaves it empty. */
template <class T, class Ask> std::vector<T> collected(status *to, Ask &&visits) {
  std::vector<T> all;
  auto keep = [&](span<const T> some) { all.insert(all.end(), some.begin(), some.end()); };
  visits(keep);
  if (to != nullptr && !to->ok())
    all.clear();
  return all;
}

template <class Asked>
std::vector<candidate> collected_candidates(const Asked &asked, const options &given, status *to) {
  std::vector<candidate> all;
  auto keep = [&](toi_kind of, toi_pair numbers) { all.push_back({of, numbers}); };
  candidates(asked, given, keep, to);
  if (to != nullptr && !to->ok())
    all.clear();
  return all;
}

} // namespace detail

/* --- of a mesh --- */

inline impact step(context &in, const mesh &on, const options &given = options(), status *to = nullptr) {
  return detail::step(detail::asked_mesh(in, on), given, to);
}

template <class Visit, class = detail::if_visitor<Visit>>
void collisions(context &in, const mesh &on, const options &given, Visit &&visit, status *to = nullptr) {
  detail::collisions(detail::asked_mesh(in, on), given, visit, to);
}
inline std::vector<collision> collisions(context &in, const mesh &on, const options &given = options(),
                                         status *to = nullptr) {
  return detail::collected<collision>(
      to, [&](auto &keep) { collisions(in, on, given, keep, to); });
}

template <class Visit, class = detail::if_visitor<Visit>>
void proximity(context &in, const mesh &on, double within, const options &given, Visit &&visit, status *to = nullptr) {
  detail::proximity(detail::asked_mesh(in, on), within, given, visit, to);
}
inline std::vector<proximal> proximity(context &in, const mesh &on, double within, const options &given = options(),
                                       status *to = nullptr) {
  return detail::collected<proximal>(
      to, [&](auto &keep) { proximity(in, on, within, given, keep, to); });
}

template <class Visit, class = detail::if_visitor<Visit>>
void stencils(context &in, const mesh &on, double within, const options &given, const stencil_options &more,
              Visit &&visit, status *to = nullptr) {
  detail::stencils(detail::asked_mesh(in, on), within, given, more, visit, to);
}
inline std::vector<stencil> stencils(context &in, const mesh &on, double within, const options &given = options(),
                                     const stencil_options &more = stencil_options(), status *to = nullptr) {
  return detail::collected<stencil>(
      to, [&](auto &keep) { stencils(in, on, within, given, more, keep, to); });
}

/* How far each vertex may move on its own. */
inline std::vector<double> safe_displacements(context &in, const mesh &on, double min_distance, double radius,
                                              const options &given = options(), status *to = nullptr) {
  return detail::safe_displacements(detail::asked_mesh(in, on), min_distance, radius, given, to);
}

/* `placed` receives the positions after the step; an array of its own, laid out like the mesh's end. */
inline advance line_search(context &in, const mesh &on, const options &given, points_out placed, status *to = nullptr) {
  return detail::line_search(detail::asked_mesh(in, on), given, placed, to);
}

/* The visitor takes a toi_kind and a toi::pair, or a span of them; calls come one at a time, from any thread. */
template <class Visit, class = detail::if_visitor<Visit>>
void candidates(context &in, const mesh &on, const options &given, Visit &&visit, status *to = nullptr) {
  detail::candidates(detail::asked_mesh(in, on), given, visit, to);
}
inline std::vector<candidate> candidates(context &in, const mesh &on, const options &given = options(),
                                         status *to = nullptr) {
  return detail::collected_candidates(detail::asked_mesh(in, on), given, to);
}

inline intersection mesh_intersects(context &in, const mesh &on, const options &given = options(),
                                    status *to = nullptr) {
  return detail::intersects(detail::asked_mesh(in, on), given, to);
}

template <class Visit, class = detail::if_visitor<Visit>>
void mesh_crossings(context &in, const mesh &on, const options &given, Visit &&visit, status *to = nullptr) {
  detail::crossings(detail::asked_mesh(in, on), given, visit, to);
}
inline std::vector<crossing> mesh_crossings(context &in, const mesh &on, const options &given = options(),
                                            status *to = nullptr) {
  return detail::collected<crossing>(
      to, [&](auto &keep) { mesh_crossings(in, on, given, keep, to); });
}

/* --- boxes --- */

/* lo x y z, then hi x y z. */
using box = std::array<double, 6>;

/* Every pair of boxes that overlap; calls of the visitor come one at a time, from any thread. */
template <class Visit, class = detail::if_visitor<Visit>>
void box_pairs(context &in, span<const box> boxes, const options &given, Visit &&visit, status *to = nullptr) {
  detail::with_visitor<pair>(
      in.get(), given, visit, to,
      [&](const toi_options *c, detail::visitor<pair, std::remove_reference_t<Visit>> &v) {
        const auto *const first = reinterpret_cast<const double(*)[6]>(boxes.data());
        return toi_box_pairs(in.get(), first, boxes.size(), c->on_mesh, v.call, &v);
      });
}
inline std::vector<pair> box_pairs(context &in, span<const box> boxes, const options &given = options(),
                                   status *to = nullptr) {
  return detail::collected<pair>(
      to, [&](auto &keep) { box_pairs(in, boxes, given, keep, to); });
}

inline const char *broad_name(std::size_t number) {
  return toi_broad_name(number);
}
inline const char *broad_promise(const char *name) {
  return toi_broad_promise(name);
}

/* --- a scene kept between calls --- */

/* Connectivity is copied when the scene is made; positions are seen for the time of a call. It must not outlive its
 * context, which may be moved. */
class scene : public detail::handle<toi_scene, toi_scene_destroy> {
public:
  scene(toi::context &in, const topology &from, status *to = nullptr) : context_(in.get()) {
    const toi_topology c = from.c();
    const char *const fault = from.mixed() ? "faces and edges have numbers of different width" : from.fault();
    if (fault != nullptr)
      detail::settle(TOI_ERROR_INPUT, fault, to);
    else
      detail::settle(toi_scene_create(context_, &c, &pointer_), context_, to);
  }

  /* Its edges, in the order of their numbers; they are the scene's. */
  span<const std::uint32_t[2]> edges() const {
    const std::uint32_t(*first)[2] = nullptr;
    const std::size_t count = toi_scene_edges(pointer_, &first);
    return {first, count};
  }

  impact step(const positions &at, const options &given = options(), status *to = nullptr) {
    return detail::step(ask(at), given, to);
  }

  template <class Visit, class = detail::if_visitor<Visit>>
  void collisions(const positions &at, const options &given, Visit &&visit, status *to = nullptr) {
    detail::collisions(ask(at), given, visit, to);
  }
  std::vector<collision> collisions(const positions &at, const options &given = options(), status *to = nullptr) {
    return detail::collected<collision>(
        to, [&](auto &keep) { collisions(at, given, keep, to); });
  }

  template <class Visit, class = detail::if_visitor<Visit>>
  void proximity(const positions &at, double within, const options &given, Visit &&visit, status *to = nullptr) {
    detail::proximity(ask(at), within, given, visit, to);
  }
  std::vector<proximal> proximity(const positions &at, double within, const options &given = options(),
                                  status *to = nullptr) {
    return detail::collected<proximal>(
        to, [&](auto &keep) { proximity(at, within, given, keep, to); });
  }

  template <class Visit, class = detail::if_visitor<Visit>>
  void stencils(const positions &at, double within, const options &given, const stencil_options &more, Visit &&visit,
                status *to = nullptr) {
    detail::stencils(ask(at), within, given, more, visit, to);
  }
  std::vector<stencil> stencils(const positions &at, double within, const options &given = options(),
                                const stencil_options &more = stencil_options(), status *to = nullptr) {
    return detail::collected<stencil>(
        to, [&](auto &keep) { stencils(at, within, given, more, keep, to); });
  }

  std::vector<double> safe_displacements(const positions &at, double min_distance, double radius,
                                         const options &given = options(), status *to = nullptr) {
    return detail::safe_displacements(ask(at), min_distance, radius, given, to);
  }

  advance line_search(const positions &at, const options &given, points_out placed, status *to = nullptr) {
    return detail::line_search(ask(at), given, placed, to);
  }

  template <class Visit, class = detail::if_visitor<Visit>>
  void candidates(const positions &at, const options &given, Visit &&visit, status *to = nullptr) {
    detail::candidates(ask(at), given, visit, to);
  }
  std::vector<candidate> candidates(const positions &at, const options &given = options(), status *to = nullptr) {
    return detail::collected_candidates(ask(at), given, to);
  }

  intersection intersects(const positions &at, const options &given = options(), status *to = nullptr) {
    return detail::intersects(ask(at), given, to);
  }

  template <class Visit, class = detail::if_visitor<Visit>>
  void crossings(const positions &at, const options &given, Visit &&visit, status *to = nullptr) {
    detail::crossings(ask(at), given, visit, to);
  }
  std::vector<crossing> crossings(const positions &at, const options &given = options(), status *to = nullptr) {
    return detail::collected<crossing>(
        to, [&](auto &keep) { crossings(at, given, keep, to); });
  }

private:
  detail::asked_scene ask(const positions &at) const {
    return {context_, pointer_, at};
  }

  toi_context *context_;
};

/* --- derivatives of stencils --- */

/* The squared distance of a pair's features, and its derivatives by the coordinates in the order of a query. */
struct stencil_values {
  std::size_t size = 0; /* 3 times the points of the kind */
  double value = 0;
  std::array<double, 12> gradient = {}; /* size numbers */
  std::array<double, 144> hessian = {}; /* size rows of size numbers */
};

template <class P> stencil_values stencil_derivatives(toi_kind of, const P &at, status *to = nullptr) {
  stencil_values answer;
  detail::with_points(of, at, to, [&](const double(*c)[3]) {
    answer.size = std::size_t{3} * toi_kind_points(of);
    return toi_stencil_derivatives(of, c, &answer.value, answer.gradient.data(), answer.hessian.data());
  });
  return answer;
}

/* The mollifier of two edges. */
template <class P> stencil_values stencil_mollifier(const P &at, double threshold, status *to = nullptr) {
  stencil_values answer;
  detail::with_points(TOI_EDGE_EDGE, at, to, [&](const double(*c)[3]) {
    answer.size = 12;
    return toi_stencil_mollifier(c, threshold, &answer.value, answer.gradient.data(), answer.hessian.data());
  });
  return answer;
}

/* Where derivatives of many stencils go: arrays of as many elements as there are stencils, or none. */
struct stencil_arrays {
  span<double> squared;
  span<std::array<double, 12>> gradients;
  span<std::array<double, 144>> hessians;
  span<double> mollifiers;
  span<std::array<double, 12>> mollifier_gradients;
  span<std::array<double, 144>> mollifier_hessians;
};

/* With the coordinates of the mesh's start; the mesh needs no faces or edges. */
inline void stencil_batch(context &in, const mesh &on, span<const stencil> stencils, const stencil_arrays &arrays,
                          status *to = nullptr) {
  bool fits = true;
  const auto first = [&](auto numbers) {
    fits = fits && (numbers.empty() || numbers.size() == stencils.size());
    return numbers.empty() ? nullptr : numbers.data();
  };
  toi_stencil_arrays c;
  toi_stencil_arrays_init(&c, sizeof c);
  c.squared = first(arrays.squared);
  c.gradients = reinterpret_cast<double(*)[12]>(first(arrays.gradients));
  c.hessians = reinterpret_cast<double(*)[144]>(first(arrays.hessians));
  c.mollifiers = first(arrays.mollifiers);
  c.mollifier_gradients = reinterpret_cast<double(*)[12]>(first(arrays.mollifier_gradients));
  c.mollifier_hessians = reinterpret_cast<double(*)[144]>(first(arrays.mollifier_hessians));
  const toi_mesh c_mesh = on.c();
  const char *const fault = fits ? on.fault() : "an array for the results has another length than there are stencils";
  if (fault != nullptr)
    return detail::settle(TOI_ERROR_INPUT, fault, to);
  detail::settle(toi_stencil_batch(in.get(), &c_mesh, stencils.data(), stencils.size(), &c), in.get(), to);
}

} // namespace toi

#endif
