#pragma once

namespace haloscope::preludes {

/// Textures and surfaces, read behind kTextureTable before files that name their types. The functions are what the
/// hardware does, so their arithmetic and their reads of the table are not counted, see FetchPart.
inline constexpr char kTextures[] = R"cuda(
struct haloscope_texture { const unsigned char *texels; const char *numbers[haloscope_texture_numbers]; };
typedef const haloscope_texture *cudaTextureObject_t;
typedef const haloscope_texture *cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <class T> __device__ T haloscope_texel(const T *);
template <class T> __device__ void haloscope_set_texel(T *, T);
__device__ inline int haloscope_number(cudaTextureObject_t t, int i) { return (int)(t->numbers[i] - (const char *)t); }

// One channel of a texel that is read as a part of 1: 8 or 16 bits, signed (0) or unsigned (1).
__device__ inline float haloscope_channel(const unsigned char *at, int bits, int kind) {
  if (bits == 8) {
    if (kind == 1) return (float)haloscope_texel(at) / 255.0f;
    return fmaxf((float)haloscope_texel((const signed char *)at) / 127.0f, -1.0f);
  }
  if (kind == 1) return (float)haloscope_texel((const unsigned short *)at) / 65535.0f;
  return fmaxf((float)haloscope_texel((const short *)at) / 32767.0f, -1.0f);
}
__device__ inline float haloscope_border(cudaTextureObject_t t, int i) { return __int_as_float(haloscope_number(t, haloscope_border_colour + i)); }

template <class T> struct haloscope_kind;
#define HALOSCOPE_TEXELS(T, S, BORDER) \
  template <> struct haloscope_kind<T> { \
    static constexpr bool filtered = false; \
    __device__ static T border(cudaTextureObject_t t) { return {BORDER}; } \
    __device__ static T read(cudaTextureObject_t t, const unsigned char *row, int x) { \
      return haloscope_texel((const T *)row + x); } \
  };
#define HALOSCOPE_TEXELS124(S, NAME) \
  HALOSCOPE_TEXELS(S, S, (S)haloscope_border(t, 0)) \
  HALOSCOPE_TEXELS(NAME##1, S, (S)haloscope_border(t, 0)) \
  HALOSCOPE_TEXELS(NAME##2, S, (S)haloscope_border(t, 0) HALOSCOPE_COMMA (S)haloscope_border(t, 1)) \
  HALOSCOPE_TEXELS(NAME##4, S, (S)haloscope_border(t, 0) HALOSCOPE_COMMA (S)haloscope_border(t, 1) HALOSCOPE_COMMA \
                   (S)haloscope_border(t, 2) HALOSCOPE_COMMA (S)haloscope_border(t, 3))
#define HALOSCOPE_COMMA ,
HALOSCOPE_TEXELS124(signed char, char) HALOSCOPE_TEXELS124(unsigned char, uchar)
HALOSCOPE_TEXELS124(short, short) HALOSCOPE_TEXELS124(unsigned short, ushort)
HALOSCOPE_TEXELS124(int, int) HALOSCOPE_TEXELS124(unsigned int, uint)
HALOSCOPE_TEXELS(char, char, (char)haloscope_border(t, 0))
#undef HALOSCOPE_TEXELS124
#undef HALOSCOPE_TEXELS
#define HALOSCOPE_TEXELS(T, CHANNELS, BORDER, PARTS) \
  template <> struct haloscope_kind<T> { \
    static constexpr bool filtered = true; \
    __device__ static T border(cudaTextureObject_t t) { return {BORDER}; } \
    __device__ static T read(cudaTextureObject_t t, const unsigned char *row, int x) { \
      if (haloscope_number(t, haloscope_as_fraction) == 0) return haloscope_texel((const T *)row + x); \
      int bits = haloscope_number(t, haloscope_channel_bits), kind = haloscope_number(t, haloscope_channel_kind), each = bits / 8; \
      const unsigned char *at = row + (long long)x * CHANNELS * each; \
      return {PARTS}; \
    } \
  };
#define HALOSCOPE_PART(I) haloscope_channel(at + I * each, bits, kind)
HALOSCOPE_TEXELS(float, 1, haloscope_border(t, 0), HALOSCOPE_PART(0))
HALOSCOPE_TEXELS(float1, 1, haloscope_border(t, 0), HALOSCOPE_PART(0))
HALOSCOPE_TEXELS(float2, 2, haloscope_border(t, 0) HALOSCOPE_COMMA haloscope_border(t, 1),
                 HALOSCOPE_PART(0) HALOSCOPE_COMMA HALOSCOPE_PART(1))
HALOSCOPE_TEXELS(float4, 4, haloscope_border(t, 0) HALOSCOPE_COMMA haloscope_border(t, 1) HALOSCOPE_COMMA
                 haloscope_border(t, 2) HALOSCOPE_COMMA haloscope_border(t, 3),
                 HALOSCOPE_PART(0) HALOSCOPE_COMMA HALOSCOPE_PART(1) HALOSCOPE_COMMA HALOSCOPE_PART(2) HALOSCOPE_COMMA
                 HALOSCOPE_PART(3))
#undef HALOSCOPE_PART
#undef HALOSCOPE_TEXELS
#undef HALOSCOPE_COMMA

// Where a coordinate's texel is, by the address mode: wrap, clamp, mirror, border. -1: on the border.
__device__ inline int haloscope_place(int i, int n, int mode) {
  int wrapped = i % n, mirrored = i % (2 * n);
  wrapped = wrapped < 0 ? wrapped + n : wrapped;
  mirrored = mirrored < 0 ? mirrored + 2 * n : mirrored;
  mirrored = mirrored < n ? mirrored : 2 * n - 1 - mirrored;
  int clamped = min(max(i, 0), n - 1);
  return mode == 0 ? wrapped : mode == 2 ? mirrored : mode == 3 && clamped != i ? -1 : clamped;
}
template <class T> __device__ inline T haloscope_texel_at(cudaTextureObject_t t, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0) return haloscope_kind<T>::border(t);
  long long row = (long long)z * haloscope_number(t, haloscope_height) + y;
  return haloscope_kind<T>::read(t, t->texels + row * haloscope_number(t, haloscope_row_bytes), x);
}
__device__ inline float haloscope_mix(float a, float b, float w) { return (1.0f - w) * a + w * b; }
__device__ inline float1 haloscope_mix(float1 a, float1 b, float w) { return {haloscope_mix(a.x, b.x, w)}; }
__device__ inline float2 haloscope_mix(float2 a, float2 b, float w) {
  return {haloscope_mix(a.x, b.x, w), haloscope_mix(a.y, b.y, w)};
}
__device__ inline float4 haloscope_mix(float4 a, float4 b, float w) {
  return {haloscope_mix(a.x, b.x, w), haloscope_mix(a.y, b.y, w), haloscope_mix(a.z, b.z, w), haloscope_mix(a.w, b.w, w)};
}
// A weight of the linear filter has 8 bits.
__device__ inline float haloscope_weight(float x) { return floorf((x - floorf(x)) * 256.0f + 0.5f) / 256.0f; }
template <int Axes, class T> __device__ inline T haloscope_sample(cudaTextureObject_t t, float x, float y, float z) {
  int w = haloscope_number(t, haloscope_width), h = haloscope_number(t, haloscope_height), d = haloscope_number(t, haloscope_depth);
  int modeX = haloscope_number(t, haloscope_address_mode), modeY = haloscope_number(t, haloscope_address_mode + 1), modeZ = haloscope_number(t, haloscope_address_mode + 2);
  float scaled = (float)haloscope_number(t, haloscope_normalized_coordinates);
  float u = scaled != 0.0f ? x * (float)w : x, v = scaled != 0.0f ? y * (float)h : y;
  float s = scaled != 0.0f ? z * (float)d : z;
  if constexpr (haloscope_kind<T>::filtered) {
    if (haloscope_number(t, haloscope_linear) != 0) {
      float a = u - 0.5f, b = v - 0.5f, c = s - 0.5f;
      int i = (int)floorf(a), j = (int)floorf(b), k = (int)floorf(c);
      int x0 = haloscope_place(i, w, modeX), x1 = haloscope_place(i + 1, w, modeX);
      float wx = haloscope_weight(a), wy = haloscope_weight(b), wz = haloscope_weight(c);
      if constexpr (Axes == 1) {
        return haloscope_mix(haloscope_texel_at<T>(t, x0, 0, 0), haloscope_texel_at<T>(t, x1, 0, 0), wx);
      } else {
        int y0 = haloscope_place(j, h, modeY), y1 = haloscope_place(j + 1, h, modeY);
        int z0 = Axes == 3 ? haloscope_place(k, d, modeZ) : 0;
        T near = haloscope_mix(
            haloscope_mix(haloscope_texel_at<T>(t, x0, y0, z0), haloscope_texel_at<T>(t, x1, y0, z0), wx),
            haloscope_mix(haloscope_texel_at<T>(t, x0, y1, z0), haloscope_texel_at<T>(t, x1, y1, z0), wx), wy);
        if constexpr (Axes == 2) {
          return near;
        } else {
          int z1 = haloscope_place(k + 1, d, modeZ);
          T far = haloscope_mix(
              haloscope_mix(haloscope_texel_at<T>(t, x0, y0, z1), haloscope_texel_at<T>(t, x1, y0, z1), wx),
              haloscope_mix(haloscope_texel_at<T>(t, x0, y1, z1), haloscope_texel_at<T>(t, x1, y1, z1), wx), wy);
          return haloscope_mix(near, far, wz);
        }
      }
    }
  }
  int px = haloscope_place((int)floorf(u), w, modeX);
  int py = Axes > 1 ? haloscope_place((int)floorf(v), h, modeY) : 0;
  int pz = Axes > 2 ? haloscope_place((int)floorf(s), d, modeZ) : 0;
  return haloscope_texel_at<T>(t, px, py, pz);
}

template <class T> __device__ inline T tex1Dfetch(cudaTextureObject_t t, int x) {
  T texel = haloscope_kind<T>::read(t, t->texels, x);
  T none = T();
  return x >= 0 && x < haloscope_number(t, haloscope_width) ? texel : none;
}
template <class T> __device__ inline T tex1D(cudaTextureObject_t t, float x) {
  return haloscope_sample<1, T>(t, x, 0.0f, 0.0f);
}
template <class T> __device__ inline T tex2D(cudaTextureObject_t t, float x, float y) {
  return haloscope_sample<2, T>(t, x, y, 0.0f);
}
template <class T> __device__ inline T tex3D(cudaTextureObject_t t, float x, float y, float z) {
  return haloscope_sample<3, T>(t, x, y, z);
}
template <class T> __device__ inline void tex1Dfetch(T *to, cudaTextureObject_t t, int x) { *to = tex1Dfetch<T>(t, x); }
template <class T> __device__ inline void tex1D(T *to, cudaTextureObject_t t, float x) { *to = tex1D<T>(t, x); }
template <class T> __device__ inline void tex2D(T *to, cudaTextureObject_t t, float x, float y) { *to = tex2D<T>(t, x, y); }
template <class T> __device__ inline void tex3D(T *to, cudaTextureObject_t t, float x, float y, float z) {
  *to = tex3D<T>(t, x, y, z);
}

// The offset of a surface's element, x in bytes: by the boundary mode the nearest, none (-1) or one beyond the array.
__device__ inline long long haloscope_element_at(cudaSurfaceObject_t t, int x, int y, int z, int bytes, int mode) {
  int pitch = haloscope_number(t, haloscope_row_bytes), h = haloscope_number(t, haloscope_height), d = haloscope_number(t, haloscope_depth);
  int px = min(max(x, 0), pitch - bytes), py = min(max(y, 0), h - 1), pz = min(max(z, 0), d - 1);
  bool inside = px == x && py == y && pz == z;
  long long nearest = ((long long)pz * h + py) * pitch + px, end = (long long)pitch * h * d;
  if (inside || mode == cudaBoundaryModeClamp) return nearest;
  if (mode == cudaBoundaryModeZero) return -1;
  long long named = ((long long)z * h + y) * pitch + x;
  return named >= 0 && named < end ? end + named : named >= end ? named : end + nearest;
}
template <class T>
__device__ inline T haloscope_surface_read(cudaSurfaceObject_t t, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  long long at = haloscope_element_at(t, x, y, z, (int)sizeof(T), mode);
  if (at < 0) return T();
  return haloscope_texel((const T *)(t->texels + at));
}
template <class T>
__device__ inline void haloscope_surface_write(T v, cudaSurfaceObject_t t, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  long long at = haloscope_element_at(t, x, y, z, (int)sizeof(T), mode);
  if (at >= 0) haloscope_set_texel((T *)(t->texels + at), v);
}
#define HALOSCOPE_SURFACE(N, PARAMETERS, X, Y, Z) \
  template <class T> __device__ inline T surf##N##Dread( \
      cudaSurfaceObject_t t, PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    return haloscope_surface_read<T>(t, X, Y, Z, mode); } \
  template <class T> __device__ inline void surf##N##Dread( \
      T *to, cudaSurfaceObject_t t, PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *to = haloscope_surface_read<T>(t, X, Y, Z, mode); } \
  template <class T> __device__ inline void surf##N##Dwrite( \
      T v, cudaSurfaceObject_t t, PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    haloscope_surface_write<T>(v, t, X, Y, Z, mode); }
