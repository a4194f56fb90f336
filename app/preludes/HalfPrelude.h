#pragma once

namespace haloscope::preludes {

/// The replacement for <cuda_fp16.h>, read only before files that name it: others may use `half` for something else.
inline constexpr char kHalfPrecision[] = R"cuda(
#pragma clang force_cuda_host_device begin
typedef _Float16 __half;
typedef __half half;
struct __align__(4) __half2 { __half x, y; };
typedef __half2 half2;
inline __half __float2half(float a) { return (__half)a; }
inline __half __float2half_rn(float a) { return (__half)a; }
inline __half __double2half(double a) { return (__half)a; }
inline __half __int2half_rn(int a) { return (__half)a; }
inline float __half2float(__half a) { return (float)a; }
inline int __half2int_rz(__half a) { return (int)a; }
inline int __half2int_rn(__half a) { return (int)rintf((float)a); }
inline __half __hadd(__half a, __half b) { return a + b; }
inline __half __hsub(__half a, __half b) { return a - b; }
inline __half __hmul(__half a, __half b) { return a * b; }
inline __half __hdiv(__half a, __half b) { return a / b; }
inline __half __hneg(__half a) { return -a; }
inline __half __habs(__half a) { return (__half)fabsf((float)a); }
inline __half __hmin(__half a, __half b) { return (__half)fminf((float)a, (float)b); }
inline __half __hmax(__half a, __half b) { return (__half)fmaxf((float)a, (float)b); }
inline bool __heq(__half a, __half b) { return a == b; }
inline bool __hne(__half a, __half b) { return a != b; }
inline bool __hlt(__half a, __half b) { return a < b; }
inline bool __hle(__half a, __half b) { return a <= b; }
inline bool __hgt(__half a, __half b) { return a > b; }
inline bool __hge(__half a, __half b) { return a >= b; }
inline bool __hisnan(__half a) { return a != a; }
inline __half hsqrt(__half a) { return (__half)sqrtf((float)a); }
inline __half hexp(__half a) { return (__half)expf((float)a); }
inline __half hlog(__half a) { return (__half)logf((float)a); }
inline __half hfloor(__half a) { return (__half)floorf((float)a); }
inline __half hceil(__half a) { return (__half)ceilf((float)a); }
__half __hfma(__half, __half, __half);
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float a) { return {(__half)a, (__half)a}; }
inline __half2 __floats2half2_rn(float a, float b) { return {(__half)a, (__half)b}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline float __low2float(__half2 a) { return (float)a.x; }
inline float __high2float(__half2 a) { return (float)a.y; }
inline float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
inline __half2 __hadd2(__half2 a, __half2 b) { return {a.x + b.x, a.y + b.y}; }
inline __half2 __hsub2(__half2 a, __half2 b) { return {a.x - b.x, a.y - b.y}; }
inline __half2 __hmul2(__half2 a, __half2 b) { return {a.x * b.x, a.y * b.y}; }
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
inline __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
inline __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
#pragma clang force_cuda_host_device end
__device__ __half __shfl_sync(unsigned int, __half, int, int = 32);
__device__ __half __shfl_up_sync(unsigned int, __half, unsigned int, int = 32);
__device__ __half __shfl_down_sync(unsigned int, __half, unsigned int, int = 32);
__device__ __half __shfl_xor_sync(unsigned int, __half, int, int = 32);
)cuda";

}  // namespace haloscope::preludes
