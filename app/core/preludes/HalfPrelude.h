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
inline __half hexp2(__half a) { return (__half)exp2f((float)a); }
inline __half hlog2(__half a) { return (__half)log2f((float)a); }
inline __half hlog10(__half a) { return (__half)log10f((float)a); }
inline __half hsin(__half a) { return (__half)sinf((float)a); }
inline __half hcos(__half a) { return (__half)cosf((float)a); }
inline __half hrsqrt(__half a) { return (__half)rsqrtf((float)a); }
inline __half hrcp(__half a) { return (__half)(1.0f / (float)a); }
inline __half htrunc(__half a) { return (__half)truncf((float)a); }
inline __half hrint(__half a) { return (__half)rintf((float)a); }
inline __half __hadd_sat(__half a, __half b) { return (__half)__saturatef((float)(__half)(a + b)); }
inline __half __hsub_sat(__half a, __half b) { return (__half)__saturatef((float)(__half)(a - b)); }
inline __half __hmul_sat(__half a, __half b) { return (__half)__saturatef((float)(__half)(a * b)); }
inline int __hisinf(__half a) { return isinf((float)a) ? (a > (__half)0 ? 1 : -1) : 0; }
inline __half __uint2half_rn(unsigned int a) { return (__half)a; }
inline __half __short2half_rn(short a) { return (__half)a; }
inline __half __ushort2half_rn(unsigned short a) { return (__half)a; }
inline int __half2int_rd(__half a) { return (int)floorf((float)a); }
inline int __half2int_ru(__half a) { return (int)ceilf((float)a); }
inline unsigned int __half2uint_rz(__half a) { return (unsigned int)a; }
inline unsigned int __half2uint_rn(__half a) { return (unsigned int)rintf((float)a); }
inline short __half2short_rn(__half a) { return (short)rintf((float)a); }
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
inline __half2 __float22half2_rn(float2 a) { return {(__half)a.x, (__half)a.y}; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
inline __half2 __h2div(__half2 a, __half2 b) { return {a.x / b.x, a.y / b.y}; }
inline __half2 __hneg2(__half2 a) { return {-a.x, -a.y}; }
inline __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
inline __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
inline __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
#define HALOSCOPE_HALF2(NAME) inline __half2 h2##NAME(__half2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
HALOSCOPE_HALF2(sqrt) HALOSCOPE_HALF2(rsqrt) HALOSCOPE_HALF2(rcp) HALOSCOPE_HALF2(exp) HALOSCOPE_HALF2(exp2)
HALOSCOPE_HALF2(log) HALOSCOPE_HALF2(log2) HALOSCOPE_HALF2(log10) HALOSCOPE_HALF2(sin) HALOSCOPE_HALF2(cos)
HALOSCOPE_HALF2(floor) HALOSCOPE_HALF2(ceil) HALOSCOPE_HALF2(trunc) HALOSCOPE_HALF2(rint)
#undef HALOSCOPE_HALF2
#define HALOSCOPE_HALF2(NAME, OP) \
  inline __half2 __h##NAME##2(__half2 a, __half2 b) { \
    return {(__half)(a.x OP b.x ? 1.0f : 0.0f), (__half)(a.y OP b.y ? 1.0f : 0.0f)}; } \
  inline bool __hb##NAME##2(__half2 a, __half2 b) { return a.x OP b.x && a.y OP b.y; }
HALOSCOPE_HALF2(eq, ==) HALOSCOPE_HALF2(ne, !=) HALOSCOPE_HALF2(lt, <) HALOSCOPE_HALF2(le, <=)
HALOSCOPE_HALF2(gt, >) HALOSCOPE_HALF2(ge, >=)
#undef HALOSCOPE_HALF2
inline __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }
inline __half2 operator-(__half2 a) { return __hneg2(a); }
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
