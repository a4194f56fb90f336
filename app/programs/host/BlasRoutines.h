#pragma once

namespace haloscope::host {

/// The routines of the stand-in for cuBLAS: goes on where kBlasTypes ends.
inline constexpr char kBlasRoutines[] = R"cuda(
// The elements of a vector; with a negative step they count from its end.
template <class T> struct haloscope_vector : haloscope_elements_of<T> {
  haloscope_vector(const haloscope_stream_at &in, T *p, int n, int step, int use)
      : haloscope_elements_of<T>(in, p, step == 1 ? (size_t)n : 1, step == 1 ? 1 : (size_t)n, step == 1 ? (size_t)n : (size_t)(step < 0 ? -step : step), use),
        n(n), step(step) {}
  std::remove_const_t<T> &at(int i) const {
    return step == 1 ? (*this)(i, 0) : (*this)(0, step < 0 ? n - 1 - i : i);
  }
  int n, step;
};
// Columns of m elements.
template <class T> struct haloscope_matrix : haloscope_elements_of<T> {
  haloscope_matrix(const haloscope_stream_at &in, T *p, int m, int n, int ld, int use)
      : haloscope_elements_of<T>(in, p, (size_t)m, (size_t)n, (size_t)ld, use) {}
};
// What the pointer mode says of alpha, beta and results.
template <class T> inline T haloscope_scalar(cublasHandle_t handle, const haloscope_stream_at &in, const T *p) {
  if (handle->mode == CUBLAS_POINTER_MODE_HOST) return *p;
  const haloscope_elements_of<const T> one(in, p, 1, 1, 1, haloscope_reads);
  return one[0];
}
template <class T> inline cublasStatus_t haloscope_result(cublasHandle_t handle, const haloscope_stream_at &in, T *p, T value) {
  if (handle->mode == CUBLAS_POINTER_MODE_HOST) {
    haloscope_synchronize(1, in.stream, in.at);
    return *p = value, CUBLAS_STATUS_SUCCESS;
  }
  haloscope_elements_of<T> one(in, p, 1, 1, 1, haloscope_writes);
  if (one.good()) one[0] = value;
  return one.store() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
#define HALOSCOPE_BLAS_BEGIN(VALID) \
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED; \
  if (!(VALID)) return CUBLAS_STATUS_INVALID_VALUE; \
  haloscope_not_captured(handle->stream, "cuBLAS in a stream that is captured", at); \
  const haloscope_stream_at in{handle->stream, at};
#define HALOSCOPE_BLAS_END(STORED) return (STORED) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;

template <class T> cublasStatus_t haloscope_axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx != 0 && incy != 0)
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha);
  const haloscope_vector<const T> from(in, x, n, incx, haloscope_reads);
  haloscope_vector<T> to(in, y, n, incy, haloscope_updates);
  if (from.good() && to.good()) for (int i = 0; i < n; ++i) to.at(i) += a * from.at(i);
  HALOSCOPE_BLAS_END(from.good() && to.store())
}
template <class T> cublasStatus_t haloscope_scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx > 0)
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha);
  haloscope_vector<T> to(in, x, n, incx, haloscope_updates);
  if (to.good()) for (int i = 0; i < n; ++i) to.at(i) *= a;
  HALOSCOPE_BLAS_END(to.store())
}
template <class T> cublasStatus_t haloscope_blas_copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx != 0 && incy != 0)
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const haloscope_vector<const T> from(in, x, n, incx, haloscope_reads);
  haloscope_vector<T> to(in, y, n, incy, haloscope_writes);
  if (from.good() && to.good()) for (int i = 0; i < n; ++i) to.at(i) = from.at(i);
  HALOSCOPE_BLAS_END(from.good() && to.store())
}
template <class T> cublasStatus_t haloscope_swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx != 0 && incy != 0)
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  haloscope_vector<T> a(in, x, n, incx, haloscope_updates), b(in, y, n, incy, haloscope_updates);
  if (a.good() && b.good()) for (int i = 0; i < n; ++i) { const T old = a.at(i); a.at(i) = b.at(i), b.at(i) = old; }
  HALOSCOPE_BLAS_END(a.store() && b.store())
}
template <class T> cublasStatus_t haloscope_dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && result)
  const haloscope_vector<const T> a(in, x, n, incx, haloscope_reads), b(in, y, n, incy, haloscope_reads);
  if (!a.good() || !b.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (double)a.at(i) * b.at(i);
  return haloscope_result(handle, in, result, (T)sum);
}
// 0: the sum of absolute values, 1: the root of the sum of squares
template <class T> cublasStatus_t haloscope_norm(cublasHandle_t handle, int n, const T *x, int incx, T *result, int square, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx > 0 && result)
  const haloscope_vector<const T> a(in, x, n, incx, haloscope_reads);
  if (!a.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += square ? (double)a.at(i) * a.at(i) : fabs((double)a.at(i));
  return haloscope_result(handle, in, result, (T)(square ? sqrt(sum) : sum));
}
template <class T> cublasStatus_t haloscope_extreme(cublasHandle_t handle, int n, const T *x, int incx, int *result, int largest, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(n >= 0 && incx > 0 && result)
  const haloscope_vector<const T> a(in, x, n, incx, haloscope_reads);
  if (!a.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  int best = 0;
  for (int i = 1; i < n; ++i) {
    const T one = fabs(a.at(i)), other = fabs(a.at(best));
    if (largest ? one > other : one < other) best = i;
  }
  return haloscope_result(handle, in, result, n > 0 ? best + 1 : 0);
}
template <class T> cublasStatus_t haloscope_gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *A, int lda,
                                                 const T *x, int incx, const T *beta, T *y, int incy, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx != 0 && incy != 0)
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha), b = haloscope_scalar(handle, in, beta);
  const bool plain = trans == CUBLAS_OP_N;
  const int rows = plain ? m : n;
  const haloscope_matrix<const T> matrix(in, A, m, n, lda, haloscope_reads);
  const haloscope_vector<const T> from(in, x, plain ? n : m, incx, haloscope_reads);
  haloscope_vector<T> to(in, y, rows, incy, b == T(0) ? haloscope_writes : haloscope_updates);
  if (!matrix.good() || !from.good() || !to.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < rows; ++i) to.at(i) = b == T(0) ? T(0) : b * to.at(i);
  for (int j = 0; j < n; ++j) {
    T sum = 0;
    for (int i = 0; i < m; ++i) {
      if (plain) to.at(i) += a * from.at(j) * matrix(i, j);
      else sum += matrix(i, j) * from.at(i);
    }
    if (!plain) to.at(j) += a * sum;
  }
  HALOSCOPE_BLAS_END(to.store())
}
template <class T> cublasStatus_t haloscope_ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy,
                                                T *A, int lda, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx != 0 && incy != 0)
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha);
  const haloscope_vector<const T> column(in, x, m, incx, haloscope_reads), line(in, y, n, incy, haloscope_reads);
  haloscope_matrix<T> matrix(in, A, m, n, lda, haloscope_updates);
  if (!column.good() || !line.good() || !matrix.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int j = 0; j < n; ++j) for (int i = 0; i < m; ++i) matrix(i, j) += a * column.at(i) * line.at(j);
  HALOSCOPE_BLAS_END(matrix.store())
}
template <class T> cublasStatus_t haloscope_product(const haloscope_stream_at &in, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                                                    T alpha, const T *A, int lda, const T *B, int ldb, T beta, T *C, int ldc) {
  const bool plainA = opA == CUBLAS_OP_N, plainB = opB == CUBLAS_OP_N;
  const bool factors = k > 0 && alpha != T(0);
  const haloscope_matrix<const T> a(in, A, factors ? (plainA ? m : k) : 0, plainA ? k : m, lda, haloscope_reads);
  const haloscope_matrix<const T> b(in, B, factors ? (plainB ? k : n) : 0, plainB ? n : k, ldb, haloscope_reads);
  haloscope_matrix<T> c(in, C, m, n, ldc, beta == T(0) ? haloscope_writes : haloscope_updates);
  if (!a.good() || !b.good() || !c.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int j = 0; j < n; ++j) {
    T *const to = c.row(j);
    for (int i = 0; i < m; ++i) to[i] = beta == T(0) ? T(0) : beta * to[i];
    for (int l = 0; factors && plainA && l < k; ++l) {
      const T by = alpha * (plainB ? b(l, j) : b(j, l));
      const T *const from = a.row(l);
      for (int i = 0; i < m; ++i) to[i] += by * from[i];
    }
    for (int i = 0; factors && !plainA && i < m; ++i) {
      const T *const from = a.row(i);
      T sum = 0;
      for (int l = 0; l < k; ++l) sum += from[l] * (plainB ? b(l, j) : b(j, l));
      to[i] += alpha * sum;
    }
  }
  HALOSCOPE_BLAS_END(c.store())
}
#define HALOSCOPE_GEMM_VALID \
  (m >= 0 && n >= 0 && k >= 0 && lda >= ((opA == CUBLAS_OP_N ? m : k) > 1 ? (opA == CUBLAS_OP_N ? m : k) : 1) && \
   ldb >= ((opB == CUBLAS_OP_N ? k : n) > 1 ? (opB == CUBLAS_OP_N ? k : n) : 1) && ldc >= (m > 1 ? m : 1))
