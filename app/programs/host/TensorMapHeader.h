#pragma once

namespace haloscope::host {

/// Of <cuda.h> what concerns tensor maps, behind kDriverHeader. A map's words are those of program/TensorMap.h; what
/// the driver refuses is refused.
inline constexpr char kTensorMapHeader[] = R"cuda(
typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;
typedef struct alignas(64) CUtensorMap_st { unsigned long long haloscope_words[16]; } CUtensorMap;

inline CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                       const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                       const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  const haloscope_place at = {"cuTensorMapEncodeTiled", 0};
  if (interleave) haloscope_unsupported("a tensor map with interleave", at);
  if (swizzle) haloscope_unsupported("a tensor map with swizzle", at);
  if (fill) haloscope_unsupported("a tensor map that fills with NaN", at);
  const int sizesOfTypes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  const unsigned long long base = (unsigned long long)address, bytes = (unsigned int)sizesOfTypes[type];
  if (!map || !address || base % 16 != 0 || rank < 1 || rank > 5) return CUDA_ERROR_INVALID_VALUE;
  unsigned long long *words = map->haloscope_words;
  for (int i = 0; i < 16; ++i) words[i] = 0;
  words[1] = rank | bytes << 3;
  for (unsigned int i = 0; i < 5; ++i) {
    const bool has = i < rank;
    const unsigned long long size = has ? sizes[i] : 1, extent = has ? box[i] : 1, step = has ? steps[i] : 1;
    if (size < 1 || size > 1ull << 32 || extent < 1 || extent > 256 || step < 1 || step > 8) return CUDA_ERROR_INVALID_VALUE;
    words[2 + i] = size;
    words[i < 3 ? 11 : 12] |= extent << 9 * (i % 3);
    words[13] |= step << 4 * i;
    if (i == 0 || !has) continue;
    if (strides[i - 1] % 16 != 0 || strides[i - 1] >= 1ull << 40) return CUDA_ERROR_INVALID_VALUE;
    words[6 + i] = strides[i - 1];
  }
  if (box[0] * bytes % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  for (int i = 0; i < 16; ++i) words[i] += base;
  return CUDA_SUCCESS;
}
typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;

typedef enum { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream } cudaGetDriverEntryPointFlags;
typedef enum { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound } cudaDriverEntryPointQueryResult;
inline cudaError_t haloscope_entry_point(const char *name, void **function, cudaDriverEntryPointQueryResult *result,
                                         haloscope_place at) {
  if (strcmp(name, "cuTensorMapEncodeTiled") != 0) haloscope_unsupported("cudaGetDriverEntryPoint of another function", at);
  *function = (void *)&cuTensorMapEncodeTiled;
  if (result) *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
HALOSCOPE_RUNTIME cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long,
                                          cudaDriverEntryPointQueryResult *result = nullptr, HALOSCOPE_AT) {
  return haloscope_entry_point(name, function, result, at);
}
HALOSCOPE_RUNTIME cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int, unsigned long long,
                                                   cudaDriverEntryPointQueryResult *result = nullptr, HALOSCOPE_AT) {
  return haloscope_entry_point(name, function, result, at);
}
)cuda";

}  // namespace haloscope::host
