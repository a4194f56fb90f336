#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiment/Experiment.h"

namespace haloscope {

/// The element of an array `name` with these extents that "I,J,K" names, slowest axis first. Throws InputError.
[[nodiscard]] std::int64_t parseCell(const std::string& text, const std::string& name,
                                     const std::vector<std::int64_t>& extents);

/// An experiment whose block writes an output element, the last of the grid if several do.
struct WrittenCell {
  std::shared_ptr<const experiment::Experiment> experiment;
  std::int64_t element = 0;
};

/// Executes the block that writes the cell "I,J,K" of the output array. Throws InputError for a cell that is not in the
/// array or that no thread writes.
[[nodiscard]] WrittenCell experimentWriting(const KernelFile& file, experiment::Choice choice, const std::string& cell);

}  // namespace haloscope
