/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The C++ headers on curved surfaces, formulas, motions, contact and files: every function is called, with an answer
 * that is known; functions of the caller's throw, and bad input is reported. */

#include "check.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using check::ball;
using check::fails;
using check::throws_ball;

const std::string examples = TOI_SOURCE_DIR "/examples/";

bool brackets(double lo, double hi, double t) {
  return lo <= t && t <= hi && hi - lo < 1e-5;
}

/* --- surfaces --- */

/* A flat square at z = height, which moves along z. */
struct square {
  double points[4][3], velocities[4][3];
  toi::patch patch;

  square(double height, double speed)
      : points{{0, 0, height}, {0, 1, height}, {1, 0, height}, {1, 1, height}}, velocities{
                                                                                    {0, 0, speed},
                                                                                    {0, 0, speed},
                                                                                    {0, 0, speed},
                                                                                    {0, 0, speed},
                                                                                } {
    patch.degree[0] = patch.degree[1] = 1;
    patch.points = points;
    patch.velocities = velocities;
  }
  square(const square &) = delete;
  square &operator=(const square &) = delete;
};

void patches_meet_at_half_the_time() {
  toi::context context(1);
  const square low(0, 0), high(1, -2);
  CHECK(toi::patch_points(TOI_PATCH_QUAD, {1, 1}) == 4);
  const toi::surface_point middle = toi::patch_point(context, low.patch, 0.5, 0.5, 0);
  CHECK(middle.point == (toi::vector3{0.5, 0.5, 0}) && middle.normal[2] == 1);
  const toi::surface_hit hit = toi::patch_pair(context, low.patch, high.patch);
  CHECK(hit.verdict != TOI_MISS && hit.t_lo <= 0.5 && hit.t_lo > 0.49);
  std::vector<toi::patch_case> cases(2);
  for (toi::patch_case &one : cases) {
    one.a = &low.patch;
    one.b = &high.patch;
  }
  cases[0].t_max = 0.25;
  cases[1].t_max = 1;
  const auto hits = toi::patch_batch(context, cases);
  CHECK(hits.size() == 2 && hits[0].verdict == TOI_MISS && hits[1].t_lo == hit.t_lo);
  CHECK(toi::surface_method_promise(toi::surface_method_name(0)) != nullptr);
  CHECK(std::strcmp(toi::surface_end_name(TOI_SURFACE_REFUTED), "refuted") == 0);
  toi::surface_options options;
  options.t_max = -1;
  CHECK(fails(TOI_ERROR_OPTION, "t_max", [&] { toi::patch_pair(context, low.patch, high.patch, options); }));
  toi::status status;
  CHECK(toi::patch_pair(context, toi::patch(), high.patch, {}, &status).verdict == TOI_NEAR && !status.ok());
}

void models_are_made_moved_and_freed() {
  toi::context context(1);
  const toi::model sphere = toi::model::sphere(context, 1);
  toi::model ball = toi::model::moved(context, sphere, {4, 0.25, 0.125}, {-4, 0, 0});
  toi::model taken(std::move(ball));
  CHECK(ball.size() == 0 && taken.size() == sphere.size() && taken[0].points != nullptr);
  const toi::surface_hit hit = toi::model_pair(context, sphere, taken);
  const double gap = std::sqrt(4 - 0.25 * 0.25 - 0.125 * 0.125);
  CHECK(hit.verdict == TOI_HIT && brackets(hit.t_lo, hit.t_hi, (4 - gap) / 4));
  toi::motion flies(context);
  flies.spin({0, 0, 0}).move({4, 0.25, 0.125}, {-4, 0, 0});
  toi::vector3 shift = {}, velocity = {};
  CHECK(flies.linear(shift, velocity) && shift[1] == 0.25 && velocity[0] == -4);
  const toi::surface_hit flown = toi::rigid_pair(context, sphere, nullptr, sphere, flies.get());
  CHECK(flown.verdict == TOI_HIT && brackets(flown.t_lo, flown.t_hi, (4 - gap) / 4));
  std::size_t seen = 0;
  toi::model_contacts(context, sphere, taken, {}, [&](const toi::surface_hit &) { seen++; });
  CHECK(seen >= 1);
  CHECK(throws_ball(5, [&] {
    toi::model_contacts(context, sphere, taken, {}, [](const toi::surface_hit &) -> void { throw ::check::ball{5}; });
  }));
  CHECK(toi::model::cylinder(context, 1, 2).size() > 0 && toi::model::torus(context, 2, 0.5).size() > 0);
  CHECK(toi::model::teapot(context).size() == 32 && toi::model::named(context, toi::model_name(0)).size() > 0);
  CHECK(toi::model_self(context, sphere).verdict == TOI_MISS);
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { toi::model::sphere(context, -1); }));
  const double knots[4] = {0, 0, 1, 1};
  const square flat(0, 0);
  toi::nurbs nurbs;
  for (int k = 0; k < 2; k++) {
    nurbs.degree[k] = 1;
    nurbs.count[k] = 2;
    nurbs.knots[k] = knots;
    nurbs.knot_count[k] = 4;
  }
  nurbs.points = flat.points;
  CHECK(toi::model::from_nurbs(context, nurbs).size() == 1);
  const double corners[4][4][3] = {{{0, 0, 0}}, {{0, 1, 0}}, {{1, 0, 0}}, {{1, 1, 0}}};
  CHECK(toi::model::from_hermite(context, corners).size() == 1);
}

