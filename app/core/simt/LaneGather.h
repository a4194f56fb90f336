#pragma once

#include <cstddef>
#include <cstdint>

#include "program/Program.h"
#include "simt/LaneLoop.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Reads 32 elements at 32 indices into active lanes. Written with intrinsics, as compilers do not emit gathers for it.
namespace haloscope::simt {

#if defined(__x86_64__)
HALOSCOPE_AVX2 inline void gatherAvx2(std::uint32_t* to, const std::byte* from, const std::uint64_t* index,
                                      LaneMask lanes) {
  const auto* const base = reinterpret_cast<const int*>(from);
  const __m128i bits = _mm_set_epi32(8, 4, 2, 1);
  for (int at = 0; at < kWarpSize; at += 4) {
    auto* const place = reinterpret_cast<__m128i*>(to + at);
    const __m256i where = _mm256_load_si256(reinterpret_cast<const __m256i*>(index + at));
    const __m128i quad = _mm_set1_epi32(static_cast<int>(lanes >> at));
    const __m128i mask = _mm_cmpeq_epi32(_mm_and_si128(quad, bits), bits);
    _mm_store_si128(place, _mm256_mask_i64gather_epi32(_mm_load_si128(place), base, where, mask, 4));
  }
}
HALOSCOPE_AVX2 inline void gatherAvx2(std::uint64_t* to, const std::byte* from, const std::uint64_t* index,
                                      LaneMask lanes) {
  const auto* const base = reinterpret_cast<const long long*>(from);
  const __m256i bits = _mm256_set_epi64x(8, 4, 2, 1);
  for (int at = 0; at < kWarpSize; at += 4) {
    auto* const place = reinterpret_cast<__m256i*>(to + at);
    const __m256i where = _mm256_load_si256(reinterpret_cast<const __m256i*>(index + at));
    const __m256i quad = _mm256_set1_epi64x(static_cast<long long>(lanes >> at));
    const __m256i mask = _mm256_cmpeq_epi64(_mm256_and_si256(quad, bits), bits);
    _mm256_store_si256(place, _mm256_mask_i64gather_epi64(_mm256_load_si256(place), base, where, mask, 8));
  }
}
HALOSCOPE_AVX512 inline void gatherAvx512(std::uint32_t* to, const std::byte* from, const std::uint64_t* index,
                                          LaneMask lanes) {
  for (int at = 0; at < kWarpSize; at += 8) {
    auto* const place = reinterpret_cast<__m256i*>(to + at);
    const __m512i where = _mm512_load_si512(index + at);
    const auto mask = static_cast<__mmask8>(lanes >> at);
    _mm256_store_si256(place, _mm512_mask_i64gather_epi32(_mm256_load_si256(place), mask, where, from, 4));
  }
}
HALOSCOPE_AVX512 inline void gatherAvx512(std::uint64_t* to, const std::byte* from, const std::uint64_t* index,
                                          LaneMask lanes) {
  for (int at = 0; at < kWarpSize; at += 8) {
    const __m512i where = _mm512_load_si512(index + at);
    const auto mask = static_cast<__mmask8>(lanes >> at);
    const __m512i old = _mm512_load_si512(to + at);
    _mm512_store_si512(to + at, _mm512_mask_i64gather_epi64(old, mask, where, from, 8));
  }
}
#endif

/// Scalar fallback for machines without gathers and for unsupported element types. `Of` reads one element of
/// `Of::kSize` bytes; `laneStride` is the distance in bytes between the copies of neighbouring lanes (0: one array).
template <class Of>
HALOSCOPE_INLINE void gatherPlain(typename Of::Lane* to, const std::byte* from, const std::uint64_t* index,
                                  std::uint64_t laneStride, LaneMask lanes) {
  using Lane = typename Of::Lane;
  // Inactive lanes read element 0, which exists if any does. The buffer keeps the blend in a separate loop that
  // vectorises.
  alignas(64) Lane loaded[kWarpSize];
  HALOSCOPE_UNROLLED for (int lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t element = (lanes & laneBit<LaneMask>(lane)) != 0 ? index[lane] : 0;
    loaded[lane] = Of::read(from + static_cast<std::uint64_t>(lane) * laneStride + element * Of::kSize);
  }
  const Lane mask = lanes;
  HALOSCOPE_LANES(lane) {
    const Lane value = loaded[lane];
    const Lane old = to[lane];
    to[lane] = (mask & laneBit<Lane>(lane)) != 0 ? value : old;
  }
}

/// `to[lane] = from[index[lane]]` for the given lanes.
template <class Of, InstructionSet set>
HALOSCOPE_INLINE void gather(typename Of::Lane* to, const std::byte* from, const std::uint64_t* index,
                             std::uint64_t laneStride, LaneMask lanes) {
#if defined(__x86_64__)
  if constexpr (Of::kIsPlain && set != InstructionSet::Baseline) {
    if (laneStride == 0) {
      if constexpr (set == InstructionSet::Avx512) {
        gatherAvx512(to, from, index, lanes);
      } else {
        gatherAvx2(to, from, index, lanes);
      }
      return;
    }
  }
#endif
  gatherPlain<Of>(to, from, index, laneStride, lanes);
}

}  // namespace haloscope::simt
