/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Telling nearly parallel surfaces apart (lemma 19). Over a box of unknowns a function is bounded that is not 0 where
 * there is no contact:
 *   parametric-parametric   F(p) - F(s), with F a quadric between the two pieces that is fitted to samples
 *   parametric-implicit     F2(p), as it stands
 *   implicit-implicit       F1 - (l + m . y) F2, with l and m chosen such that the gradient of the difference vanishes
 *                           in the middle of the box, and its second derivatives across the surfaces
 * All of them by Taylor models (lemma 18), which keep the terms that cancel.
 *
 * Cost: a try takes about as long as one or two other boxes. Each box earns a part of a try, and each success several,
 * so that little is spent where surfaces meet, and every box is tried where they run side by side. */

#include "contact/clearance.h"

#include "contact/solid.h"

#include "solve/separator_fit.h"

/* A try for so many boxes, and after so many successes for fewer of them: these are parts that nearly fit. A success is
 * worth so many tries, and no more than so many wait. */
#define BOXES_FOR_TRY 128
#define SUCCESSES_FOR_MORE 16
#define BOXES_FOR_MORE 8
#define TRIES_FOR_SUCCESS 4
#define TRIES_MOST 64

/* How much wider than the margin the enclosures of the equations are where a success counts. */
#define GAIN 16

/* The order of models in up to three variables. */
#define ORDER 6

/* And of models that bound times along curves of contact: what is beyond degree three is small there. */
#define CUBIC_ORDER 4

/* Tapes of more nodes are left alone: their models would take too much memory. */
#define REGISTERS_MOST 4096

typedef struct toi_clearance_work {
  bool made[2][TOI_TAYLOR_VARIABLES + 1];              /* of the spaces: those that are not are never touched */
  toi_taylor_space space[2][TOI_TAYLOR_VARIABLES + 1]; /* of either order, and by the number of variables */
  bool cubic;                                          /* models are of the lower order, for times along curves */
  toi_motion_taylor pose[3];                           /* of both bodies, and of the first seen from the second */
  toi_taylor registers[];
} toi_clearance_work;

/* --- memory --- */

static size_t registers_for(const toi_body_pair *pair) {
  size_t most = 0;
  for (int i = 0; i < 2; i++) {
    size_t shape = toi_shape_taylor_registers(pair->surface[i]->shape);
    size_t motion = toi_motion_taylor_registers(pair->surface[i]->motion);
    most = shape > most ? shape : most;
    most = motion > most ? motion : most;
  }
  return most;
}

static size_t work_size(size_t registers) {
  return sizeof(toi_clearance_work) + registers * sizeof(toi_taylor);
}

void toi_clearance_end(toi_clearance *clearance, toi_context *context) {
  if (clearance->work)
    toi_free(context, clearance->work, work_size(clearance->registers));
  *clearance = (toi_clearance){0};
}

static toi_status make_room(toi_clearance *clearance, toi_context *context, size_t registers) {
  if (clearance->work && clearance->registers >= registers)
    return TOI_OK;
  const toi_clearance old = *clearance;
  toi_clearance_end(clearance, context);
  clearance->credit = old.credit;
  clearance->successes = old.successes;
  clearance->split = old.split;
  clearance->work = toi_allocate(context, work_size(registers));
  if (!clearance->work)
    return TOI_ERROR_MEMORY;
  clearance->registers = registers;
  memset(clearance->work->made, 0, sizeof clearance->work->made);
  return TOI_OK;
}

static const toi_taylor_space *space_of(toi_clearance_work *work, unsigned variables) {
  toi_taylor_space *space = &work->space[work->cubic][variables];
  if (!work->made[work->cubic][variables])
    toi_taylor_space_make(space, variables, work->cubic ? CUBIC_ORDER : variables == 4 ? TOI_TAYLOR_ORDER4 : ORDER);
  work->made[work->cubic][variables] = true;
  return space;
}

/* --- unknowns as models --- */

/* Some unknowns of a box: those that have one value are numbers, the others variables. */
typedef struct unknowns {
  const toi_taylor_space *space;
  size_t number[TOI_TAYLOR_VARIABLES]; /* by variable: which unknown of the box it is */
  toi_taylor of[TOI_TAYLOR_VARIABLES];
} unknowns;

