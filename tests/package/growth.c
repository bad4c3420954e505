/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A program that uses every struct that can grow, for test_growth.sh, which compiles it with the headers of today and
 * with headers in which every such struct has one more field.
 *
 *   growth list         the structs that are used
 *   growth use FOLDER   uses each, alone and in arrays, and prints all answers; files go to the folder
 *   growth refuse       hands each to a library that knows it shorter, and prints what it says
 *
 * Every struct lies right before memory that must not be touched: a library that takes more than the caller's size does
 * not get away with it. */

#include <toi/toi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static toi_context *context;

/* Where the field GROWN was appended, a struct was as long as its offset: what is not under trial is handed over so. */
#if defined(GROWN)
#define FIRST_SIZE(type) offsetof(type, GROWN)
#else
#define FIRST_SIZE(type) sizeof(type)
#endif
static bool refusing;
#define BESIDE(type) (refusing ? FIRST_SIZE(type) : sizeof(type))

/* Zeroes that end where no access is allowed. */
static void *at_edge(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
  char *memory = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + pages, page, PROT_NONE) != 0) {
    perror("mmap");
    exit(2);
  }
  return memory + pages - size;
}
#define EDGE(type, count) ((type *)at_edge((count) * sizeof(type)))

/* Options as the headers make them, moved to the edge. */
#define DEFAULTS(type, made) ((type *)memcpy(EDGE(type, 1), &(type[]){made}, sizeof(type)))

static void require(toi_status status) {
  if (status == TOI_OK)
    return;
  printf("status %d: %s\n", (int)status, toi_context_error(context));
  exit(1);
}

static void print_numbers(const char *what, const double *numbers, size_t count) {
  printf("%s:", what);
  for (size_t i = 0; i < count; i++)
    printf(" %a", numbers[i]);
  printf("\n");
}

static void print_surface(const toi_surface_hit *hit) {
  const double numbers[] = {hit->t_lo, hit->t_hi, hit->t_safe, hit->point[0], hit->point[1], hit->point[2]};
  printf("%s, %s, patches %u and %u, %llu checks; ", toi_verdict_name((toi_verdict)hit->verdict),
         toi_surface_end_name((toi_surface_end)hit->end), hit->patch_a, hit->patch_b, (unsigned long long)hit->checks);
  print_numbers("hit", numbers, 6);
}

/* --- meshes --- */

static const double fall_start[2][3][3] = {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
                                           {{0.5, 0.5, 1}, {0.5, 0.75, 2}, {0.75, 0.5, 2}}};
static const double fall_end[2][3][3] = {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
                                         {{0.5, 0.5, -2}, {0.5, 0.75, -1}, {0.75, 0.5, -1}}};
static const uint32_t fall_faces[2][3] = {{0, 1, 2}, {3, 4, 5}};

static toi_mesh *falling(size_t size) {
  toi_mesh *mesh = EDGE(toi_mesh, 1);
  mesh->size = size;
  mesh->start = fall_start;
  mesh->end = fall_end;
  mesh->vertex_count = 6;
  mesh->faces = fall_faces;
  mesh->face_count = 2;
  return mesh;
}

static toi_options *options_of_meshes(void) {
  toi_options *options = DEFAULTS(toi_options, toi_default_options());
  options->size = BESIDE(toi_options);
  return options;
}

static toi_status step(const toi_mesh *mesh, const toi_options *options) {
  toi_impact impact;
  const toi_status status = toi_step(context, mesh, options, &impact);
  if (status != TOI_OK)
    return status;
  const double numbers[] = {impact.hit.t_lo, impact.hit.t_hi, impact.hit.t_safe, impact.hit.u, impact.hit.v};
  printf("%s, kind %d, %u and %u; ", toi_verdict_name((toi_verdict)impact.hit.verdict), (int)impact.kind,
         impact.pair.first, impact.pair.second);
  print_numbers("impact", numbers, 5);
  return TOI_OK;
}

static toi_status try_context(void) {
  toi_context_options *options = DEFAULTS(toi_context_options, toi_default_context_options());
  options->threads = 3;
  toi_context *made = NULL;
  const toi_status status = toi_context_create(options, &made);
  if (made != NULL)
    printf("%u threads\n", toi_context_threads(made));
  toi_context_destroy(made);
  return status;
}

