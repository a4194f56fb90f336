#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "experiment/TracedOutput.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "render/BenchSetting.h"
#include "render/SceneBuilder.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// The output whose operands' ways the scene shows, if any, and the operand that is highlighted.
struct SceneOrigins {
  std::shared_ptr<const experiment::TracedOutput> traced;
  std::optional<std::uint32_t> operand;
  bool operator==(const SceneOrigins&) const = default;
};

/// What is wrong with the outputs, as elements of their array; both ascending.
struct SceneFaults {
  std::vector<std::int64_t> reached;  ///< by a fault
  std::vector<std::int64_t> wrong;    ///< values that differ from those with the barriers
  bool operator==(const SceneFaults&) const = default;
};

/// Keeps the scene's model up to date with the cursor, and plays the short movement of a step. Needs no OpenGL.
class SceneDirector {
 public:
  /// Makes a new model if anything it shows has changed. `thread` is the selected one, `faults` are the output elements
  /// that faults reach or make wrong, `origins` are drawn as arrows; `seconds` is the time since the last call. A step
  /// forward plays for `duration` seconds, a step back plays the same movement backwards; either turns the other around
  /// where it is. Any other move of the cursor shows its final state at once, as does duration 0.
  const SceneModel& update(const recording::Cursor& cursor, const recording::Footprint& footprint,
                           const std::vector<recording::Carrier>& carriers, const recording::BlockView& view,
                           std::uint32_t thread, const SceneSpace& space, float seconds, float duration,
                           const SceneFaults& faults = {}, const SceneOrigins& origins = {});

  /// From the next update() on: shows this share of the movement of the position's step, whatever way it was reached.
  /// Let go, the movement goes on from there.
  void hold(std::optional<float> share);

  [[nodiscard]] const SceneModel& model() const { return model_; }
  [[nodiscard]] const SceneFacts& facts() const { return facts_; }
  /// Of the movement, 0…1; 1 at rest.
  [[nodiscard]] float progress() const;
  [[nodiscard]] bool moving() const { return !held_ && elapsed_ < duration_; }
  [[nodiscard]] bool held() const { return held_.has_value(); }
  /// A step back plays: the model is still that of the position before it.
  [[nodiscard]] bool returning() const { return returning_; }

 private:
  SceneModel model_;
  SceneFacts facts_;
  StagePlans plans_;
  std::shared_ptr<const recording::Recording> recording_;
  std::uint64_t fingerprint_ = 0;
  std::uint64_t revision_ = 0;
  std::size_t position_ = 0;
  std::uint32_t thread_ = 0;
  SceneFaults faults_;
  SceneOrigins origins_;
  SceneSpace space_;
  float elapsed_ = 0, duration_ = 0;
  float backwards_ = 0;  ///< how long the model's step would play
  std::optional<float> held_;
  bool returning_ = false;  ///< the model is that of the step after the position, played backwards
};

}  // namespace haloscope::render
