#pragma once

/// Stand-ins for stb's headers of pictures, in C and in C++: what they declare calls RuntimePictures.cpp, which has
/// stb. The pixels that a program gets are of its own heap, so that free() is right for them, too.
namespace haloscope::host {

inline constexpr char kStbImageHeader[] = R"cuda(#ifndef HALOSCOPE_STB_IMAGE
#define HALOSCOPE_STB_IMAGE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { STBI_default = 0, STBI_grey = 1, STBI_grey_alpha = 2, STBI_rgb = 3, STBI_rgb_alpha = 4 };
typedef unsigned char stbi_uc;
typedef unsigned short stbi_us;
#ifdef __cplusplus
extern "C" {
#endif
struct haloscope_picture { const char *name; FILE *file; const unsigned char *memory; int length, bytes; };
void *haloscope_picture_load(const struct haloscope_picture *from, int *facts, int wanted);
int haloscope_picture_info(const struct haloscope_picture *from, int *facts);
void haloscope_picture_free(void *pixels);
void haloscope_picture_flip(int on);
const char *haloscope_picture_failure(void);
#ifdef __cplusplus
}
#endif
static inline void *haloscope_stb_load(struct haloscope_picture from, int *x, int *y, int *channels, int wanted) {
  int facts[3] = {0, 0, 0};
  void *pixels = haloscope_picture_load(&from, facts, wanted), *own = NULL;
  if (pixels) {
    const size_t bytes = (size_t)facts[0] * facts[1] * (wanted ? wanted : facts[2]) * from.bytes;
    own = malloc(bytes);
    if (own) memcpy(own, pixels, bytes);
    haloscope_picture_free(pixels);
    *x = facts[0], *y = facts[1];
    if (channels) *channels = facts[2];
  }
  return own;
}
static inline int haloscope_stb_info(struct haloscope_picture from, int *x, int *y, int *channels) {
  int facts[3] = {0, 0, 0};
  const int known = haloscope_picture_info(&from, facts);
  if (known && x) *x = facts[0];
  if (known && y) *y = facts[1];
  if (known && channels) *channels = facts[2];
  return known;
}
#define HALOSCOPE_STB_LOAD(TYPE, BYTES, OF_NAME, OF_FILE, OF_MEMORY) \
  static inline TYPE *OF_NAME(const char *name, int *x, int *y, int *channels, int wanted) { \
    const struct haloscope_picture from = {name, NULL, NULL, 0, BYTES}; \
    return (TYPE *)haloscope_stb_load(from, x, y, channels, wanted); \
  } \
  static inline TYPE *OF_FILE(FILE *file, int *x, int *y, int *channels, int wanted) { \
    const struct haloscope_picture from = {NULL, file, NULL, 0, BYTES}; \
    return (TYPE *)haloscope_stb_load(from, x, y, channels, wanted); \
  } \
  static inline TYPE *OF_MEMORY(const stbi_uc *memory, int length, int *x, int *y, int *channels, int wanted) { \
    const struct haloscope_picture from = {NULL, NULL, memory, length, BYTES}; \
    return (TYPE *)haloscope_stb_load(from, x, y, channels, wanted); \
  }
HALOSCOPE_STB_LOAD(stbi_uc, 1, stbi_load, stbi_load_from_file, stbi_load_from_memory)
HALOSCOPE_STB_LOAD(stbi_us, 2, stbi_load_16, stbi_load_from_file_16, stbi_load_16_from_memory)
HALOSCOPE_STB_LOAD(float, 4, stbi_loadf, stbi_loadf_from_file, stbi_loadf_from_memory)
#undef HALOSCOPE_STB_LOAD
static inline int stbi_info(const char *name, int *x, int *y, int *channels) {
  const struct haloscope_picture from = {name, NULL, NULL, 0, 1};
  return haloscope_stb_info(from, x, y, channels);
}
static inline int stbi_info_from_memory(const stbi_uc *memory, int length, int *x, int *y, int *channels) {
  const struct haloscope_picture from = {NULL, NULL, memory, length, 1};
  return haloscope_stb_info(from, x, y, channels);
}
static inline int stbi_is_16_bit(const char *name) {
  const struct haloscope_picture from = {name, NULL, NULL, 0, 2};
  int facts[3];
  return haloscope_picture_info(&from, facts);
}
static inline int stbi_is_hdr(const char *name) {
  const struct haloscope_picture from = {name, NULL, NULL, 0, 4};
  int facts[3];
  return haloscope_picture_info(&from, facts);
}
static inline void stbi_image_free(void *pixels) { free(pixels); }
static inline const char *stbi_failure_reason(void) { return haloscope_picture_failure(); }
static inline void stbi_set_flip_vertically_on_load(int on) { haloscope_picture_flip(on); }
static inline void stbi_set_flip_vertically_on_load_thread(int on) { haloscope_picture_flip(on); }
static inline void stbi_set_unpremultiply_on_load(int on) { (void)on; }
static inline void stbi_convert_iphone_png_to_rgb(int on) { (void)on; }
static inline void stbi_hdr_to_ldr_gamma(float gamma) { (void)gamma; }
static inline void stbi_hdr_to_ldr_scale(float scale) { (void)scale; }
static inline void stbi_ldr_to_hdr_gamma(float gamma) { (void)gamma; }
static inline void stbi_ldr_to_hdr_scale(float scale) { (void)scale; }
#endif
)cuda";