static toi_status try_options(void) {
  const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double end[4][3] = {{0.25, 0.25, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  toi_options *options = options_of_meshes();
  toi_options_init(options, sizeof *options);
  options->min_separation = 0.125;
  toi_hit hit;
  const toi_status status = step(falling(0), options);
  if (status == TOI_OK) {
    require(toi_vertex_face(start, end, options, &hit));
    print_numbers("vertex-face", (double[]){hit.t_lo, hit.t_hi, hit.distance}, 3);
  }
  return status;
}

static toi_status try_mesh_options(void) {
  toi_options *options = options_of_meshes();
  toi_mesh_options *on_mesh = DEFAULTS(toi_mesh_options, toi_default_mesh_options());
  on_mesh->broad = "sweep";
  options->on_mesh = on_mesh;
  return step(falling(0), options);
}

static toi_status try_mesh(void) {
  return step(falling(sizeof(toi_mesh)), options_of_meshes());
}

/* The same as a scene; which of the two structs is under trial has its own size. */
static toi_status step_scene(size_t topology_size, size_t positions_size) {
  toi_topology *topology = EDGE(toi_topology, 1);
  toi_positions *positions = EDGE(toi_positions, 1);
  topology->size = topology_size;
  topology->vertex_count = positions->vertex_count = 6;
  topology->faces = fall_faces;
  topology->face_count = 2;
  positions->size = positions_size;
  positions->start = fall_start;
  positions->end = fall_end;
  toi_scene *scene;
  toi_impact impact;
  toi_status status = toi_scene_create(context, topology, &scene);
  if (status != TOI_OK)
    return status;
  status = toi_scene_step(context, scene, positions, options_of_meshes(), &impact);
  if (status == TOI_OK)
    print_numbers("scene", (double[]){impact.hit.t_lo, impact.hit.t_hi, impact.hit.t_safe}, 3);
  toi_scene_destroy(scene);
  return status;
}

static toi_status try_topology(void) {
  return step_scene(sizeof(toi_topology), BESIDE(toi_positions));
}

static toi_status try_positions(void) {
  return step_scene(BESIDE(toi_topology), sizeof(toi_positions));
}

/* --- stencils --- */

/* The last one that came. */
static toi_status keep_last(void *user, const toi_stencil *stencils, size_t count) {
  *(toi_stencil *)user = stencils[count - 1];
  return TOI_OK;
}

static toi_status try_stencil_options(void) {
  toi_stencil_options *options = DEFAULTS(toi_stencil_options, toi_default_stencil_options());
  options->mollifier = 0.5;
  toi_stencil last;
  const toi_status status = toi_stencils(context, falling(0), 1.5, options_of_meshes(), options, keep_last, &last);
  if (status == TOI_OK)
    print_numbers("stencil", (double[]){last.kind, last.pair.first, last.pair.second, last.distance_squared}, 4);
  return status;
}

static toi_status try_stencil_arrays(void) {
  const toi_stencil stencils[2] = {{.kind = TOI_VERTEX_VERTEX, .vertices = {0, 3}},
                                   {.kind = TOI_VERTEX_FACE, .vertices = {3, 0, 1, 2}}};
  double squared[2], gradients[2][12];
  toi_stencil_arrays *arrays = EDGE(toi_stencil_arrays, 1);
  toi_stencil_arrays_init(arrays, sizeof *arrays);
  arrays->squared = squared;
  arrays->gradients = gradients;
  const toi_status status = toi_stencil_batch(context, falling(0), stencils, 2, arrays);
  if (status == TOI_OK)
    print_numbers("derivatives", (double[]){squared[0], squared[1], gradients[0][2], gradients[1][5]}, 4);
  return status;
}

/* --- surfaces --- */

static const double square[4][3] = {{-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 1, 0}};
static const double bowl[9][3] = {{-1, -1, 2}, {-1, 0, 1}, {-1, 1, 2}, {0, -1, 1}, {0, 0, 0.5},
                                  {0, 1, 1},   {1, -1, 2}, {1, 0, 1},  {1, 1, 2}};
static const double down[9][3] = {{0, 0, -2}, {0, 0, -2}, {0, 0, -2}, {0, 0, -2}, {0, 0, -2},
                                  {0, 0, -2}, {0, 0, -2}, {0, 0, -2}, {0, 0, -2}};

static toi_patch flat_patch(size_t size) {
  return (toi_patch){.size = size, .shape = TOI_PATCH_QUAD, .degree = {1, 1}, .points = square};
}

static toi_patch falling_patch(size_t size) {
  return (toi_patch){.size = size, .shape = TOI_PATCH_QUAD, .degree = {2, 2}, .points = bowl, .velocities = down};
}

static toi_surface_options *options_of_surfaces(void) {
  toi_surface_options *options = DEFAULTS(toi_surface_options, toi_default_surface_options());
  options->size = BESIDE(toi_surface_options);
  return options;
}

static toi_patch *one_patch(toi_patch patch) {
  toi_patch *made = EDGE(toi_patch, 1);
  *made = patch;
  return made;
}

static toi_status try_patch(void) {
  toi_patch *first = one_patch(flat_patch(sizeof *first)), *second = one_patch(falling_patch(sizeof *second));
  toi_surface_hit hit;
  toi_status status = toi_patch_pair(context, first, second, options_of_surfaces(), &hit);
  if (status != TOI_OK)
    return status;
  print_surface(&hit);
  // An array: only the first one says how far apart they are.
  toi_patch *three = EDGE(toi_patch, 3);
  for (int i = 0; i < 3; i++)
    three[i] = i == 2 ? flat_patch(0) : falling_patch(i == 0 ? sizeof *three : 0);
  const toi_model model = {.patches = three, .patch_count = 3}, other = {.patches = second, .patch_count = 1};
  status = toi_model_pair(context, &model, &other, options_of_surfaces(), &hit);
  if (status == TOI_OK)
    print_surface(&hit);
  return status;
}

static toi_status try_patch_case(void) {
  toi_patch_case *cases = EDGE(toi_patch_case, 3);
  const toi_patch *pair[2] = {one_patch(flat_patch(BESIDE(toi_patch))), one_patch(falling_patch(BESIDE(toi_patch)))};
  toi_surface_hit hits[3];
  cases[0].size = sizeof *cases;
  for (int i = 0; i < 3; i++) {
    cases[i].a = pair[i % 2];
    cases[i].b = pair[1 - i % 2];
    cases[i].t_max = 0.25 * (i + 2);
  }
  const toi_status status = toi_patch_batch(context, cases, 3, options_of_surfaces(), hits);
  for (int i = 0; i < 3 && status == TOI_OK; i++)
    print_surface(&hits[i]);
  return status;
}

static toi_status try_surface_options(void) {
  toi_surface_options *options = options_of_surfaces();
  toi_surface_options_init(options, sizeof *options);
  options->min_separation = 0.25;
  const size_t size = BESIDE(toi_patch);
  toi_surface_hit hit;
  const toi_status status =
      toi_patch_pair(context, one_patch(flat_patch(size)), one_patch(falling_patch(size)), options, &hit);
  if (status == TOI_OK)
    print_surface(&hit);
  return status;
}

static toi_status try_nurbs(void) {
  static const double knots[6] = {0, 0, 0.3, 0.7, 1, 1};
  toi_nurbs *nurbs = EDGE(toi_nurbs, 1);
  toi_nurbs_init(nurbs, sizeof *nurbs);
  for (int k = 0; k < 2; k++) {
    nurbs->degree[k] = 2;
    nurbs->count[k] = 3;
    nurbs->knots[k] = knots;
    nurbs->knot_count[k] = 6;
  }
  nurbs->points = bowl;
  nurbs->velocities = down;
  toi_model model;
  const toi_status status = toi_model_from_nurbs(context, nurbs, &model);
  // The library that made it may know a longer patch.
  for (size_t i = 0; i < model.patch_count && status == TOI_OK; i++) {
    const toi_patch *patch = toi_model_patch(&model, i);
    printf("patch %zu of degree %u, %u, error %a; ", i, patch->degree[0], patch->degree[1], patch->error);
    print_numbers("a point", patch->points[4], 3);
  }
  toi_model_free(context, &model);
  return status;
}

/* --- bodies --- */

static toi_status try_screw(void) {
  toi_screw *screw = EDGE(toi_screw, 1);
  toi_screw_init(screw, sizeof *screw);
  screw->axis[2] = 1;
  screw->rate = 2;
  screw->speed = 3;
  toi_motion *motion;
  require(toi_motion_create(context, &motion));
  toi_interval rotation[9], translation[3];
  toi_status status = toi_motion_screw(motion, screw);
  if (status == TOI_OK)
    status = toi_motion_at(motion, (toi_interval){0.5, 0.5}, rotation, translation);
  if (status == TOI_OK)
    print_numbers("screw", (double[]){rotation[0].lo, rotation[0].hi, translation[2].lo}, 3);
  toi_motion_destroy(motion);
  return status;
}

static toi_status try_chebyshev(void) {
  static const double line[2] = {1, 0.5}, none[2] = {0, 0};
  toi_chebyshev *series = EDGE(toi_chebyshev, 1);
  toi_chebyshev_init(series, sizeof *series);
  series->t_to = 2;
  series->count = 2;
  for (int k = 0; k < 3; k++)
    series->translation[k] = k == 0 ? line : none;
  toi_motion *motion;
  require(toi_motion_create(context, &motion));
  toi_interval rotation[9], translation[3];
  toi_status status = toi_motion_chebyshev(motion, series);
  if (status == TOI_OK)
    status = toi_motion_at(motion, (toi_interval){0.25, 0.75}, rotation, translation);
  if (status == TOI_OK)
    print_numbers("series", (double[]){translation[0].lo, translation[0].hi}, 2);
  toi_motion_destroy(motion);
  return status;
}

static toi_status try_moving_body(void) {
  static const double points[4][3] = {{1, 0, 0}, {0, 0, -1}, {2, 2, -1}, {1, 1, 2}};
  toi_moving_body *door = EDGE(toi_moving_body, 1), wall;
  toi_moving_body_init(door, sizeof *door);
  toi_moving_body_init(&wall, sizeof wall);
  door->end.quaternion[3] = 1;
  toi_moving_pair *pair;
  toi_hit hit;
  toi_status status = toi_moving_pair_create(context, door, &wall, &pair);
  if (status != TOI_OK)
    return status;
  toi_options options = toi_default_options();
  status = toi_moving_pair_query(pair, TOI_VERTEX_FACE, points, &options, &hit);
  if (status == TOI_OK)
    print_numbers("door", (double[]){hit.t_lo, hit.t_hi, hit.u, hit.v}, 4);
  toi_moving_pair_destroy(pair);
  return status;
}

static toi_status try_parametric(void) {
  toi_formula *formula;
  require(toi_formula_create(context, (const char *const[]){"u", "v", "t"}, 3, &formula));
  toi_parametric *dome = EDGE(toi_parametric, 1);
  toi_parametric_init(dome, sizeof *dome);
  dome->formula = formula;
  dome->at[0] = toi_formula_parse(formula, "u");
  dome->at[1] = toi_formula_parse(formula, "v");
  dome->at[2] = toi_formula_parse(formula, "1 - u^2 - v^2");
  dome->u = dome->v = (toi_interval){-1, 1};
  dome->edges = TOI_EDGES;
  toi_shape *shape = NULL;
  double point[3], normal[3];
  toi_status status = toi_shape_parametric(context, dome, &shape);
  if (status == TOI_OK)
    status = toi_shape_point(shape, 0.3, 0.4, 0, point, normal);
  if (status == TOI_OK)
    print_numbers("a point of a dome", point, 3);
  toi_shape_destroy(shape);
  toi_formula_destroy(formula);
  return status;
}

static toi_status try_implicit(void) {
  toi_formula *formula;
  require(toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &formula));
  toi_implicit *ball = EDGE(toi_implicit, 1);
  toi_implicit_init(ball, sizeof *ball);
  ball->formula = formula;
  ball->function = toi_formula_parse(formula, "x^2 + y^2 + z^2 - 1");
  for (int k = 0; k < 3; k++)
    ball->bounds[k] = (toi_interval){-2, 2};
  ball->solid = true;
  toi_shape *shape = NULL;
  double value, normal[3];
  toi_status status = toi_shape_implicit(context, ball, &shape);
  if (status == TOI_OK)
    status = toi_shape_value(shape, (double[]){0.3, 0.4, 0.5}, 0, &value, normal);
  if (status == TOI_OK)
    print_numbers("the function of a ball", &value, 1);
  toi_shape_destroy(shape);
  toi_formula_destroy(formula);
  return status;
}

static toi_status print_contact(void *user, const toi_contact_point *contact) {
  (void)user;
  printf("%u and %u, %s; ", contact->a, contact->b, toi_contact_certificate_name(contact->certificate));
  print_numbers("contact", contact->point, 3);
  return TOI_OK;
}

static toi_status ask_bodies(const toi_body *bodies, size_t count, const toi_contact_options *options) {
  toi_contact_answer answer;
  const toi_status status = toi_contact(context, bodies, count, options, &answer, print_contact, NULL);
  if (status != TOI_OK)
    return status;
  printf("%s, %zu contacts, %llu boxes; ", toi_verdict_name(answer.verdict), answer.contacts,
         (unsigned long long)answer.boxes);
  print_numbers("bodies", (double[]){answer.t_lo, answer.t_hi, answer.t_safe}, 3);
  return status;
}

/* Three balls in a row, the last one coming. */
static toi_status ask_balls(bool sized, const toi_contact_options *options) {
  toi_body *bodies = EDGE(toi_body, 3);
  toi_shape *ball;
  toi_motion *motions[3];
  require(toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1}, &ball));
  bodies[0].size = sized ? sizeof *bodies : 0;
  for (int i = 0; i < 3; i++) {
    require(toi_motion_create(context, &motions[i]));
    require(toi_motion_move(motions[i], (double[]){3 * i, 0, 0}, (double[]){i == 2 ? -2 : 0, 0, 0}));
    bodies[i].shape = ball;
    bodies[i].motion = motions[i];
  }
  const toi_status status = ask_bodies(bodies, 3, options);
  for (int i = 0; i < 3; i++)
    toi_motion_destroy(motions[i]);
  toi_shape_destroy(ball);
  return status;
}

