/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Any moving surface: shapes by name, by formula, or by a user-defined function; bodies; all points of first
 * contact. See toi/contact.h. */

#ifndef TOI_CPP_CONTACT_HPP
#define TOI_CPP_CONTACT_HPP

#include <array>
#include <vector>

#include <toi/cpp/formula.hpp>
#include <toi/cpp/options.hpp>
#include <toi/cpp/surface.hpp>

namespace toi {

using contact_answer = toi_contact_answer;
using contact_point = toi_contact_point;
using extent = toi_extent;

inline const char *shape_kind_name(toi_shape_kind of) {
  return toi_shape_kind_name(of);
}
inline std::size_t shape_kind_sizes(toi_shape_kind of) {
  return toi_shape_kind_sizes(of);
}
inline const char *contact_certificate_name(toi_contact_certificate of) {
  return toi_contact_certificate_name(of);
}
inline const char *contact_end_name(toi_contact_end of) {
  return toi_contact_end_name(of);
}

/* The C descriptions. */
struct parametric : toi_parametric {
  parametric() : toi_parametric() {
    toi_parametric_init(this, sizeof(toi_parametric));
  }
};
struct implicit : toi_implicit {
  implicit() : toi_implicit() {
    toi_implicit_init(this, sizeof(toi_implicit));
  }
};

/* --- shapes --- */

class body;

namespace detail {

/* A user-defined function that encloses a surface, and the exception that it threw. */
struct own_surface {
  std::function<bool(const toi_interval *box, unsigned order, toi_interval *jets)> enclose;
  mutable carrier thrown;

  static bool call(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
    const own_surface &s = *static_cast<own_surface *>(user);
    return guarded(s.thrown, false, [&] { return s.enclose(box, order, jets); });
  }
};

} // namespace detail

/* A shape that is not owned: it belongs to a toi::shape, or to a scene that was read. */
class shape_view {
public:
  shape_view() = default;
  explicit shape_view(const toi_shape *of, const detail::own_surface *own = nullptr) : shape_(of), own_(own) {}

  const toi_shape *get() const noexcept {
    return shape_;
  }
  std::size_t pieces() const {
    return toi_shape_pieces(shape_);
  }
  shape_view piece(std::size_t number) const {
    return shape_view(toi_shape_piece(shape_, number), own_);
  }
  toi::extent extent() const {
    return toi_shape_extent(shape_);
  }
  /* A point of a parametric shape, in its own coordinates. */
  surface_point point(double u, double v, double t = 0, status *to = nullptr) const {
    surface_point at;
    const toi_status code = toi_shape_point(shape_, u, v, t, at.point.data(), at.normal.data());
    rethrow();
    detail::settle(code, "", to);
    return at;
  }
  /* Whether it belongs to the surface, and is not outside the outline of a flat face. */
  bool holds(double u, double v) const {
    return toi_shape_holds(shape_, u, v);
  }
  /* The function of an implicit shape, and its unit normal if there is one. */
  double value(const vector3 &at, double t = 0, vector3 *normal = nullptr, status *to = nullptr) const {
    double answer = 0;
    vector3 there = {};
    const toi_status code = toi_shape_value(shape_, at.data(), t, &answer, there.data());
    rethrow();
    detail::settle(code, "", to);
    if (normal != nullptr)
      *normal = there;
    return answer;
  }

