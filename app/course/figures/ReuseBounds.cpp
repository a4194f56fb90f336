#include "figures/ReuseBounds.h"

#include <algorithm>
#include <utility>

#include "experiment/Experiment.h"
#include "figures/InteriorCount.h"
#include "language/Text.h"

namespace haloscope::figures {

std::int64_t ReuseBound::stencilPoints() const { return 1 + std::int64_t{2} * dimensions * order; }

std::int64_t ReuseBound::convolutionPoints() const {
  std::int64_t points = 1;
  for (int axis = 0; axis < dimensions; ++axis) { points *= 2 * order + 1; }
  return points;
}

double ReuseBound::opPerByte(std::int64_t points) { return static_cast<double>(2 * points) / sizeof(float); }

namespace {

ReuseCell cellOf(const ReuseBound& shape, bool filter, const std::vector<VariantReuse>& variants) {
  ReuseCell cell;
  cell.points = filter ? shape.convolutionPoints() : shape.stencilPoints();
  cell.formula = ReuseBound::opPerByte(cell.points);
  for (const VariantReuse& variant : variants) {
    if (variant.belongsTo(shape, cell.points, filter)) { cell.variants.push_back(variant); }
  }
  if (cell.variants.empty()) { return cell; }
  const auto bounds = std::ranges::minmax(cell.variants, {}, &VariantReuse::bound);
  cell.leastBound = bounds.min.bound;
  cell.mostBound = bounds.max.bound;
  const auto operations = std::ranges::minmax(cell.variants, {}, &VariantReuse::operationsPerOutput);
  cell.leastOperations = operations.min.operationsPerOutput;
  cell.mostOperations = operations.max.operationsPerOutput;
  return cell;
}

}  // namespace

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
      reuse.problem = tr("No size has an interior block.");
      return reuse;
    }
    reuse.ghosts = file.computes && file.computes->border == Computes::Border::Zero;
    reuse.byZero = count->block.products.byZero > 0;
    reuse.operationsPerOutput = count->operationsPerOutput();
    reuse.elementBytes = count->elementBytes;
    reuse.bound = count->reuseBound();
    reuse.executed = count->block.counts.opPerLoadByte();
    reuse.withoutOutput = count->withoutOutput();
  } catch (const UserError& error) { reuse.problem = error.message(); }
  return reuse;
}

std::vector<ReuseRow> reuseRows(const std::vector<VariantReuse>& variants) {
  std::vector<ReuseBound> shapes = reuseBounds();
  for (const VariantReuse& variant : variants) {
    const bool known = std::ranges::any_of(shapes, [&](const ReuseBound& shape) {
      return shape.dimensions == variant.dimensions && shape.order == variant.order;
    });
    if (!known && variant.dimensions > 0) { shapes.push_back({variant.dimensions, variant.order}); }
  }
  std::ranges::sort(shapes, {}, [](const ReuseBound& shape) { return std::pair(shape.dimensions, shape.order); });
  std::vector<ReuseRow> rows;
  for (const ReuseBound& shape : shapes) {
    rows.push_back({shape, cellOf(shape, false, variants), cellOf(shape, true, variants)});
  }
  return rows;
}

std::vector<const KernelFile*> variantsWithTaps(const Catalogue& catalogue) {
  std::vector<const KernelFile*> variants;
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.computes && file.task.empty() && file.steps(file.defaults()) == 1) { variants.push_back(&file); }
  }
  return variants;
}

}  // namespace haloscope::figures