static toi_contact_options *options_of_bodies(void) {
  toi_contact_options *options = DEFAULTS(toi_contact_options, toi_default_contact_options());
  options->size = BESIDE(toi_contact_options);
  return options;
}

static toi_status try_body(void) {
  return ask_balls(true, options_of_bodies());
}

static toi_status try_contact_options(void) {
  toi_contact_options *options = EDGE(toi_contact_options, 1);
  toi_contact_options_init(options, sizeof *options);
  options->t_max = 0.75;
  return ask_balls(true, options);
}

/* A ball that lies on another one, tracked. */
static toi_status ask_tracks(toi_track_scene *scene, toi_track_contacts *contacts) {
  toi_body *bodies = EDGE(toi_body, 2);
  toi_track *tracks = EDGE(toi_track, 2);
  toi_shape *ball;
  toi_motion *motion;
  toi_track_answer answer;
  size_t made = 0;
  require(toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1}, &ball));
  require(toi_motion_create(context, &motion));
  require(toi_motion_move(motion, (double[]){0, 0, 2}, (double[]){0, 0, 0.25}));
  bodies[0].size = bodies[1].size = BESIDE(toi_body);
  bodies[0].shape = bodies[1].shape = ball;
  bodies[1].motion = motion;
  scene->bodies = bodies;
  scene->body_count = 2;
  scene->tracks = tracks;
  contacts->room = 2;
  contacts->delta = 1e-4;
  contacts->margin = 0.05;
  toi_status status = toi_track_rest(context, scene, options_of_bodies(), contacts, &made);
  scene->track_count = made;
  if (status == TOI_OK)
    status = toi_track_step(context, scene, options_of_bodies(), &answer, NULL, NULL);
  if (status == TOI_OK)
    printf("%zu tracks, the first one %s; ", made, toi_track_state_name(tracks[0].state));
  toi_motion_destroy(motion);
  toi_shape_destroy(ball);
  return status;
}

