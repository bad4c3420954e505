/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Structs that grow: a caller of yesterday, of today and of tomorrow, each with a struct of its own size. */

#include "support/support.h"

#include "base/internal.h"

#include <string.h>

typedef struct yesterday {
  size_t size;
  double a;
} yesterday;

typedef struct today {
  size_t size;
  double a;
  float b;
} today;

typedef struct tomorrow {
  size_t size;
  double a;
  float b;
  double c;
} tomorrow;

#define LAYOUT TOI_LAYOUT(today, a)

static const today defaults = {.size = sizeof(today), .a = 1, .b = 2};

static void first_layout_ends_with_its_last_member(void **state) {
  (void)state;
  assert_int_equal(LAYOUT.first, sizeof(yesterday));
  assert_int_equal(LAYOUT.now, sizeof(today));
  assert_string_equal(LAYOUT.name, "today");
}

static void earlier_struct_gets_defaults_for_the_rest(void **state) {
  (void)state;
  today taken = defaults;
  const yesterday given = {.size = sizeof given, .a = 7};
  assert_int_equal(toi_take_options(NULL, LAYOUT, &given, &taken), TOI_OK);
  assert_true(taken.size == sizeof taken && taken.a == 7 && taken.b == 2);
}

static void present_struct_is_taken_whole(void **state) {
  (void)state;
  today taken = defaults;
  const today given = {.size = sizeof given, .a = 7, .b = 8};
  assert_int_equal(toi_take_options(NULL, LAYOUT, &given, &taken), TOI_OK);
  assert_true(taken.a == 7 && taken.b == 8);
}

static void later_unset_and_odd_structs_are_refused(void **state) {
  (void)state;
  toi_context *context;
  assert_int_equal(toi_context_create(NULL, &context), TOI_OK);
  const size_t sizes[] = {sizeof(tomorrow), 8, sizeof(yesterday) - 1, SIZE_MAX, 0x5555555555555555};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    today taken = defaults;
    const tomorrow given = {.size = sizes[i], .a = 7};
    assert_int_equal(toi_take_options(context, LAYOUT, &given, &taken), TOI_ERROR_OPTION);
    assert_int_equal(toi_take_description(context, LAYOUT, &given, &taken), TOI_ERROR_OPTION);
    assert_non_null(strstr(toi_context_error(context), "today"));
    assert_true(taken.a == 1 && taken.b == 2);
  }
  toi_context_destroy(context);
}

static void size_zero_is_unset_options_and_a_description_of_the_first_layout(void **state) {
  (void)state;
  today taken = defaults;
  const today given = {.a = 7, .b = 8};
  assert_int_equal(toi_take_options(NULL, LAYOUT, &given, &taken), TOI_ERROR_OPTION);
  assert_true(taken.a == 1);
  assert_int_equal(toi_take_description(NULL, LAYOUT, &given, &taken), TOI_OK);
  assert_true(taken.a == 7 && taken.b == 2);
  assert_int_equal(toi_take_options(NULL, LAYOUT, NULL, &taken), TOI_ERROR_OPTION);
  assert_int_equal(toi_take_description(NULL, LAYOUT, NULL, &taken), TOI_ERROR_INPUT);
}

static void arrays_step_by_the_first_size(void **state) {
  (void)state;
  const yesterday given = {.size = sizeof given};
  const tomorrow unset = {.size = 0}, wide = {.size = sizeof wide};
  assert_int_equal(toi_description_stride(LAYOUT, &given), sizeof(yesterday));
  assert_int_equal(toi_description_stride(LAYOUT, &unset), sizeof(yesterday));
  assert_int_equal(toi_description_stride(LAYOUT, &wide), sizeof(tomorrow));
}

static void init_writes_as_much_as_the_caller_has(void **state) {
  (void)state;
  tomorrow made;
  for (size_t size = 0; size <= sizeof made; size++) {
    memset(&made, 0x55, sizeof made);
    toi_init_struct(LAYOUT, &defaults, &made, size);
    const unsigned char *bytes = (const unsigned char *)&made;
    for (size_t i = size; i < sizeof made; i++)
      assert_int_equal(bytes[i], 0x55);
    if (size >= sizeof size)
      assert_int_equal(made.size, size);
  }
  assert_true(made.a == 1 && made.b == 2 && made.c == 0);
  toi_init_struct(LAYOUT, &defaults, NULL, sizeof made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_layout_ends_with_its_last_member),
      cmocka_unit_test(earlier_struct_gets_defaults_for_the_rest),
      cmocka_unit_test(present_struct_is_taken_whole),
      cmocka_unit_test(later_unset_and_odd_structs_are_refused),
      cmocka_unit_test(size_zero_is_unset_options_and_a_description_of_the_first_layout),
      cmocka_unit_test(arrays_step_by_the_first_size),
      cmocka_unit_test(init_writes_as_much_as_the_caller_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
