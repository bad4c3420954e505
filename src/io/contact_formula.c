/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas of a scene, and the names that they use.
 *
 * Promise: a name means the same wherever it stands, and the order of names does not matter: a text's names are made
 * known to the formula before the text is, theirs before them. A number that a formula stands for is enclosed, and
 * rounded only where a double is asked for. */

#include "io/contact_scene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"

enum { UNKNOWN, BUSY, KNOWN };

/* --- names --- */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t name_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || (length > 0 && is_digit(text[length])))
    length++;
  return length;
}

/* Behind a number such as 1.5e-3, whose e is no name. */
static const char *skip_number(const char *text) {
  while (is_digit(*text) || *text == '.')
    text++;
  if (*text != 'e' && *text != 'E')
    return text;
  const char *digits = text + 1 + (text[1] == '+' || text[1] == '-');
  if (!is_digit(*digits))
    return text;
  while (is_digit(*digits))
    digits++;
  return digits;
}

/* The next name in a text, at or behind *from; its length, 0 at the end. */
static size_t next_name(const char **from) {
  const char *text = *from;
  while (*text != '\0' && !is_letter(*text))
    text = is_digit(*text) || *text == '.' ? skip_number(text) : text + 1;
  *from = text;
  return name_length(text);
}

/* What a name stands for, and its number; NULL: it is none of the scope's. */
static const toi_json_node *find_name(const toi_scope *scope, const char *name, size_t length, size_t *number) {
  *number = 0;
  for (size_t k = 0; k < 2; k++) {
    if (scope->lists[k] == NULL)
      continue;
    for (const toi_json_node *node = scope->lists[k]->first; node != NULL; node = node->next, ++*number)
      if (strncmp(node->name, name, length) == 0 && node->name[length] == '\0')
        return node;
  }
  return NULL;
}

/* All letters that are a variable somewhere. */
#define VARIABLES "uvtxyz"

static bool is_variable(const char *variables, const char *name, size_t length) {
  return length == 1 && strchr(variables, *name) != NULL;
}

/* What formulas have of their own: constants, and functions from FIRST_FUNCTION on. */
static const char *const built_in[] = {"pi",   "e",   "abs", "sqrt",  "sin", "cos", "tan",
                                       "atan", "exp", "log", "atan2", "pow", "min", "max"};
#define BUILT_IN_COUNT (sizeof built_in / sizeof built_in[0])
#define FIRST_FUNCTION 2

static bool is_built_in(const char *name, size_t length) {
  for (size_t i = 0; i < BUILT_IN_COUNT; i++)
    if (strncmp(name, built_in[i], length) == 0 && built_in[i][length] == '\0')
      return true;
  return false;
}

/* A name that nobody defined, at its column. */
static toi_status fail_unknown(const toi_scope *scope, const toi_json_node *user, const char *name, size_t length) {
  const size_t count = strlen(scope->variables), column = (size_t)(name - user->text) + 1;
  char shown[TOI_SHOWN_BYTES], known[128] = "";
  toi_word_show((toi_word){name, length}, shown);
  if (name[length + strspn(name + length, " \t\r\n")] == '(') {
    for (size_t i = FIRST_FUNCTION; i < BUILT_IN_COUNT; i++)
      toi_text_append(known, sizeof known, "%s%s", i == FIRST_FUNCTION ? "" : ", ", built_in[i]);
    return toi_tree_fail(scope->tree, user, "column %zu: unknown function '%s'; there are %s", column, shown, known);
  }
  toi_text_append(known, sizeof known, "%s",
                  count == 0   ? "it has no variables"
                  : count == 1 ? "the variable is "
                               : "the variables are ");
  for (size_t i = 0; i < count; i++)
    toi_text_append(known, sizeof known, "%s%c", i == 0 ? "" : ", ", scope->variables[i]);
  return toi_tree_fail(scope->tree, user, "column %zu: unknown name '%s'; %s", column, shown, known);
}

