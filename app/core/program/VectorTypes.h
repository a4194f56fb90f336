#pragma once

namespace haloscope {

/// CUDA's vector types and what makes them, for both halves of a program: read before the rest that CUDA's headers
/// declare.
inline constexpr char kVectorTypes[] =
    R"cuda(#define HALOSCOPE_MAKE __attribute__((host)) __attribute__((device)) inline
#define HALOSCOPE_VECTORS(T, NAME, A2, A4) \
  struct NAME##1 { T x; }; \
  struct __attribute__((aligned(A2))) NAME##2 { T x, y; }; \
  struct NAME##3 { T x, y, z; }; \
  struct __attribute__((aligned(A4))) NAME##4 { T x, y, z, w; }; \
  HALOSCOPE_MAKE NAME##1 make_##NAME##1(T x) { return {x}; } \
  HALOSCOPE_MAKE NAME##2 make_##NAME##2(T x, T y) { return {x, y}; } \
  HALOSCOPE_MAKE NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; } \
  HALOSCOPE_MAKE NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
HALOSCOPE_VECTORS(signed char, char, 2, 4)
HALOSCOPE_VECTORS(unsigned char, uchar, 2, 4)
HALOSCOPE_VECTORS(short, short, 4, 8)
HALOSCOPE_VECTORS(unsigned short, ushort, 4, 8)
HALOSCOPE_VECTORS(int, int, 8, 16)
HALOSCOPE_VECTORS(unsigned int, uint, 8, 16)
HALOSCOPE_VECTORS(long, long, 16, 16)
HALOSCOPE_VECTORS(unsigned long, ulong, 16, 16)
HALOSCOPE_VECTORS(long long, longlong, 16, 16)
HALOSCOPE_VECTORS(unsigned long long, ulonglong, 16, 16)
HALOSCOPE_VECTORS(float, float, 8, 16)
HALOSCOPE_VECTORS(double, double, 16, 16)
#undef HALOSCOPE_VECTORS
#undef HALOSCOPE_MAKE
)cuda";

}  // namespace haloscope