/* --- formulas and motions --- */

void a_formula_is_written_with_operators_or_as_text() {
  toi::context context(1);
  toi::formula f(context, {"u", "v"});
  const toi::term u = f.variable(0), v = f.variable(1);
  const toi::term x = (2 + 0.5 * cos(v)) * cos(u);
  CHECK(x.number() == f.parse("(2 + 0.5*cos(v))*cos(u)").number());
  f.name("radius", f.constant(3));
  const toi::term all = -abs(sqrt(f.parse("radius") * u)) - sin(u) / exp(v) + tan(u) * atan(v) - log(3 + u) +
                        pow(u, 2) + min(u, v) + max(u, 1) + atan2(u, v) + f.apply(TOI_OP_MUL, u, v) +
                        f.series(u, {0, 1}, toi::vector3{1, 2, 3}) +
                        f.series(u, {0, 1}, toi::vector3{1, 2, 3}, {0.25, 0, 0}) + f.enclosed({3, 4});
  CHECK(all.number() != TOI_NO_TERM);
  f.check();
  const toi_interval box[2] = {{0, 0}, {0, 0}};
  bool defined = false;
  const auto jet = f.bounds(x, box, 1, &defined);
  CHECK(jet.size() == 3 && jet[0].lo <= 2.5 && jet[0].hi >= 2.5 && defined);
  CHECK(std::strcmp(toi::operator_name(TOI_OP_SIN), "sin") == 0);
  toi::formula other(context, {"u"});
  CHECK(!(u + other.variable(0)) && !f.parse("2 + "));
  CHECK(fails(TOI_ERROR_INPUT, "column", [&] { f.check(); }));
  toi::formula moved(std::move(f));
  CHECK(!f && moved);
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { toi::formula(context, {"not a name"}); }));
}

void motions_follow_each_other() {
  toi::context context(1);
  toi::motion motion(context);
  motion.turn({0, 0, 1}, 0, 2.5).move({4, 0, 0}, {-1, 0, 0});
  toi::screw screw;
  screw.axis[2] = 1;
  screw.speed = 2;
  motion.screw(screw).formula({}, {"t", "t^2", "0"}).turn_formula({0, 0, 1}, "t");
  toi::formula f(context, {"t"});
  const toi::term t = f.variable(0), zero = f.constant(0);
  motion.terms(f, {}, {t, zero, zero}).turn_term({0, 0, 1}, f, t);
  const double line[2] = {1, 1};
  toi::chebyshev series;
  series.t_to = 1;
  series.count = 2;
  for (const double *&axis : series.translation)
    axis = line;
  motion.chebyshev(series).fitted(series, nullptr);
  const auto pose = motion.at({0, 0});
  CHECK(pose.rotation[8].lo <= 1 && 1 <= pose.rotation[8].hi && pose.translation[0].hi > 3);
  CHECK(toi::chebyshev_node(0, 1, 0, 1) == 0.5 && std::isnan(toi::chebyshev_node(0, 1, 2, 1)));
  CHECK(fails(TOI_ERROR_INPUT, "axis", [&] { motion.turn({0, 0, 0}, 0, 1); }));
  toi::status status;
  motion.move({HUGE_VAL, 0, 0}, {}, &status);
  CHECK(status.code == TOI_ERROR_INPUT);
}

