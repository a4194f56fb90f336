#pragma once

namespace haloscope {

/// What both halves of a program use of libcu++: the containers and limits of <cuda/std/…>, and <cuda/atomic>. Behind
/// kThreadScopes.
inline constexpr char kCudaStd[] = R"cuda(#ifndef HALOSCOPE_CUDA_STD
#define HALOSCOPE_CUDA_STD
namespace cuda {
namespace std {
template <class T, size_t N> struct array {
  typedef T value_type;
  typedef T *iterator;
  typedef const T *const_iterator;
  T haloscope_values[N];
  __host__ __device__ constexpr T &operator[](size_t i) { return haloscope_values[i]; }
  __host__ __device__ constexpr const T &operator[](size_t i) const { return haloscope_values[i]; }
  __host__ __device__ constexpr size_t size() const { return N; }
  __host__ __device__ constexpr bool empty() const { return N == 0; }
  __host__ __device__ constexpr T *data() { return haloscope_values; }
  __host__ __device__ constexpr const T *data() const { return haloscope_values; }
  __host__ __device__ constexpr T *begin() { return haloscope_values; }
  __host__ __device__ constexpr T *end() { return haloscope_values + N; }
  __host__ __device__ constexpr const T *begin() const { return haloscope_values; }
  __host__ __device__ constexpr const T *end() const { return haloscope_values + N; }
  __host__ __device__ constexpr T &front() { return haloscope_values[0]; }
  __host__ __device__ constexpr T &back() { return haloscope_values[N - 1]; }
  __host__ __device__ constexpr const T &front() const { return haloscope_values[0]; }
  __host__ __device__ constexpr const T &back() const { return haloscope_values[N - 1]; }
  __host__ __device__ constexpr void fill(const T &value) { for (size_t i = 0; i < N; ++i) haloscope_values[i] = value; }
};
constexpr size_t dynamic_extent = (size_t)-1;
template <class T, size_t Extent = dynamic_extent> struct span {
  typedef T element_type;
  T *haloscope_begin;
  size_t haloscope_size;
  __host__ __device__ constexpr span() : haloscope_begin(nullptr), haloscope_size(0) {}
  __host__ __device__ constexpr span(T *begin, size_t size) : haloscope_begin(begin), haloscope_size(size) {}
  template <size_t N> __host__ __device__ constexpr span(T (&values)[N]) : haloscope_begin(values), haloscope_size(N) {}
  __host__ __device__ constexpr T &operator[](size_t i) const { return haloscope_begin[i]; }
  __host__ __device__ constexpr size_t size() const { return haloscope_size; }
  __host__ __device__ constexpr bool empty() const { return haloscope_size == 0; }
  __host__ __device__ constexpr T *data() const { return haloscope_begin; }
  __host__ __device__ constexpr T *begin() const { return haloscope_begin; }
  __host__ __device__ constexpr T *end() const { return haloscope_begin + haloscope_size; }
  __host__ __device__ constexpr T &front() const { return haloscope_begin[0]; }
  __host__ __device__ constexpr T &back() const { return haloscope_begin[haloscope_size - 1]; }
  __host__ __device__ constexpr span subspan(size_t at, size_t count = dynamic_extent) const {
    return span(haloscope_begin + at, count == dynamic_extent ? haloscope_size - at : count);
  }
  __host__ __device__ constexpr span first(size_t count) const { return span(haloscope_begin, count); }
  __host__ __device__ constexpr span last(size_t count) const { return span(haloscope_begin + (haloscope_size - count), count); }
};
template <class A, class B> struct pair { A first; B second; };
template <class A, class B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }
template <class T> __host__ __device__ constexpr T min(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr T max(T a, T b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr void swap(T &a, T &b) { T old = a; a = b; b = old; }
template <class T> struct numeric_limits;
#define HALOSCOPE_LIMITS(T, LEAST, MOST) \
  template <> struct numeric_limits<T> { \
    static constexpr bool is_specialized = true, is_integer = true; \
    __host__ __device__ static constexpr T min() { return LEAST; } \
    __host__ __device__ static constexpr T lowest() { return LEAST; } \
    __host__ __device__ static constexpr T max() { return MOST; } \
  };
HALOSCOPE_LIMITS(int, -__INT_MAX__ - 1, __INT_MAX__) HALOSCOPE_LIMITS(unsigned int, 0u, __INT_MAX__ * 2u + 1u)
HALOSCOPE_LIMITS(long, -__LONG_MAX__ - 1l, __LONG_MAX__) HALOSCOPE_LIMITS(unsigned long, 0ul, __LONG_MAX__ * 2ul + 1ul)
HALOSCOPE_LIMITS(long long, -__LONG_LONG_MAX__ - 1ll, __LONG_LONG_MAX__)
HALOSCOPE_LIMITS(unsigned long long, 0ull, __LONG_LONG_MAX__ * 2ull + 1ull)
HALOSCOPE_LIMITS(short, (short)(-__SHRT_MAX__ - 1), (short)__SHRT_MAX__) HALOSCOPE_LIMITS(unsigned short, (unsigned short)0, (unsigned short)65535)
HALOSCOPE_LIMITS(signed char, (signed char)-128, (signed char)127) HALOSCOPE_LIMITS(unsigned char, (unsigned char)0, (unsigned char)255)
#undef HALOSCOPE_LIMITS
#define HALOSCOPE_LIMITS(T, PREFIX, HUGE_VALUE, QUIET) \
  template <> struct numeric_limits<T> { \
    static constexpr bool is_specialized = true, is_integer = false; \
    __host__ __device__ static constexpr T min() { return __##PREFIX##_MIN__; } \
    __host__ __device__ static constexpr T lowest() { return -__##PREFIX##_MAX__; } \
    __host__ __device__ static constexpr T max() { return __##PREFIX##_MAX__; } \
    __host__ __device__ static constexpr T epsilon() { return __##PREFIX##_EPSILON__; } \
    __host__ __device__ static constexpr T infinity() { return HUGE_VALUE; } \
    __host__ __device__ static constexpr T quiet_NaN() { return QUIET; } \
  };
HALOSCOPE_LIMITS(float, FLT, __builtin_huge_valf(), __builtin_nanf("")) HALOSCOPE_LIMITS(double, DBL, __builtin_huge_val(), __builtin_nan(""))
#undef HALOSCOPE_LIMITS
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
}
using std::memory_order;
constexpr memory_order memory_order_relaxed = std::memory_order_relaxed, memory_order_consume = std::memory_order_consume,
                       memory_order_acquire = std::memory_order_acquire, memory_order_release = std::memory_order_release,
                       memory_order_acq_rel = std::memory_order_acq_rel, memory_order_seq_cst = std::memory_order_seq_cst;
__device__ inline void haloscope_before(memory_order order) { if (order >= memory_order_release) __threadfence(); }
__device__ inline void haloscope_behind(memory_order order) { if (order != memory_order_relaxed && order != memory_order_release) __threadfence(); }
__device__ inline void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) { if (order != memory_order_relaxed) __threadfence(); }
#define HALOSCOPE_ATOMIC_CALL(NAME, CALL) \
  __device__ T NAME(T value, memory_order order = memory_order_seq_cst) const { \
    haloscope_before(order); \
    T old = CALL; \
    haloscope_behind(order); \
    return old; \
  }
#define HALOSCOPE_ATOMIC_CALLS \
  HALOSCOPE_ATOMIC_CALL(fetch_add, atomicAdd(haloscope_at(), value)) HALOSCOPE_ATOMIC_CALL(fetch_sub, atomicAdd(haloscope_at(), (T)(0 - value))) \
  HALOSCOPE_ATOMIC_CALL(fetch_min, atomicMin(haloscope_at(), value)) HALOSCOPE_ATOMIC_CALL(fetch_max, atomicMax(haloscope_at(), value)) \
  HALOSCOPE_ATOMIC_CALL(fetch_and, atomicAnd(haloscope_at(), value)) HALOSCOPE_ATOMIC_CALL(fetch_or, atomicOr(haloscope_at(), value)) \
  HALOSCOPE_ATOMIC_CALL(fetch_xor, atomicXor(haloscope_at(), value)) HALOSCOPE_ATOMIC_CALL(exchange, atomicExch(haloscope_at(), value)) \
  __device__ bool compare_exchange_strong(T &expected, T desired, memory_order order = memory_order_seq_cst) const { \
    haloscope_before(order); \
    T old = atomicCAS(haloscope_at(), expected, desired); \
    bool same = old == expected; \
    expected = old; \
    haloscope_behind(order); \
    return same; \
  } \
  __device__ bool compare_exchange_weak(T &expected, T desired, memory_order order = memory_order_seq_cst) const { return compare_exchange_strong(expected, desired, order); } \
  __device__ T operator++() const { return fetch_add(1) + 1; } \
  __device__ T operator++(int) const { return fetch_add(1); } \
  __device__ T operator--() const { return fetch_sub(1) - 1; } \
  __device__ T operator+=(T value) const { return fetch_add(value) + value; }
#ifdef HALOSCOPE_CALL
// On the host nothing else is at work on it.
#define HALOSCOPE_ATOMIC_ACCESS \
  __host__ __device__ T load(memory_order = memory_order_seq_cst) const { return *haloscope_at(); } \
  __host__ __device__ void store(T value, memory_order = memory_order_seq_cst) const { *haloscope_at() = value; } \
  __host__ __device__ operator T() const { return load(); }
#else
#define HALOSCOPE_ATOMIC_ACCESS \
  __device__ T load(memory_order order = memory_order_seq_cst) const { \
    T value = atomicAdd(haloscope_at(), (T)0); \
    haloscope_behind(order); \
    return value; \
  } \
  __device__ void store(T value, memory_order order = memory_order_seq_cst) const { \
    haloscope_before(order); \
    atomicExch(haloscope_at(), value); \
  } \
  __device__ operator T() const { return load(); }
#endif
template <class T, thread_scope Scope = thread_scope_system> class atomic {
 public:
  __host__ __device__ constexpr atomic() : haloscope_value() {}
  __host__ __device__ constexpr atomic(T value) : haloscope_value(value) {}
  HALOSCOPE_ATOMIC_CALLS
  HALOSCOPE_ATOMIC_ACCESS

 private:
  __host__ __device__ T *haloscope_at() const { return const_cast<T *>(&haloscope_value); }
  T haloscope_value;
};
template <class T, thread_scope Scope = thread_scope_system> class atomic_ref {
 public:
  __host__ __device__ explicit atomic_ref(T &one) : haloscope_pointer(&one) {}
  HALOSCOPE_ATOMIC_CALLS
  HALOSCOPE_ATOMIC_ACCESS

 private:
  __host__ __device__ T *haloscope_at() const { return haloscope_pointer; }
  T *haloscope_pointer;
};
#undef HALOSCOPE_ATOMIC_CALL
#undef HALOSCOPE_ATOMIC_CALLS
#undef HALOSCOPE_ATOMIC_ACCESS
}
#endif
)cuda";

/// Of several of libcu++'s headers.
inline constexpr char kThreadScopes[] = R"cuda(#ifndef HALOSCOPE_THREAD_SCOPES
#define HALOSCOPE_THREAD_SCOPES
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
}
#endif
)cuda";

}  // namespace haloscope
