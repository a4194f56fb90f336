#pragma once

#include <cstddef>
#include <string>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"

namespace haloscope::lessons {

/// The page of a choice in what `haloscope site` writes, from the folder of its language:
/// "variants/stencil/tiled.html#N=12&block=1,0,0&step=44". Its keys are those of a link in a lesson, and `order` and
/// `without` (lines of barriers); what is as the file has it is left out.
[[nodiscard]] std::string pageAddress(const KernelFile& file, const experiment::Choice& choice, std::size_t step);

}  // namespace haloscope::lessons
