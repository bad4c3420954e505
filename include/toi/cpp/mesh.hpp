/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes: connectivity, positions, and both together. See toi_mesh, toi_topology and toi_positions.
 *
 * Arrays stay the caller's and must outlive the object that was given them. Positions are never copied. Vertex numbers
 * are not copied by a topology; a mesh copies them unless they are contiguous rows of 32-bit numbers (see copied()). */

#ifndef TOI_CPP_MESH_HPP
#define TOI_CPP_MESH_HPP

#include <toi/cpp/base.hpp>
#include <toi/cpp/options.hpp>
#include <toi/cpp/view.hpp>

namespace toi {

/* The data that stay the same from call to call. Lengths of arrays are checked when a call is made. */
class topology {
public:
  explicit topology(std::size_t vertex_count, faces of_faces = faces(), edges of_edges = edges())
      : vertex_count_(vertex_count), faces_(of_faces), edges_(of_edges) {}

  /* Each is an array of the caller, which must outlive this object. Of each vertex: its body (TOI_NO_BODY: of
   * none), whether it is fixed, its thickness. */
  void bodies(detail::kept<std::uint32_t> of_vertices) {
    bodies_ = of_vertices;
  }
  void fixed(detail::kept<std::uint8_t> of_vertices) {
    fixed_ = of_vertices;
  }
  void thickness(detail::kept<double> of_vertices) {
    thickness_ = of_vertices;
  }
  /* Bit i of the set: vertex i takes no part. */
  void skipped(detail::kept<std::uint64_t> set) {
    skipped_ = set;
  }
  /* Of each body. */
  void body_thickness(detail::kept<double> of_bodies) {
    body_thickness_ = of_bodies;
    body_count_ = of_bodies.size();
  }
  /* Bit i * body_count + j of the set: bodies i <= j may collide. */
  void body_pairs(detail::kept<std::uint64_t> set, std::size_t body_count) {
    body_pairs_ = set;
    body_count_ = body_count;
  }
  void half_spaces(detail::kept<toi_half_space> obstacles) {
    half_spaces_ = obstacles;
  }

  std::size_t vertex_count() const noexcept {
    return vertex_count_;
  }

  /* The error in the shape of an array; NULL: none. */
  const char *fault() const noexcept {
    if (faces_.fault() != nullptr || edges_.fault() != nullptr)
      return faces_.fault() != nullptr ? faces_.fault() : edges_.fault();
    if (wrong(bodies_.size()) || wrong(fixed_.size()) || wrong(thickness_.size()))
      return "bodies, fixed or thickness: one number for each vertex is expected";
    if (skipped_.data() != nullptr && skipped_.size() < (vertex_count_ + 63) / 64)
      return "skipped: a bit for each vertex is expected";
    if (body_thickness_.data() != nullptr && body_thickness_.size() != body_count_)
      return "body_thickness and body_pairs are of different numbers of bodies";
    const bool many = body_count_ > UINT32_MAX;
    if (body_pairs_.data() != nullptr && (many || body_pairs_.size() < (body_count_ * body_count_ + 63) / 64))
      return "body_pairs: a bit for each pair of bodies is expected";
    return nullptr;
  }

  /* A scene takes faces and edges as numbers of one width; a mesh accepts any. */
  bool mixed() const noexcept {
    const auto wide = [](toi_index index) { return index == TOI_UINT64 || index == TOI_INT64; };
    return faces_.size() != 0 && edges_.size() != 0 && wide(faces_.index()) != wide(edges_.index());
  }

  /* The C struct; it refers to the same arrays. */
  toi_topology c() const {
    toi_topology t;
    toi_topology_init(&t, sizeof t);
    t.vertex_count = vertex_count_;
    t.index = faces_.size() != 0 ? faces_.index() : edges_.index();
    t.faces = faces_.data();
    t.face_count = faces_.size();
    t.face_stride = faces_.stride();
    t.face_component_stride = faces_.component_stride();
    t.edges = edges_.data();
    t.edge_count = edges_.size();
    t.edge_stride = edges_.stride();
    t.edge_component_stride = edges_.component_stride();
    attach(t);
    return t;
  }

protected:
  /* The fields that toi_topology and toi_mesh have in common. */
  template <class C> void attach(C &c) const {
    c.bodies = bodies_.data();
    c.fixed = fixed_.data();
    c.thickness = thickness_.data();
    c.body_thickness = body_thickness_.data();
    c.body_count = body_count_;
    c.skipped = skipped_.data();
    c.body_pairs = body_pairs_.data();
    c.half_spaces = half_spaces_.data();
    c.half_space_count = half_spaces_.size();
  }
  bool wrong(std::size_t size) const noexcept {
    return size != 0 && size != vertex_count_;
  }