static void set_unknowns(toi_clearance_work *work, const toi_box *box, const size_t *numbers, size_t count,
                         unknowns *x) {
  unsigned variables = 0;
  for (size_t i = 0; i < count; i++) {
    toi_interval value = box->x[numbers[i]];
    if (value.lo < value.hi) {
      x->number[variables] = numbers[i];
      toi_taylor_variable(value, variables++, &x->of[i]);
    } else {
      toi_taylor_constant(value, &x->of[i]);
    }
  }
  x->space = space_of(work, variables);
}

/* Where nothing depends on time one moment stands for all. Where the derivatives are zero the motion is constant. */
static toi_interval time_of(const toi_body_pair *pair, toi_interval t) {
  if (pair->surface[0]->shape->deforming || pair->surface[1]->shape->deforming)
    return t;
  const toi_motion_jet *m = toi_body_pair_motion(pair, t, 1);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      if (m->rotation[1][i][j].lo != 0 || m->rotation[1][i][j].hi != 0)
        return t;
    if (m->translation[1][i].lo != 0 || m->translation[1][i].hi != 0)
      return t;
  }
  return toi_interval_point(toi_interval_midpoint(t));
}

/* The rotation after that of a frame. */
static void turn_pose(const toi_taylor_space *space, toi_interval frame[3][3], toi_motion_taylor *pose) {
  for (int row = 0; row < 3; row++) {
    toi_taylor turned[3], factor, part;
    for (int i = 0; i < 3; i++) {
      toi_taylor_constant(toi_interval_point(0), &turned[i]);
      for (int k = 0; k < 3; k++) {
        toi_taylor_constant(frame[k][i], &factor);
        toi_taylor_mul(space, &factor, &pose->rotation[row][k], &part);
        toi_taylor_add(space, &turned[i], &part, &turned[i]);
      }
    }
    for (int i = 0; i < 3; i++)
      toi_taylor_copy(space, &turned[i], &pose->rotation[row][i]);
  }
}

/* The relative motion, from a model of time. */
static const toi_motion_taylor *pose_of(toi_clearance_work *work, const toi_body_pair *pair,
                                        const toi_taylor_space *space, const toi_taylor *t) {
  for (int i = 0; i < 2; i++) {
    toi_motion_taylor_at(pair->surface[i]->motion, space, t, work->registers, &work->pose[i]);
    if (toi_body_surface_is_turned(pair->surface[i]))
      turn_pose(space, pair->surface[i]->frame, &work->pose[i]);
  }
  toi_motion_taylor_relative(space, &work->pose[0], &work->pose[1], &work->pose[2]);
  return &work->pose[2];
}

/* The first body's surface as the second one sees it; unknowns u, v, t. */
static void first_surface(toi_clearance_work *work, const toi_body_pair *pair, const unknowns *x, toi_taylor place[3]) {
  toi_taylor own[3];
  toi_shape_taylor(pair->surface[0]->shape, x->space, x->of, work->registers, own);
  const toi_motion_taylor *pose = pose_of(work, pair, x->space, &x->of[2]);
  toi_motion_taylor_place(x->space, pose, own, place);
}

/* Of a parametric and an implicit one: the place that the function is taken at, with the time, and its value. */
static void mixed_models(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, unknowns *x,
                         toi_taylor at[4], toi_taylor *value) {
  set_unknowns(work, box, (const size_t[]){0, 1, 2}, 3, x);
  first_surface(work, pair, x, at);
  toi_taylor_copy(x->space, &x->of[2], &at[3]);
  toi_shape_taylor(pair->surface[1]->shape, x->space, at, work->registers, value);
}

/* Of two implicit ones: both functions, and behind them the place that the second is taken at, with the time. */
static void implicit_models(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, unknowns *x,
                            toi_taylor f[6]) {
  toi_taylor *at = f + 2;
  set_unknowns(work, box, (const size_t[]){0, 1, 2, 3}, 4, x);
  toi_shape_taylor(pair->surface[0]->shape, x->space, x->of, work->registers, &f[0]);
  const toi_motion_taylor *pose = pose_of(work, pair, x->space, &x->of[3]);
  toi_motion_taylor_place(x->space, pose, x->of, at);
  toi_taylor_copy(x->space, &x->of[3], &at[3]);
  toi_shape_taylor(pair->surface[1]->shape, x->space, at, work->registers, &f[1]);
}