/* --- contact --- */

/* x^2 + y^2 + z^2 - 1 of x, y, z, t. */
toi::implicit unit_ball(const toi::formula *formula, toi::term function) {
  toi::implicit ball;
  ball.formula = formula == nullptr ? nullptr : formula->get();
  ball.function = function.number();
  for (toi_interval &side : ball.bounds)
    side = {-2, 2};
  ball.solid = true;
  return ball;
}

void shapes_of_every_kind_touch() {
  toi::context context(1);
  const toi::shape sphere = toi::shape::library(context, TOI_SHAPE_SPHERE, {0.5});
  toi::motion flies(context);
  flies.move({4, 0, 0}, {-5, 0, 0});
  toi::formula f(context, {"x", "y", "z", "t"});
  const toi::term x = f.variable(0), y = f.variable(1), z = f.variable(2);
  const toi::shape target = toi::shape::from(context, unit_ball(&f, x * x + y * y + z * z - 1));
  const toi::body bodies[] = {target, {sphere, flies}};
  const toi::contacts found = toi::contact(context, bodies);
  CHECK(found.answer.verdict == TOI_HIT && brackets(found.answer.t_lo, found.answer.t_hi, 0.5));
  CHECK(found.points.size() == 1 && std::fabs(found.points[0].point[0] - 1) < 1e-6);
  toi::vector3 normal;
  CHECK(target.value({0, 0, 2}, 0, &normal) == 3 && normal[2] == 1 && target.extent().implicit);
  toi::formula g(context, {"u", "v", "t"});
  toi::parametric plane;
  plane.formula = g.get();
  plane.at[0] = g.variable(0).number();
  plane.at[1] = g.variable(1).number();
  plane.at[2] = g.constant(2).number();
  plane.u = plane.v = {-1, 1};
  plane.edges = TOI_EDGES;
  CHECK(toi::shape::from(context, plane).point(0.5, 0.25).point == (toi::vector3{0.5, 0.25, 2}));
  CHECK(toi::shape::height_field(context, "u*v", {0, 1}, {0, 1}).point(0.5, 0.5).point[2] == 0.25);
  const toi::shape gable = toi::shape::prism(context, {{0, 0}, {2, 0}, {1, 1}}, 3);
  CHECK(gable.pieces() == 5 && gable.piece(4).holds(1, 0.5) && !gable.piece(4).holds(0.1, 0.9));
  CHECK(toi::shape::turned(context, {{1, 0}, {1, 2}, {0, 3}}).pieces() == 3);
  CHECK(toi::shape::revolution(context, "1", "v", {0, 1}, TOI_EDGES_V, false).pieces() == 1);
  CHECK(fails(TOI_ERROR_INPUT, "faces[0] is a solid", [&] { toi::shape::faces(context, {gable.piece(0), gable}); }));
  toi::parametric side = plane;
  side.edges = TOI_EDGES | TOI_TRIANGLE;
  const toi::shape floor = toi::shape::from(context, plane), roof = toi::shape::from(context, side);
  CHECK(roof.point(1, 1).point == (toi::vector3{-1, 1, 2}));
  CHECK(fails(TOI_ERROR_INPUT, "meets no other edge", [&] { toi::shape::faces(context, {floor, roof}); }));
  const toi::shape lens = toi::shape::boolean(context, TOI_BOOLEAN_INTERSECTION, {sphere, target});
  CHECK(lens.extent().implicit && lens.extent().solid && lens.value({0, 0, 0}) == -0.25);
  CHECK(fails(TOI_ERROR_INPUT, "0 operands", [&] { toi::shape::boolean(context, TOI_BOOLEAN_UNION, {}); }));
  const toi::shape patches = toi::shape::patches(context, toi::model::sphere(context, 1));
  CHECK(patches.pieces() > 1 && patches.piece(1).extent().u.hi == 1 && patches.piece(99).get() == nullptr);
  CHECK(toi::shape_kind_sizes(TOI_SHAPE_TORUS) == 2 && std::strcmp(toi::shape_kind_name(TOI_SHAPE_CONE), "cone") == 0);
  CHECK(std::strcmp(toi::contact_certificate_name(TOI_CONTACT_UNIQUE), "unique") == 0);
  CHECK(std::strcmp(toi::contact_end_name(TOI_CONTACT_DONE), "done") == 0);
  CHECK(throws_ball(
      6,
      [&] {
        toi::contact(
            context, bodies, {}, [](const toi::contact_point &) -> void { throw ::check::ball{6}; });
      }));
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { toi::shape::library(context, TOI_SHAPE_SPHERE, {}); }));
  toi::contact_options options;
  options.spacing = -1;
  CHECK(fails(TOI_ERROR_OPTION, "spacing", [&] { toi::contact(context, bodies, options); }));
}

