#include "book/Figure.h"

#include <array>

#include "parts/FigureList.h"

namespace haloscope {

#define HALOSCOPE_DECLARE(name, id, word, tip, wide) extern const Figure k##name##Figure;
HALOSCOPE_FIGURES(HALOSCOPE_DECLARE)
#undef HALOSCOPE_DECLARE

std::span<const Figure* const> figureParts() {
#define HALOSCOPE_ADDRESS(name, id, word, tip, wide) &k##name##Figure,
  static constexpr std::array kFigures = {HALOSCOPE_FIGURES(HALOSCOPE_ADDRESS)};
#undef HALOSCOPE_ADDRESS
  return kFigures;
}

std::vector<std::unique_ptr<FigureWork>> figureWorks(work::Pool& pool) {
  std::vector<std::unique_ptr<FigureWork>> works;
  for (const Figure* figure : figureParts()) { works.push_back(figure->work(pool)); }
  return works;
}

}  // namespace haloscope
