#pragma once

#include "state/AppState.h"

namespace haloscope {

/// A block on screen: what was executed, where its cursor stands, and what is to be seen there. Of several variants
/// side by side each has its own; the one in focus is AppState's.
struct ShownBlock {
  const experiment::Experiment& experiment;
  const recording::Cursor& cursor;
  const recording::BlockView& view;
};

/// The block of which all other panels tell. There is an experiment.
[[nodiscard]] inline ShownBlock shownBlock(const AppState& state) {
  return {*state.experiment, state.cursor, state.blockView};
}

}  // namespace haloscope
