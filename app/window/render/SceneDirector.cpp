#include "render/SceneDirector.h"

#include <algorithm>
#include <utility>

namespace haloscope::render {

namespace {

/// FNV-1a, a word at a time: enough to notice that a view is another one.
class Fingerprint {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3ULL; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

std::uint64_t fingerprintOf(const recording::BlockView& view) {
  Fingerprint print;
  for (const recording::CarrierView& carrier : view.carriers) {
    print.add(carrier.movedFrom);
    for (const recording::CarrierCell& cell : carrier.cells) {
      print.add(cell.cell.bits);
      print.add(static_cast<std::uint64_t>(cell.role) << 2 | static_cast<std::uint64_t>(cell.changed) << 1 |
                static_cast<std::uint64_t>(cell.read));
    }
  }
  for (const auto* points : {&view.inputs, &view.outputs}) {
    for (const recording::PointView& point : *points) {
      print.add(static_cast<std::uint64_t>(point.role) << 1 | static_cast<std::uint64_t>(point.active));
    }
  }
  return print.value();
}

}  // namespace

void SceneDirector::hold(std::optional<float> share) {
  if (held_ && !share && model_.travels) {
    duration_ = backwards_;
    elapsed_ = *held_ * duration_;
  }
  held_ = share;
}

const SceneModel& SceneDirector::update(const recording::Cursor& cursor, const recording::Footprint& footprint,
                                        const std::vector<recording::Carrier>& carriers,
                                        const recording::BlockView& view, std::uint32_t thread, const SceneSpace& space,
                                        float seconds, float duration, const SceneFaults& faults,
                                        const SceneOrigins& origins) {
  elapsed_ = std::min(elapsed_ + seconds, duration_);
  const bool newRecording = recording_ != cursor.shared();
  if (newRecording) {
    recording_ = cursor.shared();
    facts_ = findSceneFacts(recording_, footprint, carriers);
  }
  const std::uint64_t fingerprint = fingerprintOf(view);
  const bool moved = newRecording || fingerprint != fingerprint_ || cursor.position() != position_;
  if (!moved && !returning_) { backwards_ = duration; }
  if (moved && !newRecording && cursor.position() + 1 == position_ && !returning_ && !held_ && model_.travels &&
      backwards_ > 0) {
    // The picture before the step is that of the step where its movement begins.
    const float done = progress();
    returning_ = true;
    duration_ = backwards_;
    elapsed_ = (1 - done) * duration_;
    position_ = cursor.position();
    fingerprint_ = fingerprint;
    return model_;
  }
  if (moved && !newRecording && returning_ && moving() && !held_ && cursor.position() == position_ + 1) {
    // Forward again: the movement that plays backwards turns around where it is.
    elapsed_ = progress() * duration_;
    returning_ = false;
    position_ = cursor.position();
    fingerprint_ = fingerprint;
    return model_;
  }
  if (returning_ && !moved && moving() && !held_) { return model_; }
  const bool returned = std::exchange(returning_, false);
  if (!moved && !returned && faults == faults_ && origins == origins_ && thread == thread_ && space == space_)
    return model_;

  model_ = buildScene({cursor, footprint, carriers, view, facts_, thread, space, faults.reached, faults.wrong,
                       origins.traced.get(), origins.operand, &plans_});
  origins_ = origins;
  faults_ = faults;
  model_.revision = ++revision_;
  if (moved) {
    const bool forward = !newRecording && cursor.position() == position_ + 1;
    duration_ = forward && model_.travels ? duration : 0;
    elapsed_ = 0;
    backwards_ = duration;
  }
  fingerprint_ = fingerprint;
  position_ = cursor.position();
  thread_ = thread;
  space_ = space;
  return model_;
}

float SceneDirector::progress() const {
  if (held_) { return *held_; }
  if (!moving()) { return 1; }
  const float done = elapsed_ / duration_;
  return returning_ ? 1 - done : done;
}

}  // namespace haloscope::render
