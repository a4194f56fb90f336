#pragma once

#include "state/AppState.h"

namespace haloscope {

/// A block on screen: what was executed, where its cursor is, and what is visible there. Of several variants
/// side by side each has its own; the one in focus is AppState's.
struct ShownBlock {
  const experiment::Experiment& experiment;
  const recording::Cursor& cursor;
  const recording::BlockView& view;
};

/// The block that all other panels show. There is an experiment.
[[nodiscard]] inline ShownBlock shownBlock(const AppState& state) {
  return {*state.experiment, state.cursor, state.blockView};
}

}  // namespace haloscope
