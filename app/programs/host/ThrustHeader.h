#pragma once

/// A stand-in for thrust: its vectors, pointers and iterators; the algorithms follow in ThrustAlgorithms.h. Elements of
/// the device are copied to the host, worked on there in order, and copied back; what that takes is not predicted.
namespace haloscope::host {

/// Headers of thrust that this one stands for, without "thrust/".
inline constexpr const char* kThrustHeaders[] = {
    "adjacent_difference.h",
    "copy.h",
    "count.h",
    "device_free.h",
    "device_malloc.h",
    "device_malloc_allocator.h",
    "device_ptr.h",
    "device_vector.h",
    "equal.h",
    "execution_policy.h",
    "extrema.h",
    "fill.h",
    "find.h",
    "for_each.h",
    "functional.h",
    "generate.h",
    "host_vector.h",
    "inner_product.h",
    "logical.h",
    "memory.h",
    "pair.h",
    "random.h",
    "reduce.h",
    "replace.h",
    "reverse.h",
    "scan.h",
    "sequence.h",
    "sort.h",
    "swap.h",
    "system/cuda/execution_policy.h",
    "tabulate.h",
    "transform.h",
    "transform_reduce.h",
    "tuple.h",
    "version.h",
    "random/linear_congruential_engine.h",
    "iterator/constant_iterator.h",
    "iterator/counting_iterator.h",
    "iterator/transform_iterator.h",
    "iterator/zip_iterator.h",
    "random/uniform_real_distribution.h",
};

inline constexpr char kThrustArrays[] = R"cuda(#ifndef HALOSCOPE_THRUST
#define HALOSCOPE_THRUST
#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#define THRUST_VERSION 200700

namespace thrust {
// The runtime finds the caller's line on the stack.
constexpr haloscope_place haloscope_caller{nullptr, -1};
inline void haloscope_move(void *to, const void *from, size_t bytes, int kind) {
  haloscope_rows rows{to, bytes, from, bytes, bytes, 1};
  if (bytes > 0) haloscope_copy(&rows, kind, 0, 0, haloscope_caller);
}
template <class T> bool haloscope_on_device(const T *p) { return haloscope_memory_kind((const void *)p) == 2; }
template <class T> T *haloscope_new(size_t count) {
  if (count == 0) return nullptr;
  void *p = haloscope_allocate(count * sizeof(T), 0, haloscope_caller);
  if (!p) throw std::bad_alloc();
  return (T *)p;
}

template <class T> class device_ptr;
template <class T> class device_reference {
 public:
  typedef std::remove_const_t<T> value_type;
  explicit device_reference(T *p) : p_(p) {}
  device_reference(const device_reference &) = default;
  operator value_type() const {
    value_type value;
    haloscope_move(&value, p_, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
  const device_reference &operator=(const value_type &value) const {
    haloscope_move((void *)p_, &value, sizeof value, cudaMemcpyHostToDevice);
    return *this;
  }
  const device_reference &operator=(const device_reference &other) const { return *this = (value_type)other; }
  template <class U> const device_reference &operator+=(const U &by) const { return *this = (value_type)*this + by; }
  template <class U> const device_reference &operator-=(const U &by) const { return *this = (value_type)*this - by; }
  template <class U> const device_reference &operator*=(const U &by) const { return *this = (value_type)*this * by; }
  template <class U> const device_reference &operator/=(const U &by) const { return *this = (value_type)*this / by; }
  device_ptr<T> operator&() const { return device_ptr<T>(p_); }
  template <class S> friend S &operator<<(S &stream, const device_reference &one) { return stream << (value_type)one; }

 private:
  T *p_;
};

template <class T> class device_ptr {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::remove_const_t<T> value_type;
  typedef ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef device_reference<T> reference;
  device_ptr() = default;
  explicit device_ptr(T *p) : p_(p) {}
  template <class U> requires std::is_convertible_v<U *, T *> device_ptr(const device_ptr<U> &other) : p_(other.get()) {}
  T *get() const { return p_; }
  reference operator*() const { return reference(p_); }
  reference operator[](ptrdiff_t i) const { return reference(p_ + i); }
  device_ptr &operator++() { return ++p_, *this; }
  device_ptr &operator--() { return --p_, *this; }
  device_ptr operator++(int) { return device_ptr(p_++); }
  device_ptr operator--(int) { return device_ptr(p_--); }
  device_ptr &operator+=(ptrdiff_t n) { return p_ += n, *this; }
  device_ptr &operator-=(ptrdiff_t n) { return p_ -= n, *this; }
  device_ptr operator+(ptrdiff_t n) const { return device_ptr(p_ + n); }
  device_ptr operator-(ptrdiff_t n) const { return device_ptr(p_ - n); }
  friend device_ptr operator+(ptrdiff_t n, device_ptr p) { return p + n; }
  ptrdiff_t operator-(const device_ptr &other) const { return p_ - other.p_; }
  auto operator<=>(const device_ptr &) const = default;

 private:
  T *p_ = nullptr;
};
template <class T> device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> T &raw_reference_cast(T &one) { return one; }
template <class T> device_ptr<T> device_malloc(size_t count) { return device_ptr<T>(haloscope_new<T>(count)); }
template <class T> void device_free(device_ptr<T> p) { haloscope_free((void *)p.get(), 0, haloscope_caller); }

// Iterators that compute their elements.
#define HALOSCOPE_STEPS(NAME, MEMBER) \
  NAME &operator++() { return ++MEMBER, *this; } \
  NAME &operator--() { return --MEMBER, *this; } \
  NAME operator++(int) { NAME old = *this; return ++MEMBER, old; } \
  NAME &operator+=(ptrdiff_t n) { return MEMBER += n, *this; } \
  NAME &operator-=(ptrdiff_t n) { return MEMBER -= n, *this; } \
  NAME operator+(ptrdiff_t n) const { NAME next = *this; return next += n; } \
  NAME operator-(ptrdiff_t n) const { NAME next = *this; return next -= n; } \
  ptrdiff_t operator-(const NAME &other) const { return (ptrdiff_t)(MEMBER - other.MEMBER); } \
  bool operator==(const NAME &other) const { return MEMBER == other.MEMBER; } \
  bool operator<(const NAME &other) const { return MEMBER < other.MEMBER; }
#define HALOSCOPE_ITERATES(VALUE, REFERENCE) \
  typedef std::random_access_iterator_tag iterator_category; \
  typedef VALUE value_type; \
  typedef ptrdiff_t difference_type; \
  typedef void pointer; \
  typedef REFERENCE reference;
template <class T> struct counting_iterator {
  HALOSCOPE_ITERATES(T, T)
  T at{};
  counting_iterator() = default;
  explicit counting_iterator(T at) : at(at) {}
  T operator*() const { return at; }
  T operator[](ptrdiff_t i) const { return (T)(at + i); }
  HALOSCOPE_STEPS(counting_iterator, at)
};
template <class T> counting_iterator<T> make_counting_iterator(T at) { return counting_iterator<T>(at); }
template <class T> struct constant_iterator {
  HALOSCOPE_ITERATES(T, T)
  T value{};
  ptrdiff_t at = 0;
  constant_iterator() = default;
  explicit constant_iterator(T value, ptrdiff_t at = 0) : value(value), at(at) {}
  T operator*() const { return value; }
  T operator[](ptrdiff_t) const { return value; }
  HALOSCOPE_STEPS(constant_iterator, at)
};
template <class T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }
template <class F, class It> struct transform_iterator {
  typedef std::decay_t<std::invoke_result_t<F, typename std::iterator_traits<It>::value_type>> haloscope_value;
  HALOSCOPE_ITERATES(haloscope_value, haloscope_value)
  It at;
  F function;
  transform_iterator(It at, F function) : at(at), function(function) {}
  value_type operator*() const { return function(*at); }
  value_type operator[](ptrdiff_t i) const { return function(at[i]); }
  HALOSCOPE_STEPS(transform_iterator, at)
};
template <class F, class It> transform_iterator<F, It> make_transform_iterator(It at, F function) { return {at, function}; }

template <class... T> using tuple = std::tuple<T...>;
template <class A, class B> using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::swap;
using std::tie;
template <size_t I, class T> using tuple_element = std::tuple_element<I, T>;
template <class T> using tuple_size = std::tuple_size<T>;

template <class Its> struct zip_iterator;
template <class... It> struct zip_iterator<std::tuple<It...>> {
  typedef std::tuple<typename std::iterator_traits<It>::value_type...> haloscope_value;
  typedef std::tuple<typename std::iterator_traits<It>::reference...> haloscope_reference;
  HALOSCOPE_ITERATES(haloscope_value, haloscope_reference)
  std::tuple<It...> its;
  ptrdiff_t at = 0;
  explicit zip_iterator(std::tuple<It...> its) : its(its) {}
  reference operator[](ptrdiff_t i) const {
    return std::apply([&](const auto &...one) { return reference(one[at + i]...); }, its);
  }
  reference operator*() const { return (*this)[0]; }
  const std::tuple<It...> &get_iterator_tuple() const { return its; }
  zip_iterator &operator++() { return ++at, *this; }
  zip_iterator &operator--() { return --at, *this; }
  zip_iterator operator++(int) { zip_iterator old = *this; return ++at, old; }
  zip_iterator &operator+=(ptrdiff_t n) { return at += n, *this; }
  zip_iterator &operator-=(ptrdiff_t n) { return at -= n, *this; }
  zip_iterator operator+(ptrdiff_t n) const { zip_iterator next = *this; return next += n; }
  zip_iterator operator-(ptrdiff_t n) const { zip_iterator next = *this; return next -= n; }
  // The two may be made of different beginnings.
  ptrdiff_t operator-(const zip_iterator &other) const { return std::get<0>(its) - std::get<0>(other.its) + at - other.at; }
  bool operator==(const zip_iterator &other) const { return *this - other == 0; }
  bool operator<(const zip_iterator &other) const { return *this - other < 0; }
};
template <class... It> zip_iterator<std::tuple<It...>> make_zip_iterator(std::tuple<It...> its) { return zip_iterator<std::tuple<It...>>(its); }
template <class... It> zip_iterator<std::tuple<It...>> make_zip_iterator(It... its) { return make_zip_iterator(std::make_tuple(its...)); }
template <class F> struct zip_function {
  F function;
  template <class T> decltype(auto) operator()(T &&all) const { return std::apply(function, all); }
};
template <class F> zip_function<F> make_zip_function(F function) { return {function}; }

// The elements from an iterator on, on the host. store() takes them back.
template <class T> struct haloscope_elements {
  typedef std::remove_const_t<T> Value;
  haloscope_elements(T *p, size_t count) : from(p), count(count), there(count > 0 && haloscope_on_device(p)) {
    if (!there) return;
    copy.reset(new Value[count]);
    haloscope_move(copy.get(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
  }
  Value *begin() const { return there ? copy.get() : (Value *)from; }
  void store() const { if (there) haloscope_move((void *)from, copy.get(), count * sizeof(T), cudaMemcpyHostToDevice); }
  T *from;
  size_t count;
  bool there;
  std::unique_ptr<Value[]> copy;
};
template <class It> struct haloscope_range {
  haloscope_range(It it, size_t) : it(it) {}
  It begin() const { return it; }
  void store() const {}
  It it;
};
template <class T> struct haloscope_range<T *> : haloscope_elements<T> { using haloscope_elements<T>::haloscope_elements; };
template <class T> struct haloscope_range<device_ptr<T>> : haloscope_elements<T> {
  haloscope_range(device_ptr<T> p, size_t count) : haloscope_elements<T>(p.get(), count) {}
};
template <class F, class It> struct haloscope_range<transform_iterator<F, It>> {
  haloscope_range(const transform_iterator<F, It> &it, size_t count) : base(it.at, count), function(it.function) {}
  auto begin() const { return make_transform_iterator(base.begin(), function); }
  void store() const {}
  haloscope_range<It> base;
  F function;
};
template <class... It> struct haloscope_range<zip_iterator<std::tuple<It...>>> {
  haloscope_range(const zip_iterator<std::tuple<It...>> &it, size_t count)
      : all(std::apply([&](const It &...one) { return std::tuple<haloscope_range<It>...>(haloscope_range<It>(one + it.at, count)...); }, it.its)) {}
  auto begin() const { return std::apply([](const auto &...one) { return make_zip_iterator(one.begin()...); }, all); }
  void store() const { std::apply([](const auto &...one) { (one.store(), ...); }, all); }
  std::tuple<haloscope_range<It>...> all;
};

)cuda";

}  // namespace haloscope::host