/// A picture that is written to a file goes nowhere, as all that a program writes; its pixels are read.
inline constexpr char kStbWriteHeader[] = R"cuda(#ifndef HALOSCOPE_STB_WRITE
#define HALOSCOPE_STB_WRITE
#include <stdio.h>
#include <stdlib.h>
typedef void stbi_write_func(void *context, void *data, int size);
#ifdef __cplusplus
extern "C" {
#endif
int haloscope_picture_png(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels, int stride);
int haloscope_picture_bmp(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels);
int haloscope_picture_jpg(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels, int quality);
#ifdef __cplusplus
}
#endif
static int stbi_write_png_compression_level __attribute__((unused)) = 8;
static int stbi_write_tga_with_rle __attribute__((unused)) = 1;
static int stbi_write_force_png_filter __attribute__((unused)) = -1;
static inline void stbi_flip_vertically_on_write(int on) { (void)on; }
static inline int haloscope_stb_write(const char *name, int width, int height, size_t row, size_t stride, const void *pixels) {
  if (width <= 0 || height <= 0) return 0;
  FILE *file = fopen(name, "wb");
  if (!file) return 0;
  for (int y = 0; y < height; ++y) {
    const volatile unsigned char *at = (const volatile unsigned char *)pixels + stride * y;
    for (size_t x = 0; x < row; x += 64) (void)at[x];
    (void)at[row - 1];
  }
  return fclose(file), 1;
}
static inline int stbi_write_png(const char *name, int width, int height, int channels, const void *pixels, int stride) {
  const size_t row = (size_t)width * channels;
  return haloscope_stb_write(name, width, height, row, stride ? (size_t)stride : row, pixels);
}
static inline int stbi_write_bmp(const char *name, int width, int height, int channels, const void *pixels) {
  const size_t row = (size_t)width * channels;
  return haloscope_stb_write(name, width, height, row, row, pixels);
}
static inline int stbi_write_tga(const char *name, int width, int height, int channels, const void *pixels) {
  return stbi_write_bmp(name, width, height, channels, pixels);
}
static inline int stbi_write_jpg(const char *name, int width, int height, int channels, const void *pixels, int quality) {
  return (void)quality, stbi_write_bmp(name, width, height, channels, pixels);
}
static inline int stbi_write_hdr(const char *name, int width, int height, int channels, const float *pixels) {
  const size_t row = (size_t)width * channels * sizeof(float);
  return haloscope_stb_write(name, width, height, row, row, pixels);
}
static inline int stbi_write_png_to_func(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels, int stride) {
  return haloscope_picture_png(to, context, width, height, channels, pixels, stride ? stride : width * channels);
}
static inline int stbi_write_bmp_to_func(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels) {
  return haloscope_picture_bmp(to, context, width, height, channels, pixels);
}
static inline int stbi_write_jpg_to_func(stbi_write_func *to, void *context, int width, int height, int channels, const void *pixels, int quality) {
  return haloscope_picture_jpg(to, context, width, height, channels, pixels, quality);
}
#endif
)cuda";

