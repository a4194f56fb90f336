#pragma once

/// The part of the prelude that has arrays, textures and surfaces, read behind RuntimePrelude.h.
namespace haloscope::host {

/// An array is an allocation without gaps; a texture or surface object is the address of a table on the device, see
/// kTextureTable, whose text comes before this. No size here needs more than 31 bits: the GPU's own limits are smaller.
inline constexpr char kTexturePrelude[] = R"cuda(
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) { return {x, y, z, w, f}; }
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() { return {0, 0, 0, 0, cudaChannelFormatKindNone}; }
#define HALOSCOPE_CHANNELS(T, X, Y, Z, W, KIND) \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() { return {X, Y, Z, W, cudaChannelFormatKind##KIND}; }
#define HALOSCOPE_CHANNELS124(T, NAME, BITS, KIND) \
  HALOSCOPE_CHANNELS(T, BITS, 0, 0, 0, KIND) HALOSCOPE_CHANNELS(NAME##1, BITS, 0, 0, 0, KIND) \
  HALOSCOPE_CHANNELS(NAME##2, BITS, BITS, 0, 0, KIND) HALOSCOPE_CHANNELS(NAME##4, BITS, BITS, BITS, BITS, KIND)
HALOSCOPE_CHANNELS(char, 8, 0, 0, 0, Signed)
HALOSCOPE_CHANNELS124(signed char, char, 8, Signed) HALOSCOPE_CHANNELS124(unsigned char, uchar, 8, Unsigned)
HALOSCOPE_CHANNELS124(short, short, 16, Signed) HALOSCOPE_CHANNELS124(unsigned short, ushort, 16, Unsigned)
HALOSCOPE_CHANNELS124(int, int, 32, Signed) HALOSCOPE_CHANNELS124(unsigned int, uint, 32, Unsigned)
HALOSCOPE_CHANNELS124(float, float, 32, Float)
#undef HALOSCOPE_CHANNELS124
#undef HALOSCOPE_CHANNELS

HALOSCOPE_RUNTIME cudaMalloc3DArray(cudaArray_t *p, const cudaChannelFormatDesc *format, cudaExtent extent,
                                    unsigned int flags = 0, HALOSCOPE_AT) {
  if (flags & cudaArrayLayered) haloscope_unsupported("an array with cudaArrayLayered", at);
  if (flags & cudaArrayCubemap) haloscope_unsupported("an array with cudaArrayCubemap", at);
  const size_t texel = haloscope_texel_bytes(*format);
  if (texel == 0 || extent.width == 0) return haloscope_failed(cudaErrorInvalidValue);
  if (extent.width > 131072 || extent.height > 65536 || extent.depth > 16384) return haloscope_failed(cudaErrorInvalidValue);
  cudaArray one = {nullptr, *format, extent, texel};
  void *texels = haloscope_allocate(haloscope_array_bytes(&one), 0, at);
  if (!texels) return cudaErrorMemoryAllocation;
  one.texels = texels;
  *p = new cudaArray(one);
  return cudaSuccess;
}
HALOSCOPE_RUNTIME cudaMallocArray(cudaArray_t *p, const cudaChannelFormatDesc *format, size_t width, size_t height = 0,
                                  unsigned int flags = 0, HALOSCOPE_AT) {
  return cudaMalloc3DArray(p, format, cudaExtent{width, height, 0}, flags, at);
}
// The array itself stays, so that freeing it twice is seen as such.
HALOSCOPE_RUNTIME cudaFreeArray(cudaArray_t p, HALOSCOPE_AT) {
  return p ? (cudaError_t)haloscope_free(p->texels, 0, at) : cudaSuccess;
}
HALOSCOPE_RUNTIME cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags, cudaArray_t p) {
  if (format) *format = p->format;
  if (extent) *extent = p->extent;
  if (flags) *flags = 0;
  return cudaSuccess;
}
HALOSCOPE_RUNTIME cudaGetChannelDesc(cudaChannelFormatDesc *format, const cudaArray *p) { return *format = p->format, cudaSuccess; }

#define HALOSCOPE_ARRAY_COPIES(SUFFIX, STREAM, ASYNCHRONOUS, GIVEN) \
  HALOSCOPE_RUNTIME cudaMemcpy2DToArray##SUFFIX(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, \
      size_t width, size_t height, cudaMemcpyKind kind STREAM, HALOSCOPE_AT) { \
    const cudaPitchedPtr rows = haloscope_rows_of(to); \
    if (x + width > rows.pitch) return haloscope_failed(cudaErrorInvalidValue); \
    return haloscope_copied((char *)rows.ptr + y * rows.pitch + x, rows.pitch, from, pitch, width, height, kind, ASYNCHRONOUS, GIVEN, at); } \
  HALOSCOPE_RUNTIME cudaMemcpy2DFromArray##SUFFIX(void *to, size_t pitch, const cudaArray *from, size_t x, size_t y, \
      size_t width, size_t height, cudaMemcpyKind kind STREAM, HALOSCOPE_AT) { \
    const cudaPitchedPtr rows = haloscope_rows_of(from); \
    if (x + width > rows.pitch) return haloscope_failed(cudaErrorInvalidValue); \
    return haloscope_copied(to, pitch, (char *)rows.ptr + y * rows.pitch + x, rows.pitch, width, height, kind, ASYNCHRONOUS, GIVEN, at); } \
  HALOSCOPE_RUNTIME cudaMemcpyToArray##SUFFIX(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, \
      cudaMemcpyKind kind STREAM, HALOSCOPE_AT) { \
    const cudaPitchedPtr rows = haloscope_rows_of(to); \
    return haloscope_copied((char *)rows.ptr + y * rows.pitch + x, bytes, from, bytes, bytes, 1, kind, ASYNCHRONOUS, GIVEN, at); } \
  HALOSCOPE_RUNTIME cudaMemcpyFromArray##SUFFIX(void *to, const cudaArray *from, size_t x, size_t y, size_t bytes, \
      cudaMemcpyKind kind STREAM, HALOSCOPE_AT) { \
    const cudaPitchedPtr rows = haloscope_rows_of(from); \
    return haloscope_copied(to, bytes, (char *)rows.ptr + y * rows.pitch + x, bytes, bytes, 1, kind, ASYNCHRONOUS, GIVEN, at); }