toi_status toi_scope_check(const toi_tree *tree, const toi_json_node *list, const toi_json_node *others) {
  if (list->kind != TOI_JSON_OBJECT)
    return toi_tree_misplaced(tree, list, "an object of names and their values");
  for (const toi_json_node *node = list->first; node != NULL; node = node->next) {
    const size_t length = name_length(node->name);
    if (length == 0 || node->name[length] != '\0')
      return toi_tree_fail(tree, node, "a name that formulas cannot use; take letters, digits and _, a letter first");
    if (is_variable(VARIABLES, node->name, length) || is_built_in(node->name, length))
      return toi_tree_fail(tree, node, "a predefined name of formulas; choose another one");
    for (const toi_json_node *other = others == NULL ? NULL : others->first; other != NULL; other = other->next)
      if (strcmp(node->name, other->name) == 0)
        return toi_tree_fail(tree, node, "a constant in line %zu has this name; choose another one", other->line);
  }
  return TOI_OK;
}

/* --- scopes --- */

static toi_status parse(toi_scope *scope, const toi_json_node *node, toi_term *term) {
  if (node->kind == TOI_JSON_NUMBER)
    *term = toi_formula_constant(scope->formula, node->number);
  else
    *term = toi_formula_parse(scope->formula, node->text);
  return *term == TOI_NO_TERM ? toi_tree_fail_made(scope->tree, node, toi_formula_status(scope->formula)) : TOI_OK;
}

static toi_status define(toi_scope *scope, const toi_json_node *node, size_t number);

/* Makes the names known that a value uses. Goes no deeper than there are names: each is busy once. */
static toi_status make_known(toi_scope *scope, const toi_json_node *user) {
  toi_status status = TOI_OK;
  size_t length, number;
  for (const char *text = user->text; status == TOI_OK && (length = next_name(&text)) > 0; text += length) {
    const toi_json_node *node = find_name(scope, text, length, &number);
    if (node == NULL && !is_variable(scope->variables, text, length) && !is_built_in(text, length))
      status = fail_unknown(scope, user, text, length);
    if (node == NULL || scope->states[number] == KNOWN)
      continue;
    if (scope->states[number] == UNKNOWN)
      status = define(scope, node, number);
    else if (node == user)
      status = toi_tree_fail(scope->tree, user, "it depends on itself; remove the cycle");
    else
      status =
          toi_tree_fail(scope->tree, user, "it depends on '%s', which depends on it; remove the cycle", node->name);
  }
  return status;
}

toi_status toi_scope_term(toi_scope *scope, const toi_json_node *node, toi_term *term) {
  *term = TOI_NO_TERM;
  if (node->kind != TOI_JSON_NUMBER && node->kind != TOI_JSON_STRING)
    return toi_tree_misplaced(scope->tree, node, "a number or a formula, in quotes,");
  const toi_status status = node->kind == TOI_JSON_STRING ? make_known(scope, node) : TOI_OK;
  return status == TOI_OK ? parse(scope, node, term) : status;
}

static toi_status define(toi_scope *scope, const toi_json_node *node, size_t number) {
  scope->states[number] = BUSY;
  toi_term term;
  const toi_status status = toi_scope_term(scope, node, &term);
  scope->states[number] = KNOWN;
  return status == TOI_OK ? toi_tree_fail_made(scope->tree, node, toi_formula_name(scope->formula, node->name, term))
                          : status;
}

/* What is named by "let" is right also where nobody uses it. */
static toi_status define_all(toi_scope *scope) {
  toi_status status = TOI_OK;
  size_t number = 0;
  for (const toi_json_node *node = scope->lists[0]->first; node != NULL && status == TOI_OK;
       node = node->next, number++)
    if (scope->states[number] == UNKNOWN)
      status = define(scope, node, number);
  return status;
}