  /* Rethrows what a user-defined function threw during a C call. */
  void rethrow() const {
    if (own_ != nullptr)
      own_->thrown.rethrow();
  }

private:
  const toi_shape *shape_ = nullptr;
  const detail::own_surface *own_ = nullptr;
};

class shape {
public:
  static shape from(context &in, const toi_parametric &of, status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_parametric(in.get(), &of, s); });
  }
  static shape from(context &in, const toi_implicit &of, status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_implicit(in.get(), &of, s); });
  }
  /* enclose(const toi_interval *box, unsigned order, toi_interval *jets) as toi_enclose; false: it gives up. What it
   * throws comes out of the call that asked for it: contact(), point(), value(). */
  template <class Enclose>
  static shape own(context &in, Enclose enclose, const toi_parametric &of, status *to = nullptr) {
    return own(in, std::move(enclose), &of, nullptr, to);
  }
  template <class Enclose>
  static shape own(context &in, Enclose enclose, const toi_implicit &of, status *to = nullptr) {
    return own(in, std::move(enclose), nullptr, &of, to);
  }
  /* As many sizes as shape_kind_sizes() says, or as the form has. */
  static shape library(context &in, toi_shape_kind kind, span<const double> sizes,
                       toi_shape_form form = TOI_SHAPE_FORM_DEFAULT, status *to = nullptr) {
    return made(
        in, to,
        [&](toi_shape **s) {
          double all[8] = {};
          for (std::size_t i = 0; i < sizes.size() && i < 8; i++)
            all[i] = sizes[i];
          return toi_shape_library(in.get(), kind, form, all, s);
        });
  }
  static shape library(context &in, toi_shape_kind kind, std::initializer_list<double> sizes,
                       toi_shape_form form = TOI_SHAPE_FORM_DEFAULT, status *to = nullptr) {
    return library(in, kind, span<const double>(sizes.begin(), sizes.size()), form, to);
  }
  static shape revolution(context &in, const std::string &radius, const std::string &height, toi_interval v,
                          std::uint32_t edges, bool solid, status *to = nullptr) {
    return made(
        in, to,
        [&](toi_shape **s) {
          return toi_shape_revolution(in.get(), radius.c_str(), height.c_str(), v, edges, solid, s);
        });
  }
  /* Solids: a polygon extruded along z, and a profile (radius, height) rotated about z. */
  static shape prism(context &in, const std::vector<std::array<double, 2>> &polygon, double height,
                     status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_prism(in.get(), rows(polygon), polygon.size(), height, s); });
  }
  static shape turned(context &in, const std::vector<std::array<double, 2>> &profile, status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_turned(in.get(), rows(profile), profile.size(), s); });
  }
  static shape height_field(context &in, const std::string &height, toi_interval u, toi_interval v,
                            status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_height_field(in.get(), height.c_str(), u, v, s); });
  }
  /* A solid joined from open shapes, each with its outside up, which are copied; see toi_faces. */
  static shape faces(context &in, const std::vector<shape_view> &shapes, double tolerance = 1e-6,
                     status *to = nullptr) {
    std::vector<const toi_shape *> handles;
    handles.reserve(shapes.size());
    for (const shape_view &one : shapes)
      handles.push_back(one.get());
    return made(in, to, [&](toi_shape **s) {
      toi_faces of;
      toi_faces_init(&of, sizeof of);
      of.count = handles.size();
      of.shapes = handles.data();
      of.tolerance = tolerance;
      return toi_shape_faces(in.get(), &of, s);
    });
  }
  /* Operands are copied: bodies of implicit solids, whose motions do not depend on time; see toi_boolean. */
  static shape boolean(context &in, toi_boolean_operation operation, const std::vector<body> &operands,
                       status *to = nullptr);
  /* bounds: intervals of x, y and z that contain all of it, if operands have none. */
  static shape boolean(context &in, toi_boolean_operation operation, const std::vector<body> &operands,
                       const std::array<toi_interval, 3> &bounds, status *to = nullptr);
  /* The patches of a model are copied. */
  static shape patches(context &in, const toi_model &of, status *to = nullptr) {
    return made(
        in, to, [&](toi_shape **s) { return toi_shape_patches(in.get(), &of, s); });
  }

  explicit operator bool() const noexcept {
    return static_cast<bool>(handle_);
  }
  shape_view view() const noexcept {
    return shape_view(handle_.get(), own_.get());
  }
  operator shape_view() const noexcept {
    return view();
  }
  std::size_t pieces() const {
    return view().pieces();
  }
  shape_view piece(std::size_t number) const {
    return view().piece(number);
  }
  toi::extent extent() const {
    return view().extent();
  }
  surface_point point(double u, double v, double t = 0, status *to = nullptr) const {
    return view().point(u, v, t, to);
  }
  double value(const vector3 &at, double t = 0, vector3 *normal = nullptr, status *to = nullptr) const {
    return view().value(at, t, normal, to);
  }

private:
  struct holder : detail::handle<toi_shape, toi_shape_destroy> {
    toi_shape **address() noexcept {
      return &pointer_;
    }
  };

  static const double (*rows(const std::vector<std::array<double, 2>> &points))[2] {
    return reinterpret_cast<const double(*)[2]>(points.data());
  }
  template <class Make> static shape made(context &in, status *to, Make &&make) {
    shape s;
    detail::settle(make(s.handle_.address()), in.get(), to);
    return s;
  }
  template <class Enclose>
  static shape own(context &in, Enclose enclose, const toi_parametric *p, const toi_implicit *i, status *to) {
    shape s;
    s.own_ = std::make_unique<detail::own_surface>();
    s.own_->enclose = std::move(enclose);
    const toi_status code = toi_shape_own(in.get(), detail::own_surface::call, s.own_.get(), p, i, s.handle_.address());
    s.own_->thrown.rethrow();
    detail::settle(code, in.get(), to);
    return s;
  }

  // In this order, so that the shape is destroyed before the function that it calls.
  std::unique_ptr<detail::own_surface> own_;
  holder handle_;
};

/* --- contact --- */

/* A shape and its motion, both of which must outlive it; without a motion, at rest. */
class body {
public:
  body(const shape &of) : shape_(of.view()) {}
  body(const shape &of, const motion &by) : shape_(of.view()), motion_(by.get()) {}
  explicit body(shape_view of, const toi_motion *by = nullptr) : shape_(of), motion_(by) {}
  body(shape &&, const motion &) = delete;
  body(shape &&) = delete;

  shape_view view() const noexcept {
    return shape_;
  }
  toi_body c() const {
    toi_body b;
    toi_body_init(&b, sizeof b);
    b.shape = shape_.get();
    b.motion = motion_;
    return b;
  }

private:
  shape_view shape_;
  const toi_motion *motion_ = nullptr;
};

