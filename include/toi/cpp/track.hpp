/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts that last: see toi/track.h. */

#ifndef TOI_CPP_TRACK_HPP
#define TOI_CPP_TRACK_HPP

#include <toi/cpp/contact.hpp>
#include <toi/track.h>

namespace toi {

using track = toi_track;

/* How contacts are tracked: how deep the bodies may overlap, how far boxes reach, and when the step begins. */
struct tracking {
  double delta = 1e-6, margin = 0.05, t_from = 0;
};

/* What ended a step, and the new contacts of that moment. */
struct track_step_answer {
  toi_track_answer answer = {};
  std::vector<contact_point> points;
};

inline const char *track_state_name(toi_track_state state) {
  return toi_track_state_name(state);
}
inline const char *track_event_name(toi_track_event event) {
  return toi_track_event_name(event);
}

namespace detail {

/* Bodies and tracks as the library takes them. */
struct tracked_scene {
  std::vector<toi_body> bodies;
  toi_track_scene c = {};

  tracked_scene(span<const body> given, toi_track *tracks, std::size_t count, double t_from) {
    bodies.reserve(given.size());
    for (const body &b : given)
      bodies.push_back(b.c());
    toi_track_scene_init(&c, sizeof c);
    c.bodies = bodies.data();
    c.body_count = bodies.size();
    c.tracks = tracks;
    c.track_count = count;
    c.t_from = t_from;
  }
};

using track_maker = toi_status (*)(toi_context *, const toi_track_scene *, const toi_contact_options *,
                                   const toi_track_contacts *, std::size_t *);

inline std::vector<track> tracks_of(context &in, span<const body> bodies, toi_track_contacts contacts,
                                    const contact_options &given, const tracking &how, track_maker make, status *to) {
  carrier thrown;
  progress reports(given.on_progress, thrown);
  toi_contact_options options = given;
  reports.bind(options);
  std::vector<track> tracks(contacts.room);
  const tracked_scene scene(bodies, tracks.data(), 0, how.t_from);
  contacts.delta = how.delta;
  contacts.margin = how.margin;
  std::size_t made = 0;
  const toi_status code = make(in.get(), &scene.c, &options, &contacts, &made);
  for (const body &b : bodies)
    b.view().rethrow();
  thrown.rethrow();
  settle(code, in.get(), to);
  tracks.resize(made);
  return tracks;
}

} // namespace detail

/* Tracks of all contacts at t_from, at most `room`; see toi_track_rest. */
inline std::vector<track> track_rest(context &in, span<const body> bodies, const tracking &how = {},
                                     const contact_options &given = contact_options(), std::size_t room = 64,
                                     status *to = nullptr) {
  toi_track_contacts contacts;
  toi_track_contacts_init(&contacts, sizeof contacts);
  contacts.room = room;
  return detail::tracks_of(in, bodies, contacts, given, how, toi_track_rest, to);
}

/* Tracks of these contacts; see toi_track_make. */
inline std::vector<track> track_make(context &in, span<const body> bodies, span<const contact_point> points,
                                     const tracking &how = {}, const contact_options &given = contact_options(),
                                     status *to = nullptr) {
  toi_track_contacts contacts;
  toi_track_contacts_init(&contacts, sizeof contacts);
  contacts.points = points.data();
  contacts.count = points.size();
  contacts.room = points.size();
  return detail::tracks_of(in, bodies, contacts, given, how, toi_track_make, to);
}

/* Fits the boxes of tracks to their contacts at t_from; see toi_track_begin. */
inline void track_begin(context &in, span<const body> bodies, span<track> tracks, double t_from = 0,
                        const contact_options &given = contact_options(), status *to = nullptr) {
  const toi_contact_options options = given;
  const detail::tracked_scene scene(bodies, tracks.data(), tracks.size(), t_from);
  const toi_status code = toi_track_begin(in.get(), &scene.c, &options);
  for (const body &b : bodies)
    b.view().rethrow();
  detail::settle(code, in.get(), to);
}

/* The next event, from t_from to the options' t_max; the visitor takes one toi::contact_point at a time. See
 * toi_track_step. */
template <class Visit, class = detail::if_visitor<Visit>>
toi_track_answer track_step(context &in, span<const body> bodies, span<track> tracks, double t_from,
                            const contact_options &given, Visit &&visit, status *to = nullptr) {
  detail::carrier thrown;
  detail::progress reports(given.on_progress, thrown);
  toi_contact_options options = given;
  reports.bind(options);
  detail::visitor<contact_point, Visit> v(visit, thrown);
  const detail::tracked_scene scene(bodies, tracks.data(), tracks.size(), t_from);
  toi_track_answer answer = {};
  answer.verdict = TOI_NEAR;
  const toi_status code = v.of_call(toi_track_step(in.get(), &scene.c, &options, &answer, v.call_one, &v));
  for (const body &b : bodies)
    b.view().rethrow();
  thrown.rethrow();
  detail::settle(code, in.get(), to);
  return answer;
}
inline track_step_answer track_step(context &in, span<const body> bodies, span<track> tracks, double t_from = 0,
                                    const contact_options &given = contact_options(), status *to = nullptr) {
  track_step_answer all;
  all.answer = track_step(
      in, bodies, tracks, t_from, given, [&](const contact_point &p) { all.points.push_back(p); }, to);
  return all;
}

} // namespace toi

#endif
