#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recording/BlockState.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// A position in a recording, and the state of the block there. Position 0 is before the first statement; at position
/// p > 0, steps[p - 1] has just been executed and is "the current step". Moving costs as much as the changes passed.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(std::shared_ptr<const Recording> recording);

  [[nodiscard]] bool empty() const { return recording_ == nullptr; }
  [[nodiscard]] const Recording& recording() const { return *recording_; }
  [[nodiscard]] std::shared_ptr<const Recording> shared() const { return recording_; }

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t end() const;  ///< the last position: the number of steps
  [[nodiscard]] bool atStart() const { return position_ == 0; }
  [[nodiscard]] const Step* current() const;      ///< nullptr at position 0
  [[nodiscard]] std::size_t currentStep() const;  ///< position - 1; kNone widened at position 0

  void goTo(std::size_t position);  ///< clamped to [0, end()]
  void step(std::ptrdiff_t by);
  /// To the first position of the next / previous barrier interval, plane. Previous goes to the start of the current
  /// one first, as media players do. Without planes, by interval.
  void nextInterval();
  void previousInterval();
  void nextPlane();
  void previousPlane();
  void goToInterval(std::size_t interval);  ///< position right after the interval's first step
  void goToPlane(std::size_t plane);
  /// The next position (wrapping round) whose statement covers this line; false if none does.
  bool goToLine(int line, bool forward = true);

  /// Elements of a shared array now, in element order; of a local array: thread * element count + element.
  [[nodiscard]] const std::vector<Cell>& shared(ObjectId object) const { return state_.array(object); }
  /// A variable's value in every thread of the block now.
  [[nodiscard]] const std::vector<Cell>& variable(VariableId variable) const { return state_.variable(variable); }
  /// Elements of global arrays that the block has written so far, as indices, in the order of writing.
  [[nodiscard]] const std::vector<std::int64_t>& written(ObjectId object) const { return state_.written(object); }
  /// What was written to a global element by this block; nullptr if nothing yet.
  [[nodiscard]] const Cell* output(ObjectId object, std::int64_t element) const {
    return state_.output(object, element);
  }

 private:
  std::shared_ptr<const Recording> recording_;
  std::size_t position_ = 0;
  BlockState state_;
};

}  // namespace haloscope::recording
