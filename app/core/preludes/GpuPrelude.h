#pragma once

namespace haloscope::preludes {

/// What kPrelude declares and NVIDIA's compiler does not declare without host headers; put before texts for that
/// compiler.
inline constexpr char kPreludeOfGpu[] = R"cuda(
#ifndef NULL
#define NULL 0
#endif
#undef __managed__
#define __managed__ __device__  // NVRTC names no variable whose address is known only at run time
#define CUDART_PI_F 3.141592654f
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#define HUGE_VALF __int_as_float(0x7f800000)
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
typedef long long intptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#include <cuda.h>  // tensor maps, see driver/Compiler.cpp
struct cudaDeviceProp;
struct FILE;
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
template <class T> __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T max(T a, T b) { return a < b ? b : a; }
template <class T> __device__ inline T &&move(T &x) { return (T &&)x; }
template <class T> __device__ inline void swap(T &a, T &b) { T old = a; a = b; b = old; }
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::pow; using ::exp; using ::exp2; using ::log;
using ::log2; using ::log10; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; using ::round;
using ::rint; using ::fmin; using ::fmax; using ::fmod; using ::fma; using ::hypot; using ::copysign;
using ::isnan; using ::isinf; using ::isfinite; using ::nan;
}
// Prints nothing: the emulator has named the assertion if it fails in the launch that it checked.
__device__ inline void haloscope_assert(bool condition, const char *) { if (!condition) __trap(); }
)cuda";

}  // namespace haloscope::preludes
