#include "LayoutFigureWork.h"

#include <memory>

#include "AppState.h"
#include "figures/WarpLayout.h"

namespace haloscope {

void LayoutFigureWork::update(AppState& state) {
  const FoundShape& found = state.figures.shape;
  LayoutFigure& figure = state.figures.layout;
  if (!state.figures.shows("layout") || !figure.ofWarp || found.shape == nullptr) { return; }
  const std::uint32_t warp = state.selection.thread / kWarpSize;
  if (figure.warp != nullptr && figure.experiment == found.experiment && figure.warpIndex == warp) { return; }
  figure.experiment = found.experiment;
  figure.warpIndex = warp;
  figure.warp = std::make_shared<const figures::WarpLayout>(figures::warpLayout(*found.experiment, *found.shape, warp));
}

}  // namespace haloscope
