/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command line of `toi contact`: the table of its options, what their values must be, and how they override what
 * the scene says. */

#include "contact_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

static const char purpose[] =
    "When do moving surfaces first touch, and where? Takes a scene file: parametric and implicit surfaces, by name or "
    "by formula, Bezier and NURBS patches and models of them, rigid or deforming, and how they move. Finds all "
    "contacts "
    "at the first time of contact: points, curves and regions.";

static const char notes[] =
    "SCENE.json: {\"bodies\":[{\"name\":...,\"shape\":...,\"motion\":...},...],\"t_max\":1,...}; see "
    "docs/contact-format.md.\n"
    "Options override the scene file.\n\n"
    "hit: contact is proved. miss: it is proved that nothing touches. near: neither; nothing touches before its t_lo.\n"
    "unique: proved to be a contact, and the only one nearby. singular: a sample of a curve or region of contact, or "
    "a\n"
    "contact that only grazes; samples are at least --spacing apart.\n\n"
    "--compare prints the table of Snyder 1993, figure 10: the linear interval equation (LEQN), Krawczyk-Moore (KM), "
    "no\n"
    "interval Newton (NIN) and no tangency either (NIN, NTAN) at several tolerances; without a scene, for two bumpy\n"
    "spheres. Each row is limited to --max-seconds (default 60).\n";

