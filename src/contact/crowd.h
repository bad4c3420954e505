/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* First contact of many bodies: pairs are made on demand, each is searched by itself, on any thread.
 *
 * Swept boxes of bodies over a fraction of the time go through the broad phase; the pairs that overlap are searched in
 * rounds of a size that depends on nothing but how many there were before. What a round begins with (the earliest
 * contact proved so far, boxes for each search) is the same for all of its pairs, so that each answer is a function of
 * the question alone. A search that does not end within its boxes is done again later, with 16 times as many.
 *
 * Promise: the same verdict, bracket and contacts for any number of threads, also where max_boxes ends the search, but
 * not where max_seconds or memory does; no list is longer than a multiple of the number of bodies. */

#ifndef TOI_CONTACT_CROWD_H
#define TOI_CONTACT_CROWD_H

#include "contact/question.h"

/* Up to so many bodies share one queue of boxes, in contact.c. */
#define TOI_CROWD 8

/* All of a question of more bodies. */
toi_status toi_crowd_ask(toi_question *q, toi_listener *who, toi_contact_answer *answer);

/* --- inside --- */

/* A pair of bodies, a < b, and when it may touch, in doubles: what is early is searched first. */
typedef struct toi_crowd_job {
  uint32_t a, b;
  double key;
  size_t finding; /* of an earlier search that did not end; from 1, 0: there was none */
} toi_crowd_job;

/* A contact, and the time by which it counts. */
typedef struct toi_crowd_contact {
  toi_contact_point point;
  double time;
} toi_crowd_contact;

/* What the search of a pair left. */
typedef struct toi_crowd_finding {
  uint32_t a, b;
  toi_contact_outcome outcome;
  toi_crowd_contact *contacts;
  size_t count, room;
} toi_crowd_finding;

/* A body as all of these see it. */
typedef struct toi_crowd_body {
  size_t surface, count;        /* its surfaces */
  bool bounded, rests, own;     /* own: asked from the calling thread alone: a function of the user's */
  double from[3], way[3], ball; /* about where it is at first, how far it goes, and its size: doubles for keys alone */
  uint32_t degree;              /* pairs that it is in */
  struct toi_crowd_grid *grid;  /* or NULL */
} toi_crowd_body;

typedef struct toi_crowd_worker toi_crowd_worker;

typedef struct toi_crowd {
  toi_question *q;
  toi_crowd_body *bodies;
  toi_crowd_worker *workers;
  uint32_t threads;
  double (*boxes)[6];
  uint32_t *listed; /* the bodies that the boxes are of */
  toi_crowd_job *jobs;
  size_t job_count, job_room;
  toi_crowd_finding *findings;
  size_t finding_count, finding_room;
  toi_interval times; /* under way */
  bool at_start;
  double bound;     /* of contacts that are proved so far */
  uint64_t left;    /* boxes */
  double open_from; /* pairs that were not searched to the end may touch from here on; infinite: there are none */
  toi_contact_end end;
} toi_crowd;

/* Of a question whose bodies were checked, which is set; to be ended also where that fails. */
toi_status toi_crowd_begin(toi_crowd *c);
void toi_crowd_end(toi_crowd *c);

/* What to search, and what became of it. */
typedef struct toi_crowd_task {
  toi_crowd_job job;
  uint64_t boxes; /* at most; then: processed */
  bool culled, waits;
  toi_crowd_finding finding;
} toi_crowd_task;

/* --- crowd_pairs.c --- */

/* The boxes of all bodies over the times. */
toi_status toi_crowd_boxes(toi_crowd *c, toi_interval times);

/* The pairs whose boxes overlap, the smaller number in [begin, end), in order of their keys. *many: there are more than
 * `most`, and none is there. */
toi_status toi_crowd_pairs(toi_crowd *c, uint32_t begin, uint32_t end, size_t most, bool *many);

toi_status toi_crowd_add_job(toi_crowd *c, const toi_crowd_job *job);

/* --- crowd_grid.c --- */

/* Boxes around the pieces of a parametric surface that does not deform. */
typedef struct toi_crowd_grid toi_crowd_grid;

/* For bodies that are in many pairs. */
toi_status toi_crowd_grids(toi_crowd *c);
void toi_crowd_grid_end(toi_context *context, toi_crowd_grid *grid);

/* The part of the parameters whose pieces the other surface of the pair may reach at these times; false: none. */
bool toi_crowd_grid_part(const toi_crowd_grid *grid, const toi_body_pair *pair, int side, toi_interval times,
                         toi_interval part[2]);

/* --- crowd_worker.c --- */

toi_status toi_crowd_workers_begin(toi_crowd *c);
void toi_crowd_workers_end(toi_crowd *c);

/* On a thread: searches the pair of the task. */
toi_status toi_crowd_search(toi_crowd *c, uint32_t thread, toi_crowd_task *task);

/* On a thread: the pair of the task as a question, with empty memories; its pairs are to be dropped. */
toi_status toi_crowd_question(toi_crowd *c, uint32_t thread, const toi_crowd_task *task, toi_question *q);
void toi_crowd_drop_pairs(toi_question *q);
/* What a search ended for want of a function of the user's is reported of the surface itself. */
void toi_crowd_note_failure(toi_crowd *c, const toi_crowd_task *task, const toi_question *q);

/* On a thread: the surfaces of a body made ready for it, whole or as far as their motion and size go. */
toi_status toi_crowd_load(toi_crowd *c, uint32_t thread, uint32_t body, bool whole, toi_body_surface **surfaces);

#endif