/// Linear interpolation between the centres of pixels; stb's filters are wider.
inline constexpr char kStbResizeHeader[] = R"cuda(#ifndef HALOSCOPE_STB_RESIZE
#define HALOSCOPE_STB_RESIZE
#include <stddef.h>
typedef enum { STBIR_1CHANNEL = 1, STBIR_2CHANNEL = 2, STBIR_RGB = 3, STBIR_RGBA = 4, STBIR_BGR = 0x103, STBIR_BGRA = 0x104 } stbir_pixel_layout;
#define HALOSCOPE_STB_RESIZE_OF(NAME, TYPE, HALF) \
  static inline int NAME(const TYPE *in, int width, int height, int stride, TYPE *out, int toWidth, int toHeight, int toStride, int channels) { \
    const size_t row = stride ? stride / sizeof(TYPE) : (size_t)width * channels; \
    const size_t toRow = toStride ? toStride / sizeof(TYPE) : (size_t)toWidth * channels; \
    for (int y = 0; y < toHeight; ++y) { \
      float v = (y + 0.5f) * height / toHeight - 0.5f; \
      v = v < 0 ? 0 : v > height - 1 ? height - 1 : v; \
      const int y0 = (int)v, y1 = y0 + 1 < height ? y0 + 1 : y0; \
      for (int x = 0; x < toWidth; ++x) { \
        float u = (x + 0.5f) * width / toWidth - 0.5f; \
        u = u < 0 ? 0 : u > width - 1 ? width - 1 : u; \
        const int x0 = (int)u, x1 = x0 + 1 < width ? x0 + 1 : x0; \
        for (int c = 0; c < channels; ++c) { \
          const float a = in[y0 * row + x0 * channels + c], b = in[y0 * row + x1 * channels + c]; \
          const float d = in[y1 * row + x0 * channels + c], e = in[y1 * row + x1 * channels + c]; \
          const float top = a + (b - a) * (u - x0), low = d + (e - d) * (u - x0); \
          out[y * toRow + x * channels + c] = (TYPE)(top + (low - top) * (v - y0) + HALF); \
        } \
      } \
    } \
    return 1; \
  }
HALOSCOPE_STB_RESIZE_OF(stbir_resize_uint8, unsigned char, 0.5f)
HALOSCOPE_STB_RESIZE_OF(stbir_resize_float, float, 0.0f)
#undef HALOSCOPE_STB_RESIZE_OF
#define HALOSCOPE_STB_RESIZE_2(NAME, OLD, TYPE) \
  static inline TYPE *NAME(const TYPE *in, int width, int height, int stride, TYPE *out, int toWidth, int toHeight, int toStride, stbir_pixel_layout layout) { \
    if (!out) out = (TYPE *)malloc((size_t)(toStride ? toStride : toWidth * (layout & 7) * (int)sizeof(TYPE)) * toHeight); \
    return out && OLD(in, width, height, stride, out, toWidth, toHeight, toStride, layout & 7) ? out : NULL; \
  }
#include <stdlib.h>
HALOSCOPE_STB_RESIZE_2(stbir_resize_uint8_linear, stbir_resize_uint8, unsigned char)
HALOSCOPE_STB_RESIZE_2(stbir_resize_float_linear, stbir_resize_float, float)
#undef HALOSCOPE_STB_RESIZE_2
#ifdef __cplusplus
static inline unsigned char *stbir_resize_uint8_srgb(const unsigned char *in, int width, int height, int stride, unsigned char *out, int toWidth, int toHeight, int toStride, stbir_pixel_layout layout) {
  return stbir_resize_uint8_linear(in, width, height, stride, out, toWidth, toHeight, toStride, layout);
}
static inline int stbir_resize_uint8_srgb(const unsigned char *in, int width, int height, int stride, unsigned char *out, int toWidth, int toHeight, int toStride, int channels, int, int) {
  return stbir_resize_uint8(in, width, height, stride, out, toWidth, toHeight, toStride, channels);
}
#endif
#endif
)cuda";

}  // namespace haloscope::host
