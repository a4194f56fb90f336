#pragma once

/// A stand-in for cuBLAS in single and double precision. What a routine works on is copied to the host in the order of
/// its stream, computed there, and copied back: so what it reads and writes is known, and of which stream it is.
namespace haloscope::host {

/// What stand-ins for libraries that work on memory of the device have in common.
inline constexpr char kLibraryMemoryHeader[] = R"cuda(#ifndef HALOSCOPE_LIBRARY_MEMORY
#define HALOSCOPE_LIBRARY_MEMORY
#include <stddef.h>
#include <string.h>
#include <type_traits>
extern "C" {
void *haloscope_scratch(size_t bytes);
void haloscope_scratch_free(void *scratch);
int haloscope_capturing(const void *stream);
}
inline void haloscope_not_captured(cudaStream_t stream, const char *what, haloscope_place at) {
  if (haloscope_capturing(stream)) haloscope_unsupported(what, at);
}
struct haloscope_stream_at { cudaStream_t stream; haloscope_place at; };
enum haloscope_use { haloscope_reads = 1, haloscope_writes = 2, haloscope_updates = 3 };
// `height` rows of `width` elements on the host, of which each begins `pitch` elements behind the one before.
template <class T> class haloscope_elements_of {
 public:
  typedef std::remove_const_t<T> value_type;
  haloscope_elements_of(const haloscope_stream_at &in, T *p, size_t width, size_t height, size_t pitch, int use)
      : in_(in), p_(p), width_(width), height_(height), pitch_(pitch), use_(use) {
    if (width == 0 || height == 0) return;
    const int kind = haloscope_memory_kind((const void *)p);
    if (kind == 1 || kind == 3) {  // of the host: what is still at work on it must be over
      haloscope_synchronize(0, nullptr, in.at);
      at_ = (value_type *)p, step_ = pitch;
      return;
    }
    own_ = at_ = (value_type *)haloscope_scratch(width * height * sizeof(T)), step_ = width;
    if (!own_) { error_ = 2; return; }
    if (use & haloscope_reads) {
      haloscope_rows rows{own_, width * sizeof(T), p, pitch * sizeof(T), width * sizeof(T), height};
      error_ = haloscope_copy(&rows, cudaMemcpyDeviceToHost, 2, in.stream, in.at);
    }
  }
  haloscope_elements_of(const haloscope_elements_of &) = delete;
  ~haloscope_elements_of() { haloscope_scratch_free(own_); }
  value_type &operator()(size_t x, size_t row) const { return at_[row * step_ + x]; }
  value_type &operator[](size_t i) const { return at_[i]; }
  value_type *row(size_t y) const { return at_ + y * step_; }
  bool good() const { return error_ == 0; }
  // The elements go back; those of a failed call stay as they are.
  bool store() {
    if (!own_ || error_ || !(use_ & haloscope_writes)) return good();
    haloscope_rows rows{(void *)p_, pitch_ * sizeof(T), own_, width_ * sizeof(T), width_ * sizeof(T), height_};
    return (error_ = haloscope_copy(&rows, cudaMemcpyHostToDevice, 2, in_.stream, in_.at)) == 0;
  }

 private:
  haloscope_stream_at in_;
  T *p_;
  size_t width_, height_, pitch_, step_ = 0;
  int use_, error_ = 0;
  value_type *at_ = nullptr, *own_ = nullptr;
};
#endif
)cuda";

