/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Curved surfaces: patches, and models made of them. See toi/surface.h. */

#ifndef TOI_CPP_SURFACE_HPP
#define TOI_CPP_SURFACE_HPP

#include <toi/cpp/base.hpp>
#include <toi/cpp/options.hpp>

namespace toi {

using surface_hit = toi_surface_hit;

/* Descriptions as C has them, whose arrays stay the caller's: made of zeroes, with their sizes. */
struct patch : toi_patch {
  patch() : toi_patch() {
    toi_patch_init(this, sizeof(toi_patch));
  }
};
struct patch_case : toi_patch_case {
  patch_case() : toi_patch_case() {
    toi_patch_case_init(this, sizeof(toi_patch_case));
  }
};
struct nurbs : toi_nurbs {
  nurbs() : toi_nurbs() {
    toi_nurbs_init(this, sizeof(toi_nurbs));
  }
};

static_assert(sizeof(patch) == sizeof(toi_patch) && sizeof(patch_case) == sizeof(toi_patch_case),
              "arrays of these are arrays of C's");

struct surface_options : toi_surface_options {
  /* Called with what is done, in [0, 1]; false: stop, with TOI_ERROR_CANCELLED. Empty: none. */
  std::function<bool(double done)> on_progress;

  surface_options() : toi_surface_options() {
    toi_surface_options_init(this, sizeof(toi_surface_options));
  }
};

namespace detail {

inline surface_hit safe_surface_hit() {
  surface_hit safe = {};
  safe.verdict = TOI_NEAR;
  return safe;
}

/* Makes a call with options of surfaces: call(const toi_surface_options *). */
template <class Call>
surface_hit with_surface_options(toi_context *in, const surface_options &given, status *to, Call &&call) {
  carrier thrown;
  progress reports(given.on_progress, thrown);
  toi_surface_options c = given;
  reports.bind(c);
  surface_hit answer = safe_surface_hit();
  const toi_status code = call(&c, &answer);
  thrown.rethrow();
  settle(code, in, to);
  return answer;
}

} // namespace detail

inline std::size_t patch_points(toi_patch_shape shape, std::array<std::uint32_t, 2> degree) {
  return toi_patch_points(shape, degree.data());
}

/* A point of a surface, and its unit normal, zero where it is not defined. */
struct surface_point {
  vector3 point = {}, normal = {};
};

inline surface_point patch_point(context &in, const toi_patch &of, double u, double v, double t, status *to = nullptr) {
  surface_point at;
  detail::settle(toi_patch_point(in.get(), &of, u, v, t, at.point.data(), at.normal.data()), in.get(), to);
  return at;
}

inline surface_hit patch_pair(context &in, const toi_patch &a, const toi_patch &b,
                              const surface_options &given = surface_options(), status *to = nullptr) {
  return detail::with_surface_options(
      in.get(), given, to,
      [&](const toi_surface_options *c, surface_hit *answer) { return toi_patch_pair(in.get(), &a, &b, c, answer); });
}

inline std::vector<surface_hit> patch_batch(context &in, span<const patch_case> cases,
                                            const surface_options &given = surface_options(), status *to = nullptr) {
  std::vector<surface_hit> hits(cases.size(), detail::safe_surface_hit());
  detail::with_surface_options(in.get(), given, to, [&](const toi_surface_options *c, surface_hit *) {
    return toi_patch_batch(in.get(), cases.data(), cases.size(), c, hits.data());
  });
  return hits;
}

inline const char *surface_end_name(toi_surface_end of) {
  return toi_surface_end_name(of);
}
inline const char *surface_method_name(std::size_t number) {
  return toi_surface_method_name(number);
}
inline const char *surface_method_promise(const char *name) {
  return toi_surface_method_promise(name);
}
inline const char *model_name(std::size_t number) {
  return toi_model_name(number);
}

/* --- models --- */

/* Patches that the library made. For your own patches fill in a toi_model: every function takes both. */
class model : public detail::owned<toi_model, toi_model_free> {
public:
  static model from_nurbs(context &in, const toi_nurbs &of, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_from_nurbs(in.get(), &of, m); });
  }
  /* Corners as toi_model_from_hermite() takes them; velocities may be NULL. */
  static model from_hermite(context &in, const double (&corners)[4][4][3], const double (*velocities)[4][3] = nullptr,
                            status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_from_hermite(in.get(), corners, velocities, m); });
  }
  static model moved(context &in, const toi_model &from, const vector3 &shift, const vector3 &velocity = {},
                     status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_moved(in.get(), &from, shift.data(), velocity.data(), m); });
  }
  static model sphere(context &in, double radius, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_sphere(in.get(), radius, m); });
  }
  static model cylinder(context &in, double radius, double height, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_cylinder(in.get(), radius, height, m); });
  }
  static model torus(context &in, double ring_radius, double tube_radius, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_torus(in.get(), ring_radius, tube_radius, m); });
  }
  static model teapot(context &in, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_teapot(in.get(), m); });
  }
  static model named(context &in, const std::string &name, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_named(in.get(), name.c_str(), m); });
  }
  static model read(context &in, const std::string &path, status *to = nullptr) {
    return made(
        in, to, [&](toi_model *m) { return toi_model_read(in.get(), path.c_str(), m); });
  }
  void write(const std::string &path, status *to = nullptr) const {
    detail::settle(toi_model_write(context_, path.c_str(), &value_), context_, to);
  }

  operator const toi_model &() const noexcept {
    return value_;
  }
  std::size_t size() const noexcept {
    return value_.patch_count;
  }
  const toi_patch &operator[](std::size_t number) const {
    return *toi_model_patch(&value_, number);
  }

