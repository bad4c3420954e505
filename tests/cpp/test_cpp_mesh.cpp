/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The C++ headers on queries, batches, meshes and kept scenes: answers are those of C, no array is copied, every
 * exception of the caller's functions comes out as it was thrown, handles move, and bad input is reported. */

#include "check.hpp"

#include <thread>

#if defined(TOI_TEST_EIGEN)
#include <Eigen/Core>
#endif

namespace {

using check::ball;
using check::fails;
using check::throws_ball;

/* A small triangle falls through a large one at rest, vertex 3 ahead: contact at exactly half the step. */
using coordinates = std::vector<toi::vector3>;
const coordinates start = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}, {0, 0, 1}, {1, 0, 1.5}, {0, 1, 1.5}};
const coordinates end_ = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}, {0, 0, -1}, {1, 0, -0.5}, {0, 1, -0.5}};
const coordinates crossed = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}, {0, 0, -1}, {1, 0, 0.5}, {0, 1, 0.5}};
const std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {3, 4, 5}};

toi::mesh falling() {
  return toi::mesh(start, end_, faces);
}

/* --- failures --- */

void a_failure_throws_or_fills_in_a_status() {
  toi::context context(1);
  coordinates far = end_;
  far[3][2] = HUGE_VAL;
  const toi::mesh mesh(start, far, faces);
  CHECK(fails(TOI_ERROR_INPUT, "finite", [&] { toi::step(context, mesh); }));
  toi::status status;
  const toi::impact impact = toi::step(context, mesh, {}, &status);
  CHECK(!status.ok() && status.code == TOI_ERROR_INPUT && status.sentence.find("finite") != std::string::npos);
  CHECK(status.sentence == context.error());
  CHECK(impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0);
  CHECK(toi::step(context, falling(), {}, &status).hit.verdict == TOI_HIT);
  CHECK(status.ok() && status.sentence.empty());
  CHECK(std::strcmp(toi::status_text(TOI_ERROR_INPUT), toi_status_text(TOI_ERROR_INPUT)) == 0);
  CHECK(std::strcmp(toi::version(), toi_version()) == 0);
}

void arrays_of_the_wrong_length_are_refused() {
  toi::context context(1);
  toi::status status;
  const std::vector<double> eleven(11, 0.0), many(48, 0.0);
  std::vector<toi::hit> one(1);
  CHECK(fails(
      TOI_ERROR_INPUT, "no multiple of 3", [&] { toi::step(context, toi::mesh(eleven, eleven)); }));
  CHECK(fails(
      TOI_ERROR_INPUT, "multiple", [&] { toi::batch(context, TOI_VERTEX_FACE, eleven); }));
  CHECK(fails(
      TOI_ERROR_INPUT, "another length", [&] { toi::batch(context, TOI_VERTEX_FACE, many, {}, one); }));
  CHECK(fails(
      TOI_ERROR_INPUT, "no query", [&] { toi::batch(context, TOI_FACE_FACE, many); }));
  CHECK(fails(
      TOI_ERROR_INPUT, "number of points", [&] { toi::vertex_face(start, end_); }));
  CHECK(fails(TOI_ERROR_INPUT, "no query", [&] { toi::query(TOI_FACE_FACE, start, end_); }));
  const coordinates fewer(end_.begin(), end_.end() - 1);
  CHECK(fails(TOI_ERROR_INPUT, "start and end differ", [&] { toi::step(context, toi::mesh(start, fewer, faces)); }));
  toi::mesh mesh = falling();
  const std::vector<std::uint8_t> fixed(5, 0);
  mesh.fixed(fixed);
  CHECK(fails(TOI_ERROR_INPUT, "one number for each vertex", [&] { toi::step(context, mesh); }));
  toi::step(context, mesh, {}, &status);
  CHECK(status.code == TOI_ERROR_INPUT);
  const std::vector<std::uint64_t> short_set = {1};
  toi::mesh pairs = falling();
  pairs.body_pairs(short_set, 9);
  CHECK(fails(TOI_ERROR_INPUT, "each pair of bodies", [&] { toi::step(context, pairs); }));
  coordinates placed(5);
  CHECK(fails(TOI_ERROR_INPUT, "positions to write", [&] { toi::line_search(context, falling(), {}, placed); }));
  const std::vector<std::array<std::uint32_t, 3>> beyond = {{0, 1, 6}};
  CHECK(fails(TOI_ERROR_INPUT, "6", [&] { toi::mesh_check(context, toi::mesh(start, end_, beyond)); }));
  const std::vector<std::array<std::int64_t, 3>> negative = {{0, 1, -1}};
  CHECK(fails(
      TOI_ERROR_INPUT, "", [&] { toi::step(context, toi::mesh(start, end_, negative)); }));
  CHECK(fails(TOI_ERROR_INPUT, "-1", [&] { toi::scene(context, toi::topology(6, negative)); }));
  const std::vector<std::array<std::int32_t, 2>> narrow = {{0, 1}};
  const std::vector<std::array<std::int64_t, 3>> wide = {{0, 1, 2}};
  CHECK(fails(TOI_ERROR_INPUT, "different width", [&] { toi::scene(context, toi::topology(6, wide, narrow)); }));
  toi::options options;
  options.tolerance = -1;
  CHECK(fails(TOI_ERROR_OPTION, "tolerance", [&] { toi::step(context, falling(), options); }));
}

