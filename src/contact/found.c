/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a search has found: regions with one contact, points of curves and regions of contact, tiny boxes.
 *
 * Samples are at least `spacing` apart, and one stands for all boxes within COVER times the spacing. A box whose own
 * sample would be too close to another one lies within the spacing and its own size of that, so halving ends soon. */

#include "contact/hunt.h"
#include "solve/vector.h"

#define COVER 1.5

static const toi_couple *couple_of(const toi_hunt *hunt, uint32_t problem) {
  return hunt->problems[problem].couple;
}

/* Whether two problems are of the same two bodies. */
static bool is_same_pair(const toi_couple *a, const toi_couple *b) {
  return a->body[0] == b->body[0] && a->body[1] == b->body[1];
}

static bool box_encloses(const toi_couple *couple, const toi_box *a, const toi_box *b) {
  for (size_t i = 0; i < toi_couple_unknowns(couple); i++)
    if (!toi_interval_encloses(a->x[i], b->x[i]))
      return false;
  return true;
}

/* --- where they are kept --- */

/* The one before it; NULL: it is the first. */
static toi_found *unique_at(const toi_hunt *hunt, uint32_t number) {
  return number == 0 ? NULL : &hunt->found[number - 1];
}

/* Space is cut into cells as wide as a sample covers, so that those near a place are in its cell or next to it. */
static uint32_t *cell_of(const toi_hunt *hunt, const toi_couple *couple, const double place[3], int step) {
  double edge = COVER * hunt->options->spacing;
  uint64_t hash = (uint64_t)couple->body[0] << 32 | couple->body[1];
  for (int k = 0; k < 3; k++, step /= 3) {
    // Adding 0 makes one zero of both.
    hash ^= toi_bits(floor(place[k] / edge) + (step % 3 - 1) + 0.0);
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
  }
  return &hunt->cells[hash & (hunt->cell_count - 1)];
}

enum { AROUND = 27, MIDDLE = 13 };

/* A walk over the samples near a place; some may come twice. */
typedef struct walk {
  const toi_hunt *hunt;
  const toi_couple *couple;
  const double *place;
  int step;
  uint32_t at;
} walk;

static toi_found *next_sample(walk *w) {
  while (w->at == 0) {
    if (w->step == AROUND || w->hunt->cell_count == 0)
      return NULL;
    w->at = *cell_of(w->hunt, w->couple, w->place, w->step++);
  }
  toi_found *f = &w->hunt->found[w->at - 1];
  w->at = f->next;
  return f;
}

static void put_into_cell(toi_hunt *hunt, uint32_t number) {
  toi_found *f = &hunt->found[number - 1];
  uint32_t *cell = cell_of(hunt, couple_of(hunt, f->problem), f->place, MIDDLE);
  f->next = *cell;
  *cell = number;
}

/* As many cells as there is room for samples. */
static bool make_cells(toi_hunt *hunt, size_t count) {
  uint32_t *cells = toi_allocate(hunt->context, count * sizeof *cells);
  if (cells == NULL)
    return false;
  memset(cells, 0, count * sizeof *cells);
  if (hunt->cells != NULL)
    toi_free(hunt->context, hunt->cells, hunt->cell_count * sizeof *cells);
  hunt->cells = cells;
  hunt->cell_count = count;
  for (size_t i = 0; i < hunt->found_count; i++)
    if (hunt->found[i].certificate == TOI_CONTACT_SINGULAR)
      put_into_cell(hunt, (uint32_t)i + 1);
  return true;
}

/* Twice the room; what has grown before something is refused stays so. */
static bool grow(toi_hunt *hunt) {
  const size_t room = hunt->room == 0 ? 64 : 2 * hunt->room;
  if (hunt->found_room < room) {
    toi_found *more = toi_resize(hunt->context, hunt->found, hunt->found_room * sizeof *more, room * sizeof *more);
    if (more == NULL)
      return false;
    hunt->found = more;
    hunt->found_room = room;
  }
  if (hunt->point_room < room) {
    toi_contact_point *more =
        toi_resize(hunt->context, hunt->points, hunt->point_room * sizeof *more, room * sizeof *more);
    if (more == NULL)
      return false;
    hunt->points = more;
    hunt->point_room = room;
  }
  if (hunt->cell_count < room && !make_cells(hunt, room))
    return false;
  hunt->room = room;
  return true;
}

static toi_status keep(toi_hunt *hunt, const toi_found *found) {
  if (hunt->found_count == hunt->room && !grow(hunt))
    return TOI_ERROR_MEMORY;
  hunt->found[hunt->found_count++] = *found;
  uint32_t number = (uint32_t)hunt->found_count;
  if (found->certificate == TOI_CONTACT_SINGULAR) {
    put_into_cell(hunt, number);
    hunt->sampled = true;
    return TOI_OK;
  }
  hunt->found[number - 1].next = hunt->last_unique;
  hunt->last_unique = number;
  return TOI_OK;
}

