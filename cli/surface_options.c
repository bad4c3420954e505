/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi surface`: the table of its options, what their values must be, and which of them belong to
 * what is asked. */

#include "surface_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "page.h"

#define DEFAULT_SAMPLES 200000

static const char purpose[] =
    "When do curved surfaces first touch? Takes a file of pairs of moving Bezier patches, two models made of patches, "
    "one model with itself, or a scene file that says which models move and how.";

static const char notes[] =
    "FILE.jsonl (or .jsonl.gz): one pair of patches per line, {\"a\":PATCH,\"b\":PATCH,\"t_max\":1}. A and B: models, "
    ".json,\n"
    "or teapot, sphere (of radius 1), cylinder (radius 1, height 2) or torus (radii 2 and 0.5) if there is no such "
    "file.\n"
    "SCENE.json: {\"a\":MODEL,\"b\":MODEL,\"motion_a\":{\"velocity\":[x,y,z],\"spin\":...,\"centre\":...,"
    "\"shift\":...},\n"
    "\"motion_b\":...,\"t_max\":1}, a model or the path of its file, from the scene's folder; without \"b\", a with "
    "itself.\n"
    "docs/surfaces.md describes patches and models.\n\n"
    "One model with itself: pairs of patches that share a corner, and each patch with itself, are skipped.\n"
    "hit: contact is proved. miss: it is proved that nothing touches. near: neither; nothing touches before its t_lo.\n"
    "ms/case is the mean of one call per case, one after another on one thread, after a batch call. p50, p99 and max\n"
    "are of a second pass, each case the shortest of five calls (fewer after 200 ms).\n";

static parse_result parse(int argc, char **argv, surface_options *s) {
  const cli_option options[] = {
      {"--tolerance", OPTION_REAL, &s->toi.tolerance, "D",
       "size of pieces at which the search may stop without a proof (default 1e-6)"},
      {"--accept", OPTION_TEXT, &s->accept, "parameter|world",
       "what the tolerance bounds: the width of pieces in each parameter, or their size in space (default world)"},
      {"--inclusion", OPTION_TEXT, &s->inclusion, "aabb|obb",
       "axes along which pieces are separated: of the coordinates only, or their own too (default obb)"},
      {"--method", OPTION_TEXT, &s->method, "NAME|all",
       "a method for surfaces that toi methods lists (default time-inclusion)"},
      {"--min-separation", OPTION_REAL, &s->toi.min_separation, "D", "contact is distance <= D (default 0)"},
      {"--norm", OPTION_TEXT, &s->norm, "l2|linf", "norm of the separation (default l2)"},
      {"--t-max", OPTION_REAL, &s->t_max, "T",
       "considers the times from 0 to T (default: as the file says, otherwise 1)"},
      {"--max-checks", OPTION_NUMBER, &s->toi.max_checks, "N",
       "largest number of pairs of pieces checked; 0: the method's own (default)"},
      {"--velocity-a", OPTION_TEXT, &s->velocity[0], "X,Y,Z", "velocity of the first model"},
      {"--velocity-b", OPTION_TEXT, &s->velocity[1], "X,Y,Z", "velocity of the second model"},
      {"--shift-a", OPTION_TEXT, &s->shift[0], "X,Y,Z", "shifts the first model before it moves"},
      {"--shift-b", OPTION_TEXT, &s->shift[1], "X,Y,Z", "shifts the second model before it moves"},
      {"--spin-a", OPTION_TEXT, &s->spin[0], "X,Y,Z",
       "turns the first model about this axis, by its length in radians per unit of time"},
      {"--spin-b", OPTION_TEXT, &s->spin[1], "X,Y,Z", "turns the second model, likewise"},
      {"--centre-a", OPTION_TEXT, &s->centre[0], "X,Y,Z", "a point of that axis, after the shift (default 0,0,0)"},
      {"--centre-b", OPTION_TEXT, &s->centre[1], "X,Y,Z", "likewise for the second model"},
      {"--self", OPTION_FLAG, &s->self, NULL, "checks one model for contact with itself"},
      {"--contacts", OPTION_FLAG, &s->contacts, NULL, "finds all contacts at the first time of contact, not only one"},
      {"--simultaneity", OPTION_REAL, &s->simultaneity, "S",
       "with --contacts: contacts up to this time after the first are reported (default 0)"},
      {"--spacing", OPTION_REAL, &s->spacing, "D",
       "with --contacts: smallest distance between reported contacts (default 0.1)"},
      {"--convergence", OPTION_FLAG, &s->convergence, NULL,
       "answers the cases with tolerances from 1e-1 to 1e-9, by parameter and by world, and shows errors of time and "
       "parameters and the distance of the reported points"},
      {"--demo", OPTION_TEXT, &s->demo, "cloth|pinned|torus",
       "a cloth of patches falls on a teapot; a cloth pinned at two corners meets itself; a torus is lowered on a "
       "torus"},
      {"--threads", OPTION_NUMBER, &s->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--memory", OPTION_SIZE, &s->memory, "BYTES", MEMORY_HELP},
      {"--samples", OPTION_NUMBER, &s->samples, "N",
       "cases to time one by one, evenly spread; 0: none (default 200000)"},
      {"--out", OPTION_TEXT, &s->out, "FILE",
       "writes the answers as CSV index,verdict,t_lo,t_hi,u1,v1,u2,v2, for models followed by patch_a,patch_b,x,y,z; "
       "-: to standard output, without the table"},
      PAGE_OPTIONS(&s->view, &s->viewer),
      {"--fail-on-hit", OPTION_FLAG, &s->fail_on_hit, NULL, "exits with 1 unless everything is proved to miss"},
      {"--json", OPTION_FLAG, &s->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"surface", "FILE.jsonl|SCENE.json|A B|A --self", purpose, options, notes};
  s->paths = argv;
  return options_parse(&command, argc, argv, &s->path_count);
}

/* --- values --- */

static const char *value_fault(surface_options *s) {
  toi_surface_options *o = &s->toi;
  if (!(o->tolerance > 0) || isinf(o->tolerance))
    return "--tolerance must be positive and finite";
  if (!(o->min_separation >= 0) || isinf(o->min_separation))
    return "--min-separation must be finite and not negative";
  if (!isnan(s->t_max) && (!(s->t_max >= 0) || isinf(s->t_max)))
    return "--t-max must be finite and not negative";
  if (!isnan(s->simultaneity) && (!(s->simultaneity >= 0) || isinf(s->simultaneity)))
    return "--simultaneity must be finite and not negative";
  if (!isnan(s->spacing) && (!(s->spacing > 0) || isinf(s->spacing)))
    return "--spacing must be positive and finite";
  if (strcmp(s->norm, "l2") != 0 && strcmp(s->norm, "linf") != 0)
    return "--norm must be l2 or linf";
  if (strcmp(s->inclusion, "aabb") != 0 && strcmp(s->inclusion, "obb") != 0)
    return "--inclusion must be aabb or obb";
  if (s->accept != NULL && strcmp(s->accept, "parameter") != 0 && strcmp(s->accept, "world") != 0)
    return "--accept must be parameter or world";
  if (s->demo != NULL && strcmp(s->demo, "cloth") != 0 && strcmp(s->demo, "pinned") != 0 &&
      strcmp(s->demo, "torus") != 0)
    return "--demo must be cloth, pinned or torus";
  return NULL;
}

/* The values into the options of the library. */
static void settle(surface_options *s) {
  toi_surface_options *o = &s->toi;
  o->norm = strcmp(s->norm, "linf") == 0 ? TOI_NORM_LINF : TOI_NORM_L2;
  o->inclusion = strcmp(s->inclusion, "aabb") == 0 ? TOI_INCLUSION_AABB : TOI_INCLUSION_OBB;
  o->accept = s->accept != NULL && strcmp(s->accept, "parameter") == 0 ? TOI_ACCEPT_PARAMETER : TOI_ACCEPT_WORLD;
  o->t_max = isnan(s->t_max) ? o->t_max : s->t_max;
  o->simultaneity = isnan(s->simultaneity) ? o->simultaneity : s->simultaneity;
  o->spacing = isnan(s->spacing) ? o->spacing : s->spacing;
}

static bool known_method(const char *name) {
  for (size_t i = 0; toi_surface_method_name(i) != NULL; i++)
    if (strcmp(name, toi_surface_method_name(i)) == 0)
      return true;
  return false;
}

/* Three finite numbers with commas between. */
static bool read_vector(const char *text, double vector[3]) {
  for (int k = 0; k < 3; k++) {
    char *end;
    vector[k] = strtod(text, &end);
    if (end == text || *end != (k < 2 ? ',' : '\0') || !isfinite(vector[k]))
      return false;
    text = end + 1;
  }
  return true;
}

static bool read_motions(surface_options *s) {
  for (int i = 0; i < 2; i++) {
    surface_motion *m = &s->motion[i];
    const struct {
      const char *name, *text;
      double *vector;
    } vectors[] = {{"velocity", s->velocity[i], m->velocity},
                   {"shift", s->shift[i], m->shift},
                   {"spin", s->spin[i], m->spin},
                   {"centre", s->centre[i], m->centre}};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
      if (vectors[k].text != NULL && !read_vector(vectors[k].text, vectors[k].vector)) {
        cli_fail("--%s-%c %s: must be three numbers separated by commas, such as 0,0,-1.5", vectors[k].name, "ab"[i],
                 vectors[k].text);
        return false;
      }
    }
  }
  return true;
}

/* --- what belongs together --- */

static surface_mode find_mode(const surface_options *s) {
  if (s->demo != NULL)
    return SURFACE_DEMO;
  if (s->convergence)
    return SURFACE_CONVERGENCE;
  if (s->path_count == 1 && (path_ends(s->paths[0], ".jsonl") || path_ends(s->paths[0], ".jsonl.gz")))
    return SURFACE_CASES;
  return s->path_count == 1 && !s->self ? SURFACE_SCENE : SURFACE_MODELS;
}

static bool any_motion(const surface_options *s) {
  for (int i = 0; i < 2; i++)
    if (s->velocity[i] != NULL || s->shift[i] != NULL || s->spin[i] != NULL || s->centre[i] != NULL)
      return true;
  return false;
}

static const char *path_fault(const surface_options *s) {
  if (s->mode == SURFACE_DEMO)
    return s->path_count > 0 ? "--demo makes its own scene; leave the files out" : NULL;
  if (s->path_count == 0)
    return "toi surface needs a file; see toi surface --help";
  if (s->mode == SURFACE_CONVERGENCE)
    return s->path_count > 1 ? "--convergence takes one file of cases; leave the others out" : NULL;
  if (s->self && s->path_count > 1)
    return "--self takes one model; leave the other out";
  return s->path_count > 2 ? "toi surface takes at most two models; leave the others out" : NULL;
}

static bool motion_spins(const surface_motion *motion) {
  const double *spin = motion->spin;
  return spin[0] != 0 || spin[1] != 0 || spin[2] != 0;
}

/* Options of another question would go unheard. */
static const char *stray_fault(const surface_options *s) {
  const bool models = s->mode == SURFACE_MODELS || s->mode == SURFACE_SCENE;
  if (any_motion(s) && (s->mode != SURFACE_MODELS || s->self))
    return "--velocity, --shift, --spin and --centre are for two models; leave them out";
  if (!models && (s->self || s->contacts))
    return "--self and --contacts are for models; leave them out";
  if (!s->contacts && (!isnan(s->simultaneity) || !isnan(s->spacing)))
    return "--simultaneity and --spacing need --contacts; give it, or leave them out";
  if (s->contacts && (motion_spins(&s->motion[0]) || motion_spins(&s->motion[1])))
    return "--contacts is for models that do not turn; leave out --contacts or --spin";
  if (s->mode == SURFACE_CONVERGENCE && s->accept != NULL)
    return "--convergence uses both values of --accept; leave --accept out";
  if (s->mode != SURFACE_CASES && s->method != NULL && strcmp(s->method, "all") == 0)
    return "--method all is for a file of cases; name one method";
  if (s->out != NULL && (s->mode == SURFACE_DEMO || s->mode == SURFACE_CONVERGENCE))
    return "--out takes the answers of cases or models; leave it out";
  if (s->view != NULL && (s->mode == SURFACE_DEMO || s->mode == SURFACE_CONVERGENCE))
    return "--view shows the answers of cases or models; leave it out";
  if (s->view != NULL && s->method != NULL && strcmp(s->method, "all") == 0)
    return "--view shows the answers of one method; name it with --method";
  return s->out != NULL && s->method != NULL && strcmp(s->method, "all") == 0
             ? "--out takes the answers of one method; name it with --method"
             : NULL;
}

parse_result surface_options_parse(int argc, char **argv, surface_options *s) {
  *s = (surface_options){.toi = toi_default_surface_options(),
                         .norm = "l2",
                         .inclusion = "obb",
                         .t_max = (double)NAN,
                         .simultaneity = (double)NAN,
                         .spacing = (double)NAN,
                         .samples = DEFAULT_SAMPLES};
  parse_result parsed = parse(argc, argv, s);
  if (parsed != PARSE_FINE)
    return parsed;
  s->mode = find_mode(s);
  const char *sentence = value_fault(s);
  if (sentence == NULL && !read_motions(s))
    return PARSE_FAILED;
  sentence = sentence != NULL ? sentence : path_fault(s);
  sentence = sentence != NULL ? sentence : stray_fault(s);
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return PARSE_FAILED;
  }
  if (s->method != NULL && strcmp(s->method, "all") != 0 && !known_method(s->method)) {
    cli_fail("--method %s: unknown method for surfaces; toi methods lists them", s->method);
    return PARSE_FAILED;
  }
  settle(s);
  return PARSE_FINE;
}
