/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions: made call by call, enclosed over a time.
 *
 * Bounds: memory is a kilobyte or two for each stage, and the tapes of those that are given by formulas. A call that
 * fails leaves the motion as it was. */

#include "motion/poses.h"
#include "motion/stage.h"

#define SCREW TOI_LAYOUT(toi_screw, speed)

/* --- life --- */

static TOI_APART toi_status create(toi_context *context, toi_motion **motion) {
  if (!motion)
    return toi_fail(context, TOI_ERROR_INPUT, "motion is NULL");
  *motion = NULL;
  if (!context)
    return TOI_ERROR_INPUT;
  toi_motion *made = toi_allocate(context, sizeof(*made));
  if (!made)
    return TOI_ERROR_MEMORY;
  *made = (toi_motion){.context = context, .domain = toi_interval_whole()};
  *motion = made;
  return TOI_OK;
}

toi_status toi_motion_create(toi_context *context, toi_motion **motion) {
  TOI_CALL(context, create(context, motion));
}

static void destroy_parts(toi_context *context, const toi_stage *stage) {
  toi_tape_destroy(stage->tape);
  toi_tape_destroy(stage->wave.tape);
  if (stage->poses)
    toi_free(context, stage->poses, sizeof(*stage->poses));
}

static TOI_APART void destroy(toi_motion *motion) {
  if (!motion)
    return;
  for (size_t i = 0; i < motion->count; i++)
    destroy_parts(motion->context, &motion->stages[i]);
  if (motion->stages)
    toi_free(motion->context, motion->stages, motion->capacity * sizeof(*motion->stages));
  if (motion->parts)
    toi_free(motion->context, motion->parts, motion->part_capacity * sizeof(*motion->parts));
  toi_free(motion->context, motion, sizeof(*motion));
}

void toi_motion_destroy(toi_motion *motion) {
  TOI_CALL_VOID(NULL, destroy(motion));
}

/* The stage as one of its own, or joined to the last one. There is room. */
static void put_stage(toi_motion *motion, const toi_stage *stage) {
  if (motion->count > 0 && !stage->tape && !stage->poses) {
    toi_stage *last = &motion->stages[motion->count - 1];
    if (!last->tape && !last->poses && toi_wave_join(&last->wave, &stage->wave, &last->wave))
      return;
  }
  motion->stages[motion->count++] = *stage;
}

toi_status toi_motion_add(toi_motion *motion, const toi_stage *stage, const toi_motion_part *part) {
  toi_context *context = motion->context;
  toi_stage *stages = toi_grow(context, motion->stages, motion->count, &motion->capacity, sizeof *stages, 2);
  motion->stages = stages != NULL ? stages : motion->stages;
  toi_motion_part *parts = NULL;
  if (stages != NULL)
    parts = toi_grow(context, motion->parts, motion->part_count, &motion->part_capacity, sizeof *parts, 2);
  if (parts == NULL) {
    destroy_parts(context, stage);
    return TOI_ERROR_MEMORY;
  }
  motion->parts = parts;
  put_stage(motion, stage);
  motion->parts[motion->part_count++] =
      part ? *part : (toi_motion_part){.kind = TOI_PART_STAGE, .stage = motion->count - 1};
  return TOI_OK;
}

/* --- shifts, turns and screws --- */

