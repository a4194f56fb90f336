#include "FigureTarget.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "ChosenGpu.h"
#include "experiment/GpuSpecs.h"
#include "program/ResourceFolder.h"

namespace haloscope {

void FigureTarget::addTo(CLI::App& command) {
  CLI::Option* byName = command.add_option("--gpu", gpu, "A GPU of assets/gpus.json, or a part of its name");
  command.add_option("--arch", architecture, "An architecture, such as sm_75, sm_86 or sm_90")->excludes(byName);
}

figures::CodeTarget FigureTarget::find() const {
  const auto specs = experiment::readGpuSpecs(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "gpus.json");
  if (!architecture.empty()) {
    figures::CodeTarget target = figures::targetOfArchitecture(architecture);
    for (const GpuSpec& spec : specs) {
      if (spec.computeCapability == figures::computeCapability(target)) { return codeTarget(spec); }
    }
    return target;
  }
  for (const GpuSpec& spec : specs) {
    if (spec.name.find(gpu) != std::string::npos) { return codeTarget(spec); }
  }
  throw InputError(fmt::format("--gpu {}: assets/gpus.json has no GPU of that name", gpu));
}

}  // namespace haloscope
