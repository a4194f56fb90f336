#pragma once

#include <string>

#include "inputs/ChosenData.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// A file of numbers that was typed for an array, as --data names it: "@FILE".
struct TypedFile {
  std::string array, spec;
  bool operator==(const TypedFile&) const = default;
};

/// Its numbers, or why it is not taken.
struct ReadFile {
  inputs::ArrayChoice choice;
  std::string problem;
};

/// Reads files of numbers, and pictures, beside the frames: they may have millions of them.
class InputReader {
 public:
  explicit InputReader(work::Pool& pool);

  /// Once a frame: reads what was typed or dropped, and chooses what was read. Never waits.
  void update(AppState& state);
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return worker_.busy() || pictures_.busy(); }

 private:
  void updateTyped(AppState& state);
  void updatePicture(AppState& state);

  TypedFile asked_, askedPicture_;
  work::Worker<TypedFile, ReadFile> worker_, pictures_;
};

}  // namespace haloscope
