/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a search has found: regions with one contact, points of curves and regions of contact, tiny boxes.
 *
 * Samples are at least `spacing` apart, and one stands for all boxes within COVER times the spacing. A box whose own
 * sample would be too close to another one lies within the spacing and its own size of that, so halving ends soon. */

#include "contact/contact_search.h"
#include "solve/vector.h"

#define COVER 1.5

/* Coordinates in which a box is shorter by so much are worth a second look. */
#define SHORTER 0.95

static const toi_body_pair *pair_of(const toi_contact_search *run, uint32_t problem) {
  return run->problems[problem].pair;
}

/* Whether two problems are of the same two bodies. */
static bool is_same_pair(const toi_body_pair *a, const toi_body_pair *b) {
  return a->body[0] == b->body[0] && a->body[1] == b->body[1];
}

static bool box_encloses(const toi_body_pair *pair, const toi_box *a, const toi_box *b) {
  for (size_t i = 0; i < toi_body_pair_unknowns(pair); i++)
    if (!toi_interval_encloses(a->x[i], b->x[i]))
      return false;
  return true;
}

/* --- where they are kept --- */

/* The one before it; NULL: it is the first. */
static toi_found_contact *unique_at(const toi_contact_search *run, uint32_t number) {
  return number == 0 ? NULL : &run->contacts[number - 1];
}

/* Space is cut into cells as wide as a sample covers, so that those near a place are in its cell or next to it. */
static uint32_t *cell_of(const toi_contact_search *run, const toi_body_pair *pair, const double place[3], int step) {
  double edge = COVER * run->options->spacing;
  uint64_t hash = (uint64_t)pair->body[0] << 32 | pair->body[1];
  for (int k = 0; k < 3; k++, step /= 3) {
    // Adding 0 makes one zero of both.
    hash ^= toi_bits(floor(place[k] / edge) + (step % 3 - 1) + 0.0);
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
  }
  return &run->cells[hash & (run->cell_count - 1)];
}

enum { AROUND = 27, MIDDLE = 13 };

/* A walk over the samples near a place; some may come twice. */
typedef struct walk {
  const toi_contact_search *run;
  const toi_body_pair *pair;
  const double *place;
  int step;
  uint32_t at;
} walk;

static toi_found_contact *next_sample(walk *w) {
  while (w->at == 0) {
    if (w->step == AROUND || w->run->cell_count == 0)
      return NULL;
    w->at = *cell_of(w->run, w->pair, w->place, w->step++);
  }
  toi_found_contact *f = &w->run->contacts[w->at - 1];
  w->at = f->next;
  return f;
}

static void put_into_cell(toi_contact_search *run, uint32_t number) {
  toi_found_contact *f = &run->contacts[number - 1];
  uint32_t *cell = cell_of(run, pair_of(run, f->problem), f->place, MIDDLE);
  f->next = *cell;
  *cell = number;
}

/* As many cells as there is room for samples. */
static bool make_cells(toi_contact_search *run, size_t count) {
  uint32_t *cells = toi_allocate(run->context, count * sizeof *cells);
  if (cells == NULL)
    return false;
  memset(cells, 0, count * sizeof *cells);
  if (run->cells != NULL)
    toi_free(run->context, run->cells, run->cell_count * sizeof *cells);
  run->cells = cells;
  run->cell_count = count;
  for (size_t i = 0; i < run->contact_count; i++)
    if (run->contacts[i].certificate == TOI_CONTACT_SINGULAR)
      put_into_cell(run, (uint32_t)i + 1);
  return true;
}

/* Twice the room; what has grown before something is refused stays so. */
static bool grow(toi_contact_search *run) {
  toi_found_contact *contacts =
      toi_grow(run->context, run->contacts, run->room, &run->contact_room, sizeof *contacts, 64);
  if (contacts == NULL)
    return false;
  run->contacts = contacts;
  toi_contact_point *points = toi_grow(run->context, run->points, run->room, &run->point_room, sizeof *points, 64);
  if (points == NULL)
    return false;
  run->points = points;
  if (run->cell_count < run->contact_room && !make_cells(run, run->contact_room))
    return false;
  run->room = run->contact_room;
  return true;
}

