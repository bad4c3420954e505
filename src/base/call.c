/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A public call from its first line to its last: the library's floating-point mode inside, the caller's outside and in
 * the caller's own functions.
 *
 * Promise: whatever the mode of the caller, its visitors and progress functions see that mode on its thread, and after
 * the call the mode and the exception flags are the caller's, with what those functions added. */

#include "base/context.h"

void toi_call_begin_free(toi_call *call, toi_context *context) {
  *call = (toi_call){.context = context, .caller = toi_float_mode_enter()};
  if (context == NULL)
    return;
  const bool nested = context->call != NULL && pthread_equal(context->caller, pthread_self());
  if (!nested)
    toi_pool_after_fork(context);
  atomic_fetch_add_explicit(&context->calls, 1, memory_order_relaxed);
  if (context->call != NULL)
    return;
  call->outermost = true;
  context->call = call;
  context->caller = pthread_self();
}

void toi_call_begin(toi_call *call, toi_context *context) {
  toi_call_begin_free(call, context);
  if (call->outermost) {
    toi_clear_error(context);
    context->warning[0] = '\0';
  }
}

void toi_call_end(toi_call *call) {
  toi_context *context = call->context;
  if (context != NULL) {
    atomic_fetch_sub_explicit(&context->calls, 1, memory_order_relaxed);
    if (call->outermost)
      context->call = NULL;
  }
  toi_float_mode_leave(call->caller);
}

toi_status toi_check_entered_once(toi_context *context) {
  if (atomic_load_explicit(&context->calls, memory_order_relaxed) <= 1)
    return TOI_OK;
  return toi_fail(context, TOI_ERROR_INPUT,
                  "a call on this context is under way; a visitor, progress function or filter that calls the library "
                  "needs a context of its own");
}

toi_callback toi_callback_begin(toi_context *context, uint32_t thread) {
  toi_callback callback = {.context = context, .call = NULL};
  if (thread != 0 || context == NULL || context->call == NULL)
    return callback;

  // Taken off the context meanwhile: a call that the caller's function makes is an outermost call of its own.
  callback.call = context->call;
  context->call = NULL;
  toi_float_mode_leave(callback.call->caller);
  return callback;
}

void toi_callback_end(toi_callback callback) {
  if (callback.call == NULL)
    return;
  callback.call->caller = toi_float_mode_enter();
  callback.context->call = callback.call;
}

TOI_APART bool toi_progress_made(toi_context *context, bool (*progress)(void *user, double done), void *user,
                                 double done) {
  if (progress == NULL)
    return true;
  const toi_callback callback = toi_callback_begin(context, 0);
  const bool go_on = progress(user, done);
  toi_callback_end(callback);
  return go_on;
}