toi_status toi_scope_open(toi_scope *scope, const toi_tree *tree, const toi_json_node *constants,
                          const toi_json_node *let, const char *variables) {
  *scope = (toi_scope){.tree = tree, .lists = {let, constants}, .variables = variables};
  toi_status status = let == NULL ? TOI_OK : toi_scope_check(tree, let, constants);
  if (status != TOI_OK)
    return status;
  for (size_t k = 0; k < 2; k++)
    scope->count += scope->lists[k] == NULL ? 0 : scope->lists[k]->count;
  scope->states = toi_allocate(tree->context, scope->count + 1);
  if (scope->states == NULL)
    return TOI_ERROR_MEMORY;
  memset(scope->states, UNKNOWN, scope->count + 1);
  // One letter each.
  char names[TOI_FORMULA_VARIABLES][2] = {{0}};
  const char *pointers[TOI_FORMULA_VARIABLES] = {NULL};
  const size_t count = strlen(variables);
  assert(count <= TOI_FORMULA_VARIABLES);
  for (size_t i = 0; i < count; i++) {
    names[i][0] = variables[i];
    pointers[i] = names[i];
  }
  status = toi_formula_create(tree->context, pointers, count, &scope->formula);
  return status == TOI_OK && let != NULL ? define_all(scope) : status;
}

void toi_scope_close(toi_scope *scope) {
  if (scope->tree == NULL)
    return;
  toi_formula_destroy(scope->formula);
  toi_free(scope->tree->context, scope->states, scope->count + 1);
  *scope = (toi_scope){0};
}

/* --- numbers --- */

toi_status toi_scene_enclosed(toi_scene_reader *r, const toi_json_node *node, toi_interval *value) {
  toi_scope *scope = &r->values;
  *value = (toi_interval){node->number, node->number};
  if (node->kind == TOI_JSON_NUMBER)
    return TOI_OK;
  toi_term term;
  toi_status status = toi_scope_term(scope, node, &term);
  if (status != TOI_OK)
    return status;
  const toi_interval none = {0, 0};
  bool defined = false;
  status = toi_formula_bounds(scope->formula, term, &none, 0, value, &defined);
  if (status != TOI_OK)
    return toi_tree_fail_made(&r->tree, node, status);
  if (!defined || !isfinite(value->lo) || !isfinite(value->hi))
    return toi_tree_fail(&r->tree, node, "its value is not known to be a finite number; correct it");
  return TOI_OK;
}

toi_status toi_scene_number(toi_scene_reader *r, const toi_json_node *node, double *value) {
  if (node == NULL)
    return TOI_OK;
  toi_interval enclosed;
  const toi_status status = toi_scene_enclosed(r, node, &enclosed);
  if (status == TOI_OK)
    *value = enclosed.lo + (enclosed.hi / 2 - enclosed.lo / 2);
  return status;
}

toi_status toi_scene_numbers(toi_scene_reader *r, const toi_json_node *node, size_t count, double *values) {
  char what[48] = "";
  toi_text_append(what, sizeof what, "a list of %zu numbers", count);
  toi_status status = toi_tree_list(&r->tree, node, count, what);
  if (status != TOI_OK)
    return status;
  for (const toi_json_node *child = node->first; child != NULL && status == TOI_OK; child = child->next)
    status = toi_scene_number(r, child, values++);
  return status;
}

toi_status toi_scene_range(toi_scene_reader *r, const toi_json_node *node, toi_interval *range) {
  toi_status status = toi_tree_list(&r->tree, node, 2, "[lo, hi], a list of 2 numbers,");
  toi_interval lo = {0, 0}, hi = {0, 0};
  if (status == TOI_OK)
    status = toi_scene_enclosed(r, node->first, &lo);
  if (status == TOI_OK)
    status = toi_scene_enclosed(r, node->first->next, &hi);
  if (status != TOI_OK)
    return status;
  if (!(lo.hi < hi.lo))
    return toi_tree_fail(&r->tree, node, "from %.17g to %.17g; the first must be less than the second", lo.lo, hi.hi);
  *range = (toi_interval){lo.lo, hi.hi};
  return TOI_OK;
}
