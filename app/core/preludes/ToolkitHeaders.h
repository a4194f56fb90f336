#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// Headers of the CUDA toolkit, recognised by how their names begin.
namespace haloscope::preludes {

/// Headers whose declarations precede only the texts that name them.
inline constexpr std::string_view kCooperativeGroupsHeader = "cooperative_groups";
inline constexpr std::string_view kHalfHeader = "cuda_fp16";
inline constexpr std::string_view kRandomHeader = "curand_kernel";
inline constexpr std::string_view kCubHeader = "cub/";
inline constexpr std::string_view kStandardHeader = "cuda/std/";
inline constexpr std::string_view kAtomicHeader = "cuda/atomic";
inline constexpr std::string_view kPictureHeader = "stb_image";
/// Of asynchronous copies: any of these.
inline constexpr std::array<std::string_view, 4> kAsyncCopyHeaders{"cuda_pipeline", "cuda/barrier", "cuda/pipeline",
                                                                   "cuda/ptx"};
/// Those that cudaLibrary() replaces.
[[nodiscard]] inline bool replacedByLibrary(std::string_view header) {
  const auto begins = [header](std::string_view known) { return header.starts_with(known); };
  return begins(kCooperativeGroupsHeader) || std::ranges::any_of(kAsyncCopyHeaders, begins);
}
[[nodiscard]] inline bool hasOwnPrelude(std::string_view header) {
  return replacedByLibrary(header) || header.starts_with(kHalfHeader) || header.starts_with(kRandomHeader) ||
         header.starts_with(kCubHeader) || header.starts_with(kStandardHeader) || header.starts_with(kAtomicHeader);
}

/// Of libraries that the host half has stand-ins for; a program may keep stb's anywhere.
[[nodiscard]] inline bool isLibraryHeader(std::string_view header) {
  return header.starts_with("cublas") || header.starts_with("curand") || header.starts_with("nv") ||
         header == "mpi.h" || header == "omp.h" || header.find(kPictureHeader) != std::string_view::npos;
}

/// Whether a header belongs to the toolkit, its samples or a library, and not to the user's project: it need not be
/// found.
[[nodiscard]] inline bool isToolkitHeader(std::string_view header) {
  return hasOwnPrelude(header) || isLibraryHeader(header) || header.starts_with("cuda") ||
         header.starts_with("device_") || header.starts_with("helper_");
}

}  // namespace haloscope::preludes