static toi_status keep(toi_contact_search *run, const toi_found_contact *found) {
  if (run->contact_count == run->room && !grow(run))
    return TOI_ERROR_MEMORY;
  run->contacts[run->contact_count++] = *found;
  uint32_t number = (uint32_t)run->contact_count;
  if (found->certificate == TOI_CONTACT_SINGULAR) {
    put_into_cell(run, number);
    run->sampled = true;
    return TOI_OK;
  }
  run->contacts[number - 1].next = run->last_unique;
  run->last_unique = number;
  return TOI_OK;
}

/* --- questions about them --- */

bool toi_contact_search_is_settled(const toi_contact_search *run, uint32_t problem, const toi_box *box) {
  for (const toi_found_contact *f = unique_at(run, run->last_unique); f != NULL; f = unique_at(run, f->next))
    if (f->problem == problem && box_encloses(pair_of(run, problem), &f->region, box))
      return true;
  return false;
}

/* Whether it is of the moment. A proved sample of a wide box may be later than the box begins. */
static bool is_early(const toi_contact_search *run, const toi_found_contact *found) {
  bool sample = found->certificate == TOI_CONTACT_SINGULAR && found->proved;
  double time = sample ? found->t_hi : found->t_lo;
  return found->counts && !found->known && time <= run->bound + run->options->simultaneity;
}

/* Whether a contact lies on an edge or a corner of one of several patches. */
static bool is_on_joint(const toi_contact_search *run, const toi_found_contact *found) {
  const toi_problem *problem = &run->problems[found->problem];
  for (int side = 0; side < 2; side++)
    if (problem->pair->surface[side]->shape->joins && (problem->frozen >> (2 * side) & 3) != 0)
      return true;
  return false;
}

/* Where patches join, a contact beside the edge that they share carries the edge along: it meets the other surface a
 * little later, close by, and is no contact of its own. */
static bool follows_another(const toi_contact_search *run, const toi_found_contact *found) {
  const toi_body_pair *pair = pair_of(run, found->problem);
  for (const toi_found_contact *f = unique_at(run, run->last_unique); f != NULL; f = unique_at(run, f->next))
    if (f->counts && !f->known && f->t_hi < found->t_lo && is_same_pair(pair_of(run, f->problem), pair) &&
        toi_plain_distance3(f->place, found->place) < run->options->spacing && !is_on_joint(run, f))
      return true;
  return false;
}

/* Whether a sample of solids lies beside a contact that is the only one around, a little later: there they cross by
 * then.
 */
static bool crosses_beside(const toi_contact_search *run, const toi_found_contact *found) {
  const toi_body_pair *pair = pair_of(run, found->problem);
  if (found->certificate == TOI_CONTACT_UNIQUE ||
      (pair->surface[0]->shape->face == NULL && pair->surface[1]->shape->face == NULL))
    return false;
  for (const toi_found_contact *f = unique_at(run, run->last_unique); f != NULL; f = unique_at(run, f->next))
    if (f->strict && f->t_hi < found->t_lo && is_early(run, f) && is_same_pair(pair_of(run, f->problem), pair) &&
        toi_plain_distance3(f->place, found->place) < run->options->spacing)
      return true;
  return false;
}

/* A contact that is the only one on an edge, but not strictly, may be the end of a curve of contacts: then a sample
 * that is proved as well stands for it. */
bool toi_contact_search_reports(const toi_contact_search *run, const toi_found_contact *found) {
  if (!is_early(run, found) || (is_on_joint(run, found) && follows_another(run, found)) || crosses_beside(run, found))
    return false;
  const toi_body_pair *pair = pair_of(run, found->problem);
  if (found->certificate != TOI_CONTACT_UNIQUE || found->strict)
    return true;
  walk near = {run, pair, found->place, 0, 0};
  for (const toi_found_contact *f = next_sample(&near); f != NULL; f = next_sample(&near))
    if (f->proved && is_early(run, f) && is_same_pair(pair_of(run, f->problem), pair) &&
        toi_plain_distance3(f->place, found->place) < COVER * run->options->spacing)
      return false;
  return true;
}

/* On a joint other patches may touch where a strict contact of one is: that none does is known at the end of the search
 * alone, if no sample stands for what is around. */
