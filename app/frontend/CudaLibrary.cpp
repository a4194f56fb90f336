#include "frontend/CudaLibrary.h"

#include <algorithm>

#include "frontend/AsyncCopyPrelude.h"
#include "frontend/BulkCopyPrelude.h"
#include "frontend/ClusterPrelude.h"
#include "frontend/CooperativeGroupsPrelude.h"
#include "frontend/CopiesOfGpu.h"
#include "frontend/LoggedCopies.h"
#include "frontend/TensorPrelude.h"
#include "frontend/ToolkitHeaders.h"

namespace haloscope::frontend {

namespace {

bool namesGroups(const std::string& text, const CompileOptions& options) {
  return mentions(text, options, kCooperativeGroupsHeader);
}

bool namesCopies(const std::string& text, const CompileOptions& options) {
  return namesGroups(text, options) || std::ranges::any_of(kAsyncCopyHeaders, [&](std::string_view header) {
           return mentions(text, options, header);
         });
}

}  // namespace

bool mentions(const std::string& text, const CompileOptions& options, std::string_view word) {
  const auto has = [word](const std::string& one) { return one.find(word) != std::string::npos; };
  return has(text) || has(options.prologue) ||
         std::ranges::any_of(options.headers, [&](const auto& one) { return has(one.second); });
}

std::string cudaLibrary(const std::string& text, const CompileOptions& options) {
  const bool groups = namesGroups(text, options), copies = namesCopies(text, options);
  std::string library;
  if (groups || mentions(text, options, "__cluster")) library += kClusters;
  if (copies) library += kCopyPrimitives;
  if (copies && mentions(text, options, kLogsCopies)) library += kUseOfLoggedCopies;
  if (copies) library += std::string(kAsyncCopies) + kBulkCopies;
  const bool tensors = mentions(text, options, "CUtensorMap");
  if (tensors) library += kTensorMaps;
  if (tensors && copies) library += kTensorCopies;
  if (groups) library += std::string(kCooperativeGroups) + kClustersOfGroups + kAsyncCopiesOfGroups;
  return library;
}

std::string loggedCudaLibrary(const std::string& text, const CompileOptions& options) {
  // Clusters are built into that compiler where the GPU has them.
  constexpr const char* kFrom90 = "\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n";
  std::string library = std::string(kCopiesOfGpu) + kUseOfLoggedCopies + kAsyncCopies + kBulkCopies;
  if (namesGroups(text, options)) {
    library += std::string(kCooperativeGroups) + kFrom90 + kClustersOfGroups + "#endif\n" + kAsyncCopiesOfGroups;
  }
  return library;
}

}  // namespace haloscope::frontend
