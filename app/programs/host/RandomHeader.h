#pragma once

namespace haloscope::host {

/// A stand-in for cuRAND's generators of the host. They draw good numbers, not those of cuRAND.
inline constexpr char kRandomHeader[] = R"cuda(#ifndef HALOSCOPE_RANDOM
#define HALOSCOPE_RANDOM
#include "/haloscope/haloscope_memory.h"
#include <math.h>
typedef enum {
  CURAND_STATUS_SUCCESS, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED,
  CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
  CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED,
  CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef curandStatus_t curandStatus;
typedef enum {
  CURAND_RNG_TEST, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32
} curandRngType_t;
typedef curandRngType_t curandRngType;
typedef enum {
  CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
  CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
struct curandGenerator_st { unsigned long long seed, drawn; cudaStream_t stream; bool onHost; };
typedef curandGenerator_st *curandGenerator_t;
inline curandStatus_t haloscope_generator(curandGenerator_t *generator, curandRngType_t type, bool onHost, haloscope_place at) {
  if (type >= CURAND_RNG_QUASI_DEFAULT) haloscope_unsupported("a quasirandom generator of cuRAND", at);
  return *generator = new curandGenerator_st{0, 0, nullptr, onHost}, CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type, HALOSCOPE_AT) { return haloscope_generator(generator, type, false, at); }
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type, HALOSCOPE_AT) { return haloscope_generator(generator, type, true, at); }
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  return delete generator, CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->seed = seed, generator->drawn = 0, CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->drawn = offset, CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->stream = stream, CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGetVersion(int *version) { return *version = 10306, CURAND_STATUS_SUCCESS; }
inline unsigned long long haloscope_drawn(curandGenerator_t generator) {
  unsigned long long x = (generator->seed + 1) * 0xd1342543de82ef95ull + generator->drawn++ * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
// In (0, 1]
inline double haloscope_drawn_uniform(curandGenerator_t generator, double) { return ((haloscope_drawn(generator) >> 11) + 1) * 0x1p-53; }
inline float haloscope_drawn_uniform(curandGenerator_t generator, float) { return ((haloscope_drawn(generator) >> 40) + 1) * 0x1p-24f; }
inline double haloscope_drawn_normal(curandGenerator_t generator) {
  const double u = haloscope_drawn_uniform(generator, 0.0), v = haloscope_drawn_uniform(generator, 0.0);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}
template <class T, class F> inline curandStatus_t haloscope_generate(curandGenerator_t generator, T *p, size_t n, haloscope_place at, F draw) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->onHost) {
    for (size_t i = 0; i < n; ++i) p[i] = draw();
    return CURAND_STATUS_SUCCESS;
  }
  haloscope_not_captured(generator->stream, "cuRAND in a stream that is captured", at);
  haloscope_elements_of<T> to({generator->stream, at}, p, n, 1, n, haloscope_writes);
  if (to.good()) for (size_t i = 0; i < n; ++i) to[i] = draw();
  return to.store() ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *p, size_t n, HALOSCOPE_AT) {
  return haloscope_generate(generator, p, n, at, [&] { return (unsigned int)(haloscope_drawn(generator) >> 32); });
}
inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *p, size_t n, HALOSCOPE_AT) {
  return haloscope_generate(generator, p, n, at, [&] { return haloscope_drawn(generator); });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *p, size_t n, double lambda, HALOSCOPE_AT) {
  return haloscope_generate(generator, p, n, at, [&] {
    if (lambda > 64) { const double near = lambda + sqrt(lambda) * haloscope_drawn_normal(generator) + 0.5; return near < 0 ? 0u : (unsigned int)near; }
    const double least = exp(-lambda);
    double product = haloscope_drawn_uniform(generator, 0.0);
    unsigned int count = 0;
    for (; product > least; ++count) product *= haloscope_drawn_uniform(generator, 0.0);
    return count;
  });
}
// Of pairs: an odd number of them is refused.
#define HALOSCOPE_RANDOM_OF(SUFFIX, T) \
  inline curandStatus_t curandGenerateUniform##SUFFIX(curandGenerator_t generator, T *p, size_t n, HALOSCOPE_AT) { \
    return haloscope_generate(generator, p, n, at, [&] { return haloscope_drawn_uniform(generator, T()); }); \
  } \
  inline curandStatus_t curandGenerateNormal##SUFFIX(curandGenerator_t generator, T *p, size_t n, T mean, T deviation, HALOSCOPE_AT) { \
    if (n % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE; \
    return haloscope_generate(generator, p, n, at, [&] { return (T)(mean + deviation * haloscope_drawn_normal(generator)); }); \
  } \
  inline curandStatus_t curandGenerateLogNormal##SUFFIX(curandGenerator_t generator, T *p, size_t n, T mean, T deviation, HALOSCOPE_AT) { \
    if (n % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE; \
    return haloscope_generate(generator, p, n, at, [&] { return (T)exp(mean + deviation * haloscope_drawn_normal(generator)); }); \
  }
HALOSCOPE_RANDOM_OF(, float)
HALOSCOPE_RANDOM_OF(Double, double)
#undef HALOSCOPE_RANDOM_OF
#endif
)cuda";

}  // namespace haloscope::host
