#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "recording/Lockstep.h"
#include "state/ComparedBlock.h"
#include "state/Playback.h"
#include "state/Selection.h"
#include "state/View.h"

namespace haloscope {

/// One of the variants side by side.
struct ComparedVariant {
  experiment::Choice choice;  ///< sizes and tunables that it shares with the one in focus follow that
  ComparedBlock block;
  recording::Cursor cursor;
  recording::BlockView view;              ///< of the cursor's position
  std::optional<std::size_t> viewedAt{};  ///< the position that the view was made at; none: not yet
  bool computing = false;

  [[nodiscard]] bool shown() const { return block.experiment != nullptr && !cursor.empty(); }
};

/// Up to four variants side by side: each by the block that computes one common output cell, all at the same place of
/// one axis of time. Panels write what is to be compared; the App makes the blocks and lets the cursors follow.
struct Comparison {
  static constexpr std::size_t kMost = 4;

  bool on = false;
  std::vector<ComparedVariant> variants;  ///< in their order on screen
  std::size_t focus = 0;                  ///< the one that AppState::choice is about, and all other panels
  LineUp lineUp = LineUp::Interval;
  std::vector<std::string>
      initial;                     ///< variants to compare with the chosen one as the window opens; consumed by the App
  std::optional<CommonCell> cell;  ///< none: the block in focus writes no output
  recording::Lockstep time;        ///< one track per variant

  [[nodiscard]] const ComparedVariant& inFocus() const { return variants[focus]; }
  /// A variant on screen in which the cell's value is not followed; null: it is in all of them.
  [[nodiscard]] const ComparedVariant* untraced() const;
  /// What the variants are lined up by: by interval, too, where `lineUp` asks for the cell but it cannot be followed.
  [[nodiscard]] LineUp linedUpBy() const { return untraced() != nullptr ? LineUp::Interval : lineUp; }
  /// Whether that is what the rest of the window shows, as it is but for the moments after another one was chosen.
  [[nodiscard]] bool follows(const std::shared_ptr<const experiment::Experiment>& shown) const {
    return on && shown != nullptr && focus < variants.size() && inFocus().block.experiment == shown &&
           time.trackCount() == variants.size();
  }
};

/// What the window showed before variants were put side by side.
struct BeforeComparison {
  experiment::Choice choice;
  std::size_t position = 0;  ///< of the cursor
  Selection selection;
  Playback playback;
  SceneCamera camera;
  Workspace workspace = Workspace::Walk;
  bool left = false;  ///< the user has gone back: cursor and selection follow when the choice's experiment is there
};

}  // namespace haloscope