/* A piece of surface. */
typedef struct piece {
  unknowns x;
  toi_taylor at[3];
} piece;

/* Of two parametric ones. The second body rests, as it sees itself. */
static void parametric_models(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, piece p[2]) {
  toi_box second = *box;
  if (!pair->surface[1]->shape->deforming)
    second.x[4] = toi_interval_point(toi_interval_midpoint(box->x[4]));
  set_unknowns(work, box, (const size_t[]){0, 1, 4}, 3, &p[0].x);
  first_surface(work, pair, &p[0].x, p[0].at);
  set_unknowns(work, &second, (const size_t[]){2, 3, 4}, 3, &p[1].x);
  toi_shape_taylor(pair->surface[1]->shape, p[1].x.space, p[1].x.of, work->registers, p[1].at);
}

/* --- what keeps the surfaces from being told apart --- */

/* How much of the doubt is due to each unknown; and how far the function is from 0, in the units of the equations of
 * contact, if it is proved not to be 0. */
typedef struct blame {
  double of[TOI_UNKNOWNS];
  double margin;
} blame;

static bool excludes_zero(toi_interval value, double scale, blame *on) {
  on->margin = scale * toi_interval_least_magnitude(value);
  return toi_interval_sign(value) != 0;
}

/* Adds the coefficients from this degree on, each to the variables of its monomial. Gives their sum. */
static double add_coefficients(const unknowns *x, const toi_taylor *a, unsigned degree, double weight, blame *on) {
  double sum = 0;
  for (unsigned i = x->space->first[degree < a->degree ? degree : a->degree + 1]; i < x->space->first[a->degree + 1];
       i++)
    for (unsigned v = 0; v < x->space->variables; v++) {
      double part = fabs(a->c[i]) * x->space->power[i][v];
      on->of[x->number[v]] += weight * part;
      sum += part;
    }
  return sum;
}

/* Of a function f: its coefficients, and its remainder as the last coefficients of what it is made of suggest. Where
 * there is no bound all its variables are to blame. */
static void set_blame(const unknowns *x, const toi_taylor *f, const toi_taylor *parts, size_t count, blame *on) {
  blame last = {{0}, 0};
  double sum = 0;
  // Where these are all zero, all coefficients have to do.
  for (unsigned degree = x->space->order - 1; sum == 0 && degree > 0; degree = degree > 1 ? 1 : 0)
    for (size_t i = 0; i < count; i++)
      sum += add_coefficients(x, &parts[i], degree, 1, &last);
  (void)add_coefficients(x, f, 1, 1, on);
  for (size_t i = 0; i < TOI_UNKNOWNS && sum > 0; i++)
    on->of[i] += f->r * (last.of[i] / sum);
  // No part shows where a function without bound comes from.
  if (x->space->variables > 0 && !(f->r <= DBL_MAX))
    on->of[x->number[0]] = INFINITY;
}

/* --- parametric and implicit --- */

static bool mixed_apart(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, blame *on) {
  unknowns x;
  toi_taylor at[4], value;
  mixed_models(work, pair, box, &x, at, &value);
  set_blame(&x, &value, at, 3, on);
  return excludes_zero(toi_taylor_bounds(x.space, &value), 1, on);
}

/* --- two implicit surfaces --- */

static double coefficient(const toi_taylor *a, const toi_taylor_space *space, unsigned i, unsigned j) {
  if (a->degree < 2)
    return 0;
  double c = a->c[space->product[1 + i][1 + j]];
  return i == j ? c : c / 2;
}

/* l + m . y as above, m by the best approximation of the difference's second derivatives S by those of (m . y)(g . y),
 * g the gradient: 2 S e - (e . S e) e over |g|, with e = g / |g|. */