static toi_status try_track_scene(void) {
  toi_track_scene *scene = EDGE(toi_track_scene, 1);
  toi_track_contacts contacts = {.size = BESIDE(toi_track_contacts)};
  toi_track_scene_init(scene, sizeof *scene);
  return ask_tracks(scene, &contacts);
}

static toi_status try_track_contacts(void) {
  toi_track_contacts *contacts = EDGE(toi_track_contacts, 1);
  toi_track_scene scene = {.size = BESIDE(toi_track_scene)};
  toi_track_contacts_init(contacts, sizeof *contacts);
  return ask_tracks(&scene, contacts);
}

/* --- what files hold --- */

#define PATH_SIZE 4096

static void use_files(const char *folder) {
  char path[PATH_SIZE];
  (void)snprintf(path, sizeof path, "%s/cases.jsonl", folder);
  toi_patch both[2] = {flat_patch(sizeof both[0]), falling_patch(sizeof both[0])};
  toi_patch_case cases[2] = {{.size = sizeof cases[0], .a = &both[0], .b = &both[1], .t_max = 1},
                             {.size = sizeof cases[0], .a = &both[1], .b = &both[0], .t_max = 0.5}};
  const toi_case_set written = {.cases = cases, .count = 2};
  toi_case_set set;
  require(toi_cases_write(context, path, &written));
  require(toi_cases_read(context, path, &set));
  for (size_t i = 0; i < set.count; i++) {
    const toi_patch_case *one = toi_case_set_case(&set, i);
    toi_surface_hit hit;
    toi_surface_options options = toi_default_surface_options();
    options.t_max = one->t_max;
    require(toi_patch_pair(context, one->a, one->b, &options, &hit));
    print_surface(&hit);
  }
  toi_cases_free(context, &set);

  (void)snprintf(path, sizeof path, "%s/scene.json", folder);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    exit(2);
  fputs(
      "{\"spacing\":0.5,\"bodies\":[{\"name\":\"a\",\"shape\":{\"sphere\":{\"radius\":1}}},{\"name\":\"b\",\"shape\":{"
      "\"sphere\":{\"radius\":0.5}},\"motion\":{\"move\":{\"shift\":[3,0,0],\"velocity\":[-2,0,0]}}}]}",
      file);
  (void)fclose(file);
  toi_contact_scene scene;
  require(toi_contact_scene_read(context, path, &scene));
  toi_contact_options *options = DEFAULTS(toi_contact_options, toi_contact_scene_options(&scene));
  options->t_max = 2;
  require(ask_bodies(scene.bodies, scene.count, options));
  require(ask_bodies(scene.bodies, scene.count, scene.options));
  printf("spacing %g, the second body %s\n", options->spacing,
         toi_contact_scene_body(&scene, 1)->motion != NULL ? "moves" : "rests");
  toi_contact_scene_free(context, &scene);
}

