/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arrays of points and of vertex numbers, seen where they are.
 *
 * A matrix is anything with data(), rows(), cols(), innerStride(), outerStride() and IsRowMajor, as Eigen's matrices,
 * maps, blocks and references are; this header does not include Eigen. Of N numbers per point, edge or face:
 *   n by N    one in each row, however the matrix is stored
 *   N by n    one in each column; N by N counts as n by N, unless the type fixes the rows and leaves the columns open
 *   a vector  of n N numbers, one after the other
 * A list is anything with data() and size(): of numbers, one point after the other; or of things that are N numbers
 * each, such as std::array<double, 3>, double[3] and Eigen::Vector3d.
 *
 * A view of the wrong shape holds a fault: the call that it is given to fails with it, as with any other bad input. */

#ifndef TOI_CPP_VIEW_HPP
#define TOI_CPP_VIEW_HPP

#include <toi/cpp/base.hpp>

#include <cstring>

namespace toi {
namespace detail {

/* Number j of item i is at data + i * stride + j * component bytes; count items. A fault is static text, or NULL. */
struct layout {
  const void *data = nullptr;
  std::size_t count = 0, stride = 0, component = 0;
  const char *fault = nullptr;
};

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

/* --- matrices --- */

template <class M, class = void> struct is_matrix : std::false_type {};
template <class M>
struct is_matrix<M, std::void_t<decltype(std::declval<M &>().data()), decltype(std::declval<M &>().rows()),
                                decltype(std::declval<M &>().cols()), decltype(std::declval<M &>().innerStride()),
                                decltype(std::declval<M &>().outerStride()), decltype(bool(M::IsRowMajor))>>
    : std::true_type {};

/* The rows and columns that a type fixes; -1: open. */
template <class M, class = void> struct fixed_shape { static constexpr int rows = -1, columns = -1; };
template <class M> struct fixed_shape<M, std::void_t<decltype(int(M::RowsAtCompileTime) + int(M::ColsAtCompileTime))>> {
  static constexpr int rows = int(M::RowsAtCompileTime), columns = int(M::ColsAtCompileTime);
};

/* A matrix of its own, which ends with the expression that it is a temporary of; maps and blocks are not. */
template <class M, class = void> struct is_plain : std::false_type {};
template <class M>
struct is_plain<M, std::void_t<typename M::PlainObject>> : std::is_same<M, typename M::PlainObject> {};

template <class T> using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<T &>()))>>;
template <class M> using scalar_of = bare<decltype(*std::declval<M &>().data())>;

/* How the items lie in a matrix. */
enum class arrangement { rows, columns, flat, wrong };

template <std::size_t N, class M> arrangement arranged(std::size_t rows, std::size_t columns) {
  constexpr int n = static_cast<int>(N);
  if constexpr (fixed_shape<M>::columns == n)
    return arrangement::rows;
  else if constexpr (fixed_shape<M>::rows == n)
    return arrangement::columns;
  if (columns == N || rows * columns == 0)
    return arrangement::rows;
  if (rows == N)
    return arrangement::columns;
  return (rows == 1 || columns == 1) && rows * columns % N == 0 ? arrangement::flat : arrangement::wrong;
}

/* Packed numbers have a component stride of 0, which C takes the shortest way with. */
inline layout simplified(layout at, std::size_t n, std::size_t scalar) {
  if (at.component != scalar)
    return at;
  at.component = 0;
  if (at.stride < n * scalar)
    at.stride = n * scalar;
  return at;
}

template <std::size_t N, class M> layout of_matrix(const M &matrix) {
  constexpr std::size_t scalar = sizeof(scalar_of<const M>);
  const std::size_t rows = static_cast<std::size_t>(matrix.rows()), columns = static_cast<std::size_t>(matrix.cols());
  const std::ptrdiff_t outer = matrix.outerStride(), inner = matrix.innerStride();
  layout at;
  if ((outer < 0 || inner < 1) && rows * columns > 0) {
    at.fault = "a matrix with a stride that is not positive";
    return at;
  }
  const std::size_t down = scalar * static_cast<std::size_t>(M::IsRowMajor ? outer : inner);
  const std::size_t across = scalar * static_cast<std::size_t>(M::IsRowMajor ? inner : outer);
  at.data = matrix.data();
  switch (arranged<N, M>(rows, columns)) {
  case arrangement::rows:
    at = {matrix.data(), columns == 0 ? 0 : rows, down, across, nullptr};
    break;
  case arrangement::columns:
    at = {matrix.data(), columns, across, down, nullptr};
    break;
  case arrangement::flat:
    at.component = rows == 1 ? across : down;
    at.stride = N * at.component;
    at.count = rows * columns / N;
    break;
  case arrangement::wrong:
    at.fault = N == 3 ? "a matrix that is neither n by 3 nor 3 by n" : "a matrix that is neither n by 2 nor 2 by n";
    return at;
  }
  // The last row or column of a matrix without extent may have any stride.
  if (at.component == 0)
    at.component = scalar;
  return simplified(at, N, scalar);
}

