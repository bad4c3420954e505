/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON files as trees: every value with its name, its line and its place, in the order of the file; strings of any
 * length; what is no JSON is refused as the reader below it does. */

#include "io/tree.h"
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_tree(toi_context *context, const char *text, toi_tree *tree) {
  if (toi_tree_read(tree, context, test_write_text("tree.json", text)) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* The sentence of a failure, behind the name of the file. */
static void expect_sentence(toi_context *context, toi_status status, const char *path, const char *wanted) {
  assert_int_equal(status, TOI_ERROR_FORMAT);
  assert_true(strncmp(toi_context_error(context), path, strlen(path)) == 0);
  assert_string_equal(toi_context_error(context) + strlen(path), wanted);
}

static void values_are_kept_in_their_order(void **state) {
  toi_tree tree;
  read_tree(*state, "{\"a\": [1, -2.5e1,\n true], \"b\": {\"d\": null, \"c\": \"\\u00e9\\\"\"},\n\"\": false}", &tree);
  const toi_json_node *a = tree.root->first, *b = a->next, *c = b->next;
  assert_true(tree.root->kind == TOI_JSON_OBJECT && tree.root->count == 3 && tree.root->parent == NULL);
  assert_true(a->kind == TOI_JSON_LIST && a->count == 3 && a->line == 1 && a->index == 0 && a->parent == tree.root);
  assert_true(a->first->number == 1 && a->first->next->number == -25 && a->first->name == NULL);
  const toi_json_node *truth = a->first->next->next;
  assert_true(truth->kind == TOI_JSON_BOOL && truth->truth && truth->line == 2 && truth->index == 2);
  assert_null(truth->next);
  assert_true(b->kind == TOI_JSON_OBJECT && b->first->kind == TOI_JSON_NULL && b->line == 2 && b->index == 1);
  assert_string_equal(b->first->name, "d");
  assert_string_equal(b->first->next->name, "c");
  assert_string_equal(b->first->next->text, "\xc3\xa9\"");
  assert_string_equal(c->name, "");
  assert_true(c->kind == TOI_JSON_BOOL && !c->truth && c->line == 3 && c->next == NULL);
  toi_tree_free(&tree);
  assert_true(tree.root == NULL && tree.chunks == NULL);
  static const char *const scalars[] = {"7", "\"x\"", "null", "true", "[]", "{}"};
  for (size_t i = 0; i < 6; i++) {
    read_tree(*state, scalars[i], &tree);
    assert_null(tree.root->first);
    toi_tree_free(&tree);
  }
}

static void strings_and_lists_may_be_long(void **state) {
  const size_t length = 3000000;
  char *text = malloc(2 * length + 100);
  assert_non_null(text);
  char *end = text + sprintf(text, "[\"");
  memset(end, 'x', length);
  end += length;
  end += sprintf(end, "\",\"short\"");
  for (size_t i = 0; i < 100000; i++)
    end += sprintf(end, ",%zu", i);
  strcpy(end, "]");
  toi_tree tree;
  read_tree(*state, text, &tree);
  assert_int_equal(strlen(tree.root->first->text), length);
  assert_string_equal(tree.root->first->next->text, "short");
  assert_int_equal(tree.root->count, 100002);
  const toi_json_node *node = tree.root->first->next->next;
  for (size_t i = 0; i < 100000; i++, node = node->next)
    assert_true(node->number == (double)i && node->index == i + 2);
  toi_tree_free(&tree);
  free(text);
}

static void what_is_no_json_is_refused(void **state) {
  static const struct {
    const char *text, *wanted;
  } refused[] = {
      {"", ":1:1: the file ends where a value belongs; restore it"},
      {"{\"a\":}", ":1:6: a: \"}\" where a value belongs"},
      {"{\"a\":[1,]}", ":1:9: a[1]: \"]\" where a value belongs"},
      {"{\"a\":[1,\n+1]}", ":2:1: a[1]: \"+1\" where a value belongs"},
      {"{\"a\":01}", ":1:6: a: \"01\" where a number belongs"},
      {"{\"a\":nul}", ":1:6: a: \"nul\" where a value belongs"},
      {"{\"a\":tru}", ":1:6: a: \"tru\" where true or false belongs"},
      {"{\"a\":NaN}", ":1:6: a: \"NaN\" where a value belongs"},
      {"{\"a\":-Infinity}", ":1:6: a: \"-Infinity\" where a number belongs"},
      {"{\"a\":1e999}", ":1:6: a: 1e999 is beyond the largest double; numbers must be finite"},
      {"{\"a\" 1}", ":1:6: \"1\" where a colon belongs"},
      {"{a:1}", ":1:2: \"a\" where the name of a field, in quotes, belongs"},
      {"{\"a\":1 \"b\":2}", ":1:8: a string where a comma or } belongs"},
      {"{\"b\":{\"a\":1,\n\"a\":2}}", ":2:5: b.a: a duplicate of the field in line 1; remove one of them"},
      {"{\"b\":\"x", ":1:8: b: the file ends inside a string; restore it"},
      {"[[1]", ":1:5: [0]: the file ends where a comma or ] belongs; restore it"},
      {"{\"a\\tb\":x}", ":1:9: a?b: \"x\" where a value belongs"},
      {"1 2", ":1:3: \"2\" where the end of the file belongs"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    const char *path = test_write_text("bad.json", refused[i].text);
    toi_tree tree;
    expect_sentence(*state, toi_tree_read(&tree, *state, path), path, refused[i].wanted);
    assert_true(tree.root == NULL && tree.chunks == NULL);
  }
}

static void depth_and_number_of_fields_are_limited(void **state) {
  char text[1 << 15] = "";
  for (int i = 0; i < TOI_JSON_DEPTH; i++)
    strcat(text, "[");
  for (int i = 0; i < TOI_JSON_DEPTH; i++)
    strcat(text, "]");
  toi_tree tree;
  read_tree(*state, text, &tree);
  const toi_json_node *deepest = tree.root;
  while (deepest->first != NULL)
    deepest = deepest->first;
  // The longest way that a sentence can name.
  assert_int_equal(toi_tree_fail(&tree, deepest, "here"), TOI_ERROR_FORMAT);
  assert_non_null(strstr(toi_context_error(*state), ":1:32: [0][0]"));
  toi_tree_free(&tree);
  for (int more = 0; more < 2; more++) {
    char *end = text + sprintf(text, "{");
    for (int i = 0; i < TOI_TREE_FIELDS + more; i++)
      end += sprintf(end, "%s\"n%d\":%d", i == 0 ? "" : ",", i, i);
    strcpy(end, "}");
    const char *path = test_write_text("fields.json", text);
    const toi_status status = toi_tree_read(&tree, *state, path);
    if (more == 0) {
      assert_int_equal(status, TOI_OK);
      toi_tree_free(&tree);
    } else {
      expect_sentence(*state, status, path, ":1:10790: n1000: more fields than the 1000 that an object may have");
    }
  }
}

/* Forms: each field where it belongs, in any order, and what is missing or too much. */
static void objects_have_the_fields_of_their_form(void **state) {
  static const toi_tree_field fields[] = {{"x", true}, {"y", false}, {"z", true}};
  static const toi_tree_form form = {"a place", fields, 3};
  const toi_json_node *values[3];
  toi_tree tree;
  read_tree(*state, "{\"z\":3,\"x\":1}", &tree);
  assert_int_equal(toi_tree_object(&tree, tree.root, &form, values), TOI_OK);
  assert_true(values[0]->number == 1 && values[1] == NULL && values[2]->number == 3);
  size_t number;
  expect_sentence(*state, toi_tree_single(&tree, tree.root, &form, &number), tree.path,
                  ":1:1: a place has one field, not 2: x, y or z");
  expect_sentence(*state, toi_tree_object(&tree, tree.root->first, &form, values), tree.path,
                  ":1:6: z: a number where a place belongs");
  expect_sentence(*state, toi_tree_list(&tree, tree.root, 2, "a pair"), tree.path,
                  ":1:1: an object where a pair belongs");
  toi_tree_free(&tree);
  read_tree(*state, "{\"y\":[1]}", &tree);
  expect_sentence(*state, toi_tree_object(&tree, tree.root, &form, values), tree.path,
                  ":1:1: a place needs the field \"x\"; add it");
  assert_int_equal(toi_tree_single(&tree, tree.root, &form, &number), TOI_OK);
  assert_int_equal(number, 1);
  expect_sentence(*state, toi_tree_list(&tree, tree.root->first, 2, "a pair"), tree.path,
                  ":1:6: y: a list of 1 where a pair belongs");
  toi_tree_free(&tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_kept_in_their_order),
      cmocka_unit_test(strings_and_lists_may_be_long),
      cmocka_unit_test(what_is_no_json_is_refused),
      cmocka_unit_test(depth_and_number_of_fields_are_limited),
      cmocka_unit_test(objects_have_the_fields_of_their_form),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