/* --- handles --- */

void handles_move_and_are_destroyed_once() {
  static_assert(!std::is_copy_constructible_v<toi::context> && std::is_nothrow_move_constructible_v<toi::context>);
  static_assert(!std::is_copy_constructible_v<toi::scene> && std::is_nothrow_move_assignable_v<toi::scene>);
  static_assert(!std::is_copy_constructible_v<toi::proof> && std::is_nothrow_move_constructible_v<toi::proof>);
  static_assert(std::is_copy_constructible_v<toi::mesh> && std::is_copy_constructible_v<toi::options>);
  toi::context context(2);
  CHECK(context.threads() == 2 && context.bytes() > 0 && *context.error() == '\0');
  toi_context *const c = context.get();
  toi::context moved(std::move(context));
  CHECK(moved.get() == c && !context);
  context = std::move(moved);
  CHECK(context.get() == c && !moved);
  toi::scene scene(context, toi::topology(6, faces));
  toi::scene taken(std::move(scene));
  CHECK(!scene && taken && taken.step({start, end_}).hit.verdict == TOI_HIT);
  scene = std::move(taken);
  // The context moves on, and what was made with it goes on working.
  moved = std::move(context);
  CHECK(scene.step({start, end_}).pair.first == 3);
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { taken.step({start, end_}); }));
  toi::scene &same = scene;
  scene = std::move(same);
  CHECK(scene.edges().size() == 6 && taken.edges().empty());
}

/* --- queries --- */