template <class T> cublasStatus_t haloscope_gemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha,
                                                 const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(HALOSCOPE_GEMM_VALID)
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return haloscope_product(in, opA, opB, m, n, k, haloscope_scalar(handle, in, alpha), A, lda, B, ldb, haloscope_scalar(handle, in, beta), C, ldc);
}
template <class T> cublasStatus_t haloscope_gemm_strided(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                                                         const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB,
                                                         const T *beta, T *C, int ldc, long long strideC, int count, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(count >= 0 && HALOSCOPE_GEMM_VALID)
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha), b = haloscope_scalar(handle, in, beta);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)
    status = haloscope_product(in, opA, opB, m, n, k, a, A + i * strideA, lda, B + i * strideB, ldb, b, C + i * strideC, ldc);
  return status;
}
template <class T> cublasStatus_t haloscope_gemm_batched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                                                         const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, const T *beta,
                                                         T *const C[], int ldc, int count, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(count >= 0 && HALOSCOPE_GEMM_VALID)
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const T a = haloscope_scalar(handle, in, alpha), b = haloscope_scalar(handle, in, beta);
  const haloscope_vector<const T *const> as(in, A, count, 1, haloscope_reads), bs(in, B, count, 1, haloscope_reads);
  const haloscope_vector<T *const> cs(in, C, count, 1, haloscope_reads);
  if (!as.good() || !bs.good() || !cs.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)
    status = haloscope_product(in, opA, opB, m, n, k, a, as.at(i), lda, bs.at(i), ldb, b, cs.at(i), ldc);
  return status;
}
template <class T> cublasStatus_t haloscope_geam(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const T *alpha,
                                                 const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc, haloscope_place at) {
  HALOSCOPE_BLAS_BEGIN(m >= 0 && n >= 0 && ldc >= (m > 1 ? m : 1))
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const T x = haloscope_scalar(handle, in, alpha), y = haloscope_scalar(handle, in, beta);
  const bool plainA = opA == CUBLAS_OP_N, plainB = opB == CUBLAS_OP_N;
  const haloscope_matrix<const T> a(in, A, x == T(0) ? 0 : plainA ? m : n, plainA ? n : m, lda, haloscope_reads);
  const haloscope_matrix<const T> b(in, B, y == T(0) ? 0 : plainB ? m : n, plainB ? n : m, ldb, haloscope_reads);
  haloscope_matrix<T> c(in, C, m, n, ldc, haloscope_writes);
  if (!a.good() || !b.good() || !c.good()) return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int j = 0; j < n; ++j) for (int i = 0; i < m; ++i) {
    c(i, j) = (x == T(0) ? T(0) : x * (plainA ? a(i, j) : a(j, i))) + (y == T(0) ? T(0) : y * (plainB ? b(i, j) : b(j, i)));
  }
  HALOSCOPE_BLAS_END(c.store())
}
#undef HALOSCOPE_BLAS_BEGIN
#undef HALOSCOPE_BLAS_END
#undef HALOSCOPE_GEMM_VALID

