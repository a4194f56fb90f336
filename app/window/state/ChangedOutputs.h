#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "experiment/Experiment.h"

namespace haloscope {

struct ChangedOutput {
  std::int64_t element = 0;
  double before = 0, now = 0;
};

/// Output elements that other data made different from the experiment before.
struct ChangedOutputs {
  std::shared_ptr<const experiment::Experiment> of;  ///< null: nothing is marked
  std::vector<ChangedOutput> elements;               ///< in their order

  [[nodiscard]] const ChangedOutput* find(const experiment::Experiment& shown, std::int64_t element) const;
};

/// Nothing if more than the data differs. Where only the block differs, what was marked before stays.
[[nodiscard]] ChangedOutputs changedOutputs(const ChangedOutputs& marked, const experiment::Experiment& before,
                                            const std::shared_ptr<const experiment::Experiment>& now);

}  // namespace haloscope
