#pragma once

/// A stand-in for thrust: its vectors, pointers, iterators and the algorithms that students use. Elements of the device
/// are copied to the host, worked on there in order, and copied back; what that takes is not predicted.
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

inline constexpr char kThrustHeader[] = R"cuda(#ifndef HALOSCOPE_THRUST
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
  if (bytes > 0) haloscope_copy(&rows, kind, 0, haloscope_caller);
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

// Where an algorithm runs is the same here; its pointers say where their elements are.
struct haloscope_policy {
  template <class S> haloscope_policy on(S) const { return {}; }
  template <class A> haloscope_policy operator()(A &&) const { return {}; }
};
constexpr haloscope_policy host, device, seq;
namespace cuda { constexpr haloscope_policy par, par_nosync; }
namespace system { namespace cuda { constexpr haloscope_policy par; } }
#define HALOSCOPE_ALGORITHM(NAME) \
  template <class... A> auto NAME(const haloscope_policy &, A &&...arguments) { return NAME(std::forward<A>(arguments)...); }

template <class In, class Out> Out copy_n(In in, size_t count, Out out) {
  haloscope_range<In> from(in, count);
  haloscope_range<Out> to(out, count);
  std::copy_n(from.begin(), count, to.begin());
  to.store();
  return out + count;
}
template <class In, class Out> Out copy(In first, In last, Out out) { return copy_n(first, (size_t)(last - first), out); }
HALOSCOPE_ALGORITHM(copy_n) HALOSCOPE_ALGORITHM(copy)
template <class It, class F> void haloscope_change(It first, It last, F work) {
  const size_t count = (size_t)(last - first);
  haloscope_range<It> range(first, count);
  const auto begin = range.begin();
  work(begin, begin + count);
  range.store();
}
template <class It, class F> auto haloscope_look(It first, It last, F work) {
  const size_t count = (size_t)(last - first);
  const haloscope_range<It> range(first, count);
  const auto begin = range.begin();
  return work(begin, begin + count);
}
template <class It, class T> void fill(It first, It last, const T &value) { haloscope_change(first, last, [&](auto a, auto b) { std::fill(a, b, value); }); }
template <class It, class T> It fill_n(It first, size_t count, const T &value) { return fill(first, first + count, value), first + count; }
template <class It> void sequence(It first, It last) { haloscope_change(first, last, [&](auto a, auto b) { std::iota(a, b, typename std::iterator_traits<It>::value_type{}); }); }
template <class It, class T> void sequence(It first, It last, T init) { haloscope_change(first, last, [&](auto a, auto b) { std::iota(a, b, init); }); }
template <class It, class T> void sequence(It first, It last, T init, T step) { haloscope_change(first, last, [&](auto a, auto b) { for (; a < b; ++a, init += step) *a = init; }); }
template <class It, class F> void generate(It first, It last, F function) { haloscope_change(first, last, [&](auto a, auto b) { std::generate(a, b, function); }); }
template <class It, class F> void tabulate(It first, It last, F function) { haloscope_change(first, last, [&](auto a, auto b) { for (auto at = a; at < b; ++at) *at = function(at - a); }); }
template <class It, class F> It for_each(It first, It last, F function) { return haloscope_change(first, last, [&](auto a, auto b) { for (; a < b; ++a) function(*a); }), last; }
template <class It, class F> It for_each_n(It first, size_t count, F function) { return for_each(first, first + count, function); }
template <class It, class T> void replace(It first, It last, const T &old, const T &value) { haloscope_change(first, last, [&](auto a, auto b) { std::replace(a, b, old, value); }); }
template <class It> void reverse(It first, It last) { haloscope_change(first, last, [&](auto a, auto b) { std::reverse(a, b); }); }
template <class It, class F = std::less<>> void sort(It first, It last, F less = {}) { haloscope_change(first, last, [&](auto a, auto b) { std::sort(a, b, less); }); }
template <class It, class F = std::less<>> void stable_sort(It first, It last, F less = {}) { haloscope_change(first, last, [&](auto a, auto b) { std::stable_sort(a, b, less); }); }
template <class K, class V, class F = std::less<>> void sort_by_key(K first, K last, V values, F less = {}) {
  const size_t count = (size_t)(last - first);
  haloscope_range<K> keys(first, count);
  haloscope_range<V> others(values, count);
  auto key = keys.begin();
  auto value = others.begin();
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(key[a], key[b]); });
  std::vector<typename std::iterator_traits<K>::value_type> oldKeys(key, key + count);
  std::vector<typename std::iterator_traits<V>::value_type> old(value, value + count);
  for (size_t i = 0; i < count; ++i) key[i] = oldKeys[order[i]], value[i] = old[order[i]];
  keys.store(), others.store();
}
HALOSCOPE_ALGORITHM(fill) HALOSCOPE_ALGORITHM(fill_n) HALOSCOPE_ALGORITHM(sequence) HALOSCOPE_ALGORITHM(generate)
HALOSCOPE_ALGORITHM(tabulate) HALOSCOPE_ALGORITHM(for_each) HALOSCOPE_ALGORITHM(for_each_n) HALOSCOPE_ALGORITHM(replace)
HALOSCOPE_ALGORITHM(reverse) HALOSCOPE_ALGORITHM(sort) HALOSCOPE_ALGORITHM(stable_sort) HALOSCOPE_ALGORITHM(sort_by_key)

