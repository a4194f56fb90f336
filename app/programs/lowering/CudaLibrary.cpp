#include "lowering/CudaLibrary.h"

#include <algorithm>

#include "preludes/AsyncCopyPrelude.h"
#include "preludes/BulkCopyPrelude.h"
#include "preludes/ClusterPrelude.h"
#include "preludes/CooperativeGroupsPrelude.h"
#include "preludes/CopiesOfGpu.h"
#include "preludes/LoggedCopies.h"
#include "preludes/PicturePrelude.h"
#include "preludes/RandomPrelude.h"
#include "preludes/TensorPrelude.h"
#include "preludes/ToolkitHeaders.h"
#include "program/CubBlocks.h"
#include "program/CudaStd.h"
#include "program/RandomStates.h"

namespace haloscope::lowering {

namespace {

bool namesGroups(const std::string& text, const CompileOptions& options) {
  return mentions(text, options, preludes::kCooperativeGroupsHeader);
}

bool namesCopies(const std::string& text, const CompileOptions& options) {
  return namesGroups(text, options) || std::ranges::any_of(preludes::kAsyncCopyHeaders, [&](std::string_view header) {
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
  const bool standard =
      mentions(text, options, preludes::kStandardHeader) || mentions(text, options, preludes::kAtomicHeader);
  std::string library;
  if (groups || mentions(text, options, "__cluster")) library += preludes::kClusters;
  if (copies) library += preludes::kCopyPrimitives;
  if (copies && mentions(text, options, preludes::kLogsCopies)) library += preludes::kUseOfLoggedCopies;
  if (copies || standard) library += kThreadScopes;
  if (copies) library += std::string(preludes::kAsyncCopies) + preludes::kBulkCopies;
  if (standard) library += kCudaStd;
  const bool tensors = mentions(text, options, "CUtensorMap");
  if (tensors) library += preludes::kTensorMaps;
  if (tensors && copies) library += preludes::kTensorCopies;
  if (mentions(text, options, preludes::kRandomHeader))
    library += std::string(kRandomStates) + preludes::kRandomNumbers;
  if (mentions(text, options, preludes::kCubHeader)) library += kCubBlocks;
  if (mentions(text, options, preludes::kPictureHeader)) library += preludes::kPictures;
  if (groups)
    library += std::string(preludes::kCooperativeGroups) + preludes::kClustersOfGroups + preludes::kAsyncCopiesOfGroups;
  return library;
}

std::string loggedCudaLibrary(const std::string& text, const CompileOptions& options) {
  // Clusters are built into that compiler where the GPU has them.
  constexpr const char* kFrom90 = "\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n";
  std::string library = std::string(preludes::kCopiesOfGpu) + preludes::kUseOfLoggedCopies + kThreadScopes +
                        preludes::kAsyncCopies + preludes::kBulkCopies;
  if (namesGroups(text, options)) {
    library += std::string(preludes::kCooperativeGroups) + kFrom90 + preludes::kClustersOfGroups + "#endif\n" +
               preludes::kAsyncCopiesOfGroups;
  }
  return library;
}

}  // namespace haloscope::lowering
