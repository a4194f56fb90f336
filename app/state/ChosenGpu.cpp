#include "state/ChosenGpu.h"

#include <algorithm>
#include <utility>

#include "state/AppState.h"

namespace haloscope {

const measuring::GpuSpec* chosenGpu(const AppState& state) {
  if (state.gpuSpecs.empty()) { return nullptr; }
  if (state.view.gpuSpec < 0) {
    const auto own = std::ranges::find_if(state.gpuSpecs, [&](const measuring::GpuSpec& spec) {
      return !state.gpuName.empty() && spec.name.starts_with(state.gpuName);
    });
    return own == state.gpuSpecs.end() ? &state.gpuSpecs.front() : &*own;
  }
  const auto last = static_cast<int>(state.gpuSpecs.size()) - 1;
  return &state.gpuSpecs[static_cast<std::size_t>(std::min(state.view.gpuSpec, last))];
}

measuring::TuningTarget predictedTarget(const measuring::GpuSpec& gpu, std::string missing) {
  return {nullptr, gpu.name, gpu.computeCapability, gpu.multiprocessors, 0, std::move(missing)};
}

figures::CodeTarget codeTarget(const measuring::GpuSpec& gpu) {
  figures::CodeTarget target;
  try {
    target = figures::targetOfArchitecture(gpu.computeCapability);
  } catch (const InputError&) { target.capability = 0; }  // the figure says that it is not known
  target.name = gpu.name;
  target.multiprocessors = gpu.multiprocessors;
  return target;
}

}  // namespace haloscope