template <class In, class Out, class F> Out haloscope_mapped(In first, In last, Out out, F work) {
  const size_t count = (size_t)(last - first);
  haloscope_range<In> from(first, count);
  haloscope_range<Out> to(out, count);
  const auto begin = from.begin();
  work(begin, begin + count, to.begin());
  to.store();
  return out + count;
}
template <class In, class Out, class F> Out transform(In first, In last, Out out, F function) {
  return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) { std::transform(a, b, to, function); });
}
template <class In, class In2, class Out, class F> Out transform(In first, In last, In2 second, Out out, F function) {
  const haloscope_range<In2> other(second, (size_t)(last - first));
  return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) { std::transform(a, b, other.begin(), to, function); });
}
template <class In, class Out> Out inclusive_scan(In first, In last, Out out) { return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) { std::partial_sum(a, b, to); }); }
template <class In, class Out, class F> Out inclusive_scan(In first, In last, Out out, F add) { return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) { std::partial_sum(a, b, to, add); }); }
template <class In, class Out, class T, class F> Out exclusive_scan(In first, In last, Out out, T init, F add) {
  return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) {
    for (; a < b; ++a, ++to) { const T next = add(init, *a); *to = init, init = next; }
  });
}
template <class In, class Out, class T> Out exclusive_scan(In first, In last, Out out, T init) { return exclusive_scan(first, last, out, init, std::plus<>()); }
template <class In, class Out> Out exclusive_scan(In first, In last, Out out) { return exclusive_scan(first, last, out, typename std::iterator_traits<In>::value_type{}); }
template <class In, class Out> Out adjacent_difference(In first, In last, Out out) { return haloscope_mapped(first, last, out, [&](auto a, auto b, auto to) { std::adjacent_difference(a, b, to); }); }
HALOSCOPE_ALGORITHM(transform) HALOSCOPE_ALGORITHM(inclusive_scan) HALOSCOPE_ALGORITHM(exclusive_scan) HALOSCOPE_ALGORITHM(adjacent_difference)

