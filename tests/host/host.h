/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The library inside somebody else's process: every exported function is called by at least one case, on several kinds
 * of input, and all bits of its answers go into a digest. The programs of this directory run the cases in hosts that
 * differ (floating-point state, refused memory, number of threads) and compare digests.
 *
 * Code of the cases runs in the default floating-point state. Each exported function is called through HOST_CALL or
 * HOST_DO, which enter the host's state right before the call and leave it right after. The cases allocate nothing. */

#ifndef TOI_TESTS_HOST_H
#define TOI_TESTS_HOST_H

#include <toi/toi.h>

#include <pthread.h>
#include <stdatomic.h>

typedef enum host_input {
  HOST_ORDINARY = 0, /* numbers of ordinary size with all their bits */
  HOST_SUBNORMAL,    /* the smallest numbers there are */
  HOST_RESTING,      /* ordinary ones, nothing moves */
  HOST_HUGE,         /* close to the largest number */
  HOST_SPREAD,       /* ordinary, tiny and huge ones side by side: the exact methods need long integers */
  HOST_REFUSED,      /* some are NaN or infinite: calls fail */
  HOST_INPUT_COUNT
} host_input;

enum {
  HOST_FIGURES = 1 << HOST_ORDINARY | 1 << HOST_SUBNORMAL | 1 << HOST_RESTING | 1 << HOST_HUGE | 1 << HOST_SPREAD |
                 1 << HOST_REFUSED,
  HOST_ONCE = 1 << HOST_ORDINARY /* for functions that take no numbers */
};

const char *host_input_name(host_input input);

/* --- the floating-point state --- */

/* Control bits and exception flags of every unit that a host sets. */
typedef struct host_state {
  uint64_t control, flags;
} host_state;

host_state host_state_get(void);
void host_state_set(host_state state);

/* Round to nearest, subnormal numbers kept, no traps, no flags. */
host_state host_state_default(void);

/* The states to try, by number: rounding directions, flushing of results and of operands, traps. */
enum { HOST_STATES = 32 };
host_state host_state_number(unsigned number);

/* --- runs --- */

/* Why a function of the host's own is called: to receive results, or to take part in the answer. */
typedef enum host_role { HOST_RECEIVES = 0, HOST_TAKES_PART } host_role;

/* One answer, as the digest keeps it. */
typedef struct host_item {
  const char *function, *what;
  uint64_t hash;
} host_item;

enum { HOST_ITEMS = 4096, HOST_FAULT_SIZE = 1024, HOST_FUNCTIONS = 512 };

/* A case being run. before and after stand around every call of an exported function; called, in every function of the
 * host's own that the library calls. Each may be NULL. */
typedef struct host_run {
  host_input input;
  uint32_t threads;
  toi_allocator allocator; /* of the contexts; zeroes: malloc */
  void (*before)(struct host_run *run);
  void (*after)(struct host_run *run);
  void (*called)(struct host_run *run, host_role role);
  void *user;

  toi_context *context;
  pthread_t caller;
  const char *function;        /* under way, or the last one */
  host_state expected;         /* the caller's state while a call is under way */
  bool short_of_memory;        /* a status or an answer said so, since the body began */
  atomic_size_t visits;        /* of functions that receive results or take part, since the call began */
  char fault[HOST_FAULT_SIZE]; /* the first thing that is wrong; "" */
  pthread_mutex_t lock;        /* of the fault */
  host_item items[HOST_ITEMS];
  size_t item_count;
} host_run;

typedef struct host_case {
  const char *name; /* the function it is about */
  void (*body)(host_run *run);
  unsigned inputs; /* a bit for each host_input that makes a difference */
} host_case;

/* The table of cases, by number from 0; NULL past the last. */
const host_case *host_case_number(size_t number);

/* A run has a context while it is open. open: whether the context was made. The body may run more than once. */
void host_run_init(host_run *run, host_input input, uint32_t threads);
bool host_run_open(host_run *run);
void host_run_body(host_run *run, const host_case *one);
void host_run_close(host_run *run);

/* Notes what is wrong, unless something was before; NAME tells where. */
void host_fault(host_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Compares the answers of two runs of one case: a fault of `run` if they differ. */
void host_compare(host_run *run, const host_run *usual);

/* All functions that were called since the program began. */
size_t host_functions(const char *const **names);

/* --- inside of cases --- */

#define HOST_CALL(run, result, function, arguments)                                                                    \
  (host_before(run, #function), (result) = function arguments, host_after(run))
#define HOST_DO(run, function, arguments) (host_before(run, #function), function arguments, host_after(run))

void host_before(host_run *run, const char *function);
void host_after(host_run *run);

/* First thing in a visitor, a progress function, or a function that takes part in an answer. */
void host_called(host_run *run, host_role role);

/* For the field progress of options; user is the run. One goes on, the other stops the call. */
bool host_progress(void *user, double done);
bool host_cancel(void *user, double done);

/* Puts bits, or a string (NULL among them), into the digest. */
#define HOST_BITS(run, value) host_bits(run, #value, &(value), sizeof(value))
void host_bits(host_run *run, const char *what, const void *bits, size_t size);
void host_text(host_run *run, const char *what, const char *text);

/* Adds bits whose order does not matter to a sum that goes into the digest later. */
void host_sum(uint64_t *sum, const void *bits, size_t size);

/* Puts a status into the digest; whether it is TOI_OK. */
bool host_status(host_run *run, toi_status status);

/* The same for a call on the run's context: a failure has left a sentence there, which goes into the digest too. */
bool host_context_status(host_run *run, toi_status status);

/* A condition that holds in every host. */
#define HOST_CHECK(run, condition) ((condition) ? (void)0 : host_fault(run, "does not hold: %s", #condition))

/* Fills an answer with bits that no answer has, so that what the library leaves out shows. */
#define HOST_SPOIL(value) host_spoil(&(value), sizeof(value))
void host_spoil(void *bits, size_t size);

/* The same for a handle: points to nothing of the library's. */
void *host_nowhere(void);

/* How often to do what would be done `full` times: less where numbers are so small that a processor is slow. */
size_t host_share(const host_run *run, size_t full);

/* --- data --- */

/* Must be called once, before the first run, in the default state: makes numbers and files. */
void host_data_make(void);

/* k times the unit of this input, k from -HOST_REACH to HOST_REACH: looked up, not computed. */
enum { HOST_REACH = 2047 };
double host_number(host_input input, int k);
void host_point(host_input input, const int at[3], double point[3]);

/* A sheet of triangles that another one, some loose edges and points fall on. */
typedef struct host_mesh {
  toi_mesh mesh;
  const void *tangled; /* vertices with the sheets passing through each other */
  toi_pair pairs[64];  /* of the vertices and faces that are closest */
  size_t pair_count;
} host_mesh;
const host_mesh *host_mesh_of(host_input input);

/* Queries of a kind, back to back. */
enum { HOST_QUERIES = 24 };
const double *host_queries(host_input input, toi_kind kind);

/* The path of a file that was made for this input; NAME as cases_io.c and data_files.c call it. */
const char *host_file(host_input input, const char *name);

/* --- programs --- */

/* Runs body in a process of its own, with nothing on standard output and standard error, for 100 seconds at most.
 * Whether it ended well; else a line on standard error says how it did not. */
typedef bool (*host_body)(void *user, char *fault, size_t size);
bool host_isolated(const char *name, host_body body, void *user);

/* What the isolated process is about to do; kept if it dies. Static strings. */
void host_doing(const char *function, const char *what);

/* Fails the test unless the cases, run here in the default state, call exactly the functions that the shared library
 * exports. */
void host_check_table(void);

#endif