/* --- questions about them --- */

bool toi_hunt_is_settled(const toi_hunt *hunt, uint32_t problem, const toi_box *box) {
  for (const toi_found *f = unique_at(hunt, hunt->last_unique); f != NULL; f = unique_at(hunt, f->next))
    if (f->problem == problem && box_encloses(couple_of(hunt, problem), &f->region, box))
      return true;
  return false;
}

/* Whether it is of the moment. A proved sample of a wide box may be later than the box begins. */
static bool is_early(const toi_hunt *hunt, const toi_found *found) {
  bool sample = found->certificate == TOI_CONTACT_SINGULAR && found->proved;
  double time = sample ? found->t_hi : found->t_lo;
  return found->counts && !found->known && time <= hunt->bound + hunt->options->simultaneity;
}

/* Whether a contact lies on an edge or a corner of one of several patches. */
static bool is_on_joint(const toi_hunt *hunt, const toi_found *found) {
  const toi_problem *problem = &hunt->problems[found->problem];
  for (int side = 0; side < 2; side++)
    if (problem->couple->seen[side]->shape->joins && (problem->frozen >> (2 * side) & 3) != 0)
      return true;
  return false;
}

/* Where patches join, a contact beside the edge that they share carries the edge along: it meets the other surface a
 * little later, close by, and is no contact of its own. */
static bool follows_another(const toi_hunt *hunt, const toi_found *found) {
  const toi_couple *couple = couple_of(hunt, found->problem);
  for (const toi_found *f = unique_at(hunt, hunt->last_unique); f != NULL; f = unique_at(hunt, f->next))
    if (f->counts && !f->known && f->t_hi < found->t_lo && is_same_pair(couple_of(hunt, f->problem), couple) &&
        toi_plain_distance3(f->place, found->place) < hunt->options->spacing && !is_on_joint(hunt, f))
      return true;
  return false;
}

/* A contact that is the only one on an edge, but not strictly, may be the end of a curve of contacts: then a sample
 * stands for it. */
bool toi_hunt_tells(const toi_hunt *hunt, const toi_found *found) {
  if (!is_early(hunt, found) || (is_on_joint(hunt, found) && follows_another(hunt, found)))
    return false;
  const toi_couple *couple = couple_of(hunt, found->problem);
  if (found->certificate != TOI_CONTACT_UNIQUE || found->strict)
    return true;
  walk near = {hunt, couple, found->place, 0, 0};
  for (const toi_found *f = next_sample(&near); f != NULL; f = next_sample(&near))
    if (is_early(hunt, f) && is_same_pair(couple_of(hunt, f->problem), couple) &&
        toi_plain_distance3(f->place, found->place) < COVER * hunt->options->spacing)
      return false;
  return true;
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

static uint32_t number_of(const toi_hunt *hunt, const toi_found *found) {
  return (uint32_t)(found - hunt->found) + 1;
}

bool toi_hunt_covers(const toi_hunt *hunt, uint32_t sample) {
  return is_early(hunt, &hunt->found[sample - 1]);
}

uint32_t toi_hunt_cover(const toi_hunt *hunt, uint32_t problem, const toi_box *box, const toi_interval place[3],
                        double open) {
  const toi_couple *couple = couple_of(hunt, problem);
  double begin = box->x[toi_couple_time(couple)].lo, simultaneity = hunt->options->simultaneity;
  double middle[3];
  for (int k = 0; k < 3; k++)
    middle[k] = toi_interval_midpoint(place[k]);
  walk near = {hunt, couple, middle, 0, 0};
  for (const toi_found *f = next_sample(&near); f != NULL; f = next_sample(&near)) {
    if (!is_same_pair(couple_of(hunt, f->problem), couple) || !is_early(hunt, f))
      continue;
    // As early as what was found, or as what is open, and not earlier: else it might be the first contact.
    double early = fmin(open, (f->proved ? hunt->bound : f->t_lo) - simultaneity);
    if (begin >= early && farthest(place, f->place) <= COVER * hunt->options->spacing)
      return number_of(hunt, f);
  }
  return 0;
}

/* --- notes --- */

/* Where the box is, as the second body sees it. */
static void set_place(toi_found *found, const toi_system *system) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    found->place[k] = toi_interval_midpoint(system->place[k]);
    double half = toi_interval_magnitude(toi_interval_sub(system->place[k], toi_interval_point(found->place[k])));
    sum = toi_sum_up(sum, toi_product_up(half, half));
  }
  found->error = toi_sqrt_up(sum);
}

