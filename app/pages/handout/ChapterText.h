#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "experiment/Experiment.h"

/// What a page says of an executed block, and says anew when it was executed anew: in the program, and in the page.
namespace haloscope::handout {

/// An element of HTML, with its attributes.
[[nodiscard]] std::string element(const char* name, const std::string& text, const std::string& attributes = {});

/// "N = 32, IN_TILE_DIM = 8. Block (2,2,2) of a grid of 6 × 6 × 6, 64 threads": what was executed.
[[nodiscard]] std::string captionOf(const experiment::Experiment& experiment);

/// What was found, or that nothing was, and what was looked for; `checked` is null where it was not checked. `steps`:
/// how many the page has.
[[nodiscard]] std::string findingsHtml(const experiment::Experiment& experiment, const checking::CheckReport* checked,
                                       std::size_t steps);

/// Operations, bytes and their ratio; empty where the grid was not executed.
[[nodiscard]] std::string countsHtml(const experiment::Experiment& experiment);

/// Elements of the block's output that faults reach.
[[nodiscard]] std::vector<std::int64_t> faultyOutputs(const experiment::Experiment& experiment,
                                                      const checking::CheckReport* checked);

}  // namespace haloscope::handout
