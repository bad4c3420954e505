/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas, written with operators or as text, and rigid motions. See toi/formula.h and toi/motion.h.
 *
 *   toi::formula f(context, {"u", "v", "t"});
 *   const toi::term u = f.variable(0), v = f.variable(1);
 *   const toi::term x = (2 + 0.5 * cos(v)) * cos(u);
 *   f.check();
 *
 * Building a term does not throw: a failure gives an empty term, and check() reports the first failure. */

#ifndef TOI_CPP_FORMULA_HPP
#define TOI_CPP_FORMULA_HPP

#include <toi/cpp/base.hpp>

#include <initializer_list>

#include <toi/rigid.h>

namespace toi {

inline const char *operator_name(toi_operator of) {
  return toi_operator_name(of);
}

/* A term of a formula, which must outlive it. */
class term {
public:
  term() = default;
  term(toi_formula *of, toi_term number) : formula_(of), number_(number) {}
  toi_formula *of() const noexcept {
    return formula_;
  }
  toi_term number() const noexcept {
    return number_;
  }
  explicit operator bool() const noexcept {
    return number_ != TOI_NO_TERM;
  }

private:
  toi_formula *formula_ = nullptr;
  toi_term number_ = TOI_NO_TERM;
};

namespace detail {

/* Terms of two formulas cannot be combined. */
inline term apply(toi_operator op, term a, term b) {
  const bool together = a.of() != nullptr && a.of() == b.of();
  return together ? term(a.of(), toi_formula_apply(a.of(), op, a.number(), b.number())) : term(a.of(), TOI_NO_TERM);
}
inline term apply(toi_operator op, term a) {
  return a.of() == nullptr ? a : term(a.of(), toi_formula_apply(a.of(), op, a.number(), TOI_NO_TERM));
}
inline term constant(term beside, double value) {
  return beside.of() == nullptr ? beside : term(beside.of(), toi_formula_constant(beside.of(), value));
}

} // namespace detail

#define TOI_CPP_BINARY(name, op)                                                                                       \
  inline term name(term a, term b) {                                                                                   \
    return detail::apply(op, a, b);                                                                                    \
  }                                                                                                                    \
  inline term name(term a, double b) {                                                                                 \
    return detail::apply(op, a, detail::constant(a, b));                                                               \
  }                                                                                                                    \
  inline term name(double a, term b) {                                                                                 \
    return detail::apply(op, detail::constant(b, a), b);                                                               \
  }
#define TOI_CPP_UNARY(name, op)                                                                                        \
  inline term name(term a) {                                                                                           \
    return detail::apply(op, a);                                                                                       \
  }
TOI_CPP_BINARY(operator+, TOI_OP_ADD)
TOI_CPP_BINARY(operator-, TOI_OP_SUB)
TOI_CPP_BINARY(operator*, TOI_OP_MUL)
TOI_CPP_BINARY(operator/, TOI_OP_DIV)
TOI_CPP_BINARY(pow, TOI_OP_POW)
TOI_CPP_BINARY(min, TOI_OP_MIN)
TOI_CPP_BINARY(max, TOI_OP_MAX)
TOI_CPP_BINARY(atan2, TOI_OP_ATAN2)
TOI_CPP_UNARY(operator-, TOI_OP_NEG)
TOI_CPP_UNARY(abs, TOI_OP_ABS)
TOI_CPP_UNARY(sqrt, TOI_OP_SQRT)
TOI_CPP_UNARY(sin, TOI_OP_SIN)
TOI_CPP_UNARY(cos, TOI_OP_COS)
TOI_CPP_UNARY(tan, TOI_OP_TAN)
TOI_CPP_UNARY(atan, TOI_OP_ATAN)
TOI_CPP_UNARY(exp, TOI_OP_EXP)
TOI_CPP_UNARY(log, TOI_OP_LOG)
#undef TOI_CPP_BINARY
#undef TOI_CPP_UNARY

class formula : public detail::handle<toi_formula, toi_formula_destroy> {
public:
  formula(context &in, std::initializer_list<const char *> variables, status *to = nullptr) : context_(in.get()) {
    detail::settle(toi_formula_create(context_, variables.begin(), variables.size(), &pointer_), context_, to);
  }

  /* Reports the first failure since the formula was made. */
  void check(status *to = nullptr) const {
    detail::settle(toi_formula_status(pointer_), context_, to);
  }

  term variable(std::size_t number) {
    return {pointer_, toi_formula_variable(pointer_, number)};
  }
  term constant(double value) {
    return {pointer_, toi_formula_constant(pointer_, value)};
  }
  term enclosed(toi_interval value) {
    return {pointer_, toi_formula_enclosed(pointer_, value)};
  }
  term apply(toi_operator op, term a, term b = term()) {
    return {pointer_, toi_formula_apply(pointer_, op, a.number(), b.number())};
  }
  term series(term x, toi_interval domain, span<const double> coefficients) {
    return {pointer_,
            toi_formula_series(pointer_, x.number(), domain, coefficients.data(), coefficients.size(), nullptr)};
  }
  /* error: of the value and the first two derivatives. */
  term series(term x, toi_interval domain, span<const double> coefficients, const vector3 &error) {
    return {pointer_,
            toi_formula_series(pointer_, x.number(), domain, coefficients.data(), coefficients.size(), error.data())};
  }
  term parse(const std::string &text) {
    return {pointer_, toi_formula_parse(pointer_, text.c_str())};
  }
  void name(const std::string &as, term what, status *to = nullptr) {
    detail::settle(toi_formula_name(pointer_, as.c_str(), what.number()), context_, to);
  }