void a_shape_of_the_caller_may_throw() {
  toi::context context(1), elsewhere(1);
  toi::formula f(elsewhere, {"x", "y", "z", "t"});
  const toi::term x = f.variable(0), y = f.variable(1), z = f.variable(2), sphere = x * x + y * y + z * z - 1;
  int left = 1 << 30;
  const auto enclose = [&](const toi_interval *box, unsigned order, toi_interval *jets) {
    if (left-- == 0)
      throw ball{7};
    const auto jet = f.bounds(sphere, {box, 4}, order);
    std::copy(jet.begin(), jet.end(), jets);
    return true;
  };
  const toi::shape own = toi::shape::own(context, enclose, unit_ball(nullptr, {}));
  toi::shape moved = toi::shape::own(context, enclose, unit_ball(nullptr, {}));
  const toi::shape taken(std::move(moved));
  CHECK(own.value({2, 0, 0}) == 3 && taken.value({0, 0, 0}) == -1 && !moved);
  const toi::shape small = toi::shape::library(context, TOI_SHAPE_SPHERE, {0.5});
  toi::motion flies(context);
  flies.move({4, 0, 0}, {-5, 0, 0});
  const toi::body bodies[] = {own, {small, flies}};
  CHECK(brackets(toi::contact(context, bodies).answer.t_lo, toi::contact(context, bodies).answer.t_hi, 0.5));
  left = 20;
  CHECK(throws_ball(7, [&] { toi::contact(context, bodies); }));
  left = 20;
  toi::status status;
  CHECK(throws_ball(7, [&] { toi::contact(context, bodies, {}, &status); }));
  left = 0;
  CHECK(throws_ball(7, [&] { own.value({2, 0, 0}); }));
  left = 0;
  CHECK(throws_ball(7, [&] { own.piece(0).value({2, 0, 0}); }));
  left = 1 << 30;
  CHECK(toi::contact(context, bodies).answer.verdict == TOI_HIT);
  const auto gives_up = [](const toi_interval *, unsigned, toi_interval *) { return false; };
  toi::parametric sheet;
  sheet.u = sheet.v = {0, 1};
  sheet.edges = TOI_EDGES;
  const toi::shape none = toi::shape::own(context, gives_up, sheet);
  CHECK(fails(TOI_ERROR_CALLBACK, "", [&] { none.point(0, 0); }));
}

/* --- files --- */

