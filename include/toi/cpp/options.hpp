/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Options with callbacks, and how calls with visitors are made. */

#ifndef TOI_CPP_OPTIONS_HPP
#define TOI_CPP_OPTIONS_HPP

#include <toi/cpp/base.hpp>

#include <functional>

namespace toi {

/* The fields of toi_options, set to their defaults, and what calls on whole meshes ask beyond. Where on_mesh is set, it
 * is used in place of `mesh`. Plain toi_options are taken as they are. */
struct options : toi_options {
  toi_mesh_options mesh = toi_default_mesh_options();

  /* May these two collide? Empty: all may. Called from any thread, possibly from several at once. */
  std::function<bool(toi_kind kind, std::uint32_t first, std::uint32_t second)> may_collide;
  /* Called with what is done, in [0, 1], on the calling thread; false: stop, with TOI_ERROR_CANCELLED. Empty: none. */
  std::function<bool(double done)> on_progress;

  options() : toi_options(toi_default_options()) {}
  options(const toi_options &given) : toi_options(given) {}
};

namespace detail {

/* A progress function of the caller's, for options of C that have `progress` and `progress_user`. It also ends calls in
 * which another function of the caller's has thrown. */
class progress {
public:
  progress(const std::function<bool(double)> &call, carrier &thrown) : call_(call), thrown_(thrown) {}
  template <class Options> void bind(Options &c, bool always = false) {
    if (!call_ && !always)
      return;
    c_call_ = c.progress;
    c_user_ = c.progress_user;
    c.progress = &progress::report;
    c.progress_user = this;
  }

private:
  static bool report(void *user, double done) {
    progress &p = *static_cast<progress *>(user);
    if (p.thrown_.holds())
      return false;
    if (p.call_)
      return guarded(p.thrown_, false, [&] { return p.call_(done); });
    return p.c_call_ == nullptr || p.c_call_(p.c_user_, done);
  }

  const std::function<bool(double)> &call_;
  carrier &thrown_;
  bool (*c_call_)(void *, double) = nullptr;
  void *c_user_ = nullptr;
};

/* Options as C takes them, for the time of one call. */
class bound_options {
public:
  bound_options(const options &given, carrier &thrown)
      : given_(given), thrown_(thrown), progress_(given.on_progress, thrown), query_(given),
        mesh_(given.on_mesh != nullptr ? *given.on_mesh : given.mesh) {
    progress_.bind(mesh_, static_cast<bool>(given.may_collide));
    if (given.may_collide) {
      mesh_.may_collide = &bound_options::may;
      mesh_.may_collide_user = this;
    }
    query_.on_mesh = &mesh_;
  }
  bound_options(const bound_options &) = delete;
  bound_options &operator=(const bound_options &) = delete;

  const toi_options *get() const noexcept {
    return &query_;
  }
  const toi_mesh_options *mesh() const noexcept {
    return &mesh_;
  }

private:
  // After an exception the answer is not seen by anybody: what is refused ends soonest.
  static bool may(void *user, toi_kind kind, std::uint32_t first, std::uint32_t second) {
    bound_options &b = *static_cast<bound_options *>(user);
    return !b.thrown_.holds() && guarded(b.thrown_, false, [&] { return b.given_.may_collide(kind, first, second); });
  }

  const options &given_;
  carrier &thrown_;
  progress progress_;
  toi_options query_;
  toi_mesh_options mesh_;
};

/* --- visitors --- */

/* Hands results to a visitor that takes all of them as a span, or one at a time. */
template <class T, class Visit, class... Before>
bool hand_over(Visit &visit, const T *items, std::size_t count, Before... before) {
  if constexpr (std::is_invocable_v<Visit &, Before..., span<const T>>)
    return goes_on(visit, before..., span<const T>(items, count));
  else {
    static_assert(std::is_invocable_v<Visit &, Before..., const T &>, "a visitor takes one result, or a toi::span");
    for (std::size_t i = 0; i < count; i++)
      if (!goes_on(visit, before..., items[i]))
        return false;
    return true;
  }
}

/* A visitor of the caller's between C and its exceptions: `call` and its relatives are what C is given, with the
 * address of this as the user. */
template <class T, class Visit> class visitor {
public:
  visitor(Visit &visit, carrier &thrown) : visit_(visit), thrown_(thrown) {}

  static toi_status call(void *user, const T *items, std::size_t count) {
    visitor &v = *static_cast<visitor *>(user);
    return v.answer(guarded(v.thrown_, false, [&] { return hand_over<T>(v.visit_, items, count); }));
  }
  static toi_status call_one(void *user, const T *item) {
    visitor &v = *static_cast<visitor *>(user);
    return v.answer(guarded(v.thrown_, false, [&] { return goes_on(v.visit_, *item); }));
  }
  static toi_status call_kind(void *user, toi_kind kind, const T *items, std::size_t count) {
    visitor &v = *static_cast<visitor *>(user);
    return v.answer(guarded(v.thrown_, false, [&] { return hand_over<T>(v.visit_, items, count, kind); }));
  }

  /* The status of the call, in which a visitor that had seen enough is no failure. */
  toi_status of_call(toi_status code) const noexcept {
    return stopped_ && code == TOI_ERROR_CANCELLED ? TOI_OK : code;
  }

private:
  toi_status answer(bool go_on) noexcept {
    stopped_ = stopped_ || !go_on;
    return go_on ? TOI_OK : TOI_ERROR_CANCELLED;
  }

  Visit &visit_;
  carrier &thrown_;
  bool stopped_ = false;
};

/* --- calls --- */

/* Makes a call with options of queries and meshes: call(const toi_options *). */
template <class Call> void with_options(toi_context *context, const options &given, status *to, Call &&call) {
  carrier thrown;
  const bound_options bound(given, thrown);
  const toi_status code = call(bound.get());
  thrown.rethrow();
  settle(code, context, to);
}

/* Makes a call with a visitor: call(const toi_options *, visitor<T, Visit> &). */
template <class T, class Visit, class Call>
void with_visitor(toi_context *context, const options &given, Visit &visit, status *to, Call &&call) {
  carrier thrown;
  const bound_options bound(given, thrown);
  visitor<T, Visit> between(visit, thrown);
  const toi_status code = between.of_call(call(bound.get(), between));
  thrown.rethrow();
  settle(code, context, to);
}

/* A parameter that is a visitor, and not a status. */
template <class Visit> using if_visitor = std::enable_if_t<!std::is_convertible_v<Visit, status *>>;

} // namespace detail
} // namespace toi

#endif
