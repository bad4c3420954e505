/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The reader of JSON files: what RFC 8259 allows is read, everything else is refused with its line and its field. */

#include "io/json.h"
#include "support/files.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a form with everything in it --- */

typedef struct everything {
  double number, size, triple[3], sum;
  uint32_t whole;
  bool yes, null;
  char text[TOI_JSON_TEXT + 1];
  size_t choice, list_length, depth;
} everything;

static toi_status read_number(toi_json *json, void *user) {
  return toi_json_number(json, &((everything *)user)->number);
}

static toi_status read_size(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((everything *)user)->size);
}

static toi_status read_triple(toi_json *json, void *user) {
  return toi_json_numbers(json, ((everything *)user)->triple, 3);
}

static toi_status read_whole(toi_json *json, void *user) {
  return toi_json_integer(json, 1, 9, &((everything *)user)->whole);
}

static toi_status read_yes(toi_json *json, void *user) {
  return toi_json_bool(json, &((everything *)user)->yes);
}

static toi_status read_text(toi_json *json, void *user) {
  const toi_status status = toi_json_string(json);
  if (status == TOI_OK)
    memcpy(((everything *)user)->text, json->text, sizeof json->text);
  return status;
}

static toi_status read_choice(toi_json *json, void *user) {
  static const char *const names[] = {"left", "right", "middle"};
  return toi_json_choice(json, names, 3, &((everything *)user)->choice);
}

static toi_status read_list(toi_json *json, void *user) {
  everything *e = user;
  toi_status status = toi_json_null(json, &e->null);
  if (status != TOI_OK || e->null)
    return status;
  status = toi_json_list(json, "a list of numbers");
  while (toi_json_more(json, &status)) {
    double value = 0;
    status = toi_json_number(json, &value);
    e->sum += value;
    e->list_length++;
  }
  return status;
}

/* Lists of lists of lists, as deep as they are. */
static toi_status read_deep(toi_json *json, void *user) {
  everything *e = user;
  e->depth = json->depth > e->depth ? json->depth : e->depth;
  toi_status status = toi_json_list(json, "a list");
  while (toi_json_more(json, &status))
    status = read_deep(json, user);
  return status;
}

static toi_status read_inner(toi_json *json, void *user);

static const toi_json_field fields[] = {
    {"number", read_number, false, NULL}, {"size", read_size, false, NULL},
    {"triple", read_triple, false, NULL}, {"whole", read_whole, false, NULL},
    {"yes", read_yes, false, NULL},       {"text", read_text, false, NULL},
    {"choice", read_choice, false, NULL}, {"list", read_list, false, NULL},
    {"deep", read_deep, false, NULL},     {"remark", toi_json_remark, false, NULL},
    {"inner", read_inner, false, NULL},   {"colour", NULL, false, "there are no colours; remove it"},
};
static const toi_json_form form = {"a thing", fields, sizeof fields / sizeof fields[0]};

/* A list of things that need a number. */
static toi_status read_inner(toi_json *json, void *user) {
  static const toi_json_field needed[] = {
      {"list", read_list, false, NULL}, {"number", read_number, true, NULL}, {"triple", read_triple, false, NULL}};
  static const toi_json_form inner = {"an inner thing", needed, 3};
  size_t lines[3];
  toi_status status = toi_json_list(json, "a list of inner things");
  while (toi_json_more(json, &status)) {
    status = toi_json_object(json, &inner, user, lines);
    const everything *e = user;
    if (status == TOI_OK && lines[0] != 0 && e->number < 0)
      return toi_json_fail_field(json, "list", lines[0], "lists are not for the negative");
  }
  return status;
}

static toi_status read_thing(toi_context *context, const char *path, everything *e) {
  *e = (everything){0};
  toi_json json;
  toi_status status = toi_json_open(&json, context, path, false);
  if (status != TOI_OK)
    return status;
  status = toi_json_object(&json, &form, e, NULL);
  if (status == TOI_OK)
    status = toi_json_end(&json);
  toi_json_close(&json);
  return status;
}