bool toi_contact_search_is_unique(const toi_contact_search *run, const toi_found_contact *found) {
  if (!found->strict || !is_on_joint(run, found))
    return found->strict;
  const toi_body_pair *pair = pair_of(run, found->problem);
  walk near = {run, pair, found->place, 0, 0};
  for (const toi_found_contact *f = next_sample(&near); f != NULL; f = next_sample(&near))
    if (is_early(run, f) && is_same_pair(pair_of(run, f->problem), pair) &&
        toi_plain_distance3(f->place, found->place) < COVER * run->options->spacing)
      return false;
  return run->end == TOI_CONTACT_DONE;
}

/* The largest distance between a point and a point of the box. */
static double farthest(const toi_interval place[3], const double point[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double low = fabs(place[k].lo - point[k]), high = fabs(place[k].hi - point[k]);
    double most = low > high ? low : high;
    sum += most * most;
  }
  return sqrt(sum);
}

/* Whether a sample is so near to all of the box: in the coordinates of either body, in which it may be longer or
 * shorter, distances are the same. Claim for the first one's: with a place s there and p = M s + D, |p - f| =
 * |s - M^T (f - D)|, as M is a rotation. */
static bool is_close(const toi_contact_search *run, const toi_body_pair *pair, const toi_box *box,
                     const toi_system *system, const toi_found_contact *f) {
  double most = COVER * run->options->spacing, widths[2] = {0, 0};
  if (farthest(system->place, f->place) <= most)
    return true;
  for (int k = 0; k < 3; k++) {
    widths[0] += toi_interval_width(system->place[k]);
    widths[1] += toi_interval_width(system->own[k]);
  }
  if (!(widths[1] < SHORTER * widths[0]))
    return false;
  const toi_motion_jet *m = toi_body_pair_motion(pair, box->x[toi_body_pair_time(pair)], 0);
  toi_interval away[3], seen[3], place[3];
  const double origin[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    away[k] = toi_interval_sub(toi_interval_point(f->place[k]), m->translation[0][k]);
  toi_transposed3(m->rotation[0], away, seen);
  for (int k = 0; k < 3; k++)
    place[k] = toi_interval_sub(system->own[k], seen[k]);
  return farthest(place, origin) <= most;
}

static uint32_t number_of(const toi_contact_search *run, const toi_found_contact *found) {
  return (uint32_t)(found - run->contacts) + 1;
}

bool toi_contact_search_covers(const toi_contact_search *run, uint32_t sample) {
  return is_early(run, &run->contacts[sample - 1]);
}

/* A contact that is the only one stands for what comes a little later close by, as a sample would. */
static bool stands_for_later(const toi_contact_search *run, const toi_found_contact *f, const toi_body_pair *pair,
                             double begin) {
  return f->strict && is_early(run, f) && is_same_pair(pair_of(run, f->problem), pair) &&
         begin > f->t_hi + TOI_CONTACT_LATER * run->options->simultaneity;
}

uint32_t toi_contact_search_cover(const toi_contact_search *run, uint32_t problem, const toi_box *box,
                                  const toi_system *system, double open) {
  const toi_body_pair *pair = pair_of(run, problem);
  double begin = box->x[toi_body_pair_time(pair)].lo, simultaneity = run->options->simultaneity;
  double middle[3];
  for (int k = 0; k < 3; k++)
    middle[k] = toi_interval_midpoint(system->place[k]);
  walk near = {run, pair, middle, 0, 0};
  for (const toi_found_contact *f = next_sample(&near); f != NULL; f = next_sample(&near)) {
    if (!is_same_pair(pair_of(run, f->problem), pair) || !is_early(run, f))
      continue;
    // As early as what was found, or as what is open, and not earlier: else it might be the first contact.
    double early = fmin(open, (f->proved ? run->bound : f->t_lo) - simultaneity);
    if (begin >= early && is_close(run, pair, box, system, f))
      return number_of(run, f);
  }
  for (const toi_found_contact *f = unique_at(run, run->last_unique); f != NULL; f = unique_at(run, f->next))
    if (stands_for_later(run, f, pair, begin) && is_close(run, pair, box, system, f))
      return number_of(run, f);
  return 0;
}

/* --- notes --- */

/* Where the box is, as the second body sees it. */
static void set_place(toi_found_contact *found, const toi_system *system) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    found->place[k] = toi_interval_midpoint(system->place[k]);
    double half = toi_interval_magnitude(toi_interval_sub(system->place[k], toi_interval_point(found->place[k])));
    sum = toi_sum_up(sum, toi_product_up(half, half));
  }
  found->error = toi_sqrt_up(sum);
}