  std::size_t vertex_count_;
  faces faces_;
  edges edges_;

private:
  span<const std::uint32_t> bodies_;
  span<const std::uint8_t> fixed_;
  span<const double> thickness_, body_thickness_;
  span<const std::uint64_t> skipped_, body_pairs_;
  span<const toi_half_space> half_spaces_;
  std::size_t body_count_ = 0;
};

/* The positions of the vertices: at the start and at the end of a step, or at one instant. Both have the same layout.
 */
class positions {
public:
  positions(points start, points end) : start_(start), end_(end), moving_(true) {}
  positions(points at) : start_(at) {}
  template <class A, class = detail::if_numbers<A, std::is_floating_point>>
  positions(A &&at) : start_(std::forward<A>(at)) {}

  const points &start() const noexcept {
    return start_;
  }
  const points &end() const noexcept {
    return end_;
  }
  const char *fault() const noexcept {
    if (start_.fault() != nullptr || end_.fault() != nullptr)
      return start_.fault() != nullptr ? start_.fault() : end_.fault();
    return moving_ && !start_.laid_out_like(end_) ? "start and end differ in number, type or layout" : nullptr;
  }
  toi_positions c() const {
    toi_positions p;
    toi_positions_init(&p, sizeof p);
    fill(p);
    return p;
  }

  /* The fields that toi_positions and toi_mesh have in common. */
  template <class C> void fill(C &c) const {
    c.start = start_.data();
    c.end = end_.data();
    c.scalar = start_.scalar();
    c.stride = start_.stride();
    c.component_stride = start_.component_stride();
    c.vertex_count = start_.size();
  }

private:
  points start_, end_;
  bool moving_ = false;
};

/* Positions and connectivity, for calls that keep nothing. If edges are not given, those of the faces are found in each
 * call. */
class mesh : public topology {
public:
  mesh(points start, points end, faces of_faces = faces(), edges of_edges = edges())
      : mesh(positions(start, end), of_faces, of_edges) {}
  /* Positions, or one array for an instant: proximity, stencils, crossings, distances. */
  explicit mesh(positions at, faces of_faces = faces(), edges of_edges = edges())
      : topology(at.start().size(), of_faces, of_edges), at_(at), own_faces_(copied(of_faces)),
        own_edges_(copied(of_edges)) {}

  const positions &at() const noexcept {
    return at_;
  }
  /* Whether vertex numbers had to be copied. */
  bool copied() const noexcept {
    return !own_faces_.empty() || !own_edges_.empty();
  }
  const char *fault() const noexcept {
    return at_.fault() != nullptr ? at_.fault() : topology::fault();
  }
  toi_mesh c() const {
    toi_mesh m;
    toi_mesh_init(&m, sizeof m);
    at_.fill(m);
    m.faces = static_cast<const std::uint32_t(*)[3]>(own_faces_.empty() ? faces_.data() : own_faces_.data());
    m.face_count = faces_.size();
    m.edges = static_cast<const std::uint32_t(*)[2]>(own_edges_.empty() ? edges_.data() : own_edges_.data());
    m.edge_count = edges_.size();
    attach(m);
    return m;
  }

private:
  template <std::size_t N> static std::vector<std::uint32_t> copied(const indices<N> &from) {
    std::vector<std::uint32_t> to;
    if (from.packed() || from.fault() != nullptr)
      return to;
    to.reserve(N * from.size());
    for (std::size_t i = 0; i < from.size(); i++)
      for (std::size_t k = 0; k < N; k++)
        to.push_back(from(i, k));
    return to;
  }

  positions at_;
  std::vector<std::uint32_t> own_faces_, own_edges_;
};

/* Checks everything in a mesh that could be wrong. */
inline void mesh_check(context &in, const mesh &on, status *to = nullptr) {
  const toi_mesh c = on.c();
  if (on.fault() != nullptr)
    return detail::settle(TOI_ERROR_INPUT, on.fault(), to);
  detail::settle(toi_mesh_check(in.get(), &c), in.get(), to);
}

/* The edges of faces and loose edges, numbered as every call on a mesh does. The numbers are copied first if their
 * layout requires it. */
inline std::vector<std::array<std::uint32_t, 2>> mesh_edges(context &in, faces of_faces, edges loose = edges(),
                                                            status *to = nullptr) {
  std::vector<std::array<std::uint32_t, 2>> found;
  const mesh packed{positions(points()), of_faces, loose};
  if (packed.topology::fault() != nullptr) {
    detail::settle(TOI_ERROR_INPUT, packed.topology::fault(), to);
    return found;
  }
  const toi_mesh c = packed.c();
  std::uint32_t(*pairs)[2] = nullptr;
  std::size_t count = 0;
  const toi_status code = toi_mesh_edges(in.get(), c.faces, c.face_count, c.edges, c.edge_count, &pairs, &count);
  detail::settle(code, in.get(), to);
  if (code != TOI_OK)
    return found;
  const auto release = [&](std::uint32_t(*p)[2]) { toi_mesh_edges_free(in.get(), p, count); };
  const std::unique_ptr<std::uint32_t[][2], decltype(release)> freed(pairs, release);
  found.reserve(count);
  for (std::size_t i = 0; i < count; i++)
    found.push_back({pairs[i][0], pairs[i][1]});
  return found;
}

} // namespace toi

#endif
