/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What was found out about a scene: a table for people, one JSON object, or contacts as CSV. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "contact.h"
#include "name.h"
#include "platform.h"
#include "session.h"
#include "surface.h"

#define LABEL 18
#define CONTACTS_SHOWN 20
#define ROW_BYTES 1024
#define BODY_BYTES 64
#define TITLE_BYTES 256

/* --- JSON --- */

static json_t *numbers_json(const double *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_number(values[i]));
  return list;
}

static json_t *interval_json(double lo, double hi) {
  json_t *object = json_object();
  json_object_set_new(object, "lo", json_number(lo));
  json_object_set_new(object, "hi", json_number(hi));
  return object;
}

json_t *contact_bracket_json(const toi_contact_answer *found) {
  return found->verdict == TOI_MISS ? json_null() : interval_json(found->t_lo, found->t_hi);
}

/* u and v; null for an implicit surface. */
static json_t *parameters_json(const double parameters[2]) {
  return isnan(parameters[0]) ? json_null() : numbers_json(parameters, 2);
}

/* The number of a patch; null for a body that is not made of patches. */
static json_t *patch_json(const contact_scene *scene, uint32_t body, uint32_t patch) {
  const bool made = scene->file.patches != NULL && scene->file.patches[body].model != NULL;
  return json_count(patch, made);
}

static json_t *point_json(const contact_scene *scene, const toi_contact_point *c) {
  json_t *object = json_object();
  json_object_set_new(object, "a", json_text(scene->names[c->a]));
  json_object_set_new(object, "b", json_text(scene->names[c->b]));
  json_object_set_new(object, "point", numbers_json(c->point, 3));
  json_object_set_new(object, "normal_a", numbers_json(c->normal_a, 3));
  json_object_set_new(object, "normal_b", numbers_json(c->normal_b, 3));
  json_object_set_new(object, "certificate", json_text(toi_contact_certificate_name(c->certificate)));
  json_object_set_new(object, "t", interval_json(c->t_lo, c->t_hi));
  json_object_set_new(object, "proved", json_boolean(c->proved));
  json_object_set_new(object, "error", json_number(c->error));
  json_object_set_new(object, "parameters_a", parameters_json(c->parameters_a));
  json_object_set_new(object, "parameters_b", parameters_json(c->parameters_b));
  json_object_set_new(object, "patch_a", patch_json(scene, c->a, c->patch_a));
  json_object_set_new(object, "patch_b", patch_json(scene, c->b, c->patch_b));
  return object;
}

static json_t *points_json(const contact_scene *scene, const contact_answer *answer) {
  json_t *list = json_array();
  for (size_t i = 0; i < answer->count; i++)
    json_array_append_new(list, point_json(scene, &answer->contacts[i]));
  return list;
}

json_t *contact_json(const contact_scene *scene, const contact_answer *answer) {
  const toi_contact_answer *found = &answer->found;
  json_t *object = json_object();
  json_object_set_new(object, "verdict", json_text(toi_verdict_name(found->verdict)));
  json_object_set_new(object, "toi", contact_bracket_json(found));
  json_object_set_new(object, "contacts", points_json(scene, answer));
  json_object_set_new(object, "boxes", json_count(found->boxes, true));
  json_object_set_new(object, "ms", json_number(answer->ms));
  json_object_set_new(object, "end", json_text(toi_contact_end_name(found->end)));
  json_object_set_new(object, "t_safe", json_number(found->t_safe));
  json_object_set_new(object, "touching_at_start", json_boolean(found->touching_at_start));
  json_object_set_new(object, "inside_at_start", json_text(toi_inside_name(found->inside_at_start)));
  json_object_set_new(object, "tolerance_reached", json_number(found->tolerance_reached));
  if (answer->tracks != NULL)
    json_object_set_new(object, "tracked", contact_tracks_json(scene, answer));
  json_object_set_new(object, "bodies", json_count(scene->count, true));
  json_object_set_new(object, "pairs", json_count(found->pairs, true));
  json_object_set_new(object, "culled", json_count(found->culled, true));
  json_object_set_new(object, "t_max", json_number(scene->asked.t_max));
  json_object_set_new(object, "tolerance", json_number(scene->asked.tolerance));
  json_object_set_new(object, "simultaneity", json_number(scene->asked.simultaneity));
  json_object_set_new(object, "spacing", json_number(scene->asked.spacing));
  json_object_set_new(object, "load_ms", json_number(scene->load_ms));
  json_object_set_new(object, "peak_bytes", json_count(platform_peak_bytes(), true));
  return object;
}