static void read_fine(toi_context *context, const char *text, everything *e) {
  if (read_thing(context, test_write_text("fine.json", text), e) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* --- what is allowed --- */

static void all_values_are_read(void **state) {
  everything e;
  read_fine(*state,
            "\xef\xbb\xbf \r\n\t{ \"number\" :-1.5e+2,\"size\":0.25 ,\"triple\":[ 1 ,-0,\r\n3E0 ],\"whole\":9,\n"
            "\"yes\":true, \"choice\":\"middle\", \"list\":[], \"remark\":\"\\u0041\xc3\xa4\",\"inner\":[]}\r\n \n",
            &e);
  assert_true(e.number == -150 && e.size == 0.25 && e.triple[0] == 1 && e.triple[2] == 3);
  assert_true(e.triple[1] == 0 && signbit(e.triple[1]));
  assert_true(e.whole == 9 && e.yes && e.choice == 2 && e.list_length == 0);
  read_fine(*state, "{}", &e);
  read_fine(*state, "{\"list\":null,\"yes\":false}", &e);
  assert_true(e.null && !e.yes);
  read_fine(*state, "{\"list\":[1,2,3.5],\"inner\":[{\"number\":1},{\"list\":[2],\"number\":4}]}", &e);
  assert_true(e.sum == 8.5 && e.list_length == 4 && e.number == 4);
}

static void strings_are_utf8_with_escapes(void **state) {
  static const struct {
    const char *json, *wanted;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
      {"\\u0041\\u00e4\\u20AC\\uD83D\\ude00", "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
      {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f"},
      {"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[256];
    snprintf(text, sizeof text, "{\"text\":\"%s\"}", cases[i].json);
    everything e;
    read_fine(*state, text, &e);
    assert_string_equal(e.text, cases[i].wanted);
  }
}

static void strings_that_are_none_are_refused(void **state) {
  static const char *const bad[] = {"\\",
                                    "\\x",
                                    "\\u12",
                                    "\\u12g4",
                                    "\\ud800",
                                    "\\ud800x",
                                    "\\udc00",
                                    "\\u0000",
                                    "\\ud800\\u0041",
                                    "\xff",
                                    "\xc0\xaf",
                                    "\xe0\x80",
                                    "\xc3",
                                    "\xed\xa0\x80",
                                    "\xf0\x80\x80\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\x80",
                                    "\xe2\x82",
                                    "\x01"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[64];
    snprintf(text, sizeof text, "{\"%s\":\n\"%s\"}", i % 2 == 0 ? "text" : "remark", bad[i]);
    everything e;
    if (read_thing(*state, test_write_text("bad.json", text), &e) != TOI_ERROR_FORMAT)
      fail_msg("string %zu is read", i);
    assert_non_null(strstr(toi_context_error(*state), i % 2 == 0 ? "bad.json:2: text: " : "bad.json:2: remark: "));
  }
}

/* --- what is not --- */

#define DEEP_31 "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define FIELDS "number, size, triple, whole, yes, text, choice, list, deep, remark, inner"

static const struct {
  const char *text, *wanted;
} refused[] = {
    {"", ":1: the file ends where a thing belongs; restore it"},
    {" \n\n", ":3: the file ends where a thing belongs; restore it"},
    {"[]", ":1: a list where a thing belongs"},
    {"{} {}", ":1: an object where the end of the file belongs"},
    {"{}\n,", ":2: \",\" where the end of the file belongs"},
    {"{", ":1: the file ends where the name of a field, in quotes, belongs; restore it"},
    {"{\"number\"", ":1: number: the file ends where a colon belongs; restore it"},
    {"{\"number\" 1", ":1: number: \"1\" where a colon belongs"},
    {"{\"number\":", ":1: number: the file ends where a number belongs; restore it"},
    {"{\"number\":1", ":1: the file ends where a comma or } belongs; restore it"},
    {"{\"number\":1,", ":1: the file ends where the name of a field, in quotes, belongs; restore it"},
    {"{\"number\":1,}", ":1: \"}\" where the name of a field, in quotes, belongs"},
    {"{\"number\":1;}", ":1: number: \"1;\" where a number belongs"},
    {"{\"number\":1 \"size\":1}", ":1: a string where a comma or } belongs"},
    {"{number:1}", ":1: \"number\" where the name of a field, in quotes, belongs"},
    {"{\"numb", ":1: the file ends inside a string; restore it"},
    {"{\"numb\n\":1}", ":1: the line ends inside a string; end it with a quote, or write \\n"},
    {"{\"number\":1,\n\"number\":1}", ":2: number: a duplicate of the field in line 1; remove one of them"},
    {"{\"nubmer\":1}", ":1: unknown field 'nubmer' for a thing; its fields are " FIELDS},
    {"{\"inner\":[{\"number\":1},\n{\"size\":1}]}",
     ":2: inner[1]: unknown field 'size' for an inner thing; its fields are list, number, triple"},
    {"{\"colour\":1}", ":1: colour: there are no colours; remove it"},
    {"{\"inner\":[\n{\n}\n]}", ":2: inner[0]: an inner thing needs the field \"number\"; add it"},
    {"{\"inner\":[{\n\"list\":[],\n\"number\":-1\n}]}", ":2: inner[0].list: lists are not for the negative"},
    {"{\"inner\":[{\"number\":1,\"triple\":[0,\n{}]}]}", ":2: inner[0].triple[1]: an object where a number belongs"},
    {"{\"inner\":{}}", ":1: inner: an object where a list of inner things belongs"},
    {"{\"list\":[1,]}", ":1: list[1]: \"]\" where a number belongs"},
    {"{\"list\":[,1]}", ":1: list[0]: \",\" where a number belongs"},
    {"{\"list\":[1 2]}", ":1: list[0]: \"2\" where a comma or ] belongs"},
    {"{\"list\":[1}", ":1: list[0]: \"}\" where a comma or ] belongs"},
    {"{\"list\":[1", ":1: list[0]: the file ends where a comma or ] belongs; restore it"},
    {"{\"list\":[nan]}", ":1: list[0]: \"nan\" where a number belongs"},
    {"{\"list\":[-Infinity]}", ":1: list[0]: \"-Infinity\" where a number belongs"},
    {"{\"list\":[+1]}", ":1: list[0]: \"+1\" where a number belongs"},
    {"{\"list\":[01]}", ":1: list[0]: \"01\" where a number belongs"},
    {"{\"list\":[-]}", ":1: list[0]: \"-\" where a number belongs"},
    {"{\"list\":[.5]}", ":1: list[0]: \".5\" where a number belongs"},
    {"{\"list\":[5.]}", ":1: list[0]: \"5.\" where a number belongs"},
    {"{\"list\":[5.e1]}", ":1: list[0]: \"5.e1\" where a number belongs"},
    {"{\"list\":[1e]}", ":1: list[0]: \"1e\" where a number belongs"},
    {"{\"list\":[0x10]}", ":1: list[0]: \"0x10\" where a number belongs"},
    {"{\"list\":[1.5.5]}", ":1: list[0]: \"1.5.5\" where a number belongs"},
    {"{\"list\":[null]}", ":1: list[0]: \"null\" where a number belongs"},
    {"{\"list\":[1e999]}", ":1: list[0]: 1e999 is beyond the largest double; numbers must be finite"},
    {"{\"list\":[0,\n\n-1e309]}", ":3: list[1]: -1e309 is beyond the largest double; numbers must be finite"},
    {"{\"list\":nul}", ":1: list: \"nul\" where a list of numbers belongs"},
    {"{\"list\":nulll}", ":1: list: \"nulll\" where a list of numbers belongs"},
    {"{\"list\":[1\x0b]}", ":1: list[0]: \"1?\" where a number belongs"},
    {"{\"triple\":[1,2]}", ":1: triple: 2 numbers where 3 belong; add what is missing"},
    {"{\"triple\":[1,2,3,4]}", ":1: triple[3]: more values than the 3 that belong here; remove the rest"},
    {"{\"triple\":7}", ":1: triple: \"7\" where a list of 3 numbers belongs"},
    {"{\"size\":0}", ":1: size: must be greater than 0, not 0"},
    {"{\"whole\":0}", ":1: whole: must be a whole number from 1 to 9, not 0"},
    {"{\"whole\":2.5}", ":1: whole: must be a whole number from 1 to 9, not 2.5"},
    {"{\"yes\":True}", ":1: yes: \"True\" where true or false belongs"},
    {"{\"yes\":1}", ":1: yes: \"1\" where true or false belongs"},
    {"{\"text\":1}", ":1: text: \"1\" where a string belongs"},
    {"{\"choice\":\"Left\"}", ":1: choice: must be \"left\", \"right\" or \"middle\", not \"Left\""},
    {"{\"deep\":" DEEP_31 "[",
     ":1: deep[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
     "[0][0][0][0]: lists and objects are more than 32 deep here; none needs to be"},
    {"// no\n{}", ":1: \"//\" where a thing belongs"},
    {"\xff\xfe{", ":1: \"??\" where a thing belongs"},
};

static void texts_that_are_not_json_are_refused(void **state) {
  static const char *const names[] = {"bad.json", "bad.json.gz"};
  for (size_t i = 0; i < 2 * sizeof refused / sizeof refused[0]; i++) {
    const char *path = test_write_text(names[i % 2], refused[i / 2].text), *wanted = refused[i / 2].wanted;
    everything e;
    const uint64_t before = toi_context_bytes(*state);
    const toi_status status = read_thing(*state, path, &e);
    const char *error = toi_context_error(*state);
    if (status != TOI_ERROR_FORMAT)
      fail_msg("status %d, \"%s\" instead of: %s", (int)status, error, wanted);
    if (strncmp(error, path, strlen(path)) != 0 || strcmp(error + strlen(path), wanted) != 0)
      fail_msg("\"%s\"\n  instead of: %s", error, wanted);
    assert_int_equal(toi_context_bytes(*state), before);
  }
}

static void bytes_that_are_zero_are_refused(void **state) {
  static const char text[] = "{\"number\":1\0}";
  everything e;
  assert_int_equal(read_thing(*state, test_write_bytes("zero.json", text, sizeof text - 1), &e), TOI_ERROR_FORMAT);
  assert_non_null(strstr(toi_context_error(*state), ":1: \"?\" where a comma or } belongs"));
}

/* --- sizes --- */

static void nesting_goes_down_to_its_limit(void **state) {
  char text[256] = "{\"deep\":";
  strcat(text, DEEP_31);
  for (int i = 0; i < 31; i++)
    strcat(text, "]");
  strcat(text, "}");
  everything e;
  read_fine(*state, text, &e);
  assert_int_equal(e.depth, 31);
}

/* A text of a head, a byte many times, and a tail. */
static toi_status read_long(toi_context *context, const char *head, size_t times, const char *tail, everything *e) {
  const size_t before = strlen(head), behind = strlen(tail);
  char *text = malloc(before + times + behind);
  assert_non_null(text);
  memcpy(text, head, before);
  memset(text + before, '1', times);
  memcpy(text + before + times, tail, behind);
  const char *path = test_write_bytes("long.json", text, before + times + behind);
  free(text);
  return read_thing(context, path, e);
}

static void long_words_are_read_up_to_their_limits(void **state) {
  everything e;
  assert_int_equal(read_long(*state, "{\"number\":0.", TOI_WORD_BYTES - 2, "}", &e), TOI_OK);
  assert_true(e.number == 1.0 / 9);
  assert_int_equal(read_long(*state, "{\"number\":0.", TOI_WORD_BYTES - 1, "}", &e), TOI_ERROR_FORMAT);
  assert_int_equal(read_long(*state, "{\"number\":0.", TOI_FEED_BYTES * 2, "}", &e), TOI_ERROR_FORMAT);
  assert_int_equal(read_long(*state, "{\"text\":\"", TOI_JSON_TEXT, "\"}", &e), TOI_OK);
  assert_int_equal(strlen(e.text), TOI_JSON_TEXT);
  assert_int_equal(read_long(*state, "{\"text\":\"", TOI_JSON_TEXT + 1, "\"}", &e), TOI_ERROR_FORMAT);
  assert_non_null(strstr(toi_context_error(*state), "text: a string of more than 1024 bytes; shorten it"));
  assert_int_equal(read_long(*state, "{\"remark\":\"", TOI_FEED_BYTES * 3, "\"}", &e), TOI_OK);
}

/* Numbers, strings and names at every place of the buffer. */
static void words_are_found_across_the_ends_of_the_buffer(void **state) {
  uint64_t seed = test_seed(0x5eed0601);
  const size_t most = 4 * TOI_FEED_BYTES;
  char *text = malloc(most + 4096);
  assert_non_null(text);
  size_t size = (size_t)sprintf(text, "{\"inner\":["), count = 0, lines = 1;
  double last = 0;
  while (size < most) {
    last = (double)(int64_t)(test_random(&seed) >> (test_random(&seed) % 60)) / 8;
    for (uint64_t blanks = test_random(&seed) % 9; blanks > 0; blanks--) {
      text[size++] = blanks % 4 == 1 ? '\n' : ' ';
      lines += blanks % 4 == 1;
    }
    size += (size_t)sprintf(text + size, "%s{\"n\\u0075mber\":%.17g,\"triple\":[1e0,2,%.3f]}", count > 0 ? "," : "",
                            last, 3.0);
    count++;
  }
  size += (size_t)sprintf(text + size, "]}");
  everything e;
  const char *path = test_write_bytes("buffer.json", text, size);
  if (read_thing(*state, path, &e) != TOI_OK)
    fail_msg("%s", toi_context_error(*state));
  assert_true(e.number == last);
  text[size - 1] = ']';
  assert_int_equal(read_thing(*state, test_write_bytes("buffer.json", text, size), &e), TOI_ERROR_FORMAT);
  free(text);
  char wanted[64];
  snprintf(wanted, sizeof wanted, "buffer.json:%zu: \"]\" where", lines);
  assert_non_null(strstr(toi_context_error(*state), wanted));
}

/* --- lines --- */

static toi_status read_lines(toi_context *context, const char *text, everything *e, size_t *count) {
  toi_json json;
  *count = 0;
  toi_status status = toi_json_open(&json, context, test_write_text("lines.jsonl", text), true);
  assert_int_equal(status, TOI_OK);
  bool found = true;
  while (status == TOI_OK && found) {
    status = toi_json_next_line(&json, &found);
    if (status == TOI_OK && found)
      status = toi_json_object(&json, &form, e, NULL);
    *count += status == TOI_OK && found;
  }
  toi_json_close(&json);
  return status;
}

static void lines_hold_one_value_each(void **state) {
  static const struct {
    const char *text;
    size_t count;
    const char *wanted; /* NULL: all is fine */
  } cases[] = {
      {"", 0, NULL},
      {"\n \r\n\n", 0, NULL},
      {"{}", 1, NULL},
      {"\xef\xbb\xbf{}\r\n{}\r\n", 2, NULL},
      {"\n\n {\"list\":[1,2]} \n\n{}\n\n", 2, NULL},
      {"{}{}", 1, ":1: an object where the end of the line belongs"},
      {"{}\n{} ,\n", 2, ":2: \",\" where the end of the line belongs"},
      {"{}\n{\"list\":[1,\n2]}\n", 1, ":2: list[1]: the line ends where a number belongs; write it whole, in one line"},
      {"{\n}\n", 0, ":1: the line ends where the name of a field, in quotes, belongs; write it whole, in one line"},
      {"{}\n{\"list\":", 1, ":2: list: the file ends where a list of numbers belongs; restore it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    everything e = {0};
    size_t count;
    const toi_status status = read_lines(*state, cases[i].text, &e, &count);
    assert_int_equal(count, cases[i].count);
    assert_int_equal(status, cases[i].wanted == NULL ? TOI_OK : TOI_ERROR_FORMAT);
    if (cases[i].wanted != NULL && strstr(toi_context_error(*state), cases[i].wanted) == NULL)
      fail_msg("\"%s\"\n  instead of: %s", toi_context_error(*state), cases[i].wanted);
  }
}

static void files_that_are_not_there_are_named(void **state) {
  everything e;
  assert_int_equal(read_thing(*state, test_path("none.json"), &e), TOI_ERROR_FILE);
  assert_non_null(strstr(toi_context_error(*state), "none.json: cannot be read: "));
  test_make_directory("folder.json");
  assert_int_equal(read_thing(*state, test_path("folder.json"), &e), TOI_ERROR_FILE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_values_are_read),
      cmocka_unit_test(strings_are_utf8_with_escapes),
      cmocka_unit_test(strings_that_are_none_are_refused),
      cmocka_unit_test(texts_that_are_not_json_are_refused),
      cmocka_unit_test(bytes_that_are_zero_are_refused),
      cmocka_unit_test(nesting_goes_down_to_its_limit),
      cmocka_unit_test(long_words_are_read_up_to_their_limits),
      cmocka_unit_test(words_are_found_across_the_ends_of_the_buffer),
      cmocka_unit_test(lines_hold_one_value_each),
      cmocka_unit_test(files_that_are_not_there_are_named),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
