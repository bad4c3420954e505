/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files in and out. See toi/io.h. Data that were read belong to their context, and are freed with the object that holds
 * them. */

#ifndef TOI_CPP_IO_HPP
#define TOI_CPP_IO_HPP

#include <toi/cpp/contact.hpp>
#include <toi/cpp/mesh.hpp>

namespace toi {

/* --- queries --- */

class query_set : public detail::owned<toi_query_set, toi_queries_free> {
public:
  static query_set read(context &in, const std::string &path, status *to = nullptr) {
    query_set set;
    set.context_ = in.get();
    detail::settle(toi_queries_read(in.get(), path.c_str(), &set.value_), in.get(), to);
    return set;
  }

  std::size_t size() const noexcept {
    return value_.count;
  }
  /* As toi::batch() takes them. */
  span<const double> queries() const noexcept {
    return {value_.queries, 24 * value_.count};
  }
  /* 0 or 1 each; none if the file has none. */
  span<const std::uint8_t> truth() const noexcept {
    return {value_.truth, value_.truth == nullptr ? 0 : value_.count};
  }
};

namespace detail {

/* Queries of the caller as C takes them: 24 numbers each, and a truth for each, or none. */
inline toi_query_set as_query_set(span<const double> queries, span<const std::uint8_t> truth = {}) {
  toi_query_set set = {};
  set.queries = const_cast<double *>(queries.data());
  set.truth = const_cast<std::uint8_t *>(truth.data());
  set.count = queries.size() / 24;
  return set;
}

inline const char *query_fault(span<const double> queries, span<const std::uint8_t> truth) {
  const bool fits = queries.size() % 24 == 0 && (truth.empty() || truth.size() == queries.size() / 24);
  return fits ? nullptr : "24 numbers for each query, and a truth for each or none, are expected";
}

} // namespace detail

inline void queries_write(context &in, const std::string &path, span<const double> queries,
                          span<const std::uint8_t> truth = {}, status *to = nullptr) {
  if (const char *fault = detail::query_fault(queries, truth))
    return detail::settle(TOI_ERROR_INPUT, fault, to);
  const toi_query_set set = detail::as_query_set(queries, truth);
  detail::settle(toi_queries_write(in.get(), path.c_str(), &set), in.get(), to);
}

class truth : public detail::owned<toi_truth, toi_truth_free> {
public:
  static truth read(context &in, const std::string &path, status *to = nullptr) {
    truth t;
    t.context_ = in.get();
    detail::settle(toi_truth_read(in.get(), path.c_str(), &t.value_), in.get(), to);
    return t;
  }
};

/* --- meshes --- */

class frame : public detail::owned<toi_frame, toi_frame_free> {
public:
  static frame read(context &in, const std::string &path, status *to = nullptr) {
    frame f;
    f.context_ = in.get();
    detail::settle(toi_frame_read(in.get(), path.c_str(), &f.value_), in.get(), to);
    return f;
  }

  toi::points points() const {
    if (value_.scalar == TOI_FLOAT64)
      return {static_cast<const double *>(value_.vertices), value_.vertex_count};
    return {static_cast<const float *>(value_.vertices), value_.vertex_count};
  }
  toi::faces faces() const {
    return {value_.face_count == 0 ? nullptr : value_.faces[0], value_.face_count};
  }
  toi::edges loose() const {
    return {value_.loose_count == 0 ? nullptr : value_.loose[0], value_.loose_count};
  }
};

/* Writes packed points, and rows of numbers of 32 bits, without a copy; anything else by way of one. */
inline void frame_write(context &in, const std::string &path, points at, faces of_faces = faces(),
                        edges loose = edges(), status *to = nullptr) {
  const mesh packed{positions(at), of_faces, loose};
  if (packed.fault() != nullptr)
    return detail::settle(TOI_ERROR_INPUT, packed.fault(), to);
  std::vector<double> wide;
  std::vector<float> narrow;
  const std::size_t size = at.scalar() == TOI_FLOAT64 ? sizeof(double) : sizeof(float);
  const bool gaps = at.component_stride() != 0 || at.stride() != 3 * size;
  for (std::size_t i = 0; gaps && i < 3 * at.size(); i++)
    if (at.scalar() == TOI_FLOAT64)
      wide.push_back(at(i / 3, i % 3));
    else
      narrow.push_back(static_cast<float>(at(i / 3, i % 3)));
  const toi_mesh c = packed.c();
  toi_frame f = {};
  f.vertices = const_cast<void *>(!gaps ? c.start : wide.empty() ? narrow.data() : static_cast<void *>(wide.data()));
  f.scalar = at.scalar();
  f.vertex_count = at.size();
  f.faces = const_cast<std::uint32_t(*)[3]>(c.faces);
  f.face_count = c.face_count;
  f.loose = const_cast<std::uint32_t(*)[2]>(c.edges);
  f.loose_count = c.edge_count;
  detail::settle(toi_frame_write(in.get(), path.c_str(), &f), in.get(), to);
}

/* Reports the first difference if two frames are not states of one mesh. */
inline void frames_match(context &in, const frame &start, const std::string &start_name, const frame &end,
                         const std::string &end_name, status *to = nullptr) {
  detail::settle(toi_frames_match(in.get(), &start.get(), start_name.c_str(), &end.get(), end_name.c_str()), in.get(),
                 to);
}

/* --- curved surfaces --- */

class case_set : public detail::owned<toi_case_set, toi_cases_free> {
public:
  static case_set read(context &in, const std::string &path, status *to = nullptr) {
    case_set set;
    set.context_ = in.get();
    detail::settle(toi_cases_read(in.get(), path.c_str(), &set.value_), in.get(), to);
    return set;
  }
  void write(const std::string &path, status *to = nullptr) const {
    detail::settle(toi_cases_write(context_, path.c_str(), &value_), context_, to);
  }