void meshes_and_queries_are_written_and_read() {
  toi::context context(1);
  // By columns, as MatrixXd and MatrixXi have them.
  const double columns[9] = {0, 1, 0, 0, 0, 1, 2, 3, 4};
  const int corners[3] = {0, 1, 2};
  toi::frame_write(context, "cpp_frame.ply", toi::points(columns, 3, 8, 24), toi::faces(corners, 1));
  toi::frame read = toi::frame::read(context, "cpp_frame.ply");
  const toi::frame frame(std::move(read));
  CHECK(frame.points().size() == 3 && frame.points()(1, 0) == 1 && frame.points()(2, 2) == 4);
  CHECK(frame.faces().size() == 1 && frame.loose().size() == 0 && read.points().size() == 0);
  toi::frames_match(context, frame, "start", frame, "end");
  const toi::mesh mesh(frame.points(), frame.points(), frame.faces());
  CHECK(mesh.c().start == frame.get().vertices && toi::step(context, mesh).hit.verdict == TOI_MISS);
  CHECK(fails(TOI_ERROR_FILE, "cpp_none.ply", [&] { toi::frame::read(context, "cpp_none.ply"); }));
  const std::vector<double> queries(48, 0.5);
  const std::vector<std::uint8_t> hits = {1, 0};
  toi::queries_write(context, "cpp_queries.csv", queries, hits);
  toi::query_set set = toi::query_set::read(context, "cpp_queries.csv");
  CHECK(set.size() == 2 && set.queries()[47] == 0.5 && set.truth()[0] == 1);
  CHECK(toi::batch(context, TOI_EDGE_EDGE, set.queries()).size() == 2);
  CHECK(fails(TOI_ERROR_INPUT, "24", [&] { toi::queries_write(context, "cpp_no.bin", toi::vector3{1, 2, 3}); }));
  toi::output output(context, "cpp_truth.csv");
  output.append("hit,toi_lo,toi_hi\n");
  output.append("1,0x1p-1,0x1p-1\n");
  output.commit();
  const toi::truth truth = toi::truth::read(context, "cpp_truth.csv");
  CHECK(truth.get().count == 1 && truth.get().t_lo[0] == 0.5);
  toi::output dropped(context, "cpp_dropped.bin");
  dropped.append_queries(queries);
  dropped = toi::output(context, "cpp_queries.bin");
  dropped.append_queries(queries);
  dropped.commit();
  CHECK(toi::query_set::read(context, "cpp_queries.bin").size() == 2 && !std::ifstream("cpp_dropped.bin"));
  CHECK(fails(TOI_ERROR_INPUT, "", [&] { dropped.commit(); }));
}

void surfaces_and_scenes_are_read() {
  toi::context context(1);
  const toi::case_set cases = toi::case_set::read(context, examples + "surfaces/cases.jsonl");
  CHECK(cases.size() >= 3 && cases[0].a != nullptr && toi::patch_batch(context, cases).size() == cases.size());
  cases.write("cpp_cases.jsonl");
  CHECK(toi::case_set::read(context, "cpp_cases.jsonl").size() == cases.size());
  const toi::model torus = toi::model::read(context, examples + "surfaces/torus.json");
  torus.write("cpp_model.json");
  CHECK(toi::model::read(context, "cpp_model.json").size() == torus.size());
  const toi::contact_scene scene = toi::contact_scene::read(context, examples + "contact/two-spheres.json");
  CHECK(scene.size() == 2 && std::strcmp(scene.name(1), "ball") == 0 && scene[0].view().extent().solid);
  const toi::contacts found = toi::contact(context, scene, scene.options());
  CHECK(found.answer.verdict == TOI_HIT && found.points.size() == 1);
  std::vector<toi_contact_interval> times;
  const toi_contact_history history = toi::contact_intervals(
      context, scene, scene.options(), [&](const toi_contact_interval &one) { times.push_back(one); });
  CHECK(history.intervals == times.size() && times.size() == 2);
  CHECK(times[0].begin_lo <= found.answer.t_hi && found.answer.t_lo <= times[0].begin_hi);
  CHECK(std::strcmp(toi::boolean_operation_name(TOI_BOOLEAN_UNION), "union") == 0);
  // A long search reports its progress.
  const toi::sweep_scene door = toi::sweep_scene::read(context, examples + "sweep/door.json");
  CHECK(door.size() == 3 && door.pieces() == 1 && std::string(door.name(1)) == "chest" && door.times()[1] == 1);
  CHECK(door.motions(0)[0].end.quaternion[3] > 0.8 && door.joint(0, 0, 1, 2).size() == 6);
  CHECK(fails(TOI_ERROR_INPUT, "has no joint", [&] { door.joint(1, 0, 1, 2); }));
  const toi::contact_scene tori = toi::contact_scene::read(context, examples + "contact/tori-aligned.json");
  toi::contact_options options = tori.options();
  options.on_progress = [](double) -> bool { throw ball{8}; };
  CHECK(throws_ball(8, [&] { toi::contact(context, tori, options); }));
  toi::surface_options watched;
  watched.on_progress = [](double) { return false; };
  CHECK(fails(
      TOI_ERROR_CANCELLED, "progress", [&] { toi::patch_batch(context, cases, watched); }));
  watched.on_progress = [](double) -> bool { throw ball{9}; };
  CHECK(throws_ball(
      9, [&] { toi::patch_batch(context, cases, watched); }));
  CHECK(fails(TOI_ERROR_FILE, "nowhere.json", [&] { toi::contact_scene::read(context, "nowhere.json"); }));
}