/* --- all of them --- */

static const struct {
  const char *name;
  toi_status (*try)(void);
} structs[] = {
    {"toi_body", try_body},
    {"toi_chebyshev", try_chebyshev},
    {"toi_contact_options", try_contact_options},
    {"toi_context_options", try_context},
    {"toi_implicit", try_implicit},
    {"toi_mesh", try_mesh},
    {"toi_mesh_options", try_mesh_options},
    {"toi_moving_body", try_moving_body},
    {"toi_nurbs", try_nurbs},
    {"toi_options", try_options},
    {"toi_parametric", try_parametric},
    {"toi_patch", try_patch},
    {"toi_patch_case", try_patch_case},
    {"toi_positions", try_positions},
    {"toi_screw", try_screw},
    {"toi_stencil_arrays", try_stencil_arrays},
    {"toi_stencil_options", try_stencil_options},
    {"toi_surface_options", try_surface_options},
    {"toi_topology", try_topology},
    {"toi_track_contacts", try_track_contacts},
    {"toi_track_scene", try_track_scene},
};
#define STRUCTS (sizeof structs / sizeof *structs)

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  refusing = strcmp(what, "refuse") == 0;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 2;
  for (size_t i = 0; i < STRUCTS; i++) {
    if (strcmp(what, "list") == 0) {
      printf("%s\n", structs[i].name);
      continue;
    }
    printf("%s: ", structs[i].name);
    const toi_status status = structs[i].try();
    if (strcmp(what, "use") == 0)
      require(status);
    else
      printf("status %d: %s\n", (int)status, toi_context_error(context));
  }
  if (strcmp(what, "use") == 0 && argc > 2) {
#if !defined(GROWN)
    // Without a size: of the first layout, which is today's.
    require(ask_balls(false, options_of_bodies()));
#else
    require(ask_balls(true, options_of_bodies()));
#endif
    use_files(argv[2]);
  }
  toi_context_destroy(context);
  return 0;
}