/* --- the table --- */

static void print_time(const toi_contact_answer *found, bool tracked) {
  if (found->verdict == TOI_HIT) {
    printf("%-*s %.17g <= t <= %.17g%s\n", LABEL, "time of impact", found->t_lo, found->t_hi,
           found->touching_at_start ? ": touching at the start" : "");
  } else if (found->verdict == TOI_NEAR) {
    printf("%-*s not before t = %.17g; ", LABEL, "time of impact", found->t_lo);
    if (isfinite(found->tolerance_reached))
      printf("within %.3g of each other by t = %.17g\n", found->tolerance_reached, found->t_hi);
    else if (found->t_lo < found->t_hi)
      printf("not known from there to t = %.17g\n", found->t_hi);
    else
      printf("not known there\n");
  }
  printf("%-*s up to t = %.17g\n", LABEL, "safe", found->t_safe);
  if (found->inside_at_start != TOI_INSIDE_NO && !tracked)
    printf("%-*s %s\n", LABEL, "inside at start",
           found->inside_at_start == TOI_INSIDE_YES ? "yes: a part of a body lies in another one" : "unknown");
}

/* What to do about a search that did not come to its end. */
static void print_end(toi_contact_end end) {
  static const char *const advice[] = {
      [TOI_CONTACT_DONE] = NULL,
      [TOI_CONTACT_BOXES] = "the limit of boxes was reached; raise --max-boxes",
      [TOI_CONTACT_SECONDS] = "the time limit was reached; raise --max-seconds",
      [TOI_CONTACT_MEMORY] = "the memory limit was reached; raise --memory",
  };
  if ((size_t)end < sizeof advice / sizeof advice[0] && advice[end] != NULL)
    printf("%-*s %s\n", LABEL, "ended early", advice[end]);
}

/* Its name, and of a model the number of the patch. */
static void write_body(const contact_scene *scene, uint32_t body, uint32_t patch, char text[BODY_BYTES]) {
  name_write(scene->names[body], text, BODY_BYTES);
  const size_t length = strlen(text);
  if (scene->file.patches != NULL && scene->file.patches[body].model != NULL)
    snprintf(text + length, BODY_BYTES - length, " (patch %u)", patch);
}

static void print_contacts(const contact_scene *scene, const contact_answer *answer) {
  size_t unique = 0;
  for (size_t i = 0; i < answer->count; i++)
    unique += answer->contacts[i].certificate == TOI_CONTACT_UNIQUE;
  printf("%-*s %zu, %zu of them unique\n", LABEL, "contacts", answer->count, unique);
  for (size_t i = 0; i < answer->count && i < CONTACTS_SHOWN; i++) {
    const toi_contact_point *c = &answer->contacts[i];
    char a[BODY_BYTES], b[BODY_BYTES];
    write_body(scene, c->a, c->patch_a, a);
    write_body(scene, c->b, c->patch_b, b);
    printf("%s%5zu  %s, %s: %s%s by t = %.17g\n", i == 0 ? "\n" : "", i, a, b,
           toi_contact_certificate_name(c->certificate), c->proved ? "" : ", not proved,", c->t_hi);
    printf("%5s  at (%.10g, %.10g, %.10g), within %.2g; normal (%.6g, %.6g, %.6g)\n", "", c->point[0], c->point[1],
           c->point[2], c->error, c->normal_a[0], c->normal_a[1], c->normal_a[2]);
  }
  if (answer->count > CONTACTS_SHOWN)
    printf("   and %zu more: --json or --out lists them all\n", answer->count - CONTACTS_SHOWN);
}

