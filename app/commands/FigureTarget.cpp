#include "commands/FigureTarget.h"

#include <fmt/format.h>

#include <algorithm>

#include "measuring/GpuSpecs.h"
#include "program/ResourceFolder.h"
#include "state/ChosenGpu.h"

namespace haloscope {

namespace {

/// The first of that name or architecture, the very first if nothing is said; past the end where there is none.
/// Throws InputError for a name that no GPU has, and for what is no architecture.
std::vector<measuring::GpuSpec>::const_iterator specOf(const FigureTarget& target,
                                                       const std::vector<measuring::GpuSpec>& specs) {
  if (!target.gpu.empty() && !target.architecture.empty()) {
    throw InputError("--gpu and --arch both say what the numbers are for: give one of them");
  }
  if (!target.architecture.empty()) {
    const std::string capability = figures::computeCapability(figures::targetOfArchitecture(target.architecture));
    return std::ranges::find(specs, capability, &measuring::GpuSpec::computeCapability);
  }
  const auto named = std::ranges::find_if(
      specs, [&](const measuring::GpuSpec& spec) { return spec.name.find(target.gpu) != std::string::npos; });
  if (named == specs.end()) {
    throw InputError(fmt::format("--gpu {}: assets/gpus.json has no GPU of that name", target.gpu));
  }
  return named;
}

}  // namespace

figures::CodeTarget FigureTarget::find() const {
  const auto specs = measuring::readGpuSpecs(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "gpus.json");
  const auto spec = specOf(*this, specs);
  return spec == specs.end() ? figures::targetOfArchitecture(architecture) : codeTarget(*spec);
}

int FigureTarget::indexAmong(const std::vector<measuring::GpuSpec>& specs) const {
  const auto spec = specOf(*this, specs);
  if (spec == specs.end()) {
    throw InputError(
        fmt::format("--arch {}: a picture is of a whole GPU, and assets/gpus.json has none of it", architecture));
  }
  return static_cast<int>(spec - specs.begin());
}

}  // namespace haloscope
