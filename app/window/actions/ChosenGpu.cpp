#include "actions/ChosenGpu.h"

#include <algorithm>
#include <utility>

#include "state/AppState.h"

namespace haloscope {

const measuring::GpuSpec* gpuNamed(const AppState& state, const std::string& name) {
  const auto named = std::ranges::find_if(
      state.gpuSpecs, [&](const measuring::GpuSpec& spec) { return !name.empty() && spec.name.starts_with(name); });
  return named == state.gpuSpecs.end() ? nullptr : &*named;
}

const measuring::GpuSpec* chosenGpu(const AppState& state) {
  if (state.gpuSpecs.empty()) { return nullptr; }
  if (state.view.gpuSpec < 0) {
    const measuring::GpuSpec* const own = gpuNamed(state, state.gpuName);
    return own != nullptr ? own : &state.gpuSpecs[measuring::defaultGpuAmong(state.gpuSpecs)];
  }
  const auto last = static_cast<int>(state.gpuSpecs.size()) - 1;
  return &state.gpuSpecs[static_cast<std::size_t>(std::min(state.view.gpuSpec, last))];
}

const measuring::GpuSpec* predictedGpu(const AppState& state) {
  const bool measured = state.measuredCopyGBs > 0;
  return measured && state.view.gpuSpec < 0 ? nullptr : chosenGpu(state);
}

std::optional<Roofs> roofsOf(const AppState& state) {
  const ValueType type = state.experiment == nullptr ? ValueType::F32 : measuring::computedType(*state.experiment);
  std::optional<measuring::Roof> predicted;
  if (const measuring::GpuSpec* const gpu = predictedGpu(state)) { predicted = measuring::roofOf(*gpu, type); }
  if (state.measuredCopyGBs > 0) {
    const double peak = measuring::peakFor(type, state.measuredFp32GFlops, state.measuredFp64GFlops);
    return Roofs{{state.measuredCopyGBs, peak}, true, predicted, type};
  }
  if (!predicted) { return std::nullopt; }
  return Roofs{*predicted, false, std::nullopt, type};
}

measuring::TuningTarget predictedTarget(const measuring::GpuSpec& gpu, std::string missing) {
  return {nullptr, gpu.name, gpu.computeCapability, gpu.multiprocessors, 0, std::move(missing)};
}

}  // namespace haloscope