inline shape shape::boolean(context &in, toi_boolean_operation operation, const std::vector<body> &operands,
                            const std::array<toi_interval, 3> &bounds, status *to) {
  std::vector<toi_body> c;
  for (const body &b : operands)
    c.push_back(b.c());
  toi_boolean of;
  toi_boolean_init(&of, sizeof of);
  of.operation = operation;
  of.count = c.size();
  of.operands = c.data();
  std::copy(bounds.begin(), bounds.end(), of.bounds);
  return made(in, to, [&](toi_shape **s) { return toi_shape_boolean(in.get(), &of, s); });
}
inline shape shape::boolean(context &in, toi_boolean_operation operation, const std::vector<body> &operands,
                            status *to) {
  return boolean(in, operation, operands, std::array<toi_interval, 3>{}, to);
}

struct contact_options : toi_contact_options {
  /* Called with the completed fraction, in [0, 1]; false: stop, with TOI_ERROR_CANCELLED. Empty: none. */
  std::function<bool(double done)> on_progress;

  contact_options() : toi_contact_options(toi_default_contact_options()) {}
  contact_options(const toi_contact_options &given) : toi_contact_options(given) {}
};

/* The answer and its contacts, if there is no visitor. */
struct contacts {
  contact_answer answer = {};
  std::vector<contact_point> points;
};

namespace detail {

template <class Visit>
contact_answer contact_of(toi_context *in, const toi_body *bodies, std::size_t count, const contact_options &given,
                          Visit &visit, span<const body> own, status *to) {
  carrier thrown;
  progress reports(given.on_progress, thrown);
  toi_contact_options c = given;
  reports.bind(c);
  visitor<contact_point, Visit> v(visit, thrown);
  contact_answer answer = {};
  answer.verdict = TOI_NEAR;
  const toi_status code = v.of_call(toi_contact(in, bodies, count, &c, &answer, v.call_one, &v));
  for (const body &b : own)
    b.view().rethrow();
  thrown.rethrow();
  settle(code, in, to);
  return answer;
}

template <class Visit>
toi_contact_history intervals_of(toi_context *in, const toi_body *bodies, std::size_t count,
                                 const contact_options &given, Visit &visit, span<const body> own, status *to) {
  carrier thrown;
  progress reports(given.on_progress, thrown);
  toi_contact_options c = given;
  reports.bind(c);
  visitor<toi_contact_interval, Visit> v(visit, thrown);
  toi_contact_history history = {};
  const toi_status code = v.of_call(toi_contact_intervals(in, bodies, count, &c, &history, v.call_one, &v));
  for (const body &b : own)
    b.view().rethrow();
  thrown.rethrow();
  settle(code, in, to);
  return history;
}

} // namespace detail

/* Whether a point of the world lies in a solid at the time t; see toi_contact_inside. */
inline toi_inside contact_inside(context &in, const body &solid, const vector3 &point, double t = 0,
                                 status *to = nullptr) {
  const toi_body c = solid.c();
  toi_inside inside = TOI_INSIDE_UNKNOWN;
  const toi_status code = toi_contact_inside(in.get(), &c, t, point.data(), &inside);
  solid.view().rethrow();
  detail::settle(code, in.get(), to);
  return inside;
}
inline const char *inside_name(toi_inside inside) {
  return toi_inside_name(inside);
}

/* First contact of any two of the bodies; the visitor takes one toi::contact_point at a time. */
template <class Visit, class = detail::if_visitor<Visit>>
contact_answer contact(context &in, span<const body> bodies, const contact_options &given, Visit &&visit,
                       status *to = nullptr) {
  std::vector<toi_body> c;
  c.reserve(bodies.size());
  for (const body &b : bodies)
    c.push_back(b.c());
  return detail::contact_of(in.get(), c.data(), c.size(), given, visit, bodies, to);
}
inline contacts contact(context &in, span<const body> bodies, const contact_options &given = contact_options(),
                        status *to = nullptr) {
  contacts all;
  all.answer = contact(
      in, bodies, given, [&](const contact_point &p) { all.points.push_back(p); }, to);
  return all;
}

/* When the surfaces of each pair of bodies touch, over time; the visitor takes one toi_contact_interval at a time. See
 * toi_contact_intervals. */
template <class Visit, class = detail::if_visitor<Visit>>
toi_contact_history contact_intervals(context &in, span<const body> bodies, const contact_options &given, Visit &&visit,
                                      status *to = nullptr) {
  std::vector<toi_body> c;
  c.reserve(bodies.size());
  for (const body &b : bodies)
    c.push_back(b.c());
  return detail::intervals_of(in.get(), c.data(), c.size(), given, visit, bodies, to);
}

/* "union" and so on; NULL: unknown. */
inline const char *boolean_operation_name(toi_boolean_operation operation) {
  return toi_boolean_operation_name(operation);
}

} // namespace toi

#endif