/* --- lists --- */

template <class T, class = void> struct is_list : std::false_type {};
template <class T>
struct is_list<T, std::void_t<decltype(std::data(std::declval<T &>())), decltype(std::size(std::declval<T &>()))>>
    : std::bool_constant<!is_matrix<T>::value && !std::is_void_v<element_of<T>>> {};

/* A list that only sees its elements, such as std::span, may be a temporary. */
template <class T, class = void> struct is_view : std::false_type {};
template <class T> struct is_view<T, std::void_t<typename T::element_type>> : std::true_type {};
template <class E> struct is_view<span<E>, void> : std::true_type {};

/* What an element of a list is made of. */
template <class E, class = void> struct element {
  using scalar = E;
  static constexpr std::size_t size = 1;
};
template <class S, std::size_t N> struct element<S[N], void> {
  using scalar = std::remove_cv_t<S>;
  static constexpr std::size_t size = N;
};
template <class E> struct element<E, std::enable_if_t<is_matrix<E>::value>> {
  using scalar = scalar_of<const E>;
  static constexpr std::size_t size = static_cast<std::size_t>(fixed_shape<E>::rows * fixed_shape<E>::columns);
};
template <class E>
struct element<E, std::enable_if_t<!is_matrix<E>::value && std::is_arithmetic_v<typename E::value_type>>> {
  using scalar = typename E::value_type;
  static constexpr std::size_t size = sizeof(E) / sizeof(scalar);
};

template <std::size_t N, class T> layout of_list(const T &list) {
  using item = element<element_of<const T>>;
  static_assert(item::size == 1 || item::size == N, "the elements of the list have another number of components");
  layout at;
  const std::size_t size = static_cast<std::size_t>(std::size(list));
  if (item::size == 1 && size % N != 0) {
    at.fault = N == 3 ? "a list whose length is no multiple of 3" : "a list whose length is no multiple of 2";
    return at;
  }
  at.data = std::data(list);
  at.count = item::size == 1 ? size / N : size;
  at.stride = item::size == 1 ? N * sizeof(typename item::scalar) : sizeof(element_of<const T>);
  return at;
}

template <std::size_t N, class T> layout of_array(const T &array) {
  if constexpr (is_matrix<T>::value)
    return of_matrix<N>(array);
  else
    return of_list<N>(array);
}

template <class T, class = void> struct scalar_in { using type = void; };
template <class T> struct scalar_in<T, std::enable_if_t<is_list<T>::value>> {
  using type = typename element<element_of<const T>>::scalar;
};
template <class T> struct scalar_in<T, std::enable_if_t<is_matrix<T>::value>> { using type = scalar_of<const T>; };

/* An array of numbers of a kind, such as std::is_integral. */
template <class A, template <class> class Kind>
using if_numbers = std::enable_if_t<Kind<typename scalar_in<bare<A>>::type>::value>;

/* Whether an argument of this type, T or T &, outlives the expression that it stands in. */
template <class T>
struct stays : std::bool_constant<std::is_lvalue_reference_v<T> ||
                                  (is_matrix<bare<T>>::value ? !is_plain<bare<T>>::value : is_view<bare<T>>::value)> {};

/* A span that is kept beyond the call that it is given to: not of a temporary. */
template <class T> class kept : public span<const T> {
public:
  kept() = default;
  template <class C, class = std::enable_if_t<std::is_convertible_v<C, span<const T>>>>
  kept(C &&container) : span<const T>(container) {
    static_assert(stays<C>::value, "a temporary array: give it a name, so that it outlives the mesh");
  }
};

template <class S> constexpr toi_scalar scalar_code() {
  static_assert(std::is_same_v<S, double> || std::is_same_v<S, float>, "coordinates are double or float");
  return std::is_same_v<S, double> ? TOI_FLOAT64 : TOI_FLOAT32;
}

template <class I> constexpr toi_index index_code() {
  static_assert(std::is_integral_v<I> && (sizeof(I) == 4 || sizeof(I) == 8), "numbers are integers of 32 or 64 bits");
  if constexpr (sizeof(I) == 4)
    return std::is_signed_v<I> ? TOI_INT32 : TOI_UINT32;
  else
    return std::is_signed_v<I> ? TOI_INT64 : TOI_UINT64;
}

} // namespace detail

/* --- points --- */

/* Points that are not owned: x, y, z of each. */
class points {
public:
  points() = default;

  /* A matrix or a list, as above. */
  template <class A, class = detail::if_numbers<A, std::is_floating_point>>
  points(A &&array)
      : at_(detail::of_array<3, detail::bare<A>>(array)),
        scalar_(detail::scalar_code<typename detail::scalar_in<detail::bare<A>>::type>()) {
    static_assert(detail::stays<A>::value, "a temporary array: give it a name, so that it outlives the call");
  }