template <class It, class T, class F> T reduce(It first, It last, T init, F add) {
  return haloscope_look(first, last, [&](auto a, auto b) { for (; a < b; ++a) init = add(init, *a); return init; });
}
template <class It, class T> T reduce(It first, It last, T init) { return reduce(first, last, init, std::plus<>()); }
template <class It> auto reduce(It first, It last) { return reduce(first, last, typename std::iterator_traits<It>::value_type{}); }
template <class It, class F, class T, class G> T transform_reduce(It first, It last, F function, T init, G add) {
  return haloscope_look(first, last, [&](auto a, auto b) { for (; a < b; ++a) init = add(init, function(*a)); return init; });
}
template <class It, class It2, class T, class F, class G> T inner_product(It first, It last, It2 second, T init, F add, G times) {
  const haloscope_range<It2> other(second, (size_t)(last - first));
  return haloscope_look(first, last, [&](auto a, auto b) {
    auto with = other.begin();
    for (; a < b; ++a, ++with) init = add(init, times(*a, *with));
    return init;
  });
}
template <class It, class It2, class T> T inner_product(It first, It last, It2 second, T init) { return inner_product(first, last, second, init, std::plus<>(), std::multiplies<>()); }
template <class It, class F = std::less<>> It max_element(It first, It last, F less = {}) { return first + haloscope_look(first, last, [&](auto a, auto b) { return std::max_element(a, b, less) - a; }); }
template <class It, class F = std::less<>> It min_element(It first, It last, F less = {}) { return first + haloscope_look(first, last, [&](auto a, auto b) { return std::min_element(a, b, less) - a; }); }
template <class It> std::pair<It, It> minmax_element(It first, It last) { return {min_element(first, last), max_element(first, last)}; }
template <class It, class T> ptrdiff_t count(It first, It last, const T &value) { return haloscope_look(first, last, [&](auto a, auto b) { return std::count(a, b, value); }); }
template <class It, class F> ptrdiff_t count_if(It first, It last, F test) { return haloscope_look(first, last, [&](auto a, auto b) { return std::count_if(a, b, test); }); }
template <class It, class T> It find(It first, It last, const T &value) { return first + haloscope_look(first, last, [&](auto a, auto b) { return std::find(a, b, value) - a; }); }
template <class It, class F> It find_if(It first, It last, F test) { return first + haloscope_look(first, last, [&](auto a, auto b) { return std::find_if(a, b, test) - a; }); }
template <class It, class F> bool all_of(It first, It last, F test) { return haloscope_look(first, last, [&](auto a, auto b) { return std::all_of(a, b, test); }); }
template <class It, class F> bool any_of(It first, It last, F test) { return haloscope_look(first, last, [&](auto a, auto b) { return std::any_of(a, b, test); }); }
template <class It, class F> bool none_of(It first, It last, F test) { return haloscope_look(first, last, [&](auto a, auto b) { return std::none_of(a, b, test); }); }
template <class It, class It2> bool equal(It first, It last, It2 second) {
  const haloscope_range<It2> other(second, (size_t)(last - first));
  return haloscope_look(first, last, [&](auto a, auto b) { return std::equal(a, b, other.begin()); });
}
template <class It> bool is_sorted(It first, It last) { return haloscope_look(first, last, [&](auto a, auto b) { return std::is_sorted(a, b); }); }
HALOSCOPE_ALGORITHM(reduce) HALOSCOPE_ALGORITHM(transform_reduce) HALOSCOPE_ALGORITHM(inner_product) HALOSCOPE_ALGORITHM(max_element)
HALOSCOPE_ALGORITHM(min_element) HALOSCOPE_ALGORITHM(minmax_element) HALOSCOPE_ALGORITHM(count) HALOSCOPE_ALGORITHM(count_if)
HALOSCOPE_ALGORITHM(find) HALOSCOPE_ALGORITHM(find_if) HALOSCOPE_ALGORITHM(all_of) HALOSCOPE_ALGORITHM(any_of) HALOSCOPE_ALGORITHM(none_of)
HALOSCOPE_ALGORITHM(equal) HALOSCOPE_ALGORITHM(is_sorted)

