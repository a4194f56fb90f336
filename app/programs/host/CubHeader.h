#pragma once

namespace haloscope::host {

/// A stand-in for CUB's algorithms of the whole device; behind kCubBlocks. As for cuBLAS they work on the host, in the
/// order of their stream; memory of their own they need none.
inline constexpr char kCubHeader[] = R"cuda(#ifndef HALOSCOPE_CUB
#define HALOSCOPE_CUB
#include "/haloscope/haloscope_memory.h"
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>
#define CUB_VERSION 200500
namespace cub {
// What an algorithm reads, on the host.
template <class It> struct haloscope_input {
  haloscope_input(const haloscope_stream_at &, It it, size_t) : it(it) {}
  auto operator[](size_t i) const { return it[i]; }
  bool good() const { return true; }
  It it;
};
template <class T> struct haloscope_input<T *> : haloscope_elements_of<const T> {
  haloscope_input(const haloscope_stream_at &in, T *p, size_t n) : haloscope_elements_of<const T>(in, p, n, 1, n, haloscope_reads) {}
};
template <class T> struct CountingInputIterator {
  T first;
  explicit CountingInputIterator(T first) : first(first) {}
  T operator[](size_t i) const { return (T)(first + (T)i); }
};
template <class T> struct ConstantInputIterator {
  T value;
  explicit ConstantInputIterator(T value) : value(value) {}
  T operator[](size_t) const { return value; }
};
template <class V, class Op, class It> struct TransformInputIterator {
  It it;
  Op op;
  TransformInputIterator(It it, Op op) : it(it), op(op) {}
  V operator[](size_t i) const { return op(it[i]); }
};
template <class V, class Op, class It> struct haloscope_input<TransformInputIterator<V, Op, It>> {
  haloscope_input(const haloscope_stream_at &in, const TransformInputIterator<V, Op, It> &of, size_t n) : base(in, of.it, n), op(of.op) {}
  V operator[](size_t i) const { return (V)op(base[i]); }
  bool good() const { return base.good(); }
  haloscope_input<It> base;
  Op op;
};
template <class It> using haloscope_value = std::decay_t<decltype(std::declval<It>()[0])>;
// The first call asks how much memory the second one needs.
#define HALOSCOPE_CUB_BEGIN \
  if (!temporary) return bytes = 256, cudaSuccess; \
  if (n < 0) return cudaErrorInvalidValue; \
  haloscope_not_captured(stream, "CUB in a stream that is captured", at); \
  const haloscope_stream_at in{stream, at};
#define HALOSCOPE_CUB_PARAMETERS cudaStream_t stream = 0, HALOSCOPE_AT
#define HALOSCOPE_CUB_LAST cudaStream_t stream, haloscope_place at

template <class From, class To, class Op, class T>
cudaError_t haloscope_reduced(void *temporary, size_t &bytes, From from, To *to, long long n, Op op, T init, HALOSCOPE_CUB_LAST) {
  HALOSCOPE_CUB_BEGIN
  const haloscope_input<From> values(in, from, (size_t)n);
  haloscope_elements_of<To> result(in, to, 1, 1, 1, haloscope_writes);
  if (!values.good() || !result.good()) return cudaErrorInvalidValue;
  T all = init;
  for (long long i = 0; i < n; ++i) all = op(all, values[i]);
  result[0] = (To)all;
  return result.store() ? cudaSuccess : cudaErrorInvalidValue;
}
template <bool Largest, class From, class Pair>
cudaError_t haloscope_extreme_of(void *temporary, size_t &bytes, From from, Pair *to, long long n, HALOSCOPE_CUB_LAST) {
  HALOSCOPE_CUB_BEGIN
  const haloscope_input<From> values(in, from, (size_t)n);
  haloscope_elements_of<Pair> result(in, to, 1, 1, 1, haloscope_writes);
  if (!values.good() || !result.good()) return cudaErrorInvalidValue;
  long long best = 0;
  for (long long i = 1; i < n; ++i) if (Largest ? values[best] < values[i] : values[i] < values[best]) best = i;
  if (n > 0) result[0] = {(int)best, values[best]};
  return result.store() ? cudaSuccess : cudaErrorInvalidValue;
}
struct DeviceReduce {
  template <class From, class To, class Op, class T> static cudaError_t Reduce(void *temporary, size_t &bytes, From from, To *to, long long n, Op op, T init, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_reduced(temporary, bytes, from, to, n, op, init, stream, at);
  }
  template <class From, class To> static cudaError_t Sum(void *temporary, size_t &bytes, From from, To *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_reduced(temporary, bytes, from, to, n, cub::Sum(), To{}, stream, at);
  }
  template <class From, class To> static cudaError_t Max(void *temporary, size_t &bytes, From from, To *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_reduced(temporary, bytes, from, to, n, cub::Max(), std::numeric_limits<haloscope_value<From>>::lowest(), stream, at);
  }
  template <class From, class To> static cudaError_t Min(void *temporary, size_t &bytes, From from, To *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_reduced(temporary, bytes, from, to, n, cub::Min(), std::numeric_limits<haloscope_value<From>>::max(), stream, at);
  }
  template <class From, class Pair> static cudaError_t ArgMax(void *temporary, size_t &bytes, From from, Pair *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_extreme_of<true>(temporary, bytes, from, to, n, stream, at);
  }
  template <class From, class Pair> static cudaError_t ArgMin(void *temporary, size_t &bytes, From from, Pair *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_extreme_of<false>(temporary, bytes, from, to, n, stream, at);
  }
};
template <bool Inclusive, class From, class To, class Op, class T>
cudaError_t haloscope_scanned(void *temporary, size_t &bytes, From from, To *to, long long n, Op op, T init, HALOSCOPE_CUB_LAST) {
  HALOSCOPE_CUB_BEGIN
  const haloscope_input<From> values(in, from, (size_t)n);
  haloscope_elements_of<To> results(in, to, (size_t)n, 1, (size_t)n, haloscope_writes);
  if (!values.good() || !results.good()) return cudaErrorInvalidValue;
  T all = init;
  for (long long i = 0; i < n; ++i) {
    if (!Inclusive) results[i] = (To)all;
    all = Inclusive && i == 0 ? (T)values[i] : (T)op(all, values[i]);
    if (Inclusive) results[i] = (To)all;
  }
  return results.store() ? cudaSuccess : cudaErrorInvalidValue;
}
struct DeviceScan {
  template <class From, class To> static cudaError_t InclusiveSum(void *temporary, size_t &bytes, From from, To *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_scanned<true>(temporary, bytes, from, to, n, cub::Sum(), haloscope_value<From>{}, stream, at);
  }
  template <class From, class To> static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, From from, To *to, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_scanned<false>(temporary, bytes, from, to, n, cub::Sum(), haloscope_value<From>{}, stream, at);
  }
  template <class From, class To, class Op> static cudaError_t InclusiveScan(void *temporary, size_t &bytes, From from, To *to, Op op, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_scanned<true>(temporary, bytes, from, to, n, op, haloscope_value<From>{}, stream, at);
  }
  template <class From, class To, class Op, class T> static cudaError_t ExclusiveScan(void *temporary, size_t &bytes, From from, To *to, Op op, T init, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_scanned<false>(temporary, bytes, from, to, n, op, init, stream, at);
  }
};
template <bool Descending, class K, class V>
cudaError_t haloscope_sorted(void *temporary, size_t &bytes, const K *from, K *to, const V *valuesFrom, V *valuesTo, long long n, HALOSCOPE_CUB_LAST) {
  HALOSCOPE_CUB_BEGIN
  const size_t values = valuesFrom ? (size_t)n : 0;
  const haloscope_input<const K *> keys(in, from, (size_t)n);
  const haloscope_input<const V *> others(in, valuesFrom, values);
  haloscope_elements_of<K> sorted(in, to, (size_t)n, 1, (size_t)n, haloscope_writes);
  haloscope_elements_of<V> moved(in, valuesTo, values, 1, values, haloscope_writes);
  if (!keys.good() || !others.good() || !sorted.good() || !moved.good()) return cudaErrorInvalidValue;
  std::vector<long long> order((size_t)n);
  for (long long i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](long long a, long long b) { return Descending ? keys[b] < keys[a] : keys[a] < keys[b]; });
  for (long long i = 0; i < n; ++i) {
    sorted[i] = keys[order[i]];
    if (values) moved[i] = others[order[i]];
  }
  return sorted.store() && moved.store() ? cudaSuccess : cudaErrorInvalidValue;
}
// By all bits of the keys.
struct DeviceRadixSort {
#define HALOSCOPE_CUB_SORT(SUFFIX, DESCENDING) \
  template <class K> static cudaError_t SortKeys##SUFFIX(void *temporary, size_t &bytes, const K *from, K *to, long long n, int = 0, int = sizeof(K) * 8, HALOSCOPE_CUB_PARAMETERS) { \
    return haloscope_sorted<DESCENDING, K, int>(temporary, bytes, from, to, nullptr, nullptr, n, stream, at); \
  } \
  template <class K, class V> static cudaError_t SortPairs##SUFFIX(void *temporary, size_t &bytes, const K *from, K *to, const V *valuesFrom, V *valuesTo, long long n, int = 0, int = sizeof(K) * 8, HALOSCOPE_CUB_PARAMETERS) { \
    return haloscope_sorted<DESCENDING>(temporary, bytes, from, to, valuesFrom, valuesTo, n, stream, at); \
  }
  HALOSCOPE_CUB_SORT(, false)
  HALOSCOPE_CUB_SORT(Descending, true)