#define HALOSCOPE_BLAS_OF(P, I, T) \
  inline cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy, HALOSCOPE_AT) { return haloscope_axpy(handle, n, alpha, x, incx, y, incy, at); } \
  inline cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx, HALOSCOPE_AT) { return haloscope_scal(handle, n, alpha, x, incx, at); } \
  inline cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy, HALOSCOPE_AT) { return haloscope_blas_copy(handle, n, x, incx, y, incy, at); } \
  inline cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, HALOSCOPE_AT) { return haloscope_swap(handle, n, x, incx, y, incy, at); } \
  inline cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result, HALOSCOPE_AT) { return haloscope_dot(handle, n, x, incx, y, incy, result, at); } \
  inline cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result, HALOSCOPE_AT) { return haloscope_norm(handle, n, x, incx, result, 1, at); } \
  inline cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result, HALOSCOPE_AT) { return haloscope_norm(handle, n, x, incx, result, 0, at); } \
  inline cublasStatus_t cublas##I##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result, HALOSCOPE_AT) { return haloscope_extreme(handle, n, x, incx, result, 1, at); } \
  inline cublasStatus_t cublas##I##amin(cublasHandle_t handle, int n, const T *x, int incx, int *result, HALOSCOPE_AT) { return haloscope_extreme(handle, n, x, incx, result, 0, at); } \
  inline cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy, HALOSCOPE_AT) { return haloscope_gemv(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy, at); } \
  inline cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A, int lda, HALOSCOPE_AT) { return haloscope_ger(handle, m, n, alpha, x, incx, y, incy, A, lda, at); } \
  inline cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc, HALOSCOPE_AT) { return haloscope_gemm(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, at); } \
  inline cublasStatus_t cublas##P##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB, const T *beta, T *C, int ldc, long long strideC, int count, HALOSCOPE_AT) { return haloscope_gemm_strided(handle, opA, opB, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, strideC, count, at); } \
  inline cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, const T *beta, T *const C[], int ldc, int count, HALOSCOPE_AT) { return haloscope_gemm_batched(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count, at); } \
  inline cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc, HALOSCOPE_AT) { return haloscope_geam(handle, opA, opB, m, n, alpha, A, lda, beta, B, ldb, C, ldc, at); }
