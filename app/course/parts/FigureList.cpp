#include "parts/FigureList.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace haloscope {

namespace {

#define HALOSCOPE_LISTED(name, id, word, tip, wide) ListedFigure{id, word, tip, wide},
constexpr std::array kFigures = {HALOSCOPE_FIGURES(HALOSCOPE_LISTED)};
#undef HALOSCOPE_LISTED

}  // namespace

std::span<const ListedFigure> listedFigures() { return kFigures; }

std::size_t figureIndex(std::string_view id) {
  const auto found = std::ranges::find(kFigures, id, &ListedFigure::id);
  return found == kFigures.end() ? 0 : static_cast<std::size_t>(found - kFigures.begin());
}

const ListedFigure& neighbourFigure(std::string_view id, int by) {
  const auto count = static_cast<int>(kFigures.size());
  const auto at = static_cast<int>(figureIndex(id));
  return kFigures.at(static_cast<std::size_t>(((at + by) % count + count) % count));
}

std::vector<std::string> figureIds() {
  std::vector<std::string> ids;
  for (const ListedFigure& figure : kFigures) { ids.emplace_back(figure.id); }
  return ids;
}

}  // namespace haloscope
