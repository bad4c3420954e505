/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The context's device: opened when it is first needed, given up when it fails. */

#include "base/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/platform.h"

bool toi_device_asked(const toi_context *context) {
  const char *name = context->device_request.name;
  return name[0] != '\0' && strcmp(name, "cpu") != 0;
}

void toi_warn(toi_context *context, const char *format, ...) {
  char sentence[TOI_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&context->lock);
  memcpy(context->warning, sentence, strlen(sentence) + 1);
  pthread_mutex_unlock(&context->lock);
}

void toi_device_give_up(toi_context *context, const char *sentence) {
  context->device_state = TOI_DEVICE_GIVEN_UP;
  toi_warn(context, "%s", sentence);
}

toi_status toi_device_ready(toi_context *context, toi_device **device) {
  *device = NULL;
  if (!toi_device_asked(context) || context->device_state == TOI_DEVICE_GIVEN_UP)
    return TOI_OK;
  // Its threads and its connection belong to the process that opened it.
  if (context->device_state == TOI_DEVICE_OPEN && context->device_process != toi_process_id()) {
    toi_device_give_up(context, "a device cannot be used in a child of fork(); the CPU works alone in this context");
    return TOI_OK;
  }
  if (context->device_state == TOI_DEVICE_UNTRIED) {
    const toi_status status = toi_device_driver_built.open(context, &context->device_request, &context->device);
    if (status != TOI_OK)
      return status;
    context->device_state = context->device ? TOI_DEVICE_OPEN : TOI_DEVICE_GIVEN_UP;
    context->device_process = toi_process_id();
  }
  *device = context->device;
  return TOI_OK;
}

void toi_device_close(toi_context *context) {
  if (context->device != NULL && context->device_process == toi_process_id())
    toi_device_driver_built.close(context, context->device);
  context->device = NULL;
}

static TOI_APART toi_status describe(toi_context *context, toi_device_info *info) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_device *device;
  toi_status status = toi_check_entered_once(context);
  if (status == TOI_OK)
    status = toi_device_ready(context, &device);
  if (status == TOI_OK && info != NULL && device != NULL)
    *info = *toi_device_driver_built.info(device);
  return status;
}

toi_status toi_context_device(toi_context *context, toi_device_info *info) {
  if (info != NULL) {
    memset(info, 0, sizeof *info);
    memcpy(info->name, "cpu", sizeof "cpu");
  }
  TOI_CALL(context, describe(context, info));
}

static TOI_APART toi_status count_devices(toi_context *context, size_t *count) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  if (count == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "count is NULL; give a place for the number of devices");
  const toi_status status = toi_check_entered_once(context);
  return status == TOI_OK ? toi_device_driver_built.count(context, count) : status;
}

toi_status toi_device_count(toi_context *context, size_t *count) {
  if (count != NULL)
    *count = 0;
  TOI_CALL(context, count_devices(context, count));
}

static TOI_APART toi_status describe_device(toi_context *context, size_t number, bool test, toi_device_info *info) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  if (info == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "info is NULL; give a place for the description");
  const toi_status status = toi_check_entered_once(context);
  return status == TOI_OK ? toi_device_driver_built.describe(context, number, test, info) : status;
}

toi_status toi_device_describe(toi_context *context, size_t number, bool test, toi_device_info *info) {
  if (info != NULL)
    memset(info, 0, sizeof *info);
  TOI_CALL(context, describe_device(context, number, test, info));
}

const char *toi_context_warning(const toi_context *context) {
  return context == NULL ? "" : context->warning;
}