static void set_multiplier(const toi_taylor_space *space, const toi_taylor f[2], toi_taylor *multiplier) {
  unsigned n = space->variables;
  double product = 0, square = 0, curved[TOI_TAYLOR_VARIABLES], along = 0;
  for (unsigned i = 0; i < n; i++) {
    product += (f[0].degree > 0 ? f[0].c[1 + i] : 0) * f[1].c[1 + i];
    square += f[1].c[1 + i] * f[1].c[1 + i];
  }
  double l = product / square;
  for (unsigned i = 0; i < n; i++) {
    curved[i] = 0;
    for (unsigned j = 0; j < n; j++)
      curved[i] += (coefficient(&f[0], space, i, j) - l * coefficient(&f[1], space, i, j)) * f[1].c[1 + j];
    along += curved[i] * f[1].c[1 + i];
  }
  multiplier->degree = 1;
  multiplier->r = 0;
  multiplier->c[0] = l;
  for (unsigned i = 0; i < n; i++)
    multiplier->c[1 + i] = (2 * curved[i] - along / square * f[1].c[1 + i]) / square;
}

static bool implicit_apart(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, blame *on) {
  unknowns x;
  toi_taylor f[6], multiplier, part;
  implicit_models(work, pair, box, &x, f);
  if (f[1].degree == 0)
    return false;
  set_multiplier(x.space, f, &multiplier);
  // First the number alone: where the box is large it may be better, and m says nothing about what is to blame.
  for (multiplier.degree = 0; multiplier.degree < 2; multiplier.degree++) {
    toi_taylor_mul(x.space, &multiplier, &f[1], &part);
    toi_taylor_sub(x.space, &f[0], &part, &part);
    if (excludes_zero(toi_taylor_bounds(x.space, &part), 1, on))
      return true;
    if (multiplier.degree == 0)
      set_blame(&x, &part, f, 5, on);
  }
  return false;
}

/* --- two parametric surfaces --- */

/* The polynomials at a point y of [-1, 1]^n. */
static void evaluate(const piece *p, const double y[TOI_TAYLOR_VARIABLES], double point[3]) {
  const toi_taylor_space *space = p->x.space;
  double monomial[TOI_TAYLOR_TERMS] = {1};
  unsigned count = space->first[space->order + 1];
  for (unsigned i = 1; i < count; i++) {
    unsigned v = 0;
    while (space->power[i][v] == 0)
      v++;
    monomial[i] = y[v] * monomial[space->quotient[i]];
  }
  for (int k = 0; k < 3; k++) {
    point[k] = 0;
    for (unsigned i = 0; i < space->first[p->at[k].degree + 1]; i++)
      point[k] += p->at[k].c[i] * monomial[i];
  }
}

static void add_sample(const piece *p, const double at[3], int side, toi_separator_samples *samples) {
  double y[TOI_TAYLOR_VARIABLES] = {0};
  unsigned variables = 0;
  for (int i = 0; i < 3; i++)
    if (p->x.of[i].degree > 0)
      y[variables++] = at[i];
  evaluate(p, y, samples->at[side][samples->count[side]++]);
}

/* A grid of u and v in the middle of the time, and a coarser one near its ends, as far as they are free. Fewer than
 * five values of a parameter do not tell the fourth power from the second one. */
static void sample(const piece *p, int side, toi_separator_samples *samples) {
  static const double fine[TOI_SAMPLE_LINES] = {-0.95, -0.59, 0, 0.59, 0.95}, coarse[3] = {-0.9, 0, 0.9};
  static const double alone[1] = {0}, times[3] = {0, -0.9, 0.9};
  samples->count[side] = 0;
  for (int moment = 0; moment < (p->x.of[2].degree > 0 ? 3 : 1); moment++) {
    const double *grid[2];
    size_t lines[2];
    for (int k = 0; k < 2; k++) {
      bool free = p->x.of[k].degree > 0;
      grid[k] = !free ? alone : moment == 0 ? fine : coarse;
      lines[k] = !free ? 1 : moment == 0 ? TOI_SAMPLE_LINES : 3;
      samples->lines[side][k] = moment == 0 ? lines[k] : samples->lines[side][k];
    }
    for (size_t i = 0; i < lines[0]; i++)
      for (size_t j = 0; j < lines[1]; j++)
        add_sample(p, (const double[3]){grid[0][i], grid[1][j], times[moment]}, side, samples);
  }
}

/* The piece in the local frame. */
static void localise(const toi_separator_frame *frame, const piece *p, toi_taylor local[3]) {
  toi_taylor away[3], part;
  for (int k = 0; k < 3; k++) {
    toi_taylor_constant(toi_interval_point(frame->origin[k]), &part);
    toi_taylor_sub(p->x.space, &p->at[k], &part, &away[k]);
  }
  for (int i = 0; i < 3; i++) {
    toi_taylor_constant(toi_interval_point(0), &local[i]);
    for (int k = 0; k < 3; k++) {
      toi_taylor_scale(p->x.space, frame->axes[i][k] * frame->scale, &away[k], &part);
      toi_taylor_add(p->x.space, &local[i], &part, &local[i]);
    }
  }
}