toi_status toi_motion_check_vector(toi_context *context, const char *name, const double *vector, bool may_miss) {
  if (!vector)
    return may_miss ? TOI_OK : toi_fail(context, TOI_ERROR_INPUT, "%s is NULL", name);
  for (int i = 0; i < 3; i++)
    if (!isfinite(vector[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s[%d] is %g; it must be finite", name, i, vector[i]);
  return TOI_OK;
}

static TOI_APART toi_status move_by(toi_motion *motion, const double shift[3], const double velocity[3]) {
  toi_status status = toi_motion_check_vector(motion->context, "shift", shift, true);
  if (status == TOI_OK)
    status = toi_motion_check_vector(motion->context, "velocity", velocity, true);
  if (status != TOI_OK)
    return status;
  toi_stage stage = {0};
  toi_wave_shift(shift, velocity, &stage.wave);
  toi_motion_part part = {.kind = TOI_PART_SHIFT};
  if (shift)
    memcpy(part.given.through, shift, sizeof(part.given.through));
  if (velocity)
    memcpy(part.given.axis, velocity, sizeof(part.given.axis));
  return toi_motion_add(motion, &stage, &part);
}

toi_status toi_motion_move(toi_motion *motion, const double shift[3], const double velocity[3]) {
  TOI_MOTION_CALL(motion, move_by(motion, shift, velocity));
}

toi_status toi_motion_check_axis(toi_context *context, const double *axis) {
  toi_status status = toi_motion_check_vector(context, "axis", axis, false);
  if (status == TOI_OK && axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
    return toi_fail(context, TOI_ERROR_INPUT, "axis is zero; it must have a direction");
  return status;
}

static toi_status check_screw(toi_context *context, const toi_screw *screw) {
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"angle", screw->angle}, {"rate", screw->rate}, {"shift", screw->shift}, {"speed", screw->speed}};
  toi_status status = toi_motion_check_axis(context, screw->axis);
  if (status == TOI_OK)
    status = toi_motion_check_vector(context, "through", screw->through, false);
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && status == TOI_OK; i++)
    if (!isfinite(numbers[i].value))
      status = toi_fail(context, TOI_ERROR_INPUT, "%s is %g; it must be finite", numbers[i].name, numbers[i].value);
  return status;
}

void toi_screw_init(toi_screw *screw, size_t size) {
  toi_init_struct(SCREW, NULL, screw, size);
}

static TOI_APART toi_status screw_by(toi_motion *motion, const toi_screw *screw) {
  toi_screw taken = {0};
  toi_status status = toi_take_description(motion->context, SCREW, screw, &taken);
  if (status == TOI_OK)
    status = check_screw(motion->context, &taken);
  if (status != TOI_OK)
    return status;
  toi_stage stage = {0};
  toi_wave_screw(&taken, NULL, &stage.wave);
  const toi_motion_part part = {.kind = TOI_PART_SCREW, .given = taken};
  return toi_motion_add(motion, &stage, &part);
}

toi_status toi_motion_screw(toi_motion *motion, const toi_screw *screw) {
  TOI_MOTION_CALL(motion, screw_by(motion, screw));
}

static TOI_APART toi_status turn_by(toi_motion *motion, const double axis[3], const double through[3], double angle,
                                    double rate) {
  if (!axis)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "axis is NULL");
  toi_screw screw = {.angle = angle, .rate = rate};
  memcpy(screw.axis, axis, sizeof(screw.axis));
  if (through)
    memcpy(screw.through, through, sizeof(screw.through));
  return toi_motion_screw(motion, &screw);
}

toi_status toi_motion_turn(toi_motion *motion, const double axis[3], const double through[3], double angle,
                           double rate) {
  TOI_MOTION_CALL(motion, turn_by(motion, axis, through, angle, rate));
}

static TOI_APART toi_status spin_by(toi_motion *motion, const double rate[3], const double through[3]) {
  static const double origin[3] = {0, 0, 0};
  toi_status status = toi_motion_check_vector(motion->context, "rate", rate, false);
  if (status == TOI_OK)
    status = toi_motion_check_vector(motion->context, "through", through, true);
  if (status != TOI_OK || (rate[0] == 0 && rate[1] == 0 && rate[2] == 0))
    return status;
  toi_stage stage = {0};
  toi_wave_spin(rate, through ? through : origin, &stage.wave);
  toi_motion_part part = {.kind = TOI_PART_SPIN};
  memcpy(part.given.axis, rate, sizeof(part.given.axis));
  memcpy(part.given.through, through ? through : origin, sizeof(part.given.through));
  return toi_motion_add(motion, &stage, &part);
}

toi_status toi_motion_spin(toi_motion *motion, const double rate[3], const double through[3]) {
  TOI_MOTION_CALL(motion, spin_by(motion, rate, through));
}

/* --- enclosures --- */

const toi_wave *toi_motion_wave(const toi_motion *motion) {
  return motion && motion->count == 1 && !motion->stages[0].tape && !motion->stages[0].poses &&
                 !motion->stages[0].wave.tape
             ? &motion->stages[0].wave
             : NULL;
}

static TOI_APART bool is_linear(const toi_motion *motion, double shift[3], double velocity[3]) {
  const toi_wave *wave = toi_motion_wave(motion);
  const bool rests = !motion || motion->count == 0;
  bool linear = rests || (wave && wave->identity && !wave->turns);
  for (int i = 0; i < 3; i++) {
    shift[i] = linear && !rests ? wave->entry[i][3].constant.lo : 0;
    velocity[i] = linear && !rests ? wave->velocity[i].lo : 0;
  }
  for (int i = 0; i < 3 && linear && !rests; i++)
    linear = wave->entry[i][3].constant.hi == shift[i] && wave->velocity[i].hi == velocity[i];
  return linear;
}