  /* Anything else: strides in bytes, 0 for packed points. */
  template <class S>
  points(const S *first, std::size_t count, std::size_t stride = 0, std::size_t component_stride = 0)
      : scalar_(detail::scalar_code<S>()) {
    at_.data = first;
    at_.count = count;
    at_.stride = stride == 0 ? 3 * sizeof(S) : stride;
    at_.component = component_stride;
  }

  const void *data() const noexcept {
    return at_.data;
  }
  std::size_t size() const noexcept {
    return at_.count;
  }
  toi_scalar scalar() const noexcept {
    return scalar_;
  }
  /* Bytes from one point to the next, and from x to y; 0: one scalar. */
  std::size_t stride() const noexcept {
    return at_.stride;
  }
  std::size_t component_stride() const noexcept {
    return at_.component;
  }
  /* What is wrong with the shape; NULL: nothing. */
  const char *fault() const noexcept {
    return at_.fault;
  }
  double operator()(std::size_t point, std::size_t axis) const {
    const bool wide = scalar_ == TOI_FLOAT64;
    const std::size_t step = at_.component != 0 ? at_.component : wide ? sizeof(double) : sizeof(float);
    const void *const where = static_cast<const char *>(at_.data) + point * at_.stride + axis * step;
    return wide ? *static_cast<const double *>(where) : static_cast<double>(*static_cast<const float *>(where));
  }
  bool laid_out_like(const points &other) const noexcept {
    return scalar_ == other.scalar_ && at_.count == other.at_.count &&
           (at_.count == 0 || (at_.stride == other.at_.stride && at_.component == other.at_.component));
  }

private:
  detail::layout at_;
  toi_scalar scalar_ = TOI_FLOAT64;
};

/* Points that are written to. */
class points_out : public points {
public:
  template <class A, class = detail::if_numbers<A, std::is_floating_point>>
  points_out(A &&array) : points(std::forward<A>(array)), to_(const_cast<void *>(points::data())) {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(std::declval<A &>().data())>>,
                  "points that cannot be written to");
  }
  template <class S>
  points_out(S *first, std::size_t count, std::size_t stride = 0, std::size_t component_stride = 0)
      : points(first, count, stride, component_stride), to_(first) {}
  void *data() const noexcept {
    return to_;
  }

private:
  void *to_;
};

/* --- vertex numbers --- */

/* Edges (N = 2) or faces (N = 3) that are not owned, as numbers of vertices: signed or not, of 32 or 64 bits.
 */
template <std::size_t N> class indices {
public:
  indices() = default;

  template <class A, class = detail::if_numbers<A, std::is_integral>>
  indices(A &&array)
      : at_(detail::of_array<N, detail::bare<A>>(array)),
        index_(detail::index_code<typename detail::scalar_in<detail::bare<A>>::type>()) {
    static_assert(detail::stays<A>::value, "a temporary array: give it a name, so that it outlives the call");
  }
  template <class I>
  indices(const I *first, std::size_t count, std::size_t stride = 0, std::size_t component_stride = 0)
      : index_(detail::index_code<I>()) {
    at_.data = first;
    at_.count = count;
    at_.stride = stride == 0 ? N * sizeof(I) : stride;
    at_.component = component_stride;
  }

  const void *data() const noexcept {
    return at_.data;
  }
  std::size_t size() const noexcept {
    return at_.count;
  }
  toi_index index() const noexcept {
    return index_;
  }
  std::size_t stride() const noexcept {
    return at_.stride;
  }
  std::size_t component_stride() const noexcept {
    return at_.component;
  }
  const char *fault() const noexcept {
    return at_.fault;
  }
  /* Rows of N numbers of 32 bits without gaps, as toi_mesh has them: no copy is needed there. */
  bool packed() const noexcept {
    return (index_ == TOI_UINT32 || index_ == TOI_INT32) && at_.component == 0 &&
           at_.stride == N * sizeof(std::uint32_t);
  }
  /* A number; what fits no std::uint32_t is `no_vertex`, which is no vertex of any mesh. */
  static constexpr std::uint32_t no_vertex = UINT32_MAX;
  std::uint32_t operator()(std::size_t item, std::size_t corner) const {
    const bool narrow = index_ == TOI_UINT32 || index_ == TOI_INT32;
    const std::size_t step = at_.component != 0 ? at_.component : narrow ? 4 : 8;
    const void *const where = static_cast<const char *>(at_.data) + item * at_.stride + corner * step;
    if (narrow)
      return *static_cast<const std::uint32_t *>(where);
    std::uint64_t number;
    std::memcpy(&number, where, sizeof number);
    return number < no_vertex ? static_cast<std::uint32_t>(number) : no_vertex;
  }

private:
  detail::layout at_;
  toi_index index_ = TOI_UINT32;
};

using faces = indices<3>;
using edges = indices<2>;

} // namespace toi

#endif