static void fill(toi_found_contact *found, uint32_t problem, const toi_body_pair *pair, const toi_box *box) {
  toi_interval time = box->x[toi_body_pair_time(pair)];
  *found = (toi_found_contact){
      .problem = problem, .counts = true, .region = *box, .box = *box, .t_lo = time.lo, .t_hi = time.hi};
}

/* Beyond a seam: the same contact lies in the domain as well, and is found there. */
static bool is_outside(const toi_problem *problem, const toi_box *root) {
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair) && !toi_body_pair_in_space(problem->pair); i++)
    if (root->x[i].hi < problem->domain.x[i].lo || root->x[i].lo > problem->domain.x[i].hi)
      return true;
  return false;
}

/* The same contact, seen from the other side of a seam, or of an edge that patches share: the enclosures of place and
 * time have a point in common. NULL: there is none. */
static toi_found_contact *find_known(const toi_contact_search *run, const toi_found_contact *found) {
  toi_found_contact *f = unique_at(run, run->last_unique);
  for (; f != NULL; f = unique_at(run, f->next))
    if (f->counts && !f->known && is_same_pair(pair_of(run, f->problem), pair_of(run, found->problem)) &&
        f->t_lo <= found->t_hi && found->t_lo <= f->t_hi &&
        toi_plain_distance3(f->place, found->place) <= f->error + found->error)
      break;
  return f;
}

toi_status toi_contact_search_note_unique(toi_contact_search *run, uint32_t number, toi_newton_region *region,
                                          bool *settled) {
  const toi_problem *problem = &run->problems[number];
  toi_system system;
  *settled = false;
  if ((run->options->polish && !toi_newton_polish(problem, region)) ||
      !toi_system_at(problem, &region->root, TOI_SYSTEM_SLOPES, &system))
    return TOI_ERROR_CALLBACK;
  bool leaves = system.incoming[0].hi < 0 || system.incoming[1].hi < 0 || system.sides.hi < 0 || system.inside ||
                !toi_problem_reaches(problem, &region->root, system.place);
  bool comes =
      system.sides.lo >= 0 && (!problem->pair->incoming || (system.incoming[0].lo >= 0 && system.incoming[1].lo >= 0));
  if (!leaves && !comes)
    return TOI_OK;
  toi_found_contact found;
  fill(&found, number, problem->pair, &region->root);
  found.certificate = TOI_CONTACT_UNIQUE;
  found.region = region->region;
  found.proved = true;
  found.counts = !leaves;
  bool failed;
  found.strict = toi_problem_is_strict(problem, region, &failed);
  if (failed)
    return TOI_ERROR_CALLBACK;
  set_place(&found, &system);
  toi_found_contact *known = found.counts ? find_known(run, &found) : NULL;
  found.known = is_outside(problem, &region->root) || known != NULL;
  // It is the only one only if it is for all patches that meet there.
  if (known != NULL)
    known->strict = known->strict && found.strict;
  toi_status status = keep(run, &found);
  if (status != TOI_OK)
    return status;
  if (!leaves && found.t_hi < run->bound)
    run->bound = found.t_hi;
  // It stands for what else was found in its region.
  for (size_t i = 0; i < run->contact_count; i++) {
    toi_found_contact *f = &run->contacts[i];
    if (f->certificate == TOI_CONTACT_SINGULAR && f->problem == number &&
        box_encloses(problem->pair, &region->region, &f->box))
      f->known = true;
  }
  *settled = true;
  return TOI_OK;
}

