#include "commands/KernelsBeside.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/KernelOptions.h"
#include "program/SourceLocation.h"
#include "state/Comparison.h"

namespace haloscope {

std::vector<KernelFile> kernelsBeside(Catalogue& catalogue, const KernelFile& first,
                                      const std::vector<std::string>& targets) {
  if (targets.size() >= Comparison::kMost) {
    throw InputError(fmt::format("at most {} variants stand beside the first", Comparison::kMost - 1));
  }
  if (first.isOpened()) { catalogue.put(first); }
  std::vector<KernelFile> beside;
  for (const std::string& target : targets) {
    KernelFile file = chosenKernel(catalogue, target, KernelOptions{}).file;
    if (file.id == first.id || std::ranges::find(beside, file.id, &KernelFile::id) != beside.end()) {
      throw InputError(fmt::format("{}: it stands there already", target));
    }
    if (file.isOpened()) { catalogue.put(file); }
    beside.push_back(std::move(file));
  }
  return beside;
}

}  // namespace haloscope
