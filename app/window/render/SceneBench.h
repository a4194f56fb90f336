#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "recording/BlockView.h"

namespace haloscope::render {

/// What needs a slot.
struct BenchEntry {
  recording::Carrier::Kind kind = recording::Carrier::Kind::SharedArray;
  std::optional<int> ahead;  ///< grid planes from the output plane to the one it holds
  bool operator==(const BenchEntry&) const = default;
};

/// The benches on which a block's planes lie while it works with them: a slot for each plane of shared memory, side by
/// side, and behind them one for each variable that threads keep a plane in. Slots stay where they are; what they hold
/// moves. Each line of slots is a board of its own, whose front is seen.
/// Ground coordinates: x to the right and towards the viewer, y (the scene's z) to the left and towards the viewer, in
/// cells, with their origin in the middle of all slots.
class SceneBench {
 public:
  /// One or several slots in line, with the ground that they stand on.
  struct Board {
    recording::Carrier::Kind kind = recording::Carrier::Kind::SharedArray;
    glm::vec2 low{0}, high{0};
    bool foremost = true;  ///< of its kind: before it is ground for words
  };
  static constexpr std::size_t kInLine = 4;

  SceneBench() = default;
  /// `size`: of a slot. Entries come in the order of their grid planes; more than `inLine` of a kind go to further
  /// lines. Registers lie behind the shared arrays, or with `abreast` to their right. Boards have at least that
  /// thickness.
  SceneBench(const std::vector<BenchEntry>& entries, glm::vec2 size, std::size_t inLine = kInLine, bool abreast = false,
             float leastThickness = 0);

  /// Of a board, in cells: its front has room for names that are as large as the planes allow.
  [[nodiscard]] float thickness() const { return thickness_; }
  /// The middle of an entry's slot.
  [[nodiscard]] glm::vec2 slot(std::size_t entry) const { return slots_.at(entry); }
  [[nodiscard]] const std::vector<Board>& boards() const { return boards_; }
  /// The board of an entry's slot.
  [[nodiscard]] const Board& boardOf(std::size_t entry) const { return boards_.at(lines_.at(entry)); }
  /// Corners of all boards.
  [[nodiscard]] std::vector<glm::vec2> corners() const;

 private:
  std::vector<glm::vec2> slots_;
  std::vector<std::size_t> lines_;  ///< of the slots, in boards_
  float thickness_ = 0;
  std::vector<Board> boards_;
};

}  // namespace haloscope::render
