#include "render/SceneParts.h"

#include <algorithm>
#include <bit>

namespace haloscope::render {

namespace {

void countLoads(SceneLoads& loads, const recording::BlockTally& tally, const recording::Recording& recording,
                std::size_t step) {
  const recording::Interval& interval = recording.intervals[recording.steps[step].interval];
  loads.before = tally.loads(step) - tally.loads(interval.firstStep);
  loads.ofWarp.assign(recording.warpCount(), 0);
  for (const recording::AccessGroup& group : recording.accessesOf(step)) {
    if (group.space != MemorySpace::Global || group.store) continue;
    loads.ofWarp[group.warp] += static_cast<std::uint32_t>(std::popcount(group.lanes));
  }
}

}  // namespace

void addEvents(SceneModel& model, const SceneSubject& subject) {
  if (!subject.cursor.atStart()) {
    const recording::Recording& recording = subject.cursor.recording();
    const std::size_t step = subject.cursor.currentStep();
    model.gate = recording::gateAt(recording, step);
    countLoads(model.loads, subject.facts.tally, recording, step);
  }
  const bool arrives = model.gate && std::ranges::count(model.gate->threads, recording::AtGate::Arriving) > 0;
  const bool gathers = model.accumulator && (!model.accumulator->reads.empty() || model.accumulator->cell);
  model.travels = arrives || gathers ||
                  std::ranges::any_of(model.boxes, [](const SceneBox& box) { return box.travel != glm::vec3(0); });
}

}  // namespace haloscope::render