template <class T> class device_vector;
template <class T> class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(const std::vector<T> &other) : std::vector<T>(other) {}
  host_vector(const device_vector<T> &other) { *this = other; }
  template <class U> host_vector(const device_ptr<U> &first, const device_ptr<U> &last) : std::vector<T>((size_t)(last - first)) { thrust::copy(first, last, this->data()); }
  host_vector &operator=(const device_vector<T> &other) {
    this->resize(other.size());
    haloscope_move(std::vector<T>::data(), other.data().get(), other.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return *this;
  }
};
template <class T> class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> iterator, pointer;
  typedef device_ptr<const T> const_iterator, const_pointer;
  typedef device_reference<T> reference;
  typedef size_t size_type;
  device_vector() = default;
  explicit device_vector(size_t count, const T &value = T()) { resize(count, value); }
  device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
  device_vector(device_vector &&other) noexcept { swap(other); }
  device_vector(const std::vector<T> &other) { *this = other; }
  device_vector(std::initializer_list<T> list) : device_vector(std::vector<T>(list)) {}
  template <class It> requires std::input_iterator<It> || std::is_base_of_v<std::random_access_iterator_tag, typename It::iterator_category>
  device_vector(It first, It last) { assign(first, last); }
  ~device_vector() { if (data_) haloscope_free((void *)data_, 0, haloscope_caller); }
  device_vector &operator=(const device_vector &other) { if (this != &other) assign(other.begin(), other.end()); return *this; }
  device_vector &operator=(device_vector &&other) noexcept { return swap(other), *this; }
  device_vector &operator=(const std::vector<T> &other) {
    reallocate(other.size());
    haloscope_move((void *)data_, other.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
  template <class It> void assign(It first, It last) {
    reallocate((size_t)(last - first));
    thrust::copy(first, last, begin());
  }
  void resize(size_t count, const T &value = T()) {
    if (count == size_) return;
    device_vector old;
    swap(old);
    reallocate(count);
    const size_t kept = std::min(count, old.size_);
    if (kept > 0) haloscope_move((void *)data_, old.data_, kept * sizeof(T), cudaMemcpyDeviceToDevice);
    thrust::fill(begin() + kept, end(), value);
  }
  void push_back(const T &value) { resize(size_ + 1, value); }
  void clear() { device_vector().swap(*this); }
  void reserve(size_t) {}
  void shrink_to_fit() {}
  void swap(device_vector &other) noexcept { std::swap(data_, other.data_), std::swap(size_, other.size_); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return pointer(data_); }
  const_pointer data() const { return const_pointer(data_); }
  reference operator[](size_t i) { return begin()[(ptrdiff_t)i]; }
  T operator[](size_t i) const { return begin()[(ptrdiff_t)i]; }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }

 private:
  void reallocate(size_t count) {
    if (count == size_) return;
    if (data_) haloscope_free((void *)data_, 0, haloscope_caller);
    data_ = nullptr, size_ = 0;
    data_ = haloscope_new<T>(count), size_ = count;
  }
  T *data_ = nullptr;
  size_t size_ = 0;
};
template <class T> bool operator==(const device_vector<T> &a, const device_vector<T> &b) { return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin()); }

template <class T = void> using plus = std::plus<T>;
template <class T = void> using minus = std::minus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using divides = std::divides<T>;
template <class T = void> using modulus = std::modulus<T>;
template <class T = void> using negate = std::negate<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using less_equal = std::less_equal<T>;
template <class T = void> using greater_equal = std::greater_equal<T>;
template <class T = void> using equal_to = std::equal_to<T>;
template <class T = void> using not_equal_to = std::not_equal_to<T>;
template <class T = void> using logical_and = std::logical_and<T>;
template <class T = void> using logical_or = std::logical_or<T>;
template <class T = void> using logical_not = std::logical_not<T>;
template <class T = void> struct maximum { template <class U> HALOSCOPE_BOTH U operator()(U a, U b) const { return a < b ? b : a; } };
template <class T = void> struct minimum { template <class U> HALOSCOPE_BOTH U operator()(U a, U b) const { return b < a ? b : a; } };
template <class T = void> struct identity { template <class U> HALOSCOPE_BOTH U operator()(U a) const { return a; } };
template <class T = void> struct square { template <class U> HALOSCOPE_BOTH U operator()(U a) const { return a * a; } };
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function { typedef A first_argument_type; typedef B second_argument_type; typedef R result_type; };

// The engines are those of the C++ library; its distributions draw other numbers from them than thrust's.
using std::minstd_rand;
using std::minstd_rand0;
using default_random_engine = std::minstd_rand0;
template <class T = double> using uniform_real_distribution = std::uniform_real_distribution<T>;
template <class T = int> using uniform_int_distribution = std::uniform_int_distribution<T>;
template <class T = double> using normal_distribution = std::normal_distribution<T>;
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
template <class T = double> using uniform_real_distribution = std::uniform_real_distribution<T>;
template <class T = int> using uniform_int_distribution = std::uniform_int_distribution<T>;
template <class T = double> using normal_distribution = std::normal_distribution<T>;
}  // namespace random
}  // namespace thrust
#endif
)cuda";

}  // namespace haloscope::host
