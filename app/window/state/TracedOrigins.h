#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"

namespace haloscope {

/// Where the selected thread's output came from; filled by the App while its panel is in front.
struct Origins {
  std::optional<std::int64_t> wanted;  ///< element of the output array
  std::shared_ptr<const experiment::Experiment> experiment;
  std::int64_t element = -1;                              ///< what `trace` is about
  std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
  std::optional<std::uint32_t> operand;                   ///< the one that the user has chosen
};

}  // namespace haloscope