static parse_result parse(int argc, char **argv, contact_options *c) {
  const cli_option options[] = {
      {"--t-max", OPTION_REAL, &c->t_max, "T", "considers the times from 0 to T (default 1)"},
      {"--tolerance", OPTION_REAL, &c->tolerance, "D",
       "size of pieces at which the search may stop without a proof, a distance (default 1e-6)"},
      {"--simultaneity", OPTION_REAL, &c->simultaneity, "T",
       "contacts up to this time after the first are reported (default 1e-6)"},
      {"--spacing", OPTION_REAL, &c->spacing, "D",
       "smallest distance between samples of curves and regions of contact (default 0.1)"},
      {"--incoming", OPTION_TEXT, &c->incoming, "auto|on|off",
       "contact from outside only: opposed normals, surfaces that approach each other; auto: for two solids (default "
       "auto)"},
      {"--order", OPTION_TEXT, &c->order, "lower|upper|race",
       "which box is processed next: the one whose time begins first, or ends first, or both in turn (default lower)"},
      {"--newton", OPTION_TEXT, &c->newton, "linear|krawczyk|none",
       "how boxes are shrunk: by the linear interval equation, by the operator of Krawczyk and Moore, or not at all "
       "(default linear)"},
      {"--without", OPTION_TEXT, &c->without, "NAME,...",
       "switches off tangency, mean-value, spheres, guesses, polish or clearance; the answer stays correct"},
      {"--max-boxes", OPTION_NUMBER, &c->max_boxes, "N", "largest number of boxes processed (default 2000000)"},
      {"--max-seconds", OPTION_REAL, &c->max_seconds, "S", "largest time of a search; 0: no limit (default)"},
      {"--threads", OPTION_NUMBER, &c->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--memory", OPTION_SIZE, &c->memory, "BYTES", MEMORY_HELP},
      {"--min-separation", OPTION_REAL, &c->min_separation, "D",
       "contact is distance <= D, of two bodies of patches (default: as the scene says, otherwise 0)"},
      {"--convert", OPTION_FLAG, &c->convert, NULL,
       "rewrites a scene of toi surface as one of toi contact, to --out or standard output"},
      {"--compare", OPTION_FLAG, &c->compare, NULL, "prints a comparison of the techniques"},
      {"--picture", OPTION_TEXT, &c->picture, "FILE.svg",
       "draws the scene at the first contact; -: to standard output, without the table"},
      PAGE_OPTIONS(&c->view, &c->viewer),
      {"--until", OPTION_REAL, &c->until, "T",
       "instead of the first contact: for each pair the intervals of time, from 0 to T, during which surfaces touch; "
       "--picture draws a timeline"},
      {"--inside", OPTION_TEXT, &c->inside, "X,Y,Z",
       "reports which solids contain this point at the start, instead of contacts"},
      {"--eye", OPTION_TEXT, &c->eye, "X,Y,Z", "direction from which the picture is seen (default 2,-3,1.6)"},
      {"--out", OPTION_TEXT, &c->out, "FILE",
       "writes the contacts as CSV index,a,b,certificate,proved,t_lo,t_hi,x,y,z,error, normals and parameters; -: to "
       "standard output, without the table"},
      {"--fail-on-hit", OPTION_FLAG, &c->fail_on_hit, NULL, "exits with 1 unless it is proved that nothing touches"},
      {"--json", OPTION_FLAG, &c->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"contact", "SCENE.json", purpose, options, notes};
  c->paths = argv;
  return options_parse(&command, argc, argv, &c->path_count);
}

/* --- words --- */

/* The number of a word among those with a | between; -1 if it is none of them. */
static int find_word(const char *word, const char *words) {
  const size_t length = strlen(word);
  for (int number = 0;; number++) {
    const size_t next = strcspn(words, "|");
    if (next == length && strncmp(word, words, length) == 0)
      return number;
    if (words[next] == '\0')
      return -1;
    words += next + 1;
  }
}

static const char incoming_words[] = "auto|off|on"; /* in the order of toi_incoming */
static const char order_words[] = "lower|upper|race";
static const char newton_words[] = "linear|krawczyk|none";
static const char technique_words[] = "tangency|mean-value|spheres|guesses|polish|clearance";

/* Switches the techniques of a list off; false if a name in it is none of theirs. asked may be NULL. */
static bool leave_out(const char *list, toi_contact_options *asked) {
  for (;;) {
    char word[16] = "";
    const size_t length = strcspn(list, ",");
    if (length < sizeof word)
      memcpy(word, list, length);
    const int number = find_word(word, technique_words);
    if (number < 0)
      return false;
    if (asked != NULL) {
      bool *const techniques[] = {&asked->tangency, &asked->mean_value, &asked->spheres,
                                  &asked->guesses,  &asked->polish,     &asked->clearance};
      *techniques[number] = false;
    }
    if (list[length] == '\0')
      return true;
    list += length + 1;
  }
}

/* --- values --- */

/* Three finite numbers with commas between. */
static bool read_triple(const char *text, double triple[3]) {
  for (int k = 0; k < 3; k++) {
    char *end;
    triple[k] = strtod(text, &end);
    if (end == text || *end != (k < 2 ? ',' : '\0') || !isfinite(triple[k]))
      return false;
    text = end + 1;
  }
  return true;
}

static bool read_eye(contact_options *c) {
  if (!read_triple(c->eye != NULL ? c->eye : "2,-3,1.6", c->from))
    return false;
  return hypot(c->from[0], c->from[1]) > 0 || c->from[2] != 0;
}

static bool given_and_not_positive(double value) {
  return !isnan(value) && (!(value > 0) || isinf(value));
}

static const char *value_fault(contact_options *c) {
  if (!isnan(c->t_max) && (!(c->t_max >= 0) || isinf(c->t_max)))
    return "--t-max must be finite and not negative";
  if (!isnan(c->until) && (!(c->until >= 0) || isinf(c->until)))
    return "--until must be finite and not negative";
  if (given_and_not_positive(c->tolerance))
    return "--tolerance must be positive and finite";
  if (given_and_not_positive(c->simultaneity))
    return "--simultaneity must be positive and finite";
  if (given_and_not_positive(c->spacing))
    return "--spacing must be positive and finite";
  if (!isnan(c->min_separation) && (!(c->min_separation >= 0) || isinf(c->min_separation)))
    return "--min-separation must be finite and not negative";
  if (!isnan(c->max_seconds) && (!(c->max_seconds >= 0) || isinf(c->max_seconds)))
    return "--max-seconds must be finite and not negative";
  if (c->incoming != NULL && find_word(c->incoming, incoming_words) < 0)
    return "--incoming must be auto, on or off";
  if (c->order != NULL && find_word(c->order, order_words) < 0)
    return "--order must be lower, upper or race";
  if (c->newton != NULL && find_word(c->newton, newton_words) < 0)
    return "--newton must be linear, krawczyk or none";
  if (c->without != NULL && !leave_out(c->without, NULL))
    return "--without takes tangency, mean-value, spheres, guesses, polish and clearance, separated by commas";
  if (c->inside != NULL && !read_triple(c->inside, c->point))
    return "--inside must be three numbers separated by commas, such as 0,0,1.5";
  return !read_eye(c) ? "--eye must be three numbers separated by commas, not all 0, such as 2,-3,1.6" : NULL;
}

static const char *usage_fault(const contact_options *c) {
  if (c->path_count > 1)
    return "toi contact takes one scene; leave the others out";
  if (c->convert && (c->compare || c->picture != NULL || c->view != NULL || c->fail_on_hit || c->json))
    return "--convert only rewrites a scene; leave --compare, --picture, --view, --fail-on-hit and --json "
           "out";
  if (c->path_count == 0 && c->convert)
    return "--convert needs a scene of toi surface; name its file";
  if (c->path_count == 0 && !c->compare)
    return "toi contact needs a scene; see toi contact --help";
  if (c->compare && (c->newton != NULL || c->without != NULL || !isnan(c->tolerance)))
    return "--compare sets --newton, --without and --tolerance itself, row by row; leave them out";
  if (c->compare && (c->out != NULL || c->picture != NULL || c->view != NULL || c->fail_on_hit))
    return "--out, --picture, --view and --fail-on-hit need a single answer; leave them out, or --compare";
  if (!isnan(c->until) && (c->compare || c->convert || c->inside != NULL || c->out != NULL || c->view != NULL ||
                           c->eye != NULL || !isnan(c->t_max) || c->incoming != NULL || !isnan(c->min_separation)))
    return "--until reports contact from either side; leave --t-max, --incoming, --min-separation, "
           "--inside, --out, --view, --eye, --compare and --convert out";
  if (!isnan(c->until) && c->path_count == 0)
    return "--until needs a scene; see toi contact --help";
  if (c->inside != NULL && (c->compare || c->convert || c->out != NULL || c->picture != NULL || c->view != NULL ||
                            c->fail_on_hit || c->path_count == 0))
    return "--inside only tests a point of a scene; leave the other outputs, --fail-on-hit, --compare and --convert "
           "out";
  if (c->eye != NULL && c->picture == NULL)
    return "--eye is the direction from which the picture is seen; give --picture too";
  return NULL;
}

parse_result contact_options_parse(int argc, char **argv, contact_options *c) {
  *c = (contact_options){.t_max = (double)NAN,
                         .tolerance = (double)NAN,
                         .simultaneity = (double)NAN,
                         .spacing = (double)NAN,
                         .max_seconds = (double)NAN,
                         .until = (double)NAN,
                         .min_separation = (double)NAN};
  parse_result parsed = parse(argc, argv, c);
  if (parsed != PARSE_FINE)
    return parsed;
  const char *sentence = value_fault(c);
  sentence = sentence != NULL ? sentence : usage_fault(c);
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return PARSE_FAILED;
  }
  return PARSE_FINE;
}

void contact_options_apply(const contact_options *c, toi_contact_options *asked) {
  asked->t_max = isnan(c->t_max) ? asked->t_max : c->t_max;
  asked->tolerance = isnan(c->tolerance) ? asked->tolerance : c->tolerance;
  asked->simultaneity = isnan(c->simultaneity) ? asked->simultaneity : c->simultaneity;
  asked->spacing = isnan(c->spacing) ? asked->spacing : c->spacing;
  asked->max_seconds = isnan(c->max_seconds) ? asked->max_seconds : c->max_seconds;
  asked->max_boxes = c->max_boxes == 0 ? asked->max_boxes : c->max_boxes;
  if (c->incoming != NULL)
    asked->incoming = (toi_incoming)find_word(c->incoming, incoming_words);
  if (c->order != NULL)
    asked->order = (toi_contact_order)find_word(c->order, order_words);
  if (c->newton != NULL)
    asked->newton = (toi_contact_newton)find_word(c->newton, newton_words);
  if (c->without != NULL)
    leave_out(c->without, asked);
}
