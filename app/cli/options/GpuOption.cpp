#include "options/GpuOption.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "actions/ChosenGpu.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

using Specs = std::vector<measuring::GpuSpec>;

/// Past the end for an architecture that no GPU has. Throws InputError for a name that no GPU has, and for what is no
/// architecture.
Specs::const_iterator findIn(const Specs& specs, const GpuOption& option) {
  if (!option.gpu.empty() && !option.architecture.empty()) {
    throw InputError(tr("--gpu and --arch both select a GPU: give one of them"));
  }
  if (!option.architecture.empty()) {
    const std::string capability = figures::computeCapability(figures::targetOfArchitecture(option.architecture));
    return std::ranges::find(specs, capability, &measuring::GpuSpec::computeCapability);
  }
  const auto named = std::ranges::find_if(
      specs, [&](const measuring::GpuSpec& spec) { return spec.name.find(option.gpu) != std::string::npos; });
  if (named == specs.end()) { throw InputError(trf("--gpu {}: assets/gpus.json has no GPU of that name", option.gpu)); }
  return named;
}

}  // namespace

void GpuOption::addTo(CLI::App& command, const std::string& prefix) {
  command.add_option("--gpu", gpu, prefix + tr("GPU of assets/gpus.json, or part of its name"));
  command.add_option("--arch", architecture,
                     prefix + tr("Architecture, such as sm_75, sm_86 or sm_90, instead of a GPU"));
}

int GpuOption::indexAmong(const std::vector<measuring::GpuSpec>& specs) const {
  const auto spec = findIn(specs, *this);
  if (spec == specs.end()) {
    throw InputError(trf("--arch {}: assets/gpus.json has no GPU of this architecture", architecture));
  }
  return static_cast<int>(spec - specs.begin());
}

figures::CodeTarget GpuOption::codeTarget() const {
  const Specs specs = measuring::knownGpus();
  const auto spec = findIn(specs, *this);
  return spec == specs.end() ? figures::targetOfArchitecture(architecture) : haloscope::codeTarget(*spec);
}

}  // namespace haloscope