void queries_answer_as_those_of_c() {
  const double from[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double until[4][3] = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const toi::hit hit = toi::vertex_face(from, until);
  CHECK(hit.verdict == TOI_HIT && hit.t_lo <= 0.5 && 0.5 <= hit.t_hi && hit.t_safe < 0.5);
  CHECK(std::strcmp(toi::verdict_name(hit), "hit") == 0 && std::strcmp(toi::verdict_name(TOI_MISS), "miss") == 0);
  const auto falls = toi::corners(from[0], from[1], from[2], from[3]);
  toi::options options;
  options.t_max = 0.25;
  CHECK(toi::query(TOI_VERTEX_FACE, falls, until, options).verdict == TOI_MISS);
  const float crossing_from[4][3] = {{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
  const float crossing_until[4][3] = {{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}};
  CHECK(toi::edge_edge(crossing_from, crossing_until).t_hi >= 0.5);
  using three = std::array<toi::vector3, 3>;
  CHECK(
      toi::vertex_edge(three{{{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}}, three{{{0, 0, -1}, {-1, 0, 0}, {1, 0, 0}}}).verdict ==
      TOI_HIT);
  using two = std::array<toi::vector3, 2>;
  CHECK(toi::vertex_vertex(two{{{0, 0, 1}, {0, 0, 0}}}, two{{{0, 1, 1}, {0, 0, 0}}}).verdict == TOI_MISS);
  const toi::half_space ground = {{0, 0, 2}, 0};
  CHECK(toi::vertex_half_space(from[0], until[0], ground).t_lo == 0.5);
  CHECK(toi::half_space_distance(from[0], ground).hi >= 1);
  CHECK(toi::kind_points(TOI_VERTEX_EDGE) == 3 && std::strcmp(toi::kind_name(TOI_EDGE_EDGE), "edge-edge") == 0);
  CHECK(toi::method_promise(toi::method_name(0)) != nullptr && toi::level_name(TOI_LEVEL_BOX) != nullptr);
}

void batches_write_where_they_are_told() {
  toi::context context(2);
  std::vector<double> queries;
  for (const auto *state : {&start, &end_})
    for (const int vertex : {3, 0, 1, 2})
      queries.insert(queries.end(), (*state)[std::size_t(vertex)].begin(), (*state)[std::size_t(vertex)].end());
  std::array<toi::hit, 1> hits;
  toi::batch(context, TOI_VERTEX_FACE, queries, {}, hits);
  CHECK(hits[0].verdict == TOI_HIT && hits[0].t_lo <= 0.5);
  CHECK(toi::batch(context, TOI_VERTEX_FACE, queries).at(0).t_hi == hits[0].t_hi);
  const std::vector<toi::pair> pairs = {{4, 0}, {3, 0}};
  const auto indexed = toi::batch_indexed(context, TOI_VERTEX_FACE, falling(), pairs);
  CHECK(indexed.size() == 2 && indexed[1].t_lo == hits[0].t_lo && indexed[0].t_lo > hits[0].t_lo);
  // Of five queries, two of them apart, only the hits.
  std::vector<double> five;
  for (const double shift : {0., 9., 0., 9., 0.})
    for (std::size_t i = 0; i < queries.size(); i++)
      five.push_back(queries[i] + (i % 12 < 3 ? shift : 0));
  const auto listed = toi::batch_hits(context, TOI_VERTEX_FACE, five);
  CHECK((listed.numbers == std::vector<std::size_t>{0, 2, 4}) && listed.hits.at(2).t_lo == hits[0].t_lo);
  std::vector<toi::pair> thousands(10000, toi::pair{3, 0});
  const auto all = toi::batch_indexed_hits(context, TOI_VERTEX_FACE, falling(), thousands);
  CHECK(all.hits.size() == thousands.size() && all.numbers.back() == 9999 && all.hits[5000].t_lo == hits[0].t_lo);
  thousands[7000].second = 1000;
  CHECK(fails(TOI_ERROR_INPUT, "out of range",
              [&] { toi::batch_indexed_hits(context, TOI_VERTEX_FACE, falling(), thousands); }));
  std::vector<toi::distance> distances(2);
  toi::distance_batch_indexed(context, TOI_VERTEX_FACE, falling(), pairs, distances);
  CHECK(distances[0].hi >= 1.5 && distances[1].lo <= 1);
  toi::distance_batch(context, TOI_VERTEX_FACE, toi::span<const double>(queries.data(), 12), {distances.data(), 1});
  CHECK(distances[0].lo <= 1 && 1 <= distances[0].hi);
  const auto at = toi::corners(start[3], start[0], start[1], start[2]);
  CHECK(toi::distance_fast(TOI_VERTEX_FACE, at).lo == distances[0].lo);
  CHECK(toi::distance_rational(TOI_VERTEX_FACE, at) == "1/1");
  CHECK(toi::distance_part(TOI_VERTEX_FACE, at, 0.5) == 0.5);
  const auto there = toi::corners(end_[3], end_[0], end_[1], end_[2]);
  toi::proof proof(context, TOI_VERTEX_FACE, at, there, TOI_PROOF_CERTIFICATE);
  CHECK(proof->contact_times == 1 && proof->hit.t_lo == 0.5 && *proof->certificate != '\0');
  const toi::proof moved(std::move(proof));
  CHECK(moved && !proof);
  const toi::explanation why = toi::explain(TOI_VERTEX_FACE, at, there);
  CHECK(why.hit.t_lo == hits[0].t_lo && why.root_count == 1 && why.roots[0].touching == 1);
  CHECK(std::string(toi::outcome_name(static_cast<toi::outcome>(why.outcomes[why.hit.level]))) == "hit");
  CHECK(std::string(toi::root_source_name(static_cast<toi::root_source>(why.roots[0].source))) == "cubic");
  CHECK(fails(
      TOI_ERROR_INPUT, "points", [&] { toi::explain(TOI_VERTEX_EDGE, at, there); }));
  CHECK(fails(TOI_ERROR_PLUGIN, "nowhere", [&] { toi::plugin_load(context, "/nowhere/at-all.so"); }));
}

void a_door_meets_a_wall() {
  toi::context context(2);
  toi::moving_body door, wall;
  door.end.quaternion[3] = 1;
  const toi::moving_pair pair(context, door, wall);
  const std::vector<double> points = {1, 0, 0, 0, 0, -1, 2, 2, -1, 1, 1, 2};
  const std::array<std::array<double, 3>, 4> at = {{{1, 0, 0}, {0, 0, -1}, {2, 2, -1}, {1, 1, 2}}};
  const toi::hit hit = pair.query(TOI_VERTEX_FACE, at);
  CHECK(hit.verdict == TOI_HIT && hit.t_lo > 0.41421356 && hit.t_hi < 0.41421357);
  CHECK(pair.batch(TOI_VERTEX_FACE, points).at(0).t_lo == hit.t_lo);
  const std::vector<std::array<double, 3>> tip = {{1, 0, 0}}, corners = {{0, 0, -1}, {2, 2, -1}, {1, 1, 2}};
  const std::vector<std::array<int, 3>> face = {{0, 1, 2}}, none;
  const std::vector<toi::pair> numbers = {{0, 0}};
  const toi::mesh vertex(tip, none), triangle(corners, face);
  CHECK(pair.batch_indexed(TOI_VERTEX_FACE, vertex, triangle, numbers).at(0).t_hi == hit.t_hi);

  toi::rigid_scene scene(context);
  CHECK(scene.add(vertex) == 0 && scene.add(triangle, true) == 1);
  // The same door as a motion that a body follows.
  toi::motion swings(context);
  swings.poses(door);
  toi::moving_body follows;
  follows.follow(swings);
  const toi::hit same = toi::moving_pair(context, follows, wall).query(TOI_VERTEX_FACE, at);
  CHECK(same.verdict == TOI_HIT && same.t_hi - same.t_lo < 1e-13 && same.t_lo < 0.41421357 && same.t_hi > 0.41421356);
  CHECK(follows.at(1).quaternion[0] > 0.7071 && door.at(0.5).quaternion[3] == 0.5);
  CHECK(fails(TOI_ERROR_INPUT, "not valid", [&] { door.at(2); }));
  const std::vector<toi::moving_body> bodies = {door, wall};
  const toi::rigid_impact first = scene.step(bodies);
  CHECK(first.hit.verdict == TOI_HIT && first.kind == TOI_VERTEX_FACE && first.bodies[0] == 0 && first.bodies[1] == 1);
  CHECK(first.hit.t_lo >= hit.t_lo && first.hit.t_hi <= hit.t_hi);
  CHECK(scene.collisions(bodies).size() == 1);
  // The same step, after one of rest.
  const std::vector<double> times = {1, 2, 4};
  const std::vector<toi::moving_body> pieces = {wall, wall, door, wall};
  const toi::rigid_contact on_path = scene.path_step(times, pieces);
  CHECK(on_path.piece == 1 && on_path.t_lo <= 2 + 2 * first.hit.t_lo && on_path.t_hi > 2.828427);
  CHECK(scene.path_contacts(times, pieces).at(0).t_lo <= on_path.t_hi);
  std::vector<toi::pose> poses;
  const toi::rigid_advance advance = scene.advance(bodies, poses);
  CHECK(advance.step > 0.99 * hit.t_lo && advance.step < hit.t_lo && poses.size() == 2);
  const toi::rigid_clearance touching = scene.clearance(bodies, 10);
  CHECK(touching.lo == 0 && touching.hi == 0 && touching.closest.hit.t_lo == first.hit.t_lo);
  scene.ignore(0, 1);
  CHECK(std::isinf(scene.clearance(bodies, 10).hi));
  CHECK(scene.step(bodies).hit.verdict == TOI_MISS);
  CHECK(fails(TOI_ERROR_INPUT, "motions of 1 bodies", [&] { scene.step({bodies.data(), 1}); }));
  toi::rigid_scene moved(std::move(scene));
  CHECK(moved && !scene);

  door.end.quaternion[3] = door.end.quaternion[0] = 0;
  CHECK(fails(TOI_ERROR_INPUT, "is zero", [&] { toi::moving_pair(context, door, wall); }));
}

/* --- meshes and scenes --- */

void a_mesh_and_a_scene_give_the_same_answers() {
  toi::context context(2);
  const toi::mesh mesh = falling(), still(crossed, faces);
  toi::scene scene(context, toi::topology(6, faces));
  const toi::impact a = toi::step(context, mesh), b = scene.step({start, end_});
  CHECK(a.hit.verdict == TOI_HIT && a.kind == TOI_VERTEX_FACE && a.pair.first == 3 && a.hit.t_lo == 0.5);
  CHECK(std::memcmp(&a, &b, sizeof a) == 0);
  CHECK(toi::collisions(context, mesh).size() == 3 && scene.collisions({start, end_}).size() == 3);
  CHECK(toi::proximity(context, mesh, 1).size() == 1 && scene.proximity(start, 1).size() == 1);
  CHECK(toi::stencils(context, mesh, 1.5).size() == 3 && scene.stencils(start, 1.5).size() == 3);
  CHECK(toi::candidates(context, mesh).size() == scene.candidates({start, end_}).size());
  CHECK(toi::mesh_crossings(context, still).size() == 2 && scene.crossings(crossed).size() == 2);
  CHECK(toi::mesh_intersects(context, still).crossing && !scene.intersects(start).found);
  CHECK(toi::safe_displacements(context, mesh, 0, 9) == scene.safe_displacements(start, 0, 9));
  coordinates placed(6), also(6);
  toi::options options;
  options.min_separation = 0.25;
  const toi::advance far = toi::line_search(context, mesh, options, placed);
  CHECK(far.step > 0.37 && far.step <= 0.375 && placed[3][2] > 0.25);
  CHECK(scene.line_search({start, end_}, options, also).step == far.step && also == placed);
  CHECK(toi::mesh_edges(context, faces).size() == 6 && scene.edges()[0][1] == 1);
  toi::mesh_check(context, mesh);
  const std::vector<toi::box> boxes = {{{0, 0, 0, 1, 1, 1}}, {{2, 0, 0, 3, 1, 1}}, {{1, 1, 1, 2, 2, 2}}};
  CHECK(toi::box_pairs(context, boxes).size() == 2);
  CHECK(toi::broad_promise(toi::broad_name(0)) != nullptr);
}

void what_belongs_to_a_mesh_reaches_the_library() {
  toi::context context(1);
  toi::mesh mesh = falling();
  const std::vector<std::uint32_t> bodies = {0, 0, 0, 1, 1, 1};
  const std::vector<double> thickness(6, 0.125), of_bodies = {0, 0.25};
  mesh.bodies(bodies);
  mesh.thickness(thickness);
  mesh.body_thickness(of_bodies);
  CHECK(toi::step(context, mesh).hit.separation == 0.5);
  const std::vector<std::uint64_t> bits = {0};
  mesh.body_pairs(bits, 2);
  CHECK(toi::step(context, mesh).hit.verdict == TOI_MISS);
  toi::mesh other = falling();
  const std::vector<std::uint64_t> three = {1u << 3};
  other.skipped(three);
  CHECK(toi::step(context, other).pair.first == 4);
  const std::vector<toi::half_space> ground = {{{0, 0, 1}, 0.75}};
  toi::topology topology(6, faces);
  topology.half_spaces(ground);
  const std::vector<std::uint8_t> fixed = {1, 1, 1, 0, 0, 0};
  topology.fixed(fixed);
  toi::scene scene(context, topology);
  const toi::impact impact = scene.step({start, end_});
  CHECK(impact.kind == TOI_VERTEX_HALF_SPACE && impact.hit.t_lo == 0.125);
  toi::options options;
  toi::work work = {};
  options.mesh.work = &work;
  options.mesh.kinds = TOI_KINDS_VERTEX_FACE;
  CHECK(toi::step(context, falling(), options).hit.verdict == TOI_HIT && work.passes > 0);
}

void stencils_have_derivatives() {
  toi::context context(1);
  toi::stencil_options more;
  more.rest = start;
  const toi::mesh mesh = falling();
  std::vector<toi::stencil> stencils;
  toi::stencils(context, mesh, 1, {}, more, [&](const toi::stencil &s) { stencils.push_back(s); });
  CHECK(stencils.size() == 1 && stencils[0].kind == TOI_VERTEX_FACE);
  std::vector<double> squared(1), one(1);
  std::vector<std::array<double, 12>> gradients(1);
  std::vector<std::array<double, 144>> hessians(1);
  toi::stencil_arrays arrays;
  arrays.squared = squared;
  arrays.gradients = gradients;
  arrays.hessians = hessians;
  arrays.mollifiers = one;
  toi::stencil_batch(context, mesh, stencils, arrays);
  const auto at = toi::corners(start[3], start[0], start[1], start[2]);
  const toi::stencil_values values = toi::stencil_derivatives(TOI_VERTEX_FACE, at);
  CHECK(values.size == 12 && values.value == squared[0] && values.gradient == gradients[0] && one[0] == 1);
  CHECK(values.hessian == hessians[0] && values.gradient[2] == 2);
  const auto parallel = toi::corners(start[0], start[1], end_[0], end_[1]);
  CHECK(toi::stencil_mollifier(parallel, 1).value == 0);
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { toi::stencil_derivatives(TOI_EDGE_EDGE, parallel); }));
  std::vector<double> two(2);
  arrays.squared = two;
  CHECK(fails(TOI_ERROR_INPUT, "another length", [&] { toi::stencil_batch(context, mesh, stencils, arrays); }));
  coordinates fewer(5);
  more.rest = fewer;
  CHECK(fails(TOI_ERROR_INPUT, "rest and start", [&] { toi::stencils(context, mesh, 1, {}, more); }));
}

/* --- functions of the caller's --- */

void every_visitor_may_throw() {
  toi::context context(2);
  toi::scene scene(context, toi::topology(6, faces));
  const toi::mesh mesh = falling(), still(crossed, faces);
  const std::vector<toi::box> boxes(3, toi::box{{0, 0, 0, 1, 1, 1}});
  const auto one = [](const auto &) -> void { throw ball{1}; };
  const auto pair = [](toi_kind, toi::pair) -> void { throw ball{2}; };
  toi::status status;
  CHECK(throws_ball(
      1, [&] { toi::collisions(context, mesh, {}, one); }));
  CHECK(throws_ball(
      1, [&] { toi::collisions(context, mesh, {}, one, &status); }));
  CHECK(throws_ball(
      1, [&] { toi::proximity(context, mesh, 2, {}, one); }));
  CHECK(throws_ball(
      1, [&] { toi::stencils(context, mesh, 2, {}, {}, one); }));
  CHECK(throws_ball(
      2, [&] { toi::candidates(context, mesh, {}, pair); }));
  CHECK(throws_ball(
      1, [&] { toi::mesh_crossings(context, still, {}, one); }));
  CHECK(throws_ball(
      1, [&] { toi::box_pairs(context, boxes, {}, one); }));
  CHECK(throws_ball(
      1,
      [&] {
        scene.collisions({start, end_}, {}, one);
      }));
  CHECK(throws_ball(
      1, [&] { scene.proximity(start, 2, {}, one); }));
  CHECK(throws_ball(
      1, [&] { scene.stencils(start, 2, {}, {}, one); }));
  CHECK(throws_ball(
      2,
      [&] {
        scene.candidates({start, end_}, {}, pair);
      }));
  CHECK(throws_ball(1, [&] { scene.crossings(crossed, {}, one); }));
  // Nothing of it remains: the context and the scene answer as before.
  CHECK(toi::step(context, mesh).hit.t_lo == 0.5 && scene.step({start, end_}).hit.t_lo == 0.5);
}

void may_collide_may_throw() {
  toi::context context(2);
  toi::scene scene(context, toi::topology(6, faces));
  const toi::mesh mesh = falling(), still(crossed, faces);
  toi::options options;
  toi::status status;
  coordinates placed(6);
  options.may_collide = [](toi_kind, std::uint32_t, std::uint32_t) -> bool { throw ball{3}; };
  CHECK(throws_ball(
      3, [&] { toi::step(context, mesh, options); }));
  CHECK(throws_ball(
      3, [&] { toi::step(context, mesh, options, &status); }));
  CHECK(throws_ball(
      3, [&] { toi::collisions(context, mesh, options); }));
  CHECK(throws_ball(
      3, [&] { toi::proximity(context, mesh, 2, options); }));
  CHECK(throws_ball(
      3, [&] { toi::candidates(context, mesh, options); }));
  CHECK(throws_ball(
      3, [&] { toi::line_search(context, mesh, options, placed); }));
  CHECK(throws_ball(
      3, [&] { toi::mesh_intersects(context, still, options); }));
  CHECK(throws_ball(
      3, [&] { toi::safe_displacements(context, mesh, 0, 9, options); }));
  CHECK(throws_ball(
      3,
      [&] {
        scene.step({start, end_}, options);
      }));
  CHECK(throws_ball(
      3,
      [&] {
        scene.line_search({start, end_}, options, placed);
      }));
  options.may_collide = [](toi_kind, std::uint32_t first, std::uint32_t) { return first != 3; };
  CHECK(toi::step(context, mesh, options).pair.first == 4);
  CHECK(toi::step(context, mesh).hit.t_lo == 0.5);
}

/* A call as short as these reports progress only where the scene has kept its near pairs: from the third call on. */
void a_progress_function_may_throw_and_may_stop() {
  toi::context context(2);
  toi::scene scene(context, toi::topology(6, faces));
  for (int i = 0; i < 3; i++)
    CHECK(scene.proximity(start, 2).size() == 3);
  toi::options watched;
  watched.on_progress = [](double) -> bool { throw ball{4}; };
  CHECK(throws_ball(
      4, [&] { scene.proximity(start, 2, watched); }));
  watched.on_progress = [](double) { return false; };
  CHECK(fails(TOI_ERROR_CANCELLED, "progress", [&] { scene.proximity(start, 2, watched); }));
  double last = -1;
  watched.on_progress = [&](double done) { return (last = done) <= 1; };
  CHECK(scene.proximity(start, 2, watched).size() == 3 && last >= 0);
  // One of C's own goes on working beside may_collide.
  toi::options both;
  both.mesh.progress = [](void *, double) { return false; };
  both.may_collide = [](toi_kind, std::uint32_t, std::uint32_t) { return true; };
  CHECK(fails(TOI_ERROR_CANCELLED, "progress", [&] { scene.proximity(start, 2, both); }));
}

void a_visitor_that_has_seen_enough_is_no_failure() {
  toi::context context(1);
  std::size_t seen = 0;
  toi::collisions(context, falling(), {}, [&](const toi::collision &) { return ++seen < 2; });
  CHECK(seen == 2);
  seen = 0;
  toi::collisions(context, falling(), {}, [&](toi::span<const toi::collision> some) { seen += some.size(); });
  CHECK(seen == 3);
  toi::candidates(context, falling(), {}, [&](toi_kind, toi::span<const toi::pair>) { return false; });
}

/* --- arrays are seen, not copied --- */

void plain_arrays_are_seen_where_they_are() {
  const toi::mesh mesh = falling();
  const toi_mesh c = mesh.c();
  CHECK(c.start == start.data() && c.end == end_.data() && c.stride == 24 && c.component_stride == 0);
  CHECK(c.faces == static_cast<const void *>(faces.data()) && !mesh.copied());
  const toi::mesh copy = mesh;
  CHECK(copy.c().faces == c.faces && copy.c().start == c.start);
  struct particle {
    float mass, at[3], velocity[3];
  };
  const std::vector<particle> particles(4, particle{1, {1, 2, 3}, {}});
  const toi::points points(particles[0].at, particles.size(), sizeof(particle));
  CHECK(points.data() == particles[0].at && points.stride() == 28 && points(3, 2) == 3);
  CHECK(points.scalar() == TOI_FLOAT32);
  const std::vector<float> flat = {1, 2, 3, 4, 5, 6};
  CHECK(toi::points(flat).size() == 2 && toi::points(flat)(1, 0) == 4);
  const double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  CHECK(toi::points(rows).data() == rows && toi::points(rows).size() == 2);
  const std::vector<std::array<std::int64_t, 3>> wide = {{0, 1, 2}, {3, 4, 5}};
  const toi::mesh widened(start, end_, wide);
  CHECK(widened.copied() && widened.c().faces[1][2] == 5);
  const toi::mesh moved = toi::mesh(widened);
  toi::context context(1);
  CHECK(toi::step(context, moved).hit.t_lo == 0.5);
  const toi::topology topology(6, wide);
  CHECK(topology.c().faces == wide.data() && topology.c().index == TOI_INT64);
}

#if defined(TOI_TEST_EIGEN)
using row_major = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using index_matrix = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3>;

template <class M> M filled(const coordinates &from) {
  M m(static_cast<Eigen::Index>(from.size()), 3);
  for (Eigen::Index i = 0; i < m.rows(); i++)
    for (Eigen::Index k = 0; k < 3; k++)
      m(i, k) = typename M::Scalar(from[std::size_t(i)][std::size_t(k)]);
  return m;
}

/* The same impact and the same line search, from a layout. */
template <class M, class F> bool same_from(const M &v0, const M &v1, const F &f) {
  toi::context context(1);
  const toi::mesh mesh(v0, v1, f);
  toi::scene scene(context, toi::topology(mesh.vertex_count(), f));
  const toi::impact expected = toi::step(context, falling());
  const toi::impact a = toi::step(context, mesh), b = scene.step({v0, v1});
  Eigen::Matrix<typename M::Scalar, M::RowsAtCompileTime, M::ColsAtCompileTime, M::Options> placed = v1;
  toi::options options;
  options.min_separation = 0.25;
  const toi::advance far = scene.line_search({v0, v1}, options, placed);
  return mesh.c().start == v0.data() && mesh.c().end == v1.data() && std::memcmp(&a, &expected, sizeof a) == 0 &&
         std::memcmp(&b, &expected, sizeof b) == 0 && far.step > 0.37 && double(toi::points(placed)(3, 2)) > 0.25 &&
         scene.crossings(placed).empty();
}

void matrices_are_seen_by_rows_and_by_columns() {
  const row_major r0 = filled<row_major>(start), r1 = filled<row_major>(end_);
  const Eigen::MatrixXd c0 = r0, c1 = r1;
  const Eigen::Matrix3Xd t0 = r0.transpose(), t1 = r1.transpose();
  const Eigen::MatrixXf f0 = c0.cast<float>(), f1 = c1.cast<float>();
  const Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> g0 = f0, g1 = f1;
  index_matrix wide(2, 3);
  wide << 0, 1, 2, 3, 4, 5;
  const Eigen::MatrixXi by_columns = wide.cast<int>();
  const Eigen::Matrix<std::int32_t, Eigen::Dynamic, 3, Eigen::RowMajor> by_rows = wide.cast<int>();
  CHECK(same_from(r0, r1, by_rows));
  CHECK(same_from(c0, c1, by_columns));
  CHECK(same_from(t0, t1, wide));
  CHECK(same_from(f0, f1, by_columns));
  CHECK(same_from(g0, g1, by_rows));
  CHECK(toi::points(c0).stride() == 8 && toi::points(c0).component_stride() == 48);
  CHECK(toi::points(r0).stride() == 24 && toi::points(r0).component_stride() == 0);
  CHECK(toi::points(t0).stride() == 24 && toi::points(t0).size() == 6);
  CHECK(!toi::mesh(r0, r1, by_rows).copied() && toi::mesh(c0, c1, by_columns).copied());
  CHECK(toi::topology(6, by_columns).c().faces == by_columns.data());
  CHECK(toi::topology(6, wide).c().faces == wide.data() && toi::topology(6, wide).c().face_component_stride == 16);
}

void maps_blocks_and_vectors_are_seen_where_they_are() {
  Eigen::MatrixXd large = Eigen::MatrixXd::Constant(9, 5, NAN);
  large.block(2, 1, 6, 3) = filled<row_major>(start);
  const toi::points block(large.block(2, 1, 6, 3));
  CHECK(block.data() == &large(2, 1) && block.stride() == 8 && block.component_stride() == 72);
  CHECK(block(5, 2) == 1.5 && block.size() == 6);
  Eigen::VectorXd x(18);
  for (Eigen::Index i = 0; i < 18; i++)
    x[i] = start[std::size_t(i / 3)][std::size_t(i % 3)];
  CHECK(toi::points(x).data() == x.data() && toi::points(x).size() == 6 && toi::points(x)(4, 2) == 1.5);
  const Eigen::Map<const row_major> map(x.data(), 6, 3);
  CHECK(toi::points(map).data() == x.data() && toi::points(map).stride() == 24);
  const Eigen::Ref<const Eigen::MatrixXd> reference(large);
  CHECK(toi::points(reference.middleCols(1, 3)).size() == 9);
  const std::vector<Eigen::Vector3d> list(4, Eigen::Vector3d(1, 2, 3));
  CHECK(toi::points(list).data() == list.data() && toi::points(list)(3, 1) == 2);
  CHECK(toi::points(large).fault() != nullptr && toi::points(Eigen::Map<Eigen::MatrixXd>(nullptr, 0, 0)).size() == 0);
  toi::context context(1);
  CHECK(fails(TOI_ERROR_INPUT, "neither n by 3 nor 3 by n", [&] { toi::proximity(context, toi::mesh(large), 1); }));
  const Eigen::Vector3d v(0, 0, 1), a(-1, -1, 0), b(1, -1, 0), c(0, 1, 0), w(0, 0, -1);
  const toi::hit hit = toi::vertex_face(toi::corners(v, a, b, c), toi::corners(w, a, b, c));
  CHECK(hit.verdict == TOI_HIT && hit.t_lo <= 0.5 && 0.5 <= hit.t_hi);
  const auto at = filled<row_major>(start), to = filled<row_major>(end_);
  CHECK(toi::vertex_vertex(at.topRows<2>(), to.topRows(2)).verdict == TOI_MISS);
  Eigen::MatrixXd placed(6, 3);
  const Eigen::Map<const row_major> same(x.data(), 6, 3);
  CHECK(fails(
      TOI_ERROR_INPUT, "layout", [&] { toi::line_search(context, toi::mesh(map, same), {}, placed); }));
}
#endif

#define TEST(name)                                                                                                     \
  { #name, name }
const check::test tests[] = {
    TEST(a_failure_throws_or_fills_in_a_status),
    TEST(arrays_of_the_wrong_length_are_refused),
    TEST(handles_move_and_are_destroyed_once),
    TEST(queries_answer_as_those_of_c),
    TEST(batches_write_where_they_are_told),
    TEST(a_door_meets_a_wall),
    TEST(a_mesh_and_a_scene_give_the_same_answers),
    TEST(what_belongs_to_a_mesh_reaches_the_library),
    TEST(stencils_have_derivatives),
    TEST(every_visitor_may_throw),
    TEST(may_collide_may_throw),
    TEST(a_progress_function_may_throw_and_may_stop),
    TEST(a_visitor_that_has_seen_enough_is_no_failure),
    TEST(plain_arrays_are_seen_where_they_are),
#if defined(TOI_TEST_EIGEN)
    TEST(matrices_are_seen_by_rows_and_by_columns),
    TEST(maps_blocks_and_vectors_are_seen_where_they_are),
#endif
};

} // namespace

int main() {
  return check::run(tests);
}
