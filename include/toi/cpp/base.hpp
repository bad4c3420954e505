/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Errors, exceptions of callbacks, spans, and contexts. */

#ifndef TOI_CPP_BASE_HPP
#define TOI_CPP_BASE_HPP

#include <toi/toi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/* Without exceptions (-fno-exceptions) a failure that no status receives ends the program. */
#if defined(__cpp_exceptions)
#define TOI_CPP_TRY try
#define TOI_CPP_CATCH(what) catch (what)
#else
#define TOI_CPP_TRY if (true)
#define TOI_CPP_CATCH(what) else
#endif

namespace toi {

/* --- errors --- */

/* Thrown if a call fails. what() is the library's message. */
class error : public std::runtime_error {
public:
  error(toi_status code, const std::string &sentence) : std::runtime_error(sentence), code_(code) {}
  toi_status code() const noexcept {
    return code_;
  }

private:
  toi_status code_;
};

/* Filled in instead, if a call is given one. */
struct status {
  toi_status code = TOI_OK;
  std::string sentence; /* empty if nothing failed */

  bool ok() const noexcept {
    return code == TOI_OK;
  }
};

inline const char *status_text(toi_status code) {
  return toi_status_text(code);
}

inline const char *version() {
  return toi_version();
}

namespace detail {

/* Reports how a call ended: throws, or fills in the status. */
inline void settle(toi_status code, const char *sentence, status *to) {
  if (to != nullptr) {
    to->code = code;
    to->sentence.clear();
  }
  if (code == TOI_OK)
    return;
  const char *const text = sentence != nullptr && *sentence != '\0' ? sentence : toi_status_text(code);
  if (to != nullptr) {
    to->sentence = text;
    return;
  }
#if defined(__cpp_exceptions)
  throw error(code, text);
#else
  std::terminate();
#endif
}

inline void settle(toi_status code, const toi_context *context, status *to) {
  settle(code, context != nullptr && code != TOI_OK ? toi_context_error(context) : "", to);
}

/* The first exception of a callback, kept while C functions return. Any thread may keep one; the call ends when it is
 * rethrown. */
class carrier {
public:
  carrier() = default;
  carrier(const carrier &) = delete;
  carrier &operator=(const carrier &) = delete;