/* A ball lies on a plane, rolls, and meets another one. */
void contacts_that_last_are_tracked() {
  toi::context context(1);
  const toi::shape round = toi::shape::library(context, TOI_SHAPE_SPHERE, {0.5});
  const toi::shape plane = toi::shape::library(context, TOI_SHAPE_PLANE, {});
  toi::motion lies(context), rolls(context), waits(context);
  lies.move({0, 0, 0.5}, {0, 0, 0});
  rolls.move({0, 0, 0.5}, {1, 0, 0});
  waits.move({1.5, 0, 0.5}, {0, 0, 0});
  const toi::body rest[] = {{round, lies}, plane};
  std::vector<toi::track> tracks = toi::track_rest(context, rest);
  CHECK(tracks.size() == 1 && tracks[0].state == TOI_TRACK_HOLDS && tracks[0].normal[2] == 1);
  toi::track_begin(context, rest, tracks);
  // The other one is in the air by a hair's breadth: only one contact is tracked.
  waits.move({0, 0, 0.001}, {0, 0, 0});
  const toi::body bodies[] = {{round, rolls}, plane, {round, waits}};
  const toi::track_step_answer found = toi::track_step(context, bodies, tracks);
  CHECK(found.answer.event == TOI_TRACK_CONTACT && found.answer.verdict == TOI_HIT && found.points.size() == 1);
  CHECK(brackets(found.answer.t_lo, found.answer.t_hi, 1.5 - std::sqrt(1 - 0.001 * 0.001)));
  CHECK(std::strcmp(toi::track_state_name(tracks[0].state), "holds") == 0);
  CHECK(std::strcmp(toi::track_event_name(found.answer.event), "contact") == 0);
  const std::vector<toi::track> made = toi::track_make(context, bodies, found.points, {1e-6, 0.05, found.answer.t_hi});
  CHECK(made.size() == 1 && made[0].b == 2);
  CHECK(throws_ball(5, [&] {
    std::vector<toi::track> again = toi::track_rest(context, rest);
    toi::track_step(context, bodies, again, 0, {}, [](const toi::contact_point &) { throw ball{5}; });
  }));
  CHECK(fails(
      TOI_ERROR_INPUT, "no contact",
      [&] {
        const toi::body apart[] = {{round, waits}, plane};
        toi::track_begin(context, apart, tracks);
      }));
}

#define TEST(name)                                                                                                     \
  { #name, name }
const check::test tests[] = {
    TEST(patches_meet_at_half_the_time),
    TEST(models_are_made_moved_and_freed),
    TEST(a_formula_is_written_with_operators_or_as_text),
    TEST(motions_follow_each_other),
    TEST(shapes_of_every_kind_touch),
    TEST(a_shape_of_the_caller_may_throw),
    TEST(meshes_and_queries_are_written_and_read),
    TEST(surfaces_and_scenes_are_read),
    TEST(contacts_that_last_are_tracked),
};

} // namespace

// Files are written in a folder of their own, wherever the program is run from.
int main() {
  char folder[] = "/tmp/toi-cpp-XXXXXX";
  if (mkdtemp(folder) == nullptr)
    return 1;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  const int status = check::run(tests);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  return status;
}
