#pragma once

namespace haloscope::preludes {

/// The type of tensor maps, read before files that name it. Its words are those of program/TensorMap.h.
inline constexpr char kTensorMaps[] = R"cuda(
struct alignas(64) CUtensorMap_st { const char *haloscope_words[16]; };
typedef CUtensorMap_st CUtensorMap;
)cuda";

/// Tensor copies, behind kBulkCopies. What is outside of the array arrives as zeros. Marked as one bulk copy: see
/// KernelLowering::inlineFunction.
inline constexpr char kTensorCopies[] = R"cuda(
// The number of bytes of an element of the array behind a pointer; copies one there, or a zero; copies the elements of 16
// bytes of which the first so many are not zero.
__device__ unsigned int haloscope_element_bytes(const void *);
__device__ void haloscope_copy_element(void *to, const void *from, bool inside);
__device__ void haloscope_copy_vector(void *to, const void *from, unsigned int bytes);
__device__ inline long long haloscope_tensor_number(const CUtensorMap *map, int word) {
  return map->haloscope_words[word] - map->haloscope_words[0];
}
template <int Rank>
__device__ inline void haloscope_tensor_copy(void *to, const CUtensorMap *map, int x, int y, int z, int u, int v,
                                             const void *barrier) {
  const char *base = map->haloscope_words[0];
  haloscope_assert(base != nullptr, "the tensor map describes an array");
  int format = (int)haloscope_tensor_number(map, 1), bytes = format >> 3;
  haloscope_assert((format & 7) == Rank, "the tensor copy has as many coordinates as its map");
  haloscope_assert(bytes == haloscope_element_bytes(to), "the tensor copy's elements are as large as the destination's");
  haloscope_assert((size_t)to % 128 == 0, "bytes before the tensor copy's destination % 128 == 0");
  // The H200 ends a kernel with an illegal instruction otherwise.
  haloscope_assert((long long)x * bytes % 16 == 0, "bytes before the tensor copy's first column % 16 == 0");
  int low = (int)haloscope_tensor_number(map, 11), high = (int)haloscope_tensor_number(map, 12);
  int steps = (int)haloscope_tensor_number(map, 13);
  int stepX = steps & 15, stepY = steps >> 4 & 15, stepZ = steps >> 8 & 15, stepU = steps >> 12 & 15, stepV = steps >> 16 & 15;
  int countX = ((low & 511) + stepX - 1) / stepX, countY = ((low >> 9 & 511) + stepY - 1) / stepY;
  int countZ = ((low >> 18 & 511) + stepZ - 1) / stepZ, countU = ((high & 511) + stepU - 1) / stepU;
  int countV = ((high >> 9 & 511) + stepV - 1) / stepV;
  // Rows of neighbouring elements go by 16 bytes.
  bool vectors = (stepX == 1) & (countX * bytes % 16 == 0);
  int unit = vectors ? 16 / bytes : 1;
  int rows = countY * countZ * countU * countV;
  long long sizeX = haloscope_tensor_number(map, 2), sizeY = haloscope_tensor_number(map, 3);
  long long sizeZ = haloscope_tensor_number(map, 4), sizeU = haloscope_tensor_number(map, 5);
  long long sizeV = haloscope_tensor_number(map, 6);
  long long row = haloscope_tensor_number(map, 7), plane = haloscope_tensor_number(map, 8);
  long long strideU = haloscope_tensor_number(map, 9), strideV = haloscope_tensor_number(map, 10);
  int j = 0, k = 0, l = 0, m = 0;
  int filled = 0;  // bytes of the destination
  for (int done = 0; done < rows; ++done) {
    bool inside = true;
    const char *begin = base;
    if constexpr (Rank > 1) {
      long long at = (long long)y + j * stepY;
      inside = (at >= 0) & (at < sizeY);
      begin = begin + at * row;
    }
    if constexpr (Rank > 2) {
      long long at = (long long)z + k * stepZ;
      inside = inside & (at >= 0) & (at < sizeZ);
      begin = begin + at * plane;
    }
    if constexpr (Rank > 3) {
      long long at = (long long)u + l * stepU;
      inside = inside & (at >= 0) & (at < sizeU);
      begin = begin + at * strideU;
    }
    if constexpr (Rank > 4) {
      long long at = (long long)v + m * stepV;
      inside = inside & (at >= 0) & (at < sizeV);
      begin = begin + at * strideV;
    }
    long long size = inside ? sizeX : 0;  // of it, elements that are in the array
    for (int i = 0; i < countX; i += unit) {
      long long at = (long long)x + i * stepX;
      long long rest = at < 0 ? 0 : size - at;
      if (vectors) {
        haloscope_copy_vector((char *)to + filled, begin + at * bytes, rest <= 0 ? 0 : rest < unit ? (int)rest * bytes : 16);
      } else {
        haloscope_copy_element((char *)to + filled, begin + at * bytes, rest > 0);
      }
      filled += unit * bytes;
    }
    ++j;
    if (j == countY) { j = 0; ++k; }
    if (k == countZ) { k = 0; ++l; }
    if (l == countU) { l = 0; ++m; }
  }
  haloscope_commit_copies(barrier);
}

namespace cuda {
namespace device {
namespace experimental {
__device__ inline void cp_async_bulk_tensor_1d_global_to_shared(void *to, const CUtensorMap *map, int x,
                                                                haloscope_barrier &one) {
  haloscope_tensor_copy<1>(to, map, x, 0, 0, 0, 0, &one.haloscope_word);
}
__device__ inline void cp_async_bulk_tensor_2d_global_to_shared(void *to, const CUtensorMap *map, int x, int y,
                                                                haloscope_barrier &one) {
  haloscope_tensor_copy<2>(to, map, x, y, 0, 0, 0, &one.haloscope_word);
}
__device__ inline void cp_async_bulk_tensor_3d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z,
                                                                haloscope_barrier &one) {
  haloscope_tensor_copy<3>(to, map, x, y, z, 0, 0, &one.haloscope_word);
}
__device__ inline void cp_async_bulk_tensor_4d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z,
                                                                int u, haloscope_barrier &one) {
  haloscope_tensor_copy<4>(to, map, x, y, z, u, 0, &one.haloscope_word);
}
__device__ inline void cp_async_bulk_tensor_5d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z,
                                                                int u, int v, haloscope_barrier &one) {
  haloscope_tensor_copy<5>(to, map, x, y, z, u, v, &one.haloscope_word);
}
}
}
namespace ptx {
template <class Space>
__device__ inline void cp_async_bulk_tensor(Space, space_global_t, void *to, const void *map, const int32_t (&at)[1],
                                            uint64_t *one) {
  haloscope_tensor_copy<1>(to, (const CUtensorMap *)map, at[0], 0, 0, 0, 0, one);
}
template <class Space>
__device__ inline void cp_async_bulk_tensor(Space, space_global_t, void *to, const void *map, const int32_t (&at)[2],
                                            uint64_t *one) {
  haloscope_tensor_copy<2>(to, (const CUtensorMap *)map, at[0], at[1], 0, 0, 0, one);
}
template <class Space>
__device__ inline void cp_async_bulk_tensor(Space, space_global_t, void *to, const void *map, const int32_t (&at)[3],
                                            uint64_t *one) {
  haloscope_tensor_copy<3>(to, (const CUtensorMap *)map, at[0], at[1], at[2], 0, 0, one);
}
}
}
)cuda";

}  // namespace haloscope::preludes