  void keep() noexcept {
    if (!thrown_.exchange(true))
      first_ = std::current_exception();
  }
  bool holds() const noexcept {
    return thrown_.load();
  }
  void rethrow() {
    if (!thrown_.exchange(false))
      return;
#if defined(__cpp_exceptions)
    std::rethrow_exception(std::exchange(first_, nullptr));
#endif
  }

private:
  std::atomic<bool> thrown_{false};
  std::exception_ptr first_;
};

/* Calls a callback. Its exception is kept, and `otherwise` is the answer. */
template <class Call, class Answer> Answer guarded(carrier &thrown, Answer otherwise, Call &&call) noexcept {
  TOI_CPP_TRY {
    return call();
  }
  TOI_CPP_CATCH(...) {
    thrown.keep();
  }
  return otherwise;
}

/* Whether to continue, from what a callback returned: nothing means yes. */
template <class Call, class... Arguments> bool goes_on(Call &&call, Arguments &&...arguments) {
  using result = std::invoke_result_t<Call, Arguments...>;
  static_assert(std::is_void_v<result> || std::is_convertible_v<result, bool>,
                "a visitor returns nothing, or a bool: false ends the call");
  if constexpr (std::is_void_v<result>) {
    call(std::forward<Arguments>(arguments)...);
    return true;
  } else
    return static_cast<bool>(call(std::forward<Arguments>(arguments)...));
}

} // namespace detail

/* --- spans --- */

/* Contiguous elements that are not owned. Made from any container with data() and size(), and from arrays. */
template <class T> class span {
public:
  using value_type = std::remove_cv_t<T>;

  constexpr span() = default;
  constexpr span(T *data, std::size_t size) : data_(data), size_(size) {}
  template <class C, class E = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>,
            class = std::enable_if_t<std::is_convertible_v<E (*)[], T (*)[]> &&
                                     (std::is_lvalue_reference_v<C &&> || std::is_const_v<T>)>>
  constexpr span(C &&container) : data_(std::data(container)), size_(static_cast<std::size_t>(std::size(container))) {}

  constexpr T *data() const noexcept {
    return data_;
  }
  constexpr std::size_t size() const noexcept {
    return size_;
  }
  constexpr bool empty() const noexcept {
    return size_ == 0;
  }
  constexpr T &operator[](std::size_t i) const {
    return data_[i];
  }
  constexpr T *begin() const noexcept {
    return data_;
  }
  constexpr T *end() const noexcept {
    return data_ + size_;
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/* Three coordinates. */
using vector3 = std::array<double, 3>;

/* --- handles --- */

namespace detail {

/* A C pointer that can be moved, and is destroyed once. */
template <class T, void (*destroy)(T *)> class handle {
public:
  handle() = default;
  handle(handle &&other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  handle &operator=(handle &&other) noexcept {
    handle taken(std::move(other));
    std::swap(pointer_, taken.pointer_);
    return *this;
  }
  handle(const handle &) = delete;
  handle &operator=(const handle &) = delete;
  ~handle() {
    destroy(pointer_);
  }

  /* The C handle, still owned by this object; NULL if it is empty, or was moved from. */
  T *get() const noexcept {
    return pointer_;
  }
  explicit operator bool() const noexcept {
    return pointer_ != nullptr;
  }

protected:
  T *pointer_ = nullptr;
};

/* A C struct whose arrays belong to a context; it can be moved, and is freed once. */
template <class T, void (*free_it)(toi_context *, T *)> class owned {
public:
  owned() = default;
  owned(owned &&other) noexcept
      : context_(std::exchange(other.context_, nullptr)), value_(std::exchange(other.value_, T())) {}
  owned &operator=(owned &&other) noexcept {
    owned taken(std::move(other));
    std::swap(context_, taken.context_);
    std::swap(value_, taken.value_);
    return *this;
  }
  owned(const owned &) = delete;
  owned &operator=(const owned &) = delete;
  ~owned() {
    if (context_ != nullptr)
      free_it(context_, &value_);
  }

  const T &get() const noexcept {
    return value_;
  }

protected:
  toi_context *context_ = nullptr;
  T value_ = T();
};

} // namespace detail

/* --- contexts --- */

using device_info = toi_device_info;

struct context_options : toi_context_options {
  context_options() : toi_context_options() {
    toi_context_options_init(this, sizeof(toi_context_options));
  }
};

class context : public detail::handle<toi_context, toi_context_destroy> {
public:
  explicit context(const context_options &options = context_options(), status *to = nullptr) {
    detail::settle(toi_context_create(&options, &pointer_), "", to);
  }
  /* With this number of threads; 0: one for each CPU. */
  explicit context(std::uint32_t threads, status *to = nullptr) : context(with_threads(threads), to) {}

  const char *error() const {
    return toi_context_error(pointer_);
  }
  std::uint32_t threads() const {
    return toi_context_threads(pointer_);
  }
  std::uint64_t bytes() const {
    return toi_context_bytes(pointer_);
  }
  /* A problem in the last call that did not affect its answer; "" if none. */
  const char *warning() const {
    return toi_context_warning(pointer_);
  }
  /* The device of the options, made ready; usable is false if the CPU works alone. */
  device_info device(status *to = nullptr) const {
    device_info info;
    detail::settle(toi_context_device(pointer_, &info), toi_context_error(pointer_), to);
    return info;
  }

private:
  static context_options with_threads(std::uint32_t threads) {
    context_options options;
    options.threads = threads;
    return options;
  }
};

/* The number of devices, and one of them, after its self-test. */
inline std::size_t device_count(const context &on, status *to = nullptr) {
  std::size_t count = 0;
  detail::settle(toi_device_count(on.get(), &count), on.error(), to);
  return count;
}

inline device_info device_describe(const context &on, std::size_t number, bool test = true, status *to = nullptr) {
  device_info info;
  detail::settle(toi_device_describe(on.get(), number, test, &info), on.error(), to);
  return info;
}

} // namespace toi

#endif
