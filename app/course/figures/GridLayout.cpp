#include "figures/GridLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/MemoryRequests.h"
#include "language/Text.h"

namespace haloscope::figures {

using analysis::kSectorBytes;
using recording::GridPoint;

namespace {

constexpr std::array<const char*, 3> kAxes = {"z", "y", "x"};

void sortDistinct(std::vector<std::int64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
}

}  // namespace

GridLayout::GridLayout(std::vector<std::int64_t> extents, int elementBytes, IndexOrder order)
    : rank_(std::min<std::size_t>(extents.size(), 3)), elementBytes_(elementBytes), order_(order) {
  std::copy_n(extents.end() - static_cast<std::ptrdiff_t>(rank_), rank_,
              extents_.end() - static_cast<std::ptrdiff_t>(rank_));
  std::int64_t stride = 1;
  for (std::size_t step = 0; step < rank_; ++step) {
    const std::size_t axis = order == IndexOrder::RowMajor ? 2 - step : 3 - rank_ + step;
    strides_[axis] = stride;
    stride *= extents_[axis];
  }
}

bool GridLayout::contains(const GridPoint& at) const {
  return at.z >= 0 && at.z < extents_[0] && at.y >= 0 && at.y < extents_[1] && at.x >= 0 && at.x < extents_[2];
}

std::int64_t GridLayout::index(const GridPoint& at) const {
  return at.z * strides_[0] + at.y * strides_[1] + at.x * strides_[2];
}

GridPoint GridLayout::point(std::int64_t index) const {
  const auto along = [&](std::size_t axis) {
    return strides_[axis] == 0 ? 0 : index / strides_[axis] % extents_[axis];
  };
  return {along(0), along(1), along(2)};
}

std::int64_t GridLayout::sector(std::int64_t index) const { return byteOffset(index) / kSectorBytes; }

std::string GridLayout::formula(const std::string& array) const {
  std::string text = array + "[";
  for (std::size_t i = 0; i < rank_; ++i) {
    const std::size_t axis = order_ == IndexOrder::RowMajor ? 2 - i : 3 - rank_ + i;
    text += i == 0 ? kAxes[axis] : fmt::format(" + {}·{}", strides_[axis], kAxes[axis]);
  }
  return text + "]";
}

std::string GridLayout::name() const {
  return trf("{} fastest", kAxes[order_ == IndexOrder::RowMajor ? 2 : 3 - rank_]);
}

std::string sectorText(std::int64_t count) {
  return trn("{} sector", "{} sectors", static_cast<std::uint64_t>(count), count);
}

std::string neededText(const NeededElements& needed) {
  const auto sectors = static_cast<std::int64_t>(needed.sectors.size());
  std::string text =
      trf("{} in {} of 32 bytes", trn("{} element", "{} elements", needed.elements.size(), needed.elements.size()),
          sectorText(sectors));
  return text +
         (sectors == needed.least ? tr(": the minimum") : trf("; contiguous, they would fit in {}", needed.least));
}

std::string borderText(std::int64_t outside) {
  return trn("a border point: {} of its points lies outside the grid",
             "a border point: {} of its points lie outside the grid", static_cast<std::uint64_t>(outside), outside);
}

NeededElements neededElements(const GridLayout& layout, const std::vector<GridPoint>& points) {
  NeededElements needed;
  for (const GridPoint& at : points) {
    if (layout.contains(at)) {
      needed.elements.push_back(layout.index(at));
    } else {
      ++needed.outside;
    }
  }
  sortDistinct(needed.elements);
  for (const std::int64_t element : needed.elements) {
    // An element larger than a sector is in several sectors.
    const std::int64_t last = (layout.byteOffset(element + 1) - 1) / kSectorBytes;
    for (std::int64_t sector = layout.sector(element); sector <= last; ++sector) { needed.sectors.push_back(sector); }
  }
  sortDistinct(needed.sectors);
  const auto bytes = static_cast<std::int64_t>(needed.elements.size()) * layout.elementBytes();
  needed.least = (bytes + kSectorBytes - 1) / kSectorBytes;
  return needed;
}

}  // namespace haloscope::figures
