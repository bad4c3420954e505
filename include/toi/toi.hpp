/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* libtoi for C++17: the whole public interface, in headers only. docs/cpp.md shows how to use it.
 *
 * Names are those of C without the prefix: toi_step() is toi::step(), toi_hit is toi::hit. Enumerators keep their names
 * (TOI_HIT). The documentation of a C function holds for its C++ form too; these headers describe the differences.
 *
 * Errors. Every function that can fail has a last parameter `toi::status *status = nullptr`. Without it a failure
 * throws toi::error, with the library's message; with it nothing is thrown for a failure, the status holds code and
 * message, and the result is the safe answer of C (or an empty handle).
 *
 * Callbacks. Visitors, may_collide, progress functions and user-defined shapes are lambdas, which may throw: the
 * exception does not pass through the C functions; the call rethrows it unchanged on the calling thread, with a status
 * or without. A visitor takes one result or a toi::span of them, and returns nothing, or a bool: false ends the call,
 * which is not an error.
 *
 * Handles (context, scene, formula, ...) own what C creates; they can be moved but not copied. They must not outlive
 * their context.
 *
 * Arrays are read in place, not copied: toi::points and toi::indices describe matrices by rows or by columns (of Eigen,
 * or of anything with the same members), vectors of triples, and plain arrays. Exceptions are documented. */

#ifndef TOI_TOI_HPP
#define TOI_TOI_HPP

#include <toi/cpp/base.hpp>
#include <toi/cpp/contact.hpp>
#include <toi/cpp/formula.hpp>
#include <toi/cpp/io.hpp>
#include <toi/cpp/mesh.hpp>
#include <toi/cpp/narrow.hpp>
#include <toi/cpp/options.hpp>
#include <toi/cpp/rigid.hpp>
#include <toi/cpp/scene.hpp>
#include <toi/cpp/surface.hpp>
#include <toi/cpp/track.hpp>
#include <toi/cpp/view.hpp>

#endif
