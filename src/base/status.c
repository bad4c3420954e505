/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What became of a call, in words: phrases for the statuses, and the context's one sentence about the last failure.
 *
 * Promise: the sentence is always terminated, whatever is written into it, and tasks may write it at the same time. */

#include "base/context.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *toi_status_text(toi_status status) {
  static const char *const texts[] = {
      [TOI_OK] = "ok",
      [TOI_ERROR_INPUT] = "invalid input",
      [TOI_ERROR_OPTION] = "invalid option",
      [TOI_ERROR_UNSUPPORTED] = "not supported by this method",
      [TOI_ERROR_MEMORY] = "out of memory",
      [TOI_ERROR_FILE] = "file cannot be read or written",
      [TOI_ERROR_FORMAT] = "file is not well formed",
      [TOI_ERROR_PLUGIN] = "plug-in failed",
      [TOI_ERROR_CANCELLED] = "cancelled",
      [TOI_ERROR_CALLBACK] = "a function of the caller failed",
      [TOI_ERROR_DEVICE] = "device cannot be used",
  };
  // The enum's type may be signed: compare as unsigned, so that a stray negative number is caught as well.
  const unsigned number = (unsigned)status;
  return number < sizeof texts / sizeof texts[0] ? texts[number] : "unknown status";
}

const char *toi_version(void) {
  return VERSION_TEXT(TOI_VERSION_MAJOR, TOI_VERSION_MINOR, TOI_VERSION_PATCH);
}

toi_status toi_fail(toi_context *context, toi_status status, const char *format, ...) {
  assert(status != TOI_OK);
  if (context == NULL)
    return status;

  // Written aside first: the arguments may quote the present sentence.
  char sentence[TOI_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);

  // A sentence that does not fit shows that it was cut; one that cannot be written becomes the status's phrase.
  static const char cut[] = "...";
  if (length < 0)
    snprintf(sentence, sizeof sentence, "%s", toi_status_text(status));
  else if ((size_t)length >= sizeof sentence)
    memcpy(sentence + sizeof sentence - sizeof cut, cut, sizeof cut);

  pthread_mutex_lock(&context->lock);
  memcpy(context->error, sentence, strlen(sentence) + 1);
  pthread_mutex_unlock(&context->lock);
  return status;
}

void toi_clear_error(toi_context *context) {
  if (context == NULL)
    return;
  pthread_mutex_lock(&context->lock);
  context->error[0] = '\0';
  pthread_mutex_unlock(&context->lock);
}

const char *toi_context_error(const toi_context *context) {
  return context == NULL ? "" : context->error;
}
