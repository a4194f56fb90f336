#include "state/ChangedOutputs.h"

#include <algorithm>
#include <bit>

#include "experiment/InputData.h"

namespace haloscope {

const ChangedOutput* ChangedOutputs::find(const experiment::Experiment& shown, std::int64_t element) const {
  if (of.get() != &shown) { return nullptr; }
  const auto at = std::ranges::lower_bound(elements, element, {}, &ChangedOutput::element);
  return at != elements.end() && at->element == element ? &*at : nullptr;
}

ChangedOutputs changedOutputs(const ChangedOutputs& marked, const experiment::Experiment& before,
                              const std::shared_ptr<const experiment::Experiment>& now) {
  experiment::Choice choice = before.choice;
  choice.block = now->choice.block;
  choice.bindings = now->choice.bindings;  // compared in full
  if (before.bindings != now->bindings || !(before.file == now->file)) { return {}; }
  if (choice == now->choice) {
    return marked.of.get() == &before ? ChangedOutputs{now, marked.elements} : ChangedOutputs{};
  }
  choice.data = now->choice.data;
  const ObjectId output = now->footprint.output;
  if (!(choice == now->choice) || output == kNone || before.launch == nullptr || now->launch == nullptr) { return {}; }
  const ArrayData& old = before.launch->arrays[output];
  const ArrayData& fresh = now->launch->arrays[output];
  if (old.bytes.size() != fresh.bytes.size() || old.bytes == fresh.bytes) { return {}; }
  ChangedOutputs changed{now, {}};
  for (std::int64_t element = 0; element < fresh.elementCount(); ++element) {
    const double was = experiment::valueAt(old, element);
    const double is = experiment::valueAt(fresh, element);
    if (std::bit_cast<std::uint64_t>(was) != std::bit_cast<std::uint64_t>(is)) {
      changed.elements.push_back({element, was, is});
    }
  }
  return changed;
}

}  // namespace haloscope