void contact_print_table(const contact_scene *scene, const contact_answer *answer) {
  const toi_contact_answer *found = &answer->found;
  const toi_contact_options *o = &scene->asked;
  char title[TITLE_BYTES];
  name_write(scene->file.title != NULL ? scene->file.title : "", title, sizeof title);
  printf("%s%s", title, title[0] != '\0' ? "\n" : "");
  name_print(scene->name);
  printf(": %zu bod%s; times from 0 to %g; tolerance %g, simultaneity %g, spacing %g\n", scene->count,
         scene->count == 1 ? "y with itself" : "ies", o->t_max, o->tolerance, o->simultaneity, o->spacing);
  if (scene->min_separation > 0)
    printf("separation: %.17g\n", scene->min_separation);
  printf("\n%-*s %s\n", LABEL, "verdict", toi_verdict_name(found->verdict));
  print_time(found, answer->tracks != NULL);
  print_end(found->end);
  if (scene->count == 1)
    printf("%-*s %s\n", LABEL, "skipped", SURFACE_NOT_EXAMINED);
  if (found->verdict != TOI_MISS)
    print_contacts(scene, answer);
  if (answer->tracks != NULL)
    contact_print_tracks(scene, answer);
  printf(
      "\n%llu boxes processed; %llu pair%s of bodies, %llu of them decided by boxes and spheres alone; load %.1f ms, "
      "answer %.3f ms\n",
      (unsigned long long)found->boxes, (unsigned long long)found->pairs, found->pairs == 1 ? "" : "s",
      (unsigned long long)found->culled, scene->load_ms, answer->ms);
}

/* --- CSV --- */

/* In quotes if it holds what has a meaning there, its own quotes doubled; and a comma. */
static toi_status write_name(const char *name, output *out) {
  const size_t length = strlen(name);
  if (strcspn(name, ",\"\r\n") == length) {
    const toi_status status = output_append(out, name, length);
    return status == TOI_OK ? output_append(out, ",", 1) : status;
  }
  toi_status status = output_append(out, "\"", 1);
  for (const char *c = name; status == TOI_OK && *c != '\0'; c++)
    status = *c == '"' ? output_append(out, "\"\"", 2) : output_append(out, c, 1);
  return status == TOI_OK ? output_append(out, "\",", 2) : status;
}

static size_t append_numbers(char row[ROW_BYTES], size_t length, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char text[REAL_BYTES];
    real_text(text, false, values[i]);
    length += (size_t)snprintf(row + length, ROW_BYTES - length, ",%s", text);
  }
  return length;
}

static toi_status write_names(const contact_scene *scene, const toi_contact_point *c, size_t index, output *out) {
  char text[REAL_BYTES];
  const int length = snprintf(text, sizeof text, "%zu,", index);
  toi_status status = output_append(out, text, (size_t)length);
  if (status == TOI_OK)
    status = write_name(scene->names[c->a], out);
  return status == TOI_OK ? write_name(scene->names[c->b], out) : status;
}

static toi_status write_rest(const toi_contact_point *c, output *out) {
  char t_lo[REAL_BYTES], t_hi[REAL_BYTES], row[ROW_BYTES];
  real_text(t_lo, true, c->t_lo);
  real_text(t_hi, true, c->t_hi);
  size_t length = (size_t)snprintf(row, sizeof row, "%s,%d,%s,%s", toi_contact_certificate_name(c->certificate),
                                   c->proved, t_lo, t_hi);
  length = append_numbers(row, length, c->point, 3);
  length = append_numbers(row, length, &c->error, 1);
  length = append_numbers(row, length, c->normal_a, 3);
  length = append_numbers(row, length, c->normal_b, 3);
  length = append_numbers(row, length, c->parameters_a, 2);
  length = append_numbers(row, length, c->parameters_b, 2);
  row[length++] = '\n';
  return output_append(out, row, length);
}

toi_status contact_write(const contact_scene *scene, const contact_answer *answer, output *out) {
  static const char header[] = "index,a,b,certificate,proved,t_lo,t_hi,x,y,z,error,normal_a_x,normal_a_y,normal_a_z,"
                               "normal_b_x,normal_b_y,normal_b_z,u_a,v_a,u_b,v_b\n";
  toi_status status = output_append_text(out, header);
  for (size_t i = 0; status == TOI_OK && i < answer->count; i++) {
    status = write_names(scene, &answer->contacts[i], i, out);
    if (status == TOI_OK)
      status = write_rest(&answer->contacts[i], out);
  }
  return status;
}