#undef HALOSCOPE_CUB_SORT
};
template <class From, class To, class Count, class Takes>
cudaError_t haloscope_selected(void *temporary, size_t &bytes, From from, To *to, Count *count, long long n, Takes takes, HALOSCOPE_CUB_LAST) {
  HALOSCOPE_CUB_BEGIN
  const haloscope_input<From> values(in, from, (size_t)n);
  if (!values.good()) return cudaErrorInvalidValue;
  std::vector<haloscope_value<From>> taken;
  for (long long i = 0; i < n; ++i) if (takes(in, values, i)) taken.push_back(values[i]);
  haloscope_elements_of<To> results(in, to, taken.size(), 1, taken.size(), haloscope_writes);
  haloscope_elements_of<Count> number(in, count, 1, 1, 1, haloscope_writes);
  if (!results.good() || !number.good()) return cudaErrorInvalidValue;
  for (size_t i = 0; i < taken.size(); ++i) results[i] = (To)taken[i];
  number[0] = (Count)taken.size();
  return results.store() && number.store() ? cudaSuccess : cudaErrorInvalidValue;
}
struct DeviceSelect {
  template <class From, class To, class Count, class Op> static cudaError_t If(void *temporary, size_t &bytes, From from, To *to, Count *count, long long n, Op op, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_selected(temporary, bytes, from, to, count, n, [&](auto &, auto &values, long long i) { return op(values[i]); }, stream, at);
  }
  template <class From, class To, class Count> static cudaError_t Unique(void *temporary, size_t &bytes, From from, To *to, Count *count, long long n, HALOSCOPE_CUB_PARAMETERS) {
    return haloscope_selected(temporary, bytes, from, to, count, n, [&](auto &, auto &values, long long i) { return i == 0 || !(values[i] == values[i - 1]); }, stream, at);
  }
  template <class From, class Flags, class To, class Count> static cudaError_t Flagged(void *temporary, size_t &bytes, From from, Flags flags, To *to, Count *count, long long n, HALOSCOPE_CUB_PARAMETERS) {
    if (!temporary) return bytes = 256, cudaSuccess;
    const haloscope_input<Flags> given({stream, at}, flags, (size_t)n);
    if (!given.good()) return cudaErrorInvalidValue;
    return haloscope_selected(temporary, bytes, from, to, count, n, [&](auto &, auto &, long long i) { return (bool)given[i]; }, stream, at);
  }
};
struct DeviceHistogram {
  template <class From, class Count, class Level> static cudaError_t HistogramEven(void *temporary, size_t &bytes, From from, Count *histogram, int levels, Level lower, Level upper, long long n, HALOSCOPE_CUB_PARAMETERS) {
    HALOSCOPE_CUB_BEGIN
    if (levels < 2) return cudaErrorInvalidValue;
    const size_t bins = (size_t)(levels - 1);
    const haloscope_input<From> values(in, from, (size_t)n);
    haloscope_elements_of<Count> counts(in, histogram, bins, 1, bins, haloscope_writes);
    if (!values.good() || !counts.good()) return cudaErrorInvalidValue;
    for (size_t i = 0; i < bins; ++i) counts[i] = 0;
    for (long long i = 0; i < n; ++i) {
      const auto one = values[i];
      if (one < lower || !(one < upper)) continue;
      ++counts[std::min(bins - 1, (size_t)((double)(one - lower) * (double)bins / (double)(upper - lower)))];
    }
    return counts.store() ? cudaSuccess : cudaErrorInvalidValue;
  }
};
#undef HALOSCOPE_CUB_BEGIN
#undef HALOSCOPE_CUB_PARAMETERS
#undef HALOSCOPE_CUB_LAST
}
#endif
)cuda";

/// Headers of CUB that are there, without "cub/".
inline constexpr const char* kCubHeaders[] = {
    "cub.cuh",
    "block/block_load.cuh",
    "block/block_reduce.cuh",
    "block/block_scan.cuh",
    "block/block_store.cuh",
    "device/device_histogram.cuh",
    "device/device_radix_sort.cuh",
    "device/device_reduce.cuh",
    "device/device_scan.cuh",
    "device/device_select.cuh",
    "iterator/constant_input_iterator.cuh",
    "iterator/counting_input_iterator.cuh",
    "iterator/transform_input_iterator.cuh",
    "warp/warp_reduce.cuh",
    "warp/warp_scan.cuh",
};

}  // namespace haloscope::host