/* Bounds of a quadric over a piece. */
static toi_interval bound_quadric(const toi_cubic *f, const piece *p, const toi_taylor local[3], blame *on) {
  const toi_taylor_space *space = p->x.space;
  toi_taylor sum, row, part;
  toi_taylor_constant(toi_interval_point(0), &sum);
  for (int i = 0; i < 3; i++) {
    // y_i (term of y_i + terms of y_i y_j, j from i on)
    toi_taylor_constant(toi_interval_point(f->term[1 + i]), &row);
    for (int j = i; j < 3; j++) {
      toi_taylor_scale(space, f->term[toi_term_times[1 + i][j]], &local[j], &part);
      toi_taylor_add(space, &row, &part, &row);
    }
    toi_taylor_mul(space, &row, &local[i], &part);
    toi_taylor_add(space, &sum, &part, &sum);
  }
  set_blame(&p->x, &sum, local, 3, on);
  return toi_taylor_bounds(space, &sum);
}

static bool parametric_apart(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, blame *on) {
  piece p[2];
  parametric_models(work, pair, box, p);
  toi_separator_samples samples = {.axis = {0}};
  toi_separator_frame frame;
  toi_cubic f;
  for (int i = 0; i < 2; i++)
    sample(&p[i], i, &samples);
  if (!toi_separator_place(&samples, &frame))
    return false;
  toi_separator_fit(&samples, 2, &f);
  toi_interval values[2];
  for (int i = 0; i < 2; i++) {
    toi_taylor local[3];
    localise(&frame, &p[i], local);
    values[i] = bound_quadric(&f, &p[i], local, on);
  }
  return excludes_zero(toi_interval_sub(values[0], values[1]), 1 / frame.scale, on);
}

/* --- a box --- */

static bool is_apart(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box, blame *on) {
  switch (pair->kind) {
  case TOI_BODY_PAIR_PP:
    return parametric_apart(work, pair, box, on);
  case TOI_BODY_PAIR_PI:
    return mixed_apart(work, pair, box, on);
  case TOI_BODY_PAIR_II:
    return implicit_apart(work, pair, box, on);
  case TOI_BODY_PAIR_PB:
  case TOI_BODY_PAIR_BB:
    break;
  }
  return false;
}

/* The unknown to halve: the one with the most blame. None where the function is not bounded, or cannot be halved. */
static size_t most_blamed(const toi_box *box, const blame *on) {
  size_t chosen = TOI_UNKNOWNS;
  double most = 0;
  for (size_t i = 0; i < TOI_UNKNOWNS; i++) {
    if (!(on->of[i] <= DBL_MAX))
      return TOI_UNKNOWNS;
    double middle = toi_interval_midpoint(box->x[i]);
    if (on->of[i] > most && box->x[i].lo < middle && middle < box->x[i].hi) {
      most = on->of[i];
      chosen = i;
    }
  }
  return chosen;
}

/* Whether a success was worth its time: it is if intervals, whose width falls with that of the box, had to halve each
 * unknown several times before they told the same. */
static bool is_worth(const toi_system *system, double margin) {
  double width = 0;
  for (size_t i = 0; i < system->contact; i++)
    width = fmax(width, toi_interval_width(system->value[i]));
  return width > GAIN * margin;
}

/* There are none of functions of the user's, nor of Boolean shapes; nor of edges that are thickened by their gaps. */
static bool has_models(const toi_body_pair *pair) {
  return pair->surface[0]->shape->enclose == NULL && pair->surface[1]->shape->enclose == NULL &&
         pair->kind <= TOI_BODY_PAIR_II;
}

