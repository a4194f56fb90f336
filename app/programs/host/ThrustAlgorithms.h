#pragma once

namespace haloscope::host {

/// The algorithms of thrust that students use, and its random numbers: goes on where kThrustArrays ends.
inline constexpr char kThrustAlgorithms[] =
    R"cuda(// Where an algorithm runs is the same here; its pointers say where their elements are.
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