bool toi_motion_linear(const toi_motion *motion, double shift[3], double velocity[3]) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const bool linear = is_linear(motion, shift, velocity);
  toi_call_end(&call);
  return linear;
}

bool toi_motion_is_shift(const toi_motion *motion) {
  for (size_t i = 0; motion && i < motion->count; i++) {
    const toi_stage *stage = &motion->stages[i];
    if (stage->poses || (stage->tape ? stage->turns : !stage->wave.identity))
      return false;
  }
  return true;
}

bool toi_motion_rests(const toi_motion *motion) {
  for (size_t i = 0; motion && i < motion->count; i++)
    if (motion->stages[i].tape || (motion->stages[i].poses ? !toi_poses_rest(motion->stages[i].poses)
                                                           : !toi_wave_is_constant(&motion->stages[i].wave)))
      return false;
  return true;
}

size_t toi_motion_twin_bytes(const toi_motion *motion) {
  size_t tapes = 0;
  for (size_t i = 0; motion && i < motion->count; i++)
    for (int k = 0; k < 2; k++) {
      const toi_tape *tape = k == 0 ? motion->stages[i].tape : motion->stages[i].wave.tape;
      tapes += tape ? toi_tape_twin_bytes(tape) : 0;
    }
  return tapes ? tapes + sizeof(*motion) + motion->count * sizeof(*motion->stages) : 0;
}

/* The tape's twin at *at, which goes on behind it. */
static toi_tape *twin_at(const toi_tape *tape, unsigned char **at) {
  toi_tape *twin = tape ? toi_tape_twin(tape, *at) : NULL;
  *at += tape ? toi_tape_twin_bytes(tape) : 0;
  return twin;
}

const toi_motion *toi_motion_twin(const toi_motion *motion, void *memory) {
  if (toi_motion_twin_bytes(motion) == 0)
    return motion;
  toi_motion *twin = memory;
  *twin = *motion;
  twin->stages = (toi_stage *)(twin + 1);
  memcpy(twin->stages, motion->stages, motion->count * sizeof(*motion->stages));
  unsigned char *at = (unsigned char *)(twin->stages + motion->count);
  for (size_t i = 0; i < twin->count; i++) {
    twin->stages[i].tape = twin_at(twin->stages[i].tape, &at);
    twin->stages[i].wave.tape = twin_at(twin->stages[i].wave.tape, &at);
  }
  return twin;
}

void toi_motion_jet_at(const toi_motion *motion, toi_interval t, unsigned order, toi_motion_jet *jet) {
  assert(order <= 2 && toi_interval_is_valid(t));
  if (!motion || motion->count == 0) {
    for (unsigned k = 0; k <= order; k++) {
      memset(jet->rotation[k], 0, sizeof(jet->rotation[k]));
      memset(jet->translation[k], 0, sizeof(jet->translation[k]));
    }
    for (int i = 0; i < 3; i++)
      jet->rotation[0][i][i] = toi_interval_point(1);
    return;
  }
  toi_stage_jet(&motion->stages[0], t, order, jet);
  for (size_t i = 1; i < motion->count; i++) {
    toi_motion_jet next = {0};
    toi_stage_jet(&motion->stages[i], t, order, &next);
    toi_motion_jet_after(&next, order, jet);
  }
}

static TOI_APART toi_status enclose_at(const toi_motion *motion, toi_interval t, toi_interval rotation[9],
                                       toi_interval translation[3]) {
  if (!rotation || !translation)
    return toi_fail(motion->context, TOI_ERROR_INPUT, "%s is NULL", rotation ? "translation" : "rotation");
  if (!(t.lo <= t.hi) || !isfinite(t.lo) || !isfinite(t.hi))
    return toi_fail(motion->context, TOI_ERROR_INPUT, "t is [%g, %g]; it must be finite, the lower end first", t.lo,
                    t.hi);
  if (!toi_interval_encloses(motion->domain, t))
    return toi_fail(motion->context, TOI_ERROR_INPUT, "t is [%g, %g]; the motion's series are given over [%g, %g]",
                    t.lo, t.hi, motion->domain.lo, motion->domain.hi);
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, t, 0, &jet);
  memcpy(rotation, jet.rotation[0], sizeof(jet.rotation[0]));
  memcpy(translation, jet.translation[0], sizeof(jet.translation[0]));
  return TOI_OK;
}

toi_status toi_motion_at(const toi_motion *motion, toi_interval t, toi_interval rotation[9],
                         toi_interval translation[3]) {
  TOI_MOTION_CALL(motion, enclose_at(motion, t, rotation, translation));
}