toi_status toi_clearance_try(toi_clearance *clearance, toi_context *context, const toi_problem *problem,
                             const toi_box *box, const toi_system *system) {
  const toi_body_pair *pair = problem->pair;
  clearance->apart = false;
  clearance->split = TOI_UNKNOWNS;
  if (!has_models(pair) || toi_problem_thickness(problem) > 0)
    return TOI_OK;
  bool fits = clearance->successes >= SUCCESSES_FOR_MORE;
  clearance->credit = fmin(clearance->credit + 1.0 / (fits ? BOXES_FOR_MORE : BOXES_FOR_TRY), TRIES_MOST);
  if (clearance->credit < 1)
    return TOI_OK;
  size_t registers = registers_for(pair), t = toi_body_pair_time(pair);
  if (registers > REGISTERS_MOST)
    return TOI_OK;
  toi_status status = make_room(clearance, context, registers);
  if (status != TOI_OK)
    return status;
  clearance->work->cubic = false;
  blame on = {{0}, 0};
  toi_box moment = *box;
  moment.x[t] = time_of(pair, box->x[t]);
  clearance->apart = is_apart(clearance->work, pair, &moment, &on);
  if (!clearance->apart && fits)
    clearance->split = most_blamed(&moment, &on);
  bool success = clearance->apart && is_worth(system, on.margin);
  clearance->successes += success;
  clearance->credit += success ? TRIES_FOR_SUCCESS - 1 : -1;
  return TOI_OK;
}

/* --- the equations as polynomials --- */

/* Adds sign times a model: what it has beyond degree three, and what rounding takes, is part of the rest. */
static void add_model(const unknowns *x, double sign, const toi_taylor *a, toi_equation_model *c) {
  double rounded = 0, beyond = a->r;
  for (unsigned i = 0; i < x->space->first[a->degree + 1]; i++) {
    size_t of[3] = {0}, degree = 0;
    for (unsigned v = 0; v < x->space->variables; v++)
      for (unsigned power = 0; power < x->space->power[i][v]; power++, degree++)
        of[degree < 3 ? degree : 0] = x->number[v];
    if (degree > 3) {
      beyond += fabs(a->c[i]);
      continue;
    }
    double *to = degree == 0   ? &c->value
                 : degree == 1 ? &c->slope[of[0]]
                 : degree == 2 ? &c->second[of[0]][of[1]]
                               : &c->third[of[0]][of[1]][of[2]];
    *to += sign * a->c[i];
    rounded += fabs(*to);
  }
  c->rest = (c->rest + beyond + TOI_UNIT * rounded) * TOI_MIDRAD_OUTWARD;
}

static void model_parametric(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box,
                             toi_contact_model *model) {
  piece p[2];
  parametric_models(work, pair, box, p);
  model->m = 3;
  for (int k = 0; k < 3; k++) {
    add_model(&p[0].x, 1, &p[0].at[k], &model->of[k]);
    add_model(&p[1].x, -1, &p[1].at[k], &model->of[k]);
  }
}

static void model_mixed(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box,
                        toi_contact_model *model) {
  unknowns x;
  toi_taylor at[4], value;
  mixed_models(work, pair, box, &x, at, &value);
  model->m = 1;
  add_model(&x, 1, &value, &model->of[0]);
}

static void model_implicit(toi_clearance_work *work, const toi_body_pair *pair, const toi_box *box,
                           toi_contact_model *model) {
  unknowns x;
  toi_taylor f[6];
  implicit_models(work, pair, box, &x, f);
  model->m = 2;
  for (int k = 0; k < 2; k++)
    add_model(&x, 1, &f[k], &model->of[k]);
}

toi_status toi_clearance_model(toi_clearance *clearance, toi_context *context, const toi_problem *problem,
                               const toi_box *box, toi_contact_model *model) {
  const toi_body_pair *pair = problem->pair;
  memset(model, 0, sizeof *model);
  if (!has_models(pair) || toi_problem_thickness(problem) > 0)
    return TOI_OK;
  size_t registers = registers_for(pair);
  if (registers > REGISTERS_MOST)
    return TOI_OK;
  toi_status status = make_room(clearance, context, registers);
  if (status != TOI_OK)
    return status;
  static void (*const make[])(toi_clearance_work *, const toi_body_pair *, const toi_box *, toi_contact_model *) = {
      [TOI_BODY_PAIR_PP] = model_parametric, [TOI_BODY_PAIR_PI] = model_mixed, [TOI_BODY_PAIR_II] = model_implicit};
  clearance->work->cubic = true;
  make[pair->kind](clearance->work, pair, box, model);
  return TOI_OK;
}