  /* Value, gradient and second derivatives over a box, TOI_JET_SIZE(box.size(), order) of them; as many intervals in
   * the box as the formula has variables. *defined: proved that the term is defined in all of it. */
  std::vector<toi_interval> bounds(term of, span<const toi_interval> box, unsigned order = 0, bool *defined = nullptr,
                                   status *to = nullptr) {
    std::vector<toi_interval> jet(TOI_JET_SIZE(box.size(), order > 2 ? 2 : order));
    detail::settle(toi_formula_bounds(pointer_, of.number(), box.data(), order, jet.data(), defined), context_, to);
    return jet;
  }

private:
  toi_context *context_;
};

/* --- motions --- */

struct screw : toi_screw {
  screw() : toi_screw() {
    toi_screw_init(this, sizeof(toi_screw));
  }
};
struct chebyshev : toi_chebyshev {
  chebyshev() : toi_chebyshev() {
    toi_chebyshev_init(this, sizeof(toi_chebyshev));
  }
};
inline double chebyshev_node(double t_from, double t_to, std::size_t number, std::size_t count) {
  return toi_chebyshev_node(t_from, t_to, number, count);
}

/* The pose of a motion over a time interval: a rotation, row by row, and a translation. */
struct enclosed_pose {
  std::array<toi_interval, 9> rotation = {};
  std::array<toi_interval, 3> translation = {};
};

/* Each call adds a step, and can be followed by the next: motion.turn(...).move(...). */
class motion : public detail::handle<toi_motion, toi_motion_destroy> {
public:
  explicit motion(context &in, status *to = nullptr) : context_(in.get()) {
    detail::settle(toi_motion_create(context_, &pointer_), context_, to);
  }

  motion &move(const vector3 &shift, const vector3 &velocity = {}, status *to = nullptr) {
    return went(toi_motion_move(pointer_, shift.data(), velocity.data()), to);
  }
  motion &turn(const vector3 &axis, double angle, double rate, const vector3 &through = {}, status *to = nullptr) {
    return went(toi_motion_turn(pointer_, axis.data(), through.data(), angle, rate), to);
  }
  motion &spin(const vector3 &rate, const vector3 &through = {}, status *to = nullptr) {
    return went(toi_motion_spin(pointer_, rate.data(), through.data()), to);
  }
  motion &screw(const toi_screw &by, status *to = nullptr) {
    return went(toi_motion_screw(pointer_, &by), to);
  }
  /* Text in t; all of a quaternion, or of a translation, may be empty. */
  motion &formula(const std::array<const char *, 4> &quaternion, const std::array<const char *, 3> &translation,
                  status *to = nullptr) {
    return went(toi_motion_formula(pointer_, quaternion[0] != nullptr ? quaternion.data() : nullptr,
                                   translation[0] != nullptr ? translation.data() : nullptr),
                to);
  }
  motion &turn_formula(const vector3 &axis, const std::string &angle, status *to = nullptr) {
    return went(toi_motion_turn_formula(pointer_, axis.data(), angle.c_str()), to);
  }
  /* Terms of a formula in t. */
  motion &terms(const toi::formula &of, const std::array<term, 4> &quaternion, const std::array<term, 3> &translation,
                status *to = nullptr) {
    const toi_term q[4] = {quaternion[0].number(), quaternion[1].number(), quaternion[2].number(),
                           quaternion[3].number()};
    const toi_term t[3] = {translation[0].number(), translation[1].number(), translation[2].number()};
    return went(toi_motion_terms(pointer_, of.get(), quaternion[0] ? q : nullptr, translation[0] ? t : nullptr), to);
  }
  motion &turn_term(const vector3 &axis, const toi::formula &of, term angle, status *to = nullptr) {
    return went(toi_motion_turn_term(pointer_, axis.data(), of.get(), angle.number()), to);
  }
  motion &chebyshev(const toi_chebyshev &series, status *to = nullptr) {
    return went(toi_motion_chebyshev(pointer_, &series), to);
  }
  /* derivative_bound: NULL: the series is the motion. */
  motion &fitted(const toi_chebyshev &samples, const double *derivative_bound, status *to = nullptr) {
    return went(toi_motion_fitted(pointer_, &samples, derivative_bound), to);
  }

  /* The step of a body between its poses, over the motion's times from 0 to 1. */
  motion &poses(const toi_moving_body &by, status *to = nullptr) {
    return went(toi_motion_poses(pointer_, &by), to);
  }

  /* Whether it is exactly a displacement by shift + t velocity. */
  bool linear(vector3 &shift, vector3 &velocity) const {
    return toi_motion_linear(pointer_, shift.data(), velocity.data());
  }
  enclosed_pose at(toi_interval t, status *to = nullptr) const {
    enclosed_pose pose;
    detail::settle(toi_motion_at(pointer_, t, pose.rotation.data(), pose.translation.data()), context_, to);
    return pose;
  }

private:
  motion &went(toi_status code, status *to) {
    detail::settle(code, context_, to);
    return *this;
  }

  toi_context *context_;
};

} // namespace toi

#endif