private:
  template <class Make> static model made(context &in, status *to, Make &&make) {
    model m;
    m.context_ = in.get();
    detail::settle(make(&m.value_), in.get(), to);
    return m;
  }
};

/* First contact of two models. */
inline surface_hit model_pair(context &in, const toi_model &a, const toi_model &b,
                              const surface_options &given = surface_options(), status *to = nullptr) {
  return detail::with_surface_options(
      in.get(), given, to,
      [&](const toi_surface_options *c, surface_hit *answer) { return toi_model_pair(in.get(), &a, &b, c, answer); });
}
/* Of one model with itself. */
inline surface_hit model_self(context &in, const toi_model &of, const surface_options &given = surface_options(),
                              status *to = nullptr) {
  return detail::with_surface_options(
      in.get(), given, to,
      [&](const toi_surface_options *c, surface_hit *answer) {
        return toi_model_pair(in.get(), &of, nullptr, c, answer);
      });
}
/* In rigid motion; NULL: at rest. Of a toi::motion, its get(). */
inline surface_hit rigid_pair(context &in, const toi_model &a, const toi_motion *motion_a, const toi_model &b,
                              const toi_motion *motion_b, const surface_options &given = surface_options(),
                              status *to = nullptr) {
  return detail::with_surface_options(
      in.get(), given, to,
      [&](const toi_surface_options *c, surface_hit *answer) {
        return toi_rigid_pair(in.get(), &a, motion_a, &b, motion_b, c, answer);
      });
}

/* All contacts of the first moment; returns the first. */
template <class Visit, class = detail::if_visitor<Visit>>
surface_hit model_contacts(context &in, const toi_model &a, const toi_model &b, const surface_options &given,
                           Visit &&visit, status *to = nullptr) {
  detail::carrier thrown;
  detail::progress reports(given.on_progress, thrown);
  toi_surface_options c = given;
  reports.bind(c);
  detail::visitor<surface_hit, std::remove_reference_t<Visit>> v(visit, thrown);
  surface_hit first = detail::safe_surface_hit();
  const toi_status code = v.of_call(toi_model_contacts(in.get(), &a, &b, &c, &first, v.call_one, &v));
  thrown.rethrow();
  detail::settle(code, in.get(), to);
  return first;
}

} // namespace toi

#endif