#define HALOSCOPE_OF_STREAM , cudaStream_t stream = 0
HALOSCOPE_ARRAY_COPIES(, , 0, 0)
HALOSCOPE_ARRAY_COPIES(Async, HALOSCOPE_OF_STREAM, 1, stream)
#undef HALOSCOPE_ARRAY_COPIES

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct { cudaArray_t array; } array;
    struct { struct cudaMipmappedArray *mipmap; } mipmap;
    struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    struct { int reserved[32]; } reserved;
  } res;
  unsigned int flags;
};
struct cudaResourceViewDesc;
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3]; cudaTextureFilterMode filterMode; cudaTextureReadMode readMode; int sRGB;
  float borderColor[4]; int normalizedCoords; unsigned int maxAnisotropy; cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp; int disableTrilinearOptimization, seamlessCubemap;
};

inline cudaError_t haloscope_texture(cudaTextureObject_t *object, const cudaResourceDesc *resource, const cudaTextureDesc *texture,
                                     haloscope_place at) {
  cudaChannelFormatDesc format;
  const void *texels;
  int numbers[haloscope_texture_numbers] = {1, 1, 1};
  switch (resource->resType) {
    case cudaResourceTypeArray: {
      const cudaArray *array = resource->res.array.array;
      if (!array) return haloscope_failed(cudaErrorInvalidValue);
      const cudaPitchedPtr rows = haloscope_rows_of(array);
      texels = array->texels, format = array->format;
      numbers[haloscope_width] = (int)array->extent.width, numbers[haloscope_height] = (int)rows.ysize;
      numbers[haloscope_depth] = array->extent.depth ? (int)array->extent.depth : 1;
      numbers[haloscope_row_bytes] = (int)rows.pitch;
      break;
    }
    case cudaResourceTypeLinear: {
      const auto &linear = resource->res.linear;
      texels = linear.devPtr, format = linear.desc;
      const size_t texel = haloscope_texel_bytes(format), count = texel ? linear.sizeInBytes / texel : 0;
      if (count > (1u << 28)) return haloscope_failed(cudaErrorInvalidValue);
      numbers[haloscope_width] = (int)count;  // there is one row
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto &rows = resource->res.pitch2D;
      texels = rows.devPtr, format = rows.desc;
      if (rows.pitchInBytes % 32 != 0 || rows.width > 131072 || rows.height > 65000 || rows.pitchInBytes > 2097120)
        return haloscope_failed(cudaErrorInvalidValue);
      numbers[haloscope_width] = (int)rows.width, numbers[haloscope_height] = (int)rows.height;
      numbers[haloscope_row_bytes] = (int)rows.pitchInBytes;
      break;
    }
    default: haloscope_unsupported("a texture of a mipmapped array", at);
  }
  if (!texels || !haloscope_texel_bytes(format) || numbers[haloscope_width] == 0) return haloscope_failed(cudaErrorInvalidValue);
  if (format.f == cudaChannelFormatKindFloat && format.x != 32) haloscope_unsupported("a texture of 16-bit floats", at);
  numbers[haloscope_channel_bits] = format.x, numbers[haloscope_channel_kind] = (int)format.f;
  if (texture) {
    if (texture->sRGB) haloscope_unsupported("a texture with sRGB", at);
    const bool normalized = texture->readMode == cudaReadModeNormalizedFloat && format.f != cudaChannelFormatKindFloat;
    const bool linear = texture->filterMode == cudaFilterModeLinear;
    if (normalized && format.x == 32) return haloscope_failed(cudaErrorInvalidValue);
    if (linear && !normalized && format.f != cudaChannelFormatKindFloat) return haloscope_failed(cudaErrorInvalidValue);
    for (int i = 0; i < 3; ++i) {
      const cudaTextureAddressMode mode = texture->addressMode[i];
      const bool cyclic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
      numbers[haloscope_address_mode + i] = cyclic && !texture->normalizedCoords ? cudaAddressModeClamp : mode;
    }
    numbers[haloscope_linear] = linear, numbers[haloscope_normalized_coordinates] = texture->normalizedCoords != 0;
    numbers[haloscope_as_fraction] = normalized;
    memcpy(numbers + haloscope_border_colour, texture->borderColor, sizeof texture->borderColor);
  }
  unsigned long long table[1 + haloscope_texture_numbers];
  void *p = haloscope_allocate(sizeof table, 0, at);
  if (!p) return cudaErrorMemoryAllocation;
  table[0] = (unsigned long long)texels;
  for (int i = 0; i < haloscope_texture_numbers; ++i) table[1 + i] = (unsigned long long)p + (unsigned int)numbers[i];
  *object = (cudaTextureObject_t)p;
  return haloscope_copied(p, sizeof table, table, sizeof table, sizeof table, 1, cudaMemcpyHostToDevice, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                          const cudaTextureDesc *texture, const cudaResourceViewDesc *view, HALOSCOPE_AT) {
  if (view) haloscope_unsupported("cudaCreateTextureObject with a cudaResourceViewDesc", at);
  return haloscope_texture(object, resource, texture, at);
}
HALOSCOPE_RUNTIME cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource, HALOSCOPE_AT) {
  if (resource->resType != cudaResourceTypeArray) return haloscope_failed(cudaErrorInvalidValue);
  return haloscope_texture(object, resource, nullptr, at);
}
HALOSCOPE_RUNTIME cudaDestroyTextureObject(cudaTextureObject_t object, HALOSCOPE_AT) { return (cudaError_t)haloscope_free((void *)object, 0, at); }
HALOSCOPE_RUNTIME cudaDestroySurfaceObject(cudaSurfaceObject_t object, HALOSCOPE_AT) { return (cudaError_t)haloscope_free((void *)object, 0, at); }
)cuda";

inline constexpr char kTextureReferences[] = R"cuda(
#define HALOSCOPE_REMOVED __attribute__((unavailable("CUDA 12 removed texture references: use cudaCreateTextureObject")))
template <class T, int Axes = 1, cudaTextureReadMode Mode = cudaReadModeElementType> struct HALOSCOPE_REMOVED texture {
  cudaChannelFormatDesc channelDesc; cudaTextureAddressMode addressMode[3]; cudaTextureFilterMode filterMode; int normalized;
};
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
template <class... T> HALOSCOPE_REMOVED cudaError_t cudaBindTexture(T &&...);
template <class... T> HALOSCOPE_REMOVED cudaError_t cudaBindTexture2D(T &&...);
template <class... T> HALOSCOPE_REMOVED cudaError_t cudaBindTextureToArray(T &&...);
template <class... T> HALOSCOPE_REMOVED cudaError_t cudaUnbindTexture(T &&...);
)cuda";

}  // namespace haloscope::host
