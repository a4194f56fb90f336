#include "measuring/Roofline.h"

namespace haloscope::measuring {

namespace {

double pointsOf(const std::vector<std::int64_t>& extents) {
  double points = 1;
  for (const std::int64_t extent : extents) { points *= static_cast<double>(extent); }
  return points;
}

}  // namespace

ValueType computedType(const experiment::Experiment& experiment) {
  const ObjectId output = experiment.footprint.output;
  const ValueType type = output == kNone ? ValueType::F32 : experiment.program->objects[output].element;
  return isFloating(type) ? type : ValueType::F32;
}

double peakFor(ValueType type, double fp32, double fp64) {
  return type == ValueType::F64 ? fp64 : type == ValueType::F16 ? 0 : fp32;
}

Roof roofOf(const GpuSpec& gpu, ValueType type) {
  return {gpu.bandwidthGBs, peakFor(type, gpu.fp32GFlops, gpu.fp64GFlops)};
}

std::optional<Achieved> achieved(const experiment::Experiment& experiment,
                                 const std::vector<std::int64_t>& fieldExtents, double milliseconds) {
  if (milliseconds <= 0) { return std::nullopt; }
  const double points = pointsOf(experiment.footprint.outputExtents);
  const bool known = !fieldExtents.empty() && points > 0;
  const double scale = known ? pointsOf(fieldExtents) / points : 1.0;
  const double flops = static_cast<double>(experiment.counts.flops) * scale;
  return Achieved{flops / (milliseconds * 1e6), scale != 1.0};
}

}  // namespace haloscope::measuring