HALOSCOPE_BLAS_OF(S, Is, float)
HALOSCOPE_BLAS_OF(D, Id, double)
#undef HALOSCOPE_BLAS_OF
// Of one type throughout.
template <class Compute> inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void *alpha,
                                   const void *A, cudaDataType typeA, int lda, const void *B, cudaDataType typeB, int ldb, const void *beta,
                                   void *C, cudaDataType typeC, int ldc, Compute, cublasGemmAlgo_t, HALOSCOPE_AT) {
  if (typeA == CUDA_R_32F && typeB == CUDA_R_32F && typeC == CUDA_R_32F)
    return haloscope_gemm(handle, opA, opB, m, n, k, (const float *)alpha, (const float *)A, lda, (const float *)B, ldb, (const float *)beta, (float *)C, ldc, at);
  if (typeA == CUDA_R_64F && typeB == CUDA_R_64F && typeC == CUDA_R_64F)
    return haloscope_gemm(handle, opA, opB, m, n, k, (const double *)alpha, (const double *)A, lda, (const double *)B, ldb, (const double *)beta, (double *)C, ldc, at);
  haloscope_unsupported("cublasGemmEx() with other types than CUDA_R_32F and CUDA_R_64F", at);
}
#endif
)cuda";

}  // namespace haloscope::host
