#include "figures/ReuseBounds.h"

#include <algorithm>

#include "experiment/Experiment.h"
#include "figures/InteriorCount.h"

namespace haloscope::figures {

std::int64_t ReuseBound::stencilPoints() const { return 1 + std::int64_t{2} * dimensions * order; }

std::int64_t ReuseBound::convolutionPoints() const {
  std::int64_t points = 1;
  for (int axis = 0; axis < dimensions; ++axis) { points *= 2 * order + 1; }
  return points;
}

double ReuseBound::opPerByte(std::int64_t points) { return static_cast<double>(2 * points) / sizeof(float); }

std::vector<ReuseBound> reuseBounds() {
  std::vector<ReuseBound> bounds;
  for (const int dimensions : {2, 3}) {
    for (const int order : {1, 2, 3}) { bounds.push_back({dimensions, order}); }
  }
  return bounds;
}

bool VariantReuse::belongsTo(const ReuseBound& row, std::int64_t rowPoints, bool filter) const {
  const bool shaped = dimensions == row.dimensions && order == row.order && points == rowPoints;
  const bool counts = problem.empty() && elementBytes == static_cast<int>(sizeof(float)) && !byZero;
  return shaped && counts && (dimensions > 1 || ghosts == filter);
}

VariantReuse variantReuse(const KernelFile& file, const std::stop_token& stop) {
  VariantReuse reuse;
  reuse.id = file.id;
  try {
    const Bindings bindings = file.defaults();
    const auto taps = file.taps(bindings);
    reuse.points = static_cast<std::int64_t>(taps.size());
    const std::array<int, 3> reach = reachOf(file, bindings);
    reuse.order = std::ranges::max(reach);
    reuse.dimensions = static_cast<int>(std::ranges::count_if(reach, [](int along) { return along > 0; }));
    const auto count = countInterior(file, bindings, experiment::compile(file, bindings), stop);
    if (!count) {
      reuse.problem = "No size gives a block away from the border.";
      return reuse;
    }
    reuse.ghosts = file.computes && file.computes->border == Computes::Border::Zero;
    reuse.byZero = count->block.products.byZero > 0;
    reuse.operationsPerOutput = count->operationsPerOutput();
    reuse.elementBytes = count->elementBytes;
    reuse.bound = count->reuseBound();
    reuse.executed = count->block.counts.opPerLoadByte();
    reuse.withoutOutput = count->withoutOutput();
  } catch (const SourceError& error) { reuse.problem = error.message(); } catch (const InputError& error) {
    reuse.problem = error.what();
  }
  return reuse;
}

std::vector<const KernelFile*> variantsWithTaps(const Catalogue& catalogue) {
  std::vector<const KernelFile*> variants;
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.computes && file.task.empty()) { variants.push_back(&file); }
  }
  return variants;
}

}  // namespace haloscope::figures