toi_status toi_contact_search_note_box(toi_contact_search *run, uint32_t number, const toi_box *box, bool proved,
                                       uint32_t *by) {
  const toi_problem *problem = &run->problems[number];
  toi_system system;
  uint32_t unused = 0;
  by = by == NULL ? &unused : by;
  *by = 0;
  if (!toi_system_at(problem, box, TOI_SYSTEM_VALUES, &system))
    return TOI_ERROR_CALLBACK;
  toi_found_contact found;
  fill(&found, number, problem->pair, box);
  found.certificate = TOI_CONTACT_SINGULAR;
  found.proved = proved;
  set_place(&found, &system);
  if (proved && found.t_hi < run->bound)
    run->bound = found.t_hi;
  if (!is_early(run, &found) || toi_contact_search_is_settled(run, number, box))
    return TOI_OK;
  for (const toi_found_contact *f = unique_at(run, run->last_unique); f != NULL && proved; f = unique_at(run, f->next))
    if (stands_for_later(run, f, problem->pair, found.t_lo) &&
        toi_plain_distance3(f->place, found.place) < run->options->spacing) {
      *by = number_of(run, f);
      return TOI_OK;
    }
  walk near = {run, problem->pair, found.place, 0, 0};
  for (toi_found_contact *f = next_sample(&near); f != NULL; f = next_sample(&near)) {
    if (!is_same_pair(pair_of(run, f->problem), problem->pair) || !is_early(run, f) ||
        toi_plain_distance3(f->place, found.place) >= 1.0000001 * run->options->spacing)
      continue;
    // A proved contact takes the place of one that is not.
    if (proved && !f->proved) {
      f->known = true;
      continue;
    }
    // One that is not proved stands for others from the earliest of them on.
    if (!f->proved)
      f->t_lo = fmin(f->t_lo, found.t_lo);
    *by = number_of(run, f);
    return TOI_OK;
  }
  toi_status status = keep(run, &found);
  *by = status == TOI_OK ? (uint32_t)run->contact_count : 0;
  return status;
}

/* --- at the end --- */

/* A budget may end the search between a contact beyond a seam, which lowers the bound, and the same one in the domain:
 * one period back along the parameters that are beyond. */
static toi_status look_in_domain(toi_contact_search *run, const toi_found_contact *found) {
  const toi_problem *problem = &run->problems[found->problem];
  toi_box box = found->box;
  for (size_t i = 0; i < toi_body_pair_time(problem->pair); i++) {
    const toi_interval domain = problem->domain.x[i];
    double width = toi_interval_width(domain), middle = toi_interval_midpoint(box.x[i]);
    double back = middle > domain.hi ? -width : middle < domain.lo ? width : 0;
    box.x[i] = (toi_interval){box.x[i].lo + back, box.x[i].hi + back};
  }
  return toi_contact_search_guess(run, found->problem, &box, true);
}

static bool is_proof_reported(const toi_contact_search *run) {
  for (size_t i = 0; i < run->contact_count; i++)
    if (run->contacts[i].proved && toi_contact_search_reports(run, &run->contacts[i]))
      return true;
  return false;
}

/* The earliest one that is proved, and not reported as it is known from elsewhere; from 1; 0: none. */
static uint32_t find_hidden(const toi_contact_search *run) {
  uint32_t found = 0;
  for (uint32_t i = 1; i <= run->contact_count; i++) {
    const toi_found_contact *f = &run->contacts[i - 1];
    if (f->proved && f->counts && f->known && (found == 0 || f->t_hi < run->contacts[found - 1].t_hi))
      found = i;
  }
  return found;
}

/* The bound comes from a contact that is not tangential, or from one that is hidden. */
toi_status toi_contact_search_note_bound(toi_contact_search *run) {
  if (!(run->bound < run->given) || is_proof_reported(run))
    return TOI_OK;
  uint32_t hidden = find_hidden(run);
  if (run->spare.there && (hidden == 0 || run->contacts[hidden - 1].t_hi > run->bound)) {
    const toi_problem *problem = &run->problems[run->spare.problem];
    toi_system system;
    toi_found_contact found;
    if (!toi_system_at(problem, &run->spare.box, TOI_SYSTEM_VALUES, &system))
      return TOI_ERROR_CALLBACK;
    fill(&found, run->spare.problem, problem->pair, &run->spare.box);
    found.certificate = TOI_CONTACT_SINGULAR;
    found.proved = true;
    set_place(&found, &system);
    return keep(run, &found);
  }
  if (hidden == 0)
    return TOI_OK;
  const toi_found_contact copy = run->contacts[hidden - 1];
  toi_status status = look_in_domain(run, &copy);
  if (status == TOI_OK && !is_proof_reported(run))
    run->contacts[hidden - 1].known = false;
  return status;
}