  std::size_t size() const noexcept {
    return value_.count;
  }
  const toi_patch_case &operator[](std::size_t number) const {
    return *toi_case_set_case(&value_, number);
  }
};

/* All cases of a file, each with its own time. */
inline std::vector<surface_hit> patch_batch(context &in, const case_set &set,
                                            const surface_options &given = surface_options(), status *to = nullptr) {
  std::vector<surface_hit> hits(set.size(), detail::safe_surface_hit());
  detail::with_surface_options(in.get(), given, to, [&](const toi_surface_options *c, surface_hit *) {
    return toi_patch_batch(in.get(), set.get().cases, set.size(), c, hits.data());
  });
  return hits;
}

class contact_scene : public detail::owned<toi_contact_scene, toi_contact_scene_free> {
public:
  static contact_scene read(context &in, const std::string &path, status *to = nullptr) {
    contact_scene scene;
    scene.context_ = in.get();
    detail::settle(toi_contact_scene_read(in.get(), path.c_str(), &scene.value_), in.get(), to);
    return scene;
  }

  /* In the form of `toi surface`: bodies have models, and no shapes. */
  static contact_scene read_models(context &in, const std::string &path, status *to = nullptr) {
    contact_scene scene;
    scene.context_ = in.get();
    detail::settle(toi_surface_scene_read(in.get(), path.c_str(), &scene.value_), in.get(), to);
    return scene;
  }

  std::size_t size() const noexcept {
    return value_.count;
  }
  const char *name(std::size_t number) const {
    return value_.names[number];
  }
  body operator[](std::size_t number) const {
    const toi_body *const b = toi_contact_scene_body(&value_, number);
    return body(shape_view(b->shape), b->motion);
  }
  contact_options options() const {
    return toi_contact_scene_options(&value_);
  }
};

/* A scene of `toi sweep`: bodies with meshes, and their motions over pieces of time. */
class sweep_scene : public detail::owned<toi_sweep_scene, toi_sweep_scene_free> {
public:
  static sweep_scene read(context &in, const std::string &path, status *to = nullptr) {
    sweep_scene scene;
    scene.context_ = in.get();
    detail::settle(toi_sweep_scene_read(in.get(), path.c_str(), &scene.value_), in.get(), to);
    return scene;
  }

  std::size_t size() const noexcept {
    return value_.count;
  }
  const char *name(std::size_t number) const {
    return value_.names[number];
  }
  std::size_t pieces() const noexcept {
    return value_.piece_count;
  }
  span<const double> times() const {
    return span<const double>(value_.times, value_.piece_count + 1);
  }
  /* The motions of all bodies in a piece of time, for toi_rigid_scene_step(). */
  const toi_moving_body *motions(std::size_t piece) const {
    return value_.motions + piece * value_.count;
  }

  /* The joint of a body from one value to another, in equal pieces: motions of all bodies, piece by piece. */
  std::vector<toi_moving_body> joint(std::size_t body, double from, double to_value, std::size_t in_pieces,
                                     status *to = nullptr) const {
    const double range[2] = {from, to_value};
    std::vector<toi_moving_body> made(in_pieces * value_.count);
    detail::settle(toi_sweep_scene_joint(context_, &value_, body, range, in_pieces, made.data(), nullptr, nullptr),
                   context_, to);
    return made;
  }
};

/* First contact of the bodies of a scene that was read; contact(context, scene, scene.options()). */
template <class Visit, class = detail::if_visitor<Visit>>
contact_answer contact(context &in, const contact_scene &scene, const contact_options &given, Visit &&visit,
                       status *to = nullptr) {
  return detail::contact_of(in.get(), scene.get().bodies, scene.size(), given, visit, span<const body>(), to);
}
inline contacts contact(context &in, const contact_scene &scene, const contact_options &given, status *to = nullptr) {
  contacts all;
  all.answer = contact(
      in, scene, given, [&](const contact_point &p) { all.points.push_back(p); }, to);
  return all;
}

/* When the bodies of a scene that was read touch, over time. */
template <class Visit, class = detail::if_visitor<Visit>>
toi_contact_history contact_intervals(context &in, const contact_scene &scene, const contact_options &given,
                                      Visit &&visit, status *to = nullptr) {
  return detail::intervals_of(in.get(), scene.get().bodies, scene.size(), given, visit, span<const body>(), to);
}

/* --- a file being written --- */

/* Appears under its name when it is committed; without a commit nothing remains. */
class output : public detail::handle<toi_output, toi_output_destroy> {
public:
  output(context &in, const std::string &path, status *to = nullptr) : context_(in.get()) {
    detail::settle(toi_output_create(context_, path.c_str(), &pointer_), context_, to);
  }
  void append(const void *bytes, std::size_t size, status *to = nullptr) {
    detail::settle(toi_output_append(pointer_, bytes, size), context_, to);
  }
  void append(const std::string &text, status *to = nullptr) {
    append(text.data(), text.size(), to);
  }
  void append_queries(span<const double> queries, span<const std::uint8_t> truth = {}, status *to = nullptr) {
    if (const char *fault = detail::query_fault(queries, truth))
      return detail::settle(TOI_ERROR_INPUT, fault, to);
    const toi_query_set set = detail::as_query_set(queries, truth);
    detail::settle(toi_output_append_queries(pointer_, &set), context_, to);
  }
  /* Ends the output, even if it fails. */
  void commit(status *to = nullptr) {
    detail::settle(toi_output_commit(std::exchange(pointer_, nullptr)), context_, to);
  }

private:
  toi_context *context_;
};

} // namespace toi

#endif