#define HALOSCOPE_XY int x, int y
#define HALOSCOPE_XYZ int x, int y, int z
HALOSCOPE_SURFACE(1, int x, x, 0, 0) HALOSCOPE_SURFACE(2, HALOSCOPE_XY, x, y, 0) HALOSCOPE_SURFACE(3, HALOSCOPE_XYZ, x, y, z)
#undef HALOSCOPE_SURFACE
#undef HALOSCOPE_XY
#undef HALOSCOPE_XYZ

// Declared so that they can be refused by name.
#define HALOSCOPE_REFUSED(NAME) template <class T, class... More> __device__ T NAME(cudaTextureObject_t, More...);
HALOSCOPE_REFUSED(tex1DLod) HALOSCOPE_REFUSED(tex2DLod) HALOSCOPE_REFUSED(tex3DLod) HALOSCOPE_REFUSED(tex1DGrad)
HALOSCOPE_REFUSED(tex2DGrad) HALOSCOPE_REFUSED(tex3DGrad) HALOSCOPE_REFUSED(tex1DLayered) HALOSCOPE_REFUSED(tex2DLayered)
HALOSCOPE_REFUSED(texCubemap) HALOSCOPE_REFUSED(texCubemapLayered) HALOSCOPE_REFUSED(tex2Dgather)
HALOSCOPE_REFUSED(surf1DLayeredread) HALOSCOPE_REFUSED(surf2DLayeredread) HALOSCOPE_REFUSED(surfCubemapread)
#undef HALOSCOPE_REFUSED
)cuda";

}  // namespace haloscope::preludes