static void fill(toi_found *found, uint32_t problem, const toi_couple *couple, const toi_box *box) {
  toi_interval time = box->x[toi_couple_time(couple)];
  *found =
      (toi_found){.problem = problem, .counts = true, .region = *box, .box = *box, .t_lo = time.lo, .t_hi = time.hi};
}

/* Beyond a seam: the same contact lies in the domain as well, and is found there. */
static bool is_outside(const toi_problem *problem, const toi_box *root) {
  for (size_t i = 0; i < toi_couple_unknowns(problem->couple) && problem->couple->kind != TOI_COUPLE_II; i++)
    if (root->x[i].hi < problem->domain.x[i].lo || root->x[i].lo > problem->domain.x[i].hi)
      return true;
  return false;
}

/* The same contact, seen from the other side of a seam: the enclosures of place and time have a point in common. */
static bool is_known(const toi_hunt *hunt, const toi_found *found) {
  for (const toi_found *f = unique_at(hunt, hunt->last_unique); f != NULL; f = unique_at(hunt, f->next))
    if (f->counts && !f->known && is_same_pair(couple_of(hunt, f->problem), couple_of(hunt, found->problem)) &&
        f->t_lo <= found->t_hi && found->t_lo <= f->t_hi &&
        toi_plain_distance3(f->place, found->place) <= f->error + found->error)
      return true;
  return false;
}

toi_status toi_hunt_note_unique(toi_hunt *hunt, uint32_t number, toi_newton_region *region, bool *settled) {
  const toi_problem *problem = &hunt->problems[number];
  toi_system system;
  *settled = false;
  if ((hunt->options->polish && !toi_newton_polish(problem, region)) ||
      !toi_system_at(problem, &region->root, TOI_SYSTEM_SLOPES, &system))
    return TOI_ERROR_CALLBACK;
  bool leaves =
      system.incoming[0].hi < 0 || system.incoming[1].hi < 0 || !toi_couple_reaches(problem->couple, system.place);
  bool comes = !problem->couple->incoming || (system.incoming[0].lo >= 0 && system.incoming[1].lo >= 0);
  if (!leaves && !comes)
    return TOI_OK;
  toi_found found;
  fill(&found, number, problem->couple, &region->root);
  found.certificate = TOI_CONTACT_UNIQUE;
  found.region = region->region;
  found.proved = true;
  found.counts = !leaves;
  bool failed;
  found.strict = toi_problem_is_strict(problem, region, &failed);
  if (failed)
    return TOI_ERROR_CALLBACK;
  set_place(&found, &system);
  found.known = is_outside(problem, &region->root) || is_known(hunt, &found);
  toi_status status = keep(hunt, &found);
  if (status != TOI_OK)
    return status;
  if (!leaves && found.t_hi < hunt->bound)
    hunt->bound = found.t_hi;
  // It stands for what else was found in its region.
  for (size_t i = 0; i < hunt->found_count; i++) {
    toi_found *f = &hunt->found[i];
    if (f->certificate == TOI_CONTACT_SINGULAR && f->problem == number &&
        box_encloses(problem->couple, &region->region, &f->box))
      f->known = true;
  }
  *settled = true;
  return TOI_OK;
}

toi_status toi_hunt_note_box(toi_hunt *hunt, uint32_t number, const toi_box *box, bool proved, uint32_t *by) {
  const toi_problem *problem = &hunt->problems[number];
  toi_system system;
  uint32_t unused = 0;
  by = by == NULL ? &unused : by;
  *by = 0;
  if (!toi_system_at(problem, box, TOI_SYSTEM_VALUES, &system))
    return TOI_ERROR_CALLBACK;
  toi_found found;
  fill(&found, number, problem->couple, box);
  found.certificate = TOI_CONTACT_SINGULAR;
  found.proved = proved;
  set_place(&found, &system);
  if (proved && found.t_hi < hunt->bound)
    hunt->bound = found.t_hi;
  if (!is_early(hunt, &found) || toi_hunt_is_settled(hunt, number, box))
    return TOI_OK;
  walk near = {hunt, problem->couple, found.place, 0, 0};
  for (toi_found *f = next_sample(&near); f != NULL; f = next_sample(&near)) {
    if (!is_same_pair(couple_of(hunt, f->problem), problem->couple) || !is_early(hunt, f) ||
        toi_plain_distance3(f->place, found.place) >= 1.0000001 * hunt->options->spacing)
      continue;
    // A proved contact takes the place of one that is not.
    if (proved && !f->proved) {
      f->known = true;
      continue;
    }
    // One that is not proved stands for others from the earliest of them on.
    if (!f->proved)
      f->t_lo = fmin(f->t_lo, found.t_lo);
    *by = number_of(hunt, f);
    return TOI_OK;
  }
  toi_status status = keep(hunt, &found);
  *by = status == TOI_OK ? (uint32_t)hunt->found_count : 0;
  return status;
}