inline constexpr char kBlasTypes[] = R"cuda(#ifndef HALOSCOPE_BLAS
#define HALOSCOPE_BLAS
#include "/haloscope/haloscope_memory.h"
#include <math.h>
typedef enum {
  CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_LICENSE_ERROR
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_COMPUTE_64F,
  CUBLAS_COMPUTE_64F_PEDANTIC, CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum cudaDataType_t { CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_R_16BF = 14 } cudaDataType;
typedef cudaDataType cublasDataType_t;
#define CUBLAS_VERSION 120500
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 5
struct cublasContext { cudaStream_t stream; cublasPointerMode_t mode; cublasMath_t math; };
typedef cublasContext *cublasHandle_t;
inline cublasStatus_t cublasCreate(cublasHandle_t *handle) { return *handle = new cublasContext{}, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return delete handle, CUBLAS_STATUS_SUCCESS;
}
#define HALOSCOPE_BLAS_PROPERTY(SET, GET, TYPE, MEMBER) \
  inline cublasStatus_t SET(cublasHandle_t handle, TYPE value) { \
    return handle ? handle->MEMBER = value, CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED; \
  } \
  inline cublasStatus_t GET(cublasHandle_t handle, TYPE *value) { \
    return handle ? *value = handle->MEMBER, CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED; \
  }
HALOSCOPE_BLAS_PROPERTY(cublasSetStream, cublasGetStream, cudaStream_t, stream)
HALOSCOPE_BLAS_PROPERTY(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, mode)
HALOSCOPE_BLAS_PROPERTY(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
#undef HALOSCOPE_BLAS_PROPERTY
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) { return *version = CUBLAS_VERSION, CUBLAS_STATUS_SUCCESS; }
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
inline const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define HALOSCOPE_STATUS(NAME) case NAME: return #NAME;
    HALOSCOPE_STATUS(CUBLAS_STATUS_SUCCESS) HALOSCOPE_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    HALOSCOPE_STATUS(CUBLAS_STATUS_ALLOC_FAILED) HALOSCOPE_STATUS(CUBLAS_STATUS_INVALID_VALUE)
    HALOSCOPE_STATUS(CUBLAS_STATUS_ARCH_MISMATCH) HALOSCOPE_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    HALOSCOPE_STATUS(CUBLAS_STATUS_EXECUTION_FAILED) HALOSCOPE_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    HALOSCOPE_STATUS(CUBLAS_STATUS_NOT_SUPPORTED) HALOSCOPE_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef HALOSCOPE_STATUS
  }
  return "an unknown status";
}
inline const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

// Between the host's memory and the device's.
inline cublasStatus_t haloscope_blas_move(int rows, int columns, int size, const void *from, int ldFrom, void *to, int ldTo,
                                          cudaMemcpyKind kind, int asynchronous, cudaStream_t stream, haloscope_place at) {
  if (rows < 0 || columns < 0 || size <= 0 || ldFrom < rows || ldTo < rows) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const size_t width = (size_t)rows * size;
  return haloscope_copied(to, (size_t)ldTo * size, from, (size_t)ldFrom * size, width, columns, kind, asynchronous, stream, at) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
#define HALOSCOPE_BLAS_MOVE(WAY, KIND) \
  inline cublasStatus_t cublas##WAY##Matrix(int rows, int columns, int size, const void *from, int ldFrom, void *to, int ldTo, HALOSCOPE_AT) { \
    return haloscope_blas_move(rows, columns, size, from, ldFrom, to, ldTo, KIND, 0, 0, at); \
  } \
  inline cublasStatus_t cublas##WAY##MatrixAsync(int rows, int columns, int size, const void *from, int ldFrom, void *to, int ldTo, cudaStream_t stream, HALOSCOPE_AT) { \
    return haloscope_blas_move(rows, columns, size, from, ldFrom, to, ldTo, KIND, 1, stream, at); \
  } \
  inline cublasStatus_t cublas##WAY##Vector(int n, int size, const void *from, int incFrom, void *to, int incTo, HALOSCOPE_AT) { \
    if (incFrom == 1 && incTo == 1) return haloscope_blas_move(n, 1, size, from, n, to, n, KIND, 0, 0, at); \
    return haloscope_blas_move(1, n, size, from, incFrom, to, incTo, KIND, 0, 0, at); \
  } \
  inline cublasStatus_t cublas##WAY##VectorAsync(int n, int size, const void *from, int incFrom, void *to, int incTo, cudaStream_t stream, HALOSCOPE_AT) { \
    if (incFrom == 1 && incTo == 1) return haloscope_blas_move(n, 1, size, from, n, to, n, KIND, 1, stream, at); \
    return haloscope_blas_move(1, n, size, from, incFrom, to, incTo, KIND, 1, stream, at); \
  }
HALOSCOPE_BLAS_MOVE(Set, cudaMemcpyHostToDevice)
HALOSCOPE_BLAS_MOVE(Get, cudaMemcpyDeviceToHost)
#undef HALOSCOPE_BLAS_MOVE
)cuda";

}  // namespace haloscope::host
