#pragma once

namespace haloscope::preludes {

/// The declarations of CUDA's headers that kernels use; read before every kernel file. The lowering recognises
/// functions without a body by their names (math functions, barriers) or refuses them by name; those with a body are
/// inlined and have no statements to step through. Needs kVectorTypes.
inline constexpr char kPrelude[] = R"cuda(
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline
#define __inline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...) __attribute__((annotate("haloscope_cluster_dims", __VA_ARGS__)))
#define NULL 0
#define CUDART_PI_F 3.141592654f
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define INFINITY __builtin_huge_valf()
#define HUGE_VALF __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2u + 1u)

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// Names that host code uses in declarations; its function bodies are not parsed.
typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp {};
struct cudaPos { size_t x, y, z; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct FILE {};
namespace std {
template <class...> struct vector {};
template <class...> struct unique_ptr {};
template <class...> struct shared_ptr {};
template <class...> struct function {};
template <class, size_t> struct array {};
struct string {};
struct string_view {};
struct ostream {};
using ::size_t; using ::ptrdiff_t; using ::uintptr_t;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t;
using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
}

#pragma clang force_cuda_host_device begin

struct dim3 { unsigned int x = 1, y = 1, z = 1; };

#define HALOSCOPE_MATH1(NAME) \
  float NAME##f(float); float NAME(float); double NAME(double); \
  template <class T> inline __attribute__((enable_if(__is_integral(T), ""))) double NAME(T x) { return NAME((double)x); }
HALOSCOPE_MATH1(sqrt) HALOSCOPE_MATH1(rsqrt) HALOSCOPE_MATH1(cbrt) HALOSCOPE_MATH1(exp) HALOSCOPE_MATH1(exp2)
HALOSCOPE_MATH1(log) HALOSCOPE_MATH1(log2) HALOSCOPE_MATH1(log10) HALOSCOPE_MATH1(sin) HALOSCOPE_MATH1(cos)
HALOSCOPE_MATH1(tan) HALOSCOPE_MATH1(asin) HALOSCOPE_MATH1(acos) HALOSCOPE_MATH1(atan) HALOSCOPE_MATH1(sinh)
HALOSCOPE_MATH1(cosh) HALOSCOPE_MATH1(tanh) HALOSCOPE_MATH1(floor) HALOSCOPE_MATH1(ceil) HALOSCOPE_MATH1(trunc)
HALOSCOPE_MATH1(round) HALOSCOPE_MATH1(rint) HALOSCOPE_MATH1(nearbyint) HALOSCOPE_MATH1(fabs)
#undef HALOSCOPE_MATH1
#define HALOSCOPE_MATH2(NAME) \
  float NAME##f(float, float); float NAME(float, float); double NAME(double, double); \
  double NAME(float, double); double NAME(double, float);
HALOSCOPE_MATH2(pow) HALOSCOPE_MATH2(fmin) HALOSCOPE_MATH2(fmax) HALOSCOPE_MATH2(fmod) HALOSCOPE_MATH2(atan2)
HALOSCOPE_MATH2(hypot) HALOSCOPE_MATH2(copysign)
#undef HALOSCOPE_MATH2
float pow(float, int); double pow(double, int);
float fmaf(float, float, float); float fma(float, float, float); double fma(double, double, double);
float __fmaf_rn(float, float, float); double __fma_rn(double, double, double);
float __sinf(float); float __cosf(float); float __tanf(float); float __expf(float); float __logf(float);
float __log2f(float); float __log10f(float); float __powf(float, float);
float __fsqrt_rn(float); float __frsqrt_rn(float); double __dsqrt_rn(double);

#define HALOSCOPE_MINMAX(T) T min(T, T); T max(T, T);
HALOSCOPE_MINMAX(int) HALOSCOPE_MINMAX(unsigned int) HALOSCOPE_MINMAX(long) HALOSCOPE_MINMAX(unsigned long)
HALOSCOPE_MINMAX(long long) HALOSCOPE_MINMAX(unsigned long long) HALOSCOPE_MINMAX(float) HALOSCOPE_MINMAX(double)
#undef HALOSCOPE_MINMAX
#define HALOSCOPE_MINMAX(R, A, B) R min(A, B); R min(B, A); R max(A, B); R max(B, A);
HALOSCOPE_MINMAX(unsigned int, int, unsigned int) HALOSCOPE_MINMAX(unsigned long, long, unsigned long)
HALOSCOPE_MINMAX(unsigned long long, long long, unsigned long long) HALOSCOPE_MINMAX(double, float, double)
#undef HALOSCOPE_MINMAX
double nan(const char *); float nanf(const char *);
int abs(int); long abs(long); long long abs(long long); float abs(float); double abs(double);
long labs(long); long long llabs(long long);

inline bool isnan(float x) { return x != x; }
inline bool isnan(double x) { return x != x; }
inline bool isinf(float x) { return fabsf(x) == INFINITY; }
inline bool isinf(double x) { return fabs(x) == (double)INFINITY; }
inline bool isfinite(float x) { return fabsf(x) < INFINITY; }
inline bool isfinite(double x) { return fabs(x) < (double)INFINITY; }
inline float fdividef(float a, float b) { return a / b; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline float __saturatef(float a) { return fminf(fmaxf(a, 0.0f), 1.0f); }
inline int __mul24(int a, int b) { return a * b; }
inline unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
inline int __float2int_rn(float a) { return (int)rintf(a); }
inline int __float2int_rz(float a) { return (int)a; }
inline int __float2int_rd(float a) { return (int)floorf(a); }
inline int __float2int_ru(float a) { return (int)ceilf(a); }
inline float __int2float_rn(int a) { return (float)a; }
inline float __double2float_rn(double a) { return (float)a; }
inline int __popc(unsigned int x) {
  unsigned int a = x - ((x >> 1) & 0x55555555u);
  unsigned int b = (a & 0x33333333u) + ((a >> 2) & 0x33333333u);
  return (int)((((b + (b >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
inline int __popcll(unsigned long long x) { return __popc((unsigned int)x) + __popc((unsigned int)(x >> 32)); }
inline int __clz(int x) {
  unsigned int a = (unsigned int)x | (unsigned int)x >> 1;
  unsigned int b = a | a >> 2;
  unsigned int c = b | b >> 4;
  unsigned int d = c | c >> 8;
  return 32 - __popc(d | d >> 16);
}
inline int __clzll(long long x) {
  unsigned long long a = (unsigned long long)x | (unsigned long long)x >> 1;
  unsigned long long b = a | a >> 2;
  unsigned long long c = b | b >> 4;
  unsigned long long d = c | c >> 8;
  unsigned long long e = d | d >> 16;
  return 64 - __popcll(e | e >> 32);
}
inline int __ffs(int x) {
  int zeros = __popc(~(unsigned int)x & ((unsigned int)x - 1u));
  return zeros + 1 - 33 * (zeros >> 5);
}
inline int __ffsll(long long x) {
  int zeros = __popcll(~(unsigned long long)x & ((unsigned long long)x - 1ull));
  return zeros + 1 - 65 * (zeros >> 6);
}
inline unsigned int __brev(unsigned int x) {
  unsigned int a = ((x >> 1) & 0x55555555u) | (x & 0x55555555u) << 1;
  unsigned int b = ((a >> 2) & 0x33333333u) | (a & 0x33333333u) << 2;
  unsigned int c = ((b >> 4) & 0x0f0f0f0fu) | (b & 0x0f0f0f0fu) << 4;
  unsigned int d = ((c >> 8) & 0x00ff00ffu) | (c & 0x00ff00ffu) << 8;
  return d >> 16 | d << 16;
}
inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
inline void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
inline void __sincosf(float x, float *s, float *c) { *s = __sinf(x); *c = __cosf(x); }
inline void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }

// Loads and stores with a cache hint are loads and stores.
template <class T> inline T __ldg(const T *p) { return *p; }
template <class T> inline T __ldcg(const T *p) { return *p; }
template <class T> inline T __ldca(const T *p) { return *p; }
template <class T> inline T __ldcs(const T *p) { return *p; }
template <class T> inline T __ldlu(const T *p) { return *p; }
template <class T> inline T __ldcv(const T *p) { return *p; }
template <class T> inline void __stcg(T *p, T value) { *p = value; }
template <class T> inline void __stcs(T *p, T value) { *p = value; }
template <class T> inline void __stwb(T *p, T value) { *p = value; }
template <class T> inline void __stwt(T *p, T value) { *p = value; }

namespace std {
template <class T> T min(T, T);
template <class T> T max(T, T);
template <class T> inline T &&move(T &x) { return (T &&)x; }
template <class T> inline void swap(T &a, T &b) { T old = a; a = b; b = old; }
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::pow; using ::exp; using ::exp2; using ::log;
using ::log2; using ::log10; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; using ::round;
using ::rint; using ::fmin; using ::fmax; using ::fmod; using ::fma; using ::hypot; using ::copysign;
using ::isnan; using ::isinf; using ::isfinite; using ::nan;
}
#pragma clang force_cuda_host_device end

extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
constexpr int warpSize = 32;
__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned int = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void haloscope_sync_grid();

#define HALOSCOPE_ATOMIC(NAME, T) \
  __device__ T NAME(T *, T); __device__ T NAME##_block(T *, T); __device__ T NAME##_system(T *, T);
#define HALOSCOPE_ATOMIC_CAS(T) \
  __device__ T atomicCAS(T *, T, T); __device__ T atomicCAS_block(T *, T, T); __device__ T atomicCAS_system(T *, T, T);
#define HALOSCOPE_ATOMICS(T) \
  HALOSCOPE_ATOMIC(atomicAdd, T) HALOSCOPE_ATOMIC(atomicExch, T) HALOSCOPE_ATOMIC(atomicMin, T) \
  HALOSCOPE_ATOMIC(atomicMax, T) HALOSCOPE_ATOMIC(atomicAnd, T) HALOSCOPE_ATOMIC(atomicOr, T) \
  HALOSCOPE_ATOMIC(atomicXor, T) HALOSCOPE_ATOMIC_CAS(T)
HALOSCOPE_ATOMICS(int) HALOSCOPE_ATOMICS(unsigned int) HALOSCOPE_ATOMICS(unsigned long long)
HALOSCOPE_ATOMIC(atomicMin, long long) HALOSCOPE_ATOMIC(atomicMax, long long)
HALOSCOPE_ATOMIC(atomicInc, unsigned int) HALOSCOPE_ATOMIC(atomicDec, unsigned int)
HALOSCOPE_ATOMIC(atomicAdd, float) HALOSCOPE_ATOMIC(atomicAdd, double) HALOSCOPE_ATOMIC(atomicExch, float)
#undef HALOSCOPE_ATOMICS
#undef HALOSCOPE_ATOMIC_CAS
#undef HALOSCOPE_ATOMIC
#define HALOSCOPE_ATOMIC_SUB(SUFFIX) \
  __device__ inline int atomicSub##SUFFIX(int *p, int value) { return atomicAdd##SUFFIX(p, -value); } \
  __device__ inline unsigned int atomicSub##SUFFIX(unsigned int *p, unsigned int value) { \
    return atomicAdd##SUFFIX(p, 0u - value); }
HALOSCOPE_ATOMIC_SUB() HALOSCOPE_ATOMIC_SUB(_block) HALOSCOPE_ATOMIC_SUB(_system)
#undef HALOSCOPE_ATOMIC_SUB

#define HALOSCOPE_SHUFFLES(T) \
  __device__ T __shfl_sync(unsigned int, T, int, int = 32); \
  __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32); \
  __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32); \
  __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);
HALOSCOPE_SHUFFLES(int) HALOSCOPE_SHUFFLES(unsigned int) HALOSCOPE_SHUFFLES(long) HALOSCOPE_SHUFFLES(unsigned long)
HALOSCOPE_SHUFFLES(long long) HALOSCOPE_SHUFFLES(unsigned long long) HALOSCOPE_SHUFFLES(float)
HALOSCOPE_SHUFFLES(double)
#undef HALOSCOPE_SHUFFLES
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ int __all_sync(unsigned int, int);
__device__ unsigned int __activemask();
#define HALOSCOPE_REDUCE(NAME, T, STEP) \
  __device__ inline T NAME(unsigned int mask, T value) { \
    T all = value; \
    bool begun = false; \
    for (int lane = 0; lane < 32; ++lane) { \
      if (mask >> lane & 1u) { \
        T one = __shfl_sync(mask, value, lane); \
        all = begun ? STEP : one; \
        begun = true; \
      } \
    } \
    return all; \
  }
HALOSCOPE_REDUCE(__reduce_add_sync, unsigned int, all + one) HALOSCOPE_REDUCE(__reduce_add_sync, int, all + one)
HALOSCOPE_REDUCE(__reduce_min_sync, unsigned int, all < one ? all : one)
HALOSCOPE_REDUCE(__reduce_min_sync, int, all < one ? all : one)
HALOSCOPE_REDUCE(__reduce_max_sync, unsigned int, all > one ? all : one)
HALOSCOPE_REDUCE(__reduce_max_sync, int, all > one ? all : one)
HALOSCOPE_REDUCE(__reduce_and_sync, unsigned int, all & one)
HALOSCOPE_REDUCE(__reduce_or_sync, unsigned int, all | one)
HALOSCOPE_REDUCE(__reduce_xor_sync, unsigned int, all ^ one)
#undef HALOSCOPE_REDUCE
#define HALOSCOPE_MATCH(T) \
  __device__ inline unsigned int __match_any_sync(unsigned int mask, T value) { \
    unsigned int alike = 0u; \
    for (int lane = 0; lane < 32; ++lane) { \
      if (mask >> lane & 1u) { \
        if (__shfl_sync(mask, value, lane) == value) alike |= 1u << lane; \
      } \
    } \
    return alike; \
  } \
  __device__ inline unsigned int __match_all_sync(unsigned int mask, T value, int *all) { \
    unsigned int alike = __match_any_sync(mask, value); \
    *all = alike == mask; \
    return *all ? mask : 0u; \
  }
HALOSCOPE_MATCH(int) HALOSCOPE_MATCH(unsigned int) HALOSCOPE_MATCH(long) HALOSCOPE_MATCH(unsigned long)
HALOSCOPE_MATCH(long long) HALOSCOPE_MATCH(unsigned long long) HALOSCOPE_MATCH(float) HALOSCOPE_MATCH(double)
#undef HALOSCOPE_MATCH
__device__ inline void __nanosleep(unsigned int) {}
__device__ int __float_as_int(float);
__device__ unsigned int __float_as_uint(float);
__device__ float __int_as_float(int);
__device__ float __uint_as_float(unsigned int);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);

extern "C" __device__ int printf(const char *, ...);
__device__ void __trap();
__device__ void haloscope_assert(bool, const char *);
extern "C" __device__ void __assert_fail(const char *, const char *, unsigned int, const char *);
extern "C" __device__ void __assertfail(const char *, const char *, unsigned int, const char *, size_t);
__device__ long clock();
__device__ long long clock64();
)cuda";

}  // namespace haloscope::preludes
