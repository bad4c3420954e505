/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* libtoi for C++17: all of the public interface, in headers only. docs/cpp.md shows how to use it.
 *
 * Names are those of C without the prefix: toi_step() is toi::step(), toi_hit is toi::hit. Enumerators keep their names
 * (TOI_HIT). What the C headers say of a function holds for its twin here; these headers say what differs. Rules:
 *
 * Failures. Every function that can fail ends with a parameter `toi::status *status = nullptr`. Without it a failure
 * throws toi::error, with the library's sentence; with it nothing is thrown for a failure, the status holds code and
 * sentence, and what is returned is the safe answer of C (or an empty handle).
 *
 * Functions of the caller. Visitors, may_collide, progress functions and shapes of the caller's own are lambdas, which
 * may throw: the exception goes around the C functions, and comes out of the call on the calling thread as it was
 * thrown, with a status or without. A visitor takes one result or a toi::span of them, and returns nothing, or a bool:
 * false ends the call, which is no failure.
 *
 * Handles (context, scene, formula, ...) own what C creates, move and do not copy. They must not outlive their context.
 *
 * Arrays are seen, not copied: toi::points and toi::indices describe matrices by rows or by columns (of Eigen, or of
 * anything with the same members), vectors of triples, and plain arrays. Exceptions to this are said where they are. */

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
#include <toi/cpp/view.hpp>

#endif
